"""history --operations: what was done to the store, by whom, and what of it was taken back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]


@pytest.fixture
def done(gm: Gm, git: Git, store: Path) -> Path:
    """A store with operations of a person, of two agents, and a commit of the person's own."""
    gm("remember", "grapes", "--path", "grapes.md")
    gm("remember", "apples", "--path", "apples.md", "--agent", "claude", "--session", "s1", "--reason", "he said so")
    gm("remember", "pears", "--path", "pears.md", "--agent", "other", "--session", "s2")
    (store / "grapes.md").write_text("more grapes\n")
    (store / "pears.md").write_text("more pears\n")
    git("commit", "-qam", "by hand", cwd=store)
    return store


def test_operations_are_listed_newest_first(gm: Gm, git: Git, done: Path) -> None:
    """B8: commit, time, who, what, which memory, how many files; ids and times plain."""
    shape = gm("history", "--operations", "--json").json["operations"]
    assert [one["commit"] for one in shape] == git("log", "--format=%H", cwd=done).split()
    hand, pears, apples = shape[:3]
    assert (hand["operation"], hand["files"], hand["author"], hand["actor"]) == ("git", 2, "Ada", "")
    assert (pears["operation"], pears["agent"], pears["session"]) == ("remember", "other", "s2")
    assert (apples["memory"], apples["reason"], apples["actor"]) == ("apples.md", "he said so", "model")
    assert apples["when"].endswith("Z")
    assert [one["taken_back_by"] for one in shape] == [""] * len(shape)
    said = gm("history", "--operations", "--limit", "2").out.splitlines()
    assert len(said) == 2
    assert said[0].startswith(hand["commit"][:10])
    assert said[0].endswith("Ada  git: by hand  2 files")
    assert "other (s2)  remember: " in said[1]


def test_operations_are_filtered(gm: Gm, done: Path) -> None:
    """B12: what one session or agent did, and what was done lately."""

    def memories(*words: str) -> list[str]:
        return [one["memory"] for one in gm("history", *words, "--json").json["operations"]]

    assert memories("--session", "s1") == ["apples.md"]
    assert memories("--agent", "other") == ["pears.md"]
    assert memories("--operations", "--agent", "claude", "--session", "s2") == []
    assert len(memories("--since", "2h")) >= 4
    assert memories("--since", "2099-01-01") == []
    said = gm("history", "--since", "2099-01-01")
    assert (said.code, said.out, said.err) == (0, "", "no operation fits\n")
    said = gm("history", "--since", "soon")
    assert said.code == 2
    assert '"soon" is no time' in said.err


def test_a_store_without_a_commit_has_no_operations(gm: Gm, git: Git, store: Path) -> None:
    store.mkdir(parents=True)
    git("init", "-q", cwd=store)
    said = gm("history", "--operations")
    assert (said.code, said.out, said.err) == (0, "", "nothing was done to the store yet\n")


def test_what_was_taken_back_is_said(gm: Gm, git: Git, done: Path) -> None:
    last = git("rev-parse", "HEAD", cwd=done).strip()
    git("revert", "--no-commit", "HEAD", cwd=done)
    git("commit", "-qm", f"undo: by hand\n\nGitmem-Op: undo\nGitmem-Undoes: {last}", cwd=done)
    by = git("rev-parse", "HEAD", cwd=done).strip()
    shape = {one["commit"]: one for one in gm("history", "--operations", "--json").json["operations"]}
    assert (shape[last]["taken_back_by"], shape[by]["undoes"]) == (by, [last])
    assert f"taken back by {by[:10]}" in gm("history", "--operations").out
