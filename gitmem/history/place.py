"""Put new bytes into work files so that nothing a person saves at the same moment is lost.

The old file is kept under a second name until the commit is published.  An editor that saves by renaming changes
the inode, one that saves in place writes into the kept file: both are seen, and the writer starts again from what
the person saved.
"""

from __future__ import annotations

import os

from gitmem.history.objects import remove, write_all
from gitmem.history.view import Moved, Seen, file_key
from gitmem.store.paths import join

WRITE_FLAGS = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


class Placed:
    """One work file on its way: prepared, put in place, then kept or taken back.

    temp: the new bytes; "" for a removal
    fd:   open until they are synced, -1 after ``close``
    kept: where the old file lives on until the end
    program: whether the file may be run; None leaves that as it is
    """

    __slots__ = ("done", "fd", "folders", "full", "inode", "kept", "seen", "temp")

    def __init__(
        self, root: str, path: str, data: bytes | None, seen: Seen | None, stem: str, program: bool | None = None
    ) -> None:
        self.full, self.seen, self.done = join(root, path), seen, False
        self.temp, self.kept, self.inode, self.fd = "", stem + ".old", -1, -1
        self.folders: list[str] = []
        if data is not None:
            self.temp = stem + ".new"
            self.fd = os.open(self.temp, WRITE_FLAGS, 0o666)
            try:
                write_all(self.fd, data)
                if hasattr(os, "fchmod") and (seen is not None or program):
                    mode = seen.mode if seen is not None else os.fstat(self.fd).st_mode & 0o777
                    runs = mode | (mode & 0o444) >> 2
                    os.fchmod(self.fd, mode if program is None else runs if program else mode & ~0o111)
                self.inode = os.fstat(self.fd).st_ino
            except BaseException:
                self.finish()
                raise

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def put(self) -> None:
        """Put the file in place; raises Moved when it is not what was seen, with nothing changed."""
        if self.seen is None:
            self._put_new()
        else:
            self._put_over(self.seen)
        self.done = True

    def _put_new(self) -> None:
        if not self.temp:
            return
        self._make_folders()
        try:
            os.link(self.temp, self.full)
        except FileExistsError:
            raise Moved from None
        except OSError:  # a file system without hard links
            if os.path.lexists(self.full):
                raise Moved from None
            os.rename(self.temp, self.full)
        else:
            os.unlink(self.temp)

    def _put_over(self, seen: Seen) -> None:
        linked = True
        try:
            os.link(self.full, self.kept)
        except FileNotFoundError:
            raise Moved from None
        except OSError:
            linked = False
        kept = self.kept if linked else self.full
        with open(kept, "rb") as file:
            if file.read() != seen.data:
                raise Moved
            before = file_key(os.fstat(file.fileno()))
            try:
                if os.lstat(self.full).st_ino != before[0]:
                    raise Moved
            except FileNotFoundError:
                raise Moved from None
            if self.temp:
                os.replace(self.temp, self.full)
            else:
                os.unlink(self.full)
            self.done = True
            if file_key(os.fstat(file.fileno())) != before:  # written to in between
                self.take_back()
                raise Moved

    def _make_folders(self) -> None:
        folder = os.path.dirname(self.full)
        while not os.path.isdir(folder):
            self.folders.append(folder)
            folder = os.path.dirname(folder)
        for each in reversed(self.folders):
            try:
                os.mkdir(each)
            except FileExistsError:
                continue

    def take_back(self) -> None:
        """Undo ``put``; a file that somebody replaced since is left alone."""
        if self.done:
            try:
                inode = os.lstat(self.full).st_ino
            except FileNotFoundError:
                inode = -1
            if inode == self.inode:
                if self.seen is None:
                    remove(self.full)
                elif os.path.lexists(self.kept):
                    os.replace(self.kept, self.full)
                else:
                    self._rewrite(self.seen)
            self.done = False
        for folder in self.folders:
            try:
                os.rmdir(folder)
            except OSError:
                break

    def _rewrite(self, seen: Seen) -> None:
        """Without hard links nothing was kept but the bytes in memory."""
        fd = os.open(self.kept, WRITE_FLAGS, seen.mode)
        try:
            write_all(fd, seen.data)
            os.fsync(fd)
        finally:
            os.close(fd)
        os.replace(self.kept, self.full)

    def finish(self) -> None:
        """Remove what is left over."""
        self.close()
        for path in (self.temp, self.kept):
            if path:
                remove(path)


class PlacedLink:
    """A symbolic link on its way, as git checks one out; nothing here ever follows it.

    old, new: where it points before and after, as bytes; None for no link
    """

    __slots__ = ("done", "fd", "full", "kept", "new", "old", "temp")

    def __init__(self, root: str, path: str, old: bytes | None, new: bytes | None, stem: str) -> None:
        self.full, self.old, self.new, self.done, self.fd, self.kept = join(root, path), old, new, False, -1, ""
        self.temp = stem + ".new" if new is not None else ""
        if new is not None:
            os.symlink(os.fsdecode(new), self.temp)

    def put(self) -> None:
        """Put the link in place; raises Moved when something else stands there."""
        if _target(self.full) != self.old:
            raise Moved
        if self.temp:
            os.makedirs(os.path.dirname(self.full), exist_ok=True)
            os.replace(self.temp, self.full)
        else:
            os.unlink(self.full)
        self.done = True

    def take_back(self) -> None:
        """Undo ``put``; what somebody else put there since is left alone."""
        if self.done and _target(self.full) == self.new:
            remove(self.full)
            if self.old is not None:
                os.symlink(os.fsdecode(self.old), self.full)
        self.done = False

    def close(self) -> None:
        """As ``Placed``: nothing of a link is open."""

    def finish(self) -> None:
        """Remove what is left over."""
        if self.temp:
            remove(self.temp)


def _target(full: str) -> bytes | None:
    """Where a link points; None when nothing stands there; raises Moved for anything but a link."""
    try:
        return os.fsencode(os.readlink(full))
    except FileNotFoundError:
        return None
    except OSError:
        raise Moved from None


def prune_folders(root: str, path: str) -> None:
    """Remove the folders above a removed file that are empty now, as git does."""
    folder = os.path.dirname(join(root, path))
    while os.path.abspath(folder) != os.path.abspath(root):
        try:
            os.rmdir(folder)
        except OSError:
            return
        folder = os.path.dirname(folder)
