"""A list as a person types it on one line: ``a, "b, c"``; read and written so that no sign of an item is lost.

Quotes belong to the list only where they stand around a whole item, brackets where they stand around all of it.
Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.memory.entry import quote_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COMMAS = ",，、"
QUOTES = ("'", '"')


def split_items(text: str, commas: str = COMMAS) -> list[str]:
    """The items of ``text``, as they stand there, without outer blanks; empty ones are left out.

    A comma inside an item that is quoted as a whole parts nothing.
    """
    ends = [at for at, mark in _marks(text, commas) if mark in commas]
    starts = [0, *(end + 1 for end in ends)]
    parts = [text[start:end].strip() for start, end in zip(starts, [*ends, len(text)], strict=True)]
    return [part for part in parts if part]


def unquoted(item: str) -> str:
    """An item without the quotes around it, when one pair stands around all of it."""
    if len(item) < 2 or item[0] not in QUOTES or quote_end(item) != len(item) - 1:
        return item
    inner = item[1:-1]
    return (inner.replace("''", "'") if item[0] == "'" else inner.replace('\\"', '"')).strip()


def without_brackets(text: str) -> str:
    """``[a, b]`` as ``a, b``; a text that no single pair of brackets encloses as it is."""
    bare = text.strip()
    if bare[:1] != "[" or bare[-1:] != "]":
        return text
    depth = 0
    for at, mark in _marks(bare, COMMAS):
        depth += (mark == "[") - (mark == "]")
        if depth == 0:
            return bare[1:-1] if at == len(bare) - 1 else text
    return text


def typed_items(items: Iterable[str]) -> str:
    """``items`` so that ``split_items`` and ``unquoted`` give them back."""
    return ", ".join(_typed(item) for item in items)


def _typed(item: str) -> str:
    is_plain = not any(mark in item for mark in COMMAS + "[]") and item[:1] not in QUOTES and item == item.strip()
    return item if item and is_plain else "'" + item.replace("'", "''") + "'"


def _marks(text: str, commas: str) -> Iterator[tuple[int, str]]:
    """Place and character of what stands outside of quoted items."""
    at, fresh = 0, True  # fresh: only blanks since the beginning of an item
    while at < len(text):
        if fresh and text[at] in QUOTES:
            after = _behind_quotes(text, at)
            if after and text[after : after + 1] in ("", "]", *commas):
                at, fresh = after, False
                continue
        yield at, text[at]
        fresh = text[at] in commas or text[at] == "[" or (fresh and text[at].isspace())
        at += 1


def _behind_quotes(text: str, at: int) -> int:
    """The first place behind the quoted item at ``at`` that is no blank; 0 when the quote has no partner."""
    end = quote_end(text[at:])
    if end < 0:
        return 0
    rest = text[at + end + 1 :]
    return len(text) - len(rest.lstrip())
