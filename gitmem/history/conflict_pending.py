"""Conflicts of a merge that git has begun and that may be given up: ``git merge --abort``, ``git rebase --abort``.

Beside such a record stands a mark, ``refs/gitmem/merging/<id>``: a commit whose parents are the record, the commit
that comes to the branch, and for a merge the one that the branch had.  A merge that never was has no conflict.
"""

from __future__ import annotations

import os

from gitmem.errors import RepositoryDamaged
from gitmem.history.bases import is_ancestor, only
from gitmem.history.commit import commit_bytes
from gitmem.history.identity import gitmem_identity
from gitmem.history.message import message
from gitmem.history.ownrefs import RefMove, own_refs
from gitmem.history.refs import branches, read_ref
from gitmem.store.paths import CONFLICTS, MERGING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.repo import Repo

UNDER_WAY = ("MERGE_HEAD", "SQUASH_MSG", "rebase-merge", "rebase-apply", "index.lock")  # git merges, or is to commit it


def mark(repo: Repo, name: str, record: str, coming: str, before: str = "") -> RefMove:
    """The move that marks the conflict ``name`` as one of a merge that is not made yet.

    coming: the commit that the branch has once it is made: the one merged, or the one rebased onto
    before: the commit that it is merged into, "" for a rebase
    """
    me = gitmem_identity()
    text = message("merging", name, "", {"Op": "merging", "Actor": "gitmem"})
    commit = repo.commit(record)
    parents = [record, coming, *([before] if before else [])]
    raw = commit_bytes(commit.tree, parents, me, me, commit.when, text)
    return RefMove(MERGING + name, read_ref(repo.git, MERGING + name), repo.objects.add("commit", raw))


def given_up(repo: Repo, head: str = "") -> dict[str, str]:
    """The records of merges that were given up: ref of the conflict -> its commit.

    head: a commit the branch is about to come to
    """
    return {CONFLICTS + name: record for name, record, is_made in _marks(repo, head) if is_made is False}


def unmarked(repo: Repo) -> tuple[list[RefMove], list[str]]:
    """What takes away the marks that say nothing any more, and the records of what was given up; the ids of those."""
    moves: list[RefMove] = []
    gone: list[str] = []
    for name, record, is_made in _marks(repo, ""):
        if is_made is None:
            continue
        moves.append(RefMove(MERGING + name, read_ref(repo.git, MERGING + name), ""))
        if not is_made and read_ref(repo.git, CONFLICTS + name) == record:
            moves.append(RefMove(CONFLICTS + name, record, ""))
            gone.append(name)
    return moves, gone


def _marks(repo: Repo, head: str) -> list[tuple[str, str, bool | None]]:
    """Each mark: the conflict's id, its record, and whether the merge was made; None while it is under way."""
    refs = own_refs(repo.git, MERGING)
    if not refs:
        return []
    if _is_under_way(repo):
        return [(ref.removeprefix(MERGING), "", None) for ref in refs]
    heads = {head, repo.head()[1], *(read_ref(repo.git, f"refs/heads/{name}") for name in branches(repo.git))} - {""}
    found: list[tuple[str, str, bool | None]] = []
    for ref, commit in refs.items():
        try:
            record, coming, *before = repo.commit(commit).parents
            is_made = any(_is_made(repo, each, coming, before) for each in heads)
        except (RepositoryDamaged, ValueError):  # history that is not here, or no mark: nothing is taken away for that
            record, is_made = "", True
        found.append((ref.removeprefix(MERGING), record, is_made))
    return found


def _is_made(repo: Repo, head: str, coming: str, before: list[str]) -> bool:
    """Whether ``head`` has the merge, and not another one that brought the same commit."""
    if not is_ancestor(repo, coming, head):
        return False
    joins = [each.parents for name in only(repo, [head], [coming]) if coming in (each := repo.commit(name)).parents]
    return not joins or any(before[0] in each if before else len(each) == 1 for each in joins)


def _is_under_way(repo: Repo) -> bool:
    """Whether git is in the middle of something, in any working tree of the repository."""
    trees = os.path.join(repo.git.common, "worktrees")
    folders = [repo.git.common, repo.git.path]
    folders += [os.path.join(trees, name) for name in (os.listdir(trees) if os.path.isdir(trees) else ())]
    return any(os.path.exists(os.path.join(folder, name)) for folder in folders for name in UNDER_WAY)
