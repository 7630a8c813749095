"""Whatever goes wrong, the prompt goes on: exit 0, an empty stdout, nothing on stderr (J2)."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gitmem
from gitmem.limits import MAX_EVENT_BYTES, MAX_EVENTS_BYTES
from tests.hook.conftest import COMMAND

Hook = Callable[..., Any]
Event = Callable[..., bytes]
HOME = Path(gitmem.__file__).resolve().parent.parent
QUESTION = "which port does the billing gateway listen on?"
ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
UNPRIVILEGED = ("setpriv", "--bounding-set=-all", "--inh-caps=-all") if ROOT else ()
posix = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell closes the descriptors")


@pytest.mark.parametrize("word", ["prompt", "session-start"])
@pytest.mark.parametrize(
    "stdin",
    [
        b"", b" \n", b"{", b"null", b"[]", b'"text"', b"\xff\xfe{", b'{"prompt": "port"} trailing', b"{'prompt': 1}",
        b'{"hook_event_name": "PreToolUse", "prompt": "billing gateway port"}', b'{"prompt": ' + b"[" * 100_000,
        b'{"prompt": ' + b"9" * 5_000 + b"}", b'{"prompt": 1e999}', b'{"prompt": "billing',
    ],
)  # fmt: skip
def test_an_event_that_cannot_be_read_is_not_answered(hook: Hook, store: Path, stdin: bytes, word: str) -> None:
    """Promised as J2."""
    said = hook(stdin, word, store=store)
    if word == "session-start" and stdin.startswith(b'{"prompt": 1e999'):
        return  # a session's start asks for nothing in the event
    assert said.silent


def test_an_oversize_event_is_read_to_its_end_and_not_answered(hook: Hook, event: Event, store: Path) -> None:
    """A host must not see a broken pipe."""
    assert hook(event(QUESTION + " " * MAX_EVENT_BYTES), store=store).silent


@pytest.mark.parametrize(
    "prompt",
    [
        QUESTION + " \ud800 lone", "\udfff" + QUESTION, QUESTION + "\0\0", "\0" + QUESTION, QUESTION + " x" * 400_000,
        '"billing gateway" AND port: (listen* NEAR/3 -"8443', "\ufeff" + QUESTION,
    ],
)  # fmt: skip
def test_an_odd_prompt_is_still_a_question(hook: Hook, event: Event, store: Path, prompt: str) -> None:
    """Half a surrogate, NUL, a pasted log, query syntax."""
    said = hook(event(prompt), store=store)
    assert (said.code, said.err) == (0, b"")
    assert "billing.md" in said.text


@pytest.mark.parametrize(
    "words",
    [
        "--host claude-code prompt --store {}", "--store {} --host claude-code prompt", "--host=claude-code prompt "
        "--store={}", "prompt --store {} --host claude-code", "--store {} prompt --host=claude-code",
    ],
)  # fmt: skip
def test_the_words_of_a_call_may_stand_in_any_order(hook: Hook, event: Event, store: Path, words: str) -> None:
    """As its own usage line has them: gitmem hook [OPTIONS] EVENT."""
    assert "8443" in hook(event(QUESTION), words=words.format(store).split()).text


@pytest.mark.parametrize("words", ["", "prompt", "prompt --host", "prompt --host elsewhere", "x --host claude-code"])
def test_a_wrong_call_is_silent(hook: Hook, event: Event, store: Path, words: str) -> None:
    """Promised as J2: any other code shows an error at each prompt."""
    assert hook(event(QUESTION), words=words.split(), store=store).silent


@pytest.mark.parametrize("word", ["prompt", "session-start"])
@pytest.mark.parametrize("kind", ["missing", "file", "no repository", "empty repository", "dead link", "odd name"])
def test_a_place_that_is_no_store_is_silent(
    hook: Hook, event: Event, tmp_path: Path, git: Callable[..., str], kind: str, word: str
) -> None:
    """Promised as J2."""
    place = tmp_path / ("odd\nname" if kind == "odd name" else "place")
    if kind == "file":
        place.write_text("text")
    elif kind in ("no repository", "empty repository"):
        place.mkdir()
        if kind == "empty repository":
            git("init", "-q", cwd=place)
    elif kind == "dead link":
        place.symlink_to(tmp_path / "nowhere")
    assert hook(
        event(QUESTION, hook_event_name={"prompt": "UserPromptSubmit"}.get(word, "SessionStart")), word, store=place
    ).silent


@pytest.mark.parametrize("data", [b"", b"garbage" * 1000, b"SQLite format 3\0" + bytes(4096), b"SQLite format 3\0"])
def test_a_broken_index_is_silent(hook: Hook, event: Event, store: Path, data: bytes) -> None:
    """Promised as J2; the index is derived, the refresh that was started makes it anew."""
    index = store / ".git" / "gitmem" / "index.sqlite"
    for leftover in index.parent.glob("index.sqlite-*"):
        leftover.unlink()
    index.write_bytes(data)
    said = hook(event(QUESTION), store=store)
    assert (said.code, said.err) == (0, b"")
    assert said.silent or "billing.md" in said.text


def test_a_locked_index_does_not_hold_the_prompt(hook: Hook, event: Event, store: Path) -> None:
    """Promised as J2: a writer in the middle of its work."""
    other = sqlite3.connect(store / ".git" / "gitmem" / "index.sqlite", isolation_level=None)
    other.execute("begin exclusive")
    said = hook(event(QUESTION), store=store)
    assert (said.code, said.err) == (0, b"")
    assert said.silent or "billing.md" in said.text
    other.close()


@pytest.mark.skipif(ROOT and shutil.which("setpriv") is None, reason="root may write everywhere")
@posix
def test_a_read_only_store_is_answered_and_not_written(hook: Hook, event: Event, store: Path) -> None:
    """Neither lock, cache, log nor nonce can be written there."""
    paths = [store, *store.rglob("*")]
    before = sorted(str(path) for path in paths)
    for path in paths:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        first = hook(event(QUESTION), store=store, before=UNPRIVILEGED)
        again = hook(event(QUESTION), store=store, before=UNPRIVILEGED)
        bad = hook(b"{", store=store, before=UNPRIVILEGED)
        begun = hook(event(source="startup"), "session-start", store=store, before=UNPRIVILEGED)
    finally:
        for path in paths:
            path.chmod(path.stat().st_mode | 0o700)
    assert "billing.md" in first.text
    assert first.out == again.out, "the nonce is the same without a stored secret"
    assert bad.silent
    assert "MEMORY.md" in begun.text
    assert sorted(str(path) for path in [store, *store.rglob("*")]) == before


@posix
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_descriptors_are_no_error(hook: Hook, event: Event, store: Path, closed: str) -> None:
    """Promised as J2; with stderr closed the answer still comes."""
    said = hook(event(QUESTION), store=store, before=("sh", "-c", f'exec "$@" {closed}', "sh"))
    assert (said.code, said.err) == (0, b"")
    assert bool(said.out) == (closed == "2>&-")


def test_no_home_is_no_error(hook: Hook, event: Event) -> None:
    """Promised as J2: a scrubbed environment."""
    assert hook(event(QUESTION), env={}).silent


@posix
def test_a_stdin_that_is_never_closed_does_not_hold_the_prompt(store: Path) -> None:
    """Promised as J2: one host's own timeout does not free the turn."""
    command = [*COMMAND, "prompt", "--host", "claude-code", "--store", str(store)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.read() == b""
        assert process.wait() == 0
    assert json.loads((store / ".git/gitmem/events.jsonl").read_text())["error"] == "TimeoutError"


@pytest.mark.parametrize(
    "damage",
    [
        lambda package: (package / "hook" / "run.py").write_text("def main(:\n"),
        lambda package: (package / "hook" / "start.py").write_text("def start(:\n"),
        lambda package: (package / "hook" / "start.py").unlink(),
        lambda package: (package / "__init__.py").write_text("import nothing_of_this_name\n"),
        lambda package: package.rename(package.with_name("elsewhere")),
        lambda package: package.parent.rename(package.parent.with_name("moved")),
    ],
    ids=["half an upgrade", "broken launcher", "no launcher", "broken package", "uninstalled", "moved"],
)
def test_a_broken_or_missing_installation_is_silent(
    tmp_path: Path, event: Event, damage: Callable[[Path], object]
) -> None:
    """Promised as J2: what is left of gitmem in a host's settings must not stand before each prompt.

    A host takes the 2 with which Python ends for a missing script as "do not let this prompt through".
    """
    package = tmp_path / "site" / "gitmem"
    shutil.copytree(Path(gitmem.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    command = [str(package.parent) if word == str(HOME) else word for word in COMMAND]
    damage(package)
    done = subprocess.run([*command, "prompt", "--host", "claude-code"], input=event(QUESTION), capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_settings_that_an_earlier_version_wrote_still_work(hook: Hook, event: Event, store: Path) -> None:
    """They call a script instead of a module; an upgrade does not rewrite them."""
    script = Path(gitmem.__file__).parent / "hook" / "start.py"
    command = [sys.executable, "-I", "-S", str(script), "prompt", "--host", "claude-code", "--store", str(store)]
    done = subprocess.run(command, input=event(QUESTION), capture_output=True, check=True)
    assert done.stdout == hook(event(QUESTION), store=store).out != b""


def test_a_failure_is_noted_without_the_question(hook: Hook, store: Path) -> None:
    """A line in events.jsonl, and nothing a person wrote in it."""
    hook(b'{"prompt": "my secret plan', store=store)
    line = json.loads((store / ".git" / "gitmem" / "events.jsonl").read_text())
    assert (line["door"], line["event"], line["host"], line["error"]) == ("hook", "prompt", "claude-code", "ValueError")
    assert "secret" not in json.dumps(line)


def test_the_note_file_stays_small(hook: Hook, store: Path) -> None:
    """It starts anew, one earlier file is kept."""
    events = store / ".git" / "gitmem" / "events.jsonl"
    events.write_bytes(b'{"old": 1}\n' * (MAX_EVENTS_BYTES // 11 + 1))
    hook(b"{", store=store)
    hook(b"{", store=store)
    assert events.read_bytes().count(b"\n") == 1
    assert events.with_name("events.jsonl.1").stat().st_size > MAX_EVENTS_BYTES


def test_without_an_index_the_session_starts_with_the_files_and_a_refresh_makes_one(
    hook: Hook, event: Event, tmp_path: Path, make_store: Callable[..., Path]
) -> None:
    """Promised in docs/recall.md: the hook starts the work beside itself and does not wait for it."""
    store = make_store(tmp_path / "bare", indexed=False)
    begun = hook(event(source="startup"), "session-start", store=store)
    assert "## MEMORY.md" in begun.text
    assert "- notes/cat.md" in begun.text
    for _ in range(200):  # each a whole process: the refresh gets its time
        if "billing.md" in hook(event(QUESTION), store=store).text:
            break
    else:
        pytest.fail("the index was never built")
