"""Commands to type name the store they are meant for: typed as they stand, they never act on another one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest

from gitmem.cli import past, quick
from gitmem.cli.main import gitmem as every
from gitmem.cli.named_store import GROUPS, OF_NO_STORE, with_store
from gitmem.cli.table import HIDDEN, SHORT_HELP
from gitmem.cli.tell import broken

Gm = Any


@pytest.mark.parametrize(
    ("sentence", "named"),
    [
        ("gitmem sync origin --rejoin", "gitmem sync -S origin --rejoin"),
        ("undo with: gitmem hooks remove", "undo with: gitmem hooks remove -S"),
        ("(not meant? gitmem undo)", "(not meant? gitmem undo -S)"),
        ("type: gitmem refresh.", "type: gitmem refresh -S."),
        ("see `gitmem recall` and `gitmem why`", "see `gitmem recall -S` and `gitmem why -S`"),
        ("git -C /x push && gitmem remote add o /r && gitmem sync o",
         "git -C /x push && gitmem remote add -S o /r && gitmem sync -S o"),
        ("gitmem rollback apply 1   (or: gitmem undo)", "gitmem rollback apply -S 1   (or: gitmem undo -S)"),
        ("gitmem trust --author a@b", "gitmem trust -S --author a@b"),
        ("gitmem doctor --fix\ngitmem audit", "gitmem doctor -S --fix\ngitmem audit -S"),
    ],
)  # fmt: skip
def test_each_command_of_a_sentence_is_named(sentence: str, named: str) -> None:
    option = " --store '/my place'"
    assert with_store(sentence, option) == named.replace(" -S", option)


@pytest.mark.parametrize(
    "sentence",
    [
        "gitmem conflict show 12 --store /y   settle: gitmem conflict resolve 12 --store /y --ours",
        "gitmem init /x", "gitmem trust /x", "gitmem trust --revoke /x", "gitmem clone URL", "gitmem --store P status",
        "gitmem archive --help", "gitmem conflict --help", "gitmem --help", "an older gitmem; type: ls", "git commit",
        "/opt/gitmem sync", "which gitmem leaves to git", "gitmem conflict",
    ],
)  # fmt: skip
def test_what_names_its_place_or_is_no_command_stays(sentence: str) -> None:
    assert with_store(sentence, " --store /s") == sentence


def every_name() -> list[tuple[str, ...]]:
    context = click.Context(every)
    names: list[tuple[str, ...]] = []
    for name in SHORT_HELP:
        command = every.get_command(context, name)
        if isinstance(command, click.Group) and name not in OF_NO_STORE:
            assert name in GROUPS, name
            names += [(name, each) for each in command.commands]
        elif name not in (*OF_NO_STORE, *HIDDEN):
            names.append((name,))
    return names


@pytest.mark.parametrize("name", every_name(), ids=" ".join)
def test_every_command_takes_the_option_there(name: tuple[str, ...]) -> None:
    context = click.Context(every)
    command = every.get_command(context, name[0])
    if isinstance(command, click.Group):
        command = command.commands[name[1]]
    assert command is not None
    assert "--store" in {option for each in command.params for option in each.opts}
    if name != ("trust",):  # its word is the store
        assert with_store(f"gitmem {' '.join(name)} x", " --store /s") == f"gitmem {' '.join(name)} --store /s x"


def test_the_doors_without_the_library_take_it_before_the_other_words() -> None:
    assert quick.parse(["--store", "/s", "a text"]) == (["a text"], {"store": "/s"})
    assert past.run(["--store", "/nowhere", "name", "--limit", "1"]) == 1


def test_what_a_command_says_about_another_store_names_it(gm: Gm, tmp_path: Path) -> None:
    """The person's own store stays as it is, whatever is typed."""
    other = tmp_path / "my other"
    gm("remember", "mine", "--name", "mine")
    gm("init", str(other))
    gm("remember", "theirs", "--name", "theirs", "--store", str(other))
    option = f" --store '{other}'"
    said = gm("archive", "theirs", "--store", str(other))
    assert said.err == f"undo: gitmem restore{option} theirs.md\n"
    made = gm("rollback", "create", "--store", str(other)).out
    assert f"return to it: gitmem rollback apply{option} " in made
    assert f"undo with: gitmem hooks remove{option}\n" in gm("hooks", "install", "--store", str(other)).out
    assert (
        f"hint: gitmem remote add{option} origin URL   (any git host, or a path)\n"
        in gm("sync", "--store", str(other)).err
    )
    failed = gm("--store", str(other), "--json", "sync").json["error"]
    assert failed["hint"] == f"gitmem remote add{option} origin URL   (any git host, or a path)"
    assert "--store" not in failed["message"]
    gm("remote", "add", "origin", str(tmp_path / "hub"), f"--store={other}")
    assert (
        f"\nback again: gitmem remote add{option} origin "
        in gm("remote", "remove", "origin", "--store", str(other)).out
    )
    assert gm("archive", "mine").err == "undo: gitmem restore mine.md\n", "of one's own store the bare command is meant"


def test_a_memory_is_shown_as_it_stands(gm: Gm, tmp_path: Path) -> None:
    other = tmp_path / "other"
    gm("init", str(other))
    gm("remember", "To send it, type: gitmem sync", "--name", "how", "--store", str(other))
    for words in (("show", "how"), ("recall", "type gitmem sync send")):
        assert "type: gitmem sync\n" in gm(*words, "--store", str(other)).out + "\n"


def test_the_other_ways_of_a_long_hint_stand_on_lines_of_their_own() -> None:
    hint = f"gitmem sync {'x' * 170}   (or so: gitmem undo)   (or: gitmem status)"
    assert [len(line) < 200 for line in broken(hint).splitlines()] == [True] * 3
    assert broken("gitmem sync   (or: gitmem undo)") == "gitmem sync   (or: gitmem undo)"
