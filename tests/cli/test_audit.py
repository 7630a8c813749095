"""``gitmem audit``, ``doctor`` and ``hooks`` as a person types them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Gm = Callable[..., Any]
Git = Callable[..., str]
SOUND = "---\nname: a\ndescription: what it says\n---\n\ntext\n"


@pytest.fixture
def made(gm: Gm, store: Path) -> Path:
    """A store of one memory."""
    assert gm("remember", "the release goes out on Tuesdays", "--name", "release day").code == 0
    return store


def test_a_sound_store_is_said_to_be(gm: Gm, made: Path) -> None:
    said = gm("audit")
    assert (said.code, said.out, said.err) == (0, "1 memory looked at, 1 listed: no problems\n", "")
    assert gm("audit", "--json").json == {"memories": 1, "entries": 1, "problems": 0, "hints": 0, "findings": []}


def test_an_empty_store_is_said_to_be(gm: Gm, tmp_path: Path) -> None:
    assert gm("init", str(tmp_path / "s")).code == 0
    said = gm("audit", "--store", str(tmp_path / "s"))
    assert (said.code, said.out) == (0, "there are no memories, so there is nothing to audit\n")


def test_problems_end_with_5_and_each_says_what_where_and_how_to_mend_it(gm: Gm, made: Path) -> None:
    """Promised as I1: ``path:line: what (rule)``."""
    (made / "记忆.md").write_text("---\nname: x\ntype: user\ntype: project\n---\n", encoding="utf-8")
    said = gm("audit")
    assert said.code == 5
    assert "2 memories looked at, 1 listed: 2 problems\n" in said.out
    assert (
        "\n  记忆.md:4: `type` stands on line 3 and on line 4; line 3 counts, delete the other (head-duplicate)\n"
        in said.out
    )
    assert "\n  To mend it: Delete the line that is wrong." in said.out
    found = gm("audit", "--json").json["findings"]
    assert [(each["rule"], each["path"], each["line"], each["severity"]) for each in found] == [
        ("unlisted", "记忆.md", 0, "problem"),
        ("head-duplicate", "记忆.md", 4, "problem"),
    ]
    assert all(each["mend"] and each["message"] for each in found)


def test_hints_are_no_problems(gm: Gm, made: Path) -> None:
    (made / "archive").mkdir()
    (made / "archive" / "old.md").write_text(SOUND)
    with (made / "release-day.md").open("a") as file:
        file.write("see [[old]]\n")
    said = gm("audit")
    assert said.code == 0
    assert "no problems, 1 hint" in said.out


def test_some_memories_may_be_named(gm: Gm, made: Path) -> None:
    (made / "bad.md").write_text("no head\n")
    assert gm("audit", "release day").code == 0
    said = gm("audit", "bad")
    assert said.code == 5
    assert "1 memory looked at, 1 listed: 2 problems" in said.out
    assert gm("audit", "nobody").code == 1


def test_what_is_staged_is_judged_and_not_the_files(gm: Gm, made: Path, git: Git) -> None:
    """Promised as I3."""
    said = gm("audit", "--staged")
    assert (said.code, said.out) == (0, "no memory is staged, so there is nothing to audit\n")
    (made / "bad.md").write_text("no head\n")
    git("add", "bad.md", cwd=made)
    (made / "bad.md").write_text(SOUND)
    said = gm("audit", "--staged")
    assert said.code == 5
    assert "bad.md: has no frontmatter (no-head)" in said.out
    assert gm("audit", "--staged", "--json").json["problems"] == 1


def test_without_a_store_the_way_to_one_is_told(gm: Gm) -> None:
    for words in (["audit"], ["doctor"], ["hooks", "install"], ["hooks", "status"]):
        said = gm(*words)
        assert said.code == 1
        assert "there is no store at" in said.err
        assert "hint: gitmem remember" in said.err


def test_the_doctor_tells_what_it_saw_and_mends_what_is_safe(gm: Gm, made: Path, git: Git) -> None:
    """Promised as I4."""
    said = gm("doctor")
    assert said.code == 0
    assert "ok       search index: up to date (1 indexed)\n" in said.out
    assert "note     git hooks: not installed; type: gitmem hooks install\n" in said.out
    assert said.out.endswith("ok       memories: 1 memory looked at, 1 listed: no problems\n")
    (made / "bad.md").write_bytes(b"---\nname: bad\ndescription: Deploy: blue\n---\n")
    said = gm("doctor")
    assert said.code == 5
    assert "in 1 file some are mended by: gitmem doctor --fix; see them all: gitmem audit" in said.out
    said = gm("doctor", "--fix")
    assert said.code == 0
    assert "mended   bad.md: head-colon (commit " in said.out
    assert "mended   MEMORY.md: unlisted: 1 line added (commit " in said.out
    shape = gm("doctor", "--json").json
    assert {each["name"] for each in shape["checks"]} >= {"settings", "locks", "refs", "git's index", "search index"}
    assert (shape["mended"], shape["refused"], shape["mendable"], shape["audit"]["problems"]) == ([], [], [], 0)


def test_what_the_doctor_leaves_ends_with_5(gm: Gm, made: Path) -> None:
    (made / "bad.md").write_text("---\nname: bad\ntype: a\ntype: b\n---\n")
    said = gm("doctor", "--fix")
    assert said.code == 5
    assert "trouble  memories: 2 memories looked at, 2 listed: 1 problem; see them all: gitmem audit" in said.out


def test_who_told_git_how_to_pull_is_not_told_again(gm: Gm, made: Path, git: Git) -> None:
    """Any answer of theirs counts, also one for all their repositories."""
    git("config", "pull.ff", "only", cwd=made)
    assert "pull.rebase" not in gm("hooks", "install").out


def test_hooks_are_installed_told_and_removed(gm: Gm, made: Path) -> None:
    said = gm("hooks", "install")
    assert said.code == 0
    where = "~/.gitmem/memory/.git/hooks"
    names = "pre-commit, pre-merge-commit, post-merge, post-checkout, post-rewrite, pre-push"
    assert said.out == (
        f"installed {names} in {where}\nundo with: gitmem hooks remove\n"
        "plain git merge and git pull merge memories as `gitmem sync` does\n"
        f"git pull wants to know once how two histories are joined: git -C {made} config pull.rebase false\n"
    )
    assert gm("hooks", "install").out == f"all hooks are installed in {where}\n"
    said = gm("hooks", "status")
    assert said.out.splitlines()[:2] == [f"hooks in {where}", "  pre-commit        installed"]
    assert said.out.splitlines()[-1] == "  merge driver      installed"
    shape = gm("hooks", "status", "--json").json
    assert shape["hooks"][0] == {"name": "pre-commit", "state": "installed", "chained": False}
    assert shape["merge_driver"] == "installed"
    assert gm("hooks", "remove").out == (
        f"removed {names} from {where}\nplain git merge and git pull merge memories line by line again\n"
    )
    assert gm("hooks", "remove").out == "no hook of gitmem is there\n"
    told = gm("hooks", "status").out.splitlines()
    assert (told[1], told[-1]) == ("  pre-commit        not installed", "  merge driver      not installed")


def test_earlier_and_edited_hooks_are_told(gm: Gm, made: Path) -> None:
    hooks = made / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-commit").write_text("#!/bin/sh\nexit 0\n")
    assert "another program's; `gitmem hooks install` keeps it and runs it first" in gm("hooks", "status").out
    assert "run first, as before: ~/.gitmem/memory/.git/hooks-before-gitmem/pre-commit" in gm("hooks", "install").out
    assert (
        "  pre-commit        installed, after ~/.gitmem/memory/.git/hooks-before-gitmem/" in gm("hooks", "status").out
    )
    with (hooks / "pre-push").open("a") as file:
        file.write("echo mine\n")
    assert "left as you edited them: pre-push" in gm("hooks", "install").out
    assert "installed, and edited since" in gm("hooks", "status").out
    said = gm("hooks", "remove")
    assert f"{hooks / 'pre-push'} was edited since gitmem put it in, and stays: rm" in said.err


def test_a_shared_folder_of_hooks_wants_to_be_told(gm: Gm, made: Path, git: Git, tmp_path: Path) -> None:
    git("config", "core.hooksPath", str(tmp_path / "all"), cwd=made)
    said = gm("hooks", "install")
    assert said.code == 1
    assert "which other repositories may use too; nothing was changed" in said.err
    assert "hint: gitmem hooks install --shared" in said.err
    assert gm("hooks", "install", "--shared").code == 0
    assert f"(core.hooksPath in {made}/.git/config)" in gm("hooks", "status").out
    assert gm("hooks", "remove", "--shared").code == 0


def test_a_bare_repository_of_a_server_is_named_with_store(gm: Gm, tmp_path: Path, git: Git) -> None:
    git("init", "-q", "--bare", str(tmp_path / "hub.git"))
    said = gm("hooks", "install", "--store", str(tmp_path / "hub.git"))
    assert (said.code, said.out) == (
        0,
        f"installed pre-receive in {tmp_path}/hub.git/hooks\n"
        f"undo with: gitmem hooks remove --store {tmp_path}/hub.git\n",
    )


def test_a_word_that_is_no_hook_command_gets_the_nearest(gm: Gm, made: Path) -> None:
    said = gm("hooks", "instal")
    assert (said.code, "hint: gitmem hooks install" in said.err) == (2, True)
    assert gm("hooks", "run", "pre-nothing").code == 2


def test_hooks_that_are_run_where_there_is_no_store_say_nothing(gm: Gm, tmp_path: Path) -> None:
    for name in ("pre-commit", "pre-merge-commit", "post-merge", "post-checkout", "post-rewrite", "pre-push"):
        said = gm("hooks", "run", name, cwd=tmp_path)
        assert (said.code, said.out, said.err) == (0, "", "")


def test_an_audit_of_what_cannot_be_read_by_gits_program_is_said(gm: Gm, made: Path, git: Git) -> None:
    """An index of a kind that only git can read, and no git."""
    (made / "a.md").write_text(SOUND)
    git("add", "a.md", cwd=made)
    git("update-index", "--index-version", "4", cwd=made)
    said = gm("audit", "--staged", PATH=os.devnull)
    assert said.code == 1
    assert "is of a kind only git itself can read (version 4), and git did not" in said.err
    assert f"hint: git -C {made} update-index --index-version 2 --no-split-index" in said.err
    assert subprocess.run(["git", "-C", str(made), "fsck"], capture_output=True, check=False).returncode == 0
