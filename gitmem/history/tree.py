"""Trees as bytes: look a path up, walk, and splice new entries into HEAD's tree.

Only the trees on a changed path are rewritten; every other entry keeps its bytes.
"""

from __future__ import annotations

from gitmem.errors import BadName, RepositoryDamaged
from gitmem.store.paths import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.history.objects import Objects
    from gitmem.history.repo import Repo

FOLDER, FILE, PROGRAM, LINK, MODULE = 0o40000, 0o100644, 0o100755, 0o120000, 0o160000
FILES = (FILE, PROGRAM, 0o100664)  # what may be a memory; the last is of very old repositories
NO_TREE = ""
FEW = 4  # changes of one folder up to which its tree is not built anew
PLAIN = b"100644 "  # how the entry of a plain file begins
LARGE, STRETCH = 4096, 512  # bytes from which places are found by halving, and where it ends

Entries = dict[bytes, tuple[bytes, bytes]]  # name -> mode as in the tree, id as 20 bytes


def parse(raw: bytes) -> Entries:
    """The entries of a tree, in its order."""
    entries: Entries = {}
    at, end, find = 0, len(raw), raw.index
    try:
        while at < end:
            space = find(b" ", at)
            nul = find(b"\0", space)
            entries[raw[space + 1 : nul]] = (raw[at:space], raw[nul + 1 : nul + 21])
            at = nul + 21
    except ValueError as error:
        raise _cut_short() from error
    return entries


def _cut_short() -> RepositoryDamaged:
    return RepositoryDamaged("a tree object is cut short", hint="git fsck")


def build(entries: Entries) -> bytes:
    """The bytes of a tree; entries need not be in order."""
    names = sorted(entries, key=lambda name: name + b"/" if is_folder(entries[name][0]) else name)
    return b"".join(b"%s %s\0%s" % (entries[name][0], name, entries[name][1]) for name in names)


def is_folder(mode: bytes) -> bool:
    return mode in (b"40000", b"040000")


def read_blob(repo: Repo, blob: str) -> bytes:
    """The bytes of a revision; raises RepositoryDamaged when it is not there."""
    return repo.objects.read(blob, "blob")


def tree_blob(repo: Repo, commit: str, path: str) -> str | None:
    """The revision that stands at ``path`` in ``commit``; None for no file, "" as commit is an empty tree."""
    found = tree_get(repo.objects, repo.commit(commit).tree, path) if commit else None
    return found[1] if found is not None and found[0] not in (FOLDER, MODULE) else None


def file_at(repo: Repo, commit: str, path: str) -> bytes | None:
    """The bytes of ``path`` as ``commit`` has it; None when it has no such file."""
    blob = tree_blob(repo, commit, path)
    return read_blob(repo, blob) if blob else None


def tree_files(repo: Repo, commit: str) -> dict[str, tuple[int, str]]:
    """Every file of ``commit``: path -> (mode, blob id); links and submodules included."""
    return dict(_walk(repo.objects, repo.commit(commit).tree, b"")) if commit else {}


def tree_get(objects: Objects, tree: str, path: str) -> tuple[int, str] | None:
    """Mode and id of what stands at ``path`` under ``tree``; None when nothing does."""
    found: tuple[int, str] | None = (FOLDER, tree)
    for part in encode(path).split(b"/"):
        if found is None or found[0] != FOLDER or not found[1]:
            return None
        entry = entry_of(objects.read(found[1], "tree"), part)
        found = (int(entry[0], 8), entry[1].hex()) if entry else None
    return found


def entry_of(raw: bytes, name: bytes) -> tuple[bytes, bytes] | None:
    """Mode and id of one entry of a tree, without building all of them; raises RepositoryDamaged."""
    try:
        found = _find(raw, name)
    except ValueError as error:
        raise _cut_short() from error
    if found is None:
        return None
    start, nul = found
    return raw[start : nul - len(name) - 1], raw[nul + 1 : nul + 21]


def _find(raw: bytes, name: bytes) -> tuple[int, int] | None:
    """Where the entry called ``name`` begins, and where its name ends; exact, whatever the ids' bytes look like."""
    if b" " + name + b"\0" not in raw:
        return None
    end, find = len(raw), raw.index
    if end > LARGE:
        for key in (name, name + b"/"):
            at = _place(raw, key)
            if at < end and raw[find(b" ", at) + 1 : find(b"\0", at)] == name:
                return at, find(b"\0", at)
    at = 0
    while at < end:
        space = find(b" ", at)
        nul = find(b"\0", space)
        if raw[space + 1 : nul] == name:
            return at, nul
        at = nul + 21
    return None


def _place(raw: bytes, key: bytes) -> int:
    """Where the first entry stands that does not sort before ``key``: a name, a folder's with "/" behind it.

    By halving: 0.03 ms where walking over 4,000 entries takes 3.
    """
    low, end, find = 0, len(raw), raw.index
    high = end
    while high - low > STRETCH:
        middle = _entry_after(raw, (low + high) // 2, high)
        if middle < 0:
            break
        if raw[middle + len(PLAIN) : find(b"\0", middle)] < key:
            low = middle
        else:
            high = middle
    while low < end:
        space = find(b" ", low)
        nul = find(b"\0", space)
        here = raw[space + 1 : nul]
        if here >= key or (is_folder(raw[low:space]) and here + b"/" >= key):
            break
        low = nul + 21
    return low


def _entry_after(raw: bytes, at: int, stop: int) -> int:
    """Where the next plain file's entry begins that cannot be taken for something else; -1 when none is found.

    A name may hold the letters of a mode.  Before an entry stand the NUL that ends the name before it, and 20 bytes of
    id; inside a name that byte can only be one of the id before it, and then another NUL stands within 27 bytes more.
    """
    at = raw.find(PLAIN, at, stop)
    while at >= 0:
        if at >= 48 and not raw[at - 21] and b"\0" not in raw[at - 48 : at - 21]:
            return at
        at = raw.find(PLAIN, at + 1, stop)
    return -1


def _walk(objects: Objects, tree: str, before: bytes) -> Iterator[tuple[str, tuple[int, str]]]:
    if not tree:
        return
    for name, (mode, raw) in parse(objects.read(tree, "tree")).items():
        if is_folder(mode):
            yield from _walk(objects, raw.hex(), before + name + b"/")
        else:
            yield decode(before + name), (int(mode, 8), raw.hex())


def splice(
    objects: Objects, tree: str, changes: Mapping[str, tuple[int, str] | None]
) -> tuple[str, dict[bytes, tuple[str, str]]]:
    """Put files into a tree, or take them out.

    tree:    id of the tree to start from, "" for an empty one
    changes: path -> (mode, blob id), or None to remove
    returns: the new root's id (added to ``objects``, not flushed), and for each folder on a changed path
             (b"" is the root) its id before and after, "" where there is none; empty folders are pruned
    raises:  BadName where a file would stand in the way of a folder or the other way round
    """
    root: _Node = {}
    for path, change in changes.items():
        node = root
        *folders, name = encode(path).split(b"/")
        for folder in folders:
            below = node.setdefault(folder, {})
            if not isinstance(below, dict):
                raise BadName(f"{path} lies inside {decode(folder)}, which is a file")
            node = below
        if isinstance(node.get(name), dict):
            raise BadName(f"{path} is a folder")
        node[name] = (change,)
    moved: dict[bytes, tuple[str, str]] = {}
    return _splice(objects, tree, root, b"", moved), moved


_Node = dict[bytes, "_Node | tuple[tuple[int, str] | None]"]


def _splice(objects: Objects, tree: str, node: _Node, where: bytes, moved: dict[bytes, tuple[str, str]]) -> str:
    raw = objects.read(tree, "tree") if tree else b""
    entries = parse(raw) if len(node) > FEW else None
    changes: dict[bytes, tuple[bytes, bytes] | None] = {}
    for name, change in node.items():
        there = entries.get(name) if entries is not None else entry_of(raw, name)
        full = where + b"/" + name if where else name
        folder = there is not None and is_folder(there[0])
        if isinstance(change, dict):
            if there and not folder:
                name_here = decode(full)
                raise BadName(
                    f"{name_here} is a file in the last commit, so nothing can be put inside it",
                    hint="give the folder another name and bring the file back, in the store's folder: "
                    f"mv {typed(name_here)} {typed(name_here.removesuffix('.md') + '-folder')} && "
                    f"git checkout HEAD -- {typed(name_here)}",
                )
            new = _splice(objects, there[1].hex() if there else NO_TREE, change, full, moved)
            changes[name] = (b"40000", bytes.fromhex(new)) if new != NO_TREE else None
        elif change[0] is not None:
            if folder:
                raise BadName(f"{decode(full)} is a folder in the last commit")
            changes[name] = (b"%o" % change[0][0], bytes.fromhex(change[0][1]))
        elif not folder:
            changes[name] = None
    after = _changed(raw, entries, changes)
    new = objects.add("tree", after) if after or not where else NO_TREE
    moved[where] = (tree, new)
    return new


def _changed(raw: bytes, entries: Entries | None, changes: Mapping[bytes, tuple[bytes, bytes] | None]) -> bytes:
    """A tree's bytes with some entries put in, replaced or (None) taken out."""
    if entries is None:
        for name, entry in changes.items():
            raw = _put(raw, name, entry)
        return raw
    for name, entry in changes.items():
        if entry is None:
            entries.pop(name, None)
        else:
            entries[name] = entry
    return build(entries)


def _put(raw: bytes, name: bytes, entry: tuple[bytes, bytes] | None) -> bytes:
    """One entry put in its place, every other byte kept; far less work than building a large tree anew."""
    new = b"%s %s\0%s" % (entry[0], name, entry[1]) if entry else b""
    try:
        found = _find(raw, name)
        if found is None:
            place = _place(raw, name + b"/" if entry and is_folder(entry[0]) else name)
            return raw[:place] + new + raw[place:]
    except ValueError as error:
        raise _cut_short() from error
    start, nul = found
    return raw[:start] + new + raw[nul + 21 :]


def shared_start(one: bytes, other: bytes) -> int:
    """Number of bytes both begin with, by halving: comparing is fast, stepping is not."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def encode(path: str) -> bytes:
    """A path as git stores it: UTF-8; undecodable bytes of the file system pass through."""
    return path.encode("utf-8", "surrogateescape")


def decode(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
