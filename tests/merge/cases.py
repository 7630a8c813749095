"""One memory, and edits of it, for the tests by case."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.merge.memory import merge_memory
from gitmem.merge.merged import Merged

BASE = b"""---
name: deploy
# read this first
description: the steps
tags: [a, b, c]
updated: 2026-11-30T10:00:00Z
metadata:
  type: project   # a kind
  trust: verified
---

# Deploy

Back up first.

Then migrate.

## Order

- one
- two

## Other

text
"""

Merge = Callable[[bytes | None, bytes, bytes], Merged]


def both_ways(base: bytes | None, ours: bytes, theirs: bytes, merge: Merge = merge_memory) -> Merged:
    """The merge, after a look that it does not depend on who merges."""
    one, two = merge(base, ours, theirs), merge(base, theirs, ours)
    assert (one.data, one.conflicts) == (two.data, two.conflicts)
    assert {one.kept, two.kept} in ({""}, {"ours", "theirs"})
    assert bool(one.conflicts) == bool(one.kept)
    return one


def edited(*changes: tuple[bytes, bytes], of: bytes = BASE) -> bytes:
    for old, new in changes:
        assert of.count(old) == 1, old
        of = of.replace(old, new)
    return of
