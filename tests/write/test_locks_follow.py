"""A lock stays on its memory: renamed by hand, by git, on another machine, and while its old name is used again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.audit.store import audit_store
from gitmem.errors import Locked
from gitmem.setup.doctor import mend, mendable
from gitmem.store.settings import load_settings
from gitmem.write.archive import archive
from gitmem.write.change import Actor
from gitmem.write.conflict import resolve
from gitmem.write.locks import Locks, lock, unlock
from gitmem.write.memory import edit
from gitmem.write.purge import purge
from gitmem.write.renamed import names_now
from tests.write.test_locks import PERSON, WHEN, Git, set_lock, store
from tests.write.test_sync_pair import Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub", "store"]  # fixtures

DEPLOY = "---\nname: deploy\nmetadata:\n  id: 01DEPLOY\n---\n\nBackup.\n"
OTHER = DEPLOY.replace("deploy", "other").replace("01DEPLOY", "01OTHER")


def locks(root: Path) -> tuple[str, ...]:
    return load_settings(str(root)).locks


def put_away(root: Path, name: str) -> None:
    archive(str(root), name, when=WHEN, actor=PERSON, environ=os.environ)


def rename(root: Path, git: Git, how: str, old: str = "alpha.md", new: str = "n/gamma.md") -> None:
    (root / new).parent.mkdir(exist_ok=True)
    (root / old).rename(root / new)
    if how == "git":
        git("add", "-A", cwd=root)
        git("commit", "-qm", "mv", cwd=root)


@pytest.mark.parametrize("how", ["mv", "git"])
def test_a_lock_follows_a_rename(store: Path, git: Git, how: str) -> None:
    """Promised as B7: by no rule, no run and no command; and a memory may be renamed with mv or git mv."""
    set_lock(store, "alpha")
    rename(store, git, how)
    assert Locks(str(store), load_settings(str(store))).of("n/gamma.md") == "alpha.md"
    with pytest.raises(Locked, match=r"n/gamma\.md is locked"):
        put_away(store, "gamma")
    with pytest.raises(Locked):
        purge(str(store), "n/gamma.md", confirm=lambda _: "gamma", when=WHEN, actor=PERSON, environ=os.environ)
    edit(str(store), "gamma", fields=[("tags", "x")], when=WHEN, actor=PERSON, environ=os.environ)
    assert locks(store) == (("n/gamma.md",) if how == "mv" else ("alpha.md",)), (
        "gitmem's own commit of it takes it along"
    )
    assert set_lock(store, "gamma") == "" or how == "git"
    assert locks(store) == ("n/gamma.md",)
    set_lock(store, "gamma", on=False)
    put_away(store, "gamma")
    assert (locks(store), git("status", "--porcelain", cwd=store)) == ((), "")


@pytest.mark.parametrize("how", ["mv", "git"])
def test_unlocking_under_the_new_name_takes_the_lock_away(store: Path, git: Git, how: str) -> None:
    set_lock(store, "alpha")
    rename(store, git, how)
    assert set_lock(store, "gamma", on=False)
    assert locks(store) == ()


@pytest.mark.parametrize("how", ["mv", "git"])
def test_a_lock_is_not_left_to_another_memory_that_has_the_old_name(store: Path, git: Git, how: str) -> None:
    (store / "alpha.md").write_text(DEPLOY)
    git("commit", "-qam", "an id", cwd=store)
    set_lock(store, "alpha")
    (store / "alpha.md").rename(store / "gamma.md")
    (store / "alpha.md").write_text(OTHER)
    if how == "git":
        git("add", "-A", cwd=store)
        git("commit", "-qm", "mv", cwd=store)
    with pytest.raises(Locked, match=r"gamma\.md is locked"):
        put_away(store, "gamma")
    set_lock(store, "gamma")
    assert locks(store) == ("gamma.md",)
    put_away(store, "alpha")


def test_a_lock_put_on_later_is_not_on_the_memory_that_had_the_name_before(store: Path, git: Git) -> None:
    (store / "alpha.md").write_text(DEPLOY)
    git("commit", "-qam", "an id", cwd=store)
    (store / "alpha.md").rename(store / "gamma.md")
    (store / "alpha.md").write_text(OTHER)
    git("add", "-A", cwd=store)
    git("commit", "-qm", "mv", cwd=store)
    set_lock(store, "alpha")
    put_away(store, "gamma")
    with pytest.raises(Locked):
        put_away(store, "alpha")


def test_a_lock_of_nothing_is_a_finding_and_one_of_what_was_renamed_is_mended(store: Path, git: Git) -> None:
    """Nobody has to find out by an archive that does not happen."""
    set_lock(store, "alpha")
    set_lock(store, "beta")
    rename(store, git, "git")
    git("rm", "-q", "beta.md", cwd=store)
    git("commit", "-qm", "rm", cwd=store)

    def said() -> list[str]:
        report = audit_store(str(store), lambda paths: names_now(str(store), paths))
        return [each.sentence() for each in report.findings if each.rule == "lost-lock"]

    config = ".gitmem/config.yaml"
    lines = (store / config).read_text().splitlines()
    first, second = (lines.index(f"  - {path}") + 1 for path in ("alpha.md", "beta.md"))
    assert said() == [
        f"{config}:{first}: locks alpha.md, which is called n/gamma.md now",
        f"{config}:{second}: locks beta.md, and there is no such file",
    ]
    assert mendable(str(store), audit_store(str(store)))[config] == ["lost-lock"]
    done, refused = mend(str(store), os.environ, WHEN)
    assert ([each.what for each in done if each.name == config], refused) == (
        ["lost-lock: 1 lock of what was renamed"],
        [],
    )
    assert locks(store) == ("n/gamma.md", "beta.md")
    set_lock(store, "beta", on=False)
    assert said() == []


@pytest.mark.cgit
@pytest.mark.parametrize("how", ["mv", "git"])
@pytest.mark.parametrize("turned", [False, True])
def test_locked_here_and_renamed_there_is_locked_under_the_new_name(
    ada: Machine, bo: Machine, how: str, turned: bool
) -> None:
    """Promised as B7: locks travel."""
    lock(str(ada.root), "deploy", when=ada.now(), actor=PERSON, environ=ada.environ)
    rename(bo.root, bo.git, how, "deploy.md", "n/gamma.md")
    for machine in (bo, ada, bo) if turned else (ada, bo, ada):
        machine.sync()
    assert locks(ada.root) == ("n/gamma.md",)
    at_peace(ada, bo)
    with pytest.raises(Locked):
        put_away(bo.root, "gamma")


@pytest.mark.cgit
@pytest.mark.parametrize("turned", [False, True])
def test_unlocked_here_and_renamed_there_is_not_locked(ada: Machine, bo: Machine, turned: bool) -> None:
    lock(str(ada.root), "deploy", when=ada.now(), actor=PERSON, environ=ada.environ)
    ada.sync()
    bo.sync()
    unlock(str(ada.root), "deploy", when=ada.now(), actor=PERSON, environ=ada.environ)
    rename(bo.root, bo.git, "git", "deploy.md", "gamma.md")
    for machine in (bo, ada, bo) if turned else (ada, bo, ada):
        machine.sync()
    assert locks(ada.root) == ()
    at_peace(ada, bo)


@pytest.mark.cgit
@pytest.mark.parametrize("turned", [False, True])
def test_locked_here_and_archived_there_stays_and_a_person_decides(ada: Machine, bo: Machine, turned: bool) -> None:
    """Promised as B7, whoever syncs first; the archiving is a conflict, so it is not lost either."""
    ada.remember("port", "It is 8443.")
    ada.sync()
    bo.sync()
    before = ada.text("deploy.md"), ada.text("MEMORY.md")
    lock(str(ada.root), "deploy", when=ada.now(), actor=PERSON, environ=ada.environ)
    archive(str(bo.root), "deploy", reason="old", when=bo.now(), actor=PERSON, environ=bo.environ)
    for machine in (bo, ada, bo) if turned else (ada, bo, ada):
        machine.sync()
    at_peace(ada, bo)
    assert (ada.text("deploy.md"), ada.text("MEMORY.md")) == before
    assert not (bo.root / "archive").exists()
    assert len(ada.conflicts()) == len(bo.conflicts()) == 1
    with pytest.raises(Locked):
        resolve(str(bo.root), "deploy", "theirs", when=bo.now(), actor=Actor("person"), environ=bo.environ)
    unlock(str(bo.root), "deploy", when=bo.now(), actor=PERSON, environ=bo.environ)
    resolve(str(bo.root), "deploy", "theirs", when=bo.now(), actor=Actor("person"), environ=bo.environ)
    bo.sync()
    ada.sync()
    assert "archive_reason: old" in ada.text("archive/deploy.md")
    assert ada.conflicts() == []
    at_peace(ada, bo)
