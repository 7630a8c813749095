"""Three sequences of units merged: what one side changed is taken, what both put in at one place is kept twice.

Only a unit of the base that both sides changed, or one changed and the other removed, cannot merge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from gitmem.dataclass import dataclass, replace
from gitmem.limits import MAX_UNIT_PAIRS, UNIT_ALIKE
from gitmem.merge.unit import Unit

Key = TypeVar("Key", bound=Hashable)


@dataclass(slots=True)
class Script:
    """What a side did to the units of the base.

    now:    for each of them what it has become, None for removed
    put_in: for each place between them (and at both ends) the new units there
    """

    now: list[Unit | None]
    put_in: list[list[Unit]]


@dataclass(slots=True)
class Sequences:
    """Merges sequences of units; where something cannot merge, the first side's version stands.

    changed_wins: a unit that one side changed outlives its removal by the other, and that is no conflict
    clashes:      how many units could not merge
    """

    changed_wins: bool = False
    clashes: int = 0

    def merge(self, base: Sequence[Unit], first: Sequence[Unit], second: Sequence[Unit]) -> list[Unit]:
        """The units of both sides."""
        from merge3 import Merge3

        olds, ones, twos = ([unit.token for unit in units] for units in (base, first, second))
        if ones == twos or olds in (ones, twos):
            return self._run(base, first, second)
        merged: list[Unit] = []
        at = (0, 0, 0)
        for b, b_end, f, f_end, s, s_end in Merge3(olds, ones, twos).find_sync_regions():
            merged += self._run(base[at[0] : b], first[at[1] : f], second[at[2] : s])
            same = zip(base[b:b_end], first[f:f_end], second[s:s_end], strict=True)
            merged += [_spaced(*units) for units in same]
            at = (b_end, f_end, s_end)
        return merged

    def _run(self, base: Sequence[Unit], first: Sequence[Unit], second: Sequence[Unit]) -> list[Unit]:
        olds, ones, twos = ([unit.token for unit in units] for units in (base, first, second))
        if olds == ones == twos:
            return [_spaced(*units) for units in zip(base, first, second, strict=True)]
        if ones == twos or olds == twos:
            return list(first)
        if olds == ones:
            return list(second)
        one, two = script(base, first), script(base, second)
        merged: list[Unit] = []
        for at in range(len(base) + 1):
            merged += both(two.put_in[at], one.put_in[at])
            if at < len(base):
                unit = self._unit(base[at], one.now[at], two.now[at])
                merged += [unit] if unit else []
        return merged

    def _unit(self, base: Unit, first: Unit | None, second: Unit | None) -> Unit | None:
        if first and second:
            if first.token == second.token == base.token:
                return _spaced(base, first, second)
            if second.token in (first.token, base.token):
                return first
            if first.token == base.token:
                return second
        elif first is second:
            return None
        else:
            left = first or second
            if left and left.token == base.token:
                return None
            if self.changed_wins:
                return left
        self.clashes += 1
        return first


def script(base: Sequence[Unit], side: Sequence[Unit]) -> Script:
    """What turns ``base`` into ``side``."""
    now: list[Unit | None] = [None] * len(base)
    put_in: list[list[Unit]] = [[] for _ in range(len(base) + 1)]
    matcher = SequenceMatcher(None, [unit.token for unit in base], [unit.token for unit in side])
    for what, low, high, start, end in matcher.get_opcodes():
        if what == "equal":
            now[low:high] = side[start:end]
            continue
        pairs = dict(_pairs(base[low:high], side[start:end])) if what == "replace" else {}
        place = low
        for at in range(end - start):
            if at in pairs:
                place = low + pairs[at] + 1
                now[place - 1] = side[start + at]
            else:
                put_in[place].append(side[start + at])
    return Script(now, put_in)


def both(older: Sequence[Unit], newer: Sequence[Unit]) -> list[Unit]:
    """Units that both sides put in at one place: the older side's first, those they share once."""
    if not older or not newer:
        return [*older, *newer]
    merged: list[Unit] = []
    matcher = SequenceMatcher(None, [unit.token for unit in older], [unit.token for unit in newer])
    for what, low, high, start, end in matcher.get_opcodes():
        merged += older[low:high]
        merged += [] if what == "equal" else newer[start:end]
    most = Counter(unit.token for unit in older) | Counter(unit.token for unit in newer)
    kept: list[Unit] = []
    for unit in merged:
        most[unit.token] -= 1
        kept += [unit] if most[unit.token] >= 0 else []
    return kept


def merged_order(base: Sequence[Key], first: Sequence[Key], second: Sequence[Key]) -> list[Key]:
    """The keys of both sides in one order: that of the side which changed it, ``first`` where both did.

    What only the other side has follows what it follows there.
    """
    old = {key: at for at, key in enumerate(base)}
    swap = _in_order(first, old) and not _in_order(second, old)
    order, other = (list(second), first) if swap else (list(first), second)
    there = set(order)
    mine = {key for key in order if key not in old}
    place = 0
    for key in other:
        if key in there:
            place = order.index(key) + 1
            continue
        if swap or key in old:  # the newer side's additions stand behind those of the older one
            while place < len(order) and order[place] in mine:
                place += 1
        order.insert(place, key)
        there.add(key)
        place += 1
    return order


def alikeness(one: str, two: str) -> float:
    """Share of letter pairs that two texts have in common, 0..1 (Dice)."""
    left, right = _letter_pairs(one), _letter_pairs(two)
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else float(one == two)


def _letter_pairs(text: str) -> set[str]:
    return {text[at : at + 2] for at in range(len(text) - 1)}


def _in_order(keys: Sequence[Key], old: dict[Key, int]) -> bool:
    places = [old[key] for key in keys if key in old]
    return places == sorted(places)


def _pairs(base: Sequence[Unit], side: Sequence[Unit]) -> list[tuple[int, int]]:
    """Which unit of ``side`` (first number) is which of ``base``, changed; pairs never cross."""
    if len(base) == len(side) == 1:
        return [(0, 0)]
    if len(base) * len(side) > MAX_UNIT_PAIRS:
        return [(at, at) for at in range(min(len(base), len(side)))]
    width = len(side) + 1
    best = [[0.0] * width for _ in range(len(base) + 1)]
    alike: dict[tuple[int, int], float] = {}
    for row in range(len(base) - 1, -1, -1):
        for column in range(len(side) - 1, -1, -1):
            score = alikeness(base[row].text, side[column].text)
            score = score if score >= UNIT_ALIKE else 0.0
            alike[row, column] = score
            taken = best[row + 1][column + 1] + score if score else 0.0
            best[row][column] = max(best[row + 1][column], best[row][column + 1], taken)
    pairs: list[tuple[int, int]] = []
    row = column = 0
    while row < len(base) and column < len(side):
        score = alike[row, column]
        if score and best[row][column] == best[row + 1][column + 1] + score:
            pairs.append((column, row))
            row, column = row + 1, column + 1
        elif best[row][column] == best[row + 1][column]:
            row += 1
        else:
            column += 1
    return pairs


def _spaced(base: Unit, first: Unit, second: Unit) -> Unit:
    """One unit that all have, with the empty lines of the side that changed them."""
    return first if first.gap == second.gap or first.gap != base.gap else replace(first, gap=second.gap)
