"""benchmarks/torture in small: every command killed at random moments, and writers beside other programs (L4, B9)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.torture import beside, kill

KILLS = 5


@pytest.mark.parametrize("name", list(kill.KINDS))
def test_a_command_that_is_killed_loses_nothing_and_the_next_one_works(tmp_path: Path, name: str) -> None:
    """L4: kill -9 at random moments of every command that changes a store; C git judges."""
    row = kill.torment(tmp_path, name, kill.KINDS[name], KILLS, random.Random(7))

    assert row.kills == KILLS
    assert row.acknowledged > 0
    assert (row.lost, row.faults) == ([], [])


@pytest.mark.parametrize("mode", [beside.SIXTEEN, beside.WITH_GC, beside.WITH_PERSON], ids=str)
def test_writers_beside_other_programs_lose_nothing(tmp_path: Path, mode: beside.Mode) -> None:
    """B9: many writers, git gc without mercy, a person who commits in the same folder."""
    row = beside.written(tmp_path, mode, 32)

    assert row.acknowledged == 32
    assert (row.lost, row.faults) == ([], [])
