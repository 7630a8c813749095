"""Every command has help, and the quick answers stay quick to load."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from gitmem import __version__
from gitmem.cli.table import GROUPS, SHORT_HELP

ROOT = Path(__file__).parents[2]
HEAVY = ("click", "yaml", "dulwich", "filelock", "rich", "typing", "dataclasses", "pathlib")


def gitmem(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gitmem", *words],
        capture_output=True, text=True, encoding="utf-8", check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def every_command() -> list[tuple[str, ...]]:
    """``("show",)``, ``("conflict", "list")``: what a person may type."""
    found: list[tuple[str, ...]] = []
    for name in SHORT_HELP:
        command = importlib.import_module(f"gitmem.cli.{name}").command
        below = sorted(command.commands) if isinstance(command, click.Group) else []
        found += [(name, each) for each in below] or [(name,)]
    return found


@pytest.mark.parametrize("words", every_command(), ids=" ".join)
def test_every_command_explains_itself(words: tuple[str, ...]) -> None:
    """Promised as K1: every command has --help; those a person asks about a store have --json and --store."""
    said = gitmem(*words, "--help")
    assert said.returncode == 0
    assert said.stdout.startswith(f"Usage: gitmem {' '.join(words)}")
    assert ("--json" in said.stdout) == (words != ("hook",))
    assert ("--store" in said.stdout) == (words[0] != "bench")


@pytest.mark.parametrize("name", sorted({words[0] for words in every_command() if len(words) > 1}))
def test_a_command_of_several_words_lists_them(name: str) -> None:
    """Promised as K1."""
    said = gitmem(name, "--help")
    assert said.returncode == 0
    for words in every_command():
        if words[0] == name:
            assert f"  {words[1]} " in said.stdout


@pytest.mark.parametrize("words", [(), ("--help",), ("-h",)])
def test_gitmem_alone_lists_its_commands_by_group(words: tuple[str, ...]) -> None:
    said = gitmem(*words)
    assert said.returncode == 0
    for title, commands in GROUPS:
        assert f"\n{title}\n" in said.stdout
        for name, text in commands:
            assert f"  {name} " in said.stdout
            assert text in said.stdout


def test_the_version_is_one_line() -> None:
    said = gitmem("--version")
    assert (said.returncode, said.stdout) == (0, f"gitmem {__version__}\n")


@pytest.mark.parametrize("words", [["--version"], ["--help"], []])
def test_version_and_help_load_nothing_heavy(words: list[str]) -> None:
    """At most four times bare Python."""
    code = (
        "import sys\n"
        f"sys.argv = ['gitmem', *{words!r}]\n"
        "from gitmem.__main__ import main\n"
        "main()\n"
        f"sys.exit(' '.join(name for name in {HEAVY!r} if name in sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{code}"],
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.stderr.strip() == ""


def test_each_command_stands_in_the_module_of_its_name() -> None:
    """One command, one file."""
    for name in SHORT_HELP:
        assert (ROOT / "gitmem" / "cli" / f"{name}.py").is_file(), name
