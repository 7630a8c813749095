"""The ``metadata.id`` of a memory: what says that it is this one, whatever it is called and whatever it says."""

from __future__ import annotations

from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.document import read_memory
from gitmem.memory.field import known


def own_id(path: str, data: bytes) -> str:
    """The id of the memory ``data`` at ``path``; "" for none, for other files, and for what is too large to be read."""
    if path[-3:].lower() != ".md" or len(data) > MAX_MEMORY_BYTES or not (b"id" in data or b"\0" in data):
        return ""
    return known(read_memory(path, data)).id


def is_another(path: str, data: bytes, was: bytes) -> bool:
    """Whether ``data`` is another memory than ``was`` is by its id: one with another id, or with none."""
    if data == was:
        return False
    old = own_id(path, was)
    return bool(old) and own_id(path, data) != old
