"""What a finding says to write reads as what was read, and so does what ``doctor --fix`` writes."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitmem.audit.mend import mended
from gitmem.memory.document import read_memory
from gitmem.memory.head import _read_yaml
from gitmem.memory.quote import write_flow, write_items
from tests.strategies import CHECK, items, texts

PARTS = st.sampled_from(
    ["#4", " #4", " # ", " ", "a", "b c", ": ", ":", "@", "[", "]", "{", "}", "'", '"', "*", "-", ",", "é", "'s ", '" ']
)
VALUES = st.one_of(
    st.lists(PARTS, min_size=1, max_size=8).map("".join),
    st.lists(PARTS, max_size=6).map(lambda parts: f"[{''.join(parts)}]"),
    st.lists(PARTS, max_size=6).map(lambda parts: f'"{"".join(parts)}"'),
)
KEYS = st.sampled_from(["description", "tags", "note", "type"])


def file(head: str) -> bytes:
    return f"---\n{head}\n---\nbody\n".encode()


@CHECK
@given(KEYS, VALUES, st.sampled_from(["", "name: n\n"]))
def test_a_line_mended_as_said_or_by_the_doctor_reads_as_before(key: str, value: str, before: str) -> None:
    data = file(f"{before}{key}: {value}")
    memory = read_memory("a.md", data)
    says = [each.message.partition("; write `")[2].rpartition("`")[0] for each in memory.findings]
    for mend in says:
        if mend.startswith(f"{key}: ") and "…" not in mend and len(says) == 1:
            after = read_memory("a.md", file(before + mend))
            assert after.findings == []
            assert after.fields == memory.fields or memory.findings[0].rule == "head-hash"  # there it says more
    after = read_memory("a.md", mended("a.md", data)[0])
    assert after.fields == memory.fields
    assert len(after.findings) <= len(memory.findings)


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("tags: [a, b", "tags: [a, b]"),
        ("tags: [c #, 'd']", "tags: ['c #', d]"),
        ("tags: [c #, 'd'] # why", "tags: ['c #', d] # why"),
        ("description: \"Deploy\" means \"ship\"", "description: \"\\\"Deploy\\\" means \\\"ship\\\"\""),
        ("description: \"say \"hi\" to it\"", "description: \"say \\\"hi\\\" to it\""),
        ("description: 'it's' #42", "description: '''it''s'' #42'"),
        ("description: [a] b # c", "description: '[a] b # c'"),
        ('tags: [a, "b" means "c"]', "tags: [a, '\"b\" means \"c\"']"),
    ],
)  # fmt: skip
def test_a_mend_leaves_no_text_behind_and_takes_none_away(head: str, line: str) -> None:
    assert mended("a.md", file(head))[0] == file(line)


def _comment_lines(head: str) -> set[int]:
    """0-based lines with a ``#`` that stands in no token of YAML's."""
    kept = list(head)
    for token in yaml.scan(head):
        if isinstance(token, yaml.ScalarToken) and token.style in ("'", '"'):
            kept[token.start_mark.index : token.end_mark.index] = [
                "\n" if mark == "\n" else "x" for mark in kept[token.start_mark.index : token.end_mark.index]
            ]
    return {number for number, text in enumerate("".join(kept).split("\n")) if "#" in text}


FLOW_PARTS = st.sampled_from(
    ["a", "b c", ", ", ",\n  ", "'x #1'", '"y, #2"', '"q\\" #3"', "'it''s #4'", " #5", " #6\n  ", "# n\n  ", "k: ",
     "[a #7\n  ]"]
)  # fmt: skip


@CHECK
@given(st.sampled_from(["[]", "{}"]), st.lists(FLOW_PARTS, max_size=9).map("".join), st.sampled_from(["tags", "m"]))
def test_only_what_yaml_takes_for_a_comment_is_called_lost(brackets: str, inner: str, key: str) -> None:
    """A sign inside quotes loses nothing, on whatever line they stand."""
    head = f"{key}: {brackets[0]}{inner}\n  {brackets[1]}"
    try:
        _read_yaml(head + "\n")
    except ValueError:
        return
    said = {each.line - 2 for each in read_memory("a.md", file(head)).findings if each.rule == "head-hash"}
    assert said <= _comment_lines(head)


@CHECK
@given(items(), texts(4), st.sampled_from(["metadata: {{evidence: {0}, of: {1}}}", "aliases: {1}", "m:\n  - {{a: {0}}}",
                                           "m:\n  - a: {0}\n    b: {1}", "m: [{{a: {1}, b: {0}}}, {0}]"]))  # fmt: skip
def test_what_gitmem_writes_is_never_called_lost(values: list[str], text: str, head: str) -> None:
    data = file(head.format(write_flow(text + " #9"), write_items(values)))
    assert [each for each in read_memory("a.md", data).findings if each.rule == "head-hash"] == []
