"""Wiring Claude Code: the person's bytes stay, the entry is exact, uninstall gives everything back."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from gitmem.errors import Refused
from gitmem.setup.claude_code import install, settings_path, uninstall
from gitmem.setup.host import START, hook_command
from gitmem.setup.json_splice import BadJson, append, parse, remove

COMMAND = ["/opt/py/bin/python3", "-I", "-S", "-c", START, "/opt", "EVENT", "--host", "claude-code"]

STYLES = {
    "none": None,
    "empty": b"",
    "empty object": b"{}",
    "blank object": b"{ }\n",
    "two spaces": b'{\n  "model": "opus",\n  "env": {\n    "A": "1"\n  }\n}\n',
    "four spaces, no last newline": b'{\n    "model": "opus"\n}',
    "tabs": b'{\n\t"model": "opus"\n}\n',
    "minified": b'{"model":"opus","hooks":{}}',
    "crlf": b'{\r\n  "model": "opus"\r\n}\r\n',
    "bom": b'\xef\xbb\xbf{\n  "model": "opus"\n}\n',
    "chinese": '{\n  "语言": "中文 \\u00e9"\n}\n'.encode(),
    "odd blanks": b'{ "a" :\t1 ,\n\n\n "b":[ 1,2 ,3 ] }\n\n',
    "hooks empty": b'{\n  "hooks": {}\n}\n',
    "other hooks": b"""{
  "hooks": {
    "UserPromptSubmit": [
      {"hooks": [{"type": "command", "command": "echo 'hi'"}]}
    ],
    "SessionStart": [],
    "Stop": [{"hooks": [{"type": "command", "command": "beep"}]}]
  },
  "zoom": 1.10
}
""",
}


@pytest.fixture
def at(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / ".claude" / "settings.json", tmp_path / ".gitmem" / "install"


def put(path: Path, data: bytes | None) -> None:
    if data is not None:
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)


def load(path: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8-sig"))
    return value


def test_the_entry_is_exact_and_the_timeout_counts_seconds(at: tuple[Path, Path]) -> None:
    """Exec form, no shell."""
    report = install(*at, COMMAND)
    rest = ["-I", "-S", "-c", START, "/opt"]

    def handler(word: str) -> dict[str, Any]:
        args = [*rest, word, "--host", "claude-code"]
        return {"type": "command", "command": "/opt/py/bin/python3", "args": args, "timeout": 10}

    assert load(at[0]) == {
        "hooks": {
            "UserPromptSubmit": [{"hooks": [handler("prompt")]}],
            "SessionStart": [{"matcher": "startup|clear|compact", "hooks": [handler("session-start")]}],
            "Stop": [{"hooks": [handler("turn-end")]}],
        }
    }
    assert report.changed
    assert any("gitmem uninstall claude-code" in note for note in report.notes)


@pytest.mark.parametrize("data", STYLES.values(), ids=STYLES)
def test_uninstall_gives_the_bytes_back(at: tuple[Path, Path], data: bytes | None) -> None:
    """Promised as J1: uninstall leaves the bytes as they were."""
    put(at[0], data)
    install(*at, COMMAND)
    assert len(load(at[0])["hooks"]["UserPromptSubmit"][-1]["hooks"]) == 1
    assert uninstall(*at).changed
    assert (at[0].read_bytes() if at[0].exists() else None) == data
    assert at[0].parent.exists() == (data is not None)
    assert not at[1].exists()


@pytest.mark.parametrize("data", STYLES.values(), ids=STYLES)
def test_what_the_person_wrote_stays_in_the_installed_file(at: tuple[Path, Path], data: bytes | None) -> None:
    """Promised as J1: existing settings keep their bytes except the splice."""
    put(at[0], data)
    install(*at, COMMAND)
    made = at[0].read_bytes()
    left = iter(made)
    kept = (data or b"").replace(b" ", b"").replace(b"\n", b"").replace(b"\r", b"")
    assert all(byte in left for byte in kept)  # in order, nothing of it missing
    if data and b"\r\n" in data:
        assert made.count(b"\n") == made.count(b"\r\n")
    if data and b"\n\t" in data:
        assert b'\n\t"hooks": {\n\t\t"UserPromptSubmit"' in made
    if data and b"zoom" in data:
        assert b'"zoom": 1.10\n}' in made
        assert b"""{"hooks": [{"type": "command", "command": "echo 'hi'"}]}""" in made


@pytest.mark.parametrize("data", STYLES.values(), ids=STYLES)
def test_a_second_install_changes_nothing(at: tuple[Path, Path], data: bytes | None) -> None:
    """Promised as J1."""
    put(at[0], data)
    install(*at, COMMAND)
    made, seen = at[0].read_bytes(), at[0].stat().st_mtime_ns
    assert not install(*at, COMMAND).changed
    assert (at[0].read_bytes(), at[0].stat().st_mtime_ns) == (made, seen)


def test_another_installation_of_gitmem_takes_the_place_of_the_first(at: tuple[Path, Path]) -> None:
    """A moved virtual environment must not leave two hooks behind; uninstall still gives the first bytes back."""
    put(at[0], STYLES["other hooks"])
    install(*at, COMMAND)
    install(*at, [r"C:\py\python.exe", "-I", "-S", r"C:\py\gitmem\hook\start.py", "EVENT", "--host", "claude-code"])
    groups = load(at[0])["hooks"]["UserPromptSubmit"]
    assert [group["hooks"][0]["command"] for group in groups] == ["echo 'hi'", r"C:\py\python.exe"]
    uninstall(*at)
    assert at[0].read_bytes() == STYLES["other hooks"]


def test_after_the_person_edited_the_file_only_our_entries_go(at: tuple[Path, Path]) -> None:
    """Promised as J1: what the person changed since is not taken back."""
    put(at[0], STYLES["other hooks"])
    install(*at, COMMAND)
    at[0].write_text(at[0].read_text().replace('"zoom": 1.10', '"zoom": 2.50, "new": true').replace("beep", "honk"))
    uninstall(*at)
    before = STYLES["other hooks"]
    assert before is not None
    wanted = before.decode().replace('"zoom": 1.10', '"zoom": 2.50, "new": true').replace("beep", "honk")
    assert load(at[0]) == json.loads(wanted)
    assert '\n  "zoom": 2.50, "new": true\n}' in at[0].read_text()


def test_without_the_kept_original_our_entries_still_go(at: tuple[Path, Path]) -> None:
    """The state folder may be lost; the settings must not keep a dead hook then."""
    put(at[0], STYLES["two spaces"])
    install(*at, COMMAND)
    for kept in at[1].iterdir():
        kept.unlink()
    assert uninstall(*at).changed
    assert at[0].read_bytes() == STYLES["two spaces"]


def test_uninstall_without_install_changes_nothing(at: tuple[Path, Path]) -> None:
    """Promised as J1."""
    assert not uninstall(*at).changed
    put(at[0], STYLES["other hooks"])
    assert not uninstall(*at).changed
    assert at[0].read_bytes() == STYLES["other hooks"]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b'{\n  // a comment\n  "model": "opus"\n}\n', ":2:3:"),
        (b'{\n  "model": "opus",\n}\n', ":3:1:"),
        (b'{"a": NaN}', ":1:1:"),
        (b"[]", ":1:1:"),
        (b'{\n  "hooks": []\n}', ":2:12:"),
        (b'{\n  "hooks": {"SessionStart": {}}\n}', ":2:29:"),
        (b'{"a": 1', ":1:8:"),
        (b"\xff\xfe{\x00}\x00", "not UTF-8"),
        (b"[" * 100_000, ":1:1:"),
    ],
)
@pytest.mark.parametrize("command", [[COMMAND], []], ids=["install", "uninstall"])
def test_what_cannot_be_edited_is_refused_with_its_place(
    at: tuple[Path, Path], command: list[list[str]], data: bytes, place: str
) -> None:
    """Promised as J1: comments and invalid JSON are refused, nothing is changed."""
    put(at[0], data)
    with pytest.raises(Refused) as refused:
        (install if command else uninstall)(*at, *command)
    assert place in refused.value.message
    assert str(at[0]) in refused.value.message
    assert at[0].read_bytes() == data
    assert not at[1].exists()


@pytest.mark.skipif(sys.platform == "win32", reason="symbolic links need a right on Windows")
def test_a_link_stays_a_link_and_its_target_is_written(at: tuple[Path, Path], tmp_path: Path) -> None:
    """Dotfile repositories link the settings into place."""
    target = tmp_path / "dotfiles" / "claude.json"
    target.parent.mkdir()
    target.write_bytes(b"{}")
    target.chmod(0o640)
    at[0].parent.mkdir()
    at[0].symlink_to(target)
    install(*at, COMMAND)
    assert at[0].is_symlink()
    assert b"UserPromptSubmit" in target.read_bytes()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    uninstall(*at)
    assert at[0].is_symlink()
    assert target.read_bytes() == b"{}"


@pytest.mark.skipif(sys.platform == "win32", reason="no modes on Windows")
def test_what_is_kept_of_the_settings_is_private(at: tuple[Path, Path]) -> None:
    """Settings may hold keys."""
    put(at[0], b'{"env": {"TOKEN": "x"}}')
    install(*at, COMMAND)
    assert [stat.S_IMODE(kept.stat().st_mode) for kept in at[1].iterdir()] == [0o600]


def test_a_switch_that_turns_hooks_off_is_said(at: tuple[Path, Path]) -> None:
    """Otherwise the person waits for a hook that never runs."""
    put(at[0], b'{"disableAllHooks": true}')
    assert any("disableAllHooks" in note for note in install(*at, COMMAND).notes)


def test_the_settings_are_found_where_claude_code_reads_them(tmp_path: Path) -> None:
    assert settings_path({"HOME": str(tmp_path)}) == tmp_path / ".claude" / "settings.json"
    assert settings_path({"HOME": "/x", "CLAUDE_CONFIG_DIR": str(tmp_path)}) == tmp_path / "settings.json"


def test_without_home_the_systems_list_of_users_tells_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Break test, wordings: the same rule as for the store."""
    assert settings_path({}) == home / ".claude" / "settings.json"
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    with pytest.raises(Refused, match="no home folder is known"):
        settings_path({})


def test_the_command_has_whole_paths_and_pays_for_no_site(tmp_path: Path) -> None:
    """A store's path is data, blanks and quotes in it are nobody's syntax."""
    store = tmp_path / 'my "store"'
    words = hook_command("claude-code", sys.executable, str(store))
    assert words[1:3] == ["-I", "-S"]
    assert os.path.isabs(words[0])
    assert Path(words[5], "gitmem", "hook", "start.py").is_file()
    assert words[-2:] == ["--store", str(store)]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.text(max_size=3), VALUES, max_size=4),
    st.sampled_from([None, 1, 2, "\t"]),
    VALUES,
    st.sampled_from(["\n", "\r\n"]),
)
@hypothesis_settings(max_examples=60, deadline=None)
def test_a_member_that_came_can_go(had: dict[str, Any], indent: int | str | None, value: Any, newline: str) -> None:
    """A splice and its opposite leave the bytes of any settings."""
    text = json.dumps(had, indent=indent, ensure_ascii=False).replace("\n", newline)
    more = append(text, parse(text), "new key", value)
    assert json.loads(more) == {**had, "new key": value}
    root = parse(more)
    assert remove(more, root, root.children["new key"]) == text


@pytest.mark.parametrize(
    "text", ['{\n  "a": 1, // hi\n  "b": 2\n}', '{\n "a": 1 /* hi */\n}', '{\n// hi\n "a": 1}', "// hi\n{}"]
)
def test_a_comment_is_called_a_comment(text: str) -> None:
    """What other programs take, and JSON does not have, is named as what it is."""
    with pytest.raises(BadJson) as bad:
        parse(text)
    assert "a comment stands here" in bad.value.message
    assert text.splitlines()[bad.value.line - 1].lstrip()[:30].find("/") >= 0
