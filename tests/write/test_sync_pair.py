"""Two machines and a bare hub, in one process: what ``sync`` promises, judged by C git."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitmem.errors import RepositoryBusy
from gitmem.history.conflict import open_conflicts
from gitmem.history.ownrefs import own_refs
from gitmem.history.remote import add
from gitmem.history.repo import open_repo
from gitmem.history.transport import RemoteRefused
from gitmem.index.read import open_index
from gitmem.memory.document import read_memory
from gitmem.memory.field import known
from gitmem.setup.clone import clone
from gitmem.setup.create import init
from gitmem.write.archive import archive, restore
from gitmem.write.change import Actor
from gitmem.write.conflict import resolve
from gitmem.write.memory import edit, remember
from gitmem.write.operations import find_operation, standing
from gitmem.write.rollback import make_point
from gitmem.write.sync import sync
from gitmem.write.sync_lock import SyncLock
from gitmem.write.sync_notes import unheard_notes
from gitmem.write.sync_result import BUSY, SYNCED, Synced
from gitmem.write.trust import trust_author
from gitmem.write.undo import redo, undo

WHEN = 1_796_000_000
Git = Callable[..., str]
ME = Actor("person")


@dataclass
class Machine:
    """One store with its own clock; each act is a second later."""

    root: Path
    git: Git
    who: str
    when: int = WHEN

    @property
    def environ(self) -> dict[str, str]:
        names = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in (
            ("NAME", self.who), ("EMAIL", f"{self.who}@example.org")
        )}  # fmt: skip
        return {**os.environ, **names}

    def now(self) -> int:
        self.when += 1
        return self.when

    def remember(self, name: str, text: str, **more: str) -> str:
        kept = remember(
            str(self.root), text.encode(), when=self.now(), actor=ME, environ=self.environ, name=name,
            tags=more.get("tags", "").split(",") if more.get("tags") else (),
        )  # fmt: skip
        return kept.path

    def edit(self, name: str, body: str | None = None, **fields: str) -> None:
        edit(
            str(self.root), name, when=self.now(), actor=ME, environ=self.environ,
            fields=list(fields.items()), body=body.encode() if body is not None else None,
        )  # fmt: skip

    def sync(
        self, name: str = "", *, rejoins: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> Synced:
        return sync(str(self.root), name, when=self.now(), environ=self.environ, rejoins=rejoins, progress=progress)

    def text(self, path: str) -> str:
        return (self.root / path).read_text()

    def refs(self, prefix: str = "refs/gitmem/") -> dict[str, str]:
        with open_repo(str(self.root)) as repo:
            return own_refs(repo.git, prefix)

    def conflicts(self) -> list[str]:
        with open_repo(str(self.root)) as repo:
            return [each.id for each in open_conflicts(repo)]

    def head(self) -> str:
        return self.git("rev-parse", "HEAD", cwd=self.root).strip()


def at_peace(*machines: Machine) -> None:
    """Both have the same commit and the same files, ordinary git agrees, and there are no markers."""
    assert len({machine.head() for machine in machines}) == 1
    for machine in machines:
        assert machine.git("status", "--porcelain", cwd=machine.root) == ""
        machine.git("fsck", "--strict", cwd=machine.root)
        for path in machine.root.rglob("*.md"):
            assert "<<<<<<<" not in path.read_text()


@pytest.fixture
def hub(tmp_path: Path, git: Git) -> Path:
    git("init", "-q", "--bare", "--initial-branch=main", str(tmp_path / "hub.git"))
    return tmp_path / "hub.git"


@pytest.fixture
def ada(tmp_path: Path, hub: Path, git: Git) -> Machine:
    """The first machine: its store is on the hub."""
    machine = Machine(tmp_path / "ada", git, "ada")
    init(str(machine.root), environ=machine.environ, when=WHEN)
    machine.remember("deploy", "# Deploy\n\nBack up first.\n\n## Order\n\nMigrate, then restart.\n", tags="a,b,c")
    with open_repo(str(machine.root)) as repo:
        add(repo.git, "origin", str(hub))
    machine.sync()
    return machine


@pytest.fixture
def bo(tmp_path: Path, hub: Path, ada: Machine, git: Git) -> Machine:
    """The second machine: a clone."""
    machine = Machine(tmp_path / "bo", git, "bo", WHEN + 1000)
    clone(str(hub), str(machine.root), environ=machine.environ, when=WHEN + 1000)
    return machine


@pytest.mark.cgit
def test_what_one_machine_writes_the_other_has_after_a_sync(ada: Machine, bo: Machine) -> None:
    """Promised as C1."""
    ada.remember("port", "Billing listens on 8443.")
    done = ada.sync()
    assert (done.state, done.sent, done.received) == (SYNCED, 1, 0)
    done = bo.sync()
    assert (done.sent, done.received, done.conflicts) == (0, 1, [])
    assert "8443" in bo.text("port.md")
    at_peace(ada, bo)
    head = bo.head()
    assert (bo.sync().received, bo.head()) == (0, head), "safe to repeat: nothing to merge, no commit"


@pytest.mark.cgit
def test_different_sections_of_one_memory_merge(ada: Machine, bo: Machine) -> None:
    """Promised as C2."""
    path = ada.root / "deploy.md"
    path.write_text(path.read_text().replace("Back up first.", "Back up twice."))
    other = bo.root / "deploy.md"
    other.write_text(other.read_text().replace("then restart", "then restart slowly"))
    ada.sync()
    done = bo.sync()
    assert done.edits == ["deploy.md"], "the hand edit was committed first, as the person's own"
    assert done.conflicts == []
    ada.sync()
    at_peace(ada, bo)
    assert "Back up twice." in ada.text("deploy.md")
    assert "restart slowly" in ada.text("deploy.md")
    assert set(bo.git("log", "--format=%an", "--grep=hand edit", cwd=bo.root).split()) == {"ada", "bo"}
    assert bo.git("log", "-1", "--format=%s", cwd=bo.root) == "merge: origin/main\n"
    assert "Gitmem-Op: merge" in bo.git("log", "-1", "--format=%B", cwd=bo.root)


@pytest.mark.cgit
def test_the_same_sentence_becomes_a_conflict_both_machines_see_and_either_resolves(
    ada: Machine, bo: Machine, hub: Path, git: Git
) -> None:
    """Promised as C3: nothing is lost, ancestry decides and not clocks."""
    bo.when -= 500_000
    for machine, text in ((ada, "Back up first, says Ada."), (bo, "Back up first, says Bo.")):
        path = machine.root / "deploy.md"
        path.write_text(path.read_text().replace("Back up first.", text))
    assert ada.sync().conflicts == []
    done = bo.sync()
    assert [each.path for each in done.conflicts] == ["deploy.md"]
    found = ada.sync()
    assert [each.id for each in found.conflicts] == [done.conflicts[0].id], "it is open here from now on"
    at_peace(ada, bo)
    assert ada.conflicts() == bo.conflicts() == [done.conflicts[0].id]
    with open_repo(str(ada.root)) as repo:
        record = open_conflicts(repo)[0]
        both = ada.text("deploy.md") + repo.objects.read(record.theirs, "blob").decode()
    assert "says Ada." in both
    assert "says Bo." in both
    assert git("for-each-ref", "refs/gitmem/conflicts", cwd=hub) != ""

    resolve(str(ada.root), record.id, "theirs", when=ada.now(), actor=ME, environ=ada.environ)
    ada.sync()
    bo.sync()
    at_peace(ada, bo)
    assert bo.conflicts() == []
    assert git("for-each-ref", "refs/gitmem/conflicts", cwd=hub) == ""

    undo(str(bo.root), bo.head(), when=bo.now(), actor=ME, environ=bo.environ)
    bo.sync()
    ada.sync()
    assert ada.conflicts() == bo.conflicts() == [record.id], (
        "a resolution that is taken back opens it again, everywhere"
    )


@pytest.mark.cgit
def test_archived_here_and_edited_there_keeps_the_edit_and_says_so(ada: Machine, bo: Machine) -> None:
    """Promised as C3; fault F55."""
    archive(str(ada.root), "deploy", reason="old", when=ada.now(), actor=ME, environ=ada.environ)
    bo.edit("deploy", body="Still needed.\n")
    ada.sync()
    done = bo.sync()
    ada.sync()
    at_peace(ada, bo)
    assert "Still needed." in ada.text("deploy.md")
    assert not (ada.root / "archive/deploy.md").exists()
    assert "archived on one side" in done.conflicts[0].words[0]


@pytest.mark.cgit
@pytest.mark.parametrize("who", ["ada", "bo"])
@pytest.mark.parametrize("way", ["archived", "removed"])
def test_what_stands_although_the_other_side_took_it_away_has_its_line_again(
    ada: Machine, bo: Machine, who: str, way: str
) -> None:
    """Promised as C3: with the person's wording, at its place, whichever machine merges."""
    for name in ("first", "second"):
        ada.remember(name, "text")
    listed = ada.root / "MEMORY.md"
    lines = [line for line in listed.read_text().splitlines() if "](" not in line]
    lines += [
        "- [first](first.md)",
        "- [How we ship](deploy.md): Ada's words",
        "  and more of them",
        "- [second](second.md)",
    ]
    listed.write_text("\n".join(lines) + "\n")
    before = listed.read_text()
    ada.sync()
    bo.sync()
    here, there = (ada, bo) if who == "ada" else (bo, ada)
    if way == "archived":
        archive(str(here.root), "deploy", reason="old", when=here.now(), actor=ME, environ=here.environ)
    else:
        (here.root / "deploy.md").unlink()
        text = here.text("MEMORY.md").replace("- [How we ship](deploy.md): Ada's words\n  and more of them\n", "")
        (here.root / "MEMORY.md").write_text(text)
        here.git("commit", "-qam", "removed", cwd=here.root)
    there.edit("deploy", body="Still needed.\n")
    ada.sync()
    assert [each.path for each in bo.sync().conflicts] == ["deploy.md"]
    ada.sync()
    at_peace(ada, bo)
    assert ada.text("MEMORY.md") == before


@pytest.mark.cgit
def test_a_bare_undo_passes_the_merge_of_a_sync_by(ada: Machine, bo: Machine) -> None:
    """Promised as B8: a merge is on the way, no work of one's own; named, it is taken back."""
    ada.remember("port", "from Ada")
    bo.edit("deploy", description="Bo's")
    ada.sync()
    bo.sync()
    with open_repo(str(bo.root)) as repo:
        assert "merge" not in {step.op for step in standing(repo)}
        assert find_operation(repo, "HEAD").id == bo.head()
    done = undo(str(bo.root), when=bo.now(), actor=ME, environ=bo.environ)
    assert done.subjects == ("edit: deploy",)
    bo.sync()
    redo(str(bo.root), when=bo.now(), actor=ME, environ=bo.environ)
    assert "Bo's" in bo.text("deploy.md")


@pytest.mark.cgit
def test_renamed_here_and_edited_there_is_both(ada: Machine, bo: Machine, git: Git) -> None:
    """Promised as C2; fault F57."""
    git("mv", "deploy.md", "release.md", cwd=ada.root)
    git("commit", "-q", "-m", "rename", cwd=ada.root)
    bo.edit("deploy", description="how we ship")
    ada.sync()
    assert bo.sync().conflicts == []
    ada.sync()
    at_peace(ada, bo)
    assert "how we ship" in ada.text("release.md")
    assert not (ada.root / "deploy.md").exists()


@pytest.mark.cgit
def test_lists_journal_and_tags_merge_by_what_they_hold(ada: Machine, bo: Machine) -> None:
    """Promised as C2; faults F52 and F54."""
    ada.remember("one", "from Ada")
    bo.remember("two", "from Bo")
    for machine, line in ((ada, "09:00 Ada did\n"), (bo, "08:00 Bo did\n")):
        (machine.root / "journal").mkdir(exist_ok=True)
        (machine.root / "journal/2026-11-30.md").write_text(line)
    ada.edit("deploy", tags="a, c")
    bo.edit("deploy", tags="a, b, c, d")
    ada.sync()
    assert bo.sync().conflicts == []
    ada.sync()
    at_peace(ada, bo)
    assert "](one.md)" in ada.text("MEMORY.md")
    assert "](two.md)" in ada.text("MEMORY.md")
    assert ada.text("journal/2026-11-30.md").splitlines() == ["08:00 Bo did", "09:00 Ada did"]
    assert list(known(read_memory("deploy.md", (ada.root / "deploy.md").read_bytes())).tags) == ["a", "c", "d"]


@pytest.mark.cgit
def test_criss_cross_machines_converge(ada: Machine, bo: Machine, tmp_path: Path, git: Git) -> None:
    """Each merges the other's old state at the same time; after two syncs both have one commit."""
    ada.edit("deploy", description="Ada's")
    bo.remember("extra", "Bo's own")
    for machine, other, name in ((ada, bo, "bo"), (bo, ada, "ada")):
        mirror = tmp_path / f"{name}.git"
        git("clone", "-q", "--bare", str(other.root), str(mirror))
        with open_repo(str(machine.root)) as repo:
            add(repo.git, name, str(mirror))
    ada.sync("bo")
    bo.sync("ada")
    assert ada.head() != bo.head()
    for machine in (ada, bo, ada, bo):
        machine.sync("origin")
    at_peace(ada, bo)
    assert ada.git("merge-base", "--all", "HEAD^1", "HEAD^2", cwd=ada.root).count("\n") >= 1


@pytest.mark.cgit
def test_a_conflict_names_who_wrote_the_text_and_not_who_merged_it(ada: Machine, bo: Machine, tmp_path: Path) -> None:
    """After a criss-cross both tips are merges by gitmem, and the newest commit of a side may be another memory's."""
    cy = Machine(tmp_path / "cy", ada.git, "cy", WHEN + 2000)
    clone(str(tmp_path / "hub.git"), str(cy.root), environ=cy.environ, when=cy.when)
    ada.when = WHEN + 5000  # the younger text stands: the one that is kept beside it is behind the merge
    ada.edit("deploy", "# Deploy\n\nBack up first.\n\n## Order\n\nRestart, then migrate.\n")
    ada.sync()
    bo.edit("deploy", "# Deploy\n\nBack up first.\n\n## Order\n\nNever on Fridays.\n")
    bo.remember("port", "Billing listens on 8443.")
    cy.remember("extra", "Cy's own, and nothing of the order")
    for one, other in ((cy, bo), (bo, cy)):
        with open_repo(str(one.root)) as repo:
            add(repo.git, other.who, str(other.root))
        with suppress(RemoteRefused):  # a working copy takes no push; what it has came here
            one.sync(other.who)
    for machine in (cy, bo):
        assert machine.git("log", "-1", "--format=%an", cwd=machine.root) == "gitmem\n"
    done = cy.sync("origin")
    with open_repo(str(cy.root)) as repo:
        (conflict,) = open_conflicts(repo)
    assert [each.id for each in done.conflicts] == [conflict.id]
    assert "Restart" in cy.text("deploy.md")
    assert conflict.who == "bo"


@pytest.mark.cgit
def test_a_text_that_is_not_utf_8_is_named_as_it_reads(ada: Machine, bo: Machine) -> None:
    """The heading in Latin-1, in what a sync says and in the record that travels; not a byte of it changes."""
    text = "# Größe der Straße\n\n## Übersicht\n\n{}\n"
    (ada.root / "size.md").write_bytes(text.format("Dienstags.").encode("latin-1"))
    ada.sync()
    bo.sync()
    for machine, day in ((ada, "Montags."), (bo, "Freitags.")):
        (machine.root / "size.md").write_bytes(text.format(day).encode("latin-1"))
    ada.sync()
    (found,) = bo.sync().conflicts
    assert found.words == ('section "# Größe der Straße > ## Übersicht"',)
    (there,) = ada.sync().conflicts
    assert there.words == found.words
    assert ada.root.joinpath("size.md").read_bytes() == bo.root.joinpath("size.md").read_bytes()
    assert ada.root.joinpath("size.md").read_bytes().startswith("# Größe der Straße\n".encode("latin-1"))


@pytest.mark.cgit
def test_unrelated_stores_are_joined_by_ids(ada: Machine, hub: Path, tmp_path: Path, git: Git) -> None:
    """Promised as C5; fault F38: nothing is lost, the same id on both sides is a conflict."""
    bo = Machine(tmp_path / "own", git, "bo", WHEN + 5000)
    init(str(bo.root), environ=bo.environ, when=WHEN + 5000)
    bo.remember("mine", "Bo's own memory")
    shutil.copy(ada.root / "deploy.md", bo.root / "copied.md")
    (bo.root / "copied.md").write_text(ada.text("deploy.md").replace("Back up first.", "Never back up."))
    with open_repo(str(bo.root)) as repo:
        add(repo.git, "origin", str(hub))
    done = bo.sync()
    assert "origin/main shares no history with this store: the two were joined, nothing is lost" in done.notes
    ada.sync()
    at_peace(ada, bo)
    assert "Bo's own" in ada.text("mine.md")
    everything = "".join(path.read_text() for path in ada.root.rglob("*.md"))
    assert len(done.conflicts) == 1, "one memory by its id, and its two texts"
    with open_repo(str(ada.root)) as repo:
        everything += repo.objects.read(open_conflicts(repo)[0].theirs, "blob").decode()
    assert "Back up first." in everything
    assert "Never back up." in everything


@pytest.mark.cgit
def test_an_untracked_memory_in_the_way_is_committed_and_merged(ada: Machine, bo: Machine) -> None:
    """Fault F58: nothing untracked is ever overwritten."""
    ada.remember("note", "Ada wrote this.")
    (bo.root / "note.md").write_text("Bo wrote this.\n")
    ada.sync()
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
    assert "Ada wrote this." in bo.text("note.md")
    assert "Bo wrote this." in bo.text("note.md")


@pytest.mark.cgit
@pytest.mark.parametrize("kind", ["file", "folder", "link"])
def test_anything_else_in_the_way_is_moved_aside_and_named(ada: Machine, bo: Machine, git: Git, kind: str) -> None:
    """Fault F58."""
    (ada.root / "plan.txt").write_text("from Ada\n")
    git("add", "plan.txt", cwd=ada.root)
    git("commit", "-q", "-m", "plan", cwd=ada.root)
    mine = bo.root / "plan.txt"
    if kind == "file":
        mine.write_text("Bo's, never committed\n")
    elif kind == "folder":
        mine.mkdir()
        (mine / "inside").write_text("Bo's, never committed\n")
    else:
        mine.symlink_to("/etc/passwd")
    ada.sync()
    done = bo.sync()
    assert "plan.txt stood in the way of a file from origin and is called plan.local-1.txt now" in done.notes
    assert bo.text("plan.txt") == "from Ada\n"
    aside = bo.root / "plan.local-1.txt"
    if kind == "link":
        assert os.readlink(aside) == "/etc/passwd"
    else:
        assert (aside / "inside" if kind == "folder" else aside).read_text() == "Bo's, never committed\n"


@pytest.mark.cgit
def test_a_secret_in_a_hand_edit_holds_back_that_file_alone(ada: Machine, bo: Machine) -> None:
    """Promised as L5."""
    secret = "AKIA" + "QX7RT5WZ2PLM9KD4"
    (ada.root / "keys.md").write_text(f"the key is {secret}\n")
    (ada.root / "fine.md").write_text("nothing to hide\n")
    done = ada.sync()
    assert (done.edits, done.held) == (["fine.md"], ["keys.md"])
    assert any(note.startswith("keys.md:1: this looks like a secret") for note in done.notes)
    bo.sync()
    assert (bo.root / "fine.md").exists()
    assert not (bo.root / "keys.md").exists()
    (ada.root / "keys.md").write_text(f"the key is {secret} <!-- gitmem: allow-secret -->\n")
    assert ada.sync().held == []
    bo.sync()
    at_peace(ada, bo)


@pytest.mark.cgit
def test_every_secret_that_is_held_back_is_named_with_its_line(ada: Machine, bo: Machine) -> None:
    """Promised as L5; of very many how many more there are."""
    key = "key AKIA" + "QX7RT5WZ2PLM9KD4\n"
    (ada.root / "a.md").write_text(f"one\n{key}two\n{key.replace('AKIAQ', 'AKIAZ')}")
    (ada.root / "b.md").write_text(key)
    (ada.root / "merge.md").write_text("<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> bo\n")
    (ada.root / "fine.md").write_text("nothing secret here\n")
    done = ada.sync()
    assert sorted(done.held) == ["a.md", "b.md", "merge.md"]
    assert done.edits == ["fine.md"]
    said = "\n".join(done.notes)
    for place in ("a.md:2: ", "a.md:4: ", "b.md:1: ", "merge.md:1: "):
        assert place in said
    assert "these 2 files are held back: not committed and not sent. Say where the secret is kept" in said
    for number in range(12):
        (ada.root / f"many-{number:02}.md").write_text(key)
    said = "\n".join(ada.sync().notes)
    assert said.count("this looks like a secret") == 10
    assert "and 5 more; see them all: gitmem audit" in said


@pytest.mark.cgit
def test_most_memories_gone_from_the_folder_is_not_spread(ada: Machine, bo: Machine) -> None:
    """An unmounted disk is no wish to delete."""
    for number in range(6):
        ada.remember(f"note-{number}", f"text {number}")
    ada.sync()
    bo.sync()
    for path in bo.root.glob("note-*.md"):
        path.unlink()
    done = bo.sync()
    assert any("6 memories are gone from the folder" in note for note in done.notes)
    ada.sync()
    assert len(list(ada.root.glob("note-*.md"))) == 6
    bo.git("checkout", "--", ".", cwd=bo.root)
    assert bo.sync().notes == []
    (bo.root / "note-1.md").unlink()
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
    assert not (ada.root / "note-1.md").exists(), "one that was deleted by hand is deleted"


@pytest.mark.cgit
def test_rollback_points_travel_and_so_does_their_removal(ada: Machine, bo: Machine, git: Git, hub: Path) -> None:
    """Promised as C4; fault F44."""
    point = make_point(str(ada.root), "before", when=ada.now(), actor=ME, environ=ada.environ)
    ada.sync()
    bo.sync()
    ref = f"refs/gitmem/rollback/{point}"
    assert ref in bo.refs()
    git("update-ref", "-d", ref, cwd=bo.root)
    bo.sync()
    ada.sync()
    assert ref not in ada.refs()
    assert git("for-each-ref", "refs/gitmem/rollback", cwd=hub) == ""


@pytest.mark.cgit
def test_plain_git_fetch_brings_gitmems_refs_and_breaks_nothing(ada: Machine, bo: Machine, git: Git) -> None:
    """Promised as C4."""
    point = make_point(str(ada.root), "before", when=ada.now(), actor=ME, environ=ada.environ)
    ada.sync()
    git("fetch", "-q", cwd=bo.root)
    assert f"refs/gitmem/remotes/origin/rollback/{point}" in bo.refs()
    bo.sync()
    assert f"refs/gitmem/rollback/{point}" in bo.refs(), "what a person's own fetch brought is new all the same"
    ada.sync()
    assert f"refs/gitmem/rollback/{point}" in ada.refs()


@pytest.mark.cgit
def test_the_second_sync_of_a_store_says_so_and_leaves(ada: Machine) -> None:
    """Promised as C1: safe from cron and from two shells."""
    with open_repo(str(ada.root)) as repo, SyncLock(repo.git.common, "origin") as lock:
        assert lock.is_held
        assert ada.sync().state == BUSY


@pytest.mark.cgit
def test_twins_by_case_get_another_name_on_arrival(ada: Machine, bo: Machine, git: Git) -> None:
    """Faults F20 and F21."""
    for path, text in (("Deploy.md", "another memory\n"), ("Notes/a.md", "a\n"), ("notes/b.md", "b\n")):
        (ada.root / path).parent.mkdir(exist_ok=True)
        (ada.root / path).write_text(text)
    git("add", "-A", cwd=ada.root)
    git("commit", "-q", "-m", "twins", cwd=ada.root)
    ada.sync()
    done = bo.sync()
    assert "Deploy.md is called Deploy-2.md now: on many systems its name was another file's" in done.notes
    ada.sync()
    at_peace(ada, bo)
    assert bo.text("Deploy-2.md") == "another memory\n"
    assert (bo.text("Notes/a.md"), bo.text("Notes/b.md")) == ("a\n", "b\n")


@pytest.mark.cgit
def test_what_would_lead_out_of_the_store_is_not_taken(ada: Machine, bo: Machine, git: Git, hub: Path) -> None:
    """Faults F97 and F98: a tree is data of a stranger."""
    blob = git("rev-parse", "HEAD:deploy.md", cwd=ada.root).strip()
    inner = git("mktree", cwd=ada.root, stdin=f"100755 blob {blob}\tpost-checkout\n").strip()
    hooks = git("mktree", cwd=ada.root, stdin=f"040000 tree {inner}\thooks\n").strip()
    rest = git("ls-tree", "HEAD", cwd=ada.root)
    tree = git("mktree", cwd=ada.root, stdin=f"{rest}040000 tree {hooks}\t.GIT\n").strip()
    commit = git("commit-tree", tree, "-p", "HEAD", "-m", "evil", cwd=ada.root).strip()
    git("push", "-q", "origin", f"{commit}:main", cwd=ada.root)
    before = bo.head()
    with pytest.raises(Exception, match="origin/main holds a file that no store may hold"):
        bo.sync()
    assert bo.head() == before
    assert not (bo.root / ".git/hooks/post-checkout").exists()


@pytest.mark.cgit
def test_a_large_arrival_comes_whole(ada: Machine, bo: Machine, git: Git) -> None:
    """More files than a process may hold open."""
    for number in range(600):
        path = ada.root / f"many/{number % 7}/note-{number}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"text {number}\n")
    ada.sync()
    bo.remember("own", "meanwhile")
    steps: list[tuple[int, int]] = []
    bo.sync(progress=lambda done, total: steps.append((done, total)))
    assert steps[-1] == (602, 602), "the search index looks at the whole store once, and says how far it is"
    index = open_index(str(bo.root / ".git"))
    assert index is not None
    assert index.documents == 602
    index.close()
    ada.sync()
    at_peace(ada, bo)
    assert len(list(bo.root.glob("many/*/*.md"))) == 600


@pytest.mark.cgit
def test_a_machine_whose_folder_was_copied_gets_an_id_of_its_own(ada: Machine, tmp_path: Path, git: Git) -> None:
    """Promised as C7: two machines never share a heartbeat."""
    copy = Machine(tmp_path / "copy", git, "copy", WHEN + 900)
    shutil.copytree(ada.root, copy.root)
    ada.remember("one", "from the first")
    ada.sync()
    git("config", "gitmem.machine", "the-copy", cwd=copy.root)
    copy.remember("two", "from the copy")
    copy.sync()
    ada.sync()
    names = [path.read_text().strip() for path in (ada.root / ".git/gitmem/machine", copy.root / ".git/gitmem/machine")]
    assert names[0] != names[1]


@pytest.mark.cgit
@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_one_conflict_settled_in_two_ways_is_a_new_conflict(ada: Machine, bo: Machine, first: str) -> None:
    """Promised as C3: neither decision is dropped without a word."""
    for machine, text in ((ada, "On Wednesday."), (bo, "On Friday.")):
        path = machine.root / "deploy.md"
        path.write_text(path.read_text().replace("Back up first.", text))
    ada.sync()
    bo.sync()
    ada.sync()
    (name,) = ada.conflicts()
    for machine, way in ((ada, first), (bo, "theirs" if first == "ours" else "ours")):
        resolve(str(machine.root), name, way, when=machine.now(), actor=ME, environ=machine.environ)
    ada.sync()
    done = bo.sync()
    assert [each.path for each in done.conflicts] == ["deploy.md"]
    assert done.conflicts[0].words[0] == "the conflict was settled on both sides, differently"
    assert [each.path for each in ada.sync().conflicts] == ["deploy.md"]
    at_peace(ada, bo)
    assert ada.conflicts() == bo.conflicts() == [done.conflicts[0].id]
    with open_repo(str(ada.root)) as repo:
        both = ada.text("deploy.md") + repo.objects.read(open_conflicts(repo)[0].theirs, "blob").decode()
    assert "On Wednesday." in both
    assert "On Friday." in both
    resolve(str(ada.root), ada.conflicts()[0], "ours", when=ada.now(), actor=ME, environ=ada.environ)
    ada.sync()
    bo.sync()
    at_peace(ada, bo)
    assert ada.conflicts() == bo.conflicts() == []


@pytest.mark.cgit
def test_choosing_the_archiving_archives_the_text_that_is_there(ada: Machine, bo: Machine) -> None:
    """Promised as C3, B6: what has the marks of the archive lies in the archive, and nowhere else."""
    archive(str(ada.root), "deploy", reason="old", when=ada.now(), actor=ME, environ=ada.environ)
    bo.edit("deploy", body="Still needed.\n")
    ada.sync()
    (found,) = bo.sync().conflicts
    resolve(str(bo.root), found.id, "theirs", when=bo.now(), actor=ME, environ=bo.environ)
    assert not (bo.root / "deploy.md").exists()
    assert "Still needed." in bo.text("archive/deploy.md")
    assert "archive_reason: old" in bo.text("archive/deploy.md")
    assert "deploy.md" not in bo.text("MEMORY.md")
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
    restore(str(ada.root), "deploy", when=ada.now(), actor=ME, environ=ada.environ)
    assert "archive" not in ada.text("deploy.md")
    assert "(deploy.md)" in ada.text("MEMORY.md")


@pytest.mark.cgit
def test_both_archived_one_memory_and_nothing_is_to_be_decided(ada: Machine, bo: Machine) -> None:
    """A reason that somebody gave stands, and the earlier time."""
    archive(str(ada.root), "deploy", when=ada.now(), actor=ME, environ=ada.environ)
    archive(str(bo.root), "deploy", reason="replaced", when=bo.now(), actor=ME, environ=bo.environ)
    times = [read_memory("a.md", (each.root / "archive/deploy.md").read_bytes()).fields for each in (ada, bo)]
    ada.sync()
    assert bo.sync().conflicts == []
    ada.sync()
    at_peace(ada, bo)
    fields = read_memory("a.md", (ada.root / "archive/deploy.md").read_bytes()).fields
    assert fields["archive_reason"] == "replaced"
    assert fields["archived_at"] == min(str(each["archived_at"]) for each in times)


@pytest.mark.cgit
def test_a_merge_that_was_not_finished_is_not_committed(ada: Machine, bo: Machine) -> None:
    """Fault F60: the file with the markers waits, its neighbours do not."""
    (ada.root / "deploy.md").write_text(ada.text("deploy.md") + "\n<<<<<<< HEAD\none\n=======\ntwo\n>>>>>>> bo\n")
    (ada.root / "fine.md").write_text("nothing amiss\n")
    done = ada.sync()
    assert (done.edits, done.held) == (["fine.md"], ["deploy.md"])
    (said,) = [note for note in done.notes if note.startswith("deploy.md:")]
    assert "a conflict marker, `<<<<<<< HEAD`: a merge was not finished; the file is held back" in said
    assert said.endswith("Choose the text that stays and take the marker lines out")
    bo.sync()
    at_peace(bo)
    bo.edit("deploy", description="new")
    bo.sync()
    with pytest.raises(RepositoryBusy, match="a conflict marker") as busy:
        ada.sync()
    assert busy.value.hint == "take the marker lines out of the file, then: gitmem sync"


@pytest.mark.cgit
def test_two_files_of_one_name_in_stores_that_never_met_each_keep_their_line(
    ada: Machine, hub: Path, tmp_path: Path, git: Git
) -> None:
    """Promised as C5: the list names each file as it is called now, in its owner's words."""
    bo = Machine(tmp_path / "own", git, "bo", WHEN + 5000)
    init(str(bo.root), environ=bo.environ, when=WHEN + 5000)
    ada.remember("lovelace", "Ada likes tea")
    bo.remember("lovelace", "Bo likes coffee")
    ada.sync()
    with open_repo(str(bo.root)) as repo:
        add(repo.git, "origin", str(hub))
    done = bo.sync()
    ada.sync()
    at_peace(ada, bo)
    assert done.conflicts == []
    listed = {line.partition("](")[2].partition(")")[0]: line for line in bo.text("MEMORY.md").splitlines()}
    for path in ("lovelace.md", "lovelace-2.md"):
        drink = "tea" if "tea" in bo.text(path) else "coffee"
        assert drink in listed[path]
    mine = "lovelace-2.md" if "coffee" in bo.text("lovelace-2.md") else "lovelace.md"
    whose, other = ("yours", "origin's") if mine == "lovelace-2.md" else ("origin's", "yours")
    assert (
        f"both sides have a file lovelace.md of their own: {whose} is called lovelace-2.md now, {other} keeps the name"
    ) in done.notes


@pytest.mark.cgit
def test_what_came_from_a_new_author_is_said_with_what_to_type(ada: Machine, bo: Machine) -> None:
    """Promised as L7: what is not recalled yet is no secret."""
    bo.remember("port", "Billing listens on 8443.")
    bo.sync()
    found = ada.sync().unheard
    assert found == {"port.md": "bo@example.org", "MEMORY.md": "bo@example.org"}
    assert unheard_notes(found, " --store /s") == [
        "bo@example.org is new here: 1 memory and MEMORY.md wait, not recalled; look: gitmem status --store /s   "
        "then: gitmem trust --author bo@example.org --store /s"
    ]
    trust_author([str(ada.root)], "bo@example.org")
    bo.remember("tea", "In the kitchen.")
    bo.sync()
    assert ada.sync().unheard == {}


@pytest.mark.cgit
def test_what_a_hand_did_to_the_folder_is_said_for_what_it_is(ada: Machine) -> None:
    """Removed, renamed, edited: a person sees what goes on every machine."""
    for name in ("one", "two", "three"):
        ada.remember(name, f"text {name}")
    (ada.root / "one.md").unlink()
    (ada.root / "two.md").rename(ada.root / "second.md")
    (ada.root / "three.md").write_text(ada.text("three.md") + "more\n")
    notes = ada.sync().notes
    commit = ada.git("log", "--diff-filter=D", "--format=%h", "--abbrev=10", "-1", "--", "one.md", cwd=ada.root).strip()
    assert notes[:3] == [
        "you renamed two.md to second.md; that was committed",
        f"you removed one.md; that was committed, and it goes on every machine   (not meant? gitmem undo {commit})",
        "your own edit of three.md was committed",
    ]


@pytest.mark.cgit
def test_the_list_is_no_memory_that_is_gone(ada: Machine) -> None:
    for number in range(6):
        ada.remember(f"note-{number}", f"text {number}")
    ada.sync()
    for path in ada.root.glob("*.md"):
        path.unlink()
    assert any(note.startswith("7 memories are gone from the folder") for note in ada.sync().notes)
