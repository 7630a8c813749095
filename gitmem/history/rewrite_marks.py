"""By what words a purged text is known again where somebody repeated it: in a refused text, in a commit's message."""

from __future__ import annotations

import re
import unicodedata

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LINE_WIDTH = 20  # columns from which a line is told from what anybody might write; a wide character has two
LETTERS = 10  # of a line, so that a date is none
WORD_CHARS, WORD_LETTERS = 10, 3  # of a word with a digit in it: a password, an id, a version of a thing
SHARED_BY = 2  # other texts that have a mark too: then it is a phrase of this store's
BEGINNING = re.compile(r"^[\s\-*+>#]*(?:[\w.-]+:\s+)?")  # what makes a line an item, a heading, a field
AROUND = " \t\r\"'`.,;:!?()[]{}<>"


class Marks:
    """The distinctive lines and words of some texts.

    names: words that say nothing, since they stay: the memory's own paths
    """

    def __init__(self, texts: Iterable[str], names: Iterable[str]) -> None:
        known = " ".join(names)
        self._marks = {mark for text in texts for mark in _marks(text) if mark not in known}

    def in_text(self, text: str) -> set[str]:
        """The marks that ``text`` repeats."""
        return {mark for mark in self._marks if mark in text}

    def forget_shared(self, marks: Iterable[str], others: Iterable[str]) -> None:
        """Take those of ``marks`` for no marks that SHARED_BY of the texts ``others`` have as well."""
        counts = dict.fromkeys(marks, 0)
        for text in others:
            for mark in [mark for mark in counts if mark in text]:
                counts[mark] += 1
                if counts[mark] == SHARED_BY:
                    del counts[mark]
                    self._marks.discard(mark)
            if not counts:
                break


def _marks(text: str) -> set[str]:
    found = set()
    for line in text.splitlines():
        rest = BEGINNING.sub("", line).strip(AROUND)
        letters = sum(1 + _is_wide(char) for char in rest if char.isalpha())
        if letters >= LETTERS and len(rest) + sum(map(_is_wide, rest)) >= LINE_WIDTH:
            found.add(rest)
        found.update(word for each in line.split() if _is_distinctive(word := each.strip(AROUND)))
    return found


def _is_distinctive(word: str) -> bool:
    has_digit = any(char.isdigit() for char in word)
    return len(word) >= WORD_CHARS and has_digit and sum(map(str.isalpha, word)) >= WORD_LETTERS


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"
