"""How a memory stands in the list of memories: taken out when it is archived, put back when it is restored.

The person's own words stay theirs: a line that is about this memory alone goes whole, with what hangs below it; of a
line that names others as well, or is no item of a list, only the link goes.  What was there, and between which lines,
is kept in the archived memory, so that it comes back as it was.
"""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.memory.document import blob_id
from gitmem.memory.link import link_spans
from gitmem.memory.link_edit import retargeted
from gitmem.memory.name import twin_key
from gitmem.memory.raw_lines import RawLines, bare, ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    Span = tuple[int, int, str]

PER_RECORD = 4  # items of ``archive_entry`` for one place: the text, the rest's digest, what stands above, what below
DIGEST_CHARS = 12
BETWEEN = frozenset(" \t,;/|&+·•、，；.")  # what only parts two links of one line
BULLETS = ("- ", "* ", "+ ")


def take_entries(
    data: bytes, paths: Iterable[str], names: Mapping[str, str] | None = None
) -> tuple[bytes, dict[str, list[str]]]:
    """The list without its links to ``paths``, and for each that had one what ``put_entry`` needs to bring it back.

    names:  what wikilinks may say, as ``link_names`` gives it
    raises: Refused for a damaged list
    """
    file = RawLines(data)
    records: dict[str, list[str]] = {}
    keys = {twin_key(path): path for path in paths}
    spans = link_spans("".join(file.lines), names)
    for number in sorted(spans, reverse=True):  # from below: the numbers above stay right
        for key in dict.fromkeys(twin_key(target) for _, _, target in spans[number]):
            if key in keys:
                records.setdefault(keys[key], [])[:0] = _take(file, number, key, spans, names)
    return file.data(), records


def _take(
    file: RawLines, number: int, key: str, spans: dict[int, list[Span]], names: Mapping[str, str] | None
) -> list[str]:
    """Take one memory's links out of one line; gives the record of it."""
    at = number - 1
    line = bare(file.lines[at])
    ours = [span for span in spans[number] if twin_key(span[2]) == key]
    if is_item(line) and len(ours) == len(spans[number]):
        last = _last_of_item(file.lines, at, spans)
        text = "\n".join(map(bare, file.lines[at:last]))
        file.replace(at, last, [])
        return [text, "", *_place(file.lines, at)]
    left = without_links(line, ours, spans[number])
    file.replace(at, at + 1, [left + ending(file.lines[at])])
    spans[number] = link_spans(left, names).get(1, [])  # another memory of the same change may stand there too
    return [line, digest(left), "", ""]


def unlisted(data: bytes, paths: Iterable[str]) -> bytes:
    """The list without the entries of ``paths``; as it is when it is too damaged to tell its lines apart."""
    try:
        return take_entries(data, paths)[0]
    except Refused:
        return data


def renamed_links(
    data: bytes,
    renamed: Mapping[str, str],
    names: Mapping[str, str] | None = None,
    lines: Container[str] | None = None,
) -> bytes:
    """The list with its links to what was renamed (old -> new), each in the person's own words; a damaged one as it is.

    names: what wikilinks may say while the old paths are there, as ``link_names`` gives it
    lines: those that are looked at, with their endings; None for all
    """
    if not renamed:
        return data
    try:
        file = RawLines(data)
    except Refused:
        return data
    for number, spans in link_spans("".join(file.lines), names).items():
        line = file.lines[number - 1]
        if lines is not None and line not in lines:
            continue
        for start, end, target in reversed(spans):
            if target in renamed:
                line = line[:start] + retargeted(line[start:end], renamed[target]) + line[end:]
        if line != file.lines[number - 1]:
            file.replace(number - 1, number, [line])
    return file.data()


def put_entry(data: bytes, records: Sequence[str]) -> bytes | None:
    """The list with what ``records`` tell of, each at its place, or at the end when that is gone; None for none of it.

    A line that only lost its link gets it back while it is as it was left.
    raises: Refused for a damaged list
    """
    file = RawLines(data)
    done = False
    for at in range(0, len(records) - PER_RECORD + 1, PER_RECORD):
        text, left, above, below = records[at : at + PER_RECORD]
        if left:
            found = [number for number, line in enumerate(file.lines) if digest(bare(line)) == left]
            if found:
                file.replace(found[0], found[0] + 1, [text + ending(file.lines[found[0]])])
                done = True
        elif text.strip():
            insert_lines(file, found_place(file.lines, above, below), text)
            done = True
    return file.data() if done else None


def is_item(line: str) -> bool:
    """Whether the line is an item of a list, or nothing but what a list of memories consists of."""
    text = line.lstrip(" \t>")
    number = text.lstrip("0123456789")
    return text.startswith((*BULLETS, "[", "|")) or (number != text and number[:2] in (". ", ") "))


def digest(line: str) -> str:
    """A line by which it is found again."""
    return blob_id(line.encode("utf-8", "surrogateescape"))[:DIGEST_CHARS]


def _last_of_item(lines: Sequence[str], at: int, spans: dict[int, list[Span]]) -> int:
    """The line after the item at ``at``: its further lines are indented deeper, and neither items nor links."""
    depth = _indent(lines[at])
    last = at + 1
    while last < len(lines):
        line = bare(lines[last])
        if not line.strip() or _indent(line) <= depth or is_item(line) or last + 1 in spans:
            break
        last += 1
    return last


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def without_links(line: str, ours: Iterable[Span], every: Sequence[Span]) -> str:
    """The line without these links; with what only parted one from its neighbour, else with the words it showed."""
    others = [span for span in every if span not in ours]
    for start, end, _ in sorted(ours, reverse=True):
        after = next((span[0] for span in others if span[0] >= end), -1)
        before = max((span[1] for span in others if span[1] <= start), default=-1)
        if after >= 0 and BETWEEN.issuperset(line[end:after]):
            line = line[:start] + line[after:]
        elif before >= 0 and BETWEEN.issuperset(line[before:start]):
            line = line[:before] + line[end:]
        else:
            line = line[:start] + _shown(line[start:end]) + line[end:]
    return line


def _shown(link: str) -> str:
    """What a reader sees of ``[text](target)``, ``[[target]]`` or ``[[target|text]]``."""
    if link.startswith("[[") and link.endswith("]]"):
        return link[2:-2].rpartition("|")[2]
    return link[link.find("[") + 1 : link.rfind("](")]


def _place(lines: Sequence[str], at: int) -> tuple[str, str]:
    """The nearest lines with text above and below ``at``, each as digest and number of empty lines between."""
    return _anchor(lines[at - 1 :: -1] if at else ()), _anchor(lines[at:])


def _anchor(lines: Iterable[str]) -> str:
    for gap, line in enumerate(lines):
        if line.strip():
            return f"{digest(bare(line))}+{gap}"
    return ""


def found_place(lines: Sequence[str], above: str, below: str) -> int:
    """Where a line goes back, by its anchors: below the one that stood above it, else above the other, else the end.

    Of several equal lines the one whose other neighbour fits too.
    """
    under = list(_positions(lines, above, 1))
    over = list(_positions(lines, below, 0))
    both = [at for at in under if at in over]
    return (both or under or over or [len(lines)])[0]


def _positions(lines: Sequence[str], anchor: str, below: int) -> Iterator[int]:
    """Every place where a line would have the anchor as its neighbour, as many empty lines apart as there are.

    below: 1 when the place is below the anchor, 0 when it is above
    """
    mark, plus, count = anchor.rpartition("+")
    gap = int(count) if plus and count.isascii() and count.isdigit() and len(count) < 6 else 0
    for number, line in enumerate(lines):
        if mark and digest(bare(line)) == mark:
            at = number + below
            for _ in range(gap):
                beside = at if below else at - 1
                if not 0 <= beside < len(lines) or lines[beside].strip():
                    break
                at += 1 if below else -1
            yield at


def insert_lines(file: RawLines, at: int, text: str) -> None:
    """Put ``text`` before the line ``at``, with the line endings of its neighbours."""
    beside = (*file.lines[max(0, at - 1) : at + 1], *file.lines[:1])
    eol = next((mark for line in beside if (mark := ending(line))), "\n")
    lines = [line + eol for line in text.split("\n")]
    if at and not ending(file.lines[at - 1]):  # the last line of a file that ends without one
        lines = [eol + line for line in text.split("\n")]
    file.replace(at, at, lines)
