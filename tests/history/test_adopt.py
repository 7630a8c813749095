"""A whole folder as one commit and one pack."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from gitmem.history.adopt import snapshot
from gitmem.history.commit import Identity
from gitmem.history.repo import create_repo, open_repo
from gitmem.history.view import View
from gitmem.write.lock import writer_lock

Git = Callable[..., str]
ADA = Identity("Ada", "ada@example.org")


def take(root: Path, files: list[str], progress: Callable[[int], None] | None = None) -> str:
    with open_repo(str(root)) as repo, writer_lock(repo.git.common):
        return snapshot(View(repo, os.environ), files, "the folder as it is\n", ADA, ADA, 1_796_000_000, progress)


def listed(root: Path) -> list[str]:
    return [
        os.path.relpath(os.path.join(folder, name), root)
        for folder, folders, names in os.walk(root)
        for name in names + [each for each in folders if os.path.islink(os.path.join(folder, each))]
        if ".git" not in folder.split(os.sep)
    ]


def test_a_folder_of_thousands_of_files_becomes_one_commit_as_it_is(tmp_path: Path, git: Git) -> None:
    """Bulk work by objects; bytes, programs and links as they are, ordinary git agrees."""
    create_repo(str(tmp_path)).close()
    for number in range(1500):
        path = tmp_path / f"{number % 7}/{number % 3}/记忆 {number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"\xff\xfe" * (number % 5) + b"line\r\n%d" % number)
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    (tmp_path / "run.sh").chmod(0o755)
    (tmp_path / "link").symlink_to("0")
    seen: list[int] = []

    commit = take(tmp_path, listed(tmp_path), seen.append)

    assert git("rev-parse", "HEAD").strip() == commit
    assert git("status", "--porcelain") == ""
    assert git("fsck", "--strict") == ""
    assert git("write-tree") == git("rev-parse", "HEAD^{tree}")
    assert git("count-objects", "-v").startswith("count: 0\n")
    assert "100755" in git("ls-tree", "HEAD", "run.sh")
    assert "120000" in git("ls-tree", "HEAD", "link")
    assert seen == list(range(100, 1501, 100))
    assert take(tmp_path, listed(tmp_path)) == commit


def test_files_are_added_on_top_of_what_is_there(tmp_path: Path, git: Git) -> None:
    """An existing repository keeps its history and the person's staged work."""
    git("init", "-q", "-b", "main")
    (tmp_path / "old.txt").write_text("x\n")
    (tmp_path / "a.md").write_text("x\n")
    git("add", ".")
    git("commit", "-qm", "one")
    (tmp_path / "staged.txt").write_text("x\n")
    git("add", "staged.txt")
    (tmp_path / "b.md").write_text("y\n")

    take(tmp_path, ["a.md", "b.md"])

    assert git("show", "--name-only", "--format=", "HEAD") == "b.md\n"
    assert git("status", "--porcelain") == "A  staged.txt\n"
    assert git("ls-tree", "--name-only", "HEAD").split() == ["a.md", "b.md", "old.txt"]
