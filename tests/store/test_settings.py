"""A store's settings and its format number."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import FormatTooNew
from gitmem.store.format import FORMAT, check_format
from gitmem.store.settings import DEFAULT_CONFIG, Settings, default_settings, load_settings, parse_settings

WHOLE = """\
format: 1
ignore:
  - drafts/
  - "*.excalidraw.md"
index_file: INDEX.md
recall:
  candidates: off
"""


def values(settings: Settings) -> tuple[int, tuple[str, ...], str, str]:
    return settings.format, settings.ignore, settings.index_file, settings.candidates


DEFAULTS = values(default_settings())


def test_every_setting_is_read_as_it_is_written() -> None:
    """K6: ``off`` is a word, not false."""
    settings = parse_settings(WHOLE)
    assert values(settings) == (1, ("drafts/", "*.excalidraw.md"), "INDEX.md", "off")
    assert settings.findings == []
    assert settings.left_out() == ("drafts/", "*.excalidraw.md", "/INDEX.md")


def test_the_file_of_a_new_store_says_the_defaults() -> None:
    """A person reads in the file what holds."""
    settings = parse_settings(DEFAULT_CONFIG)
    assert values(settings) == DEFAULTS
    assert settings.findings == []
    assert settings.left_out() == ()


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n", "\ufeff"])
def test_a_file_that_says_nothing_gives_the_defaults(text: str) -> None:
    settings = parse_settings(text)
    assert (values(settings), settings.findings) == (DEFAULTS, [])


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("format: one\n", 1, "format"),
        ("\nformat: 0\n", 2, "format"),
        ("format: 1.0\n", 1, "format"),
        ("format: -1\n", 1, "format"),
        ("format: [1]\n", 1, "format"),
        ("format: ١\n", 1, "format"),
        ("format: " + "9" * 30 + "\n", 1, "format"),
        ("format: 1\nrecall:\n  candidates: maybe\n", 3, "recall.candidates"),
        ("recall: off\n", 1, "recall"),
        ("index_file: ../x.md\n", 1, "index_file"),
        ("index_file: sub/x.md\n", 1, "index_file"),
        ("index_file: x.txt\n", 1, "index_file"),
        ("index_file: .x.md\n", 1, "index_file"),
        ("index_file: [a]\n", 1, "index_file"),
        ("ignore: ['!keep.md']\n", 1, "ignore"),
        ("format: 1\nformat: 1\n", 2, "line 1"),
        ("\n\ncolour: blue\n", 3, "colour"),
        ("recall:\n  colour: blue\n", 2, "recall.colour"),
    ],
)
def test_a_bad_value_is_named_with_its_line_and_the_default_is_used(text: str, line: int, word: str) -> None:
    """K6: validated at load, naming the field."""
    settings = parse_settings(text)
    assert values(settings) == DEFAULTS
    assert [(finding.path, finding.line) for finding in settings.findings] == [(".gitmem/config.yaml", line)]
    assert word in settings.findings[0].message


def test_one_bad_value_costs_no_other() -> None:
    """A9 for settings."""
    settings = parse_settings(WHOLE.replace("INDEX.md", "x/y"))
    assert values(settings) == (1, ("drafts/", "*.excalidraw.md"), "MEMORY.md", "off")
    assert len(settings.findings) == 1


def test_too_many_or_too_long_patterns_are_said() -> None:
    """A6: caps are said."""
    settings = parse_settings("ignore:\n" + "".join(f"  - d{number}/\n" for number in range(300)))
    assert len(settings.ignore) == 200
    assert "100" in settings.findings[0].message
    settings = parse_settings(f"ignore: [{'x' * 300}, drafts/]\n")
    assert settings.ignore == ("drafts/",)
    assert len(settings.findings) == 1
    assert parse_settings("ignore: drafts/\n").ignore == ("drafts/",)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\nb: *a\n",
        "format: &f 1\n",
        "ignore: !!python/object/apply:os.system ['true']\n",
        "format: !!int 1\n",
        "- a\n- b\n",
        "just words\n",
        "format: [\n",
        "a: b: c\n",
        "\tformat: 1\n",
        "format: 1\x00\n",
        "x: " + "[" * 40 + "]" * 40 + "\n",
        "x: " + "[" * 30_000,
        "# " + "x" * 70_000 + "\n",
    ],
)
def test_a_file_from_a_stranger_that_says_nothing_readable_gets_one_sentence(text: str) -> None:
    """L1: no aliases, no tags, bounded size and depth."""
    settings = parse_settings(text)
    assert values(settings) == DEFAULTS
    assert settings.findings == [settings.broken]
    assert settings.findings[0].message.isprintable()


KEPT = """\
format: 1
ignore:
  - private/
recall:
  candidates: off
locks:
  - a.md
  - n/b.md
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (KEPT + 'index_file: {x: "y"\n', 9),
        (KEPT + "rollback: [\n", 9),
        ("x: 'y\n" + KEPT, 1),
        (KEPT.replace("ignore:\n  - private/", "ignore: [private/"), 2),
        (KEPT.replace("ignore:\n  - private/", "ignore: *private/"), 2),
        (KEPT.replace("ignore:\n  - private/", "ignore:\n\t- private/"), 2),
        (KEPT.replace("locks:\n", "locks:\n  - *x\n"), 6),
        (KEPT.replace("locks:\n", "locks: &all\n"), 6),
        (KEPT.replace("  - private/", "<<<<<<< HEAD\n  - private/\n=======\n  - drafts/\n>>>>>>> theirs"), 3),
        (KEPT.replace("\n", "\r\n") + "x: [\r\n", 9),
        (KEPT + "---\n", 9),
    ],
)
def test_a_broken_line_costs_its_own_field_and_is_named(text: str, line: int) -> None:
    """A9 for settings: what was locked stays locked, what was left out stays out."""
    settings = parse_settings(text)
    assert {"a.md", "n/b.md"} <= set(settings.locks)
    assert {each.strip("*") for each in settings.ignore} >= {"private/"}
    assert settings.candidates == "off"
    assert [finding.line for finding in settings.findings] == [line]
    assert settings.broken is settings.findings[0]


ONE_LINE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\x85\u2028\u2029"), max_size=30)


@given(ONE_LINE.filter(lambda text: not text[:1].isspace()), st.booleans())
def test_no_line_above_or_below_takes_a_lock_or_a_pattern_away(line: str, above: bool) -> None:
    """Promised as B7: a locked memory is archived or purged by nothing, a slip in the settings included."""
    settings = parse_settings(f"{line}\n{KEPT}" if above and ":" not in line else f"{KEPT}{line}\n")
    assert {"a.md", "n/b.md"} <= set(settings.locks)
    assert "private/" in settings.ignore


def test_a_broken_file_of_a_newer_format_is_refused_as_a_sound_one() -> None:
    """Promised in docs/store.md: newer is refused by name."""
    assert parse_settings(f"format: {FORMAT + 1}\nlocks: [\n").format == FORMAT + 1
    assert parse_settings(f"format: {FORMAT}\nformat: {FORMAT + 1}\n").format == FORMAT + 1


def test_of_two_lists_both_count() -> None:
    """Who adds a line below a list that is there already, as in the file of a new store, means both."""
    settings = parse_settings(DEFAULT_CONFIG + "ignore: [private/]\nlocks: [a.md]\nlocks: b.md\n")
    assert (settings.ignore, settings.locks) == (("private/",), ("a.md", "b.md"))
    assert [finding.line for finding in settings.findings] == [13, 15]
    assert "both are used" in settings.findings[0].message


def test_what_was_known_earlier_completes_a_file_that_is_not_whole() -> None:
    earlier = parse_settings("format: 2\nignore: [old/]\nindex_file: L.md\nrecall: {candidates: off}\nlocks: [c.md]\n")
    broken = parse_settings("ignore: [new/]\nlocks: [\n").beside(earlier)
    assert values(broken) == (2, ("new/", "old/"), "L.md", "off")
    assert broken.locks == ("c.md",)
    assert broken.broken is not None
    assert values(parse_settings("\n").beside(earlier)) == values(earlier)


def test_the_file_of_a_store_is_found_and_a_missing_one_gives_the_defaults(tmp_path: Path) -> None:
    assert (values(load_settings(str(tmp_path))), load_settings(str(tmp_path)).findings) == (DEFAULTS, [])
    (tmp_path / ".gitmem").mkdir()
    config = tmp_path / ".gitmem/config.yaml"
    config.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert values(load_settings(str(tmp_path))) == values(parse_settings(WHOLE))
    config.write_bytes(b"x" * 100_000)
    assert len(load_settings(str(tmp_path)).findings) == 1


def test_a_linked_settings_file_is_not_followed(tmp_path: Path) -> None:
    """L1: no path out of the tree."""
    (tmp_path / ".gitmem").mkdir()
    (tmp_path / "elsewhere").write_text(WHOLE)
    os.symlink(tmp_path / "elsewhere", tmp_path / ".gitmem/config.yaml")
    settings = load_settings(str(tmp_path))
    assert values(settings) == DEFAULTS
    assert "link" in settings.findings[0].message


def test_a_newer_format_is_refused_by_name_and_this_one_is_not() -> None:
    """Promised in docs/store.md: newer is refused by name."""
    check_format(default_settings())
    with pytest.raises(FormatTooNew) as refused:
        check_format(parse_settings(f"format: {FORMAT + 1}\n"))
    assert str(FORMAT + 1) in refused.value.message
    assert ".gitmem/config.yaml" in refused.value.message
    assert refused.value.hint


@given(st.one_of(st.text(max_size=80), st.text(alphabet="format: ignore\n-[]{}&*!'\"#|>1", max_size=80)))
def test_no_text_ends_in_a_traceback(text: str) -> None:
    for finding in parse_settings(text).findings:
        assert finding.sentence().startswith(".gitmem/config.yaml")


@pytest.mark.parametrize("text", [None, "", "\n", DEFAULT_CONFIG])
def test_no_yaml_is_loaded_where_the_settings_say_nothing(tmp_path: Path, text: str | None) -> None:
    """Every write reads them, and YAML would be half of a cold one."""
    if text is not None:
        (tmp_path / ".gitmem").mkdir()
        (tmp_path / ".gitmem/config.yaml").write_text(text, encoding="utf-8")
    probe = "import sys; from gitmem.store.settings import load_settings as read; read(sys.argv[1])"
    probe += "; print('yaml' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
