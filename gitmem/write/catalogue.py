"""Keep the list of memories, ``MEMORY.md`` or what the settings name, in step with them (A7).

A person's own lines are never touched: a new memory adds a line, and a renamed one changes its line only while that
is to the letter what gitmem would have written.
"""

from __future__ import annotations

from gitmem.errors import BadName, Refused
from gitmem.history.commit import FileChange
from gitmem.limits import MAX_ENTRY_CHARS, MAX_MEMORY_BYTES
from gitmem.memory.clean import one_line
from gitmem.memory.document import Memory, decode, holds_nul, read_bom, read_memory
from gitmem.memory.field import known, title
from gitmem.memory.link import add_entry, has_entry, index_line, lines_of_entry
from gitmem.memory.raw_lines import RawLines, ending
from gitmem.store.paths import PROJECT_FILE, PROJECTS
from gitmem.write.change import Reader
from gitmem.write.config import settings_seen

EMPTY = "# Memory\n\n"  # of a store that gitmem made: a heading and no example records
ROOM = 1024  # bytes left for a line below the size of a memory


def with_entry(reader: Reader, memory: Memory) -> tuple[list[FileChange], str]:
    """The change that gives a new memory its line, if there is a list, and what the person should know of it.

    A list that has reached the size of a memory gets no more lines: every write would store it anew, and no model
    is shown that much of it.
    """
    if is_of_project(reader, memory.path):
        return [], ""  # a session in another project reads the list, too
    file = settings_seen(reader).index_file
    data, wrong = _list(reader, file)
    if data is None:
        return [], wrong and f"{file} {wrong}, so {memory.path} got no line in it"
    text, encoding, _ = decode(data, file)
    if has_entry(text, memory.path):
        return [], ""
    facts = known(memory)
    new = add_entry(text, title(memory, facts), memory.path, one_line(facts.description, MAX_ENTRY_CHARS))
    added = new[len(text) :].encode(encoding if encoding.startswith("utf-16") else "utf-8", "surrogateescape")
    return [FileChange(file, data + added)], ""


def is_of_project(reader: Reader, path: str) -> bool:
    """Whether ``path`` lies in the folder of a project that has a record."""
    parts = path.split("/")
    return len(parts) > 2 and parts[0] == PROJECTS and reader.read(f"{PROJECTS}/{parts[1]}/{PROJECT_FILE}") is not None


def with_renewed_entry(reader: Reader, before: Memory, after: Memory) -> list[FileChange]:
    """The change that lets gitmem's own line follow a new name or description; a person's wording stays.

    Its own is also the line of the last commit: what the person wrote into the head since then is not in it yet.
    """
    last = reader.committed(before.path)
    new, old = _line(after), {_line(before)}
    if last is not None and last != before.data:
        old.add(_line(read_memory(before.path, last)))
    if old == {new}:
        return []
    file = settings_seen(reader).index_file
    data, _ = _list(reader, file)
    if data is None:
        return []
    text = decode(data, file)[0]
    numbers = sorted(number for line in old - {new} for number in lines_of_entry(text, before.path, line))
    if not numbers:
        return []
    try:
        raw = RawLines(data)
    except Refused:  # damaged UTF-16
        return []
    for number in numbers:
        raw.replace(number - 1, number, [new + ending(raw.lines[number - 1])])
    return [FileChange(file, raw.data())]


def _line(memory: Memory) -> str:
    facts = known(memory)
    return index_line(title(memory, facts), memory.path, one_line(facts.description, MAX_ENTRY_CHARS))


def list_seen(reader: Reader) -> tuple[str, bytes | None, str]:
    """The list's path; its bytes, None where no line can be taken out; and what is wrong with it, "" for nothing."""
    file = settings_seen(reader).index_file
    return file, *_list(reader, file, room=0)


def _list(reader: Reader, file: str, room: int = ROOM) -> tuple[bytes | None, str]:
    """The list's bytes, None where it cannot take a line; then what is wrong with it, "" when there is no list."""
    try:
        data = reader.read(file)
    except BadName:
        return None, "is a link or no plain file"
    except OSError as error:
        return None, f"cannot be read ({error.strerror})"
    if data is None:
        return None, ""
    if len(data) > MAX_MEMORY_BYTES - room:
        return None, f"has {len(data):,} bytes and gets no more lines"
    if holds_nul(data) or (read_bom(data)[1].startswith("utf-16") and len(data) % 2):
        return None, "is damaged UTF-16 or has no mark that says so; save it as UTF-8"
    return data, ""
