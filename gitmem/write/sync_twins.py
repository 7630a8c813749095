"""New files whose names many file systems would take for another file's: they get a name of their own on arrival."""

from __future__ import annotations

import os
from collections.abc import Iterable

from gitmem.dataclass import dataclass
from gitmem.history.changed import changed
from gitmem.history.objects import Objects
from gitmem.history.tree import FOLDER, decode, parse, splice, tree_get
from gitmem.memory.name import twin_key, windows_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.merge.tree import Conflict

Kind = tuple[int, str]
ON_WINDOWS = os.name == "nt"


@dataclass(frozen=True, slots=True)
class MergedTree:
    """A tree made of two.

    tree:      its id, added to the repository's objects
    conflicts: what could not merge
    renamed:   (name a file had, name it got) where two could not stand side by side
    is_joined: the two sides share no history
    """

    tree: str
    conflicts: tuple[Conflict, ...]
    renamed: tuple[tuple[str, str], ...]
    is_joined: bool


def without_twins(objects: Objects, tree: str, base: str) -> tuple[str, dict[str, str]]:
    """``tree`` with another name for each new path that differs from an old one only in case or Unicode form.

    On Windows a new path that no file can have there gets another one too.
    base:    the tree whose names stay
    returns: the tree, and name it had -> name it got
    """
    names = _Names(objects, tree)
    known = _Names(objects, base)
    moved: dict[str, str] = {}
    changes: dict[str, Kind | None] = {}
    for path, (before, after) in sorted(changed(objects, base, tree).items()):
        if before is not None or after is None:
            continue
        fit = _fitting(names, known, path)
        if ON_WINDOWS and windows_name(fit or path) != (fit or path):
            fit = windows_name(fit or path)
        if fit:
            new = _free(objects, tree, fit, moved.values())
            moved[path], changes[path], changes[new] = new, None, after
    return (splice(objects, tree, changes)[0] if changes else tree), moved


class _Names:
    """What the folders of a tree hold, by what a file system that is blind to case would take for the same."""

    __slots__ = ("_folders", "objects", "tree")

    def __init__(self, objects: Objects, tree: str) -> None:
        self.objects, self.tree = objects, tree
        self._folders: dict[str, dict[str, list[str]]] = {}

    def alike(self, folder: str, name: str) -> list[str]:
        """The names in ``folder`` that one such file system could not tell from ``name``."""
        if folder not in self._folders:
            found = tree_get(self.objects, self.tree, folder) if folder and self.tree else (FOLDER, self.tree)
            groups: dict[str, list[str]] = {}
            if found and found[0] == FOLDER and found[1]:
                for raw in parse(self.objects.read(found[1], "tree")):
                    groups.setdefault(twin_key(decode(raw)), []).append(decode(raw))
            self._folders[folder] = groups
        return self._folders[folder].get(twin_key(name), [])


def _fitting(names: _Names, known: _Names, path: str) -> str:
    """The folder ``path`` should lie in, in the spelling that stays, with its name; "" when all is well as it is."""
    parts = path.split("/")
    spelled: list[str] = []
    for depth, part in enumerate(parts):
        alike = names.alike("/".join(parts[:depth]), part)
        old = [name for name in alike if name in known.alike("/".join(spelled), part)]
        spelled.append(min(old or alike) if len(alike) > 1 else part)
    return "/".join([*spelled[:-1], parts[-1]]) if spelled != parts else ""


def _free(objects: Objects, tree: str, path: str, taken: Iterable[str]) -> str:
    """``path`` with the first number behind its stem that nothing has yet."""
    folder, slash, name = path.rpartition("/")
    stem, dot, end = name.rpartition(".") if "." in name[1:] else (name, "", "")
    used = {twin_key(each) for each in taken}
    names = _Names(objects, tree)
    number = 1
    while names.alike(folder, name) or twin_key(f"{folder}{slash}{name}") in used:
        number += 1
        name = f"{stem}-{number}{dot}{end}"
    return f"{folder}{slash}{name}"
