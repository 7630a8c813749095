"""The heading tree of a body and the edit of one section."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import NotFound, Refused
from gitmem.memory.document import split_lines
from gitmem.memory.section import find_section, replace_section, sections

BODY = """\
intro

# Deploy

first

## Order

backup, then migrate

### Why

it broke once

## Order

again

# Notes
"""


def addresses(body: str) -> list[str]:
    return [section.address for section in sections(body)]


def test_a_body_is_a_tree_of_headings_with_unique_addresses() -> None:
    """A5; a repeated title is told apart by its number."""
    assert addresses(BODY) == [
        "# Deploy",
        "# Deploy > ## Order",
        "# Deploy > ## Order > ### Why",
        "# Deploy > ## Order [2]",
        "# Notes",
    ]


def test_a_title_that_looks_like_a_number_mark_does_not_take_anothers_address() -> None:
    """An address names one section."""
    found = addresses("# B\n# B [2]\n# B\n# B [2]\n")
    assert len(set(found)) == 4
    assert found[:2] == ["# B", "# B [2]"]


def test_headings_in_code_and_deeper_than_four_are_text() -> None:
    """A5: up to four levels."""
    body = (
        "# A\n```\n# no\n~~~\n```\n~~~~ md\n# no\n~~~\n# no\n~~~~\n##### deep\n    # code\n#no\nSet\n===\n#### D ####\n"
    )
    assert addresses(body) == ["# A", "# A > #### D"]


def test_a_fence_that_is_not_closed_runs_to_the_end() -> None:
    """CommonMark 4.5."""
    assert addresses("# A\n```\n# B\n") == ["# A"]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("# Deploy > ## Order", "# Deploy > ## Order"),
        ("Deploy > Order > Why", "# Deploy > ## Order > ### Why"),
        ("deploy > order [2]", "# Deploy > ## Order [2]"),
        ("Order > ### why", "# Deploy > ## Order > ### Why"),
        ("Why", "# Deploy > ## Order > ### Why"),
        ("### Why", "# Deploy > ## Order > ### Why"),
        ("## Why", "# Deploy > ## Order > ### Why"),
        ("Nothing", None),
        ("", None),
        (" > ", None),
    ],
)
def test_a_section_is_found_by_its_address_and_leniently_when_only_one_fits(address: str, expected: str | None) -> None:
    """A5."""
    found = find_section(BODY, address)
    assert (found.address if found else None) == expected


def test_a_last_title_that_two_sections_bear_names_none() -> None:
    """Never a guess: the writer would change the wrong section."""
    assert find_section("# A\n## X\n# B\n## X\n", "X") is None


@pytest.mark.parametrize(
    ("body", "address"),
    [
        ("## Order\n\none\n\n## Order\n\ntwo\n", "Order"),
        ("# A\n## Order\none\n## Order\ntwo\n", "## order"),
        ("# A\n## B\n# A\n## B\n", "A > B"),
        ("# Order\n# A\n## Order\n", "Order"),
    ],
)
def test_an_address_that_fits_several_is_refused_with_their_addresses(body: str, address: str) -> None:
    """Never a guess: the writer would change the wrong section."""
    with pytest.raises(NotFound, match="fits 2 sections") as refused:
        replace_section(body, address, "new")
    named = [each.address for each in sections(body) if f"'{each.address}'" in refused.value.message]
    assert len(named) == 2
    for one in named:
        assert "new" in replace_section(body, one, "new")


@given(st.lists(st.sampled_from(["# A", "# B", "## A", "## B", "### A"]), min_size=1, max_size=6), st.data())
def test_every_address_names_its_own_section_and_a_title_only_a_single_one(
    lines: list[str], data: st.DataObject
) -> None:
    """A5."""
    body = "".join(f"{line}\n" for line in lines)
    every = sections(body)
    one = data.draw(st.sampled_from(every))
    found = find_section(body, one.address)
    assert found is not None
    assert found.first == one.first
    alone = [each.title for each in every].count(one.title) == 1
    assert (find_section(body, one.title) is not None) is alone


def test_an_edit_of_one_section_keeps_every_other_byte() -> None:
    """A5; the blank lines around a section stay."""
    body = "pre  \n\n# A\n\nold\n\n\n## B\n  keep \n"
    assert replace_section(body, "# A", "new\ntwo\n") == "pre  \n\n# A\n\nnew\ntwo\n\n\n## B\n  keep \n"


def test_the_new_text_takes_the_line_endings_of_the_body() -> None:
    """Endings are never mixed."""
    assert replace_section("# A\r\n\r\nold\r\n# B\r\n", "# A", "x\ny") == "# A\r\n\r\nx\r\ny\r\n# B\r\n"
    assert replace_section("# A\rold\r# B\r", "A", "x\ny") == "# A\rx\ry\r# B\r"


def test_a_body_without_a_last_newline_gets_none() -> None:
    """A5."""
    assert replace_section("# A\nold", "# A", "new\n") == "# A\nnew"


def test_an_empty_section_gets_its_text_below_the_heading() -> None:
    """A5."""
    assert replace_section("# A\n\n# B\n", "# A", "new") == "# A\n\nnew\n\n# B\n"
    assert replace_section("# A", "# A", "new") == "# A\nnew\n"
    assert replace_section("# A\nold\n", "# A", "") == "# A\n"
    assert replace_section("# A", "# A", "") == "# A"


def test_odd_separators_are_letters_of_their_line() -> None:
    """A form feed or U+2028 in a text is no line ending, and no line begins after it."""
    body = "a\u2028# no\n# A\x0cx\nold\n## B\n"
    assert addresses(body) == ["# A x", "# A x > ## B"]
    assert replace_section(body, "A x", "p\u2028q\x0cr") == "a\u2028# no\n# A\x0cx\np\u2028q\x0cr\n## B\n"
    found = find_section(body, "A x")
    assert found is not None
    assert "".join(body.splitlines(keepends=True)[found.first : found.last]) == "# A\x0cx\nold\n"


def test_the_heading_may_be_the_first_line_of_the_new_text() -> None:
    """A model that was shown the section hands it back whole; the heading is not doubled."""
    assert replace_section("# A\n\nold\n", "# A", "# A\n\nnew\n") == "# A\n\nnew\n"


def test_a_missing_section_names_those_there_are() -> None:
    with pytest.raises(NotFound, match="'# Deploy > ## Order'"):
        replace_section(BODY, "# Ghost", "x")
    with pytest.raises(NotFound, match="no headings"):
        replace_section("text\n", "# Ghost", "x")


@pytest.mark.parametrize("text", ["ok\n```\nopen", "# Up", "x\n\n## Same", "~~~\n```\n"])
def test_a_text_that_would_swallow_or_move_other_sections_is_refused(text: str) -> None:
    """A5: the edit of one section is an edit of one section."""
    with pytest.raises(Refused, match="line"):
        replace_section(BODY, "# Deploy > ## Order", text)


line = st.one_of(
    st.sampled_from(
        ["# A", "## A", "### B", "#### C", "##### D", "```", "~~~", "````", "", "#", "# A > ## A", "## A [2]"]
    ),
    st.text(alphabet="ab #`~>[]2\u2028\x0c\x85é", max_size=8),
)
bodies = st.builds(
    lambda lines, ending, last: ending.join(lines) + (ending if last else ""),
    st.lists(line, max_size=14),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)


@given(bodies)
def test_the_pieces_joined_are_the_body_and_each_is_found_by_its_address(body: str) -> None:
    found = sections(body)
    lines = body.splitlines(keepends=True)
    first = found[0].first if found else len(lines)
    assert "".join(["".join(lines[:first]), *("".join(lines[one.first : one.last]) for one in found)]) == body
    assert len({one.address for one in found}) == len(found)
    for one in found:
        again = find_section(body, one.address)
        assert again is not None
        assert again.first == one.first


@given(bodies, st.text(alphabet="xyz \n", max_size=12), st.data())
def test_an_edit_changes_that_section_alone(body: str, text: str, data: st.DataObject) -> None:
    """A5."""
    found = sections(body)
    if not found:
        return
    chosen = data.draw(st.sampled_from(found))
    new = replace_section(body, chosen.address, text)
    assert addresses(new) == addresses(body)
    old_lines, new_lines = body.splitlines(keepends=True), new.splitlines(keepends=True)
    for before, after in zip(found, sections(new), strict=True):
        if before.address == chosen.address:
            piece = split_lines("".join(new_lines[after.first : after.last]))  # a form feed ends no line of Markdown
            assert "".join(piece[1:]).split() == text.split()
        else:
            assert new_lines[after.first : after.last] == old_lines[before.first : before.last]
    assert replace_section(new, chosen.address, text) == new
