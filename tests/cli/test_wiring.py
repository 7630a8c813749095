"""install, hook, uninstall: from an empty machine to a host's prompt and back."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Gm = Callable[..., Any]
ROOT = Path(__file__).parents[2]


def test_the_wired_command_answers_a_prompt(gm: Gm, home: Path) -> None:
    """J1, J2: the very command that stands in the host's settings."""
    gm("remember", "My cat is called Zhima", "--name", "cat")
    assert gm("install", "claude-code").code == 0
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    call = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]
    event = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "what is my cat called?"}
    done = subprocess.run(
        [call["command"], *call["args"]], input=json.dumps(event).encode(), capture_output=True, check=False
    )
    assert done.returncode == 0
    assert "Zhima" in json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]


def test_uninstall_restores_the_bytes(gm: Gm, home: Path) -> None:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text('{\n   "model": "opus"\n}')
    gm("install", "claude-code")
    assert gm("uninstall", "claude-code", "--json").json["changed"] is True
    assert path.read_text() == '{\n   "model": "opus"\n}'


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_an_unknown_host_is_named(gm: Gm, command: str) -> None:
    said = gm(command, "cursor")
    assert said.code == 2
    assert "claude-code" in said.err


def test_gitmem_hook_answers_like_the_wired_one(gm: Gm) -> None:
    gm("remember", "My cat is called Zhima", "--name", "cat")
    event = {"session_id": "s", "hook_event_name": "UserPromptSubmit", "prompt": "what is my cat called?"}
    said = gm("hook", "prompt", "--host", "claude-code", stdin=json.dumps(event))
    assert "Zhima" in said.json["hookSpecificOutput"]["additionalContext"]


@pytest.mark.parametrize("stdin", ["", "{", "[]", '{"prompt": 3}'])
def test_the_hook_stays_silent_on_trouble(gm: Gm, stdin: str) -> None:
    """J2: always exit 0, nothing on stdout or stderr."""
    for words in (["prompt", "--host", "claude-code"], ["prompt", "--host", "nobody"], []):
        said = gm("hook", *words, stdin=stdin)
        assert (said.code, said.out, said.err) == (0, "", "")


def test_long_work_shows_a_bar_on_a_terminal_only(tmp_path: Path, home: Path) -> None:
    """K1."""
    for number in range(20):
        (tmp_path / f"note-{number}.md").write_text(f"note {number}\n")
    parent, child = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "gitmem", "init", str(tmp_path)],
        stdout=subprocess.PIPE, stderr=child, check=False, env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
    )  # fmt: skip
    os.close(child)
    shown = os.read(parent, 1 << 16).decode()
    os.close(parent)
    assert done.returncode == 0
    assert "reading" in shown
    assert "\x1b" in shown
    assert b"\x1b" not in done.stdout


def call_of(home: Path) -> list[str]:
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    args: list[str] = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["args"]
    return args


@pytest.mark.parametrize("name", ["GITMEM_STORE", "GITMEM_HOME"])
def test_a_store_named_by_the_environment_is_named_in_the_wiring(gm: Gm, home: Path, tmp_path: Path, name: str) -> None:
    """Break test 23: the host's processes do not have the shell's environment."""
    place = tmp_path / ("notes" if name == "GITMEM_STORE" else "memory")
    where = {name: str(place if name == "GITMEM_STORE" else tmp_path)}
    made = gm("init", **where)
    assert made.out.endswith(f"next: gitmem install claude-code --store {place}\n")
    assert gm("install", "claude-code", **where).code == 0
    assert call_of(home)[-2:] == ["--store", str(place)]


def test_the_default_store_needs_no_name_in_the_wiring(gm: Gm, home: Path, store: Path) -> None:
    assert gm("init").out.endswith("next: gitmem install claude-code\n")
    gm("install", "claude-code", GITMEM_STORE=str(store))
    assert "--store" not in call_of(home)


def test_a_path_no_settings_can_hold_is_refused(gm: Gm, home: Path, tmp_path: Path) -> None:
    """Break test 20: JSON is UTF-8, and a path need not be."""
    said = gm("install", "claude-code", "--store", os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff"))
    assert said.code == 1
    assert "is not UTF-8" in said.err
    assert not (home / ".claude").exists()


@pytest.mark.parametrize("command", ["install", "uninstall"])
def test_broken_settings_are_mended_and_the_same_command_repeated(gm: Gm, home: Path, command: str) -> None:
    """Break test 21: uninstall told to install."""
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text("{")
    said = gm(command, "claude-code")
    assert said.code == 1
    assert said.err.endswith(f"  hint: mend {path}, then try again\n")
