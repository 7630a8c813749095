"""A memory as it stands on disk: bytes in, head and body out.  Reading never raises.

Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.memory.finding import Finding

try:
    from _sha1 import sha1  # type: ignore[import-not-found]  # hashlib costs the hook 3 ms
except ImportError:
    from hashlib import sha1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.memory.line_head import Value as Value

MAX_SHOWN = 40  # characters of a value inside a sentence
BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


class Memory:
    """One memory.

    path:      posix path in the store
    revision:  git blob id of ``data``, 40 hex digits
    data:      the bytes on disk
    text:      decoded, byte order mark gone, line endings as they are
    encoding:  "utf-8", "utf-8-sig", "utf-16-le", "utf-16-be", or "latin-1" when some lines are not UTF-8
    fields:    the head; every scalar a str
    body:      what follows the closing fence; all of the text when there is no head
    body_line: file line of the body's first line, 1-based
    """

    __slots__ = (
        "_are_dates_judged", "_findings", "body", "body_line", "data", "encoding", "fields", "path", "revision", "text",
    )  # fmt: skip

    def __init__(self, path: str, data: bytes) -> None:
        self.path, self.data, self.revision = path, data, blob_id(data)
        self.text, self.encoding, findings = decode(data, path)
        self.fields: dict[str, Value]
        from gitmem.memory.head import read_head  # who only wants the id or the text is spared it

        self.fields, offset, head_findings = read_head(self.text, path)
        self._findings: list[Finding] = findings + head_findings if findings else head_findings
        self._are_dates_judged = False
        self.body = self.text[offset:]
        self.body_line = count_lines(self.text[:offset]) + 1

    @property
    def findings(self) -> list[Finding]:
        """What is wrong with the file (rules in head.py); its dates are judged when somebody asks."""
        if not self._are_dates_judged:
            self._are_dates_judged = True
            self._check_dates()
        return self._findings

    def _check_dates(self) -> None:
        from gitmem.memory.field import unread_dates

        for key, said in unread_dates(self.fields):
            lines = split_lines(self.text[: len(self.text) - len(self.body)])
            at = next((at for at, line in enumerate(lines, 1) if line.lstrip(" \t\"'").startswith(key)), 0)
            short = said if len(said) <= MAX_SHOWN else said[: MAX_SHOWN - 1] + "…"
            message = f"`{key}` is no date that can be read: {' '.join(short.split())}; write it as 2026-11-30"
            self._findings.append(Finding("head-date", self.path, at, message))


def read_memory(path: str, data: bytes) -> Memory:
    """The memory in ``data``; what is wrong with it stands in its findings."""
    return Memory(path, data)


def blob_id(data: bytes) -> str:
    """The id git gives to a blob of ``data``: 40 hex digits."""
    return str(sha1(b"blob %d\0%b" % (len(data), data)).hexdigest())


def decode(data: bytes, path: str) -> tuple[str, str, list[Finding]]:
    """Text, encoding and findings of ``data``.

    A file that is not UTF-8 is decoded line by line: lines that are UTF-8 as such, the others as
    Windows' superset of Latin-1, so that one stray byte does not spoil a Chinese memory.
    """
    findings: list[Finding] = []
    start, encoding = read_bom(data)
    raw = data[start:] if start else data
    if start:
        findings.append(_bom_finding(encoding, path))
    if encoding.startswith("utf-16"):
        text = raw.decode(encoding, "replace")
    else:
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            line = count_lines_in_bytes(raw[: error.start]) + 1
            message = "the line is not UTF-8 and is read as Latin-1; save the file as UTF-8"
            findings.append(Finding("encoding", path, line, message))
            encoding = "latin-1"
            text = "".join([decode_line(part) for part in raw.splitlines(keepends=True)])
    if "\r" in text:
        findings.append(_line_endings_finding(text, path))
    return text, encoding, findings


def read_bom(data: bytes) -> tuple[int, str]:
    """How many bytes of byte order mark ``data`` starts with, and the encoding they name ("utf-8" for none)."""
    for bom, encoding in BOMS:
        if data.startswith(bom):
            start = len(bom)
            while data.startswith(bom, start):  # tools that glue files together leave several
                start += len(bom)
            return start, encoding
    return 0, "utf-8"


def holds_nul(data: bytes) -> bool:
    """Whether the bytes are neither UTF-8 nor UTF-16 that says so: nothing can be put between them."""
    return b"\0" in data and read_bom(data)[1] == "utf-8"


def split_lines(text: str) -> list[str]:
    """The lines of ``text`` with their endings: LF, CRLF and CR, and no other sign, as editors and git count.

    ``str.splitlines`` also breaks at U+2028 and form feeds, and line numbers would be off.
    """
    if "\r" in text:
        parts = text.encode("utf-8", "surrogatepass").splitlines(keepends=True)
        return [part.decode("utf-8", "surrogatepass") for part in parts]
    lines = [part + "\n" for part in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def count_lines(text: str) -> int:
    """How many lines ``text`` has; a last one without an ending counts."""
    return _count_endings(text) + (1 if text and text[-1] not in "\r\n" else 0)


def line_at(text: str, offset: int) -> int:
    """The 1-based line that the character at ``offset`` stands on."""
    return _count_endings(text[:offset]) + (0 if text[max(0, offset - 1) : offset + 1] == "\r\n" else 1)


def _count_endings(text: str) -> int:
    lf = text.count("\n")
    return lf + text.count("\r") - text.count("\r\n") if "\r" in text else lf


def count_lines_in_bytes(data: bytes) -> int:
    """How many line endings stand in ``data``."""
    return data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")


def decode_line(part: bytes) -> str:
    """One line's text: UTF-8, else Windows' superset of Latin-1."""
    for encoding in ("utf-8", "cp1252"):
        try:
            return part.decode(encoding)
        except UnicodeDecodeError:
            continue
    return part.decode("latin-1")


def _bom_finding(encoding: str, path: str) -> Finding:
    if encoding == "utf-8-sig":
        return Finding("bom", path, 1, "the file starts with a byte order mark; save it as UTF-8 without one")
    return Finding("encoding", path, 0, "the file is UTF-16; save it as UTF-8")


def _line_endings_finding(text: str, path: str) -> Finding:
    crlf = text.count("\r\n")
    lone_cr, lone_lf = text.count("\r") - crlf, text.count("\n") - crlf
    kinds = [name for name, count in (("CRLF", crlf), ("CR", lone_cr), ("LF", lone_lf)) if count]
    if len(kinds) > 1:
        return Finding("line-endings", path, 0, f"lines end in {' and '.join(kinds)}; save the file with LF only")
    return Finding("line-endings", path, 0, f"lines end in {kinds[0]}; save the file with LF")
