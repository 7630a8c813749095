"""Where the user's store is, the team's, and whether a folder has anything to do with projects.

Hot: the cheap set only.
"""

from __future__ import annotations

import os

from gitmem.errors import NoStore
from gitmem.store.paths import PROJECT_STORE, PROJECTS, TEAM_STORE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def find_store(option: str | None, environ: Mapping[str, str]) -> str:
    """The absolute path of the store; it need not exist.

    option:  what ``--store`` named, None when it was not given
    environ: ``GITMEM_STORE``, then ``GITMEM_HOME`` (the store is its ``memory`` folder), then the home
             folder's ``.gitmem/memory``; a blank value counts as absent
    raises:  NoStore when nothing is named and there is no home folder
    """
    for named in (option, environ.get("GITMEM_STORE")):
        if named and named.strip():
            return os.path.abspath(_expanded(named, environ))
    return os.path.join(gitmem_home(environ), "memory")


def gitmem_home(environ: Mapping[str, str]) -> str:
    """gitmem's own folder on this machine: ``GITMEM_HOME``, else the home folder's ``.gitmem``; raises NoStore."""
    named = environ.get("GITMEM_HOME", "")
    if named.strip():
        return os.path.abspath(_expanded(named, environ))
    return os.path.abspath(os.path.join(home_folder(environ), ".gitmem"))


def team_store(environ: Mapping[str, str]) -> str:
    """The path of the team's store, which need not exist: ``GITMEM_TEAM``, else ``team`` beside the user's store.

    returns: "" when nothing is named and there is no home folder
    """
    named = environ.get("GITMEM_TEAM", "")
    try:
        if named.strip():
            return os.path.abspath(_expanded(named, environ))
        return os.path.join(gitmem_home(environ), TEAM_STORE)
    except NoStore:
        return ""


def has_scopes(root: str, folder: str, environ: Mapping[str, str]) -> bool:
    """Whether a prompt in ``folder`` may concern more, or less, than the whole store at ``root``: a few stats.

    folder: absolute; looked through up to the top of its repository
    """
    if os.path.isdir(f"{root}/{PROJECTS}") or os.path.isdir(team_store(environ)):
        return True
    while not os.path.exists(f"{folder}/{PROJECT_STORE}/.git"):
        git = f"{folder}/.git"
        if os.path.exists(git):
            return os.path.isfile(git)  # of a linked worktree the main one may hold the store
        above = os.path.dirname(folder)
        if above == folder:
            return False
        folder = above
    return True


def _expanded(path: str, environ: Mapping[str, str]) -> str:
    """``path`` with a leading ``~`` read as the home folder: no shell does it in ``--store=~/x`` or a settings file."""
    if path == "~" or path.startswith(("~/", "~" + os.sep)):
        return home_folder(environ) + path[1:]
    return os.path.expanduser(path) if path.startswith("~") else path


def home_folder(environ: Mapping[str, str]) -> str:
    """The person's home: the environment's, else the one the system's list of users tells.

    raises: NoStore when there is none
    """
    name = "USERPROFILE" if os.name == "nt" else "HOME"
    home = environ.get(name, "")
    if not home.strip():
        home = os.path.expanduser("~")
        home = "" if home in ("~", os.sep) else home  # of an empty HOME Python makes the root of the disk
    if not home:
        raise NoStore(f"no home folder is known ({name} is not set); name the store", hint="gitmem --store PATH status")
    return home
