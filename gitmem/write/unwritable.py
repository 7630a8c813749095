"""What the system said of a file that could not be written."""

from __future__ import annotations

import errno
import os

from gitmem.errors import GitmemError, StoreUnwritable
from gitmem.store.paths import git_in, typed


def unwritable(error: OSError, root: str) -> GitmemError:
    """What the system said, as a sentence: which file, what is wrong, what to do."""
    path = os.fsdecode(error.filename) if error.filename else root
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", -1), errno.EFBIG):
        return StoreUnwritable(
            f"no space is left for {path}; what was saved before is safe, this was not written",
            hint="free some space (or raise the quota), then try again",
        )
    if error.errno == errno.EROFS:
        return StoreUnwritable(f"{path} is on a read-only disk; nothing was written", hint="mount it writable")
    if error.errno in (errno.EACCES, errno.EPERM):
        return StoreUnwritable(f"you may not write {path}; nothing was written", hint=f"ls -ld {typed(_there(path))}")
    return StoreUnwritable(
        f"{path}: {error.strerror or error}; the write was not acknowledged", hint=git_in(root, "fsck")
    )


def _there(path: str) -> str:
    """``path``, or the nearest folder above it that is there: who looks at that sees why."""
    while not os.path.lexists(path) and os.path.dirname(path) != path:
        path = os.path.dirname(path)
    return path
