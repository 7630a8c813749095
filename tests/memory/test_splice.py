"""The splice editor: what is changed is changed, and not one other byte (F and S numbers as in the cases)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import BrokenHead, NotFound, Refused
from gitmem.memory.document import read_memory, split_lines
from gitmem.memory.field import as_items, known
from gitmem.memory.splice import new_memory, set_body, set_field, set_section
from tests.strategies import CHECK, files, items, sound_files, texts

KEYS = ["name", "description", "tags", "own-key", "键", "metadata.type", "metadata.own", "fresh.x"]
PERSON = b"""---
# how we deploy
name: "x"
tags: [a,  b]   # where
baseline: true # each session


metadata:
    node_type: memory
    type: user  # who
    # since May
    originSessionId: 4b9e
description: 'old'
aliases:
  # first
  - 'one'
  - two # 2
custom: |
  kept
  as it is
---

body
"""


def value_at(data: bytes, key: str) -> object:
    """The value at "a" or "a.b" as the reader gives it, None when there is none."""
    value: object = read_memory("a.md", data).fields
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def changed(before: bytes, after: bytes) -> tuple[list[bytes], list[bytes]]:
    """The lines that differ: gone ones and new ones, between what stayed at the front and at the end."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return old, new


# One field


@pytest.mark.parametrize(
    ("key", "value", "gone", "new"),
    [
        ("name", "y: z", [b'name: "x"\n'], [b'name: "y: z"\n']),
        ("description", "new # x", [b"description: 'old'\n"], [b"description: 'new # x'\n"]),
        ("description", None, [b"description: 'old'\n"], []),
        ("tags", ["a", "c, d"], [b"tags: [a,  b]   # where\n"], [b"tags: [a, 'c, d']   # where\n"]),
        ("tags", [], [b"tags: [a,  b]   # where\n"], []),
        ("baseline", "false", [b"baseline: true # each session\n"], [b"baseline: false # each session\n"]),
        ("metadata.type", "project", [b"    type: user  # who\n"], [b"    type: project  # who\n"]),
        ("metadata.kind", "fact", [], [b"    kind: fact\n"]),
        ("metadata.node_type", None, [b"    node_type: memory\n"], []),
        ("aliases", ["one", "new: x"], [b"  - two # 2\n"], [b"  - 'new: x'\n"]),
        ("aliases", ["two"], [b"  # first\n", b"  - 'one'\n"], []),
        ("aliases", ["one", "two", "three"], [], [b"  - 'three'\n"]),
        ("custom", "short", [b"custom: |\n", b"  kept\n", b"  as it is\n"], [b"custom: short\n"]),
        ("updated", "2026-11-30", [], [b"updated: 2026-11-30\n"]),
        ("aliases", None, [b"aliases:\n", b"  # first\n", b"  - 'one'\n", b"  - two # 2\n"], []),
    ],
)  # fmt: skip
def test_only_the_lines_of_the_field_change(
    key: str, value: str | list[str], gone: list[bytes], new: list[bytes]
) -> None:
    """A9: comments, order, quotes, alignment and blank lines of the person stay."""
    assert changed(PERSON, set_field(PERSON, key, value)) == (gone, new)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("name", "x"), ("tags", ["a", "b"]), ("aliases", ["one", "two"]), ("metadata.type", "user"), ("missing", None),
        ("metadata.missing", None), ("custom", "kept\nas it is\n"), ("missing", []), ("nowhere.x", None),
    ],
)  # fmt: skip
def test_an_equal_value_changes_not_one_byte(key: str, value: str | list[str] | None) -> None:
    """Block lists and folded texts are not re-spelled."""
    assert set_field(PERSON, key, value) is PERSON


def test_a_list_written_as_text_equals_the_same_list() -> None:
    data = b"---\ntags: a, b\n---\n"
    assert set_field(data, "tags", ["a", "b"]) is data
    assert set_field(data, "tags", ["a"]) == b"---\ntags: [a]\n---\n"


def test_removing_a_block_list_takes_its_items_along() -> None:
    data = b"---\nname: n\ntags:\n  - a\n  - b\ntype: user\n---\n"
    assert set_field(data, "tags", []) == b"---\nname: n\ntype: user\n---\n"
    data = b"---\ntags:\n- a\n\n# why\n- b\n\n# of type\ntype: user\n---\n"
    assert set_field(data, "tags", None) == b"---\n\n# of type\ntype: user\n---\n"


@pytest.mark.parametrize(
    ("head", "key", "expected"),
    [
        (b"type: user\n", "name", b"name: v\ntype: user\n"),
        (b"# top\ntype: user\n", "description", b"# top\ndescription: v\ntype: user\n"),
        (b"name: n\ntype: user\n", "tags", b"name: n\ntags: v\ntype: user\n"),
        (b"description: >-\n  a\n\n  b\n\ntype: t\n", "tags", b"description: >-\n  a\n\n  b\ntags: v\n\ntype: t\n"),
        (b"type: user\ntags: [a]\nname: n\n", "aliases", b"type: user\ntags: [a]\naliases: v\nname: n\n"),
        (b"name: n\n", "own", b"name: n\nown: v\n"),
        (b"name: n\n# end\n", "own", b"name: n\nown: v\n# end\n"),
        (b"", "name", b"name: v\n"),
        (b"# only\n", "name", b"# only\nname: v\n"),
        (b"name: n\n", "metadata.type", b"name: n\nmetadata:\n  type: v\n"),
        (b"metadata:\n    a: b\nname: n\n", "metadata.type", b"metadata:\n    a: b\n    type: v\nname: n\n"),
        (b"metadata: # ours\nname: n\n", "metadata.type", b"metadata: # ours\n  type: v\nname: n\n"),
        (b"metadata: {a: b} # x\n", "metadata.type", b"metadata: {a: b, type: v} # x\n"),
        (b"metadata:\n  a:\n    - b\n  # end\n", "metadata.type", b"metadata:\n  a:\n    - b\n  type: v\n  # end\n"),
        (b"  name: n\n  type: user\n", "tags", b"  name: n\n  tags: v\n  type: user\n"),
    ],
)  # fmt: skip
def test_a_missing_field_is_put_where_a_person_would(head: bytes, key: str, expected: bytes) -> None:
    """Order name, description, tags, aliases; nested ones with their block's indentation; else at the end."""
    assert set_field(b"---\n" + head + b"---\nbody", key, "v") == b"---\n" + expected + b"---\nbody"


@pytest.mark.parametrize(
    ("ending", "encoding"),
    [("\r\n", "utf-8"), ("\r", "utf-8"), ("\r\n", "utf-8-sig"), ("\n", "utf-16"), ("\r\n", "utf-16-be")],
)
@pytest.mark.parametrize("key", ["name", "tags", "metadata.type", "metadata.new", "fresh.x"])
def test_line_ending_mark_and_encoding_of_the_file_stay(ending: str, encoding: str, key: str) -> None:
    """Never mixed."""
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    text = "---\nname: n\ntags:\n  - é\n  - b\nmetadata:\n  type: user\n---\n\nbody 記\n"
    data = (mark + text.replace("\n", ending)).encode(encoding)
    edited = set_field(data, key, ["b", "c"] if key == "tags" else "記憶\nx")
    decoded = edited.decode(encoding).removeprefix("\ufeff")
    assert decoded.replace(ending, "") == decoded.replace("\r", "").replace("\n", "")
    assert edited[:2] == data[:2]
    assert read_memory("a.md", edited).encoding == read_memory("a.md", data).encoding
    assert value_at(edited, key) == (["b", "c"] if key == "tags" else "記憶\nx")


def test_a_line_with_mixed_endings_around_takes_its_own() -> None:
    data = b"---\r\nname: n\r\ntype: user\n---\r\nbody\n"
    assert set_field(data, "type", "project") == data.replace(b"user", b"project")
    assert set_field(data, "name", "m") == data.replace(b"name: n", b"name: m")


def test_lines_that_are_not_utf8_keep_their_bytes() -> None:
    """Only the new line is UTF-8, and the reader gets both."""
    data = b"---\nname: caf\xe9\ntype: user\n---\nbody \xe9\n"
    edited = set_field(data, "type", "記憶")
    assert edited == data.replace(b"user", "記憶".encode())
    assert read_memory("a.md", edited).fields == {"name": "café", "type": "記憶"}
    assert set_field(data, "name", "x") == data.replace(b"caf\xe9", b"x")


@pytest.mark.parametrize(
    "data",
    [b"", b"body", b"body\r\nmore\r\n", b"\xef\xbb\xbfbody\n", b"\xff\xfeb\x00\n\x00", b"# A\n\n---\n\nx\n---\n"],
)
def test_a_file_without_a_head_gets_one_in_front(data: bytes) -> None:
    """The body stays byte for byte."""
    before = read_memory("a.md", data)
    edited = set_field(set_field(data, "name", "n"), "metadata.type", "user")
    after = read_memory("a.md", edited)
    assert after.fields == {"name": "n", "metadata": {"type": "user"}}
    assert (after.body, after.encoding) == (before.body, before.encoding)
    assert edited.endswith(before.body.encode(after.encoding if "16" in after.encoding else "utf-8"))
    assert {finding.rule for finding in after.findings} == {finding.rule for finding in before.findings}


# Broken heads


def test_a_broken_head_never_gets_a_second_one() -> None:
    """A9: the edit of a field on a sound line goes through, the broken line keeps its bytes."""
    data = b"---\nname: a: b\ntags: [a, @b]\ntype: user\n---\nbody\n"
    assert set_field(data, "type", "project") == data.replace(b"user", b"project")
    assert set_field(data, "metadata.kind", "fact") == data.replace(b"user\n", b"user\nmetadata:\n  kind: fact\n")
    assert set_field(data, "tags", ["c"]) == data.replace(b"[a, @b]", b"[c]")
    assert set_field(data, "name", "a: b") is data
    assert set_field(data, "name", "a: c") == data.replace(b"a: b", b"'a: c'")


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b"---\nname: n\n\nbody without an end\n", 1),
        (b"---\n- a\n- b\n---\nbody\n", 2),
        (b"---\njust words\n---\nbody\n", 2),
        (b"\n\n---\nname: n\n---\nbody\n", 3),
        (b"---\n%YAML 1.1\n---\nname: n\n---\n", 2),
    ],
)
def test_what_only_looks_like_a_head_is_refused_with_its_line(data: bytes, line: int) -> None:
    for key, value in (("name", "x"), ("tags", ["a"]), ("metadata.type", "user")):
        with pytest.raises(BrokenHead) as refused:
            set_field(data, key, value)
        assert refused.value.line == line
        assert f"line {line}" in refused.value.message


@pytest.mark.parametrize(
    ("head", "key", "value", "line"),
    [
        (b"name: n\ntype: user\ntype: project\n", "type", None, 4),
        (b"metadata:\n\ttype: user\n", "metadata.type", "project", 3),
        (b"metadata:\n\ttype: user\n", "metadata.kind", "fact", 3),
        (b"name: n\nmetadata: words\n", "metadata.type", "user", 3),
        (b"metadata: [a]\n", "metadata.type", "user", 2),
        (b"metadata:\n  type: user\n", "metadata", "x", 2),
        (b"{name: n, type: user}\n", "type", "project", 2),
        (b"? type\n: user\n", "type", "project", 2),
    ],
)
def test_where_it_would_have_to_guess_it_refuses_with_the_line(
    head: bytes, key: str, value: str | None, line: int
) -> None:
    with pytest.raises(BrokenHead) as refused:
        set_field(b"---\n" + head + b"---\nbody\n", key, value)
    assert refused.value.line == line
    assert f"line {line}" in refused.value.message


def test_the_first_of_two_equal_keys_is_the_one_that_is_set() -> None:
    """It is the one that counts."""
    data = b"---\ntype: user\ntype: project\n---\n"
    assert set_field(data, "type", "reference") == data.replace(b"user", b"reference")


def test_a_text_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(Refused, match="surrogate"):
        set_field(PERSON, "name", "\ud800")
    with pytest.raises(Refused, match="surrogate"):
        set_body(PERSON, "\udfff")
    with pytest.raises(Refused, match="UTF-16"):
        set_field(b"\xff\xfea\x00b", "name", "x")


# What is written reads back


@CHECK
@given(sound_files(), st.sampled_from(KEYS), texts())
def test_any_text_in_any_field_reads_back(data: bytes, key: str, text: str) -> None:
    """Promised as A9: ``read(write(x)) == x``."""
    edited = set_field(data, key, text)
    assert value_at(edited, key) == text
    assert set_field(edited, key, text) == edited


@CHECK
@given(sound_files(), st.sampled_from(["tags", "own", "metadata.triggers", "fresh.x"]), items())
def test_any_items_in_any_list_read_back(data: bytes, key: str, value: list[str]) -> None:
    """Promised as A9."""
    edited = set_field(data, key, value)
    assert value_at(edited, key) == value or (edited == data and as_items(str(value_at(data, key))) == value)


@CHECK
@given(sound_files(), st.sampled_from(KEYS), st.one_of(texts(), items(), st.none()))
def test_an_edit_leaves_every_other_byte_and_every_other_field(
    data: bytes, key: str, value: str | list[str] | None
) -> None:
    """A9: the lines that go are one run that starts with the key's own, and no line of another field."""
    edited = set_field(data, key, value)
    before, after = read_memory("a.md", data), read_memory("a.md", edited)
    parent, _, child = key.rpartition(".")
    assert after.body == before.body
    for name in before.fields.keys() | after.fields.keys():
        if name not in (key, parent):
            assert after.fields.get(name) == before.fields.get(name)
    old, new = before.fields.get(parent), after.fields.get(parent)
    if parent and isinstance(old, dict) and isinstance(new, dict):
        assert {name: new.get(name) for name in old if name != child} == {
            name: old[name] for name in old if name != child
        }
    gone, _ = changed(
        *(
            "".join(split_lines(each.text)).replace("\r\n", "\n").replace("\r", "\n").encode()
            for each in (before, after)
        )
    )
    others = [
        name
        for name in ("name", "description", "tags", "metadata", "unknown", "custom", "updated")
        if name not in (key, parent)
    ]
    assert not [line for line in gone if line.decode().startswith(tuple(name + ":" for name in others))]


@CHECK
@given(files(), st.sampled_from(KEYS), st.one_of(texts(), items(), st.none()))
def test_an_edit_of_any_file_is_right_or_refused(data: bytes, key: str, value: str | list[str] | None) -> None:
    """A9: whatever stands in the file."""
    before = read_memory("a.md", data)
    try:
        edited = set_field(data, key, value)
    except (BrokenHead, Refused):
        return
    after = read_memory("a.md", edited)
    assert after.body == before.body
    parent = key.rpartition(".")[0]
    for name in before.fields.keys() | after.fields.keys():
        if name not in (key, parent):
            assert after.fields.get(name) == before.fields.get(name)


# Body and sections


def test_a_new_body_keeps_the_head_and_takes_the_files_line_ending() -> None:
    data = b"---\r\nname: x  \r\n---\r\n\r\nold\r\nkept\r\n"
    assert set_body(data, "\nnew\nkept\n") == b"---\r\nname: x  \r\n---\r\n\r\nnew\r\nkept\r\n"
    assert set_body(data, read_memory("a.md", data).body) is data
    assert set_body(b"---\nname: n\n---", "text") == b"---\nname: n\n---\ntext"
    assert set_body(b"---\nname: n\n---\nbody", "") == b"---\nname: n\n---\n"


def test_lines_of_the_body_that_stay_keep_their_bytes() -> None:
    """Mixed line endings and foreign bytes included."""
    data = b"one \xe9\r\ntwo\nthree\r\n"
    assert set_body(data, "one é\nnew\nthree\n") == b"one \xe9\r\nnew\r\nthree\r\n"


@pytest.mark.parametrize("body", ["---\nname: n\n---\ntext", "\ufefftext", "---\n---\n"])
def test_a_body_that_looks_like_a_head_stays_body(body: str) -> None:
    for data in (b"", b"old", b"\xef\xbb\xbfold"):
        after = read_memory("a.md", set_body(data, body))
        assert (after.body, after.fields) == (body, {})
    assert read_memory("a.md", new_memory([], body)).body == f"\n{body.rstrip()}\n"


@CHECK
@given(files(), texts(12))
def test_any_body_reads_back_and_leaves_the_head(data: bytes, body: str) -> None:
    """A9: line endings aside, which become the file's."""
    before = read_memory("a.md", data)
    try:
        after = read_memory("a.md", set_body(data, body))
    except Refused:
        return
    assert after.fields == before.fields
    assert after.body.replace("\r\n", "\n").replace("\r", "\n") == body.replace("\r\n", "\n").replace("\r", "\n")


def test_a_section_is_replaced_in_place() -> None:
    """A5."""
    data = b"---\r\nname: n\r\n---\r\n# A\r\n\r\none\r\n\r\n## B\r\n\r\ntwo  \r\n"
    assert set_section(data, "# A", "new\n") == data.replace(b"one", b"new")
    assert set_section(data, "# A > ## B", "new\nlines") == data.replace(b"two  ", b"new\r\nlines")
    with pytest.raises(NotFound, match="# A > ## B"):
        set_section(data, "# C", "x")


# New files


def test_a_new_memory_is_plain_and_readable() -> None:
    data = new_memory(
        [
            ("name", "deploy ritual"), ("description", "steps: in order # always"),
            ("tags", ["deploy", "a, b", "1.10"]),
            ("aliases", []), ("metadata.id", "01KB"), ("updated", "2026-11-30T10:04:00Z"), ("metadata.type", "project"),
        ],
        "Never reorder.",
    )  # fmt: skip
    assert data.decode() == (
        "---\nname: deploy ritual\ndescription: 'steps: in order # always'\ntags: [deploy, 'a, b', '1.10']\n"
        "metadata:\n  id: 01KB\n  type: project\nupdated: 2026-11-30T10:04:00Z\n---\n\nNever reorder.\n"
    )


@pytest.mark.parametrize("text", ["NO", "null", "2026-03-01", "1.10", "0x1F", "12:30:45", "~", "1e3", ".5", "-1"])
def test_texts_that_other_tools_would_turn_into_something_else_are_quoted(text: str) -> None:
    """Other readers of the same files have types."""
    assert (
        new_memory([("name", text), ("tags", [text])], "") == f"---\nname: '{text}'\ntags: ['{text}']\n---\n".encode()
    )


@CHECK
@given(texts(), items(), texts(), texts(12))
def test_a_new_memory_reads_back(name: str, tags: list[str], kind: str, body: str) -> None:
    memory = read_memory("a.md", new_memory([("name", name), ("tags", tags), ("metadata.kind", kind)], body))
    assert memory.fields == {"name": name, "tags": tags, "metadata": {"kind": kind}}
    assert memory.findings == []
    assert memory.body.strip("\n") == body.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    assert known(memory).name == name.strip()


@pytest.mark.parametrize("key", ["name", "description", "colour", "type"])
@pytest.mark.parametrize("old", ["foo   # keep me", "'foo'   # keep me", "foo\t# keep me", "[foo]   # keep me"])
def test_the_comment_behind_any_value_stays(key: str, old: str) -> None:
    """A9; what follows ``#`` without a blank is text that YAML lost."""
    tail = old[old.index("foo") :].lstrip("fo'] ")
    data = f"---\n{key}: {old}\nother: x\n---\nbody\n".encode()
    new = set_field(data, key, "q: r").decode()
    assert new.splitlines()[1].endswith(tail.strip())
    assert read_memory("", new.encode()).fields == {key: "q: r", "other": "x"}


@pytest.mark.parametrize("edit", [lambda data: set_field(data, "name", "x"), lambda data: set_body(data, "x\n")])
def test_utf_16_without_its_mark_is_left_alone(edit: Callable[[bytes], bytes]) -> None:
    """Lines of UTF-8 among it would spoil it for every reader."""
    for encoding in ("utf-16-le", "utf-16-be"):
        with pytest.raises(Refused, match="UTF-8"):
            edit("name\n".encode(encoding))
