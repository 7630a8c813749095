"""Files that an operation of git left unmerged: they are settled before it can be ended, and git does not say so."""

from __future__ import annotations

import os

from gitmem.errors import RepositoryBusy, RepositoryDamaged
from gitmem.history.gitindex import HEAD_BYTES, CannotPatch, read_index
from gitmem.history.indexentry import STAGE
from gitmem.history.repo import located
from gitmem.history.tree import decode
from gitmem.store.paths import typed

SHOWN = 5  # paths that are named
GO_ON, COMMIT = "git merge --continue", "git commit"  # the same to git, and the second is what people know


def unmerged_paths(git_dir: str) -> list[str]:
    """The paths that stand more than once in git's index; none where only git's own program can read it."""
    try:
        index = read_index(os.path.join(git_dir, "index"))
        if index.trees is not None and index.trees.id:  # all of it is one tree, and no tree holds a path twice
            return []
        rows = index.walk(HEAD_BYTES, index.end)
        return list(dict.fromkeys(decode(entry.path) for entry in rows if entry.flags & STAGE))
    except (CannotPatch, RepositoryDamaged, ValueError):
        return []


def under_way(git_dir: str, root: str, name: str, end: str, undone: str) -> RepositoryBusy:
    """The refusal while the operation ``name`` of git is in the middle: what is unmerged first, then how to end it.

    git_dir: of the working tree at ``root``
    end:     the command of git that ends it, with the one that gives it up in brackets
    undone:  what therefore was not done
    """
    paths = unmerged_paths(git_dir)
    if not paths:
        return RepositoryBusy(f"{name} is under way in {root}; {undone}", hint=located(end, root))
    named = ", ".join(paths[:SHOWN]) + (f" and {len(paths) - SHOWN} more" if paths[SHOWN:] else "")
    said = f"{name} is under way in {root}, and {named} {'is' if len(paths) == 1 else 'are'} unmerged; {undone}"
    then = end.replace(GO_ON, COMMIT)
    hint = f"settle what is unmerged, then: git add -- {' '.join(map(typed, paths))} && {then}"
    if paths[SHOWN:]:
        hint = f"settle each of them (see them all: git status), git add it, then: {then}"
    return RepositoryBusy(said, hint=located(hint, root))
