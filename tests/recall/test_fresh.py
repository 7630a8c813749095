"""The index is derived and the files are the truth (E7)."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from gitmem import limits
from gitmem.index import fresh
from gitmem.recall.choose import recall, search
from gitmem.write.index import refresh
from tests.conftest import Git
from tests.recall.conftest import WHEN, Write

QUESTION = "where does the zebra sleep"


def answer(store: Path) -> list[str]:
    return [hit.text for hit in recall(str(store), QUESTION, WHEN).hits]


def index_file(store: Path) -> Path:
    return store / ".git" / "gitmem" / "index.sqlite"


@pytest.fixture(params=["small", "large"])
def indexed(request: pytest.FixtureRequest, store: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four memories in folders, indexed; "large" looks at them as at a store above SCAN_ALL_FILES."""
    if request.param == "large":
        monkeypatch.setattr(fresh, "SCAN_ALL_FILES", 0)
    write("animals/zebra", "The zebra sleeps in the northern stable.", name="zebra")
    write("animals/quokka", "The quokka sleeps under the ramp.", name="quokka")
    write("people/dana", "Dana likes short answers.", name="dana")
    write("top", "Deploys happen on Tuesday.", name="deploys")
    refresh(str(store))
    return store


def test_a_hand_edit_is_seen_on_the_next_question(indexed: Path, write: Write) -> None:
    """E7: an editor that writes in place."""
    write("animals/zebra", "The zebra sleeps in the southern stable, since May.", name="zebra")
    found = recall(str(indexed), QUESTION, WHEN)
    assert [hit.text for hit in found.hits] == ["The zebra sleeps in the southern stable, since May."]
    assert found.needs_refresh


def test_a_new_file_is_seen_on_the_next_question(indexed: Path, write: Write) -> None:
    """E7: also in a folder nobody knew."""
    write("more/okapi", "The okapi sleeps behind the pond.", name="okapi")
    assert [hit.path for hit in recall(str(indexed), "where does the okapi sleep", WHEN).hits] == ["more/okapi.md"]


def test_a_deleted_file_is_not_quoted(indexed: Path) -> None:
    """E7."""
    (indexed / "animals" / "zebra.md").unlink()
    assert answer(indexed) == []


def test_a_deleted_folder_is_not_quoted(indexed: Path) -> None:
    """E7: nor found by another name."""
    os.rename(indexed / "animals", indexed / "archive")
    assert answer(indexed) == []
    assert [hit.path for hit in search(str(indexed), "sleeps", WHEN).hits] == []


def test_a_renamed_file_is_found_under_its_new_name(indexed: Path) -> None:
    """E7: with its bytes and its time unchanged."""
    os.rename(indexed / "animals" / "zebra.md", indexed / "people" / "stripes.md")
    assert [hit.path for hit in recall(str(indexed), QUESTION, WHEN).hits] == ["people/stripes.md"]


def test_a_checkout_is_seen_on_the_next_question(indexed: Path, write: Write, git: Git) -> None:
    """E7: git pull and git checkout replace files."""
    git("add", "-A", cwd=indexed)
    git("commit", "-q", "-m", "one", cwd=indexed)
    git("checkout", "-q", "-b", "other", cwd=indexed)
    write("animals/zebra", "The zebra sleeps on the roof of the old barn.", name="zebra")
    git("commit", "-q", "-a", "-m", "two", cwd=indexed)
    refresh(str(indexed))
    git("checkout", "-q", "main", cwd=indexed)
    assert answer(indexed) == ["The zebra sleeps in the northern stable."]
    git("checkout", "-q", "other", cwd=indexed)
    assert answer(indexed) == ["The zebra sleeps on the roof of the old barn."]


def test_a_commit_of_known_files_asks_for_a_refresh_and_changes_nothing(indexed: Path, git: Git) -> None:
    """E7: HEAD's id against the one indexed."""
    assert not recall(str(indexed), QUESTION, WHEN).needs_refresh
    git("add", "-A", cwd=indexed)
    git("commit", "-q", "-m", "one", cwd=indexed)
    found = recall(str(indexed), QUESTION, WHEN)
    assert len(found.hits) == 1
    assert found.needs_refresh
    refresh(str(indexed))
    assert not recall(str(indexed), QUESTION, WHEN).needs_refresh


def test_a_deleted_index_loses_nothing(indexed: Path) -> None:
    """E7: what is there is read live, and a refresh is asked for."""
    before = answer(indexed)
    for file in index_file(indexed).parent.iterdir():
        file.unlink()
    found = recall(str(indexed), QUESTION, WHEN)
    assert [hit.text for hit in found.hits] == before
    assert found.needs_refresh
    assert refresh(str(indexed)).memories == 4
    assert answer(indexed) == before


def test_a_store_without_an_index_says_what_was_not_read(store: Path, write: Write) -> None:
    """No half answer without a word."""
    for at in range(limits.MAX_LIVE_FILES + 5):
        write(f"z{at}", f"Zebra number {at} sleeps in stable {at}.", name=f"zebra {at}")
    assert "gitmem refresh" in search(str(store), "zebra", WHEN).notes[0]


@pytest.mark.parametrize("damage", [b"", b"no database at all" * 400, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_index_is_built_anew(indexed: Path, damage: bytes) -> None:
    """E7: on a mismatch rebuild, never migrate."""
    before = answer(indexed)
    index_file(indexed).write_bytes(damage)
    assert recall(str(indexed), QUESTION, WHEN).needs_refresh
    assert refresh(str(indexed)).memories == 4
    assert answer(indexed) == before


def test_damage_deep_in_the_index_is_noted_and_mended(indexed: Path) -> None:
    """E7: the reader cannot write, but the next refresh knows."""
    with sqlite3.connect(index_file(indexed)) as connection:
        (page,) = connection.execute("select rootpage from sqlite_master where name = 'passages'").fetchone()
        (size,) = connection.execute("pragma page_size").fetchone()
    connection.close()
    with index_file(indexed).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"Z" * size)
    found = recall(str(indexed), QUESTION, WHEN)
    assert (found.hits, found.needs_refresh) == ([], True)
    assert "gitmem refresh" in found.reason
    refresh(str(indexed))
    assert len(answer(indexed)) == 1


def test_an_index_of_another_version_is_built_anew(indexed: Path) -> None:
    """E7: never migrated."""
    with sqlite3.connect(index_file(indexed)) as connection:
        connection.execute("update meta set value = 999 where key = 'version'")
    connection.close()
    assert recall(str(indexed), QUESTION, WHEN).needs_refresh
    assert refresh(str(indexed)).changed == 4
    assert len(answer(indexed)) == 1


def test_same_size_and_same_time_is_found_by_the_refresh(indexed: Path) -> None:
    """The key is the content, not the clock."""
    file = indexed / "animals" / "zebra.md"
    times = file.stat()
    file.write_text(file.read_text().replace("northern", "southern"))
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert file.stat().st_size == times.st_size
    assert answer(indexed) == ["The zebra sleeps in the southern stable."]
    assert refresh(str(indexed)).changed == 1
    assert answer(indexed) == ["The zebra sleeps in the southern stable."]


def test_a_file_written_with_the_same_text_is_not_indexed_anew(indexed: Path) -> None:
    """Content hash; a touch costs a look."""
    os.utime(indexed / "top.md", ns=(1, 1))
    assert recall(str(indexed), QUESTION, WHEN).needs_refresh
    refresh(str(indexed))
    assert not recall(str(indexed), QUESTION, WHEN).needs_refresh


def test_changed_settings_are_taken_over_by_the_refresh(indexed: Path) -> None:
    """Promised in docs/recall.md: a setting acts at once, and the refresh compiles it into the index."""
    config = indexed / ".gitmem" / "config.yaml"
    config.parent.mkdir()
    config.write_text("format: 1\nignore: [animals/]\n")
    found = recall(str(indexed), QUESTION, WHEN)
    assert (found.hits, found.needs_refresh) == ([], True)
    assert refresh(str(indexed)).gone == 2
    assert answer(indexed) == []
    config.write_text("format: 1\nignore: []\n# as before\n")
    assert len(answer(indexed)) == 1


@pytest.mark.parametrize("slip", ['recall: {candidates: "off"\n', "locks: [\n", "'\n", "<<<<<<< HEAD\n"])
def test_a_slip_in_the_settings_lets_nothing_in_that_they_leave_out(indexed: Path, slip: str) -> None:
    """K6: one bad line costs itself; at once, after a refresh, and without an index."""
    config = indexed / ".gitmem" / "config.yaml"
    config.parent.mkdir()
    config.write_text("format: 1\nignore: [animals/]\n")
    refresh(str(indexed))
    config.write_text("format: 1\nignore: [animals/]\n" + slip)
    assert answer(indexed) == []
    refresh(str(indexed))
    assert answer(indexed) == []
    index_file(indexed).unlink()
    assert answer(indexed) == []


def test_what_the_index_was_told_holds_while_the_settings_are_broken_or_away(indexed: Path) -> None:
    """A pattern that no commit has yet is not lost to a slip in its own line."""
    config = indexed / ".gitmem" / "config.yaml"
    config.parent.mkdir()
    config.write_text("format: 1\nignore: [animals/]\nindex_file: top.md\n")
    refresh(str(indexed))
    for text in ("ignore\n: [", "", "x" * 70_000):
        config.write_text(text)
        assert answer(indexed) == []
        assert recall(str(indexed), "when do deploys happen", WHEN).hits == []
    config.unlink()
    assert answer(indexed) == []


@pytest.mark.parametrize("more", [(), ("--sparse-index",)])
def test_a_sparse_checkout_reads_nothing_before_its_settings_are_known(
    indexed: Path, git: Git, more: tuple[str, ...]
) -> None:
    """The settings file is not on disk: a refresh asks the last commit, and no prompt goes ahead of it."""
    (indexed / ".gitmem").mkdir()
    (indexed / ".gitmem" / "config.yaml").write_text("format: 1\nignore: [animals/]\n")
    git("add", "-A", cwd=indexed)
    git("commit", "-qm", "one", cwd=indexed)
    git("sparse-checkout", "set", *more, "animals", "people", cwd=indexed)
    index_file(indexed).unlink()
    assert answer(indexed) == []
    assert recall(str(indexed), "what does Dana like", WHEN).needs_refresh
    refresh(str(indexed))
    assert answer(indexed) == []
    assert len(recall(str(indexed), "what does Dana like", WHEN).hits) == 1


def test_a_clone_without_an_index_heeds_the_settings(indexed: Path) -> None:
    """Promised as E6: who clones a store gets no candidate its owner wants none of."""
    (indexed / ".gitmem").mkdir()
    (indexed / ".gitmem" / "config.yaml").write_text('recall: {candidates: "off"}\n')
    text = "---\nmetadata: {trust: candidate}\n---\nThe okapi sleeps in the barn.\n"
    (indexed / "okapi.md").write_text(text)
    index_file(indexed).unlink()
    assert recall(str(indexed), "where does the okapi sleep", WHEN).hits == []


def test_a_linked_worktree_has_its_own_index(indexed: Path, tmp_path: Path, git: Git) -> None:
    """Another checkout of the same store holds other files."""
    git("add", "-A", cwd=indexed)
    git("commit", "-q", "-m", "one", cwd=indexed)
    other = tmp_path / "other"
    git("worktree", "add", "-q", str(other), "-b", "side", cwd=indexed)
    (other / "animals" / "zebra.md").unlink()
    refresh(str(other))
    assert answer(other) == []
    assert len(answer(indexed)) == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_disk_can_be_searched(indexed: Path) -> None:
    folder = index_file(indexed).parent
    folder.chmod(0o500)
    try:
        assert len(answer(indexed)) == 1
    finally:
        folder.chmod(0o700)


@pytest.fixture
def pulled(indexed: Path, write: Write, git: Git) -> Path:
    """A merge brought a memory whose author nobody has looked at; before it the person's own was edited."""
    git("add", "-A", cwd=indexed)
    git("commit", "-q", "-m", "one", cwd=indexed)
    git("checkout", "-q", "-b", "theirs", cwd=indexed)
    write("animals/numbat", "The numbat dances at dawn.", name="numbat")
    git("add", "-A", cwd=indexed)
    git("-c", "user.email=eve@example.org", "commit", "-q", "-m", "two", "--author=Eve <eve@example.org>", cwd=indexed)
    git("checkout", "-q", "main", cwd=indexed)
    refresh(str(indexed))
    git("merge", "-q", "--ff-only", "theirs", cwd=indexed)
    return indexed


def test_what_a_person_writes_after_a_pull_is_seen_and_what_the_pull_brought_is_not_yet(
    pulled: Path, write: Write
) -> None:
    """E7 and D1: nobody knows yet who wrote what came; what was written since did not come with it."""
    write("people/eno", "Eno paints the fence in May.", name="eno")
    later = (pulled / ".git/logs/HEAD").stat().st_mtime + 1
    os.utime(pulled / "people/eno.md", (later, later))
    found = recall(str(pulled), "when does Eno paint the fence", WHEN)
    assert [hit.text for hit in found.hits] == ["Eno paints the fence in May."]
    other = recall(str(pulled), "when does the numbat dance", WHEN)
    assert other.hits == []
    assert other.notes == ["files that came from elsewhere are not read before their authors are known: gitmem refresh"]
    assert other.needs_refresh


def test_a_stash_brings_nothing_from_elsewhere(indexed: Path, write: Write, git: Git) -> None:
    """It tells git's log of a reset, which moved nothing."""
    git("add", "-A", cwd=indexed)
    git("commit", "-q", "-m", "one", cwd=indexed)
    refresh(str(indexed))
    git("commit", "-q", "--allow-empty", "-m", "mine", cwd=indexed)
    write("people/eno", "Eno paints the fence in May.", name="eno")
    (indexed / "top.md").write_text("scratch\n", encoding="utf-8")
    git("stash", "-q", cwd=indexed)
    git("stash", "pop", "-q", cwd=indexed)
    found = recall(str(indexed), "when does Eno paint the fence", WHEN)
    assert [hit.text for hit in found.hits] == ["Eno paints the fence in May."]
    assert found.notes == []
