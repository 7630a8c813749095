"""``gitmem search``: find memories by words."""

from __future__ import annotations

import click

from gitmem.cli.common import searchable, shared
from gitmem.cli.door import Door
from gitmem.cli.hits import hit_lines, hit_shape
from gitmem.recall.choose import search


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="QUERY")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="At most this many.")
@shared
def command(door: Door, words: tuple[str, ...], limit: int) -> None:
    """Find memories by the words of QUERY, best first; one passage of each.

    A prompt gets only what lies above the floor: see `gitmem recall` and `gitmem why`.
    """
    found = search(searchable(door), " ".join(words), door.when, limit=limit)
    for sentence in found.notes:
        door.say(sentence)
    if not found.hits:
        door.say(f"nothing found{': ' + found.reason if found.reason else ''}")
    elif found.omitted:
        door.say(f"{found.omitted} more; see them with --limit {limit + found.omitted}")
    shape = {"hits": [hit_shape(hit) for hit in found.hits], "floor": found.floor}
    door.answer(shape, "\n".join(hit_lines(door, hit, found.floor) for hit in found.hits))
