"""Whose text a memory is, whoever merged it: judged on histories that C git made."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.identity import gitmem_identity
from gitmem.history.repo import open_repo
from gitmem.history.tree import tree_blob
from gitmem.history.writer import writer_of

Git = Callable[..., str]
BODY = "".join(f"line {number}\n\n" for number in range(20))


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    """One memory, by Ada."""
    folder = tmp_path / "store"
    git("init", "-q", "-b", "main", str(folder))
    commit(folder, "Ada", "a.md", BODY)
    return folder


def commit(root: Path, who: str, path: str, text: str | None) -> None:
    """``who`` commits the file; None removes it."""
    if text is None:
        (root / path).unlink()
    else:
        (root / path).write_text(text)
    run(root, who, "add", "-A")
    run(root, who, "commit", "-q", "--allow-empty", "-m", f"{who}: {path}")


def run(root: Path, who: str, *words: str) -> None:
    """Git as ``who``, each time a second later."""
    clock = root.parent / "clock"
    when = int(clock.read_text()) + 1 if clock.exists() else 1_796_000_000
    clock.write_text(str(when))
    me = gitmem_identity()
    name, email = (me.name, me.email) if who == "gitmem" else (who, f"{who.lower()}@example.org")
    subprocess.run(
        ["git", "-c", f"user.name={name}", "-c", f"user.email={email}", *words],
        cwd=root, check=True, capture_output=True,
        env={**os.environ, "GIT_AUTHOR_DATE": f"{when} +0000", "GIT_COMMITTER_DATE": f"{when} +0000"},
    )  # fmt: skip


def who_wrote(root: Path, path: str = "a.md", base: str = "") -> str:
    with open_repo(str(root)) as repo:
        head = repo.head()[1]
        return writer_of(repo, head, path, tree_blob(repo, head, path) or "", base).author.name


@pytest.mark.cgit
def test_it_is_the_last_who_changed_that_memory(root: Path) -> None:
    commit(root, "Bo", "a.md", BODY + "Bo's\n")
    commit(root, "Cy", "b.md", "another one\n")
    assert who_wrote(root) == "Bo"


@pytest.mark.cgit
def test_a_rename_writes_nothing(root: Path, git: Git) -> None:
    before = git("rev-parse", "HEAD", cwd=root).strip()
    run(root, "Bo", "mv", "a.md", "new.md")
    run(root, "Bo", "commit", "-q", "-m", "renamed")
    assert who_wrote(root, "new.md") == "Ada"
    with open_repo(str(root)) as repo:
        head = repo.head()[1]
        blob = tree_blob(repo, head, "new.md") or ""
        assert writer_of(repo, head, "a.md", blob, before).author.name == "Ada", "asked by the name it has elsewhere"


@pytest.mark.cgit
def test_a_memory_that_is_gone_is_the_remover_s(root: Path) -> None:
    commit(root, "Bo", "a.md", None)
    commit(root, "Cy", "b.md", "another one\n")
    assert who_wrote(root) == "Bo"


@pytest.mark.cgit
@pytest.mark.parametrize(("merger", "writer"), [("gitmem", "Cy"), ("Dan", "Dan")])
def test_what_gitmem_merged_is_the_younger_writer_s_and_a_persons_merge_is_theirs(
    root: Path, merger: str, writer: str
) -> None:
    """A person who merges may have chosen the words; gitmem chooses none."""
    run(root, "Bo", "switch", "-q", "-c", "side")
    commit(root, "Bo", "a.md", BODY.replace("line 1\n", "line one\n"))
    run(root, "Bo", "switch", "-q", "main")
    commit(root, "Cy", "a.md", BODY.replace("line 19\n", "line nineteen\n"))
    commit(root, "Eve", "b.md", "another one\n")
    run(root, merger, "merge", "-q", "-m", "merged", "side")
    assert who_wrote(root) == writer


@pytest.mark.cgit
def test_a_merge_that_took_one_side_as_it_is_is_that_side_s(root: Path) -> None:
    run(root, "Bo", "switch", "-q", "-c", "side")
    commit(root, "Bo", "a.md", BODY + "Bo's\n")
    run(root, "Bo", "switch", "-q", "main")
    commit(root, "Cy", "b.md", "another one\n")
    run(root, "Dan", "merge", "-q", "-m", "merged", "side")
    commit(root, "Eve", "b.md", "another one, changed\n")
    assert who_wrote(root) == "Bo"


@pytest.mark.cgit
def test_beyond_the_end_of_a_shallow_clone_it_is_the_oldest_that_is_here(root: Path, tmp_path: Path, git: Git) -> None:
    commit(root, "Cy", "b.md", "another one\n")
    git("clone", "-q", "--depth", "1", f"file://{root}", str(tmp_path / "shallow"))
    assert who_wrote(tmp_path / "shallow") == "Cy"
