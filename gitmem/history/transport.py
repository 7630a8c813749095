"""Bring refs and objects from a remote, and take ours there: by git's own program where there is one, else in Python.

Whatever carries them: nothing that a store's configuration names is run, a push never goes back behind what the remote
has, and what became of each ref is looked at: no program's word that "the push succeeded" is taken.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

from gitmem.errors import GitmemError, Refused
from gitmem.history.bases import is_ancestor
from gitmem.history.remote import Remote, check_url, kind_of, path_of, shown_url
from gitmem.history.remote_config import SHARED
from gitmem.history.repo import Repo
from gitmem.store.paths import MACHINE_BRANCHES, OWN_REFS, typed

OWN_PREFIXES = tuple(f"{OWN_REFS}{kind}/" for kind in SHARED)
FETCHED = (*OWN_PREFIXES, MACHINE_BRANCHES)

DONE, MOVED, DECLINED = "done", "moved", "declined"


class Unreachable(GitmemError):
    """The remote did not answer: no network, or a server that is down.  What is here is as it was."""

    code = "unreachable"


class RemoteRefused(Refused):
    """The remote answered, and does not let us do what was asked.

    kind: auth, gone, full, dubious, protocol or other
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
    if shutil.which("git", path=environ.get("PATH")):
        from gitmem.history.transport_git import GitTransport

        return GitTransport(repo, remote, environ, asks=asks)
    if kind_of(remote.url) == "path":
        from gitmem.history.transport_path import PathTransport

        return PathTransport(repo, remote)
    from gitmem.history.transport_dulwich import DulwichTransport

    return DulwichTransport(repo, remote, environ)


def check_forward(repo: Repo, pushes: Sequence[Push]) -> None:
    """Raise ValueError for a push that would take a ref back: our own mistake, whatever the remote would say."""
    for push in pushes:
        if push.old and push.new and not is_ancestor(repo, push.old, push.new):
            raise ValueError(f"{push.ref} would not move forward from {push.old} to {push.new}")


FAILURES = (  # words in what a program says, in lower case; the kind; what it means, what to type
    (("detected dubious ownership", "unsafe repository"), "dubious",
     "{url} belongs to another user, and git does not open it",
     "if you trust it: git config --global --add safe.directory {path}"),
    (("host key verification failed", "no matching host key"), "auth",
     "the host of {url} is not known yet, or its key is another one now", "look at it once: ssh {host}"),
    (("authentication failed", "could not read username", "could not read password", "permission denied (",
      "terminal prompts disabled", "access denied", "error: 401", "error: 403", "invalid username or password",
      "no valid credentials", "logon failed", "too many authentication failures"), "auth",
     "{url} did not let you in", "try git's own: git ls-remote {typed}"),
    (("no space left", "disk quota", "quota exceeded", "disk full", "unpacker error", "unpack failed",
      "insufficient permission for adding an object", "read-only file system"), "full",
     "{url} cannot store what is sent", "make room there, or let yourself write there; then: gitmem sync"),
    (("does not appear to be a git repository", "repository not found", "no such file or directory",
      "project you were looking for could not be found", "error: 404", "does not exist", "not found",
      "not a git repository"), "gone",
     "there is no git repository at {url}",
     "is the place right? gitmem remote list{hub}"),
    (("not allowed", "unable to find remote helper"), "protocol",
     "{url} is no place gitmem syncs with", "gitmem remote list"),
    (("could not resolve host", "could not resolve hostname", "name or service not known", "temporary failure in name",
      "connection refused", "connection timed out", "operation timed out", "timed out", "network is unreachable",
      "no route to host", "failed to connect", "couldn't connect", "could not connect", "connection reset",
      "connection closed", "kex_exchange_identification", "hung up unexpectedly", "early eof", "broken pipe",
      "error: 429", "curl 52", "curl 56", "empty reply from server",
      "error: 500", "error: 502", "error: 503", "error: 504", "unexpected disconnect", "nodename nor servname"),
     "", "{url} cannot be reached", ""),
)  # fmt: skip


def failure(url: str, said: str) -> GitmemError:
    """What a program said when nothing could be done, as a sentence: Unreachable or RemoteRefused."""
    low = said.lower()
    host = urlsplit(url).netloc.rpartition("@")[2] if "://" in url else url.partition(":")[0]
    is_path = kind_of(url) == "path"
    path = typed(path_of(url) if is_path else shown_url(url))
    hub = f"   (to make a hub there, type git init --bare {path})" if is_path else ""
    words = {
        "url": shown_url(url), "path": path, "host": typed(host.partition(":")[0]), "typed": typed(shown_url(url)),
        "hub": hub,
    }  # fmt: skip
    reason = first_reason(said.replace(url, words["url"]))
    for marks, kind, message, hint in FAILURES:
        if any(mark in low for mark in marks):
            text = message.format(**words)
            if reason and not ("does not appear" in reason or "not a git repository" in reason):
                text = f"{text} ({reason})"
            if not kind:
                return Unreachable(text)
            return RemoteRefused(text, hint=hint.format(**words), kind=kind)
    return RemoteRefused(f"{words['url']}: {reason or 'no reason was given'}", hint=f"git ls-remote {words['typed']}")


def first_reason(said: str) -> str:
    """The line that says why, without git's labels."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    marked = [line for line in lines if line.lower().startswith(("fatal:", "error:", "ssh:", "remote:"))] or lines
    for line in marked:
        text = line
        while (label := text.partition(":")[0].lower()) in ("fatal", "error", "remote"):
            text = text[len(label) + 1 :].strip()
        if text.startswith("unable to access '"):
            text = text.partition("': ")[2]
        if text and "could not read from remote repository" not in text.lower():
            return "".join(mark if mark.isprintable() else " " for mark in text)[:200]
    return ""


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
