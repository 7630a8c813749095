"""Which merges can matter to one file: of thousands, those that brought in a change its first parent did not lead to.

The same question as trail_walk.py's, asked roughly and of all merges at once, with numbers only; what is kept here is
looked at there.
"""

from __future__ import annotations

from bisect import bisect_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from gitmem.index.sqlite import Connection

    Sides = list[tuple[int, int]]


class ChainMap:
    """How the chains of the history index hang together.

    bases: chain -> the commit it grew from and the chain of that; 0 and 0 for a root's
    sides: merge -> its further parents, each with its chain; homes: merge -> its own chain
    """

    __slots__ = ("bases", "homes", "sides")

    def __init__(self, connection: Connection) -> None:
        self.bases: dict[int, tuple[int, int]] = {}
        self.homes: dict[int, int] = {}
        self.sides: dict[int, Sides] = {}
        for chain, base, below in connection.execute("select chain, base, below from runs"):
            self.bases[chain] = base, below
        for n, chain, parent, side in connection.execute("select n, chain, parent, side from joins order by n, place"):
            self.homes[n] = chain
            self.sides.setdefault(n, []).append((parent, side))

    def joins(
        self, changed: Mapping[int, Sequence[int]], moved: Collection[int], late: Collection[int]
    ) -> dict[int, list[int]]:
        """Chain -> the merges in it, sorted, that may bring in a change of a file.

        changed: chain -> commits that changed it; moved: those of them that gave it another name
        late:    merges that give it another name than a further parent has for it
        """
        homes = self.homes | {n: chain for chain, numbers in changed.items() for n in numbers}
        rows = {n for numbers in changed.values() for n in numbers}
        seen = _Seen(self.bases)
        found: dict[int, list[int]] = {}
        for n in sorted(homes):
            chain = homes[n]
            first = seen.last(chain, n)
            others = [seen.last(side, parent) for parent, side in self.sides.get(n, ())]
            if n in rows:
                seen.add(chain, n, () if n in moved else (first, *others))
            elif n in late or not all(seen.leads_to(other, first) for other in others):
                seen.add(chain, n, (first, *others))
                found.setdefault(chain, []).append(n)
        return found


class _Seen:
    """The commits that matter so far, and what came before each."""

    __slots__ = ("bases", "before", "entries", "numbers")

    def __init__(self, bases: Mapping[int, tuple[int, int]]) -> None:
        self.bases = bases
        self.before: dict[int, tuple[int, ...]] = {}
        self.entries: dict[int, int] = {0: 0}
        self.numbers: dict[int, list[int]] = {}

    def add(self, chain: int, n: int, before: tuple[int, ...]) -> None:
        self.numbers.setdefault(chain, []).append(n)
        self.before[n] = before

    def last(self, chain: int, n: int) -> int:
        """The last one in ``chain`` up to ``n``, or in what it grew from; 0 for none."""
        passed: list[int] = []
        while chain not in self.entries or self.numbers.get(chain):
            numbers = self.numbers.get(chain, ())
            if at := bisect_right(numbers, n):
                found = numbers[at - 1]
                break
            if chain in self.entries:
                found = self.entries[chain]
                break
            passed.append(chain)
            n, chain = self.bases[chain]
        else:
            found = self.entries[chain]
        for each in passed:  # what a chain grew from is settled before the chain begins
            self.entries[each] = found
        return found

    def leads_to(self, n: int, later: int) -> bool:
        """Whether ``n`` is ``later``, or among what came before it."""
        waiting, seen = [later], {later}
        while n and waiting:
            here = waiting.pop()
            if here == n:
                return True
            for each in self.before.get(here, ()):
                if each >= n and each not in seen:
                    seen.add(each)
                    waiting.append(each)
        return not n
