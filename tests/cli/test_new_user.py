"""What a person types first, on an empty machine: no store, no git identity."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]

CAT = "My cat is called Zhima and likes sunbathing"


def test_remember_makes_the_store_and_recall_answers(gm: Gm, git: Git, store: Path) -> None:
    """Remember, then recall, with no init and no identity."""
    kept = gm("remember", CAT, "--type", "user")
    assert kept.code == 0
    assert kept.out.strip() == "remembered my-cat-is-called-zhima-and-likes-sunbathing.md"
    assert "made your store at ~/.gitmem/memory" in kept.err

    asked = gm("recall", "what is my cat called")
    assert asked.code == 0
    assert CAT in asked.out
    assert "my-cat-is-called-zhima-and-likes-sunbathing.md:" in asked.out

    assert git("status", "--porcelain", cwd=store) == ""
    assert git("fsck", "--strict", cwd=store) == ""
    assert git("branch", "--show-current", cwd=store) == "main\n"
    subject, author = git("log", "-1", "--format=%s%n%an <%ae>", cwd=store).splitlines()
    assert subject.startswith("remember: ")
    assert "root" not in author
    trailers = git("log", "-1", "--format=%(trailers:only)", cwd=store)
    assert "Gitmem-Op: remember" in trailers
    assert "Gitmem-Actor: person" in trailers


def test_the_second_memory_says_nothing_about_the_store(gm: Gm) -> None:
    gm("remember", CAT)
    assert gm("remember", "The deploy goes out on Tuesdays").err == ""


@pytest.mark.parametrize("question", ["continue", "thanks", "继续", "fix the tests"])
def test_small_talk_gets_nothing(gm: Gm, question: str) -> None:
    """E3."""
    gm("remember", CAT)
    asked = gm("recall", question)
    assert (asked.code, asked.out) == (0, "")
    assert asked.err.startswith("nothing is injected")


def test_a_new_store_holds_no_example_records(gm: Gm, git: Git, store: Path) -> None:
    """An empty store is empty."""
    assert gm("init").code == 0
    assert gm("list", "--json").json["total"] == 0
    assert git("show", "HEAD:MEMORY.md", cwd=store) == "# Memory\n\n"


def test_each_memory_gets_its_line_in_the_index_file(gm: Gm, store: Path) -> None:
    """A7."""
    gm("remember", CAT, "--name", "cat")
    assert (store / "MEMORY.md").read_text() == f"# Memory\n\n- [cat](cat.md) — {CAT}\n"


def test_words_need_no_quotes(gm: Gm) -> None:
    assert gm("remember", "the", "port", "is", "8080", "--name", "port").code == 0
    assert gm("show", "port").out.endswith("\nthe port is 8080\n")


def test_a_text_may_come_from_stdin_or_a_file(gm: Gm, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text("# Backup\n\nRun it on Fridays. Then check.\n")
    assert gm("remember", "-", stdin="数据库迁移前先备份\n").code == 0
    assert gm("remember", "--body-file", "note.txt").out == "remembered backup.md\n"
    shown = gm("show", "backup", "--json").json
    assert shown["name"] == "Backup"
    assert shown["fields"]["description"] == "Run it on Fridays."
    assert gm("search", "迁移数据库", "--json").json["hits"][0]["text"].startswith("数据库迁移前先备份")


def test_the_shapes_that_others_build_on(gm: Gm) -> None:
    kept = gm("remember", CAT, "--name", "cat", "--json").json
    assert list(kept) == ["path", "revision", "commit"]
    found = gm("search", "cat", "--json").json
    assert list(found) == ["hits", "floor"]
    assert list(found["hits"][0]) == [
        "path", "name", "revision", "score", "lines", "heading", "text", "trust", "updated",
    ]  # fmt: skip
    assert found["hits"][0]["revision"] == kept["revision"]
    assert list(gm("show", "cat", "--json").json) == ["path", "name", "revision", "fields", "body"]
    block = gm("recall", "what is my cat called", "--json").json
    assert list(block) == ["text", "bytes", "injected", "omitted", "reason", "notes"]
    assert list(block["injected"][0]) == ["path", "lines", "score"]
    edited = gm("edit", "cat", "--set", "tags=pet, home", "--json").json
    assert list(edited) == ["path", "revision", "commit"]
    refused = gm("show", "dog", "--json")
    assert refused.code == 1
    assert list(refused.json["error"]) == ["code", "message", "hint"]
    assert refused.json["error"]["code"] == "not-found"


def test_options_may_stand_before_the_command(gm: Gm, tmp_path: Path) -> None:
    gm("init", str(tmp_path / "notes"))
    assert gm("--store", str(tmp_path / "notes"), "--json", "list").json["total"] == 0


def test_why_explains_every_candidate(gm: Gm) -> None:
    """Promised as F10."""
    gm("remember", CAT, "--name", "cat")
    said = gm("why", "what is my cat called")
    assert said.code == 0
    assert "cat.md" in said.out
    assert "floor" in said.out
    shape = gm("why", "what is my cat called", "--json").json
    assert shape["candidates"][0]["path"] == "cat.md"


def test_context_prints_what_a_session_starts_with(gm: Gm) -> None:
    gm("remember", CAT, "--name", "cat")
    said = gm("context", "--json").json
    assert "cat.md" in said["text"]
    assert said["bytes"] == len(said["text"].encode())


def test_status_fits_on_a_screen(gm: Gm, store: Path) -> None:
    gm("remember", CAT, "--name", "cat")
    said = gm("status", "--json").json
    assert said["store"] == str(store)
    assert said["branch"] == "main"
    assert said["memories"] == 1
    assert said["operation"] == ""
    assert "1 memory" in gm("status").out


def test_colour_only_on_a_terminal(gm: Gm) -> None:
    """K1."""
    gm("remember", CAT, "--name", "cat")
    for words in (["search", "cat"], ["history", "cat"], ["list"], ["show", "dog"], ["--help"]):
        said = gm(*words)
        assert "\x1b" not in said.out + said.err


@pytest.mark.parametrize(
    "words",
    [
        [""],
        ["x", "--path", "../y.md"],
        ["x", "--tags", ",".join(map(str, range(50)))],
        ["AKIAIOSFODNN7EXAMPLF is the key"],
    ],
    ids=["empty", "path", "tags", "secret"],
)
def test_a_first_memory_that_is_refused_leaves_no_store(gm: Gm, store: Path, words: list[str]) -> None:
    """Break test 18."""
    said = gm("remember", *words)
    assert said.code in (1, 2)
    assert said.err.startswith("error: ")
    assert not store.parent.exists()


def test_the_line_in_the_list_follows_a_new_name_until_a_person_words_it(gm: Gm, store: Path) -> None:
    """Break test 22."""
    gm("remember", CAT, "--name", "cat")
    gm("edit", "cat", "--set", "description=who the cat is")
    assert (store / "MEMORY.md").read_text() == "# Memory\n\n- [cat](cat.md) — who the cat is\n"
    (store / "MEMORY.md").write_text("# Memory\n\n- my [cat](cat.md)\n")
    gm("edit", "cat", "--set", "description=again")
    assert (store / "MEMORY.md").read_text() == "# Memory\n\n- my [cat](cat.md)\n"
