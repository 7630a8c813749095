"""Keep a store and a remote the same: fetch, merge, push, and again when somebody was quicker (C1, C4, C5, C7).

Safe to repeat, from cron, from a hook, from two shells.  Offline the local half is done and nothing is lost.  Never a
forced push, never a reset: whatever cannot be done without guessing is said, with the command that settles it.

Most syncs find nothing new on the other side: what only an arrival, a conflict or a refusal needs is imported there.
"""

from __future__ import annotations

import os
import time

from gitmem.errors import GitmemError, RepositoryBusy
from gitmem.history.bases import meeting
from gitmem.history.config import read_config
from gitmem.history.conflict_pending import given_up
from gitmem.history.ownrefs import RefMove, own_refs
from gitmem.history.refs import read_ref
from gitmem.history.remote import find_remote, kind_of
from gitmem.history.remote_config import set_upstream
from gitmem.history.remote_state import load_known, save_known
from gitmem.history.repo import check_writable, open_repo
from gitmem.history.transport import DECLINED, DONE, RemoteRefused, Unreachable, open_transport
from gitmem.store.machine import note_success, note_trouble
from gitmem.store.paths import CONFLICTS, typed
from gitmem.write.sync_arrival import Arrivals
from gitmem.write.sync_branch import check_not_side, is_new_there, is_of_linked_worktree, own_branch
from gitmem.write.sync_check import (
    HeldBack,
    check_merged,
    check_same_branch,
    check_whole,
    has_branches,
    is_holding,
    look_first,
    other_branch,
)
from gitmem.write.sync_lock import SyncLock, wait
from gitmem.write.sync_push import Sending, send, send_trouble, settled_refs
from gitmem.write.sync_result import BUSY, OFFLINE, Synced, busy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.history.remote import Remote
    from gitmem.history.repo import Repo
    from gitmem.history.transport import Seen, Transport
    from gitmem.write.index import Progress

TRIES = 24  # rounds of one sync while others push; some minutes in all


def sync(
    root: str,
    name: str,
    *,
    when: int,
    environ: Mapping[str, str],
    asks: bool = False,
    rejoins: bool = False,
    progress: Progress | None = None,
    option: str = "",
) -> Synced:
    """Sync the store at ``root`` with the remote ``name``, "" for the one it goes with.

    While another sync of the store is under way, that one is asked to do this one's work too, and does.

    asks:    whether a person is there to type a password
    rejoins: merge although the history there, or here, was rewritten since
    progress: of the search index after a large arrival
    option:   ``--store`` with a blank before, for the commands that are named
    raises: NotFound without a remote; RepositoryBusy while an operation of git is under way, on no branch, and when
            others kept pushing; RemoteRefused for all that needs a person; Unreachable for a remote that was never
            reached; what was merged and committed here by then stays
    """

    def one(name: str, rejoins: bool) -> tuple[Synced, list[str]]:
        """One sync, and the remotes of those that came meanwhile."""
        with open_repo(root) as repo:
            branch = repo.head()[0].removeprefix("refs/heads/")
            remote = find_remote(repo.git, name, branch)
            with SyncLock(repo.git.common, remote.name) as lock:
                if not lock.is_held:
                    return busy(repo, remote, branch), []
                done = _Sync(repo, remote, branch, when, environ, asks, rejoins, progress, option).run()
            return done, lock.left()

    done, names = one(name, rejoins)
    while names:
        try:
            found, more = one(names.pop(0), False)
        except GitmemError:  # of a sync that was asked for elsewhere; ``status`` tells of its trouble
            continue
        names = list(dict.fromkeys([*names, *more]))
        if found.remote == done.remote and found.state != BUSY:
            done = found.after(done)
    return done


class _Sync:
    """One sync, under its lock."""

    def __init__(
        self,
        repo: Repo,
        remote: Remote,
        branch: str,
        when: int,
        environ: Mapping[str, str],
        asks: bool,
        rejoins: bool,
        progress: Progress | None,
        option: str,
    ) -> None:
        self.option = option
        self.repo, self.remote, self.when, self.environ = repo, remote, when, environ
        self.common = repo.git.common
        self.known = load_known(self.common, remote.name, remote.url)
        self.branch = self.theirs = branch
        self.rejoins = rejoins
        self.transport: Transport = open_transport(repo, remote, environ, asks=asks)
        self.done = Synced(remote.name, remote.shown, branch, reached=self.known.reached)
        self.arrivals = Arrivals(repo, remote, self.known, self.done, when, environ, progress)

    def run(self) -> Synced:
        try:
            self._begin()
            self._rounds()
        except Unreachable as error:
            return self._offline(error)
        except GitmemError as error:
            if self._is_away(error):
                return self._offline(error)
            if not is_of_linked_worktree(self.repo, error):
                try:
                    note_trouble(self.common, self.remote.name, self.when, error.message)
                except OSError:  # a disk that is full: why nothing was synced counts more
                    pass
            raise
        self.arrivals.catch_up()
        note_success(self.common, self.remote.name)
        if not read_config(os.path.join(self.common, "config")).get(f"branch.{self.branch}.remote"):
            set_upstream(self.repo.git, self.branch, self.remote.name, self._ref)  # so that plain git pull works too
        return self._counted()

    def _begin(self) -> None:
        """Put in order what is here; nothing is done where it is not plain that it belongs there."""
        check_writable(self.repo)
        check_whole(self.repo)
        check_merged(self.repo)
        known = self.known
        self.theirs = own_branch(self.repo, self.remote, known, self.branch)
        if known.branch not in ("", self.theirs):
            known.branch, known.tip = self.theirs, known.tips.get(self.theirs, "")
        if self.rejoins:
            known.tip = ""
        is_edited, skipped = look_first(self.repo, self.environ)
        if is_edited or is_holding(self.repo.git.path):
            from gitmem.write.sync_edits import commit_edits

            edits = commit_edits(self.repo.root, self.when, self.environ)
            self.done.tell_edits(edits, self.repo.root, self.repo.git.path, self.option)
        self.done.tell_unread(self.repo, skipped)

    def _rounds(self) -> None:
        beat = ""
        for number in range(TRIES):
            begun = time.monotonic()
            seen = self._fetched()
            tip = seen.refs.get(self._ref, "")
            try:
                self.arrivals.take_in(seen, self.theirs, tip)
            except HeldBack as held:
                self._check_fit(tip)
                held.message += self._tell_there(Sending(dict(seen.refs)), held.message)
                raise
            self._check_fit(tip)
            sending = send(self.repo, self.transport, self.known, seen.refs, self.theirs, self.when, self.environ, beat)
            result = sending.of(self._ref)
            if result.state == DECLINED:
                self._declined(sending, result.said)
            if result.state == DONE:
                self._remember(sending, is_through=True)
                self.done.reached = self.when
                self.done.tell_sent(self.repo, sending, self._ref, tip, is_plain=self.known.plain)
                return
            beat = sending.beat if sending.has_beat else beat
            wait(number, time.monotonic() - begun)
        raise RepositoryBusy(
            f"others kept pushing to {self._label}; all of theirs is merged here, ours is not there yet",
            hint=f"gitmem sync {typed(self.remote.name)}",
        )

    @property
    def _ref(self) -> str:
        return f"refs/heads/{self.theirs}"

    @property
    def _label(self) -> str:
        return f"{self.remote.name}/{self.theirs}"

    def _fetched(self) -> Seen:
        """The remote's refs, objects and all; its branch may have another name than ours."""
        seen = self.transport.fetch(self.theirs)
        if self._ref in seen.refs:
            return seen
        every = self.transport.look()
        if not has_branches(every):
            return seen  # empty: the first push
        other = other_branch(every, self.theirs)
        if is_new_there(self.repo, self.remote, self.known, self.branch, other):
            return seen
        if other:
            seen = self.transport.fetch(other)
        tip = seen.refs.get(f"refs/heads/{other}", "")
        check_same_branch(self.repo, self.remote, self.theirs, other, tip, self.repo.head()[1])
        if other != self.theirs:
            if self.branch not in self.known.went.values():
                check_not_side(self.repo, self.remote, self.branch, self.known.went.get(other, other))
            set_upstream(self.repo.git, self.branch, self.remote.name, f"refs/heads/{other}")
            self.done.notes.append(
                f"{self.remote.name} calls the branch {other}; {self.branch} goes with it from now on"
            )
            self.theirs = other
        return seen

    def _check_fit(self, tip: str) -> None:
        """raises: RemoteRefused for commits with what looks like a secret, or an unfinished merge; they stay here"""
        head = self.repo.head()[1]
        if not head or head == tip:
            return
        from gitmem.write.sent import unfit_sent

        known = [tip] if tip else list(own_refs(self.repo.git, f"refs/remotes/{self.remote.name}/").values())
        sent = unfit_sent(self.repo, head, known)
        if sent:
            from gitmem.write.sync_refused import unfit_error

            raise unfit_error([each for _, each in sent], self.remote)

    def _declined(self, sending: Sending, said: str) -> None:
        """raises: RemoteRefused, after a heartbeat that tells of it"""
        safe = self._tell_there(sending, said)
        from gitmem.write.sync_refused import declined_error

        raise declined_error(self.repo.root, self.remote, self.theirs, said, safe)

    def _tell_there(self, sending: Sending, said: str) -> str:
        """Send a heartbeat that tells of what is wrong; the words for where all that is here is now."""
        repo, theirs = self.repo, self.theirs
        send_trouble(repo, self.transport, self.known, sending, theirs, self.when, said, self.environ)
        self._remember(sending, is_through=False)
        return f"; what is here is on {self.remote.name} too, as {sending.beat_ref}" if sending.has_beat else ""

    def _remember(self, sending: Sending, *, is_through: bool) -> None:
        def moves(repo: Repo, target: str) -> list[RefMove]:  # noqa: ARG001
            return settled_refs(repo, self.remote, sending, self.theirs)

        self.arrivals.move(moves)
        known = self.known
        known.url, known.branch = self.remote.url, self.theirs
        if is_through:
            known.tip, known.reached = sending.there.get(self._ref, ""), self.when
            known.tips[self.theirs], known.went[self.theirs] = known.tip, self.branch
            known.refs = {ref: name for ref, name in sending.there.items() if not ref.startswith("refs/heads/")}
        if sending.has_beat:
            known.beaten = self.when
        save_known(self.common, self.remote.name, known)

    def _is_away(self, error: GitmemError) -> bool:
        """Whether a folder that was synced with is gone, as a disk that is not mounted: that passes by itself."""
        is_gone = isinstance(error, RemoteRefused) and error.kind == "gone"
        return is_gone and bool(self.known.reached) and kind_of(self.remote.url) == "path"

    def _offline(self, error: GitmemError) -> Synced:
        """The local half: what was fetched before is merged; how long it has been."""
        trouble = note_trouble(self.common, self.remote.name, self.when, error.message)
        if not self.known.reached:
            error.hint = error.hint or "is the place right? gitmem remote list"
            raise error
        tip = read_ref(self.repo.git, f"refs/remotes/{self._label}")
        self.arrivals.take_in_fetched(self.theirs, tip)
        self.arrivals.catch_up()
        done = self.done
        done.state, done.since, done.reason, done.commit = OFFLINE, trouble.since, error.message, self.repo.head()[1]
        done.waiting = meeting(self.repo, done.commit, tip).ahead
        return self._counted()

    def _counted(self) -> Synced:
        self.done.undecided = len(own_refs(self.repo.git, CONFLICTS).keys() - given_up(self.repo).keys())
        return self.done
