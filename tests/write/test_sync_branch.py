"""Which branch a sync sends: a side branch never goes onto the remote's main one without the person's word (C5)."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from gitmem.history.remote import add
from gitmem.history.repo import open_repo
from gitmem.history.transport import RemoteRefused
from gitmem.store.machine import troubles
from gitmem.write.sync import sync
from gitmem.write.sync_status import standing
from tests.write.test_sync_pair import Git, Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures


def typed(machine: Machine, hint: str, part: int) -> None:
    """Type the git commands of one half of a hint, the sync behind them by the machine."""
    half = hint.split("   (")[part].removesuffix(")").rpartition(": ")[2]
    for command in half.split(" && "):
        if command.startswith("git "):
            machine.git(*command.split()[1:], cwd=machine.root)
    machine.sync()


def forget_which_branch(machine: Machine) -> None:
    """As an earlier gitmem left it: nothing says which branch here went with the remote."""
    path = machine.root / ".git/gitmem/synced.json"
    found = json.loads(path.read_text())
    for key in ("went", "tips"):
        del found["origin"][key]
    path.write_text(json.dumps(found))


@pytest.mark.cgit
@pytest.mark.parametrize("start", ["HEAD", "origin/main"])
@pytest.mark.parametrize("is_older", [False, True])
def test_a_side_branch_is_refused_before_anything_is_done(
    ada: Machine, hub: Path, git: Git, start: str, is_older: bool
) -> None:
    """`git switch -c try origin/main` says where the branch begins, not that it goes there."""
    if is_older:
        forget_which_branch(ada)
    git("switch", "-q", "-c", "try", start, cwd=ada.root)
    ada.remember("experiment", "not for everybody")
    (ada.root / "hand.md").write_text("by hand\n")
    before = git("for-each-ref", cwd=ada.root) + git("for-each-ref", cwd=hub) + git("status", "--short", cwd=ada.root)
    with pytest.raises(RemoteRefused, match="try is checked out, and it is main that goes with origin") as no:
        ada.sync()
    after = git("for-each-ref", cwd=ada.root) + git("for-each-ref", cwd=hub) + git("status", "--short", cwd=ada.root)
    assert after == before
    (place,) = standing(str(ada.root), ada.when).places
    assert (place.stray, place.stray_hint) == (no.value.message.removesuffix("; nothing was done"), no.value.hint)
    typed(ada, no.value.hint, 0)
    assert git("rev-parse", "--abbrev-ref", "HEAD", cwd=ada.root) == "main\n"
    assert "experiment.md" not in git("ls-tree", "--name-only", "main", cwd=hub)


@pytest.mark.cgit
def test_a_side_branch_that_was_published_is_synced_as_itself(ada: Machine, bo: Machine, hub: Path, git: Git) -> None:
    """By the command that the refusal names; main stays what it was, and each is watched for a rewrite of its own."""
    git("switch", "-q", "-c", "try", cwd=ada.root)
    ada.remember("experiment", "not for everybody")
    with pytest.raises(RemoteRefused) as no:
        ada.sync()
    (ada.root / "key.md").write_text("the key is AKIA" + "QX7RT5WZ2PLM9KD4\n")
    git("add", "-A", cwd=ada.root)
    git("commit", "-q", "-m", "oops", cwd=ada.root)
    with pytest.raises(RemoteRefused, match=r"key\.md:1: this looks like a secret"):
        typed(ada, no.value.hint, 1)
    assert git("branch", "--format=%(refname:short)", cwd=hub).split() == ["main"]
    git("reset", "-q", "--hard", "HEAD~1", cwd=ada.root)
    typed(ada, no.value.hint, 1)
    ada.remember("second", "on the side")
    assert ada.sync().sent == 1
    assert "second.md" in git("ls-tree", "--name-only", "try", cwd=hub)
    assert "second.md" not in git("ls-tree", "--name-only", "main", cwd=hub)
    git("switch", "-q", "main", cwd=ada.root)
    bo.remember("plain", "for everybody")
    bo.sync()
    assert ada.sync().received == 1
    at_peace(ada, bo)
    git("commit", "-q", "--amend", "-m", "amended", cwd=bo.root)
    git("push", "-q", "--force", "origin", "main", cwd=bo.root)
    git("switch", "-q", "try", cwd=ada.root)
    ada.sync()
    git("switch", "-q", "main", cwd=ada.root)
    with pytest.raises(RemoteRefused, match="origin/main was rewritten"):
        ada.sync()


@pytest.mark.cgit
def test_a_branch_that_was_renamed_is_the_same_branch(ada: Machine, bo: Machine, hub: Path, git: Git) -> None:
    git("branch", "-m", "main", "trunk", cwd=ada.root)
    ada.remember("one", "text")
    assert ada.sync().sent == 1
    assert git("branch", "--format=%(refname:short)", cwd=hub).split() == ["main"]
    bo.sync()
    at_peace(ada, bo)


@pytest.mark.cgit
def test_the_first_sync_with_a_hub_follows_its_name_unless_that_is_a_branch_here(
    ada: Machine, hub: Path, tmp_path: Path, git: Git
) -> None:
    """Fault F37: the hub says master, this store says main; but where both are here, nobody can tell which is meant."""
    git("clone", "-q", "--bare", str(hub), str(tmp_path / "second.git"))
    git("branch", "-m", "main", "master", cwd=tmp_path / "second.git")
    git("branch", "master", cwd=ada.root)
    with open_repo(str(ada.root)) as repo:
        add(repo.git, "second", str(tmp_path / "second.git"))
    ada.remember("one", "text")
    with pytest.raises(RemoteRefused, match="it is master that goes with second"):
        ada.sync("second")
    git("branch", "-q", "-D", "master", cwd=ada.root)
    assert "second calls the branch master; main goes with it from now on" in ada.sync("second").notes
    assert ada.sync("second").notes == []


@pytest.mark.cgit
def test_a_store_on_a_branch_beside_code_is_told_how_it_gets_to_the_codes_remote(
    ada: Machine, tmp_path: Path, git: Git
) -> None:
    """A project's own store: its remote is the code's, which nobody is told to take out."""
    git("init", "-q", "--bare", "--initial-branch=work", str(tmp_path / "code.git"))
    git("remote", "add", "code", str(tmp_path / "code.git"), cwd=ada.root)
    git("switch", "-q", "--orphan", "work", cwd=ada.root)
    git("commit", "-q", "--allow-empty", "-m", "code", cwd=ada.root)
    git("push", "-q", "-u", "code", "work", cwd=ada.root)
    git("switch", "-q", "main", cwd=ada.root)
    with pytest.raises(RemoteRefused, match="code has no branch main yet, only those of work") as no:
        ada.sync("code")
    command = no.value.hint.partition(": ")[2].partition(" && ")[0]
    git(*command.split()[1:], cwd=ada.root)
    ada.remember("one", "text")
    assert ada.sync("code").sent == 1
    assert "one.md" in git("ls-tree", "--name-only", "main", cwd=tmp_path / "code.git")


@pytest.mark.cgit
def test_a_linked_worktree_that_cannot_sync_says_where_to_and_marks_no_other(
    ada: Machine, git: Git, tmp_path: Path
) -> None:
    """Git lets no second worktree have the main branch, and the store that has it syncs as before."""
    tree = tmp_path / "my tree"
    git("worktree", "add", "-q", str(tree), "-b", "try", cwd=ada.root)
    with pytest.raises(RemoteRefused, match="try is checked out, and it is main that goes with origin") as no:
        sync(str(tree), "", when=ada.when, environ=os.environ)
    assert no.value.hint.startswith(f"gitmem sync origin --store {ada.root}   (to share try as a branch of its own: ")
    assert troubles(str(ada.root / ".git")) == []
    assert not standing(str(ada.root), ada.when).places[0].stray
    ada.remember("later", "for everybody")
    assert ada.sync().sent == 1
