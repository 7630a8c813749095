"""``gitmem bench``: measure recall, or noise, on sets of questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem.bench import noise, recall
from gitmem.bench.sets import QuestionSet, read_set
from gitmem.cli.common import JSON, Subcommands, opened
from gitmem.cli.door import Door
from gitmem.dataclass import asdict
from gitmem.errors import Usage

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.group("bench", cls=Subcommands)
def command() -> None:
    """Measure recall, or noise, on sets of questions; stores are made in a temporary folder."""


@command.command("recall")
@click.argument("data", nargs=-1, required=True, metavar="DATA")
@JSON
@opened
def recall_command(door: Door, data: tuple[str, ...]) -> None:
    """How often the right memory is found: any@1, any@5 and frac@5 of each set in DATA (files or folders)."""
    rows = [figures for each in sets_of(data) for figures in recall.measure(each)]
    door.answer({"figures": [asdict(row) for row in rows]}, "\n".join(row.line() for row in rows))


@command.command("noise")
@click.argument("data", nargs=-1, required=True, metavar="DATA")
@JSON
@opened
def noise_command(door: Door, data: tuple[str, ...]) -> None:
    """How often something is injected that should not be.

    Asked is each set in DATA that has prompts nothing answers, else the first; the documents of the others fill the
    store.
    """
    every = sets_of(data)
    asked = [each for each in every if each.unrelated] or every[:1]
    found = [noise.measure(each, [other for other in every if other is not each]) for each in asked]
    door.answer({"noise": [asdict(each) for each in found]}, "\n".join(line for each in found for line in each.lines()))


def sets_of(data: Sequence[str]) -> list[QuestionSet]:
    """The sets in files and folders; one that is named only by its folder may be something else and is passed over."""
    found: list[QuestionSet] = []
    for name in data:
        path = Path(name).expanduser()
        if not path.is_dir():
            found.append(read_set(str(path)))
            continue
        for file in sorted(path.glob("*.json")):
            try:
                found.append(read_set(str(file)))
            except Usage as error:
                print(f"passed over: {error.message}", file=sys.stderr)
    if not found:
        raise Usage(f"there is no question set in {', '.join(data)}", hint="gitmem bench --help")
    return found
