"""``gitmem trust``: let a store that was found inside a project be read, or an author be heard."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted, printable
from gitmem.errors import NotFound, Usage
from gitmem.store.paths import PROJECT_STORE, typed
from gitmem.store.place import gitmem_home
from gitmem.store.scope import find_place, scopes_of
from gitmem.write.project_branch import exclude
from gitmem.write.trust import revoke, store_meant, trust, trust_author, withheld_notes


@click.command("trust")
@click.argument("folder", metavar="[PATH]", required=False)
@click.option("--revoke", "revoked", metavar="PATH", help="Trust the store at PATH no longer.")
@click.option("--author", metavar="EMAIL", help="Recall what this author wrote; PATH is not needed.")
@shared
def command(door: Door, folder: str | None, revoked: str | None, author: str | None) -> None:
    """Read the store that the project in PATH (here, without PATH) has of its own.

    Nobody's store is read because it lies in a project: look at its files, then say so. The trust is for that place and
    that repository; a store that is moved or exchanged has to be trusted anew. Your own store and the team's need none.
    """
    if sum(each is not None for each in (folder, revoked, author)) > 1:
        raise Usage("PATH, --revoke and --author are three things; say one at a time", hint="gitmem trust --help")
    home = gitmem_home(door.environ)
    if author is not None:
        hear(door, author)
    elif revoked is not None:
        root = own_store(revoked)
        if not revoke(root, home):
            raise NotFound(f"{root} was not trusted", hint="gitmem project show")
        door.answer(
            {"store": root, "trusted": False}, f"{door.shown(root)} is read no longer", saved="it is not trusted"
        )
        door.say(f"undo: gitmem trust {typed(root)}")
    else:
        root = store_meant(folder or door.option or ".")
        keep_out(root)
        text = (
            f"{door.shown(root)} is read from now on" if trust(root, home) else f"{door.shown(root)} is trusted already"
        )
        door.answer({"store": root, "trusted": True}, text, saved=f"{root} is trusted")
        for sentence in withheld_notes(root, door.option_for(root)):
            door.say(sentence)
        door.say(f"undo: gitmem trust --revoke {typed(root)}")


def keep_out(root: str) -> None:
    """A store that a person set up by git alone is none of the project's own files, either."""
    place = find_place(str(Path(root).parent))
    if Path(root).name == PROJECT_STORE and place.git is not None:
        with suppress(OSError):
            exclude(place.git)


def own_store(path: str) -> str:
    """The store that ``path`` means; the path itself when nothing is there any more."""
    try:
        return store_meant(path)
    except (NotFound, OSError):
        return str(Path(path).expanduser().absolute())


def hear(door: Door, author: str) -> None:
    """Recall the memories of ``author``, in every store that is asked here."""
    root = door.store()
    roots = [root] if door.option else [each.root for each in scopes_of(root, str(Path.cwd()), door.environ).sources]
    freed = trust_author(roots, author)
    lines = [
        f"{counted(len(paths))} of {author} in {door.shown(where)}: {', '.join(paths)}"
        for where, paths in freed.items()
    ]
    shape = {
        "author": author,
        "memories": [{"store": where, "path": path} for where, paths in freed.items() for path in paths],
    }
    door.answer(shape, printable("\n".join(lines)), saved=f"{author} is known")
