"""What stands in the way of taking an operation back: whose work, and the command that clears it."""

from __future__ import annotations

import time

from gitmem.history.objects import object_id
from gitmem.history.tree import tree_blob
from gitmem.memory.clean import one_line
from gitmem.store.paths import git_in, typed
from gitmem.write.operations import FOR_GOOD, LIST, TAKEN_BACK, Step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.commit import Commit
    from gitmem.history.repo import Repo
    from gitmem.write.change import Reader

TITLE_CHARS, MAX_PATH_CHARS = 60, 200  # of a title and of a path in a sentence
SINCE_LOOKED_AT = 2_000  # commits in which the one that stands in the way is looked for


def obstacle(
    reader: Reader, path: str, place: str, commit: Commit, now: bytes | None, own: set[str]
) -> tuple[str, str]:
    """Why ``commit`` cannot be taken out of the memory it left at ``path``, and what to type.

    place: where that lies now; own: commits that are taken back with it
    """
    repo, data = reader.repo, reader.kept(place)
    moved = f" ({one_line(place, MAX_PATH_CHARS)} now)" if place != path else ""
    said = f"{one_line(path, MAX_PATH_CHARS)}{moved} {'is gone' if now is None else 'was changed again'}"
    committed = tree_blob(repo, repo.head()[1], place) or ""
    if (object_id("blob", data) if data is not None else "") != committed:
        return f"{said}, by hand, and that is not committed yet", _commit_it(reader.root, place, bool(committed))
    later = _later(repo, {path, place}, commit, own)
    if later is None:
        return said, ""
    when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(later.commit.when))
    return f"{said}, by {named(later)[:-1]}, {when}Z)", _take_that_back(later)


def named(step: Step) -> str:
    """``4c695ed476 (edit: deploy)``."""
    return f"{step.commit.id[:10]} ({one_line(step.subject, TITLE_CHARS)})"


def _commit_it(root: str, path: str, is_tracked: bool) -> str:
    add = "" if is_tracked else f"{git_in(root, f'add -- {typed(path)}')} && "
    keep = f"{add}{git_in(root, f'commit -m mine -- {typed(path)}')}"
    drop = f"; or drop it: {git_in(root, f'checkout -- {typed(path)}')}" if is_tracked else ""
    return f"commit it: {keep}{drop}; then repeat"


def _take_that_back(later: Step) -> str:
    """How the way is cleared of one later commit."""
    if later.op == FOR_GOOD:
        return LIST
    if later.op == TAKEN_BACK:
        return f"make that one again first: gitmem redo {later.commit.id[:10]}"
    return f"take that one back first: gitmem undo {later.commit.id[:10]}"


def _later(repo: Repo, paths: set[str], commit: Commit, own: set[str]) -> Step | None:
    """The newest commit after ``commit`` that changed one of ``paths``, none of ``own``; along first parents.

    An operation that was taken back meanwhile, and an undo that was made good, stand in nobody's way.
    """
    steps: list[Step] = []
    name = repo.head()[1]
    while name and name != commit.id and len(steps) < SINCE_LOOKED_AT:
        steps.append(Step(repo.commit(name)))
        name = steps[-1].commit.parents[0] if steps[-1].commit.parents else ""
    there = {step.commit.id for step in steps} | own
    void: set[str] = set()
    for step in steps:
        if step.undoes and step.commit.id not in void and there.issuperset(step.undoes):
            void.update((step.commit.id, *step.undoes))
    for step in steps:
        if step.commit.id not in own | void and _touches(repo, step.commit, paths):
            return step
    return None


def _touches(repo: Repo, commit: Commit, paths: set[str]) -> bool:
    parent = commit.parents[0] if commit.parents else ""
    return any(
        tree_blob(repo, commit.id, path) != (tree_blob(repo, parent, path) if parent else None) for path in paths
    )
