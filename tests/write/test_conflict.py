"""Conflicts settled: each way is a merge commit that keeps both texts, and the ref goes with it (B3)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Exists, Locked, NotFound, Refused, Stale, Usage
from gitmem.history.commit import FileChange
from gitmem.history.conflict import conflict_id, find_conflict, open_conflicts, record
from gitmem.history.ownrefs import RefMove
from gitmem.history.repo import open_repo
from gitmem.history.view import View
from gitmem.memory.archived import with_marks
from gitmem.memory.document import blob_id, read_memory
from gitmem.memory.field import known
from gitmem.write.apply import Applied, apply
from gitmem.write.archive import archive, restore
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.conflict import resolve
from gitmem.write.locks import lock
from gitmem.write.memory import Kept, edit
from gitmem.write.undo import redo, undo

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
PERSON = Actor("person")
TEXT = b"---\nname: deploy\ndescription: how\nmetadata:\n  id: 01KB9V6Q3M4X1T0Z8H2N5R7C9D\n---\n\nBackup.\n"


def conflicts(root: Path) -> list[str]:
    with open_repo(str(root)) as repo:
        return [each.id for each in open_conflicts(repo)]


def settle(root: Path, way: str, text: bytes | None = None, name: str = "", actor: Actor = PERSON) -> Kept:
    name = name or conflicts(root)[0]
    return resolve(str(root), name, way, when=WHEN + 50, actor=actor, environ=os.environ, text=text)


def blob(git: Git, root: Path, path: str, ref: str = "HEAD") -> bytes:
    return subprocess.run(["git", "show", f"{ref}:{path}"], cwd=root, capture_output=True, check=True).stdout


def keep(root: Path, path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> str:
    """Put a conflict record into the store, as a merge of two machines does."""

    def make(reader: Reader) -> list[FileChange]:
        who = reader.person
        name, commit = record(reader.repo, path, (base, ours, theirs), who, who, WHEN)
        change.refs = [RefMove(f"refs/gitmem/conflicts/{name}", "", commit)]
        return []

    change = Change("sync", "", "", PERSON, make)
    apply(str(root), change, WHEN, os.environ)
    return conflict_id(path, base, ours, theirs)


@pytest.fixture
def stale(store: Path, save: Save) -> Path:
    """A store with one open conflict: ours says Friday, theirs says migrate."""
    save("MEMORY.md", "# Memory\n\n- [deploy](deploy.md) — how\n")
    save("deploy.md", TEXT)
    read = blob_id(TEXT)
    save("deploy.md", TEXT.replace(b"Backup.", b"Never on a Friday."))
    with pytest.raises(Stale):
        edit(str(store), "deploy", when=WHEN, actor=PERSON, environ=os.environ, body="Migrate.\n", if_revision=read)
    return store


def check_settled(git: Git, root: Path, record_id: str) -> None:
    """A merge commit keeps the record; nothing is open; git finds nothing wrong."""
    assert conflicts(root) == []
    assert git("rev-parse", "HEAD^2", cwd=root).strip() == record_id
    assert git("status", "--porcelain", cwd=root) == ""
    assert git("for-each-ref", "refs/gitmem", cwd=root) == ""
    git("fsck", "--strict", cwd=root)
    texts = git("log", "-p", "-m", "--format=", cwd=root)
    assert "+Never on a Friday." in texts
    assert "+Migrate." in texts


@pytest.mark.parametrize(
    ("way", "text", "expected"),
    [
        ("ours", None, "Never on a Friday.\n"),
        ("theirs", None, "Migrate.\n"),
        ("both", None, "Never on a Friday.\n"),
        ("edited", b"Migrate, but never on a Friday.\n", "Migrate, but never on a Friday.\n"),
    ],
)
def test_each_way_is_a_merge_commit_that_keeps_both_texts(
    stale: Path, git: Git, way: str, text: bytes | None, expected: str
) -> None:
    """B3: the user decides, and neither text is lost."""
    tip = git("rev-parse", f"refs/gitmem/conflicts/{conflicts(stale)[0]}", cwd=stale).strip()

    kept = settle(stale, way, text)

    assert (stale / "deploy.md").read_text().endswith(f"---\n\n{expected}")
    check_settled(git, stale, tip)
    assert kept.revision == blob_id((stale / kept.path).read_bytes())
    said = git("log", "-1", "--format=%B", cwd=stale)
    assert f"Gitmem-Kept: {way}" in said


def test_both_puts_the_other_text_beside_it_with_an_id_of_its_own(stale: Path, git: Git) -> None:
    """`conflict_of` names the memory; the list gets a line; a name that is taken is counted up."""
    (stale / "deploy-2.md").write_text("taken\n")
    (stale / "Deploy-3.md").write_text("taken on some systems\n")

    kept = settle(stale, "both")

    assert kept.path == "deploy-4.md"
    facts = known(read_memory(kept.path, (stale / kept.path).read_bytes()))
    assert facts.id not in ("", "01KB9V6Q3M4X1T0Z8H2N5R7C9D")
    assert "conflict_of: 01KB9V6Q3M4X1T0Z8H2N5R7C9D" in (stale / kept.path).read_text()
    assert "(deploy-4.md)" in (stale / "MEMORY.md").read_text()


def test_a_whole_memory_may_be_the_answer(stale: Path) -> None:
    """With a head of its own it is taken byte for byte; a body gets the head that is there."""
    whole = TEXT.replace(b"Backup.", b"All of it.").replace(b"how", b"how to")
    settle(stale, "edited", whole)
    assert (stale / "deploy.md").read_bytes() == whole
    assert "how to" in (stale / "MEMORY.md").read_text()


def test_the_person_is_told_when_the_memory_moved_on(stale: Path, git: Git, save: Save) -> None:
    """The chosen text replaces what was written after the conflict arose; that is said, and how to get it back."""
    newer = TEXT.replace(b"Backup.", b"Newer.")
    save("deploy.md", newer)

    kept = settle(stale, "theirs")

    (said,) = kept.notes
    assert said.startswith("deploy.md was changed after this conflict arose; that text stays in history: gitmem diff ")
    assert blob_id(newer)[:10] in said
    assert b"Migrate." in (stale / "deploy.md").read_bytes()
    assert blob(git, stale, "deploy.md", "HEAD^1") == newer


def test_ours_keeps_what_is_there_now(stale: Path, save: Save) -> None:
    """Also when that is a later text; the answer names the revision of now."""
    newer = TEXT.replace(b"Backup.", b"Newer.")
    save("deploy.md", newer)
    kept = settle(stale, "ours")
    assert kept.revision == blob_id(newer)
    assert kept.notes == ()


def test_an_edit_that_is_not_committed_is_committed_before_it_is_replaced(stale: Path, git: Git) -> None:
    """DESIGN 4: a hand edit is never overwritten unseen."""
    (stale / "deploy.md").write_bytes(TEXT.replace(b"Backup.", b"By hand."))
    kept = settle(stale, "theirs")
    assert b"By hand." in blob(git, stale, "deploy.md", "HEAD^1")
    assert any("your own edit of deploy.md was committed first" in note for note in kept.notes)


def test_a_conflict_is_settled_once(stale: Path) -> None:
    """The second person is told so, and nothing is changed."""
    name = conflicts(stale)[0]
    settle(stale, "ours")
    before = (stale / "deploy.md").read_bytes()
    with pytest.raises(NotFound, match=f'no open conflict is called "{name}"') as refused:
        settle(stale, "theirs", name=name)
    assert refused.value.hint == "gitmem conflict list"
    assert (stale / "deploy.md").read_bytes() == before


def test_a_conflict_is_found_by_the_beginning_of_its_id_and_by_its_memory(stale: Path) -> None:
    """What fits several names them all."""
    name = conflicts(stale)[0]
    with open_repo(str(stale)) as repo:
        for asked in (name, name[:5], f"refs/gitmem/conflicts/{name}", "deploy.md", "deploy"):
            assert find_conflict(repo, asked).id == name
        with pytest.raises(NotFound):
            find_conflict(repo, "")
    other = keep(stale, "deploy.md", TEXT, (stale / "deploy.md").read_bytes(), TEXT + b"x\n")
    with open_repo(str(stale)) as repo, pytest.raises(NotFound, match='"deploy" fits 2 conflicts') as refused:
        find_conflict(repo, "deploy")
    assert name in refused.value.message
    assert other in refused.value.message


@pytest.mark.parametrize("actor", [Actor("model", agent="x"), Actor("run"), Actor("import")])
def test_only_a_person_decides(stale: Path, actor: Actor) -> None:
    """B3, and the reviewer's own rule: the user decides."""
    with pytest.raises(Refused, match=f"a {actor.kind} may not resolve a conflict; a person decides"):
        settle(stale, "theirs", actor=actor)
    assert len(conflicts(stale)) == 1


def test_theirs_may_be_that_the_memory_is_gone(store: Path, git: Git, save: Save) -> None:
    """The file goes, and its line in the list; --both has no second text."""
    save("MEMORY.md", "# Memory\n\n- [deploy](deploy.md) — how\n- [x](x.md) and [deploy](deploy.md)\n")
    save("deploy.md", TEXT)
    newer = TEXT + b"more\n"
    save("deploy.md", newer)
    keep(store, "deploy.md", TEXT, newer, None)

    with pytest.raises(Usage, match="there is no second text to keep"):
        settle(store, "both")
    kept = settle(store, "theirs")

    assert kept.revision == ""
    assert not (store / "deploy.md").exists()
    assert (store / "MEMORY.md").read_text() == "# Memory\n\n- [x](x.md) and deploy\n"
    assert git("status", "--porcelain", cwd=store) == ""


def test_a_locked_memory_is_not_removed_by_a_conflict(store: Path, save: Save) -> None:
    """B7: by no rule, no run and no button."""
    save("deploy.md", TEXT)
    newer = TEXT + b"more\n"
    save("deploy.md", newer)
    lock(str(store), "deploy", when=WHEN, actor=PERSON, environ=os.environ)
    keep(store, "deploy.md", TEXT, newer, None)
    with pytest.raises(Locked):
        settle(store, "theirs")
    assert (store / "deploy.md").read_bytes() == newer
    assert len(conflicts(store)) == 1


def test_ours_may_be_that_the_memory_is_gone(store: Path, git: Git, save: Save) -> None:
    """Theirs brings it back, with a line in the list; both has only one text; ours leaves it gone."""
    save("MEMORY.md", "# Memory\n\n")
    save("deploy.md", TEXT)
    save("deploy.md", None)
    keep(store, "deploy.md", TEXT, None, TEXT + b"late\n")

    with pytest.raises(Usage, match=r"deploy\.md is gone, so there is only one text to keep"):
        settle(store, "both")
    settle(store, "theirs")
    assert (store / "deploy.md").read_bytes() == TEXT + b"late\n"
    assert "(deploy.md)" in (store / "MEMORY.md").read_text()

    undo(str(store), when=WHEN + 60, actor=PERSON, environ=os.environ)
    kept = settle(store, "ours")
    assert (kept.revision, kept.path) == ("", "deploy.md")
    assert not (store / "deploy.md").exists()


@pytest.mark.parametrize("path", ["MEMORY.md", ".gitmem/config.yaml"])
def test_what_is_no_memory_cannot_stand_beside_itself(store: Path, save: Save, path: str) -> None:
    """There is one list and one file of settings."""
    base, ours, theirs = b"format: 1\n", b"format: 1\n# a\n", b"format: 1\n# b\n"
    save(path, base)
    save(path, ours)
    keep(store, path, base, ours, theirs)
    with pytest.raises(Usage, match="is no memory, so its other text cannot stand beside it"):
        settle(store, "both")
    settle(store, "theirs")
    assert (store / path).read_bytes() == theirs


def test_a_very_long_name_gets_room_for_a_number(store: Path, git: Git, save: Save) -> None:
    """255 bytes are all a file system allows."""
    path = "n" * 252 + ".md"
    (store / path).write_bytes(TEXT)
    git("add", ".", cwd=store)
    git("commit", "-qm", "adopted", cwd=store)
    save(path, TEXT + b"ours\n")
    keep(store, path, TEXT, TEXT + b"ours\n", TEXT + b"theirs\n")
    kept = settle(store, "both")
    assert kept.path == "n" * 120 + "-2.md"


def test_a_record_is_told_from_any_other_commit_under_its_ref(stale: Path, git: Git) -> None:
    """Somebody may put any commit there; it is passed over and nothing breaks."""
    head = git("rev-parse", "HEAD", "HEAD~1^{tree}", cwd=stale).split()
    git("update-ref", "refs/gitmem/conflicts/person", head[0], cwd=stale)
    git("update-ref", "refs/gitmem/conflicts/tree", head[1], cwd=stale)
    assert len(conflicts(stale)) == 1


def test_a_record_is_found_even_where_the_branch_holds_the_other_text(store: Path, git: Git, save: Save) -> None:
    """The record changes one file against its parent, whatever HEAD is: else it would be no record."""
    save("deploy.md", TEXT)
    save("deploy.md", TEXT + b"one\n")
    save("deploy.md", TEXT + b"two\n")

    with open_repo(str(store)) as repo:
        view = View(repo, os.environ)
        head, who = view.head, view.people()[1]

    def make(reader: Reader) -> list[FileChange]:
        sides = (TEXT, TEXT + b"work\n", TEXT + b"two\n")
        name, commit = record(reader.repo, "deploy.md", sides, who, who, WHEN, parent=head)
        change.refs = [RefMove(f"refs/gitmem/conflicts/{name}", "", commit)]
        return []

    change = Change("rollback", "", "", PERSON, make)
    apply(str(store), change, WHEN, os.environ)
    with open_repo(str(store)) as repo:
        (found,) = open_conflicts(repo)
    assert (found.base, found.theirs) == (blob_id(TEXT), blob_id(TEXT + b"two\n"))


def test_the_id_does_not_depend_on_who_came_first_or_when(git: Git) -> None:
    """F56: on every machine the same conflict has the same id; dates in the head do not count."""
    base, one, two = TEXT, TEXT + b"one\n", TEXT + b"two\n"

    def dated(data: bytes, day: int) -> bytes:
        return data.replace(b"---\n", b"---\nupdated: 2026-11-%02d\n" % day, 1)

    assert conflict_id("a.md", base, one, two) == conflict_id("a.md", base, two, one)
    assert conflict_id("a.md", base, one, dated(two, 1)) == conflict_id("a.md", base, one, dated(two, 2))
    assert len({conflict_id("a.md", base, one, side) for side in (None, base, two)}) == 3
    assert conflict_id("a.md", base, one, two) != conflict_id("b.md", base, one, two)


def move(git: Git, root: Path, way: str) -> Path:
    """Rename or archive the memory of the conflict; where it lies then."""
    if way == "archived":
        archive(str(root), "deploy", when=WHEN + 40, actor=PERSON, environ=os.environ)
        return root / "archive/deploy.md"
    git("mv", "deploy.md", "ops.md", cwd=root)
    git("commit", "-qm", "mv", cwd=root)
    return root / "ops.md"


@pytest.mark.parametrize("way", ["renamed", "archived"])
@pytest.mark.parametrize("side", ["ours", "theirs", "both", "edited"])
def test_a_conflict_follows_its_memory(stale: Path, git: Git, way: str, side: str) -> None:
    """Renamed or archived since: the text lands where the memory lies, never in a second file of the old name."""
    place = move(git, stale, way)
    before = place.read_text()
    text = b"All new.\n" if side == "edited" else None
    kept = settle(stale, side, text, name=place.stem if way == "renamed" else "")
    assert not (stale / "deploy.md").exists()
    words = {"ours": "Never on a Friday.", "theirs": "Migrate.", "both": "Never on a Friday.", "edited": "All new."}
    assert words[side] in place.read_text()
    assert ("archived_at" in place.read_text()) == (way == "archived")
    if side in ("ours", "both"):
        assert place.read_text() == before
    beside = "ops-2.md" if way == "renamed" else "deploy-2.md"
    path = str(place.relative_to(stale))
    assert kept.path == (beside if side == "both" else path)
    assert (stale / beside).exists() == (side == "both")
    assert f"Gitmem-Memory: {path}\n" in git("log", "-1", "--format=%B", cwd=stale)
    assert conflicts(stale) == []
    assert git("status", "--porcelain", cwd=stale) == ""
    if way == "archived":
        restore(str(stale), "deploy", when=WHEN + 60, actor=PERSON, environ=os.environ)
        assert "archived_at" not in (stale / "deploy.md").read_text()
    git("fsck", "--strict", cwd=stale)


def test_a_text_that_the_record_holds_already_can_be_chosen(store: Path, git: Git, save: Save) -> None:
    """Another machine's merge kept a secret and a large text in a record; git has them, and a person decides."""
    save("a.md", "base\n")
    token = b"ghp_" + b"aB3dE5gH7j" * 3 + b"aB3dE5"
    for number, theirs in enumerate((b"token " + token + b"\n", b"x" * 600_000)):
        ours = (store / "a.md").read_bytes()
        settle(store, "theirs", name=keep(store, "a.md", b"base %d\n" % number, ours, theirs))
        assert (store / "a.md").read_bytes() == theirs
    git("fsck", "--strict", cwd=store)


@pytest.mark.parametrize("way", ["ours", "theirs", "both"])
def test_a_resolution_is_taken_back_and_made_again(stale: Path, git: Git, way: str) -> None:
    """B8: the conflict is open again, with the same id; also when the resolution changed no file."""
    name, tree = conflicts(stale)[0], git("rev-parse", "HEAD^{tree}", cwd=stale)
    settle(stale, way)
    settled = git("rev-parse", "HEAD^{tree}", cwd=stale)

    undo(str(stale), when=WHEN + 60, actor=PERSON, environ=os.environ)
    assert conflicts(stale) == [name]
    assert git("rev-parse", "HEAD^{tree}", cwd=stale) == tree

    redo(str(stale), when=WHEN + 70, actor=PERSON, environ=os.environ)
    assert conflicts(stale) == []
    assert git("rev-parse", "HEAD^{tree}", cwd=stale) == settled
    assert git("status", "--porcelain", cwd=stale) == ""
    git("fsck", "--strict", cwd=stale)


@pytest.mark.parametrize("way", ["theirs", "both", "edited"])
def test_what_has_the_marks_of_the_archive_never_stays_live(stale: Path, git: Git, way: str) -> None:
    """B6: whichever way is taken; a text of its own that the other side archived goes there as it was."""
    settle(stale, "ours")
    now = (stale / "deploy.md").read_bytes()
    marked = with_marks(TEXT.replace(b"Backup.", b"Put away."), "2026-11-30 10:04", "replaced")
    keep(stale, "deploy.md", TEXT, now, marked)

    kept = settle(stale, way, marked if way == "edited" else None)

    for path in stale.glob("*.md"):
        assert b"archive" not in path.read_bytes(), path
    assert b"Put away." in (stale / kept.path).read_bytes() or way == "theirs"
    assert (stale / "archive/deploy.md").exists() == (way == "theirs")
    if way == "theirs":
        assert (stale / "archive/deploy.md").read_bytes().count(b"archive_reason: replaced") == 1
        assert b"Put away." in (stale / "archive/deploy.md").read_bytes()
        assert "(deploy.md)" not in (stale / "MEMORY.md").read_text()
    assert conflicts(stale) == []
    assert git("status", "--porcelain", cwd=stale) == ""


def test_an_archiving_is_not_chosen_over_what_lies_in_the_archive(stale: Path) -> None:
    """Nothing is overwritten, and it is said what stands in the way."""
    settle(stale, "ours")
    marked = with_marks(TEXT, "2026-11-30 10:04", "replaced")
    name = keep(stale, "deploy.md", TEXT, (stale / "deploy.md").read_bytes(), marked)
    (stale / "archive").mkdir()
    (stale / "archive/deploy.md").write_bytes(b"another one\n")
    with pytest.raises(Exists, match=r"archive/deploy\.md exists already, and nothing is overwritten") as refused:
        settle(stale, "theirs")
    assert refused.value.hint.startswith(f"gitmem conflict resolve {name} --ours")
    assert (stale / "archive/deploy.md").read_bytes() == b"another one\n"
