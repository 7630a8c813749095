"""Bags of terms as strings (index/bag.py)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitmem.index.bag import add, needle, pack, unpack, weight
from gitmem.memory.words import words

TERMS = st.text(
    st.characters(blacklist_categories=("Cs", "Cc", "Zs", "Zl", "Zp"), blacklist_characters="="), min_size=1
)


@given(st.dictionaries(TERMS, st.integers(1, 255)))
def test_what_is_packed_can_be_asked_for_and_unpacked(bag: dict[str, int]) -> None:
    """The string form loses nothing."""
    packed = pack(bag)
    assert unpack(packed) == bag
    assert all(weight(packed, needle(term)) == halves / 2 for term, halves in bag.items())


def test_a_term_is_not_found_inside_another() -> None:
    """ "port" is not in "export"."""
    packed = pack({"export": 2, "portable": 2})
    assert weight(packed, needle("port")) == 0.0


def test_counts_have_a_ceiling() -> None:
    """A word repeated a thousand times says no more."""
    bag: dict[str, int] = {}
    add(bag, ["zebra"] * 1000, 2)
    assert weight(pack(bag), needle("zebra")) == 127.5


@given(st.text())
def test_any_text_goes_into_a_bag_and_comes_back(text: str) -> None:
    """No term breaks the form."""
    bag: dict[str, int] = {}
    add(bag, words(text), 2)
    assert unpack(pack(bag)) == {term: min(halves, 255) for term, halves in bag.items()}
