"""Which commit wrote each line of a memory, across renames and merges, as ``git blame`` says it."""

from __future__ import annotations

from difflib import SequenceMatcher
from heapq import heappop, heappush

from gitmem.dataclass import dataclass
from gitmem.errors import NotFound
from gitmem.history.trail import ask
from gitmem.history.trail_walk import routes_of
from gitmem.history.tree import decode, encode
from gitmem.memory.document import decode as text_of
from gitmem.memory.document import decode_line, read_bom
from gitmem.store.paths import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.history.repo import Repo
    from gitmem.history.trail_build import Progress
    from gitmem.history.trail_plain import PlainSource
    from gitmem.history.trail_source import TrailSource
    from gitmem.history.trail_walk import Place, Touch

    Lines = list[bytes]
    Waiting = dict[tuple[str, bytes], tuple[Touch, list[tuple[int, int]]]]

MAX_EDITS = 400  # changed lines up to which the shortest edit is sought; its cost grows with the square


@dataclass(frozen=True, slots=True)
class Blamed:
    """One line of a memory and the commit that wrote it.

    number: in the memory, 1-based; path: what the memory was called then
    when:   committer's time, UTC unix seconds
    """

    number: int
    text: str
    commit: str
    when: int
    author: str
    subject: str
    path: str


def blame(repo: Repo, path: str, commit: str, progress: Progress | None = None) -> list[Blamed]:
    """Every line of the memory that stands at ``path`` in ``commit``, with who wrote it.

    progress: called with (done, total) commits while the history index is filled
    raises:   NotFound when it is not there
    """

    def question(source: TrailSource | PlainSource) -> list[Blamed] | None:
        place = source.place(commit)
        touch = source.touch(place, encode(path)) if place is not None else None
        return _Blame(repo, source).lines(touch) if touch is not None and touch.after else None

    found = ask(repo, question, commit, progress)
    if found is None:
        raise NotFound(f"{path} was not there at {commit[:10]}", hint=f"gitmem history {typed(path)}")
    return found


class _Blame:
    """Lines on their way back to the commits that wrote them; each line goes to one parent, or stays."""

    __slots__ = ("_texts", "repo", "source")

    def __init__(self, repo: Repo, source: TrailSource | PlainSource) -> None:
        self.repo, self.source = repo, source
        self._texts: dict[str, Lines] = {}

    def lines(self, touch: Touch) -> list[Blamed]:
        text = self._read(touch)
        writers: list[Touch] = [touch] * len(text)
        waiting: Waiting = {(touch.commit, touch.path): (touch, [(at, at) for at in range(len(text))])}
        order = [(-touch.order, touch.commit, touch.path)]
        while order:
            _, commit, path = heappop(order)
            touch, lines = waiting.pop((commit, path))
            for number, _ in lines:
                writers[number] = touch
            for parent, left in self._passed_on(touch, lines):
                key = (parent.commit, parent.path)
                if key in waiting:
                    waiting[key][1].extend(left)
                else:
                    waiting[key] = (parent, left)
                    heappush(order, (-parent.order, *key))
        return [_blamed(at, line, writer) for at, (line, writer) in enumerate(zip(text, writers, strict=True), 1)]

    def _passed_on(self, touch: Touch, lines: list[tuple[int, int]]) -> list[tuple[Touch, list[tuple[int, int]]]]:
        """The lines a parent has already, with the commit that gave them to it."""
        passed = []
        for place, name in routes_of(self.source, touch):
            parent = self._at(place, name)
            if parent is None or not lines:
                continue
            same = dict(matched(self._read(touch), self._read(parent)))
            if left := [(number, same[at]) for number, at in lines if at in same]:
                passed.append((parent, left))
                lines = [(number, at) for number, at in lines if at not in same]
        return passed

    def _at(self, place: Place, path: bytes) -> Touch | None:
        touch = self.source.touch(place, path)
        return touch if touch is not None and touch.after else None

    def _read(self, touch: Touch) -> Lines:
        if touch.revision not in self._texts:
            data = self.repo.objects.read(touch.revision, "blob")
            if read_bom(data)[1].startswith("utf-16"):
                data = text_of(data, "")[0].encode("utf-8", "surrogatepass")
            self._texts[touch.revision] = data.splitlines(keepends=True)  # as lines are counted everywhere
        return self._texts[touch.revision]


def _blamed(number: int, line: bytes, writer: Touch) -> Blamed:
    text = decode_line(line).rstrip("\r\n")
    subject = writer.message.strip("\n").partition("\n")[0]
    return Blamed(number, text, writer.commit, writer.when, writer.author, subject, decode(writer.path))


def matched(new: Sequence[bytes], old: Sequence[bytes]) -> list[tuple[int, int]]:
    """Places of the lines both texts have, in order: as many as can be, inserted and removed runs as low as can be."""
    start, end = 0, 0
    most = min(len(new), len(old))
    while start < most and new[start] == old[start]:
        start += 1
    while end < most - start and new[-1 - end] == old[-1 - end]:
        end += 1
    mine, theirs = set(new[start : len(new) - end]), set(old[start : len(old) - end])
    left = [at for at in range(start, len(new) - end) if new[at] in theirs]  # others have no match at all
    right = [at for at in range(start, len(old) - end) if old[at] in mine]
    pairs = {at: at for at in range(start)}
    for here, there in _longest([new[at] for at in left], [old[at] for at in right]):
        pairs[left[here]] = right[there]
    for at in range(end, 0, -1):
        pairs[len(new) - at] = len(old) - at
    pairs = _lowered(new, pairs)
    back = _lowered(old, {there: here for here, there in pairs.items()})
    return sorted((here, there) for there, here in back.items())


def _longest(new: Lines, old: Lines) -> list[tuple[int, int]]:
    """Pairs of a longest common subsequence, by Myers' greedy search (1986, "An O(ND) difference algorithm")."""
    if not new or not old:
        return []
    reached, trails = {1: 0}, []
    for edits in range(min(len(new) + len(old), MAX_EDITS) + 1):
        trails.append(dict(reached))
        for diagonal in range(-edits, edits + 1, 2):
            down = diagonal == -edits or (diagonal != edits and reached[diagonal - 1] < reached[diagonal + 1])
            at = reached[diagonal + 1] if down else reached[diagonal - 1] + 1
            other = at - diagonal
            while at < len(old) and other < len(new) and old[at] == new[other]:
                at, other = at + 1, other + 1
            reached[diagonal] = at
            if at >= len(old) and other >= len(new):
                return _traced(trails, len(old), len(new))
    blocks = SequenceMatcher(None, new, old, autojunk=False).get_matching_blocks()
    return [(a + step, b + step) for a, b, size in blocks for step in range(size)]


def _traced(trails: list[dict[int, int]], at: int, other: int) -> list[tuple[int, int]]:
    """The pairs on the way back from the end; ``at`` counts old lines, ``other`` new ones."""
    pairs = []
    for edits in range(len(trails) - 1, -1, -1):
        reached, diagonal = trails[edits], at - other
        down = diagonal == -edits or (diagonal != edits and reached[diagonal - 1] < reached[diagonal + 1])
        before = diagonal + 1 if down else diagonal - 1
        stop_at = reached[before] if edits else 0
        stop_other = stop_at - before if edits else 0
        while at > stop_at and other > stop_other and (at - 1, other - 1) >= (0, 0):
            at, other = at - 1, other - 1
            pairs.append((other, at))
        at, other = stop_at, stop_other
    return pairs


def _lowered(lines: Sequence[bytes], pairs: dict[int, int]) -> dict[int, int]:
    """``pairs`` with each run of unpaired lines moved down over equal lines, where nothing else changed."""
    moved, at = dict(pairs), 0
    while at < len(lines):
        if at in moved:
            at += 1
            continue
        end = at
        while end < len(lines) and end not in moved:
            end += 1
        before = moved.get(at - 1, -1)
        while end < len(lines) and end in moved and lines[at] == lines[end] and moved[end] == before + 1:
            before = moved[at] = moved.pop(end)
            at, end = at + 1, end + 1
        at = end
    return moved
