"""``gitmem hook``: only its help comes through here; __main__ sends the real call straight to hook/run.py."""

from __future__ import annotations

import click

from gitmem.cli.common import opened
from gitmem.cli.door import Door
from gitmem.hook.run import main


@click.command("hook")
@click.argument("event", metavar="EVENT")
@click.option("--host", required=True, help="The host that calls: claude-code.")
@click.option("--store", "store_path", metavar="PATH", help="The store to answer from; without it, your own.")
@opened
def command(door: Door, event: str, host: str) -> None:
    """Answer EVENT (prompt, session-start, turn-end) of a host: its JSON on stdin, the block in its form on stdout.

    Always ends with 0 and stays silent on any trouble. `gitmem install HOST` writes the call.
    """
    main([event, "--host", host, *(["--store", door.option] if door.option else [])])
