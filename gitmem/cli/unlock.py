"""``gitmem unlock``: let a memory be archived again."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.store.paths import typed
from gitmem.write.change import Actor
from gitmem.write.locks import unlock


@click.command("unlock")
@click.argument("name", metavar="NAME")
@shared
def command(door: Door, name: str) -> None:
    """Unlock the memory NAME, so that it can be archived.

    NAME is a path, a file's stem, a name or an alias. Locks stand in .gitmem/config.yaml and travel with the store.
    """
    kept = unlock(door.store(), name, when=door.when, actor=Actor("person"), environ=door.environ)
    for sentence in kept.notes:
        door.say(sentence)
    door.answer(
        {"path": kept.path, "locked": False, "commit": kept.commit},
        f"unlocked {kept.path}" if kept.commit else f"{kept.path} is not locked",
        saved=f"{kept.path} is unlocked",
    )
    if kept.commit:
        door.say(f"undo: gitmem lock {typed(kept.path)}")
