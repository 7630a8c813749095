"""Closed and full streams, and a Python that lacks something: one sentence, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]
ROOT = Path(__file__).parents[2]
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")


def shell(redirect: str, *words: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run ``gitmem WORDS`` as a shell does with that redirection."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirect}', "sh", sys.executable, "-m", "gitmem", *words],
        capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environ},
    )  # fmt: skip


@FULL
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_what_was_saved_is_said_to_be_saved_when_the_answer_cannot_leave(
    gm: Gm, git: Git, store: Path, unbuffered: str
) -> None:
    """Break test 19e: the commit stood, and the answer said that the disk is full."""
    for number, more in enumerate(([], ["--json"])):
        said = shell(">/dev/full", "remember", "the cat", "--name", f"cat {number}", *more, PYTHONUNBUFFERED=unbuffered)
        assert said.returncode == 1
        assert f"cat-{number}.md is saved; only this answer could not be printed" in said.stderr
        assert "Traceback" not in said.stderr
    said = shell(">/dev/full", "edit", "cat-0", "--set", "tags=a", PYTHONUNBUFFERED=unbuffered)
    assert "cat-0.md is saved" in said.stderr
    assert git("log", "--format=%s", cwd=store).count("cat") == 3


@FULL
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words", [["--help"], [], ["--version"], ["list", "--help"], ["list"], ["list", "--json"]], ids=" ".join
)
def test_an_answer_that_cannot_leave_is_one_sentence(gm: Gm, words: list[str], unbuffered: str) -> None:
    """Break test 20."""
    gm("remember", "the cat")
    said = shell(">/dev/full", *words, PYTHONUNBUFFERED=unbuffered)
    assert said.returncode == 1
    assert said.stderr == "error: the answer could not be printed (No space left on device)\n"


@FULL
def test_an_error_as_json_that_cannot_leave_is_told_on_stderr(gm: Gm) -> None:
    said = shell(">/dev/full", "nope", "--json")
    assert said.returncode == 2
    assert said.stderr.startswith('error: there is no command "nope"')


@pytest.mark.parametrize("redirect", [">&-", "<&-", "<&- >&-", "<&- >&- 2>&-"])
def test_closed_streams_hinder_no_command(gm: Gm, git: Git, store: Path, redirect: str) -> None:
    """Break test 20; and no file of the store comes to stand where a stream was."""
    gm("init")
    for words in (["list"], ["--version"], ["--help"], ["remember", "the dog", "--name", "dog"]):
        said = shell(redirect, *words)
        assert said.returncode == 0
        assert "error" not in said.stderr
    assert git("status", "--porcelain", cwd=store) == ""
    assert git("fsck", "--strict", cwd=store) == ""
    assert "the dog" in gm("show", "dog").out


@pytest.mark.parametrize(
    "words", [["remember", "-"], ["remember", "--body-file", "-"], ["edit", "x", "--body-file", "-"]]
)
def test_a_text_from_a_closed_stdin_is_wrong_usage(words: list[str]) -> None:
    said = shell("<&-", *words)
    assert said.returncode == 2
    assert said.stderr == "error: standard input is closed, so there is no text to read from it\n"


@pytest.fixture
def poor(tmp_path: Path) -> str:
    """A PYTHONPATH on which Python has no sqlite3."""
    (tmp_path / "poor").mkdir()
    text = "import sys\nsys.modules['_sqlite3'] = sys.modules['sqlite3'] = None\n"
    (tmp_path / "poor" / "sitecustomize.py").write_text(text)
    return os.pathsep.join([str(tmp_path / "poor"), str(ROOT)])


def test_a_python_without_sqlite3_leaves_the_hook_silent(gm: Gm, poor: str) -> None:
    """Break test 1, J2: nothing may stand before a prompt."""
    gm("remember", "the cat is called Zhima")
    event = '{"hook_event_name": "UserPromptSubmit", "prompt": "what is the cat called"}'
    for words in (["prompt", "--host", "claude-code"], ["session-start", "--host", "claude-code"], []):
        said = gm("hook", *words, stdin=event, PYTHONPATH=poor)
        assert (said.code, said.out, said.err) == (0, "", "")


@pytest.mark.parametrize(
    "words",
    [["remember", "x"], ["status"], ["list"], ["recall", "x"], ["edit", "x", "--body", "y"], ["init"]],
    ids=" ".join,
)
def test_a_python_without_sqlite3_is_named(gm: Gm, poor: str, words: list[str]) -> None:
    """Break test 1."""
    said = gm(*words, PYTHONPATH=poor)
    assert (said.code, said.out) == (1, "")
    assert said.err.startswith("error: this Python has no sqlite3; ")
    assert len(said.err.splitlines()) == 2
    assert gm(*words, "--json", PYTHONPATH=poor).json["error"]["code"] == "index"


def test_an_installation_without_a_library_is_named(gm: Gm, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['click'] = None\n")
    said = gm("list", PYTHONPATH=os.pathsep.join([str(tmp_path), str(ROOT)]))
    assert said.code == 1
    assert said.err.startswith("error: this Python has no module click, which gitmem needs")


@pytest.mark.parametrize("words", ["list", "search zebra", "why zebra", "show zebra", "status", "doctor", "audit"])
def test_a_reader_that_has_enough_is_no_error(gm: Gm, store: Path, words: str) -> None:
    """`gitmem list | head -1` in a script with pipefail."""
    gm("remember", "-", "--name", "zebra", stdin="the zebra sleeps\n" * 20_000)
    for number in range(60):
        (store / f"{'zebra' * 20}-{number}.md").write_text("the zebra sleeps\n")
    done = subprocess.Popen(
        [sys.executable, "-m", "gitmem", *words.split()], env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert done.stdout is not None
    done.stdout.close()
    _, said = done.communicate(timeout=120)
    assert done.returncode in (0, 5 if words == "audit" else 0)
    assert "Traceback" not in said


def test_what_goes_into_a_file_is_kept_whole_whatever_the_terminal_can_say(gm: Gm, store: Path, tmp_path: Path) -> None:
    """`show` gives the file as it is."""
    gm("remember", "猫 sleeps", "--name", "cat")
    said = shell(f"> {tmp_path}/copy", "show", "cat", PYTHONIOENCODING="ascii")
    assert said.returncode == 0
    assert (tmp_path / "copy").read_bytes() == (store / "cat.md").read_bytes()
