"""Where a new memory goes: the root, or a folder for each month; a name that is taken is met, never overwritten."""

from __future__ import annotations

import os
import time

from gitmem.errors import BadName
from gitmem.limits import SHARD_FROM
from gitmem.memory.document import Memory, read_memory
from gitmem.store.paths import typed
from gitmem.write.change import Reader
from gitmem.write.find import stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NAME_BYTES = 120  # of a name that gets a number behind it


class Same(Exception):
    """Raised inside a change whose result is what the file holds already; nothing is committed."""

    def __init__(self, path: str, data: bytes) -> None:
        super().__init__()
        self.path, self.data = path, data


def vacant(reader: Reader, path: str, body: str, free: bool, check_same: Callable[[Memory], None]) -> str:
    """The path a new memory gets: ``path``, or ``path-2.md`` and so on when gitmem chose it and it is taken.

    check_same: is given the memory that holds the very text, and may refuse
    returns:    "" when ``path`` was asked for and holds another text
    raises:     Same when the very text stands there already; BadName for a twin that differs in case only
    """
    place, number = path, 1
    while (there := reader.read(place)) is not None:
        found = read_memory(place, there)
        if found.body.strip() == body.strip():
            check_same(found)
            raise Same(place, there)
        if not free:
            return ""
        number += 1
        place = f"{path.removesuffix('.md')}-{number}.md"
    if twin := reader.exists_twin(place):
        raise BadName(
            f"{twin} exists already and differs from {place} only in case", hint=f"gitmem edit {typed(stem(twin))}"
        )
    return place


def beside(reader: Reader, path: str) -> str:
    """``path`` with a number behind its name that nothing has: ``deploy-2.md``."""
    folder, slash, name = path.removesuffix(".md").rpartition("/")
    short = name.encode("utf-8", "surrogateescape")[:MAX_NAME_BYTES].decode("utf-8", "ignore").rstrip()
    number = 2
    while reader.read(place := f"{folder}{slash}{short}-{number}.md") is not None or reader.exists_twin(place):
        number += 1
    return place


def new_path(root: str, file: str, when: int) -> str:
    """Where a new memory goes: the store's root, from SHARD_FROM memories there on a folder for each month.

    A name that stands in the root or in any month already is given back as it is, so that it is met, not doubled.
    """
    count, months = 0, []
    if not os.path.isdir(root):  # before the first memory
        return file
    with os.scandir(root) as entries:
        for entry in entries:
            if entry.name.endswith(".md"):
                count += 1
            elif is_month(entry.name):
                months.append(entry.name)
    taken = [path for path in (file, *(f"{month}/{file}" for month in months)) if os.path.lexists(f"{root}/{path}")]
    if taken or count < SHARD_FROM:
        return taken[0] if taken else file
    return time.strftime("%Y-%m/", time.gmtime(when)) + file


def is_month(name: str) -> bool:
    """Whether a folder is one that gitmem makes: ``2026-11``."""
    return len(name) == 7 and name[4] == "-" and name[:4].isdigit() and name[5:].isdigit()
