"""What a sync must not guess is said, with the command that settles it; and the command does (C5)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from gitmem.errors import GitmemError, RepositoryBusy, RepositoryDamaged
from gitmem.history.remote import add, take_out
from gitmem.history.remote_machine import Beat, add_beat, beats
from gitmem.history.repo import open_repo
from gitmem.history.transport import RemoteRefused, Unreachable
from gitmem.setup.create import init
from gitmem.store.gitdir import GitDir
from gitmem.store.machine import long_trouble
from gitmem.write.purge import purge
from gitmem.write.sync_result import OFFLINE, Synced
from gitmem.write.sync_status import standing
from tests.write.test_faults import at_step, kill, killed, left_over
from tests.write.test_sync_pair import ME, WHEN, Git, Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures
DAY = 86_400


def git_dir(machine: Machine) -> GitDir:
    with open_repo(str(machine.root)) as repo:
        return repo.git


def move_away(hub: Path) -> Path:
    return hub.rename(hub.with_name("away.git"))


def rewrite(machine: Machine) -> None:
    """Amend the last commit and push it by force, as people do."""
    machine.git("commit", "-q", "--amend", "-m", "amended", "--author", "Eve <eve@example.org>", cwd=machine.root)
    machine.git("push", "-q", "--force", "origin", "main", cwd=machine.root)


@pytest.mark.cgit
def test_a_rewritten_remote_stops_the_sync_and_both_heads_are_kept(ada: Machine, bo: Machine) -> None:
    """Fault F39: never a hard reset, never a forced push."""
    ada.remember("one", "text")
    ada.sync()
    bo.sync()
    old = bo.head()
    rewrite(ada)
    bo.remember("two", "Bo's own")
    mine = bo.head()
    with pytest.raises(RemoteRefused, match=r"origin/main was rewritten: it had .* Nothing was") as refused:
        bo.sync()
    assert bo.head() == mine
    assert bo.git("rev-parse", "refs/remotes/origin/main", cwd=bo.root).strip() == ada.head()
    assert bo.refs()["refs/gitmem/remotes/origin/before/main"] == old
    assert refused.value.hint.startswith("to have both: gitmem sync origin --rejoin")
    bo.sync(rejoins=True)
    ada.sync()
    at_peace(ada, bo)
    assert (ada.root / "two.md").exists()


@pytest.mark.cgit
def test_following_a_rewrite_by_the_command_that_was_named(ada: Machine, bo: Machine) -> None:
    ada.remember("one", "text")
    ada.sync()
    bo.sync()
    rewrite(ada)
    bo.remember("two", "Bo's own")
    with pytest.raises(RemoteRefused) as refused:
        bo.sync()
    command = refused.value.hint.partition("(to follow the rewrite: ")[2].partition(" && ")[0]
    bo.git(*command.split()[1:], cwd=bo.root)
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
    assert "amended" in bo.git("log", "--format=%s", cwd=bo.root)
    assert "remember: one" not in bo.git("log", "--format=%s", cwd=bo.root)


@pytest.mark.cgit
def test_a_history_that_was_rewritten_here_brings_nothing_back_unasked(ada: Machine, bo: Machine) -> None:
    """After a purge the remote still has what was purged: merging would bring it back."""
    ada.remember("one", "text")
    ada.sync()
    ada.git("commit", "-q", "--amend", "-m", "amended", cwd=ada.root)
    with pytest.raises(RemoteRefused, match="the history here was rewritten") as refused:
        ada.sync()
    assert "--force-with-lease origin HEAD:main" in refused.value.hint
    ada.sync(rejoins=True)
    bo.sync()
    at_peace(ada, bo)


@pytest.mark.cgit
def test_a_branch_that_was_moved_back_comes_forward_again(ada: Machine) -> None:
    """As git pull does: what the remote has is not lost here."""
    ada.remember("one", "text")
    ada.sync()
    ada.git("reset", "-q", "--hard", "HEAD~1", cwd=ada.root)
    assert ada.sync().received == 1
    assert (ada.root / "one.md").exists()


@pytest.mark.cgit
def test_a_shallow_clone_says_how_to_get_the_rest(ada: Machine, hub: Path, tmp_path: Path, git: Git) -> None:
    ada.remember("one", "text")
    ada.sync()
    root = tmp_path / "shallow"
    git("clone", "-q", "--depth", "1", f"file://{hub}", str(root))
    machine = Machine(root, git, "sam", WHEN + 50)
    with pytest.raises(RepositoryDamaged, match="is a shallow clone") as refused:
        machine.sync()
    git(*refused.value.hint.split()[1:], cwd=root)
    machine.sync()
    assert (root / "one.md").exists()


@pytest.mark.cgit
def test_no_branch_and_an_operation_under_way_are_said(ada: Machine, git: Git) -> None:
    """Fault F32."""
    git("checkout", "-q", "--detach", cwd=ada.root)
    with pytest.raises(RepositoryBusy, match="on no branch") as refused:
        ada.sync()
    git(*refused.value.hint.split()[1:], cwd=ada.root)
    (ada.root / ".git/MERGE_HEAD").write_text(ada.head() + "\n")
    with pytest.raises(RepositoryBusy, match="a merge is under way"):
        ada.sync()
    (ada.root / ".git/MERGE_HEAD").unlink()
    ada.sync()


@pytest.mark.cgit
def test_another_branch_name_of_the_same_history_is_followed_and_said(ada: Machine, bo: Machine, hub: Path) -> None:
    """Fault F37."""
    ada.git("branch", "-m", "main", "master", cwd=hub)
    ada.remember("one", "text")
    done = ada.sync()
    assert "origin calls the branch master; main goes with it from now on" in done.notes
    assert ada.git("rev-parse", "--abbrev-ref", "main@{upstream}", cwd=ada.root).strip() == "origin/master"
    assert ada.sync().notes == []


@pytest.mark.cgit
def test_another_branch_of_another_history_is_not_guessed(ada: Machine, hub: Path, tmp_path: Path, git: Git) -> None:
    """Fault F37: remote HEAD master, local main."""
    git("branch", "-m", "main", "master", cwd=hub)
    other = Machine(tmp_path / "own", git, "cy", WHEN + 70)
    init(str(other.root), environ=other.environ, when=WHEN + 70)
    other.remember("mine", "text")
    with open_repo(str(other.root)) as repo:
        add(repo.git, "origin", str(hub))
    with pytest.raises(RemoteRefused, match="its branch is master, which shares no history") as refused:
        other.sync()
    git(*refused.value.hint.partition(" && ")[0].split()[1:], cwd=other.root)
    other.sync()
    assert (other.root / "deploy.md").exists()
    assert git("branch", "--format=%(refname:short)", cwd=hub).split() == ["master"]


@pytest.mark.cgit
def test_a_projects_code_is_no_store(ada: Machine, tmp_path: Path, git: Git) -> None:
    code = tmp_path / "code"
    code.mkdir()
    (code / "main.c").write_text("int main;\n")
    git("init", "-q", "-b", "main", cwd=code)
    git("add", "-A", cwd=code)
    git("commit", "-q", "-m", "code", cwd=code)
    with open_repo(str(ada.root)) as repo:
        add(repo.git, "code", str(code))
    with pytest.raises(RemoteRefused, match="code/main is no store of memories"):
        ada.sync("code")
    assert not (ada.root / "main.c").exists()


@pytest.mark.cgit
def test_offline_the_local_half_is_done_and_it_is_said_since_when(
    ada: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Promised as C1 and C7: offline first; a sync that has failed for a day is one sentence."""
    monkeypatch.setenv(
        "GIT_SSH_COMMAND", "sh -c 'echo ssh: connect to host hub port 22: No route to host >&2; exit 255'"
    )
    git = git_dir(ada)
    reached = ada.when
    ada.git("config", "remote.origin.url", "hub:store.git", cwd=ada.root)
    known = Path(git.common, "gitmem/synced.json")
    hub = str(tmp_path / "hub.git")
    known.write_text(known.read_text().replace(hub, "hub:store.git"))
    (ada.root / "hand.md").write_text("by hand\n")
    done = ada.sync()
    assert (done.state, done.waiting, done.edits, done.reached) == (OFFLINE, 1, ["hand.md"], reached)
    assert done.reason == "hub:store.git cannot be reached (ssh: connect to host hub port 22: No route to host)"
    first = ada.when
    ada.when += DAY + 5
    assert ada.sync().since == first
    assert long_trouble(git.common, ada.when).startswith("sync with origin has failed since 2026-11-30: hub:store.git")
    found = standing(str(ada.root), ada.when)
    assert (found.places[0].ahead, found.places[0].trouble is not None) == (1, True)
    ada.git("config", "remote.origin.url", hub, cwd=ada.root)
    known.write_text(known.read_text().replace("hub:store.git", hub))
    ada.sync()
    assert long_trouble(git.common, ada.when + DAY) == ""


@pytest.mark.cgit
def test_a_remote_that_was_never_reached_is_an_error(ada: Machine) -> None:
    ada.git("config", "remote.origin.url", "ssh://nowhere.invalid/x", cwd=ada.root)
    with pytest.raises(Unreachable) as refused:
        ada.sync()
    assert refused.value.hint == "is the place right? gitmem remote list"


@pytest.mark.cgit
def test_a_hub_that_is_gone_and_comes_back_heals_alone(ada: Machine, bo: Machine, hub: Path) -> None:
    """Fault F64: one failed sync stops no later one."""
    away = move_away(hub)
    ada.remember("one", "text")
    done = ada.sync()
    assert (done.state, done.waiting) == (OFFLINE, 1), "a disk that is not mounted passes by itself"
    assert done.reason.startswith("there is no git repository at")
    away.rename(hub)
    bo.remember("two", "text")
    bo.sync()
    assert ada.sync().received == 1
    bo.sync()
    at_peace(ada, bo)


def hook(hub: Path, text: str) -> Path:
    path = hub / "hooks/update"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.cgit
def test_a_protected_branch_is_said_and_what_is_here_is_on_the_remote_all_the_same(
    ada: Machine, bo: Machine, hub: Path
) -> None:
    """Promised as C7: each machine's own ref never contends."""
    path = hook(hub, 'case $1 in refs/heads/*) echo "protected branch" >&2; exit 1;; esac')
    ada.remember("one", "text")
    with pytest.raises(RemoteRefused, match="origin/main was not taken: hook declined: protected branch; what is here"):
        ada.sync()
    own = next(ref for ref in ada.refs("refs/gitmem/machines/"))
    assert ada.git("merge-base", "--is-ancestor", ada.head(), own, cwd=hub) == ""
    bo.sync()
    (beat,) = [each.beat for each in standing(str(bo.root), bo.when).machines if not each.is_this]
    assert (beat.ahead, beat.trouble) == (1, "hook declined: protected branch")
    path.unlink()
    ada.sync()
    bo.sync()
    at_peace(ada, bo)


@pytest.mark.cgit
def test_a_host_that_takes_branches_only_gets_a_branch_for_the_machine(ada: Machine, bo: Machine, hub: Path) -> None:
    """Promised as C4 and C7: refs/heads/machine/<id> where other namespaces are refused."""
    hook(hub, "case $1 in refs/heads/*) ;; *) exit 1;; esac")
    bo.remember("one", "text")
    done = bo.sync()
    assert any(note.startswith("origin takes branches only") for note in done.notes)
    machine = Path(bo.root, ".git/gitmem/machine").read_text().strip()
    assert f"machine/{machine}" in bo.git("branch", "--format=%(refname:short)", cwd=hub).split()
    assert bo.sync().notes == []
    ada.sync()
    with open_repo(str(ada.root)) as repo:
        assert machine in [beat.id for beat in beats(repo)]
    at_peace(ada, bo)


@pytest.mark.cgit
def test_a_secret_in_a_commit_is_not_sent(ada: Machine, bo: Machine, git: Git) -> None:
    """Promised as L5."""
    (ada.root / "key.md").write_text("the key is AKIA" + "QX7RT5WZ2PLM9KD4\n")
    git("add", "-A", cwd=ada.root)
    git("commit", "-q", "-m", "oops", cwd=ada.root)
    with pytest.raises(RemoteRefused, match=r"key\.md:1: this looks like a secret .* nothing was sent to origin"):
        ada.sync()
    bo.sync()
    assert not (bo.root / "key.md").exists()


@pytest.mark.cgit
def test_every_commit_with_a_secret_is_named_when_none_is_sent(ada: Machine, git: Git) -> None:
    """Promised as L5."""
    for name in ("one", "two", "three"):
        (ada.root / f"{name}.md").write_text(f"text\nthe key is AKIA{name.upper():Q<5}RT5WZ2PLM9K\n")
        git("add", "-A", cwd=ada.root)
        git("commit", "-q", "-m", name, cwd=ada.root)
    (ada.root / "merge.md").write_text("<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> bo\n")
    git("add", "-A", cwd=ada.root)
    git("commit", "-q", "-m", "unfinished", cwd=ada.root)
    with pytest.raises(RemoteRefused) as no:
        ada.sync()
    commits = git("log", "-4", "--format=%H", cwd=ada.root).split()
    for name, commit in zip(("three", "two", "one"), commits[1:], strict=True):
        assert f"{name}.md:2: this looks like a secret (" in no.value.message
        assert f"since commit {commit[:10]}" in no.value.message
        assert f"gitmem purge {name}.md" in no.value.hint
    assert "merge.md:1: a conflict marker, `<<<<<<< HEAD`" in no.value.message
    assert "take the marker lines out of merge.md" in no.value.hint
    assert no.value.message.endswith("; nothing was sent to origin")


@pytest.mark.cgit
@pytest.mark.parametrize("is_alone", [False, True])
def test_a_hub_that_is_somebodys_working_copy_is_said_to_be_one(
    ada: Machine, hub: Path, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch, is_alone: bool
) -> None:
    """With git's program and without one, in the same words; both ways that are named lead on."""
    work = tmp_path / "work"
    git("clone", "-q", str(hub), str(work))
    git("config", "user.name", "Ada", cwd=work)
    take_out(git_dir(ada), "origin")
    with open_repo(str(ada.root)) as repo:
        add(repo.git, "origin", str(work))
    ada.remember("one", "text")
    with monkeypatch.context() as patch:
        if is_alone:
            patch.setenv("PATH", str(tmp_path / "nothing"))
        with pytest.raises(RemoteRefused) as no:
            ada.sync()
    said = f"origin/main was not taken: {work} is no bare repository, and its branch main is checked out there"
    assert no.value.message.startswith(said)
    copy, allow = no.value.hint.partition("   (or let it take what is sent, its files with it: ")[::2]
    first, *others = copy.split(" && ")
    assert others == [
        "gitmem remote remove origin", f"gitmem remote add origin {work}.git", "gitmem sync origin",
    ]  # fmt: skip
    if is_alone:
        git(*first.split()[1:])
        take_out(git_dir(ada), "origin")
        with open_repo(str(ada.root)) as repo:
            add(repo.git, "origin", f"{work}.git")
        assert ada.sync().sent == 1
        assert "one.md" in git("ls-tree", "--name-only", "main", cwd=f"{work}.git")
    else:
        git(*allow.removesuffix(")").split()[1:])
        assert ada.sync().sent == 1
        assert (work / "one.md").exists()


@pytest.mark.cgit
def test_files_that_git_holds_unmerged_are_named_with_what_settles_them(ada: Machine, bo: Machine, git: Git) -> None:
    """After a merge, and after a stash, of which nothing but git's index tells."""
    path = ada.root / "deploy.md"
    text = path.read_text()
    path.write_text(text.replace("Back up first", "Stashed"))
    git("stash", "-q", cwd=ada.root)
    path.write_text(text.replace("Back up first", "Committed"))
    git("commit", "-qam", "mine", cwd=ada.root)
    git("stash", "pop", "-q", cwd=ada.root, check=False)
    assert git("status", "--short", cwd=ada.root) == "UU deploy.md\n"
    head, marked = ada.head(), path.read_bytes()
    with pytest.raises(RepositoryBusy, match=r"a merge is not finished: deploy\.md is unmerged in git's index") as no:
        ada.sync()
    assert (ada.head(), path.read_bytes()) == (head, marked)
    assert long_trouble(git_dir(ada).common, ada.when + DAY) != "", "a sync that cron runs tells of it too"
    path.write_text(text.replace("Back up first", "Both"))
    command = no.value.hint.partition("then: ")[2].partition(" && ")[0]
    git(*command.split()[1:], cwd=ada.root)
    ada.sync()
    assert "Both" in git("show", "origin/main:deploy.md", cwd=ada.root)
    (bo.root / "deploy.md").write_text(text.replace("Back up first", "Bo"))
    git("commit", "-qam", "bo", cwd=bo.root)
    git("pull", "-q", "--no-rebase", cwd=bo.root, check=False)
    with pytest.raises(RepositoryBusy, match=r"a merge is under way in .*, and deploy\.md is unmerged") as no:
        bo.sync()
    assert "add -- deploy.md && " in no.value.hint
    assert "merge --abort" in no.value.hint


@pytest.mark.cgit
def test_a_merge_that_was_committed_unfinished_is_not_sent(ada: Machine, bo: Machine, git: Git) -> None:
    """Fault F60: markers that plain git committed reach nobody; once they are taken out, all is sent."""
    path = ada.root / "deploy.md"
    whole = path.read_text()
    path.write_text(whole + "\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> bo\n")
    git("commit", "-qam", "oops", cwd=ada.root)
    with pytest.raises(RemoteRefused, match=r"a conflict marker, `<<<<<<< HEAD`.* nothing was sent to origin") as no:
        ada.sync()
    assert no.value.hint == (
        "choose the text that stays and take the marker lines out of deploy.md, then: gitmem sync origin"
    )
    bo.sync()
    assert "<<<<<<<" not in bo.text("deploy.md")
    path.write_text(whole + "\ntwo\n")
    ada.sync()
    bo.sync()
    assert bo.text("deploy.md") == whole + "\ntwo\n"


@pytest.mark.cgit
def test_a_held_back_file_that_changed_there_too_stops_only_the_merge(ada: Machine, bo: Machine) -> None:
    (bo.root / "deploy.md").write_text(bo.text("deploy.md") + "\nkey AKIA" + "QX7RT5WZ2PLM9KD4\n")
    ada.edit("deploy", description="new")
    ada.sync()
    before = bo.text("deploy.md")
    with pytest.raises(RepositoryBusy, match="the same file was changed on the other side too, so nothing was merged"):
        bo.sync()
    assert bo.text("deploy.md") == before
    ada.remember("second", "text")
    ada.sync()
    (bo.root / "second.md").write_text("<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> ada\n")
    with pytest.raises(RepositoryBusy) as no:
        bo.sync()
    lines = bo.text("deploy.md").count("\n")
    assert no.value.message.startswith(f"deploy.md:{lines}: this looks like a secret (")
    assert "; second.md:1: a conflict marker, " in no.value.message
    said, _, kept = no.value.message.rpartition("; ")
    assert said.endswith("; the same files were changed on the other side too, so nothing was merged")
    assert kept.startswith("what is here is on origin too, as refs/gitmem/machines/")
    assert no.value.hint == "take what looks like a secret and the marker lines out of the files, then: gitmem sync"


@pytest.mark.cgit
def test_a_store_of_a_newer_gitmem_is_not_taken_in(ada: Machine, bo: Machine, git: Git) -> None:
    path = ada.root / ".gitmem/config.yaml"
    path.write_text(path.read_text().replace("format: 1", "format: 99"))
    git("commit", "-q", "-am", "newer", cwd=ada.root)
    git("push", "-q", "origin", "main", cwd=ada.root)
    with pytest.raises(GitmemError, match="the store has format 99"):
        bo.sync()


@pytest.mark.cgit
def test_every_machine_is_in_the_status(ada: Machine, bo: Machine) -> None:
    """Promised as C7."""
    bo.sync()
    ada.sync()
    ada.remember("one", "text")
    ada.sync()
    bo.git("fetch", "-q", cwd=bo.root)
    found = standing(str(bo.root), bo.when + 3 * DAY)
    assert [(each.is_this, each.days) for each in found.machines].count((True, 3)) == 1
    assert len(found.machines) == 2
    assert (found.places[0].ahead, found.places[0].behind) == (0, 1)
    other = next(each for each in found.machines if not each.is_this)
    assert (other.ahead, other.behind) == (1, 0)


@pytest.mark.cgit
def test_a_remote_that_was_removed_troubles_nobody(ada: Machine) -> None:
    ada.git("config", "remote.origin.url", "ssh://nowhere.invalid/x", cwd=ada.root)
    with pytest.raises(Unreachable):
        ada.sync()
    take_out(git_dir(ada), "origin")
    assert isinstance(standing(str(ada.root), ada.when).places, tuple)
    assert standing(str(ada.root), ada.when).places == ()


@pytest.mark.cgit
def test_without_a_git_program_two_machines_sync_through_a_folder(
    ada: Machine, bo: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Promised as B11."""
    alone = {"PATH": str(tmp_path / "nothing")}
    done: list[Synced] = []
    for machine in (ada, bo):
        machine.remember(f"by-{machine.who}", "text")
    for machine in (ada, bo, ada):
        with monkeypatch.context() as patch:
            patch.setenv("PATH", alone["PATH"])
            done.append(machine.sync())
    assert [each.state for each in done] == ["synced"] * 3
    at_peace(ada, bo)
    assert os.environ["PATH"] != alone["PATH"]
    ada.git("fsck", "--strict", cwd=tmp_path / "hub.git")


@pytest.mark.cgit
@pytest.mark.parametrize("has_news", [True, False])
def test_without_a_git_program_a_hub_with_a_hook_says_what_to_install(
    ada: Machine, hub: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_news: bool
) -> None:
    """Nobody who keeps the hub could help; and what could not be tried says nothing of what the hub takes."""
    hook = hub / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    with monkeypatch.context() as patch:
        patch.setenv("PATH", str(tmp_path / "nothing"))
        if has_news:
            ada.remember("more", "text")
            with pytest.raises(RemoteRefused) as refused:
                ada.sync()
            assert "its pre-receive hook has to be asked first, which only git's own program does" in str(refused.value)
            assert refused.value.hint == "install git, then: gitmem sync origin"
        else:
            ada.when += 2 * DAY  # the heartbeat alone is due
            assert not any("takes branches only" in note for note in ada.sync().notes)
    done = ada.sync()
    assert (done.state, done.sent) == ("synced", int(has_news))
    assert not git_refs(hub, "refs/heads/machine")


def git_refs(hub: Path, prefix: str) -> str:
    words = ["git", "-C", str(hub), "for-each-ref", prefix]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


@pytest.mark.cgit
def test_a_sync_of_nothing_sees_to_what_a_killed_writer_left(ada: Machine) -> None:
    """It takes no lock where nothing is to be done; this is something, at whatever step the writer was killed."""

    number, left = 0, 0

    def write() -> None:
        with at_step(number, kill, ("link", "replace", "rename", "unlink", "fsync", "ftruncate")):
            ada.remember(f"cut-off-{number}", "text")

    while number == 0 or killed(write):
        number += 1
        left += bool(left_over(ada.root))
        ada.when += 1
        ada.sync()
        assert left_over(ada.root) == [], f"step {number}"
        at_peace(ada)
    assert left > 3


@pytest.mark.cgit
def test_a_heartbeat_is_sent_when_there_is_news_and_else_once_an_hour(ada: Machine, hub: Path) -> None:
    """Promised as C7; a heartbeat is a commit, and cron may sync every minute."""

    def beat() -> str:
        return ada.git("for-each-ref", "--format=%(objectname)", "refs/gitmem/machines", cwd=hub).strip()

    first = beat()
    ada.sync()
    assert beat() == first
    ada.when += 3600
    ada.sync()
    second = beat()
    assert second != first
    ada.remember("one", "text")
    ada.sync()
    assert ada.git("rev-parse", f"{beat()}^@", cwd=hub).split() == [second, ada.head()]


@pytest.mark.cgit
def test_machines_that_came_and_went_are_taken_off_the_longest_silent_first(
    ada: Machine, hub: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Builds and containers make a machine each time; every ref costs every process of git."""
    own = set(ada.refs("refs/gitmem/machines/"))
    for number in range(70):
        with open_repo(str(ada.root)) as repo:
            gone = Beat(f"{number:012x}", "build", "0", WHEN - 1000 + number, "main", ada.head())
            commit = add_beat(repo, gone, "")
            repo.objects.flush()
        ada.git("push", "-q", "origin", f"{commit}:refs/gitmem/machines/{number:012x}", cwd=ada.root)
    ada.remember("one", "text")
    ada.sync()
    left = set(ada.git("for-each-ref", "--format=%(refname)", "refs/gitmem/machines", cwd=hub).split())
    assert len(left) == 64
    assert own <= left
    assert f"refs/gitmem/machines/{69:012x}" in left
    assert f"refs/gitmem/machines/{0:012x}" not in left


@pytest.mark.cgit
def test_what_was_purged_here_is_never_brought_back_unasked(ada: Machine, bo: Machine) -> None:
    """Promised as L5: not by a machine that joined both histories, not by --rejoin."""
    ada.remember("secret", "the tangerine plan")
    ada.sync()
    bo.sync()
    purge(str(ada.root), "secret.md", confirm=lambda plan: "secret", when=ada.now(), actor=ME, environ=ada.environ)
    for rejoins in (False, True):
        with pytest.raises(RemoteRefused, match=r"origin/main still has what was purged here: secret\.md\. Merging"):
            ada.sync(rejoins=rejoins)
    assert not (ada.root / "secret.md").exists()
    (ada.root / ".git/gitmem/purged").unlink()
    ada.sync(rejoins=True)
    assert (ada.root / "secret.md").exists(), "the way that was named for who wants it back"


@pytest.mark.cgit
def test_a_code_repository_under_another_branch_is_no_store_and_no_rename_is_proposed(
    ada: Machine, tmp_path: Path, git: Git
) -> None:
    code = tmp_path / "code"
    git("init", "-q", "-b", "master", str(code))
    git("commit", "-q", "--allow-empty", "-m", "code", cwd=code)
    with open_repo(str(ada.root)) as repo:
        add(repo.git, "code", str(code))
    with pytest.raises(RemoteRefused, match="code/master is no store of memories") as refused:
        ada.sync("code")
    assert refused.value.hint.endswith("gitmem remote list   (to take it out: gitmem remote remove code)")
    assert "merge" not in refused.value.hint


@pytest.mark.cgit
def test_a_host_that_takes_all_refs_again_gets_them_from_the_next_day_on(ada: Machine, hub: Path) -> None:
    path = hook(hub, "case $1 in refs/heads/*) ;; *) exit 1;; esac")
    ada.remember("one", "text")
    ada.sync()
    ada.when += DAY
    assert ada.sync().notes == [], "asked anew, and not said again"
    path.unlink()
    ada.when += DAY
    ada.sync()
    refs = ada.git("for-each-ref", "--format=%(refname)", cwd=hub).split()
    machine = Path(ada.root, ".git/gitmem/machine").read_text().strip()
    assert f"refs/gitmem/machines/{machine}" in refs
    assert f"refs/heads/machine/{machine}" not in refs
    assert ada.git("merge-base", "--is-ancestor", ada.head(), f"refs/gitmem/machines/{machine}", cwd=hub) == ""
