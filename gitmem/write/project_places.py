"""Which project each folder of this machine was found to be, kept in mind so that the hook need not find out."""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.store.paths import known_places
from gitmem.store.place import gitmem_home
from gitmem.store.project import Known, read_places
from gitmem.store.trust import place_of
from gitmem.write.project_twins import projects_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.store.project import Project

MAX_PLACES = 500  # folders whose project is kept in mind on this machine


def keep_folders(store: str, every: Sequence[Project], home: str) -> None:
    """Keep in mind the folders of projects without a repository; raises OSError."""
    place = place_of(store)
    new = [
        Known(place, place_of(os.path.expanduser(folder)), False, "-/-", dict.fromkeys(each.ids, ""))
        for each in every
        for folder in each.folders
    ]
    old = read_places(home)
    kept = [each for each in old if each.is_git or each.store != place]
    if [each.line() for each in (*kept, *new)] != [each.line() for each in old]:
        _save(home, [*kept, *new])


def keep_place(home: str, known: Known) -> None:
    """Keep in mind what one repository was found to be; raises OSError."""
    others = [each for each in read_places(home) if (each.store, each.key) != (known.store, known.key)]
    _save(home, [*others, known])


def renew_places(store: str, environ: Mapping[str, str]) -> None:
    """Let the folders that were found to be a project know its other ids, which a sync brought.

    Where that cannot be kept the next refresh does it.
    """
    try:
        home = gitmem_home(environ)
        ids = {id: each.ids for each in projects_of(store) if each.aliases for id in each.ids}
        place, old = place_of(store), read_places(home) if ids else []
        new = [_renewed(each, ids) if each.store == place else each for each in old]
        if [each.parts for each in new] != [each.parts for each in old]:
            _save(home, new)
    except (GitmemError, OSError):
        return


def _renewed(known: Known, ids: Mapping[str, Sequence[str]]) -> Known:
    parts = dict(known.parts)
    for id, part in known.parts.items():
        parts |= dict.fromkeys(ids.get(id, ()), part)
    return Known(known.store, known.key, known.is_git, known.mark, parts)


def _save(home: str, places: Sequence[Known]) -> None:
    os.makedirs(home, mode=0o700, exist_ok=True)
    path = known_places(home)
    new = f"{path}.{os.getpid():x}"
    with open(new, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.writelines(each.line() + "\n" for each in places[-MAX_PLACES:])
    os.replace(new, path)
