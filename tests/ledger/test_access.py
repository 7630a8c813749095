"""The ledger: lines that are added, three kinds apart, nothing of any text (H9, L3)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gitmem
from gitmem.ledger.access import append, has_read, injected, last_used, note

WHEN = 1_796_000_000  # 2026-11-29
NEW, OLD = "a" * 40, "b" * 40


@pytest.fixture
def place(tmp_path: Path) -> str:
    return str(tmp_path)


def lines(place: str) -> list[str]:
    files = sorted(Path(place, "gitmem/ledger").iterdir())
    return [line for file in files for line in file.read_text().splitlines() if line]


def test_the_kinds_are_counted_apart(place: str) -> None:
    """H9."""
    note(place, "injected", "s1", [("a.md", NEW), ("b.md", OLD)], WHEN)
    note(place, "injected", "s1", [("a.md", NEW)], WHEN + 5)
    note(place, "read", "s1", [("a.md", NEW)], WHEN + 7)
    note(place, "cited", "s1", [("a.md", NEW)], WHEN + 6)
    uses = last_used(place)
    assert repr(uses["a.md"]) == f"Use(injected=2, read=1, cited=1, last={WHEN + 7})"
    assert repr(uses["b.md"]) == f"Use(injected=1, read=0, cited=0, last={WHEN})"


def test_an_event_is_a_line_in_the_file_of_its_month(place: str) -> None:
    note(place, "injected", "s 1", [("a.md", NEW)], WHEN)
    note(place, "read", "", [("n/b c.md", OLD)], WHEN + 40 * 86_400)
    assert sorted(os.listdir(Path(place, "gitmem/ledger"))) == ["2026-11.log", "2027-01.log"]
    assert lines(place) == [
        f"{WHEN} injected s_1 {NEW} a.md", f"{WHEN + 40 * 86_400} read - {OLD} n/b c.md",
    ]  # fmt: skip
    if os.name == "posix":
        assert Path(place, "gitmem/ledger/2026-11.log").stat().st_mode & 0o077 == 0


def test_what_was_written_is_never_rewritten(place: str) -> None:
    note(place, "read", "s", [("a.md", NEW)], WHEN)
    file = Path(place, "gitmem/ledger/2026-11.log")
    before = file.read_bytes()
    note(place, "read", "s", [("a.md", OLD)], WHEN)
    assert file.read_bytes().startswith(before)
    assert len(file.read_bytes()) > len(before)


def test_there_is_one_line_for_each_event_and_no_other(place: str) -> None:
    """docs/versions.md; a line that a full disk cut short costs itself."""
    for number in range(3):
        note(place, "read", "s", [("a.md", NEW)], WHEN + number)
    file = Path(place, "gitmem/ledger/2026-11.log")
    assert file.read_text().count("\n") == len(file.read_text().splitlines()) == 3
    file.write_bytes(file.read_bytes()[:-5])
    note(place, "read", "s", [("b.md", NEW)], WHEN)
    assert len(last_used(place)["b.md"].__repr__()) > 0
    assert file.read_text().splitlines()[-1] == f"{WHEN} read s {NEW} b.md"


def test_nothing_seen_writes_nothing(place: str) -> None:
    """sage-mem case 151."""
    note(place, "injected", "s", [], WHEN)
    assert not Path(place, "gitmem").exists()


def test_a_session_has_read_the_revision_it_was_shown_and_no_other(place: str) -> None:
    """B4."""
    note(place, "read", "s1", [("a.md", NEW)], WHEN)
    note(place, "injected", "s1", [("b.md", NEW)], WHEN)
    assert has_read(place, "s1", "a.md", NEW)
    assert not has_read(place, "s1", "a.md", OLD)
    assert not has_read(place, "s2", "a.md", NEW)
    assert not has_read(place, "s", "a.md", NEW)
    assert not has_read(place, "s1", "xa.md", NEW)
    assert not has_read(place, "s1", "b.md", NEW), "a passage beside a prompt is not the memory"


def test_a_session_without_an_id_has_read_nothing(place: str) -> None:
    note(place, "read", "", [("a.md", NEW)], WHEN)
    assert not has_read(place, "", "a.md", NEW)
    assert injected(place, "") == {}


def test_a_session_may_span_two_months(place: str) -> None:
    note(place, "read", "s", [("a.md", NEW)], WHEN)
    note(place, "injected", "s", [("b.md", OLD)], WHEN)
    note(place, "read", "s", [("c.md", NEW)], WHEN + 3 * 86_400)
    assert has_read(place, "s", "a.md", NEW)
    assert injected(place, "s") == {"b.md": OLD}


@pytest.mark.parametrize(
    "damage",
    [
        b"garbage\n", b"\xff\xfe\0\n", b"1 injected\n", b"x injected s " + b"a" * 40 + b" a.md\n",
        b"1 stolen s " + b"a" * 40 + b" a.md\n", b"1 read s abc a.md\n",
        b"9" * 400 + b" read s " + b"a" * 40 + b" a.md\n",
        b"1796000001 injected s " + b"a" * 40 + b" cut-short-by-a-full-di",
    ],
)  # fmt: skip
def test_a_damaged_line_costs_itself(place: str, damage: bytes) -> None:
    note(place, "injected", "s", [("a.md", NEW)], WHEN)
    with Path(place, "gitmem/ledger/2026-11.log").open("ab") as file:
        file.write(damage)
    note(place, "injected", "s", [("a.md", NEW)], WHEN + 1)
    assert {path: use.injected for path, use in last_used(place).items()} == {"a.md": 2}
    assert injected(place, "s") == {"a.md": NEW}


@given(path=st.text(min_size=1, max_size=30), session=st.text(min_size=1, max_size=30))
@settings(max_examples=60)
def test_any_path_and_any_session_are_one_line(
    tmp_path_factory: pytest.TempPathFactory, path: str, session: str
) -> None:
    if any("\ud800" <= sign <= "\udfff" for sign in path):
        return
    path += ".md"
    place = str(tmp_path_factory.mktemp("ledger"))
    note(place, "read", session, [(path, NEW)], WHEN)
    note(place, "injected", session, [(path, NEW)], WHEN)
    assert has_read(place, session, path, NEW)
    assert injected(place, session) == {path: NEW}
    assert list(last_used(place)) == [path]


def test_a_name_whose_bytes_are_not_utf8_is_kept(place: str) -> None:
    note(place, "read", "s", [("caf\udce9.md", NEW)], WHEN)
    assert list(last_used(place)) == ["caf\udce9.md"]


def test_a_ledger_that_cannot_be_written_disturbs_nobody(place: str) -> None:
    """sage-mem case 152: a file stands where the folder would be."""
    Path(place, "gitmem").write_text("in the way")
    note(place, "read", "s", [("a.md", NEW)], WHEN)
    assert (last_used(place), injected(place, "s"), has_read(place, "s", "a.md", NEW)) == ({}, {}, False)
    with pytest.raises(OSError):
        append(place, "read", "s", [("a.md", NEW)], WHEN)


def test_a_ledger_that_is_not_there_says_nothing(place: str) -> None:
    assert last_used(place) == {}


def test_many_processes_add_their_lines_whole(place: str) -> None:
    """No lock: the system appends each write in one piece."""
    code = (
        "import sys; from gitmem.ledger.access import note\n"
        "seen = [('a.md', 'a' * 40), ('b.md', 'b' * 40)]\n"
        "for at in range(100): note(sys.argv[1], 'injected', sys.argv[2], seen, at)\n"
    )
    root = str(Path(gitmem.__file__).parents[1])
    running = [
        subprocess.Popen([sys.executable, "-c", code, place, f"s{number}"], env={**os.environ, "PYTHONPATH": root})
        for number in range(4)
    ]
    assert [each.wait() for each in running] == [0] * 4
    assert {path: use.injected for path, use in last_used(place).items()} == {"a.md": 400, "b.md": 400}
    assert len(lines(place)) == 800
