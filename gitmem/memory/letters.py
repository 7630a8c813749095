"""Letters without the marks a person may leave out, and letters kept together with those they cannot do without.

Loaded when a text holds a letter that is neither ASCII nor Chinese, Japanese or Korean.
Hot: standard library only.
"""

from __future__ import annotations

from unicodedata import category, decimal, normalize

# What the standard filters of search engines fold too: letters with a stroke, ё, and in Arabic the forms
# of alef, the final forms of ya and ta, the Persian ya and kaf, and the stroke that only stretches a word.
_TWINS = {
    "ı": "i", "ł": "l", "đ": "d", "ø": "o", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ħ": "h", "ŧ": "t", "ŋ": "n",
    "ё": "е", "ѐ": "е", "ѝ": "и",
    "آ": "ا", "أ": "ا", "إ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ـ": "",
    "ँ": "ं", "़": "",
}  # fmt: skip

# Vowels written as letters: before the consonant they are spoken behind, or behind it; signs that put the
# next consonant below.
_BEFORE = frozenset("เแโใไເແໂໃໄ")
_BEHIND = frozenset("ะาๅະາຽ")
_STACKING = frozenset("\u17d2\u1039")


class _Bare(dict[int, str]):
    """What stands for each character that was met; a table for ``str.translate``."""

    def __missing__(self, code: int) -> str:
        found = self[code] = _bare_letter(chr(code))
        return found


_table = _Bare()


def bare(low: str) -> str:
    """A word in lower case without accents, points and vowel signs that are written or left out at will.

    low: NFKC.  Marks that make another letter stay: a Cyrillic й, the vowel signs of Indian scripts
    """
    return low.translate(_table).casefold()


def _bare_letter(char: str) -> str:
    kind = category(char)
    if kind == "Nd":
        return str(decimal(char))
    if char in _TWINS:
        return _TWINS[char]
    if kind == "Mn":  # of Latin, Greek, Cyrillic, Hebrew and Arabic; behind those a vowel sign is no ornament
        return "" if char < "\u0780" or "\u08d3" <= char <= "\u08ff" or "\u1ab0" <= char <= "\u1dff" else char
    if char < "\u0400" or "\u1e00" <= char <= "\u1fff":
        return "".join([part for part in normalize("NFKD", char) if category(part) != "Mn"])
    return char


def clusters(run: str) -> list[str]:
    """A run of Thai, Lao, Khmer or Burmese cut before each consonant, its vowels and marks left with it."""
    out: list[str] = []
    start = 0
    for at in range(1, len(run)):
        char, before = run[at], run[at - 1]
        if char not in _BEHIND and before not in _BEFORE and before not in _STACKING and category(char)[0] != "M":
            out.append(run[start:at])
            start = at
    out.append(run[start:])
    return out


def cluster_pairs(run: str, out: list[str], index_side: bool) -> None:
    """Overlapping pairs of the clusters of a run; a lone one stays alone, and the last is indexed alone too."""
    units = clusters(run)
    out += [units[at] + units[at + 1] for at in range(len(units) - 1)]
    if index_side or len(units) == 1:
        out.append(units[-1])
