"""What a sync came to, and the sentences that tell a person of it."""

from __future__ import annotations

from gitmem.dataclass import dataclass, field
from gitmem.history.bases import meeting
from gitmem.history.ownrefs import own_refs
from gitmem.history.transport import DECLINED
from gitmem.memory.name import windows_name
from gitmem.store.paths import CONFLICTS, ROLLBACK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.history.ownrefs import RefMove
    from gitmem.history.remote import Remote
    from gitmem.history.repo import Repo
    from gitmem.memory.finding import Finding
    from gitmem.write.arrive import Arrival, Recorded
    from gitmem.write.sync_edits import Edits
    from gitmem.write.sync_push import Sending

SYNCED, OFFLINE, BUSY = "synced", "offline", "busy"
UNREAD = ("too-big", "name-bytes")  # rules of a listing that a person cannot see in the file's place
SHOWN = 10  # files that are named


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
    settled:   path of each conflict that was open here and that another machine settled
    unheard:   path -> author of what came and is not recalled yet, since the author is new here
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
    settled: list[str] = field(default_factory=list)
    unheard: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def note(self, sentence: str) -> None:
        """Tell it once; "" is nothing to tell."""
        if sentence and sentence not in self.notes:
            self.notes.append(sentence)

    def after(self, earlier: Synced) -> Synced:
        """This round and what an earlier one of the same sync came to."""
        self.received, self.sent = self.received + earlier.received, self.sent + earlier.sent
        known = {each.id for each in self.conflicts}
        self.conflicts = [each for each in earlier.conflicts if each.id not in known] + self.conflicts
        self.edits = list(dict.fromkeys([*earlier.edits, *self.edits]))
        self.settled = list(dict.fromkeys([*earlier.settled, *self.settled]))
        self.unheard = earlier.unheard | self.unheard
        self.notes = list(dict.fromkeys([*earlier.notes, *self.notes]))
        return self

    def tell_unread(self, repo: Repo, skipped: Sequence[Finding]) -> None:
        """The files that no machine recalls, and whether they are sent.

        skipped: what a listing says is no memory although it looks like one
        """
        found = [each for each in skipped if each.rule in UNREAD and each.path not in self.held]
        if not found:
            return
        from gitmem.history.tree import tree_files  # few files are left out

        sent = {path.encode("utf-8", "backslashreplace").decode() for path in tree_files(repo, repo.head()[1])}
        for each in found[:SHOWN]:
            self.note(f"{each.sentence()}; {'no machine reads it' if each.path in sent else 'it is not sent either'}")
        if found[SHOWN:]:
            self.note(f"and {len(found) - SHOWN} more files are not read; see them all: gitmem list")

    def tell_edits(self, edits: Edits, root: str, git_dir: str, option: str) -> None:
        self.edits = list(edits.paths)
        self.held = edits.held_paths()
        self.notes += edits.notes(root, git_dir, option)
        odd = [path for path in edits.paths if path not in edits.removed and windows_name(path) != path]
        if odd:
            from gitmem.write.sync_notes import odd_name_note  # few names are

            self.notes += [odd_name_note(root, path) for path in odd]

    def tell_arrival(self, repo: Repo, arrival: Arrival, label: str) -> None:
        """label: the remote's branch, such as ``origin/main``"""
        self.commit = arrival.head
        self.received += arrival.received
        self.conflicts += [each for each in arrival.conflicts if each.id]
        self.edits += [path for path in arrival.edits if path not in self.edits]
        if arrival.is_joined:
            self.notes.append(f"{label} shares no history with this store: the two were joined, nothing is lost")
        self.notes += [f"your own {path} was committed first, then merged" for path in arrival.edits]
        self.notes += [
            f"{old} stood in the way of a file from {self.remote} and is called {new} now" for old, new in arrival.aside
        ]
        self.unheard |= arrival.waiting
        if not arrival.renamed and not arrival.conflicts:
            return
        from gitmem.write.conflict_told import difference_told  # what only a merge needs, most syncs are spared
        from gitmem.write.sync_notes import renamed_note

        self.notes += [renamed_note(repo, arrival, self.remote, old, new) for old, new in arrival.renamed]
        self.notes += [f"{each.path}: {difference_told(each.words)}" for each in arrival.conflicts if not each.id]

    def tell_settled(self, repo: Repo, closed: Sequence[RefMove]) -> None:
        """The conflicts that were open here and that the other side has settled.

        closed: the moves that took their refs away
        """
        if not closed:
            return
        from gitmem.history.conflict import read_conflict

        for move in closed:
            try:
                self.settled.append(read_conflict(repo, move.ref.removeprefix(CONFLICTS), move.old).path)
            except ValueError:  # a ref that led to no record
                continue

    def tell_opened(self, repo: Repo, opened: list[str]) -> None:
        """The conflicts that another machine recorded and that are open here from now on.

        opened: their refs
        """
        known = {each.id for each in self.conflicts}
        if not opened:
            return
        from gitmem.history.conflict import open_conflicts
        from gitmem.write.arrive import Recorded
        from gitmem.write.conflict_told import words_of

        for each in open_conflicts(repo):
            if each.ref in opened and each.id not in known:
                self.conflicts.append(Recorded(each.id, each.path, words_of(each.reason)))

    def tell_sent(self, repo: Repo, sending: Sending, ref: str, tip: str, *, is_plain: bool) -> None:
        """How much is there now, and what the remote did not take.

        ref, tip: the remote's branch, and the commit it had before
        is_plain: the host takes branches and no other refs
        """
        self.commit = sending.there.get(ref, "")
        self.sent = meeting(repo, self.commit, tip).ahead
        declined = {each: result.said for each, result in sending.results.items() if result.state == DECLINED}
        if not declined:
            return
        if is_plain:
            self.note(
                f"{self.remote} takes branches only: conflicts and rollback points do not travel there, this machine "
                f"is its branch machine/{sending.beat_ref.rpartition('/')[2]}"
            )
            return
        first = next(iter(declined))
        kinds = {CONFLICTS: "conflicts", ROLLBACK: "rollback points"}
        what = next((kind for prefix, kind in kinds.items() if first.startswith(prefix)), first)
        self.note(f"{self.remote} did not take {what}: {declined[first]}; the memories are there")


def busy(repo: Repo, remote: Remote, branch: str) -> Synced:
    """That another sync does this one's work."""
    undecided = len(own_refs(repo.git, CONFLICTS))
    done = Synced(remote.name, remote.shown, branch, BUSY, commit=repo.head()[1], undecided=undecided)
    done.reason = "another sync of this store is under way"
    return done
