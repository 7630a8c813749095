"""Which file of a commit is another one under a new name, held against git's own eye where git has one."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.renames import likeness, moves
from gitmem.history.repo import open_repo
from gitmem.history.trail_tree import TreeDiffs
from gitmem.history.trail_walk import kind_of

Git = Callable[..., str]
WORDS = "deploy backup migrate release branch index token cache queue retry schema".split()  # noqa: SIM905


def found(root: Path, git: Git, before: dict[str, str], after: dict[str, str]) -> dict[str, str]:
    """What ``moves`` says of a commit that turned ``before`` into ``after``."""
    git("init", "-q", "-b", "main", str(root))
    commits = []
    for files in (before, after):
        git("rm", "-rq", "--ignore-unmatch", ".", cwd=root)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(text.encode())
        git("add", "-A", cwd=root)
        git("commit", "-q", "--allow-empty", "-m", "x", cwd=root)
        commits.append(git("rev-parse", "HEAD", cwd=root).strip())
    with open_repo(str(root)) as repo:
        changed = TreeDiffs(repo.objects).between(*(repo.commit(name).tree for name in commits))
        return {new.decode(): old.decode() for new, old in moves(repo.objects, changed).items()}


def memory(name: str, id: str, body: str) -> str:
    return f"---\nname: {name}\nmetadata:\n  id: {id}\n---\n\n{body}\n"


def test_the_same_bytes_are_the_same_memory(tmp_path: Path, git: Git) -> None:
    """Of several alike the archived twin goes with its twin, then the same file name."""
    before = {"a.md": "same\n", "n/b.md": "same\n", "c.md": "same\n"}
    after = {"archive/c.md": "same\n", "m/b.md": "same\n", "z.md": "same\n"}
    assert found(tmp_path / "r", git, before, after) == {"archive/c.md": "c.md", "m/b.md": "n/b.md", "z.md": "a.md"}


def test_archive_and_restore_are_moves_whatever_the_text(tmp_path: Path, git: Git) -> None:
    assert found(tmp_path / "a", git, {"n/a.md": "one\n"}, {"archive/n/a.md": "two\n"}) == {"archive/n/a.md": "n/a.md"}
    assert found(tmp_path / "b", git, {"archive/a.md": "one\n"}, {"a.md": "two\n"}) == {"a.md": "archive/a.md"}
    assert kind_of("a.md", "archive/a.md") == "archive"
    assert kind_of("archive/a.md", "a.md") == "restore"
    assert kind_of("a.md", "b.md") == kind_of("archive/a.md", "archive/b.md") == "rename"


def test_an_id_says_which_memory_it_is(tmp_path: Path, git: Git) -> None:
    """The id wins over the likeness, and two ids are two memories however alike."""
    body = "\n".join(" ".join(WORDS) + str(number) for number in range(9))
    before = {"a.md": memory("a", "01A", body), "b.md": memory("b", "01B", "short")}
    after = {"c.md": memory("c", "01B", body), "d.md": memory("d", "01D", body)}
    assert found(tmp_path / "r", git, before, after) == {"c.md": "b.md"}


def test_a_memory_is_followed_though_another_one_has_its_old_path(tmp_path: Path, git: Git) -> None:
    """Renamed, archived, put over another one, exchanged with it; an id corrected where it stands is no move."""
    one, two, three = (memory(name, f"01{name}", f"what {name} says") for name in "ABC")
    for number, (before, after, expected) in enumerate(
        [
            ({"a.md": one}, {"a.md": two, "b.md": one + "more\n"}, {"b.md": "a.md"}),
            ({"a.md": one}, {"a.md": "no id\n", "b.md": one}, {"b.md": "a.md"}),
            ({"a.md": one}, {"a.md": two, "archive/a.md": one.replace("id:", "x: y\n  id:")}, {"archive/a.md": "a.md"}),
            ({"a.md": one, "b.md": two}, {"b.md": one}, {"b.md": "a.md"}),
            ({"a.md": one, "b.md": two}, {"b.md": one, "a.md": two}, {"b.md": "a.md", "a.md": "b.md"}),
            ({"a.md": one, "b.md": two}, {"b.md": one, "a.md": three, "c.md": two}, {"b.md": "a.md", "c.md": "b.md"}),
            ({"a.md": one, "b.md": two}, {"a.md": three, "b.md": two + "more\n"}, {}),
            ({"a.md": one}, {"a.md": one + "more\n", "b.md": one}, {}),
        ]
    ):
        assert found(tmp_path / str(number), git, before, after) == expected


def test_half_of_the_text_is_enough_and_less_is_not(tmp_path: Path, git: Git) -> None:
    lines = [f"line {number} says something" for number in range(10)]
    kept = "\n".join([*lines[:6], "a", "b"]) + "\n"
    lost = "\n".join([*lines[:3], *(f"other words {number} here" for number in range(7))]) + "\n"
    text = "\n".join(lines) + "\n"
    assert found(tmp_path / "a", git, {"a.md": text}, {"b.md": kept}) == {"b.md": "a.md"}
    assert found(tmp_path / "b", git, {"a.md": text}, {"b.md": lost}) == {}


def test_what_is_no_memory_and_what_only_came_is_no_move(tmp_path: Path, git: Git) -> None:
    assert found(tmp_path / "a", git, {"a.txt": "x\n"}, {"b.txt": "x\n"}) == {}
    assert found(tmp_path / "b", git, {"a.md": "x\n"}, {"a.md": "x\n", "b.md": "x\n"}) == {}
    (tmp_path / "c").mkdir()
    git("init", "-q", "-b", "main", str(tmp_path / "c"))
    (tmp_path / "c" / "x").symlink_to("a")
    assert found(tmp_path / "c", git, {"a.md": "b"}, {}) == {}


def test_a_commit_that_adds_and_removes_many_is_not_compared_text_by_text(tmp_path: Path, git: Git) -> None:
    """Bounded: 21 memories rewritten under new names at once are new ones; those of the same bytes are not."""
    before = {f"a{number}.md": f"{' '.join(WORDS)}\n" * 9 + f"{number}\n" for number in range(21)}
    after = {f"b{number}.md": text + "more\n" for number, text in enumerate(before.values())}
    assert found(tmp_path / "r", git, before, after) == {}
    assert len(found(tmp_path / "s", git, before, {f"c/{path}": text for path, text in before.items()})) == 21


@pytest.mark.parametrize("seed", range(8))
def test_likeness_is_what_git_calls_it(tmp_path: Path, git: Git, seed: int) -> None:
    """B8: a rename by hand is seen where ``git log --follow`` sees it, within a few hundredths."""
    rng = random.Random(seed)
    lines = [" ".join(rng.choices(WORDS, k=rng.randrange(1, 20))) + str(number) for number in range(30)]
    share = rng.uniform(0.1, 0.9)
    other = [line if rng.random() > share else f"new {rng.random()}" * rng.randrange(1, 4) for line in lines]
    rng.shuffle(other)
    one, two = "\n".join(lines) + "\n", "\n".join(other) + "\n"
    found(tmp_path / "r", git, {"a.md": one}, {"b.md": two})
    said = git("diff", "-M1%", "--name-status", "HEAD~1", cwd=tmp_path / "r").split()[0]
    theirs = int(said[1:]) / 100 if said.startswith("R") else 0.0
    ours = likeness(one.encode(), two.encode())
    assert abs(ours - theirs) < 0.05 or (ours == 0.0 and theirs < 0.5)
