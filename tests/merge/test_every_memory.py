"""What holds for every history of a memory, whatever it holds (merge/memory.py)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.document import decode, read_memory
from gitmem.merge.memory import merge_memory
from gitmem.merge.merged import Merged
from tests.merge.cases import both_ways
from tests.merge.histories import Trio, memories
from tests.strategies import CHECK, files

SPECIAL = ("updated", "modified", "tags", "aliases", "triggers", "access_count", "hits")


def lines(text: str) -> set[str]:
    return {line.strip() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")}


@given(memories())
@CHECK
def test_the_result_is_sound_and_the_same_whoever_merges(trio: Trio) -> None:
    """Promised as C2 and C3."""
    merged = both_ways(*trio)
    heads = {bool(read_memory("", side).body_line > 1) for side in trio[1:]}
    assert (read_memory("", merged.data).body_line > 1) in heads, "no second head, and none lost"
    twice = [{f.rule for f in read_memory("", data).findings} & {"head-duplicate"} for data in (*trio[1:], merged.data)]
    assert not twice[2] or twice[0] or twice[1], "a key stands twice only where a side has it twice"


@given(memories())
@CHECK
def test_no_line_of_either_side_is_missing(trio: Trio) -> None:
    """Promised as C3: what is neither in the result nor in the kept side's text is a conflict."""
    base, ours, theirs = trio
    merged = both_ways(base, ours, theirs)
    there = lines(decode(merged.data, "")[0])
    old = lines(decode(base or b"", "")[0])
    sides = {"ours": [ours], "theirs": [theirs], "": [ours, theirs]}[merged.kept]
    for side in sides:
        for line in lines(read_memory("", side).body) - old - there:
            pytest.fail(f"{line!r} is lost")


@given(memories(plain=True))
@CHECK
def test_a_field_that_one_side_changed_has_the_value_it_gave(trio: Trio) -> None:
    """Promised as C2: field by field."""
    base, ours, theirs = trio
    merged = both_ways(base, ours, theirs)
    if merged.conflicts or base is None:
        return
    old, one, two, new = (read_memory("", data).fields for data in (base, ours, theirs, merged.data))
    for key in {*old, *one, *two} - {*SPECIAL, "metadata"}:
        mine = one if one.get(key) != old.get(key) else two
        assert new.get(key) == mine.get(key)


@given(memories())
@CHECK
def test_a_side_that_changed_nothing_leaves_the_other_as_it_is(trio: Trio) -> None:
    """Promised as C2, byte for byte."""
    base, ours, _ = trio
    old = base or b""
    assert merge_memory(old, ours, old) == merge_memory(old, old, ours) == Merged(ours)
    assert merge_memory(base, ours, ours) == Merged(ours)


@given(files(), files(), files())
@CHECK
def test_any_bytes_merge_without_an_error_and_the_same_both_ways(base: bytes, ours: bytes, theirs: bytes) -> None:
    """Promised as A9 and C3."""
    both_ways(base, ours, theirs)
    both_ways(None, ours, theirs)


@given(memories(plain=True), st.sampled_from([b"\r\n", b"\r"]))
@CHECK
def test_line_endings_alone_are_no_change(trio: Trio, ending: bytes) -> None:
    """Promised as F06: a side that saves with CRLF merges as before, and the result has its endings."""
    base, ours, theirs = trio
    if base is None or b"\n" not in theirs:
        return
    plain = merge_memory(base, ours, theirs)
    other = both_ways(base, ours, theirs.replace(b"\n", ending))
    assert bool(other.conflicts) == bool(plain.conflicts)
    if base not in (ours, theirs) and not plain.conflicts and ours != theirs:
        assert other.data.replace(ending, b"\n") == plain.data
        assert b"\n" not in other.data.replace(ending, b"")
