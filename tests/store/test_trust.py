"""Trust is kept outside the store, by place and repository; where HEAD came from is read in its log."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.store.gitdir import GitDir, find_git_dir
from gitmem.store.trust import came_from_elsewhere, is_trusted, withheld_paths
from gitmem.write.trust import note_authors, revoke, trust

Git = Callable[..., str]


@pytest.fixture
def store(tmp_path: Path, git: Git) -> Path:
    root = tmp_path / "pröject" / ".gitmem"
    root.mkdir(parents=True)
    (root / "a.md").write_text("the first memory\n")
    git("init", "-q", "-b", "main", cwd=root)
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "one", cwd=root)
    return root


def git_of(root: Path) -> GitDir:
    found = find_git_dir(str(root))
    assert found is not None
    return found


def test_trust_is_given_and_taken_back(store: Path, home: Path) -> None:
    """Promised as D1."""
    folder = str(home / ".gitmem")
    assert not is_trusted(str(store), git_of(store), folder)
    assert trust(str(store), folder)
    assert not trust(str(store), folder)
    assert is_trusted(str(store), git_of(store), folder)
    assert revoke(str(store), folder)
    assert not is_trusted(str(store), git_of(store), folder)
    assert not revoke(str(store), folder)


def test_a_copy_elsewhere_is_not_trusted(store: Path, home: Path, tmp_path: Path) -> None:
    folder = str(home / ".gitmem")
    trust(str(store), folder)
    copy = tmp_path / "copy" / ".gitmem"
    shutil.copytree(store, copy)
    assert not is_trusted(str(copy), git_of(copy), folder)


def test_another_repository_at_the_same_place_is_not_trusted(store: Path, home: Path, git: Git) -> None:
    folder = str(home / ".gitmem")
    trust(str(store), folder)
    shutil.rmtree(store)
    store.mkdir()
    git("init", "-q", cwd=store)
    assert not is_trusted(str(store), git_of(store), folder)


def test_a_store_cannot_trust_itself(store: Path, home: Path) -> None:
    """What a store says of itself counts for nothing."""
    mark = store / ".git" / "gitmem" / "trust"
    mark.parent.mkdir()
    mark.write_text("0" * 32 + "\n")
    assert not is_trusted(str(store), git_of(store), str(home / ".gitmem"))


@pytest.mark.parametrize(
    ("words", "elsewhere"),
    [
        (["commit", "-q", "--allow-empty", "-m", "mine"], False),
        (["checkout", "-q", "-b", "other"], False),
        (["merge", "-q", "--ff-only", "theirs"], True),
        (["reset", "-q", "--hard", "theirs"], True),
        (["rebase", "-q", "theirs"], True),
    ],
)
def test_what_moved_head_is_told_by_its_log(store: Path, git: Git, words: list[str], elsewhere: bool) -> None:
    git("checkout", "-q", "-b", "theirs", cwd=store)
    git("commit", "-q", "--allow-empty", "-m", "theirs", cwd=store)
    git("checkout", "-q", "main", cwd=store)
    assert not came_from_elsewhere(git_of(store))
    note_authors(str(store))
    git(*words, cwd=store)
    assert came_from_elsewhere(git_of(store)) == elsewhere


def test_the_people_of_a_history_count_as_seen(store: Path) -> None:
    """Promised as D1: an adopted or cloned store's people are known."""
    assert note_authors(str(store)) == {}
    assert withheld_paths(str(store / ".git")) == {}
