"""The store as it was: laid out so that everything that reads a store reads it, and nothing leads out of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.asof import KEPT, past_store
from gitmem.history.repo import open_repo
from gitmem.recall.choose import search
from gitmem.store.gitdir import find_git_dir
from gitmem.write.index import refresh

Git = Callable[..., str]
NOW = 1_795_953_600


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    git("init", "-q", "-b", "main", str(tmp_path / "store"))
    return tmp_path / "store"


def save(root: Path, git: Git, **files: str) -> str:
    for name, text in files.items():
        (root / f"{name}.md").write_text(text)
    git("add", "-A", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", "x", cwd=root)
    return git("rev-parse", "HEAD", cwd=root).strip()


def laid_out(root: Path, commit: str, when: int = NOW) -> Path:
    with open_repo(str(root)) as repo:
        return Path(past_store(repo, commit, when).root)


def test_a_past_store_is_searched_as_a_store(root: Path, git: Git) -> None:
    """B8: find_git_dir, the index and recall take it as it is."""
    first = save(root, git, port="the billing gateway listens on port 8443\n")
    save(root, git, port="the billing gateway listens on port 9000\n", other="grapes\n")
    past = laid_out(root, first)
    assert sorted(path.name for path in past.iterdir()) == [".git", "port.md"]
    places = find_git_dir(str(past))
    assert places is not None
    assert Path(places.common).samefile(root / ".git")
    refresh(str(past))
    assert "8443" in search(str(past), "billing gateway port", NOW).hits[0].text
    assert laid_out(root, first) == past
    assert git("rev-parse", "HEAD", cwd=past).strip() == first
    assert git("status", "--porcelain", cwd=root) == ""
    assert git("worktree", "list", cwd=root).count("\n") == 1
    git("fsck", "--strict", cwd=root)


def test_only_the_last_asked_are_kept(root: Path, git: Git) -> None:
    commits = [save(root, git, a=str(number)) for number in range(4)]
    at = root / ".git" / "gitmem" / "at"
    for age, commit in enumerate(commits[:KEPT]):
        os.utime(laid_out(root, commit).parent, (NOW + age, NOW + age))
    left = at / "tmp-killed"
    left.mkdir()
    os.utime(left, (NOW - 7200, NOW - 7200))
    (at / "tmp-young").mkdir()
    os.utime(at / "tmp-young", (NOW - 60, NOW - 60))
    laid_out(root, commits[2])
    assert {path.name for path in at.iterdir()} == {commits[1], commits[2], "tmp-young"}
    assert laid_out(root, commits[0]).is_dir()


def test_links_and_names_that_lead_out_are_never_written(root: Path, git: Git, tmp_path: Path) -> None:
    """L1: a tree is a stranger's text."""
    blob = git("hash-object", "-w", "--stdin", cwd=root, stdin="evil\n").strip()
    link = git("hash-object", "-w", "--stdin", cwd=root, stdin=str(tmp_path / "target")).strip()

    def tree(*entries: tuple[str, str, str]) -> str:
        raw = b"".join(f"{mode} {name}".encode() + b"\0" + bytes.fromhex(id) for mode, name, id in entries)
        (tmp_path / "tree").write_bytes(raw)
        return git("hash-object", "-t", "tree", "-w", "--literally", str(tmp_path / "tree"), cwd=root).strip()

    up = tree(("100644", "out.md", blob))
    top = tree(
        ("40000", "..", up), ("100644", "../beside.md", blob), ("40000", ".git", up), ("100644", "GIT~1.md", blob),
        ("100644", "a\\b.md", blob), ("100644", "good.md", blob), ("120000", "link.md", link),
        ("40000", "linked", tree(("100644", "x.md", blob))), ("120000", "linked", link),
    )  # fmt: skip
    commit = git("commit-tree", top, "-m", "evil", cwd=root).strip()
    (tmp_path / "target").mkdir()
    with open_repo(str(root)) as repo:
        past = past_store(repo, commit, NOW)
    written = {path.relative_to(past.root).as_posix() for path in Path(past.root).rglob("*") if path.is_file()}
    assert {"good.md", ".git"} <= written <= {"good.md", "linked/x.md", ".git", "GIT~1.md"}
    assert (Path(past.root) / ".git").read_text() == "gitdir: ../git\n"
    assert not any(path.is_symlink() for path in Path(past.root).rglob("*"))
    assert not list((tmp_path / "target").iterdir())
    assert not list((root / ".git").rglob("beside.md")) + list((root / ".git").rglob("out.md"))
    assert "a\\b.md" in past.left_out


def test_what_recall_passes_over_is_not_laid_out(root: Path, git: Git) -> None:
    (root / "archive").mkdir()
    (root / ".gitmem").mkdir()
    (root / "archive" / "old.md").write_text("old\n")
    (root / "picture.png").write_text("png")
    (root / ".hidden.md").write_text("x")
    (root / "big.md").write_text("x" * 600_000)
    (root / ".gitmem" / "config.yaml").write_text("format: 1\n")
    commit = save(root, git, a="a\n")
    past = laid_out(root, commit)
    files = {path.relative_to(past).as_posix() for path in past.rglob("*") if path.is_file()}
    assert files == {".git", ".gitmem/config.yaml", "a.md"}


def test_a_linked_worktree_shares_what_was_laid_out(root: Path, git: Git, tmp_path: Path) -> None:
    commit = save(root, git, a="a\n")
    git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "side", cwd=root)
    assert laid_out(tmp_path / "tree", commit).samefile(laid_out(root, commit))
