"""The heads of all memories, and a memory by what people call it.

Asked by the command line and by edits, never by the hook.  The index answers; what changed since it was built is
read from the files, so a hand edit counts at once.
"""

from __future__ import annotations

import os
import unicodedata

from gitmem.errors import GitmemError, NotFound
from gitmem.history.settings import settings_of
from gitmem.index.fresh import changes
from gitmem.index.read import Index, open_index
from gitmem.memory.clean import one_line
from gitmem.memory.document import Memory, read_memory
from gitmem.memory.field import known, title
from gitmem.memory.name import check_inside, twin_key
from gitmem.prompt.frame import MAX_PATH_CHARS
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import join, typed
from gitmem.store.worktree import is_reserved_file, list_memories, read_file

MAX_NEAR = 3  # names that hold the word that was given
MAX_ASKED_CHARS = 120  # of a name, in the sentence that says what it fits
MAX_SHOWN = 8  # paths in a sentence that asks which one is meant


class Head:
    """What a memory says of itself; "" and () when it says nothing."""

    __slots__ = ("aliases", "description", "name", "path", "revision", "tags", "trust", "type", "updated")

    def __init__(
        self,
        path: str,
        name: str,
        description: str,
        type: str,
        tags: tuple[str, ...],
        aliases: tuple[str, ...],
        updated: str,
        trust: str,
        revision: str,
    ) -> None:
        self.path, self.name, self.description, self.type = path, name, description, type
        self.tags, self.aliases, self.updated, self.trust, self.revision = tags, aliases, updated, trust, revision


def heads(root: str) -> list[Head]:
    """Every memory of the store at ``root``, by path."""
    git = find_git_dir(root)
    index = open_index(git.path) if git is not None else None
    if git is None or index is None:
        paths = [entry.path for entry in list_memories(root, settings_of(root).left_out()).entries]
        return sorted(filter(None, (live_head(root, path) for path in paths)), key=lambda head: head.path)
    try:
        found = indexed_heads(index)
        moved = changes(index, root, git, None)
    finally:
        index.close()
    for path in moved.gone:
        found.pop(path, None)
    for path in moved.changed:
        head = live_head(root, path)
        if head is not None:
            found[path] = head
    return [found[path] for path in sorted(found)]


def indexed_heads(index: Index) -> dict[str, Head]:
    """path -> head, as of the index."""
    query = "select path, name, description, type, tags, aliases, updated, trust, revision from documents"
    return {
        path: Head(path, name, description, kind, lines(tags), lines(aliases), updated, trust, revision)
        for path, name, description, kind, tags, aliases, updated, trust, revision in index.connection.execute(query)
    }


def lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n")) if text else ()


def live_head(root: str, path: str) -> Head | None:
    """The head as the file has it now; None when the file cannot be read."""
    try:
        return head_of(read_memory(path, read_file(root, path)))
    except GitmemError:
        return None


def head_of(memory: Memory) -> Head:
    facts = known(memory)
    return Head(
        memory.path, title(memory, facts), facts.description, facts.type, facts.tags, facts.aliases, facts.updated,
        facts.trust, memory.revision,
    )  # fmt: skip


def find_memory(root: str, name: str) -> str:
    """The path of the one memory that ``name`` means: its path, its file's stem, its name or an alias.

    The first of these that fits wins; case does not matter, ``.md`` may be left out, and so may outer blanks.
    raises: NotFound with the nearest names, with the paths when several fit, or with where it lies in the archive
    """
    wanted, listing = inside(root, name.strip()).removeprefix("./"), settings_of(root).index_file
    given = inside(root, name).removeprefix("./")
    for path in dict.fromkeys((given, f"{given}.md", wanted, f"{wanted}.md")):
        if path.lower().endswith(".md") and path != listing and is_file(root, path):
            return path
    key, stem_key = twin_key(wanted), twin_key(without_md(wanted))
    paths = [path for path in memory_paths(root) if path != listing]
    named = [path for path in paths if stem_key.rpartition("/")[2] in twin_key(stem(path))]
    if fits := [path for path in named if twin_key(without_md(path)) == stem_key]:
        return _only(fits, name)
    if fits := [path for path in named if twin_key(stem(path)) == stem_key]:
        return _only(fits, name)
    every = [head for head in heads(root) if head.path != listing]
    for fits in (
        [head.path for head in every if twin_key(head.name) == key],
        [head.path for head in every if key in map(twin_key, head.aliases)],
    ):
        if fits:
            return _only(fits, name)
    shown = one_line(name, MAX_ASKED_CHARS)
    if away := _archived(root, name):
        raise NotFound(f'"{shown}" is archived, as {away}', hint=f"gitmem restore {typed(away.partition('/')[2])}")
    raise NotFound(f'no memory is called "{shown}"', hint=nearest(stem_key, every) or "gitmem list")


def inside(root: str, name: str) -> str:
    """A full path as a shell completes it, from the store's folder on; any other name as it is."""
    if not os.path.isabs(name):
        return name
    folder, file = os.path.split(name)
    for above, full in ((root, name), (os.path.realpath(root), os.path.join(os.path.realpath(folder), file))):
        if full.startswith(above.rstrip(os.sep) + os.sep):
            return os.path.relpath(full, above).replace(os.sep, "/")
    return name


def _archived(root: str, name: str) -> str:
    """The archived memory that ``name`` means; "" for none, or several."""
    from gitmem.write.archive_find import find_archived  # it builds on this file, and a name that fits needs none

    try:
        return find_archived(root, name)
    except NotFound:
        return ""


def _only(fits: list[str], name: str) -> str:
    """The one path there is; raises NotFound with the paths when there are several."""
    if len(fits) == 1:
        return fits[0]
    more = f" and {len(fits) - MAX_SHOWN} more" if fits[MAX_SHOWN:] else ""
    shown = ", ".join(told_apart(fits[:MAX_SHOWN])) + more
    raise NotFound(f'"{one_line(name, MAX_ASKED_CHARS)}" is ambiguous, it fits {shown}', hint="give the path")


def memory_paths(root: str) -> list[str]:
    """The path of every memory, sorted; a tenth of the cost of their heads."""
    git = find_git_dir(root)
    index = open_index(git.path) if git is not None else None
    if git is None or index is None:
        return [entry.path for entry in list_memories(root, settings_of(root).left_out()).entries]
    try:
        found = {path for (path,) in index.connection.execute("select path from documents")}
        moved = changes(index, root, git, None)
    finally:
        index.close()
    return sorted((found | set(moved.changed)) - set(moved.gone))


def find_older(root: str, name: str) -> str | None:
    """The path of the memory that ``name`` means, also by its id; None when there is none, or several fit."""
    git = find_git_dir(root)
    index = open_index(git.path) if git is not None else None
    if index is not None:
        try:
            rows = index.connection.execute("select path from documents where memory_id = ?", (name,)).fetchall()
        finally:
            index.close()
        if len(rows) == 1:
            return str(rows[0][0])
    try:
        return find_memory(root, name)
    except NotFound:
        return None


def told_apart(paths: list[str]) -> list[str]:
    """``paths`` for a sentence; two that look alike also by their letters (``café`` in one letter é, or in two)."""
    looks = [unicodedata.normalize("NFC", path) for path in paths]
    return [
        path if looks.count(look) == 1 and path.isprintable() else f"{one_line(path, MAX_PATH_CHARS)} ({path!a})"
        for path, look in zip(paths, looks, strict=True)
    ]


def nearest(key: str, every: list[Head]) -> str:
    """A question with the names that come near, or hold the word; "" when none does."""
    from difflib import get_close_matches  # only a slip of the pen pays for it

    stems = [stem(head.path) for head in every]
    near = get_close_matches(key, stems, n=1)
    near += [each for each in stems if key and key in twin_key(each) and each not in near][:MAX_NEAR]
    return f"did you mean {' or '.join(map(typed, near))}?" if near else ""


def is_file(root: str, path: str) -> bool:
    """Whether something stands at ``path`` that a memory could be; a link is told apart where it is read."""
    try:
        check_inside(path)
    except GitmemError:
        return False
    full = join(root, path)
    return os.path.lexists(full) and not os.path.isdir(full) and not is_reserved_file(root, path)


def stem(path: str) -> str:
    """The file's name without folders and ``.md``."""
    return without_md(path.rpartition("/")[2])


def without_md(path: str) -> str:
    """``path`` without ``.md``, however that is written."""
    return path[:-3] if path[-3:].lower() == ".md" else path
