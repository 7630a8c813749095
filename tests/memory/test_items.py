"""Lists as people type them: no bracket, quote or comma of an item is lost."""

from __future__ import annotations

import pytest
from hypothesis import given

from gitmem.memory.items import split_items, typed_items, unquoted, without_brackets
from tests.strategies import CHECK, items


def read(text: str) -> list[str]:
    return [label for item in split_items(without_brackets(text)) if (label := unquoted(item))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a, b", ["a", "b"]),
        (" [a, b] ", ["a", "b"]),
        ("arr[0]", ["arr[0]"]),
        ("[arr[0], b]", ["arr[0]", "b"]),
        ("TODO [x]", ["TODO [x]"]),
        ("[draft] x", ["[draft] x"]),
        ("[a], [b]", ["[a]", "[b]"]),
        ("[[x]]", ["[x]"]),
        ("[open", ["[open"]),
        ('["a, b", c]', ["a, b", "c"]),
        ("'a]', b", ["a]", "b"]),
        ("['a]', b]", ["a]", "b"]),
        ('say "hi"', ['say "hi"']),
        ('"Deploy" means "ship"', ['"Deploy" means "ship"']),
        ("'90s music, rock 'n' roll", ["'90s music", "rock 'n' roll"]),
        ("it''s, 'it''s'", ["it''s", "it's"]),
        ('上线，发布、"a，b"', ["上线", "发布", "a，b"]),
        ('"C:\\temp", "a\\"b"', ["C:\\temp", 'a"b']),
        ("a,, ,", ["a"]),
        ("", []),
    ],
)
def test_quotes_and_brackets_belong_to_the_list_only_where_they_enclose(text: str, found: list[str]) -> None:
    assert read(text) == found


@CHECK
@given(items())
def test_what_is_shown_to_be_typed_reads_back(given_items: list[str]) -> None:
    """Read(write(x)) is x, but for blanks around an item."""
    wanted = [item.strip() for item in given_items]
    typed = typed_items(wanted)
    assert read(typed) == [item for item in wanted if item]
    assert read(f"[{typed}]") == [item for item in wanted if item]


@pytest.mark.parametrize("text", ["'a'b" * 9_000, "'a'," * 9_000, '"' * 60_000, "[" * 60_000, "'" + "\\'" * 30_000])
def test_a_hostile_list_ends_soon(text: str) -> None:
    assert len("".join(split_items(text))) <= len(text)
