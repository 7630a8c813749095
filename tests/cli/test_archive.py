"""archive, restore, lock and unlock as a person types them (B6, B7, H9)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Gm = Callable[..., Any]


@pytest.fixture
def two(gm: Gm, store: Path) -> Path:
    """A store with a cat and a dog."""
    gm("remember", "the cat is called Zhima", "--name", "cat")
    gm("remember", "the dog barks", "--name", "dog", "--type", "project")
    return store


def aged(store: Path) -> None:
    """The dog was last heard of long ago."""
    text = (store / "dog.md").read_text()
    (store / "dog.md").write_text(text.replace(text.split("updated: ")[1][:20], "2020-01-01T00:00:00Z"))


def test_archive_and_restore_say_what_they_did_and_how_to_undo_it(gm: Gm, two: Path) -> None:
    before = (two / "cat.md").read_bytes(), (two / "MEMORY.md").read_bytes()
    said = gm("archive", "cat", "--reason", "moved out")
    assert (said.code, said.out) == (0, "archived archive/cat.md\n")
    assert said.err.splitlines()[-1] == "undo: gitmem restore cat.md"
    assert "cat" not in gm("list").out
    said = gm("restore", "cat")
    assert (said.code, said.out) == (0, "restored cat.md\n")
    assert said.err.splitlines()[-1] == "undo: gitmem archive cat.md"
    assert ((two / "cat.md").read_bytes(), (two / "MEMORY.md").read_bytes()) == before


def test_the_shapes_of_archive_and_restore(gm: Gm, two: Path) -> None:
    for words, path in ((("archive", "cat"), "archive/cat.md"), (("restore", "cat"), "cat.md")):
        shape = gm(*words, "--json").json
        assert set(shape) == {"path", "revision", "commit"}
        assert (shape["path"], len(shape["revision"]), len(shape["commit"])) == (path, 40, 40)


def test_the_archive_is_listed_with_time_and_reason(gm: Gm, two: Path) -> None:
    gm("archive", "cat", "--reason", "moved out")
    said = gm("list", "--archived")
    assert said.out.startswith("archive/cat.md  the cat is called Zhima  archived 20")
    assert said.out.endswith(": moved out\n")
    (row,) = gm("list", "--archived", "--json").json["memories"]
    assert (row["path"], row["archive_reason"], row["size"]) == (
        "archive/cat.md", "moved out", (two / "archive/cat.md").stat().st_size,
    )  # fmt: skip
    assert gm("list", "--archived", "--type", "project").out == ""
    assert gm("list", "--json").json["total"] == 1


@pytest.mark.parametrize("name", ["cat", "archive/cat.md"])
def test_show_finds_an_archived_memory_and_says_so(gm: Gm, two: Path, name: str) -> None:
    gm("archive", "cat", "--reason", "moved out")
    said = gm("show", name)
    assert said.out == (two / "archive/cat.md").read_text()
    assert said.err.startswith("archive/cat.md is archived since 20")
    assert said.err.endswith(" (moved out); bring it back with: gitmem restore cat.md\n")
    assert gm("show", "nothing").code == 1


def test_a_big_archived_memory_is_shown(gm: Gm, two: Path) -> None:
    """sage-mem case 78."""
    (two / "archive").mkdir()
    (two / "archive/big.md").write_text("word " * 120_000)
    assert gm("show", "big").code == 0
    assert gm("list", "--archived").out.startswith("archive/big.md")


def test_a_lock_shows_and_holds(gm: Gm, two: Path) -> None:
    """B7."""
    said = gm("lock", "cat")
    assert (said.code, said.out) == (0, "locked cat.md\n")
    assert said.err.splitlines()[-1] == "undo: gitmem unlock cat.md"
    assert gm("lock", "cat").out == "cat.md is locked already\n"
    assert gm("list").out.splitlines()[0].endswith("  locked")
    assert [row["locked"] for row in gm("list", "--json").json["memories"]] == [True, False]
    assert gm("show", "cat").err == "cat.md is locked: nothing archives it; gitmem unlock cat.md changes that\n"
    assert gm("show", "cat", "--json").json["locked"] is True
    said = gm("archive", "cat", "--json")
    assert said.code == 1
    assert said.json == {
        "error": {
            "code": "locked",
            "message": "cat.md is locked, so it is neither archived nor removed; nothing was changed",
            "hint": "gitmem unlock cat.md",
        }
    }
    assert gm("edit", "cat", "--body", "new").code == 0
    said = gm("unlock", "cat")
    assert (said.out, said.err.splitlines()[-1]) == ("unlocked cat.md\n", "undo: gitmem lock cat.md")
    assert gm("unlock", "cat", "--json").json == {"path": "cat.md", "locked": False, "commit": ""}
    assert gm("unlock", "cat").out == "cat.md is not locked\n"
    assert gm("archive", "cat").code == 0


def test_a_lock_travels_with_a_clone(gm: Gm, two: Path, tmp_path: Path, git: Callable[..., str]) -> None:
    gm("lock", "cat")
    git("clone", "-q", str(two), str(tmp_path / "other"))
    assert gm("archive", "cat", "--store", str(tmp_path / "other")).code == 1


def test_idle_memories_are_listed_and_leave_only_when_told(gm: Gm, two: Path) -> None:
    """H9."""
    said = gm("archive", "--idle")
    assert (said.code, said.out) == (0, "")
    assert said.err == "no memory is idle for as long as its type allows\n"
    aged(two)
    said = gm("archive", "--idle")
    assert said.out.startswith("dog.md  idle ")
    assert said.out.endswith(" days, project allows 90\n")
    assert said.err == "1 memory may be archived; do it with: gitmem archive --idle --apply\n"
    assert (two / "dog.md").exists()
    shape = gm("archive", "--idle", "--json").json
    assert (shape["applied"], shape["commit"]) == (False, "")
    (row,) = shape["candidates"]
    assert row["reason"] == f"idle {row['idle_days']} days, project allows {row['limit_days']}"
    assert (row["path"], row["name"], row["type"]) == ("dog.md", "dog", "project")
    said = gm("archive", "--idle", "--apply")
    assert said.err.splitlines()[-1] == "archived 1 memory in one commit; undo one with: gitmem restore NAME"
    assert (two / "archive/dog.md").exists()
    assert gm("archive", "--idle", "--apply", "--json").json == {"candidates": [], "applied": True, "commit": ""}


@pytest.mark.parametrize(
    "words", [(), ("cat", "--idle"), ("cat", "--apply"), ("--apply",), ("--idle", "--reason", "x")]
)
def test_words_that_do_not_fit_together_are_said(gm: Gm, two: Path, words: tuple[str, ...]) -> None:
    said = gm("archive", *words)
    assert said.code == 2
    assert said.err == (
        "error: archive takes a NAME, or --idle (with --apply to act on it)\n  hint: gitmem archive --help\n"
    )
    assert (two / "cat.md").exists()


@pytest.mark.parametrize("command", ["archive", "restore", "lock", "unlock"])
def test_a_memory_that_is_not_there_is_said(gm: Gm, two: Path, command: str) -> None:
    said = gm(command, "nothing")
    assert said.code == 1
    assert said.err.startswith("error: no ")
    assert 'memory is called "nothing"' in said.err
    assert "hint: gitmem list" in said.err
