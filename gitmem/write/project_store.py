"""A store of a project's own: an orphan branch ``gitmem`` of its repository, checked out beside the project's files.

Written as git itself lays out a linked worktree, so git sees it as one; no program is run, and no tracked file of the
project changes.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

from gitmem.errors import Exists, GitmemError, Refused
from gitmem.history.refs import read_ref
from gitmem.history.remote_config import set_upstream
from gitmem.history.repo import open_repo
from gitmem.history.tree import tree_blob
from gitmem.store.paths import CONFIG_FILE, PROJECT_STORE, git_in, typed
from gitmem.store.scope import Place, project_store
from gitmem.write.adopt import begin
from gitmem.write.arrive import arrive
from gitmem.write.project_branch import BRANCH, exclude, shared_branch
from gitmem.write.unwritable import unwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.store.gitdir import GitDir
    from gitmem.write.project_branch import Shared


def make_branch_store(place: Place) -> str:
    """Lay out the worktree of a new branch for the project at ``place``; its path, ready for ``init``.

    raises: Refused without a repository, Exists when there is a store or a branch of that name, StoreUnwritable
    """
    git = _repository(place)
    top, store = _where(place, git)
    if shared_branch(place) is not None:
        raise Exists(
            f"{top} has a branch {BRANCH} already; check it out, look at it, then trust it",
            hint=f"{git_in(top, f'worktree add {PROJECT_STORE} {BRANCH}')} && gitmem trust {typed(store)}",
        )
    _lay_out(git, top, store)
    begin(Path(store))
    return store


def set_up_branch(place: Place, shared: Shared, *, when: int, environ: Mapping[str, str]) -> str:
    """Check out a remote's branch as the project's own store; its path.  It is not trusted by that.

    raises: Refused for a branch that is no store, Exists, BadName for a file that leads out of it, StoreUnwritable
    """
    git = _repository(place)
    top, store = _where(place, git)
    with open_repo(place.top) as repo:
        if tree_blob(repo, shared.commit, CONFIG_FILE) is None:
            raise Refused(
                f"{shared.label} is no store of memories: it has no {CONFIG_FILE}; nothing was made",
                hint=git_in(top, f"log {shared.label}") + f"   (a store without a branch: gitmem init {typed(store)})",
            )
    admin = _lay_out(git, top, store)
    try:
        arrive(store, shared.commit, shared.label, when, environ, lambda view, target: [])  # noqa: ARG005
        set_upstream(git, BRANCH, shared.remote, f"refs/heads/{BRANCH}")
    except GitmemError:
        if not read_ref(git, f"refs/heads/{BRANCH}"):
            _take_back(admin, store)
        raise
    return store


def _repository(place: Place) -> GitDir:
    """raises: Refused where there is none, Exists where the project has a store"""
    if place.git is None:
        raise Refused(
            f"{place.top} is no git repository, so it can have no branch",
            hint=f"gitmem init {typed(os.path.join(place.top, PROJECT_STORE))}",
        )
    own = project_store(place)
    if own:
        raise Exists(f"the project has a store of its own already, at {own}", hint=f"gitmem trust {typed(own)}")
    return place.git


def _where(place: Place, git: GitDir) -> tuple[str, str]:
    """The main working tree of the project, and its own store in it."""
    main, name = os.path.split(git.common)
    top = main if name == ".git" else place.top
    return top, os.path.join(top, PROJECT_STORE)


def _lay_out(git: GitDir, top: str, store: str) -> str:
    """The worktree of a branch that is not born yet, kept out of the project's status; its folder in the git folder.

    raises: Exists, StoreUnwritable
    """
    admin = os.path.join(git.common, "worktrees", BRANCH)
    if os.path.lexists(store):
        raise Exists(f"{store} is there already, and is no store", hint=f"gitmem init {typed(store)}")
    if os.path.lexists(admin):
        raise Exists(f"git remembers a worktree {BRANCH} that is gone", hint=git_in(top, "worktree prune"))
    try:
        exclude(git)
        os.makedirs(admin)
        os.mkdir(store)
        _write(os.path.join(admin, "HEAD"), f"ref: refs/heads/{BRANCH}\n")
        _write(os.path.join(admin, "commondir"), "../..\n")
        _write(os.path.join(admin, "gitdir"), os.path.join(store, ".git").replace(os.sep, "/") + "\n")
        _write(os.path.join(store, ".git"), f"gitdir: {admin.replace(os.sep, '/')}\n")
    except OSError as error:
        raise unwritable(error, store) from error
    return admin


def _take_back(admin: str, store: str) -> None:
    """Remove a worktree that was laid out a moment ago and got no file."""
    with suppress(OSError):
        os.unlink(os.path.join(store, ".git"))
        os.rmdir(store)
    shutil.rmtree(admin, ignore_errors=True)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write(text)
