"""Two machines of one person and a hub, as that person would try it: real processes, a real server, C git as judge."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.said import Said
from tests.write.hubs import PASSWORD, FolderHub, HttpHub, Hub, SshHub, stopped_at_end

ROOT = Path(__file__).parents[2]
HUBS: dict[str, Callable[[Path], Hub]] = {
    "folder": FolderHub,
    "ssh": SshHub,
    "http": HttpHub,
    "password": lambda top: HttpHub(top, asks=True),
}
TODAY = time.strftime("journal/%Y-%m-%d.md", time.gmtime())
SECTIONS = "# Deploy\n\nBack up first.\n\n## Order\n\nMigrate, then restart.\n"


@dataclass
class Machine:
    """A home of its own, where the person's git is set up for the hub.

    path: where its programs are found
    """

    name: str
    home: Path
    hub: Hub
    path: str

    def __post_init__(self) -> None:
        self.home.mkdir()
        self.store = self.home / ".gitmem/memory"
        (self.home / ".gitconfig").write_text(
            "[user]\n\tname = Ada\n\temail = ada@example.org\n[pull]\n\trebase = false\n"
            f"[gitmem]\n\tmachine = {self.name}\n{self.hub.config}"
        )
        self.log_in(self.hub.login)

    def log_in(self, login: str) -> None:
        (self.home / ".git-credentials").write_text(login)

    def run(self, words: list[str], cwd: Path, **more: str) -> Said:
        home = str(self.home)
        environ = {**os.environ, "HOME": home, "USERPROFILE": home, "PATH": self.path, "PYTHONPATH": str(ROOT), **more}
        done = subprocess.run(
            words, cwd=cwd, env=environ, capture_output=True, stdin=subprocess.DEVNULL, encoding="utf-8", check=False
        )
        print(f"{self.name}$ {' '.join(words)}\n{done.stderr}{done.stdout}")
        return Said(done.returncode, done.stdout, done.stderr)

    def gm(self, *words: str, code: int = 0, **more: str) -> Said:
        """Run ``gitmem``; what a person never sees is looked for in all it says."""
        said = self.run([sys.executable, "-m", "gitmem", *words], self.home, **more)
        assert said.code == code
        for odd in ("Traceback", "fatal:", PASSWORD, "<<<<<<<", "HTTPConnection", "Errno"):
            assert odd not in said.out + said.err
        if code == 1:
            first, second, *_ = said.err.splitlines()
            assert first.startswith("error: ")
            assert second.startswith("  hint: ")
        return said

    def git(self, *words: str, code: int = 0) -> Said:
        said = self.run(["git", *words], self.store, PATH=f"{self.path}{os.pathsep}{os.environ['PATH']}")
        assert said.code == code
        return said

    def text(self, path: str) -> str:
        return (self.store / path).read_text(encoding="utf-8")

    def rewrite(self, path: str, old: str, new: str) -> None:
        """Edit by hand, as in any editor."""
        assert old in self.text(path)
        (self.store / path).write_text(self.text(path).replace(old, new), encoding="utf-8")

    def conflicts(self) -> dict[str, str]:
        """Id of each open conflict by the memory it is about."""
        return {each["path"]: each["id"] for each in self.gm("conflict", "list", "--json").json["conflicts"]}

    def everything(self, conflicts: dict[str, str]) -> str:
        """Every text a person can find: the files, and what the conflicts show."""
        files = [path.read_text(encoding="utf-8") for path in sorted(self.store.rglob("*.md"))]
        return "".join(files + [self.gm("conflict", "show", each).out for each in conflicts.values()])


@pytest.fixture
def gitmem_on_path(tmp_path: Path) -> str:
    """``gitmem`` as pip installs it, for the hooks and the merge driver that git starts."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "gitmem").write_text(f"#!{sys.executable}\nfrom gitmem.__main__ import main\nmain()\n")
    (folder / "gitmem").chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.fixture(params=HUBS)
def hub(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hub]:
    (tmp_path / "hub").mkdir()
    with stopped_at_end(HUBS[request.param](tmp_path / "hub")) as hub:
        hub.start()
        yield hub


@pytest.fixture
def desk(tmp_path: Path, hub: Hub, gitmem_on_path: str) -> Machine:
    """The first machine: its store is on the hub."""
    machine = Machine("desk", tmp_path / "desk", hub, gitmem_on_path)
    machine.gm("remember", SECTIONS, "--name", "deploy", "--tags", "a,b,c")
    machine.gm("remember", "The release goes out on Tuesdays.", "--name", "release")
    machine.gm("remember", "Old printers want the long cable.", "--name", "printer")
    machine.gm("remember", "The office opens at nine in the morning.", "--name", "office")
    assert machine.gm("remote", "add", "origin", hub.url).out == f"added origin, {hub.url}\nnext: gitmem sync\n"
    assert machine.gm("sync").out == f"synced with origin ({hub.url}): 5 commits sent\n"
    return machine


@pytest.fixture
def lap(tmp_path: Path, hub: Hub, desk: Machine, gitmem_on_path: str) -> Machine:
    """The second machine: a clone."""
    machine = Machine("lap", tmp_path / "lap", hub, gitmem_on_path)
    assert machine.gm("clone", hub.url).out.startswith("cloned ~/.gitmem/memory, branch main: 4 memories\n")
    return machine


def at_peace(*machines: Machine) -> None:
    """All have the commit the hub has, ordinary git finds nothing amiss anywhere, and no file holds a marker."""
    hub = ("--git-dir", str(machines[0].hub.repository))
    machines[0].git(*hub, "fsck", "--strict")
    heads = {machines[0].git(*hub, "rev-parse", "refs/heads/main").out}
    for machine in machines:
        heads.add(machine.git("rev-parse", "HEAD").out)
        assert machine.git("status", "--porcelain").out == ""
        machine.git("fsck", "--strict")
        assert not any("<<<<<<<" in path.read_text() for path in machine.store.rglob("*.md"))
    assert len(heads) == 1


def listed(machine: Machine) -> list[str]:
    """The files that MEMORY.md names, in its order."""
    return [
        line.partition("](")[2].partition(")")[0] for line in machine.text("MEMORY.md").splitlines() if "](" in line
    ]


@pytest.mark.cgit
def test_what_was_done_on_two_machines_meets_and_nothing_is_lost(desk: Machine, lap: Machine) -> None:
    """Promised as C1, C2 and C3: one round, in which everything that two machines can do to one store is done."""
    desk.rewrite("deploy.md", "\n\nBack up first.", "\n\nBack up twice.")
    lap.rewrite("deploy.md", "then restart", "then restart slowly")
    desk.gm("edit", "deploy", "--set", "tags=a,c")
    lap.gm("edit", "deploy", "--set", "tags=a,b,c,d")
    desk.rewrite("release.md", "\n\nThe release goes out on Tuesdays", "\n\nThe release goes out on Mondays")
    lap.rewrite("release.md", "\n\nThe release goes out on Tuesdays", "\n\nThe release goes out on Fridays")
    desk.gm("archive", "printer", "--reason", "there are no printers any more")
    lap.gm("edit", "printer", "--body", "Old printers want the short cable.")
    desk.git("mv", "office.md", "hours.md")
    desk.git("commit", "-qm", "renamed")
    lap.gm("edit", "office", "--body", "The office opens at ten in the morning.")
    desk.gm("remember", "The desk is by the window.", "--name", "window")
    lap.gm("remember", "The lap is in the bag.", "--name", "bag")
    for machine, line in ((desk, "09:00 shipped it\n"), (lap, "08:30 wrote the notes\n")):
        (machine.store / "journal").mkdir()
        (machine.store / TODAY).write_text(line)

    desk.gm("sync")
    said = lap.gm("sync", code=4)
    assert f"your own edit of {TODAY} was committed" in said.err
    assert "6 commits received" in said.out
    assert "2 conflicts are open, both texts kept; see them: gitmem conflict list" in said.out
    desk.gm("sync", code=4)
    at_peace(desk, lap)
    found = desk.conflicts()
    assert set(found) == {"release.md", "printer.md"}
    assert lap.conflicts() == found

    assert "Back up twice." in desk.text("deploy.md")
    assert "then restart slowly" in desk.text("deploy.md")
    assert "\ntags: [a, c, d]\n" in desk.text("deploy.md")
    assert "opens at ten" in desk.text("hours.md")
    assert not (desk.store / "office.md").exists()
    assert "short cable" in desk.text("printer.md")
    assert desk.text(TODAY) == "08:30 wrote the notes\n09:00 shipped it\n"
    assert {"deploy.md", "release.md", "printer.md", "window.md", "bag.md"} <= set(listed(desk))
    for machine in (desk, lap):
        kept = machine.everything(found)
        for text in ("on Mondays", "on Fridays", "no printers any more", "by the window", "in the bag"):
            assert text in kept

    desk.gm("conflict", "resolve", found["release.md"], "--theirs")
    desk.gm("sync", code=4)
    lap.gm("sync", code=4)
    assert set(lap.conflicts()) == {"printer.md"}, "settled there, settled here"
    lap.gm("conflict", "resolve", found["printer.md"], "--theirs")
    lap.gm("sync")
    desk.gm("sync")
    at_peace(desk, lap)
    assert desk.conflicts() == lap.conflicts() == {}
    assert "short cable" in desk.text("archive/printer.md"), "archived as it was chosen, with the text that was there"
    assert desk.git("--git-dir", str(desk.hub.repository), "for-each-ref", "refs/gitmem/conflicts").out == ""


@pytest.mark.cgit
def test_plain_git_pull_does_what_sync_does(desk: Machine, lap: Machine) -> None:
    """Promised as C6: after ``gitmem hooks install``, and the other machine need not know."""
    lap.gm("hooks", "install")
    desk.rewrite("deploy.md", "\n\nBack up first.", "\n\nBack up twice.")
    desk.gm("remember", "The desk is by the window.", "--name", "window")
    lap.gm("edit", "deploy", "--section", "# Deploy > ## Order", "--body", "Migrate, then restart slowly.\n")
    lap.gm("remember", "The lap is in the bag.", "--name", "bag")
    desk.gm("sync")
    assert "CONFLICT" not in lap.git("pull").out
    lap.git("push")
    desk.gm("sync")
    at_peace(desk, lap)
    assert "Back up twice." in lap.text("deploy.md")
    assert "restart slowly" in lap.text("deploy.md")
    assert listed(lap)[-2:] == ["bag.md", "window.md"]


@pytest.mark.cgit
@pytest.mark.parametrize("hub", ["folder"], indirect=True)
def test_what_plain_git_pull_cannot_merge_is_a_conflict_on_both_machines(desk: Machine, lap: Machine) -> None:
    """Promised as C6 and C3."""
    lap.gm("hooks", "install")
    for machine, day in ((desk, "Mondays"), (lap, "Fridays")):
        machine.rewrite("release.md", "\n\nThe release goes out on Tuesdays", f"\n\nThe release goes out on {day}")
    desk.gm("sync")
    lap.git("commit", "-qam", "on Fridays")
    said = lap.git("pull", code=1)
    (name,) = lap.conflicts().values()
    assert f"both texts are kept as conflict {name}" in said.err
    assert "<<<<<<<" not in lap.text("release.md")
    lap.gm("sync", code=1)
    lap.git("add", "release.md")
    lap.git("commit", "-q", "--no-edit")
    lap.gm("sync", code=4)
    desk.gm("sync", code=4)
    at_peace(desk, lap)
    assert desk.conflicts() == {"release.md": name}
    kept = desk.everything({"release.md": name})
    assert "on Mondays" in kept
    assert "on Fridays" in kept


@pytest.mark.cgit
def test_a_machine_that_is_away_writes_on_and_syncs_later(desk: Machine, lap: Machine, tmp_path: Path) -> None:
    """Promised as C1: offline the local half is done, nothing is lost, and it is said in two lines."""
    desk.hub.stop()
    desk.gm("remember", "Written in the train.", "--name", "train")
    lap.gm("remember", "Written in the plane.", "--name", "plane")
    why, waits = desk.gm("sync").out.splitlines()
    assert desk.hub.url in why
    assert waits.startswith("saved here; 1 commit waits. Not reached since 20")
    assert desk.gm("sync", "--json").json["state"] == "offline"
    assert "failing since" in desk.gm("status").out
    third = Machine("third", tmp_path / "third", desk.hub, desk.path)
    assert f"gitmem clone {desk.hub.url}" in third.gm("clone", desk.hub.url, code=1).err
    assert not list(third.home.rglob("*.md")), "nothing is left behind"

    desk.hub.start()
    assert "1 commit sent" in desk.gm("sync").out
    lap.gm("sync")
    desk.gm("sync")
    third.gm("clone", desk.hub.url)
    at_peace(desk, lap, third)
    assert {"train.md", "plane.md"} <= set(listed(third))
    assert "failing" not in desk.gm("status").out


@pytest.mark.cgit
@pytest.mark.parametrize("hub", ["ssh"], indirect=True)
def test_a_key_that_is_not_accepted_is_one_sentence_with_what_to_type(
    hub: SshHub, desk: Machine, tmp_path: Path
) -> None:
    """Of three kinds: the person's key, a host that is not known, a host that has another key now."""
    for name, key in (("nobody", ""), ("other", hub.stranger.with_suffix(".pub").read_text())):
        (tmp_path / name).write_text(f"[127.0.0.1]:{hub.port} {key}" if key else "")
    desk.gm("remember", "Written meanwhile.", "--name", "meanwhile")
    alone = f"ssh -T -p {hub.port} {hub.place.removeprefix('ssh://').partition(':')[0]}"
    for key, known, words, hint in (
        (hub.stranger, hub.known, "did not let you in: it takes none of the keys", f"try it alone: {alone} "),
        (hub.key, tmp_path / "nobody", "is not known yet", f"look at its key once, and say yes: {alone}"),
        (
            hub.key,
            tmp_path / "other",
            "has another key than this machine knows",
            f"ssh-keygen -R '[127.0.0.1]:{hub.port}'",
        ),
    ):
        said = desk.gm("sync", code=1, GIT_SSH_COMMAND=hub.command(key, known))
        assert words in said.err
        assert hint in said.err
    third = Machine("third", tmp_path / "third", hub, desk.path)
    said = third.gm("clone", hub.url, code=1, GIT_SSH_COMMAND=hub.command(hub.stranger, hub.known))
    assert f"try it alone: {alone} " in said.err
    assert not third.store.exists()
    said = third.gm("clone", hub.url, code=1, GIT_SSH_COMMAND=f"{tmp_path}/none/ssh")
    assert "cannot be started" in said.err
    assert "1 commit sent" in desk.gm("sync").out
    at_peace(desk)


@pytest.mark.cgit
@pytest.mark.parametrize("hub", ["password"], indirect=True)
def test_a_wrong_password_is_one_sentence_with_what_to_type(hub: HttpHub, desk: Machine, tmp_path: Path) -> None:
    desk.gm("remember", "Written meanwhile.", "--name", "meanwhile")
    third = Machine("third", tmp_path / "third", hub, desk.path)
    for login, words in (
        (hub.login.replace(PASSWORD, "guess"), "did not let you in: the name or the password is not right"),
        ("", "did not let you in: it wants a name and a password"),
    ):
        for machine, command in ((desk, ["sync"]), (third, ["clone", hub.url])):
            machine.log_in(login)
            said = machine.gm(*command, code=1)
            assert said.err.splitlines()[0] == f"error: {hub.url} {words}"
            assert f"type them once in a terminal, with git ls-remote {hub.url} " in said.err
    assert not third.store.exists()
    assert words in desk.gm("status").out
    desk.log_in(hub.login)
    assert "1 commit sent" in desk.gm("sync").out
    at_peace(desk)


@pytest.mark.cgit
def test_two_machines_without_a_git_program(hub: Hub, tmp_path: Path) -> None:
    """Promised as B11 and C1: ssh's own program is all there is on the PATH; C git only judges."""
    programs = tmp_path / "programs"
    programs.mkdir()
    if isinstance(hub, SshHub):
        (programs / "ssh").symlink_to(shutil.which("ssh") or "ssh")
    one, two = (Machine(name, tmp_path / name, hub, str(programs)) for name in ("one", "two"))
    assert " is empty: a new store was made" in one.gm("clone", hub.without_git).err
    one.gm("remember", SECTIONS, "--name", "deploy")
    one.gm("sync")
    assert "no git repository at" in two.gm("clone", hub.without_git.replace("hub.git", "hbu.git"), code=1).err
    if hub.login:
        said = two.gm("clone", hub.without_git.replace(PASSWORD, "guess"), code=1)
        assert f"both stand in the URL: {hub.url.replace('://', '://NAME:PASSWORD@')}\n" in said.err
    two.gm("clone", hub.without_git)
    one.rewrite("deploy.md", "\n\nBack up first.", "\n\nBack up twice.")
    two.rewrite("deploy.md", "\n\nBack up first.", "\n\nNever back up.")
    one.gm("remember", "Of the one.", "--name", "one")
    two.gm("remember", "Of the other.", "--name", "two")
    one.gm("sync")
    two.gm("sync", code=4)
    one.gm("sync", code=4)
    at_peace(one, two)
    found = one.conflicts()
    assert two.conflicts() == found
    kept = one.everything(found)
    assert all(text in kept for text in ("Back up twice.", "Never back up.", "Of the one", "Of the other"))
    one.gm("conflict", "resolve", found["deploy.md"], "--both")
    one.gm("sync")

    hub.stop()
    two.gm("remember", "Written in the train.", "--name", "train")
    assert "\nsaved here; 1 commit waits. Not reached since 20" in two.gm("sync", code=4).out
    hub.start()
    two.gm("sync")
    one.path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    one.gm("remember", "By a machine that has git from now on.", "--name", "git")
    one.gm("sync")
    two.gm("sync")
    at_peace(one, two)
    kept = two.everything(two.conflicts())
    assert all(text in kept for text in ("Back up twice.", "Never back up.", "in the train", "from now on"))
    assert two.conflicts() == {}
