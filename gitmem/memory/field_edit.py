"""Set or remove one field in the lines of a head: where it stands, in the style it has.

The caller reads the result again and refuses it when anything else changed (splice.py), so the
line work here may be simple.
"""

from __future__ import annotations

from gitmem.errors import BrokenHead
from gitmem.memory.entry import WORD_KEYS, Entry, comment_start, entries, indent_of, is_block, is_item
from gitmem.memory.head import FENCE, FIRST_LINE, read_head
from gitmem.memory.quote import write_items, write_key, write_mapping, write_scalar
from gitmem.memory.raw_lines import RawLines, bare, ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.memory.line_head import Value

ORDER = ("name", "description", "tags", "aliases")  # a missing one goes behind the nearest before it, else first
TEXT_KEYS = frozenset(ORDER)  # quoted when another tool would read a number, a date or a boolean
INDENT = "  "


class FieldEdit:
    """One field of one file, to be set or removed.

    parent: "" for a top-level field
    """

    __slots__ = ("child", "file", "line", "parent", "value")

    def __init__(self, file: RawLines, parent: str, child: str, value: str | list[str] | None) -> None:
        self.file, self.parent, self.child, self.value = file, parent, child, value
        self.line = FIRST_LINE  # file line that refusals name

    def refusal(self, message: str) -> BrokenHead:
        return BrokenHead(f"line {self.line}: {message}", line=self.line)

    def expected(self) -> dict[str, Value]:
        """The fields as they must read after the edit."""
        fields = dict(self.file.fields)
        holder = fields
        if self.parent:
            below = fields.get(self.parent)
            fields[self.parent] = holder = dict(below) if isinstance(below, dict) else {}
        if self.value is None:
            holder.pop(self.child, None)
        else:
            holder[self.child] = list(self.value) if isinstance(self.value, list) else self.value
        return fields

    def apply(self, holder: Value, current: Value | None) -> None:
        """Change the lines.

        holder:  what the fields have at ``parent``; all fields for a top-level one
        current: the value the field has, None when it is missing
        """
        at, last = 1, self.file.head_last
        top = entries([bare(line) for line in self.file.lines[at:last]])
        if not self.parent:
            entry = self._find(top, at, self.child, current is not None)
            if entry is None:
                self._insert_top(top)
            elif isinstance(current, dict) and self.value is not None:
                raise self.refusal(f"`{self.child}` holds fields; name one of them, such as {self.child}.type")
            else:
                self._replace(entry, at, current)
            return
        block = self._find(top, at, self.parent, self.parent in self.file.fields)
        if block is None:
            indent = bare(self.file.lines[at])[: top[0].indent] if top else ""
            lines = [f"{indent}{write_key(self.parent)}:", f"{indent}{INDENT}{self._text()}"]
            self._insert(at + top[-1].last if top else last, lines)
        elif holder and not isinstance(holder, dict):
            raise self.refusal(f"`{self.parent}` has a value, so no field can stand below it; mend it by hand")
        elif block.value[:1] == "{":
            below = self.expected()[self.parent]
            self._replace_value(block, at, write_mapping(below) if isinstance(below, dict) else "{}", holder)
        else:
            self._below(block, at, current)

    def _below(self, block: Entry, at: int, current: Value | None) -> None:
        """The field stands, or will stand, in the indented lines below ``block``."""
        start = at + block.first + 1
        nested = entries([bare(line) for line in self.file.lines[start : at + block.last]])
        kid = self._find(nested, start, self.child, current is not None)
        if kid:
            self._replace(kid, start, current)
            return
        if nested:
            beside = start + nested[0].first
            indent = self.file.lines[beside][: nested[0].indent]
        else:
            beside = start - 1
            indent = self.file.lines[beside][: block.indent] + INDENT
        if "\t" in indent:
            self.line = beside + 1
            raise self.refusal(f"tab on line {beside + 1}; indent with blanks first")
        self._insert(start + nested[-1].last if nested else start, [indent + self._text()])

    def _find(self, found: list[Entry], at: int, key: str, there: bool) -> Entry | None:
        """The entry of ``key``; None when the reader sees none either."""
        same = [entry for entry in found if entry.key == key]
        if same:
            self.line = at + same[0].first + 1
            if len(same) > 1 and self.value is None:
                self.line = at + same[1].first + 1
                raise self.refusal(f"`{key}` stands also on line {at + same[0].first + 1}; delete one of them first")
            if "\t" in self.file.lines[self.line - 1][: same[0].indent]:
                raise self.refusal(f"tab on line {self.line}; indent with blanks first")
            return same[0]
        if there:
            raise self.refusal(f"`{key}` does not stand on a line of its own; mend the frontmatter by hand")
        return None

    def _replace(self, entry: Entry, at: int, current: Value | None) -> None:
        first, last = at + entry.first, at + entry.last
        if self.value is None:
            self.file.replace(first, last, [])
        elif isinstance(self.value, str):
            style = entry.value[0] if entry.value[:1] in ("'", '"') else ""
            self._replace_value(entry, at, write_scalar(self.value, style, keep_text=self._keeps_text()), current)
        elif isinstance(current, list) and entry.value[:1] != "[":
            self._replace_items(self.value, current, first + 1, last)
        else:
            inner = entry.value[1:].lstrip()[:1]
            style = inner if inner in ("'", '"') else ""
            self._replace_value(entry, at, write_items(self.value, style, keep_text=self._keeps_text()), current)

    def _replace_value(self, entry: Entry, at: int, text: str, current: Value | None) -> None:
        """Write ``text`` behind the key; the comment behind the old value stays unless it was text.

        Behind a plain value ``# so`` is a comment, and ``#12`` is text that YAML does not see.  Where the reader took
        more of the line for the value, that is no comment.

        current: the value as it is read
        """
        first = at + entry.first
        line = bare(self.file.lines[first]).rstrip()
        lead = line[: len(line) - len(entry.value)]
        if entry.mark != ":":
            lead = line[: entry.indent] + write_key(entry.key) + ": "
        elif not entry.value:
            lead += " "
        cut = comment_start(entry.value)
        tail = entry.value[cut:]
        plain = bool(cut) and entry.value[0] not in "'\"[{"
        is_text = tail.lstrip()[1:2].strip() and not self.parent and entry.key not in WORD_KEYS
        if (entry.last - entry.first > 1 and not is_block(entry.value)) or (plain and is_text):
            tail = ""
        elif tail and cut and not is_block(entry.value):
            alone = read_head(f"{FENCE}\n{line[: len(line) - len(tail)].lstrip()}\n{FENCE}\n", "")[0]
            tail = tail if alone.get(entry.key) == current else ""
        if tail and not cut:
            tail = "  " + tail
        self.file.replace(first, at + entry.last, [lead + text + tail + ending(self.file.lines[first])])

    def _replace_items(self, value: list[str], current: list[Value], first: int, last: int) -> None:
        """Items of a block list that stay keep their lines, comments above them included."""
        groups: list[list[int]] = []
        above: list[int] = []
        marks = [index for index in range(first, last) if is_item(self.file.lines[index].strip())]
        indent = indent_of(self.file.lines[marks[0]]) if marks else 0
        for index in range(first, last):
            line = bare(self.file.lines[index])
            if is_item(line.strip()) and indent_of(line) == indent:
                groups.append([*above, index])
                above = []
            elif line.strip()[:1] in ("", "#") or not groups:
                above.append(index)
            else:
                groups[-1] += [*above, index]
                above = []
        if len(groups) != len(current):
            raise self.refusal("the items of the list do not stand on lines of their own; mend them by hand")
        model = self.file.lines[marks[0]]
        text = model.strip()[1:].lstrip()
        lead = bare(model).rstrip()[: -len(text)] if text else model[:indent] + "- "
        style = text[0] if text[:1] in ("'", '"') else ""
        left = list(zip(current, groups, strict=True))
        new: list[str | int] = []
        for item in value:
            kept = next((pair for pair in left if pair[0] == item), None)
            if kept:
                left.remove(kept)
                new += kept[1]
            else:
                new.append(lead + write_scalar(item, style, keep_text=self._keeps_text()) + ending(model))
        self.file.replace(first, last, new)

    def _insert_top(self, top: list[Entry]) -> None:
        indent = self.file.lines[1][: top[0].indent] if top else ""
        index = 1 + top[-1].last if top else self.file.head_last
        if self.child in ORDER and top:
            before = ORDER[: ORDER.index(self.child)]
            ends = {entry.key: 1 + entry.last for entry in reversed(top)}
            index = next((ends[key] for key in reversed(before) if key in ends), 1 + top[0].first)
        self._insert(index, [indent + self._text()])

    def _insert(self, index: int, lines: list[str]) -> None:
        eol = ending(self.file.lines[index - 1]) or self.file.eol
        self.line = index + 1
        self.file.replace(index, index, [line + eol for line in lines])

    def _text(self) -> str:
        return field_line(self.child, self.value or "")

    def _keeps_text(self) -> bool:
        return not self.parent and self.child in TEXT_KEYS


def field_line(key: str, value: str | list[str]) -> str:
    keep = key in TEXT_KEYS
    text = write_scalar(value, keep_text=keep) if isinstance(value, str) else write_items(value, keep_text=keep)
    return f"{write_key(key)}: {text}"
