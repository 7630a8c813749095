"""What the next commit would change: git's index against HEAD.

Read from git's index and the object database, never from the disk; paths are bytes until the last, so no name is
too odd.  ``stale`` tells entries that another program's index set back, before a person commits them.
"""

from __future__ import annotations

import os

from gitmem.errors import GitmemError, RepositoryBusy, RepositoryDamaged
from gitmem.history.cachedtree import CachedTree
from gitmem.history.gitindex import HEAD_BYTES, CannotPatch, GitIndex, read_index
from gitmem.history.indexentry import EXTENDED, FIXED, STAGE, TO_ADD
from gitmem.history.objects import Objects, object_id
from gitmem.history.repo import Repo
from gitmem.history.tree import FILES, FOLDER, decode, encode, is_folder, parse, tree_get

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from gitmem.history.view import View

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
MERGE_MARK = "GITHEAD_"  # git merge tells its hooks the commits it merges in names of the environment

ENTRY_BYTES = 256  # more than most entries of an index have

Tree = dict[bytes, tuple[int, str]]  # path -> mode, blob id


class Coming:
    """One path that the next commit changes.

    mode, blob: as it will be; 0 and "" when it is taken out
    old:        the blob it replaces, "" for a new path; of a file that was only renamed, its own
    """

    __slots__ = ("blob", "mode", "old", "path")

    def __init__(self, path: str, mode: int, blob: str, old: str) -> None:
        self.path, self.mode, self.blob, self.old = path, mode, blob, old


def index_path(repo: Repo, environ: Mapping[str, str]) -> str:
    """The index git would commit: the one it names to its hooks, else the repository's own."""
    named = environ.get("GIT_INDEX_FILE", "")
    return os.path.join(repo.root, named) if named else os.path.join(repo.git.path, "index")


def staged(repo: Repo, environ: Mapping[str, str]) -> list[Coming]:
    """Every path that differs between git's index and HEAD, by path.

    In a merge, what one of the merged commits has just so is left out: it is committed there.
    raises: RepositoryDamaged; RepositoryBusy for an index only git's own program can read, when that is missing
    """
    now, before = _difference(repo, environ)
    changed = [path for path in now.keys() | before.keys() if now.get(path) != before.get(path)]
    gone = {before[path][1] for path in changed if path in before and path not in now}
    merged = [dict(_files(repo.objects, repo.commit(name).tree)) for name in _merged(repo, environ)]
    found = []
    for path in sorted(changed):
        mode, blob = now.get(path, (0, ""))
        old = before[path][1] if path in before else blob if blob in gone else ""
        if not any(each.get(path) == now.get(path) for each in merged):
            found.append(Coming(decode(path), mode, blob, old))
    return found


def staged_paths(repo: Repo, environ: Mapping[str, str]) -> list[str]:
    """Every path in git's index; HEAD's when only git's own program can read it."""
    try:
        return list(map(decode, _entries(read_index(index_path(repo, environ)), {})))
    except CannotPatch:
        return [decode(path) for path, _ in _files(repo.objects, _tree_of(repo, repo.head()[1]))]


def staged_names(repo: Repo, environ: Mapping[str, str]) -> Callable[[str], list[str]]:
    """A look-up of the files and folders that git's index holds in one folder ("" is the top)."""
    try:
        index = read_index(index_path(repo, environ))
    except CannotPatch:
        return lambda folder: tree_names(repo, repo.head()[1], folder)

    counts = _counts(index.trees) if index.trees is not None else {}

    def names(folder: str) -> list[str]:
        found: list[str] = []
        before = encode(folder) + b"/" if folder else b""
        at, stop = (index.find(before)[0], index.find(before[:-1] + b"0")[0]) if folder else (HEAD_BYTES, index.end)
        while at < stop:
            for start, _, path in _rows(index, at, stop):
                name, inside, _ = path[len(before) :].partition(b"/")
                at = start
                if inside:
                    found.append(decode(name))
                    inner = before + name + inside
                    at = _past(index, at, inner, counts.get(inner, 0))
                    break
                found.append(decode(name))
            else:
                break
        return found

    return names


def tree_names(repo: Repo, commit: str, folder: str) -> list[str]:
    """The files and folders that a commit holds in one folder."""
    tree = _tree_of(repo, commit)
    found = tree_get(repo.objects, tree, folder) if tree and folder else (FOLDER, tree)
    if found is None or found[0] != FOLDER or not found[1]:
        return []
    return list(map(decode, parse(repo.objects.read(found[1], "tree"))))


def _difference(repo: Repo, environ: Mapping[str, str]) -> tuple[Tree, Tree]:
    """What index and HEAD hold where they may differ.

    Packed objects cost a cold process 50 ms to read, and every commit waits for that: then git's own program is
    asked, which is there whenever git runs a hook.
    """
    head = repo.head()[1]
    if head and not os.path.exists(repo.objects.loose_path(head)):
        told = _told_by_git(repo, head, environ)
        if told is not None:
            return told
    tree = _tree_of(repo, head)
    try:
        return _both(repo.objects, read_index(index_path(repo, environ)), tree)
    except CannotPatch as error:
        told = _told_by_git(repo, head or EMPTY_TREE, environ)
        if told is None:
            raise RepositoryBusy(
                f"git's index in {repo.root} is of a kind only git itself can read ({error}), and git did not",
                hint="git update-index --index-version 2 --no-split-index",
            ) from error
        return told


def _tree_of(repo: Repo, commit: str) -> str:
    return repo.commit(commit).tree if commit else ""


def _both(objects: Objects, index: GitIndex, tree: str) -> tuple[Tree, Tree]:
    """What index and HEAD hold in the folders that may differ: git notes the tree of each folder it knows unchanged."""
    same: dict[bytes, int] = {}
    if index.trees is not None and tree:
        _note_same(objects, index.trees, tree, b"", same)
    if b"" in same:
        return {}, {}
    try:
        return _entries(index, same), dict(_files(objects, tree, b"", same))
    except ValueError as error:
        raise RepositoryDamaged("git's index is damaged", hint="rm .git/index && git reset") from error


def _note_same(objects: Objects, node: CachedTree, tree: str, folder: bytes, same: dict[bytes, int]) -> None:
    """Note the folders that are as in ``tree``, and how many entries each has in the index."""
    if node.count >= 0 and node.id == tree:
        same[folder] = node.count
    if folder in same or not node.below:
        return
    entries = parse(objects.read(tree, "tree"))
    for name, below in node.below.items():
        mode, raw = entries.get(name, (b"", b""))
        if is_folder(mode):
            _note_same(objects, below, raw.hex(), folder + name + b"/", same)


def _counts(root: CachedTree) -> dict[bytes, int]:
    """Folder -> number of its entries, for every folder of which git's index tells it."""
    found: dict[bytes, int] = {}
    waiting = [(b"", root)]
    while waiting:
        folder, node = waiting.pop()
        if node.count >= 0:
            found[folder] = node.count
        waiting += [(folder + name + b"/", below) for name, below in node.below.items()]
    return found


def _entries(index: GitIndex, same: Mapping[bytes, int]) -> Tree:
    """Path -> mode and blob of every entry outside the folders ``same``; what is unmerged or only announced is none.

    same: folder -> number of its entries
    """
    found: Tree = {}
    data, at = index.data, HEAD_BYTES
    while at < index.end:
        last = b"/"
        for start, flags, path in _rows(index, at, index.end):
            at = start
            folder = path[: path.rfind(b"/") + 1]
            if folder != last:
                last, known = folder, _first_known(folder, same)
                if known:
                    at = _past(index, at, known, same[known])
                    break
            if flags & STAGE or (flags & EXTENDED and data[start + FIXED] << 8 & TO_ADD):
                continue
            found[path] = int.from_bytes(data[start + 24 : start + 28], "big"), data[start + 40 : start + 60].hex()
        else:
            break
    return found


def _first_known(folder: bytes, same: Collection[bytes]) -> bytes:
    """The folder of ``same`` that is ``folder`` or above it, b"" for none."""
    end = folder.find(b"/") + 1
    while end and folder[:end] not in same:
        end = folder.find(b"/", end) + 1
    return folder[:end]


def _past(index: GitIndex, at: int, folder: bytes, count: int) -> int:
    """The byte behind the entries below ``folder``; the first stands at ``at``, and there are ``count``, 0 for unknown.

    The last place where the folder's name stands is in its last entry; where that does not prove true, and where there
    is no telling how far to look, the place is found by halving, at ten times the cost.
    """
    start = index.data.rfind(folder, at, min(index.end, at + count * ENTRY_BYTES)) - FIXED
    last = index.entry(start) if start >= at and (start - HEAD_BYTES) % 8 == 0 else None
    if last is not None and last.path.startswith(folder):
        after = index.entry(last.stop)
        if last.stop == index.end or (after is not None and not after.path.startswith(folder)):
            return last.stop
    return index.find(folder[:-1] + b"0")[0]  # "0" comes just after "/"


def _rows(index: GitIndex, at: int, stop: int) -> Iterator[tuple[int, int, bytes]]:
    """Where each entry begins, its flags and its path; a quarter of what ``GitIndex.walk`` costs, which proves each."""
    data, find = index.data, index.data.index
    while at < stop:
        flags = data[at + 60] << 8 | data[at + 61]
        start = at + (FIXED + 2 if flags & EXTENDED else FIXED)
        end = find(b"\0", start)
        yield at, flags, data[start:end]
        at += (end - at + 8) & ~7


def _files(
    objects: Objects, tree: str, folder: bytes = b"", same: Collection[bytes] = ()
) -> Iterator[tuple[bytes, tuple[int, str]]]:
    if not tree or folder in same:
        return
    for name, (mode, raw) in parse(objects.read(tree, "tree")).items():
        if is_folder(mode):
            yield from _files(objects, raw.hex(), folder + name + b"/", same)
        else:
            yield folder + name, (int(mode, 8), raw.hex())


def _told_by_git(repo: Repo, commit: str, environ: Mapping[str, str]) -> tuple[Tree, Tree] | None:
    """The same as git's own program tells it; None when there is none, or it refuses."""
    import subprocess  # only a packed history or an index of a rare kind pays for it

    from gitmem.history.gitprogram import HARMLESS

    place = {"GIT_DIR": repo.git.path, "GIT_WORK_TREE": repo.root, "GIT_INDEX_FILE": index_path(repo, environ)}
    asked = ["diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules"]
    clean = {key: value for key, value in environ.items() if not key.startswith("GIT_") or "CONFIG" in key}
    words = ["git", *HARMLESS, *asked, commit, "--"]
    try:
        done = subprocess.run(words, capture_output=True, env={**clean, **place}, cwd=repo.root, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    now: Tree = {}
    before: Tree = {}
    told = iter(done.stdout.split(b"\0"))
    for row in told:
        if not row:
            break
        old_mode, mode, old, blob, kind = row[1:].split(b" ")
        path = next(told)
        if int(old_mode, 8):
            before[path] = int(old_mode, 8), old.decode()
        if int(mode, 8) and kind != b"U":
            now[path] = int(mode, 8), blob.decode()
    return now, before


def _merged(repo: Repo, environ: Mapping[str, str]) -> list[str]:
    """The commits that are being merged into HEAD, as git tells its hooks or notes in MERGE_HEAD."""
    names = [name[len(MERGE_MARK) :] for name in environ if name.startswith(MERGE_MARK)]
    try:
        with open(os.path.join(repo.git.path, "MERGE_HEAD"), encoding="ascii", errors="replace") as file:
            names += file.read().split()
    except OSError:
        pass
    return [name for name in dict.fromkeys(names) if len(name) == 40]


def stale(repo: Repo, coming: Sequence[Coming]) -> list[Coming]:
    """The changes that take back what HEAD has while the work file still holds it.

    git reads its index before it locks it, so an index from before another program's write may be committed after it,
    and that undoes the write.  A person who really reverts or deletes changes the work file too.
    """
    could_be = [each for each in coming if each.old and each.blob != each.old and each.mode in (0, *FILES)]
    if not could_be:
        return []
    from gitmem.history.view import look  # a commit of new files alone is spared it

    found = []
    for each in could_be:
        try:
            seen = look(repo.root, each.path)
        except GitmemError:
            continue
        if seen is not None and each.old in (object_id("blob", seen.data), _with_lf(seen.data)):
            found.append(each)
    return found


def _with_lf(data: bytes) -> str:
    return object_id("blob", data.replace(b"\r\n", b"\n")) if b"\r\n" in data else ""


def put_back(view: View, entries: Sequence[Coming], when: int) -> None:
    """Make the index entries of ``entries`` HEAD's again; the caller holds the writer lock.

    raises: RepositoryBusy, view.Moved
    """
    at_head = [(each.path, view.committed(each.path)) for each in entries]
    from gitmem.history.publish import publish  # the usual commit has nothing to put back

    repairs = [(path, found[0], found[1]) for path, found in at_head if found is not None]
    publish(view, [], view.people()[1], when, repairs)
