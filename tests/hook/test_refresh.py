"""How often a prompt starts a refresh beside it: at most one a minute for each thing there is to find out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.hook.refresh import start_refresh

Git = Callable[..., str]
CALM: dict[str, str] = {**os.environ, "GIT_CEILING_DIRECTORIES": "/"}


@pytest.fixture
def started(store: Path, git: Git) -> Path:
    """A refresh was started now, and HEAD last moved a while before."""
    long_ago = time.time() - 600
    os.utime(store / ".git/logs/HEAD", (long_ago, long_ago))
    assert start_refresh(str(store), "", int(time.time()), CALM)
    return store


def again(store: Path, key: str = "") -> bool:
    return start_refresh(str(store), "", int(time.time()), CALM, key)


def test_there_is_one_refresh_a_minute(started: Path) -> None:
    assert not again(started)


def test_a_head_that_moved_since_is_looked_at_at_once(started: Path, git: Git) -> None:
    """What a pull brought stays out of prompts until then."""
    git("commit", "-q", "--allow-empty", "-m", "mine", cwd=started)
    soon = time.time() + 1
    os.utime(started / ".git/logs/HEAD", (soon, soon))
    assert again(started)


def test_a_folder_nobody_knows_the_project_of_has_a_turn_of_its_own(started: Path) -> None:
    """Another project's session must not take it."""
    assert again(started, "/projects/one")
    assert not again(started, "/projects/one")
    assert again(started, "/projects/two")
