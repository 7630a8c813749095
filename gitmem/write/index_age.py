"""When memories that do not date themselves were last committed, for the index."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from gitmem.history.objects import Objects
from gitmem.history.repo import open_repo
from gitmem.history.tree import decode, encode, is_folder, parse

MAX_WALK_S = 2.0  # of history that is walked in one go; what lies deeper has no age until then


def commit_times(root: str, paths: Iterable[str]) -> dict[str, int]:
    """path -> committer's time (UTC unix seconds) of the last commit that touched it.

    Along first parents, newest first, for at most MAX_WALK_S; paths it did not reach are absent.
    raises: what ``open_repo`` raises
    """
    left = {encode(path) for path in paths}
    times: dict[str, int] = {}
    end = time.monotonic() + MAX_WALK_S
    with open_repo(root) as repo:
        name = repo.head()[1]
        while name and left and time.monotonic() < end:
            commit = repo.commit(name)
            name = commit.parents[0] if commit.parents else ""
            before = repo.commit(name).tree if name else ""
            for path in _touched(repo.objects, before, commit.tree, b""):
                if path in left:
                    left.discard(path)
                    times[decode(path)] = commit.when
    return times


def _touched(objects: Objects, before: str, after: str, folder: bytes) -> Iterator[bytes]:
    """Paths whose entry differs between two trees; "" is the empty tree."""
    old = parse(objects.read(before, "tree")) if before else {}
    new = parse(objects.read(after, "tree")) if after else {}
    for name, (mode, blob) in new.items():
        known = old.get(name)
        if known == (mode, blob):
            continue
        path = folder + name
        if is_folder(mode):
            inner = known[1].hex() if known and is_folder(known[0]) else ""
            yield from _touched(objects, inner, blob.hex(), path + b"/")
        else:
            yield path
