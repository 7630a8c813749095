"""A memory's body cut into passages with file line numbers: the unit of recall.

Cut at headings, then at blank lines into blocks of ``PASSAGE_MIN_WORDS`` to
``PASSAGE_MAX_WORDS``; a code fence stays whole up to ``MAX_FENCE_LINES``; a
paragraph that is one endless line is cut at the end of a sentence.
Hot: pure, no I/O.
"""

from __future__ import annotations

from gitmem.limits import MAX_FENCE_LINES, PASSAGE_MAX_WORDS, PASSAGE_MIN_WORDS
from gitmem.memory.document import split_lines
from gitmem.memory.section import fence, heading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.memory.document import Memory

_SENTENCE_ENDS = ("。", "！", "？", "；", ". ", "! ", "? ", "; ")


class Passage:
    """A run of lines of one memory.

    first, last: file lines, 1-based, inclusive
    heading:     "A > B", the headings above it, "" when there are none
    offset:      characters of the first line that belong to the passage before
    text:        the lines joined by LF, from ``offset`` on
    """

    __slots__ = ("first", "heading", "last", "offset", "text")

    def __init__(self, first: int, last: int, heading: str, text: str, offset: int = 0) -> None:
        self.first, self.last, self.heading, self.text, self.offset = first, last, heading, text, offset

    def __repr__(self) -> str:
        return f"Passage({self.first}, {self.last}, {self.heading!r}, {self.text!r}, {self.offset})"


def passages(memory: Memory) -> list[Passage]:
    """The passages of ``memory``, in order; one empty passage when the body is empty."""
    return cut(memory.body, memory.body_line)


def cut(body: str, first_line: int = 1) -> list[Passage]:
    """The passages of ``body``, whose first line is ``first_line`` of its file."""
    lines = [line.rstrip("\r\n") for line in split_lines(body)] if "\r" in body else body.split("\n")
    out: list[Passage] = []
    if "#" not in body and "```" not in body and "~~~" not in body and word_count(body) <= PASSAGE_MAX_WORDS:
        _add(out, lines, 0, len(lines), "", first_line)  # as most memories are
    else:
        for start, stop, path in _under_headings(lines):
            for a, b in _blocks(lines, start, stop):
                _add(out, lines, a, b, path, first_line)
    return out or [Passage(first_line, first_line, "", "")]


def word_count(text: str) -> int:
    """About how many words: blanks separate them, two ideograms are one."""
    count = text.count(" ") + 1
    return count if text.isascii() else count + (len(text.encode("utf-8", "replace")) - len(text)) // 4


class _Fence:
    """Whether one stands inside a code fence, line after line."""

    __slots__ = ("length", "mark")

    def __init__(self) -> None:
        self.mark, self.length = "", 0

    def holds(self, line: str) -> bool:
        """Take the next line; True when it belongs to a fence, its first and last line included."""
        mark, length, rest = fence(line)
        if not self.mark:
            self.mark, self.length = mark, length
            return bool(mark)
        if mark == self.mark and length >= self.length and not rest:
            self.mark = ""
        return True


def _under_headings(lines: list[str]) -> list[tuple[int, int, str]]:
    """Line ranges without a heading inside, and the heading path of each."""
    out: list[tuple[int, int, str]] = []
    path: list[tuple[int, str]] = []
    start = 0
    fenced = _Fence()
    for at, line in enumerate(lines):
        if fenced.holds(line) or "#" not in line:
            continue
        level, title = heading(line)
        if level:
            out.append((start, at, " > ".join([title for _, title in path])))
            path = [above for above in path if above[0] < level]
            path.append((level, title))
            start = at
    out.append((start, len(lines), " > ".join([title for _, title in path])))
    return [piece for piece in out if any(line.strip() for line in lines[piece[0] : piece[1]])]


def _blocks(lines: list[str], start: int, stop: int) -> list[tuple[int, int]]:
    """Ranges of at most ``PASSAGE_MAX_WORDS`` where the text allows, cut at blank lines."""
    out: list[tuple[int, int]] = []
    begin, size = start, 0
    for a, b in _paragraphs(lines, start, stop):
        grown = sum([word_count(line) for line in lines[a:b]])
        if size + grown > PASSAGE_MAX_WORDS and size >= PASSAGE_MIN_WORDS:
            out.append((begin, a))
            begin, size = a, 0
        size += grown
    if out and size < PASSAGE_MIN_WORDS // 2:  # a short rest stays with what it follows
        begin = out.pop()[0]
    out.append((begin, stop))
    return out


def _paragraphs(lines: list[str], start: int, stop: int) -> list[tuple[int, int]]:
    """Runs of lines up to the next blank one; a fence is one run until it is too long."""
    out: list[tuple[int, int]] = []
    begin = start
    size = inside = 0
    fenced = _Fence()
    for at in range(start, stop):
        line = lines[at]
        inside = inside + 1 if fenced.holds(line) else 0
        size += word_count(line)
        if fenced.mark and inside < MAX_FENCE_LINES:
            continue
        if not line.strip() or (size > PASSAGE_MAX_WORDS and not inside):
            out.append((begin, at + 1))
            begin, size = at + 1, 0
    if begin < stop:
        out.append((begin, stop))
    return out


def _add(out: list[Passage], lines: list[str], start: int, stop: int, path: str, first_line: int) -> None:
    """One passage of these lines, blank edges gone; several when it is one endless line."""
    while start < stop and not lines[start].strip():
        start += 1
    while stop > start and not lines[stop - 1].strip():
        stop -= 1
    if start == stop:
        return
    if stop - start == 1 and word_count(lines[start]) > PASSAGE_MAX_WORDS + PASSAGE_MIN_WORDS:
        offset = 0
        for piece in _sentences(lines[start]):
            out.append(Passage(first_line + start, first_line + start, path, piece, offset))
            offset += len(piece)
        return
    out.append(Passage(first_line + start, first_line + stop - 1, path, "\n".join(lines[start:stop])))


def _sentences(line: str) -> list[str]:
    """An endless line in pieces of about ``PASSAGE_MAX_WORDS``; joined they are the line again."""
    out: list[str] = []
    start = 0
    step = max(1, len(line) * PASSAGE_MAX_WORDS // word_count(line))
    while len(line) - start > step * 5 // 4:
        window = line[start : start + step]
        cut_at = max([at + len(mark) for mark in _SENTENCE_ENDS if (at := window.rfind(mark)) >= 0], default=0)
        if cut_at < step // 3:
            cut_at = window.rfind(" ") + 1 or step
        out.append(line[start : start + cut_at])
        start += cut_at
    out.append(line[start:])
    return out
