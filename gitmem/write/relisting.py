"""Memories that a person renamed or archived by hand, and the list and the locks that follow: in the person's words.

Which file is another one under a new name is what history/renames.py says, so that history, list and locks agree.
"""

from __future__ import annotations

import os
from contextlib import suppress

from gitmem.errors import BadName, Refused
from gitmem.history.commit import FileChange, Step
from gitmem.history.convert import stored
from gitmem.history.message import message
from gitmem.history.objects import object_id
from gitmem.history.settings import settings_of
from gitmem.history.tree import tree_files
from gitmem.memory.archived import BY_HAND, with_marks
from gitmem.memory.document import decode as text_of
from gitmem.memory.document import split_lines
from gitmem.memory.link import has_entry, link_names
from gitmem.memory.name import twin_key
from gitmem.store.paths import CONFIG_FILE, join
from gitmem.write.archive_entry import renamed_links, take_entries
from gitmem.write.archive_find import is_archived, local_time
from gitmem.write.hand import hand_edits
from gitmem.write.lock_list import moved_locks, with_locks
from gitmem.write.renamed import renamed_on_disk
from gitmem.write.secrets import held_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from gitmem.history.view import View

OPERATION = "relist"
SHOWN = 20  # renames that the commit's message names


def rename_steps(view: View, paths: Sequence[str]) -> tuple[list[Step], list[str]]:
    """The commits of the person's renames from or to ``paths``, and of the list that follows; both names of each.

    None for a file that is no rename, and for one that holds a secret, which the writer who needs it refuses.
    """
    found = renamed_on_disk(view)
    both = list(dict.fromkeys(path for pair in found.items() if not {*pair}.isdisjoint(paths) for path in pair))
    if not both:
        return [], []
    listing = settings_of(view.repo.root).index_file
    steps = hand_edits(view, [*both, listing])
    held = held_back(view, steps)
    if listing in held:
        steps = hand_edits(view, both)
    return ([], []) if held.keys() - {listing} else (steps, both)


def relisting(view: View, renamed: Mapping[str, str], listed: Sequence[str]) -> list[Step]:
    """The commit that lets the list and the locks follow; none when there is nothing to change, or an edit of theirs
    stays uncommitted.

    listed: the files whose edits are committed first
    """
    settings = settings_of(view.repo.root)
    files = _followed_list(view, settings.index_file, renamed, listed)
    locks = moved_locks(settings.locks, {old: now for old, now in renamed.items() if not is_archived(now)})
    if locks != settings.locks and (data := _settled(view, CONFIG_FILE, listed)) is not None:
        with suppress(Refused):  # settings that cannot be edited without guessing; a lock is followed all the same
            files.append(FileChange(CONFIG_FILE, with_locks(data, locks, view.repo.root)))
    if not files:
        return []
    said = "\n".join([f"{old} is called {now} now." for old, now in renamed.items()][:SHOWN])
    text = message(OPERATION, files[0].path, said, {"Op": OPERATION, "Memory": files[0].path, "Actor": "person"})
    return [Step(files, text, view.people()[0])]


def _settled(view: View, file: str, listed: Sequence[str]) -> bytes | None:
    """The bytes of ``file``; None where it is not there, or has an edit that nobody commits first."""
    try:
        data, committed = view.read(file), view.committed(file)
    except BadName:
        return None
    if data is None or committed is None:
        return None
    return data if file in listed or object_id("blob", stored(view, file, data)) == committed[1] else None


def _followed_list(view: View, file: str, renamed: Mapping[str, str], listed: Sequence[str]) -> list[FileChange]:
    """The list as it follows ``renamed``, and the memories that keep its entries in the archive."""
    data = _settled(view, file, listed)
    if data is None:
        return []
    committed = view.committed(file)
    before = view.repo.objects.read(committed[1], "blob") if committed else b""
    paths = tree_files(view.repo, view.head) if b"[[" in data else ()
    archived = {old: now for old, now in renamed.items() if is_archived(now)}
    taken = {old for old in renamed if os.path.lexists(join(view.repo.root, old))}
    new = followed(data, file, {old: now for old, now in renamed.items() if old not in archived}, paths, taken, before)
    new, marked = _without(view, new, archived, paths)
    return [FileChange(file, new), *marked] if new != data else []


def _without(
    view: View, data: bytes, archived: Mapping[str, str], paths: Iterable[str]
) -> tuple[bytes, list[FileChange]]:
    """The list without its entries of what the person moved into the archive, and those files with the marks that
    bring the entries back; what is too damaged for either stays as it is.

    archived: old path -> path in the archive
    """
    if not archived:
        return data, []
    try:
        left, records = take_entries(data, archived, _names([*paths, *archived]))
        marked = []
        for old, entry in records.items():
            path = archived[old]
            at = local_time(int(os.lstat(join(view.repo.root, path)).st_ctime))  # a file that moves keeps its mtime
            marked.append(FileChange(path, with_marks(view.read(path) or b"", at, BY_HAND, entry)))
    except (Refused, OSError):
        return data, []
    return left, marked


def followed(
    data: bytes, file: str, renamed: Mapping[str, str], paths: Iterable[str], taken: Collection[str], before: bytes
) -> bytes:
    """The list with its links to what was renamed; one that names the new path already keeps its lines.

    paths:  what wikilinks may mean
    taken:  old paths that another memory has now; only a line of ``before``, the last list, means the one that moved
    """
    names = _names([*paths, *renamed])
    text = text_of(data, file)[0]
    known = set(split_lines(text_of(before, file)[0])) if taken else set()
    own = "".join(line for line in split_lines(text) if line not in known)

    def is_listed(old: str, now: str) -> bool:
        return twin_key(old) != twin_key(now) and has_entry(own if now in taken else text, now)

    moved = {old: now for old, now in renamed.items() if not is_listed(old, now)}
    data = renamed_links(data, {old: now for old, now in moved.items() if old in taken}, names, known)
    return renamed_links(data, {old: now for old, now in moved.items() if old not in taken}, names)


def _names(paths: Iterable[str]) -> dict[str, str]:
    return link_names((path, "", ()) for path in dict.fromkeys(paths) if path.lower().endswith(".md"))
