"""Keep the search index in step with the worktree: build it, refresh it, take in one write.

Derived: deleted or damaged it is built anew from the files.  Work is committed in batches, so
that a build killed half-way goes on where it stopped, and readers never wait (SQLite's WAL).
"""

from __future__ import annotations

import gc
import os

from gitmem.errors import GitmemError, NoStore
from gitmem.history.settings import settings_of
from gitmem.index.fresh import config_mark, folder_of, is_memory
from gitmem.index.read import open_index
from gitmem.index.rows import Rows
from gitmem.memory.document import blob_id, read_memory
from gitmem.memory.finding import Finding
from gitmem.store.gitdir import GitDir, find_git_dir, head
from gitmem.store.ignore import patterns
from gitmem.store.nofollow import OpenFolder
from gitmem.store.paths import CONFIG_FILE, join, search_index, typed
from gitmem.store.worktree import Entry, list_memories, read_file
from gitmem.write.index_writer import Damaged, OpenIndex, Stat, Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Progress = Callable[[int, int], None]

UPDATE_WAIT_S = 5.0  # a write waits this long for a build under way, then leaves its files to the next refresh
BATCH = 10_000  # memories in one transaction of a build: what a killed one does again, at most 5 s of work
MENDABLE = ("unreadable", "too-big")  # what may become a memory although no folder's time tells: it is looked for again
SMALL_STORE = 2_000  # a write builds a missing index of a store up to this size itself


class RefreshReport:
    """What a refresh found.

    memories: in the index now; changed: read anew; gone: no longer there
    skipped:  files that are no memories although they look like it, a finding each
    """

    __slots__ = ("changed", "gone", "memories", "skipped")

    def __init__(self, memories: int, changed: int, gone: int, skipped: list[Finding]) -> None:
        self.memories, self.changed, self.gone, self.skipped = memories, changed, gone, skipped


class Mark:
    """How things stood before a write, so that the index knows it saw everything else.

    head:    commit id
    folders: folder -> mtime_ns of the folders above the paths that are written, -1 for one that is not there
    """

    __slots__ = ("folders", "head")

    def __init__(self, head: str, folders: dict[str, int]) -> None:
        self.head, self.folders = head, folders


def mark(root: str, paths: Iterable[str]) -> Mark:
    """Taken before ``paths`` are written, given to ``update_index`` afterwards."""
    git = find_git_dir(root)
    folders = {""}
    for path in paths:
        parts = path.split("/")
        folders.update(["/".join(parts[:at]) for at in range(1, len(parts))])
    return Mark(_head(git), {folder: _mtime(root, folder) for folder in folders})


def update_index(root: str, paths: Sequence[str], before: Mark | None = None) -> None:
    """Take ``paths`` into the index as they stand in the worktree; what is gone leaves it.

    before: how things stood before these paths were written.  Without it the index does not trust that
            nothing else changed in the meantime, and the next prompt looks through the folders again
    raises: IndexUnusable
    """
    git_dir = _git_dir(root)
    if not os.path.exists(search_index(git_dir)):
        if len(list_memories(root).entries) <= SMALL_STORE:
            refresh(root)
        return
    with OpenIndex(git_dir, UPDATE_WAIT_S) as writer:
        ignore = patterns(str(writer.meta["ignore"]).split("\n"))
        for path in dict.fromkeys(paths):
            writer.remove(path)
            if is_memory(path, ignore):
                _take(writer, root, path, None)
        if CONFIG_FILE in paths:
            config = config_mark(root)  # before it is read: a save in between makes the next prompt look
            writer.keep_settings(settings_of(root), config)
        if before is not None:
            for folder, mtime_ns in before.folders.items():
                if folder and not is_memory(f"{folder}/a.md", ignore):
                    continue  # the archive: a folder the index knows is looked through for memories
                writer.trust_folder(folder, mtime_ns, _mtime(root, folder))
            if before.head == writer.meta["head"]:
                writer.meta["head"] = _head(find_git_dir(root))
        writer.flush()


def refresh(root: str, progress: Progress | None = None) -> RefreshReport:
    """Bring the index up to date with every file of the worktree.

    progress: called with (done, total) memories looked at
    raises:   NoStore, IndexUnusable, StoreUnwritable
    """
    try:
        return _refresh(root, progress)
    except Damaged:  # found while it was written, and removed
        return _refresh(root, progress)


def _refresh(root: str, progress: Progress | None) -> RefreshReport:
    git = find_git_dir(root)
    settings, config = settings_of(root), config_mark(root)
    at_head = _head(git)
    if at_head:
        from gitmem.write.trust import note_authors  # reads history, which one write's update does not

        note_authors(root)  # before what came from elsewhere can be found
    listing = list_memories(root, settings.left_out())
    with OpenIndex(_git_dir(root)) as writer, _NoCollector():
        old = writer.stats()
        gone = set(old) - {entry.path for entry in listing.entries}
        gone = {path for path in gone if not _came_since(root, path, listing.folders)}
        for path in sorted(gone):
            writer.remove(path)
        changed, skipped = _take_changed(writer, root, listing.entries, old, progress)
        if at_head and at_head != writer.meta["dated_at"]:
            writer.date(_commit_times(root, writer.undated()))
            writer.meta["dated_at"] = at_head
        for finding in [*listing.skipped, *skipped]:
            if finding.rule in MENDABLE:
                listing.folders |= dict.fromkeys(listing.folders.keys() & {finding.path, folder_of(finding.path)}, -1)
        writer.folders(listing.folders)
        writer.settings(settings, config)
        writer.meta["head"] = at_head
        writer.meta["complete"] = 1
        writer.flush()
        memories = int(writer.meta["documents"])
    return RefreshReport(memories, changed, len(gone), [*listing.skipped, *skipped])


def _take_changed(
    writer: Writer,
    root: str,
    entries: Sequence[Entry],
    old: dict[str, tuple[int, Stat, str]],
    progress: Progress | None,
) -> tuple[int, list[Finding]]:
    """Read the files that are not as they were, in transactions of BATCH; how many, and what could not be read."""
    changed = 0
    skipped: list[Finding] = []
    last = OpenFolder()
    try:
        for done, entry in enumerate(entries, 1):
            before = old.get(entry.path)
            stat = (entry.size, entry.mtime_ns, entry.ctime_ns)
            if before is None or before[1] != stat:
                finding = _take(writer, root, entry.path, before, stat, last)
                skipped += [finding] if finding else []
                changed += 1
                if changed % BATCH == 0:
                    writer.flush()
                    writer.begin()
            if progress is not None and (done % 64 == 0 or done == len(entries)):
                progress(done, len(entries))
    finally:
        last.close()
    writer.flush()
    writer.begin()
    return changed, skipped


def ready_index(root: str, progress: Progress | None = None) -> None:
    """Build the index when it is missing, damaged or of another version; otherwise do nothing."""
    index = open_index(_git_dir(root))
    if index is None:
        refresh(root, progress)
    else:
        index.close()


def _commit_times(root: str, paths: list[str]) -> dict[str, int]:
    """path -> time of its last commit; without one where the history cannot be read."""
    if not paths:
        return {}
    from gitmem.write.index_age import commit_times  # dulwich is imported only when a memory has no date of its own

    try:
        return commit_times(root, paths)
    except GitmemError:
        return {}


def _take(
    writer: Writer,
    root: str,
    path: str,
    before: tuple[int, Stat, str] | None,
    stat: Stat | None = None,
    last: OpenFolder | None = None,
) -> Finding | None:
    """Read one file and put it in place of what the index holds of it; a finding when it cannot be read."""
    try:
        if stat is None:
            state = os.stat(join(root, path), follow_symlinks=False)
            stat = (state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        data = read_file(root, path, last=last)
    except (OSError, GitmemError) as error:
        if before is not None:
            writer.remove(path)
        return Finding("unreadable", path, 0, str(error))
    if before is not None:
        if before[2] == blob_id(data):
            writer.touch(before[0], stat)
            return None
        writer.remove(path)
    writer.put(Rows(read_memory(path, data)), stat)
    return None


class _NoCollector:
    """Half a million strings are made and no cycles: the collector would look through them for nothing."""

    __slots__ = ("_was_on",)

    def __enter__(self) -> None:
        self._was_on = gc.isenabled()
        gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_on:
            gc.enable()


def _came_since(root: str, path: str, folders: dict[str, int]) -> bool:
    """Whether ``path`` was written, and indexed, after its folder was read: then it is not gone."""
    folder = folder_of(path)
    while folder not in folders and folder:  # it is new itself, or left out
        folder = folder_of(folder)
    return os.path.lexists(join(root, path)) and _mtime(root, folder) != folders.get(folder)


def _head(git: GitDir | None) -> str:
    """The commit HEAD is at, "" when there is none or it cannot be read."""
    try:
        return head(git)[1] if git else ""
    except GitmemError:
        return ""


def _git_dir(root: str) -> str:
    git = find_git_dir(root)
    if git is None:
        raise NoStore(f"{root} is no store", hint=f"gitmem init {typed(root)}")
    return git.path


def _mtime(root: str, folder: str) -> int:
    try:
        return os.stat(join(root, folder) if folder else root).st_mtime_ns
    except OSError:
        return -1
