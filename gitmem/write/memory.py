"""New memories and changed ones: what ``remember`` and ``edit`` mean, as one ``Change`` each.

A text is kept as it was given.  What gitmem adds is a head, or the fields a given head lacks; an edit
touches the lines of what changes and nothing else.

No dataclasses and no ``re``: a cold ``gitmem remember`` is timed against git, and imports are its cost.
"""

from __future__ import annotations

import os
import time

from gitmem.errors import BadName, BrokenHead, NotFound, Refused, Usage
from gitmem.history.commit import FileChange
from gitmem.limits import MAX_ALIAS_CHARS, MAX_ALIASES, MAX_TAG_CHARS, MAX_TAGS, SHARD_FROM
from gitmem.memory.age import iso
from gitmem.memory.clean import one_line
from gitmem.memory.document import Memory, blob_id, read_memory
from gitmem.memory.field import known, title
from gitmem.memory.name import check_path, slug
from gitmem.memory.section import heading
from gitmem.memory.splice import new_memory, set_body, set_field, set_section
from gitmem.store.gitdir import find_git_dir
from gitmem.write.apply import Applied, apply
from gitmem.write.catalogue import with_entry
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.find import find_memory, stem
from gitmem.write.guard import keep_refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Value = str | list[str] | None

KINDS = ("user", "feedback", "project", "reference")  # metadata.type (A2)
LISTS = ("tags", "aliases", "metadata.triggers")
BELOW_METADATA = tuple(  # DESIGN 3
    "id type kind trust pinned muted expires importance evidence supersedes superseded_by conflict_of "  # noqa: SIM905
    "seed triggers format inject_ignore sources".split()
)
CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TITLE_CHARS = 60  # of a first sentence that becomes a name; longer file names are hard to type
DESCRIPTION_CHARS = 160  # of a first sentence that becomes a description
SENTENCE_ENDS, WIDE_ENDS = ".!?", "。！？"  # the first kind ends a sentence only before a blank


class Kept:
    """One memory as it now stands.

    commit: "" when there was nothing to change
    notes:  sentences for the person: hand edits committed first, writes put back
    """

    __slots__ = ("commit", "notes", "path", "revision")

    def __init__(self, path: str, revision: str, commit: str, notes: tuple[str, ...] = ()) -> None:
        self.path, self.revision, self.commit, self.notes = path, revision, commit, notes


class Same(Exception):
    """Raised inside a change whose result is what the file holds already; nothing is committed."""

    def __init__(self, path: str, data: bytes) -> None:
        super().__init__()
        self.path, self.data = path, data


def remember(
    root: str,
    text: str | bytes,
    *,
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    name: str = "",
    type: str = "",
    description: str = "",
    tags: Sequence[str] = (),
    aliases: Sequence[str] = (),
    path: str = "",
    reason: str = "",
) -> Kept:
    """Write ``text`` as a new memory of the store at ``root``; an existing one is never overwritten.

    text:   a body, or a whole memory with its head, which is then kept byte for byte
    path:   the file inside the store; made from the name or the first words when empty
    raises: Usage for an empty text, BadName for a name that is taken or impossible, Refused by the guard
    """
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    given = read_memory("the text", data)
    if not given.text.strip():
        raise Usage("there is no text to remember", hint='gitmem remember "what you want kept"')
    check_labels(tags, aliases)
    headline, sentence = opening(given.body)
    asked = name or known(given).name or headline
    called = asked or beginning(one_line(sentence, TITLE_CHARS))
    free = not (path or asked)  # whether the file name is gitmem's own choice
    if path:
        check_path(path)
    else:
        path = new_path(root, f"{slug(called)}.md", when)
    fields: dict[str, Value] = {"name": name, "description": description, "tags": list(tags), "aliases": list(aliases)}

    def whole(place: str) -> bytes:
        if given.body_line > 1:
            return completed(given, fields | {"metadata.type": type}, when, actor)
        fields["name"] = name or headline or stem(place)
        fields["description"] = description or one_line(sentence, DESCRIPTION_CHARS)
        return with_head(given.text, fields, type, when, actor)

    def make(reader: Reader) -> list[FileChange]:
        place = vacant(reader, path, given.body, free)
        data = whole(place or path)
        if not place:
            hint = f"gitmem edit {stem(path)} --body-file FILE   (or another --name)"
            taken = BadName(f"{path} exists already, with another text", hint=hint)
            taken.kept = keep_text(root, data, when)
            raise taken
        made = read_memory(place, data)
        facts = known(made)
        return [FileChange(place, data), *with_entry(reader, place, title(made, facts), facts.description)]

    return carry_out(root, Change("remember", called, reason, actor, make), when, environ)


def vacant(reader: Reader, path: str, body: str, free: bool) -> str:
    """The path a new memory gets: ``path``, or ``path-2.md`` and so on when gitmem chose it and it is taken.

    returns: "" when ``path`` was asked for and holds another text
    raises:  Same when the very text stands there already; BadName for a twin that differs in case only
    """
    place, number = path, 1
    while (there := reader.read(place)) is not None:
        if read_memory(place, there).body.strip() == body.strip():
            raise Same(place, there)
        if not free:
            return ""
        number += 1
        place = f"{path.removesuffix('.md')}-{number}.md"
    if twin := reader.exists_twin(place):
        raise BadName(f"{twin} exists already and differs from {place} only in case", hint=f"gitmem edit {stem(twin)}")
    return place


def keep_text(root: str, data: bytes, when: int) -> str:
    """Keep a text that was refused, as the guard does; the file's path."""
    git = find_git_dir(root)
    return keep_refused(git.common, data, when) if git else ""


def edit(
    root: str,
    name: str,
    *,
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    fields: Sequence[tuple[str, str | Sequence[str] | None]] = (),
    section: str = "",
    body: str | bytes | None = None,
    reason: str = "",
) -> Kept:
    """Change fields, one section or the whole body of the memory called ``name``.

    fields:  (field, value) in order; None removes the field; "a, b" is two values of a list field
    section: address such as ``# Deploy > ## Order``; then ``body`` is that section's new text
    raises:  NotFound, BrokenHead with the line, Refused by the guard
    """
    path = find_memory(root, name)

    def make(reader: Reader) -> list[FileChange]:
        old = reader.read(path)
        if old is None:
            raise NotFound(f"{path} is gone", hint="gitmem list")
        memory = read_memory(path, old)
        new = with_fields(memory, fields)
        if body is not None:
            text = body.decode("utf-8", "surrogateescape") if isinstance(body, bytes) else body
            new = set_section(new, section, text) if section else set_body(new, shaped(memory.body, text))
        if new == old:
            raise Same(path, old)
        return [FileChange(path, dated(memory, new, when, actor))]

    return carry_out(root, Change("edit", stem(path), reason, actor, make), when, environ)


def with_fields(memory: Memory, fields: Sequence[tuple[str, str | Sequence[str] | None]]) -> bytes:
    """The file with ``fields`` set one after the other; raises BrokenHead naming path and line."""
    data = memory.data
    try:
        for field, value in fields:
            key = spelled(memory, field)
            data = set_field(data, key, listed(key, value))
    except BrokenHead as error:
        raise BrokenHead(f"{memory.path}, {error.message}", line=error.line, hint=error.hint) from error
    return data


def shaped(old: str, new: str) -> str:
    """``new`` with the empty lines that ``old`` begins with, and a line ending at its end."""
    blank = old[: len(old) - len(old.lstrip("\r\n"))]
    new = new if new.startswith(("\n", "\r")) else blank + new
    return new if not new or new.endswith(("\n", "\r")) else new + "\n"


def carry_out(root: str, change: Change, when: int, environ: Mapping[str, str]) -> Kept:
    """Apply ``change`` and tell how its memory, the first of its files, stands now."""
    try:
        applied = apply(root, change, when, environ)
    except Same as same:
        return Kept(same.path, blob_id(same.data), "")
    path, revision = next(iter(applied.paths.items()))
    return Kept(path, revision, applied.commit, notes_of(applied))


def notes_of(applied: Applied) -> tuple[str, ...]:
    """What else a write did, as sentences for the person."""
    notes = [f"your own edit of {path} was committed first" for path in applied.hand_edits]
    if applied.healed:
        notes.append(f"{applied.healed} earlier writes had fallen out of the newest commit and were put back")
    return tuple(notes)


def with_head(body: str, fields: Mapping[str, Value], type: str, when: int, actor: Actor) -> bytes:
    """A new memory around a text that has no head of its own."""
    rows: list[tuple[str, str | list[str]]] = [(key, value) for key, value in fields.items() if value]
    rows += [("updated", iso(when)), ("metadata.id", new_id(when))]
    if type:
        rows.append(("metadata.type", type))
    if actor.kind == "model":
        rows.append(("metadata.trust", "candidate"))
    return new_memory(rows, body)


def completed(given: Memory, asked: Mapping[str, Value], when: int, actor: Actor) -> bytes:
    """A memory that came with its head: what was asked for is set, what is missing added, the rest kept."""
    fields = [(key.removeprefix("metadata."), value) for key, value in asked.items() if value]
    facts = known(given)
    fields += [] if facts.id else [("id", new_id(when))]
    fields += [] if facts.updated else [("updated", iso(when))]
    fields += [("trust", "candidate")] if actor.kind == "model" else []
    return with_fields(given, fields)


def dated(memory: Memory, data: bytes, when: int, actor: Actor) -> bytes:
    """``data`` with today's ``updated``, when the memory carries a date or is gitmem's own.

    A model's change makes a verified memory a candidate again.
    """
    metadata = memory.fields.get("metadata")
    below = metadata if isinstance(metadata, dict) else {}
    if "updated" in memory.fields:
        data = set_field(data, "updated", iso(when))
    elif "updated" in below:
        data = set_field(data, "metadata.updated", iso(when))
    elif "id" in below:
        data = set_field(data, "updated", iso(when))
    if actor.kind == "model" and known(memory).trust in ("", "verified"):
        data = set_field(data, spelled(memory, "trust"), "candidate")
    return data


def spelled(memory: Memory, field: str) -> str:
    """Where a field stands: at top level if it is there already, else at its place in the superset of fields."""
    if field in memory.fields or "." in field or field not in BELOW_METADATA:
        return field
    return f"metadata.{field}"


def listed(key: str, value: str | Sequence[str] | None) -> Value:
    """The value as the field holds it: list fields take ``a, b``; a list of their own words is kept."""
    if value is None:
        return None
    if key in LISTS:
        parts = value.strip("[]").replace("，", ",").split(",") if isinstance(value, str) else value
        labels = [part.strip() for part in parts if part.strip()]
        check_labels(labels if key == "tags" else (), labels if key == "aliases" else ())
        return labels
    return value if isinstance(value, str) else list(value)


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


def opening(body: str) -> tuple[str, str]:
    """The heading a text begins with, or "", and its first sentence after that heading."""
    lines = [line.strip() for line in body.splitlines() if line.strip()]
    title = heading(lines[0])[1] if lines else ""
    rest = lines[1:] if title and len(lines) > 1 else lines
    return title, first_sentence(without_mark(rest[0])) if rest else ""


def beginning(line: str) -> str:
    """A line that was cut (it ends with ``…``) cut again at its last blank, where that leaves the better half."""
    kept = line.removesuffix("…")
    blank = kept.rfind(" ")
    return kept[:blank] if kept != line and blank > len(kept) // 2 else kept


def without_mark(line: str) -> str:
    """A line without what makes it a heading, an item of a list or a quotation."""
    mark, blank, text = line.partition(" ")
    is_mark = mark in ("-", "*", "+", ">") or not mark.strip("#") or (mark[-1] in ".)" and mark[:-1].isdigit())
    return text.strip() if blank and is_mark else line


def first_sentence(line: str) -> str:
    """``line`` up to its first full stop."""
    for at, mark in enumerate(line):
        if mark in WIDE_ENDS or (mark in SENTENCE_ENDS and line[at + 1 : at + 2].isspace()):
            return line[: at + 1]
    return line


def new_path(root: str, file: str, when: int) -> str:
    """Where a new memory goes: the store's root, from SHARD_FROM memories there on a folder for each month.

    A name that stands in the root or in any month already is given back as it is, so that it is met, not doubled.
    """
    count, months = 0, []
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.name.endswith(".md"):
                count += 1
            elif is_month(entry.name):
                months.append(entry.name)
    taken = [path for path in (file, *(f"{month}/{file}" for month in months)) if os.path.lexists(f"{root}/{path}")]
    if taken or count < SHARD_FROM:
        return taken[0] if taken else file
    return time.strftime("%Y-%m/", time.gmtime(when)) + file


def is_month(name: str) -> bool:
    """Whether a folder is one that gitmem makes: ``2026-11``."""
    return len(name) == 7 and name[4] == "-" and name[:4].isdigit() and name[5:].isdigit()


def new_id(when: int) -> str:
    """A ULID: 48 bits of milliseconds, 80 random bits, in Crockford's base 32; sorts by time.

    source: github.com/ulid/spec
    """
    number = (when * 1000) << 80 | int.from_bytes(os.urandom(10))
    return "".join(CROCKFORD[number >> shift & 31] for shift in range(125, -1, -5))
