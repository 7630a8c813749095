"""``gitmem promote``: copy a memory to another scope, with its origin."""

from __future__ import annotations

from pathlib import Path

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.store.paths import typed
from gitmem.write.change import Actor
from gitmem.write.find import stem
from gitmem.write.promote import place_for, promote

SCOPES = ("team", "user", "project")


@click.command("promote")
@click.argument("name", metavar="NAME")
@click.option("--to", "scope", required=True, type=click.Choice(SCOPES), help="Where the copy goes.")
@shared
def command(door: Door, name: str, scope: str) -> None:
    """Copy the memory NAME of your store (or of --store) to the team, to yourself, or to the project of this folder.

    The memory stays where it is. The copy says in `metadata.sources` which store, revision and memory it is of.
    """
    actor = Actor("person")
    own = Door(None, door.as_json).place() if scope == "user" else door.store()
    place = place_for(scope, own, str(Path.cwd()), when=door.when, actor=actor, environ=door.environ)
    kept = promote(door.store(), name, place, when=door.when, actor=actor, environ=door.environ)
    for sentence in (*place.notes, *kept.notes):
        door.say(sentence)
    door.answer(
        {"store": place.root, "path": kept.path, "revision": kept.revision, "commit": kept.commit},
        f"copied to the {scope}: {kept.path}",
        saved=f"{kept.path} is saved",
    )
    copy = kept.path if "/" in kept.path else stem(kept.path)  # the bare name may be the original's
    door.say(f"undo: gitmem archive {typed(copy)} --store {typed(place.root)} --reason 'promoted by mistake'")
