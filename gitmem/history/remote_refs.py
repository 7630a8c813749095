"""gitmem's own refs on two sides made one: conflicts, rollback points, rejected runs.

Never by force.  A conflict is open wherever it is known until it is settled: until the branch has its record among its
forebears.  Of the others, what both sides had and one deleted is deleted; what is new on one side is new on both.
"""

from __future__ import annotations

import os

from gitmem.dataclass import dataclass, field
from gitmem.history.bases import is_ancestor
from gitmem.history.conflict_pending import given_up
from gitmem.history.conflict_settled import settlers
from gitmem.history.ownrefs import RefMove, own_refs
from gitmem.history.refs import read_ref
from gitmem.history.remote_machine import read_beat
from gitmem.history.transport import FETCHED, Push
from gitmem.limits import MAX_REFS
from gitmem.store.gitdir import is_ref_name
from gitmem.store.machine import known_machine
from gitmem.store.paths import CONFLICTS, MACHINE_BRANCHES, MACHINES, OWN_REFS, REMOTES, ROLLBACK, purged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gitmem.history.repo import Repo

REJECTED = OWN_REFS + "rejected/"
BY_BASE = (ROLLBACK, REJECTED)
SPARE = 60  # refs below MAX_REFS that are left for branches, tags and what comes next


@dataclass(slots=True)
class RefPlan:
    """What has to happen to gitmem's refs.

    here:   moves in this repository; there: pushes
    left:   names that were not taken over, since there are too many refs already
    purged: names there that lead to what was purged here, and are left alone
    """

    here: list[RefMove] = field(default_factory=list)
    there: list[Push] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    purged: list[str] = field(default_factory=list)


def plan_refs(repo: Repo, theirs: Mapping[str, str], base: Mapping[str, str], head: str) -> RefPlan:
    """What makes both sides agree.

    theirs: the remote's refs; base: those it had after the last sync
    head:   the branch, with what was merged
    """
    plan = RefPlan()
    _conflicts(repo, plan, theirs, head)
    for prefix in BY_BASE:
        _by_base(repo, plan, prefix, theirs, base)
    _leave_purged(repo, plan, theirs, head)
    room = MAX_REFS - SPARE - len(own_refs(repo.git, "refs/"))
    new = sorted((move for move in plan.here if not move.old and not move.ref.startswith(CONFLICTS)), key=_newest)
    for move in new[max(room, 0) :]:  # each costs every process of git
        plan.here.remove(move)
        plan.left.append(move.ref)
    return plan


def _leave_purged(repo: Repo, plan: RefPlan, theirs: Mapping[str, str], head: str) -> None:
    """Neither take over what leads to purged text, nor push ours in its place, which would need force."""
    if not os.path.exists(purged(repo.git.common)):
        return
    from gitmem.history.purge_record import leads_to  # few stores have had a purge
    from gitmem.history.rewrite_refs import load_purged

    blobs = load_purged(repo.git.common)
    if not blobs:
        return
    touched = {move.ref for move in plan.here if move.new} | {push.ref for push in plan.there if push.new}
    touched |= set(_forsaken(repo, theirs, head))
    plan.purged = sorted(ref for ref in touched if ref in theirs and leads_to(repo, theirs[ref], blobs, head))
    plan.here = [move for move in plan.here if move.ref not in plan.purged]
    plan.there = [push for push in plan.there if push.ref not in plan.purged]


def _forsaken(repo: Repo, theirs: Mapping[str, str], head: str) -> Iterator[str]:
    """The heartbeats of other machines whose branch is not in the history here, as after a purge.

    This machine's own is left out: when its history was rewritten it deletes that itself.
    """
    own = known_machine(repo.git.common)
    for ref, name in theirs.items():
        if not ref.startswith((MACHINES, MACHINE_BRANCHES)) or ref.rpartition("/")[2] == own:
            continue
        beat = read_beat(repo, name)
        if beat is not None and beat.head and not is_ancestor(repo, beat.head, head):
            yield ref


def _newest(move: RefMove) -> tuple[int, ...]:
    """Ids begin with the time: the newest first."""
    return tuple(-ord(mark) for mark in move.ref.rpartition("/")[2])


def _conflicts(repo: Repo, plan: RefPlan, theirs: Mapping[str, str], head: str) -> None:
    void = given_up(repo, head)
    ours = {ref: name for ref, name in own_refs(repo.git, CONFLICTS).items() if void.get(ref) != name}
    there = {ref: name for ref, name in theirs.items() if ref.startswith(CONFLICTS) and is_ref_name(ref)}
    for ref in sorted(ours.keys() | there.keys()):
        here, far = ours.get(ref, ""), there.get(ref, "")
        if is_settled(repo, far or here, head):
            if here:
                plan.here.append(RefMove(ref, here, ""))
            if far:
                plan.there.append(Push(ref, far, ""))
        elif far and far != here:  # the same conflict may have been recorded on both sides: the remote's stands
            plan.here.append(RefMove(ref, here, far))
        elif here and not far:
            plan.there.append(Push(ref, "", here))


def _by_base(repo: Repo, plan: RefPlan, prefix: str, theirs: Mapping[str, str], base: Mapping[str, str]) -> None:
    ours = own_refs(repo.git, prefix)
    there = {ref: name for ref, name in theirs.items() if ref.startswith(prefix) and is_ref_name(ref)}
    for ref in sorted(ours.keys() | there.keys()):
        here, far, was = ours.get(ref, ""), there.get(ref, ""), base.get(ref, "")
        if here == far:
            continue
        if not here:
            if was == far:
                plan.there.append(Push(ref, far, ""))
            else:
                plan.here.append(RefMove(ref, "", far))
        elif not far:
            if was == here:
                plan.here.append(RefMove(ref, here, ""))
            else:
                plan.there.append(Push(ref, "", here))
        else:
            plan.here.append(RefMove(ref, here, far))


def is_settled(repo: Repo, record: str, head: str) -> bool:
    """Whether ``head`` has merged the conflict record, and that was not undone."""
    return bool(settlers(repo, record, head))


def tracking(repo: Repo, remote: str, theirs: Mapping[str, str], branch: str) -> list[RefMove]:
    """The moves that make the refs of this repository about ``remote`` say what it has."""
    wanted: dict[str, str] = {}
    for ref, name in theirs.items():
        if ref.startswith(FETCHED) and is_ref_name(ref):
            wanted[tracked(remote, ref)] = name
    now = own_refs(repo.git, f"{REMOTES}{remote}/")
    moves = [RefMove(ref, now.get(ref, ""), name) for ref, name in sorted(wanted.items()) if now.get(ref) != name]
    kinds = tuple(f"{REMOTES}{remote}/{prefix.removeprefix(OWN_REFS)}" for prefix in (CONFLICTS, *BY_BASE, MACHINES))
    moves += [RefMove(ref, name, "") for ref, name in now.items() if ref not in wanted and ref.startswith(kinds)]
    return moves + tracking_branch(repo, remote, theirs, branch)


def tracking_branch(repo: Repo, remote: str, theirs: Mapping[str, str], branch: str) -> list[RefMove]:
    """The move that makes ``origin/main`` say what the remote's branch is."""
    ref = f"refs/remotes/{remote}/{branch}"
    was, tip = read_ref(repo.git, ref), theirs.get(f"refs/heads/{branch}", "")
    return [RefMove(ref, was, tip)] if tip and was != tip else []


def tracked(remote: str, ref: str) -> str:
    """Where a remote's own ref stands here."""
    if ref.startswith(MACHINE_BRANCHES):
        return f"{REMOTES}{remote}/machines/{ref.removeprefix(MACHINE_BRANCHES)}"
    return f"{REMOTES}{remote}/{ref.removeprefix(OWN_REFS)}"


def joined(*moves: Sequence[RefMove]) -> list[RefMove]:
    """All of them, each ref once, nothing that stays as it is."""
    found: dict[str, RefMove] = {}
    for group in moves:
        for move in group:
            before = found.get(move.ref)
            found[move.ref] = RefMove(move.ref, before.old, move.new) if before else move
    return [move for move in found.values() if move.old != move.new]
