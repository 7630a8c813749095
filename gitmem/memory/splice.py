"""Change one field, section or body of a memory and not one other byte (A9).

Works on lines: a field's own lines are replaced, all others keep their bytes, whatever their
quotes, comments, line endings and encoding.  Each result is read again before it is handed out;
where the reader would see anything else changed, BrokenHead is raised instead of guessing.
"""

from __future__ import annotations

from gitmem.errors import BrokenHead, Refused
from gitmem.memory.document import decode, holds_nul, split_lines
from gitmem.memory.field import as_items
from gitmem.memory.field_edit import INDENT, FieldEdit, field_line
from gitmem.memory.head import FENCE, read_head
from gitmem.memory.quote import write_key
from gitmem.memory.raw_lines import RawLines, bare, ending
from gitmem.memory.section import replace_section

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.memory.line_head import Value


def set_field(data: bytes, key: str, value: str | list[str] | None) -> bytes:
    """``data`` with the field ``key`` set to ``value``; ``data`` itself when it has that value already.

    key:    "description", or "metadata.type" for a field one level down
    value:  None and the empty list remove the field
    raises: BrokenHead when the head cannot be edited without guessing; Refused for text that no
            file can hold (half a surrogate pair) and for damaged or unmarked UTF-16
    """
    file = _lines(data)
    wanted = None if value == [] else value
    parent, dot, child = key.partition(".")
    if key in file.fields or not (parent and dot and child):
        parent, child = "", key
    holder = file.fields.get(parent, "") if parent else file.fields
    current = holder.get(child) if isinstance(holder, dict) else None
    if _is_same(current, wanted):
        return data
    if file.broken:
        line, message = file.broken
        raise BrokenHead(f"line {line}: {message}", line=line)
    if not file.head_last:
        file.add_head()
    edit = FieldEdit(file, parent, child, wanted)
    edit.apply(holder, current)
    result = file.data()
    if not _reads_as(result, edit.expected(), file.body):
        raise edit.refusal(f"`{key}` cannot be changed without touching other fields; mend the frontmatter by hand")
    return result


def set_body(data: bytes, body: str) -> bytes:
    """``data`` with ``body`` below its head; lines that stay keep their bytes, new ones get the file's line ending.

    raises: Refused for text that no file can hold
    """
    file = _lines(data)
    if body == file.body:
        return data
    old = [(bare(line), bool(ending(line))) for line in file.lines[file.body_at :]]
    new = [(bare(line), bool(ending(line))) for line in split_lines(body)]
    shorter = min(len(old), len(new))
    first = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    shorter -= first
    last = next((index for index in range(shorter) if old[-1 - index] != new[-1 - index]), shorter)
    middle = [text + (file.eol if ended else "") for text, ended in new[first : len(new) - last]]
    file.replace(file.body_at + first, len(file.lines) - last, middle)
    if file.body_at and new and not ending(file.lines[file.body_at - 1]):  # the file ended with its fence
        file.replace(file.body_at - 1, file.body_at, [file.lines[file.body_at - 1] + file.eol])
    if not file.head_last and not _reads_as(file.data(), {}, "".join(file.lines)):
        file.add_head()  # else the body's first lines would be taken for a head
    return file.data()


def set_section(data: bytes, address: str, body: str) -> bytes:
    """``data`` with ``body`` as the text of the section at ``address``; its heading and subsections stay.

    raises: NotFound naming the addresses there are; Refused as section.replace_section does
    """
    return set_body(data, replace_section(_lines(data).body, address, body))


def new_memory(fields: Sequence[tuple[str, str | list[str]]], body: str) -> bytes:
    """A new file: UTF-8, LF, ``fields`` in their order, an empty line, ``body`` with a line ending at its end.

    fields: "metadata.type" keys gather below ``metadata:``; empty lists are left out
    """
    blocks: dict[str, list[str]] = {}
    for key, value in fields:
        if value == []:
            continue
        parent, dot, child = key.partition(".")
        if dot and parent and child:
            blocks.setdefault(parent, [f"{write_key(parent)}:\n"]).append(f"{INDENT}{field_line(child, value)}\n")
        else:
            blocks[key] = [f"{field_line(key, value)}\n"]
    head = "".join(line for block in blocks.values() for line in block)
    empty = f"{FENCE}\n{head}{FENCE}\n".encode()
    if not body:
        return empty
    return set_body(empty, ("" if body[0] in "\r\n" else "\n") + body + ("" if body[-1] in "\r\n" else "\n"))


def _lines(data: bytes) -> RawLines:
    """raises: Refused for UTF-16 that lacks its mark; lines of UTF-8 among it would spoil it for every reader"""
    if holds_nul(data):
        raise Refused("the file holds NUL bytes, as UTF-16 without its mark does; save it as UTF-8 first")
    return RawLines(data)


def _is_same(current: Value | None, value: str | list[str] | None) -> bool:
    if isinstance(value, list) and isinstance(current, str):
        return as_items(current) == value  # `tags: a, b` says the same as a list
    return current == value


def _reads_as(data: bytes, fields: dict[str, Value], body: str) -> bool:
    text, _, _ = decode(data, "")
    read, offset, _ = read_head(text, "")
    return text[offset:] == body and _settled(read) == _settled(fields)


def _settled(fields: dict[str, Value]) -> dict[str, Value]:
    """A block that lost its last field reads as a key without a value."""
    return {key: "" if value == {} else value for key, value in fields.items()}
