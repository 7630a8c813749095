"""Whose text a file holds: the last commit that really wrote it, behind the merges that only took it over."""

from __future__ import annotations

from gitmem.errors import RepositoryDamaged
from gitmem.history.changed import changed
from gitmem.history.identity import gitmem_identity
from gitmem.history.repo import Repo
from gitmem.history.tree import tree_blob

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.commit import Commit

MAX_STEPS = 100_000  # commits that are looked at


def writer_of(repo: Repo, commit: str, path: str, blob: str, base: str = "") -> Commit:
    """The commit in the history of ``commit`` that wrote the text ``blob`` of the memory at ``path``, or removed it.

    Of a text that gitmem merged of two, the younger of those who wrote them; ``commit`` itself where it cannot be told.
    blob: "" for a file that is gone
    base: a commit beside it, in which the memory may have another name than in ``commit``; "" when it has none
    """
    path = _name_at(repo, commit, path, blob, base)
    found = max(_writers(repo, commit, path, blob), key=lambda each: (each.when, each.id), default=None)
    return found or repo.commit(commit)


def _writers(repo: Repo, commit: str, path: str, blob: str) -> Iterator[Commit]:
    """The commits behind ``blob``: one, but for a text that merges made of several."""
    waiting, seen = [(commit, path, blob)], set[tuple[str, str]]()
    while waiting and len(seen) < MAX_STEPS:
        name, path, blob = waiting.pop()
        if (name, path) in seen:
            continue
        seen.add((name, path))
        found = repo.commit(name)
        before = [
            (parent, *_before(repo, parent, found, path, blob)) for parent in found.parents if _is_here(repo, parent)
        ]
        same = next((each for each in before if each[2] == blob), None)
        sides = [each for each in before if each[2]]
        if same is not None:
            waiting.append(same)
        elif len(sides) > 1 and found.author == gitmem_identity():
            waiting += sides
        else:
            yield found


def _before(repo: Repo, parent: str, commit: Commit, path: str, blob: str) -> tuple[str, str]:
    """What the file that is ``blob`` at ``path`` in ``commit`` was called in its parent, and its text there."""
    there = tree_blob(repo, parent, path) or ""
    if there or not blob:
        return path, there
    moved = changed(repo.objects, repo.commit(parent).tree, commit.tree)
    old = next((name for name, (was, now) in moved.items() if now is None and was and was[1] == blob), "")
    return (old, blob) if old else (path, "")


def _name_at(repo: Repo, commit: str, path: str, blob: str, base: str) -> str:
    if not blob or not base or tree_blob(repo, commit, path) == blob:
        return path
    differing = changed(repo.objects, repo.commit(base).tree, repo.commit(commit).tree)
    return next((name for name, (_, now) in differing.items() if now and now[1] == blob), path)


def _is_here(repo: Repo, name: str) -> bool:
    try:
        repo.commit(name)
    except RepositoryDamaged:  # beyond a shallow clone's end
        return False
    return True
