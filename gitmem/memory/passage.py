"""A memory's body cut into passages with file line numbers: the unit of recall.

Cut at headings, then at blank lines into blocks of ``PASSAGE_MIN_WORDS`` to
``PASSAGE_MAX_WORDS``; a code fence stays whole up to ``MAX_FENCE_LINES``; a
paragraph that is one endless line is cut at the end of a sentence.
Hot: pure, no I/O.
"""

from __future__ import annotations

from gitmem.limits import MAX_FENCE_LINES, PASSAGE_MAX_WORDS, PASSAGE_MIN_WORDS

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
    lines = file_lines(body)
    out: list[Passage] = []
    for start, stop, heading in _under_headings(lines):
        for a, b in _blocks(lines, start, stop):
            _add(out, lines, a, b, heading, first_line)
    return out or [Passage(first_line, first_line, "", "")]


def file_lines(text: str) -> list[str]:
    """The lines of a text as an editor and git count them, without their ends."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\n" not in text:
            text = text.replace("\r", "\n")
    return text.split("\n")


def fence_of(line: str) -> str:
    """The marks that open or close a code fence on this line, "" when there are none."""
    bare = line.lstrip(" ")
    if len(line) - len(bare) > 3 or bare[:3] not in ("```", "~~~"):
        return ""
    marks = bare[: len(bare) - len(bare.lstrip(bare[0]))]
    return "" if marks[0] == "`" and "`" in bare[len(marks) :] else marks


def heading_level(line: str) -> int:
    """1 to 6 for an ATX heading, else 0."""
    bare = line.lstrip(" ")
    if not bare.startswith("#") or len(line) - len(bare) > 3:
        return 0
    level = len(bare) - len(bare.lstrip("#"))
    return level if level <= 6 and bare[level : level + 1] in ("", " ", "\t") else 0


def _under_headings(lines: list[str]) -> list[tuple[int, int, str]]:
    """Line ranges without a heading inside, and the heading path of each."""
    out: list[tuple[int, int, str]] = []
    path: list[tuple[int, str]] = []
    start, fence = 0, ""
    for at, line in enumerate(lines):
        first = line.lstrip(" ")[:1]
        if first in ("`", "~"):
            marks = fence_of(line)
            if not fence:
                fence = marks
            elif marks and marks[0] == fence[0] and len(marks) >= len(fence) and not line.strip(" \t\r" + marks[0]):
                fence = ""
        elif first == "#" and not fence and (level := heading_level(line)):
            out.append((start, at, " > ".join(title for _, title in path)))
            path = [above for above in path if above[0] < level]
            path.append((level, line.strip().strip("#").strip()))
            start = at
    out.append((start, len(lines), " > ".join(title for _, title in path)))
    return [piece for piece in out if any(line.strip() for line in lines[piece[0] : piece[1]])]


def _blocks(lines: list[str], start: int, stop: int) -> list[tuple[int, int]]:
    """Ranges of at most ``PASSAGE_MAX_WORDS`` where the text allows, cut at blank lines."""
    out: list[tuple[int, int]] = []
    begin, size = start, 0
    for a, b in _paragraphs(lines, start, stop):
        grown = sum(word_count(line) for line in lines[a:b])
        if size and size + grown > PASSAGE_MAX_WORDS and size >= PASSAGE_MIN_WORDS:
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
    begin, fence, opened = start, "", start
    size = 0
    for at in range(start, stop):
        line = lines[at]
        marks = fence_of(line) if line.lstrip(" ")[:1] in ("`", "~") else ""
        if marks and not fence:
            fence, opened = marks, at
        elif marks and marks[0] == fence[0] and len(marks) >= len(fence):
            fence = ""
        inside = fence and at - opened < MAX_FENCE_LINES
        size += word_count(line)
        if not inside and (not line.strip() or size > PASSAGE_MAX_WORDS):
            out.append((begin, at + 1))
            begin, size = at + 1, 0
    if begin < stop:
        out.append((begin, stop))
    return out


def _add(out: list[Passage], lines: list[str], start: int, stop: int, heading: str, first_line: int) -> None:
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
            out.append(Passage(first_line + start, first_line + start, heading, piece, offset))
            offset += len(piece)
        return
    out.append(Passage(first_line + start, first_line + stop - 1, heading, "\n".join(lines[start:stop])))


def _sentences(line: str) -> list[str]:
    """An endless line in pieces of about ``PASSAGE_MAX_WORDS``; joined they are the line again."""
    out: list[str] = []
    start = 0
    step = max(1, len(line) * PASSAGE_MAX_WORDS // word_count(line))
    while len(line) - start > step * 5 // 4:
        window = line[start : start + step]
        cuts = [at + len(mark) for mark in _SENTENCE_ENDS if (at := window.rfind(mark)) >= 0]
        cut_at = max(cuts, default=0)
        if cut_at < step // 3:
            cut_at = window.rfind(" ") + 1 or step
        out.append(line[start : start + cut_at])
        start += cut_at
    out.append(line[start:])
    return out


def word_count(line: str) -> int:
    """About how many words: blanks separate them, two ideograms are one."""
    count = len(line.split())
    return count if line.isascii() else count + sum(char >= "\u2e80" for char in line) // 2
