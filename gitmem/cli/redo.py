"""``gitmem redo``: make again what an undo took back."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.cli.undo import check_said, tell_undone
from gitmem.write.change import Actor
from gitmem.write.undo import redo


@click.command("redo")
@click.argument("operation", metavar="[OPERATION]", required=False)
@click.option("--reason", default="", help="Why; stands in the commit.")
@shared
def command(door: Door, operation: str | None, reason: str) -> None:
    """Make again what the last undo took back, or what OPERATION did: the undo's commit, or the one it took back."""
    check_said({"OPERATION": operation}, "gitmem redo --help")
    done = redo(
        door.store(), operation or "", when=door.when, actor=Actor("person"), environ=door.environ, reason=reason
    )
    tell_undone(door, done, "made again")
