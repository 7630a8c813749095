"""The known fields: the limits and leniency of the tool sage-mem, our fields, Claude Code's own heads."""

from __future__ import annotations

import pytest

from gitmem.memory.document import read_memory
from gitmem.memory.field import Known, known, title


def of(head: str) -> Known:
    return known(read_memory("folder/file-name.md", f"---\n{head}\n---\nbody\n".encode()))


@pytest.mark.parametrize(
    "form",
    [
        " [a, b]",
        "\n  - a\n  - b",
        "\n- a\n- b",
        " a, b",
        ' "a, b"',
        " a，b",
        " a、 b",
        " 'a' ,\"b\"",
        " [a, '', b]",
        " ,a,, b,",
    ],
)
@pytest.mark.parametrize("key", ["tags", "aliases"])
def test_lists_are_read_in_every_form(key: str, form: str) -> None:
    """A2; unindented items and Chinese commas are ours."""
    assert getattr(of(f"{key}:{form}"), key) == ("a", "b")


def test_without_lists_there_are_none() -> None:
    """Empty, never None."""
    for memory in (of("name: n"), of("tags:\naliases: []"), known(read_memory("a.md", b"no head"))):
        assert (memory.tags, memory.aliases, memory.triggers, memory.supersedes) == ((), (), (), ())


def test_tags_and_aliases_have_limits() -> None:
    """A2."""
    tags = of("tags: [" + ", ".join([f"t{n}" for n in range(24)] + ["x" * 50]) + "]").tags
    assert tags == tuple(f"t{n}" for n in range(20))
    assert of("tags: [" + "x" * 50 + "]").tags == ("x" * 40,)
    aliases = of("aliases: [" + ", ".join([f"a{n}" for n in range(30)]) + "]").aliases
    assert aliases == tuple(f"a{n}" for n in range(24))
    assert of("aliases: [" + "x" * 70 + "]").aliases == ("x" * 60,)


def test_empty_items_are_dropped_before_the_limit() -> None:
    """``[a, , b]`` is no YAML, so it also gets a finding."""
    assert of("tags: [a, , b, " + ", ".join(f"t{n}" for n in range(20)) + "]").tags[:3] == ("a", "b", "t0")
    assert len(of("tags: [a, , b, " + ", ".join(f"t{n}" for n in range(20)) + "]").tags) == 20


def test_type_is_read_at_both_levels_and_never_from_node_type() -> None:
    """A2."""
    assert of("metadata:\n  node_type: memory\n  type: project").type == "project"
    assert of("type: user\nmetadata:\n  type: project").type == "user"
    assert of("metadata:\n  type: user   # comment").type == "user"
    assert of("metadata:\n  node_type: memory").type == ""


def test_of_two_descriptions_the_first_counts() -> None:
    assert of("description: one\ndescription: two").description == "one"


def test_without_a_head_everything_is_empty() -> None:
    """A missing type is "", shown as reference by those who list."""
    memory = known(read_memory("a.md", b"body"))
    assert [getattr(memory, name) for name in ("name", "description", "type", "updated", "id", "trust")] == [""] * 6
    assert (memory.baseline, memory.baseline_priority, memory.pinned, memory.importance) == (False, 0.0, False, 0.0)


def test_updated_is_read_at_both_levels_and_from_claude_codes_field() -> None:
    """A2."""
    assert of("updated: 2026-03-01\nmetadata:\n  updated: 2026-01-01").updated == "2026-03-01"
    assert of("metadata:\n  updated: 2026-01-01\n  modified: 2025-01-01").updated == "2026-01-01"
    assert of("metadata:\n  modified: 2026-03-01T10:00:00.123Z").updated == "2026-03-01T10:00:00.123Z"
    assert of("name: n").updated == ""


@pytest.mark.parametrize("text", ["true", "yes", "1", '"TRUE"', "Yes", "true  # each session", "'1'"])
def test_baseline_is_said_with_three_words(text: str) -> None:
    """The tool sage-mem takes its own example with a comment for false."""
    assert of(f"baseline: {text}").baseline


@pytest.mark.parametrize("text", ["on", "false", "no", "0", "", "[a]", "truely", "y"])
def test_any_other_word_is_no_baseline(text: str) -> None:
    assert not of(f"baseline: {text}").baseline


def test_baseline_counts_at_top_level_only() -> None:
    assert not of("metadata:\n  baseline: true\n  baselinePriority: 3").baseline
    assert of("metadata:\n  baselinePriority: 3").baseline_priority == 0.0


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("10 # note", 10),
        ("abc", 0),
        ("", 0),
        ("-2.5", -2.5),
        ("nan", 0),
        ("inf", 0),
        ("1e400", 0),
        ("[3]", 3),
        ("{a: 3}", 0),
    ],
)
def test_a_priority_is_a_finite_number_or_nothing(text: str, number: float) -> None:
    """The tool sage-mem reads ``10 # note`` as 0."""
    assert of(f"baselinePriority: {text}").baseline_priority == number


def test_seed_and_triggers_count_under_metadata_only() -> None:
    """A3."""
    nested = of("metadata:\n  seed: true\n  triggers: [deploy, 'release checklist']")
    assert (nested.seed, nested.triggers) == (True, ("deploy", "release checklist"))
    top = of("seed: true\ntriggers: [deploy]")
    assert (top.seed, top.triggers) == (False, ())


def test_the_fields_of_trust_are_read_under_metadata() -> None:
    """A4."""
    memory = of(
        "metadata:\n  id: 01KB\n  kind: fact\n  trust: verified\n  pinned: yes\n  muted: true\n  expires: 2027-01-01\n"
        "  importance: 0.7\n  supersedes: [old-one, older]\n  superseded_by: newer"
    )
    assert (memory.id, memory.kind, memory.trust, memory.pinned, memory.muted) == (
        "01KB",
        "fact",
        "verified",
        True,
        True,
    )
    assert (memory.expires, memory.importance) == ("2027-01-01", 0.7)
    assert (memory.supersedes, memory.superseded_by) == (("old-one", "older"), "newer")
    assert of("trust: verified\npinned: true\nid: x").trust == ""


@pytest.mark.parametrize("shape", ["x", "[a, b]", "", "[{type: user}]", '"text"', "[[a]]"])
def test_metadata_of_a_wrong_shape_is_no_metadata(shape: str) -> None:
    assert of(f"name: n\nmetadata: {shape}").type == ""


def test_wrong_shapes_are_read_as_text() -> None:
    assert of("name: [a]").name == "a"
    assert of("name: [draft, x]").name == "draft, x"
    assert of("description: {a: b, c: [d]}").description == "a: b, c: d"
    assert of("tags: one").tags == ("one",)
    assert of("tags: [a: b, {c: }, [d, e]]").tags == ("a: b", "c", "d, e")
    assert of("tags: {a: b, c: }").tags == ("a: b", "c")
    assert of("type: [user]").type == "user"
    assert of("description: >-\n  one\n  two\n").description == "one two"


def test_what_claude_code_writes_today_and_wrote_before() -> None:
    """Thousands of such files are public."""
    today = of(
        'name: User: role & "goals"\ndescription: "User is a data scientist, focused on: logging"\nmetadata: \n'
        "  node_type: memory\n  type: user\n  originSessionId: 4b9e-11\n  modified: 2026-03-01T10:00:00.123Z"
    )
    assert today.name == 'User: role & "goals"'
    assert today.description == "User is a data scientist, focused on: logging"
    assert (today.type, today.updated) == ("user", "2026-03-01T10:00:00.123Z")
    before = of("name: user role\ndescription: d\ntype: observation\noriginSessionId: 4b9e-11")
    assert (before.name, before.type) == ("user role", "observation")


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("---\nname: the name\n---\n# Heading\n", "the name"),
        ("---\nname: |\n  two\n  lines\n---\n", "two lines"),
        ("---\ntype: user\n---\n\ntext\n\n# The heading #\n\n# Other\n", "The heading"),
        ("```\n# comment\n```\n~~~\n```\n# comment\n~~~\n# Real\n", "Real"),
        ("## Two\n#none\n# \n", "the-file"),
        ("", "the-file"),
    ],
)
def test_a_memory_is_called_by_name_heading_or_file(data: str, expected: str) -> None:
    memory = read_memory("folder/the-file.md", data.encode())
    assert title(memory, known(memory)) == expected


def test_a_line_break_inside_an_item_is_a_blank() -> None:
    """One tag in the file is one tag in the index, which keeps a list as lines."""
    memory = of('tags: ["a\\nb", c]\naliases: ["d\\r\\ne"]\nmetadata: {triggers: ["f\\u2028g"]}')
    assert (memory.tags, memory.aliases, memory.triggers) == (("a b", "c"), ("d e",), ("f g",))
