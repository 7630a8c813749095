"""The index kept in step with writes (E7)."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gitmem.errors import IndexUnusable, NoStore
from gitmem.index import fresh, sqlite
from gitmem.recall.choose import recall, search
from gitmem.write import index_writer
from gitmem.write.index import mark, ready_index, refresh, update_index
from tests.write.conftest import WHEN, Save

QUESTION = "where does the zebra sleep"


def put(store: Path, path: str, text: str) -> None:
    file = store / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def rows(store: Path, query: str) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(store / ".git" / "gitmem" / "index.sqlite")
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


def state(store: Path) -> dict[str, list[tuple[object, ...]]]:
    """What the index says, without the numbers of rows and the times of files."""
    return {
        "documents": rows(store, "select path, revision, name, passages, words, fields from documents order by path"),
        "terms": rows(store, "select term, passages from terms order by term"),
        "totals": rows(
            store,
            "select key, value from meta where key in ('passages', 'passage_words', 'documents', 'document_words')"
            " order by key",
        ),
        "rows": rows(store, "select count(*), sum(words) from passages"),
    }


def test_a_write_is_in_the_index_at_once(store: Path, save: Save) -> None:
    """E7: updated in the same process, nothing left for the next prompt."""
    refresh(str(store))
    save("zebra.md", "The zebra sleeps in the northern stable.\n")
    found = recall(str(store), QUESTION, WHEN)
    assert [hit.path for hit in found.hits] == ["zebra.md"]
    assert not found.needs_refresh


def test_the_first_write_makes_the_index(store: Path, save: Save) -> None:
    """Remember, then recall, with no command between."""
    save("zebra.md", "The zebra sleeps in the northern stable.\n")
    assert recall(str(store), QUESTION, WHEN).hits


@pytest.mark.parametrize("anew_from", [1, 1_000])
def test_updates_leave_the_index_as_a_build_would_make_it(
    store: Path, anew_from: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """E7: derived; however it came about, it says the same."""
    texts = {
        f"n{at}.md": f"# Note {at}\n\nword{at % 3} common text number {at}\n\n## More\n\nzebra\n" for at in range(9)
    }
    for path, text in texts.items():
        put(store, path, text)
    refresh(str(store))
    put(store, "n1.md", "changed altogether\n")
    put(store, "sub/new.md", "---\nname: new one\ntags: [zebra]\n---\n\nnew text\n")
    (store / "n2.md").unlink()
    update_index(str(store), ["n1.md", "sub/new.md", "n2.md", "n1.md"])
    updated = state(store)
    monkeypatch.setattr(index_writer, "COUNT_ANEW_FROM", anew_from)
    for file in (store / ".git" / "gitmem").iterdir():
        file.unlink()
    refresh(str(store))
    assert state(store) == updated
    assert rows(store, "select count(*) from search where search match 'zebra'") == [(8,)]


def test_removed_words_are_found_no_longer(store: Path) -> None:
    """The full-text table has no content of its own: its entries are taken out with the old terms."""
    put(store, "a.md", "zebra zebra zebra\n")
    refresh(str(store))
    put(store, "a.md", "okapi\n")
    update_index(str(store), ["a.md"])
    assert rows(store, "select count(*) from search where search match 'zebra'") == [(0,)]
    assert rows(store, "select term from terms") == [("a",), ("okapi",)]
    connection = sqlite3.connect(store / ".git" / "gitmem" / "index.sqlite")
    connection.execute("insert into search(search) values('integrity-check')")
    connection.close()


def test_what_is_no_memory_stays_out(store: Path) -> None:
    """A6: reserved names, dot folders, the archive, the ignore list."""
    put(store, ".gitmem/config.yaml", "format: 1\nignore: [drafts/]\n")
    put(store, "a.md", "zebra\n")
    refresh(str(store))
    names = ["MEMORY.md", ".obsidian/x.md", "archive/x.md", "drafts/x.md", "session-log.md", "x.txt"]
    for name in names:
        put(store, name, "zebra\n")
    update_index(str(store), names)
    assert rows(store, "select path from documents") == [("a.md",)]


def test_a_mark_tells_that_nothing_else_changed(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large store is not looked through after each of our own writes."""
    monkeypatch.setattr(fresh, "SCAN_ALL_FILES", 0)
    put(store, "a/one.md", "The okapi sleeps.\n")
    refresh(str(store))
    before = mark(str(store), ["a/two.md", "b/new/three.md"])
    put(store, "a/two.md", "The zebra sleeps in the northern stable.\n")
    put(store, "b/new/three.md", "The quokka sleeps.\n")
    update_index(str(store), ["a/two.md", "b/new/three.md"], before)
    assert not recall(str(store), QUESTION, WHEN).needs_refresh


def test_without_trust_another_programs_file_is_still_seen(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came between the last look and our write is not passed over."""
    monkeypatch.setattr(fresh, "SCAN_ALL_FILES", 0)
    put(store, "a/one.md", "The okapi sleeps.\n")
    refresh(str(store))
    put(store, "a/other.md", "The zebra sleeps in the northern stable.\n")
    before = mark(str(store), ["a/two.md"])
    put(store, "a/two.md", "The quokka sleeps.\n")
    update_index(str(store), ["a/two.md"], before)
    assert [hit.path for hit in recall(str(store), QUESTION, WHEN).hits] == ["a/other.md"]


def test_progress_ends_at_the_whole(store: Path) -> None:
    """Long work says how far it is."""
    for at in range(130):
        put(store, f"{at}.md", "zebra\n")
    seen: list[tuple[int, int]] = []
    refresh(str(store), lambda done, total: seen.append((done, total)))
    assert seen == [(64, 130), (128, 130), (130, 130)]


def test_an_unreadable_file_is_said_and_costs_nothing_else(store: Path) -> None:
    """A6: never silent."""
    put(store, "a.md", "zebra\n")
    os.symlink(store / "a.md", store / "b.md")
    report = refresh(str(store))
    assert report.memories == 1
    assert [finding.path for finding in report.skipped] == ["b.md"]


def test_a_killed_build_goes_on_where_it_stopped(store: Path) -> None:
    """L4: batches are kept, and the half index says so until it is whole."""
    for at in range(3000):
        put(store, f"{at % 7}/{at}.md", f"The zebra number {at} sleeps in stable {at}.\n")
    code = (
        "import os, signal, sys\nimport gitmem.write.index as index\nindex.BATCH = 500\n"
        "def stop(done, total):\n    if done > 1700: os.kill(os.getpid(), signal.SIGKILL)\n"
        f"index.refresh({str(store)!r}, stop)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert rows(store, "select count(*) from documents") == [(1500,)]
    assert "gitmem refresh" in " ".join(search(str(store), "zebra", WHEN).notes)
    assert refresh(str(store)).changed == 1500
    assert search(str(store), "zebra", WHEN).notes == []


def test_readers_never_fail_while_a_writer_works(store: Path) -> None:
    """E7: the hook answers during a refresh and during updates."""
    for at in range(200):
        put(store, f"{at}.md", f"The zebra number {at} sleeps in stable {at}.\n")
    refresh(str(store))
    code = (
        "import sys\nfrom gitmem.write.index import update_index\n"
        f"for at in range(60): update_index({str(store)!r}, [f'{{n}}.md' for n in range(at, at + 20)])\n"
    )
    writer = subprocess.Popen([sys.executable, "-c", code])
    answers = []
    while writer.poll() is None:
        answers.append(search(str(store), "zebra 150", WHEN).reason)
    assert writer.wait() == 0
    assert len(answers) > 3
    assert set(answers) == {""}


def test_two_builds_at_once_make_one_index(store: Path) -> None:
    """B9: a hook's refresh and a person's."""
    for at in range(300):
        put(store, f"{at}.md", f"The zebra number {at} sleeps in stable {at}.\n")
    code = f"from gitmem.write.index import refresh\nrefresh({str(store)!r})\n"
    both = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(3)]
    assert [each.wait() for each in both] == [0, 0, 0]
    assert rows(store, "select value from meta where key = 'documents'") == [(300,)]
    assert rows(store, "select count(*) from documents") == [(300,)]


def test_ready_index_builds_only_what_is_missing(store: Path) -> None:
    """E7: the command line asks before it searches."""
    put(store, "a.md", "zebra\n")
    ready_index(str(store))
    file = store / ".git" / "gitmem" / "index.sqlite"
    made = file.stat().st_mtime_ns
    time.sleep(0)
    ready_index(str(store))
    assert file.stat().st_mtime_ns == made


def test_no_repository_is_said_with_what_to_type(tmp_path: Path) -> None:
    """Every sentence tells what to type next."""
    with pytest.raises(NoStore) as refused:
        refresh(str(tmp_path))
    assert refused.value.hint == f"gitmem init {tmp_path}"


def test_a_sqlite_without_fts5_is_one_clear_sentence(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python without FTS5."""
    tables = index_writer.create_tables

    def refuse(connection: sqlite.Connection) -> None:
        tables(connection)
        raise sqlite3.OperationalError("no such module: fts5")

    monkeypatch.setattr(index_writer, "create_tables", refuse)
    put(store, "a.md", "zebra\n")
    with pytest.raises(IndexUnusable, match=r"no full-text search \(FTS5\)"):
        refresh(str(store))
