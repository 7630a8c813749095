"""Trees looked at as bytes, for work over a whole history: one entry found, and what two trees do not share.

Parsing both trees of every commit costs a history of 10,000 commits half a minute; here only the stretch in which they
differ is parsed.
"""

from __future__ import annotations

import re

from gitmem.errors import RepositoryDamaged
from gitmem.history.tree import MODULE, is_folder, shared_start

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.objects import Objects

# Entries that are there to their end.  Not "*+", which Python 3.11.2 reads wrong.
WHOLE = re.compile(rb"(?:[0-7]+ [^\0]+\0.{20})*", re.DOTALL)
ID_BYTES = 20

Side = bytes | None  # a blob's id as 20 bytes, None for no file


def place(raw: bytes, name: bytes) -> tuple[int, int] | None:
    """Where the entry ``name`` of a tree begins and ends; None when there is none."""
    wanted = b" " + name + b"\0"
    at = raw.find(wanted)
    while at >= 0:
        start = _aligned(raw, at)
        if raw[start:at].isdigit():  # else the bytes stand inside another entry's name or id
            return start, at + len(wanted) + ID_BYTES
        at = raw.find(wanted, at + 1)
    return None


def differences(objects: Objects, before: str, after: str, where: bytes = b"") -> Iterator[tuple[bytes, Side, Side]]:
    """Path, blob before and blob after of every file that is not the same in both trees; submodules are left out.

    before, after: tree ids, "" for the empty tree
    """
    if before == after:
        return
    was, now = _apart(objects.read(before, "tree") if before else b"", objects.read(after, "tree") if after else b"")
    for name in sorted(was.keys() | now.keys()):
        old, new = was.get(name, (b"", b"")), now.get(name, (b"", b""))
        if old == new:
            continue
        if is_folder(old[0]) or is_folder(new[0]):
            under, over = (side[1].hex() if is_folder(side[0]) else "" for side in (old, new))
            yield from differences(objects, under, over, where + name + b"/")
        sides = (_file(old), _file(new))
        if sides != (None, None):
            yield where + name, *sides


def _file(entry: tuple[bytes, bytes]) -> Side:
    mode, name = entry
    return name if mode and not is_folder(mode) and int(mode, 8) != MODULE else None


def _apart(old: bytes, new: bytes) -> tuple[dict[bytes, tuple[bytes, bytes]], dict[bytes, tuple[bytes, bytes]]]:
    """The entries of two trees without those both begin with, and without those both end with."""
    first = _aligned(old, shared_start(old, new))
    tail = shared_start(old[first:][::-1], new[first:][::-1])
    was: dict[bytes, tuple[bytes, bytes]] = {}
    now: dict[bytes, tuple[bytes, bytes]] = {}
    left, right = first, first
    while True:
        rest, other = len(old) - left, len(new) - right
        if rest == other <= tail:
            return was, now
        if rest >= other:
            left = _step(old, left, was)
        else:
            right = _step(new, right, now)


def _step(raw: bytes, at: int, into: dict[bytes, tuple[bytes, bytes]]) -> int:
    """Put the entry at ``at`` into ``into``; where the next one begins."""
    space = raw.find(b" ", at)
    nul = raw.find(b"\0", space)
    if space < 0 or nul < 0 or nul + ID_BYTES >= len(raw):
        raise RepositoryDamaged("a tree object is cut short", hint="git fsck")
    end = nul + 1 + ID_BYTES
    into[raw[space + 1 : nul]] = (raw[at:space], raw[nul + 1 : end])
    return end


def _aligned(raw: bytes, at: int) -> int:
    """The beginning of the entry that ``at`` stands in; ``at`` itself between two."""
    found = WHOLE.match(raw, 0, at)
    return found.end() if found else 0
