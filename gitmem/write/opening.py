"""What a text calls itself: its heading, its first sentence, and a name made of them."""

from __future__ import annotations

from gitmem.memory.section import heading

SENTENCE_ENDS, WIDE_ENDS = ".!?", "。！？"  # the first kind ends a sentence only before a blank


def opening(body: str) -> tuple[str, str]:
    """The heading a text begins with, or "", and its first sentence after that heading."""
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    title = heading(lines[0])[1] if lines else ""
    rest = lines[1:] if title and len(lines) > 1 else lines
    return title, first_sentence(without_mark(rest[0])) if rest else ""


def beginning(line: str) -> str:
    """A line that was cut (it ends with ``…``) cut again at its last blank, where that leaves the better half."""
    kept = line.removesuffix("…")
    blank = kept.rfind(" ")
    return kept[:blank] if kept != line and blank > len(kept) // 2 else kept


def without_mark(line: str) -> str:
    """A line without what makes it a heading, an item of a list or a quotation."""
    mark, blank, text = line.partition(" ")
    is_mark = mark in ("-", "*", "+", ">") or not mark.strip("#") or (mark[-1] in ".)" and mark[:-1].isdigit())
    return text.strip() if blank and is_mark else line


def first_sentence(line: str) -> str:
    """``line`` up to its first full stop."""
    for at, mark in enumerate(line):
        if mark in WIDE_ENDS or (mark in SENTENCE_ENDS and line[at + 1 : at + 2].isspace()):
            return line[: at + 1]
    return line
