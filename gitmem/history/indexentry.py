"""An entry of git's index file as bytes: made anew, or with the marks a person set on the old one."""

from __future__ import annotations

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os

STAT_BYTES = 40  # of an entry: what the work file's stat says
FIXED = 62  # bytes of an entry before its name; two more with extended flags
EXTENDED, STAGE, NAME_MASK = 0x4000, 0x3000, 0x0FFF
UNCHANGED = 0x8000  # git update-index --assume-unchanged
SKIP, TO_ADD = 0x4000, 0x2000  # of the extended flags: --skip-worktree, and git add -N
STAT = struct.Struct(">LLLLLLLLLL20sH")
LOW = 0xFFFFFFFF


def entry_bytes(path: bytes, found: os.stat_result | None, mode: int, blob: str) -> bytes:
    """One entry; without ``found`` git compares content the next time it looks."""
    flags = min(len(path), NAME_MASK)
    if found is None:
        stat = (0,) * 6 + (mode, 0, 0, 0)
    else:
        stat = (
            found.st_ctime_ns // 10**9 & LOW, found.st_ctime_ns % 10**9,
            found.st_mtime_ns // 10**9 & LOW, found.st_mtime_ns % 10**9,
            found.st_dev & LOW, found.st_ino & LOW, mode, found.st_uid & LOW, found.st_gid & LOW, found.st_size & LOW,
        )  # fmt: skip
    return _padded(STAT.pack(*stat, bytes.fromhex(blob), flags) + path)


def with_marks(new: bytes, old: bytes) -> bytes:
    """``new`` with the marks of ``old``, an entry of the same path: they are the person's, a write is no reason."""
    flags = int.from_bytes(old[60:62], "big")
    more = int.from_bytes(old[62:64], "big") & SKIP if flags & EXTENDED else 0
    if not flags & UNCHANGED and not more:
        return new
    now = int.from_bytes(new[60:62], "big") | flags & UNCHANGED
    if not more:
        return new[:60] + now.to_bytes(2, "big") + new[62:]
    path = new[FIXED:].rstrip(b"\0")
    return _padded(new[:60] + (now | EXTENDED).to_bytes(2, "big") + more.to_bytes(2, "big") + path)


def _padded(raw: bytes) -> bytes:
    return raw + b"\0" * (8 - len(raw) % 8)
