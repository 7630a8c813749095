"""The list of memories loses what names an archived one, and gets it back in the person's words (A7, B6)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.link import has_entry, index_targets
from gitmem.setup.create import init
from gitmem.write.archive import archive, restore
from gitmem.write.archive_entry import put_entry, take_entries
from gitmem.write.change import Actor
from gitmem.write.memory import Kept

Git = Callable[..., str]
WHEN = 1_796_000_000
GROUPED = """\
# My memories

Free notes stay.

## Work

- [deploy](deploy.md) — never on Fridays
- [my alpha](alpha.md) — in my own words
  and a second line of them
  - [beta](beta.md) — hangs below

## Home

* [cat](cat.md)

The end.
"""


def taken(text: str, path: str = "alpha.md") -> tuple[str, list[str]]:
    data, records = take_entries(text.encode(), [path])
    return data.decode(), records.get(path, [])


def put_back(text: str, records: list[str]) -> str | None:
    data = put_entry(text.encode(), records)
    return None if data is None else data.decode()


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("path", ["deploy.md", "alpha.md", "beta.md", "cat.md"])
def test_an_entry_comes_back_to_its_place_to_the_byte(path: str, eol: str) -> None:
    """B6: also the lines below it that are its own; CRLF stays CRLF (sage-mem case 62)."""
    text = GROUPED.replace("\n", eol)
    left, records = taken(text, path)
    assert not has_entry(left, path)
    assert [target for _, target in index_targets(left)] == [
        target for _, target in index_targets(text) if target != path
    ]
    assert put_back(left, records) == text


def test_what_hangs_below_an_entry_stays_where_it_is_no_part_of_it() -> None:
    left, _ = taken(GROUPED)
    assert left == GROUPED.replace("- [my alpha](alpha.md) — in my own words\n  and a second line of them\n", "")


@pytest.mark.parametrize(
    ("line", "left"),
    [
        ("- [my alpha](alpha.md) — words", None),
        ("[my alpha](alpha.md)", None),
        ("1. [my alpha](alpha.md)", None),
        ("> - [ ] [my alpha](alpha.md)", None),
        ("| [my alpha](alpha.md) | words |", None),
        ("- [a](Alpha.md) words", None),
        ("- [a](alpha.md#L12) words", None),
        ("- [a](./alpha.md), [again](alpha.md#x)", None),
        ('- [a]( <alpha.md> "title" )', None),
        ("- [my alpha](alpha.md) — see [docs](https://example.org/x.md)", None),
        ("- [a](alpha.md), [b](beta.md) — both", "- [b](beta.md) — both"),
        ("- [b](beta.md) / [a](alpha.md) — both", "- [b](beta.md) — both"),
        ("- [a](alpha.md) before [b](beta.md)", "- a before [b](beta.md)"),
        ("- [b](beta.md)、[a](alpha.md)、[c](c.md)", "- [b](beta.md)、[c](c.md)"),
        ("- [b](beta.md) ![a](alpha.md) [c](c.md)", "- [b](beta.md) [c](c.md)"),
        ("Read [the [old] alpha](alpha.md) first.", "Read the [old] alpha first."),
        ("## [Alpha](alpha.md)", "## Alpha"),
        ("- [x](x_alpha.md) only", "- [x](x_alpha.md) only"),
        ("- [x](sub/alpha.md) only", "- [x](sub/alpha.md) only"),
        ("- `[a](alpha.md)` is code", "- `[a](alpha.md)` is code"),
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_line_goes_when_it_is_about_this_memory_alone_else_only_its_link(
    line: str, left: str | None, eol: str
) -> None:
    """sage-mem cases 56, 59 and 63."""
    text = f"# Mine{eol}{eol}- [first](first.md){eol}{line}{eol}- [last](last.md){eol}"
    without, records = taken(text)
    assert without == text.replace(line + eol, "" if left is None else left + eol)
    assert bool(records) == (left != line)
    assert not has_entry(without, "alpha.md")
    if records:
        assert put_back(without, records) == text


def test_a_memory_that_is_listed_twice_comes_back_twice() -> None:
    text = "## A\n\n- [a](alpha.md) — one\n\n## B\n\n- [x](x.md)\n- [a](alpha.md) — two\n"
    left, records = taken(text)
    assert left == "## A\n\n\n## B\n\n- [x](x.md)\n"
    assert put_back(left, records) == text


def test_a_place_that_is_gone_leaves_the_words() -> None:
    _, records = taken(GROUPED)
    assert put_back("# New\n", records) == (
        "# New\n- [my alpha](alpha.md) — in my own words\n  and a second line of them\n"
    )
    assert put_back("", records) == "- [my alpha](alpha.md) — in my own words\n  and a second line of them\n"


@pytest.mark.parametrize("gone", ["above", "below"])
def test_one_neighbour_is_enough_to_find_the_place(gone: str) -> None:
    left, records = taken("# M\n- [b](b.md)\n- [a](alpha.md) — mine\n- [c](c.md)\n")
    left = left.replace("- [b](b.md)\n" if gone == "above" else "- [c](c.md)\n", "- [new](new.md)\n")
    lines = (put_back(left, records) or "").splitlines()
    at = lines.index("- [a](alpha.md) — mine")
    assert lines[at - 1 if gone == "below" else at + 1] == ("- [b](b.md)" if gone == "below" else "- [c](c.md)")


def test_of_equal_neighbours_the_right_one_is_chosen() -> None:
    text = "## Notes\n- [b](b.md)\n## Notes\n- [a](alpha.md)\n- [c](c.md)\n"
    left, records = taken(text)
    assert put_back(left, records) == text


def test_a_list_without_a_last_line_ending_keeps_it_so() -> None:
    left, records = taken("- [a](alpha.md)\n- [b](b.md)")
    assert left == "- [b](b.md)"
    assert put_back(left, records) == "- [a](alpha.md)\n- [b](b.md)"
    assert put_back("- [z](z.md)", records) == "- [z](z.md)\n- [a](alpha.md)"


def test_a_link_whose_line_was_rewritten_is_not_put_into_it() -> None:
    left, records = taken("- [a](alpha.md), [b](b.md)\n")
    assert put_back(left.replace("b.md", "c.md"), records) is None


@pytest.mark.parametrize("records", [["x"], ["", "", "", ""], ["- y", "", "junk", "a+b"], ["a", "b", "c", "d", "e"]])
def test_records_that_make_no_sense_do_no_harm(records: list[str]) -> None:
    assert put_back("# M\n", records) in (None, "# M\n- y\n")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_list_in_another_encoding_keeps_it(encoding: str) -> None:
    data = GROUPED.encode(encoding)
    left, records = take_entries(data, ["alpha.md"])
    assert put_entry(left, records["alpha.md"]) == data


@given(st.permutations(["deploy.md", "alpha.md", "beta.md", "cat.md"]), st.integers(1, 4))
def test_what_left_together_comes_back_whatever_the_order(order: list[str], count: int) -> None:
    paths = order[:count]
    data, records = take_entries(GROUPED.encode(), paths)
    for path in sorted(paths, key=GROUPED.index):
        data = put_entry(data, records[path]) or b""
    assert data.decode() == GROUPED
    shuffled = take_entries(GROUPED.encode(), paths)[0]
    for path in order[:count]:
        shuffled = put_entry(shuffled, records[path]) or b""
    assert sorted(shuffled.decode().splitlines()) == sorted(GROUPED.splitlines())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    init(str(root), environ=os.environ, when=WHEN)
    (root / "alpha.md").write_text("---\nname: alpha\ndescription: " + "word " * 60 + "\n---\nx\n")
    return root


def round_trip(root: Path) -> tuple[Kept, Kept]:
    words = {"when": WHEN, "actor": Actor("person"), "environ": os.environ}
    return archive(str(root), "alpha.md", **words), restore(str(root), "alpha", **words)  # type: ignore[arg-type]


def test_archive_and_restore_leave_the_list_as_it_was(store: Path, git: Git) -> None:
    """sage-mem case 57."""
    (store / "MEMORY.md").write_bytes(GROUPED.replace("\n", "\r\n").encode())
    round_trip(store)
    assert (store / "MEMORY.md").read_bytes() == GROUPED.replace("\n", "\r\n").encode()
    assert git("status", "--porcelain", cwd=store) == ""


def test_a_memory_that_was_not_listed_is_listed_when_it_comes_back(store: Path) -> None:
    """sage-mem cases 52, 60 and 61: old bytes are a prefix, the description is cut."""
    (store / "MEMORY.md").write_bytes(b"# Mine\n- [b](b.md)")
    round_trip(store)
    new = (store / "MEMORY.md").read_text()
    assert new.startswith("# Mine\n- [b](b.md)\n- [alpha](alpha.md) — word ")
    assert len(new.splitlines()[-1]) <= len("- [alpha](alpha.md) — ") + 120


def test_a_line_the_person_wrote_meanwhile_is_the_one(store: Path) -> None:
    """sage-mem case 53."""
    (store / "MEMORY.md").write_text("- [alpha](alpha.md) — old\n")
    words = {"when": WHEN, "actor": Actor("person"), "environ": os.environ}
    archive(str(store), "alpha.md", **words)  # type: ignore[arg-type]
    (store / "MEMORY.md").write_text("- [back soon](alpha.md#x) — new\n")
    restore(str(store), "alpha", **words)  # type: ignore[arg-type]
    assert (store / "MEMORY.md").read_text() == "- [back soon](alpha.md#x) — new\n"


def test_without_a_list_none_is_made(store: Path, git: Git) -> None:
    """sage-mem case 55."""
    (store / "MEMORY.md").unlink()
    git("commit", "-qam", "no list", cwd=store)
    round_trip(store)
    assert not (store / "MEMORY.md").exists()


def test_a_memory_that_is_not_listed_leaves_the_list_alone(store: Path, git: Git) -> None:
    """sage-mem case 58."""
    (store / "MEMORY.md").write_text("- [x](x_alpha.md)\n")
    git("add", "-A", cwd=store)
    git("commit", "-qm", "mine", cwd=store)
    archive(str(store), "alpha.md", when=WHEN, actor=Actor("person"), environ=os.environ)
    assert "MEMORY.md" not in git("show", "--name-only", "--format=", "HEAD", cwd=store)


@pytest.mark.parametrize("kind", ["link", "folder", "damaged"])
def test_a_list_that_cannot_be_changed_hinders_nothing_and_is_said(store: Path, tmp_path: Path, kind: str) -> None:
    file = store / "MEMORY.md"
    file.unlink()
    if kind == "folder":
        file.mkdir()
    elif kind == "link":
        (tmp_path / "list.md").write_text("- [alpha](alpha.md)\n")
        file.symlink_to(tmp_path / "list.md")
    else:
        file.write_bytes(b"\xff\xfe#\0x")
    gone, back = round_trip(store)
    assert any(
        note.startswith("MEMORY.md ") and note.endswith("so what it says of the archived stays") for note in gone.notes
    )
    assert any(note.startswith("MEMORY.md ") and note.endswith("so alpha.md got no line in it") for note in back.notes)
    assert (store / "alpha.md").exists()
    if kind == "link":
        assert (tmp_path / "list.md").read_text() == "- [alpha](alpha.md)\n"


def test_the_list_may_have_another_name(store: Path) -> None:
    config = store / ".gitmem/config.yaml"
    config.write_text(config.read_text().replace("index_file: MEMORY.md", "index_file: Notes.md"))
    (store / "Notes.md").write_text("# N\n- [mine](alpha.md)\n")
    archive(str(store), "alpha.md", when=WHEN, actor=Actor("person"), environ=os.environ)
    assert (store / "Notes.md").read_text() == "# N\n"
    restore(str(store), "alpha", when=WHEN, actor=Actor("person"), environ=os.environ)
    assert (store / "Notes.md").read_text() == "# N\n- [mine](alpha.md)\n"
