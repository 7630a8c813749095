"""list, show, history and diff: what is there, as it is and as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]


@pytest.fixture
def deploy(gm: Gm) -> list[str]:
    """One memory in three commits; their ids, oldest first."""
    first = gm("remember", "# Deploy\n\nback up\n\n## Order\n\none, two\n", "--name", "deploy", "--json").json
    second = gm("edit", "deploy", "--section", "Order", "--body", "two, one", "--reason", "Ada said so", "--json").json
    third = gm("edit", "deploy", "--set", "tags=release, ops", "--json").json
    return [first["commit"], second["commit"], third["commit"]]


def test_a_list_is_paged_and_counted(gm: Gm, store: Path) -> None:
    gm("init")
    for number in range(120):
        (store / f"note-{number:03}.md").write_text(f"---\nname: note {number}\n---\ntext {number}\n")
    first = gm("list", "--json").json
    assert (len(first["memories"]), first["total"], first["page"], first["pages"]) == (50, 120, 1, 3)
    last = gm("list", "--page", "3")
    assert last.out.splitlines()[0].startswith("note-100.md")
    assert len(last.out.splitlines()) == 20
    assert "more: --page 2" in gm("list").err


def test_a_list_is_filtered_by_type_and_tags(gm: Gm) -> None:
    gm("remember", "one", "--name", "one", "--type", "user", "--tags", "a,b")
    gm("remember", "two", "--name", "two", "--type", "project", "--tags", "a")
    paths = {
        words: [memory["path"] for memory in gm("list", *words, "--json").json["memories"]]
        for words in (("--type", "user"), ("--tag", "A"), ("--tag", "a", "--tag", "b"), ("--type", "reference"))
    }
    assert list(paths.values()) == [["one.md"], ["one.md", "two.md"], ["one.md"], []]


def test_a_hand_edit_counts_at_once(gm: Gm, store: Path) -> None:
    """E7: no command between the edit and the answer."""
    gm("remember", "one", "--name", "one")
    (store / "one.md").write_text("---\nname: renamed\ntags: [mine]\n---\nthe harbour is closed\n")
    (store / "two.md").write_text("the lighthouse is open\n")
    assert [one["path"] for one in gm("list", "--tag", "mine", "--json").json["memories"]] == ["one.md"]
    assert gm("show", "renamed").out.endswith("the harbour is closed\n")
    assert gm("search", "lighthouse", "--json").json["hits"][0]["path"] == "two.md"


def test_show_gives_the_file_as_it_is(gm: Gm, store: Path) -> None:
    gm("init")
    text = "---\n# mine\nname:  'x'\n---\n\nbody  \n\n\n"
    (store / "x.md").write_text(text)
    assert gm("show", "x").out == text


def test_show_gives_one_section(gm: Gm, deploy: list[str]) -> None:
    """A5."""
    assert gm("show", "deploy", "--section", "# Deploy > ## Order").out == "## Order\n\ntwo, one\n"
    missing = gm("show", "deploy", "--section", "Nothing")
    assert missing.code == 1
    assert "'# Deploy > ## Order'" in missing.err


def test_show_gives_the_memory_as_it_was(gm: Gm, git: Git, deploy: list[str], store: Path) -> None:
    """B8."""
    for revision in (deploy[0], deploy[0][:8], "HEAD~2", "main~2"):
        assert "one, two" in gm("show", "deploy", "--at", revision).out
    git("rm", "-q", "deploy.md", cwd=store)
    git("commit", "-qm", "gone", cwd=store)
    assert gm("show", "deploy").code == 1
    assert "two, one" in gm("show", "deploy", "--at", deploy[2]).out
    wrong = gm("show", "deploy", "--at", "nonsense")
    assert wrong.code == 1
    assert "nonsense" in wrong.err


def test_history_tells_who_when_and_why(gm: Gm, git: Git, deploy: list[str], store: Path) -> None:
    """B8; the same commits as git's own log of the file."""
    shape = gm("history", "deploy", "--json").json
    logged = git("log", "--format=%H", "--", "deploy.md", cwd=store).split()
    assert [one["commit"] for one in shape["revisions"]] == logged
    assert shape["revisions"][1]["reason"] == "Ada said so"
    assert shape["revisions"][0]["when"].endswith("Z")
    said = gm("history", "deploy")
    assert said.out.splitlines()[0].split()[0] == deploy[2][:10]
    assert "Ada said so" in said.out
    assert len(gm("history", "deploy", "--limit", "1").out.splitlines()) == 1


def test_history_of_a_file_nobody_committed(gm: Gm, store: Path) -> None:
    gm("init")
    (store / "new.md").write_text("new\n")
    said = gm("history", "new")
    assert said.code == 1
    assert "not committed" in said.err


def test_diff_shows_what_git_shows(gm: Gm, git: Git, deploy: list[str], store: Path) -> None:
    def by_git(*words: str) -> list[str]:
        lines = git("-c", "core.abbrev=7", "diff", *words, cwd=store).splitlines()
        return [line[: line.rindex("@@") + 2] if line[:1] == "@" else line for line in lines if line[:1] in "+-@ "]

    def by_us(*words: str) -> list[str]:
        return [line for line in gm("diff", *words).out.splitlines() if line[:1] in "+-@ "]

    assert by_us("deploy", deploy[0], deploy[1]) == by_git(deploy[0], deploy[1], "--", "deploy.md")
    assert by_us("deploy", deploy[0]) == by_git(deploy[0], "--", "deploy.md")
    assert by_us("deploy") == by_git("HEAD~1", "HEAD", "--", "deploy.md")
    assert gm("diff").out == ""
    (store / "deploy.md").write_text("all new\n")
    (store / "two.md").write_text("two\n")
    assert "two.md" in gm("diff").out
    assert by_us("deploy") == by_git("HEAD", "--", "deploy.md")


def test_edit_without_anything_to_change_is_wrong_usage(gm: Gm, deploy: list[str]) -> None:
    for words in (["edit", "deploy"], ["edit", "deploy", "--section", "Order"], ["edit", "deploy", "--set", "type"]):
        said = gm(*words)
        assert said.code == 2
        assert "--" in said.err
    same = gm("edit", "deploy", "--set", "tags=release, ops")
    assert (same.code, same.out) == (0, "nothing to change in deploy.md\n")


def test_edit_removes_a_field(gm: Gm, deploy: list[str], store: Path) -> None:
    gm("edit", "deploy", "--unset", "tags", "--set", "importance=0.8")
    fields = gm("show", "deploy", "--json").json["fields"]
    assert "tags" not in fields
    assert fields["metadata"]["importance"] == "0.8"


def test_a_model_writes_candidates(gm: Gm, git: Git, store: Path) -> None:
    """G1."""
    gm("remember", "one", "--name", "one", "--agent", "claude-code")
    assert gm("search", "one", "--json").json["hits"][0]["trust"] == "candidate"
    assert "claude-code" in git("log", "-1", "--format=%an", cwd=store)
    read = gm("show", "one", "--json").json["revision"]
    refused = gm("edit", "one", "--set", "trust=verified", "--agent", "claude-code", "--if-revision", read)
    assert refused.code == 1
    assert gm("edit", "one", "--set", "trust=verified").code == 0
    read = gm("show", "one", "--json").json["revision"]
    gm("edit", "one", "--body", "other", "--agent", "claude-code", "--if-revision", read)
    assert gm("show", "one", "--json").json["fields"]["metadata"]["trust"] == "candidate"
