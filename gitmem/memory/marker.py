"""Git's conflict markers in a text: a merge that was not finished, of whose two texts neither can be trusted.

Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.memory.document import split_lines
from gitmem.memory.finding import Finding
from gitmem.memory.section import fence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

MARKER = "marker"
OPENING, _MIDDLE, CLOSING = "<<<<<<<", "=======", ">>>>>>>"
WAY_OUT = "choose the text that stays and take the marker lines out; markers that are meant belong into a code fence"
_MAX_SHOWN = 60


def markers(text: str) -> list[tuple[int, str]]:
    """Line and text of git's conflict markers; a memory about git that shows them in a code fence has none.

    ``>>>>>>>`` may be a quotation within quotations, and ``=======`` underlines a heading: they count only together.
    """
    if OPENING not in text and CLOSING not in text:
        return []
    lines = [line.rstrip("\r\n") for line in split_lines(text)]
    code = _fenced(lines)
    plain = [(number, line) for number, line in enumerate(lines, 1) if number not in code]
    parted = any(line == _MIDDLE for _, line in plain)
    return [
        (number, line[:_MAX_SHOWN])
        for number, line in plain
        if _is_marker(line, OPENING) or (parted and _is_marker(line, CLOSING))
    ]


def added_marker(path: str, text: str, befores: Iterable[str]) -> Finding | None:
    """The first marker of a text that has more of them than any it follows."""
    found = markers(text)
    if not found or any(len(markers(each)) >= len(found) for each in befores):
        return None
    return marker_finding(path, *found[0])


def marker_finding(path: str, line: int, shown: str) -> Finding:
    return Finding(MARKER, path, line, f"a conflict marker, `{shown}`: a merge was not finished")


def _is_marker(line: str, mark: str) -> bool:
    return line.startswith(mark) and line[len(mark) : len(mark) + 1] in ("", " ")


def _fenced(lines: list[str]) -> set[int]:
    """Numbers of the lines inside closed code fences; one that is never closed was forgotten, and holds text."""
    code: set[int] = set()
    opened, mark, length = 0, "", 0
    for number, line in enumerate(lines, 1):
        kind, size, rest = fence(line)
        if not kind:
            continue
        if not opened:
            opened, mark, length = number, kind, size
        elif kind == mark and size >= length and not rest:
            code.update(range(opened, number + 1))
            opened = 0
    return code
