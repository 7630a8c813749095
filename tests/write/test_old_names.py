"""A memory that moved while another one took its old name: every operation finds it by its id, and leaves the other."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import InTheWay, Stale
from gitmem.history.conflict import open_conflicts
from gitmem.history.repo import open_repo
from gitmem.memory.document import blob_id
from gitmem.write.archive import archive
from gitmem.write.change import Actor
from gitmem.write.conflict import resolve
from gitmem.write.memory import Kept, edit, remember
from gitmem.write.undo import undo
from tests.write.test_sync_pair import Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures

Git = Callable[..., str]
Save = Callable[..., object]
WHEN = 1_796_000_000
PERSON = Actor("person")
LIST = "# Memory\n\n- [deploy](deploy.md) — how\n"


def memory(id: str, text: str) -> str:
    return f"---\nname: {id.lower()}\nmetadata:\n  id: 01{id}\n---\n\n{text}\n"


OTHER = memory("OTHER", "Another memory altogether.")


@pytest.fixture
def full(store: Path, save: Save) -> Path:
    """A store of one listed memory."""
    save("deploy.md", memory("DEPLOY", "Backup."))
    save("MEMORY.md", LIST)
    return store


def stale(root: Path) -> str:
    """A write that came too late: the file says Friday, migrate is kept; the conflict's id."""
    read = blob_id((root / "deploy.md").read_bytes())
    change(root, "deploy", body="Never on a Friday.\n")
    with pytest.raises(Stale):
        change(root, "deploy", body="Migrate.\n", if_revision=read)
    with open_repo(str(root)) as repo:
        return open_conflicts(repo)[0].id


def change(root: Path, name: str, **more: str) -> Kept:
    return edit(str(root), name, when=WHEN + 9, actor=PERSON, environ=os.environ, **more)


def settle(root: Path, name: str, way: str, text: bytes | None = None) -> Kept:
    return resolve(str(root), name, way, when=WHEN + 50, actor=PERSON, environ=os.environ, text=text)


def move(git: Git, root: Path, how: str, other: str = "") -> Path:
    """Rename the memory, or put it into the archive, by hand; where it lies then.

    how: the new path, with ``committed `` in front where git is told
    """
    path = how.removeprefix("committed ")
    (root / path).parent.mkdir(exist_ok=True)
    (root / "deploy.md").rename(root / path)
    if other:
        (root / "deploy.md").write_text(other)
    if path != how:
        git("add", "-A", cwd=root)
        git("commit", "-qm", "mv", cwd=root)
    return root / path


HOW = ["ops.md", "committed ops.md", "n/ops.md", "archive/deploy.md", "committed archive/deploy.md"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("other", ["", OTHER], ids=["free", "taken"])
@pytest.mark.parametrize("way", ["ours", "theirs", "both", "edited"])
def test_a_conflict_is_settled_in_the_memory_it_is_about(full: Path, git: Git, how: str, other: str, way: str) -> None:
    """Promised in docs/versions: a memory that was renamed or archived since is followed, by whatever renamed it."""
    name = stale(full)
    place = move(git, full, how, other)
    settle(full, name, way, b"All new.\n" if way == "edited" else None)
    words = {"ours": "Never on a Friday.", "theirs": "Migrate.", "both": "Never on a Friday.", "edited": "All new."}
    assert words[way] in place.read_text()
    assert (full / "deploy.md").exists() == bool(other)
    if other:
        assert (full / "deploy.md").read_text() == other
    assert git("status", "--porcelain", cwd=full) == ""
    path = place.relative_to(full).as_posix()
    moved = git("log", "--diff-filter=A", "--format=%H", "--", path, cwd=full).split()
    assert words["ours"] in git("show", f"{moved[0]}:{path}", cwd=full), "the move is in history before the resolution"


def test_a_text_whose_memory_is_gone_stands_beside_the_one_that_has_its_name(full: Path, git: Git) -> None:
    name = stale(full)
    (full / "deploy.md").write_text(OTHER)
    git("commit", "-qam", "anew", cwd=full)
    kept = settle(full, name, "theirs")
    assert (full / "deploy.md").read_text() == OTHER
    assert (kept.path, "Migrate." in (full / "deploy-2.md").read_text()) == ("deploy-2.md", True)
    assert "deploy.md is another memory by now, and it stays; the text you chose is deploy-2.md" in kept.notes


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("other", ["", OTHER], ids=["free", "taken"])
def test_an_operation_is_taken_back_where_its_memory_lies_now(full: Path, git: Git, how: str, other: str) -> None:
    """Promised in docs/versions: taken back where it lies now."""
    commit = change(full, "deploy", body="Never on a Friday.\n").commit
    place = move(git, full, how, other)
    undo(str(full), commit, when=WHEN + 60, actor=PERSON, environ=os.environ)
    assert "Backup." in place.read_text()
    assert "Friday" not in place.read_text()
    assert (full / "deploy.md").exists() == bool(other)
    if other:
        assert (full / "deploy.md").read_text() == other
    assert git("status", "--porcelain", cwd=full) == ""


def test_nothing_is_taken_back_out_of_another_memory(full: Path, git: Git) -> None:
    """The one that was changed is gone; that stands in the way, and is named."""
    commit = change(full, "deploy", fields=[("tags", "x")]).commit
    (full / "deploy.md").write_text(OTHER)
    git("commit", "-qam", "anew", cwd=full)
    with pytest.raises(InTheWay, match=r"deploy\.md is gone, by [0-9a-f]+ \(anew"):
        undo(str(full), commit, when=WHEN + 60, actor=PERSON, environ=os.environ)
    assert (full / "deploy.md").read_text() == OTHER


def test_a_late_write_is_not_offered_to_another_memory(full: Path, git: Git) -> None:
    read = blob_id((full / "deploy.md").read_bytes())
    move(git, full, "committed ops.md", OTHER)
    with pytest.raises(Stale) as refused:
        change(full, "deploy.md", body="Migrate.\n", if_revision=read)
    assert f"deploy.md is another memory since you read it ({read[:10]}); that one is ops.md now" in str(refused.value)
    assert not refused.value.is_clean
    with open_repo(str(full)) as repo:
        name = open_conflicts(repo)[0].id
    settle(full, name, "theirs")
    assert ("Migrate." in (full / "ops.md").read_text(), (full / "deploy.md").read_text()) == (True, OTHER)


@pytest.mark.parametrize("named", [False, True])
def test_the_list_follows_the_memory_and_a_new_line_means_the_new_one(full: Path, git: Git, named: bool) -> None:
    """Promised in docs/versions, "Renamed by hand"; the person's own line for the newcomer stays."""
    move(git, full, "ops.md", OTHER)
    if named:
        (full / "MEMORY.md").write_text(LIST + "- [other](deploy.md) — mine\n")
    change(full, "other", fields=[("tags", "x")])
    line = "- [other](deploy.md) — mine\n" if named else ""
    assert (full / "MEMORY.md").read_text() == LIST.replace("deploy.md", "ops.md") + line
    assert git("status", "--porcelain", cwd=full) == ""


def test_a_new_memory_under_an_old_name_does_not_tear_the_renamed_one_off_its_history(full: Path, git: Git) -> None:
    (full / "deploy.md").rename(full / "ops.md")
    remember(str(full), "Something new.", path="deploy.md", when=WHEN, actor=PERSON, environ=os.environ)
    renamed = git("log", "-M", "--diff-filter=R", "--format=", "--name-status", cwd=full).split()
    assert renamed == ["R100", "deploy.md", "ops.md"]
    assert "[deploy](ops.md) — how" in (full / "MEMORY.md").read_text()


def test_two_memories_change_names_by_hand(full: Path, save: Save, git: Git) -> None:
    save("other.md", OTHER)
    save("MEMORY.md", LIST + "- [other](other.md) — mine\n")
    for old, new in (("deploy.md", "t"), ("other.md", "deploy.md"), ("t", "other.md")):
        (full / old).rename(full / new)
    change(full, "other.md", body="Backup first.\n")
    assert (full / "MEMORY.md").read_text() == "# Memory\n\n- [deploy](other.md) — how\n- [other](deploy.md) — mine\n"
    assert git("status", "--porcelain", cwd=full) == ""
    undo(str(full), when=WHEN + 60, actor=PERSON, environ=os.environ)
    assert ("Backup." in (full / "other.md").read_text(), (full / "deploy.md").read_text()) == (True, OTHER)


@pytest.mark.cgit
@pytest.mark.parametrize("turned", [False, True])
def test_an_edit_on_another_machine_lands_in_the_memory_that_moved(ada: Machine, bo: Machine, turned: bool) -> None:
    """Promised as C2: by its id before its path, whoever syncs first."""
    (ada.root / "deploy.md").write_text(memory("DEPLOY", "Backup.\n\nThen migrate."))
    ada.sync()
    bo.sync()
    (ada.root / "deploy.md").rename(ada.root / "ops.md")
    (ada.root / "deploy.md").write_text(OTHER)
    (bo.root / "deploy.md").write_text(memory("DEPLOY", "Backup.\n\nThen migrate, says bo."))
    for machine in (bo, ada, bo, ada) if turned else (ada, bo, ada):
        assert machine.sync().conflicts == []
    assert ada.text("ops.md") == memory("DEPLOY", "Backup.\n\nThen migrate, says bo.")
    assert ada.text("deploy.md") == OTHER
    assert "(ops.md)" in ada.text("MEMORY.md")
    at_peace(ada, bo)


@pytest.mark.cgit
@pytest.mark.parametrize("turned", [False, True])
def test_what_was_archived_and_edited_elsewhere_stands_beside_the_one_with_its_name(
    ada: Machine, bo: Machine, turned: bool
) -> None:
    """Promised as F55: the edit survives, with its line in the list, and a conflict is recorded."""
    (ada.root / "deploy.md").write_text(memory("DEPLOY", "Backup."))
    ada.sync()
    bo.sync()
    line = ada.text("MEMORY.md").splitlines()[-1]
    archive(str(ada.root), "deploy", when=ada.now(), actor=PERSON, environ=ada.environ)
    remember(str(ada.root), OTHER, path="deploy.md", when=ada.now(), actor=PERSON, environ=ada.environ)
    (bo.root / "deploy.md").write_text(memory("DEPLOY", "Backup, says bo."))
    for machine in (bo, ada, bo, ada) if turned else (ada, bo, ada):
        machine.sync()
    assert ada.text("deploy.md") == memory("DEPLOY", "Backup, says bo.")
    assert "Another memory altogether." in ada.text("deploy-2.md")
    assert not (ada.root / "archive").exists()
    assert line in ada.text("MEMORY.md")
    assert "(deploy-2.md)" in ada.text("MEMORY.md")
    assert len(ada.conflicts()) == len(bo.conflicts()) == 1
    at_peace(ada, bo)
