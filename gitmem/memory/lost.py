"""Text that a head loses behind `` #``, where YAML begins a comment.

Only fields of free text, where the cut is rarely meant: not ``type: user  # note``, nothing nested.  A comment is
told from text by the blank behind its sign wherever people do write comments: in lists, and on lines of their own.
"""

from __future__ import annotations

from gitmem.memory.entry import WORD_KEYS, entries, is_block, is_item, split_key
from gitmem.memory.finding import Finding
from gitmem.memory.mend import cuts, shown
from gitmem.memory.quote import write_scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.memory.entry import Entry

    # what stands before a value ("" in a flow list), its first line's index, its lines without blanks
    Piece = tuple[str, int, list[str]]

SPEAK_OF_VALUES = ("head-colon", "head-indicator", "head-quote", "head-hash", "head-duplicate", "head-line")


def hash_findings(lines: Sequence[str], path: str, line: int, said: Sequence[Finding]) -> list[Finding]:
    """Values of the head in ``lines`` that lose text.

    line: file line of the first
    said: what the mending reader found; a value it speaks of was read whole, and has its mend
    """
    found = []
    spoken = {finding.line for finding in said if finding.rule in SPEAK_OF_VALUES}
    bounds = entries(lines)
    ends = [*(each.first for each in bounds[1:]), len(lines)] if bounds else []
    for entry, after in zip(bounds, ends, strict=True):
        if entry.stray or entry.mark != ":":
            continue  # the mending reader has read it whole
        for lead, first, parts in _pieces(entry, lines, after):
            at = next((index for index, text in enumerate(parts) if cuts(text)), -1)
            its = range(line + first, line + first + len(parts)) if lead else range(line + entry.first, line + after)
            if at >= 0 and spoken.isdisjoint(its):
                mend = shown(lead + write_scalar(" ".join(filter(None, parts))))
                found.append(Finding("head-hash", path, line + first + at, f"value lost after #; write `{mend}`"))
    return found


def _pieces(entry: Entry, lines: Sequence[str], after: int) -> Iterator[Piece]:
    """The plain values of free text in an entry whose last line stands before ``after``."""
    value = entry.value.replace("\t#", " #")
    below = [text.strip().replace("\t#", " #") for text in lines[entry.first + 1 : after]]
    first = next((text for text in below if text and text[0] != "#"), "")
    if is_block(value) or value[:1] in ("'", '"'):
        return
    if value[:1] in ("[", "{"):
        yield from _flow_pieces(value, below, entry.first)
    elif is_item(first) and (not value or value[0] == "#"):
        yield from _item_pieces(below, entry.first + 1)
    elif first and (not value or value[0] == "#") and (first[0] in "'\"[{|>" or split_key(first)):
        if not split_key(first):
            return
        yield from _nested_items(below, entry.first + 1)
    elif entry.key not in WORD_KEYS:
        if value[:1] == "#" and first and not _touches(value):
            value = ""  # a comment behind the key, the value below
        yield f"{entry.key}: ", entry.first, [value, *map(_without_comment_line, below)]


def _nested_items(below: Sequence[str], at: int) -> Iterator[Piece]:
    """Lists of nested fields, and nothing else of them."""
    within = ""
    run: list[str] = []
    for index, text in enumerate([*below, ""]):
        key = None if is_item(text) or not text else split_key(text)
        if key:
            within = key[2]
        if is_item(text) and not is_block(within):
            run.append(text)
            continue
        yield from _item_pieces(run, at + index - len(run))
        run = []


def _item_pieces(below: Sequence[str], at: int) -> Iterator[Piece]:
    """Each item of a block list with the lines that go on with it."""
    items: list[tuple[int, list[str]]] = []
    for index, text in enumerate(below):
        if is_item(text):
            items.append((index, [text[1:].strip()]))
        elif items:
            items[-1][1].append(_without_comment_line(text))
    for index, parts in items:
        if parts[0][:1] not in ("'", '"', "[", "{") and not is_block(parts[0]) and not _holds_fields(parts):
            yield "- ", at + index, [text if _touches(text) else _without_comment(text) for text in parts]


def _flow_pieces(value: str, below: Sequence[str], at: int) -> Iterator[Piece]:
    """The plain items before a `` #`` of a list or mapping in brackets that goes over several lines."""
    flow = _Flow()
    for index, text in enumerate([value, *below]):
        place, start = flow.comment(text)
        item = text[start:place].strip()
        if item and item[0] not in "'\"[]{}" and _touches(text[place:]):
            yield "", at + index, [text[start:].strip().rstrip(",]} ")]


class _Flow:
    """A list or mapping in brackets, read line after line.

    depth: of the brackets
    quote: the sign that opened the quoted text at hand, "" outside of one
    """

    __slots__ = ("depth", "quote")

    def __init__(self) -> None:
        self.depth, self.quote = 0, ""

    def comment(self, text: str) -> tuple[int, int]:
        """Where the comment inside the brackets begins, its blank included, and the item before it; twice the line's
        length where there is none.
        """
        at, start, fresh = 0, 0, True  # fresh: only blanks since the item, or its value, began
        while at < len(text):
            mark = text[at]
            if self.quote:
                at += self._quoted(text, at)
                fresh = False
                continue
            if mark == "#" and (not at or text[at - 1] == " "):
                return max(0, at - 1), start
            if mark in "'\"" and fresh:
                self.quote = mark
            self.depth += (mark in "[{") - (mark in "]}")
            if self.depth == 0 and mark in "]}":
                break  # what follows is no item
            if mark in "[{," or (mark == ":" and text[at + 1 : at + 2] in ("", " ")):
                start, fresh = at + 1, True
            elif mark != " ":
                fresh = False
            at += 1
        return len(text), len(text)

    def _quoted(self, text: str, at: int) -> int:
        """How many characters of quoted text to go on; its last sign ends it."""
        if self.quote == '"' and text[at] == "\\":
            return 2
        if text[at] == self.quote:
            if self.quote == "'" and text[at + 1 : at + 2] == "'":
                return 2
            self.quote = ""
        return 1


def _holds_fields(parts: Sequence[str]) -> bool:
    """Is the item fields of its own?  One line of plain words such as ``Deploy: fix #42`` is meant as text."""
    key = split_key(parts[0])
    return key is not None and (any(parts[1:]) or key[2][:1] in ("'", '"', "[", "{") or is_block(key[2]))


def _touches(text: str) -> bool:
    """Does the first ``#`` that cuts touch a word, as in ``fix #42``?"""
    place = 1 if text[:1] == "#" else text.find(" #") + 2
    return place > 0 and text[place : place + 1] not in ("", " ", "#") and (text[:1] == "#" or " #" in text)


def _without_comment(text: str) -> str:
    """``text`` up to its comment."""
    return "" if text[:1] == "#" else text.partition(" #")[0]


def _without_comment_line(text: str) -> str:
    """ "" for a line that is a comment only."""
    return "" if text[:1] == "#" and not _touches(text) else text
