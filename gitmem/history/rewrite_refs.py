"""The refs of a rewritten history: which there are, what stands in the way, and how they move together.

All of git's locks are taken before the first ref moves, and the journal of writes names them, so that the next writer
removes what a killed one left.  A kill between two refs leaves the old history readable under the one and the new
under the other; the purge's own journal tells the next purge to go on.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress

from gitmem.errors import RepositoryDamaged
from gitmem.history.config import is_true
from gitmem.history.hold import LockFile
from gitmem.history.journal import Inflight, forget_inflight
from gitmem.history.log import shallow
from gitmem.history.objects import remove
from gitmem.history.ownrefs import RefLocks, RefMove, own_refs
from gitmem.history.refs import append_log, final_ref
from gitmem.history.repo import UNDER_WAY
from gitmem.history.sync import sync_folder
from gitmem.history.unmerged import under_way
from gitmem.history.view import Moved
from gitmem.store.paths import OWN_REFS, purged, purging, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.history.commit import Identity
    from gitmem.history.repo import Repo
    from gitmem.history.rewrite_past import Forget
    from gitmem.history.view import View
    from gitmem.store.gitdir import GitDir

OURS = ("refs/heads/", "refs/tags/", OWN_REFS)  # what a purge rewrites
THEIRS = OWN_REFS + "remotes/"  # what other machines have: only they can change it


class Worktree:
    """A working tree of the repository: the folder git keeps for it, and where its files are, "" when unknown."""

    __slots__ = ("git_dir", "root")

    def __init__(self, git_dir: str, root: str) -> None:
        self.git_dir, self.root = git_dir, root


def worktrees(repo: Repo) -> list[Worktree]:
    """Every working tree there is, the main one first."""
    common = repo.git.common
    main = os.path.dirname(common) if os.path.basename(common) == ".git" else ""
    if repo.git.path == common:
        main = repo.root
    found = [Worktree(common, main)]
    linked = os.path.join(common, "worktrees")
    for name in sorted(os.listdir(linked)) if os.path.isdir(linked) else []:
        folder = os.path.join(linked, name)
        try:
            with open(os.path.join(folder, "gitdir"), encoding="utf-8", errors="surrogateescape") as file:
                place = os.path.join(folder, file.read().strip())
        except OSError:
            continue
        found.append(Worktree(folder, os.path.normpath(os.path.dirname(place))))
    return found


def rewritable(git: GitDir) -> dict[str, str]:
    """The refs a purge rewrites: name -> id; a symbolic one follows by itself."""
    found = {ref: name for prefix in OURS for ref, name in own_refs(git, prefix).items()}
    return {ref: name for ref, name in found.items() if not ref.startswith(THEIRS) and final_ref(git, ref) == ref}


def check_rewritable(repo: Repo) -> None:
    """Raise unless all of history is here, and no operation of git under way would bring the old one back.

    raises: RepositoryBusy, also for an operation in another working tree; RepositoryDamaged for a shallow clone
    """
    for tree in worktrees(repo):
        for mark, name, end in UNDER_WAY:
            if os.path.exists(os.path.join(tree.git_dir, *mark.split("/"))):
                raise under_way(tree.git_dir, tree.root, name, end, "nothing was purged")
    if shallow(repo):
        raise RepositoryDamaged(
            f"{repo.root} is a shallow clone: its older commits are not here, so nothing was purged",
            hint="git fetch --unshallow",
        )


class Purging:
    """A purge under way, as the next one finds it after a kill.

    path:         the memory
    forget:       versions that were to go, as far as they were known
    refs:         what the refs were before it: name -> id
    is_rewritten: no ref of ours leads to the memory any more; what else holds it is still to be told
    """

    __slots__ = ("forget", "is_rewritten", "path", "refs")

    def __init__(
        self, path: str, forget: Forget, refs: Mapping[str, str] | None = None, *, is_rewritten: bool = False
    ) -> None:
        self.path, self.forget, self.refs, self.is_rewritten = path, forget, dict(refs or {}), is_rewritten

    def save(self, git_dir: str) -> None:
        """Write the journal, synced."""
        rows = {
            path.decode("utf-8", "surrogateescape"): sorted(blob.hex() for blob in blobs)
            for path, blobs in self.forget.items()
        }
        os.makedirs(state(git_dir), exist_ok=True)
        place = purging(git_dir)
        with open(place + ".new", "w", encoding="ascii") as file:
            shape = {"path": self.path, "forget": rows, "refs": self.refs, "rewritten": self.is_rewritten}
            json.dump(shape, file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(place + ".new", place)
        sync_folder(state(git_dir))


def load_purging(git_dir: str) -> Purging | None:
    """The purge that a kill interrupted; None when there is none."""
    try:
        with open(purging(git_dir), encoding="ascii") as file:
            found = json.load(file)
        forget = {
            path.encode("utf-8", "surrogateescape"): {bytes.fromhex(blob) for blob in blobs}
            for path, blobs in found["forget"].items()
        }
        refs = {str(ref): str(name) for ref, name in found.get("refs", {}).items()}
        return Purging(str(found["path"]), forget, refs, is_rewritten=bool(found.get("rewritten")))
    except (FileNotFoundError, ValueError, KeyError, AttributeError, TypeError):
        return None


def note_purged(git_dir: str, path: str, forget: Forget) -> None:
    """Keep in mind what a purge removed, by its blobs, so that no sync brings it back unasked."""
    known = load_purged(git_dir)
    blobs = sorted({blob.hex() for each in forget.values() for blob in each} - known.keys())
    new = [f"{blob} {json.dumps(path)}\n" for blob in blobs]
    if new:
        with open(purged(git_dir), "a", encoding="ascii") as file:
            file.writelines(new)
            file.flush()
            os.fsync(file.fileno())


def load_purged(git_dir: str) -> dict[str, str]:
    """blob -> the memory it was a text of, for all that was purged on this machine."""
    try:
        with open(purged(git_dir), encoding="ascii", errors="replace") as file:
            rows = [line.split(None, 1) for line in file]
    except FileNotFoundError:
        return {}
    found: dict[str, str] = {}
    for row in rows:
        if len(row) == 2:
            with suppress(ValueError):
                found[row[0]] = str(json.loads(row[1]))
    return found


def end_purging(git_dir: str) -> None:
    """Say that the purge is complete, and that what still holds the text was found."""
    remove(purging(git_dir))


def publish_moves(
    view: View, moves: Sequence[RefMove], seen: Mapping[str, str], committer: Identity, when: int, text: str
) -> None:
    """Move refs to rewritten history; HEAD's tree is the same, so index and work files stay as they are.

    The caller holds the writer lock and git's gc.pid.  New objects are synced before the first ref moves.
    seen:   every ref there was when the history was rewritten: name -> id
    text:   what the reflogs say
    raises: Moved, RepositoryBusy, OSError; then no ref has moved, or the purge's journal tells which are left
    """
    repo = view.repo
    folder = state(repo.git.path)
    repo.objects.flush()
    sync_folder(os.path.join(repo.objects.folder, "pack"))
    head = next((move.new for move in moves if move.ref == view.ref), view.head)
    journal = Inflight(view.ref, view.head, head)
    places = (view.index_path, os.path.join(repo.git.path, "HEAD"))
    locks = [LockFile(path, os.path.join(folder, f"tmp-lock-{number}")) for number, path in enumerate(places)]
    refs = RefLocks(repo.git, moves, folder)
    logged: list[tuple[str, int]] = []
    try:
        for lock in refs.locks:
            lock.sync()
        _name(journal, [*locks, *refs.every()], repo)
        for lock in locks:
            lock.take()
        refs.take()
        _name(journal, [*locks, *refs.every()], repo)  # without hard links a lock is another file than the prepared
        view.check()
        if rewritable(repo.git) != seen:  # a branch that was made meanwhile would keep the old history
            raise Moved
        _log(view, moves, committer, when, text, logged)
        refs.make()
        logged = []
        refs.drop()
        repo.objects.verify()
    finally:
        for path, size in logged:
            if os.path.exists(path):
                os.truncate(path, size)
        refs.let_go()
        for lock in locks:
            lock.release()
        forget_inflight(repo.git.path)
        refs.clean()
        for lock in locks:
            remove(lock.temp)


def _name(journal: Inflight, locks: Sequence[LockFile], repo: Repo) -> None:
    """Note in the journal which locks are ours, unless it says so already."""
    named = [(lock.inode, lock.lock) for lock in locks]
    if journal.locks != named:
        journal.locks = named
        journal.save(repo.git.path)


def _log(
    view: View, moves: Sequence[RefMove], committer: Identity, when: int, text: str, logged: list[tuple[str, int]]
) -> None:
    """Add the moves of branches to their reflogs; ``logged`` gets what it takes to take the lines back."""
    create = is_true(view.repo.config, "core.logallrefupdates", True)
    for move in moves:
        if not move.ref.startswith("refs/heads/") or not move.new:
            continue
        for ref in (move.ref, "HEAD") if move.ref == view.ref else (move.ref,):
            line = [(move.old, move.new, text)]
            logged.append(append_log(view.repo.git, ref, line, committer, when, create=create))
