"""Who wrote what came from elsewhere, across merges; judged by real repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.authors import see, see_authors
from gitmem.history.identity import MODEL_EMAIL
from gitmem.history.repo import open_repo

Git = Callable[..., str]
EVE = ("-c", "user.email=Eve@Example.org", "-c", "user.name=Eve")


@pytest.fixture
def store(tmp_path: Path, git: Git) -> Path:
    """A store of Ada's whose history was looked at, with a branch ``eve`` that came from elsewhere."""
    root = tmp_path / "store"
    root.mkdir()
    git("init", "-q", "-b", "main", cwd=root)
    commit(git, root, {"a.md": "a\nof Ada\n", "b.md": "b\n"})
    assert waits(root) == {}
    git("branch", "eve", cwd=root)
    return root


def commit(git: Git, root: Path, files: dict[str, str], *who: str) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git("add", "-A", cwd=root)
    git(*who, "commit", "-q", "--no-edit", "-m", "change", cwd=root)


def eves(git: Git, root: Path, files: dict[str, str], *who: str) -> None:
    """A commit on Eve's branch, as if it had been fetched: HEAD's log says nothing of it."""
    other = root.parent / "eve"
    if not other.exists():
        git("clone", "-q", "-b", "eve", str(root), str(other))
    commit(git, other, files, *(who or EVE))
    git("push", "-q", "origin", "eve", cwd=other)


def waits(root: Path) -> dict[str, str]:
    with open_repo(str(root)) as repo:
        return see_authors(repo)


def test_a_strangers_files_wait_until_the_author_is_heard(store: Path, git: Git) -> None:
    """Promised as D1."""
    eves(git, store, {"ordner/ü.md": "u\n", "notes.txt": "no memory\n"})
    git("merge", "-q", "--ff-only", "eve", cwd=store)
    assert waits(store) == {"ordner/ü.md": "eve@example.org"}
    assert waits(store) == {"ordner/ü.md": "eve@example.org"}, "and goes on waiting"
    with open_repo(str(store)) as repo:
        assert see(repo, " EVE@example.org ") == ["ordner/ü.md"]
    eves(git, store, {"c.md": "c\n"})
    git("merge", "-q", "--ff-only", "eve", cwd=store)
    assert waits(store) == {}


def test_my_own_later_edit_is_my_word_on_the_whole_file(store: Path, git: Git) -> None:
    eves(git, store, {"c.md": "c\n"})
    git("merge", "-q", "--ff-only", "eve", cwd=store)
    assert waits(store)
    commit(git, store, {"c.md": "c, looked over\n"})
    assert waits(store) == {}


def test_a_merge_that_takes_my_side_holds_nothing_back(store: Path, git: Git) -> None:
    eves(git, store, {"a.md": "hers\n"})
    commit(git, store, {"a.md": "mine\n"})
    git("merge", "-q", "--no-edit", "-s", "ours", "eve", cwd=store)
    assert waits(store) == {}


def test_a_merge_that_mixes_both_sides_holds_the_file_back(store: Path, git: Git) -> None:
    """A merge frees a file only by taking it as somebody known has it."""
    eves(git, store, {"a.md": "a\nof Ada\nand hers\n"})
    commit(git, store, {"a.md": "mine first\na\nof Ada\n", "b.md": "mine\n"})
    git("merge", "-q", "--no-edit", "eve", cwd=store, check=False)
    (store / "a.md").write_text("mine first\na\nof Ada\nand hers\n")
    git("add", "-A", cwd=store)
    git("commit", "-q", "--no-edit", cwd=store, check=False)
    assert waits(store) == {"a.md": "eve@example.org"}


def test_a_removed_file_waits_no_longer(store: Path, git: Git) -> None:
    eves(git, store, {"c.md": "c\n"})
    git("merge", "-q", "--ff-only", "eve", cwd=store)
    assert waits(store)
    git("rm", "-q", "c.md", cwd=store)
    git("commit", "-q", "-m", "away", cwd=store)
    assert waits(store) == {}


def test_behind_a_model_stands_the_one_who_committed(store: Path, git: Git) -> None:
    author = ("-c", f"author.email={MODEL_EMAIL}", "-c", "author.name=claude-code")
    eves(git, store, {"c.md": "c\n"}, *author, *EVE)
    git("merge", "-q", "--ff-only", "eve", cwd=store)
    assert waits(store) == {"c.md": "eve@example.org"}


def test_a_rewritten_history_is_looked_at_anew(store: Path, git: Git) -> None:
    eves(git, store, {"c.md": "c\n"})
    git("merge", "-q", "--ff-only", "eve", cwd=store)
    assert waits(store)
    git("reset", "-q", "--hard", "HEAD~1", cwd=store)
    assert waits(store) == {}
    git("merge", "-q", "--ff-only", "eve", cwd=store)
    assert waits(store) == {"c.md": "eve@example.org"}, "the second time as the first"
    git("rm", "-q", "--cached", "c.md", cwd=store)
    git("checkout", "-q", "--orphan", "fresh", cwd=store)
    git("commit", "-q", "-m", "anew", cwd=store)
    assert waits(store) == {}
