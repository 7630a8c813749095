"""The objects of some commits that another repository lacks: found by comparing each tree with those of its parents.

Listing everything the other side has instead cost 7 s at 100,000 memories (dulwich's own way).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gitmem.errors import RepositoryDamaged
from gitmem.history.bases import only
from gitmem.history.objects import Objects
from gitmem.history.repo import Repo
from gitmem.history.tree import MODULE, is_folder, parse

Made = tuple[str, str, bytes]  # id, kind, bytes


def missing_objects(repo: Repo, wanted: Iterable[str], known: Iterable[str]) -> Iterator[Made]:
    """Every object that ``wanted`` has and ``known`` has not, each once: blobs and trees before their commits.

    wanted, known: ids of commits in ``repo``; known ones that are not there count as nothing
    """
    done: set[str] = set()
    for name in only(repo, wanted, known):
        commit = repo.commit(name)
        parents = [tree for parent in commit.parents if (tree := _tree(repo, parent))]
        yield from _below(repo.objects, commit.tree, parents, done)
        yield name, "commit", repo.objects.read(name, "commit")


def _below(objects: Objects, tree: str, parents: list[str], done: set[str]) -> Iterator[Made]:
    if tree in parents or tree in done:
        return
    done.add(tree)
    raw = objects.read(tree, "tree")
    olds = [parse(objects.read(parent, "tree")) for parent in parents]
    for name, entry in parse(raw).items():
        theirs = [old[name] for old in olds if name in old]
        child = entry[1].hex()
        if entry in theirs or int(entry[0], 8) == MODULE:
            continue
        if is_folder(entry[0]):
            yield from _below(objects, child, [each[1].hex() for each in theirs if is_folder(each[0])], done)
        elif child not in done:
            done.add(child)
            yield child, "blob", objects.read(child, "blob")
    yield tree, "tree", raw


def _tree(repo: Repo, commit: str) -> str:
    try:
        return repo.commit(commit).tree
    except RepositoryDamaged:
        return ""
