"""A path for every file of a merged tree: no two at one path, none where a folder stands, no twins by case or form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gitmem.dataclass import dataclass
from gitmem.memory.name import twin_key


@dataclass(frozen=True, slots=True)
class Wish:
    """A file that is to stand at ``path``.

    known: the base has that file there, so that it keeps the name
    blob:  decides, by its id, between two that are new
    """

    path: str
    known: bool
    blob: str


def places(wishes: Sequence[Wish], paths: Iterable[str]) -> list[str]:
    """The path of each of ``wishes``, in their order; where two clash, the second gets a number.

    paths: every path of all trees, none of which a new name may be; asked only when there is a clash
    """
    folders = {folder for wish in wishes for folder in _folders(twin_key(wish.path))}
    taken: set[str] = set()
    late: list[int] = []
    placed = [""] * len(wishes)
    for at in sorted(range(len(wishes)), key=lambda at: (not wishes[at].known, wishes[at].path, wishes[at].blob)):
        key = twin_key(wishes[at].path)
        if key in taken or key in folders:
            late.append(at)
        else:
            taken.add(key)
            placed[at] = wishes[at].path
    if late:
        taken |= folders
        for path in paths:
            key = twin_key(path)
            taken.add(key)
            taken.update(_folders(key))
    for at in late:
        placed[at] = next(path for path in _numbered(wishes[at].path) if twin_key(path) not in taken)
        taken.add(twin_key(placed[at]))
    return placed


def _folders(path: str) -> Iterator[str]:
    """The folders that ``path`` lies in."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _numbered(path: str) -> Iterator[str]:
    """``a-2.md``, ``a-3.md`` and so on."""
    folder, slash, name = path.rpartition("/")
    stem, dot, suffix = name.rpartition(".")
    if not stem:
        stem, dot, suffix = name, "", ""
    number = 2
    while True:
        yield f"{folder}{slash}{stem}-{number}{dot}{suffix}"
        number += 1
