"""What the doctor says of conflicts, remotes and branches: from what earlier syncs left here; nobody is asked."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from gitmem.history.remote import add
from gitmem.history.repo import open_repo
from gitmem.history.transport import RemoteRefused
from gitmem.setup.check import Check
from gitmem.setup.doctor import examine
from tests.write.test_sync_pair import Git, Machine, ada, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures
DAY = 86_400


def check(machine: Machine, name: str, later: int = 0) -> Check:
    found = examine(str(machine.root), machine.environ, machine.when + later)
    return next(each for each in found if each.name == name)


@pytest.mark.cgit
def test_open_conflicts_are_told_with_the_command_that_lists_them(ada: Machine, bo: Machine) -> None:
    assert check(ada, "conflicts") == Check("conflicts", "ok", "none is open")
    for machine in (ada, bo):
        machine.edit("deploy", f"# Deploy\n\n{machine.who} says so.\n")
    ada.sync()
    bo.sync()
    found = check(bo, "conflicts")
    assert (found.state, found.hint) == ("trouble", "gitmem conflict list")
    assert found.message == "1 conflict is open, both texts kept: deploy.md"
    assert check(ada, "conflicts").state == "ok", "nobody was asked"


@pytest.mark.cgit
def test_a_remote_that_fails_is_told_and_after_a_day_it_is_trouble(ada: Machine, hub: Path) -> None:
    found = check(ada, "remote origin")
    assert (found.state, found.message[:14], found.hint) == ("ok", "last synced 20", "")
    ada.remember("one", "text")
    found = check(ada, "remote origin")
    assert (found.state, found.hint) == ("note", "gitmem sync origin")
    assert found.message.endswith("; 1 commit waits to be sent")
    hub.rename(hub.with_name("away.git"))
    ada.sync()
    found = check(ada, "remote origin")
    assert (found.state, found.hint) == ("note", "gitmem sync origin")
    assert f"failing since 2026-11-30T00:53:24Z: there is no git repository at {hub}" in found.message
    assert check(ada, "remote origin", later=DAY).state == "trouble"
    assert not hub.exists()


@pytest.mark.cgit
def test_a_remote_that_was_never_reached_is_told(ada: Machine, tmp_path: Path) -> None:
    with open_repo(str(ada.root)) as repo:
        add(repo.git, "second", str(tmp_path / "nowhere.git"))
    found = check(ada, "remote second")
    assert (found.state, found.hint) == ("note", "gitmem sync second")
    assert found.message == f"never synced ({tmp_path / 'nowhere.git'})"
    with pytest.raises(RemoteRefused):
        ada.sync("second")
    found = check(ada, "remote second")
    assert (found.state, found.hint) == ("trouble", "gitmem sync second")
    assert found.message.startswith("never synced; failing since 20")


@pytest.mark.cgit
def test_a_side_branch_that_is_checked_out_is_told_before_a_sync_refuses_it(ada: Machine, git: Git) -> None:
    git("switch", "-q", "-c", "try", cwd=ada.root)
    found = check(ada, "remote origin")
    assert found.state == "trouble"
    assert found.message.startswith("the branch try is checked out, and it is main that goes with origin")
    git(*shlex.split(found.hint.partition(" && ")[0])[1:], cwd=ada.root)
    assert check(ada, "remote origin").state == "ok"


@pytest.mark.cgit
def test_files_that_git_holds_unmerged_are_told(ada: Machine, git: Git) -> None:
    path = ada.root / "deploy.md"
    text = path.read_text()
    path.write_text(text.replace("Back up first", "Stashed"))
    git("stash", "-q", cwd=ada.root)
    path.write_text(text.replace("Back up first", "Committed"))
    git("commit", "-qam", "mine", cwd=ada.root)
    git("stash", "pop", "-q", cwd=ada.root, check=False)
    found = check(ada, "git's index")
    assert found.state == "trouble"
    assert found.message == "a merge is not finished: deploy.md is unmerged in git's index"
    assert f"git -C {ada.root} add -- deploy.md && gitmem sync" in found.hint
