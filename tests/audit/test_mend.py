"""Mends change how a file is written and never what it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.audit.mend import mended
from gitmem.memory.document import read_memory
from tests.strategies import CHECK


@pytest.mark.parametrize(
    ("before", "after", "rules"),
    [
        (
            "---\ndescription: Deploy: use blue\n---\nb\n",
            "---\ndescription: 'Deploy: use blue'\n---\nb\n",
            ["head-colon"],
        ),
        ("---\nname:x\n---\nb\n", "---\nname: x\n---\nb\n", ["head-colon"]),
        ("---\ndescription: *bold* rule\n---\n", "---\ndescription: '*bold* rule'\n---\n", ["head-indicator"]),
        ('---\ndescription: "half\nname: b\n---\n', '---\ndescription: "half"\nname: b\n---\n', ["head-quote"]),
        ("---\nmetadata:\n\ttype: user\n---\n", "---\nmetadata:\n  type: user\n---\n", ["head-tab"]),
        ("---\ntype: a\nname: x\ntype: a\n---\n", "---\ntype: a\nname: x\n---\n", ["head-duplicate"]),
        ("---\ntags: [a]\ntags: ['a']\n---\n", "---\ntags: [a]\n---\n", ["head-duplicate"]),
        (
            "---\nmetadata:\n  id: @a\n  id: @a\n---\n",
            "---\nmetadata:\n  id: '@a'\n---\n",
            ["head-duplicate", "head-indicator"],
        ),
        ("---\r\nname: x\r\n---\r\nb\r\n", "---\nname: x\n---\nb\n", ["line-endings"]),
        ("---\r\nname: x\n---\nb\n", "---\nname: x\n---\nb\n", ["line-endings"]),
        ("\ufeff---\nname: x\n---\nb\n", "---\nname: x\n---\nb\n", ["bom"]),
    ],
)
def test_what_can_be_mended_safely_is(before: str, after: str, rules: list[str]) -> None:
    """Promised as I4."""
    data, done = mended("a.md", before.encode())
    assert (data.decode(), done) == (after, rules)


def test_utf_16_with_its_mark_becomes_utf_8() -> None:
    text = "---\nname: 上线\n---\nb ✓\n"
    assert mended("a.md", text.encode("utf-16")) == (text.encode(), ["encoding"])


@pytest.mark.parametrize(
    "text",
    [
        "---\ntype: a\ntype: b\n---\n",  # which one holds, a person knows
        "---\ndescription: fix #42 # urgent\n---\n",  # a comment, perhaps
        "---\nname: x\nupdated: 01.11.2026\n---\n",
        "---\nname: x\njust a sentence\n---\n",
        "---\nname: never closed\n",
        "---\nname: x\n---\none\rtwo\r\n",  # a CR that stands alone may be meant
        "no head\n",
        "---\nname: x\n---\nsound\n",
    ],
)
def test_what_a_person_must_decide_is_left(text: str) -> None:
    assert mended("a.md", text.encode()) == (text.encode(), [])


def test_the_rest_is_mended_where_one_thing_cannot_be() -> None:
    data, rules = mended("a.md", b"\xef\xbb\xbf---\r\ntype: a\r\ntype: b\r\ndescription: @x\r\n---\r\n")
    assert data == b"---\ntype: a\ntype: b\ndescription: '@x'\n---\n"
    assert rules == ["bom", "line-endings", "head-indicator"]


def test_latin_1_is_a_guess_and_stays() -> None:
    data = "---\nname: x\n---\ncaf\u00e9\n".encode("latin-1")
    assert mended("a.md", data) == (data, [])


_PIECES = st.sampled_from(
    [
        "name: x",
        "name: x",
        "type: a",
        "description: D: e",
        "tags: [a",
        "- a",
        "  - b",
        "\tid: 1",
        "metadata:",
        "  id: @x",
        "  id: @x",
        "# note",
        "",
        '"half',
        'description: "q',
        "a:b",
        "text",
        "key: |",
        "  block: y",
        "\ufeff",
        "名: 甲",
    ]
)


@CHECK
@given(st.lists(_PIECES, max_size=9), st.sampled_from(["\n", "\r\n", "\r"]), st.text(max_size=30))
def test_a_mended_file_reads_as_before_and_is_mended_for_good(lines: list[str], ending: str, body: str) -> None:
    """Whatever the head: fields and body are the same, and a second run changes nothing."""
    text = ending.join(["---", *lines, "---", body.encode("utf-8", "replace").decode()])
    before = read_memory("a.md", text.encode())
    data, rules = mended("a.md", text.encode())
    after = read_memory("a.md", data)
    assert after.fields == before.fields
    assert after.body.replace("\r\n", "\n") == before.body.replace("\r\n", "\n")
    assert bool(rules) == (data != text.encode())
    assert mended("a.md", data) == (data, [])
