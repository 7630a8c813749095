"""The files in which two trees differ; folders that are the same in both are not read."""

from __future__ import annotations

from gitmem.history.tree import decode, is_folder, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.objects import Objects
    from gitmem.history.repo import Repo
    from gitmem.history.tree import Entries

    Side = tuple[int, str] | None


def changed(objects: Objects, before: str, after: str) -> dict[str, tuple[Side, Side]]:
    """path -> (mode, blob id) before and after, None for no file; links and submodules included.

    before, after: tree ids, "" for the empty tree
    """
    return {decode(path): sides for path, sides in _changed(objects, before, after, b"")}


def changed_by(repo: Repo, commit: str) -> dict[str, tuple[Side, Side]]:
    """What ``commit`` changed against its first parent."""
    found = repo.commit(commit)
    before = repo.commit(found.parents[0]).tree if found.parents else ""
    return changed(repo.objects, before, found.tree)


def _changed(objects: Objects, before: str, after: str, where: bytes) -> Iterator[tuple[bytes, tuple[Side, Side]]]:
    if before == after:
        return
    old, new = _entries(objects, before), _entries(objects, after)
    for name in sorted(old.keys() | new.keys()):
        was, now = old.get(name), new.get(name)
        if was == now:
            continue
        path = where + name
        was_folder, now_folder = was is not None and is_folder(was[0]), now is not None and is_folder(now[0])
        if was_folder or now_folder:
            below = (was[1].hex() if was and was_folder else "", now[1].hex() if now and now_folder else "")
            yield from _changed(objects, *below, path + b"/")
        sides = (None if was_folder else _side(was), None if now_folder else _side(now))
        if sides != (None, None):
            yield path, sides


def _entries(objects: Objects, tree: str) -> Entries:
    return parse(objects.read(tree, "tree")) if tree else {}


def _side(entry: tuple[bytes, bytes] | None) -> Side:
    return (int(entry[0], 8), entry[1].hex()) if entry is not None else None
