"""``gitmem restore``: bring an archived memory back."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.cli.quick import tell_kept
from gitmem.store.paths import typed
from gitmem.write.archive import restore
from gitmem.write.change import Actor


@click.command("restore")
@click.argument("name", metavar="NAME")
@click.option("--reason", default="", help="Why; stands in the commit.")
@shared
def command(door: Door, name: str, reason: str) -> None:
    """Bring the archived memory NAME back to where it stood, byte for byte, with its line in MEMORY.md.

    NAME is its path with or without archive/, a file's stem, a name or an alias; `gitmem list --archived` shows them.
    """
    kept = restore(door.store(), name, reason=reason, when=door.when, actor=Actor("person"), environ=door.environ)
    tell_kept(door, kept, f"restored {kept.path}")
    door.say(f"undo: gitmem archive {typed(kept.path)}")
