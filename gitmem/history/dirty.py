"""Memories whose work file is not what the last commit holds: edited, new, or deleted by hand."""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.history.convert import stored
from gitmem.history.gitindex import HEAD_BYTES, CannotPatch
from gitmem.history.indexentry import STAGE, STAT
from gitmem.history.objects import object_id
from gitmem.history.tree import FILES, decode, tree_files
from gitmem.store.settings import load_settings
from gitmem.store.worktree import list_memories

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.view import View

LOW = 0xFFFFFFFF


def dirty_memories(view: View) -> dict[str, bytes | None]:
    """path -> what git would store of the work file now, None where it was deleted.

    A file whose entry in git's index fits its stat is not read: 10,000 memories cost their 10,000 stats.
    """
    root = view.repo.root
    committed = {
        path: blob
        for path, (mode, blob) in tree_files(view.repo, view.head).items()
        if mode in FILES and path.endswith(".md")
    }
    settled = set(_unchanged(view, committed))
    left_out = load_settings(root).left_out()
    there = {entry.path for entry in list_memories(root, left_out).entries}
    found: dict[str, bytes | None] = {}
    for path in sorted((committed.keys() | there) - settled):
        try:
            data = view.read(path)
            now = stored(view, path, data) if data is not None else None
        except (GitmemError, OSError):  # a link, a folder, or what may not be read: not a memory to keep
            continue
        if (object_id("blob", now) if now is not None else None) != committed.get(path):
            found[path] = now
    return found


def _unchanged(view: View, committed: dict[str, str]) -> Iterator[str]:
    """Paths whose entry holds HEAD's blob and whose file has the entry's stat, written before the index was."""
    try:
        index = view.index()
    except CannotPatch:
        return
    root = os.fsencode(view.repo.root)
    for entry in index.walk(HEAD_BYTES, index.end):
        path = decode(entry.path)
        if path not in committed or entry.flags & STAGE:
            continue
        fields = STAT.unpack_from(index.data, entry.start)
        try:
            now = os.lstat(os.path.join(root, entry.path))
        except OSError:
            continue
        same = (now.st_mtime_ns // 10**9 & LOW, now.st_mtime_ns % 10**9, now.st_ino & LOW, now.st_size & LOW)
        is_old = now.st_mtime_ns // 10**9 < index.seconds  # a younger one may have changed after it was looked at
        if is_old and (fields[2], fields[3], fields[5], fields[9]) == same and fields[10].hex() == committed[path]:
            yield path
