"""The archived memories of a store, and one of them by what people call it.

The archive is a folder at the top of the store, ``archive`` in any case.  A link there is neither read nor written
through, and no size is too large: what went in must come out.
"""

from __future__ import annotations

import os
import time

from gitmem.errors import GitmemError, NotFound, Refused
from gitmem.limits import MAX_ARCHIVED_BYTES
from gitmem.memory.archived import ENTRY, Marks, with_marks, without_marks
from gitmem.memory.clean import one_line
from gitmem.memory.document import Memory, read_memory
from gitmem.memory.finding import Finding
from gitmem.memory.name import is_reserved, twin_key
from gitmem.store.paths import ARCHIVE, join, typed
from gitmem.store.worktree import read_file
from gitmem.write.find import MAX_ASKED_CHARS, MAX_SHOWN, Head, head_of, inside, nearest, stem, told_apart, without_md


class Archived:
    """One archived memory.

    path: in the store, with the archive's folder in front; origin: where it stood before
    size: bytes
    """

    __slots__ = ("head", "marks", "origin", "path", "size")

    def __init__(self, memory: Memory) -> None:
        self.path, self.origin, self.size = memory.path, origin(memory.path), len(memory.data)
        self.head: Head = head_of(memory)
        self.marks = Marks(memory.fields)


def archive_folder(root: str) -> str:
    """The archive's name on disk; ``archive`` when there is none yet."""
    try:
        names = [name for name in os.listdir(root) if name.lower() == ARCHIVE]
    except OSError:
        names = []
    return ARCHIVE if ARCHIVE in names or not names else min(names)


def check_folder(root: str) -> str:
    """The archive's name; raises Refused when something else than a folder stands there."""
    folder = archive_folder(root)
    full = join(root, folder)
    if os.path.islink(full) or (os.path.lexists(full) and not os.path.isdir(full)):
        kind = "a link, and nothing is moved through links" if os.path.islink(full) else "a file, not a folder"
        hint = f"move {typed(full)} away and make a folder there"
        raise Refused(f"{folder} is {kind}; nothing was changed", hint=hint)
    return folder


def local_time(when: int) -> str:
    """``2026-11-30 10:04`` where the person is."""
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def origin(path: str) -> str:
    """Where an archived memory stood."""
    return path.partition("/")[2]


def is_archived(path: str) -> bool:
    return twin_key(path.partition("/")[0]) == ARCHIVE and "/" in path


def marked_as(path: str, now: bytes, data: bytes) -> bytes:
    """``data`` with the marks that ``now`` has, where ``path`` lies in the archive.

    raises: Refused for a text that can hold no marks
    """
    if not is_archived(path) or without_marks(now) == now:
        return data
    marks = Marks(read_memory(path, now).fields)
    return with_marks(data, marks.at, marks.reason, marks.entry)


def archived_paths(root: str) -> list[str]:
    """The paths of all archived memories, sorted; links are left out."""
    found: list[str] = []
    folder = archive_folder(root)
    if os.path.islink(join(root, folder)):
        return found
    for here, folders, names in os.walk(join(root, folder)):
        folders[:] = [name for name in folders if not name.startswith(".")]
        place = os.path.relpath(here, root).replace(os.sep, "/")
        found.extend(
            f"{place}/{name}"
            for name in names
            if name.lower().endswith(".md") and not name.startswith(".") and not is_reserved(name)
            and not os.path.islink(os.path.join(here, name))
        )  # fmt: skip
    return sorted(found)


def read_archived(root: str, path: str) -> Archived:
    """raises: NotFound, BadName for a link"""
    return Archived(read_memory(path, read_file(root, path, MAX_ARCHIVED_BYTES)))


def list_archived(root: str) -> tuple[list[Archived], list[Finding]]:
    """Every archived memory, and what cannot be read, with the reason."""
    found: list[Archived] = []
    skipped: list[Finding] = []
    try:
        check_folder(root)
    except Refused as refusal:
        return [], [Finding("archive", archive_folder(root), 0, refusal.message)]
    for path in archived_paths(root):
        try:
            found.append(read_archived(root, path))
        except GitmemError as error:
            skipped.append(Finding("unreadable", path, 0, error.message))
        except OSError as error:
            skipped.append(Finding("unreadable", path, 0, f"cannot be read: {error.strerror}"))
    return found, skipped


def with_entries(root: str) -> list[str]:
    """The archived memories that keep a place in the list; those that cannot be read keep none."""
    found = []
    for path in archived_paths(root):
        try:
            data = read_file(root, path, MAX_ARCHIVED_BYTES)
        except (GitmemError, OSError):
            continue
        if ENTRY.encode() in data and Marks(read_memory(path, data).fields).entry:
            found.append(path)
    return found


def find_archived(root: str, name: str) -> str:
    """The path of the one archived memory that ``name`` means, as ``find_memory`` does; ``archive/`` may be left out.

    raises: NotFound with the nearest names, or with the paths when several fit
    """
    wanted = twin_key(without_md(inside(root, name.strip()).removeprefix("./")))
    wanted = wanted.removeprefix(f"{ARCHIVE}/")
    paths = archived_paths(root)
    fits = [path for path in paths if twin_key(without_md(origin(path))) == wanted]
    fits = fits or [path for path in paths if twin_key(stem(path)) == wanted]
    every: list[Head] = []
    if not fits:
        every = [each.head for each in list_archived(root)[0]]
        fits = [head.path for head in every if twin_key(head.name) == wanted]
        fits = fits or [head.path for head in every if wanted in map(twin_key, head.aliases)]
    shown = one_line(name, MAX_ASKED_CHARS)
    if not fits:
        hint = nearest(wanted, every) or "gitmem list --archived"
        raise NotFound(f'no archived memory is called "{shown}"', hint=hint)
    if len(fits) > 1:
        more = f" and {len(fits) - MAX_SHOWN} more" if fits[MAX_SHOWN:] else ""
        raise NotFound(
            f'"{shown}" is ambiguous, it fits {", ".join(told_apart(fits[:MAX_SHOWN]))}{more}', hint="give the path"
        )
    return fits[0]
