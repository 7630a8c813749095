"""What a session's start needs to know of the memories: which there are, the latest, the baseline ones.

From the index; without one from the folder, where only the paths come cheap.
"""

from __future__ import annotations

from gitmem.index.read import DamagedIndex, open_index
from gitmem.limits import MAX_BASELINE, MAX_FILE_LIST_BYTES
from gitmem.store.gitdir import find_git_dir
from gitmem.store.worktree import list_memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from gitmem.index.read import Index

_MOST_LINES = MAX_FILE_LIST_BYTES // 8  # no line of the list is shorter
_LATEST = """
select path, description from documents
order by coalesce(nullif(updated, ''), strftime('%Y-%m-%dT%H:%M:%SZ', committed, 'unixepoch'), '') desc, path limit ?
"""
_BASELINE = "select path from documents where baseline order by baseline_priority desc, path"


class Catalogue:
    """The memories that MEMORY.md does not name, and the baseline ones.

    files:    (path, description), the latest first; more than a list can hold are left out
    total:    how many memories MEMORY.md does not name
    baseline: paths, the highest priority first, then by path; more than MAX_BASELINE are left out
    baseline_total: how many there are
    """

    __slots__ = ("baseline", "baseline_total", "files", "total")

    def __init__(self, files: list[tuple[str, str]], total: int, baseline: list[str]) -> None:
        self.files, self.total = files, total
        self.baseline, self.baseline_total = baseline[:MAX_BASELINE], len(baseline)


def catalogue(root: str, named: Collection[str]) -> Catalogue:
    """The catalogue of the store at ``root``; ``named``: paths that MEMORY.md shows already."""
    git = find_git_dir(root)
    index = open_index(git.path) if git is not None else None
    if index is not None:
        try:
            return _from_index(index, named)
        except DamagedIndex:
            pass
        finally:
            index.close()
    files = [(entry.path, "") for entry in list_memories(root).entries if entry.path not in named]
    return Catalogue(files, len(files), [])


def _from_index(index: Index, named: Collection[str]) -> Catalogue:
    rows = index.connection.execute(_LATEST, (_MOST_LINES + len(named),))
    files = [(path, description) for path, description in rows if path not in named]
    baseline = [path for (path,) in index.connection.execute(_BASELINE)]
    return Catalogue(files, index.documents - len(index.ids_of(named)), baseline)
