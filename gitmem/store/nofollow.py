"""Read one file of a store without following a link on the way, its size known before its bytes.

Where folders have handles each step is opened from the one before, so that nothing can
be exchanged between the look and the read; elsewhere the file is compared after.
Hot: the cheap set only.
"""

from __future__ import annotations

import os

from gitmem.errors import BadName, NotFound, TooBig
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.name import check_inside
from gitmem.store.paths import join

JUNCTION = 0xA0000003  # reparse tag of a Windows junction, which os.scandir calls a folder

_KIND, _REGULAR, _LINK = 0o170000, 0o100000, 0o120000  # of st_mode
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BY_FOLDER = bool(_NO_FOLLOW) and os.open in os.supports_dir_fd
_READ = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_NO_WAIT = getattr(os, "O_NONBLOCK", 0)  # a pipe must not hold the hook
_DIRECTORY = getattr(os, "O_DIRECTORY", 0)


class OpenFolder:
    """The folder of the file read last, kept open: many files read in the order of their paths cost half as much."""

    __slots__ = ("handle", "path")

    def __init__(self) -> None:
        self.handle, self.path = -1, ""

    def close(self) -> None:
        if self.handle >= 0:
            os.close(self.handle)
        self.handle = -1

    def open(self, root: str, path: str) -> int:
        """A handle of ``path``, opened from the folder at hand if it stands there."""
        folder, _, name = path.rpartition("/")
        if self.handle < 0 or self.path != folder:
            self.close()
            self.handle, self.path = _open_folder(root, folder.split("/") if folder else []), folder
        return os.open(name, _READ | _NO_FOLLOW | _NO_WAIT, dir_fd=self.handle)


def read_file(root: str, path: str, max_bytes: int = MAX_MEMORY_BYTES, last: OpenFolder | None = None) -> bytes:
    """The bytes of ``path`` in the store at ``root``; no link on the way is followed.

    root:   may itself be a link
    last:   kept by the caller from one file to the next, and closed by it
    raises: BadName for a path out of the store, a link, or what is no plain file; NotFound when it is
            not there or cannot be read; TooBig before a byte is read
    """
    check_inside(path)
    try:
        if not _BY_FOLDER:
            handle = _open_checked(root, path)
        else:
            handle = last.open(root, path) if last else _open_by_folder(root, path)
    except (OSError, ValueError) as error:  # ValueError: a name that is no text for this file system
        _refuse_link(root, path)
        if isinstance(error, (FileNotFoundError, NotADirectoryError)):
            raise NotFound(f"there is no file '{path}'", hint="gitmem list") from error
        raise NotFound(f"'{path}' cannot be read: {getattr(error, 'strerror', error)}") from error
    try:
        found = os.fstat(handle)
        if found.st_mode & _KIND != _REGULAR:
            raise BadName(f"'{path}' is not a plain file", hint="gitmem list")
        data = b"" if found.st_size > max_bytes else _read_all(handle, found.st_size, max_bytes)
    except OSError as error:
        raise NotFound(f"'{path}' cannot be read: {error.strerror}") from error
    finally:
        os.close(handle)
    size = max(found.st_size, len(data))
    if size > max_bytes:
        raise TooBig(f"'{path}' has {size} bytes; {max_bytes} are the most that is read", hint="split it into several")
    return data


def identity(full: str) -> tuple[int, int] | None:
    """Device and inode of what stands at ``full``, a link itself; None when nothing does."""
    try:
        state = os.stat(full, follow_symlinks=False)
    except (OSError, ValueError):
        return None
    return state.st_dev, state.st_ino


def _open_by_folder(root: str, path: str) -> int:
    """A handle of ``path``, opened folder by folder so that no link can be put in the way."""
    *folders, name = path.split("/")
    here = _open_folder(root, folders)
    try:
        return os.open(name, _READ | _NO_FOLLOW | _NO_WAIT, dir_fd=here)
    finally:
        os.close(here)


def _open_folder(root: str, folders: list[str]) -> int:
    here = os.open(root, _READ | _DIRECTORY)
    try:
        for folder in folders:
            inner = os.open(folder, _READ | _DIRECTORY | _NO_FOLLOW, dir_fd=here)
            os.close(here)
            here = inner
    except BaseException:
        os.close(here)
        raise
    return here


def _open_checked(root: str, path: str) -> int:
    """The same where folders have no handles (Windows): looked at before, compared after."""
    if ":" in path:
        raise BadName(f"'{path}' names a hidden stream of a file; type the file's own name")
    _refuse_link(root, path)
    full = join(root, path)
    before = identity(full)
    handle = os.open(full, _READ | _NO_WAIT)
    state = os.fstat(handle)
    if before != (state.st_dev, state.st_ino):
        os.close(handle)
        raise BadName(f"'{path}' was exchanged while it was opened; try again")
    return handle


def _refuse_link(root: str, path: str) -> None:
    """Raise BadName when a part of ``path`` is a link."""
    parts = path.split("/")
    for count in range(1, len(parts) + 1):
        try:
            state = os.stat(join(root, "/".join(parts[:count])), follow_symlinks=False)
        except (OSError, ValueError):
            return
        if state.st_mode & _KIND == _LINK or getattr(state, "st_reparse_tag", 0) == JUNCTION:
            shown = "/".join(parts[:count])
            raise BadName(f"'{shown}' is a link, and links are not followed", hint="put the file itself there")


def _read_all(handle: int, size: int, max_bytes: int) -> bytes:
    """All bytes; one more than ``max_bytes`` when the file grew past it."""
    data = os.read(handle, size + 1)
    if len(data) == size:  # a plain file gives less than is asked only at its end
        return data
    while len(data) <= max_bytes and (more := os.read(handle, max_bytes + 1 - len(data))):
        data += more
    return data
