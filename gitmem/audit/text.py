"""What no memory's text should hold: secrets, conflict markers, characters that are not seen."""

from __future__ import annotations

import unicodedata

from gitmem.memory.document import Memory, line_at
from gitmem.memory.finding import Finding
from gitmem.memory.marker import marker_finding, markers
from gitmem.memory.secret import ALLOW, barred_spans, secret_finding, secret_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_PLAIN = bytes(byte for byte in range(256) if byte >= 0x20 and byte != 0x7F) + b"\t\n\r\f"
_BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_DIRECTION = frozenset("\u200e\u200f\u061c")  # marks that right-to-left writing needs
_JOINERS = frozenset("\u200c\u200d")  # Persian, Indic scripts and emoji need them
_SPACES = frozenset("\u200b\u2060\ufeff\u00ad\u180e\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5")
_TAGS = frozenset(map(chr, range(0xE0000, 0xE0080)))  # ASCII that is not seen
_SELECTORS = frozenset(map(chr, range(0xE0100, 0xE01F0)))
_CONTROLS = frozenset(map(chr, (*range(0x20), *range(0x7F, 0xA0)))) - frozenset("\t\n\r\f")
_MORE = frozenset(map(chr, (*range(0x2061, 0x2065), *range(0x206A, 0x2070), *range(0xFFF9, 0xFFFC))))
_HIDDEN = _DIRECTION | _JOINERS | _SPACES | _TAGS | _SELECTORS | _CONTROLS | _MORE
_FLAG = "\U0001f3f4"  # the black flag: England's, Scotland's and Wales's are spelled with tags behind it
_FLAG_TAGS = 7  # at most so many tags behind it
_NEAR = 80  # characters around a mark of direction in which the writing that needs it is looked for
_UNSPACED = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "JAVANESE", "BALINESE")  # U+200B parts their words


def text_findings(memory: Memory) -> Iterator[Finding]:
    """Findings of the rules secret, marker, bidi and hidden."""
    yield from sight_findings(memory)
    for line, kind, _ in secrets(memory.text):
        yield secret_finding(memory.path, line, kind)


def sight_findings(memory: Memory) -> Iterator[Finding]:
    """The same without secrets, which a change compares as texts; cheap tests first."""
    text, path = memory.text, memory.path
    yield from (marker_finding(path, line, shown) for line, shown in markers(text))
    if b"\0" in memory.data and not memory.encoding.startswith("utf-16"):
        line = line_at(text, text.index("\0"))
        yield Finding("encoding", path, line, "NUL bytes, as UTF-16 without its mark has; save the file as UTF-8")
    elif not text.isascii() or memory.data.translate(None, _PLAIN):
        yield from unseen(text, path)


def secrets(text: str) -> list[tuple[int, str, str]]:
    """Line, kind and text of every secret that no ``gitmem: allow-secret`` on its line allows."""
    return [(line_at(text, start), kind, text[start:end]) for start, end, kind in barred_spans(text)]


def allowed(text: str) -> set[str]:
    """The texts that look like secrets and are marked as harmless in ``text``."""
    if ALLOW not in text:
        return set()
    barred = {each for _, _, each in secrets(text)}
    return {text[start:end] for start, end, _ in secret_spans(text)} - barred


def unseen(text: str, path: str) -> Iterator[Finding]:
    """One finding for each of the rules bidi and hidden, at the first character; the others are counted."""
    if not _BIDI.isdisjoint(text):
        places = [at for at, mark in enumerate(text) if mark in _BIDI]
        yield _unseen("bidi", path, text, places, "turns the direction of writing")
    if not _HIDDEN.isdisjoint(text):
        places = [at for at, mark in enumerate(text) if mark in _HIDDEN and not _is_needed(text, at)]
        if places:
            yield _unseen("hidden", path, text, places, "is not seen")


def _unseen(rule: str, path: str, text: str, places: list[int], what: str) -> Finding:
    mark = text[places[0]]
    name = unicodedata.name(mark, "a control character").lower()
    more = f"; {len(places) - 1} more in the file" if len(places) > 1 else ""
    return Finding(rule, path, line_at(text, places[0]), f"U+{ord(mark):04X} ({name}) {what}{more}")


def _is_needed(text: str, at: int) -> bool:
    """Whether writing needs this unseen character where it stands."""
    mark, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if mark in _JOINERS:
        return _is_letter(before) and (_is_letter(after) or after in ("", " ", "\n", "\r"))
    if mark in _DIRECTION:
        near = text[max(0, at - _NEAR) : at] + text[at + 1 : at + _NEAR]
        return any(unicodedata.bidirectional(each) in ("R", "AL") for each in near)
    if mark == "\u200b":
        return any(unicodedata.name(each, "").startswith(_UNSPACED) for each in (before, after) if each)
    if mark in _SELECTORS:  # the form of an ideograph
        return bool(before) and unicodedata.category(before) == "Lo"
    if mark in _TAGS:
        lead = text[max(0, at - _FLAG_TAGS) : at]
        flag = lead.rfind(_FLAG)
        return flag >= 0 and _TAGS.issuperset(lead[flag + 1 :])
    return False


def _is_letter(mark: str) -> bool:
    """A letter, accent or picture that is not ASCII."""
    return bool(mark) and not mark.isascii() and (unicodedata.category(mark)[0] in "LMS" or mark == "\ufe0f")
