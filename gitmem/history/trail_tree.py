"""Which files differ between two trees, fast enough for a whole history.

Two neighbours in a history differ in one entry of a thousand, so a large tree is not parsed: what both have in
common at their beginning and end is skipped, and only the entries between are looked at.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from gitmem.errors import RepositoryDamaged
from gitmem.history.tree import is_folder, parse, shared_start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.objects import Objects
    from gitmem.history.tree import Entries

SMALL = 400  # bytes of a tree up to which both are simply parsed
KEPT = 256  # large trees whose entries' places are remembered
PLAIN_MODES = (b"100644", b"100664")
NOTHING = b""

Changed = dict[bytes, tuple[bytes, bytes]]  # path -> state before and after


def state(mode: bytes, blob: bytes) -> bytes:
    """What stands at a path, as one value: 20 bytes of the id, and the mode where it is not a plain file's."""
    return blob if mode in PLAIN_MODES else blob + mode


def revision_of(found: bytes) -> str:
    """The blob id in a state as hex, "" for no file."""
    return found[:20].hex()


def is_plain(found: bytes) -> bool:
    """Whether a state is a file that can be read: no link, no submodule, not nothing."""
    return len(found) == 20 or found[20:] == b"100755"


class TreeDiffs:
    """Differences between trees of one repository; what was read for one helps with the next."""

    __slots__ = ("_places", "objects")

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self._places: dict[str, list[int]] = {}

    def between(self, old: str, new: str) -> Changed:
        """Every file that differs between two trees; "" is the empty tree, as a state it is no file.

        raises: RepositoryDamaged
        """
        changed: Changed = {}
        waiting = [(b"", old, new)]
        while waiting:
            folder, old, new = waiting.pop()
            before, after = self._entries(old, new)
            for name in {name for name, _ in before.items() ^ after.items()}:
                was, now = before.get(name), after.get(name)
                path = folder + name
                if (was and is_folder(was[0])) or (now and is_folder(now[0])):
                    old_folder = was[1].hex() if was and is_folder(was[0]) else ""
                    new_folder = now[1].hex() if now and is_folder(now[0]) else ""
                    if old_folder != new_folder:
                        waiting.append((path + b"/", old_folder, new_folder))
                old_state = state(*was) if was and not is_folder(was[0]) else NOTHING
                new_state = state(*now) if now and not is_folder(now[0]) else NOTHING
                if old_state != new_state:
                    changed[path] = (old_state, new_state)
        return changed

    def _entries(self, old: str, new: str) -> tuple[Entries, Entries]:
        """Entries of both trees without most of those they share."""
        before = self.objects.read(old, "tree") if old else b""
        after = self.objects.read(new, "tree") if new else b""
        if len(before) < SMALL or len(after) < SMALL:
            return parse(before), parse(after)
        known, other = (old, new) if old in self._places else (new, old)
        here, there = (before, after) if known == old else (after, before)
        places = self._places.get(known)
        if places is None:
            places = self._remember(known, _places(here, 0, len(here)))
        same = shared_start(here, there)
        tail = _shared_end(here, there, min(len(here), len(there)) - same)
        first = bisect_right(places, same) - 1 if places else 0
        last = bisect_left(places, len(here) - tail)
        start, end = places[first] if places else 0, places[last] if last < len(places) else len(here)
        shift = len(there) - len(here)
        try:
            middle = _places(there, start, end + shift)
        except RepositoryDamaged:  # what is shared at the end begins inside a name there
            return parse(before), parse(after)
        self._remember(other, [*places[:first], *middle, *(place + shift for place in places[last:])])
        mine, others = parse(here[start:end]), parse(there[start : end + shift])
        return (mine, others) if known == old else (others, mine)

    def _remember(self, tree: str, places: list[int]) -> list[int]:
        if len(self._places) >= KEPT:
            del self._places[next(iter(self._places))]
        self._places[tree] = places
        return places


def _places(raw: bytes, at: int, end: int) -> list[int]:
    """Where the entries begin between two places of a tree."""
    places: list[int] = []
    add, find = places.append, raw.index
    try:
        while at < end:
            add(at)
            at = find(b"\0", at) + 21
    except ValueError:
        at = -1
    if at != end:
        raise RepositoryDamaged("a tree object is cut short", hint="git fsck")
    return places


def _shared_end(one: bytes, other: bytes, most: int) -> int:
    """Number of bytes, at most ``most``, both end with."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        if one[len(one) - middle : len(one) - low] == other[len(other) - middle : len(other) - low]:
            low = middle
        else:
            high = middle - 1
    return low
