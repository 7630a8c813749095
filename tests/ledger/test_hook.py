"""What the hook tells the ledger: what was really injected, and what of it the model cites (H9)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gitmem
from gitmem.hook.cite import cited
from gitmem.ledger.access import injected, last_used, note
from gitmem.memory.document import blob_id
from gitmem.recall.choose import recall
from gitmem.setup.host import EVENT, hook_command
from gitmem.write.index import refresh

WHEN = 1_796_000_000
QUESTION = "which port has the billing gateway"
BILLING = "---\nname: billing gateway\n---\n\nThe billing gateway listens on port 8443.\n"


@pytest.fixture
def store(tmp_path: Path, git: Callable[..., str]) -> Path:
    root = tmp_path / "store"
    root.mkdir()
    (root / "billing.md").write_text(BILLING)
    (root / "cat.md").write_text("The cat is called Zhima.\n")
    git("init", "-q", "-b", "main", cwd=root)
    git("add", "-A", cwd=root)
    git("commit", "-qm", "mine", cwd=root)
    refresh(str(root))
    return root


def hook(store: Path, word: str, **fields: Any) -> str:
    """What one hook process wrote to stdout; it always ends with 0 and says nothing else."""
    name = {"prompt": "UserPromptSubmit", "turn-end": "Stop", "session-start": "SessionStart"}[word]
    event = json.dumps({"session_id": "s1", "hook_event_name": name, **fields}).encode()
    words = [word if each == EVENT else each for each in hook_command("claude-code", sys.executable, str(store))]
    done = subprocess.run(words, input=event, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def uses(store: Path) -> dict[str, tuple[int, int, int]]:
    return {path: (use.injected, use.read, use.cited) for path, use in last_used(str(store / ".git")).items()}


def test_what_a_prompt_gets_is_noted_and_the_memory_is_not_touched(store: Path) -> None:
    """sage-mem case 149: path and revision, never the question or the text; bytes and mtime stay."""
    before = (store / "billing.md").read_bytes(), (store / "billing.md").stat().st_mtime_ns
    assert "8443" in hook(store, "prompt", prompt=QUESTION)
    assert uses(store) == {"billing.md": (1, 0, 0)}
    assert injected(str(store / ".git"), "s1") == {"billing.md": blob_id(BILLING.encode())}
    assert ((store / "billing.md").read_bytes(), (store / "billing.md").stat().st_mtime_ns) == before
    text = "".join(file.read_text() for file in (store / ".git/gitmem/ledger").iterdir())
    assert "8443" not in text
    assert "port" not in text


def test_small_talk_and_a_sessions_start_note_nothing(store: Path) -> None:
    """sage-mem case 151."""
    hook(store, "prompt", prompt="thanks, go on")
    hook(store, "session-start", source="startup")
    assert uses(store) == {}


def test_what_the_budget_leaves_out_is_not_noted(store: Path, git: Callable[..., str]) -> None:
    """sage-mem case 153."""
    for number in range(5):
        text = f"The billing gateway listens on port 844{number}. " + f"Line {number} of the gateway's ports.\n" * 60
        (store / f"long-{number}.md").write_text(text)
    refresh(str(store))
    said = hook(store, "prompt", prompt=QUESTION)
    assert "left out" in said
    named = {f"long-{number}.md" for number in range(5) if f"### long-{number}.md:" in said}
    named |= {"billing.md"} if "### billing.md:" in said else set()
    assert 0 < len(named) < 5
    assert set(uses(store)) == named


def test_a_ledger_that_cannot_be_written_costs_a_line_in_the_log_and_nothing_else(store: Path) -> None:
    """sage-mem case 152."""
    (store / ".git/gitmem/ledger").write_text("in the way")
    assert "8443" in hook(store, "prompt", prompt=QUESTION)
    log = (store / ".git/gitmem/events.jsonl").read_text()
    assert json.loads(log.splitlines()[-1])["errno"]
    assert hook(store, "turn-end", last_assistant_message="billing.md:5 says so") == ""


def test_a_citation_of_what_the_session_was_given_is_counted(store: Path) -> None:
    hook(store, "prompt", prompt=QUESTION)
    assert (
        hook(store, "turn-end", last_assistant_message="Port 8443 (billing.md:5-5, billing.md:5), not cat.md:1.") == ""
    )
    assert uses(store) == {"billing.md": (1, 0, 1)}
    assert hook(store, "turn-end", last_assistant_message="billing.md:5", session_id="another") == ""
    assert uses(store) == {"billing.md": (1, 0, 1)}


@pytest.mark.parametrize(
    "fields", [{}, {"last_assistant_message": None}, {"last_assistant_message": "x"}, {"session_id": 5}]
)
def test_a_turn_without_a_citation_notes_nothing(store: Path, fields: dict[str, Any]) -> None:
    hook(store, "prompt", prompt=QUESTION)
    assert hook(store, "turn-end", **fields) == ""
    assert uses(store) == {"billing.md": (1, 0, 0)}


def test_no_store_is_no_trouble_at_a_turns_end(tmp_path: Path) -> None:
    assert hook(tmp_path / "nothing", "turn-end", last_assistant_message="billing.md:5") == ""
    assert not (tmp_path / "nothing").exists()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("see a.md:3", ["a.md"]),
        ("a.md:3-9.", ["a.md"]),
        ("(a.md:12-20)", ["a.md"]),
        ("参见a.md:3", ["a.md"]),
        ("### a.md:3", ["a.md"]),
        ("a.md:x, a.md: 3, a.md", []),
        ("xa.md:3 -a.md:3 .a.md:3", []),
        ("n/a.md:3", ["n/a.md"]),
        ("other/a.md:3", []),
        ("笔记a.md:3", ["笔记a.md"]),
        ('"odd (1).md":4', ["odd (1).md"]),
        ("n/a.md:3 and a.md:1", ["a.md", "n/a.md"]),
        ("", []),
    ],
)
def test_a_citation_is_a_path_and_a_line(text: str, found: list[str]) -> None:
    """F3's label is the form of a citation."""
    assert cited(text, ["a.md", "n/a.md", "笔记a.md", "odd (1).md"]) == found


def test_ranking_never_looks_at_the_ledger(store: Path) -> None:
    """H9: what is recalled often must not be recalled ever more."""
    (store / "twin-a.md").write_text("The lighthouse keeper is called Maren.\n")
    (store / "twin-b.md").write_text("The lighthouse keeper was called Ole.\n")
    refresh(str(store))
    asked = "who is the lighthouse keeper"
    before = [(hit.path, hit.score, hit.parts) for hit in recall(str(store), asked, WHEN).hits]
    for _ in range(50):
        note(str(store / ".git"), "cited", "s", [("twin-b.md", "a" * 40)], WHEN)
    assert [(hit.path, hit.score, hit.parts) for hit in recall(str(store), asked, WHEN).hits] == before
    room = Path(gitmem.__file__).parent
    for file in [*(room / "recall").glob("*.py"), *(room / "index").glob("*.py")]:
        assert "ledger" not in file.read_text(encoding="utf-8"), file.name


def test_show_with_a_session_has_read_the_revision(store: Path) -> None:
    """B4; a person who looks leaves no trace."""
    from gitmem.ledger.access import has_read

    root = str(Path(gitmem.__file__).parents[1])

    def show(*words: str) -> None:
        environ = {**os.environ, "PYTHONPATH": root}
        command = [sys.executable, "-m", "gitmem", "show", "billing", "--store", str(store), *words]
        subprocess.run(command, check=True, capture_output=True, env=environ)

    show()
    assert uses(store) == {}
    show("--session", "s9")
    show("--agent", "sonnet")
    show("--agent", "sonnet", "--session", "s10")
    revision = blob_id(BILLING.encode())
    assert [has_read(str(store / ".git"), who, "billing.md", revision) for who in ("s9", "sonnet", "s10", "s1")] == [
        True, True, True, False,
    ]  # fmt: skip
    assert uses(store) == {"billing.md": (0, 3, 0)}
