"""Rollback points: states a store can return to, each a commit under ``refs/gitmem/rollback/<id>``.

The commit's parent is the branch as it was, its tree that commit's with what was not committed yet put in.  A point is
made before every operation on many files; a protection point before a rollback itself.
"""

from __future__ import annotations

import time

from gitmem.errors import NotFound, Refused, RepositoryDamaged
from gitmem.history.commit import commit_bytes
from gitmem.history.dirty import dirty_memories
from gitmem.history.identity import gitmem_identity
from gitmem.history.message import message, one_line, parse_message
from gitmem.history.objects import object_id
from gitmem.history.ownrefs import RefMove, own_refs
from gitmem.history.refs import read_ref
from gitmem.history.tree import FILE, FOLDER, MODULE, parse, splice, tree_files, tree_get
from gitmem.memory.document import decode
from gitmem.memory.secret import added_spans
from gitmem.store.paths import ROLLBACK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.commit import Commit
    from gitmem.history.repo import Repo
    from gitmem.history.view import View

OUTSIDE = ("", ".", "..")  # names no git would check out
MAX_SHOWN = 80  # characters of a path in a sentence
POINT, PROTECTION = "point", "protection"
SHORT = 4  # digits of the commit in a point's id
MIN_PROTECTION = 3  # protection points that are kept however few others are wanted


class Point:
    """A rollback point: id, commit, what it was made before, and when (UTC unix seconds)."""

    __slots__ = ("commit", "id", "kind", "parent", "reason", "tree", "when")

    def __init__(self, name: str, commit: Commit) -> None:
        _, self.reason, trailers = parse_message(commit.message)
        self.id, self.commit, self.when, self.tree = name, commit.id, commit.when, commit.tree
        self.kind = trailers.get("Gitmem-Kind", POINT)
        self.parent = commit.parents[0] if commit.parents else ""

    @property
    def ref(self) -> str:
        return ROLLBACK + self.id


def new_point(view: View, kind: str, reason: str, when: int, keep: int) -> tuple[str, list[RefMove]]:
    """Add a point for the store as ``view`` sees it; its id, and the refs to move: the new one, and old ones that go.

    keep: number of points that stay, and of protection points, though never fewer of these than MIN_PROTECTION
    """
    repo = view.repo
    changes: dict[str, tuple[int, str] | None] = {}
    for path, data in dirty_memories(view).items():
        if data is not None and _adds_secret(view, path, data):
            continue  # git would keep it for ever; the person's own edit stays where it is
        blob = repo.objects.add("blob", data) if data is not None else ""
        there = tree_get(repo.objects, view.tree, path) if view.tree else None
        changes[path] = (there[0] if there else FILE, blob) if blob else None
    tree = splice(repo.objects, view.tree, changes)[0]
    text = message("rollback point", "", reason, {"Op": "rollback-point", "Kind": kind, "Actor": "gitmem"})
    parents = [view.head] if view.head else []
    commit = repo.objects.add("commit", commit_bytes(tree, parents, gitmem_identity(), view.people()[1], when, text))
    name, is_there = _free_name(repo, time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(when)), commit)
    if is_there:  # this very state, in this very second
        return name, []
    every = [point for point in points(repo) if point.kind == kind]
    left = max(0, (max(keep, MIN_PROTECTION) if kind == PROTECTION else max(keep, 1)) - 1)
    old = [RefMove(point.ref, point.commit, "") for point in every[: max(0, len(every) - left)]]
    return name, [RefMove(ROLLBACK + name, "", commit), *old]


def _free_name(repo: Repo, second: str, commit: str) -> tuple[str, bool]:
    """An id no other point has, and whether it is this commit's already."""
    for digits in range(SHORT, len(commit) + 1):
        name = f"{second}-{commit[:digits]}"
        holder = read_ref(repo.git, ROLLBACK + name)
        if holder in ("", commit):
            return name, bool(holder)
    raise ValueError(f"every name of {commit} is taken")


def _adds_secret(view: View, path: str, data: bytes) -> bool:
    committed = view.committed(path)
    before = view.repo.objects.read(committed[1], "blob") if committed else b""
    return bool(added_spans(decode(data, path)[0], [decode(before, path)[0]]))


def points(repo: Repo) -> list[Point]:
    """The rollback points there are, oldest first; what is none under that name is passed over."""
    return every_point(repo)[0]


def every_point(repo: Repo) -> tuple[list[Point], list[str]]:
    """The rollback points there are, oldest first, and the ids of those whose commit cannot be read."""
    found, damaged = [], []
    for ref, name in own_refs(repo.git, ROLLBACK).items():
        try:
            found.append(Point(ref.removeprefix(ROLLBACK), repo.commit(name)))
        except RepositoryDamaged:
            damaged.append(ref.removeprefix(ROLLBACK))
    return sorted(found, key=lambda point: (point.when, point.id)), damaged


def find_point(repo: Repo, name: str) -> Point:
    """The point whose id begins with ``name``, or whose commit does; raises NotFound, and Refused for a damaged one."""
    refs = own_refs(repo.git, ROLLBACK)
    asked = name.removeprefix(ROLLBACK)
    fits = [
        ref for ref, commit in refs.items()
        if asked and (ref.removeprefix(ROLLBACK).startswith(asked) or (len(asked) > 5 and commit.startswith(asked)))
    ]  # fmt: skip
    if len(fits) > 1:
        names = ", ".join(ref.removeprefix(ROLLBACK) for ref in fits)
        raise NotFound(f'"{name}" fits several rollback points: {names}', hint="gitmem rollback list")
    if not fits:
        raise NotFound(f'there is no rollback point "{name}"', hint="gitmem rollback list")
    try:
        return Point(fits[0].removeprefix(ROLLBACK), repo.commit(refs[fits[0]]))
    except RepositoryDamaged as error:
        raise Refused(
            f"rollback point {asked} is damaged: {error.message}; nothing was changed", hint="git fsck"
        ) from error


def files_of(repo: Repo, point: Point) -> dict[str, tuple[int, str]]:
    """Every file of the point: path -> (mode, blob id), once all of it is proven to be there as it was.

    raises: Refused when anything is missing or changed
    """
    try:
        if object_id("commit", repo.objects.read(point.commit, "commit")) != point.commit:
            raise RepositoryDamaged(f"its commit {point.commit[:10]} is not what it was")
        _check_tree(repo, point.tree)
        files = tree_files(repo, point.commit)
        for path, (mode, blob) in files.items():
            if any(part in OUTSIDE or part.lower() == ".git" for part in path.split("/")):
                raise RepositoryDamaged(f"its path {one_line(path, MAX_SHOWN)} leads out of the store")
            if mode not in (FOLDER, MODULE) and object_id("blob", repo.objects.read(blob, "blob")) != blob:
                raise RepositoryDamaged(f"{path} ({blob[:10]}) is not what it was")
    except RepositoryDamaged as error:
        raise Refused(
            f"rollback point {point.id} is damaged: {error.message}; nothing was changed", hint="git fsck"
        ) from error
    return files


def _check_tree(repo: Repo, tree: str) -> None:
    raw = repo.objects.read(tree, "tree")
    if object_id("tree", raw) != tree:
        raise RepositoryDamaged(f"folder {tree[:10]} is not what it was")
    for mode, name in parse(raw).values():
        if int(mode, 8) == FOLDER:
            _check_tree(repo, name.hex())
