"""A person renames a memory by hand, and MEMORY.md follows: its links alone, in the person's words and order."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Gm

Git = Callable[..., str]
LIST = """\
# Mine

- [cat](cat.md) — the cat
- [how we deploy](./deploy.md "at night")
  in my own words
See [[deploy|the ritual]], and `[code](deploy.md)`.
"""
FOLLOWED = LIST.replace("./deploy.md", "./ops/release.md").replace("[[deploy|", "[[ops/release|")
SECRET = "AKIA" + "ABCDEFGHIJKLMNOP"


@pytest.fixture
def full(gm: Gm, store: Path, git: Git) -> Path:
    """A store of two memories whose list is the person's own."""
    gm("remember", "The cat is called Miu.", "--name", "cat")
    gm("remember", "Never on Fridays. The backup comes first, then the migration.", "--name", "deploy")
    gm("edit", "deploy", "--set", "name=the ritual")
    (store / "MEMORY.md").write_text(LIST)
    git("commit", "-qam", "my list", cwd=store)
    assert gm("audit").code == 0
    return store


def move(store: Path, old: str = "deploy.md", new: str = "ops/release.md") -> None:
    (store / new).parent.mkdir(exist_ok=True)
    (store / old).rename(store / new)


def listed(store: Path) -> str:
    return (store / "MEMORY.md").read_text()


def committed(git: Git, store: Path, path: str = "MEMORY.md") -> str:
    return git("show", f"HEAD:{path}", cwd=store)


def test_a_write_about_the_renamed_memory_takes_the_list_along(gm: Gm, full: Path, git: Git) -> None:
    """Both names are committed as the person's own, then the list, then the write."""
    gm("refresh")
    move(full)
    said = gm("edit", "release", "--set", "tags=[a]")
    assert (said.code, said.out) == (0, "edited ops/release.md\n")
    assert listed(full) == committed(git, full) == FOLLOWED
    subjects = git("log", "-3", "--format=%s", cwd=full).splitlines()
    assert subjects == ["edit: release", "relist: MEMORY.md", "hand edit: deploy.md, ops/release.md"]
    assert git("show", "--format=", "--name-status", "-M", "HEAD~2", cwd=full).split() == [
        "R100", "deploy.md", "ops/release.md",
    ]  # fmt: skip
    assert git("status", "--porcelain", cwd=full) == ""
    assert gm("audit").code == 0
    assert "the search index is up to date" in gm("status").out


@pytest.mark.parametrize("staged", [False, True])
def test_a_sync_takes_the_list_along(gm: Gm, full: Path, git: Git, tmp_path: Path, staged: bool) -> None:
    """Also an edit of the list that is not committed: it is the person's own commit, before the list follows."""
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "hub.git"))
    gm("remote", "add", "origin", str(tmp_path / "hub.git"))
    move(full)
    if staged:
        git("add", "-A", cwd=full)
    (full / "MEMORY.md").write_text(LIST + "a line more\n")
    assert gm("sync").code == 0
    assert listed(full) == committed(git, full) == FOLLOWED + "a line more\n"
    assert "a line more" in git("show", "HEAD~1:MEMORY.md", cwd=full)
    assert git("show", "-s", "--format=%s", "HEAD", cwd=full) == "relist: MEMORY.md\n"
    assert git("status", "--porcelain", cwd=full) == ""


@pytest.mark.parametrize("is_committed", [True, False])
def test_audit_names_the_new_name_and_the_doctor_mends(gm: Gm, full: Path, git: Git, is_committed: bool) -> None:
    """The person committed the rename with git, or did not: no second line is added for the new name."""
    move(full)
    if is_committed:
        git("add", "-A", cwd=full)
        git("commit", "-qm", "moved", cwd=full)
    said = gm("audit")
    assert said.code == 5
    assert "MEMORY.md:4: links to deploy.md, which is called ops/release.md now (dangling)" in said.out
    assert "[[deploy]] leads to no memory; deploy.md is called ops/release.md now (broken-link)" in said.out
    before = git("rev-parse", "HEAD", cwd=full)
    assert {"path": "MEMORY.md", "rules": ["dangling"]} in gm("doctor", "--json").json["mendable"]
    assert git("rev-parse", "HEAD", cwd=full) == before
    said = gm("doctor", "--fix")
    assert "mended   MEMORY.md: dangling: 1 link to what was renamed" in said.out
    assert listed(full) == committed(git, full) == FOLLOWED
    assert git("diff", "--name-only", before.strip(), "HEAD", "--", "MEMORY.md", cwd=full) == "MEMORY.md\n"
    assert git("status", "--porcelain", cwd=full) == ""
    assert gm("audit").code == 0


@pytest.mark.parametrize("is_committed", [True, False])
def test_a_name_in_another_case_is_another_name(gm: Gm, full: Path, git: Git, is_committed: bool) -> None:
    """A link in the old case dangles where a file system tells the two apart; audit and doctor agree on it."""
    move(full, "deploy.md", "t")
    move(full, "t", "Deploy.md")
    if not (full / "deploy.md").exists():  # the file system tells them apart
        if is_committed:
            git("add", "-A", cwd=full)
            git("commit", "-qm", "moved", cwd=full)
        assert "links to deploy.md, which is called Deploy.md now (dangling)" in gm("audit").out
        assert {"path": "MEMORY.md", "rules": ["dangling"]} in gm("doctor", "--json").json["mendable"]
        if is_committed:
            gm("doctor", "--fix")
    gm("edit", "Deploy", "--set", "tags=[a]")
    assert listed(full) == committed(git, full) == LIST.replace("./deploy.md", "./Deploy.md")
    assert gm("audit").code == 0


def test_a_chain_of_renames_is_followed_to_its_end(gm: Gm, full: Path, git: Git) -> None:
    for old, new in (("deploy.md", "a.md"), ("a.md", "b.md")):
        git("mv", old, new, cwd=full)
        git("commit", "-qm", new, cwd=full)
    move(full, "b.md", "ops/release.md")
    gm("doctor", "--fix")
    assert listed(full) == FOLLOWED


def test_what_is_no_rename_is_left_and_what_the_person_listed_already_keeps_its_words(
    gm: Gm, full: Path, git: Git
) -> None:
    """A memory that is gone, one put into the archive by hand, one whose new name has a line of its own."""
    (full / "cat.md").unlink()
    (full / "archive").mkdir()
    move(full, "deploy.md", "archive/deploy.md")
    gm("doctor", "--fix")
    assert listed(full) == LIST
    move(full, "archive/deploy.md", "ops/release.md")
    mine = LIST + "- [release](ops/release.md)\n"
    (full / "MEMORY.md").write_text(mine)
    said = gm("audit")
    assert "links to deploy.md, which is called ops/release.md now" in said.out
    gm("doctor", "--fix")
    assert listed(full) == FOLLOWED + "- [release](ops/release.md)\n"
    assert "deploy.md, which is called" not in gm("audit").out


def test_a_list_that_is_held_back_is_not_committed_on_the_way(gm: Gm, full: Path, git: Git) -> None:
    """Its uncommitted edit holds a secret: the rename is recorded, and the list waits."""
    move(full)
    (full / "MEMORY.md").write_text(f"{LIST}key {SECRET}\n")
    assert gm("edit", "release", "--set", "tags=[a]").code == 0
    assert listed(full) == f"{LIST}key {SECRET}\n"
    assert committed(git, full) == LIST
    assert SECRET not in git("log", "-p", "--all", cwd=full)
    (full / "MEMORY.md").write_text(LIST)
    gm("doctor", "--fix")
    assert committed(git, full) == FOLLOWED


def test_a_renamed_memory_with_a_secret_is_no_object(gm: Gm, full: Path, git: Git) -> None:
    """Looking whether a new file is an old one under another name must not put its text into git."""
    move(full)
    with (full / "ops" / "release.md").open("a") as file:
        file.write(f"key {SECRET}\n")
    said = gm("edit", "release", "--set", "tags=[a]")
    assert said.code == 1
    assert "looks like a secret" in said.err
    for name in git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)", cwd=full).split():
        data = subprocess.run(["git", "cat-file", "-p", name], cwd=full, capture_output=True, check=True).stdout
        assert SECRET.encode() not in data


def test_what_was_done_before_the_rename_can_be_taken_back(gm: Gm, full: Path, git: Git) -> None:
    """The operation wrote the list under the old name, and the list names the new one."""
    gm("remember", "Invoices are numbered by year.", "--name", "bills")
    gm("edit", "bills", "--set", "description=how bills are numbered")
    move(full, "bills.md", "invoices.md")
    gm("edit", "invoices", "--set", "tags=[a]")
    assert "(invoices.md) — how bills are numbered" in listed(full)
    for _ in range(2):
        assert gm("undo").code == 0
    assert "(invoices.md) — Invoices are numbered by year." in listed(full)
    assert gm("undo").code == 0
    assert listed(full) == LIST
    assert not (full / "invoices.md").exists()
    assert gm("redo").code == 0
    assert "(invoices.md)" in listed(full)
    assert gm("audit").code == 0
