"""What a write, a look or a recall says besides its answer: secrets, owners, second names, copies."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.store.gitdir import GitDir
from gitmem.write.notes import owner_notes

Gm = Callable[..., Any]
Git = Callable[..., str]
SECRET = "AKIA" + "QWERTYUIOPASDFGH"
EVENT = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "cwd": "/"}


def test_a_secret_in_a_hand_edit_is_said_with_its_place(gm: Gm, git: Git, store: Path) -> None:
    """L5: a list that holds one stops no write, a memory that holds one is not written; both are said."""
    gm("remember", "the cat is called Zhima", "--name", "cat")
    for name in ("MEMORY.md", "cat.md"):
        with (store / name).open("a") as file:
            file.write(f"key {SECRET}\n")

    said = gm("remember", "the dog barks", "--name", "dog")

    assert said.code == 0
    assert "MEMORY.md:4: this looks like a secret (AWS access key)" in said.err
    assert "your own edit, which is not committed, so MEMORY.md was left alone" in said.err
    edited = gm("edit", "cat", "--set", "type=user")
    assert edited.code == 1
    assert "cat.md:10: this looks like a secret (AWS access key)" in edited.err
    assert "gitmem: allow-secret" in edited.err
    assert SECRET not in said.err + said.out + edited.err + edited.out
    assert git("log", "--all", "-S", SECRET, cwd=store) == ""


def test_files_of_an_adopted_folder_that_hold_a_secret_are_held_back_alone(gm: Gm, git: Git, tmp_path: Path) -> None:
    """L5: the first ten by name, the rest by number; their neighbours are committed."""
    notes = tmp_path / "notes"
    (notes / "deep").mkdir(parents=True)
    for number in range(12):
        (notes / "deep" / f"{number:02}.md").write_text(f"# Key\n\n{SECRET}\n{SECRET}\n")
    (notes / ".env").write_text(f"AWS_KEY={SECRET}\n")
    (notes / "picture.png").write_bytes(b"\0" + SECRET.encode())
    (notes / "fine.md").write_text(f"# Fine\n\n{SECRET} gitmem: allow-secret\n")

    said = gm("init", str(notes))

    assert said.code == 0
    assert ".env:1: this looks like a secret (AWS access key)" in said.err
    assert "deep/08.md:3:" in said.err
    assert "deep/09.md" not in said.err
    assert "and 3 more" in said.err
    assert "picture.png" not in said.err
    assert "gitmem: allow-secret" in said.err
    assert SECRET not in said.err
    assert set(git("ls-files", cwd=notes).split()) >= {"picture.png", "fine.md"}
    assert not [path for path in git("ls-files", cwd=notes).split() if path.startswith((".env", "deep"))]


def test_no_model_sees_a_secret(gm: Gm, store: Path) -> None:
    """F12, and the prefix too: a secret in a file is masked wherever it is quoted."""
    gm("init")
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{'x7' * 30}\n-----END RSA PRIVATE KEY-----"
    (store / "deploy.md").write_text(
        f"---\ndescription: deploy with {SECRET}\nbaseline: true\n---\nthe zeppelin deploy uses {SECRET}\n\n{key}\n"
    )
    (store / "other.md").write_text(f"---\ndescription: other {SECRET}\n---\nnothing\n")
    with (store / "MEMORY.md").open("a") as file:
        file.write(f"- [deploy](deploy.md) {SECRET}\n")
    event = json.dumps({**EVENT, "prompt": "how does the zeppelin deploy work"})
    texts = [
        gm("recall", "how does the zeppelin deploy work").out,
        gm("hook", "prompt", "--host", "claude-code", "--store", str(store), stdin=event).out,
        gm("context").out,
    ]
    for text in texts:
        assert "zeppelin" in text
        assert "[secret]" in text
        assert SECRET not in text
        assert "x7x7" not in text


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives a folder away")
def test_a_repository_of_another_user_is_said(gm: Gm, store: Path) -> None:
    """Git would refuse to work there; nothing of its settings is run by gitmem anyway."""
    gm("remember", "the cat", "--name", "cat")
    os.chown(store / ".git", 12345, -1)
    for words in (["status"], ["init"], ["remember", "the dog"], ["edit", "cat", "--set", "type=user"]):
        said = gm(*words)
        assert said.code == 0
        assert f"{store / '.git'} belongs to another user (number 12345)" in said.err + said.out
        assert f"safe.directory {store}" in said.err + said.out
    assert "another user" not in gm("status", SUDO_UID="12345").out


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners there")
def test_ones_own_repository_is_nothing_to_speak_of(tmp_path: Path) -> None:
    assert owner_notes(str(tmp_path), GitDir(str(tmp_path), str(tmp_path)), {}) == []


@pytest.mark.skipif(os.name == "nt", reason="a hard link is a matter of the file system there")
def test_a_second_name_of_the_list_is_never_edited(gm: Gm, git: Git, store: Path) -> None:
    """Sage-mem 33: neither by its path nor in passing; the two stay one file."""
    gm("init")
    os.link(store / "MEMORY.md", store / "other.md")
    before = (store / "MEMORY.md").read_bytes()
    for name in ("other", "other.md", "./other.md"):
        said = gm("edit", name, "--set", "tags=x")
        assert said.code == 1
        assert 'no memory is called "' in said.err
    assert "other.md" in gm("list").err
    assert gm("search", "Memory", "--json").json["hits"] == []
    said = gm("remember", "text", "--path", "other.md")
    assert said.code == 1
    assert "under a second name" in said.err
    assert (store / "MEMORY.md").read_bytes() == before
    assert (store / "MEMORY.md").stat().st_ino == (store / "other.md").stat().st_ino
    assert git("log", "--format=%s", "--", "other.md", cwd=store) == ""


@pytest.mark.parametrize("name", ["memory.md", "Memory.md", "sub/MEMORY.MD", "Session-Log.md"])
def test_a_list_in_another_spelling_is_named(gm: Gm, store: Path, name: str) -> None:
    """docs/store.md: whatever is left out is counted, and `gitmem list` says why."""
    gm("init")
    (store / "sub").mkdir()
    (store / name).write_text("a text\n")
    if (store / name.lower()).exists() and (store / name.upper()).exists():
        pytest.skip("this file system does not tell the two apart")
    assert f"{name}: is not " in gm("list").err
    assert [one["path"] for one in gm("status", "--json").json["skipped"]] == [name]


def test_a_list_that_the_settings_name_is_no_other_spelling(gm: Gm, store: Path) -> None:
    gm("init")
    (store / "MEMORY.md").rename(store / "memory.md")
    config = store / ".gitmem/config.yaml"
    config.write_text(config.read_text().replace("MEMORY.md", "memory.md"))
    assert gm("status", "--json").json["skipped"] == []


def test_a_fresh_clone_is_searched_whole(gm: Gm, git: Git, store: Path, tmp_path: Path) -> None:
    """The index does not travel; the first question builds it."""
    gm("init")
    for number in range(200):
        (store / f"n{number:03}.md").write_text(f"the zeppelin{number} lands at gate {number}\n")
    git("add", ".", cwd=store)
    git("commit", "-qm", "notes", cwd=store)
    for command in ("search", "recall", "why"):
        git("clone", "-q", str(store), str(tmp_path / command))
        for number in (0, 99, 199):
            said = gm(command, f"where does zeppelin{number} land", "--store", str(tmp_path / command), "--json")
            assert f"n{number:03}.md" in said.out
        assert (tmp_path / command / ".git/gitmem/index.sqlite").is_file()


def test_an_index_that_cannot_be_built_is_a_note(gm: Gm, store: Path) -> None:
    gm("remember", "the cat is called Zhima", "--name", "cat")
    for path in (store / ".git/gitmem").iterdir():
        if path.is_file():
            path.unlink()
    (store / ".git/gitmem/index.sqlite").mkdir()
    said = gm("search", "Zhima")
    assert said.code == 0
    assert "cat.md" in said.out
    assert "may not be all" in said.err


def test_a_recalled_block_is_not_remembered_again(gm: Gm, git: Git, store: Path) -> None:
    """A second copy of a memory would be recalled beside the first."""
    gm("remember", "the zeppelin is kept in hangar nine", "--name", "zeppelin")
    block = gm("recall", "where is the zeppelin").out
    assert block.startswith("[gitmem ")
    commits = git("rev-list", "--count", "HEAD", cwd=store)

    said = gm("remember", "-", stdin=block)

    assert said.code == 1
    assert "what gitmem itself recalled" in said.err
    kept = next((store / ".git/gitmem/refused").iterdir())
    assert str(kept) in said.err
    assert kept.read_text() == block
    assert gm("edit", "zeppelin", "--body-file", "-", stdin=block).code == 1
    assert git("rev-list", "--count", "HEAD", cwd=store) == commits

    mixed = gm("remember", "-", "--name", "mixed", stdin=f"my own word on it\n\n{block}")
    assert mixed.code == 0
    assert "holds a block that gitmem recalled" in mixed.err
    assert (store / "mixed.md").read_text().endswith(block)


def test_what_a_memory_supersedes_is_still_recalled_and_that_is_said(gm: Gm, store: Path) -> None:
    """DESIGN 3: the old memory's own head decides; no other file is changed unasked."""
    gm("remember", "deploy on Mondays", "--name", "old")
    identity = gm("show", "old").out.partition("id: ")[2].split()[0]
    before = (store / "old.md").read_bytes()
    words = "gitmem edit old --set superseded_by=new"

    said = gm("remember", f"---\nname: new\nmetadata:\n  supersedes: {identity}\n---\ndeploy on Tuesdays")
    assert words in said.err
    assert words in gm("edit", "new", "--set", "supersedes=old").err
    assert (store / "old.md").read_bytes() == before
    assert "no memory is called that" in gm("edit", "new", "--set", "metadata.supersedes=older").err

    assert gm(*words.split()[1:]).code == 0
    assert words not in gm("edit", "new", "--set", "supersedes=old").err


def test_one_broken_head_is_said_once(gm: Gm, store: Path) -> None:
    gm("init")
    (store / "bad.md").write_text("---\nname: head\nevil: [\nevil: [\nx: {{{\n---\nbody\n")
    said = gm("list").err.splitlines()
    assert len(said) == len(set(said))
