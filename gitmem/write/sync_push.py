"""What a sync sends: the branch with a lease, gitmem's own refs, and this machine's heartbeat on a ref of its own."""

from __future__ import annotations

import os

from gitmem import __version__
from gitmem.dataclass import dataclass, field
from gitmem.history.bases import is_ancestor, meeting
from gitmem.history.identity import person_config
from gitmem.history.ownrefs import RefMove, own_refs
from gitmem.history.refs import read_ref
from gitmem.history.remote_machine import Beat, add_beat, machine_name, read_beat
from gitmem.history.remote_refs import joined, plan_refs, tracking
from gitmem.history.transport import DECLINED, DONE, ONLY_GIT, Push, Result
from gitmem.store.machine import known_machine, machine_id, new_machine_id
from gitmem.store.paths import CONFLICTS, MACHINE_BRANCHES, MACHINES, OWN_REFS, purged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.history.remote import Remote
    from gitmem.history.remote_state import Known
    from gitmem.history.repo import Repo
    from gitmem.history.transport import Transport

MAX_MACHINES = 64  # heartbeats kept on a remote: each is a ref that every process of git reads
DAY_S = 86_400
BEAT_EVERY_S = 3600  # when nothing else is sent: a heartbeat is a commit, and cron may sync every minute


@dataclass(slots=True)
class Sending:
    """One attempt to send.

    there:    the remote's refs as they are known, brought up to date by what was sent
    results:  what became of each ref
    beat:     the heartbeat's ref and commit, "" when none was sent
    """

    there: dict[str, str]
    results: dict[str, Result] = field(default_factory=dict)
    beat_ref: str = ""
    beat: str = ""

    def of(self, ref: str) -> Result:
        return self.results.get(ref, Result(DONE))

    @property
    def has_beat(self) -> bool:
        """Whether the heartbeat is there, and with it what the branch held."""
        return bool(self.beat) and self.beat in self.there.values()


def send(
    repo: Repo,
    transport: Transport,
    known: Known,
    theirs: Mapping[str, str],
    branch: str,
    when: int,
    environ: Mapping[str, str],
    beat: str = "",
) -> Sending:
    """Send what the remote lacks.

    known:   what it had after the last sync; its ``plain`` is set when the host takes no refs but branches
    theirs:  its refs now; branch: its branch's name
    beat:    the heartbeat an earlier round of this sync has sent, "" for none
    raises:  Unreachable, RemoteRefused
    """
    head, ref = repo.head()[1], f"refs/heads/{branch}"
    was_plain = known.plain
    if known.plain and when // DAY_S != known.beaten // DAY_S:
        known.plain = False  # once a day (UTC) the host is asked anew: a hook that declined may be gone
    tip = theirs.get(ref, "")
    sending = Sending(dict(theirs), beat=beat)
    pushes = [Push(ref, tip, head)] if head and head != tip else []
    if not known.plain:
        pushes += plan_refs(repo, theirs, known.refs, head).there + _silent(repo, theirs)
    if pushes or not 0 <= when - known.beaten < BEAT_EVERY_S or _has_news(repo, head):
        last = known_machine(repo.git.common)
        pushes.append(_beat(repo, sending, known.plain, head, (0, 0), branch, when, "", environ))
        pushes += _purged_beat(repo, known.refs, theirs, last, head)
    if was_plain and not known.plain:
        branch_ref = MACHINE_BRANCHES + sending.beat_ref.removeprefix(MACHINES)
        _push_again(repo, transport, sending, pushes, branch_ref)
    else:
        _push(repo, transport, sending, pushes)
    own = [push for push in pushes if push.ref.startswith(OWN_REFS)]
    if own and not known.plain and all(sending.of(push.ref).state == DECLINED for push in own):
        if not pushes[0].ref.startswith(OWN_REFS) and sending.of(ref).state == DECLINED:
            return sending  # nothing is taken: that says nothing about the names
        if any(ONLY_GIT in sending.of(push.ref).said for push in own):
            return sending  # nor does what could not be tried
        known.plain = True
        if was_plain:  # said before
            sending.results = {each: said for each, said in sending.results.items() if not each.startswith(OWN_REFS)}
        _push(repo, transport, sending, [_beat(repo, sending, True, head, (0, 0), branch, when, "", environ)])
    return sending


def _push_again(repo: Repo, transport: Transport, sending: Sending, pushes: list[Push], stand_in: str) -> None:
    """Send to a host that took branches only; when it takes all refs now, the branch of this machine goes there."""
    _push(repo, transport, sending, pushes)
    last = sending.there.get(stand_in, "")
    if last and sending.beat and sending.of(sending.beat_ref).state == DONE:
        _push(repo, transport, sending, [Push(stand_in, last, "")])


def _silent(repo: Repo, theirs: Mapping[str, str]) -> list[Push]:
    """Deletions of the heartbeats that are oldest where there are too many: machines that come and go, as in builds."""
    refs = [ref for ref in theirs if ref.startswith(MACHINES)]
    if len(refs) <= MAX_MACHINES:
        return []
    own = MACHINES + machine_id(repo.git.common)
    ages = {ref: beat.when if (beat := read_beat(repo, theirs[ref])) else 0 for ref in refs if ref != own}
    return [Push(ref, theirs[ref], "") for ref in sorted(ages, key=lambda ref: ages[ref])[: len(refs) - MAX_MACHINES]]


def _purged_beat(repo: Repo, seen: Mapping[str, str], theirs: Mapping[str, str], last: str, head: str) -> list[Push]:
    """The deletion of this machine's own ref when it got another because a purge rewrote its heartbeats.

    seen: the remote's refs after the last sync; who else had moved that ref since would be a copy of this machine
    last: the id this machine had
    """
    ref = MACHINES + last
    there, git_dir = theirs.get(ref, ""), repo.git.common
    if not there or seen.get(ref) != there or last == machine_id(git_dir) or not os.path.exists(purged(git_dir)):
        return []
    from gitmem.history.purge_record import leads_to  # few stores have had a purge
    from gitmem.history.rewrite_refs import load_purged

    return [Push(ref, there, "")] if leads_to(repo, there, load_purged(git_dir), head) else []


def _has_news(repo: Repo, head: str) -> bool:
    """Whether this machine is another than its last heartbeat says."""
    last = read_ref(repo.git, MACHINES + machine_id(repo.git.common))
    beat = read_beat(repo, last) if last else None
    now = (head, len(own_refs(repo.git, CONFLICTS)), __version__, "")
    return beat is None or (beat.head, beat.conflicts, beat.version, beat.trouble) != now


def send_trouble(
    repo: Repo,
    transport: Transport,
    known: Known,
    sending: Sending,
    branch: str,
    when: int,
    said: str,
    environ: Mapping[str, str],
) -> None:
    """Send a heartbeat that tells of a branch the remote would not take; with it, what the branch holds is there."""
    head = repo.head()[1]
    met = meeting(repo, head, sending.there.get(f"refs/heads/{branch}", ""))
    beat = _beat(repo, sending, known.plain, head, (met.ahead, met.behind), branch, when, said, environ)
    _push(repo, transport, sending, [beat])


def _push(repo: Repo, transport: Transport, sending: Sending, pushes: list[Push]) -> None:
    repo.objects.flush()
    repo.objects.forget()
    if not pushes:
        return
    results = transport.push(pushes)
    sending.results |= results
    for push in pushes:
        if results[push.ref].state == DONE:
            sending.there[push.ref] = push.new
            if not push.new:
                del sending.there[push.ref]


def _beat(
    repo: Repo,
    sending: Sending,
    plain: bool,
    head: str,
    distance: tuple[int, int],
    branch: str,
    when: int,
    said: str,
    environ: Mapping[str, str],
) -> Push:
    """The push of a new heartbeat; a machine whose ref is another's (its folder was copied) gets a new id."""
    common = repo.git.common
    prefix = MACHINE_BRANCHES if plain else MACHINES
    name = machine_id(common)
    last = sending.beat or read_ref(repo.git, MACHINES + name)
    there = sending.there.get(prefix + name, "")
    called = machine_name(person_config(repo.git, environ))
    if there and last and not is_ancestor(repo, there, last):
        ours = read_beat(repo, there) if is_ancestor(repo, last, there) else None
        if ours is not None and ours.name == called:  # sent, and then this machine was stopped before it noted that
            last = there
        else:
            name, there, last = new_machine_id(common), "", ""
    beat = Beat(
        name, called, __version__, when, branch, head, *distance,
        len(own_refs(repo.git, CONFLICTS)), said,
    )  # fmt: skip
    sending.beat_ref, sending.beat = MACHINES + name, add_beat(repo, beat, last or there)
    return Push(prefix + name, there, sending.beat)


def settled_refs(repo: Repo, remote: Remote, sending: Sending, branch: str) -> list[RefMove]:
    """The refs here that have to say what was sent."""
    moves = tracking(repo, remote.name, sending.there, branch)
    sent = MACHINE_BRANCHES + sending.beat_ref.removeprefix(MACHINES)
    if sending.beat and sending.beat in (sending.there.get(sending.beat_ref), sending.there.get(sent)):
        moves.append(RefMove(sending.beat_ref, read_ref(repo.git, sending.beat_ref), sending.beat))
        former = own_refs(repo.git, MACHINES).items()  # under an id this machine had once
        moves += [RefMove(ref, name, "") for ref, name in former if ref != sending.beat_ref]
    return joined(moves)
