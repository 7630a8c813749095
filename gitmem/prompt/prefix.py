"""The text a session starts with: how to use memories, MEMORY.md, the file list, the baseline.

Sections in a fixed order, stable bytes first, each with its budget (F1).  No clock and no counter that
moves by itself: for one store and one session the bytes are the same, so a provider's prefix cache holds (F2).
"""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.limits import (
    MAX_DESCRIPTION_CHARS,
    MAX_FILE_LIST_BYTES,
    MAX_INDEX_FILE_BYTES,
    MAX_PREFIX_BYTES,
)
from gitmem.memory.age import unix_seconds
from gitmem.memory.clean import frame_safe, one_line
from gitmem.memory.document import count_lines, read_memory, split_lines
from gitmem.memory.field import known
from gitmem.memory.link import index_targets
from gitmem.prompt.block import Block, store_note
from gitmem.prompt.catalogue import Catalogue, catalogue
from gitmem.prompt.cut import cut
from gitmem.prompt.discipline import KEPT, RULES
from gitmem.prompt.frame import frame_bytes, framed, shown_path, size
from gitmem.prompt.quote import quote, trust_note, without_secrets
from gitmem.store.gitdir import find_git_dir
from gitmem.store.machine import long_trouble
from gitmem.store.paths import PROJECTS, withheld
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.recall.scope import Scope
    from gitmem.store.scope import Source

DAY_S = 86_400
MAX_TROUBLE_CHARS = 600  # of the sentence about a sync that fails
MARK_BYTES = 80  # room for the sentence that ends a section that was cut


def session_prefix(
    root: str, nonce: str, when: int, max_bytes: int = MAX_PREFIX_BYTES, *, sources: Sequence[Source] | None = None,
    known: str = "",
) -> Block:  # fmt: skip
    """What a model should know of the store at ``root`` before the first prompt, at most ``max_bytes`` of UTF-8.

    nonce:   as ``frame.frame_nonce`` gives it
    when:    UTC unix seconds; only the day counts, for what has expired
    sources: the stores that are asked, the nearest first, where there is more to ask than ``root`` as a whole
    known:   a folder whose MEMORY.md the host gives the model by itself

    Block.omitted counts the files and baseline memories that found no room.
    """
    parts = [RULES]
    day = when - when % DAY_S
    trouble = _sync_trouble([each.root for each in sources] if sources is not None else [root], day)
    room = max_bytes - frame_bytes(nonce, KEPT) - size(RULES) - (size(trouble) + 2 if trouble else 0)
    writer = _Writer(parts, room, day, known)
    for each in sources or ():
        writer.add_store(each.root, each.label if len(sources or ()) > 1 else "", each.projects)
    if sources is None:
        writer.add_store(root, "", ())
    _add(parts, trouble)  # last: what stands above stays the same when a sync goes through again
    if len(parts) == 1:
        return Block("", [], 0)
    return Block(framed(nonce, KEPT, parts), [], writer.omitted)


class _Writer:
    """The prefix on its way.

    room:    bytes that are left
    known:   a folder whose list of memories needs not be said
    omitted: files and baseline memories that found no room
    """

    __slots__ = ("known", "omitted", "parts", "room", "when")

    def __init__(self, parts: list[str], room: int, when: int, known: str) -> None:
        self.parts, self.room, self.when, self.known, self.omitted = parts, room, when, known, 0

    def add_store(self, root: str, store: str, projects: Sequence[str] | None) -> None:
        """The sections of one store.

        store:    what it is called behind each heading, "" where one store is asked
        projects: ids of the projects whose memories count; None: those of every project
        """
        label = f" ({store} store)" if store else ""
        scope = _scope(root, projects)
        kept = catalogue(root, self.when, scope)
        room = 0 if kept.unread else min(self.room, MAX_INDEX_FILE_BYTES)
        index, named = _index_file(root, kept.index_file, label, scope, room)
        if not (self.known and os.path.realpath(root) == os.path.realpath(self.known)):
            self.room -= _add(self.parts, index)
        files, hidden = _file_list(kept, named, label, min(self.room, MAX_FILE_LIST_BYTES))
        self.room -= _add(self.parts, files)
        left_out = kept.baseline_total - len(kept.baseline)
        for path in kept.baseline:
            text = _baseline(root, path, store, self.room - 2 - MARK_BYTES)
            left_out += not text
            self.room -= _add(self.parts, text)
        if left_out:
            said = f"[{left_out} more baseline {'memory' if left_out == 1 else 'memories'} found no room]"
            self.room -= _add(self.parts, said)
        self.omitted += hidden + left_out


def _scope(root: str, projects: Sequence[str] | None) -> Scope | None:
    """What the store limits, None when it limits nothing."""
    git = find_git_dir(root)
    if git is None or not (os.path.isdir(os.path.join(root, PROJECTS)) or os.path.exists(withheld(git.path))):
        return None
    from gitmem.recall.scope import scope_of

    return scope_of(root, git, projects)


def _sync_trouble(roots: Sequence[str], day: int) -> str:
    """A line for each store whose sync has failed for a day; what a remote said is cleaned, it is a stranger's.

    day: UTC unix seconds of its beginning, so that the line does not come in the middle of one
    """
    lines = []
    for root in roots:
        git = find_git_dir(root)
        said = long_trouble(git.common, day, root) if git is not None else ""
        if said:
            lines.append(one_line(without_secrets(frame_safe(said)), MAX_TROUBLE_CHARS))
    return "\n".join(lines)


def _add(parts: list[str], text: str) -> int:
    """Append a section that says something; what it costs."""
    if not text:
        return 0
    parts.append(text)
    return size(text) + 2


def _index_file(root: str, name: str, label: str, scope: Scope | None, max_bytes: int) -> tuple[str, set[str]]:
    """The list of memories as the person wrote it, and the files that the shown lines link to.

    Without the lines on memories that must not count; not at all when its own author was never seen.
    """
    if scope is not None and scope.why_not(name):
        return "", set()
    try:
        text = read_memory(name, read_file(root, name)).text
    except GitmemError:  # none, a link, or too large: the file list stands in
        return "", set()
    if scope is not None:
        hidden_lines = {number for number, target in index_targets(text) if scope.why_not(target)}
        kept = [line for number, line in enumerate(split_lines(text), 1) if number not in hidden_lines]
        text = "".join(kept)
    text = without_secrets(frame_safe(text)).strip("\n")
    head = f"## {name}{label}\n"
    shown = cut(text, len(text), max_bytes - size(head) - MARK_BYTES)
    if not shown.strip():
        return "", set()
    named = {target for _, target in index_targets(shown)}
    if len(shown) < len(text):
        hidden = len([line for line in text[len(shown) :].split("\n") if line.strip()])
        shown += f"\n[cut: {hidden} more lines in {name}]"
    return head + shown, named


def _file_list(kept: Catalogue, named: set[str], label: str, max_bytes: int) -> tuple[str, int]:
    """``- path: description`` for each file the list of memories does not name, and how many found no room.

    The latest are kept when there are too many, and shown by path.
    """
    files = [line for line in kept.files if line.path not in named]
    total = kept.total - (len(kept.files) - len(files))
    head = f"## Files{label}\n"
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


def _baseline(root: str, path: str, store: str, max_bytes: int) -> str:
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
        notes=store_note(store) + _date_note(fields.updated) + trust_note(fields.trust),
        max_bytes=max_bytes,
        whole=False,
    )


def _date_note(updated: str) -> list[str]:
    """["saved 2026-11-30"]: a date, because an age would change the prefix over night."""
    day = updated.strip("\"' ").partition("T")[0].partition(" ")[0]
    return [] if unix_seconds(day) is None else [f"saved {day}"]
