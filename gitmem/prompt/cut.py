"""Cut a text to a number of characters and of bytes, at a line's end where that loses little."""

from __future__ import annotations


def cut(text: str, max_chars: int, max_bytes: int) -> str:
    """The longest beginning of ``text`` that fits both; ``text`` itself when it fits.

    Ends with a whole line unless that would lose more than half of what fits.
    """
    kept = text[: max(max_chars, 0)]
    raw = kept.encode("utf-8", "replace")
    if len(raw) > max_bytes:
        kept = raw[: max(max_bytes, 0)].decode("utf-8", "ignore")
    if len(kept) == len(text):
        return text
    line_end = kept.rfind("\n")
    return kept[:line_end] if line_end >= len(kept) // 2 else kept
