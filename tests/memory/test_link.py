"""MEMORY.md entries and wikilinks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.link import add_entry, has_entry, index_line, index_targets, link_names, resolve, wikilinks

INDEX = """\
# Memory

## Work
- [Deploy](deploy.md) — never reorder
- [Two](a.md) and [links](sub/b.md)

Free words about [a site](https://example.org/x.md).
"""


@pytest.mark.parametrize(
    "link",
    [
        "[x](a b.md)",
        "[x]( a%20b.md )",
        "[x](<a b.md>)",
        "[x](./a b.md)",
        '[x](a%20b.md "shown")',
        "[x](a%20b.md 'shown')",
        "[x](<a b.md> (shown))",
        "[x](A%20B.MD)",
        "[x](a%20b.md#L12)",
        "[x](a b.md # top)",
        "[x [y] z](a%20b.md)",
        "* ![x](a%20b.md)",
        "word[x](a%20b.md)word [y](other.md)",
        "a ` lone backtick [x](a%20b.md)",
        "`code` [x](a%20b.md) `code`",
        "[x](<a b.md#top>)",
    ],
)
def test_every_spelling_of_a_link_counts_as_the_entry(link: str) -> None:
    assert has_entry(f"# Memory\n\n- {link}\n", "a b.md")


@pytest.mark.parametrize(
    "text",
    ["- [x](x_a.md)", "- [x](sub/a.md)", "- [x](a.mdx)", "- `[x](a.md)`", "- ``[x](a.md) ` ``", "```\n- [x](a.md)\n```",
     "~~~\n[x](a.md)\n~~~", "- [x](https://example.org/a.md)", "- a.md", "- [x] (a.md)", "- [x](archive/a.md)",
     "[x\\](a.md)", "- [x](a.md", "- [x](../a.md)", ""],
)  # fmt: skip
def test_what_is_no_link_to_the_memory_is_no_entry(text: str) -> None:
    """Code is no link."""
    assert not has_entry(text, "a.md")


@pytest.mark.parametrize("path", ["a(b).md", "a(b.md", "a)b.md", "a#b.md", "a%20b.md", "[x].md", "a<b>.md", "a?b.md",
                                  "记忆.md", "sub/a b.md", 'a"b.md', "a`b.md", "a\\b.md", "-rf.md",
                                  "cafe\u0301.md"])  # fmt: skip
def test_any_file_name_can_be_entered_and_is_found_again(path: str) -> None:
    text = add_entry("", "t", path, "")
    assert has_entry(text, path)
    assert [target for _, target in index_targets(text)] == [path]


def test_targets_have_their_lines_and_folders() -> None:
    """Two links in one line are two."""
    assert index_targets(INDEX) == [(4, "deploy.md"), (5, "a.md"), (5, "sub/b.md")]


def test_a_new_entry_is_appended_and_every_old_byte_stays() -> None:
    """A7."""
    new = add_entry(INDEX, "Ports", "ports.md", "which port is whose")
    assert new == INDEX + "- [Ports](ports.md) — which port is whose\n"
    assert add_entry(new, "Other words", "PORTS.md", "x") == new
    assert add_entry("", "", "a.md", "") == "- [a](a.md)\n"


def test_an_entry_keeps_the_files_line_ending_mark_and_gives_it_a_last_newline() -> None:
    """A7."""
    assert add_entry("- [a](a.md)", "b", "b.md", "") == "- [a](a.md)\n- [b](b.md)\n"
    assert add_entry("x\r\ny", "b", "b.md", "") == "x\r\ny\r\n- [b](b.md)\r\n"
    assert add_entry("x\ry\r", "b", "b.md", "") == "x\ry\r- [b](b.md)\r"
    assert add_entry("\ufeff", "b", "b.md", "") == "\ufeff- [b](b.md)\n"
    assert add_entry("\ufeffx", "b", "b.md", "") == "\ufeffx\n- [b](b.md)\n"


def test_a_long_description_is_cut_and_an_empty_one_has_no_dash() -> None:
    assert index_line("t", "a.md", "d" * 300) == "- [t](a.md) — " + "d" * 120
    assert index_line("t", "a.md", " \n ") == "- [t](a.md)"
    assert index_line("t", "a.md", "two\nlines") == "- [t](a.md) — two lines"


def test_an_entry_after_a_fence_that_was_never_closed_is_seen() -> None:
    """Otherwise every write would append it once more."""
    text = add_entry("# Memory\n```\nopen\n", "a", "a.md", "")
    assert has_entry(text, "a.md")


titles = st.text(alphabet="ab[]()\\`<>!*_ \n\r#|é记\u2028\x00", max_size=16)


@given(
    titles,
    titles,
    st.text(alphabet="ab ()#%[]é记.`<>&", min_size=1, max_size=10),
    st.sampled_from(["", INDEX, "x\r\n"]),
)
def test_no_title_or_description_breaks_the_link(title: str, description: str, stem: str, text: str) -> None:
    """The line added is one line, with one link, to the memory."""
    path = f"{stem.strip(' .') or 'x'}.md"
    new = add_entry(text, title, path, description)
    added = new[len(text) :]
    assert new.startswith(text)
    if added:
        assert [target for _, target in index_targets(added)] == [path]
        assert len(added.splitlines()) == 1
    assert has_entry(new, path)
    assert add_entry(new, title, path, description) == new


@pytest.mark.parametrize(
    ("body", "targets"),
    [
        ("see [[ghost]] and [[a|shown]]", [(1, "ghost"), (1, "a")]),
        ("\n[[a#Heading]] [[b^block]] ![[c.md]]", [(2, "a"), (2, "b"), (2, "c.md")]),
        ("[[x/y z]] | [[t\\|cell]] |", [(1, "x/y z"), (1, "t")]),
        ("`[[x]]` ``[[y]] ` `` and [[z]]", [(1, "z")]),
        ("```\n[[x]]\n```\n~~~~\n[[y]]\n~~~\n~~~~\n[[z]]", [(8, "z")]),
        ("lone ` here [[a]]\nand ` [[b]]\n[[c]]", [(1, "a"), (2, "b"), (3, "c")]),
        ("[[#only heading]] [[]] [[ ]] [[open", []),
        ("[[a [[b]] c]]", [(1, "b")]),
        ("x\r\n[[a]]\r[[b]]", [(2, "a"), (3, "b")]),
        ("a[[0]][1]", [(1, "0")]),
        ("no links", []),
    ],
)
def test_wikilinks_are_read_outside_code(body: str, targets: list[tuple[int, str]]) -> None:
    """A6."""
    assert wikilinks(body) == targets


def test_a_wikilink_resolves_by_path_stem_name_and_alias_when_one_memory_answers() -> None:
    """A6."""
    names = link_names(
        [
            ("deploy.md", "Deploy ritual", ["ship it", "上线"]),
            ("sub/notes.md", "n", []),
            ("other/notes.md", "deploy", []),
            ("a/Café.md", "", []),
        ]
    )
    for target in ("deploy", "DEPLOY.md", "Deploy Ritual", "ship it", "上线", "./deploy", "/deploy.md"):
        assert resolve(target, names) == "deploy.md"
    assert resolve("sub/notes", names) == "sub/notes.md"
    assert resolve("cafe\u0301", names) == "a/Café.md"
    assert resolve("notes", names) is None
    assert resolve("ghost", names) is None
    assert resolve("", names) is None


@given(st.text(alphabet="[]()|#`\\ab\n<>~%\"'", max_size=60))
def test_no_text_breaks_the_parsers(text: str) -> None:
    """A broken file costs itself."""
    assert wikilinks(text) is not None
    assert index_targets(text + ".md)") is not None
    assert has_entry(add_entry(text, text, "x.md", text), "x.md")
