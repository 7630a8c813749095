"""How this store stands with its remotes and the other machines, without asking anybody."""

from __future__ import annotations

from gitmem.dataclass import dataclass
from gitmem.errors import GitmemError
from gitmem.history.bases import meeting
from gitmem.history.ownrefs import own_refs
from gitmem.history.refs import read_ref
from gitmem.history.remote import Remote, remotes, upstream
from gitmem.history.remote_machine import Beat, beats
from gitmem.history.remote_state import Known, load_known
from gitmem.history.repo import Repo, open_repo
from gitmem.history.transport import RemoteRefused
from gitmem.store.machine import Trouble, known_machine, troubles
from gitmem.store.paths import CONFLICTS
from gitmem.write.sync_branch import NOT_DONE, own_branch
from gitmem.write.sync_edits import held_now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Place:
    """One remote.

    ahead, behind: commits this store has beyond it, and lacks, as of the last look; -1 when it was never seen
    reached:       UTC unix seconds of the last sync that went through, 0 for never
    trouble:       what failed since, None for nothing
    stray:         why the branch that is checked out is not synced with it, "" when it is; stray_hint: what to type
    """

    name: str
    url: str
    ahead: int
    behind: int
    reached: int
    trouble: Trouble | None
    stray: str = ""
    stray_hint: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """One machine.

    is_this:       the one that asks
    last:          UTC unix seconds of its last sync; days: whole days since
    ahead, behind: of another machine: commits it had then beyond the branch here, and lacks by now; of this one: as it
                   stands with its first remote
    """

    beat: Beat
    is_this: bool
    last: int
    ahead: int
    behind: int
    days: int


@dataclass(frozen=True, slots=True)
class Standing:
    """Remotes, machines, and how many conflicts are open."""

    places: tuple[Place, ...]
    machines: tuple[Machine, ...]
    conflicts: int


def standing(root: str, when: int) -> Standing:
    """How the store at ``root`` stands; what cannot be read counts as nothing.

    when: UTC unix seconds
    """
    with open_repo(root) as repo:
        ref, head = repo.head()
        branch = ref.removeprefix("refs/heads/")
        places = places_of(repo)
        own = known_machine(repo.git.common)
        tips = [tip for place in places if (tip := _tip(repo, place.name, branch))]
        machines = []
        for beat in beats(repo):
            is_this = beat.id == own
            last = max([beat.when, *(place.reached for place in places)]) if is_this else beat.when
            ahead, behind = _distance(repo, head, tips[0]) if is_this and tips else _distance(repo, beat.head, head)
            machines.append(Machine(beat, is_this, last, ahead, behind, max(0, when - last) // DAY_S))
        return Standing(tuple(places), tuple(machines), len(own_refs(repo.git, CONFLICTS)))


def held_back(root: str, environ: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The files of the store at ``root`` that a sync would hold back at this moment, and the sentences of why.

    Every file is looked at, as by a sync.
    """
    try:
        with open_repo(root) as repo:
            edits = held_now(repo, environ)
            return edits.held_paths(), edits.held_notes(root, repo.git.path)
    except GitmemError:  # on no branch, say; that is told of by itself
        return [], []


def places_of(repo: Repo) -> list[Place]:
    """How the store stands with each remote, by name."""
    ref, head = repo.head()
    branch = ref.removeprefix("refs/heads/")
    failed = {each.remote: each for each in troubles(repo.git.common)}
    places = []
    for remote in remotes(repo.git):
        known = load_known(repo.git.common, remote.name, remote.url)
        tip = _tip(repo, remote.name, branch)
        ahead, behind = _distance(repo, head, tip) if tip else (-1, -1)
        stray, hint = _stray(repo, remote, known, branch) if branch else ("", "")
        trouble = failed.get(remote.name)
        places.append(Place(remote.name, remote.shown, ahead, behind, known.reached, trouble, stray, hint))
    return places


def _stray(repo: Repo, remote: Remote, known: Known, branch: str) -> tuple[str, str]:
    try:
        own_branch(repo, remote, known, branch)
    except RemoteRefused as refused:
        return refused.message.removesuffix(NOT_DONE), refused.hint
    return "", ""


def _tip(repo: Repo, remote: str, branch: str) -> str:
    return read_ref(repo.git, f"refs/remotes/{remote}/{upstream(repo.git, branch, remote) or branch}")


def _distance(repo: Repo, one: str, two: str) -> tuple[int, int]:
    try:
        met = meeting(repo, one, two)
    except GitmemError:
        return 0, 0
    return met.ahead, met.behind
