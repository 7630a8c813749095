"""``gitmem sync``: fetch, merge and send, so that every machine has the same."""

from __future__ import annotations

import click

from gitmem.cli.common import progress_bar, shared
from gitmem.cli.door import Door
from gitmem.cli.syncing import answer_sync


@click.command("sync")
@click.argument("remote", metavar="[REMOTE]", default="")
@click.option("--rejoin", is_flag=True, help="Merge although the history there, or here, was rewritten.")
@shared
def command(door: Door, remote: str, rejoin: bool) -> None:
    """Make this store and REMOTE the same: fetch, merge by meaning, send.

    Your uncommitted edits of memories are committed first, as yours. Safe to repeat, from cron and from two shells at
    once. Without a network what is here is put in order and the rest waits. Ends with 4 as long as a conflict is open,
    one of earlier too: both texts are kept, and `gitmem conflict list` shows them.
    """
    with progress_bar("indexing") as progress:
        code = answer_sync(door, remote, rejoin, progress)
    if code:
        raise click.exceptions.Exit(code)
