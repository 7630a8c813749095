"""Two versions of one memory made one: the head by field, the body by section and paragraph.

Which side's version stands where something cannot merge is told by the texts alone, never by who merges:
merging A into B gives the bytes that merging B into A gives.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from gitmem.dataclass import dataclass
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.age import unix_seconds
from gitmem.memory.field import as_text
from gitmem.memory.head import FENCE, find_fences, misplaced_line, read_head
from gitmem.merge.body import merge_bodies
from gitmem.merge.head import Head, merge_heads
from gitmem.merge.merged import Merged
from gitmem.merge.text import PLAIN, Text, read_text, readable, write_text

if TYPE_CHECKING:
    from gitmem.memory.line_head import Value

TextMerge = Callable[[str, str, str], tuple[str, list[str]]]  # base, first, second -> text, conflicts
WHOLE = "the whole text"


@dataclass(frozen=True, slots=True)
class Halves:
    """A memory's text cut behind its head.

    opening, closing: the fences, "" without a head; head: between them, None without one
    is_open: the text begins like a head and has none: a fence that is never closed, or a block without fields
    """

    opening: str
    head: Head | None
    closing: str
    body: str
    is_open: bool


def merge_memory(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """One memory made of two.

    base: the text both sides come from; None when each side made the memory anew
    """
    return merge_sides(base, ours, theirs, merge_halves)


def merge_sides(base: bytes | None, ours: bytes, theirs: bytes, merge: TextMerge) -> Merged:
    """Two versions of a text file made one by ``merge``.

    merge: gets texts with LF only, first the side whose version is to stand where something cannot merge;
           an empty base stands for none
    """
    if ours == theirs or base == theirs:
        return Merged(ours)
    if base == ours:
        return Merged(theirs)
    kept, (first, second) = in_order(ours, theirs)
    old = read_text(base) if base is not None else None
    one, two = read_text(first), read_text(second)
    if one is None or two is None or (base is not None and old is None):
        return Merged(first, (WHOLE,), kept)
    text, conflicts = _texts(old or PLAIN, one, two, merge)
    data = write_text(text, old, one, two)
    if len(data) > MAX_MEMORY_BYTES >= max(len(first), len(second)):
        return Merged(first, (f"{WHOLE} (both together are above {MAX_MEMORY_BYTES // 1024} KiB)",), kept)
    if conflicts == [WHOLE]:
        return Merged(first, (WHOLE,), kept)
    return Merged(data, tuple(map(readable, conflicts)), kept if conflicts else "")


def in_order(ours: bytes, theirs: bytes) -> tuple[str, tuple[bytes, bytes]]:
    """Whose version stands where something cannot merge, "ours" or "theirs"; that text, then the other.

    The one that says it is newer, else the one whose text sorts later: no clock, and not who merges.
    """
    if _rank(ours) >= _rank(theirs):
        return "ours", (ours, theirs)
    return "theirs", (theirs, ours)


def merge_halves(base: str, first: str, second: str, bodies: TextMerge = merge_bodies) -> tuple[str, list[str]]:
    """The text merged of two, and what could not merge, in words; ``bodies`` merges what stands below the head."""
    old, one, two = (halves(text) for text in (base, first, second))
    if one.is_open != two.is_open:
        return first, [WHOLE]  # one side mended what opens like a head: joined, there would be two
    lines, conflicts = _heads(old, one, two)
    body, said = bodies(old.body, one.body, two.body)
    conflicts = [*conflicts, *said]
    fences = one if one.head else two
    head = fences.opening + "".join(line + "\n" for line in lines) + fences.closing if lines is not None else ""
    if not _reads_as(head + body, len(head)):
        return first, [WHOLE]
    return head + body, conflicts


@lru_cache(maxsize=8)  # a text is asked for its age first, then merged
def halves(text: str) -> Halves:
    """The head and the body of ``text``: LF only, every line ended."""
    shown = readable(text)
    fields, offset, _ = read_head(shown, "")
    fences = find_fences(text) if offset else None
    if fences is None:
        is_open = bool(misplaced_line(shown)) or (text.startswith(FENCE) and find_fences(text) is not None)
        return Halves("", None, "", text, is_open)
    start, end, body = fences
    head = Head(tuple(text[start:end].split("\n")[:-1]), fields)
    return Halves(text[:start], head, text[end:body], text[body:], is_open=False)


def _texts(base: Text, first: Text, second: Text, merge: TextMerge) -> tuple[str, list[str]]:
    if first.text == second.text or base.text == second.text:
        return first.text, []
    if base.text == first.text:
        return second.text, []
    return merge(base.text, first.text, second.text)


def _heads(base: Halves, first: Halves, second: Halves) -> tuple[tuple[str, ...] | None, list[str]]:
    if first.head and second.head:
        return merge_heads(base.head, first.head, second.head)
    old, one, two = (each.head.lines if each.head else None for each in (base, first, second))
    if one == two or old == two:
        return one, []
    if old == one:
        return two, []
    return one, ["the frontmatter (changed on one side, removed on the other)"]


def _reads_as(text: str, offset: int) -> bool:
    """Does the reader see the head end at ``offset``?"""
    fences = find_fences(text)
    if fences is None or (":" in text[:offset] and fences[2] == offset):
        return offset == (fences[2] if fences else 0)
    return read_head(readable(text), "")[1] == offset


def _rank(data: bytes) -> tuple[int, str, bytes]:
    """When a memory says it was changed, in UTC seconds, or -1; its text; its bytes."""
    text = read_text(data)
    if text is None:
        return -1, "", data
    head = halves(text.text).head
    return _updated(head.values) if head else -1, text.text, data


def _updated(values: Mapping[str, Value]) -> int:
    nested = values.get("metadata")
    below = nested if isinstance(nested, dict) else {}
    said = (as_text(value) for value in (values.get("updated"), below.get("updated"), below.get("modified")))
    seconds = unix_seconds(next(filter(None, said), ""))
    return -1 if seconds is None else seconds
