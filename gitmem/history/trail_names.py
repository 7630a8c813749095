"""What memories were called before: for records that are kept by path, such as the ledger."""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.history.objects import object_id
from gitmem.history.trail import ask
from gitmem.history.trail_source import TrailSource
from gitmem.history.trail_walk import walk
from gitmem.history.tree import decode, encode, tree_files
from gitmem.store.paths import join
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.history.repo import Repo
    from gitmem.history.trail_plain import PlainSource


def earlier_paths(repo: Repo, paths: Iterable[str]) -> dict[str, set[str]]:
    """path -> the other names of the memory there: in the commits, and of a file moved since and not committed yet.

    A memory that was never moved is not in the answer.
    """
    commit = repo.head()[1]
    if not commit:
        return {}
    wanted = {path: {path} for path in paths}
    for path, old in _moved_by_hand(repo, wanted, commit).items():
        wanted[path].add(old)

    def question(source: TrailSource | PlainSource) -> dict[str, set[str]]:
        place, found = source.place(commit), dict[str, set[str]]()
        if place is None:
            return found
        for path, names in wanted.items():
            known = set(names)
            for name in names:
                if not isinstance(source, TrailSource) or source.was_moved(encode(name)):
                    known.update(decode(touch.path) for touch in walk(source, place, encode(name)))
            if known != {path}:
                found[path] = known - {path}
        return found

    return ask(repo, question, commit)


def _moved_by_hand(repo: Repo, paths: Iterable[str], commit: str) -> dict[str, str]:
    """New path -> the committed path whose file is gone and held the very text."""
    committed = tree_files(repo, commit)
    new = [path for path in paths if path not in committed]
    if not new:
        return {}
    gone = {blob: path for path, (_, blob) in committed.items() if not os.path.lexists(join(repo.root, path))}
    found = {}
    for path in new if gone else ():
        try:
            blob = object_id("blob", read_file(repo.root, path))
        except GitmemError:
            continue
        if blob in gone:
            found[path] = gone[blob]
    return found
