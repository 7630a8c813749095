"""The marks of an archived memory go in and come out without touching another byte (B6)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.errors import Refused
from gitmem.memory.archived import Marks, with_marks, without_marks
from gitmem.memory.document import read_memory

AT = "2026-11-30 10:04"
HEADS = {
    "plain": b"---\nname: a\ndescription: b\n---\n\nbody\n",
    "crlf": b"---\r\nname: a\r\n---\r\nbody\r\n",
    "cr": b"---\rname: a\r---\rbody\r",
    "empty head": b"---\n---\n",
    "only a comment": b"---\n# mine\n---\nb",
    "comment at the end": b"---\nname: a\n# c\n\n---",
    "indented": b"---\n  name: a\n  tags: [x]\n---\nq",
    "nested": b"---\nname: a\nmetadata:\n  type: x\n---\nb",
    "list at the end": b"---\ntags:\n- a\n- b\n---\nx",
    "block at the end": b"---\ndescription: |\n  archived_at: mine\n  b\n---\nq",
    "flow mapping": b"---\nmetadata: {a: b}\n---\n",
    "byte order mark": b"\xef\xbb\xbf---\nname: a\n---\nb",
    "utf-16": "---\nname: größer\n---\nb\n".encode("utf-16"),
    "latin-1": b"---\nname: caf\xe9\n---\nb\xe9\n",
    "broken quote": b"---\nname: 'a\n---\nq",
    "no mapping": b"---\nnope\n---\nx",
    "never closed": b"---\nname: a\n",
    "blank line above": b"\n---\nname: a\n---\n",
    "no head": b"just text\n",
    "no head, crlf": b"just text\r\nand more",
    "nothing": b"",
    "big": b"---\nname: a\n---\n" + b"word " * 130_000,
}


@pytest.mark.parametrize("data", HEADS.values(), ids=HEADS)
def test_marks_go_in_and_out_and_every_other_byte_stays(data: bytes) -> None:
    """B6: a restored memory is byte for byte what was archived."""
    marked = with_marks(data, AT, "no longer true", ["- [a](a.md) — größer", "", "x+1", ""])
    memory = read_memory("a.md", marked)
    marks = Marks(memory.fields)
    assert (marks.at, marks.reason, marks.entry) == (
        AT, "no longer true", ("- [a](a.md) — größer", "", "x+1", ""),
    )  # fmt: skip
    assert memory.body == read_memory("a.md", data).body
    assert without_marks(marked) == data


@pytest.mark.parametrize("data", HEADS.values(), ids=HEADS)
def test_marks_stand_there_once_however_often_they_are_given(data: bytes) -> None:
    """An archived memory whose text came back without marks, or with old ones, has them once."""
    twice = with_marks(with_marks(data, "2020-01-01 00:00", "old", ["x"]), AT, "new")
    assert twice == with_marks(data, AT, "new")
    assert without_marks(twice) == data
    assert with_marks(without_marks(twice), AT, "new") == twice


@pytest.mark.parametrize(
    "reason",
    [
        "X: y # z",
        "a\nb",
        "a\r\nname: evil\r\n",
        "---\nname: evil\n---",
        "it's",
        "a: 'b'",
        "end:",
        "",
        "[x]",
        "é 部署",
        "\0\x07",
    ],
)
@pytest.mark.parametrize("data", [HEADS["plain"], HEADS["crlf"], HEADS["no head"]])
def test_a_reason_is_one_quoted_line_whatever_it_holds(data: bytes, reason: str) -> None:
    """B6: no reason can forge a field or a fence."""
    marked = with_marks(data, AT, reason)
    memory, before = read_memory("a.md", marked), read_memory("a.md", data)
    wanted = " ".join("".join(sign if sign.isprintable() else " " for sign in reason).split())
    assert Marks(memory.fields).reason == wanted
    assert memory.body == before.body
    assert {key: memory.fields.get(key) for key in before.fields} == before.fields
    assert sum(line.strip() == b"---" for line in marked.splitlines()) == 2
    assert marked.count(b"archived_at:") == marked.count(b"archive_reason:") == 1


def test_a_crlf_file_has_only_crlf() -> None:
    marked = with_marks(HEADS["crlf"], AT, "x", ["y"])
    assert marked.count(b"\n") == marked.count(b"\r\n") > 5


def test_a_file_without_a_head_gets_the_least_there_is() -> None:
    assert with_marks(b"text\n", AT, "x") == (
        b"---\narchived_at: '2026-11-30 10:04'\narchive_reason: x\narchive_head: added\n---\ntext\n"
    )


def test_a_head_that_archiving_made_stays_when_a_person_put_a_field_into_it() -> None:
    marked = with_marks(b"text\n", AT, "x").replace(b"archive_head", b"name: mine\narchive_head")
    assert without_marks(marked) == b"---\nname: mine\n---\ntext\n"


def test_marks_of_sage_mem_are_read_and_taken_out() -> None:
    data = b"---\nname: a\narchived_at: 2025-01-02 03:04\narchived_reason: 'gone'\n---\ntext\n"
    marks = Marks(read_memory("a.md", data).fields)
    assert (marks.at, marks.reason, marks.entry) == ("2025-01-02 03:04", "gone", ())
    assert without_marks(data) == b"---\nname: a\n---\ntext\n"


def test_marks_in_a_body_are_text() -> None:
    data = b"---\nname: a\n---\narchived_at: 2025\n"
    assert without_marks(data) == data


@pytest.mark.parametrize("data", ["---\nname: a\n---\n".encode("utf-16-le"), b"\xff\xfe#\0x"])
def test_wide_text_that_cannot_take_a_line_is_refused(data: bytes) -> None:
    with pytest.raises(Refused, match="UTF-16"):
        with_marks(data, AT, "x")
    assert without_marks(data) == data


@given(st.binary(max_size=200), st.text(max_size=60), st.lists(st.text(max_size=20), max_size=4))
@example(b"---\nname: a\n---", "x", [])
@example(b"---\r\n---\n", "x", ["\r"])
def test_any_file_comes_back(data: bytes, reason: str, entry: list[str]) -> None:
    if b"\0" in data:
        return
    try:
        marked = with_marks(data, AT, reason, entry)
    except Refused:
        return
    assert without_marks(marked) == without_marks(data)
