"""``gitmem merge-driver``: how plain ``git merge`` and ``git pull`` merge a memory; git calls this, not people.

`gitmem hooks install` configures it.
"""

from __future__ import annotations

from pathlib import Path

import click

from gitmem.cli.common import opened
from gitmem.cli.door import Door
from gitmem.history.remote_config import UNMERGED
from gitmem.write.sync_driver import drive


@click.command("merge-driver", hidden=True)
@click.argument("base", metavar="%O")
@click.argument("ours", metavar="%A")
@click.argument("theirs", metavar="%B")
@click.argument("path", metavar="%P")
@opened
def command(door: Door, base: str, ours: str, theirs: str, path: str) -> None:
    """Merge the files BASE, OURS and THEIRS of the memory PATH into OURS, as `gitmem sync` does.

    Exits 5 when something could not merge: ours stands there then, and both texts are a conflict record.
    """
    said = drive(str(Path.cwd()), base, ours, theirs, path, door.environ)
    for sentence in said:
        door.say(sentence)
    if said:
        raise click.exceptions.Exit(UNMERGED)
