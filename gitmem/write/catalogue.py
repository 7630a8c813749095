"""Keep ``MEMORY.md`` in step with new memories; a person's own lines are never touched (A7)."""

from __future__ import annotations

from gitmem.history.commit import FileChange
from gitmem.limits import MAX_ENTRY_CHARS, MAX_MEMORY_BYTES
from gitmem.memory.clean import one_line
from gitmem.memory.link import add_entry, has_entry
from gitmem.store.paths import INDEX_FILE
from gitmem.write.change import Reader

EMPTY = "# Memory\n\n"  # of a store that gitmem made: a heading and no example records


def with_entry(reader: Reader, path: str, title: str, description: str) -> list[FileChange]:
    """The change that gives the memory at ``path`` its line; empty when there is nothing to do.

    A store without ``MEMORY.md`` gets none.  One that has reached the size of a memory gets no more lines:
    every write would store it anew, and no model is shown that much of it.
    """
    data = reader.read(INDEX_FILE)
    if data is None or len(data) > MAX_MEMORY_BYTES - 1024:
        return []
    text = data.decode("utf-8", "surrogateescape")
    if has_entry(text, path):
        return []
    text = add_entry(text, title, path, one_line(description, MAX_ENTRY_CHARS))
    return [FileChange(INDEX_FILE, text.encode("utf-8", "surrogateescape"))]
