"""Which project a folder is, and a project's record in the store.

A repository is known by its root commit, then by its remotes, then by where it stood when it was last looked at: so it
stays the same project when it is renamed, moved, cloned anew, given another remote, or looked at through a
linked worktree.  Nothing of the repository is run; its settings and commits are read as data.
"""

from __future__ import annotations

import hashlib
import os

from gitmem.errors import GitmemError, NotFound, Refused
from gitmem.history.commit import FileChange
from gitmem.history.config import read_config
from gitmem.history.repo import open_repo
from gitmem.history.roots import holds_commit, root_commit
from gitmem.memory.clean import one_line
from gitmem.memory.name import slug
from gitmem.store.paths import PROJECTS, typed
from gitmem.store.project import (
    Known,
    Project,
    innermost_first,
    merged_values,
    normal_remote,
    place_mark,
    read_places,
    record_path,
    stands_in,
)
from gitmem.store.scope import Place, find_place
from gitmem.store.trust import place_of
from gitmem.write.apply import apply
from gitmem.write.change import Change
from gitmem.write.project_places import keep_folders, keep_place
from gitmem.write.project_twins import projects_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.write.change import Actor, Reader

NAME_CHARS = 60  # of a project's name


class Identity:
    """What a folder is recognised by.

    place:   its repository, and where the folder stands in it
    roots:   id of the root commit, [] when there is none or it cannot be known
    remotes: addresses of the repository's remotes, as ``normal_remote`` gives them
    """

    __slots__ = ("place", "remotes", "roots")

    def __init__(self, place: Place, roots: list[str], remotes: list[str]) -> None:
        self.place, self.roots, self.remotes = place, roots, remotes


class Adopted:
    """A project as it now stands.

    commit: of its record, "" when that had nothing new
    is_new: the project got its id just now
    """

    __slots__ = ("commit", "is_new", "project")

    def __init__(self, project: Project, commit: str, is_new: bool) -> None:
        self.project, self.commit, self.is_new = project, commit, is_new


def identify(folder: str, known_roots: Iterable[str] = ()) -> Identity:
    """What ``folder`` is recognised by.

    known_roots: root commits that are worth a look before the whole history is walked
    """
    place = find_place(folder)
    if place.git is None:
        return Identity(place, [], [])
    config = read_config(os.path.join(place.git.common, "config"))
    urls = [
        url for key, values in config.items() if key.startswith("remote.") and key.endswith(".url") for url in values
    ]
    remotes = [each for each in dict.fromkeys(map(normal_remote, urls)) if each]
    try:
        with open_repo(place.top) as repo:
            root = next((each for each in known_roots if holds_commit(repo, each)), "") or root_commit(repo)
    except (GitmemError, OSError):  # another format: the remotes must do
        root = ""
    return Identity(place, [root] if root else [], remotes)


def find_projects(store: str, identity: Identity, home: str) -> list[Project]:
    """The projects that a folder belongs to, the innermost part first; [] when it is none that is known.

    home: gitmem's own folder on this machine
    """
    every = projects_of(store)
    for fits in (
        [each for each in every if set(each.roots) & set(identity.roots)],
        [each for each in every if set(each.remotes) & set(identity.remotes)],
        _stood_there(store, every, identity.place, home),
    ):
        if fits:
            return [each for each in _innermost(fits) if stands_in(each.part, identity.place.part)]
    return []


def note_place(store: str, folder: str, home: str) -> list[Project]:
    """Find out which project ``folder`` is and keep it in mind for the hook; raises OSError when it cannot be kept."""
    place = find_place(folder)
    every = projects_of(store)
    if not every or place.git is None:
        keep_folders(store, every, home)
        return find_projects(store, Identity(place, [], []), home)
    mark = place_mark(store, place.git)
    identity = identify(folder, [root for each in every for root in each.roots])
    whole = Identity(Place(place.top, "", place.git), identity.roots, identity.remotes)
    parts: dict[str, str] = {}
    for fits in (
        [each for each in every if set(each.roots) & set(whole.roots)],
        [each for each in every if set(each.remotes) & set(whole.remotes)],
        _stood_there(store, every, place, home),
    ):
        if fits:
            parts = {id: each.part for each in fits for id in each.ids}
            break
    keep_place(home, Known(place_of(store), place_of(place.git.common), True, mark, parts))
    keep_folders(store, every, home)
    return [each for each in _innermost(each for each in every if each.id in parts) if stands_in(each.part, place.part)]


def adopt_project(
    store: str,
    folder: str,
    *,
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    home: str,
    id: str = "",
    is_part: bool = False,
) -> Adopted:
    """Give the project in ``folder`` an id in the store, or add to its record what is new about it.

    id:      the project that this folder is, though nothing tells so
    is_part: ``folder`` is a part of its repository with memories of its own
    raises:  NotFound for an unknown ``id``, Refused, and what a write raises
    """
    every = projects_of(store)
    identity = identify(folder, [root for each in every for root in each.roots])
    part = identity.place.part if is_part else ""
    _check_narrow(identity.place, environ)
    if is_part and not part:
        raise Refused(
            f"{identity.place.top} is the whole of its repository, not a part of it",
            hint=f"gitmem project adopt {typed(identity.place.top)}",
        )
    if id:
        project = next((each for each in every if id in each.ids), None)
        if project is None:
            known = ", ".join(each.id for each in every) or "none"
            raise NotFound(
                f"there is no project '{one_line(id, NAME_CHARS)}'; known: {known}", hint="gitmem project show"
            )
    else:
        found = [each for each in find_projects(store, identity, home) if each.part == part]
        project = found[0] if found else None
    is_new = project is None
    if project is None:
        project = _new_project(identity, part, {id for each in every for id in each.ids})
    project.roots = merged_values(project.roots, identity.roots)
    project.remotes = merged_values(project.remotes, identity.remotes)
    if not identity.roots and not identity.remotes:
        project.folders = merged_values(project.folders, [_short(identity.place.top, environ)])
    commit = _write(store, project, is_new, when, actor, environ)
    try:
        note_place(store, folder, home)
    except OSError:  # the refresh tries again
        pass
    return Adopted(project, commit, is_new)


def _check_narrow(place: Place, environ: Mapping[str, str]) -> None:
    """raises: Refused for a folder without a repository that would make one project of all a person has"""
    homes = [place_of(environ[key]) for key in ("HOME", "USERPROFILE") if environ.get(key)]
    top = place_of(place.top)
    if place.git is None and (os.path.dirname(top) == top or top in homes):
        raise Refused(
            f"{place.top} is no project: every folder below it would belong to it; nothing was written",
            hint="cd to the project's own folder first (for what counts everywhere: gitmem remember TEXT)",
        )


def moved_projects(store: str, folder: str) -> list[Project]:
    """Projects without a repository whose folder is gone: ``folder``, which has none, may be one of them, moved."""
    if find_place(folder).git is not None:
        return []
    return [
        each
        for each in projects_of(store)
        if each.folders
        and not each.roots
        and not each.remotes
        and not any(os.path.isdir(os.path.expanduser(one)) for one in each.folders)
    ]


def _write(store: str, project: Project, is_new: bool, when: int, actor: Actor, environ: Mapping[str, str]) -> str:
    path, data = record_path(project.id), project.text().encode()

    def make(_: Reader) -> list[FileChange]:
        return [FileChange(path, data)]

    reason = "a project gets its id" if is_new else "what the project is recognised by"
    return apply(store, Change("project", project.id, reason, actor, make), when, environ).commit


def _new_project(identity: Identity, part: str, taken: set[str]) -> Project:
    """A project with an id of its own: its name and eight digits of what it is known by.

    Two machines that adopt the same repository before they meet come to the same id.
    """
    top = identity.place.top
    name = part.rpartition("/")[2] or os.path.basename(top) or "project"
    known_by = "\0".join([*(identity.roots or identity.remotes or [os.urandom(16).hex()]), part])
    short = slug(name)[:NAME_CHARS].strip("-") or "project"
    id = f"{short}-{hashlib.sha256(known_by.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    while id in taken:
        id = f"{short}-{os.urandom(4).hex()}"
    return Project(id, one_line(name, NAME_CHARS), part)


def _stood_there(store: str, every: list[Project], place: Place, home: str) -> list[Project]:
    """The projects that were found in this place before; without a repository, those whose folder it lies in."""
    if place.git is not None:
        key = place_of(place.git.common)
        known = [each for each in read_places(home) if each.is_git and (each.store, each.key) == (place_of(store), key)]
        ids = set(known[-1].parts) if known else set()
    else:
        ids = set()
    here = place_of(place.top) + os.sep
    return [
        each
        for each in every
        if ids & set(each.ids)
        or any(here.startswith(place_of(os.path.expanduser(one)).rstrip(os.sep) + os.sep) for one in each.folders)
    ]


def _innermost(projects: Iterable[Project]) -> list[Project]:
    several = {each.id: each for each in projects}
    return [several[id] for id in innermost_first({id: each.part for id, each in several.items()})]


def _short(path: str, environ: Mapping[str, str]) -> str:
    """``path`` with the home folder as ``~``: it may be the same on the person's other machine."""
    home = environ.get("HOME", "").rstrip(os.sep)
    real = os.path.realpath(home) if home else ""
    return "~" + path[len(real) :] if real and path.startswith(real + os.sep) else path


def folder_of(project: Project) -> str:
    """Where the store keeps the memories of ``project``."""
    return f"{PROJECTS}/{project.id}"
