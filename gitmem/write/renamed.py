"""Where memories are that were renamed or archived since, by a commit or by hand alone.

Which file is another one under a new name is what history/renames.py says, so that history and list agree.
"""

from __future__ import annotations

import os
from contextlib import suppress

from gitmem.errors import BadName, GitmemError
from gitmem.history.convert import stored
from gitmem.history.dirty import edited_memories
from gitmem.history.objects import object_id
from gitmem.history.renames import moves
from gitmem.history.repo import open_repo
from gitmem.history.trail import present_path
from gitmem.history.tree import decode, encode
from gitmem.history.view import Moved, View
from gitmem.memory.name import is_reserved
from gitmem.memory.own_id import own_id
from gitmem.store.paths import join
from gitmem.write.archive_find import is_archived
from gitmem.write.new_path import beside
from gitmem.write.shelved import shelved

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from gitmem.history.objects import Objects
    from gitmem.write.change import Reader


class _Texts:
    """The repository's objects, and texts that are none yet: one that is held back must not become one."""

    def __init__(self, objects: Objects, new: Mapping[str, bytes]) -> None:
        self.objects, self.new = objects, new

    def read(self, name: str, kind: str = "") -> bytes:
        return self.new[name] if name in self.new else self.objects.read(name, kind)


def renamed_among(view: View, paths: Iterable[str]) -> dict[str, str]:
    """Old path -> new path of those of ``paths`` that the person renamed since the last commit."""
    return _renamed(view, {path: view.read(path) for path in paths})


def renamed_on_disk(view: View) -> dict[str, str]:
    """Old path -> new path of every memory that the person renamed since the last commit."""
    dirty = edited_memories(view)
    return _renamed(view, dirty | shelved(view, dirty))


def _renamed(view: View, files: Mapping[str, bytes | None]) -> dict[str, str]:
    """The same of ``files``, given as they are now; what is the same memory at the same path is among them at will."""
    new: dict[str, bytes] = {}
    changed: dict[bytes, tuple[bytes, bytes]] = {}
    for path, data in files.items():
        if is_reserved(path):
            continue
        committed, kept = view.committed(path), stored(view, path, data) if data is not None else None
        blob = object_id("blob", kept) if kept is not None else ""
        if kept is not None:
            new[blob] = kept
        changed[encode(path)] = (bytes.fromhex(committed[1] if committed else ""), bytes.fromhex(blob))
    return {decode(old): decode(now) for now, old in moves(_Texts(view.repo.objects, new), changed).items()}


def names_now(root: str, paths: Iterable[str]) -> dict[str, str]:
    """What the memories are called whose files stood at ``paths`` and are gone: renamed by a commit, or only on disk.

    Without those that are archived, removed, or were never there; nothing for a folder without a history.
    """
    wanted = list(dict.fromkeys(paths))
    found: dict[str, str] = {}
    if not wanted:
        return found
    try:
        with open_repo(root) as repo:
            last = {path: present_path(repo, path) for path in wanted}
            by_hand: dict[str, str] = {}
            if not all(_is_there(root, now) for now in last.values()):
                with suppress(GitmemError, Moved):  # git is in the middle of something
                    by_hand = renamed_on_disk(View(repo, {}))
    except GitmemError:
        return found
    for path, now in last.items():
        now = now if _is_there(root, now) else by_hand.get(now, now)
        if now != path and _is_there(root, now) and not is_archived(now):
            found[path] = now
    return found


def present_place(reader: Reader, path: str, ids: Collection[str], since: str) -> str:
    """Where the memory lies now that was at ``path``; of one that is gone a path at which no file stands.

    ids:   that it may have: another memory may have the path by now; none where nobody knows
    since: a commit in which it stood there
    """
    if _holds(reader, path, ids):
        return path
    place = present_path(reader.repo, path, since)
    found = place if _holds(reader, place, ids) else reader.renamed().get(place, "")
    if found and _holds(reader, found, ids):
        return found
    for each in (place, path):  # what somebody wrote there without an id is no other memory
        if (data := reader.read(each)) is not None and not own_id(each, data):
            return each
    return path if reader.read(path) is None else beside(reader, path)


def _holds(reader: Reader, path: str, ids: Collection[str]) -> bool:
    """Whether the file at ``path`` is the memory of one of these ids, or may be where there are none."""
    try:
        data = reader.read(path)
    except BadName:  # a link, of which the writer tells
        return True
    return data is not None and (not ids or own_id(path, data) in ids)


def _is_there(root: str, path: str) -> bool:
    return os.path.lexists(join(root, path))
