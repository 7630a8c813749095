"""Three heads merged field by field, each by what its name says it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gitmem.dataclass import dataclass, field
from gitmem.errors import BrokenHead, Refused
from gitmem.memory.age import unix_seconds
from gitmem.memory.archived import AT, BY_HAND, ENTRY, REASONS
from gitmem.memory.entry import indent_of
from gitmem.memory.field import as_items, as_text
from gitmem.memory.head import FENCE, read_head
from gitmem.memory.splice import set_field
from gitmem.merge.field import EMPTY, Block, Field, comments, item_lines, moved, read_block
from gitmem.merge.sequence import merged_order
from gitmem.merge.text import readable

if TYPE_CHECKING:
    from gitmem.memory.line_head import Value

TEXT_SETS = frozenset(["tags", "aliases", "triggers", "supersedes", "keywords"])  # also written `a, b`
SETS = TEXT_SETS | {"sources", "links", "related", "conflict_of", "evidence"}
TIMES = frozenset(["updated", "modified", "updated_at", "update_at", "last_modified"])
COUNTS = ("count", "counts", "counter", "hits")  # the last word of a field that counts

Lines = tuple[str, ...]
Result = tuple[Lines | None, "Value"]  # lines None: the field is gone


@dataclass(slots=True)
class Heads:
    """One merge of three heads; where a field cannot merge, the first side's version stands.

    all_sets:  every list is a set, as in settings
    conflicts: fields that could not merge, in words
    """

    all_sets: bool = False
    conflicts: list[str] = field(default_factory=list)

    def block(self, base: Block | None, first: Block, second: Block, path: str = "") -> tuple[Lines, dict[str, Value]]:
        """The lines of the merged mapping and what they must read as."""
        old = moved(base or EMPTY, first.indent) if first.fields else base or EMPTY
        second = moved(second, first.indent) if first.fields and second.fields else second
        lines: list[str] = []
        values: dict[str, Value] = {}
        orphans: list[str] = []  # comments above fields that are gone
        for key in merged_order(list(old.fields), list(first.fields), list(second.fields)):
            trio = old.fields.get(key), first.fields.get(key), second.fields.get(key)
            lead = merged_lines(*(each.lead if each else () for each in trio))
            own, value = self._field(path + key, *trio, known=base is not None)
            if own is None:
                orphans += lead
                continue
            lines += [*orphans, *lead, *own]
            orphans = []
            values[key] = value
        return (*lines, *orphans, *merged_lines(old.tail, first.tail, second.tail)), values

    def _field(
        self, path: str, base: Field | None, first: Field | None, second: Field | None, *, known: bool
    ) -> Result:
        for one, other, taken in ((first, second, first), (base, first, second), (base, second, first)):
            if _lines(one) == _lines(other):
                return _result(taken)
        if first and second and first.below and second.below and (base is None or base.below):
            return self._below(path, base, first, second, (first.below, second.below))
        if first and second:
            if first.value == second.value or (base and base.value == second.value):
                return self._checked(path, base, first, second, _result(first))
            if base and base.value == first.value:
                return self._checked(path, base, first, second, _result(second))
        result = self._by_name(path, base, first, second, known=known)
        if result is None:
            how = "" if first and second else " (changed on one side, removed on the other)"
            self.conflicts.append(f"field {path}{how}")
            return _result(first)
        return self._checked(path, base, first, second, result)

    def _below(self, path: str, base: Field | None, first: Field, second: Field, blocks: tuple[Block, Block]) -> Result:
        old = base.below if base else None
        heads = [(each.lines[0],) if each else () for each in (base, first, second)]
        head = heads[2] if heads[0] == heads[1] else heads[1]
        if len({*heads[1:], heads[0]}) == 3 and comments(heads[2]) - comments(heads[1]):
            self.conflicts.append(f"the comment at field {path}")
        lines, values = self.block(old, *blocks, path + ".")
        return (*head, *lines), values if values else ""

    def _checked(
        self, path: str, base: Field | None, first: Field | None, second: Field | None, result: Result
    ) -> Result:
        """``result``, unless it lacks a comment of either side: comments are a person's words."""
        there = comments(result[0] or ()) | comments(_lines(base) or ())
        if (comments(_lines(first) or ()) | comments(_lines(second) or ())) - there:
            self.conflicts.append(f"the comment at field {path}")
            return _result(first)
        return result

    def _by_name(
        self, path: str, base: Field | None, first: Field | None, second: Field | None, *, known: bool
    ) -> Result | None:
        """What the field's name says about merging it; None when it says nothing."""
        name = path.rpartition(".")[2]
        values = [each.value if each else None for each in (base, first, second)]
        if name in TIMES:
            return _newest(first, second)
        if first and second and path in (AT, ENTRY, *REASONS):
            return _archived_twice(path, first, second)
        if _last_word(name) in COUNTS and first and second:
            return _counted(base, first, second, known=known)
        lists = [value for value in values if value is not None]
        written_out = any(isinstance(value, list) for value in lists)
        named = (name in SETS and written_out) or name in TEXT_SETS or self.all_sets
        if named and all(_is_set(value, loose=not self.all_sets) for value in lists):
            return _as_set(base, first, second)
        if first and second and all(isinstance(value, dict) for value in lists):
            return self._loose(path, base, first, second)
        return None

    def _loose(self, path: str, base: Field | None, first: Field, second: Field) -> Result | None:
        """Mappings of which one is written in braces: the first side's lines, with the other's values spliced in."""
        old, one, two = ({} if each is None else each.value for each in (base, first, second))
        if not (isinstance(old, dict) and isinstance(one, dict) and isinstance(two, dict)):
            return None
        data = _mini(first.lines)
        for key, value in [*two.items(), *((key, None) for key in old if key not in two)]:
            if one.get(key) == value or old.get(key) == value:
                continue
            if one.get(key) != old.get(key):
                if key in TIMES and isinstance(value, str):
                    if (unix_seconds(str(one.get(key, ""))) or 0) >= (unix_seconds(value) or 0):
                        continue
                else:
                    self.conflicts.append(f"field {path}.{key}")
                    continue
            if isinstance(value, dict) or (isinstance(value, list) and not all(isinstance(i, str) for i in value)):
                return None
            try:
                data = set_field(data, f"{first.key}.{key}", value)  # type: ignore[arg-type]  # a list of str
            except (BrokenHead, Refused):
                return None
        return _read_mini(data, first.key)


@dataclass(frozen=True, slots=True)
class Head:
    """The lines between the fences, without endings, and what the reader reads in them."""

    lines: Lines
    values: Mapping[str, Value]


def merge_heads(base: Head | None, first: Head, second: Head, *, all_sets: bool = False) -> tuple[Lines, list[str]]:
    """The lines of the merged head, and what could not merge, in words; there the first side's version stands.

    base: None when it had no head
    """
    for one, other, taken in ((first, second, first), (base, first, second), (base, second, first)):
        if one is not None and one.lines == other.lines:
            return taken.lines, []
    old, one_block, two_block = (
        read_block(each.lines, each.values) if each else None for each in (base, first, second)
    )
    if one_block and two_block and (old or base is None):
        heads = Heads(all_sets)
        lines, values = heads.block(old, one_block, two_block)
        if _settled(_values(lines)) == _settled(values):
            return lines, heads.conflicts
    merged = _line_by_line(base.lines if base else (), first, second)
    return (merged, []) if merged is not None else (first.lines, ["the frontmatter"])


def read_lines(lines: Lines) -> Head:
    """A head of these lines."""
    return Head(lines, _values(lines))


def merged_lines(base: Sequence[str], first: Sequence[str], second: Sequence[str]) -> Lines:
    """Comments of both sides; what either removed is gone."""
    if first == second or base == second:
        return tuple(first)
    if base == first:
        return tuple(second)
    kept = [line for line in first if line not in base or line in second]
    return (*kept, *(line for line in second if line not in first and line not in base))


def _line_by_line(base: Lines, first: Head, second: Head) -> Lines | None:
    """A plain text merge of heads that cannot be cut into fields; None unless it is clean and every field sound."""
    from merge3 import Merge3

    lines: list[str] = []
    for what, *place in Merge3(base, first.lines, second.lines).merge_regions():
        if what == "conflict":
            return None
        source = {"unchanged": base, "same": first.lines, "a": first.lines, "b": second.lines}[what]
        lines += source[place[0] : place[1]]
    values, findings = _read(lines)
    sound = all(value in (first.values.get(key), second.values.get(key)) for key, value in values.items())
    rules = _read(first.lines)[1] | _read(second.lines)[1]
    return tuple(lines) if sound and values and findings <= rules - {"head-duplicate"} else None


def _newest(first: Field | None, second: Field | None) -> Result:
    if not first or not second:
        return _result(first or second)
    one, two = (unix_seconds(each.value) if isinstance(each.value, str) else None for each in (first, second))
    return _result(second if two is not None and (one is None or two > one) else first)


def _archived_twice(name: str, first: Field, second: Field) -> Result:
    """Both sides archived the memory: the earlier time, and a reason that somebody gave; nothing is to be decided."""
    one, two = as_text(first.value), as_text(second.value)
    if name == AT:
        return _result(first if one <= two else second)
    return _result(second if name in REASONS and one in ("", BY_HAND) else first)


def _counted(base: Field | None, first: Field, second: Field, *, known: bool) -> Result | None:
    """Both sides' counts added; of a memory that both sides made, the higher one."""
    numbers = [_number(each.value) for each in (base, first, second) if each]
    one, two = numbers[-2:]
    old = numbers[0] if base else 0
    if one is None or two is None or old is None:
        return None
    total = one + two - old if known else max(one, two)
    return _spliced(first, str(total)) if total >= 0 else None


def _last_word(name: str) -> str:
    """``count`` of ``access_count``, ``access-count`` and ``accessCount``."""
    at = max((at for at, mark in enumerate(name) if mark.isupper() or mark in "-_"), default=-1)
    return name[at:].strip("-_").lower() if at >= 0 else name.lower()


def _number(value: Value) -> int | None:
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16 else None


def _is_set(value: Value, *, loose: bool) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, str) for item in value)
    return isinstance(value, str) and (loose or not value)


def _as_set(base: Field | None, first: Field | None, second: Field | None) -> Result | None:
    """What both have or one has added, in the first side's order; what either removed is gone."""
    old, one, two = (as_items(each.value) if each else [] for each in (base, first, second))
    wanted = [item for item in one if item in two or item not in old]
    wanted += dict.fromkeys(item for item in two if item not in one and item not in old)
    for side, items in ((first, one), (second, two)):
        if side and items == wanted:
            return _result(side)
    if not wanted:
        return (None, "") if not (first and second) else _spliced(first, [])
    if first and second and (done := _with_item_lines(first, second, wanted)):
        return done
    side = first or second
    return _spliced(side, wanted) if side else None


def _with_item_lines(first: Field, second: Field, wanted: Sequence[str]) -> Result | None:
    """The list with the lines that its items have where they come from; None when it is not written line by line."""
    one, two = item_lines(first), item_lines(second)
    if one is None or two is None:
        return None
    here, there = (
        indent_of(next(line for line in lines if line.strip()[:1] == "-")) for lines in (one[0][1], two[0][1])
    )
    known = dict(reversed(one))
    lines = [first.lines[0]]
    for item in wanted:
        if item in known:
            lines += known[item]
        else:
            own = dict(two).get(item)
            if own is None:
                return None
            lines += [" " * here + line[there:] if line[:there].isspace() or not there else line for line in own]
    return _read_mini(_mini(lines), first.key)


def _spliced(side: Field, value: str | list[str]) -> Result | None:
    try:
        return _read_mini(set_field(_mini(side.lines), side.key, value), side.key)
    except (BrokenHead, Refused):
        return None


def _mini(lines: Sequence[str]) -> bytes:
    """A memory of nothing but these lines."""
    return "\n".join([FENCE, *lines, FENCE, ""]).encode("utf-8", "surrogateescape")


def _read_mini(data: bytes, key: str) -> Result:
    lines = tuple(data.decode("utf-8", "surrogateescape").split("\n")[1:-2])
    values = _values(lines)
    return (lines, values[key]) if key in values else (None, "")


def _lines(field: Field | None) -> Lines | None:
    return field.lines if field else None


def _result(field: Field | None) -> Result:
    return (field.lines, field.value) if field else (None, "")


def _values(lines: Sequence[str]) -> dict[str, Value]:
    return _read(lines)[0]


def _read(lines: Sequence[str]) -> tuple[dict[str, Value], set[str]]:
    """What the reader reads in ``lines``, and the rules that they break."""
    fields, _, findings = read_head(readable("\n".join([FENCE, *lines, FENCE, ""])), "")
    return fields, {finding.rule for finding in findings}


def _settled(values: Mapping[str, Value]) -> dict[str, Value]:
    """A mapping that lost its last field reads as a key without a value."""
    return {key: "" if value == {} else value for key, value in values.items()}
