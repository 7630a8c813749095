"""Archive and restore: a memory leaves recall and comes back, each as one commit (B6).

The file moves to ``archive/`` under the same path with the marks of memory/archived.py; restoring takes them out and
gives the very bytes back.  Its place in the list of memories goes and comes with it, in the person's own words.
"""

from __future__ import annotations

from gitmem.errors import BadName, Exists, NotFound, Refused
from gitmem.history.commit import FileChange
from gitmem.history.settings import settings_of
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.archived import BY_HAND, Marks, with_marks, without_marks
from gitmem.memory.clean import one_line
from gitmem.memory.document import Memory, decode, read_memory
from gitmem.memory.link import has_entry, link_names
from gitmem.memory.name import is_reserved
from gitmem.store.paths import typed
from gitmem.write.apply import apply
from gitmem.write.archive_entry import take_entries
from gitmem.write.archive_find import (
    check_folder,
    find_archived,
    is_archived,
    local_time,
    origin,
    read_archived,
    with_entries,
)
from gitmem.write.archive_shelf import Shelf
from gitmem.write.catalogue import list_seen, with_entry
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.config import settings_seen
from gitmem.write.find import MAX_ASKED_CHARS, find_memory, head_of, heads, stem
from gitmem.write.locks import check_not_locked
from gitmem.write.memory import Kept
from gitmem.write.notes import notes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def archive(root: str, name: str, *, reason: str = "", when: int, actor: Actor, environ: Mapping[str, str]) -> Kept:
    """Move the memory called ``name`` out of recall; the answer names its path in the archive.

    raises: NotFound, BadName for the list itself and for links, Exists, Locked; Refused for a model.  Then nothing
            was changed
    """
    _check_person(actor, "archive", name)
    path = _live_path(root, name)
    why = reason.strip() or BY_HAND

    def make(reader: Reader) -> list[FileChange]:
        folder = check_folder(root)
        check_not_locked(reader, [path])
        if reader.read(path) is None:
            raise NotFound(f"{path} is gone", hint="gitmem list")
        target = f"{folder}/{path}"
        if reader.read(target) is not None:
            raise Exists(
                f"{target} exists already, and nothing is overwritten; nothing was changed",
                hint=f"see it with gitmem show {typed(target)}, then: git mv {typed(target)} {typed(_renamed(target))}",
            )
        return leaving(change, reader, [(path, why)], when)

    change = Change("archive", stem(path), why, actor, make)
    return _carried_out(root, change, when, environ)


def restore(root: str, name: str, *, reason: str = "", when: int, actor: Actor, environ: Mapping[str, str]) -> Kept:
    """Bring the archived memory called ``name`` back to where it stood; the answer names that path.

    raises: as ``archive``; a lock does not stop it
    """
    _check_person(actor, "restore", name)
    check_folder(root)
    path = _archived_path(root, name)
    target = origin(path)

    def make(reader: Reader) -> list[FileChange]:
        data = reader.read(path)
        if data is None:
            raise NotFound(f"{path} is gone", hint="gitmem list --archived")
        if is_reserved(target) or target == settings_seen(reader).index_file:
            raise BadName(f"{target} is no name for a memory; nothing was changed", hint="rename it in the archive")
        if reader.read(target) is not None:
            raise Exists(
                f"{target} exists already, and nothing is overwritten; nothing was changed",
                hint=f"gitmem archive moves a memory away, or: git mv {typed(target)} {typed(_renamed(target))}",
            )
        new = without_marks(data)
        entry, said = _entry_back(reader, path, new, Marks(read_memory(path, data).fields).entry)
        change.notes = [said] if said else []
        return [FileChange(target, new), FileChange(path, None), *entry]

    change = Change("restore", stem(target), reason, actor, make)
    return _carried_out(root, change, when, environ)


def leaving(change: Change, reader: Reader, wanted: Sequence[tuple[str, str]], when: int) -> list[FileChange]:
    """The files of ``change`` once the memories ``wanted`` (path, reason) are archived, each first gone, then there.

    raises: Refused for a file that can hold no marks
    """
    folder, at = check_folder(reader.root), local_time(when)
    file, listing, wrong = list_seen(reader)
    left, records = listing, dict[str, list[str]]()
    if listing is not None:
        try:
            left, records = take_entries(listing, [path for path, _ in wanted], names_in(reader.root, listing))
        except Refused as refusal:
            wrong = f"cannot be changed ({refusal.message})"
    change.notes = [f"{file} {wrong}, so what it says of the archived stays"] if wrong else []
    files: list[FileChange] = []
    for path, why in wanted:
        data = reader.read(path) or b""
        try:
            marked = with_marks(data, at, why, records.get(path, ()))
        except Refused as refusal:
            raise Refused(f"{path}: {refusal.message}; nothing was changed", hint=refusal.hint) from refusal
        files += [FileChange(path, None), FileChange(f"{folder}/{path}", marked)]
    return [*files, *([FileChange(file, left)] if left != listing else [])]


def names_in(root: str, listing: bytes, *more: Memory) -> dict[str, str] | None:
    """What the wikilinks of the list may say; None when it has none, which is usual.

    more: memories that are not there yet
    """
    if b"[[" not in listing and b"[\0[" not in listing:
        return None
    every = [*heads(root), *map(head_of, more)]
    return link_names([(head.path, head.name, head.aliases) for head in every])


def archived_note(root: str, path: str) -> str:
    """What to tell who meets an archived memory: since when, why, and how it comes back."""
    found = read_archived(root, path)
    since = f" since {one_line(found.marks.at, MAX_ASKED_CHARS)}" if found.marks.at else ""
    why = f" ({one_line(found.marks.reason, MAX_ASKED_CHARS)})" if found.marks.reason else ""
    return f"{path} is archived{since}{why}; bring it back with: gitmem restore {typed(origin(path))}"


def _carried_out(root: str, change: Change, when: int, environ: Mapping[str, str]) -> Kept:
    applied = apply(root, change, when, environ)
    path, revision = next((path, revision) for path, revision in applied.paths.items() if revision)
    return Kept(path, revision, applied.commit, (*change.notes, *notes_of(root, applied, environ)))


def _check_person(actor: Actor, operation: str, name: str) -> None:
    if actor.kind == "model":
        raise Refused(
            f'a model may not {operation} "{one_line(name, MAX_ASKED_CHARS)}"; nothing was changed',
            hint=f"ask the person to run: gitmem {operation} {typed(name)}",
        )


def _live_path(root: str, name: str) -> str:
    """The memory to archive; a name that fits only an archived one says so."""
    asked = name.strip().removeprefix("./")
    if any(is_reserved(each) or each == settings_of(root).index_file for each in (asked, f"{asked}.md")):
        raise BadName(f"{one_line(name, MAX_ASKED_CHARS)} is the store's own, and never archived", hint="gitmem list")
    try:
        path = find_memory(root, name)
    except NotFound:
        try:
            path = find_archived(root, name)
        except NotFound:
            path = ""
        if not path:
            raise
    if is_archived(path):
        raise NotFound(f"{path} is archived already; nothing was changed", hint=f"gitmem restore {typed(origin(path))}")
    return path


def _archived_path(root: str, name: str) -> str:
    """The memory to restore; a name that fits only one that is not archived says so."""
    try:
        return find_archived(root, name)
    except NotFound as missing:
        try:
            path = find_memory(root, name)
        except NotFound:
            raise missing from None
        raise NotFound(f"{path} is not archived; nothing was changed", hint="gitmem list --archived") from None


def _entry_back(reader: Reader, archived: str, data: bytes, items: Sequence[str]) -> tuple[list[FileChange], str]:
    """The changes that list the memory again, and what the person should know of it; no list, no change.

    archived: where it lies; data: what it will be; items: of its ``archive_entry``
    """
    path = origin(archived)
    file, listing, wrong = list_seen(reader)
    if listing is None:
        return [], wrong and f"{file} {wrong}, so {path} got no line in it"
    memory = read_memory(path, data)
    names = names_in(reader.root, listing, memory)
    if has_entry(decode(listing, file)[0], path, names):
        return [], ""
    away = {each: reader.read(each) or b"" for each in with_entries(reader.root) if each != archived} if items else {}
    shelf = Shelf({each: Marks(read_memory(each, kept).fields).entry for each, kept in away.items()}, names)
    try:
        listed = shelf.put_back(listing, archived, items)
    except Refused as refusal:
        return [], f"{file} cannot be changed ({refusal.message}), so {path} got no line in it"
    names = names_in(reader.root, listed or b"", memory)
    if listed is not None and has_entry(decode(listed, file)[0], path, names):
        told = [FileChange(each, _told(each, away[each], now)) for each, now in shelf.changed().items()]
        return [FileChange(file, listed), *(each for each in told if each.data != away[each.path])], ""
    return with_entry(reader, memory)


def _told(path: str, data: bytes, items: Sequence[str]) -> bytes:
    """An archived memory with other words about its place in the list; one that is too large to be written stays."""
    marks = Marks(read_memory(path, data).fields)
    new = with_marks(data, marks.at, marks.reason, items)
    return new if len(new) <= MAX_MEMORY_BYTES else data


def _renamed(path: str) -> str:
    return f"{path[:-3]}-2.md"
