"""Publish commits: objects, work files, index, reflogs and branch, so that git agrees at every moment.

Order (each step for a measured reason): objects are synced; git's locks are taken; what was seen is checked again;
work files change before the branch, so that a kill shows an edit and never an older file; the index changes before
the branch, since a branch that moves under a stale index makes a person's next commit revert every memory.
"""

from __future__ import annotations

import os

from gitmem.errors import RepositoryBusy
from gitmem.history.cachedtree import folders_of
from gitmem.history.changed import changed
from gitmem.history.commit import Commit, FileChange, Identity, Step, commit_bytes
from gitmem.history.config import is_true
from gitmem.history.convert import stored
from gitmem.history.gitindex import CannotPatch, index_key, patched
from gitmem.history.hold import GcGuard, LockFile, await_foreign_lock
from gitmem.history.indexentry import entry_bytes
from gitmem.history.journal import Inflight, Write, forget_inflight
from gitmem.history.objects import remove
from gitmem.history.place import Placed, PlacedLink, prune_folders
from gitmem.history.refs import append_log
from gitmem.history.sync import sync_all, sync_folder
from gitmem.history.tree import FILE, FOLDER, LINK, MODULE, PROGRAM, decode, encode, splice, tree_get
from gitmem.history.view import View
from gitmem.store.paths import GC_PID, join, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gitmem.history.cachedtree import Places
    from gitmem.history.ownrefs import RefLocks, RefMove
    from gitmem.history.repo import Repo


class Plan:
    """Everything that is to be published, worked out before any lock of git's is taken."""

    __slots__ = (
        "advances",
        "commits",
        "finals",
        "links",
        "moved",
        "programs",
        "refs",
        "repairs",
        "stats",
        "tree",
        "writes",
    )

    def __init__(self, tree: str) -> None:
        self.tree = tree
        self.commits: list[Commit] = []
        self.moved: dict[bytes, tuple[str, str]] = {}
        self.finals: dict[str, tuple[int, str] | None] = {}
        self.writes: list[Write] = []
        self.repairs: dict[str, tuple[int, str]] = {}
        self.refs: Sequence[RefMove] = ()
        self.advances = False  # to a commit that is there already
        self.links: dict[str, tuple[bytes | None, bytes | None]] = {}  # where a symbolic link points before and after
        self.programs: dict[str, bool] = {}  # files that become programs, or stop to be
        self.stats: dict[str, os.stat_result] = {}  # of work files that are committed as they are


def publish(
    view: View,
    steps: Sequence[Step],
    committer: Identity,
    when: int,
    repairs: Sequence[tuple[str, int, str]] = (),
    refs: Sequence[RefMove] = (),
) -> list[str]:
    """Make each step a commit on the branch, all of them visible at once; the caller holds the writer lock.

    view:    what the steps were worked out from; ``publish`` reads the work files it replaces through it
    repairs: (path, mode, blob) of index entries that another program set back, to be put right as well
    refs:    gitmem's own refs that are made before the branch moves, or deleted after it
    returns: ids of the commits; a step that changes nothing makes none
    raises:  Moved when the view is out of date: look again.  RepositoryBusy.  OSError; then nothing is published
    """
    repo = view.repo
    for step in steps:
        for change in step.changes:
            view.read(change.path)
    view.check()  # cheap, and spares objects nobody will need; the check that counts comes under git's locks
    with GcGuard(repo.git.common, os.path.join(state(repo.git.common), GC_PID)):
        try:
            plan = _plan(view, steps, committer, when)
            plan.repairs = {path: (mode, blob) for path, mode, blob in repairs if path not in plan.finals}
            plan.refs = refs
            if not plan.commits and not plan.repairs:
                return []
            Publication(view, plan, _last_data(steps)).run(committer, when)
        finally:
            repo.objects.forget()
    return [commit.id for commit in plan.commits]


def advance(view: View, target: str, committer: Identity, when: int, refs: Sequence[RefMove] = ()) -> None:
    """Move the branch to ``target``, a commit that has HEAD among its forebears, and the work files with it.

    The caller holds the writer lock and has seen to it that the work files ``target`` changes are as HEAD has them.
    raises: Moved, RepositoryBusy for a submodule that changes, OSError; then nothing is published
    """
    repo, commit = view.repo, view.repo.commit(target)
    plan = Plan(view.tree)
    plan.tree, plan.refs, plan.commits, plan.advances = commit.tree, refs, [commit], True
    data: dict[str, bytes | None] = {}
    for path, (before, after) in changed(repo.objects, view.tree, commit.tree).items():
        modes = {side[0] for side in (before, after) if side}
        if MODULE in modes or (LINK in modes and len(modes) > 1):
            raise RepositoryBusy(
                f"{path} is a submodule, or a link in place of a file, which gitmem leaves to git; nothing was written",
                hint=f"git merge {target[:10]}",
            )
        plan.finals[path] = after
        plan.writes.append(Write(path, before[1] if before else "", after[1] if after else ""))
        old, new = (repo.objects.read(side[1], "blob") if side else None for side in (before, after))
        if LINK in modes:
            plan.links[path] = (old, new)
        else:
            view.read(path)
            data[path] = new
            if after and PROGRAM in modes and (before is None or len(modes) > 1):
                plan.programs[path] = after[0] == PROGRAM
        for folder in folders_of(encode(path)):
            plan.moved.setdefault(folder, (_folder(repo, view.tree, folder), _folder(repo, commit.tree, folder)))
    view.check()
    with GcGuard(repo.git.common, os.path.join(state(repo.git.common), GC_PID)):
        Publication(view, plan, data).run(committer, when)


def _folder(repo: Repo, tree: str, folder: bytes) -> str:
    found = tree_get(repo.objects, tree, decode(folder)) if tree and folder else (FOLDER, tree)
    return found[1] if found and found[0] == FOLDER else ""


def _last_data(steps: Sequence[Step]) -> dict[str, bytes | None]:
    return {change.path: change.data for step in steps for change in step.changes}


def _plan(view: View, steps: Sequence[Step], committer: Identity, when: int) -> Plan:
    objects, plan, parent = view.repo.objects, Plan(view.tree), view.head
    for step in steps:
        changes: dict[str, tuple[int, str] | None] = {}
        for change in step.changes:
            changes[change.path] = _entry(view, change)
        tree, moved = splice(objects, plan.tree, changes)
        if tree == plan.tree and not step.always:
            continue
        for path, entry in changes.items():
            old = plan.finals[path] if path in plan.finals else view.committed(path)
            plan.writes.append(Write(path, old[1] if old else "", entry[1] if entry else ""))
        for folder, (before, after) in moved.items():
            plan.moved[folder] = (plan.moved.get(folder, (before, after))[0], after)
        plan.finals.update(changes)
        parents = [*([parent] if parent else []), *step.merged]
        raw = commit_bytes(tree, parents, step.author, committer, when, step.message)
        parent, plan.tree = objects.add("commit", raw), tree
        plan.commits.append(Commit(parent, raw))
    return plan


def _entry(view: View, change: FileChange) -> tuple[int, str] | None:
    """Mode and blob of a changed file: HEAD's mode, else what the work file says."""
    committed = view.committed(change.path)
    if change.data is None:
        return None
    if change.mode:
        return change.mode, view.repo.objects.add("blob", change.data)
    mode = PROGRAM if committed and committed[0] == PROGRAM else FILE
    seen = view.seen.get(change.path)
    if committed is None and seen and seen.mode & 0o100 and view.filemode:
        mode = PROGRAM
    return mode, view.repo.objects.add("blob", stored(view, change.path, change.data))


class Publication:
    """One run through git's locks; whatever goes wrong before the index is renamed is undone."""

    def __init__(self, view: View, plan: Plan, data: dict[str, bytes | None]) -> None:
        self.view, self.plan, self.data, self.repo = view, plan, data, view.repo
        git = self.repo.git
        self.folder = state(git.path)
        os.makedirs(self.folder, exist_ok=True)
        self.journal = Inflight(view.ref, view.head, plan.commits[-1].id if plan.commits else view.head)
        self.placed: dict[str, Placed | PlacedLink] = {}
        self.locks: list[LockFile] = []
        self.refs: RefLocks | None = None
        self.logged: list[tuple[str, int]] = []

    def run(self, committer: Identity, when: int) -> None:
        try:
            self._prepare()
            self._take_locks()
            self.view.check()
            for placed in self.placed.values():
                placed.put()
            self._write_index()
            if self.plan.commits:
                self._log(committer, when)
            if self.refs is not None:
                self.refs.make()
            self.locks[0].publish()
            if self.plan.commits:
                self.locks[2].publish()
                sync_folder(os.path.dirname(self.locks[2].path))
            if self.refs is not None:
                self.refs.drop()
            self._settle()
        except BaseException:
            self._fail()
            raise

    def _fail(self) -> None:
        """Undo, or leave what is half published to the next writer, who completes it from the journal."""
        if not self.locks or not self.locks[0].is_published():
            self._undo()
        elif not self.plan.commits or self.locks[2].is_published():
            self._let_go()
            self._clean()
        else:
            self._let_go()

    def _prepare(self) -> None:
        """Temporary files with everything that is known already, and the journal that names them."""
        view, plan = self.view, self.plan
        for number, (path, data) in enumerate(self.data.items()):
            seen = view.seen[path]
            if path in plan.finals and (data != (seen.data if seen else None) or path in plan.programs):
                stem = self._stem(path, number)
                self.placed[path] = Placed(self.repo.root, path, data, seen, stem, plan.programs.get(path))
        for number, (path, (old, new)) in enumerate(plan.links.items(), len(self.data)):
            self.placed[path] = PlacedLink(self.repo.root, path, old, new, self._stem(path, number))
        paths = [view.index_path, os.path.join(self.repo.git.path, "HEAD"), view.ref_path]
        if view.held is not None:
            self.locks.append(view.held)
            view.held = None
        for path in paths[len(self.locks) : 3 if plan.commits else 1]:
            self.locks.append(LockFile(path, os.path.join(self.folder, f"tmp-lock-{len(self.locks)}")))
        if plan.commits:
            self.locks[2].write(self.journal.commit.encode() + b"\n")
        self.journal.temps = [name for placed in self.placed.values() for name in (placed.temp, placed.kept) if name]
        self.journal.writes, self.journal.advances = plan.writes, plan.advances
        if plan.refs:
            from gitmem.history.ownrefs import RefLocks

            self.refs = RefLocks(self.repo.git, plan.refs, self.folder)
            self.journal.drops = [(move.ref, move.old) for move in plan.refs if not move.new]
        self.journal.locks = [(lock.inode, lock.lock) for lock in self._every()]
        self._sync()
        try:
            view.index()  # read before the locks are taken, so that they are held for a few milliseconds only
        except CannotPatch:
            pass

    def _sync(self) -> None:
        """Everything that is known before a lock is taken, in one go; then objects and journal get their names."""
        journal = self.journal.write(self.repo.git.path)
        try:
            files = [journal, *self.repo.objects.write()]
            files += [placed.fd for placed in self.placed.values() if placed.fd >= 0]
            sync_all(files + [lock.fd for lock in self._every()[2:]])
        finally:
            os.close(journal)
        for placed in self.placed.values():
            placed.close()
        self.repo.objects.finish()
        self.journal.finish(self.repo.git.path)

    def _every(self) -> list[LockFile]:
        return [*self.locks, *(self.refs.every() if self.refs is not None else [])]

    def _save_journal(self) -> None:
        self.journal.locks = [(lock.inode, lock.lock) for lock in self._every()]
        self.journal.save(self.repo.git.path)

    def _take_locks(self) -> None:
        for lock in self.locks:
            inode = lock.inode
            if not lock.held:
                lock.take()
            if lock.inode != inode:  # no hard links here: the lock is another file than the one prepared
                self._save_journal()
        if self.refs is not None:
            self.refs.take()
            self._save_journal()

    def _stem(self, path: str, number: int) -> str:
        """Where a work file's temporary copies go: beside the journal, or beside the file on another disk."""
        if os.stat(self.folder).st_dev == os.stat(self.repo.root).st_dev:
            return os.path.join(self.folder, f"tmp-file-{number}")
        folder, name = os.path.split(join(self.repo.root, path))
        while not os.path.isdir(folder):
            folder = os.path.dirname(folder)
        return os.path.join(folder, f".{name[:40]}.gitmem-{number}")

    def _write_index(self) -> None:
        view, finals = self.view, {**self.plan.repairs, **self.plan.finals}
        entries: dict[bytes, bytes | None] = {}
        for path, entry in finals.items():
            entries[encode(path)] = entry_bytes(encode(path), self._stat(path), *entry) if entry else None
        places: Places = dict(self.plan.moved)
        pieces: Iterable[bytes | memoryview]
        try:
            pieces = patched(view.index(), entries, places, self._look)
        except CannotPatch as error:
            from gitmem.history.gitprogram import index_by_git

            pieces = [index_by_git(self.repo, finals, str(error), view.environ)]
        for piece in pieces:
            self.locks[0].write(piece)
        # not synced, as git does not: it can be made from HEAD again, an object cannot

    def _stat(self, path: str) -> os.stat_result | None:
        """The work file's stat when it holds what is committed; None makes git compare."""
        if path in self.plan.stats:
            return self.plan.stats[path]
        seen = self.view.seen.get(path)
        if path not in self.placed and (not seen or seen.data != self.data.get(path)):
            return None
        return self._look(encode(path))

    def _look(self, path: bytes) -> os.stat_result | None:
        try:
            return os.lstat(os.path.join(os.fsencode(self.repo.root), path))
        except OSError:
            return None

    def _log(self, committer: Identity, when: int) -> None:
        moves, before = [], self.view.head
        what = "gitmem: sync: " if self.plan.advances else "gitmem: "  # store/trust.py tells them apart
        for commit in self.plan.commits:
            moves.append((before, commit.id, what + commit.message.partition("\n")[0]))
            before = commit.id
        create = is_true(self.repo.config, "core.logallrefupdates", True)
        for ref in (self.view.ref, "HEAD"):
            self.logged.append(append_log(self.repo.git, ref, moves, committer, when, create=create))

    def _settle(self) -> None:
        """After the branch has moved: nothing here may undo it, and nothing here is needed by a reader."""
        repo, plan, view = self.repo, self.plan, self.view
        repo.objects.verify()
        for path, entry in plan.finals.items():
            if entry is None and path in self.placed:
                prune_folders(repo.root, path)
        try:
            tip = plan.commits[-1].id if plan.commits else view.recent().tip
            view.recent().add(repo.git.path, tip, str(index_key(view.index_path)), plan.writes)
        except OSError:  # a full disk: heal would have less to go by, the commit itself is safe
            pass
        self._let_go()
        self._clean()

    def _undo(self) -> None:
        for path, size in self.logged:
            if os.path.exists(path):
                os.truncate(path, size)
        for placed in self.placed.values():
            placed.take_back()
        self._let_go()
        self._clean()

    def _let_go(self) -> None:
        for lock in self._every():
            lock.release()

    def _clean(self) -> None:
        for placed in self.placed.values():
            placed.finish()
        forget_inflight(self.repo.git.path)
        for lock in self._every():
            remove(lock.temp)


def check_unlocked(view: View) -> None:
    """Wait for another program's locks, or refuse, before any work is done."""
    for path in (view.index_path, os.path.join(view.repo.git.path, "HEAD"), view.ref_path):
        await_foreign_lock(path + ".lock")
