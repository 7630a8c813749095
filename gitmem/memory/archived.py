"""The marks of an archived memory: when it left recall, why, and what restoring it brings back.

They are lines of their own before the head's closing fence, so that taking them out leaves the file as it was, byte
for byte, however odd its head is.  Marks that sage-mem wrote are read and taken out too.
Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.memory.document import holds_nul
from gitmem.memory.entry import entries
from gitmem.memory.field import as_text
from gitmem.memory.quote import write_items, write_scalar
from gitmem.memory.raw_lines import RawLines, bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.memory.line_head import Value

AT = "archived_at"
REASON = "archive_reason"
ENTRY = "archive_entry"  # how the memory stood in the list of memories; write/archive_entry.py reads it
HEAD = "archive_head"  # "added": the file had no head before
REASONS = (REASON, "archived_reason")  # the second as sage-mem writes it
MARKS = frozenset((AT, ENTRY, HEAD, *REASONS))
MAX_REASON_CHARS = 1_000
BY_HAND = "archived by hand"  # the reason of who gives none


class Marks:
    """What an archived memory says of its archiving.

    at:     local time, ``2026-11-30 10:04``; "" when it does not say
    reason: "" when it does not say
    entry:  the items of ``archive_entry``, () for none
    """

    __slots__ = ("at", "entry", "reason")

    def __init__(self, fields: Mapping[str, Value]) -> None:
        self.at = as_text(fields.get(AT))
        self.reason = next((text for key in REASONS if (text := as_text(fields.get(key)))), "")
        items = fields.get(ENTRY)
        self.entry = tuple([item for item in items if isinstance(item, str)]) if isinstance(items, list) else ()


def with_marks(data: bytes, at: str, reason: str, entry: Sequence[str] = ()) -> bytes:
    """``data`` with the marks, once each, at the end of its head; a file without a head gets one of nothing else.

    raises: Refused for UTF-16 that is damaged or lacks its mark: lines of UTF-8 among it would spoil it
    """
    if holds_nul(data):
        raise Refused("the file holds NUL bytes, as UTF-16 without its mark does; save it as UTF-8 first")
    file = RawLines(without_marks(data))
    marks = [(AT, write_scalar(at, keep_text=True)), (REASON, write_scalar(_on_one_line(reason), keep_text=True))]
    if entry:
        marks.append((ENTRY, write_items(entry)))
    if not file.head_last:
        marks.append((HEAD, "added"))
        file.add_head()
    top = entries([bare(line) for line in file.lines[1 : file.head_last]])
    indent = file.lines[1 + top[0].first][: top[0].indent] if top else ""
    file.replace(file.head_last, file.head_last, [f"{indent}{key}: {text}{file.eol}" for key, text in marks])
    return file.data()


def without_marks(data: bytes) -> bytes:
    """``data`` as it was before it was archived; ``data`` itself when it has no marks."""
    try:
        file = RawLines(data)
    except Refused:  # damaged UTF-16, which never gets marks
        return data
    found = [entry for entry in entries([bare(line) for line in file.lines[1 : file.head_last]]) if entry.key in MARKS]
    if not found:
        return data
    alone = any(entry.key == HEAD for entry in found)
    for entry in reversed(found):
        file.replace(1 + entry.first, 1 + entry.last, [])
        file.head_last -= entry.last - entry.first
    if alone and file.head_last == 1:  # nobody put a field into the head that archiving made
        file.replace(0, 2, [])
    return file.data()


def _on_one_line(text: str) -> str:
    """A reason as one line; what is not seen in it becomes a blank."""
    line = " ".join("".join([mark if mark.isprintable() else " " for mark in text]).split())
    return line if len(line) <= MAX_REASON_CHARS else line[: MAX_REASON_CHARS - 1] + "…"
