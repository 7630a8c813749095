"""A store of a project's own: an orphan branch ``gitmem`` of its repository, checked out beside the project's files.

Written as git itself lays out a linked worktree, so git sees it as one; no program is run, and no tracked file of the
project changes.
"""

from __future__ import annotations

import os
from pathlib import Path

from gitmem.errors import Exists, Refused
from gitmem.history.refs import packed_refs, read_ref
from gitmem.store.gitdir import GitDir
from gitmem.store.paths import PROJECT_STORE, git_in, typed
from gitmem.store.scope import Place, project_store
from gitmem.write.adopt import begin
from gitmem.write.apply import unwritable

BRANCH = "gitmem"


def make_branch_store(place: Place) -> str:
    """Lay out the worktree of a new branch for the project at ``place``; its path, ready for ``init``.

    raises: Refused without a repository, Exists when there is a store or a branch of that name, StoreUnwritable
    """
    git = place.git
    if git is None:
        raise Refused(
            f"{place.top} is no git repository, so it can have no branch",
            hint=f"gitmem init {typed(os.path.join(place.top, PROJECT_STORE))}",
        )
    own = project_store(place)
    if own:
        raise Exists(f"the project has a store of its own already, at {own}", hint=f"gitmem trust {typed(own)}")
    main, name = os.path.split(git.common)
    top = main if name == ".git" else place.top
    store, admin = os.path.join(top, PROJECT_STORE), os.path.join(git.common, "worktrees", BRANCH)
    if _is_branch(git):
        raise Exists(
            f"{top} has a branch {BRANCH} already; check it out, look at it, then trust it",
            hint=f"{git_in(top, f'worktree add {PROJECT_STORE} {BRANCH}')} && gitmem trust {typed(store)}",
        )
    if os.path.lexists(store):
        raise Exists(f"{store} is there already, and is no store", hint=f"gitmem init {typed(store)}")
    if os.path.lexists(admin):
        raise Exists(f"git remembers a worktree {BRANCH} that is gone", hint=git_in(top, "worktree prune"))
    try:
        os.makedirs(admin)
        os.mkdir(store)
        _write(os.path.join(admin, "HEAD"), f"ref: refs/heads/{BRANCH}\n")
        _write(os.path.join(admin, "commondir"), "../..\n")
        _write(os.path.join(admin, "gitdir"), os.path.join(store, ".git").replace(os.sep, "/") + "\n")
        _write(os.path.join(store, ".git"), f"gitdir: {admin.replace(os.sep, '/')}\n")
        begin(Path(store))
        exclude(git)
    except OSError as error:
        raise unwritable(error, store) from error
    return store


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


def _is_branch(git: GitDir) -> bool:
    """Whether the branch is there, or a remote has it."""
    if read_ref(git, f"refs/heads/{BRANCH}"):
        return True
    remotes = os.path.join(git.common, "refs", "remotes")
    loose = os.listdir(remotes) if os.path.isdir(remotes) else []
    packed = [ref for ref in packed_refs(git) if ref.startswith("refs/remotes/") and ref.endswith(f"/{BRANCH}")]
    return bool(packed) or any(read_ref(git, f"refs/remotes/{name}/{BRANCH}") for name in loose)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write(text)
