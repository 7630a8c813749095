"""A file's text apart from how it is saved: byte order mark, encoding, line endings.

Texts are merged with LF only; how the result is saved merges by itself, so that a file one side saved
with CRLF is no other text than before.  Bytes that are no UTF-8 stand as surrogates and come back as they were.
"""

from __future__ import annotations

from gitmem.dataclass import dataclass
from gitmem.memory.document import read_bom, split_lines


@dataclass(frozen=True, slots=True)
class Form:
    """How a file is saved.

    mark:     its byte order mark, "" for none; encoding: "utf-8", "utf-16-le" or "utf-16-be"
    ending:   what most lines end in; mixed: some end in something else
    is_ended: the last line has an ending
    """

    mark: bytes
    encoding: str
    ending: str
    mixed: bool
    is_ended: bool


@dataclass(frozen=True, slots=True)
class Text:
    """The text of one file.

    text:  LF only, every line ended
    saved: the text with the endings the file has
    """

    text: str
    form: Form
    saved: str


PLAIN = Text("", Form(b"", "utf-8", "\n", mixed=False, is_ended=True), "")


def read_text(data: bytes) -> Text | None:
    """The text in ``data``; None where bytes would not come back: damaged UTF-16, or NUL bytes that hint at it."""
    start, encoding = read_bom(data)
    raw = data[start:]
    if encoding.startswith("utf-16"):
        try:
            saved = raw.decode(encoding)
        except UnicodeDecodeError:
            return None
    elif b"\0" in raw:
        return None
    else:
        encoding = "utf-8"
        saved = raw.decode("utf-8", "surrogateescape")
    text, ending, mixed = saved, "\n", False
    if "\r" in saved:
        crlf = saved.count("\r\n")
        counts = {"\n": saved.count("\n") - crlf, "\r\n": crlf, "\r": saved.count("\r") - crlf}
        ending = max(counts, key=lambda each: counts[each])
        mixed = sum(count > 0 for count in counts.values()) > 1
        text = saved.replace("\r\n", "\n").replace("\r", "\n")
    is_ended = not text or text[-1] == "\n"
    return Text(text if is_ended else text + "\n", Form(data[:start], encoding, ending, mixed, is_ended), saved)


def write_text(text: str, base: Text | None, first: Text, second: Text) -> bytes:
    """``text`` as bytes, saved as the side that changed it saves; as ``first`` where both did."""
    old = base.form if base else first.form
    one, two = first.form, second.form
    mark, encoding = (
        (two.mark, two.encoding) if (one.mark, one.encoding) == (old.mark, old.encoding) else (one.mark, one.encoding)
    )
    model = second if base and (one.ending, one.mixed) == (old.ending, old.mixed) else first
    if base is None and one.ending == "\n" and not _counts_lines(first):
        model = second  # a file without a line has no say in how lines end
    is_ended = (two if base and one.is_ended == old.is_ended else one).is_ended
    if model.form.mixed:
        text = _with_endings_of(model, text)
    elif model.form.ending != "\n":
        text = text.replace("\n", model.form.ending)
    if not is_ended:
        text = text.removesuffix("\n").removesuffix("\r")
    if encoding == "utf-8":
        return mark + text.encode("utf-8", "surrogateescape")
    return mark + readable(text).encode(encoding)


def readable(text: str) -> str:
    """``text`` with bytes that are no UTF-8 shown as Windows' Latin-1, character for character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join(_latin(mark) if "\udc80" <= mark <= "\udcff" else mark for mark in text)
    return text


def _latin(mark: str) -> str:
    byte = bytes([ord(mark) - 0xDC00])
    try:
        return byte.decode("cp1252")
    except UnicodeDecodeError:
        return byte.decode("latin-1")


def _counts_lines(text: Text) -> bool:
    return "\n" in text.saved or "\r" in text.saved


def _with_endings_of(model: Text, text: str) -> str:
    """``text`` where every line that the mixed ``model`` has too ends as it does there."""
    from difflib import SequenceMatcher

    saved = split_lines(model.saved)
    bare = [line.rstrip("\r\n") for line in saved]
    lines = text.split("\n")
    last = lines.pop()
    endings = [model.form.ending] * len(lines)
    for there, here, count in SequenceMatcher(None, bare, lines).get_matching_blocks():
        for at in range(count):
            ending = saved[there + at][len(bare[there + at]) :]
            endings[here + at] = ending or model.form.ending
    return "".join(line + ending for line, ending in zip(lines, endings, strict=True)) + last
