"""A text that came from a pipe is never lost, and a refused first command leaves no store."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]
TEXT = "twenty lines that were typed into a pipe\n"

REFUSED = [
    ["remember", "-", "--path", "../y.md"],
    ["remember", "-", "--tags", ",".join(map(str, range(30)))],
    ["remember", "-", "--name", "cat"],
    ["edit", "nobody", "--body-file", "-"],
    ["edit", "cat", "--section", "# Nowhere", "--body-file", "-"],
    ["edit", "cat", "--set", "trust=maybe", "--body-file", "-"],
]


def kept_in(said: Any) -> str:
    """The text in the file that the answer names."""
    place = said.err.partition("kept in ")[2].partition("\n")[0]
    assert place, said.err
    return Path(place).read_text()


@pytest.mark.parametrize("words", REFUSED, ids=lambda words: " ".join(words[:4])[:40])
def test_a_refused_text_is_kept_and_its_place_is_said(gm: Gm, git: Git, store: Path, words: list[str]) -> None:
    gm("remember", "the cat", "--name", "cat")
    said = gm(*words, stdin=TEXT)
    assert said.code in (1, 2)
    assert TEXT in kept_in(said)
    assert git("status", "--porcelain", cwd=store) == ""
    assert (
        "kept in " in str(gm(*words, "--json", stdin=TEXT).json)
        or "kept" in gm(*words, "--json", stdin=TEXT).json["error"]
    )


@pytest.mark.parametrize("state", ["rebase", "detached"])
def test_a_text_is_kept_when_the_repository_cannot_take_it(gm: Gm, git: Git, store: Path, state: str) -> None:
    gm("remember", "the cat", "--name", "cat")
    if state == "detached":
        git("checkout", "-q", "--detach", cwd=store)
    else:
        (store / ".git/rebase-merge").mkdir()
    said = gm("remember", "-", stdin=TEXT)
    assert said.code == 1
    assert TEXT in kept_in(said)


FIRST = [["remember", ""], ["remember", "-"], ["remember", "x", "--path", "../y"], ["remember", "x", "--path", "y.txt"],
         ["remember", "x", "--aliases", "x" * 99], ["remember", "x", "--name", "MEMORY", "--path", "MEMORY.md"],
         ["remember", "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"], ["remember", "y" * 600_000]]  # fmt: skip


@pytest.mark.parametrize("words", FIRST, ids=lambda words: " ".join(words)[:30])
def test_a_refused_first_command_makes_no_store(gm: Gm, store: Path, home: Path, words: list[str]) -> None:
    said = gm("remember", "-", stdin=words[1]) if len(words[1]) > 100_000 else gm(*words)
    assert said.code in (1, 2)
    assert "made your store" not in said.err
    assert not (home / ".gitmem").exists()
    assert gm("remember", "x").code == 0
    assert (store / "x.md").is_file()
