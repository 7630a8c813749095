"""`remember` has a way without click; both must mean the same."""

from __future__ import annotations

import pytest

from gitmem.cli.quick import FLAGS, WITH_VALUE, parse
from gitmem.cli.remember import command
from gitmem.write.fields import typed_labels


@pytest.mark.parametrize(
    ("words", "texts", "options"),
    [
        (["a", "b"], ["a", "b"], {}),
        (["a", "--name", "n", "--json"], ["a"], {"name": "n", "json": "true"}),
        (["--name=n=m", "a"], ["a"], {"name": "n=m"}),
        (["--body-file", "-"], [], {"body_file": "-"}),
        (["-"], ["-"], {}),
        (["--", "--name", "x"], ["--name", "x"], {}),
        (["a", "--type", "user"], ["a"], {"type": "user"}),
    ],
)
def test_a_plain_use_is_understood(words: list[str], texts: list[str], options: dict[str, str]) -> None:
    assert parse(words) == (texts, options)


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["--nmae", "x"], ["a", "--name"], ["a", "--type", "wish"]])
def test_anything_else_is_left_to_click(words: list[str]) -> None:
    assert parse(words) is None


def test_both_know_the_same_options() -> None:
    known = {name for parameter in command.params for name in parameter.opts if name.startswith("--")}
    assert known == {*WITH_VALUE, *FLAGS}


def test_commas_of_both_kinds_part_tags() -> None:
    assert typed_labels("a, b，c,") == ["a", "b", "c"]
    assert typed_labels('部署，笔记、a:b, "c"') == ["部署", "笔记", "a:b", "c"]
