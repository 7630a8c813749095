"""Where a memory stood in history: every path it ever had, and which versions there were its own.

A version is a path and a blob.  Two versions belong together when one commit turned the one into the other: by an
edit, by a rename to the letter, by moving it into the archive or back, or by its id where another memory took its
path.  So a name that was given anew is told apart from the memory that had it before.
"""

from __future__ import annotations

from gitmem.errors import RepositoryDamaged
from gitmem.history.rewrite_trees import differences
from gitmem.history.tree import decode
from gitmem.memory.name import is_reserved
from gitmem.memory.own_id import own_id
from gitmem.store.paths import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from gitmem.history.repo import Repo

Version = tuple[bytes, bytes]  # path as git stores it, blob id as 20 bytes
Forget = dict[bytes, set[bytes]]  # path -> blobs that are to go from there

ARCHIVED = ARCHIVE.encode() + b"/"
SUFFIX = b".md"


class Past:
    """What the commits seen so far hold.

    order:   commits, parents first
    parents: commit -> its parents; trees: commit -> its tree
    brought: version -> the commits that put it where it is
    missing: commits that are named and not there, as a shallow or pruned history leaves them
    """

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.order: list[str] = []
        self.parents: dict[str, tuple[str, ...]] = {}
        self.trees: dict[str, str] = {}
        self.brought: dict[Version, list[str]] = {}
        self.missing: set[str] = set()
        self._joined: dict[Version, Version] = {}

    def see(self, tips: Iterable[str], progress: Callable[[int, int], None] | None = None) -> None:
        """Look at every commit that can be reached from ``tips`` and was not seen yet.

        progress: called with the number of commits looked at, and of those there are
        raises:   RepositoryDamaged for a tree that is not there
        """
        new = self._new(tips)
        for number, name in enumerate(new, 1):
            self._take(name)
            if progress is not None and (not number % 100 or number == len(new)):
                progress(number, len(new))

    def _new(self, tips: Iterable[str]) -> list[str]:
        """The commits not seen yet, parents first."""
        found: list[str] = []
        todo = [(tip, False) for tip in tips]
        while todo:
            name, is_done = todo.pop()
            if is_done:
                found.append(name)
            elif name not in self.parents and name not in self.missing and self._read(name):
                todo.append((name, True))
                todo.extend((parent, False) for parent in self.parents[name])
        self.order += found
        return found

    def _read(self, name: str) -> bool:
        try:
            kind, raw = self.repo.objects.read_any(name)
        except RepositoryDamaged:
            kind, raw = "", b""
        if kind != "commit":
            self.missing.add(name)
            return False
        parents, at = [], 46  # behind the line of the tree
        while raw[at : at + 7] == b"parent ":
            parents.append(raw[at + 7 : at + 47].decode("latin-1"))
            at += 48
        self.trees[name], self.parents[name] = raw[5:45].decode("latin-1"), tuple(parents)
        return True

    def _take(self, name: str) -> None:
        """Note what the commit brought, and which versions it joins; a merge is compared with each parent."""
        objects, after = self.repo.objects, self.trees[name]
        parents = [self.trees[parent] for parent in self.parents[name] if parent in self.trees] or [""]
        for number, before in enumerate(parents):
            gone: dict[bytes, bytes] = {}
            come: dict[bytes, bytes] = {}
            same: dict[bytes, tuple[bytes, bytes]] = {}
            for path, old, new in differences(objects, before, after):
                if new is not None and not number:
                    self.brought.setdefault((path, new), []).append(name)
                if old is not None and new is not None:
                    same[path] = old, new
                elif old is not None:
                    gone[path] = old
                elif new is not None:
                    come[path] = new
            apart = self._exchange(same, gone, come)
            for path, (one, two) in same.items():
                if path not in apart:
                    self.join((path, one), (path, two))
            if gone and come:
                self._follow(gone, come)

    def _exchange(
        self, same: Mapping[bytes, tuple[bytes, bytes]], gone: Mapping[bytes, bytes], come: Mapping[bytes, bytes]
    ) -> set[bytes]:
        """Join by id what moved while another memory took its path; the paths that two memories had so."""
        kept = [path for path in same if path.lower().endswith(SUFFIX) and not is_reserved(decode(path))]
        if not kept or len(kept) + len(gone) + len(come) < 2:
            return set()
        others = [path for path in kept if len({_id_of(self.repo, (path, blob)) for blob in same[path]}) > 1]
        if not others:
            return set()
        olds, news = (
            {name: each for each in versions if (name := _id_of(self.repo, each))}
            for versions in (
                [*gone.items(), *((path, same[path][0]) for path in others)],
                [*come.items(), *((path, same[path][1]) for path in others)],
            )
        )
        apart: set[bytes] = set()
        for name in olds.keys() & news.keys():
            if paths := {olds[name][0], news[name][0]}.intersection(others):
                self.join(olds[name], news[name])
                apart |= paths
        return apart

    def _follow(self, gone: Mapping[bytes, bytes], come: Mapping[bytes, bytes]) -> None:
        """Join what left one path with what came to another: moved as it was, or archived, or restored."""
        left: dict[bytes, list[bytes]] = {}
        for path, blob in gone.items():
            left.setdefault(blob, []).append(path)
        for path, blob in come.items():
            twin = path.removeprefix(ARCHIVED) if path.startswith(ARCHIVED) else ARCHIVED + path
            if twin in gone:
                self.join((twin, gone[twin]), (path, blob))
            elif same := left.get(blob):
                name = path.rpartition(b"/")[2]
                best = next((other for other in same if other.rpartition(b"/")[2] == name), same[0])
                self.join((best, blob), (path, blob))

    def join(self, one: Version, two: Version) -> None:
        """Say that two versions are of one memory."""
        self._joined[self.kin(one)] = self.kin(two)

    def kin(self, version: Version) -> Version:
        """The version that stands for all that belong together with this one."""
        joined = self._joined
        top = version
        while (above := joined.get(top, top)) != top:
            top = above
        while version != top:
            joined[version], version = top, joined.get(version, version)
        return top

    def paths(self) -> Iterator[str]:
        """Every path there ever was, each once."""
        yield from sorted({path.decode("utf-8", "surrogateescape") for path, _ in self.brought})

    def reached_by(self, commits: Iterable[str]) -> set[str]:
        """The commits from which one of ``commits`` can be reached, themselves included."""
        found = set(commits)
        for name in self.order:
            if name not in found and any(parent in found for parent in self.parents[name]):
                found.add(name)
        return found

    def related(self, tips: Iterable[str]) -> set[str]:
        """The commits that share history with one of ``tips``: all but those of a branch that began on its own."""
        below: dict[str, list[str]] = {}
        for name, parents in self.parents.items():
            for parent in parents:
                below.setdefault(parent, []).append(name)
        found: set[str] = set()
        todo = list(tips)
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += [*self.parents.get(name, ()), *below.get(name, ())]
        return found


class Choice:
    """What is to be forgotten of one memory.

    forget: path -> the blobs that are to go from there
    lives:  paths under which a memory that was once called so lives on; it is left alone
    """

    def __init__(self) -> None:
        self.forget: Forget = {}
        self.lives: list[str] = []

    def add(self, version: Version) -> None:
        self.forget.setdefault(version[0], set()).add(version[1])

    @property
    def paths(self) -> list[str]:
        return sorted(path.decode("utf-8", "surrogateescape") for path in self.forget)

    @property
    def blobs(self) -> set[bytes]:
        return {blob for blobs in self.forget.values() for blob in blobs}


def choose(past: Past, path: str, living: Mapping[str, str], near: set[str]) -> Choice:
    """The versions of the memory at ``path``, under all the paths it ever had.

    living: path -> blob id of the files there were at HEAD before anything was taken away
    near:   commits whose ``path`` is meant; when none has it, any commit's
    """
    wanted = path.encode("utf-8", "surrogateescape")
    there = [version for version in past.brought if version[0] == wanted]
    meant = [version for version in there if not near.isdisjoint(past.brought[version])] or there
    if path in living:  # as HEAD has it: chosen even when it also stands elsewhere
        meant = list(dict.fromkeys([*meant, (wanted, bytes.fromhex(living[path]))]))
    _join_by_id(past, meant, living)
    tops = {past.kin(version) for version in meant}
    kin = [version for version in past.brought if past.kin(version) in tops]
    choice = Choice()
    alive: dict[Version, set[str]] = {}
    for place, blob in kin:
        name = place.decode("utf-8", "surrogateescape")
        if living.get(name) == blob.hex():
            alive.setdefault(past.kin((place, blob)), set()).add(name)
    for place, blob in kin:
        others = {each for each in alive.get(past.kin((place, blob)), ()) if each != path and not _is_archived(each)}
        is_here = path in alive.get(past.kin((place, blob)), ())
        if others and (not is_here or place.decode("utf-8", "surrogateescape") in others):
            choice.lives = sorted({*choice.lives, *others})
        else:
            choice.add((place, blob))
    return choice


def _is_archived(path: str) -> bool:
    return path.startswith(ARCHIVE + "/")


def _join_by_id(past: Past, meant: list[Version], living: Mapping[str, str]) -> None:
    """Join versions that carry the same ``metadata.id`` under a path that is no more: a rename with an edit in it."""
    ids = {found for version in meant if (found := _id_of(past.repo, version))}
    if not ids:
        return
    marks = [each.encode("utf-8", "surrogateescape") for each in ids]
    for version in list(past.brought):
        path = version[0]
        is_living = path.decode("utf-8", "surrogateescape") in living and not path.startswith(ARCHIVED)
        if is_living or not path.lower().endswith(SUFFIX) or path == meant[0][0]:
            continue
        data = bytes_of(past.repo, version[1])
        if any(mark in data for mark in marks) and _id_of(past.repo, version) in ids:
            past.join(version, meant[0])


def _id_of(repo: Repo, version: Version) -> str:
    """The id a version carries, "" for none."""
    return own_id(decode(version[0]), bytes_of(repo, version[1]))


def bytes_of(repo: Repo, blob: bytes) -> bytes:
    """What a blob holds; nothing when git does not have it, as in a partial clone."""
    try:
        return repo.objects.read(blob.hex(), "blob")
    except RepositoryDamaged:
        return b""


def commits_of(repo: Repo, names: Iterable[str]) -> list[str]:
    """The commits behind ``names``, which may be tags; what leads to no commit is left out.

    raises: RepositoryDamaged for an object that is not there
    """
    found: dict[str, None] = {}
    for name in names:
        kind, raw = repo.objects.read_any(name)
        while kind == "tag":
            name = raw[7:47].decode("latin-1")
            kind, raw = repo.objects.read_any(name)
        if kind == "commit":
            found[name] = None
    return list(found)
