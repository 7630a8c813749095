"""A body cut into what merges as one piece: paragraphs, list items, table rows, whole code fences.

Pieces joined are the body: each carries the empty lines in front of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

from gitmem.dataclass import dataclass, replace
from gitmem.memory.section import fence, sections

Lines = tuple[str, ...]

TEXT, ITEM, ROW, FENCE, HEADING = "text", "item", "row", "fence", "heading"


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece.

        gap:   the empty lines in front of it, as they are
        text:  its lines, joined by LF, no ending
        kind:  Lines = tuple[str, ...]

    TEXT, ITEM, ROW, FENCE or HEADING
        token: what says that two units are the same one; the text, or the target of a catalogue entry
    """

    gap: tuple[str, ...]
    text: str
    kind: str
    token: str


@dataclass(frozen=True, slots=True)
class Part:
    """A section without its subsections, or what stands before the first heading.

    plain: its address without numbers, "" for the latter; level: 0 for the latter
    head:  the heading's line
    """

    plain: str
    level: int
    head: Unit | None
    units: tuple[Unit, ...]

    def tokens(self) -> tuple[str, ...]:
        return (self.head.token if self.head else "", *(unit.token for unit in self.units))

    def renamed(self, token: Callable[[Unit], str]) -> Part:
        """The same with other tokens."""
        return replace(self, units=tuple(replace(unit, token=token(unit)) for unit in self.units))


@dataclass(frozen=True, slots=True)
class Body:
    """A body in parts; the first stands before every heading.  tail: the empty lines at the end."""

    parts: tuple[Part, ...]
    tail: tuple[str, ...]


def read_bodies(*texts: str) -> list[Body]:
    """The parts of each of ``texts``: LF only, every line ended.  A section that several have is cut once."""
    seen: dict[str, tuple[str, tuple[Unit, ...], Lines]] = {}
    return [_read_body(text, seen) for text in texts]


def _read_body(text: str, seen: dict[str, tuple[str, tuple[Unit, ...], Lines]]) -> Body:
    lines = text.splitlines(keepends=True)
    found = sections(text)
    units, gap = read_units(_split("".join(lines[: found[0].first] if found else lines)))
    parts = [Part("", 0, None, tuple(units))]
    for section in found:
        own = "".join(lines[section.first : section.last])
        if own not in seen:
            head, *rest = _split(own)
            units, below = read_units(rest)
            seen[own] = head, tuple(units), below
        head, cut, below = seen[own]
        parts.append(Part(section.plain, section.level, Unit(gap, head, HEADING, head), cut))
        gap = below
    return Body(tuple(parts), gap)


def write_body(units: Sequence[Unit], tail: Sequence[str], sides: Sequence[Body]) -> str:
    """The text of ``units``; an empty line is put between two that would run into each other.

    sides: the bodies the units come from: what stands together there may stand together here
    """
    known: set[tuple[str, str]] = set()
    for side in sides:
        flat = flattened(side)
        known.update((one.text, two.text) for one, two in pairwise(flat) if not two.gap)
    lines: list[str] = []
    before: Unit | None = None
    for unit in units:
        lines += unit.gap
        if before and not unit.gap and (before.text, unit.text) not in known and _runs_into(before, unit):
            lines.append("")
        lines += unit.text.split("\n")
        before = unit
    lines += tail
    return "".join(line + "\n" for line in lines)


def flattened(body: Body) -> list[Unit]:
    """Every unit of ``body`` in order, headings among them."""
    units: list[Unit] = []
    for part in body.parts:
        if part.head:
            units.append(part.head)
        units += part.units
    return units


def read_units(lines: Sequence[str]) -> tuple[list[Unit], Lines]:
    """The units of ``lines``, and the empty lines at their end."""
    cutter = Cutter()
    for line in lines:
        cutter.add(line)
    cutter.close()
    return cutter.units, tuple(cutter.gap)


class Cutter:
    """Cuts lines into units, one line at a time.

    gap, run: the empty lines above the open unit, and its lines; mark, length: of the code fence that is open
    """

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.gap: list[str] = []
        self.run: list[str] = []
        self.kind, self.mark, self.length = TEXT, "", 0

    def add(self, line: str) -> None:
        sign, size, rest = fence(line) if "`" in line or "~" in line else ("", 0, "")
        if self.mark:
            self.run.append(line)
            if sign == self.mark and size >= self.length and not rest:
                self.close()
                self.mark = ""
        elif not line.strip():
            self.close()
            self.gap.append(line)
        elif sign:
            self.close()
            self.kind, self.mark, self.length = FENCE, sign, size
            self.run.append(line)
        else:
            in_list = self.kind == ITEM and bool(self.run or self.units)
            starts = _starts(line, in_list=in_list, fresh=not self.run)
            if starts or (self.run and self.kind == ROW):
                self.close()
            if not self.run:
                self.kind = starts or TEXT
            self.run.append(line)

    def close(self) -> None:
        """End the open unit."""
        if self.run:
            text = "\n".join(self.run)
            self.units.append(Unit(tuple(self.gap), text, self.kind, text))
            self.gap, self.run = [], []


def _starts(line: str, *, in_list: bool, fresh: bool) -> str:
    """The kind of unit that ``line`` begins whatever stands above it, "" for none."""
    text = line.lstrip(" \t")
    indent = len(line) - len(text)
    if text[:1] == "|":
        return ROW
    if indent > 3 and not in_list:
        return ""
    if text[:2] in ("- ", "* ", "+ ") or text in ("-", "*", "+"):
        return ITEM
    digits = len(text) - len(text.lstrip("0123456789"))
    if 0 < digits < 10 and text[digits : digits + 2] in (". ", ") ") and (in_list or fresh):
        return ITEM
    return ""


def _runs_into(before: Unit, unit: Unit) -> bool:
    """Would ``unit`` be read as a continuation of ``before`` without an empty line between?"""
    if unit.kind == HEADING:
        return before.kind != HEADING
    if before.kind in (HEADING, FENCE):
        return False
    if unit.kind == ITEM:
        return before.kind != ITEM and unit.text.lstrip()[:1] not in "-*+"
    if unit.kind == ROW:
        return before.kind != ROW
    return unit.kind == TEXT


def _split(text: str) -> list[str]:
    """The lines of ``text`` without endings."""
    return text.removesuffix("\n").split("\n") if text else []
