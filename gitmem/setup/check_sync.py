"""The doctor's look at conflicts and remotes, by what earlier syncs left on this machine: nobody is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitmem.errors import GitmemError
from gitmem.history.conflict import open_conflicts
from gitmem.history.repo import Repo
from gitmem.memory.age import iso
from gitmem.setup.check import NOTE, OK, TROUBLE, Check, counted
from gitmem.store.machine import DAY_S
from gitmem.store.paths import typed
from gitmem.write.sync_edits import held_now
from gitmem.write.sync_status import Place, places_of

SHOWN = 3  # memories with a conflict that are named


def conflicts(repo: Repo) -> Iterator[Check]:
    """The conflicts that wait for a person."""
    found = open_conflicts(repo)
    if not found:
        yield Check("conflicts", OK, "none is open")
        return
    paths = list(dict.fromkeys(each.path for each in found))
    named = ", ".join(paths[:SHOWN]) + (f" and {len(paths) - SHOWN} more" if paths[SHOWN:] else "")
    are = "is" if len(found) == 1 else "are"
    message = f"{counted(len(found), 'conflict')} {are} open, both texts kept: {named}"
    yield Check("conflicts", TROUBLE, message, "gitmem conflict list")


def remotes(repo: Repo, when: int) -> Iterator[Check]:
    """Each remote: whether it was ever reached, what fails since, whether what is here goes there at all.

    when: UTC unix seconds
    """
    for place in places_of(repo):
        yield _remote(place, when)


def held(repo: Repo, environ: Mapping[str, str]) -> Iterator[Check]:
    """What a sync would hold back, where there is anything to sync with."""
    try:
        if not places_of(repo):
            return
        edits = held_now(repo, environ)
    except GitmemError:  # on no branch, say; that is told of by itself
        return
    notes = edits.held_notes(repo.root, repo.git.path)
    if not notes:
        yield Check("own edits", OK, "nothing is held back from a sync")
    for note in notes:
        yield Check("own edits", TROUBLE, note)


def _remote(place: Place, when: int) -> Check:
    name, sync = f"remote {place.name}", f"gitmem sync {typed(place.name)}"
    last = f"last synced {iso(place.reached)}" if place.reached else "never synced"
    if place.stray:
        return Check(name, TROUBLE, place.stray, place.stray_hint)
    if place.trouble is not None:
        is_long = when - place.trouble.since >= DAY_S or not place.reached
        message = f"{last}; failing since {iso(place.trouble.since)}: {place.trouble.said}"
        return Check(name, TROUBLE if is_long else NOTE, message, sync)
    if not place.reached:
        return Check(name, NOTE, f"{last} ({place.url})", sync)
    if place.ahead > 0:
        wait = "waits" if place.ahead == 1 else "wait"
        return Check(name, NOTE, f"{last}; {counted(place.ahead, 'commit')} {wait} to be sent", sync)
    return Check(name, OK, last)
