"""Which stores a folder's prompts ask: the project's own, the user's, the team's; and which project the folder is.

Read as text, so that the hook can ask it; which project a folder is was worked out before, by
``gitmem refresh`` or a command, and is looked up here.
Hot: the cheap set only.
"""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.store.gitdir import GitDir, find_git_dir
from gitmem.store.paths import PROJECT_FILE, PROJECT_STORE, PROJECTS
from gitmem.store.place import gitmem_home, team_store
from gitmem.store.project import known_projects
from gitmem.store.trust import is_trusted, place_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

USER, PROJECT, TEAM = "user", "project", "team"


class Source:
    """One store that is asked.

    label:    user, project or team
    projects: ids whose memories in this store count; None: those of every project
    """

    __slots__ = ("label", "projects", "root")

    def __init__(self, root: str, label: str, projects: Sequence[str] | None = ()) -> None:
        self.root, self.label, self.projects = root, label, projects

    def __repr__(self) -> str:
        return f"Source({self.root!r}, {self.label!r}, {self.projects!r})"


class Scopes:
    """What a folder's prompts may be given.

    sources:   the stores that are asked, the nearest first
    projects:  ids of the projects the folder lies in, the innermost first
    is_known:  False when nobody worked out yet which project the folder is
    untrusted: path of the project's own store when it is there and not trusted, "" otherwise
    """

    __slots__ = ("is_known", "projects", "sources", "untrusted")

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.projects: tuple[str, ...] = ()
        self.is_known, self.untrusted = True, ""


class Place:
    """Where a folder stands.

    top:   root of its repository's working tree; without a repository the folder itself
    part:  the folder below ``top``, posix, "" for ``top`` itself
    git:   the repository, None when there is none
    """

    __slots__ = ("git", "part", "top")

    def __init__(self, top: str, part: str, git: GitDir | None) -> None:
        self.top, self.part, self.git = top, part, git


def scopes_of(root: str, folder: str, environ: Mapping[str, str]) -> Scopes:
    """What prompts in ``folder`` may be given, besides what stands in the user's store at ``root``.

    raises: NoStore when there is no home folder
    """
    found, home, here = Scopes(), gitmem_home(environ), find_place(folder)
    if os.path.isdir(os.path.join(root, PROJECTS)):
        ids = known_projects(home, root, here.top, here.git, here.part)
        found.projects, found.is_known = ids or (), ids is not None
    own = project_store(here)
    own_git = git_of(own) if own else None
    if own_git is not None and place_of(own) != place_of(root):
        if is_trusted(own, own_git, home):
            found.sources.append(Source(own, PROJECT))
        else:
            found.untrusted = own
    found.sources.append(Source(root, USER, found.projects))
    team = team_store(environ)
    if team and git_of(team) is not None and place_of(team) != place_of(root):
        found.sources.append(Source(team, TEAM, found.projects))
    return found


def find_place(folder: str) -> Place:
    """Where ``folder`` stands; a damaged repository counts as none."""
    folder = os.path.realpath(folder)
    top = folder
    while not os.path.lexists(os.path.join(top, ".git")) or git_of(top) is None:
        above = os.path.dirname(top)
        if above == top:
            return Place(_own_top(folder), "", None)
        top = above
    part = folder[len(top) :].strip(os.sep).replace(os.sep, "/")
    return Place(top, part, git_of(top))


def project_store(place: Place) -> str:
    """The path of a project's own store, "" when it has none; of a linked worktree also the main one's.

    A link is none: it could lead to a store of another project.
    """
    tops = [place.top]
    if place.git is not None and place.git.common != place.git.path:
        main, name = os.path.split(place.git.common)
        tops += [main] if name == ".git" else []
    for top in tops:
        store = os.path.join(top, PROJECT_STORE)
        if os.path.lexists(os.path.join(store, ".git")) and not os.path.islink(store):
            return store
    return ""


def git_of(root: str) -> GitDir | None:
    """The repository at ``root``, None when there is none that can be read."""
    try:
        return find_git_dir(root)
    except GitmemError:
        return None


def _own_top(folder: str) -> str:
    """Without a repository: the nearest folder above that holds a project's own store, else ``folder``."""
    top = folder
    while not os.path.lexists(os.path.join(top, PROJECT_STORE, ".git")):
        above = os.path.dirname(top)
        if above == top:
            return folder
        top = above
    return top


def recorded_projects(root: str) -> list[str]:
    """The ids of the projects that the store at ``root`` keeps memories of, sorted."""
    try:
        names = os.listdir(os.path.join(root, PROJECTS))
    except OSError:
        return []
    return sorted(name for name in names if is_recorded(root, name))


def is_recorded(root: str, name: str) -> bool:
    """Whether ``projects/<name>`` is a project of gitmem's, not a folder that a person calls so."""
    return os.path.lexists(os.path.join(root, PROJECTS, name, PROJECT_FILE))
