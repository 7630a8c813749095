"""The heading tree of a body: addresses like ``# A > ## B``, and the edit of one section.

ATX headings of level 1 to 4 outside code fences make the tree (A5); deeper
headings and setext headings are text.  A section is its heading line and the
lines up to the next heading of the tree, so that the pieces joined are the body
and an edit of ``# A`` never touches ``# A > ## B``.
Hot: the cheap set only.
"""

from __future__ import annotations

import unicodedata

from gitmem.errors import NotFound, Refused
from gitmem.limits import MAX_HEADING_LEVEL, MAX_TITLE_CHARS
from gitmem.memory.document import split_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

_SEPARATOR = " > "


class Section:
    """One heading of the tree and the lines it owns.

    address:     unique in the body, ``# A > ## B``; a repeated one ends in `` [2]``
    plain:       the same without such numbers
    title:       the heading's text without marks, at most MAX_TITLE_CHARS
    level:       1..4
    first, last: 0-based lines of ``body.splitlines(keepends=True)``, heading first, ``last`` exclusive;
                 subsections are not included
    """

    __slots__ = ("address", "first", "last", "level", "plain", "title")

    def __init__(self, address: str, plain: str, title: str, level: int, first: int, last: int) -> None:
        self.address, self.plain, self.title = address, plain, title
        self.level, self.first, self.last = level, first, last

    def __repr__(self) -> str:
        return f"Section({self.address!r}, lines {self.first}..{self.last})"


def sections(body: str) -> list[Section]:
    """Every section of ``body`` in order; what stands before the first heading is in none."""
    found: list[Section] = []
    if "#" not in body:
        return found
    lines = split_lines(body)
    numbers: dict[str, int] = {}  # address -> how often it was wanted
    above: list[tuple[int, str, str]] = []
    for at, level, title in _headings(lines):
        if found:
            found[-1].last = at
        while above and above[-1][0] >= level:
            above.pop()
        wanted = plain = f"{'#' * level} {title}".rstrip()
        if above:
            wanted, plain = above[-1][1] + _SEPARATOR + wanted, above[-1][2] + _SEPARATOR + plain
        address = wanted
        while address in numbers:
            numbers[wanted] += 1
            address = f"{wanted} [{numbers[wanted]}]"
        numbers[address] = 1
        above.append((level, address, plain))
        found.append(Section(address, plain, title, level, at, len(lines)))
    return _counted_as_splitlines(found, lines, body)


def find_section(body: str, address: str) -> Section | None:
    """The section at ``address``; also by ``A > B``, ``## B`` or ``B`` when only one fits, whatever the case."""
    fits = _fitting(sections(body), address)
    return fits[0] if len(fits) == 1 else None


def replace_section(body: str, address: str, text: str) -> str:
    """``body`` with ``text`` under the heading at ``address``; every other character as it was.

    text:    the new lines of the section; the heading itself may be their first line.
             Line endings become the body's, the blank lines around the section stay
    raises:  NotFound naming the addresses there are, or those that fit; Refused when ``text`` would swallow or
             move other sections (an open code fence, a heading of the same or a higher level)
    """
    every = sections(body)
    fits = _fitting(every, address)
    if len(fits) > 1:
        raise NotFound(f"'{address}' fits {len(fits)} sections; name one of them: {_named(fits)}")
    if not fits:
        raise NotFound(f"no section '{address}'; the sections are: {_named(every) or 'none, the body has no headings'}")
    section = fits[0]
    lines = body.splitlines(keepends=True)
    piece = split_lines("".join(lines[section.first : section.last]))
    ending = _ending(piece[0]) or _ending(split_lines(body)[0]) or "\n"
    heading = piece[0] if _ending(piece[0]) else piece[0] + ending
    new = _without_heading([line.rstrip("\r\n") for line in split_lines(text)], section)
    _check_inside(new, section)
    before = 1
    while before < len(piece) and not piece[before].strip():
        before += 1
    after = len(piece)
    while after > before and not piece[after - 1].strip():
        after -= 1
    middle = [line + ending for line in new]
    above, below = lines[: section.first], lines[section.last :]
    if before == len(piece):  # the section was empty: its blank lines go after the text
        if not middle:
            return body
        middle = ([ending] if before > 1 else []) + middle
        return "".join([*above, heading, *middle, *piece[1:], *below])
    if after == len(piece) and section.last == len(lines) and not _ending(piece[-1]) and middle:
        middle[-1] = new[-1]  # the body had no newline at its end
    return "".join([*above, heading, *piece[1:before], *middle, *piece[after:], *below])


def fence(line: str) -> tuple[str, int, str]:
    """The mark, its length and what follows when ``line`` is a code fence, else ``("", 0, "")``."""
    text = line.lstrip(" ")
    mark = text[:1]
    if mark not in ("`", "~") or not mark or len(line) - len(text) > 3:
        return "", 0, ""
    rest = text.lstrip(mark)
    length = len(text) - len(rest)
    if length < 3 or (mark == "`" and "`" in rest):
        return "", 0, ""
    return mark, length, rest.strip()


def heading(line: str) -> tuple[int, str]:
    """Level 1..6 and title when ``line`` is an ATX heading, else ``(0, "")``."""
    text = line.lstrip(" ")
    if not text.startswith("#") or len(line) - len(text) > 3:
        return 0, ""
    rest = text.lstrip("#")
    level = len(text) - len(rest)
    if level > 6 or (rest and rest[0] not in " \t\r\n"):
        return 0, ""
    title = rest.strip()
    cut = title.rstrip("#")
    if cut != title and (not cut or cut[-1] in " \t"):  # closing marks
        title = cut.rstrip()
    title = " ".join(title.split())
    return level, title if len(title) <= MAX_TITLE_CHARS else title[: MAX_TITLE_CHARS - 1].rstrip() + "…"


def _headings(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    """Line index, level and title of every heading of the tree."""
    found: list[tuple[int, int, str]] = []
    mark, length = "", 0
    for at, line in enumerate(lines):
        head = line.lstrip(" ")[:1]
        if head not in ("#", "`", "~"):
            continue
        if head == "#":
            level, title = (0, "") if mark else heading(line)
            if 0 < level <= MAX_HEADING_LEVEL:
                found.append((at, level, title))
            continue
        kind, size, rest = fence(line)
        if not mark:
            mark, length = kind, size
        elif kind == mark and size >= length and not rest:
            mark = ""
    return found


def _counted_as_splitlines(found: list[Section], lines: Sequence[str], body: str) -> list[Section]:
    """The same sections; ``str.splitlines`` also cuts at form feeds and U+2028, where Markdown has no line."""
    if len(body.splitlines()) == len(lines):
        return found
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.splitlines()))
    for section in found:
        section.first, section.last = starts[section.first], starts[section.last]
    return found


def _fitting(every: Sequence[Section], address: str) -> list[Section]:
    """The section at this very address, else all whose headings end so, whatever the case.

    A number that tells twins apart may be left out, and then both fit: an edit never guesses.
    """
    wanted = address.strip()
    same = [each for each in every if each.address == wanted]
    if same or not _unmarked(wanted).strip():
        return same
    for form in (_folded, lambda text: _folded(_unmarked(text))):
        tail = _SEPARATOR + form(wanted)
        fits = [
            each
            for each in every
            if any((_SEPARATOR + form(text)).endswith(tail) for text in (each.address, each.plain))
        ]
        if fits:
            return fits
    return []


def _named(every: Sequence[Section]) -> str:
    return ", ".join(f"'{each.address}'" for each in every)


def _folded(address: str) -> str:
    return " ".join(unicodedata.normalize("NFC", address).casefold().split())


def _unmarked(address: str) -> str:
    """``# A > ## B`` as ``A > B``."""
    parts = address.split(_SEPARATOR)
    return _SEPARATOR.join(part.strip().lstrip("#").strip() if heading(part.strip())[0] else part for part in parts)


def _without_heading(lines: list[str], section: Section) -> list[str]:
    """``lines`` without the section's own heading and without blank lines around."""
    first, last = 0, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    if first < last and heading(lines[first]) == (section.level, section.title):
        first += 1
        while first < last and not lines[first].strip():
            first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    return lines[first:last]


def _check_inside(lines: Sequence[str], section: Section) -> None:
    """Raise Refused when ``lines`` would change what other sections are."""
    mark, length = "", 0
    for number, line in enumerate(lines, 1):
        kind, size, rest = fence(line)
        if kind and not mark:
            mark, length, opened = kind, size, number
        elif kind and kind == mark and size >= length and not rest:
            mark = ""
        level, title = (0, "") if mark else heading(line)
        if 0 < level <= section.level:
            raise Refused(
                f"line {number} of the new text is the heading '{'#' * level} {title}', which would end the section "
                f"'{section.address}'; use {'#' * (section.level + 1)} or deeper, or edit the whole body"
            )
    if mark:
        raise Refused(
            f"line {opened} of the new text opens a code fence that is never closed and would swallow the sections "
            f"below '{section.address}'; close it with {mark * length}"
        )


def _ending(line: str) -> str:
    """The line ending of ``line``, "" when it has none."""
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1] if line[-1:] in ("\n", "\r") else ""
