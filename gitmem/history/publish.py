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
from gitmem.history.config import is_true
from gitmem.history.gitindex import CannotPatch, index_key
from gitmem.history.hold import GcGuard, LockFile, await_foreign_lock
from gitmem.history.index_draft import Draft
from gitmem.history.journal import Inflight, Write, forget_inflight
from gitmem.history.objects import remove
from gitmem.history.place import Placed, PlacedLink, prune_folders
from gitmem.history.plan import Plan, plan_of
from gitmem.history.refs import append_log
from gitmem.history.sync import Beside, send_out, sync_all, sync_folder
from gitmem.history.tree import FOLDER, LINK, MODULE, PROGRAM, decode, encode, tree_files, tree_get
from gitmem.history.view import View
from gitmem.store.paths import GC_PID, join, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.history.commit import Identity, Step
    from gitmem.history.ownrefs import RefLocks, RefMove
    from gitmem.history.repo import Repo


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
            plan = plan_of(view, steps, committer, when)
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
        self.draft: Draft | None = None
        self.kind = ""  # of an index that only git's own program can change
        if view.index_key is None:  # an index of the written files alone would make a next commit delete all others
            every = tree_files(self.repo, view.head)
            plan.repairs |= {path: entry for path, entry in every.items() if path not in plan.finals}

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
                heads = os.path.dirname(self.locks[2].path)
                self.repo.acknowledge_after(Beside(lambda: sync_folder(heads)))
            if self.refs is not None:
                self.repo.settle()  # a ref is deleted only when what takes its place is there for good
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

    def _sync(self) -> None:
        """Everything that is known before a lock is taken, in one go; then objects and journal get their names."""
        journal = self.journal.write(self.repo.git.path)
        try:
            saving = Beside(lambda: self._save(journal))
            try:
                self._draft_index()
            finally:
                saving.wait()
        finally:
            os.close(journal)
        for placed in self.placed.values():
            placed.close()
        self.repo.objects.finish()
        self.journal.finish(self.repo.git.path)

    def _save(self, journal: int) -> None:
        files = [journal, *self.repo.objects.write()]
        files += [placed.fd for placed in self.placed.values() if placed.fd >= 0]
        sync_all(files + [lock.fd for lock in self._every()[2:]])

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

    def _draft_index(self) -> None:
        """All of git's next index but the stats of the files, so that the locks are held for a few milliseconds only.

        Not synced, as git does not: it can be made from HEAD again, an object cannot.
        """
        entries = {encode(path): entry for path, entry in self._entries().items()}
        try:
            self.draft = Draft(self.view.index(), entries, self.plan.moved, self._look)
        except CannotPatch as error:
            self.kind = str(error)
        else:
            self.draft.write(self.locks[0].fd)
            send_out(self.locks[0].fd, self.draft.size)

    def _entries(self) -> dict[str, tuple[int, str] | None]:
        return {**self.plan.repairs, **self.plan.finals}

    def _write_index(self) -> None:
        if self.draft is not None:
            self.draft.finish(self.locks[0].fd, lambda path: self._stat(decode(path)), self._look)
            return
        from gitmem.history.gitprogram import index_by_git

        self.locks[0].write(index_by_git(self.repo, self._entries(), self.kind, self.view.environ))

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
        key = index_key(view.index_path)
        if self.draft is not None:
            self.draft.published(key)
        try:
            tip = plan.commits[-1].id if plan.commits else view.recent().tip
            view.recent().add(repo.git.path, tip, str(key), plan.writes)
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
    for path in guarded(view):
        await_foreign_lock(path)


def guarded(view: View) -> list[str]:
    """The lock files that stop a write while another program has them."""
    return [f"{path}.lock" for path in (view.index_path, os.path.join(view.repo.git.path, "HEAD"), view.ref_path)]
