"""The one frontmatter reader: hook, command line, audit and editor all read a head with it.

The head stands between a first line ``---`` and the first later line that is exactly ``---``;
blanks behind either are tolerated, as site generators do.  Plain heads are read by
line_head.py; the rest by python-frontmatter's handler over PyYAML's base loader, so that every
scalar is a string; what YAML refuses, line by line by mend.py.  A block that holds no field is
body, so that no text is lost to recall.  Reading never raises.

Rules of the findings, here and in document.py:
  head-colon      a colon inside a plain value, or none that YAML sees
  head-hash       a value that loses what stands behind ``#``
  head-indicator  a value that starts with a sign of YAML, an anchor, alias or tag, or a broken list
  head-quote      quotes without partner, or with escapes that YAML does not know
  head-tab        a tab as indentation
  head-indent     a field indented below another one's value
  head-duplicate  the same key twice; the first counts
  head-line       a line that is no ``key: value``
  head-text       a character that YAML forbids
  head-open       a fence that is never closed, or one below empty lines
  head-shape      a block without fields
  head-size       a head too big for YAML
  head-date       a date that nobody can read
  bom, encoding, line-endings  how the file is saved
Hot: yaml and frontmatter are imported only inside the function that needs them.
"""

from __future__ import annotations

from gitmem.limits import MAX_HEAD_BYTES, MAX_HEAD_DEPTH
from gitmem.memory.finding import Finding
from gitmem.memory.line_head import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from gitmem.memory.line_head import Value as Value
    from gitmem.memory.mend import Mender

    Parsed = tuple[Value, list[tuple[str, int, int]]]

FENCE = "---"
FIRST_LINE = 2  # file line of a head's first line

_UNSEEN = " \t\r\n\f\v\x00\x85\xa0\xad\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u2060\u3000\ufeff"  # may hide a fence

_yaml: Callable[[str], Parsed] | None = None


def read_head(text: str, path: str) -> tuple[dict[str, Value], int, list[Finding]]:
    """Fields, offset in ``text`` where the body starts, findings.

    text: of the file, without byte order mark, any line endings
    """
    fences = find_fences(text)
    if fences is None:
        line = misplaced_line(text)
        if line == 0:
            return {}, 0, []
        if line == 1:
            message = f"the frontmatter is never closed, so all is read as body; {_way_to_close(text)}"
        else:
            message = "frontmatter must start on line 1; remove the empty lines above it"
        return {}, 0, [Finding("head-open", path, line, message)]
    start, end, body = fences
    head = text[start:end]
    if "\r" in head:
        head = head.replace("\r\n", "\n").replace("\r", "\n")
    mender = None
    fields = read_lines(head)
    if fields is None:
        fields, mender = _read_hard(head, path)
        if not fields and _has_content(head):
            message = "the block between the `---` lines holds no field, so it is read as body; write `name: ...` lines"
            return {}, 0, [Finding("head-shape", path, FIRST_LINE, message)]
    if mender is None and not ("#" in head and _may_cut(head)):
        return fields, body, []
    return fields, body, _findings(head, path, mender)


def find_fences(text: str) -> tuple[int, int, int] | None:
    """Offsets of the head's first character, of the closing fence and of the body; None without both fences."""
    if not text.startswith(FENCE):
        return None
    start = _after_fence(text, 0)
    if start < 0:
        return None
    at, lf, cr = start - 1, -2, -2  # at: the line ending in front of the line looked at
    while True:
        # Each search starts where the last one of its kind ended, or a text of dashes would take minutes.
        lf = text.find("\n" + FENCE, at) if -1 != lf < at else lf
        cr = text.find("\r" + FENCE, at) if -1 != cr < at else cr
        if lf < 0 and cr < 0:
            return None
        at = 1 + (min(lf, cr) if lf >= 0 and cr >= 0 else max(lf, cr))
        body = _after_fence(text, at)
        if body >= 0:
            return start, at, body


def misplaced_line(text: str) -> int:
    """Line of a fence that opens no head: 1 when it is never closed, more when blank lines stand above; else 0."""
    if text.startswith(FENCE):
        return 1 if _after_fence(text, 0) >= 0 else 0
    if text[:1] not in ("\n", "\r", " ", "\t"):
        return 0
    below = text.lstrip(" \t\r\n")
    fences = find_fences(below)
    if fences is None or ":" not in below[fences[0] : fences[1]]:
        return 0
    above = text[: len(text) - len(below)]
    return above.replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1


def _way_to_close(text: str) -> str:
    """What to do about a head without its closing fence: there may be one behind what is not seen, or indented."""
    from gitmem.memory.document import split_lines

    for number, line in enumerate(split_lines(text), 1):
        if number > 1 and FENCE in line and line.strip(_UNSEEN) == FENCE:
            return f"line {number} is no `---` for what stands before or behind it; write it with nothing else"
    return "add a line `---` below its last field"


def _after_fence(text: str, at: int) -> int:
    """Offset of the line below the fence at ``at``; -1 when more than blanks follow the three dashes."""
    end = at + len(FENCE)
    while text[end : end + 1] in (" ", "\t") and end < len(text):
        end += 1
    if end == len(text):
        return end
    if text.startswith("\r\n", end):
        return end + 2
    return end + 1 if text[end] in "\r\n" else -1


def _read_hard(head: str, path: str) -> tuple[dict[str, Value], Mender]:
    """A head that the line reader left alone: YAML, and what YAML refuses line by line."""
    from gitmem.memory.mend import Mender, names_a_field

    big = len(head) > MAX_HEAD_BYTES or len(head.encode("utf-8", "replace")) > MAX_HEAD_BYTES
    mender = Mender(path, None if big else _read_yaml)
    if big:
        head = head[:MAX_HEAD_BYTES].rpartition("\n")[0]
        message = (
            f"the frontmatter is above {MAX_HEAD_BYTES // 1024} KiB and is read up to there; move text to the body"
        )
        mender.say("head-size", FIRST_LINE, message)
    else:
        try:
            value, repeated = _read_yaml(head)
        except ValueError:
            pass
        else:
            if isinstance(value, dict):
                for key, first, second in repeated:
                    mender.repeated(key, FIRST_LINE + first, FIRST_LINE + second)
                return value, mender
    fields = mender.fields(head.split("\n"), FIRST_LINE)
    return (fields if names_a_field(fields) else {}), mender


def _findings(head: str, path: str, mender: Mender | None) -> list[Finding]:
    """What the reader found, and what text is lost behind ``#``."""
    from gitmem.memory.lost import hash_findings
    from gitmem.memory.mend import Mender

    mender = mender or Mender(path, None)
    lost = hash_findings(head.split("\n"), path, FIRST_LINE, mender.findings) if "#" in head else []
    return mender.close(lost)


def _has_content(head: str) -> bool:
    return any(line.strip() and line.strip()[0] != "#" for line in head.split("\n"))


def _may_cut(head: str) -> bool:
    """May a head of plain lines lose text behind ``#``?  A cheap look before the thorough one: not for a comment on
    a line of its own or behind a nested field.
    """
    for line in head.split("\n"):
        if "#" in line and line[0] != "#":
            bare = line.lstrip(" ")
            if bare[0] == "#":
                if bare[1:2] not in ("", " ", "#"):
                    return True
            elif (line[0] != " " or bare[0] == "-") and " #" in line:
                return True
    return False


def _read_yaml(head: str) -> Parsed:
    """``head`` as YAML: the value with every scalar a ``str``, and the repeated keys (0-based lines).

    raises: ValueError when PyYAML refuses it, or when it holds an anchor, an alias, a tag, a
            second document or more than MAX_HEAD_DEPTH levels
    """
    global _yaml
    if _yaml is None:
        _yaml = _make_yaml()
    return _yaml(head)


def _make_yaml() -> Callable[[str], Parsed]:
    import yaml
    from frontmatter.default_handlers import YAMLHandler

    from gitmem.memory.entry import split_key

    try:
        from yaml import CBaseLoader as BaseLoader
    except ImportError:  # PyYAML was built without libyaml
        from yaml import BaseLoader  # type: ignore[assignment]

    class HeadLoader(BaseLoader):
        """Builds the value from events, so that depth is counted before anything is built."""

        def __init__(self, stream: str) -> None:
            super().__init__(stream)
            self.lines = stream.split("\n")

        def get_single_data(self) -> Parsed:
            self.repeated: list[tuple[str, int, int]] = []
            self.get_event()  # the stream's start
            if isinstance(self.get_event(), yaml.StreamEndEvent):
                return {}, []
            value = self.value(self.get_event(), 0)
            self.get_event()  # the document's end
            if not isinstance(self.get_event(), yaml.StreamEndEvent):
                raise ValueError("more than one document")
            return value, self.repeated

        def value(self, event: Any, depth: int) -> Value:
            if isinstance(event, yaml.AliasEvent) or event.anchor is not None or event.tag is not None:
                raise ValueError("anchors, aliases and tags are not read")
            if isinstance(event, yaml.ScalarEvent):
                if event.style in ("'", '"'):
                    self.refuse_swallowed(event.start_mark, event.end_mark)
                return str(event.value)
            if depth >= MAX_HEAD_DEPTH:
                raise ValueError("too deep")
            if isinstance(event, yaml.SequenceStartEvent):
                items: list[Value] = []
                while not self.check_event(yaml.SequenceEndEvent):
                    items.append(self.value(self.get_event(), depth + 1))
                self.get_event()
                return items
            return self.mapping(depth, are_fields=depth <= 1 and not event.flow_style)

        def refuse_swallowed(self, start: Any, end: Any) -> None:
            """libyaml lets a quote without partner swallow the next field; YAML's rules do not."""
            for line in self.lines[start.line + 1 : end.line + 1]:
                if line[:1].isalpha() and split_key(line):
                    raise ValueError("a field inside quotes")

        def mapping(self, depth: int, *, are_fields: bool) -> dict[str, Value]:
            fields: dict[str, Value] = {}
            lines: dict[str, int] = {}
            while not self.check_event(yaml.MappingEndEvent):
                event = self.get_event()
                if not isinstance(event, yaml.ScalarEvent):
                    raise ValueError("a key must be a word")
                mark: Any = event.start_mark
                key = str(self.value(event, depth))
                if are_fields and event.style not in ("'", '"') and key != key.strip():
                    raise ValueError("a blank of another kind beside a key")
                value = self.value(self.get_event(), depth + 1)
                if key in fields:
                    self.repeated.append((key, lines[key], mark.line))
                else:
                    fields[key], lines[key] = value, mark.line
            self.get_event()
            return fields

    handler = YAMLHandler()

    def read(head: str) -> Parsed:
        try:
            parsed: Parsed = handler.load(head, Loader=HeadLoader)
        except yaml.YAMLError as error:
            raise ValueError("not YAML") from error
        return parsed

    return read
