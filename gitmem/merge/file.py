"""Any file of a store merged, by what its path says it is."""

from __future__ import annotations

from gitmem.memory.name import twin_key
from gitmem.merge.catalogue import merge_catalogue
from gitmem.merge.journal import merge_journal
from gitmem.merge.memory import WHOLE, in_order, merge_memory
from gitmem.merge.merged import Merged
from gitmem.merge.settings import merge_record, merge_settings
from gitmem.store.paths import CONFIG_FILE, INDEX_FILE, JOURNAL, is_project_record


def merge_file(path: str, base: bytes | None, ours: bytes, theirs: bytes, index_file: str = INDEX_FILE) -> Merged:
    """Two versions of the file at ``path`` made one; of a file that is no text of gitmem's the changed one wins.

    base:       None when each side added the file
    index_file: the store's list of memories
    """
    if path == CONFIG_FILE:
        return merge_settings(base, ours, theirs)
    if is_project_record(path):
        return merge_record(base, ours, theirs)
    if twin_key(path) == twin_key(index_file):
        return merge_catalogue(base, ours, theirs)
    if is_day(path):
        return merge_journal(base, ours, theirs)
    if path.lower().endswith(".md"):
        return merge_memory(base, ours, theirs)
    if ours == theirs or base == theirs:
        return Merged(ours)
    if base == ours:
        return Merged(theirs)
    kept, (first, _) = in_order(ours, theirs)
    return Merged(first, (WHOLE,), kept)


def is_day(path: str) -> bool:
    """Whether ``path`` is a day of the journal."""
    folder, _, name = path.rpartition("/")
    parts = name.removesuffix(".md").split("-")
    return (
        folder == JOURNAL
        and name.endswith(".md")
        and [len(part) for part in parts] == [4, 2, 2]
        and all(part.isdigit() for part in parts)
    )
