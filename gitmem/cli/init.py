"""``gitmem init``: make a store, or adopt what is there."""

from __future__ import annotations

from pathlib import Path

import click

from gitmem.cli.common import progress_bar, shared
from gitmem.cli.door import Door, counted
from gitmem.errors import Usage
from gitmem.setup.create import Made, init
from gitmem.store.paths import PROJECT_STORE
from gitmem.store.place import gitmem_home
from gitmem.store.scope import find_place
from gitmem.write.project_branch import exclude
from gitmem.write.trust import trust

DONE = {
    "new": "made an empty store at {}",
    "adopted": "adopted {}: nothing was moved or rewritten, the first commit holds it as it is",
    "in part": "adopted {}: nothing was moved or rewritten, the first commit holds all but what is named above",
    "repository": "using the repository at {}: only .gitmem/config.yaml was committed",
    "already": "{} is a store already",
}


@click.command("init")
@click.argument("folder", metavar="[PATH]", required=False)
@shared
def command(door: Door, folder: str | None) -> None:
    """Make a store at PATH, or adopt what is there; without PATH, your own store.

    A folder of Markdown files (an Obsidian vault, Claude Code's memory folder) becomes a store in place:
    nothing is moved or rewritten. A git repository is used as it is. Repeat it as often as you like.
    """
    if folder is not None and not folder.strip():
        raise Usage("PATH is empty; nothing was made", hint="name the folder: a shell variable may be unset")
    with progress_bar("reading") as progress:
        made = init(folder or door.place(), environ=door.environ, when=door.when, progress=progress)
    if Path(made.root).name == PROJECT_STORE:
        trust(made.root, gitmem_home(door.environ))  # what a person makes is the person's
        place = find_place(str(Path(made.root).parent))
        if place.git is not None:
            exclude(place.git)
    for finding in made.skipped:
        door.say(finding.sentence())
    for note in made.notes:
        door.say(note)
    shape = {
        "store": made.root,
        "made": made.kind,
        "commits": list(made.commits),
        "memories": made.memories,
        "skipped": [{"path": one.path, "line": one.line, "reason": one.message} for one in made.skipped],
    }
    door.answer(shape, summary(door, made), saved=f"{made.root} is a store")


def summary(door: Door, made: Made) -> str:
    """What was made, how much is in it, and what to type next."""
    left_out = f", {counted(len(made.skipped), 'file')} left out (named above)" if made.skipped else ""
    index = "; the index is up to date" if made.kind == "already" and made.indexed else ""
    done = DONE[made.kind if made.whole else "in part"].format(door.shown(made.root))
    lines = [done + index, counted(made.memories) + left_out]
    own, option = Door(None, door.as_json).place(), f" --store {door.shown(made.root)}"
    if made.root != str(Path(own).resolve()):
        lines.append(f"without --store gitmem uses {door.shown(own)}; to use this one, add{option} or set GITMEM_STORE")
    lines.append(f"next: gitmem install claude-code{'' if door.is_default(made.root) else option}")
    return "\n".join(lines)
