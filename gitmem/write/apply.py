"""The one way to change a store: look, guard, commit, index.

Under the writer lock: what a killed writer left is completed or dropped, what another program's commit dropped is
put back, a person's own edit of the same files is committed first as theirs, then the change itself.  Whatever is
acknowledged is in the branch, in the index and in the work files, and synced to disk.
"""

from __future__ import annotations

import os
import time

from gitmem.errors import RepositoryBusy
from gitmem.history.commit import FileChange, Identity, Step
from gitmem.history.convert import stored
from gitmem.history.heal import can_advance, healing, left_drops, left_steps, recover, settle
from gitmem.history.identity import gitmem_identity, model_identity
from gitmem.history.message import message
from gitmem.history.objects import object_id
from gitmem.history.publish import advance, check_unlocked, publish
from gitmem.history.repo import Repo, open_repo
from gitmem.history.settings import settings_of, with_committed
from gitmem.history.view import Moved, View
from gitmem.limits import LOCK_TIMEOUT_S, MAX_CONFIG_BYTES
from gitmem.memory.secret import masked
from gitmem.store.format import FORMAT, check_format
from gitmem.store.paths import CONFIG_FILE, events, join, state
from gitmem.store.settings import load_settings
from gitmem.write.change import Actor, AsRead, Change, Reader
from gitmem.write.guard import check_change, keep_refused
from gitmem.write.hand import hand_edits, may_be_renamed
from gitmem.write.lock import writer_lock
from gitmem.write.secrets import MASK, held_back, masked_changes, refuse_held
from gitmem.write.unwritable import unwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeVar

    from gitmem.history.journal import Inflight
    from gitmem.history.ownrefs import RefMove
    from gitmem.memory.finding import Finding
    from gitmem.write.index import Mark
    from gitmem.write.stale import Stale

    Result = TypeVar("Result")

POINT_ONLY = "rollback-point"  # the one operation whose point is made although no file changes
RETRY_S = 0.002
OPEN_TRIES = 3  # attempts without a lock of git's; then index.lock is held while the change is worked out


class Applied:
    """What a change came to.

    commit:     id of its commit, "" when the files were so already
    paths:      path -> revision now, "" for a removed file
    hand_edits: paths whose uncommitted edit was committed first, as the person's own
    held:       secrets in the person's own edit of the list of memories, which was left alone for that
    masked:     secrets taken out of what a model, a run or an import wrote, and the file that keeps the text as it came
    healed:     number of earlier writes that were put back or completed
    point:      id of the rollback point that was made before it, "" for none
    """

    __slots__ = ("commit", "hand_edits", "healed", "held", "masked", "paths", "point")

    def __init__(
        self,
        commit: str,
        paths: dict[str, str],
        hand_edits: tuple[str, ...],
        held: tuple[Finding, ...] = (),
        masked: tuple[tuple[Finding, str], ...] = (),
    ) -> None:
        self.commit, self.paths, self.hand_edits, self.held, self.masked = commit, paths, hand_edits, held, masked
        self.healed, self.point = 0, ""


def apply(root: str, change: Change, when: int, environ: Mapping[str, str]) -> Applied:
    """Make ``change`` in the store at ``root``: one commit, seen by git, the work files and the search index alike.

    when:    UTC unix seconds, of the commit
    environ: for the person's identity (GIT_AUTHOR_NAME ...); nothing else is read from it
    raises:  Refused and its kind, RepositoryBusy, RepositoryDamaged, StoreUnwritable, NoStore, and what
             ``change.make`` raises; then the store is as before
    """
    try:
        with open_repo(root) as repo:
            with writer_lock(repo.git.common):
                _check_format(repo)
                attempt = _Attempt(change, when, recover(repo.git))
                applied = until_settled(repo, environ, attempt, lambda: attempt.left)
                if attempt.stale is not None:
                    from gitmem.write.stale import keep

                    refusal = keep(repo, attempt.stale, change, when)
            _update_index(repo, attempt, when)  # beside the sync of the branch
    except OSError as error:
        raise unwritable(error, root) from error
    applied.healed, applied.point = attempt.healed, attempt.point
    if attempt.stale is not None:
        raise refusal
    return applied


def _check_format(repo: Repo) -> None:
    """raises: FormatTooNew; parses the settings only when they do not plainly name our own format"""
    try:
        with open(join(repo.root, CONFIG_FILE), "rb") as file:
            data = file.read(MAX_CONFIG_BYTES)
    except OSError:
        data = b""
    if b"\nformat: %d\n" % FORMAT not in b"\n" + data or data.count(b"format:") > 1:
        check_format(with_committed(load_settings(repo.root), repo))


def until_settled(
    repo: Repo,
    environ: Mapping[str, str],
    attempt: Callable[[View], Result],
    left: Callable[[], Inflight | None] = lambda: None,
) -> Result:
    """Look and try, again when a person or another program changed what was looked at; the writer lock is held.

    left: the interrupted write ``attempt`` still has to complete
    """
    end = time.monotonic() + LOCK_TIMEOUT_S
    tries = 0
    while True:
        view = View(repo, environ)
        check_unlocked(view)
        try:
            if tries >= OPEN_TRIES:
                view.hold(left())
            return attempt(view)
        except Moved:
            tries += 1
            if time.monotonic() > end:
                raise RepositoryBusy(
                    f"{repo.root} kept changing for {LOCK_TIMEOUT_S:.0f} seconds; nothing was written",
                    hint="try again when the program that commits there is done",
                ) from None
            time.sleep(RETRY_S)
        finally:
            view.release()


class _Attempt:
    """A change on its way; called again with a new view when the store moved.

    left:    what a killed writer left unfinished
    healed:  number of files put right
    touched: paths the search index has to look at
    before:  how things stood before they were written, None when the index cannot say
    made:    the last commit of this attempt, "" before the first
    stale:   the change came too late: it was made from a memory that is another one by now
    point:   id of the rollback point that was made before it, "" for none
    edited:  files whose uncommitted edit was committed already
    """

    def __init__(self, change: Change, when: int, left: Inflight | None) -> None:
        self.change, self.when, self.left = change, when, left
        self.healed = 0
        self.touched: list[str] = []
        self.before: Mark | None = None
        self.made = ""
        self.stale: Stale | None = None
        self.point = ""
        self.edited: list[str] = []

    def __call__(self, view: View) -> Applied:
        if self.put_right(view):
            raise Moved  # by ourselves: the change is made from what stands there now
        if self.change.read is not None and not _is_current(view, *self.change.read):
            return self._late(view, *self.change.read)
        changes = tuple(self.change.make(Reader(view)))
        self._settle_renames(view, [*(each.path for each in changes), *self.change.leaves])
        self._settle_edits(view)
        return self._publish(view, changes, self.change.merged)

    def _publish(
        self, view: View, changes: Sequence[FileChange], merged: Sequence[str], drops: Sequence[RefMove] = ()
    ) -> Applied:
        changes, masked = masked_changes(changes, Reader(view), self.change.actor)
        check_change(changes, Reader(view), self.change.actor, view.repo.git.common, self.when, self.change.restores)
        wanted = [each for each in changes if each.data != view.read(each.path)]
        steps = hand_edits(view, [each.path for each in wanted])
        if held := held_back(view, steps):
            self._check_held(view, held)
            wanted = [each for each in wanted if each.path not in held]
            steps = hand_edits(view, [each.path for each in wanted])
        paths = {each.path: object_id("blob", each.data) if each.data is not None else "" for each in changes}
        is_commit = bool(wanted or merged or self.change.always)
        refs, trailers = self._refs(view, drops, is_commit)
        if not is_commit:
            if refs:
                from gitmem.history.ownrefs import move_refs

                move_refs(view.repo, refs)
            return Applied("", paths, tuple(self.edited))
        edited = tuple(dict.fromkeys([*self.edited, *(each.path for step in steps for each in step.changes)]))
        text = _message(view, self.change, (wanted or changes)[0].path if changes else "", trailers)
        steps.append(Step(wanted, text, _author(view, self.change.actor), merged, self.change.always))
        self.mark(view.repo.root, list(paths))
        commits = publish(view, steps, view.people()[1], self.when, refs=refs)
        self.touched.extend(dict.fromkeys([*edited, *paths]))
        kept = tuple((each, keep_refused(view.repo.git.common, data, self.when)) for each, data in masked)
        return Applied(commits[-1], paths, edited, tuple(held.values()), kept)

    def _settle_renames(self, view: View, paths: Sequence[str]) -> None:
        """Commit what the person renamed by hand, under both names, where the change is about it; raises Moved then."""
        paths = [path for path in paths if may_be_renamed(view, path)]
        if paths:
            from gitmem.write.relisting import rename_steps

            self._commit_edits(view, *rename_steps(view, paths))

    def _settle_edits(self, view: View) -> None:
        """Commit the person's own edits of what the change leaves as it is; raises Moved after that, Refused.

        A conflict record has the commit that holds the person's text as its parent, so that one comes first.
        """
        steps = hand_edits(view, self.change.leaves)
        for found in held_back(view, steps).values():
            raise refuse_held(found)
        self._commit_edits(view, steps, list(dict.fromkeys(each.path for step in steps for each in step.changes)))

    def _commit_edits(self, view: View, steps: Sequence[Step], paths: Sequence[str]) -> None:
        if not steps:
            return
        view.repo.objects.forget()  # the records that were made without that commit
        self.mark(view.repo.root, paths)
        self.made = publish(view, steps, view.people()[1], self.when)[-1]
        self.edited += paths
        self.touched += paths
        raise Moved

    def _check_held(self, view: View, held: Mapping[str, Finding]) -> None:
        """raises: Refused when the person's own edit of a file holds a secret; the list of memories is done without"""
        listing = settings_of(view.repo.root).index_file
        for path, found in held.items():
            if path != listing:
                raise refuse_held(found)

    def _refs(self, view: View, drops: Sequence[RefMove], is_commit: bool) -> tuple[list[RefMove], Mapping[str, str]]:
        """The refs that move with the change, a rollback point's included, and the trailer that names the point."""
        change = self.change
        if not change.point or not (is_commit or change.operation == POINT_ONLY):
            return [*change.refs, *drops], change.trailers
        from gitmem.history.point import POINT, PROTECTION, new_point

        kind, keep = PROTECTION if change.protects else POINT, settings_of(view.repo.root).keep_points
        self.point, moves = new_point(view, kind, change.point, self.when, keep)
        return [*change.refs, *drops, *moves], {**change.trailers, "Point": self.point}

    def mark(self, root: str, paths: Sequence[str]) -> None:
        """Note how things stand before ``paths`` are written; of several commits in a row, before the first."""
        try:
            from gitmem.write.index import Mark, mark

            now = mark(root, paths)
            if self.before is not None and now.head == self.made:
                now = Mark(self.before.head, {**now.folders, **self.before.folders})
            self.before = now
        except Exception:  # then the next prompt looks through the folders
            self.before = None

    def _late(self, view: View, path: str, revision: str) -> Applied:
        """The memory moved since the writer read it: merge when that is asked and clean, else nothing but a record."""
        from gitmem.write.stale import Stale

        steps = hand_edits(view, [path])
        for found in held_back(view, steps).values():
            raise refuse_held(found)
        if steps:  # theirs is compared with a text that git keeps
            self.mark(view.repo.root, [path])
            self.made = publish(view, steps, view.people()[1], self.when)[-1]
            self.touched.append(path)
            raise Moved
        stale = Stale(view, path, revision, _author(view, self.change.actor))
        changes = tuple(self.change.make(AsRead(view, path, stale.base)))
        check_change(changes, AsRead(view, path, stale.base), self.change.actor, view.repo.git.common, self.when)
        stale.want(next((each.data for each in changes if each.path == path), stale.base))
        if stale.is_same:
            return Applied("", {path: stale.now}, ())
        if self.change.merge and stale.is_clean:
            others = [each for each in changes if each.path != path]
            commit, drops = stale.settle(self.change, self.when)
            merged = (*self.change.merged, commit)
            return self._publish(view, [FileChange(path, stale.merged), *others], merged, drops)
        self.stale = stale
        return Applied("", {}, ())

    def put_right(self, view: View) -> bool:
        """Complete what a killed writer began, put back what another program dropped; whether there was anything."""
        if self.left is not None and can_advance(view, self.left):
            advance(view, self.left.commit, view.people()[1], self.when, left_drops(view, self.left))
            self.touched.extend(write.path for write in self.left.writes)
            self.left = None
            return True
        steps = left_steps(view, self.left) if self.left is not None else []
        repairs: list[tuple[str, int, str]] = []
        drops = left_drops(view, self.left) if self.left is not None and steps else []
        if not steps:
            if self.left is not None:
                settle(view, self.left)
                self.left = None
            steps, repairs = healing(view)
        if not steps and not repairs:
            return False
        try:
            publish(view, steps, view.people()[1], self.when, repairs, drops)
        except BaseException:
            if self.left is not None:  # not done yet: the next writer needs to know
                self.left.locks = []
                self.left.save(view.repo.git.path)
            raise
        self.left = None
        paths = sorted({change.path for step in steps for change in step.changes})
        self.touched.extend(paths)
        self.healed += len(paths)
        return True


def _is_current(view: View, path: str, revision: str) -> bool:
    """Whether ``path`` is what its reader read: as the file is, or as git stores it."""
    data = view.read(path)
    if data is None:
        return not revision
    return revision in (object_id("blob", data), object_id("blob", stored(view, path, data)))


def _message(view: View, change: Change, path: str, more: Mapping[str, str]) -> str:
    data, actor = view.read(path) if path else None, change.actor
    trailers = {
        "Op": change.operation,
        "Memory": path,
        "Base": object_id("blob", data) if data is not None else "",
        "Actor": actor.kind,
        "Agent": actor.agent,
        "Session": actor.session,
        **more,
    }
    return message(change.operation, masked(change.memory, MASK), change.reason, trailers)


def _author(view: View, actor: Actor) -> Identity:
    if actor.kind == "model":
        return model_identity(actor.agent)
    if actor.kind == "run":
        return gitmem_identity()
    return view.people()[0]


def _update_index(repo: Repo, attempt: _Attempt, when: int) -> None:
    """Bring the search index up to date; the commit stands whatever happens here, and recall mends it later."""
    if not attempt.touched and attempt.before is None:
        return  # no commit; one without files is noted too, or the index would seem to be behind
    try:
        from gitmem.write.index import update_index

        update_index(repo.root, attempt.touched, attempt.before)
    except Exception as error:
        _note(repo, when, error)


def _note(repo: Repo, when: int, error: Exception) -> None:
    import json

    line = json.dumps({"when": when, "door": "write", "event": "index", "error": type(error).__name__})
    try:
        os.makedirs(state(repo.git.common), exist_ok=True)
        with open(events(repo.git.common), "a", encoding="utf-8") as file:
            file.write(line + "\n")
    except OSError:
        pass
