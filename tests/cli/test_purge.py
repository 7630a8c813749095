"""``gitmem purge`` as a person types it: what is asked, refused, done, and told."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.rewrite_refs import Purging

Git = Callable[..., str]
Gm = Callable[..., object]
ROOT = Path(__file__).parents[2]
REACH = (
    "what was pushed, cloned, forked or backed up is out of reach; a password or token that stood in it must be made "
    "invalid where it is used, in any case"
)
REMOVES = "purge would remove 1 text of notes/vault.md, from every branch, tag and rollback point, for ever"


@pytest.fixture
def full(gm: Callable[..., object], store: Path) -> Path:
    """The user's store with two memories."""
    gm("remember", "bananas are yellow", "--path", "other.md")
    gm("remember", "the vault code is tangerine", "--path", "notes/vault.md")
    return store


def history(git: Git, root: Path) -> str:
    return git("log", "--all", "-p", cwd=root)


def test_a_script_says_the_name_again(gm: Gm, full: Path, git: Git) -> None:
    """L2, B6: permanent delete asks again."""
    said = gm("purge", "vault", "--confirm", "vault", "--reason", "it was private")
    assert said.code == 0, said.err
    assert said.err.splitlines() == [REMOVES, REACH]
    lines = said.out.splitlines()
    assert lines[:3] == [
        "purged notes/vault.md from 2 commits",
        "the text is still held here, in the order to settle it:",
        "  HEAD: 3 lines of its reflog",
    ]
    assert lines[3] == f"      git -C {full} reflog expire --expire=now HEAD"
    assert "tangerine" not in history(git, full)
    assert "it was private" in git("log", "-1", "--format=%B", cwd=full)
    assert git("status", "--porcelain", cwd=full) == ""
    assert gm("search", "tangerine", "--json").json["hits"] == []
    assert gm("search", "bananas", "--json").json["hits"] != []


def test_json_is_complete(gm: Gm, full: Path) -> None:
    shape = gm("purge", "vault", "--confirm", "vault", "--json").json
    assert (shape["path"], shape["paths"], shape["commits"]) == ("notes/vault.md", ["notes/vault.md"], 2)
    assert [sorted(row) for row in shape["holders"]] == [["command", "what", "where"]] * 3


def test_without_a_terminal_and_without_the_name_it_is_refused(gm: Gm, full: Path, git: Git) -> None:
    before = git("for-each-ref", cwd=full)
    said = gm("purge", "vault", stdin="vault\n")
    assert said.code == 1
    assert said.err.splitlines() == [
        REMOVES,
        "error: purge asks for the memory's name, and there is no terminal to ask on; nothing was changed",
        "  hint: gitmem purge notes/vault.md --confirm vault",
    ]
    assert git("for-each-ref", cwd=full) == before


def test_a_wrong_name_changes_nothing(gm: Gm, full: Path, git: Git) -> None:
    before = git("for-each-ref", cwd=full)
    said = gm("purge", "vault", "--confirm", "yes")
    assert said.code == 1
    assert "error: the name given is not vault; nothing was changed" in said.err
    assert "hint: gitmem purge notes/vault.md --confirm vault" in said.err
    assert git("for-each-ref", cwd=full) == before


@pytest.mark.parametrize(("typed", "code"), [("vault", 0), ("y", 1), ("", 1)])
def test_on_a_terminal_the_name_is_asked_for(full: Path, git: Git, typed: str, code: int) -> None:
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "gitmem", "purge", "vault"],
        stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    while b"to remove it: " not in seen:
        seen += os.read(ours, 1000)
    os.write(ours, f"{typed}\n".encode())
    assert child.stdout is not None
    child.stdout.read()
    child.stdout.close()
    assert child.wait() == code
    os.close(ours)
    assert b"type its name, vault, to remove it: " in seen
    assert ("tangerine" in history(git, full)) == bool(code)


def test_a_purge_that_was_cut_off_is_in_status_and_said_by_the_next_write(gm: Gm, full: Path) -> None:
    """Not before somebody typed it again has the person seen what still holds the text."""
    Purging("notes/vault.md", {}, is_rewritten=True).save(str(full / ".git"))
    note = (
        "the purge of notes/vault.md removed it from history, but was cut off before it said what still holds the "
        "text; type: gitmem purge notes/vault.md"
    )
    assert note in gm("status").out.splitlines()
    assert note in gm("remember", "one more").err.splitlines()
    assert note in gm("doctor").out
    gm("purge", "notes/vault.md")
    assert "was cut off" not in gm("status").out


def test_a_model_is_refused(gm: Gm, full: Path, git: Git) -> None:
    said = gm("purge", "vault", "--confirm", "vault", "--agent", "claude-code", "--json")
    assert said.code == 1
    assert said.json["error"] == {
        "code": "refused",
        "message": "a model may not purge notes/vault.md: only a person may remove a memory for ever",
        "hint": "ask the person to run: gitmem purge notes/vault.md",
    }
    assert "tangerine" in history(git, full)


def test_an_archived_memory_a_gone_one_and_one_of_another_branch_are_found_by_name(
    gm: Gm, full: Path, git: Git
) -> None:
    gm("archive", "vault", "--reason", "old")
    assert gm("purge", "vault", "--confirm", "vault", "--json").json["paths"] == [
        "archive/notes/vault.md",
        "notes/vault.md",
    ]
    gm("remember", "tangerine gone", "--path", "gone.md")
    git("rm", "-q", "gone.md", cwd=full)
    git("commit", "-qm", "gone", cwd=full)
    assert gm("purge", "gone", "--confirm", "gone").code == 0
    git("switch", "-qc", "side", cwd=full)
    gm("remember", "tangerine aside", "--path", "aside.md")
    git("switch", "-q", "main", cwd=full)
    assert gm("purge", "aside", "--confirm", "aside").code == 0
    assert "tangerine" not in history(git, full)


def test_what_bore_the_name_once_is_named_and_stays(gm: Gm, full: Path, git: Git) -> None:
    git("mv", "notes/vault.md", "safe.md", cwd=full)
    git("commit", "-qm", "moved", cwd=full)
    gm("remember", "another one", "--path", "notes/vault.md")
    said = gm("purge", "notes/vault.md", "--confirm", "vault")
    assert "safe.md had that name once, and stays as it is" in said.err
    assert "tangerine" in git("log", "--follow", "-p", "--", "safe.md", cwd=full)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("nothing",), 'no memory is called "nothing"'),
        (("MEMORY.md",), "MEMORY.md is no memory; purge removes memories only"),
    ],
)
def test_what_is_no_memory_is_said(gm: Gm, full: Path, words: tuple[str, ...], message: str) -> None:
    said = gm("purge", *words, "--confirm", "x")
    assert said.code == 1
    assert f"error: {message}" in said.err


def test_a_locked_memory_is_refused(gm: Gm, full: Path) -> None:
    gm("lock", "vault")
    said = gm("purge", "vault", "--confirm", "vault", "--json")
    assert said.code == 1
    assert said.json["error"]["code"] == "locked"
    assert said.json["error"]["hint"] == "gitmem unlock notes/vault.md"
