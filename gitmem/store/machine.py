"""This machine's id among those of one store, and whether its last syncs failed.

Hot: the cheap set only, so that the start of a session may ask.
"""

from __future__ import annotations

import os
import time

from gitmem.store.paths import machine, state, sync_trouble, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DAY_S = 86_400
ID_DIGITS = 12
HEX = frozenset("0123456789abcdef")
MAX_SAID = 300  # characters of a sentence that are kept


class Trouble:
    """Syncs with one remote that failed, one after the other.

    since:  UTC unix seconds of the first one after the last success
    last:   of the last one
    """

    __slots__ = ("last", "remote", "said", "since")

    def __init__(self, remote: str, since: int, last: int, said: str) -> None:
        self.remote, self.since, self.last, self.said = remote, since, last, said


def machine_id(git_dir: str) -> str:
    """This machine's id for the store, made once: 12 hex digits.

    git_dir: the repository's common git folder
    raises:  OSError when it cannot be kept
    """
    return known_machine(git_dir) or new_machine_id(git_dir)


def known_machine(git_dir: str) -> str:
    """This machine's id for the store; "" when it has none yet."""
    found = _read(machine(git_dir)).strip()
    return found if len(found) == ID_DIGITS and HEX.issuperset(found) else ""


def new_machine_id(git_dir: str) -> str:
    """Another id, for a machine that is a copy of one: two must never share a ref."""
    made = os.urandom(ID_DIGITS // 2).hex()
    os.makedirs(state(git_dir), exist_ok=True)
    _write(machine(git_dir), made + "\n")
    return made


def troubles(git_dir: str) -> list[Trouble]:
    """The remotes whose last sync failed."""
    found = []
    for line in _read(sync_trouble(git_dir)).splitlines():
        since, _, rest = line.partition("\t")
        last, _, rest = rest.partition("\t")
        remote, _, said = rest.partition("\t")
        if since.isdigit() and last.isdigit() and remote:
            found.append(Trouble(remote, int(since), int(last), said))
    return found


def long_trouble(git_dir: str, when: int, root: str = "", after_s: int = DAY_S) -> str:
    """One sentence for the start of a session when a sync has failed for a day; "" when all is well.

    when: UTC unix seconds
    root: the store, for the command to type; "" when it is the user's own
    """
    late = [each for each in troubles(git_dir) if when - each.since >= after_s]
    if not late:
        return ""
    each = min(late, key=lambda one: one.since)
    day = time.strftime("%Y-%m-%d", time.gmtime(each.since))
    where = f" --store {typed(root)}" if root else ""
    return f"sync with {each.remote} has failed since {day}: {each.said}; see: gitmem sync {typed(each.remote)}{where}"


def note_trouble(git_dir: str, remote: str, when: int, said: str) -> Trouble:
    """Remember that a sync failed; how long that has been so."""
    every = {each.remote: each for each in troubles(git_dir)}
    since = every[remote].since if remote in every else when
    every[remote] = Trouble(remote, since, when, " ".join(said.split())[:MAX_SAID])
    _save(git_dir, every)
    return every[remote]


def note_success(git_dir: str, remote: str) -> None:
    """Forget what failed before."""
    every = {each.remote: each for each in troubles(git_dir)}
    if every.pop(remote, None) is not None:
        _save(git_dir, every)


def _save(git_dir: str, every: Mapping[str, Trouble]) -> None:
    path = sync_trouble(git_dir)
    if not every:
        if os.path.exists(path):
            os.unlink(path)
        return
    os.makedirs(state(git_dir), exist_ok=True)
    _write(path, "".join(f"{each.since}\t{each.last}\t{each.remote}\t{each.said}\n" for each in every.values()))


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(16_384)
    except OSError:
        return ""


def _write(path: str, text: str) -> None:
    """Temp and rename: nobody reads half of it."""
    temp = f"{path}.{os.getpid():x}"
    with open(temp, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    os.replace(temp, path)
