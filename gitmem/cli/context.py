"""``gitmem context``: the text a session starts with."""

from __future__ import annotations

import os

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, printable
from gitmem.cli.scopes import here
from gitmem.prompt.prefix import session_prefix


@click.command("context")
@shared
def command(door: Door) -> None:
    """Print the session prefix: how memories may be cited, the index, the baseline."""
    root = door.store()
    block = session_prefix(root, os.urandom(4).hex(), door.when, sources=here(door, root).sources)
    shape = {"text": block.text, "bytes": len(block.text.encode("utf-8", "replace"))}
    if not block.text:
        door.say("the store is empty, so a session starts with nothing from it")
    door.answer(shape, printable(block.text))
