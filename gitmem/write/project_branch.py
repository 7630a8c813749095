"""The branch that holds a project's own store: whether one is not set up here yet, and how its folder is left out.

Apart from what makes it (project_store.py), since every memory of a project asks.
"""

from __future__ import annotations

import os

from gitmem.history.config import read_config
from gitmem.history.refs import read_ref
from gitmem.store.paths import PROJECT_STORE, typed
from gitmem.store.scope import project_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.store.gitdir import GitDir
    from gitmem.store.scope import Place

BRANCH = "gitmem"
FIRST = "origin"  # the remote that is asked before the others


class Shared:
    """A branch ``gitmem`` that the project has and that is not checked out here.

    remote: that has it, "" where it is a branch of this repository; commit: its newest
    """

    __slots__ = ("commit", "remote")

    def __init__(self, remote: str, commit: str) -> None:
        self.remote, self.commit = remote, commit

    @property
    def label(self) -> str:
        return f"{self.remote}/{BRANCH}" if self.remote else BRANCH


def shared_branch(place: Place) -> Shared | None:
    """The store that somebody made on a branch of the project and that nobody set up in this clone; None for none.

    A remote's as it was last fetched, origin's first.
    """
    git = place.git
    if git is None or project_store(place):
        return None
    if here := read_ref(git, f"refs/heads/{BRANCH}"):
        return Shared("", here)
    config = read_config(os.path.join(git.common, "config"))
    names = [key[7:-4] for key in config if key.startswith("remote.") and key.endswith(".url")]
    for remote in sorted(names, key=lambda name: (name != FIRST, name)):
        if commit := read_ref(git, f"refs/remotes/{remote}/{BRANCH}"):
            return Shared(remote, commit)
    return None


def not_set_up(shared: Shared, folder: str) -> str:
    """That the project has a store which is not here yet, and the command that sets it up."""
    command = f"gitmem project adopt {typed(folder)} --branch"
    return f"the branch {shared.label} holds a store of this project that is not set up here; set it up: {command}"


def exclude(git: GitDir) -> None:
    """Keep the project's own repository from taking the store for files of its own, on this machine."""
    path, line = os.path.join(git.common, "info", "exclude"), f"/{PROJECT_STORE}/"
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    except FileNotFoundError:
        text = ""
    if line in text.splitlines():
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "a", encoding="utf-8", newline="\n") as file:
        file.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n")
