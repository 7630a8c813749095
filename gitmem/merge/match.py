"""Which file of three trees is which: renames found as git finds them, but by a memory's id first.

Looked at is what one side removed and added, and where another memory stands under an old name now; of that only what
is left after each step is read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from gitmem.dataclass import dataclass, field
from gitmem.limits import MAX_RENAME_PAIRS, RENAME_ALIKE
from gitmem.memory.own_id import own_id
from gitmem.store.paths import ARCHIVE

Blobs = Mapping[str, str]  # path -> blob id
Read = Callable[[str], bytes]  # blob id -> its bytes


@dataclass(frozen=True, slots=True)
class Trio:
    """One file: its path in the base and on each side, "" where it is not."""

    base: str
    ours: str
    theirs: str


@dataclass(slots=True)
class Texts:
    """What has been read of blobs, each once."""

    read: Read
    bytes_of: dict[str, bytes] = field(default_factory=dict)
    ids: dict[str, str] = field(default_factory=dict)
    weighed: dict[str, Counter[bytes]] = field(default_factory=dict)

    def data(self, blob: str) -> bytes:
        if blob not in self.bytes_of:
            self.bytes_of[blob] = self.read(blob)
        return self.bytes_of[blob]

    def id(self, path: str, blob: str) -> str:
        """The ``metadata.id`` of the memory, "" for none."""
        if not path.lower().endswith(".md"):
            return ""
        if blob not in self.ids:
            self.ids[blob] = own_id(path, self.data(blob))
        return self.ids[blob]

    def alike(self, one: str, two: str) -> float:
        """The share of the larger blob's bytes that stand in lines of both, 0..1."""
        first, second = self.data(one), self.data(two)
        larger = max(len(first), len(second))
        if min(len(first), len(second)) < larger * RENAME_ALIKE or not larger:
            return 0.0
        shared = self._lines(one) & self._lines(two)
        return sum(len(line) * times for line, times in shared.items()) / larger

    def _lines(self, blob: str) -> Counter[bytes]:
        if blob not in self.weighed:
            self.weighed[blob] = Counter(self.data(blob).replace(b"\r\n", b"\n").splitlines(keepends=True))
        return self.weighed[blob]


def match(base: Blobs, ours: Blobs, theirs: Blobs, read: Read) -> list[Trio]:
    """Every file that is not the same in all three trees, ordered by its paths."""
    return match_with(base, ours, theirs, Texts(read))


def match_with(base: Blobs, ours: Blobs, theirs: Blobs, texts: Texts) -> list[Trio]:
    """The same with texts that are read already."""
    changed = changed_paths(base, ours) | changed_paths(base, theirs)
    one, two = renames(base, ours, texts), renames(base, theirs, texts)
    trios: list[Trio] = []
    for path in changed & base.keys():
        here, there = (found.get(path, path if path in side else "") for found, side in ((one, ours), (two, theirs)))
        trios.append(Trio(path, here, there))
    new_one, new_two = (
        {path for path in changed & side.keys() if path not in base or path in found} - set(found.values())
        for found, side in ((one, ours), (two, theirs))
    )
    shared = _made_twice(new_one, new_two, ours, theirs, texts)
    trios += [Trio("", here, there) for here, there in shared]
    trios += [Trio("", path, "") for path in new_one - {here for here, _ in shared}]
    trios += [Trio("", "", path) for path in new_two - {there for _, there in shared}]
    return sorted(trios, key=lambda trio: (trio.base, trio.ours, trio.theirs))


def changed_paths(base: Mapping[str, object], side: Mapping[str, object]) -> set[str]:
    """The paths that are not the same in both."""
    return {path for path, what in side.items() if base.get(path) != what} | (base.keys() - side.keys())


def renames(base: Blobs, side: Blobs, texts: Texts) -> dict[str, str]:
    """Old path -> new path of what ``side`` renamed: by id, by the same bytes, by half of the lines.

    "" for a memory that is gone while another one has its path.
    """
    gone, new = base.keys() - side.keys(), side.keys() - base.keys()
    found: dict[str, str] = {}

    def settle(pairs: Iterable[tuple[str, str]]) -> None:
        for old, path in pairs:
            if old in gone and path in new:
                found[old] = path
                gone.remove(old)
                new.remove(path)

    if gone and new:  # the same bytes once on either side leave no question, and need not be read
        settle(_by(lambda path: base[path], lambda path: side[path], gone, new))
    other = _exchanged(base, side, gone, new, texts)
    if (gone and new) or other:
        olds, news = gone | other, new | other
        pairs = _by(lambda path: texts.id(path, base[path]), lambda path: texts.id(path, side[path]), olds, news)
        left = {path for pair in pairs for path in pair} & other  # the others keep their path, whatever their id is
        gone |= left
        new |= left
        settle(pairs)
    if gone and new:  # an archived memory keeps its path below the archive, whatever its marks do to its lines
        settle((path, f"{ARCHIVE}/{path}") for path in sorted(gone))
        settle((f"{ARCHIVE}/{path}", path) for path in sorted(new))
    if gone and new:
        settle(_same_bytes(base, side, gone, new))
    if gone and new:
        settle(_alike(base, side, gone, new, texts))
    return found | dict.fromkeys(gone & side.keys(), "")


def _exchanged(base: Blobs, side: Blobs, gone: set[str], new: set[str], texts: Texts) -> set[str]:
    """The paths whose memory has another id than before; none where there is no other path it may have gone to."""
    same = {path for path in base.keys() & side.keys() if base[path] != side[path]}
    if not same or not (gone or new or len(same) > 1):
        return set()
    return {path for path in same if texts.id(path, base[path]) != texts.id(path, side[path])}


def _by(
    old_key: Callable[[str], str], new_key: Callable[[str], str], gone: set[str], new: set[str]
) -> list[tuple[str, str]]:
    """The pairs whose key, not empty, stands once on either side."""
    olds, news = _once(old_key, gone), _once(new_key, new)
    return [(olds[key], news[key]) for key in olds.keys() & news.keys()]


def _once(key_of: Callable[[str], str], paths: Iterable[str]) -> dict[str, str]:
    groups: dict[str, list[str]] = {}
    for path in paths:
        groups.setdefault(key_of(path), []).append(path)
    return {key: group[0] for key, group in groups.items() if key and len(group) == 1}


def _same_bytes(base: Blobs, side: Blobs, gone: set[str], new: set[str]) -> list[tuple[str, str]]:
    """Pairs of equal bytes where several files have them: those of one file name first."""
    groups: dict[str, list[str]] = {}
    for path in sorted(new):
        groups.setdefault(side[path], []).append(path)
    pairs: list[tuple[str, str]] = []
    for same_name in (True, False):
        taken = {old for old, _ in pairs}
        for old in sorted(gone - taken):
            group = groups.get(base[old], [])
            path = next((path for path in group if not same_name or _name(path) == _name(old)), "")
            if path:
                group.remove(path)
                pairs.append((old, path))
    return pairs


def _alike(base: Blobs, side: Blobs, gone: set[str], new: set[str], texts: Texts) -> list[tuple[str, str]]:
    """Pairs that share at least half of their lines, the likest first; two memories of different ids never."""
    few = len(gone) * len(new) <= MAX_RENAME_PAIRS
    scores: list[tuple[float, bool, str, str]] = []
    for old in gone:
        for path in new:
            same_name = _name(old) == _name(path)
            if not (few or same_name) or old.lower().endswith(".md") != path.lower().endswith(".md"):
                continue
            one, two = texts.id(old, base[old]), texts.id(path, side[path])
            if one and two and one != two:
                continue
            score = texts.alike(base[old], side[path])
            if score >= RENAME_ALIKE:
                scores.append((-score, not same_name, old, path))
    return [(old, path) for _, _, old, path in sorted(scores)]


def _made_twice(
    new_one: set[str], new_two: set[str], ours: Blobs, theirs: Blobs, texts: Texts
) -> list[tuple[str, str]]:
    """Files that both sides added and that are one: of the same id, or of the same path unless their ids differ."""
    if not new_one or not new_two:
        return []
    pairs = [
        (path, path)
        for path in new_one & new_two
        if ours[path] == theirs[path] or not are_two(texts.id(path, ours[path]), texts.id(path, theirs[path]))
    ]
    taken = {path for path, _ in pairs}
    apart = _by(
        lambda path: texts.id(path, ours[path]),
        lambda path: texts.id(path, theirs[path]),
        new_one - taken,
        new_two - taken,
    )
    return pairs + apart


def are_two(one: str, two: str) -> bool:
    """Whether two ids say that these are two memories."""
    return bool(one and two and one != two)


def _name(path: str) -> str:
    return path.rpartition("/")[2]
