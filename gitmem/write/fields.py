"""The fields of a memory as a write sets them: where each stands, what it may hold, what gitmem adds."""

from __future__ import annotations

import os

from gitmem.errors import BrokenHead, Refused
from gitmem.limits import MAX_ALIAS_CHARS, MAX_ALIASES, MAX_TAG_CHARS, MAX_TAGS
from gitmem.memory.age import iso
from gitmem.memory.clean import one_line
from gitmem.memory.document import Memory
from gitmem.memory.field import known
from gitmem.memory.items import split_items, unquoted, without_brackets
from gitmem.memory.splice import new_memory, set_field
from gitmem.write.change import Actor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Value = str | list[str] | None
    Fields = Sequence[tuple[str, str | Sequence[str] | None]]

TYPES = ("user", "feedback", "project", "reference")  # metadata.type (A2); others exist in the wild
CHOICES = {  # what is none of these would be read as if nothing was said
    "trust": ("candidate", "verified", "disputed", "superseded"),
    "kind": ("fact", "preference", "decision", "procedure", "episode"),
}
LISTS = ("tags", "aliases", "metadata.triggers")
ONLY_BELOW = tuple(  # read nowhere but below ``metadata``
    "id kind trust pinned muted expires importance evidence supersedes superseded_by conflict_of "  # noqa: SIM905
    "seed triggers format inject_ignore sources".split()
)
MAX_SHOWN_CHARS = 60  # of a field's name in a sentence
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def with_fields(memory: Memory, fields: Fields) -> bytes:
    """The file with ``fields`` set one after the other; raises BrokenHead naming path and line."""
    data = memory.data
    try:
        for field, value in fields:
            key = spelled(memory, field, removed=value is None)
            data = set_field(data, key, listed(key, value))
    except BrokenHead as error:
        raise BrokenHead(f"{memory.path}, {error.message}", line=error.line, hint=error.hint) from error
    return data


def with_head(body: str, fields: Mapping[str, Value], when: int, actor: Actor) -> bytes:
    """A new memory around a text that has no head of its own."""
    said: list[tuple[str, str | list[str]]] = [(key, value) for key, value in fields.items() if value]
    rows = [row for row in said if not row[0].startswith("metadata.")]
    rows += [("updated", iso(when)), ("metadata.id", new_id(when))]
    rows += [row for row in said if row[0].startswith("metadata.")]
    if actor.kind == "model":
        rows.append(("metadata.trust", "candidate"))
    return new_memory(rows, body)


def completed(given: Memory, asked: Mapping[str, Value], when: int, actor: Actor) -> bytes:
    """A memory that came with its head: what was asked for is set, what is missing added, the rest kept."""
    fields = [(key.removeprefix("metadata."), value) for key, value in asked.items() if value]
    facts = known(given)
    fields += [] if facts.id else [("id", new_id(when))]
    fields += [] if facts.updated else [("updated", iso(when))]
    data = with_fields(given, fields)
    return as_candidate(given, data) if actor.kind == "model" else data


def dated(memory: Memory, data: bytes, when: int) -> bytes:
    """``data`` with today's ``updated``, when the memory carries a date or is gitmem's own."""
    metadata = memory.fields.get("metadata")
    below = metadata if isinstance(metadata, dict) else {}
    if "updated" in memory.fields:
        data = set_field(data, "updated", iso(when))
    elif "updated" in below:
        data = set_field(data, "metadata.updated", iso(when))
    elif "id" in below:
        data = set_field(data, "updated", iso(when))
    return data


def as_candidate(memory: Memory, data: bytes) -> bytes:
    """``data`` as a model leaves it: unverified, also where another tool put ``trust`` at top level."""
    if "trust" in memory.fields:
        data = set_field(data, "trust", "candidate")
    return set_field(data, "metadata.trust", "candidate")


def spelled(memory: Memory, field: str, *, removed: bool = False) -> str:
    """Where a field stands, or would: at the place it is read from.

    removed: then also a field at a place where gitmem does not read it
    """
    if field == "type":
        return field if field in memory.fields else "metadata.type"
    if field not in ONLY_BELOW:
        return field
    metadata = memory.fields.get("metadata")
    below = isinstance(metadata, dict) and field in metadata
    return field if removed and field in memory.fields and not below else f"metadata.{field}"


def check_fields(memory: Memory, fields: Fields) -> str:
    """What to tell the person of fields they set by hand, "" for nothing.

    raises: Refused for a name that is no field, and for a word that would count as none
    """
    said = ""
    for field, value in fields:
        parts = field.split(".")
        if field not in memory.fields and (len(parts) > 2 or not all(parts) or any(mark < " " for mark in field)):
            hint = f"gitmem edit NAME --set metadata.{parts[-1]}=..." if parts[-1] and field.isprintable() else ""
            shown = one_line(field, MAX_SHOWN_CHARS)
            raise Refused(f"'{shown}' is no field: a name, or one name below another such as metadata.type", hint=hint)
        name = parts[-1] if len(parts) == 1 or parts[0] == "metadata" else ""
        if name in CHOICES and value is not None and value not in CHOICES[name]:
            choices = CHOICES[name]
            raise Refused(f"{name} is {', '.join(choices[:-1])} or {choices[-1]}, not '{value}'")
        if name == "type" and value is not None and value not in TYPES:
            said = f"'{value}' is none of the types {', '.join(TYPES)}; it is kept as you gave it"
    return said


def names_date(fields: Fields) -> bool:
    """Whether the date of the memory is among what is set or removed by hand."""
    return any(field in ("updated", "metadata.updated", "metadata.modified") for field, _ in fields)


def given_fields(memory: Memory) -> dict[str, Value]:
    """What a head says, one field each, as ``with_fields`` takes it; deeper nesting is left out."""
    metadata = memory.fields.get("metadata")
    flat = {
        **memory.fields,
        **({f"metadata.{key}": value for key, value in metadata.items()} if isinstance(metadata, dict) else {}),
    }
    return {
        key: value if isinstance(value, str) else [each for each in value if isinstance(each, str)]
        for key, value in flat.items()
        if isinstance(value, (str, list)) and value
    }


def listed(key: str, value: str | Sequence[str] | None) -> Value:
    """The value as the field holds it: list fields take ``a, b`` or ``[a, b]``; a list of their own words is kept."""
    if value is None:
        return None
    if key in LISTS:
        if isinstance(value, str):
            labels = typed_labels(without_brackets(value))
        else:
            labels = [each for each in value if each.strip()]
        check_labels(labels if key == "tags" else (), labels if key == "aliases" else ())
        return labels
    return value if isinstance(value, str) else list(value)


def typed_labels(text: str) -> list[str]:
    """The parts of ``a, "b, c"`` as a person types them: no blanks and quotes around them; Chinese commas part too."""
    return [label for label in map(unquoted, split_items(text)) if label]


def check_labels(tags: Sequence[str], aliases: Sequence[str]) -> None:
    """raises: Refused when there are more labels, or longer ones, than a memory may have (A2)."""
    for what, labels, most, chars in (
        ("tags", tags, MAX_TAGS, MAX_TAG_CHARS),
        ("aliases", aliases, MAX_ALIASES, MAX_ALIAS_CHARS),
    ):
        if len(labels) > most:
            raise Refused(f"a memory has at most {most} {what}; these are {len(labels)}")
        for label in labels:
            if len(label) > chars:
                raise Refused(f'of {what}, each has at most {chars} characters; "{label[:20]}…" has {len(label)}')


def new_id(when: int) -> str:
    """A ULID: 48 bits of milliseconds, 80 random bits, in Crockford's base 32; sorts by time.

    source: github.com/ulid/spec
    """
    number = (when * 1000) << 80 | int.from_bytes(os.urandom(10))
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
