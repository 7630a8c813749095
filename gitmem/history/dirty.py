"""Memories whose work file is not what the last commit holds: edited, new, or deleted by hand.

Every sync asks, so a file that git's index knows costs one stat and one look into a dictionary.
"""

from __future__ import annotations

import os
import struct

from gitmem.errors import GitmemError
from gitmem.history.convert import stored
from gitmem.history.gitindex import HEAD_BYTES, CannotPatch
from gitmem.history.indexentry import EXTENDED, FIXED, STAGE
from gitmem.history.objects import object_id
from gitmem.history.settings import settings_of
from gitmem.history.tree import FILES, decode, tree_files
from gitmem.store.paths import join
from gitmem.store.worktree import NAME, list_memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.gitindex import GitIndex
    from gitmem.history.view import View
    from gitmem.memory.finding import Finding
    from gitmem.store.worktree import Entry

    # Of an entry: ctime and mtime in seconds and nanoseconds, inode, mode, size, blob id, flags.
    Row = tuple[int, int, int, int, int, int, int, bytes, int]

ROW = struct.Struct(">LLLL4xLL8xL20sH")
LOW = 0xFFFFFFFF


def dirty_memories(view: View) -> dict[str, bytes | None]:
    """path -> what git would store of the work file now, None where it was deleted; not what git is to ignore."""
    return look(view)[0]


def edited_memories(view: View) -> dict[str, bytes | None]:
    """The same without what git was told to keep out of the folder: that is nobody's edit."""
    return {path: data for path, data in dirty_memories(view).items() if not view.keeps_out(path)}


def look(view: View) -> tuple[dict[str, bytes | None], list[Finding]]:
    """The same, and what is no memory although it looks like one, as a listing says it.

    A file whose entry in git's index fits its stat is not read: 10,000 memories cost their 10,000 stats.
    """
    root = view.repo.root
    rows, young = _rows(view)
    committed = _committed(view, rows)
    listing = list_memories(root, settings_of(root).left_out())
    there = {entry.path: entry for entry in listing.entries}
    unsettled = [
        path for path, entry in there.items() if path not in committed or not _fits(root, entry, rows.get(path), young)
    ]
    for path in committed.keys() - there.keys():
        if path not in rows or not _is_same(root, path, rows[path], young):
            unsettled.append(path)
    odd = [each.path for each in listing.skipped if each.rule == NAME]  # not read here, and on its way all the same
    unsettled += [path for path in odd if path not in committed]
    unsettled += [path for path in committed.keys() & rows.keys() if committed[path] != rows[path][7]]
    found: dict[str, bytes | None] = {}
    for path in sorted(set(unsettled)):
        try:
            data = view.read(path)
            now = stored(view, path, data) if data is not None else None
        except (GitmemError, OSError):  # a link, a folder, or what may not be read: not a memory to keep
            continue
        before = committed[path].hex() if path in committed else None
        if (object_id("blob", now) if now is not None else None) != before:
            found[path] = now
    new = [path for path in found if path not in committed and path not in rows]
    if new:
        from gitmem.history.workfiles import ignored_among  # most files that are not as git has them are known to it

        for path in ignored_among(view.repo, view.environ, new):
            del found[path]
    return found, listing.skipped


def _rows(view: View) -> tuple[dict[str, Row], int]:
    """The memories in git's index that are not unmerged, and its second; none when only git's program can read it."""
    try:
        index = view.index()
        return _memories(index), index.seconds
    except (CannotPatch, ValueError, struct.error):  # damaged: then every file is read
        return {}, 0


def _memories(index: GitIndex) -> dict[str, Row]:
    """raises: ValueError, struct.error for a damaged index"""
    data, at, end = index.data, HEAD_BYTES, index.end
    rows: dict[str, Row] = {}
    while at < end:
        row: Row = ROW.unpack_from(data, at)
        start = at + (FIXED + 2 if row[8] & EXTENDED else FIXED)
        stop = data.index(b"\0", start)
        if data[stop - 3 : stop] == b".md" and not row[8] & STAGE:
            rows[decode(data[start:stop])] = row
        at += (stop - at + 8) & ~7
    return rows


def _committed(view: View, rows: dict[str, Row]) -> dict[str, bytes]:
    """Every memory of the last commit: path -> blob id.  An index that holds just its tree says as much."""
    if rows and (trees := view.index().trees) is not None and trees.id == view.tree:
        return {path: row[7] for path, row in rows.items() if row[5] in FILES}
    every = tree_files(view.repo, view.head).items()
    return {path: bytes.fromhex(blob) for path, (mode, blob) in every if mode in FILES and path.endswith(".md")}


def _fits(root: str, entry: Entry, row: Row | None, young: int) -> bool:
    """Whether the file is as it was when its entry in git's index was made, and older than the index.

    A younger one may have changed after git looked at it.  Where ctime says otherwise the inode is asked too.
    """
    if row is None:
        return False
    second, rest = divmod(entry.mtime_ns, 10**9)
    if second >= young or row[2] != second & LOW or row[3] != rest or row[6] != entry.size & LOW:
        return False
    second, rest = divmod(entry.ctime_ns, 10**9)
    return (row[0] == second & LOW and row[1] == rest) or _is_same(root, entry.path, row, young)


def _is_same(root: str, path: str, row: Row, young: int) -> bool:
    """As ``_fits``, by the inode and a stat of its own."""
    try:
        now = os.lstat(join(root, path))
    except OSError:
        return False
    second, rest = divmod(now.st_mtime_ns, 10**9)
    return second < young and row[2:5] == (second & LOW, rest, now.st_ino & LOW) and row[6] == now.st_size & LOW
