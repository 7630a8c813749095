"""Memories that the index does not know yet, read from their files for one question.

Imported only when there are some: reading a head may cost the import of yaml.
"""

from __future__ import annotations

import time

from gitmem.errors import GitmemError
from gitmem.index.bag import pack
from gitmem.limits import MAX_LIVE_FILES
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.index.rows import Rows


class Live:
    """What was read beside the index.

    rows:     path -> the memory, at most MAX_LIVE_FILES
    passages: how many they have together
    terms:    term -> passages that hold it
    complete: False when some were left for the next refresh
    """

    __slots__ = ("complete", "passages", "rows", "terms")

    def __init__(self, root: str, paths: Sequence[str], deadline: float | None) -> None:
        self.rows: dict[str, Rows] = {}
        self.terms: dict[str, int] = {}
        self.passages = 0
        self.complete = len(paths) <= MAX_LIVE_FILES
        for path in paths[:MAX_LIVE_FILES]:
            if deadline is not None and time.monotonic() > deadline:
                self.complete = False
                break
            rows = read_rows(root, path)
            if rows is None:
                continue
            self.rows[path] = rows
            for at, passage in enumerate(rows.passages):
                self.passages += 1
                for term in passage.bag if at else {**passage.bag, **rows.fields}:
                    self.terms[term] = self.terms.get(term, 0) + 1


def read_rows(root: str, path: str) -> Rows | None:
    """One memory as the index would keep it; None when it cannot be read."""
    from gitmem.index.rows import Rows  # an unchanged store is spared these six modules
    from gitmem.memory.document import read_memory

    try:
        return Rows(read_memory(path, read_file(root, path)))
    except (GitmemError, OSError):
        return None


def packed(rows: Rows) -> tuple[str, str, list[str]]:
    """The bags of the head, of the whole memory, and of each passage."""
    bags = [pack(passage.bag) for passage in rows.passages]
    return pack(rows.fields), bags[0] if len(bags) == 1 else pack(rows.whole), bags
