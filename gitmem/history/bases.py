"""Where two histories meet: their newest common commits, and how far each has gone on since.

An own walk, newest commit first, as git does it; nothing behind the last common commit is read.
"""

from __future__ import annotations

import heapq

from gitmem.errors import RepositoryDamaged
from gitmem.history.log import shallow
from gitmem.history.repo import Repo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

ONE, TWO, OLD = 1, 2, 4  # reached from the one side, from the other; behind a common commit
BOTH = ONE | TWO
NEVER = 1 << 62


class Meeting:
    """What two commits have in common.

    bases:      ids of the newest common commits, none of them behind another; several after a criss-cross
    ahead:      number of commits only the first has
    behind:     number of commits only the second has
    """

    __slots__ = ("ahead", "bases", "behind")

    def __init__(self, bases: list[str], ahead: int, behind: int) -> None:
        self.bases, self.ahead, self.behind = bases, ahead, behind


def meeting(repo: Repo, one: str, two: str) -> Meeting:
    """Where the histories of two commits meet; ids may be "" for no history.

    source: paint_down_to_common in git's commit-reach.c
    """
    flags, found = _painted(repo, [one], [two])
    bases = sorted(name for name in found if not flags[name] & OLD)
    if len(bases) > 1:
        bases = _independent(repo, bases)
    alone = [flag & BOTH for flag in flags.values()]
    return Meeting(bases, alone.count(ONE), alone.count(TWO))


def is_ancestor(repo: Repo, old: str, new: str) -> bool:
    """Whether ``new`` has ``old`` among its forebears, or is it."""
    if old == new or not old:
        return True
    return bool(new) and old in meeting(repo, old, new).bases


def only(repo: Repo, wanted: Iterable[str], known: Iterable[str]) -> list[str]:
    """The commits that one of ``wanted`` has and none of ``known``, oldest first."""
    flags, _ = _painted(repo, wanted, known)
    alone = [name for name, flag in flags.items() if flag & BOTH == ONE]
    return sorted(alone, key=lambda name: (repo.commit(name).when, name))


def _painted(repo: Repo, ones: Iterable[str], twos: Iterable[str]) -> tuple[dict[str, int], list[str]]:
    """What was reached of both histories, with how, and the common commits that were met."""
    borders = shallow(repo)
    flags: dict[str, int] = {}
    done: dict[str, int] = {}  # the flags a commit had when its parents were reached
    waiting: list[tuple[int, str]] = []
    fresh: set[str] = set()  # commits that wait and are not OLD: when none is left, nothing new can come

    def reach(name: str, flag: int) -> None:
        if not name or flags.get(name, 0) & flag == flag or not _is_here(repo, name):
            return
        flags[name] = flags.get(name, 0) | flag
        heapq.heappush(waiting, (-repo.commit(name).when, name))
        (fresh.discard if flags[name] & OLD else fresh.add)(name)

    found: dict[str, None] = {}
    for one in ones:
        reach(one, ONE)
    for two in twos:
        reach(two, TWO)
    lowest = 0
    while waiting:
        if not fresh:  # the rest may still reach a commit that was taken for one side's alone, made in the same second
            lowest = lowest or min(
                (repo.commit(name).when for name, flag in flags.items() if flag in (ONE, TWO)), default=NEVER
            )
            if -waiting[0][0] < lowest:
                break
        name = heapq.heappop(waiting)[1]
        flag = flags[name]
        fresh.discard(name)
        if done.get(name) == flag:
            continue
        done[name] = flag
        if flag == BOTH:
            found[name] = None
            flag |= OLD
        for parent in () if name in borders else repo.commit(name).parents:
            reach(parent, flag)
    return flags, list(found)


def _is_here(repo: Repo, name: str) -> bool:
    """False for a commit that a shallow clone, or a purge elsewhere, left out."""
    try:
        repo.commit(name)
    except RepositoryDamaged:
        return False
    return True


def _independent(repo: Repo, names: Collection[str]) -> list[str]:
    """Those of ``names`` that are not behind another one."""
    return [
        name for name in names if not any(name != other and name in meeting(repo, name, other).bases for other in names)
    ]
