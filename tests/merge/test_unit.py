"""A body cut into pieces and put together again (merge/unit.py, merge/sequence.py)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitmem.merge.sequence import merged_order
from gitmem.merge.unit import flattened, read_bodies, write_body
from tests.merge.histories import HEADINGS, PARAGRAPHS, body, pieces
from tests.strategies import CHECK, texts


@given(st.one_of(pieces(PARAGRAPHS + HEADINGS).map(body), texts(20)))
@CHECK
def test_the_pieces_of_a_body_are_the_body(text: str) -> None:
    """Promised as C2: a merge leaves what nobody changed."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = text if text.endswith("\n") or not text else text + "\n"
    (read,) = read_bodies(text)
    assert write_body(flattened(read), read.tail, [read]) == text


def test_list_items_and_table_rows_stand_alone_and_a_fence_is_whole() -> None:
    """Promised as C2."""
    text = "intro\n- a\n  more\n- b\n\n```\nx\n\ny\n```\n| r |\n| s |\n2026. a year\n"
    assert [unit.text for unit in flattened(*read_bodies(text))] == [
        "intro", "- a\n  more", "- b", "```\nx\n\ny\n```", "| r |", "| s |", "2026. a year",
    ]  # fmt: skip


@given(*[st.lists(st.integers(0, 9), unique=True)] * 3)
@CHECK
def test_an_order_holds_every_key_once(base: list[int], first: list[int], second: list[int]) -> None:
    """Promised as C2: no field and no section stands twice."""
    order = merged_order(base, first, second)
    assert sorted(order) == sorted({*first, *second})


def test_the_side_that_changed_the_order_decides_it() -> None:
    """Promised as C2."""
    assert merged_order("abc", "abc", "cab") == list("cab")
    assert merged_order("abc", "acb", "abc") == list("acb")
    assert merged_order("abc", "abcx", "abyc") == list("abycx")
    assert merged_order("ab", "abx", "aby") == list("abyx")
