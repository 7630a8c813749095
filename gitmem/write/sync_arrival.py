"""What came from the other side of a sync, taken in: its branch is merged, the refs about it move with that."""

from __future__ import annotations

from gitmem.history.bases import is_ancestor
from gitmem.history.ownrefs import RefMove
from gitmem.history.refs import read_ref
from gitmem.history.remote_refs import joined, plan_refs, tracking, tracking_branch
from gitmem.history.transport import RemoteRefused
from gitmem.store.paths import CONFLICTS
from gitmem.write.sync_check import (
    before_ref,
    check_not_purged,
    check_not_rewritten,
    check_store,
    has_left_over,
    is_here,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gitmem.history.remote import Remote
    from gitmem.history.remote_state import Known
    from gitmem.history.repo import Repo
    from gitmem.history.transport import Seen
    from gitmem.write.index import Progress
    from gitmem.write.sync_result import Synced

    Moves = Callable[[Repo, str], Sequence[RefMove]]  # the refs that move, given the commit the branch comes to


class Arrivals:
    """The half of a sync that changes this machine; what it did is noted in ``done``.

    known: what is known of the remote
    """

    def __init__(
        self, repo: Repo, remote: Remote, known: Known, done: Synced, when: int,
        environ: Mapping[str, str], progress: Progress | None,
    ) -> None:  # fmt: skip
        self.repo, self.remote, self.known, self.done = repo, remote, known, done
        self.when, self.environ, self.progress = when, environ, progress
        self.before = known.tip  # what both had after the last sync

    def take_in(self, seen: Seen, theirs: str, tip: str) -> None:
        """Merge what came, the commit ``tip`` of the branch ``theirs``; the refs about the remote and our own too.

        raises: RemoteRefused for what nobody may merge without a word; then it stands beside what is here
        """
        try:
            self._check(theirs, tip)
        except RemoteRefused:
            self._keep_both(seen, theirs)
            raise
        opened: list[str] = []
        closed: list[RefMove] = []

        def moves(repo: Repo, target: str) -> list[RefMove]:
            own = plan_refs(repo, seen.refs, self.known.refs, target)
            opened[:] = [move.ref for move in own.here if move.ref.startswith(CONFLICTS) and not move.old]
            closed[:] = [move for move in own.here if move.ref.startswith(CONFLICTS) and not move.new]
            if own.left or own.purged:
                from gitmem.write.sync_notes import left_note
                from gitmem.write.sync_purged import purged_note

                self.done.note(left_note(own.left))
                self.done.note(purged_note(repo.root, self.remote.name, own.purged))
            return joined(tracking_branch(repo, self.remote.name, seen.refs, theirs), own.here)

        if self._is_new(tip):
            self._arrive(theirs, tip, moves)
        else:
            self.move(moves)
        self.done.tell_settled(self.repo, closed)
        self.done.tell_opened(self.repo, opened)

    def take_in_fetched(self, theirs: str, tip: str) -> None:
        """The same for what was fetched at another time, which moves no refs."""
        if tip:
            self._check(theirs, tip, fetched=True)
            if self._is_new(tip):
                self._arrive(theirs, tip, _no_refs)

    def _check(self, theirs: str, tip: str, *, fetched: bool = False) -> None:
        head = self.repo.head()[1]
        check_not_purged(self.repo, self.remote, theirs, tip, head)
        check_not_rewritten(self.repo, self.remote, self.known, tip, head)
        if tip and not self.known.tip and not fetched:
            check_store(self.repo, self.remote, theirs, tip, head)

    def _is_new(self, tip: str) -> bool:
        """Whether the branch here lacks the commit ``tip`` of the other side."""
        return bool(tip) and not is_ancestor(self.repo, tip, self.repo.head()[1])

    def _arrive(self, theirs: str, tip: str, moves: Moves) -> None:
        from gitmem.store.scope import recorded_projects
        from gitmem.write.arrive import arrive

        root, label = self.repo.root, f"{self.remote.name}/{theirs}"
        projects = recorded_projects(root)
        taken = arrive(
            root, tip, label, self.when, self.environ, lambda view, target: moves(view.repo, target), self.progress
        )
        self.done.tell_arrival(self.repo, taken, label)
        if taken.received and recorded_projects(root) != projects:
            from gitmem.write.project_places import renew_places
            from gitmem.write.project_twins import joined_notes

            for note in joined_notes(root, projects):
                self.done.note(note)
            renew_places(root, self.environ)

    def move(self, moves: Moves) -> None:
        """Move refs alone, and see to what a killed writer left.

        Nothing is locked where nothing is to be done: where both sides are what they were after the last sync.
        """
        head = self.repo.head()[1]
        if head == self.before and not moves(self.repo, head) and not has_left_over(self.repo.git):
            return
        from gitmem.write.sync_publish import publish_refs

        publish_refs(self.repo.root, self.when, self.environ, moves)

    def _keep_both(self, seen: Seen, theirs: str) -> None:
        """Keep what the remote's branch had as a ref of its own, beside the one that says what it has."""

        def moves(repo: Repo, target: str) -> list[RefMove]:  # noqa: ARG001
            ref = before_ref(self.remote.name, theirs)
            there = is_here(repo, self.known.tip)
            kept = [RefMove(ref, read_ref(repo.git, ref), self.known.tip)] if there else []
            return joined(tracking(repo, self.remote.name, seen.refs, theirs), kept)

        self.move(moves)

    def catch_up(self) -> None:
        """Let the search index know what plain git committed here, or pulled, since the last sync."""
        is_sure = bool(self.done.received or self.done.edits)
        if is_sure or self.repo.head()[1] != self.before:
            from gitmem.write.sync_publish import catch_up

            catch_up(self.repo, self.before, self.when, self.progress, is_sure=is_sure)


def _no_refs(repo: Repo, target: str) -> list[RefMove]:  # noqa: ARG001 - as the others
    return []
