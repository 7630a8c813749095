"""The fast half of the head reader: heads whose every line can be read in one way only.

Reads ``key: value`` lines, simple quotes, flow lists and block lists of simple items, one nested
level, and comments.  Anything else gives None, and YAML decides (head.py).  Where this reader
answers, its answer is YAML's: tests/memory/test_head.py compares the two.
Hot: imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Value: TypeAlias = "str | list[Value] | dict[str, Value]"

INDICATORS = frozenset("-?:,[]{}#&*!|>'\"%@`")  # a plain value that starts with one is YAML's to judge
FLOW_SIGNS = frozenset("[]{}:?#'\"")  # never inside a plain item of a flow list, as we read it
ODD = frozenset("\u2028\u2029\ufeff\ufffe\uffff")  # line breaks to YAML, or refused by it
MAX_KEY_CHARS = 120  # YAML allows 1024


def read_lines(head: str) -> dict[str, Value] | None:
    """The fields of ``head`` (the text between the fences, LF only), or None: ask YAML."""
    if not _is_ordinary(head):
        return None
    fields: dict[str, Value] = {}
    nested: dict[str, Value] | None = None
    nested_indent = 0
    owner: dict[str, Value] | None = None  # holds a key that may still get children
    owner_key, owner_indent = "", 0
    items: list[Value] | None = None
    items_indent = 0
    for line in head.split("\n"):
        text = line.strip(" ")
        if not text or text[0] == "#":
            continue
        indent = line.index(text[0])
        if text[0] == "-":
            item = read_scalar(text[2:].lstrip(" ")) if text[1:2] == " " else None
            if item is None:
                return None
            if items is None:
                if owner is None or indent < owner_indent:
                    return None
                items, items_indent = [], indent
                owner[owner_key] = items
                owner = None
            elif indent != items_indent:
                return None
            items.append(item)
            continue
        key, colon, rest = text.partition(":")
        if not colon or (rest and rest[0] != " ") or len(key) > MAX_KEY_CHARS:
            return None
        if not key.isidentifier() and not (key[:1].isalpha() and key.replace("-", "_").isidentifier()):
            return None
        if indent == 0:
            into, nested = fields, None
        elif nested is not None and indent == nested_indent:
            into = nested
        elif owner is fields:
            into = nested = {}
            fields[owner_key] = nested
            nested_indent = indent
        else:
            return None
        if key in into:
            return None
        items = owner = None
        rest = rest.lstrip(" ")
        if not rest or rest[0] == "#":
            into[key] = ""
            owner, owner_key, owner_indent = into, key, indent
            continue
        value = _read_flow(rest) if rest[0] == "[" else read_scalar(rest)
        if value is None:
            return None
        into[key] = value
    return fields


def read_scalar(text: str) -> str | None:
    """The value of ``text`` (no outer blanks) when it is plain or simply quoted, else None."""
    if not text:
        return None
    first = text[0]
    if first == '"':
        return _read_double(text)
    if first == "'":
        inner = text[1:-1]
        if len(text) < 2 or text[-1] != "'" or "'" in inner.replace("''", ""):
            return None
        return inner.replace("''", "'")
    if first in INDICATORS:
        return None
    cut = text.find(" #")
    if cut >= 0:
        text = text[:cut].rstrip(" ")
    if ": " in text or text[-1] == ":":
        return None
    return text


def _read_double(text: str) -> str | None:
    """A double-quoted value on one line; of the escapes only ``\\"`` and ``\\\\``."""
    inner = text[1:-1]
    if len(text) < 2 or text[-1] != '"':
        return None
    if "\\" not in inner:
        return None if '"' in inner else inner
    parts = []
    for part in inner.split("\\\\"):
        bare = part.replace('\\"', "")
        if "\\" in bare or '"' in bare:
            return None
        parts.append(part.replace('\\"', '"'))
    return "\\".join(parts)


def _read_flow(text: str) -> list[Value] | None:
    """``[a, "b"]`` on one line with nothing after it."""
    if text[-1] != "]" or len(text) < 2:
        return None
    inner = text[1:-1].strip(" ")
    if not inner:
        return []
    if inner[-1] == ",":  # one comma at the end is allowed
        inner = inner[:-1]
    items: list[Value] = []
    for part in inner.split(","):
        item = part.strip(" ")
        if not item:
            return None
        if item[0] in "'\"":
            value = read_scalar(item)
            if value is None:
                return None
            items.append(value)
        elif item[0] in INDICATORS or not FLOW_SIGNS.isdisjoint(item):
            return None
        else:
            items.append(item)
    return items


def _is_ordinary(head: str) -> bool:
    """No tab, no other control character, nothing that is a line break to YAML only."""
    if head.replace("\n", "").isprintable():
        return True
    for char in set(head):
        if char < " ":
            if char != "\n":
                return False
        elif "~" < char < "\xa0" or char in ODD or "\ud800" <= char <= "\udfff":
            return False
    return True
