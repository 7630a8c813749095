"""A day of the journal, ``journal/2026-11-30.md``: the entries of both sides, sorted by their time.

An entry begins with ``HH:MM``, on a line of its own, as a list item or as a heading, and reaches to the next one.
What both sides added stays twice, also at the same minute; what a side removed is gone, unless the other rewrote it.
One entry that both rewrote is merged as any text, and is in conflict where that cannot be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from gitmem.dataclass import dataclass, replace
from gitmem.memory.section import fence, heading
from gitmem.merge.body import merge_bodies
from gitmem.merge.memory import merge_halves, merge_sides
from gitmem.merge.merged import Merged
from gitmem.merge.sequence import alikeness


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry.

    minute: of the day; text: its lines, the empty ones at the end left out
    gap:    the empty lines above it, None for the day's first
    """

    minute: int
    text: str
    gap: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Day:
    """top: what stands above the first entry; lead: the empty lines between; rest: what stands below the last one."""

    top: str
    lead: tuple[str, ...]
    entries: tuple[Entry, ...]
    rest: str


Numbered = dict[tuple[str, int], Entry]  # by the text, and which of its repeats it is


def merge_journal(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """One day made of two."""
    return merge_sides(base, ours, theirs, partial(merge_halves, bodies=merge_days))


def merge_days(base: str, first: str, second: str) -> tuple[str, list[str]]:
    old, one, two = (read_day(text) for text in (base, first, second))
    top, conflicts = merge_bodies(old.top, one.top, two.top)
    rest, said = merge_bodies(old.rest, one.rest, two.rest)
    union, differ = _union(old.entries, one.entries, two.entries)
    entries = sorted(union, key=lambda entry: entry.minute)
    lead = one.lead if one.entries else two.lead
    between = _between([*one.entries, *two.entries])
    lines: list[str] = []
    for entry in entries:
        lines += lead if not lines else between if entry.gap is None else entry.gap
        lines += entry.text.split("\n")
    return top + "".join(line + "\n" for line in lines) + rest, [*conflicts, *differ, *said]


def read_day(text: str) -> Day:
    """The entries of ``text``: LF only, every line ended."""
    lines = text.split("\n")[:-1]
    starts, end = _starts(lines)
    if not starts:
        return Day(text, (), (), "")
    entries: list[Entry] = []
    top_end, lead = _trimmed(lines, 0, starts[0])
    gap = lead
    for start, stop in zip(starts, [*starts[1:], end], strict=True):
        last, below = _trimmed(lines, start, stop)
        entries.append(Entry(minute_of(lines[start]), "\n".join(lines[start:last]), gap if entries else None))
        gap = below
    return Day(_joined(lines[:top_end]), lead, tuple(entries), _joined([*gap, *lines[end:]]))


def _starts(lines: Sequence[str]) -> tuple[list[int], int]:
    """Where entries begin, and where the last one ends: at a heading that is none and not below it."""
    starts: list[int] = []
    mark, length, level = "", 0, 0
    for at, line in enumerate(lines):
        sign, size, rest = fence(line)
        if mark:
            mark = "" if sign == mark and size >= length and not rest else mark
        elif sign:
            mark, length = sign, size
        elif minute_of(line) >= 0:
            starts.append(at)
            level = heading(line)[0]
        elif starts and 0 < heading(line)[0] <= (level or 6):
            return starts, at
    return starts, len(lines)


def minute_of(line: str) -> int:
    """The minute of the day that an entry's first line begins with, -1 when it begins no entry."""
    text = line.lstrip(" ")
    if len(line) - len(text) > 3:
        return -1
    if text[:2] in ("- ", "* ", "+ ") or heading(line)[0]:
        text = text.lstrip("#-*+").lstrip(" ")
    text = text.lstrip("*_`[")
    hour, colon, rest = text.partition(":")
    digits = rest[:2]
    if not (colon and hour.isdigit() and digits.isdigit() and hour.isascii() and digits.isascii()):
        return -1
    if len(hour) > 2 or len(digits) < 2 or rest[2:3].isalnum():
        return -1
    return int(hour) * 60 + int(digits) if int(hour) < 24 and int(digits) < 60 else -1


def _union(old: Sequence[Entry], one: Sequence[Entry], two: Sequence[Entry]) -> tuple[list[Entry], list[str]]:
    """The entries of both sides without those that one of them removed, and those that could not merge, in words.

    The same text twice counts twice.
    """
    before, first, second = (_numbered(entries) for entries in (old, one, two))
    new_one, new_two = _rewritten(before, first), _rewritten(before, second)
    pairs = {new_one[key]: key for key in new_one.keys() & new_two.keys()}
    merged: list[Entry] = []
    conflicts: list[str] = []
    for key, entry in first.items():
        if key in pairs:
            texts = (before[pairs[key]], entry, second[new_two[pairs[key]]])
            text, said = merge_bodies(*(each.text + "\n" for each in texts))
            merged.append(replace(entry, text=text.rstrip("\n")))
            first_line = entry.text.split("\n")[0].strip()
            conflicts += [f'the entry "{first_line}"'] if said else []
        elif key in second or key not in before:
            merged.append(entry)
    taken = {new_two[key] for key in pairs.values()}
    rest = (key for key in second if key not in first and key not in before and key not in taken)
    return [*merged, *(second[key] for key in rest)], conflicts


def _rewritten(before: Numbered, side: Numbered) -> dict[tuple[str, int], tuple[str, int]]:
    """Which entry of ``side`` is which of the base with other words: of the same minute, the likeliest first."""
    gone = [key for key in before if key not in side]
    new = [key for key in side if key not in before]
    scores = [
        (-_likeness(before[old].text, side[key].text), at, number)
        for at, old in enumerate(gone)
        for number, key in enumerate(new)
        if before[old].minute == side[key].minute
    ]
    found: dict[tuple[str, int], tuple[str, int]] = {}
    for _, at, number in sorted(scores):
        if gone[at] not in found and new[number] not in found.values():
            found[gone[at]] = new[number]
    return found


def _likeness(one: str, two: str) -> float:
    """How alike two entries are, 0..2; those with one first line are likelier than any others."""
    same_line = one.partition("\n")[0] == two.partition("\n")[0]
    return alikeness(one, two) + (1.0 if same_line else 0.0)


def _numbered(entries: Sequence[Entry]) -> Numbered:
    times: Counter[str] = Counter()
    found: dict[tuple[str, int], Entry] = {}
    for entry in entries:
        times[entry.text] += 1
        found[entry.text, times[entry.text]] = entry
    return found


def _between(entries: Sequence[Entry]) -> tuple[str, ...]:
    """The empty lines that a day puts between entries."""
    gap = next((entry.gap for entry in entries if entry.gap is not None), None)
    if gap is not None:
        return gap
    return ("",) if any("\n" in entry.text or heading(entry.text)[0] for entry in entries) else ()


def _trimmed(lines: Sequence[str], start: int, end: int) -> tuple[int, tuple[str, ...]]:
    """Where ``lines`` from ``start`` on end without empty ones, and those."""
    last = end
    while last > start and not lines[last - 1].strip():
        last -= 1
    return last, tuple(lines[last:end])


def _joined(lines: Sequence[str]) -> str:
    return "".join(line + "\n" for line in lines)
