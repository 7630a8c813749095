"""A link leads to another memory, and its words stay as the person wrote them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.link import link_spans
from gitmem.memory.link_edit import retargeted


def moved(line: str, new: str) -> str:
    for start, end, target in reversed(link_spans(line).get(1, [])):
        if target == "old.md":
            line = line[:start] + retargeted(line[start:end], new) + line[end:]
    return line


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("- [a](old.md) — words", "- [a](new.md) — words"),
        ("[a]( ./old.md 'ti](tle' ) b", "[a]( ./new.md 'ti](tle' ) b"),
        ('[a](<old.md> "title")', '[a](<new.md> "title")'),
        ("[a](old.md#part) and [b](old.md?x)", "[a](new.md#part) and [b](new.md?x)"),
        ("[![shot](old.png)](old.md)", "[![shot](old.png)](new.md)"),
        ("![a](o%6Cd.md)", "![a](new.md)"),
        ("[[old]] [[old.md#h|shown]] [[ ./old|it]]", "[[new]] [[new.md#h|shown]] [[ new|it]]"),
        ("`[a](old.md)` [other](older.md) [[ancient/old]]", "`[a](old.md)` [other](older.md) [[ancient/old]]"),
    ],
)
def test_only_the_path_in_a_link_changes(line: str, wanted: str) -> None:
    assert moved(line, "new.md") == wanted


def test_a_wikilink_that_means_the_new_place_already_or_cannot_say_it_stays() -> None:
    assert moved("[[old]]", "folder/Old.md") == "[[old]]"
    assert moved("[[old]]", "a|b.md") == "[[old]]"
    assert moved("[x](old.md)", "a|b c.md") == "[x](a%7Cb%20c.md)"


WORDS = st.text(st.sampled_from("ab ()[]<>#?%\\\"'`!|/.é記\t"), max_size=12)


@given(WORDS, WORDS, WORDS, st.text(st.characters(exclude_characters="/\0", exclude_categories=["C", "Z"]), min_size=1))
def test_whatever_stands_around_a_link_it_leads_to_the_new_path_and_no_other_does(
    before: str, shown: str, after: str, stem: str
) -> None:
    new = f"{stem}.md"
    line = f"{before}[{shown}](old.md{after}"
    spans = link_spans(line).get(1, [])
    now = [new if target == "old.md" else target for _, _, target in spans]
    if any(line[start:end].startswith("[[") for start, end, _ in spans):
        return
    assert [target for _, _, target in link_spans(moved(line, new)).get(1, [])] == now
