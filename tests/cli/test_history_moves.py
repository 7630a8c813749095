"""history, diff and blame of a memory that was renamed, archived, brought back; every sentence they may say."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.cli.past import run
from gitmem.history.objects import object_id

Git = Callable[..., str]
Gm = Callable[..., Any]
ABOUT = "\n".join(f"grapes are eaten by zebra number {number}" for number in range(8)) + "\n"


@pytest.fixture
def moved(gm: Gm, git: Git, store: Path) -> list[str]:
    """Commits of notes/zebra.md, which was animals/horse.md before and animal.md first; the newest first."""
    gm("remember", ABOUT, "--path", "animal.md", "--reason", "to begin with")
    (store / "animals").mkdir()
    git("mv", "animal.md", "animals/horse.md", cwd=store)
    text = (store / "animals" / "horse.md").read_text()
    (store / "animals" / "horse.md").write_text(text.replace("number 3", "number three"))
    git("add", "-A", cwd=store)
    git("commit", "-qm", "a better name", cwd=store)
    (store / "notes").mkdir()
    git("mv", "animals/horse.md", "notes/zebra.md", cwd=store)
    git("commit", "-qm", "it is a zebra", cwd=store)
    return git("log", "--format=%H", "--follow", "--", "notes/zebra.md", cwd=store).split()


def test_history_follows_a_memory_to_its_old_names(gm: Gm, git: Git, store: Path, moved: list[str]) -> None:
    """B8."""
    shape = gm("history", "zebra", "--json").json
    assert [one["commit"] for one in shape["revisions"]] == moved
    assert [(one["path"], one["was"], one["move"]) for one in shape["revisions"]] == [
        ("notes/zebra.md", "animals/horse.md", "rename"), ("animals/horse.md", "animal.md", "rename"),
        ("animal.md", "", ""),
    ]  # fmt: skip
    said = gm("history", "zebra").out
    assert "    rename: animals/horse.md -> notes/zebra.md\n" in said
    assert "    to begin with\n" in said
    assert [one["commit"] for one in gm("history", "zebra", "--limit", "2", "--json").json["revisions"]] == moved[:2]


@pytest.mark.parametrize("name", ["horse", "animals/horse.md", "animal"])
def test_an_old_name_finds_the_memory_under_its_new_one(gm: Gm, moved: list[str], name: str) -> None:
    shape = gm("history", name, "--json").json
    assert (shape["path"], len(shape["revisions"])) == ("notes/zebra.md", 3)
    assert gm("blame", name, "--json").json["path"] == "notes/zebra.md"


def test_an_archived_memory_keeps_its_history(gm: Gm, git: Git, store: Path, moved: list[str]) -> None:
    (store / "archive" / "notes").mkdir(parents=True)
    git("mv", "notes/zebra.md", "archive/notes/zebra.md", cwd=store)
    git("commit", "-qm", "archive: zebra", cwd=store)
    shape = gm("history", "zebra", "--json").json
    assert (shape["path"], shape["revisions"][0]["move"]) == ("archive/notes/zebra.md", "archive")
    assert [one["commit"] for one in shape["revisions"]][1:] == moved


def test_blame_says_who_wrote_each_line(gm: Gm, git: Git, store: Path, moved: list[str]) -> None:
    """B8."""
    shape = gm("blame", "zebra", "--json").json
    theirs = git("blame", "-l", "-s", "--root", "notes/zebra.md", cwd=store).splitlines()
    assert [one["commit"] for one in shape["lines"]] == [line.split()[0].lstrip("^") for line in theirs]
    (changed,) = [one for one in shape["lines"] if one["text"].endswith("number three")]
    assert (changed["commit"], changed["author"], changed["path"]) == (moved[1], "Ada", "animals/horse.md")
    assert changed["when"].endswith("Z")
    said = gm("blame", "zebra").out.splitlines()
    assert len(said) == len(theirs)
    assert said[changed["line"] - 1].startswith(f"{moved[1][:10]}  {changed['when']}  Ada ")
    before = gm("blame", "zebra", "--at", moved[2], "--json").json
    assert (before["path"], before["commit"]) == ("animal.md", moved[2])
    assert {one["commit"] for one in before["lines"]} == {moved[2]}


def test_diff_compares_two_revisions_across_a_rename(gm: Gm, git: Git, store: Path, moved: list[str]) -> None:
    """B8: by commits, by revisions, shortened or not."""
    said = gm("diff", "zebra", moved[2], moved[0]).out
    assert "rename from animal.md\nrename to notes/zebra.md\n" in said
    assert "-grapes are eaten by zebra number 3\n+grapes are eaten by zebra number three\n" in said
    revisions = [one["revision"] for one in gm("history", "zebra", "--json").json["revisions"]]
    by_revision = gm("diff", "zebra", revisions[2], revisions[0][:9]).out
    assert "+grapes are eaten by zebra number three\n" in by_revision
    assert gm("diff", "zebra", moved[1], moved[0]).out == (
        "diff --git a/animals/horse.md b/notes/zebra.md\nrename from animals/horse.md\nrename to notes/zebra.md\n"
    )
    assert "rename from animals/horse.md" in gm("diff", "zebra").out
    theirs = git("diff", "-M", moved[2], moved[0], cwd=store).splitlines()
    assert [line for line in said.splitlines() if line[:1] in "+-"] == [line for line in theirs if line[:1] in "+-"]


def test_what_a_memory_was_not_is_said(gm: Gm, git: Git, store: Path, moved: list[str]) -> None:
    """Each sentence says what to type next."""
    early = git("rev-list", "--max-parents=0", "HEAD", cwd=store).strip()
    cases = {
        ("diff", "zebra", "fffffffff"): '"fffffffff" is no commit of this store and no revision of notes/zebra.md',
        ("diff", "zebra", "nowhere"): '"nowhere" is no commit, branch or date of this store',
        ("blame", "zebra", "--at", "nowhere"): '"nowhere" is no commit, branch or date of this store',
        ("blame", "nobody"): 'no memory is called "nobody"',
        ("blame", "zebra", "--at", "2001-01-01"): "the store had nothing by 2001-01-01; its first commit is of",
        ("history", "zebra", "--limit", "0"): "--limit: it takes a whole number from 1 on",
        ("history", "zebra", "--operations"): "name a memory, or say --operations, --session, --agent or --since",
        ("history",): "gitmem history needs NAME, or --operations",
    }
    for words, sentence in cases.items():
        said = gm(*words)
        assert said.code in (1, 2), words
        assert sentence in said.err, words
        assert "hint:" in said.err or "--limit" in words
    gm("remember", "quite another", "--path", "late.md")
    for words, sentence in {
        ("blame", "late", "--at", early): f"late.md was not there at {early}",
        ("diff", "late", early, early): f"late.md was neither there at {early} nor at {early}",
    }.items():
        said = gm(*words)
        assert (said.code, sentence in said.err) == (1, True), said.err
        assert "gitmem history late.md" in said.err
    (store / "late.md").unlink()
    assert f"late.md was not there at {early}, and there is no file now" in gm("diff", "late", early).err
    (store / "new.md").write_text("not committed\n")
    assert "new.md has no history yet: it is not committed" in gm("history", "new").err
    assert "new.md is not in the last commit" in gm("blame", "new").err
    (store / "empty.md").write_text("")
    git("add", "empty.md", cwd=store)
    git("commit", "-qm", "empty", cwd=store)
    assert gm("blame", "empty.md").err == "empty.md is empty\n"


def test_a_short_revision_of_several_is_asked_about(gm: Gm, git: Git, store: Path) -> None:
    """Two states of one memory whose ids begin alike."""
    seen: dict[str, int] = {}
    for number in range(5_000):
        name = object_id("blob", b"%d\n" % number)[:4]
        if name in seen:
            pair = (seen[name], number)
            break
        seen[name] = number
    gm("remember", "x")
    for number in pair:
        (store / "n.md").write_text(f"{number}\n")
        git("add", "n.md", cwd=store)
        git("commit", "-qm", "n", cwd=store)
    said = gm("diff", "n.md", name)
    assert said.code == 1
    assert f'"{name}" is short for several' in said.err


def test_the_plain_use_is_answered_without_the_command_line_library(gm: Gm, store: Path, moved: list[str]) -> None:
    """The same answer both ways, and a wrong word goes to the library."""
    for words in ([], ["a", "b"], ["--operations"], ["a", "--limit", "0"], ["a", "--limit"], ["a", "--help"], ["-x"]):
        assert run(words) is None, words
    assert run(["zebra", "--json", "--limit=2", "--store", str(store)]) == 0
    assert run(["nobody", "--store", str(store)]) == 1
