"""Files and folders that may not be read, or that git is to leave alone: they cost themselves, and that is said."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Git
from tests.said import Said

Gm = Callable[..., Any]
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no file modes")


@pytest.fixture
def bound(store: Path, home: Path) -> Iterator[Callable[..., Said]]:
    """The command run by somebody whom file modes bind, root too."""
    bare = [] if os.geteuid() else ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]
    if bare and shutil.which("setpriv") is None:
        pytest.skip("root reads everything")

    def run(*words: str) -> Said:
        done = subprocess.run(
            [*bare, sys.executable, "-m", "gitmem", *words],
            capture_output=True, text=True, check=False, cwd=home, env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        assert "Traceback" not in done.stderr, done.stderr
        return Said(done.returncode, done.stdout, done.stderr)

    yield run
    for path in (store, *store.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755)


@pytest.fixture
def folder(store: Path) -> Path:
    """Notes that are no store yet: two at the top, one in a folder."""
    (store / "sub").mkdir(parents=True)
    (store / "a.md").write_text("the okapi sleeps\n")
    (store / "sub" / "b.md").write_text("the numbat sleeps\n")
    (store / "z.md").write_text("the tapir sleeps\n")
    return store


def committed(git: Git, root: Path) -> set[str]:
    return {path for path in git("ls-tree", "-r", "--name-only", "HEAD", cwd=root).split() if path.endswith(".md")}


@pytest.mark.parametrize("hidden", ["sub", "sub/b.md", "z.md"])
def test_what_may_not_be_read_costs_itself_and_no_neighbour(
    bound: Callable[..., Said], folder: Path, git: Git, hidden: str
) -> None:
    """Promised in docs/store.md: the first commit holds every file as it is."""
    (folder / hidden).chmod(0)
    said = bound("init")
    assert f"{hidden}: " in said.err
    assert "the first commit holds all but what is named above" in said.out
    (folder / hidden).chmod(0o755)
    lost = {"sub": "sub/b.md"}.get(hidden, hidden)
    assert committed(git, folder) == {"a.md", "sub/b.md", "z.md"} - {lost}


@pytest.mark.parametrize("where", ["", "sub/"])
def test_below_a_gitignore_that_may_not_be_read_nothing_is_committed(
    bound: Callable[..., Said], folder: Path, git: Git, where: str
) -> None:
    """Nobody knows which files beside it are to be kept out of git."""
    rules = folder / f"{where}.gitignore"
    rules.write_text("b.md\n")
    rules.chmod(0)
    said = bound("init")
    assert said.code == 0
    assert f"{where}.gitignore: may not be read" in said.err
    assert committed(git, folder) == (set() if not where else {"a.md", "z.md"})


@pytest.mark.parametrize("hidden", ["sub", "sub/b.md"])
def test_what_becomes_readable_is_found_by_the_next_question(
    bound: Callable[..., Said], folder: Path, hidden: str
) -> None:
    """E7: no folder's time tells of it."""
    (folder / hidden).chmod(0)
    bound("init")
    assert "numbat" not in bound("recall", "where does the numbat sleep").out
    listed = bound("list")
    assert f"{hidden}: " in listed.err
    assert listed.err.endswith("2 memories\n")
    assert "\n2 memories\n" in bound("status").out
    assert "up to date" in bound("status").out
    (folder / hidden).chmod(0o755)
    assert "the numbat sleeps" in bound("recall", "where does the numbat sleep").out
    bound("refresh")
    assert "\n3 memories\nthe search index is up to date" in bound("status").out


@pytest.fixture
def private(gm: Gm, folder: Path) -> Path:
    """A store with a memory that .gitignore names."""
    (folder / ".gitignore").write_text("/sub/\n")
    assert "git was told to ignore sub/b.md (.gitignore)" in gm("init").err
    return folder


@pytest.mark.parametrize("words", [("edit", "b", "--set", "description=x"), ("archive", "b", "--reason", "old")])
def test_a_memory_that_git_is_to_ignore_comes_into_history_by_no_write(
    gm: Gm, private: Path, git: Git, words: tuple[str, ...]
) -> None:
    """As `git add` refuses it; what it says to type is the way out."""
    at = git("rev-parse", "HEAD", cwd=private)
    said = gm(*words)
    assert said.code == 1
    assert "git was told to ignore sub/b.md" in said.err
    assert git("rev-parse", "HEAD", cwd=private) == at
    assert (private / "sub/b.md").read_text() == "the numbat sleeps\n"
    git("add", "-f", "--", "sub/b.md", cwd=private)
    assert gm(*words).code == 0


def test_a_memory_that_git_is_to_ignore_is_neither_synced_nor_kept_in_a_point(
    gm: Gm, private: Path, git: Git, tmp_path: Path
) -> None:
    git("init", "-q", "--bare", str(tmp_path / "hub"))
    gm("remote", "add", "origin", str(tmp_path / "hub"))
    (private / "new.md").write_text("the quoll sleeps\n")
    assert gm("rollback", "create").code == 0
    assert gm("sync").code == 0
    assert committed(git, private) == {"a.md", "new.md", "z.md"}
    blob = git("hash-object", "sub/b.md", cwd=private).strip()
    assert git("cat-file", "-e", blob, cwd=private, check=False) == ""
    assert blob not in git("cat-file", "--batch-all-objects", "--batch-check", cwd=private)


def test_where_no_folder_can_be_made_the_hint_looks_at_one_that_is_there(
    bound: Callable[..., Said], folder: Path
) -> None:
    """`ls -ld` of what is not there tells nobody why."""
    folder.chmod(0o555)
    said = bound("init", f"{folder}/x/y")
    assert said.code == 1
    assert said.err.endswith(f"  hint: ls -ld {folder}\n")
