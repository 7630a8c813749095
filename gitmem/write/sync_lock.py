"""One sync of a store at a time; the second one does not wait: it asks the first to go round once more.

The second writes its remote down before it tries the lock a last time, and the first reads that after it let go of the
lock: whoever has the lock then does the work, and it cannot fall between the two.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from types import TracebackType

from gitmem.store.paths import state, sync_asked, sync_lock

if sys.platform != "win32":
    import fcntl

FIRST_WAIT, GROWTH = 2.5, 1.4  # rounds that are waited at most after the first one, and how that grows
LONGEST_WAIT_S = 30.0


class SyncLock:
    """Held by the process that syncs, released by its death; use with ``with`` and look at ``is_held``.

    git_dir: the repository's common git folder
    remote:  what is synced with
    """

    def __init__(self, git_dir: str, remote: str) -> None:
        os.makedirs(state(git_dir), exist_ok=True)
        self.path = sync_lock(git_dir)
        self.remote, self.file = remote, sync_asked(git_dir)
        self.others: list[str] = []  # asked for before this one began, and still to be done
        self.is_held = False
        self._fd = -1

    def __enter__(self) -> SyncLock:
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        if not self._is_taken():
            with open(self.file, "a", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
                file.write(f"{self.remote}\n")
            if not self._is_taken():
                self._close()
        if self.is_held:
            self.others = [remote for remote in self._asked() if remote != self.remote]
            with suppress(FileNotFoundError):
                os.unlink(self.file)  # before anything is looked at: what is asked from now on is another round
        return self

    def left(self) -> list[str]:
        """The remotes of the syncs that came meanwhile and left their work to this one; asked after its end."""
        return list(dict.fromkeys([*self.others, *self._asked()]))

    def _asked(self) -> list[str]:
        try:
            with open(self.file, encoding="utf-8", errors="surrogateescape") as file:
                return file.read().splitlines()
        except FileNotFoundError:
            return []

    def _is_taken(self) -> bool:
        try:
            self._take()
        except OSError:  # another one has it
            return False
        self.is_held = True
        return True

    def _take(self) -> None:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(self._fd, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def wait(number: int, round_s: float) -> None:
    """Let others through: at random, so that two do not meet again, and longer each time.

    round_s: how long a round takes here, the time another one needs to be done
    """
    longest = min(LONGEST_WAIT_S, round_s * FIRST_WAIT * GROWTH**number)
    time.sleep(longest * int.from_bytes(os.urandom(2), "big") / 0xFFFF)
