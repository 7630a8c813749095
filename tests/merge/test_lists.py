"""MEMORY.md, the journal, the settings: merged by entry and by key (merge/catalogue.py, journal.py, settings.py)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.link import index_targets
from gitmem.merge.catalogue import merge_catalogue
from gitmem.merge.file import is_day, merge_file
from gitmem.merge.journal import merge_journal, minute_of
from gitmem.merge.merged import Merged
from gitmem.merge.settings import merge_settings
from gitmem.store.settings import DEFAULT_CONFIG, parse_settings
from tests.merge.cases import both_ways, edited
from tests.merge.histories import changed, pieces
from tests.strategies import CHECK

LIST = """# Memory

Read the rules first.

## Work
- [deploy](deploy.md) — the steps
- [billing](billing.md) — ports

A note between.

## Home
- [tea](tea.md)
""".encode()
DAY = b"# 2026-11-30\n\n- 09:00 start\n- 10:00 ten\n  in two lines\n- 12:00 noon\n"
LINES = [
    "- [a](a.md) — one",
    "- [b](b.md)",
    "- [a](a.md) other words",
    "# Memory",
    "## Group",
    "a note",
    "- no link",
    "* [c](x/c.md)",
]
ENTRIES = [
    "09:00 start",
    "- 10:00 ten\n  more",
    "- 10:00 also ten",
    "## 11:30 heading\n\ntext",
    "# 2026-11-30",
    "note",
    "## Later",
    "7:05 early",
]


def test_each_side_adds_a_memory_and_the_list_has_both() -> None:
    """Promised as F52."""
    merged = both_ways(LIST, LIST + b"- [ours](ours.md)\n", LIST + b"- [theirs](theirs.md)\n", merge_catalogue)
    assert merged.conflicts == ()
    assert sorted(merged.data[len(LIST) :].splitlines()) == [b"- [ours](ours.md)", b"- [theirs](theirs.md)"]


def test_both_sides_add_the_same_line_and_it_stands_once() -> None:
    """Promised as F53."""
    new = LIST + b"- [new](new.md)\n"
    assert both_ways(LIST, new, new + b"- [x](x.md)\n", merge_catalogue) == Merged(new + b"- [x](x.md)\n")


def test_an_entry_one_side_removed_is_gone_and_its_neighbours_words_stay() -> None:
    """Promised as C2 and A7."""
    ours = edited(("- [deploy](deploy.md) — the steps\n".encode(), b""), of=LIST)
    theirs = edited((b"ports", b"ports, and who owns them"), (b"A note", b"A longer note"), of=LIST)
    wanted = edited((b"ports", b"ports, and who owns them"), (b"A note", b"A longer note"), of=ours)
    assert both_ways(LIST, ours, theirs, merge_catalogue) == Merged(wanted)


def test_an_entry_moved_on_one_side_and_reworded_on_the_other_is_both() -> None:
    """Promised as C2: an entry is its target."""
    line = "- [deploy](deploy.md) — the steps\n".encode()
    ours = edited((line, b""), of=LIST) + line
    theirs = edited((b"the steps", b"the only steps"), of=LIST)
    assert both_ways(LIST, ours, theirs, merge_catalogue) == Merged(edited((b"the steps", b"the only steps"), of=ours))


def test_an_entry_moved_on_one_side_and_removed_on_the_other_is_gone() -> None:
    """Promised as C2: deletions are honoured."""
    line = "- [deploy](deploy.md) — the steps\n".encode()
    gone = edited((line, b""), of=LIST)
    assert both_ways(LIST, gone + line, gone, merge_catalogue) == Merged(gone)


def test_an_entry_removed_on_one_side_and_reworded_on_the_other_stays() -> None:
    """Promised as F55: the edit survives."""
    ours = edited(("- [deploy](deploy.md) — the steps\n".encode(), b""), of=LIST)
    theirs = edited((b"the steps", b"the only steps"), of=LIST)
    assert both_ways(LIST, ours, theirs, merge_catalogue) == Merged(theirs)


def test_an_entry_reworded_on_both_sides_stands_once_and_is_told() -> None:
    """Promised as F52 and C3."""
    merged = both_ways(
        LIST, edited((b"the steps", b"a"), of=LIST), edited((b"the steps", b"b"), of=LIST), merge_catalogue
    )
    assert merged.data == edited((b"the steps", b"b"), of=LIST)
    assert merged.conflicts == ('the entry "deploy.md"',)


@st.composite
def trios(draw: st.DrawFn, pool: list[str]) -> tuple[bytes, bytes, bytes]:
    old = draw(pieces(pool))
    sides = [old, draw(changed(old, pool)), draw(changed(old, pool))]
    base, ours, theirs = ("".join(line + "\n" for line in side).encode() for side in sides)
    return base, ours, theirs


@given(trios(LINES))
@CHECK
def test_a_merged_list_names_no_target_more_often_than_the_sides(trio: tuple[bytes, bytes, bytes]) -> None:
    """Promised as F52."""
    merged = both_ways(*trio, merge_catalogue)
    counts = [[path for _, path in index_targets(data.decode())] for data in (*trio[1:], merged.data)]
    for path in set(counts[2]):
        assert counts[2].count(path) <= max(counts[0].count(path), counts[1].count(path))
    missing = [line for side in trio[1:] for line in side.split(b"\n") if b"](" not in line and line not in trio[0]]
    assert merged.conflicts or all(line in merged.data.split(b"\n") for line in missing)


def test_the_entries_of_a_day_are_joined_in_the_order_of_their_time() -> None:
    """Promised as A8."""
    ours = edited((b"- 10:00 ten\n  in two lines\n", b"- 09:30 half\n"), of=DAY)
    theirs = edited((b"- 12:00", b"- 11:11 eleven\n- 12:00"), of=DAY)
    wanted = b"# 2026-11-30\n\n- 09:00 start\n- 09:30 half\n- 11:11 eleven\n- 12:00 noon\n"
    assert both_ways(DAY, ours, theirs, merge_journal) == Merged(wanted)


def test_a_day_that_both_sides_began_is_one_day() -> None:
    """Promised as A8 and F53."""
    merged = both_ways(None, b"# 2026-11-30\n\n- 10:00 b\n", b"# 2026-11-30\n\n- 09:00 a\n- 10:00 b\n", merge_journal)
    assert merged == Merged(b"# 2026-11-30\n\n- 09:00 a\n- 10:00 b\n")


@pytest.mark.parametrize(
    ("ours", "theirs", "wanted"),
    [
        (b"09:05 a\n", b"8:50 b\n", b"8:50 b\n09:05 a\n"),
        (b"## 09:05\n\na\n", b"## 08:50\n\nb\n", b"## 08:50\n\nb\n\n## 09:05\n\na\n"),
        (b"09:05 a\n\n# Notes\n\nx\n", b"08:50 b\n", b"08:50 b\n09:05 a\n\n# Notes\n\nx\n"),
    ],
)
def test_a_day_may_be_written_as_lines_items_or_headings(ours: bytes, theirs: bytes, wanted: bytes) -> None:
    """Promised as A8."""
    assert both_ways(None, ours, theirs, merge_journal) == Merged(wanted)


def test_only_a_time_begins_an_entry() -> None:
    """Promised as A8."""
    times = {"09:05 x": 545, "- 23:59 x": 1439, "**7:05** x": 425, "## 00:00": 0}
    assert {line: minute_of(line) for line in times} == times
    assert [
        minute_of(line) for line in ("24:00 x", "9:5 x", "10:600", "a 10:00", "    10:00", "http://x", "1.10:00")
    ] == [-1] * 7


@given(trios(ENTRIES))
@CHECK
def test_no_line_of_a_day_is_lost(trio: tuple[bytes, bytes, bytes]) -> None:
    """Promised as A8 and C3."""
    merged = both_ways(*trio, merge_journal)
    new = [line for side in trio[1:] for line in side.split(b"\n") if line not in trio[0]]
    assert merged.conflicts or all(line in merged.data for line in new)


@pytest.mark.parametrize("mark", ["- ", "", "## "])
def test_one_entry_that_both_sides_rewrote_is_one_entry_and_a_conflict(mark: str) -> None:
    """Promised as C3: never two entries of one, without a word."""
    day = f"{mark}09:00 start\n\n{mark}11:00 entry\n  line base\n\n{mark}12:00 noon\n"
    ours, theirs = (day.replace("line base", f"line by {number}").encode() for number in (1, 2))
    merged = both_ways(day.encode(), ours, theirs, merge_journal)
    assert merged.data == theirs
    assert merged.conflicts == (f'the entry "{mark}11:00 entry"',)


def test_one_entry_both_rewrote_with_another_first_line_is_one_too() -> None:
    day = b"- 09:00 start\n- 11:00 met the team\n"
    merged = both_ways(day, edited((b"the team", b"Eve"), of=day), edited((b"the team", b"Bo"), of=day), merge_journal)
    assert merged.data.count(b"11:00") == 1
    assert merged.conflicts


def test_entries_of_one_minute_that_both_sides_added_stay_both() -> None:
    day = b"- 09:00 start\n- 11:00 met the team\n"
    ours, theirs = day + b"- 11:00 met Ada\n", edited((b"the team", b"the whole team"), of=day) + b"- 11:00 met Bo\n"
    merged = both_ways(day, ours, theirs, merge_journal)
    assert not merged.conflicts
    assert sorted(merged.data.split(b"\n")[1:-1]) == [
        b"- 11:00 met Ada",
        b"- 11:00 met Bo",
        b"- 11:00 met the whole team",
    ]


def test_an_entry_whose_paragraphs_each_side_changed_one_of_merges() -> None:
    day = b"## 11:00\n\none\n\ntwo\n"
    merged = both_ways(day, edited((b"one", b"uno"), of=day), edited((b"two", b"due"), of=day), merge_journal)
    assert merged == Merged(b"## 11:00\n\nuno\n\ndue\n")


def test_settings_merge_by_key_and_their_lists_as_sets() -> None:
    """Promised as issue C2: locks and config by key."""
    base = DEFAULT_CONFIG.replace("ignore: []", "ignore: [drafts/, old/]").encode()
    ours = (
        edited((b"[drafts/, old/]", b"[old/]"), (b"format:", b"# mine\nformat:"), of=base)
        + b"\nlocks:\n  - a.md  # mine\n"
    )
    theirs = edited((b"[drafts/, old/]", b"[drafts/, old/, tmp/]"), (b"candidates: label", b"candidates: off"), of=base)
    wanted = edited((b"[old/]", b"[old/, tmp/]"), (b"candidates: label", b"candidates: off"), of=ours)
    merged = both_ways(base, ours, theirs, merge_settings)
    assert merged == Merged(wanted)
    assert parse_settings(merged.data.decode()).ignore == ("old/", "tmp/")


def test_a_setting_both_changed_is_told_by_its_name() -> None:
    """Promised as C3."""
    base = b"a: 1\nrecall:\n  b: 1\n"
    merged = both_ways(base, b"a: 1\nrecall:\n  b: 2\n", b"a: 1\nrecall:\n  b: 3\n", merge_settings)
    assert merged.conflicts == ("setting recall.b",)


def test_a_file_is_merged_by_what_its_path_says_it_is() -> None:
    """Promised as C2."""
    assert is_day("journal/2026-11-30.md")
    assert not is_day("journal/2026-11.md")
    assert not is_day("x/journal/2026-11-30.md")
    ours, theirs = LIST + b"- [o](o.md)\n", LIST + b"- [t](t.md)\n"
    for path in ("MEMORY.md", "INDEX.md"):
        assert merge_file(path, LIST, ours, theirs, path) == merge_catalogue(LIST, ours, theirs)
    assert merge_file("journal/2026-11-30.md", None, DAY, b"08:00 x\n") == merge_journal(None, DAY, b"08:00 x\n")
    assert merge_file("logo.png", b"a", b"b", b"c") == Merged(b"c", ("the whole text",), "theirs")
    assert merge_file("logo.png", b"a", b"a", b"c") == Merged(b"c")
