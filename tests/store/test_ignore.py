"""Patterns of the ignore list."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.store.ignore import Pattern, fits_name, patterns


@pytest.mark.parametrize(
    ("pattern", "path", "is_folder", "fits"),
    [
        ("drafts/", "drafts", True, True),
        ("drafts/", "a/drafts", True, True),
        ("drafts/", "drafts", False, False),
        ("drafts", "a/drafts", True, True),
        ("drafts", "drafts.md", False, False),
        ("/drafts/", "a/drafts", True, False),
        ("*.excalidraw.md", "a/b.excalidraw.md", False, True),
        ("*.excalidraw.md", ".md", False, False),
        ("templates/**", "templates", True, True),
        ("templates/**", "a/templates", True, False),
        ("a/*/c.md", "a/b/c.md", False, True),
        ("a/*/c.md", "a/b/d/c.md", False, False),
        ("a/**/c.md", "a/c.md", False, True),
        ("a/**/c.md", "a/b/d/c.md", False, True),
        ("**/c.md", "a/b/c.md", False, True),
        ("**/c.md", "c.md", False, True),
        ("./x.md", "x.md", False, True),
        ("?.md", "记.md", False, True),
        ("?.md", "ab.md", False, False),
        ("[x].md", "[x].md", False, True),
        ("[x].md", "x.md", False, False),
        ("a*b*.md", "a__b__.md", False, True),
        ("**", "any", True, True),
    ],
)
def test_a_pattern_means_what_gitignore_means(pattern: str, path: str, is_folder: bool, fits: bool) -> None:
    """A6: no meaning for brackets."""
    assert Pattern(pattern).fits(path, is_folder) is fits


def test_blank_patterns_name_nothing() -> None:
    """A blank line in a list must not hide a store."""
    assert patterns(["", " ", "/", ".", "./"]) == []


@given(st.text(alphabet="ab.?*", max_size=9), st.text(alphabet="ab.", max_size=12))
def test_one_name_fits_as_fnmatch_says(pattern: str, name: str) -> None:
    """The own matcher spares the hook ``re``."""
    assert fits_name(name, pattern) == fnmatch.fnmatchcase(name, pattern)


def test_many_stars_are_not_slow() -> None:
    """A pattern may come from a stranger: no exponential work."""
    assert not fits_name("a" * 255, "*a" * 60 + "b")
    assert not Pattern("/".join(["**", "a"] * 60) + "/b").fits("/".join(["a"] * 250), False)
