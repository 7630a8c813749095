"""git's next index, patched from the last one and on its way to disk before all of it is known.

At 100,000 files an index has 10 MB: hashing them takes 8 ms, writing them 4, and a journalling file system waits for
all of them when the branch is synced.  So everything but the stats of the written files is written, sent out and
hashed before git's locks are taken, beside the sync of the objects; under the locks the stats and the hash follow.
Entries are sorted, so the new ones are put in and the rest is copied.  The cached tree ids stay valid; what a patch
would make wrong (``UNTR FSMN EOIE IEOT``) is left out and git makes it anew.  Format: git's own gitformat-index.
"""

from __future__ import annotations

import os
import struct
from _thread import allocate_lock, start_new_thread

from gitmem.errors import RepositoryBusy
from gitmem.history.cachedtree import folders_of, is_known, tree_pieces, trees_after
from gitmem.history.gitindex import HEAD_BYTES
from gitmem.history.indexentry import LOW, STAT_BYTES, entry_bytes, with_marks
from gitmem.history.objects import new_sha1, write_all
from gitmem.history.sync import LARGE
from gitmem.history.tree import decode
from gitmem.store.paths import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gitmem.history.cachedtree import CachedTree, Places
    from gitmem.history.gitindex import Entry, GitIndex

    Key = tuple[int, int, int] | None
    Look = Callable[[bytes], os.stat_result | None]

JOINED = 4 << 20  # bytes up to which one write of a copy costs less than a write for each piece
FIND_BYTES = 700_000  # of an index are looked through in the time in which one entry is found
SECOND = slice(8, 12)  # of an entry: that of its mtime
SIZE, STAMP = slice(36, 40), slice(8, 16)  # of an entry: the file's size and mtime

# index -> its key as this process left it, and the paths of the entries that are young in it: looking for those takes
# 3 ms at 100,000 files, and between two writes of one process nothing else can have become young.
_left: dict[str, tuple[Key, list[bytes]]] = {}


class Draft:
    """A new index: ``write`` what is known of it, then ``finish``.  What can go wrong does so when it is made."""

    __slots__ = ("_hash", "_late", "_path", "_pieces", "_places", "_young")

    def __init__(
        self, index: GitIndex, entries: Mapping[bytes, tuple[int, str] | None], places: Places, look: Look
    ) -> None:
        """The index with other entries.

        entries: path -> mode and blob id, None to take it out
        places:  what became of the trees on those paths; a folder left out is looked at by git again
        look:    the stat of a work file, for entries so young that git would compare their content
        raises:  RepositoryBusy when something staged stands in the way of a new path; ValueError for a damaged index
        """
        edits: list[tuple[int, int, bytes, bytearray]] = []
        grown: dict[bytes, int] = {}
        count = index.count
        for path, entry in entries.items():
            at, old = index.find(path)
            new = entry_bytes(path, None, *entry) if entry is not None else b""
            if new and not old:
                _check_way(index, path, at)
            if new and old:
                new = with_marks(new, index.data[old[0].start : old[0].stop])
            edits.append((at, old[-1].stop if old else at, path, bytearray(new)))
            more = bool(new) - len(old)
            count += more
            for folder in folders_of(path):
                grown[folder] = grown.get(folder, 0) + more
        young = [(one.path, index.data[one.start : one.stop], one) for one in _young(index) if one.path not in entries]
        edits += [(one.start, one.stop, path, bytearray(raw)) for path, raw, one in young]
        self._late = {path: entry for path, entry in entries.items() if entry is not None}
        self._young, self._path = {path: raw[STAMP] for path, raw, _ in young}, index.path
        self._places: dict[bytes, tuple[int, bytearray]] = {}
        self._pieces = self._joined(index, sorted(edits), count, trees_after(index.trees, places, grown))
        self._smudge(look)

    def _joined(
        self, index: GitIndex, edits: list[tuple[int, int, bytes, bytearray]], count: int, trees: CachedTree | None
    ) -> list[bytes | bytearray | memoryview]:
        pieces: list[bytes | bytearray | memoryview] = [b"DIRC" + struct.pack(">LL", index.version, count)]
        view, done, moved = memoryview(index.data), HEAD_BYTES, 0
        for start, stop, path, new in edits:
            pieces += [view[done:start], new]
            self._places[path] = start + moved, new
            moved += len(new) - (stop - start)
            done = stop
        pieces.append(view[done : index.end])
        if trees is not None:
            body = b"".join(tree_pieces(b"", trees))
            pieces.append(b"TREE" + struct.pack(">L", len(body)) + body)
        if index.resolved:
            pieces.append(b"REUC" + struct.pack(">L", len(index.resolved)) + index.resolved)
        return pieces

    def _smudge(self, look: Look) -> list[bytes]:
        """Make the size 0 of young entries whose file is another one by now; their paths.

        git trusts an entry that is older than the index.  Ours makes the index younger, so an edit of equal length in
        the second of the last one would go unseen for good; git itself does the same (racy-git).
        """
        changed = []
        for path, stamp in list(self._young.items()):
            found = look(path)
            if found is None or entry_bytes(path, found, 0, "")[STAMP] != stamp:
                self._places[path][1][SIZE] = bytes(4)
                changed.append(path)
                del self._young[path]
        return changed

    @property
    def size(self) -> int:
        """Bytes of the index without its hash."""
        return sum(map(len, self._pieces))

    def write(self, fd: int) -> None:
        """Write all that is known, and begin to hash it."""
        late = {id(self._places[path][1]) for path in self._late}
        known = next((at for at, piece in enumerate(self._pieces) if id(piece) in late), len(self._pieces))
        self._hash = _Hash(self._pieces, known)
        for piece in self._pieces if self.size > JOINED else [b"".join(self._pieces)]:
            write_all(fd, piece)

    def finish(self, fd: int, stat: Look, look: Look) -> None:
        """Write the rest in its places; ``fd`` is open where ``write`` was, or holds a copy of that.

        stat: the stat of a file that was written; None makes git compare its content
        """
        changed = self._smudge(look)
        digest = self._hash.anew() if changed else self._hash
        for path, entry in self._late.items():
            found = stat(path)
            if found is not None:
                self._places[path][1][:STAT_BYTES] = entry_bytes(path, found, *entry)[:STAT_BYTES]
                changed.append(path)
        for path in changed:
            at, piece = self._places[path]
            os.lseek(fd, at, os.SEEK_SET)
            write_all(fd, piece)
        os.lseek(fd, digest.size, os.SEEK_SET)
        write_all(fd, digest.finish())

    def published(self, key: Key) -> None:
        """The index is where it was read, and has this key now."""
        second = (key[1] // 10**9 & LOW).to_bytes(4, "big") if key else b""
        _left[self._path] = (
            key,
            [path for path in (*self._late, *self._young) if self._places[path][1][SECOND] == second],
        )


def _young(index: GitIndex) -> list[Entry]:
    """Entries whose file changed in the second the index was written."""
    key, paths = _left.get(index.path, (None, []))
    if key is None or key != index.key or len(paths) * FIND_BYTES > len(index.data):
        return index.young()
    return [entry for path in paths for entry in index.find(path)[1]]


class _Hash:
    """The hash of pieces, of the first ones beside other work when they are large.

    size: bytes of all the pieces
    """

    __slots__ = ("_done", "_known", "_pieces", "_total", "size")

    def __init__(self, pieces: Sequence[bytes | bytearray | memoryview], known: int) -> None:
        """known: number of pieces that stay as they are until ``finish``, and after"""
        self._pieces, self._known, self._done = pieces, known, allocate_lock()
        self.size = sum(map(len, pieces))
        self._total = new_sha1(self.size)
        self._done.acquire()
        if self.size < LARGE:
            self._update()
        else:
            start_new_thread(self._update, ())

    def _update(self) -> None:
        try:
            for piece in self._pieces[: self._known]:
                self._total.update(piece)
        finally:
            self._done.release()

    def anew(self) -> _Hash:
        """For pieces that changed against what was said."""
        return _Hash(self._pieces, 0)

    def finish(self) -> bytes:
        self._done.acquire()
        for piece in self._pieces[self._known :]:
            self._total.update(piece)
        return self._total.digest()


def _check_way(index: GitIndex, path: bytes, at: int) -> None:
    """A file and a folder of one name cannot both be in an index.

    at: where ``path`` would stand
    """
    ways = [folder for folder in folders_of(path)[1:] if not is_known(index.trees, folder) and index.find(folder)[1]]
    below = index.entry(at)
    if below is not None and below.path < path + b"/":
        below = index.entry(index.find(path + b"/")[0])
    if below is not None and below.path.startswith(path + b"/"):
        ways.append(below.path)
    if ways:
        raise RepositoryBusy(
            f"{decode(ways[0])} is staged and stands in the way of {decode(path)}; nothing was written",
            hint=f"git restore --staged -- {typed(decode(ways[0]))}",
        )
