"""One writer per store at a time, waiters served in turn, the lock released by death.

Two blocking locks make a turnstile: whoever holds the turn is the only one who waits for the write, so a process
that has just let go cannot be first again while others wait.  Polling, in contrast, starved writers for 14 s.
"""

from __future__ import annotations

import os
import sys
from _thread import allocate_lock, start_new_thread

from gitmem.errors import RepositoryBusy
from gitmem.limits import LOCK_TIMEOUT_S
from gitmem.store.paths import state, turn_lock, write_lock

if sys.platform != "win32":
    import fcntl

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from filelock import BaseFileLock

POLL_S = 0.005  # where the system has no blocking lock


class WriterLock:
    """Hold the store for one write; use with ``with``.

    git_dir: the repository's common git folder
    raises:  RepositoryBusy when the turn does not come within ``timeout_s``; OSError when no file can be made there
    """

    def __init__(self, git_dir: str, timeout_s: float = LOCK_TIMEOUT_S) -> None:
        self.git_dir, self.timeout_s = git_dir, timeout_s
        self._held: int | BaseFileLock | None = None

    def __enter__(self) -> WriterLock:
        os.makedirs(state(self.git_dir), exist_ok=True)
        take = _filelocks if sys.platform == "win32" else _turnstile
        self._held = take(self.git_dir, self.timeout_s)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        held, self._held = self._held, None
        if isinstance(held, int):
            _unlock(held)
        elif held is not None:
            held.release()


def writer_lock(git_dir: str, timeout_s: float = LOCK_TIMEOUT_S) -> WriterLock:
    """The lock every change to a store is made under; see ``WriterLock``."""
    return WriterLock(git_dir, timeout_s)


if sys.platform != "win32":

    def _turnstile(git_dir: str, timeout_s: float) -> int:
        turn = _locked(turn_lock(git_dir), timeout_s)
        try:
            return _locked(write_lock(git_dir), timeout_s)
        finally:
            _unlock(turn)

    def _locked(path: str, timeout_s: float) -> int:
        """An open file that holds the lock; processes and threads wait alike, as each opens the file anew."""
        fd = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _wait(fd, path, timeout_s)
        except BaseException:
            os.close(fd)
            raise
        return fd

    def _wait(fd: int, path: str, timeout_s: float) -> None:
        """Block in a thread, since a blocking lock takes no time limit; a thread left behind lets go at once."""
        done, gate = allocate_lock(), allocate_lock()
        errors: list[OSError] = []
        left = False
        done.acquire()

        def block() -> None:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX)
            except OSError as error:
                errors.append(error)
            with gate:
                if left:
                    os.close(fd)
                else:
                    done.release()

        start_new_thread(block, ())
        try:
            got = done.acquire(timeout=timeout_s)
        except BaseException:
            with gate:
                left = not done.acquire(blocking=False)
            if not left:
                _unlock(fd)
            raise
        with gate:
            left = not got and not done.acquire(blocking=False)
        if left:
            raise _busy(path, timeout_s)
        if errors:
            os.close(fd)
            raise errors[0]

    def _unlock(fd: int) -> None:
        try:
            fcntl.flock(fd, fcntl.LOCK_UN)  # closing is not enough when a forked child still has the file open
        finally:
            os.close(fd)


def _filelocks(git_dir: str, timeout_s: float) -> BaseFileLock:
    from filelock import FileLock, Timeout

    turn = FileLock(turn_lock(git_dir), timeout=timeout_s)
    write = FileLock(write_lock(git_dir), timeout=timeout_s)
    try:
        with turn.acquire(poll_interval=POLL_S):
            write.acquire(poll_interval=POLL_S)
    except Timeout as error:
        raise _busy(error.lock_file, timeout_s) from error
    return write


def _busy(path: str, timeout_s: float) -> RepositoryBusy:
    return RepositoryBusy(
        f"other writers have held this store for {timeout_s:.0f} seconds ({path}); nothing was written",
        hint="try again; gitmem status shows whether one hangs",
    )
