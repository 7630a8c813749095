"""Bring refs and objects from a remote, and take ours there: by git's own program where there is one, else in Python.

Whatever carries them: nothing that a store's configuration names is run, a push never goes back behind what the remote
has, and what became of each ref is looked at: no program's word that "the push succeeded" is taken.
"""

from __future__ import annotations

import os

from gitmem.dataclass import dataclass
from gitmem.errors import GitmemError, Refused
from gitmem.history.bases import is_ancestor
from gitmem.history.remote import check_url, kind_of
from gitmem.history.remote_config import SHARED
from gitmem.store.paths import MACHINE_BRANCHES, OWN_REFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from gitmem.history.remote import Remote
    from gitmem.history.repo import Repo
else:
    Protocol = object  # typing is 7 ms of a cold sync

OWN_PREFIXES = tuple(f"{OWN_REFS}{kind}/" for kind in SHARED)
FETCHED = (*OWN_PREFIXES, MACHINE_BRANCHES)

DONE, MOVED, DECLINED = "done", "moved", "declined"
ONLY_GIT = "which only git's own program does, and there is none here"  # why a push was declined on this machine


class Unreachable(GitmemError):
    """The remote did not answer: no network, or a server that is down.  What is here is as it was."""

    code = "unreachable"


class RemoteRefused(Refused):
    """The remote answered, and does not let us do what was asked.

    kind: auth, gone, full, dubious, program, protocol or other
    """

    code = "remote"

    def __init__(self, message: str, *, hint: str = "", kind: str = "other") -> None:
        super().__init__(message, hint=hint)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Seen:
    """What a remote has: of its refs those asked for, and the branch its HEAD names ("" when unknown)."""

    refs: Mapping[str, str]
    head: str = ""


@dataclass(frozen=True, slots=True)
class Push:
    """One ref of a remote that is to be made, moved forward or deleted.

    old: the id the remote is known to have, "" when it has none; another one there makes the push fail
    new: the id it gets, "" to delete it
    """

    ref: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one ref: done, moved (somebody was quicker) or declined, and in whose words."""

    state: str
    said: str = ""


class Transport(Protocol):
    """A way to one remote."""

    def look(self) -> Seen:
        """Every ref of the remote and its HEAD, without objects.  Raises Unreachable, RemoteRefused."""

    def fetch(self, branch: str) -> Seen:
        """Bring ``branch`` and gitmem's own refs with all their objects.

        The refs given are those whose objects are here now; without a branch of that name the others are brought.
        raises: Unreachable, RemoteRefused
        """

    def push(self, pushes: Sequence[Push]) -> dict[str, Result]:
        """Take refs there; what became of each.  Raises Unreachable, RemoteRefused when nothing could be tried."""


def open_transport(repo: Repo, remote: Remote, environ: Mapping[str, str], *, asks: bool) -> Transport:
    """The way to ``remote``; nothing is contacted yet.

    asks:   whether a person is there to type a password
    raises: Refused for a URL that is no place
    """
    check_url(remote.url)
    check_url(remote.push_url)
    if has_git(environ):
        from gitmem.history.transport_git import GitTransport

        return GitTransport(repo, remote, environ, asks=asks)
    if kind_of(remote.url) == "path":
        from gitmem.history.transport_path import PathTransport

        return PathTransport(repo, remote)
    from gitmem.history.transport_dulwich import DulwichTransport

    return DulwichTransport(repo, remote, environ, asks=asks)


def has_git(environ: Mapping[str, str]) -> bool:
    """Whether a git program is on the person's PATH."""
    if os.name == "posix":
        folders = environ.get("PATH", os.defpath).split(os.pathsep)
        places = [os.path.join(folder, "git") for folder in folders if folder]
        return any(os.access(place, os.X_OK) and not os.path.isdir(place) for place in places)
    import shutil  # 5 ms; it knows the endings of Windows' programs

    return shutil.which("git", path=environ.get("PATH")) is not None


def check_forward(repo: Repo, pushes: Sequence[Push]) -> None:
    """Raise ValueError for a push that would take a ref back: our own mistake, whatever the remote would say."""
    for push in pushes:
        if push.old and push.new and not is_ancestor(repo, push.old, push.new):
            raise ValueError(f"{push.ref} would not move forward from {push.old} to {push.new}")


# A ref the server itself would not change: somebody was quicker in the moment between look and change.
RACES = (
    "failed to update ref", "cannot lock ref", "incorrect old value", "failed to lock", "reference already exists",
    "unable to lock", "stale info", "fetch first", "non-fast-forward", "is at ", "but expected", "atomic push failed",
    "remote ref does not match", "old value",
)  # fmt: skip


def judged(said: str) -> Result:
    """A refusal of one ref: whether somebody was quicker, or the remote does not want it."""
    low = said.lower()
    return Result(MOVED if any(mark in low for mark in RACES) else DECLINED, said)
