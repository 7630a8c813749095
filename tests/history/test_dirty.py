"""What is not committed yet, found by stat where that is enough, and as C git finds it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.history.dirty import dirty_memories
from gitmem.history.repo import open_repo
from gitmem.history.view import View

Git = Callable[..., str]
OLD = 1_600_000_000
NAMES = ["a.md", "b.md", "sub/c.md", "sub/d e.md", "笔记.md", 'q"uote.md']


def dirty(root: Path) -> dict[str, bytes | None]:
    with open_repo(str(root)) as repo:
        return dirty_memories(View(repo, os.environ))


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    """Six memories, older than git's index, so that their stat is enough."""
    root = tmp_path / "store"
    git("init", "-q", "-b", "main", str(root))
    (root / "sub").mkdir()
    for name in NAMES:
        (root / name).write_text(f"{name}\n")
        os.utime(root / name, (OLD, OLD))
    (root / "picture.png").write_bytes(b"x")
    git("add", ".", cwd=root)
    git("commit", "-qm", "all", cwd=root)
    return root


def test_edited_new_and_deleted_memories_are_found_and_nothing_else(root: Path) -> None:
    """B5: a point holds what was not committed; pictures and hidden folders are no memories."""
    (root / "a.md").write_text("edited\n")
    (root / "sub/c.md").unlink()
    (root / "new.md").write_text("new\n")
    (root / "picture.png").write_bytes(b"y")
    (root / ".trash").mkdir()
    (root / ".trash/x.md").write_text("x")

    assert dirty(root) == {"a.md": b"edited\n", "sub/c.md": None, "new.md": b"new\n"}


def test_a_file_whose_stat_fits_its_entry_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """10,000 memories cost their stats, not their bytes."""
    opened: list[str] = []
    plain = os.open

    def counting(path: str, *words: int, **named: int) -> int:
        opened.append(os.fsdecode(path))
        return plain(path, *words, **named)

    monkeypatch.setattr(os, "open", counting)
    assert dirty(root) == {}
    assert not [path for path in opened if path.endswith(".md")]


def test_an_edit_of_the_same_size_and_time_as_the_index_is_seen(root: Path, git: Git) -> None:
    """F49: what was written in the second in which git looked is read, as git itself does."""
    (root / "a.md").write_text("b.md\n")
    git("add", ".", cwd=root)
    git("commit", "-qm", "racy", cwd=root)
    seen = (root / "a.md").stat()
    index = (root / ".git/index").stat()
    (root / "a.md").write_text("c.md\n")
    os.utime(root / "a.md", ns=(seen.st_atime_ns, seen.st_mtime_ns))
    os.utime(root / ".git/index", ns=(index.st_atime_ns, seen.st_mtime_ns))

    assert dirty(root) == {"a.md": b"c.md\n"}


def test_a_memory_that_was_only_staged_is_not_committed(root: Path, git: Git) -> None:
    """git's index knows it, the last commit does not; old enough that its stat would do."""
    (root / "new.md").write_text("new\n")
    os.utime(root / "new.md", (OLD, OLD))
    git("add", "new.md", cwd=root)
    assert dirty(root) == {"new.md": b"new\n"}


def test_two_files_that_were_swapped_are_two_edits(root: Path) -> None:
    """Equal in size and time, as an archive unpacks them: the inode tells."""
    (root / "a.md").rename(root / "x")
    (root / "b.md").rename(root / "a.md")
    (root / "x").rename(root / "b.md")
    assert dirty(root) == {"a.md": b"b.md\n", "b.md": b"a.md\n"}


def test_what_is_staged_only_is_not_what_the_file_holds(root: Path, git: Git) -> None:
    """The point keeps the work file; a staged text that differs from it is kept by the write that comes."""
    (root / "a.md").write_text("staged\n")
    git("add", "a.md", cwd=root)
    (root / "a.md").write_text("a.md\n")
    assert dirty(root) == {}
    git("rm", "-q", "--cached", "b.md", cwd=root)
    assert dirty(root) == {}


def test_line_ends_that_git_converts_are_no_edit(root: Path, git: Git) -> None:
    """core.autocrlf: a checkout with CRLF is clean to git, so it is to gitmem."""
    git("config", "core.autocrlf", "true", cwd=root)
    for name in NAMES:
        (root / name).unlink()
    git("checkout", "-q", "--", ".", cwd=root)
    assert (root / "a.md").read_bytes() == b"a.md\r\n"
    assert dirty(root) == {}
    (root / "a.md").write_bytes(b"a.md\r\nmore\r\n")
    assert dirty(root) == {"a.md": b"a.md\nmore\n"}


def test_links_and_folders_in_the_place_of_a_memory_are_passed_over(root: Path) -> None:
    """They are no text to keep; a memory that stood there is not taken for deleted either."""
    (root / "a.md").unlink()
    (root / "a.md").symlink_to("b.md")
    (root / "b.md").unlink()
    (root / "b.md").mkdir()
    assert dirty(root) == {}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    edits=st.dictionaries(
        st.sampled_from([*NAMES, "new.md", "deep/er/new.md"]),
        st.one_of(st.none(), st.binary(max_size=20)),
        max_size=5,
    )
)
def test_any_edits_are_what_git_status_says(
    tmp_path: Path, git: Git, root: Path, edits: dict[str, bytes | None]
) -> None:
    """C git is the judge of what differs from the last commit."""
    for name, data in edits.items():
        path = root / name
        if data is None:
            path.unlink(missing_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    said = git("status", "--porcelain", "-z", "-uall", cwd=root).split("\0")
    expected = {
        line[3:]: (root / line[3:]).read_bytes() if (root / line[3:]).exists() else None for line in said if line
    }
    try:
        assert dirty(root) == expected
    finally:
        git("clean", "-qfd", cwd=root)
        git("checkout", "-q", "--", ".", cwd=root)
