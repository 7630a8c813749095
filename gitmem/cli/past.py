"""A memory by its name, also one that is gone: for the commands that look back."""

from __future__ import annotations

from gitmem.errors import NotFound
from gitmem.history.gone import gone_paths
from gitmem.history.repo import Repo
from gitmem.memory.name import is_reserved, twin_key
from gitmem.store.paths import INDEX_FILE
from gitmem.write.find import find_memory, stem


def find_past(repo: Repo, name: str) -> str:
    """The path that ``name`` means now, else the one it meant last; a memory that is gone has only path and stem.

    raises: NotFound as for a memory that is there, when no commit ever had one of that name
    """
    if name == INDEX_FILE:
        return INDEX_FILE
    try:
        return find_memory(repo.root, name)
    except NotFound:
        wanted = twin_key(name.strip().removeprefix("./").removesuffix(".md"))
        found = gone_paths(repo, lambda path: wanted in keys(path))
        if not found:
            raise
    if len(found) > 1:
        raise NotFound(f'"{name}" is gone, and it fits {", ".join(found)}', hint="give the path")
    return found[0]


def keys(path: str) -> tuple[str, ...]:
    """By what a memory that is gone is found: its path and its file's stem; () for what was never a memory."""
    if not path.lower().endswith(".md") or is_reserved(path):
        return ()
    return twin_key(path.removesuffix(".md")), twin_key(stem(path))
