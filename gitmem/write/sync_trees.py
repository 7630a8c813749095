"""The merge of two commits as a tree: over their real common commits, one file at a time, by meaning.

Several common commits (a criss-cross) are first merged among themselves, as git does it, so that what both sides agreed
on before is no conflict again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from gitmem.dataclass import replace
from gitmem.errors import Refused
from gitmem.history.bases import meeting
from gitmem.history.changed import changed
from gitmem.history.conflict import read_conflict
from gitmem.history.message import parse_message
from gitmem.history.objects import Objects
from gitmem.history.repo import Repo
from gitmem.history.tree import FILES, splice, tree_get
from gitmem.memory.document import decode
from gitmem.memory.link import has_entry
from gitmem.memory.name import twin_key
from gitmem.merge.tree import STANDS, Conflict, TreeMerge, merge_trees
from gitmem.store.paths import CONFIG_FILE
from gitmem.store.settings import read_settings
from gitmem.write.archive_entry import put_entry, renamed_links, take_entries
from gitmem.write.archive_find import is_archived
from gitmem.write.lock_list import moved_locks, with_locks
from gitmem.write.sync_twins import MergedTree, without_twins

TWICE = "the conflict was settled on both sides, differently"
MAX_DEPTH = 12  # of bases of bases; beyond, the first one is taken

Kind = tuple[int, str]


def merged_tree(repo: Repo, ours: str, theirs: str, bases: Sequence[str], index_file: str) -> MergedTree:
    """The merge of two commits; ``bases`` as ``meeting`` gives them."""
    base, disputed = _undecided(repo, _base_tree(repo, bases, index_file, 0), bases)
    trees = base, repo.commit(ours).tree, repo.commit(theirs).tree
    tree, conflicts, moved = _merged(repo.objects, trees, index_file)
    conflicts = tuple(
        replace(each, base="", words=(TWICE, *each.words)) if each.base and each.base in disputed else each
        for each in conflicts
    )
    tree, apart = without_twins(repo.objects, tree, base)
    return MergedTree(tree, tuple(_moved_with(conflicts, apart)), (*moved, *apart.items()), not bases)


def _undecided(repo: Repo, base: str, bases: Sequence[str]) -> tuple[str, frozenset[str]]:
    """``base`` with each memory as it was before a conflict about it that both sides settled, and those texts' blobs.

    A record is a common commit when each side settled it without the other: measured by what the record holds, the
    side that chose the other text would have changed nothing, and its decision would be gone without a word.
    """
    changes: dict[str, Kind | None] = {}
    for name in bases:
        if parse_message(repo.commit(name).message)[2].get("Gitmem-Op") != "conflict":
            continue
        with suppress(ValueError):
            record = read_conflict(repo, "", name)
            found = tree_get(repo.objects, base, record.path)
            mode = found[0] if found else 0o100644
            if mode in FILES:
                changes[record.path] = (mode, record.base) if record.base else None
    tree = splice(repo.objects, base, changes)[0] if changes else base
    return tree, frozenset(kind[1] for kind in changes.values() if kind)


def _moved_with(conflicts: Sequence[Conflict], apart: Mapping[str, str]) -> list[Conflict]:
    return [replace(each, path=apart.get(each.path, each.path)) for each in conflicts]


def _base_tree(repo: Repo, bases: Sequence[str], index_file: str, depth: int) -> str:
    """The tree of the only base; of several the tree they make; "" for histories that never met."""
    if not bases:
        return ""
    tree, last = repo.commit(bases[0]).tree, bases[0]
    for name in bases[1:] if depth < MAX_DEPTH else ():
        inner = _base_tree(repo, meeting(repo, last, name).bases, index_file, depth + 1)
        tree, last = _merged(repo.objects, (inner, tree, repo.commit(name).tree), index_file)[0], name
    return tree


def _merged(
    objects: Objects, trees: tuple[str, str, str], index_file: str
) -> tuple[str, tuple[Conflict, ...], tuple[tuple[str, str], ...]]:
    """Base, ours and theirs made one: the tree, the conflicts, the names that were taken."""
    sides = base, ours, theirs = _differing(objects, *trees)
    locks = tuple(_locks(objects, tree) for tree in trees)
    keys = tuple(frozenset(map(twin_key, each)) for each in locks)

    def read(blob: str) -> bytes:
        return objects.read(blob, "blob")

    done = merge_trees(base, ours, theirs, read, index_file, keys)
    is_moved = bool(done.moved) and index_file in ours and index_file in theirs
    if is_moved:
        _follow(objects, (ours, theirs), done, index_file)
    if _follow_locks(objects, sides, trees, locks, done) or is_moved:
        done = merge_trees(base, ours, theirs, read, index_file, keys)
    changes: dict[str, Kind | None] = {}
    for path, entry in done.changes.items():
        if entry is not None and entry.data is not None:
            objects.add("blob", entry.data)
        changes[path] = (entry.mode, entry.blob) if entry is not None else None
    for file in (index_file, CONFIG_FILE):
        if file in ours and (now := ours[file]) != tree_get(objects, trees[1], file):
            changes.setdefault(file, now)
    tree = splice(objects, trees[1], changes)[0] if changes else trees[1]
    return _with_lines(objects, tree, trees, done.conflicts, index_file), done.conflicts, done.moved


def _follow(objects: Objects, sides: Sequence[dict[str, Kind]], done: TreeMerge, index_file: str) -> None:
    """Let each side's list of memories name its own files as they are called once the two are one."""
    for side in sides:
        mode, blob = side[index_file]
        data = objects.read(blob, "blob") if mode in FILES else b""
        own = {
            old: new
            for old, new in done.moved
            if (entry := done.changes.get(new)) is not None and side.get(old, (0, ""))[1] == entry.blob
        }
        data = renamed_links(data, own)
        if mode in FILES:
            side[index_file] = mode, objects.add("blob", data)


def _follow_locks(
    objects: Objects,
    sides: Sequence[dict[str, Kind]],
    trees: Sequence[str],
    locks: Sequence[Sequence[str]],
    done: TreeMerge,
) -> bool:
    """Let the locks of base and sides name the memories as they are called once the two are one; whether any has to."""
    found: list[tuple[int, bytes] | None] = [_file(objects, tree, CONFIG_FILE) for tree in trees]
    is_moved = False
    for at, each in enumerate(found):
        now = moved_locks(locks[at], _renamed(locks[0], locks[at], done, at))
        if each and now != locks[at]:
            with suppress(Refused):  # settings that cannot be edited without guessing; a lock is followed all the same
                found[at] = each[0], with_locks(each[1], now, "")
                is_moved = True
    for side, each in zip(sides, found, strict=True) if is_moved else ():
        if each:
            side[CONFIG_FILE] = each[0], objects.add("blob", each[1])
    return is_moved


def _renamed(base: Sequence[str], own: Sequence[str], done: TreeMerge, at: int) -> dict[str, str]:
    """What the paths that a side locks are called in the result.

    base, own: the locks of the base and of that side; at: 0 for the base itself, 1 for ours, 2 for theirs
    """
    old_keys, own_keys = (set(map(twin_key, locks)) for locks in (base, own))
    renamed: dict[str, str] = {}
    for trio, path in done.named:
        name = (trio.base, trio.ours, trio.theirs)[at]
        if is_archived(path):
            continue
        if name:
            renamed[name] = path
        if twin_key(trio.base) in old_keys and twin_key(name) not in own_keys:  # renamed there, and its lock was not
            renamed[trio.base] = path
    return renamed


def _locks(objects: Objects, tree: str) -> tuple[str, ...]:
    found = _file(objects, tree, CONFIG_FILE)
    return read_settings(found[1]).locks if found else ()


def _with_lines(
    objects: Objects, tree: str, trees: tuple[str, str, str], conflicts: Sequence[Conflict], index_file: str
) -> str:
    """``tree`` where each memory that one side took away and that stands all the same has its line in the list again.

    The line is that of the side whose memory stands, at its place there, so that both machines come to the same list.
    """
    before = _file(objects, tree, index_file)
    if before is None:
        return tree
    data = before[1]
    for each in conflicts:
        side = _file(objects, trees[1 if each.kept == "ours" else 2], index_file)
        if side is None or not set(STANDS) & set(each.words):
            continue
        with suppress(Refused):  # a damaged list, of which the audit tells
            if not has_entry(decode(data, index_file)[0], each.path):
                data = put_entry(data, take_entries(side[1], [each.path])[1].get(each.path, [])) or data
    if data == before[1]:
        return tree
    return splice(objects, tree, {index_file: (before[0], objects.add("blob", data))})[0]


def _file(objects: Objects, tree: str, path: str) -> tuple[int, bytes] | None:
    """Mode and bytes of a file in a tree."""
    found = tree_get(objects, tree, path) if tree else None
    return (found[0], objects.read(found[1], "blob")) if found and found[0] in FILES else None


def _differing(
    objects: Objects, base: str, ours: str, theirs: str
) -> tuple[dict[str, Kind], dict[str, Kind], dict[str, Kind]]:
    """Of three trees only the paths that are not the same in all: 100,000 memories need not be listed for one."""
    here, there = changed(objects, base, ours), changed(objects, base, theirs)
    olds: dict[str, Kind] = {}
    ones: dict[str, Kind] = {}
    twos: dict[str, Kind] = {}
    for path in here.keys() | there.keys():
        old = (here.get(path) or there[path])[0]
        one = here[path][1] if path in here else old
        two = there[path][1] if path in there else old
        for found, kind in ((olds, old), (ones, one), (twos, two)):
            if kind is not None:
                found[path] = kind
    return olds, ones, twos
