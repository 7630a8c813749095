"""git's own locks, taken as git takes them: ``index.lock``, ``HEAD.lock``, ``<ref>.lock``, ``gc.pid``."""

from __future__ import annotations

import os
import time

from gitmem.errors import RepositoryBusy
from gitmem.history.objects import remove, write_all
from gitmem.limits import GIT_LOCK_TIMEOUT_S, LOCK_TIMEOUT_S, YOUNG_LOCK_S
from gitmem.store.paths import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

POLL_S = 0.005
GC_POLL_S = 0.02
GC_STALE_S = 12 * 3600  # git itself takes a gc.pid older than this for dead


class LockFile:
    """One lock of git's, prepared aside and put in place by a hard link.

    The link is exclusive, and the inode is known before: a journal can name it, so that what a killed writer left
    is told apart from another program's lock.

    path: what becomes of the lock: ``path + ".lock"`` is the lock
    fd:   open for writing; what is written here is in the lock
    """

    __slots__ = ("fd", "held", "inode", "lock", "path", "temp")

    def __init__(self, path: str, temp: str) -> None:
        self.path, self.temp, self.lock, self.held = path, temp, path + ".lock", False
        remove(temp)  # never truncated: a killed writer's may be another name of the live index
        self.fd = os.open(temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
        self.inode = os.fstat(self.fd).st_ino

    def take(self) -> None:
        """Wait for the lock; raises RepositoryBusy naming the file, its age and what to type."""
        end = time.monotonic() + GIT_LOCK_TIMEOUT_S
        while not self._try():
            check_foreign_lock(self.lock, time.monotonic() > end)
            time.sleep(POLL_S)
        self.held = True

    def _try(self) -> bool:
        try:
            os.link(self.temp, self.lock)
        except FileExistsError:
            return False
        except FileNotFoundError:  # a branch that is only in packed-refs has no folder yet
            os.makedirs(os.path.dirname(self.lock), exist_ok=True)
            return self._try()
        except OSError:  # a file system without hard links
            try:
                fd = os.open(self.lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
            except FileExistsError:
                return False
            with open(self.temp, "rb") as file:
                write_all(fd, file.read())
            os.close(self.fd)
            self.fd, self.inode = fd, os.fstat(fd).st_ino
        return True

    def write(self, data: bytes | memoryview) -> None:
        write_all(self.fd, data)

    def sync(self) -> None:
        os.fsync(self.fd)

    def publish(self) -> None:
        """Rename the lock onto the file it guards: the new content and the end of the lock in one."""
        self.close()
        for attempt in range(10):
            try:
                os.replace(self.lock, self.path)
                break
            except PermissionError:  # Windows: somebody has the file open for a moment
                if os.name != "nt" or attempt == 9:
                    raise
                time.sleep(0.02)
        self.held = False

    def is_published(self) -> bool:
        """Whether the guarded file is the one prepared here."""
        try:
            return os.stat(self.path).st_ino == self.inode
        except FileNotFoundError:
            return False

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def release(self) -> None:
        """Let go of the lock if it is still held; nobody else's is touched."""
        self.close()
        remove_own(self.lock, self.inode)
        self.held = False


def check_foreign_lock(path: str, waited: bool = True) -> None:
    """Refuse when another program's lock file has been there too long.  It is never removed: it may be in use.

    waited: False when a young one may still be waited for
    """
    try:
        age = max(0.0, time.time() - os.stat(path).st_mtime)  # against the file's own clock, not the caller's
    except FileNotFoundError:
        return
    if age > YOUNG_LOCK_S:
        raise RepositoryBusy(
            f"{path} was left behind {_spoken(age)} ago by a git program that did not end well; nothing was written",
            hint=f"make sure no git program is running in this folder, then: rm {typed(path)}",
        )
    if waited:
        raise RepositoryBusy(
            f"another git program holds {path} (for {_spoken(age)}); nothing was written",
            hint=f"try again; if no git program is running in this folder: rm {typed(path)}",
        )


def await_foreign_lock(path: str) -> None:
    """Wait until nobody holds ``path``; raises RepositoryBusy as ``check_foreign_lock`` does."""
    end = time.monotonic() + GIT_LOCK_TIMEOUT_S
    while os.path.exists(path):
        check_foreign_lock(path, time.monotonic() > end)
        time.sleep(POLL_S)


def _spoken(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} seconds"


class GcGuard:
    """Holds git's ``gc.pid``, so that no ``git gc --prune=now`` deletes objects no ref names yet.

    common: the git folder that holds the objects
    mine:   where the file is prepared; its inode tells after a kill that what is left is ours
    """

    __slots__ = ("_inode", "mine", "path")

    def __init__(self, common: str, mine: str) -> None:
        self.path, self.mine, self._inode = os.path.join(common, "gc.pid"), mine, -1

    def __enter__(self) -> GcGuard:
        end = time.monotonic() + LOCK_TIMEOUT_S
        while not self._try():
            if time.monotonic() > end:
                both = f"{typed(self.path)} {typed(self.path + '.lock')}"
                raise RepositoryBusy(
                    f"git gc is running in this repository ({self.path}); nothing was written",
                    hint=f"wait for it and try again; if none is running: rm {both}",
                )
            time.sleep(GC_POLL_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        remove_own(self.path, self._inode)
        remove(self.mine)

    def recover(self) -> None:
        """Take away what a killed holder left; only what has the inode of its prepared file."""
        try:
            inode = os.stat(self.mine).st_ino
        except FileNotFoundError:
            return
        remove_own(self.path + ".lock", inode)
        remove_own(self.path, inode)
        remove(self.mine)

    def _try(self) -> bool:
        remove(self.mine)
        lock = self.path + ".lock"
        self._inode = self._write(self.mine)
        try:
            os.link(self.mine, lock)
        except FileExistsError:
            return False
        except OSError:  # a file system without hard links
            try:
                self._inode = self._write(lock)
            except FileExistsError:
                return False
        try:
            if self._is_live():
                return False
            os.replace(lock, self.path)
        finally:
            remove_own(lock, self._inode)  # gone already when all went well
        return True

    def _write(self, path: str) -> int:
        fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
        try:
            write_all(fd, f"{os.getpid()} {host_name()}\n".encode())
            return os.fstat(fd).st_ino
        finally:
            os.close(fd)

    def _is_live(self) -> bool:
        """git's own rule: young, and its process alive or on another machine."""
        try:
            with open(self.path, encoding="utf-8", errors="replace") as file:
                words = file.read(512).split()
            age = time.time() - os.stat(self.path).st_mtime
        except FileNotFoundError:
            return False
        if age > GC_STALE_S or len(words) < 2 or not words[0].isdigit():
            return False
        if words[1] != host_name() or os.name == "nt":  # Windows has no harmless way to ask for a process
            return True
        try:
            os.kill(int(words[0]), 0)
        except ProcessLookupError:
            return False
        except OSError:
            return True
        return int(words[0]) != os.getpid()


def remove_own(path: str, inode: int) -> None:
    """Remove ``path`` if it still is the file with this inode."""
    try:
        if os.lstat(path).st_ino == inode:
            os.unlink(path)
    except OSError:
        pass


def host_name() -> str:
    """This machine's name as git writes it."""
    if hasattr(os, "uname"):
        return os.uname().nodename
    import socket

    return socket.gethostname()
