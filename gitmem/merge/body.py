"""Three bodies merged: section by section, and in each section paragraph by paragraph."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gitmem.dataclass import dataclass, field
from gitmem.limits import MAX_SECTION_PAIRS, UNIT_ALIKE
from gitmem.merge.sequence import Sequences, alikeness, merged_order
from gitmem.merge.text import readable
from gitmem.merge.unit import Body, Part, Unit, read_bodies, write_body

Label = tuple[str, int]  # of a section: ("", its place in the base), or whose it is and its place there


@dataclass(slots=True)
class Side:
    """One side's parts, each under a label that the other side may share."""

    parts: dict[Label, Part]
    parents: dict[Label, Label | None]


@dataclass(slots=True)
class Bodies:
    """One merge of three bodies.

    changed_wins: as in Sequences
    units:        of the result, headings among them; tail: the empty lines at its end
    conflicts:    sections that could not merge, in words
    """

    base: Body
    first: Body
    second: Body
    changed_wins: bool = False
    units: list[Unit] = field(default_factory=list)
    tail: tuple[str, ...] = ()
    conflicts: list[str] = field(default_factory=list)

    def merge(self) -> Bodies:
        """Itself, with the result in it."""
        old = {("", at): part for at, part in enumerate(self.base.parts)}
        one, two = self._labelled()
        touched_one, touched_two = _with_new_below(one, old), _with_new_below(two, old)
        dropped: set[Label] = set()
        for label in merged_order(list(old), list(one.parts), list(two.parts)):
            base, first, second = old.get(label), one.parts.get(label), two.parts.get(label)
            if first is None and two.parents.get(label) in dropped and base is None:
                dropped.add(label)  # stood below a section that the kept side removed
            elif first and second:
                self._merge_part(base, first, second)
            elif base is None:
                self._take(first or second)
            elif left := first or second:
                touched = touched_one if first else touched_two
                if left.tokens() == base.tokens() and label not in touched:
                    continue
                if not self.changed_wins:
                    self.conflicts.append(f"{self._named(base)} (changed on one side, removed on the other)")
                if first or self.changed_wins:
                    self._take(left)
                else:
                    dropped.add(label)
        tails = (self.base.tail, self.first.tail, self.second.tail)
        self.tail = tails[2] if tails[0] == tails[1] else tails[1]
        return self

    def text(self) -> str:
        return write_body(self.units, self.tail, (self.first, self.second))

    def _labelled(self) -> tuple[Side, Side]:
        base, first, second = self.base.parts, self.first.parts, self.second.parts
        ones: dict[int, Label] = {at: ("", to) for at, to in paired(base, first).items()}
        twos: dict[int, Label] = {at: ("", to) for at, to in paired(base, second).items()}
        new_one = [at for at in range(len(first)) if at not in ones]
        new_two = [at for at in range(len(second)) if at not in twos]
        ones |= {at: ("first", at) for at in new_one}
        shared = dict(_same_address([first[at] for at in new_one], [second[at] for at in new_two]))
        twos |= {at: ("second", at) for at in new_two}
        twos |= {new_two[here]: ("first", new_one[there]) for here, there in shared.items()}
        return _side(first, ones), _side(second, twos)

    def _take(self, part: Part | None) -> None:
        if part:
            self.units += [part.head] if part.head else []
            self.units += part.units

    def _merge_part(self, base: Part | None, first: Part, second: Part) -> None:
        sequences = Sequences(self.changed_wins)
        old = base or Part("", 0, None, ())
        if first.head and second.head:
            heads = ([part.head] if part.head else [] for part in (old, first, second))
            self.units += sequences.merge(*heads) if base else [first.head]
        same = first.units is second.units  # a section both have letter for letter
        self.units += first.units if same else sequences.merge(old.units, first.units, second.units)
        if sequences.clashes:
            self.conflicts.append(self._named(first))

    def _named(self, part: Part) -> str:
        if part.plain:
            return f'section "{part.plain}"'
        whole = len(self.first.parts) == len(self.second.parts) == 1
        return "the body" if whole else "the text before the first heading"


def merge_bodies(base: str, first: str, second: str) -> tuple[str, list[str]]:
    """The merged text, and what could not merge, in words; there the first side's version stands."""
    if first == second or base == second:
        return first, []
    if base == first:
        return second, []
    old, one, two = read_bodies(base, first, second)
    merged = Bodies(old, one, two).merge()
    text = merged.text()
    if not merged.conflicts and (lost := lost_line(base, first, second, text)):
        merged.conflicts.append(f"the line {readable(lost)!r}")
    return text, merged.conflicts


def lost_line(base: str, first: str, second: str, merged: str) -> str:
    """A line that a side wrote and the merged text lacks, "" when there is none: the merge's own check of itself."""
    there = {line.strip() for text in (base, merged) for line in text.split("\n")}
    return next((line for text in (first, second) for line in text.split("\n") if line.strip() not in there), "")


def paired(base: Sequence[Part], side: Sequence[Part]) -> dict[int, int]:
    """Which part of ``side`` is which of ``base``: by address, else a section whose heading alone is new."""
    pairs: dict[int, int] = {0: 0}
    pairs |= {here + 1: there + 1 for here, there in _same_address(base[1:], side[1:])}
    taken = set(pairs.values())
    gone = [at for at in range(len(base)) if at not in taken]
    new = [at for at in range(len(side)) if at not in pairs]
    if not gone or not new:
        return pairs
    texts = {base[there].tokens()[1:]: there for there in reversed(gone)}
    scores = [(-1.0, texts[text], here) for here in new if any(text := side[here].tokens()[1:]) and text in texts]
    if len(gone) * len(new) <= MAX_SECTION_PAIRS:
        scores += [(-_alike(base[there], side[here]), there, here) for there in gone for here in new]
    for score, there, here in sorted(scores):
        if -score >= UNIT_ALIKE and there not in taken and here not in pairs:
            pairs[here] = there
            taken.add(there)
    return pairs


def _same_address(base: Sequence[Part], side: Sequence[Part]) -> Iterator[tuple[int, int]]:
    """Places in ``side`` and ``base`` of the same section; of several with one address, equal texts first."""
    groups: dict[str, tuple[list[int], list[int]]] = {}
    for which, parts in enumerate((side, base)):
        for at, part in enumerate(parts):
            groups.setdefault(part.plain, ([], []))[which].append(at)
    for here, there in groups.values():
        if len(here) > 1 or len(there) > 1:
            for at in list(here):
                same = next((to for to in there if base[to].tokens() == side[at].tokens()), -1)
                if same >= 0:
                    yield at, same
                    here.remove(at)
                    there.remove(same)
        yield from zip(here, there, strict=False)


def _alike(base: Part, side: Part) -> float:
    """How likely a section of another heading is the old one, 0..1."""
    one, two = ("\n".join(unit.text for unit in part.units) for part in (base, side))
    if not one or not two:
        return 0.0
    same_title = bool(base.head and side.head and base.head.text.lstrip("# ") == side.head.text.lstrip("# "))
    return 1.0 if one == two else min(1.0, alikeness(one, two) + (0.2 if same_title else 0.0))


def _side(parts: Sequence[Part], labels: dict[int, Label]) -> Side:
    parents: dict[Label, Label | None] = {}
    above: list[tuple[int, Label]] = []
    for at, part in enumerate(parts):
        while above and above[-1][0] >= part.level:
            above.pop()
        parents[labels[at]] = above[-1][1] if above and part.level else None
        if part.level:
            above.append((part.level, labels[at]))
    return Side({labels[at]: part for at, part in enumerate(parts)}, parents)


def _with_new_below(side: Side, old: dict[Label, Part]) -> set[Label]:
    """The old sections below which the side has put a new one: that is a change of theirs."""
    touched: set[Label] = set()
    for label in side.parts:
        above = side.parents.get(label) if label not in old else None
        while above is not None and above not in touched:
            touched.add(above)
            above = side.parents.get(above)
    return touched


def retokened(body: Body, token: Callable[[Unit], str]) -> Body:
    """``body`` with other tokens."""
    return Body(tuple(part.renamed(token) for part in body.parts), body.tail)
