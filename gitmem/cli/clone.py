"""``gitmem clone``: make a store here from one elsewhere."""

from __future__ import annotations

import sys

import click

from gitmem.cli.common import progress_bar, shared
from gitmem.cli.door import Door, counted
from gitmem.cli.remote import whole_url
from gitmem.setup.clone import clone


@click.command("clone")
@click.argument("url", metavar="URL")
@click.argument("folder", metavar="[PATH]", required=False)
@shared
def command(door: Door, url: str, folder: str | None) -> None:
    """Make the store at URL one here too, at PATH; without PATH, your own store.

    URL is https://..., ssh://..., host:path, or a folder. Nothing that stands at URL is run. From then on `gitmem sync`
    keeps the two the same.
    """
    with progress_bar("indexing") as progress:
        made = clone(
            whole_url(url), folder or door.place(), environ=door.environ, when=door.when,
            asks=sys.stdin is not None and sys.stdin.isatty(), progress=progress,
        )  # fmt: skip
    for note in made.notes:
        door.say(note)
    shape = {
        "store": made.root,
        "url": made.url,
        "made": made.kind,
        "branch": made.branch,
        "commit": made.commit,
        "memories": made.memories,
        "conflicts": made.conflicts,
        "notes": list(made.notes),
    }
    option = "" if door.is_default(made.root) else f" --store {door.shown(made.root)}"
    what = "cloned" if made.kind == "cloned" else "made"
    lines = [f"{what} {door.shown(made.root)}, branch {made.branch}: {counted(made.memories)}"]
    if made.conflicts:
        lines.append(f"{counted(made.conflicts, 'conflict')} came along: gitmem conflict list{option}")
    lines.append(f"next: gitmem install claude-code{option}   (and gitmem sync{option}, whenever you like)")
    door.answer(shape, "\n".join(lines), saved=f"{made.root} is a store")
