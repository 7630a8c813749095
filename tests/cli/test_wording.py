"""Sentences: what is wrong, where, what to type, and that it can be typed anywhere."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]


@pytest.mark.parametrize(
    ("words", "sentence", "hint"),
    [
        (
            ["remember", "-dash"],
            "gitmem remember has no option -dash; a text that begins",
            'gitmem remember -- "-dash"',
        ),
        (["remember", "-it's"], "no option -it's;", """gitmem remember -- '-it'\\''s'"""),
        (["remember", "--bogus"], "no option --bogus;", 'gitmem remember -- "--bogus"'),
        (["search", "--bogus"], "no option --bogus;", 'gitmem search -- "--bogus"'),
        (["list", "--bogus"], "gitmem list has no option --bogus\n", "gitmem list --help"),
        (["list", "--pages=3"], "gitmem list has no option --pages\n", "gitmem list --page"),
        (["remember", "x", "--nmae", "y"], "gitmem remember has no option --nmae\n", "gitmem remember --name"),
        (["list", "--page", "x"], "--page: it takes a whole number from 1 on\n", "gitmem list --help"),
        (["list", "--limit", "0"], "--limit: it takes a whole number from 1 to 1000\n", "gitmem list --help"),
        (
            ["diff", "z", "HEAD", "HEAD", "x"],
            "gitmem diff takes [NAME] [REV1] [REV2] and no more\n",
            "gitmem diff --help",
        ),
        (["status", "x"], "gitmem status takes no words\n", "gitmem status --help"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, list) else None,
)
def test_a_slip_of_the_pen_is_told_in_our_words(gm: Gm, words: list[str], sentence: str, hint: str) -> None:
    said = gm(*words)
    assert said.code == 2
    assert sentence in said.err
    assert said.err.endswith(f"  hint: {hint}\n")


@pytest.mark.parametrize("text", ["-dash", "--bogus", "-it's"])
def test_the_hint_for_a_text_with_a_dash_can_be_typed(gm: Gm, text: str) -> None:
    hint = gm("remember", text, "--json").json["error"]["hint"]
    assert gm(*shlex.split(hint)[1:]).code == 0
    assert gm("search", "--", text.strip("-")).code == 0


def test_one_thing_is_not_told_as_many(gm: Gm, git: Git, store: Path) -> None:
    gm("remember", "x", "--name", "x")
    assert gm("refresh").out.startswith("1 memory indexed")
    assert "has one parent\n" in gm("show", "x", "--at", "HEAD^2").err
    (store / "big.md").write_text("long line\n" * 60_000)
    assert "1 memory, 1 file left out" in gm("init").out


def test_a_page_that_is_not_there_is_said(gm: Gm) -> None:
    gm("remember", "x")
    said = gm("list", "--page", "99")
    assert (said.code, said.out) == (0, "")
    assert said.err == "there is no page 99: 1 memory, 1 page\n"


def test_what_a_command_does_not_take_its_help_does_not_offer(gm: Gm) -> None:
    assert "--json" not in gm("hook", "--help").out
    assert "--store" not in gm("bench", "recall", "--help").out
    assert "instead of your own" not in gm("hook", "--help").out


def test_every_git_command_in_a_hint_finds_the_store_from_anywhere(gm: Gm, git: Git, tmp_path: Path) -> None:
    """Break test 8: typed as it stands, in another folder, it must work on the store."""
    store = tmp_path / "my notes"
    gm("init", str(store))
    at = ["--store", str(store)]
    gm("remember", "one", "--name", "one", *at)
    git("checkout", "-q", "-b", "old name", cwd=store, check=False)
    git("branch", "-m", "main", "trunk", cwd=store)
    git("switch", "-q", "--detach", cwd=store)
    elsewhere = tmp_path / "elsewhere"
    git("init", "-q", str(elsewhere))
    hints = [
        gm("show", "one", "--at", "nonsense", *at, "--json").json["error"]["hint"],
        gm("show", "two", "--at", "HEAD", *at, "--json").json["error"]["hint"],
        gm("history", "one", *at, "--json").json.get("error", {}).get("hint", ""),
        gm("diff", "one", "HEAD~9", *at, "--json").json["error"]["hint"],
        gm("remember", "two", *at, "--json").json["error"]["hint"],
    ]
    assert hints[-1] == f"git -C '{store}' switch trunk"
    for hint in filter(None, hints):
        assert hint.startswith(f"git -C '{store}' ")
        done = subprocess.run(["sh", "-c", hint], cwd=elsewhere, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (hint, done.stderr)
    assert gm("remember", "two", *at).code == 0


def test_a_detached_head_without_any_branch_is_told_how_to_get_one(gm: Gm, git: Git, store: Path) -> None:
    gm("remember", "one")
    git("switch", "-q", "--detach", cwd=store)
    git("branch", "-D", "main", cwd=store)
    hint = gm("remember", "two", "--json").json["error"]["hint"]
    assert hint == f"git -C {store} switch -c main"
    subprocess.run(["sh", "-c", hint], check=True, capture_output=True)
    assert gm("remember", "two").code == 0


def test_an_operation_under_way_ends_with_a_command_for_the_store(gm: Gm, git: Git, store: Path) -> None:
    gm("remember", "one")
    git("bisect", "start", cwd=store)
    assert f"end it with: git -C {store} bisect reset" in gm("status").out
    assert gm("remember", "two", "--json").json["error"]["hint"] == f"git -C {store} bisect reset"


def test_why_can_be_worked_out_with_a_pencil(gm: Gm) -> None:
    """Break test, wordings: the parts come to the score."""
    gm("remember", "My cat is called Zhima", "--name", "cat")
    gm("remember", "The cat food stands in the cellar", "--name", "food", "--agent", "claude-code")
    said = gm("why", "what is my cat called").out
    assert "  cat  in 2 passages, evidence " in said
    assert "floor: " in said
    ranks = [line.strip() for line in said.splitlines() if line.strip().startswith("rank ")]
    assert len(ranks) == 2
    for line in ranks:
        rank, _, rest = line.removeprefix("rank ").partition(" = ")
        words = float(rest.split(" ")[0])
        ties = rest.rpartition(" x ")[2].partition("(1 ")[2].rstrip(")").split(" ") if " x " in rest else []
        factor = 1 + sum(float(value) for value in ties[::2])
        assert abs(words * factor - float(rank)) < 0.02, line
    assert any("trust" in line for line in ranks)
    assert "  evidence " in next(line for line in said.splitlines() if line.startswith("cat.md:"))
