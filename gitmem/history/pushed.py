"""What a push would bring: every version of a file in the commits the other side does not have.

Also for a server's hook, where git keeps the objects of a push apart until they are taken in.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.dataclass import dataclass
from gitmem.errors import RepositoryDamaged
from gitmem.history.commit import Commit
from gitmem.history.config import read_config
from gitmem.history.objects import Objects
from gitmem.history.refs import packed_refs, read_ref
from gitmem.history.repo import Repo
from gitmem.history.staged import Coming
from gitmem.history.tree import FOLDER, MODULE, decode, is_folder, parse, tree_files
from gitmem.store.gitdir import GitDir

SLOP = 5  # commits walked on after the last new one: clocks of two machines differ


@dataclass(frozen=True, slots=True)
class Sent:
    """One version of a file that a push brings: the commit, the path, its blob, and the blobs of the parents there."""

    commit: str
    path: str
    blob: str
    before: tuple[str, ...]


class Incoming(Objects):
    """The objects of a push that a server has not taken in yet: git keeps them apart from its own until then."""

    __slots__ = ("others",)

    def __init__(self, folders: Sequence[str]) -> None:
        super().__init__(folders[0])
        self.others = [Objects(folder) for folder in folders[1:]]

    def close(self) -> None:
        super().close()
        for each in self.others:
            each.close()

    def _find(self, name: str) -> tuple[str, bytes]:
        for each in (self, *self.others):
            found = each._loose(name) or each._packed(name)
            if found is not None:
                return found
        raise self.missing(name)


def receiving(git_dir: str, environ: Mapping[str, str]) -> Repo:
    """The repository a server's hook runs in, bare or not, with what is being pushed."""
    git_dir = os.path.abspath(git_dir)
    repo = Repo(git_dir, GitDir(git_dir, git_dir), read_config(os.path.join(git_dir, "config")))
    own = os.path.join(git_dir, "objects")
    first = environ.get("GIT_OBJECT_DIRECTORY", "")
    more = [each for each in environ.get("GIT_ALTERNATE_OBJECT_DIRECTORIES", "").split(os.pathsep) if each]
    folders = [os.path.join(git_dir, each) for each in (first, *more) if each]
    repo.objects = Incoming(list(dict.fromkeys([*folders, own])))
    return repo


def tips(git: GitDir, before: str = "refs/") -> list[str]:
    """The ids of every ref whose name begins with ``before``."""
    found = {ref: name for ref, name in packed_refs(git).items() if ref.startswith(before)}
    for folder, _, files in os.walk(os.path.join(git.common, *before.rstrip("/").split("/"))):
        for file in files:
            ref = os.path.relpath(os.path.join(folder, file), git.common).replace(os.sep, "/")
            if not file.endswith(".lock") and (name := read_ref(git, ref)):
                found[ref] = name
    return sorted(set(found.values()))


def sent(repo: Repo, new: str, known: Iterable[str]) -> Iterator[Sent]:
    """Every version of a file in the commits that ``new`` has and none of ``known`` has, oldest commit first.

    new, known: ids of commits or of tags on them; what is not in this repository counts as unknown
    """
    start = peeled(repo, new)
    for commit in _new_commits(repo, start, [each for name in known if (each := peeled(repo, name))]) if start else ():
        parents = [_tree(repo, parent) for parent in commit.parents]
        for path, blob, before in _touched(repo.objects, commit.tree, parents, b""):
            yield Sent(commit.id, decode(path), blob, before)


def between(repo: Repo, old: str, new: str) -> list[Coming]:
    """Every path that differs between two commits, as ``staged`` tells it; "" for old is nothing."""
    before = tree_files(repo, peeled(repo, old) if old else "")
    now = tree_files(repo, new)
    gone = {blob for path, (_, blob) in before.items() if path not in now}
    found = []
    for path in sorted(now.keys() | before.keys()):
        if now.get(path) != before.get(path):
            mode, blob = now.get(path, (0, ""))
            old = before[path][1] if path in before else blob if blob in gone else ""
            found.append(Coming(path, mode, blob, old))
    return found


def peeled(repo: Repo, name: str) -> str:
    """The commit an id stands for, "" when it is not here or is none."""
    try:
        for _ in range(5):
            kind, data = repo.objects.read_any(name)
            if kind == "commit":
                return name
            if kind != "tag":
                return ""
            name = data[7:47].decode("latin-1")
    except RepositoryDamaged:
        pass
    return ""


def _tree(repo: Repo, name: str) -> str:
    """The tree of a commit, "" for one beyond a shallow clone's end."""
    try:
        return repo.commit(name).tree
    except RepositoryDamaged:
        return ""


def _new_commits(repo: Repo, new: str, known: Sequence[str]) -> list[Commit]:
    """As ``git rev-list new --not known``: newest first through both, until only known ones are left."""
    is_known = {**dict.fromkeys([new], False), **dict.fromkeys(known, True)}
    waiting = [(-repo.commit(name).when, name) for name in is_known]
    heapq.heapify(waiting)
    found: list[Commit] = []
    slop = SLOP
    while waiting and slop:
        name = heapq.heappop(waiting)[1]
        commit = repo.commit(name)
        if not is_known[name]:
            found.append(commit)
        for parent in commit.parents:
            if parent not in is_known and _tree(repo, parent):
                heapq.heappush(waiting, (-repo.commit(parent).when, parent))
                is_known[parent] = is_known[name]
            elif is_known[name] and not is_known.get(parent, True):
                is_known[parent] = True
                heapq.heappush(waiting, (-repo.commit(parent).when, parent))
        slop = SLOP if any(not is_known[name] for _, name in waiting) else slop - 1
    return [commit for commit in reversed(found) if not is_known[commit.id]]


def _touched(
    objects: Objects, tree: str, parents: Sequence[str], folder: bytes
) -> Iterator[tuple[bytes, str, tuple[str, ...]]]:
    """Path, blob and the parents' blobs of every file that no parent has just so."""
    if not tree or tree in parents:
        return
    old = [parse(objects.read(each, "tree")) if each else {} for each in parents]
    for name, entry in parse(objects.read(tree, "tree")).items():
        theirs = [each.get(name) for each in old]
        if entry in theirs:
            continue
        if is_folder(entry[0]):
            below = [each[1].hex() if each and is_folder(each[0]) else "" for each in theirs]
            yield from _touched(objects, entry[1].hex(), below, folder + name + b"/")
        elif int(entry[0], 8) not in (MODULE, FOLDER):
            yield folder + name, entry[1].hex(), tuple(each[1].hex() for each in theirs if each)
