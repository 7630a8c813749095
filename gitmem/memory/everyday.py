"""What a question in another language than English, Chinese, Japanese and Korean asks for.

Its everyday words are told as they are written: Vietnamese before its marks are folded; Thai, Lao,
Khmer and Burmese by the longest known word at each place, as no blanks part them.
Loaded when a question is in one of those.
Hot: standard library only.
"""

from __future__ import annotations

from unicodedata import normalize

from gitmem.memory import stopwords_other
from gitmem.memory.letters import clusters
from gitmem.memory.stopwords import FOREIGN, GENERIC, GENERIC_WEIGHT, STOP
from gitmem.memory.words import CLUSTERED, EDGE, scripts, terms_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 10  # clusters or syllables of one everyday word


class _Lists(dict[str, frozenset[str]]):
    """The lists of ``stopwords_other`` that were asked for, by their names."""

    def __missing__(self, name: str) -> frozenset[str]:
        found = self[name] = frozenset(normalize("NFKC", getattr(stopwords_other, name)).split())
        return found


_lists = _Lists()


def weights(chunks: Sequence[str]) -> dict[str, float]:
    """The terms of a question, cut at its blanks, and their weights: ``question_words`` of such a text."""
    terms = [terms_of(chunk, False) for chunk in chunks]
    is_vietnamese = any(map(_is_vietnamese, chunks))
    is_latin = not is_vietnamese and any(map(_is_latin, chunks, terms))
    most = _vietnamese(chunks, is_vietnamese) if not is_latin and any(map(_is_marked, chunks, terms)) else None
    out: dict[str, float] = {}
    for at, chunk in enumerate(chunks):
        pairs = _pair_weights(chunk)
        said = most[at] if most is not None else 1.0
        for term in terms[at]:
            weight = min(said, pairs.get(term, 1.0), _weight(term, is_latin))
            if weight > out.get(term, 0.0):
                out[term] = weight
    return out


def _is_marked(chunk: str, terms: Sequence[str]) -> bool:
    """Whether a word is of Latin letters, some with marks."""
    return not chunk.isascii() and any(map(str.isascii, terms))


def _is_vietnamese(chunk: str) -> bool:
    """Whether a word has a letter that hardly another language has."""
    return not chunk.isascii() and any("\u1ea0" <= char <= "\u1eff" or char in "ăđơưĂĐƠƯ" for char in chunk)


def _is_latin(chunk: str, terms: Sequence[str]) -> bool:
    """Whether a word is of no English text: by its letters, or an everyday one by its marks."""
    if not FOREIGN.isdisjoint(terms):
        return True
    return _is_marked(chunk, terms) and any(_latin(term) < 1.0 for term in terms)


def _weight(term: str, is_latin: bool) -> float:
    if term in STOP:
        return 0.0
    if term in GENERIC:
        return GENERIC_WEIGHT
    if term.isascii():
        return _latin(term) if is_latin else 1.0
    return _listed(term, "STOP", "GENERIC")


def _latin(term: str) -> float:
    return _listed(term, "LATIN_STOP", "LATIN_GENERIC")


def _listed(word: str, stop: str, generic: str) -> float:
    if word in _lists[stop]:
        return 0.0
    return GENERIC_WEIGHT if word in _lists[generic] else 1.0


def _vietnamese(chunks: Sequence[str], is_sure: bool) -> list[float] | None:
    """What each word says in a Vietnamese text; None when it is none: no letter of its own, no such word."""
    typed = [chunk.strip(EDGE).lower() for chunk in chunks]
    marks = _marks(typed, "_", "VIETNAMESE_STOP", "VIETNAMESE_GENERIC")
    if is_sure or any(mark < 1.0 and not word.isascii() for word, mark in zip(typed, marks, strict=True)):
        return marks
    return None


def _pair_weights(chunk: str) -> dict[str, float]:
    """The weights of pairs of clusters: one that touches an everyday word says no more than that word."""
    out: dict[str, float] = {}
    for run in "".join([char if scripts[char] == CLUSTERED else " " for char in chunk]).split():
        units = clusters(run)
        marks = _marks(units, "", "UNSPACED_STOP", "UNSPACED_GENERIC")
        if len(units) == 1:
            out[run] = max(out.get(run, 0.0), marks[0])
        for at in range(len(units) - 1):
            pair = units[at] + units[at + 1]
            out[pair] = max(out.get(pair, 0.0), min(marks[at : at + 2]))
    return out


def _marks(units: Sequence[str], glue: str, stop: str, generic: str) -> list[float]:
    """What each unit says: those of an everyday word, the longest that stands there, as much as that."""
    marks = [1.0] * len(units)
    at = 0
    while at < len(units):
        for end in range(min(at + _LONGEST, len(units)), at, -1):
            said = _listed(glue.join(units[at:end]), stop, generic)
            if said < 1.0:
                marks[at:end] = [said] * (end - at)
                at = end - 1
                break
        at += 1
    return marks
