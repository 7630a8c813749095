"""Which lines of a head belong to which key: for the mending reader and for the splice editor.

Pure line work; it never asks YAML.  The editor checks its result by reading it again, so an
unusual head that this misjudges is refused there, not damaged.
"""

from __future__ import annotations

from gitmem.memory.line_head import INDICATORS, read_scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# A line of one of these that is indented under a finished value is a field of its own, not a continuation.
# Values of WORD_KEYS are short, so what follows " #" there is a comment, not lost text.
WORD_KEYS = frozenset(
    [
        "type",
        "updated",
        "baseline",
        "baselinePriority",
        "metadata",
        "id",
        "kind",
        "trust",
        "pinned",
        "muted",
        "expires",
        "importance",
        "modified",
        "node_type",
    ]
)
STRAY_KEYS = WORD_KEYS.union(
    ["name", "description", "tags", "aliases", "seed", "triggers", "supersedes", "superseded_by"]
)


class Entry:
    """One key of a mapping and its lines.

    key:    "" for a line that is neither a key nor belongs to one
    mark:   ":" as YAML wants it, ":?" without the blank after it or with one of another kind beside the key, "："
            full-width; "" without a key
    value:  what follows the mark on the first line, outer blanks gone
    first:  0-based index of the key's line; last: exclusive, trailing comments and blank lines not included
    indent: characters before the key
    stray:  indented under a field that has a value already
    """

    __slots__ = ("first", "indent", "key", "last", "mark", "stray", "value")

    def __init__(self, key: str, mark: str, value: str, first: int, indent: int, stray: bool) -> None:
        self.key, self.mark, self.value = key, mark, value
        self.first, self.last, self.indent, self.stray = first, first + 1, indent, stray


def entries(lines: Sequence[str]) -> list[Entry]:
    """The entries of the outermost mapping in ``lines`` (no line endings needed)."""
    found: list[Entry] = []
    for index, line in enumerate(lines):
        text = line.strip()
        if not text:
            continue
        indent = indent_of(line)
        entry = found[-1] if found else None
        if text[0] == "#":
            if entry and indent > entry.indent and is_open(entry.value):
                entry.last = index + 1
            continue
        if entry and (indent > found[0].indent or (is_item(text) and entry.key and not is_finished(entry.value))):
            key = split_key(text) if entry.key and is_finished(entry.value) and not is_item(text) else None
            if not key or key[0] not in STRAY_KEYS:
                entry.last = index + 1
                continue
        found.append(_entry(text, index, indent, stray=bool(entry) and indent > found[0].indent))
        if found[-1].mark == ":" and not line.isascii() and odd_blank(line):
            found[-1].mark = ":?"
    return found


def _entry(text: str, index: int, indent: int, *, stray: bool) -> Entry:
    key, mark, value = split_key(text) or ("", "", "")
    return Entry(key, mark, value, index, indent, stray)


def odd_blank(line: str) -> str:
    """The blank beside the key of ``line`` that is none to YAML, such as U+3000 from a CJK keyboard; "" for none."""
    bare = line.strip(" \t")
    before = bare.partition(":")[0].rstrip(" \t")
    return next((mark for mark in (before[:1], before[-1:]) if mark.isspace()), "")


def split_key(text: str) -> tuple[str, str, str] | None:
    """Key, mark and value of a stripped line; None when it is no ``key: value``."""
    if text[:1] in ("'", '"'):
        end = quote_end(text)
        if end > 0 and text[end + 1 :].lstrip(" ")[:1] == ":":
            key = read_scalar(text[: end + 1])
            return (key, ":", text[end + 1 :].lstrip(" ")[1:].strip()) if key else None
        return None
    at = text.find(": ")
    tab = text.find(":\t")
    if 0 <= tab < at or at < 0:
        at = tab
    if at < 0 and text.endswith(":"):
        at = len(text) - 1
    if at > 0 and text[0] not in INDICATORS:
        return text[:at].rstrip(), ":", text[at + 1 :].strip()
    for mark in (":", "："):  # "name:x" and what a Chinese keyboard types
        key, found, value = text.partition(mark)
        if found and is_word(key.rstrip()) and not value.startswith("//"):
            return key.rstrip(), ":?" if mark == ":" else mark, value.strip()
    return None


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def is_item(text: str) -> bool:
    return text[:2] == "- " or text == "-"


def is_word(key: str) -> bool:
    """A name such as people give to fields: no blanks, no signs."""
    return key.replace("-", "_").isidentifier() and not key.startswith("-")


def is_block(value: str) -> bool:
    """A block scalar's header, ``|`` or ``>`` with its marks; the lines below are its text."""
    return value[:1] in ("|", ">") and not value.partition(" #")[0][1:].strip("+-0123456789 ")


def is_open(value: str) -> bool:
    """Can an indented line that starts with ``#`` be part of this value?"""
    return is_block(value) or (value[:1] in ("'", '"') and quote_end(value) < 0)


def is_finished(value: str) -> bool:
    """Does the value end on its line, so that an indented ``name: x`` below cannot belong to it?"""
    return bool(value) and value[0] not in "[{#" and not is_open(value)


def quote_end(text: str) -> int:
    """Index of the quote that closes the one ``text`` starts with; -1 when none does."""
    quote, index = text[0], 1
    while index < len(text):
        if quote == '"' and text[index] == "\\":
            index += 1
        elif text[index] == quote:
            if quote == '"' or text[index + 1 : index + 2] != quote:
                return index
            index += 1
        index += 1
    return -1


def comment_start(value: str) -> int:
    """Where the comment behind a one-line value starts, its blanks included; the value's length when there is none.

    A sign inside brackets that are closed on the line begins none: YAML would not see them closed.
    """
    index = depth = inside = 0  # inside: where the first one in brackets stands
    while index < len(value):
        mark = value[index]
        if mark == "#" and (index == 0 or value[index - 1] in " \t"):
            if not depth:
                inside = 0
                break
            inside = inside or index
        if value[0] in "[{":
            depth += (mark in "[{") - (mark in "]}")
        if mark in "'\"" and (index == 0 or (value[0] in "[{" and value[index - 1] in "[{,: ")):
            end = quote_end(value[index:])
            if end < 0:
                break
            index += end
        index += 1
    at = inside if inside and depth > 0 else index
    return len(value[:at].rstrip()) if value[at : at + 1] == "#" else len(value)
