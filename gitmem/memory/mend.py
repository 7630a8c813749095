"""Read line by line what YAML refuses: a broken line costs its own field and gives a finding.

Every finding says the mend.  Used only for heads that are not valid YAML as gitmem reads it.
"""

from __future__ import annotations

from gitmem.limits import MAX_HEAD_DEPTH
from gitmem.memory.entry import WORD_KEYS, Entry, entries, indent_of, is_block, is_item, is_word, odd_blank, quote_end
from gitmem.memory.finding import Finding
from gitmem.memory.items import split_items
from gitmem.memory.line_head import INDICATORS, read_lines, read_scalar
from gitmem.memory.quote import is_special, write_flow, write_scalar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.memory.line_head import Value

    # text -> value, repeated keys as (key, line, line) counted from 0; ValueError when YAML refuses
    Parse = Callable[[str], tuple[Value, list[tuple[str, int, int]]]]

MAX_FINDINGS = 10  # of one head; what lies beyond is counted and said
MAX_REFUSED = 50  # entries of one head that YAML is asked about in vain; it costs 20 times as much as a guess
MAX_SHOWN = 100  # characters of a value inside a sentence


class Mender:
    """Reads the lines of one broken head.

    path:  for the findings
    parse: YAML for one entry, or None when the head is too big for it
    """

    def __init__(self, path: str, parse: Parse | None) -> None:
        self.path, self.parse = path, parse
        self.findings: list[Finding] = []
        self.unsaid = self.refused = 0

    def fields(self, lines: Sequence[str], line: int, depth: int = 0) -> dict[str, Value]:
        """The fields of a mapping whose first line is file line ``line``; the first of two equal keys counts."""
        found: dict[str, Value] = {}
        where: dict[str, int] = {}
        for entry in entries(lines):
            at = line + entry.first
            if not entry.key:
                self.say("head-line", at, f"`{shown(lines[entry.first].strip())}` is no `key: value`; it is not read")
            elif entry.key in found:
                self.repeated(entry.key, where[entry.key], at)
            else:
                where[entry.key] = at
                found[entry.key] = self._value(entry, lines[entry.first : entry.last], at, depth)
        return found

    def say(self, rule: str, line: int, message: str) -> None:
        if len(self.findings) < MAX_FINDINGS:
            self.findings.append(Finding(rule, self.path, line, message))
        else:
            self.unsaid += 1

    def repeated(self, key: str, first: int, second: int) -> None:
        self.say(
            "head-duplicate",
            second,
            f"`{key}` stands on line {first} and on line {second}; line {first} counts, delete the other",
        )

    def _value(self, entry: Entry, lines: Sequence[str], line: int, depth: int) -> Value:
        if entry.stray and is_lossy(entry):
            return self._stray_text(entry, lines, line)
        if entry.stray:
            self.say(
                "head-indent", line, f"`{entry.key}` is indented below a finished value; remove the blanks before it"
            )
        if entry.mark != ":":
            return self._marked(entry, lines, line, depth)
        read = self._as_it_stands(lines, entry, line)
        if read is not None:
            return read
        tab = next((index for index, text in enumerate(lines) if "\t" in text[: indent_of(text)]), -1)
        if tab >= 0:
            self.say("head-tab", line + tab, f"tab on line {line + tab}; indent with blanks instead")
            lines = [_tabs_to_blanks(text) for text in lines]
            read = self._as_it_stands(lines, entry, line)
            if read is not None:
                return read
        said = len(self.findings) + self.unsaid
        value = self._meant(entry, lines, line, depth)
        if len(self.findings) + self.unsaid == said:
            self._say_odd(entry.key, lines, line)
        return value

    def _stray_text(self, entry: Entry, lines: Sequence[str], line: int) -> str:
        """All of a stray field's value: where YAML sees no field, it sees no comment either."""
        text = " ".join([entry.value, *(text.strip() for text in lines[1:])]).strip()
        mend = shown(f"{entry.key}: {write_scalar(text)}")
        reason = f"`{entry.key}` is indented below a finished value"
        self.say("head-indent", line, f"{reason}; write `{mend}` with no blanks before it")
        return text

    def _marked(self, entry: Entry, lines: Sequence[str], line: int, depth: int) -> Value:
        """The value behind a key that YAML sees no key in: without a comment, but for a short word's."""
        before = len(self.findings)
        value = self._meant(entry, lines, line, depth)
        if all(finding.line != line for finding in self.findings[before:]):
            odd = odd_blank(lines[0])
            said = f"U+{ord(odd):04X} beside `{entry.key}` is part of the name to YAML; " if odd else ""
            self.say("head-colon", line, f"{said}write `{entry.key}: ` with a colon and a blank before the value")
        return value

    def _say_odd(self, key: str, lines: Sequence[str], line: int) -> None:
        """What YAML minds in lines that read well to the end: a character, or how they are indented."""
        for index, text in enumerate(lines):
            odd = odd_sign([text])
            if odd:
                self.say("head-text", line + index, f"`{key}` holds U+{ord(odd):04X}, which YAML forbids; remove it")
                return
        at = _misplaced(lines)
        self.say("head-indent", line + at, f"the lines of `{key}` are not indented alike; align them")

    def _meant(self, entry: Entry, lines: Sequence[str], line: int, depth: int) -> Value:
        """The value of an entry that YAML refuses."""
        below = [text.strip() for text in lines[1:] if text.strip() and text.strip()[0] != "#"]
        if (not entry.value or entry.value[0] == "#") and below and depth < MAX_HEAD_DEPTH:
            if is_item(below[0]):
                return self._items(lines[1:], line + 1)
            return self.fields(lines[1:], line + 1, depth + 1)
        if is_block(entry.value) and below:
            return ("\n" if entry.value[0] == "|" else " ").join(text.strip() for text in lines[1:]).strip()
        text = " ".join([entry.value, *below]).strip()
        whole = entry.mark == ":" or is_lossy(entry)
        return self._guessed(f"{entry.key}: ", f"`{entry.key}`", text, line, refused=entry.mark == ":", whole=whole)

    def _as_it_stands(self, lines: Sequence[str], entry: Entry, line: int) -> Value | None:
        """The entry alone may be sound: then it is read as if the whole head were."""
        text = "\n".join(part[entry.indent :] if not part[: entry.indent].strip() else part for part in lines)
        fields: Value | None = read_lines(text)
        if fields is None and self.parse is not None:
            try:
                fields, repeated = self.parse(text + "\n")
            except ValueError:
                self.refused += 1
                if self.refused > MAX_REFUSED:
                    self.parse = None
                return None
            for key, first, second in repeated:
                self.repeated(key, line + first, line + second)
        return fields.get(entry.key) if isinstance(fields, dict) and len(fields) == 1 else None

    def _items(self, lines: Sequence[str], line: int) -> list[Value]:
        """A block list that YAML refuses, item by item."""
        items: list[tuple[int, list[str]]] = []
        for index, text in enumerate(lines):
            bare = text.strip()
            if is_item(bare):
                items.append((index, [bare[1:].strip()]))
            elif bare and bare[0] != "#" and items:
                items[-1][1].append(bare)
        return [
            self._guessed(
                "- ",
                "this item",
                " ".join(parts).strip(),
                line + index,
                refused=False,
                whole=any(map(cuts, parts[:-1])) or bool(odd_sign(parts)),
            )
            for index, parts in items
        ]

    def _guessed(self, lead: str, name: str, text: str, line: int, *, refused: bool, whole: bool) -> Value:
        """A one-line value: as it reads, else as it was probably meant, with a finding.

        refused: YAML has seen this very value already
        whole:   a `` #`` in it begins no comment, since YAML refuses what it stands in
        """
        if not text:
            return ""
        sound = None if ":\t" in text or (whole and cuts(text)) else read_scalar(text)
        if sound is not None:
            return sound
        if not refused and self.parse is not None and text[0] in "['\"":
            try:
                value, _ = self.parse(text)
            except ValueError:
                pass
            else:
                if not isinstance(value, dict):
                    return value
        value, rule, reason = _guess(text)
        comment = text.partition("]")[2] if isinstance(value, list) else ""
        self.say(rule, line, f"{name} {reason}; write `{shown(lead + write_value(value) + comment)}`")
        return value

    def close(self, more: Sequence[Finding]) -> list[Finding]:
        """All findings of the head, ``more`` too; the last says how many there is no room for."""
        every = [*self.findings, *more]
        unsaid = self.unsaid + max(0, len(every) - MAX_FINDINGS)
        if unsaid:
            message = f"{unsaid} more lines of the frontmatter are broken"
            every[MAX_FINDINGS:] = [Finding("head-line", self.path, 0, message)]
        return every


def write_value(value: Value) -> str:
    return write_scalar(value) if isinstance(value, str) else write_flow(value)


def shown(text: str) -> str:
    """``text`` short enough for a sentence."""
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def names_a_field(fields: dict[str, Value]) -> bool:
    """Is at least one key a word?  Two rules around prose give keys such as "And then he said"."""
    return any(is_word(key) for key in fields)


def _guess(text: str) -> tuple[Value, str, str]:
    """Value, rule and reason for a one-line value that YAML refuses."""
    first = text[0]
    if first in "'\"":
        is_pair = len(text) > 1 and text[-1] == first
        reason = "has quotes or escapes that YAML cannot read" if is_pair else "has a quote without its partner"
        return _without_quotes(text), "head-quote", reason
    end = text.find("]")
    if text.count("[") == 1 and first == "[" and (end < 0 or not text[end + 1 :] or text[end + 1 :].startswith(" #")):
        parts = map(_without_quotes, split_items(text[1:end] if end > 0 else text[1:], ","))
        return [part for part in parts if part], "head-indicator", "is a list that YAML cannot read"
    if first in INDICATORS:
        return text, "head-indicator", f"starts with {first} , which is a sign of YAML"
    if ": " in text or ":\t" in text or text[-1] == ":":
        return text, "head-colon", "holds a colon, which starts a field in YAML"
    if cuts(text):
        return text, "head-hash", "holds a # , behind which YAML reads nothing"
    return text, "head-text", "holds a sign that YAML forbids"


def _without_quotes(text: str) -> str:
    """A value that YAML refuses without the quotes around it; quotes around its first and its last word are its own.

    ``"say "hi" to it"`` is quoted as a whole, ``"a" means "b"`` is not; what a quote stands in is an apostrophe.
    """
    quote, inner = text[:1], text[1:-1]
    if quote not in ("'", '"'):
        return text
    if text[-1] != quote or len(text) < 2:
        return text if quote in text[1:] else text[1:]
    end = quote_end(text)
    is_closed = 0 < end < len(text) - 1 and not text[end + 1].isalnum() and inner.count(quote) % 2 == 0
    return text if is_closed else inner


def cuts(text: str) -> bool:
    """Does a plain value lose text behind `` #``?"""
    return text[:1] == "#" or ((" #" in text or "\t#" in text) and text[0] not in INDICATORS)


def odd_sign(lines: Sequence[str]) -> str:
    """The first character that YAML forbids, "" for none."""
    return next((char for text in lines for char in text if is_special(char) and char != "\t"), "")


def is_lossy(entry: Entry) -> bool:
    """Would a comment behind this value be lost text, and not a note behind a short word?"""
    return cuts(entry.value) and entry.key not in WORD_KEYS


def _misplaced(lines: Sequence[str]) -> int:
    """Index of the first line below the key that is not indented as the one above it asks; 0 when none is seen."""
    first = -1
    for index, text in enumerate(lines[1:], 1):
        bare = text.strip()
        if not bare or bare[0] == "#":
            continue
        if first < 0:
            first = indent_of(text)
        elif indent_of(text) < first or (indent_of(text) != first and is_item(bare)):
            return index
    return 0


def _tabs_to_blanks(text: str) -> str:
    indent = indent_of(text)
    return text[:indent].replace("\t", "  ") + text[indent:]
