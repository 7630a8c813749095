"""What a session's start needs to know of the memories: which there are, the latest, the baseline ones.

From the index, and from the files themselves where the index is missing or behind.
"""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.index.fresh import changes, take_settings
from gitmem.index.read import DamagedIndex, empty_index, open_index
from gitmem.limits import MAX_BASELINE, MAX_FILE_LIST_BYTES, SCAN_ALL_FILES
from gitmem.memory.age import iso
from gitmem.memory.document import read_memory
from gitmem.memory.field import Known, known
from gitmem.recall.score import state_of
from gitmem.store.gitdir import find_git_dir
from gitmem.store.trust import came_from_elsewhere, written_since
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from gitmem.index.read import Index
    from gitmem.recall.scope import Scope
    from gitmem.store.gitdir import GitDir

_MOST_LINES = MAX_FILE_LIST_BYTES // 8  # no line of the list is shorter
_COLUMNS = "path, description, updated, committed, trust, muted, expires, superseded_by, baseline, baseline_priority"
_LATEST = f"""
select {_COLUMNS} from documents
order by coalesce(nullif(updated, ''), strftime('%Y-%m-%dT%H:%M:%SZ', committed, 'unixepoch'), '') desc, path limit ?
"""  # noqa: S608 - a constant
_BASELINE = f"select {_COLUMNS} from documents where baseline"  # noqa: S608 - a constant


class Line:
    """One memory in the catalogue.

    updated:  by its own word or its last commit, "" unknown; priority: of a baseline memory
    """

    __slots__ = ("baseline", "description", "path", "priority", "trust", "updated")

    def __init__(self, path: str, description: str, updated: str, trust: str, baseline: bool, priority: float) -> None:
        self.path, self.description, self.updated, self.trust = path, description, updated, trust
        self.baseline, self.priority = baseline, priority


class Catalogue:
    """The memories in use, and the baseline ones.

    index_file: name of the list of memories
    files:      the latest first; more than a list can hold are left out
    total:      how many there are, those of another state than "in use" included when the index is large
    baseline:   paths, the highest priority first, then by path; more than MAX_BASELINE are left out
    baseline_total: how many there are
    unread:     files that changed are left out, the list of memories too: nobody knows yet who wrote them
    """

    __slots__ = ("baseline", "baseline_total", "files", "index_file", "total", "unread")

    def __init__(
        self, index_file: str, files: list[Line], total: int, baseline: list[str], *, unread: bool = False
    ) -> None:
        self.unread = unread
        self.index_file, self.files, self.total = index_file, files, total
        self.baseline, self.baseline_total = baseline[:MAX_BASELINE], len(baseline)


def catalogue(root: str, when: int, scope: Scope | None = None) -> Catalogue:
    """The catalogue of the store at ``root``; ``when``: UTC unix seconds, for what expires.

    scope:  leaves out what must not count
    raises: GitmemError when there is no store
    """
    git = find_git_dir(root)
    if git is not None:
        index = open_index(git.path)
        try:
            if index is not None:
                return _of(index, root, git, when, scope)
        except DamagedIndex:
            pass
        finally:
            if index is not None:
                index.close()
    index = empty_index()
    try:
        take_settings(index, root)
        return _of(index, root, git, when, scope)
    finally:
        index.close()


def _of(index: Index, root: str, git: GitDir | None, when: int, scope: Scope | None) -> Catalogue:
    """What the index holds, but for files that changed since: those are read."""
    changed: Collection[str] = ()
    gone: set[str] = set()
    unread = False
    if git is not None:
        found = changes(index, root, git, None)
        changed, gone = found.changed, set(found.gone)
        if found.stale and came_from_elsewhere(git):  # nobody knows yet who wrote what changed
            own = written_since(git, root, changed)
            unread, changed, gone = True, own, {*gone, *index.ids_of(set(changed).difference(own))}
    if scope is not None:
        changed = [path for path in changed if not scope.why_not(path)]
        every = index.connection.execute("select path from documents")
        gone |= {path for (path,) in every if scope.why_not(path)}
    kept = dict.fromkeys(changed)
    rows = index.connection.execute(_LATEST, (_MOST_LINES + len(kept) + len(gone),)).fetchall()
    rows += index.connection.execute(_BASELINE).fetchall()
    lines = {row[0]: _line(row, when, index.candidates) for row in rows if row[0] not in kept and row[0] not in gone}
    total = index.documents - len(gone) - sum(1 for line in lines.values() if line is None)
    known_before = index.ids_of(kept)
    for path, line in _read(root, changed, when, index.candidates):
        lines[path] = line
        total += (line is not None) - (path in known_before)
    used = [line for line in lines.values() if line is not None]
    used.sort(key=lambda line: line.path)
    used.sort(key=lambda line: line.updated, reverse=True)
    baseline = sorted((line for line in used if line.baseline), key=lambda line: (-line.priority, line.path))
    return Catalogue(index.index_file, used, total, [line.path for line in baseline], unread=unread)


def _line(row: tuple, when: int, candidates: str) -> Line | None:  # type: ignore[type-arg]
    """The line of a row of _COLUMNS, None when the memory is out of use."""
    path, description, updated, committed, trust, muted, expires, superseded_by, baseline, priority = row
    if state_of(trust, bool(muted), expires, superseded_by, when, candidates):
        return None
    return Line(path, description, updated or (iso(committed) if committed else ""), trust, bool(baseline), priority)


def _read(root: str, paths: Iterable[str], when: int, candidates: str) -> Iterable[tuple[str, Line | None]]:
    """The lines of files the index does not know, of at most SCAN_ALL_FILES; of the others the path alone."""
    for number, path in enumerate(paths):
        fields = _head(root, path) if number < SCAN_ALL_FILES else None
        if fields is None:
            yield path, Line(path, "", "", "", False, 0.0)
            continue
        trust = fields.trust.lower()
        state = state_of(trust, fields.muted, fields.expires, fields.superseded_by, when, candidates)
        line = Line(path, fields.description, fields.updated, trust, fields.baseline, fields.baseline_priority)
        yield path, None if state else line


def _head(root: str, path: str) -> Known | None:
    try:
        return known(read_memory(path, read_file(root, path)))
    except (GitmemError, OSError):
        return None
