"""Keep a store and a remote the same: fetch, merge, push, and again when somebody was quicker (C1, C4, C5, C7).

Safe to repeat, from cron, from a hook, from two shells.  Offline the local half is done and nothing is lost.  Never a
forced push, never a reset: whatever cannot be done without guessing is said, with the command that settles it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from gitmem.errors import GitmemError, RepositoryBusy
from gitmem.history.bases import meeting
from gitmem.history.config import read_config
from gitmem.history.conflict import open_conflicts
from gitmem.history.ownrefs import RefMove, own_refs
from gitmem.history.refs import read_ref
from gitmem.history.remote import Remote, find_remote, kind_of, upstream
from gitmem.history.remote_config import set_upstream
from gitmem.history.remote_refs import joined, plan_refs, tracking, tracking_branch
from gitmem.history.remote_state import load_known, save_known
from gitmem.history.repo import Repo, check_writable, open_repo
from gitmem.history.transport import (
    DECLINED,
    DONE,
    RemoteRefused,
    Seen,
    Transport,
    Unreachable,
    open_transport,
)
from gitmem.history.view import View
from gitmem.memory.secret import ALLOW
from gitmem.store.machine import note_success, note_trouble
from gitmem.store.paths import CONFLICTS, ROLLBACK, typed
from gitmem.write.arrive import COULD_NOT, Arrival, Recorded, arrive
from gitmem.write.index import Progress
from gitmem.write.sync_check import (
    before_ref,
    check_not_purged,
    check_not_rewritten,
    check_same_branch,
    check_store,
    check_whole,
    has_branches,
    other_branch,
)
from gitmem.write.sync_edits import MARKER, Edits, commit_edits, unfit_sent
from gitmem.write.sync_lock import SyncLock
from gitmem.write.sync_notes import left_note, renamed_note, waiting_notes
from gitmem.write.sync_push import Sending, send, send_trouble, settled_refs

TRIES = 24  # rounds of one sync while others push; some minutes in all
FIRST_WAIT, GROWTH, LONGEST_WAIT_S = (
    0.5,
    1.3,
    30.0,
)  # rounds that are waited at most after the first one, and after more
SYNCED, OFFLINE, BUSY = "synced", "offline", "busy"


@dataclass(slots=True)
class Synced:
    """What a sync came to.

    state:     synced; offline (the local half is done); busy (another sync of this store is under way)
    received, sent: commits
    waiting:   commits that are not on the remote yet
    commit:    the branch now
    conflicts: open from now on: recorded by this sync, or by another machine
    undecided: number of conflicts that are open, those of before among them
    reached:   UTC unix seconds of the last sync that went through, 0 for never
    since:     of the first failure since then, 0 for none
    notes:     sentences for the person
    """

    remote: str
    url: str
    branch: str
    state: str = SYNCED
    received: int = 0
    sent: int = 0
    waiting: int = 0
    commit: str = ""
    conflicts: list[Recorded] = field(default_factory=list)
    undecided: int = 0
    edits: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    reached: int = 0
    since: int = 0
    reason: str = ""
    notes: list[str] = field(default_factory=list)


def sync(
    root: str,
    name: str,
    *,
    when: int,
    environ: Mapping[str, str],
    asks: bool = False,
    rejoins: bool = False,
    progress: Progress | None = None,
) -> Synced:
    """Sync the store at ``root`` with the remote ``name``, "" for the one it goes with.

    asks:    whether a person is there to type a password
    rejoins: merge although the history there, or here, was rewritten since
    progress: of the search index after a large arrival
    raises: NotFound without a remote; RepositoryBusy while an operation of git is under way, on no branch, and when
            others kept pushing; RemoteRefused for all that needs a person; Unreachable for a remote that was never
            reached; what was merged and committed here by then stays
    """
    with open_repo(root) as repo:
        branch = check_writable(repo).removeprefix("refs/heads/")
        remote = find_remote(repo.git, name, branch)
        check_whole(repo)
        with SyncLock(repo.git.common) as lock:
            if not lock.is_held:
                return Synced(remote.name, remote.shown, branch, BUSY, commit=repo.head()[1])
            return _Sync(repo, remote, branch, when, environ, asks, rejoins, progress).run()


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
    ) -> None:
        self.progress = progress
        self.repo, self.remote, self.when, self.environ = repo, remote, when, environ
        self.common = repo.git.common
        self.known = load_known(self.common, remote.name, remote.url)
        if rejoins:
            self.known.tip = ""
        self.branch = branch
        self.theirs = upstream(repo.git, branch, remote.name) or branch
        self.transport: Transport = open_transport(repo, remote, environ, asks=asks)
        self.opened: list[str] = []
        self.done = Synced(remote.name, remote.shown, branch, reached=self.known.reached)

    def run(self) -> Synced:
        edits = commit_edits(self.repo.root, self.when, self.environ)
        self._tell_edits(edits)
        try:
            self._rounds()
        except Unreachable as error:
            return self._offline(error)
        except GitmemError as error:
            if self._is_away(error):
                return self._offline(error)
            note_trouble(self.common, self.remote.name, self.when, error.message)
            raise
        note_success(self.common, self.remote.name)
        if not read_config(os.path.join(self.common, "config")).get(f"branch.{self.branch}.remote"):
            set_upstream(self.repo.git, self.branch, self.remote.name, self._ref)  # so that plain git pull works too
        return self._counted()

    def _rounds(self) -> None:
        beat = ""
        for number in range(TRIES):
            begun = time.monotonic()
            seen = self._fetched()
            tip = seen.refs.get(self._ref, "")
            self._take_in(seen, tip)
            self._check_fit(tip)
            sending = send(self.repo, self.transport, self.known, seen.refs, self.theirs, self.when, self.environ, beat)
            result = sending.of(self._ref)
            if result.state == DECLINED:
                self._declined(sending, result.said)
            if result.state == DONE:
                self._remember(sending, is_through=True)
                self._tell_sent(sending, tip)
                return
            beat = sending.beat if _has_beat(sending) else beat
            _wait(number, time.monotonic() - begun)
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
        if other:
            seen = self.transport.fetch(other)
        tip = seen.refs.get(f"refs/heads/{other}", "")
        check_same_branch(self.repo, self.remote, self.theirs, other, tip, self.repo.head()[1])
        if other != self.theirs:
            set_upstream(self.repo.git, self.branch, self.remote.name, f"refs/heads/{other}")
            self.done.notes.append(
                f"{self.remote.name} calls the branch {other}; {self.branch} goes with it from now on"
            )
            self.theirs = other
        return seen

    def _take_in(self, seen: Seen, tip: str) -> None:
        """Merge what came; the refs about the remote and gitmem's own move with it."""
        head = self.repo.head()[1]
        try:
            check_not_purged(self.repo, self.remote, self.theirs, tip, head)
            check_not_rewritten(self.repo, self.remote, self.known, tip, head)
            if tip and not self.known.tip:
                check_store(self.repo, self.remote, self.theirs, tip, head)
        except RemoteRefused:
            self._keep_both(seen)
            raise

        def moves(view: View, target: str) -> list[RefMove]:
            own = plan_refs(view.repo, seen.refs, self.known.refs, target)
            self.opened = [move.ref for move in own.here if move.ref.startswith(CONFLICTS) and not move.old]
            self.done.notes += [note for note in [left_note(own.left)] if note and note not in self.done.notes]
            return joined(tracking_branch(view.repo, self.remote.name, seen.refs, self.theirs), own.here)

        self._tell_arrival(arrive(self.repo.root, tip, self._label, self.when, self.environ, moves, self.progress))
        self._tell_opened()

    def _keep_both(self, seen: Seen) -> None:
        """Keep what the remote's branch had as a ref of its own, beside the one that says what it has."""

        def moves(view: View, target: str) -> list[RefMove]:  # noqa: ARG001
            ref = before_ref(self.remote.name, self.theirs)
            there = _is_here(view.repo, self.known.tip)
            kept = [RefMove(ref, read_ref(view.repo.git, ref), self.known.tip)] if there else []
            return joined(tracking(view.repo, self.remote.name, seen.refs, self.theirs), kept)

        arrive(self.repo.root, "", self._label, self.when, self.environ, moves)

    def _check_fit(self, tip: str) -> None:
        """raises: RemoteRefused for commits with what looks like a secret, or an unfinished merge; they stay here"""
        head = self.repo.head()[1]
        found = unfit_sent(self.repo, head, [tip] if tip else []) if head and head != tip else []
        if not found:
            return
        more = f" (and {len(found) - 1} more)" if found[1:] else ""
        if found[0].rule == MARKER:
            raise RemoteRefused(
                f"{found[0].sentence()}{more}; nothing was sent to {self.remote.name}",
                hint=f"choose the text that stays and take the marker lines out of {typed(found[0].path)}, then: "
                f"gitmem sync {typed(self.remote.name)}",
                kind=MARKER,
            )
        raise RemoteRefused(
            f"{found[0].sentence()}{more}; nothing was sent to {self.remote.name}",
            hint=f"make the secret invalid where it is used, then: gitmem purge {typed(found[0].path)}   (is it "
            f"harmless? put `{ALLOW}` on its line, and sync again)",
            kind="secret",
        )

    def _declined(self, sending: Sending, said: str) -> None:
        """raises: RemoteRefused, after a heartbeat that tells of it"""
        send_trouble(
            self.repo, self.transport, self.known, sending, self.theirs, self.when, said, self.environ
        )  # fmt: skip
        self._remember(sending, is_through=False)
        safe = f"; what is here is on {self.remote.name} too, as {sending.beat_ref}" if _has_beat(sending) else ""
        raise RemoteRefused(
            f"{self._label} was not taken: {said}{safe}",
            hint=f"ask whoever keeps {self.remote.shown}, or sync with another place: gitmem remote add NAME URL",
            kind="declined",
        )

    def _remember(self, sending: Sending, *, is_through: bool) -> None:
        def moves(view: View, target: str) -> list[RefMove]:  # noqa: ARG001
            return settled_refs(view, self.remote, sending, self.theirs)

        arrive(self.repo.root, "", self._label, self.when, self.environ, moves)
        known = self.known
        known.url, known.branch = self.remote.url, self.theirs
        if is_through:
            known.tip, known.reached = sending.there.get(self._ref, ""), self.when
            known.refs = {ref: name for ref, name in sending.there.items() if not ref.startswith("refs/heads/")}
        if _has_beat(sending):
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
        tip, head = read_ref(self.repo.git, f"refs/remotes/{self._label}"), self.repo.head()[1]
        if tip:
            check_not_purged(self.repo, self.remote, self.theirs, tip, head)
            check_not_rewritten(self.repo, self.remote, self.known, tip, head)
            taken = arrive(self.repo.root, tip, self._label, self.when, self.environ, _no_refs, self.progress)
            self._tell_arrival(taken)
        done = self.done
        done.state, done.since, done.reason, done.commit = OFFLINE, trouble.since, error.message, self.repo.head()[1]
        done.waiting = meeting(self.repo, done.commit, tip).ahead
        return self._counted()

    # -- what is told

    def _counted(self) -> Synced:
        self.done.undecided = len(own_refs(self.repo.git, CONFLICTS))
        return self.done

    def _tell_edits(self, edits: Edits) -> None:
        self.done.edits = list(edits.paths)
        self.done.held = [*(each.path for each in edits.held), *edits.gone]
        self.done.notes += edits.notes(self.repo.root)

    def _tell_arrival(self, arrival: Arrival) -> None:
        done, remote = self.done, self.remote.name
        done.commit = arrival.head
        done.received += arrival.received
        done.conflicts += [each for each in arrival.conflicts if each.id]
        done.edits += [path for path in arrival.edits if path not in done.edits]
        if arrival.is_joined:
            done.notes.append(f"{self._label} shares no history with this store: the two were joined, nothing is lost")
        done.notes += [f"your own {path} was committed first, then merged" for path in arrival.edits]
        done.notes += [
            f"{old} stood in the way of a file from {remote} and is called {new} now" for old, new in arrival.aside
        ]
        done.notes += [renamed_note(self.repo, arrival, remote, old, new) for old, new in arrival.renamed]
        done.notes += [f"{each.path}: {'; '.join(each.words)}" for each in arrival.conflicts if not each.id]
        done.notes += waiting_notes(self.repo.root, remote, arrival.waiting)

    def _tell_opened(self) -> None:
        """The conflicts that another machine recorded and that are open here from now on."""
        known = {each.id for each in self.done.conflicts}
        for each in open_conflicts(self.repo) if self.opened else ():
            if each.ref in self.opened and each.id not in known:
                words = each.reason.removeprefix(COULD_NOT)
                self.done.conflicts.append(Recorded(each.id, each.path, (words,) if words else ()))

    def _tell_sent(self, sending: Sending, tip: str) -> None:
        done = self.done
        done.commit, done.reached = sending.there.get(self._ref, ""), self.when
        done.sent = meeting(self.repo, done.commit, tip).ahead
        declined = {ref: each.said for ref, each in sending.results.items() if each.state == DECLINED}
        if self.known.plain:
            done.notes.append(
                f"{self.remote.name} takes branches only: conflicts and rollback points do not travel there, this "
                f"machine is its branch machine/{sending.beat_ref.rpartition('/')[2]}"
                if declined
                else ""
            )
        elif declined:
            ref = next(iter(declined))
            kind = "conflicts" if ref.startswith(CONFLICTS) else "rollback points" if ref.startswith(ROLLBACK) else ref
            done.notes.append(f"{self.remote.name} did not take {kind}: {declined[ref]}; the memories are there")
        done.notes = [note for note in done.notes if note]


def _no_refs(view: View, target: str) -> list[RefMove]:  # noqa: ARG001 - as the others
    return []


def _has_beat(sending: Sending) -> bool:
    return bool(sending.beat) and sending.beat in sending.there.values()


def _is_here(repo: Repo, name: str) -> bool:
    try:
        repo.commit(name)
    except GitmemError:
        return False
    return True


def _wait(number: int, round_s: float) -> None:
    """Let others through: at random, so that two do not meet again, and longer each time.

    round_s: how long a round takes here, the time another one needs to be done
    """
    longest = min(LONGEST_WAIT_S, round_s * FIRST_WAIT * GROWTH**number)
    time.sleep(longest * int.from_bytes(os.urandom(2), "big") / 0xFFFF)
