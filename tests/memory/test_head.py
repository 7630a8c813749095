"""The one frontmatter reader: what breaks public tools, and where it differs from the tool sage-mem."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings

from gitmem.limits import MAX_HEAD_BYTES, MAX_HEAD_DEPTH
from gitmem.memory import head as head_module
from gitmem.memory.document import read_memory
from gitmem.memory.finding import Finding
from gitmem.memory.head import find_fences, read_head
from gitmem.memory.line_head import read_lines
from tests.strategies import CHECK, heads, near_lines


def read(head: str) -> tuple[dict[str, object], list[Finding]]:
    """Fields and findings of a head given by its lines; the body must come through whole."""
    text = f"---\n{head}---\nbody\n"
    fields, body, findings = read_head(text, "a.md")
    assert text[body:] == "body\n"
    return dict(fields), findings


def around(value: str) -> tuple[object, list[Finding]]:
    """What ``description: value`` reads as between two sound fields, which must not suffer."""
    fields, findings = read(f"name: n\ndescription: {value}\ntags: [a, b]\n")
    assert (fields["name"], fields["tags"]) == ("n", ["a", "b"])
    return fields.get("description"), findings


def places(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in findings]


# A value that YAML refuses


@pytest.mark.parametrize(
    "value", ["Deploy: use blue slot", "a: b: c", "see http://x.y/z: there", "trailing:", "10:30: standup"]
)
def test_a_colon_in_a_value_costs_nothing_and_the_mend_is_said(value: str) -> None:
    """A9."""
    text, findings = around(value)
    assert text == value
    assert places(findings) == [("head-colon", 3)]
    assert f"write `description: '{value}'`" in findings[0].message


@pytest.mark.parametrize(
    "value",
    [
        "*bold* rule", "@team owns it", "`make test`", "%done", "[draft] notes", "{name} tpl", "!important", "- item",
        "? why", "& co", "> x", "| x", "&anchor x", "!tag x", "*alias", ": : [", "{open", "%", "@", "[a] [b]",
    ],
)  # fmt: skip
def test_a_value_that_starts_with_a_sign_of_yaml_is_read_as_text(value: str) -> None:
    """A9."""
    text, findings = around(value)
    assert text == value
    assert places(findings) == [("head-indicator", 3)]
    assert "write `description: " in findings[0].message


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('"abc', "abc"),
        ("'abc", "abc"),
        ('"say "hi" now"', 'say "hi" now'),
        ("'it's so'", "it's so"),
        ('"C:\\dir"', "C:\\dir"),
        ('"Deploy" is the word', '"Deploy" is the word'),
    ],
)
def test_quotes_that_do_not_pair_cost_nothing(value: str, text: str) -> None:
    """Words behind a closed quote keep it, where the tool sage-mem drops its first half."""
    read_text, findings = around(value)
    assert read_text == text
    assert places(findings) == [("head-quote", 3)]


def test_a_quote_at_the_end_only_is_text() -> None:
    """YAML says so; the tool sage-mem removes it."""
    assert around('abc"') == ('abc"', [])


def test_a_quote_without_partner_does_not_swallow_the_next_field() -> None:
    """libyaml would read one value, `abc name: it`."""
    fields, findings = read('description: "abc\nname: it"\n')
    assert fields == {"description": "abc", "name": 'it"'}
    assert places(findings) == [("head-quote", 2)]


@pytest.mark.parametrize("value", ["a\x07b", "a\x00b", "\x7f", "a\u2028b", "a\x85b", "a\ufffeb"])
def test_a_character_that_yaml_forbids_stays_in_its_value(value: str) -> None:
    text, findings = around(value)
    assert text == value
    assert places(findings) == [("head-text", 3)]


@pytest.mark.parametrize("value", ["[a, b", "[a, @b]", '[a, "b]'])
def test_a_broken_list_is_still_a_list(value: str) -> None:
    text, findings = around(value)
    assert isinstance(text, list)
    assert [item.strip("@") for item in text] == ["a", "b"]
    assert places(findings) == [("head-indicator", 3)]


def test_a_broken_item_costs_itself_only() -> None:
    fields, findings = read("tags:\n  - fine\n  - *bold\n  - a: b\n  - fine too\nname: n\n")
    assert fields == {"tags": ["fine", "*bold", "a: b", "fine too"], "name": "n"}
    assert places(findings) == [("head-indicator", 4), ("head-colon", 5)]


def test_a_broken_line_under_metadata_costs_itself_only() -> None:
    """A9, one level down."""
    fields, findings = read("name: n\nmetadata:\n  node_type: memory\n  note: a: b\n  type: project\n")
    assert fields == {"name": "n", "metadata": {"node_type": "memory", "note": "a: b", "type": "project"}}
    assert places(findings) == [("head-colon", 5)]


def test_a_broken_line_in_the_middle_leaves_the_others() -> None:
    """A9."""
    fields, findings = read("name: n\nfoo: : [\ndescription: d\n")
    assert fields == {"name": "n", "foo": ": [", "description": "d"}
    assert places(findings) == [("head-indicator", 3)]


def test_sound_values_beside_a_broken_one_read_as_yaml_reads_them() -> None:
    """A9: folded, literal, flow and quoted values keep their meaning when another line is broken."""
    sound = 'a: >-\n  folded\n  text\nb: |\n  two\n  lines\nc: {d: [1, 2]}\ne: "x\\ty"\nf: plain\n  goes on\n'
    fields, findings = read(sound + "name: x: y\n")
    assert fields.pop("name") == "x: y"
    assert fields == yaml.load(sound, Loader=yaml.BaseLoader)
    assert places(findings) == [("head-colon", 12)]


def test_lines_that_are_no_fields_are_named() -> None:
    """Conflict markers, the most common of them."""
    fields, findings = read("name: n\n<<<<<<< HEAD\ntype: user\n=======\ntype: project\n>>>>>>> other: x\n")
    assert fields == {"name": "n", "type": "user"}
    assert places(findings) == [("head-line", 3), ("head-line", 5), ("head-duplicate", 6), ("head-line", 7)]


@pytest.mark.parametrize("line", ["name:n", "name：n", "name： n"])
def test_a_missing_blank_or_a_full_width_colon_is_understood(line: str) -> None:
    fields, findings = read(f"{line}\ntype: user\n")
    assert fields == {"name": "n", "type": "user"}
    assert places(findings) == [("head-colon", 2)]


def test_a_field_indented_below_another_is_a_field() -> None:
    fields, findings = read("name: n\n  description: d\ntype: user\n")
    assert fields == {"name": "n", "description": "d", "type": "user"}
    assert places(findings) == [("head-indent", 3)]


# What stands behind a number sign


@pytest.mark.parametrize(
    ("lines", "line"),
    [
        ("description: fix for issue #42 # urgent", 2),
        ("description: #42", 2),
        ("name: a #b", 2),
        ("own-key: a # b", 2),
        ("tags:\n  - fix #42", 3),
        ("tags:\n- #42", 3),
        ("metadata:\n  triggers:\n    - fix #42", 4),
        ("description: a\t#b", 2),
    ],
)
def test_text_lost_behind_a_number_sign_is_said(lines: str, line: int) -> None:
    """``key: #x`` is a gap of the tool sage-mem that we report."""
    _, findings = read(lines + "\n")
    assert places(findings) == [("head-hash", line)]
    assert "value lost after #" in findings[0].message


def test_the_mend_for_lost_text_is_the_whole_value_in_quotes() -> None:
    value, findings = around("fix for issue #42 # urgent")
    assert value == "fix for issue"
    assert "write `description: 'fix for issue #42 # urgent'`" in findings[0].message


@pytest.mark.parametrize(
    "lines",
    [
        "baseline: true  # each session",
        "baselinePriority: 10 # note",
        "type: user # who",
        "metadata: # ours\n  type: user   # comment",
        "tags: [a, b] # comment",
        "tags: # comment\n  - a # comment",
        'description: "a # b" # comment',
        "description: C# and F#",
        "description: |\n  - fix #42\n  a #b",
        "# a # comment",
    ],
)
def test_a_comment_that_costs_no_text_is_no_finding(lines: str) -> None:
    assert read(lines + "\n")[1] == []


# Types


@pytest.mark.parametrize("text", ["2026-03-01", "2026-03-01T10:00:00Z", "yesterday"])
def test_a_date_stays_a_string(text: str) -> None:
    assert read(f"saved: {text}\n")[0] == {"saved": text}


@pytest.mark.parametrize("text", ["NO", "yes", "1.10", "12:30:45", "0123", "12345678", "null", "~", "1e3", "=", "<<"])
def test_a_scalar_stays_the_text_that_was_written(text: str) -> None:
    """The second line makes YAML decide, not the fast reader."""
    assert read(f"code: {text}\n")[0] == {"code": text}
    assert read(f"code: {text}\nother: |\n  x\n")[0]["code"] == text


def test_words_for_yes_and_no_stay_words_in_lists() -> None:
    assert read("tags: [no, on, yes]\n")[0] == {"tags": ["no", "on", "yes"]}


# Fences


def test_a_rule_in_the_body_or_a_value_is_no_fence() -> None:
    text = "---\nname: |\n  a\n  ---\n  b\nother: x --- y\n---\n\nbody\n\n---\n\nmore\n---\n"
    fields, body, findings = read_head(text, "a.md")
    assert fields == {"name": "a\n---\nb\n", "other": "x --- y"}
    assert text[body:] == "\nbody\n\n---\n\nmore\n---\n"
    assert findings == []


def test_a_quoted_value_ends_at_the_closing_fence() -> None:
    """The fence is the first line that is exactly three dashes, whatever quote is open."""
    text = '---\nname: "x\n---\ny"\n---\nbody\n'
    fields, body, findings = read_head(text, "a.md")
    assert fields == {"name": "x"}
    assert text[body:] == 'y"\n---\nbody\n'
    assert places(findings) == [("head-quote", 2)]


@pytest.mark.parametrize("line", ["----", "---x", "--- x", " ---", "--", "- --", "—"])
def test_a_line_like_a_fence_does_not_close(line: str) -> None:
    """The tool sage-mem closes at any line that starts with three dashes; we do not."""
    fields, body, _ = read_head(f"---\nname: n\n{line}\n---\nbody", "a.md")
    assert str(fields["name"]).startswith("n")
    assert body == len(f"---\nname: n\n{line}\n---\n")


@pytest.mark.parametrize("blanks", ["", " ", "\t", "  \t "])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_blanks_behind_a_fence_are_tolerated(blanks: str, ending: str) -> None:
    """The tool sage-mem sees no head when blanks follow the first fence; we do."""
    text = ending.join([f"---{blanks}", "name: n", f"---{blanks}", "body"])
    fields, body, findings = read_head(text, "a.md")
    assert (fields, text[body:], findings) == ({"name": "n"}, "body", [])


def test_two_fences_with_nothing_between_are_an_empty_head() -> None:
    """Taking it for body would stack heads; the tool sage-mem sees a head only when a blank line stands between."""
    assert read("") == ({}, [])
    assert read("\n") == ({}, [])
    assert read("# only a comment\n") == ({}, [])


def test_a_fence_that_is_never_closed_makes_all_of_it_body() -> None:
    fields, body, findings = read_head("---\nname: n\n\nbody\n", "a.md")
    assert (fields, body) == ({}, 0)
    assert places(findings) == [("head-open", 1)]


def test_a_head_below_blank_lines_is_named() -> None:
    fields, body, findings = read_head("\n \n---\nname: n\n---\nbody\n", "a.md")
    assert (fields, body) == ({}, 0)
    assert places(findings) == [("head-open", 3)]
    assert read_head("\n---\n\nprose between rules\n\n---\n", "a.md") == ({}, 0, [])


@pytest.mark.parametrize("text", ["", "body\n", "# A\n\n---\nname: n\n---\n", "----\nname: n\n----\n", "-", "--"])
def test_no_head_is_no_finding(text: str) -> None:
    assert read_head(text, "a.md") == ({}, 0, [])


def test_fences_of_a_text_of_dashes_are_found_in_linear_time() -> None:
    """A second would be missed by minutes if each dash were looked at from each other one."""
    assert find_fences("---\n" + "-" * 2_000_000) is None
    for ending in ("\n", "\r", "\r\n"):
        assert find_fences(f"---{ending}" + f"--- x{ending}" * 300_000) is None
    assert find_fences("---\r\n\n---\r---") == (5, 6, 10)
    assert find_fences("---\r\r---\n---") == (4, 5, 9)


# Shape


def test_lists_in_all_their_forms() -> None:
    """Unlike in the tool sage-mem the items need no indentation, as YAML says."""
    for form in ("[a, b]", "\n  - a\n  - b", "\n- a\n- b", "\n  # why\n  - 'a'\n\n  - \"b\"", "[\n  a,\n  b,\n]"):
        assert read(f"tags: {form}\nname: n\n") == ({"tags": ["a", "b"], "name": "n"}, [])


def test_values_over_several_lines() -> None:
    head = "a: >-\n  one\n  two\nb: one\n  two\nc: |\n  one\n  two\nd: 'one\n\n  two'\n"
    assert read(head) == ({"a": "one two", "b": "one two", "c": "one\ntwo\n", "d": "one\ntwo"}, [])


def test_the_first_of_two_equal_keys_counts_and_both_lines_are_named() -> None:
    """YAML readers take the last."""
    fields, findings = read("type: user\nname: n\ntype: project\n")
    assert fields == {"type": "user", "name": "n"}
    assert places(findings) == [("head-duplicate", 4)]
    assert "line 2" in findings[0].message
    assert "line 4" in findings[0].message
    assert read("metadata:\n  a: 1\n  a: 2\n")[0] == {"metadata": {"a": "1"}}


def test_a_tab_as_indentation_is_named_with_its_line() -> None:
    fields, findings = read("metadata:\n\ttype: user\n\ttags:\n\t\t- a\nname: n\n")
    assert fields == {"metadata": {"type": "user", "tags": ["a"]}, "name": "n"}
    assert places(findings) == [("head-tab", 3)]
    assert "tab on line 3" in findings[0].message


def test_a_tab_inside_a_value_is_fine() -> None:
    assert around("a\tb") == ("a\tb", [])
    assert around('"a\tb"') == ("a\tb", [])


@pytest.mark.parametrize("block", ["- a\n- b\n", "just words\nand more\n", "[a, b]\n", "'quoted'\n", "- name: n\n"])
def test_a_block_without_fields_is_body(block: str) -> None:
    """Nothing that a person wrote between two rules is lost to recall."""
    text = f"---\n{block}---\nbody\n"
    fields, body, findings = read_head(text, "a.md")
    assert (fields, body) == ({}, 0)
    assert places(findings) == [("head-shape", 2)]


def test_odd_shapes_and_reserved_words_are_kept() -> None:
    """python-frontmatter's Post would fail on these keys."""
    head = "name: [a]\ncontent: x\nhandler: y\nmetadata: {a: {b: [c]}}\n? key\n: z\n"
    assert read(head) == (
        {"name": ["a"], "content": "x", "handler": "y", "metadata": {"a": {"b": ["c"]}}, "key": "z"},
        [],
    )


# Hostile heads


def test_aliases_do_not_multiply() -> None:
    """L1: nine levels of nine would be 387 million items."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    fields, findings = read("\n".join(lines) + "\nname: n\n")
    assert fields["name"] == "n"
    assert sum(len(value) for value in fields.values() if isinstance(value, list)) <= 81
    assert {finding.rule for finding in findings} == {"head-indicator"}


@pytest.mark.parametrize("value", ['!!python/object/apply:os.system ["x"]', "!!python/name:os.system", "!!binary eA=="])
def test_tags_are_text(value: str) -> None:
    """L1."""
    assert around(value)[0] == value
    assert read_head(f"---\n{value}\n---\n", "a.md")[0] == {}


def test_of_two_megabytes_of_head_the_first_64_kib_are_read_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """YAML never sees it."""
    monkeypatch.setattr(head_module, "_yaml", None)
    head = "name: n\n" + "".join(f"key{n}: &a value: {n}\n" for n in range(80_000))
    assert len(head) > 2_000_000
    fields, findings = read(head)
    assert fields["name"] == "n"
    assert fields["key2000"] == "&a value: 2000"
    assert "key79999" not in fields
    assert findings[0].rule == "head-size"
    assert len(findings) < 100
    assert "more lines" in findings[-1].message
    assert head_module._yaml is None


def test_a_big_sound_head_needs_no_yaml() -> None:
    fields, findings = read("".join(f"key{n}: value\n" for n in range(MAX_HEAD_BYTES // 8)))
    assert len(fields) == MAX_HEAD_BYTES // 8
    assert findings == []


@pytest.mark.parametrize("depth", [MAX_HEAD_DEPTH, 2_000])
def test_a_head_too_deep_costs_the_deep_field_only(depth: int) -> None:
    """A9."""
    fields, findings = read(f"name: n\ndeep: {'[' * depth}x{']' * depth}\n")
    assert fields["name"] == "n"
    assert [finding.rule for finding in findings] == ["head-indicator"]
    nested = "".join(" " * n + f"k{n}:\n" for n in range(depth // 4 + 20))
    assert read(f"name: n\n{nested}")[0]["name"] == "n"


@pytest.mark.parametrize(
    "head", ["a: b\n...\nc: d\n", "%YAML 9.9\n", "a: b\n--- x\n", "? [x]\n: y\n", "{a: b}: c\nname: n\n"]
)
def test_other_documents_directives_and_keys_that_are_no_words_never_raise(head: str) -> None:
    read_head(f"---\n{head}---\nbody\n", "a.md")


# The two halves agree


@settings(CHECK, max_examples=600)
@given(heads())
def test_where_the_fast_reader_answers_it_says_what_yaml_says(head: str) -> None:
    """One reader, used by hook, command line, audit and editor."""
    fields = read_lines(head)
    if fields is None:
        return
    by_yaml = yaml.load(head, Loader=yaml.CBaseLoader) or {}
    assert fields == by_yaml
    assert list(fields) == list(by_yaml)
    assert head_module._read_yaml(head) == (fields, [])


@CHECK
@given(near_lines())
def test_most_heads_of_plain_lines_are_read_without_yaml(lines: list[str]) -> None:
    """The hook imports yaml for unusual heads only."""
    head = "".join(line + "\n" for line in lines if not set(line) & set("|>{}&*!@`%?\\\t#") and line.isprintable())
    try:
        by_yaml = yaml.load(head, Loader=yaml.CBaseLoader) or {}
    except yaml.YAMLError:
        return
    fields = read_lines(head)
    assert fields is None or fields == by_yaml


@settings(CHECK, max_examples=400)
@given(heads())
def test_what_yaml_allows_reads_as_yaml_reads_it(head: str) -> None:
    """Except repeated keys (first counts), anchors, aliases, tags, and a field swallowed by a quote."""
    try:
        fields, repeated = head_module._read_yaml(head)
    except ValueError:
        return
    by_yaml = yaml.load(head, Loader=yaml.CBaseLoader)
    assert repeated or fields == ({} if by_yaml is None else by_yaml)


@pytest.fixture
def pure_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML as it is where its C half could not be built."""
    monkeypatch.delattr(yaml, "CBaseLoader")
    monkeypatch.setattr(head_module, "_yaml", None)


@pytest.mark.usefixtures("pure_yaml")
def test_without_the_c_half_of_pyyaml_the_heads_read_the_same() -> None:
    assert read('a: >-\n  one\n  two\nb: {c: [d]}\ne: "x\\ty"\n') == (
        {"a": "one two", "b": {"c": ["d"]}, "e": "x\ty"},
        [],
    )
    assert around("a\tb")[0] == "a\tb"
    assert around("Deploy: use blue slot")[0] == "Deploy: use blue slot"
    assert places(read("type: |\n  user\ntype: project\n")[1]) == [("head-duplicate", 4)]
    with pytest.raises(ValueError, match="anchors"):
        head_module._read_yaml("a: &x [b]\nc: *x\n")


def test_every_rule_is_in_the_list_of_rules() -> None:
    """The rules are stable words; head.py lists them for those who filter by them."""
    folder = Path(head_module.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    listed = {line.split()[0].rstrip(",") for line in (head_module.__doc__ or "").splitlines() if line.startswith("  ")}
    for rule in (
        "colon",
        "hash",
        "indicator",
        "quote",
        "tab",
        "indent",
        "duplicate",
        "line",
        "text",
        "open",
        "shape",
        "size",
    ):
        assert f"head-{rule}" in listed
        assert f'"head-{rule}"' in source
    assert read_memory("a.md", b"---\nname: n\n---\n").findings == []


@pytest.mark.parametrize("blank", ["\u3000", "\xa0", "\u2003"])
@pytest.mark.parametrize(
    ("lines", "fields", "line"),
    [
        ("name{}: x\ntype: user", {"name": "x", "type": "user"}, 2),
        ("type: user\n{}name: x", {"type": "user", "name": "x"}, 3),
        ("tags{}: [a, b]", {"tags": ["a", "b"]}, 2),
        ("metadata:\n  id{}: x", {"metadata": {"id": "x"}}, 3),
        ("metadata {} :\n  id: x", {"metadata": {"id": "x"}}, 2),
    ],
)
def test_a_blank_that_a_cjk_keyboard_gives_costs_no_field(
    lines: str, fields: dict[str, object], line: int, blank: str
) -> None:
    """Beside a colon it is one more blank to a person, and part of the field's name to YAML."""
    found, findings = read(lines.format(blank) + "\n")
    assert found == fields
    assert places(findings) == [("head-colon", line)]
    assert f"U+{ord(blank):04X} beside" in findings[0].message


@pytest.mark.parametrize(
    "lines",
    ['"name\u3000": x', "metadata: {id\u3000: x}", "m:\n  - a\u3000: b", "name: x\u3000: y", "# a\u3000: b\nname: x"],
)
def test_such_a_blank_elsewhere_is_as_yaml_has_it(lines: str) -> None:
    fields, findings = read(lines + "\n")
    if not findings:
        assert fields == head_module._read_yaml(lines + "\n")[0]
    assert all("beside" not in each.message for each in findings)


@pytest.mark.parametrize("fence", ["\ufeff---", " ---", "---\xa0", "\u200b---", "--- \ufeff"])
def test_a_closing_fence_that_is_none_is_named_with_its_line(fence: str) -> None:
    """Adding a second one would help, and nobody would know why."""
    memory = read_memory("a.md", f"---\nname: x\n{fence}\nbody\n".encode())
    said = next(each for each in memory.findings if each.rule == "head-open")
    assert "never closed" in said.message
    assert "line 3 is no `---`" in said.message
    assert "add a line" not in said.message
