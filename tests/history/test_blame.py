"""Which commit wrote each line: what ``git blame`` says, in ordinary histories of Markdown."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import NotFound
from gitmem.history.blame import blame, matched
from gitmem.history.repo import open_repo

Git = Callable[..., str]
LINES = st.lists(st.sampled_from([b"a\n", b"b\n", b"\n", b"c\n", b"d\n"]), max_size=12)


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    git("init", "-q", "-b", "main", str(tmp_path / "store"))
    return tmp_path / "store"


def save(root: Path, git: Git, text: str, path: str = "a.md") -> str:
    (root / path).write_text(text)
    git("add", "-A", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", f"x {len(text)}", cwd=root)
    return git("rev-parse", "HEAD", cwd=root).strip()


def ours(root: Path, git: Git, path: str = "a.md", commit: str = "HEAD") -> list[str]:
    with open_repo(str(root)) as repo:
        return [line.commit for line in blame(repo, path, git("rev-parse", commit, cwd=root).strip())]


def theirs(root: Path, git: Git, path: str = "a.md", commit: str = "HEAD") -> list[str]:
    said = git("blame", "-l", "-s", "--root", commit, "--", path, cwd=root)
    return [line.split()[0].lstrip("^") for line in said.splitlines()]


def grown(rng: random.Random, parts: list[list[str]], step: int) -> str:
    """A Markdown text after one more edit: a section added, removed, or a list made longer."""
    for _ in range(rng.randrange(1, 3)):
        at, chance = rng.randrange(1, len(parts)), rng.random()
        if chance < 0.5:
            parts.insert(at, [rng.choice(["## Part", "text"]) + f" {step}", f"more {rng.randrange(9)}"])
        elif chance < 0.7 and len(parts) > 4:
            parts.pop(at)
        else:
            parts[at] = [*parts[at], f"- item {rng.randrange(5)}"]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


@pytest.mark.parametrize("seed", range(4))
def test_lines_are_blamed_as_git_blames_them(root: Path, git: Git, seed: int) -> None:
    """B8."""
    rng = random.Random(seed)
    parts = [["---", "name: x", "---"], ["# Title"], *([f"paragraph {number}", "- item 1"] for number in range(5))]
    for step in range(12):
        save(root, git, grown(rng, parts, step))
    assert ours(root, git) == theirs(root, git)
    assert ours(root, git, commit="HEAD~4") == theirs(root, git, commit="HEAD~4")


def test_a_merge_gives_each_line_to_the_side_it_came_from(root: Path, git: Git) -> None:
    text = "".join(f"line {number}\n" for number in range(20))
    save(root, git, text)
    git("switch", "-qc", "side", cwd=root)
    save(root, git, text.replace("line 3\n", "line three\n"))
    git("switch", "-q", "main", cwd=root)
    save(root, git, text.replace("line 15\n", "line fifteen\n"))
    git("merge", "-q", "--no-edit", "side", cwd=root)
    assert ours(root, git) == theirs(root, git)
    save(root, git, (root / "a.md").read_text() + "the end")
    assert ours(root, git) == theirs(root, git)


def test_lines_are_followed_across_a_rename_and_an_archive(root: Path, git: Git) -> None:
    text = "".join(f"line {number}\n" for number in range(9))
    first = save(root, git, text)
    git("mv", "a.md", "b.md", cwd=root)
    second = save(root, git, text.replace("line 4\n", "line four\n"), "b.md")
    assert ours(root, git, "b.md") == theirs(root, git, "b.md") == [first] * 4 + [second] + [first] * 4
    (root / "archive").mkdir()
    git("mv", "b.md", "archive/b.md", cwd=root)
    save(root, git, text.replace("line 4\n", "line four\n"), "archive/b.md")
    with open_repo(str(root)) as repo:
        lines = blame(repo, "archive/b.md", repo.head()[1])
    assert [line.commit for line in lines] == [first] * 4 + [second] + [first] * 4
    assert [(line.number, line.text, line.path) for line in lines[3:5]] == [
        (4, "line 3", "a.md"), (5, "line four", "b.md"),
    ]  # fmt: skip
    assert lines[0].author == "Ada"


def test_without_an_index_the_answer_is_the_same(root: Path, git: Git) -> None:
    for number in range(4):
        save(root, git, f"one\n{number}\ntwo\n")
    (root / ".git" / "gitmem" / "history.sqlite").mkdir(parents=True)
    assert ours(root, git) == theirs(root, git)


def test_what_was_not_there_is_said(root: Path, git: Git) -> None:
    save(root, git, "x\n")
    with pytest.raises(NotFound, match=r"b\.md was not there at"):
        ours(root, git, "b.md")
    save(root, git, "", "empty.md")
    assert ours(root, git, "empty.md") == []


def test_a_line_that_is_not_utf_8_is_told_as_it_reads(root: Path, git: Git) -> None:
    (root / "a.md").write_bytes("Größe\n".encode("latin-1") + "Straße\n".encode())
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "x", cwd=root)
    with open_repo(str(root)) as repo:
        assert [line.text for line in blame(repo, "a.md", repo.head()[1])] == ["Größe", "Straße"]


@pytest.mark.parametrize(
    ("earlier", "now"),
    [
        (b"one\ntwo\n", "\ufeffone\nzwei\ntwo\n".encode("utf-16-le")),
        (b"one\rtwo\r", b"one\rzwei\rtwo\r"),
    ],
    ids=["utf-16", "cr"],
)
def test_lines_are_those_that_show_prints(root: Path, git: Git, earlier: bytes, now: bytes) -> None:
    """Also of a file that git takes for binary, or for one line."""
    for data in (earlier, now):
        (root / "a.md").write_bytes(data)
        git("add", "-A", cwd=root)
        git("commit", "-q", "-m", f"{len(data)} bytes", cwd=root)
    with open_repo(str(root)) as repo:
        lines = blame(repo, "a.md", repo.head()[1])
    assert [line.text for line in lines] == ["one", "zwei", "two"]
    before, after = f"{len(earlier)} bytes", f"{len(now)} bytes"
    assert [line.subject for line in lines] == [before, after, before]


@given(LINES, LINES)
def test_as_many_lines_are_matched_as_can_be(new: list[bytes], old: list[bytes]) -> None:
    """The pairs are equal lines in order, and no fewer than the longest common subsequence has."""
    pairs = matched(new, old)
    assert all(new[here] == old[there] for here, there in pairs)
    assert all(one[0] < two[0] and one[1] < two[1] for one, two in pairwise(pairs))
    table = [[0] * (len(old) + 1) for _ in range(len(new) + 1)]
    for here, line in enumerate(new):
        for there, other in enumerate(old):
            best = max(table[here][there + 1], table[here + 1][there])
            table[here + 1][there + 1] = table[here][there] + 1 if line == other else best
    assert len(pairs) == table[-1][-1]


def test_a_text_that_was_written_anew_is_matched_all_the_same() -> None:
    """Beyond the edits for which the shortest way is sought."""
    old = [b"%d\n" % (number % 50) for number in range(900)]
    new = [b"%d\n" % (number * 7 % 50) for number in range(900)]
    pairs = matched(new, old)
    assert pairs
    assert all(new[here] == old[there] for here, there in pairs)
