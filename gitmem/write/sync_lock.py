"""One sync of a store at a time; the second one does not wait, since the first does its work."""

from __future__ import annotations

import os
import sys
from types import TracebackType

from gitmem.store.paths import state, sync_lock

if sys.platform != "win32":
    import fcntl


class SyncLock:
    """Held by the process that syncs, released by its death; use with ``with`` and look at ``is_held``.

    git_dir: the repository's common git folder
    """

    def __init__(self, git_dir: str) -> None:
        os.makedirs(state(git_dir), exist_ok=True)
        self.path = sync_lock(git_dir)
        self.is_held = False
        self._fd = -1

    def __enter__(self) -> SyncLock:
        self._fd = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            self._take()
            self.is_held = True
        except OSError:  # another one has it
            self._close()
        return self

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
