"""Passages and their line numbers (A5, E1, F3)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitmem.limits import PASSAGE_MAX_WORDS
from gitmem.memory.document import read_memory, split_lines
from gitmem.memory.passage import cut, passages


def paragraph(word: str, count: int = 60) -> str:
    return "\n".join(" ".join([word] * 10) for _ in range(count // 10))


def test_a_short_memory_is_one_passage_with_the_lines_of_its_file() -> None:
    """Promised as F3: line numbers are the file's, the head included."""
    memory = read_memory("a.md", b"---\nname: a\n---\n\nfirst line\nsecond line\n\n")
    (only,) = passages(memory)
    assert (only.first, only.last, only.text, only.heading) == (5, 6, "first line\nsecond line", "")


def test_an_empty_body_is_one_empty_passage() -> None:
    """Every memory can be found by its head."""
    (only,) = passages(read_memory("a.md", b"---\nname: a\n---\n"))
    assert only.text == ""


def test_headings_part_and_name_passages() -> None:
    """The heading path is the passage's title."""
    found = cut("intro\n\n# Deploy\n\none\n\n## Order #\n\ntwo\n\n# Else\nthree\n")
    assert [(one.first, one.last, one.heading) for one in found] == [
        (1, 1, ""), (3, 5, "Deploy"), (7, 9, "Deploy > Order"), (11, 12, "Else"),
    ]  # fmt: skip


def test_long_text_is_cut_at_blank_lines() -> None:
    """One paragraph of a long file, not the file."""
    body = "\n\n".join(paragraph(word) for word in ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen"))
    found = cut(body)
    assert len(found) == 3
    lines = body.split("\n")
    for one in found:
        assert one.text == "\n".join(lines[one.first - 1 : one.last])
        assert len(one.text.split()) <= PASSAGE_MAX_WORDS


def test_a_code_fence_stays_whole() -> None:
    """Never inside a fence; a comment in code is no heading."""
    code = "```sh\n" + "\n\n".join(["# step\nmake all the things that there are"] * 15) + "\n```"
    found = cut(f"{paragraph('ant', 200)}\n\n{code}\n\n{paragraph('bee', 200)}")
    assert [one.text for one in found][1] == code


def test_a_fence_without_an_end_is_cut_all_the_same() -> None:
    """A forgotten fence does not make the file one passage."""
    assert len(cut("```\n" + "\n\n".join(paragraph("ant") for _ in range(60)))) > 5


def test_an_endless_line_is_cut_at_sentences() -> None:
    """A 300 KB line does not become one quotation."""
    line = "The release goes out on Tuesdays and nobody touches it. " * 200
    found = cut(line)
    assert len(found) > 5
    assert "".join(one.text for one in found) == line
    assert {(one.first, one.last) for one in found} == {(1, 1)}
    assert all(line[one.offset :].startswith(one.text) for one in found)
    assert found[0].text.endswith(". ")


def test_chinese_is_measured_in_words_too() -> None:
    """A long Chinese text has several passages."""
    assert len(cut("数据库迁移前必须先备份，否则无法恢复。" * 100)) > 2


@given(
    st.lists(
        st.sampled_from(["", "text of some words", "# A", "## B", "```", "~~~", "    # no", "x" * 50]), max_size=40
    )
)
def test_every_line_with_text_is_in_one_passage_and_in_order(parts: list[str]) -> None:
    """Promised as F3: nothing is lost, nothing is quoted twice, lines are exact."""
    for ending in ("\n", "\r\n", "\r"):
        body = ending.join(parts)
        lines = [line.rstrip("\r\n") for line in split_lines(body)]
        seen = 0
        for one in cut(body):
            assert one.first > seen or one.text == ""
            assert one.text in ("", "\n".join(lines[one.first - 1 : one.last]))
            assert not any(line.strip() for line in lines[seen : one.first - 1])
            seen = one.last
        assert not any(line.strip() for line in lines[seen:])
