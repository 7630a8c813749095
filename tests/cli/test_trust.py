"""``gitmem trust``: a store in a project, and an author; and that a stranger's store runs nothing."""

from __future__ import annotations

import json
import shutil
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]
QUESTION = "how is the billing gateway deployed with postgres backups"
MEMORY = "---\nname: deploy\ndescription: deploying\n---\n\nThe billing gateway is deployed after postgres backups.\n"


@pytest.fixture
def project(tmp_path: Path, git: Git, gm: Gm) -> Path:
    """Somebody's project with a store of theirs in it, and a store of one's own."""
    root = tmp_path / "their project"
    store = root / ".gitmem"
    store.mkdir(parents=True)
    for folder in (root, store):
        git("init", "-q", "-b", "main", cwd=folder)
    (store / "deploy.md").write_text(MEMORY)
    git("add", "-A", cwd=store)
    git("commit", "-q", "-m", "theirs", cwd=store)
    git("commit", "-q", "--allow-empty", "-m", "code", cwd=root)
    gm("remember", "my own notes are about something else")
    return root


def test_a_found_store_is_read_once_it_is_trusted_and_until_it_is_revoked(gm: Gm, project: Path) -> None:
    """Promised as D1."""
    before = gm("recall", QUESTION, cwd=project)
    assert "deploy.md" not in before.out
    assert f"the project's own store is not read; if you trust it: gitmem trust '{project / '.gitmem'}'" in before.err
    done = gm("trust", cwd=project)
    assert done.out == f"'{project / '.gitmem'}' is read from now on\n"
    assert f"undo: gitmem trust --revoke '{project / '.gitmem'}'" in done.err
    assert "is trusted already" in gm("trust", str(project)).out
    assert "### deploy.md:6 (project store" in gm("recall", QUESTION, cwd=project).out
    assert "is read no longer" in gm("trust", "--revoke", ".", cwd=project).out
    assert "deploy.md" not in gm("recall", QUESTION, cwd=project).out
    again = gm("trust", "--revoke", ".", cwd=project)
    assert again.code == 1
    assert "was not trusted" in again.err


def test_there_must_be_a_store_to_trust(gm: Gm, tmp_path: Path) -> None:
    refused = gm("trust", cwd=tmp_path)
    assert refused.code == 1
    assert "so there is nothing to trust" in refused.err
    both = gm("trust", ".", "--author", "a@b", cwd=tmp_path)
    assert both.code == 2
    assert "PATH, --revoke and --author are three things; say one at a time" in both.err


def clone_with_a_stranger(gm: Gm, git: Git, store: Path, tmp_path: Path, text: str = MEMORY) -> None:
    """A stranger's commit comes into the store by a plain git pull."""
    hub = tmp_path / "hub.git"
    git("clone", "-q", "--bare", str(store), str(hub))
    git("clone", "-q", str(hub), str(tmp_path / "eve"))
    (tmp_path / "eve" / "deploy.md").write_text(text)
    git("add", "-A", cwd=tmp_path / "eve")
    git("-c", "user.email=Eve@Example.org", "commit", "-q", "-m", "hers", cwd=tmp_path / "eve")
    git("push", "-q", cwd=tmp_path / "eve")
    git("pull", "-q", str(hub), "main", cwd=store)


def copied_status(gm: Gm, store: Path, copy: Path) -> str:
    """What the status says of the same store at a place where gitmem does not look by itself."""
    shutil.copytree(store, copy)
    return gm("status", "--store", str(copy)).out


def test_an_author_never_seen_is_not_recalled_until_trusted(gm: Gm, git: Git, store: Path, tmp_path: Path) -> None:
    """Promised as D1, from the first prompt after the pull on."""
    gm("remember", "my own notes are about something else")
    clone_with_a_stranger(gm, git, store, tmp_path)
    assert "deploy.md" not in gm("recall", QUESTION).out, "before the index was refreshed"
    assert "deploy.md" not in gm("context").out
    gm("refresh")
    said = gm("recall", QUESTION)
    assert "deploy.md" not in said.out
    assert (
        "deploy.md fits the question and waits: its author was never seen here: gitmem trust --author eve@example.org\n"
    ) in said.err
    assert "waits" not in gm("recall", "an unrelated question of mine about tulips").err
    assert "deploy.md" not in gm("context").out
    assert "withheld: by an author never seen here" in gm("search", QUESTION).out
    assert (
        "not recalled, since eve@example.org is new here: deploy.md; "
        "read them, then: gitmem trust --author eve@example.org\n"
    ) in gm("status").out
    assert f"gitmem trust --author eve@example.org --store {tmp_path}/s\n" in copied_status(gm, store, tmp_path / "s")
    unknown = gm("trust", "--author", "nobody@example.org")
    assert unknown.code == 1
    assert 'no memory waits for the author "nobody@example.org"' in unknown.err
    done = gm("trust", "--author", "eve@example.org")
    assert done.out == "1 memory of eve@example.org in ~/.gitmem/memory: deploy.md\n"
    assert "### deploy.md" in gm("recall", QUESTION).out
    assert "deploy.md" in gm("context").out


def test_what_i_write_or_commit_myself_is_never_withheld(gm: Gm, git: Git, store: Path, tmp_path: Path) -> None:
    """Who commits on this machine is known here, also under a new address."""
    gm("remember", "my own notes are about something else")
    clone_with_a_stranger(gm, git, store, tmp_path)
    gm("refresh")
    (store / "deploy.md").write_text(MEMORY + "\nAnd I looked it over.\n")
    git("-c", "user.email=new@example.org", "commit", "-q", "-am", "looked over", cwd=store)
    gm("refresh")
    assert "### deploy.md" in gm("recall", QUESTION).out


def test_a_merge_does_not_make_a_strangers_text_mine(gm: Gm, git: Git, store: Path, tmp_path: Path) -> None:
    gm("remember", "my own notes are about something else")
    hub = tmp_path / "hub.git"
    git("clone", "-q", "--bare", str(store), str(hub))
    gm("remember", "the second cat is called Zhima")
    git("clone", "-q", str(hub), str(tmp_path / "eve"))
    (tmp_path / "eve" / "deploy.md").write_text(MEMORY)
    git("add", "-A", cwd=tmp_path / "eve")
    git("-c", "user.email=eve@example.org", "commit", "-q", "-m", "hers", cwd=tmp_path / "eve")
    git("push", "-q", cwd=tmp_path / "eve")
    git("pull", "-q", "--no-rebase", "--no-edit", str(hub), "main", cwd=store)
    gm("refresh")
    assert "deploy.md" not in gm("recall", QUESTION).out
    assert "Zhima" in gm("recall", "what is the second cat called").out


def test_the_people_of_a_cloned_history_count_as_seen(gm: Gm, git: Git, store: Path, tmp_path: Path) -> None:
    gm("remember", "my own notes are about something else")
    clone_with_a_stranger(gm, git, store, tmp_path)
    git("clone", "-q", str(store), str(tmp_path / "mine"))
    gm("init", "mine")
    assert "### deploy.md" in gm("recall", QUESTION, GITMEM_STORE=str(tmp_path / "mine")).out


PROGRAMS = """
[core]
\tfsmonitor = {run}
\thooksPath = {hooks}
\tsshCommand = {run}
\teditor = {run}
\tpager = {run}
\taskPass = {run}
[filter "evil"]
\tclean = {run}
\tsmudge = {run}
\tprocess = {run}
\trequired = true
[diff]
\texternal = {run}
[diff "evil"]
\tcommand = {run}
\ttextconv = {run}
[merge "evil"]
\tdriver = {run}
[commit]
\tgpgsign = true
[gpg]
\tprogram = {run}
[credential]
\thelper = !{run}
[remote "origin"]
\turl = ext::{run}
\tuploadpack = {run}
[uploadpack]
\tpackObjectsHook = {run}
[alias]
\tlog = !{run}
[include]
\tpath = {include}
"""


def test_a_strangers_store_runs_nothing(gm: Gm, git: Git, project: Path, tmp_path: Path, store: Path) -> None:
    """Promised as L1: hooks, filters, monitors, drivers, commands, links and YAML tags of theirs are data."""
    theirs, ran = project / ".gitmem", tmp_path / "ran"
    program = tmp_path / "evil.sh"
    program.write_text(f"#!/bin/sh\necho $0 $* >> '{ran}'\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    hooks = theirs / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "post-commit", "post-checkout", "post-index-change", "reference-transaction"):
        (hooks / name).write_bytes(program.read_bytes())
        (hooks / name).chmod(0o755)
    secret = tmp_path / "secret.md"
    secret.write_text("the secret of the billing gateway deployed with postgres backups\n")
    (theirs / "linked.md").symlink_to(secret)
    (theirs / "tagged.md").write_text(
        f'---\nname: !!python/object/apply:os.system ["{program}"]\na: &x [1]\nb: *x\n---\n\ntagged\n'
    )
    (theirs / ".gitattributes").write_text("*.md filter=evil diff=evil merge=evil\n")
    (theirs / ".gitmem").mkdir()
    (theirs / ".gitmem" / "config.yaml").write_text(
        f'format: 1\nignore: !!python/object/apply:os.system ["{program}"]\n'
    )
    (theirs / ".git" / "objects" / "info").mkdir(exist_ok=True)
    (theirs / ".git" / "objects" / "info" / "alternates").write_text(f"{store / '.git' / 'objects'}\n")
    config = PROGRAMS.format(run=program, hooks=hooks, include=tmp_path / "more")
    for git_dir in (theirs / ".git", project / ".git"):
        with (git_dir / "config").open("a") as file:
            file.write(config)
    option = ["--store", str(theirs)]
    hook = json.dumps({"hook_event_name": "UserPromptSubmit", "prompt": QUESTION, "cwd": str(project)})
    start = json.dumps({"hook_event_name": "SessionStart", "cwd": str(project)})
    for words in (
        ["project", "show"], ["hook", "prompt", "--host", "claude-code"], ["recall", QUESTION], ["context"],
        ["project", "adopt"], ["trust"], ["refresh"], ["hook", "prompt", "--host", "claude-code"],
        ["hook", "session-start", "--host", "claude-code"], ["recall", QUESTION], ["context"],
        ["search", QUESTION], ["why", QUESTION], ["list", *option], ["status", *option],
        ["show", "deploy", *option], ["history", "deploy", *option], ["diff", *option], ["refresh", *option],
        ["remember", "--scope", "project", "a note of mine in their store"],
        ["promote", "deploy", "--to", "user", *option], ["trust", "--revoke", "."],
    ):  # fmt: skip
        said = gm(*words, cwd=project, stdin=start if "session-start" in words else hook)
        assert said.code in (0, 1), (words, said.err)
        assert "the secret of" not in said.out
        assert not ran.exists(), (words, ran.read_text())
    git("status", cwd=theirs, check=False)
    assert ran.exists(), "the trap is a real one: git itself walks into it"


def test_what_a_sync_brings_from_a_stranger_waits_and_what_known_people_bring_does_not(
    gm: Gm, git: Git, store: Path, tmp_path: Path
) -> None:
    """Promised as D1: by sync as by pull."""
    hub = str(tmp_path / "hub.git")
    git("init", "-q", "--bare", "-b", "main", hub)
    ada = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org"}
    ada |= {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org"}
    eve = {name: value.replace("Ada", "Eve").replace("ada@", "eve@") for name, value in ada.items()}
    eve["GITMEM_STORE"] = str(tmp_path / "eves")
    second = {**ada, "GITMEM_STORE": str(tmp_path / "second")}
    gm("remember", "my own notes are about something else", **ada)
    gm("remote", "add", "origin", hub, **ada)
    assert gm("sync", **ada).code == 0
    for environ in (eve, second):
        assert gm("clone", hub, environ["GITMEM_STORE"], **environ).code == 0
    gm("remember", "The second cat is called Zhima.", **second)
    assert gm("sync", **second).code == 0
    assert gm("sync", **ada).code == 0
    assert "Zhima" in gm("recall", "what is the second cat called", **ada).out
    gm("remember", "--name", "deploy", "The billing gateway is deployed after postgres backups.", **eve)
    gm("remember", "A third note that has nothing to do with it.", **ada)
    assert gm("sync", **eve).code == 0
    assert gm("sync", **ada).code == 0
    assert (store / "deploy.md").exists()
    assert "deploy.md" not in gm("recall", QUESTION, **ada).out
    assert "deploy.md" not in gm("context", **ada).out
    assert gm("trust", "--author", "eve@example.org", **ada).code == 0
    assert "### deploy.md" in gm("recall", QUESTION, **ada).out
