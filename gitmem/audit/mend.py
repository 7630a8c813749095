"""Mends that change how a file is written and not what it says: read again, every field and the body are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from gitmem.errors import Refused
from gitmem.memory.document import Memory, read_bom, read_memory
from gitmem.memory.entry import Entry, entries, indent_of
from gitmem.memory.field_edit import FieldEdit
from gitmem.memory.head import read_head
from gitmem.memory.raw_lines import RawLines, bare

QUOTED = ("head-colon", "head-indicator", "head-quote")  # mended by writing the value as it is read
MENDED = ("encoding", "bom", "line-endings", "head-tab", "head-duplicate", *QUOTED)
MAX_MENDS = 50  # of one head
MAX_PASSES = 10


def mended(path: str, data: bytes) -> tuple[bytes, list[str]]:
    """``data`` with everything mended that can be mended safely, and the rules that is about."""
    rules: list[str] = []
    for _ in range(MAX_PASSES):  # one mend may lay open what another is for
        data, found = _mended_once(path, data)
        rules += found
        if not found:
            break
    return data, list(dict.fromkeys(rules))


def _mended_once(path: str, data: bytes) -> tuple[bytes, list[str]]:
    rules: list[str] = []
    for rule, mend in (
        ("encoding", _as_utf8),
        ("bom", _without_mark),
        ("line-endings", _with_lf),
        ("head-tab", _without_tabs),
        ("head-duplicate", _without_repeats),
        ("", _quoted),
    ):
        wanted = (rule,) if rule else QUOTED
        memory = read_memory(path, data)
        if not any(each.rule in wanted for each in memory.findings):
            continue
        try:
            new = mend(memory)
        except Refused:
            continue
        after = read_memory(path, new)
        if new != data and _says_the_same(memory, after):
            left = Counter(each.rule for each in after.findings)
            before = Counter(each.rule for each in memory.findings)
            rules += [each for each in before if left[each] < before[each]]
            data = new
    return data, rules


def _says_the_same(before: Memory, after: Memory) -> bool:
    """Whether both read alike, line endings aside, and fewer things are wrong."""
    body, new = (each.body.replace("\r\n", "\n") for each in (before, after))
    return body == new and before.fields == after.fields and len(after.findings) < len(before.findings)


def _as_utf8(memory: Memory) -> bytes:
    """UTF-16 with its mark; other encodings are guesses, and stay."""
    start, encoding = read_bom(memory.data)
    if not encoding.startswith("utf-16") or memory.text.encode(encoding, "replace") != memory.data[start:]:
        return memory.data
    return memory.text.encode()


def _without_mark(memory: Memory) -> bytes:
    start, encoding = read_bom(memory.data)
    return memory.data[start:] if encoding == "utf-8-sig" else memory.data


def _with_lf(memory: Memory) -> bytes:
    """Where a CR stands alone it may be meant, and all stays."""
    new = memory.data.replace(b"\r\n", b"\n")
    return memory.data if b"\r" in new else new


def _without_tabs(memory: Memory) -> bytes:
    file = RawLines(memory.data)
    for number in range(1, file.head_last):
        line = file.lines[number]
        indent = indent_of(line)
        if "\t" in line[:indent]:
            file.replace(number, number + 1, [line[:indent].replace("\t", "  ") + line[indent:]])
    return file.data()


def _without_repeats(memory: Memory) -> bytes:
    """A field that stands twice with one value loses the second; where the values differ a person decides."""
    data = memory.data
    for _ in range(MAX_MENDS):
        file = RawLines(data)
        again = next(_repeats(file), None)
        if again is None:
            break
        file.replace(*again, [])
        data = file.data()
    return data


def _repeats(file: RawLines) -> Iterator[tuple[int, int]]:
    """First and last line (exclusive, 0-based) of fields that say again what one above says."""
    for at, _, block in _blocks(file):
        seen: dict[str, object] = {}
        for entry in block:
            first, last = at + entry.first, at + entry.last
            value = read_head("---\n" + "".join(bare(line) + "\n" for line in file.lines[first:last]) + "---\n", "")[0]
            if entry.key and seen.setdefault(entry.key, value) == value and seen[entry.key] is not value:
                yield first, last


def _quoted(memory: Memory) -> bytes:
    """Values that YAML refuses, written so that every reader reads what ours does."""
    data = memory.data
    tried: set[tuple[str, str]] = set()
    for _ in range(MAX_MENDS):
        now = read_memory(memory.path, data)
        lines = {each.line for each in now.findings if each.rule in QUOTED}
        place = next((each for each in _places(RawLines(data), lines) if each not in tried), None)
        if place is None:
            break
        tried.add(place)
        new = _rewritten(data, *place)
        if _says_the_same(now, read_memory(memory.path, new)):
            data = new
    return data


def _rewritten(data: bytes, parent: str, key: str) -> bytes:
    """``data`` with one field written anew, with the value it has."""
    file = RawLines(data)
    holder = file.fields.get(parent, "") if parent else file.fields
    value = holder.get(key) if isinstance(holder, dict) else None
    if isinstance(value, list):
        wanted: str | list[str] = [each for each in value if isinstance(each, str)]
        if wanted != value:
            return data
    elif isinstance(value, str):
        wanted = value
    else:
        return data
    try:
        FieldEdit(file, parent, key, wanted).apply(holder, value)
    except Refused:
        return data
    return file.data()


def _places(file: RawLines, lines: set[int]) -> Iterator[tuple[str, str]]:
    """Parent ("" for none) and key of the fields that stand on the file's lines ``lines``."""
    for at, parent, block in _blocks(file):
        for entry in block:
            if entry.key and any(at + entry.first < line <= at + entry.last for line in lines):
                yield parent, entry.key


def _blocks(file: RawLines) -> Iterator[tuple[int, str, list[Entry]]]:
    """The head's own fields, then those one level down: index of the first line, the parent, the fields."""
    top = entries([bare(line) for line in file.lines[1 : file.head_last]])
    yield 1, "", top
    for entry in top:
        if not entry.value and entry.last - entry.first > 1:
            start = entry.first + 2
            yield start, entry.key, entries([bare(line) for line in file.lines[start : 1 + entry.last]])
