"""``gitmem lock``: keep a memory from being archived."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.store.paths import typed
from gitmem.write.change import Actor
from gitmem.write.locks import lock


@click.command("lock")
@click.argument("name", metavar="NAME")
@shared
def command(door: Door, name: str) -> None:
    """Lock the memory NAME: no command, rule or run archives or removes it; it can still be edited.

    NAME is a path, a file's stem, a name or an alias. Locks stand in .gitmem/config.yaml and travel with the store.
    """
    kept = lock(door.store(), name, when=door.when, actor=Actor("person"), environ=door.environ)
    for sentence in kept.notes:
        door.say(sentence)
    door.answer(
        {"path": kept.path, "locked": True, "commit": kept.commit},
        f"locked {kept.path}" if kept.commit else f"{kept.path} is locked already",
        saved=f"{kept.path} is locked",
    )
    if kept.commit:
        door.say(f"undo: gitmem unlock {typed(kept.path)}")
