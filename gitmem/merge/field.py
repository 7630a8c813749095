"""A head cut into fields: each with the very lines it has, comments above it included.

Nothing is written anew: a field's lines move as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from gitmem.dataclass import dataclass
from gitmem.memory.entry import comment_start, entries, indent_of, is_item

if TYPE_CHECKING:
    from gitmem.memory.line_head import Value


@dataclass(frozen=True, slots=True)
class Block:
    """The fields of one mapping, in order.

    indent: what stands in front of their keys; tail: the lines below the last one
    """

    indent: str
    fields: dict[str, Field]
    tail: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """One field.

    lead:  comments and empty lines above it
    lines: its own lines, of a key that stands twice all of them
    value: as the reader gives it
    below: the fields of a mapping written line by line, else None
    """

    key: str
    lead: tuple[str, ...]
    lines: tuple[str, ...]
    value: Value
    below: Block | None


EMPTY = Block("", {}, ())


def read_block(lines: Sequence[str], values: Mapping[str, Value]) -> Block | None:
    """The fields in ``lines``; None when the lines and the reader do not agree about which there are.

    lines:  without endings; values: what the reader reads in them
    """
    found = entries(lines)
    own: dict[str, list[str]] = {}
    leads: dict[str, list[str]] = {}
    twice: set[str] = set()
    wait: list[str] = []
    at = 0
    for entry in found:
        wait += lines[at : entry.first]
        at = entry.last
        if not entry.key:  # no field: it stays with the one below
            wait += lines[entry.first : entry.last]
            continue
        if entry.key in own:
            twice.add(entry.key)
            own[entry.key] += wait
        else:
            own[entry.key], leads[entry.key] = [], wait
        own[entry.key] += lines[entry.first : entry.last]
        wait = []
    if own.keys() != values.keys():
        return None
    fields = {
        key: Field(key, tuple(leads[key]), tuple(text), values[key], _below(text, values[key], key in twice))
        for key, text in own.items()
    }
    first = next((entry for entry in found if entry.key), None)
    indent = lines[first.first][: first.indent] if first else ""
    return Block(indent, fields, (*wait, *lines[at:]))


def _below(lines: Sequence[str], value: Value, twice: bool) -> Block | None:
    if twice or not isinstance(value, dict) or len(lines) < 2:
        return None
    head = lines[0].rstrip()
    if not (head.endswith(":") or head.partition(" #")[0].rstrip().endswith(":")):
        return None  # in braces
    return read_block(lines[1:], value)


def moved(block: Block, indent: str) -> Block:
    """``block`` with ``indent`` in front of its keys."""
    if block.indent == indent:
        return block
    old = block.indent

    def shift(lines: Sequence[str]) -> tuple[str, ...]:
        return tuple(indent + line[len(old) :] if line.startswith(old) and line.strip() else line for line in lines)

    fields: dict[str, Field] = {}
    for key, field in block.fields.items():
        lines = shift(field.lines)
        below = read_block(lines[1:], field.value) if field.below and isinstance(field.value, dict) else None
        fields[key] = Field(key, shift(field.lead), lines, field.value, below)
    return Block(indent, fields, shift(block.tail))


def comments(lines: Sequence[str]) -> set[str]:
    """The comments in the lines of a field."""
    found: set[str] = set()
    for line in lines:
        text = line.strip()
        if text[:1] == "#":
            found.add(text)
            continue
        value = text[1:].strip() if is_item(text) else text.partition(":")[2].strip()
        found.add(value[comment_start(value) :].strip())
    return found - {""}


def item_lines(field: Field) -> list[tuple[str, tuple[str, ...]]] | None:
    """Value and lines of each item of a list written line by line; None for another style.

    Comments above an item are among its lines.
    """
    if not isinstance(field.value, list) or len(field.lines) < 2:
        return None
    rest = field.lines[1:]
    marks = [at for at, line in enumerate(rest) if is_item(line.strip())]
    if not marks:
        return None
    indent = indent_of(rest[marks[0]])
    marks = [at for at in marks if indent_of(rest[at]) == indent]
    if len(marks) != len(field.value) or not all(isinstance(item, str) for item in field.value):
        return None
    starts = [0]
    for before, mark in pairwise(marks):
        start = mark
        while start > before + 1 and rest[start - 1].strip()[:1] in ("", "#"):
            start -= 1
        starts.append(start)
    ends = [*starts[1:], len(rest)]
    return [(str(item), rest[start:end]) for item, start, end in zip(field.value, starts, ends, strict=True)]
