"""Memories that are no longer there: found by name in the commits that still had them."""

from __future__ import annotations

from gitmem.history.log import shallow
from gitmem.history.objects import Objects
from gitmem.history.repo import Repo
from gitmem.history.trail import called
from gitmem.history.tree import decode, is_folder, parse, tree_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def gone_paths(repo: Repo, stem: str, fits: Callable[[str], bool]) -> list[str]:
    """Paths of files called ``stem`` that ``fits`` takes, of the last commit that had any.

    HEAD's own files first: a file that was deleted and is not committed yet is there.  Then what the commits
    removed, newest first; [] when no commit ever had one.
    """
    found = called(repo, stem)
    if found is None:
        return _walked(repo, fits)
    known = [(path, order) for path, order in found if fits(path)]
    there = [path for path, order in known if not order]
    last = max((order for _, order in known), default=0)
    return there or [path for path, order in known if order == last]


def _walked(repo: Repo, fits: Callable[[str], bool]) -> list[str]:
    """The same without the history index, along first parents."""
    name = repo.head()[1]
    found = [path for path in tree_files(repo, name) if fits(path)]
    borders = shallow(repo)
    while name and not found:
        commit = repo.commit(name)
        before = "" if name in borders or not commit.parents else commit.parents[0]
        if before:
            removed = _removed(repo.objects, repo.commit(before).tree, commit.tree, b"")
            found = [path for path in map(decode, removed) if fits(path)]
        name = before
    return sorted(found)


def _removed(objects: Objects, before: str, after: str, folder: bytes) -> Iterator[bytes]:
    """Files of the tree ``before`` that ``after`` has not; "" is the empty tree."""
    if before == after:
        return
    old = parse(objects.read(before, "tree"))
    new = parse(objects.read(after, "tree")) if after else {}
    for name, (mode, blob) in old.items():
        there = new.get(name)
        if is_folder(mode):
            inner = there[1].hex() if there and is_folder(there[0]) else ""
            yield from _removed(objects, blob.hex(), inner, folder + name + b"/")
        elif there is None or is_folder(there[0]):
            yield folder + name
