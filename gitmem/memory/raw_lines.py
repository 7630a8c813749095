"""A memory file cut into lines, each with the very bytes it has on disk: what the editor works on."""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.memory.document import decode, read_bom, split_lines
from gitmem.memory.head import FENCE, find_fences, read_head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory.line_head import Value


class RawLines:
    """The lines of ``data``.

    lines:     decoded, with their endings; raw: the same lines as bytes
    fields:    of the head, body: below it (as ``read_memory`` gives them)
    head_last: index of the closing fence; the head is ``lines[1:head_last]``; 0 without a head
    body_at:   index of the body's first line
    broken:    (line, sentence) of a block that opens like a head and is none, else None
    eol:       the file's line ending, as its first line has it
    raises:    Refused when the bytes would not survive decoding (a damaged UTF-16 file)
    """

    __slots__ = ("body", "body_at", "broken", "encoding", "eol", "fields", "head_last", "lines", "prefix", "raw")

    def __init__(self, data: bytes) -> None:
        text, self.encoding, _ = decode(data, "")
        start, _ = read_bom(data)
        self.prefix = data[:start]
        self.lines = split_lines(text)
        if self.encoding.startswith("utf-16"):
            self.raw = [line.encode(self.encoding) for line in self.lines]
            if b"".join(self.raw) != data[start:]:
                raise Refused("the file is damaged UTF-16 and cannot be edited in place; save it as UTF-8 first")
        else:
            self.raw = data[start:].splitlines(keepends=True)
        self.fields: dict[str, Value]
        self.fields, offset, findings = read_head(text, "")
        self.body = text[offset:]
        self.body_at = len(split_lines(text[:offset]))
        fences = find_fences(text) if offset else None
        self.head_last = len(split_lines(text[: fences[1]])) if fences else 0
        self.broken = next(((f.line, f.message) for f in findings if f.rule in ("head-open", "head-shape")), None)
        self.eol = (ending(self.lines[0]) if self.lines else "") or "\n"

    def replace(self, first: int, last: int, new: Sequence[str | int]) -> None:
        """Put ``new`` in place of lines ``first`` to ``last`` (exclusive): texts, or indices of lines to keep."""
        kept = [
            (self.lines[each], self.raw[each]) if isinstance(each, int) else (each, self._encode(each)) for each in new
        ]
        self.lines[first:last] = [text for text, _ in kept]
        self.raw[first:last] = [raw for _, raw in kept]

    def add_head(self) -> None:
        """Put an empty head in front."""
        self.replace(0, 0, [FENCE + self.eol, FENCE + self.eol])
        self.head_last, self.body_at = 1, 2

    def data(self) -> bytes:
        return self.prefix + b"".join(self.raw)

    def _encode(self, text: str) -> bytes:
        # In a file that is partly Latin-1 a new line is UTF-8: the reader decodes such files line by line.
        encoding = self.encoding if self.encoding.startswith("utf-16") else "utf-8"
        try:
            return text.encode(encoding)
        except UnicodeEncodeError as error:
            raise Refused("the text holds half of a surrogate pair, which no file can keep") from error


def ending(line: str) -> str:
    """The line ending of ``line``: LF, CRLF, CR or ""."""
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1:] if line[-1:] in ("\n", "\r") else ""


def bare(line: str) -> str:
    """``line`` without its ending."""
    return line[: len(line) - len(ending(line))]
