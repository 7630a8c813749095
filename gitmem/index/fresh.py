"""What changed in the worktree since the index was written, found without a daemon.

Up to ``SCAN_ALL_FILES`` memories every file is looked at.  In a larger store a look at each
would cost more than the whole hook, so these are looked at: the folders' times (a file
added, removed or replaced by rename, which is how git, gitmem and most editors write), the files
that were written last, and, by the caller, every candidate before it is quoted.

What this cannot see in a store above ``SCAN_ALL_FILES``: an old file edited in place, by an
editor that does not replace it, that is no candidate by its old words.  The next
refresh finds it (a commit moves HEAD, and that alone asks for a refresh).
Hot: the cheap set only.
"""

from __future__ import annotations

import os
import time

from gitmem.errors import GitmemError
from gitmem.limits import MAX_DEPTH, MAX_NEWEST_FILES, SCAN_ALL_FILES
from gitmem.memory.name import RESERVED_FILES, unread_name
from gitmem.store.gitdir import head
from gitmem.store.ignore import patterns
from gitmem.store.paths import CONFIG_FILE, TOP_FOLDERS_LEFT_OUT, join
from gitmem.store.worktree import Walk

EVERY = -1  # as a limit of SQL: none
SETTINGS_ENTRY = (b"mem/config.yaml\0", b"mem/\0")  # ends of entries in git's index: the settings file, its folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.index.read import DocumentRow, FileRow, Index
    from gitmem.store.gitdir import GitDir
    from gitmem.store.ignore import Pattern


class Changes:
    """How the worktree differs from the index.

    changed:  paths to read anew, the newest first
    gone:     paths the index holds and the worktree does not
    complete: False when time ran out before all was looked at
    stale:    True when the index wants a refresh for any reason
    """

    __slots__ = ("changed", "complete", "gone", "stale")

    def __init__(self, changed: list[str], gone: list[str], complete: bool, stale: bool) -> None:
        self.changed, self.gone, self.complete = changed, gone, complete
        self.stale = stale or bool(changed) or bool(gone) or not complete


def changes(index: Index, root: str, git: GitDir, deadline: float | None) -> Changes:
    """What is to be read live, or left out, because the index does not know it yet.

    deadline: of ``time.monotonic()``
    """
    try:
        moved = head(git)[1] != index.head
    except GitmemError:  # a damaged HEAD hinders no reader
        moved = True
    look = _Look(index, root)
    look.at_files(index.newest_files(SCAN_ALL_FILES if index.documents <= SCAN_ALL_FILES else MAX_NEWEST_FILES))
    if config_mark(root) != index.config or not index.complete:
        moved = True
        if not index.complete and _settings_are_elsewhere(root, git):
            return Changes([], [], False, True)
        take_settings(index, root)
        ignore = patterns(index.ignore)
        look.gone.update(path for path, _, _ in index.newest_files(EVERY) if not is_memory(path, ignore))
        look.at_folders(look.known or [""], deadline)
    else:
        look.at_folders(look.moved_folders(), deadline)
    return look.end(moved)


def take_settings(index: Index, root: str) -> None:
    """Let the settings file act at once: it is not the one that was compiled into the index."""
    from gitmem.store.settings import default_settings, load_settings  # rare, and it may load YAML

    try:
        settings = load_settings(root)
    except ImportError:  # an interpreter without YAML; the refresh that follows has it
        return
    if not settings.is_whole:  # what was compiled holds, and what can be read beside it
        known = default_settings()
        known.ignore, known.candidates, known.index_file = tuple(index.ignore), index.candidates, index.index_file
        settings = settings.beside(known)
    index.ignore, index.candidates = list(settings.left_out()), settings.candidates
    index.index_file = settings.index_file


def _settings_are_elsewhere(root: str, git: GitDir) -> bool:
    """Whether git keeps a settings file that is not on disk, as in a sparse checkout: only a refresh can read it."""
    if config_mark(root):
        return False
    try:
        with open(f"{git.path}/index", "rb") as file:
            data = file.read()
    except OSError:
        return False
    return any(end in data for end in SETTINGS_ENTRY)


class _Look:
    """What was found so far."""

    __slots__ = ("changed", "complete", "gone", "index", "known", "root", "walk")

    def __init__(self, index: Index, root: str) -> None:
        self.index, self.root = index, root
        self.known = index.folders()
        self.changed: dict[str, int] = {}
        self.gone: set[str] = set()
        self.complete = True
        self.walk: Walk | None = None

    def at_files(self, files: Iterable[FileRow]) -> None:
        """Compare files with what the index holds of them."""
        prefix, stat = self.root.rstrip("/") + "/", os.stat
        for path, size, mtime_ns in files:
            try:
                state = stat(prefix + path, follow_symlinks=False)
            except OSError:
                self.gone.add(path)
                continue
            if state.st_mtime_ns != mtime_ns or state.st_size != size:
                self.changed[path] = state.st_mtime_ns

    def moved_folders(self) -> list[str]:
        """Folders whose time is another one than when they were last read."""
        moved: list[str] = []
        for folder, mtime_ns in self.known.items():
            try:
                if os.stat(self._full(folder)).st_mtime_ns != mtime_ns:
                    moved.append(folder)
            except OSError:
                moved.append(folder)
        return moved if self.known else [""]

    def at_folders(self, folders: Iterable[str], deadline: float | None) -> None:
        """Compare all files of these folders, and of new ones in them, with what the index holds."""
        waiting = list(folders)
        while waiting:
            if deadline is not None and time.monotonic() > deadline:
                self.complete = False
                return
            folder = waiting.pop()
            files = self.index.files_in(folder)
            try:
                with os.scandir(self._full(folder)) as found:
                    waiting += [path for path in self._compare(found, folder, files) if path not in self.known]
            except OSError:
                pass  # the folder is gone, and with it what is left in files
            self.gone.update(files)

    def _compare(self, found: Iterable[os.DirEntry[str]], folder: str, files: dict[str, FileRow]) -> list[str]:
        """Take the files of one folder out of ``files``; gives the folders below."""
        prefix = folder + "/" if folder else ""
        strangers: list[os.DirEntry[str]] = []
        for item in found:
            row = files.pop(prefix + item.name, None)
            if row is None:
                strangers.append(item)
                continue
            state = item.stat(follow_symlinks=False)
            if state.st_mtime_ns != row[2] or state.st_size != row[1]:
                self.changed[row[0]] = state.st_mtime_ns
        if not strangers:
            return []
        if self.walk is None:
            self.walk = Walk(self.root, patterns(self.index.ignore))
        below = self.walk.look(strangers, folder)
        self.walk.drop_twins()
        for entry in self.walk.listing.entries:
            if os.access(self._full(entry.path), os.R_OK):  # else each prompt would ask for a refresh
                self.changed[entry.path] = entry.mtime_ns
        self.walk.listing.entries = []
        return [path for path, _, _ in below if path.count("/") < MAX_DEPTH]

    def end(self, moved: bool) -> Changes:
        newest = sorted(self.changed.keys() - self.gone, key=lambda path: -self.changed[path])
        return Changes(newest, sorted(self.gone), self.complete, moved)

    def _full(self, folder: str) -> str:
        return join(self.root, folder) if folder else self.root


def is_unchanged(root: str, row: DocumentRow) -> bool:
    """Whether the file of ``row`` is still the one that was indexed."""
    try:
        state = os.stat(join(root, row.path), follow_symlinks=False)
    except OSError:
        return False
    return (state.st_size, state.st_mtime_ns, state.st_ctime_ns) == (row.size, row.mtime_ns, row.ctime_ns)


def folder_of(path: str) -> str:
    """The folder a path stands in, "" for the store's own."""
    return path.rpartition("/")[0]


def is_memory(path: str, ignore: Sequence[Pattern]) -> bool:
    """Whether ``list_memories`` would name ``path`` if the file is there."""
    parts = path.split("/")
    if parts[-1][-3:].lower() != ".md" or parts[-1].lower() in RESERVED_FILES or len(parts) - 1 > MAX_DEPTH:
        return False
    if any(part[:1] in (".", "") for part in parts) or parts[0].lower() in TOP_FOLDERS_LEFT_OUT:
        return False
    for pattern in ignore:
        if pattern.fits(path, False) or any(pattern.fits("/".join(parts[:at]), True) for at in range(1, len(parts))):
            return False
    return not unread_name(path)


def config_mark(root: str) -> str:
    """Changes when the settings file does; "" when there is none."""
    try:
        state = os.stat(join(root, CONFIG_FILE), follow_symlinks=False)
    except OSError:
        return ""
    return f"{state.st_size} {state.st_mtime_ns}"
