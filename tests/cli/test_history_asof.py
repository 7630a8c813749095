"""search, recall and why of the store as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]


def write(git: Git, store: Path, day: str, text: str | None) -> str:
    """The memory gateway.md as of a day, committed then; None removes it."""
    if text is None:
        (store / "gateway.md").unlink()
    else:
        head = f"---\nname: billing gateway\nupdated: {day}T08:00:00Z\n---\n\n"
        (store / "gateway.md").write_text(f"{head}{text}\n")
    git("add", "-A", cwd=store)
    git("commit", "-qm", f"as of {day}", cwd=store)
    return git("rev-parse", "HEAD", cwd=store).strip()


@pytest.fixture
def commits(gm: Gm, git: Git, store: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A store whose memory changed its mind on 3 May, and was deleted on 5 May."""
    store.mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=store)
    made = []
    texts = {
        "2026-05-01": "The billing gateway listens on port 8443.",
        "2026-05-03": "The billing gateway listens on port 9000.",
        "2026-05-05": None,
    }
    for day, text in texts.items():
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{day}T09:00:00Z")
        made.append(write(git, store, day, text))
    monkeypatch.delenv("GIT_COMMITTER_DATE")
    return made


@pytest.mark.parametrize(("at", "port"), [("2026-05-01", "8443"), ("2026-05-04", "9000"), ("HEAD~1", "9000")])
def test_recall_search_and_why_answer_as_of_then(gm: Gm, store: Path, commits: list[str], at: str, port: str) -> None:
    """B8: by date, by commit."""
    asked = ("which", "port", "has", "the", "billing", "gateway")
    hits = gm("search", *asked, "--at", at, "--json").json["hits"]
    assert (hits[0]["path"], port in hits[0]["text"]) == ("gateway.md", True)
    said = gm("recall", *asked, "--at", at)
    assert f"port {port}" in said.out
    assert "the store as it was at" in said.err
    assert gm("why", *asked, "--at", at, "--json").json["candidates"][0]["verdict"] == "injected"
    assert gm("recall", *asked).out == ""


def test_ages_count_from_then(gm: Gm, commits: list[str]) -> None:
    """A memory of three days is that old in the store as it was, whatever the year now."""
    at = gm("recall", "billing gateway port", "--at", "2026-05-04").out
    assert "1 day ago" in at or "yesterday" in at, at


def test_a_moment_that_is_not_there_is_said(gm: Gm, commits: list[str]) -> None:
    for command in ("search", "recall", "why"):
        said = gm(command, "billing", "--at", "2020-01-01")
        assert said.code == 1
        assert "the store had nothing by 2020-01-01; its first commit is of 2026-05-01" in said.err
        said = gm(command, "billing", "--at", "nowhere")
        assert said.code == 1
        assert '"nowhere" is no commit, branch or date of this store' in said.err
    said = gm("search", "billing", "--at", "HEAD")
    assert (said.code, said.out) == (0, "")
    assert "nothing found" in said.err


def test_the_store_itself_is_not_touched(gm: Gm, git: Git, store: Path, commits: list[str]) -> None:
    gm("search", "gateway", "--at", commits[0])
    assert git("status", "--porcelain", cwd=store) == ""
    assert git("rev-parse", "HEAD", cwd=store).strip() == commits[-1]
    assert git("worktree", "list", cwd=store).count("\n") == 1
    assert gm("list").out == ""


def test_a_name_this_system_cannot_hold_is_said(gm: Gm, git: Git, store: Path, commits: list[str]) -> None:
    blob = git("hash-object", "-w", "--stdin", cwd=store, stdin="x\n").strip()
    tree = git("mktree", cwd=store, stdin=f"100644 blob {blob}\ta\\b.md\n100644 blob {blob}\tgood.md\n").strip()
    commit = git("commit-tree", tree, "-m", "x", cwd=store).strip()
    said = gm("search", "x", "--at", commit)
    assert "left out, this system cannot hold such a name: 'a\\\\b.md'" in said.err
