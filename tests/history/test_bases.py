"""Merge bases and distances, against git's own."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.bases import is_ancestor, meeting, only
from gitmem.history.repo import open_repo

Git = Callable[..., str]


def history(git: Git, root: Path, seed: int, count: int) -> list[str]:
    """Commits of a random history with merges, several beginnings and equal times."""
    chance = random.Random(seed)
    git("init", "-q", "-b", "main", str(root), cwd=root.parent)
    tree = git("mktree", cwd=root, stdin="").strip()
    made: list[str] = []
    for number in range(count):
        parents = chance.sample(made[-6:], min(len(made), chance.choice((0, 1, 1, 1, 2, 2, 3))))
        words = [word for parent in parents for word in ("-p", parent)]
        stamp = f"{1_796_000_000 + number // 3 * 10} +0000"
        raw = git(
            "-c", f"user.name=x{number}", "commit-tree", tree, *words, "-m", str(number), cwd=root,
            stdin="",
        ).strip()  # fmt: skip
        text = git("cat-file", "commit", raw, cwd=root).replace(
            git("cat-file", "commit", raw, cwd=root).partition("committer ")[2].partition("> ")[2].partition("\n")[0],
            stamp,
        )
        made.append(git("hash-object", "-t", "commit", "-w", "--stdin", cwd=root, stdin=text).strip())
    return made


@pytest.mark.cgit
@pytest.mark.parametrize("seed", [1, 2])
def test_bases_and_distances_are_those_git_finds(git: Git, tmp_path: Path, seed: int) -> None:
    """Promised as C3: ancestry decides."""
    root = tmp_path / "repo"
    root.mkdir()
    made = history(git, root, seed, 24)
    chance = random.Random(seed)
    with open_repo(str(root)) as repo:
        for _ in range(25):
            one, two = chance.choice(made), chance.choice(made)
            found = meeting(repo, one, two)
            assert found.bases == sorted(git("merge-base", "--all", one, two, cwd=root, check=False).split())
            counts = git("rev-list", "--left-right", "--count", f"{one}...{two}", cwd=root).split()
            assert [str(found.ahead), str(found.behind)] == counts
            assert is_ancestor(repo, one, two) == (one in git("rev-list", two, cwd=root).split())
            assert set(only(repo, [one], [two])) == set(git("rev-list", one, f"^{two}", cwd=root).split())


def test_no_history_meets_nothing(git: Git, tmp_path: Path) -> None:
    root = tmp_path / "repo"
    root.mkdir()
    (commit,) = history(git, root, 3, 1)
    with open_repo(str(root)) as repo:
        found = meeting(repo, "", commit)
    assert (found.bases, found.ahead, found.behind) == ([], 0, 1)
