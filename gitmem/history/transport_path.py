"""Fetch from and push to a repository in a folder where there is no git program (B11).

Objects are copied, refs are moved under git's own locks.  A hub that has hooks of its own is not pushed to: they would
have to be asked, and that is git's work.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress

from gitmem.errors import GitmemError
from gitmem.history.config import is_true, read_config
from gitmem.history.ownrefs import RefLocks, RefMove, own_refs
from gitmem.history.refs import read_ref
from gitmem.history.remote import Remote, path_of
from gitmem.history.repo import Repo
from gitmem.history.transport import (
    DECLINED,
    DONE,
    FETCHED,
    MOVED,
    ONLY_GIT,
    Push,
    Result,
    Seen,
    check_forward,
)
from gitmem.history.transport_objects import missing_objects
from gitmem.history.transport_said import failure
from gitmem.history.view import Moved
from gitmem.store.gitdir import GitDir, head
from gitmem.store.paths import join

ASKED = ("pre-receive", "update", "reference-transaction", "proc-receive")  # hooks that may say no


class PathTransport:
    """One remote in a folder of this machine."""

    def __init__(self, repo: Repo, remote: Remote) -> None:
        self.repo, self.remote = repo, remote

    def look(self) -> Seen:
        with self._hub(self.remote.url) as hub:
            return Seen(own_refs(hub.git, "refs/"), _head(hub))

    def fetch(self, branch: str) -> Seen:
        with self._hub(self.remote.url) as hub:
            refs = {ref: name for prefix in FETCHED for ref, name in own_refs(hub.git, prefix).items()}
            if name := read_ref(hub.git, f"refs/heads/{branch}"):
                refs[f"refs/heads/{branch}"] = name
            _copy(hub, self.repo, refs.values())
            return Seen(refs)

    def push(self, pushes: Sequence[Push]) -> dict[str, Result]:
        check_forward(self.repo, pushes)
        with self._hub(self.remote.push_url) as hub:
            said = _unfit(hub, pushes)
            if said:
                return {push.ref: Result(DECLINED, said) for push in pushes}
            try:
                _copy(self.repo, hub, [push.new for push in pushes if push.new])
                return {push.ref: _move(hub, push) for push in pushes}
            except OSError as error:
                raise failure(self.remote.push_url, f"fatal: {error.strerror}", has_git=False) from error

    def _hub(self, url: str) -> Repo:
        folder = join(self.repo.root, path_of(url)) if not os.path.isabs(path_of(url)) else path_of(url)
        for place in (folder, os.path.join(folder, ".git"), folder + ".git"):
            if os.path.isfile(os.path.join(place, "HEAD")) and os.path.isdir(os.path.join(place, "objects")):
                return Repo(place, GitDir(place, place), read_config(os.path.join(place, "config")))
        raise failure(url, f"fatal: '{folder}' does not appear to be a git repository", has_git=False)


def _head(hub: Repo) -> str:
    try:
        return head(hub.git)[0]
    except GitmemError:
        return ""


def _copy(source: Repo, target: Repo, wanted: Iterable[str]) -> None:
    """Bring the commits ``wanted`` and all they hold into ``target``."""
    known = list(own_refs(target.git, "refs/").values())
    for _, kind, data in missing_objects(source, wanted, known):
        target.objects.add(kind, data)
    target.objects.flush()
    target.objects.forget()


def _unfit(hub: Repo, pushes: Sequence[Push]) -> str:
    """Why a push must be left to git's own program, "" when it need not."""
    for name in ASKED:
        if os.access(os.path.join(hub.git.common, "hooks", name), os.X_OK):
            return f"its {name} hook has to be asked first, {ONLY_GIT}"
    if not is_true(hub.config, "core.bare", False) and any(push.ref == _head(hub) for push in pushes):
        return "its branch is checked out there; a hub is a bare repository"
    return ""


def _move(hub: Repo, push: Push) -> Result:
    folder = os.path.join(hub.git.common, f"gitmem-{os.getpid():x}")
    os.makedirs(folder, exist_ok=True)
    try:
        if read_ref(hub.git, push.ref) == push.new:
            return Result(DONE)
        locks = RefLocks(hub.git, [RefMove(push.ref, push.old, push.new)], folder)
        try:
            locks.take()
            locks.make()
            locks.drop()
        finally:
            locks.let_go()
            locks.clean()
    except Moved:
        return Result(MOVED, "somebody else moved it")
    except GitmemError as error:
        return Result(DECLINED, error.message)
    finally:
        with suppress(OSError):
            os.rmdir(folder)
    return Result(DONE)
