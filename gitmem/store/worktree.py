"""Which memories are on disk, at any depth, without following a link.

What is left out for a reason is said: links, oversize files, folders too deep, other repositories, names that some
system would follow out of the store (A6).
Hot: the cheap set only; 10,000 flat files cost their 10,000 stats and a tenth more.
"""

from __future__ import annotations

import os

from gitmem.errors import RepositoryDamaged
from gitmem.limits import MAX_DEPTH, MAX_FILES, MAX_MEMORY_BYTES
from gitmem.memory.finding import Finding
from gitmem.memory.name import RESERVED_FILES, unread_name
from gitmem.store.gitdir import find_git_dir
from gitmem.store.ignore import patterns
from gitmem.store.nofollow import JUNCTION, identity
from gitmem.store.nofollow import read_file as read_file
from gitmem.store.paths import INDEX_FILE, TOP_FOLDERS_LEFT_OUT, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.store.ignore import Pattern


NAME = "name"  # the rule of a file whose name some system would follow out of the store
MAY_LEAD_OUT = ":\\~\uff1a\ufe55\ufe13"  # one of these is in every such name; a folder's may have others
PLAIN_SPELLINGS = (INDEX_FILE, "session-log.md")  # as RESERVED_FILES


class Entry:
    """One memory on disk.

    path:     posix, from the store's folder
    size:     bytes
    mtime_ns, ctime_ns: nanoseconds since 1970, as the file system says
    """

    __slots__ = ("ctime_ns", "mtime_ns", "path", "size")

    def __init__(self, path: str, state: os.stat_result) -> None:
        self.path, self.size, self.mtime_ns, self.ctime_ns = path, state.st_size, state.st_mtime_ns, state.st_ctime_ns

    def __repr__(self) -> str:
        return f"Entry({self.path!r}, {self.size}, {self.mtime_ns})"


class Listing:
    """What one look at the worktree found.

    entries: sorted by path
    skipped: what is no memory although it looks like one, a finding each
    folders: folder ("" is the store's own) -> its mtime_ns, taken before the folder was read
    """

    __slots__ = ("entries", "folders", "skipped")

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.skipped: list[Finding] = []
        self.folders: dict[str, int] = {}


def list_memories(root: str, ignore: Sequence[str] = ()) -> Listing:
    """Every memory below ``root``: plain files ending in ``.md``, in any case and at any depth.

    Left out in silence: names that begin with a dot, ``archive/`` at the top, MEMORY.md and
    session-log.md, what ``ignore`` names (store/ignore.py).  A store that is not there has none; a repository
    or submodule inside it is left out with a finding.
    """
    walk = Walk(root, patterns(ignore))
    try:
        waiting = [("", root, 0, os.stat(root).st_mtime_ns)]
    except OSError:
        return walk.listing
    while waiting:
        folder, full, depth, mtime_ns = waiting.pop()
        walk.listing.folders[folder] = mtime_ns
        try:
            with os.scandir(full) as found:
                below = walk.look(found, folder)
        except OSError as error:
            walk.skip("unreadable", folder, f"the folder cannot be read: {error.strerror}; allow yourself to read it")
            continue
        for path, full_path, time_ns in below:
            if depth < MAX_DEPTH:
                waiting.append((path, full_path, depth + 1, time_ns))
            else:
                walk.skip("too-deep", path, f"lies more than {MAX_DEPTH} folders deep and is not read; move it up")
    return walk.end()


def unreadable(root: str, entries: Iterable[Entry]) -> list[Finding]:
    """Those of ``entries`` that may not be read, a finding each."""
    kept = [entry.path for entry in entries if not os.access(join(root, entry.path), os.R_OK)]
    return [Finding("unreadable", path, 0, "may not be read; allow yourself to read it") for path in kept]


def is_reserved_file(root: str, path: str) -> bool:
    """Whether ``path`` is MEMORY.md or session-log.md, also by another name for the same file.

    A hard link or an 8.3 name such as ``MEMORY~1.MD`` is told by its identity.
    """
    folder, _, name = path.rpartition("/")
    if name.lower() in RESERVED_FILES:
        return True
    own = identity(join(root, path))
    return own is not None and any(own in _reserved_identities(root, place) for place in {"", folder})


class Walk:
    """What is gathered while the folders are read one after the other."""

    __slots__ = ("files", "folders", "listing", "reserved", "root")

    def __init__(self, root: str, ignore: Sequence[Pattern]) -> None:
        self.root, self.folders = root, ignore
        self.files = [pattern for pattern in ignore if not pattern.folder]
        self.listing = Listing()
        self.reserved: list[os.stat_result] = []  # index and log files that have a second name

    def look(self, found: Iterable[os.DirEntry[str]], folder: str) -> list[tuple[str, str, int]]:
        """Take the memories of one folder; gives the folders below: path, full path, mtime_ns."""
        below: list[tuple[str, str, int]] = []
        entries, skipped = self.listing.entries, self.listing.skipped
        before = len(entries), len(skipped)
        prefix = folder + "/" if folder else ""
        is_plain, nested = not folder or not unread_name(f"{prefix}a.md"), False
        for item in found:
            name = item.name
            if name[0] == ".":
                if name == ".git" and folder and _is_repository(join(self.root, folder)):
                    nested = True
                continue
            path = prefix + name
            is_memory = name[-3:] in (".md", ".MD", ".Md", ".mD")
            try:
                if is_memory and item.is_file(follow_symlinks=False):
                    if name.lower() in RESERVED_FILES:
                        self._reserve(item, path)
                    elif not self.files or not self._is_left_out(path, False):
                        state = item.stat(follow_symlinks=False)
                        is_odd = not is_plain or ":" in name or "\\" in name or name[0] == "~" or not path.isascii()
                        if state.st_size <= MAX_MEMORY_BYTES and not is_odd:
                            entries.append(Entry(path, state))
                        else:
                            self._odd_file(path, state, is_plain)
                elif item.is_symlink():
                    self._link(item, path, is_memory)
                elif item.is_dir(follow_symlinks=False):
                    self._folder(item, path, below)
                elif is_memory and not self._is_left_out(path, False):
                    self.skip("not-a-file", path, "is not a plain file and is not read; remove it")
            except FileNotFoundError:
                continue  # gone since the folder was read
            except OSError as error:
                self.skip("unreadable", path, f"cannot be read: {error.strerror}")
        if nested:
            del entries[before[0] :], skipped[before[1] :]
            self.skip("repository", folder, "is a git repository of its own and is not read; name it with --store")
            return []
        return below

    def skip(self, rule: str, path: str, message: str) -> None:
        shown = path if path.isascii() else path.encode("utf-8", "backslashreplace").decode()
        self.listing.skipped.append(Finding(rule, shown or ".", 0, message))

    def end(self) -> Listing:
        """The listing, sorted and within its bounds."""
        listing = self.listing
        self.drop_twins()
        listing.entries.sort(key=lambda entry: entry.path)
        beyond = len(listing.entries) - MAX_FILES
        if beyond > 0:
            del listing.entries[MAX_FILES:]
            self.skip("too-many", "", f"the store holds more than {MAX_FILES} memories; the last {beyond} are not read")
        listing.skipped.sort(key=lambda finding: (finding.path, finding.rule))
        return listing

    def drop_twins(self) -> None:
        """Take out what is an index or log file under a second name."""
        if self.reserved:
            self.listing.entries = [entry for entry in self.listing.entries if not self._is_twin(entry)]

    def _reserve(self, item: os.DirEntry[str], path: str) -> None:
        """Remember an index or log file that has a second name, so that the other one is no memory.

        One that differs from MEMORY.md in case is neither where the file system tells the two apart, and that is said.
        """
        if item.name not in PLAIN_SPELLINGS and not self._is_left_out(path, False):
            plain = PLAIN_SPELLINGS[RESERVED_FILES.index(item.name.lower())]
            if identity(item.path) != identity(os.path.join(os.path.dirname(item.path), plain)):
                self.skip(
                    "reserved", path, f"is not {plain}, and no memory, since many systems take it for that; rename it"
                )
        state = os.stat(item.path, follow_symlinks=False)  # scandir's has no link count on Windows
        if state.st_nlink > 1:
            self.reserved.append(state)

    def _odd_file(self, path: str, state: os.stat_result, is_plain: bool) -> None:
        """A memory with letters that need a look, or too many bytes.

        is_plain: whether its folder's name is good
        """
        if not self._is_text(path):
            return
        is_odd = not is_plain or any(mark in path for mark in MAY_LEAD_OUT)
        if is_odd and (wrong := unread_name(path)):
            self.skip(NAME, path, wrong)
            return
        if state.st_size > MAX_MEMORY_BYTES:
            wrong = f"has {state.st_size} bytes and is not read, {MAX_MEMORY_BYTES} are the most; split it into several"
            self.skip("too-big", path, wrong)
        else:
            self.listing.entries.append(Entry(path, state))

    def _folder(self, item: os.DirEntry[str], path: str, below: list[tuple[str, str, int]]) -> None:
        if path.lower() in TOP_FOLDERS_LEFT_OUT or self._is_left_out(path, True):
            return
        state = item.stat(follow_symlinks=False)
        if getattr(state, "st_reparse_tag", 0) == JUNCTION:
            self.skip("link", path, "is a junction to another folder and is not followed; move the folder itself here")
        elif path.isascii() or self._is_text(path):
            below.append((path, item.path, state.st_mtime_ns))

    def _link(self, item: os.DirEntry[str], path: str, is_memory: bool) -> None:
        is_folder = item.is_dir()
        if (
            (is_memory or is_folder)
            and not self._is_left_out(path, is_folder)
            and path.lower() not in TOP_FOLDERS_LEFT_OUT
        ):
            kind = "folder" if is_folder else "file"
            self.skip("link", path, f"is a symbolic link and is not followed; put the {kind} itself here")

    def _is_left_out(self, path: str, is_folder: bool) -> bool:
        return any(pattern.fits(path, is_folder) for pattern in (self.folders if is_folder else self.files))

    def _is_text(self, path: str) -> bool:
        """False, and said, when the name's bytes are not UTF-8: no index and no commit message could name it."""
        try:
            path.encode()
        except UnicodeEncodeError:
            self.skip("name-bytes", path, "the name is not UTF-8 and is not read; rename it")
            return False
        return True

    def _is_twin(self, entry: Entry) -> bool:
        """Whether ``entry`` is a second name of an index or log file; only one of its size and time is looked at."""
        for state in self.reserved:
            if (entry.size, entry.mtime_ns) != (state.st_size, state.st_mtime_ns):
                continue
            if identity(join(self.root, entry.path)) == (state.st_dev, state.st_ino):
                self.skip("reserved", entry.path, "is MEMORY.md or session-log.md under a second name, no memory")
                return True
        return False


def _is_repository(full: str) -> bool:
    """Whether the folder at ``full`` is the top of a repository, a damaged one too."""
    try:
        return find_git_dir(full) is not None
    except RepositoryDamaged:
        return True


def _reserved_identities(root: str, folder: str) -> list[tuple[int, int] | None]:
    """Of the reserved files in one folder, by their spelling on disk (a joined lower-case name may not be there)."""
    full = join(root, folder) if folder else root
    try:
        names = [name for name in os.listdir(full) if name.lower() in RESERVED_FILES]
    except OSError:
        return []
    return [identity(os.path.join(full, name)) for name in names]
