"""Links: the entries of MEMORY.md, and ``[[wikilinks]]`` in bodies.

One parser answers what is listed, whether a memory is, and where the next entry
goes, so that audit and writer never disagree.  A person's bytes are only added to.
Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.limits import MAX_ENTRY_CHARS
from gitmem.memory.clean import one_line
from gitmem.memory.document import split_lines
from gitmem.memory.name import twin_key
from gitmem.memory.section import fence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

SUFFIX = ".md"
_HEX = frozenset("0123456789abcdefABCDEF")
_MAX_TARGET = 4_096  # characters of a link's target that are looked through for its end
_MAX_NESTING = 32  # parentheses inside a target, as CommonMark says
_SPECIAL = frozenset(" \\(<>%#?:\"'")  # what may mean something in a link's target
_TITLE_MARKS = "\\[]`<"


def index_targets(text: str) -> list[tuple[int, str]]:
    """Line (1-based) and path of every link to a memory in ``text``; code is no link."""
    return [(number, path) for number, line in _prose(text) if "](" in line for path in _targets(line)]


def has_entry(text: str, path: str, names: Mapping[str, str] | None = None) -> bool:
    """Whether the index ``text`` links to ``path``, in any spelling a link may have, ``[[path]]`` too.

    names: as ``link_names`` gives them, for wikilinks that say a part of a path, a name or an alias
    """
    key = twin_key(path)
    if any(twin_key(target) == key for _, target in index_targets(text)):
        return True
    return "[[" in text and any(
        twin_key(_linked(target, names)) == key for _, line in _prose(text) for _, _, target in _wikilinks(line)
    )


def link_spans(text: str, names: Mapping[str, str] | None = None) -> dict[int, list[tuple[int, int, str]]]:
    """Line (1-based) -> first and last offset (exclusive) and path of its links to memories, in their order.

    names: as for ``has_entry``; a wikilink that they do not know is a link to what it says
    """
    found: dict[int, list[tuple[int, int, str]]] = {}
    for number, line in _prose(text):
        spans = []
        for at, end, path in _links(line) if "](" in line else ():
            start = _opening(line, at)
            spans.append((start if start >= 0 else at, end + 1, path))
        spans += [(start, end, _linked(target, names)) for start, end, target in _wikilinks(line)]
        if spans:
            found[number] = sorted(spans)
    return found


def _linked(target: str, names: Mapping[str, str] | None) -> str:
    """The path a wikilink means; what it says, as a path, when ``names`` does not tell."""
    return (resolve(target, names) if names is not None else None) or stem(target.removeprefix("./")) + SUFFIX


def index_line(title: str, path: str, description: str) -> str:
    """``- [title](path.md) — one sentence``, without a line ending; read back it links to ``path``."""
    name = one_line(title, MAX_ENTRY_CHARS) or path.rpartition("/")[2].removesuffix(SUFFIX)
    shown = "".join("\\" + mark if mark in _TITLE_MARKS else mark for mark in name)
    sentence = " ".join(description.split())[:MAX_ENTRY_CHARS].rstrip().replace("](", "] (")
    return f"- [{shown}]({encoded(path)})" + (f" — {sentence}" if sentence else "")


def add_entry(text: str, title: str, path: str, description: str) -> str:
    """The index ``text`` with an entry for ``path`` after its last line, unless it has one.

    What was there is a prefix of what is returned; the file's line ending is used.
    """
    if has_entry(text, path):
        return text
    ending = "\r\n" if "\r\n" in text else "\r" if "\r" in text and "\n" not in text else "\n"
    joint = "" if text in ("", "\ufeff") or text.endswith(("\n", "\r")) else ending
    return text + joint + index_line(title, path, description) + ending


def lines_of_entry(text: str, path: str, line: str) -> list[int]:
    """The lines (1-based) of the index ``text`` that are ``line`` to the letter and link to ``path``."""
    key, lines = twin_key(path), split_lines(text)
    found = [number for number, target in index_targets(text) if twin_key(target) == key]
    return [number for number in dict.fromkeys(found) if lines[number - 1].rstrip("\r\n") == line]


def wikilinks(body: str) -> list[tuple[int, str]]:
    """Line of ``body`` (1-based) and target of every ``[[target]]``, ``[[target|shown]]``, ``[[target#heading]]``."""
    found: list[tuple[int, str]] = []
    if "[[" not in body:
        return found
    for number, line in _prose(body):
        found.extend((number, target) for _, _, target in _wikilinks(line))
    return found


def _wikilinks(line: str) -> Iterator[tuple[int, int, str]]:
    """First and last offset (exclusive) and target of the wikilinks of one line."""
    start = line.find("[[")
    while start >= 0:
        end = line.find("]]", start + 2)
        if end < 0:
            break
        start = line.rfind("[[", start, end)  # of two openings the later one is the link's
        target = line[start + 2 : end].partition("|")[0].removesuffix("\\").partition("#")[0].partition("^")[0].strip()
        if target:
            yield start, end + 2, target
        start = line.find("[[", end + 2)


def link_names(memories: Iterable[tuple[str, str, Sequence[str]]]) -> dict[str, str]:
    """What a wikilink may say, as ``resolve`` wants it: key -> path, "" where several memories answer to it.

    memories: path, name and aliases of each.  A path wins over a part of a path, that over a name, that over an alias
    """
    stages: tuple[dict[str, str], ...] = ({}, {}, {}, {})
    for path, name, aliases in memories:
        parts = stem(path).split("/")
        tails = ["/".join(parts[at:]) for at in range(1, len(parts))]
        for stage, keys in zip(stages, ((stem(path),), tails, (name,), aliases), strict=True):
            for key in {twin_key(key.strip()) for key in keys}:
                if key:
                    stage[key] = path if stage.get(key, path) == path else ""
    names: dict[str, str] = {}
    for stage in reversed(stages):
        names.update(stage)
    return names


def resolve(target: str, names: Mapping[str, str]) -> str | None:
    """The path a wikilink means, whatever the case, with or without ``.md``; None when it is not one memory."""
    target = target.strip().removeprefix("./").removeprefix("/")
    return names.get(twin_key(target)) or names.get(twin_key(stem(target))) or None


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line that is no fenced code, with inline code blanked out.

    A fence that is never closed is prose: a person forgot it, and the links below are meant.
    """
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    skip_to = 0
    open_from: dict[str, int] = {}  # mark -> length from which on no fence is closed any more
    for at, line in enumerate(lines):
        if at < skip_to:
            continue
        mark, length, _ = fence(line)
        if mark and length < open_from.get(mark, length + 1):
            closing = next((later for later in range(at + 1, len(lines)) if _closes(lines[later], mark, length)), -1)
            if closing >= 0:
                skip_to = closing + 1
                continue
            open_from[mark] = length
        yield at + 1, _without_code(line) if "`" in line else line


def _closes(line: str, mark: str, length: int) -> bool:
    kind, size, rest = fence(line)
    return kind == mark and size >= length and not rest


def _without_code(line: str) -> str:
    """``line`` with `` `code` `` of any number of backticks blanked; a lone backtick is a letter."""
    parts: list[str] = []
    at = 0
    while (start := line.find("`", at)) >= 0:
        if _is_escaped(line, start):  # opens nothing
            parts.append(line[at : start + 1])
            at = start + 1
            continue
        opened = start
        while line[opened : opened + 1] == "`":
            opened += 1
        end = _code_end(line, opened, opened - start)
        parts.append(line[at:start] + " " * (end - start) if end else line[at:opened])
        at = end or opened
    return "".join([*parts, line[at:]])


def _code_end(line: str, at: int, length: int) -> int:
    """After the next run of exactly ``length`` backticks, 0 when there is none."""
    while (start := line.find("`", at)) >= 0:
        at = start
        while line[at : at + 1] == "`":
            at += 1
        if at - start == length:
            return at
    return 0


def _targets(line: str) -> Iterator[str]:
    """The memories one line links to."""
    return (path for _, _, path in _links(line))


def _links(line: str) -> Iterator[tuple[int, int, str]]:
    """Of each link to a memory: where its ``](`` stands, where its ``)`` does, and the path."""
    at = line.find("](")
    while at >= 0:
        end = line.find(")", at, at + _MAX_TARGET)
        if end >= 0 and not _is_escaped(line, at):
            target = line[at + 2 : end].strip()
            if _SPECIAL.isdisjoint(target):  # as nearly all are; the other way takes ten times as long
                path = _within(target) if target.lower().endswith(SUFFIX) else ""
            else:
                end = at + 2 + link_end(line[at + 2 : at + _MAX_TARGET])
                path = _path(line[at + 2 : end].strip())
            if path:
                yield at, end, path
        at = line.find("](", at + 2)


def _opening(line: str, at: int) -> int:
    """The place of the ``[`` that belongs to the ``]`` at ``at``, of its ``!`` for an image; -1 when there is none."""
    depth = 0
    for start in range(at, -1, -1):
        if line[start] in "[]" and not _is_escaped(line, start):
            depth += 1 if line[start] == "]" else -1
            if depth == 0:
                return start - 1 if line[start - 1 : start] == "!" else start
    return -1


def _is_escaped(line: str, at: int) -> bool:
    """Whether an odd number of backslashes stands before ``at``."""
    start = at
    while start and line[start - 1] == "\\":
        start -= 1
    return (at - start) % 2 == 1


def link_end(rest: str) -> int:
    """The place of the ``)`` that ends the target at the start of ``rest``, which holds at least one."""
    depth = at = 0
    if rest.lstrip().startswith("<") and ">" in rest:
        at = rest.index(">")
    while at < len(rest) and depth <= _MAX_NESTING:
        mark = rest[at]
        if mark == "\\":
            at += 1
        elif mark == "(":
            depth += 1
        elif mark == ")":
            if depth == 0:
                return at
            depth -= 1
        at += 1
    return rest.find(")")  # an opening parenthesis in a name that is never closed


def _path(target: str) -> str:
    """The path a link's target means, "" when it is no file of the store's."""
    angle = target.startswith("<") and ">" in target
    target = target[1 : target.index(">")] if angle else without_title(target)
    plain = unescaped(target)
    for cut in (plain.partition("#")[0].partition("?")[0].rstrip(), plain):
        path = decoded(cut)
        if path.lower().endswith(SUFFIX):
            break
    else:
        return ""
    return "" if "://" in path or path.startswith("mailto:") else _within(path)


def unescaped(text: str) -> str:
    """``a\\_b.md`` as ``a_b.md``."""
    plain = ""
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text) and not text[at + 1].isalnum():
            at += 1
        plain += text[at]
        at += 1
    return plain


def _within(path: str) -> str:
    """``./a.md`` as ``a.md``."""
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return path


def without_title(target: str) -> str:
    """``a.md "shown on hover"`` without the title."""
    for opening, closing in (('"', '"'), ("'", "'"), ("(", ")")):
        if target.endswith(closing) and len(target) > 1:
            start = target.find(" " + opening)
            if start > 0 and target[:start].rstrip().lower().endswith(SUFFIX):
                return target[:start].rstrip()
    return target


def decoded(text: str) -> str:
    """``a%20b.md`` as ``a b.md``; a lone percent sign is itself."""
    if "%" not in text:
        return text
    data, at = bytearray(), 0
    while at < len(text):
        if text[at] == "%" and len(text) > at + 2 and text[at + 1] in _HEX and text[at + 2] in _HEX:
            data.append(int(text[at + 1 : at + 3], 16))
            at += 3
        else:
            data += text[at].encode("utf-8", "surrogateescape")
            at += 1
    return data.decode("utf-8", "surrogateescape")


def encoded(path: str) -> str:
    """``path`` as a link's target: what would end or change the link is percent-encoded, any language stays."""
    return "".join(
        mark if mark.isalnum() or mark in "-_./~!$&'*+,;=@" or (mark > "\x7f" and mark.isprintable())
        else "".join(f"%{byte:02X}" for byte in mark.encode("utf-8", "surrogateescape"))
        for mark in path
    )  # fmt: skip


def stem(path: str) -> str:
    return path[: -len(SUFFIX)] if path.lower().endswith(SUFFIX) else path
