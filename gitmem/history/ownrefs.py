"""gitmem's own refs, ``refs/gitmem/...``: listed, made and deleted so that a kill leaves no lock behind.

A move is made under git's own lock of the ref, so ``git pack-refs`` and ``git gc`` may run beside it.  The locks are
named in the journal before they are taken: the next writer removes what a killed one left.
"""

from __future__ import annotations

import os

from gitmem.errors import RepositoryDamaged
from gitmem.history.hold import GcGuard, LockFile
from gitmem.history.journal import Inflight, forget_inflight, load_inflight
from gitmem.history.objects import remove
from gitmem.history.refs import packed_refs, read_ref, ref_path
from gitmem.history.sync import sync_all, sync_folder
from gitmem.history.view import Moved
from gitmem.store.paths import GC_PID, OWN_REFS, state, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.history.repo import Repo
    from gitmem.store.gitdir import GitDir

TEMP = "tmp-lock-ref-"


class RefMove:
    """One ref that is made, moved or deleted.

    old: the id it must have now, "" when it must not be there
    new: the id it gets, "" to delete it
    """

    __slots__ = ("new", "old", "ref")

    def __init__(self, ref: str, old: str, new: str) -> None:
        self.ref, self.old, self.new = ref, old, new


class RefLocks:
    """The locks of some refs, to be taken, and the moves then made one by one.

    folder: where the locks are prepared, inside the repository's gitmem folder
    """

    def __init__(self, git: GitDir, moves: Sequence[RefMove], folder: str) -> None:
        self.git, self.moves = git, moves
        self.locks = [
            LockFile(ref_path(git, move.ref), os.path.join(folder, f"{TEMP}{number}"))
            for number, move in enumerate(moves)
        ]
        packed = os.path.join(git.common, "packed-refs")
        self._gone = {move.ref for move in moves if not move.new}
        # always with a deletion, as git does: else a pack-refs that runs beside would bring the ref back
        self._packed = LockFile(packed, os.path.join(folder, f"{TEMP}packed")) if self._gone else None
        for lock, move in zip(self.locks, moves, strict=True):
            if move.new:
                lock.write(move.new.encode() + b"\n")

    def every(self) -> list[LockFile]:
        return [*self.locks, *([self._packed] if self._packed else [])]

    def take(self) -> None:
        """Take them all.

        raises: RepositoryBusy; RepositoryDamaged for a ref that stands where a folder is wanted; Moved when a ref is
                not where it was seen
        """
        for move in self.moves:
            if move.new and not move.old:
                check_room(self.git, move.ref)
        for lock in self.every():
            lock.take()
        for move in self.moves:
            if read_ref(self.git, move.ref) != move.old:
                raise Moved

    def make(self) -> None:
        """Put the refs that are made or moved in place."""
        for lock, move in zip(self.locks, self.moves, strict=True):
            if move.new:
                clear_folder(lock.path)
                lock.publish()
                sync_folder(os.path.dirname(lock.path))

    def drop(self) -> None:
        """Take the refs that are deleted away, out of ``packed-refs`` first, as git does."""
        if self._packed is not None and not self._gone.isdisjoint(packed_refs(self.git)):
            for piece in without(self._packed.path, self._gone):
                self._packed.write(piece)
            self._packed.sync()
            self._packed.publish()
        for lock, move in zip(self.locks, self.moves, strict=True):
            if not move.new:
                remove(lock.path)
                remove(os.path.join(self.git.common, "logs", *move.ref.split("/")))
                lock.release()

    def let_go(self) -> None:
        for lock in self.every():
            lock.release()

    def clean(self) -> None:
        for lock in self.every():
            remove(lock.temp)


def without(path: str, refs: set[str]) -> Iterable[bytes]:
    """The lines of a ``packed-refs`` file but those of ``refs`` and of the tags peeled below them."""
    with open(path, "rb") as file:
        lines = file.read().splitlines(keepends=True)
    dropped = False
    for line in lines:
        if not line.startswith(b"^"):
            dropped = line.rstrip(b"\n").partition(b" ")[2].decode("utf-8", "surrogateescape") in refs
        if not dropped:
            yield line


def check_room(git: GitDir, ref: str) -> None:
    """raises: RepositoryDamaged when a ref stands where ``ref`` needs a folder, or refs stand below it"""
    parts = ref.split("/")
    above = ["/".join(parts[:depth]) for depth in range(3, len(parts))]
    packed = packed_refs(git)
    there = next((each for each in above if each in packed or os.path.isfile(ref_path(git, each))), "")
    there = there or next(iter(own_refs(git, ref + "/")), "")
    if there:
        raise RepositoryDamaged(
            f"the ref {there} stands in the way of {ref}; nothing was written", hint=f"git update-ref -d {typed(there)}"
        )


def clear_folder(path: str) -> None:
    """Remove a folder of empty folders where a ref is to stand, as git does; refs that went leave such."""
    if os.path.isdir(path):
        for folder, _, _ in os.walk(path, topdown=False):
            os.rmdir(folder)


def own_refs(git: GitDir, prefix: str = OWN_REFS) -> dict[str, str]:
    """gitmem's refs, sorted: name -> id.

    prefix: ends with a slash, such as ``refs/gitmem/conflicts/``
    """
    found = {ref: name for ref, name in packed_refs(git).items() if ref.startswith(prefix)}
    top = ref_path(git, prefix.rstrip("/"))
    for folder, _, files in os.walk(top):
        below = os.path.relpath(folder, top).replace(os.sep, "/")
        for file in files:
            ref = prefix + (file if below == "." else f"{below}/{file}")
            if not file.endswith(".lock"):
                found[ref] = read_ref(git, ref)
    return {ref: found[ref] for ref in sorted(found) if found[ref]}


def move_refs(repo: Repo, moves: Sequence[RefMove]) -> None:
    """Make ``moves``, after writing the objects that were added; the caller holds the writer lock.

    raises: Moved when a ref is not where it was seen, RepositoryBusy, OSError; then none is moved
    """
    git = repo.git
    folder = state(git.path)
    os.makedirs(folder, exist_ok=True)
    with GcGuard(git.common, os.path.join(state(git.common), GC_PID)):
        locks = RefLocks(git, moves, folder)
        under_way = load_inflight(git.path)  # of a write that is being completed, or that holds git's index lock
        ref, commit = repo.head()
        journal = under_way or Inflight(ref, commit, commit)
        held = journal.locks
        try:
            sync_all([*repo.objects.write(), *(lock.fd for lock in locks.locks)])
            repo.objects.finish()
            _name(journal, held, locks, git)
            locks.take()
            _name(journal, held, locks, git)  # where there are no hard links a lock is another file than the prepared
            locks.make()
            repo.objects.verify()
            locks.drop()
        finally:
            locks.let_go()
            if under_way is None:
                forget_inflight(git.path)
            else:
                journal.locks = held
                journal.save(git.path)
            locks.clean()
            repo.objects.forget()


def _name(journal: Inflight, held: list[tuple[int, str]], locks: RefLocks, git: GitDir) -> None:
    """Note in the journal which locks are ours, unless it says so already."""
    named = held + [(lock.inode, lock.lock) for lock in locks.every()]
    if journal.locks != named:
        journal.locks = named
        journal.save(git.path)
