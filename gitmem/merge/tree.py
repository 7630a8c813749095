"""Two states of one store made one: every file matched, merged and given a place.

Pure: trees come as dicts, texts by a callable, and the result is what has to change.  Merging A into B gives the
files that merging B into A gives, and every text of either side stands in the result or in a conflict.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain

from gitmem.dataclass import dataclass, field, replace
from gitmem.memory.document import blob_id
from gitmem.memory.name import twin_key
from gitmem.merge.file import merge_file
from gitmem.merge.match import Read, Texts, Trio, are_two, changed_paths, match_with
from gitmem.merge.place import Wish, places
from gitmem.merge.text import readable
from gitmem.store.paths import ARCHIVE, INDEX_FILE

Tree = Mapping[str, tuple[int, str]]  # path -> mode and blob id
Kind = tuple[int, str]
Locks = Sequence[Collection[str]]  # the paths that base, ours and theirs lock, as keys

REGULAR = (0o100644, 0o100755)
CHANGED_REMOVED = "removed on one side, changed on the other; the change stands"
CHANGED_ARCHIVED = "archived on one side, changed on the other; the change stands"
LOCKED_REMOVED = "removed on one side, locked on the other, so it stays"
LOCKED_ARCHIVED = "archived on one side, locked on the other, so it stays"
STANDS = (CHANGED_REMOVED, CHANGED_ARCHIVED, LOCKED_REMOVED, LOCKED_ARCHIVED)  # the one side took away, and it is there


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the result.  data: its bytes where they are neither side's, else None."""

    mode: int
    blob: str
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Conflict:
    """One file that could not merge in every part.

    path:  where it stands in the result
    base, ours, theirs: blob ids, "" where a tree does not have the file
    words: what could not merge
    kept:  "ours" or "theirs": whose version of that stands in the result
    """

    path: str
    base: str
    ours: str
    theirs: str
    words: tuple[str, ...]
    kept: str


@dataclass(frozen=True, slots=True)
class TreeMerge:
    """What two trees make.

    changes:   path -> its new file, None for a path that goes; against ours
    conflicts: ordered by path
    moved:     (path a file had, path it got) where a name was taken by another one
    named:     files that a tree has under another path, and the path of each in the result
    """

    changes: dict[str, Entry | None]
    conflicts: tuple[Conflict, ...]
    moved: tuple[tuple[str, str], ...]
    named: tuple[tuple[Trio, str], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One file of the result before it has its place, and the conflict about it, if any, without a path."""

    trio: Trio
    path: str
    entry: Entry
    known: bool
    conflict: Conflict | None = None


@dataclass(slots=True)
class Trees:
    """One merge of three trees."""

    base: Tree
    ours: Tree
    theirs: Tree
    texts: Texts
    index_file: str
    locks: Locks
    found: list[Found] = field(default_factory=list)

    def add(self, trio: Trio) -> None:
        """Put what ``trio`` becomes into ``found``."""
        old, one, two = self.base.get(trio.base), self.ours.get(trio.ours), self.theirs.get(trio.theirs)
        if one is None or two is None:
            self._one_sided(trio, old, one, two)
        elif _is_archived(trio.ours) != _is_archived(trio.theirs) and trio.base and not _is_archived(trio.base):
            self._archived(trio, old, one, two)
        elif self._are_two(trio, one, two):
            self._apart(trio, one, two)
        else:
            self._both(trio, old, one, two)

    def _one_sided(self, trio: Trio, old: Kind | None, one: Kind | None, two: Kind | None) -> None:
        left, (path, is_locked) = one or two, self._active(trio, is_ours=one is not None)
        is_as_it_was = left == old and path == trio.base
        if left is None or (is_as_it_was and not is_locked):
            return
        conflict = None
        if old is not None:
            words = LOCKED_REMOVED if is_as_it_was else CHANGED_REMOVED
            conflict = _conflict(old, one, two, (words,), "ours" if one else "theirs")
        self._put(trio, path, Entry(*left), conflict)

    def _archived(self, trio: Trio, old: Kind | None, one: Kind, two: Kind) -> None:
        """Archived on one side: that holds unless the other side changed, renamed or locked the memory."""
        kept, left = ("theirs", two) if _is_archived(trio.ours) else ("ours", one)
        path, is_locked = self._active(trio, is_ours=kept == "ours")
        is_as_it_was = (path, left) == (trio.base, old)
        if is_as_it_was and not is_locked:
            archived = (trio.ours, one) if kept == "theirs" else (trio.theirs, two)
            self._put(trio, archived[0], Entry(*archived[1]), None)
        else:
            words = LOCKED_ARCHIVED if is_as_it_was else CHANGED_ARCHIVED
            self._put(trio, path, Entry(*left), _conflict(old, one, two, (words,), kept))

    def _active(self, trio: Trio, *, is_ours: bool) -> tuple[str, bool]:
        """The path on the side that did not take the memory away, and whether that side locked it since the base."""
        path = trio.ours if is_ours else trio.theirs
        old, own = twin_key(trio.base), self.locks[1 if is_ours else 2]
        return path, old not in self.locks[0] and (old in own or twin_key(path) in own)

    def _are_two(self, trio: Trio, one: Kind, two: Kind) -> bool:
        """Whether a side has put another memory where this one stood."""
        if one[1] == two[1] or one[0] not in REGULAR or two[0] not in REGULAR:
            return False
        old = self.base.get(trio.base)
        if old and old[1] in (one[1], two[1]):
            return False
        return are_two(self.texts.id(trio.ours, one[1]), self.texts.id(trio.theirs, two[1]))

    def _apart(self, trio: Trio, one: Kind, two: Kind) -> None:
        old = self.base.get(trio.base)
        was = self.texts.id(trio.base, old[1]) if old else ""
        for part, kind in ((Trio("", trio.ours, ""), one), (Trio("", "", trio.theirs), two)):
            path = part.ours or part.theirs
            same = bool(was) and self.texts.id(path, kind[1]) == was
            self.found.append(Found(part, path, Entry(*kind), known=same and path == trio.base))

    def _both(self, trio: Trio, old: Kind | None, one: Kind, two: Kind) -> None:
        path, words, kept = _path(trio)
        mode = _mode(old, one, two)
        entry, said, side = self._content(path, old, one, two, mode)
        conflict = _conflict(old, one, two, (*said, *words), side or kept) if said or words else None
        self._put(trio, path, entry, conflict)

    def _content(
        self, path: str, old: Kind | None, one: Kind, two: Kind, mode: int
    ) -> tuple[Entry, tuple[str, ...], str]:
        """The merged file, what could not merge in it, and whose version of that stands."""
        if any(kind[0] not in REGULAR for kind in (one, two)):
            if one == two or old == two:
                return Entry(*one), (), ""
            if old == one:
                return Entry(*two), (), ""
            taken = max(one, two)
            return (
                Entry(*taken),
                ("the whole file (a link or another kind of file)",),
                "ours" if taken == one else "theirs",
            )
        if one[1] == two[1] or (old and old[1] == two[1]):
            return Entry(mode, one[1]), (), ""
        if old and old[1] == one[1]:
            return Entry(mode, two[1]), (), ""
        base = self.texts.data(old[1]) if old and old[0] in REGULAR else None
        merged = merge_file(path, base, self.texts.data(one[1]), self.texts.data(two[1]), self.index_file)
        blob = blob_id(merged.data)
        return Entry(mode, blob, None if blob in (one[1], two[1]) else merged.data), merged.conflicts, merged.kept

    def _put(self, trio: Trio, path: str, entry: Entry, conflict: Conflict | None) -> None:
        self.found.append(Found(trio, path, entry, path == trio.base, conflict))


def merge_trees(
    base: Tree, ours: Tree, theirs: Tree, read: Read, index_file: str = INDEX_FILE, locks: Locks = ((), (), ())
) -> TreeMerge:
    """What turns ``ours`` into both.

    base:       {} for histories that never met
    read:       blob id -> its bytes; asked only for files that changed
    index_file: the store's list of memories
    """
    trees = Trees(base, ours, theirs, Texts(read), index_file, locks)
    trios = _trios(base, ours, theirs, trees.texts)
    for trio in trios:
        trees.add(trio)
    found = trees.found
    wishes = [Wish(each.path, each.known, each.entry.blob) for each in found]
    placed = list(zip(places(wishes, chain(base, ours, theirs)), found, strict=True))
    files = {path: each.entry for path, each in placed}
    changes: dict[str, Entry | None] = {trio.ours: None for trio in trios if trio.ours and trio.ours not in files}
    changes |= {path: entry for path, entry in files.items() if ours.get(path) != (entry.mode, entry.blob)}
    conflicts = [replace(each.conflict, path=path) for path, each in placed if each.conflict]
    moved = sorted((each.path, path) for path, each in placed if path != each.path)
    named = [(each.trio, path) for path, each in placed if not {*_paths(each.trio)} <= {path, ""}]
    return TreeMerge(changes, tuple(sorted(conflicts, key=lambda each: each.path)), tuple(moved), tuple(named))


def _trios(base: Tree, ours: Tree, theirs: Tree, texts: Texts) -> list[Trio]:
    """Plain files matched by what they hold; links, modes and other kinds by their path alone."""
    changed = changed_paths(base, ours) | changed_paths(base, theirs)
    trios = match_with(_plain(base, changed), _plain(ours, changed), _plain(theirs, changed), texts)
    olds, ones, twos = {trio.base for trio in trios}, {trio.ours for trio in trios}, {trio.theirs for trio in trios}
    for path in sorted(changed):
        places_left = [
            path if path in tree and path not in seen else ""
            for tree, seen in ((base, olds), (ours, ones), (theirs, twos))
        ]
        if any(places_left):
            trios.append(Trio(*places_left))
    return trios


def _plain(tree: Tree, paths: set[str]) -> dict[str, str]:
    """The blobs at ``paths`` that are plain files; what did not change is no matter of a match."""
    return {path: tree[path][1] for path in paths if path in tree and tree[path][0] in REGULAR}


def _paths(trio: Trio) -> tuple[str, str, str]:
    return trio.base, trio.ours, trio.theirs


def _path(trio: Trio) -> tuple[str, tuple[str, ...], str]:
    """Where a file stands that both sides have; the words and the kept side when both gave it another name."""
    if trio.ours in (trio.theirs, trio.base):
        return trio.theirs, (), ""
    if trio.theirs == trio.base:
        return trio.ours, (), ""
    path, other = sorted((trio.ours, trio.theirs), key=lambda path: (_is_archived(path), path))
    said = f'both sides renamed it: "{path}" stands, "{other}" is gone'
    return path, (readable(said),), "ours" if path == trio.ours else "theirs"


def _mode(old: Kind | None, one: Kind, two: Kind) -> int:
    if old and one[0] == old[0]:
        return two[0]
    return one[0] if old and two[0] == old[0] else max(one[0], two[0])


def _conflict(old: Kind | None, one: Kind | None, two: Kind | None, words: tuple[str, ...], kept: str) -> Conflict:
    """A conflict about a file that has no place yet."""
    base, ours, theirs = (kind[1] if kind else "" for kind in (old, one, two))
    return Conflict("", base, ours, theirs, words, kept)


def _is_archived(path: str) -> bool:
    return path.startswith(ARCHIVE + "/")
