"""history and diff of a memory that is gone; show --at has its test in test_reading.py."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]


@pytest.fixture
def gone(gm: Gm, git: Git, store: Path) -> Path:
    """A store whose memory notes/zebra.md was deleted by hand, with another memory written since."""
    gm("remember", "zebra eats grapes", "--path", "notes/zebra.md")
    gm("edit", "zebra", "--body", "zebra eats apples")
    (store / "notes" / "zebra.md").unlink()
    return store


@pytest.mark.parametrize("name", ["zebra", "notes/zebra", "notes/zebra.md"])
def test_a_deleted_memory_that_is_not_committed_is_asked_about(gm: Gm, gone: Path, name: str) -> None:
    """Break test 17."""
    assert len(gm("history", name).out.splitlines()) == 2
    said = gm("diff", name)
    assert "\ndeleted file mode 100644\n" in said.out
    assert "-zebra eats apples" in said.out


@pytest.mark.parametrize("name", ["zebra", "notes/zebra", "notes/zebra.md"])
def test_a_deleted_memory_is_asked_about_for_ever(gm: Gm, git: Git, gone: Path, name: str) -> None:
    """Break test 17: the same commits as git's own log of the file, the deletion first."""
    git("commit", "-qam", "gone", cwd=gone)
    gm("remember", "another")
    logged = git("log", "--format=%H", "--", "notes/zebra.md", cwd=gone).split()
    shape = gm("history", name, "--json").json
    assert shape["path"] == "notes/zebra.md"
    assert [one["commit"] for one in shape["revisions"]] == logged
    assert (len(logged), shape["revisions"][0]["revision"]) == (3, "")
    said = gm("diff", name)
    assert "-zebra eats apples" in said.out
    assert f"its last commit, {logged[0][:10]}" in said.err
    assert "+zebra eats apples" in gm("diff", name, logged[2], logged[1]).out


def test_a_name_that_never_was_is_still_not_found(gm: Gm, git: Git, gone: Path) -> None:
    git("commit", "-qam", "gone", cwd=gone)
    for command in ("history", "diff"):
        said = gm(command, "zebr")
        assert said.code == 1
        assert 'no memory is called "zebr"' in said.err


def test_of_two_that_are_gone_the_paths_are_given(gm: Gm, git: Git, store: Path) -> None:
    gm("remember", "one", "--path", "a/cat.md")
    gm("remember", "two", "--path", "b/cat.md")
    git("rm", "-qr", "a", "b", cwd=store)
    git("commit", "-qm", "gone", cwd=store)
    said = gm("history", "cat")
    assert said.code == 1
    assert "a/cat.md, b/cat.md" in said.err
    assert gm("history", "b/cat").code == 0
