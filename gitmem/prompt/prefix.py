"""The text a session starts with: how to use memories, MEMORY.md, the file list, the baseline.

Sections in a fixed order, stable bytes first, each with its budget (F1).  No clock and no counter that
moves by itself: for one store and one session the bytes are the same, so a provider's prefix cache holds (F2).
"""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.limits import (
    MAX_DESCRIPTION_CHARS,
    MAX_FILE_LIST_BYTES,
    MAX_INDEX_FILE_BYTES,
    MAX_PREFIX_BYTES,
)
from gitmem.memory.age import unix_seconds
from gitmem.memory.clean import frame_safe, one_line
from gitmem.memory.document import count_lines, read_memory
from gitmem.memory.field import known
from gitmem.memory.link import index_targets
from gitmem.prompt.block import Block
from gitmem.prompt.catalogue import Catalogue, catalogue
from gitmem.prompt.cut import cut
from gitmem.prompt.discipline import KEPT, RULES
from gitmem.prompt.frame import frame_bytes, framed, shown_path, size
from gitmem.prompt.quote import quote, trust_note, without_secrets
from gitmem.store.worktree import read_file

DAY_S = 86_400
MARK_BYTES = 80  # room for the sentence that ends a section that was cut


def session_prefix(root: str, nonce: str, when: int, max_bytes: int = MAX_PREFIX_BYTES) -> Block:
    """What a model should know of the store at ``root`` before the first prompt, at most ``max_bytes`` of UTF-8.

    nonce: as ``frame.frame_nonce`` gives it
    when:  UTC unix seconds; only the day counts, for what has expired

    Block.omitted counts the files and baseline memories that found no room.
    """
    room = max_bytes - frame_bytes(nonce, KEPT) - size(RULES)
    parts = [RULES]
    kept = catalogue(root, when - when % DAY_S)
    index, named = _index_file(root, kept.index_file, min(room, MAX_INDEX_FILE_BYTES))
    room -= _add(parts, index)
    files, hidden = _file_list(kept, named, min(room, MAX_FILE_LIST_BYTES))
    room -= _add(parts, files)
    left_out = kept.baseline_total - len(kept.baseline)
    for path in kept.baseline:
        text = _baseline(root, path, room - 2 - MARK_BYTES)
        left_out += not text
        room -= _add(parts, text)
    if left_out:
        _add(parts, f"[{left_out} more baseline {'memory' if left_out == 1 else 'memories'} found no room]")
    if len(parts) == 1:
        return Block("", [], 0)
    return Block(framed(nonce, KEPT, parts), [], hidden + left_out)


def _add(parts: list[str], text: str) -> int:
    """Append a section that says something; what it costs."""
    if not text:
        return 0
    parts.append(text)
    return size(text) + 2


def _index_file(root: str, name: str, max_bytes: int) -> tuple[str, set[str]]:
    """The list of memories as the person wrote it, and the files that the shown lines link to."""
    try:
        text = read_memory(name, read_file(root, name)).text
    except GitmemError:  # none, a link, or too large: the file list stands in
        return "", set()
    text = without_secrets(frame_safe(text)).strip("\n")
    head = f"## {name}\n"
    shown = cut(text, len(text), max_bytes - size(head) - MARK_BYTES)
    if not shown.strip():
        return "", set()
    named = {target for _, target in index_targets(shown)}
    if len(shown) < len(text):
        hidden = len([line for line in text[len(shown) :].split("\n") if line.strip()])
        shown += f"\n[cut: {hidden} more lines in {name}]"
    return head + shown, named


def _file_list(kept: Catalogue, named: set[str], max_bytes: int) -> tuple[str, int]:
    """``- path: description`` for each file the list of memories does not name, and how many found no room.

    The latest are kept when there are too many, and shown by path.
    """
    files = [line for line in kept.files if line.path not in named]
    total = kept.total - (len(kept.files) - len(files))
    head = "## Files\n"
    room = max_bytes - size(head) - MARK_BYTES
    lines: list[tuple[str, str]] = []
    for file in files:
        said = one_line(without_secrets(frame_safe(file.description)), MAX_DESCRIPTION_CHARS)
        notes = f" ({', '.join(trust_note(file.trust))})" if trust_note(file.trust) else ""
        line = f"- {shown_path(file.path)}{notes}" + (f": {said}" if said else "")
        room -= size(line) + 1
        if room < 0:
            break
        lines.append((file.path, line))
    hidden = max(total - len(lines), 0)
    if not lines:
        return "", hidden
    shown = [line for _, line in sorted(lines)]
    if hidden:
        shown.append(f"[{hidden} more files are not listed]")
    return head + "\n".join(shown), hidden


def _baseline(root: str, path: str, max_bytes: int) -> str:
    """A memory that every session gets, as it is on disk now; "" when it has no room."""
    try:
        memory = read_memory(path, read_file(root, path))
    except GitmemError:
        return ""
    fields = known(memory)
    body = memory.body.strip("\r\n")
    if not body:
        return ""
    first = memory.body_line + count_lines(memory.body[: memory.body.index(body)])
    return quote(
        path,
        first,
        first + count_lines(body) - 1,
        body,
        description=fields.description,
        notes=_date_note(fields.updated) + trust_note(fields.trust),
        max_bytes=max_bytes,
        whole=False,
    )


def _date_note(updated: str) -> list[str]:
    """["saved 2026-11-30"]: a date, because an age would change the prefix over night."""
    day = updated.strip("\"' ").partition("T")[0].partition(" ")[0]
    return [] if unix_seconds(day) is None else [f"saved {day}"]
