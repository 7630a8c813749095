"""Text behind a number sign: never lost in silence, and never two mends for one line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.document import read_memory
from gitmem.memory.finding import Finding
from gitmem.memory.head import _read_yaml, read_head
from gitmem.memory.mend import MAX_FINDINGS
from tests.strategies import CHECK


def read(head: str) -> tuple[dict[str, object], list[Finding]]:
    fields, _, findings = read_head(f"---\n{head}\n---\nbody\n", "a.md")
    return dict(fields), findings


def places(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in findings]


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("@team fixes #42 today", "head-indicator"),
        ("[draft] notes #42", "head-indicator"),
        ("Deploy: fix #42 now", "head-colon"),
        ("'it's' #42", "head-quote"),
        ("a\x07b #42", "head-hash"),
    ],
)
def test_in_a_value_that_yaml_refuses_a_number_sign_is_text(value: str, rule: str) -> None:
    """One finding, and its mend holds all of the value."""
    for lead, line in (("description: ", 2), ("tags:\n  - ", 3))[: 1 if ": " in value else 2]:  # else a mapping
        fields, findings = read(lead + value)
        assert list(fields.values()) in ([value], [[value]])
        assert places(findings) == [(rule, line)]
        assert "42" in findings[0].message.partition("write ")[2]


@pytest.mark.parametrize(
    ("head", "line", "mend"),
    [
        ("description: see\n  issue #42 here", 3, "description: 'see issue #42 here'"),
        ("description:\n  issue #42 here", 3, "description: 'issue #42 here'"),
        ("description: see\n  #42 here", 3, "description: 'see #42 here'"),
        ("description: #42\n  more", 2, "description: '#42 more'"),
        ("aliases:\n  - x\n    y #z", 4, "- 'x y #z'"),
        ("tags: [a,\n  fix #42\n  ]", 3, "'fix #42'"),
    ],
)
def test_text_lost_on_a_later_line_is_said(head: str, line: int, mend: str) -> None:
    _, findings = read(head)
    assert places(findings) == [("head-hash", line)]
    assert f"write `{mend}`" in findings[0].message


@pytest.mark.parametrize(
    ("head", "fields", "place"),
    [
        ("description: see #41\n  more text", {"description": "see #41 more text"}, ("head-hash", 2)),
        ("tags:\n  - a #b\n    c\n  - d", {"tags": ["a #b c", "d"]}, ("head-hash", 3)),
        ("tags: [a,\n  fix #42,\n  b]", {"tags": ["a", "fix #42", "b"]}, ("head-indicator", 2)),
        ("tags: [a, @b] # c", {"tags": ["a", "@b"]}, ("head-indicator", 2)),
        ("name:x #y", {"name": "x #y"}, ("head-hash", 2)),
        ("type:user # who", {"type": "user"}, ("head-colon", 2)),
        ("name: n\n  description: fix #42", {"name": "n", "description": "fix #42"}, ("head-indent", 3)),
    ],
)
def test_where_yaml_sees_no_comment_nothing_is_lost(head: str, fields: object, place: tuple[str, int]) -> None:
    read_fields, findings = read(head)
    assert (read_fields, places(findings)) == (fields, [place])


@pytest.mark.parametrize(
    "head",
    [
        "description: see\n  # a comment\n  # another",
        "description: # why\n  text",
        "tags: [a,\n  b # note\n  ]",
        "tags:\n  - a\n    b # note",
        "metadata:\n  note: fix #42",
        "description: 'a\n  b #c'",
    ],
)
def test_a_comment_on_a_later_line_is_no_finding(head: str) -> None:
    assert read(head)[1] == []


def test_an_indentation_is_named_with_its_own_line() -> None:
    assert places(read("name: n\ntags:\n  - a\n  - b\n - c")[1]) == [("head-indent", 6)]


@pytest.mark.parametrize("head", ["a: 1\n" * 60, "".join(f"k{n}: x #y\n" for n in range(60)), "x\n" * 60 + "a: b"])
def test_a_hostile_head_gets_few_findings_and_the_number_of_the_others(head: str) -> None:
    findings = read(head)[1]
    assert len(findings) == MAX_FINDINGS + 1
    assert "more lines" in findings[-1].message
    assert int(findings[-1].message.split()[0]) >= 49


PARTS = st.sampled_from(
    ["#42", " #42", "# ", " ", "a", "b c", ": ", ":", "@", "[", "]", "{", "'", '"', "*", "-", ",", "\x07", "é", "\n  "]
)


@CHECK
@given(st.lists(PARTS, min_size=1, max_size=8).map("".join), st.sampled_from(["", "name: n\n"]))
def test_no_letter_of_a_refused_value_is_lost_and_no_line_has_two_mends(value: str, before: str) -> None:
    """What YAML refuses is kept whole, but for quotes, brackets and blanks, and for lines that are a comment."""
    lines = [line.strip() for line in value.split("\n")]
    if not lines[0] or lines[0][0] in "'\"[{#" or any(line[:1] == "#" or ":" in line for line in lines[1:]):
        return
    head = f"{before}description: {value}"
    fields, findings = read(head)
    mends = [finding.line for finding in findings if "write `description" in finding.message]
    assert len(mends) == len(set(mends))
    try:
        _read_yaml(head + "\n")
    except ValueError:
        assert "".join(str(fields.get("description", "")).split()) == "".join(value.split())


def test_a_head_of_comments_alone_is_read() -> None:
    """A9: reading never raises."""
    assert read_memory("x.md", b"---\n #---\n\n---\n").findings == []
