"""What Claude Code gets from the hook: exact keys, the block, the prefix."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Hook = Callable[..., Any]
Event = Callable[..., bytes]
QUESTION = "which port does the billing gateway listen on?"


def test_a_prompt_gets_one_json_object_with_these_keys_and_nothing_else(hook: Hook, event: Event, store: Path) -> None:
    """Promised as J2: another key and a host drops the whole answer."""
    said = hook(event(QUESTION), store=store)
    assert (said.code, said.err) == (0, b"")
    answer = json.loads(said.out)
    assert list(answer) == ["hookSpecificOutput"]
    assert list(answer["hookSpecificOutput"]) == ["hookEventName", "additionalContext"]
    assert answer["hookSpecificOutput"]["hookEventName"] == "UserPromptSubmit"
    assert said.out == said.out.strip()
    assert said.out.isascii()


def test_the_block_has_label_age_description_and_the_lines(hook: Hook, event: Event, store: Path) -> None:
    """Promised as F3: `### file.md:7-8`, age from `updated`, the description before the passage."""
    lines = hook(event(QUESTION), store=store).text.split("\n")
    assert lines[0].startswith("[gitmem ")
    nonce = lines[0][8:16]
    assert int(nonce, 16) >= 0
    assert lines[-1] == f"[/gitmem {nonce}]"
    assert "not instructions" in lines[1]
    label = next(number for number, line in enumerate(lines) if line.startswith("### "))
    assert lines[label].startswith("### billing.md:7-8 (saved ")
    assert lines[label].endswith(" days ago)")
    assert lines[label + 1] == "description: ports of the billing gateway"
    assert lines[label + 2] == "The billing gateway listens on port 8443."


def test_what_a_model_wrote_is_marked_unverified(hook: Hook, event: Event, store: Path) -> None:
    """Promised in docs/recall.md: candidates are recalled with that label; no age where nobody knows one."""
    text = hook(event("what is my cat called? Zhima?"), store=store).text
    assert "### notes/cat.md:7 (" in text
    assert "unverified)" in text


def test_a_chinese_question_gets_its_passage(hook: Hook, event: Event, store: Path) -> None:
    """Promised as E2: Chinese is a first language here; the answer survives any console encoding."""
    text = hook(event("部署之前数据库要先做什么？"), store=store, env={"LC_ALL": "C"}).text
    assert "### notes/部署.md:5" in text
    assert "部署之前必须先备份数据库" in text


@pytest.mark.parametrize("prompt", ["thanks", "continue", "继续", "fix the tests", "can you do that again", " ", ""])
def test_nothing_relevant_is_nothing_at_all(hook: Hook, event: Event, store: Path, prompt: str) -> None:
    """Promised as E3."""
    assert hook(event(prompt), store=store).silent


def test_our_own_block_fed_back_is_no_question(hook: Hook, event: Event, store: Path) -> None:
    """One host asks again with the text we gave it."""
    block = hook(event(QUESTION), store=store).text
    assert block
    assert hook(event(block), store=store).silent
    assert hook(event(f"<hook_context>{block}</hook_context>"), store=store).silent
    assert "billing.md" in hook(event(f"{block}\n{QUESTION}"), store=store).text


@pytest.mark.parametrize("source", ["startup", "clear", "compact"])
def test_a_session_gets_its_prefix(hook: Hook, event: Event, store: Path, source: str) -> None:
    """Promised as F1: discipline, index and file list, baseline, in this order."""
    said = hook(event(source=source), "session-start", store=store)
    answer = json.loads(said.out)["hookSpecificOutput"]
    assert list(answer) == ["hookEventName", "additionalContext"]
    assert answer["hookEventName"] == "SessionStart"
    text = said.text
    places = [text.index(word) for word in ("not instructions", "## MEMORY.md", "- [billing gateway]", "## Files")]
    places.append(text.index("### user_style.md:6\nAnswer in short sentences."))
    assert places == sorted(places)
    assert "- notes/部署.md" in text
    assert "- billing.md" not in text, "MEMORY.md names it already"


@pytest.mark.parametrize("source", ["resume", "fork"])
def test_a_session_that_goes_on_has_its_prefix_already(hook: Hook, event: Event, store: Path, source: str) -> None:
    """Tried on the host: what was injected stays in the history, and a fork begins with its parent's."""
    assert hook(event(source=source), "session-start", store=store).silent


def test_a_background_tasks_end_is_no_question(hook: Hook, event: Event, store: Path) -> None:
    """The host tells the model of it through the same event, in words of its own."""
    notice = (
        f"<task-notification>\n<summary>{QUESTION}</summary>\n<note>it listens on a port</note>\n</task-notification>"
    )
    assert hook(event(notice), store=store).silent


def test_the_prefix_is_byte_identical_within_a_session(hook: Hook, event: Event, store: Path) -> None:
    """Promised as F2; another session has another nonce."""
    first = hook(event(source="startup"), "session-start", store=store)
    again = hook(event(source="compact"), "session-start", store=store)
    other = hook(event(source="startup", session_id="another"), "session-start", store=store)
    assert first.out == again.out
    assert first.text[:16] != other.text[:16]
    assert first.text[16:-10] == other.text[16:-10]


def test_a_hand_edit_is_answered_at_the_next_prompt(hook: Hook, event: Event, store: Path) -> None:
    """Promised as E7, fresh without a daemon: nothing has to be run in between."""
    (store / "billing.md").write_text("# Billing gateway\n\nThe billing gateway listens on port 9555.\n")
    (store / "heron.md").write_text("The heron cluster wakes at dawn to reindex the parquet lake.\n")
    assert "9555" in hook(event(QUESTION), store=store).text
    assert "### heron.md:1" in hook(event("when does the heron cluster reindex the parquet lake?"), store=store).text
    (store / "heron.md").unlink()
    assert "heron.md" not in hook(event("when does the heron cluster reindex the parquet lake?"), store=store).text


def test_the_store_is_found_by_the_environment(hook: Hook, event: Event, store: Path) -> None:
    """Promised in docs/store.md: $GITMEM_STORE, else $GITMEM_HOME/memory, else ~/.gitmem/memory."""
    assert "billing.md" in hook(event(QUESTION), env={"GITMEM_STORE": str(store)}).text
    home = store.parent / "home" / ".gitmem"
    home.mkdir(parents=True)
    store.rename(home / "memory")
    assert "billing.md" in hook(event(QUESTION), env={"GITMEM_HOME": str(home)}).text
    assert "billing.md" in hook(event(QUESTION), env={"HOME": str(home.parent)}).text


@pytest.mark.parametrize("is_linked", [False, True])
def test_the_hosts_own_list_of_memories_is_not_said_twice(
    hook: Hook, event: Event, tmp_path: Path, make_store: Callable[..., Path], is_linked: bool
) -> None:
    """Its own memory folder may be the store; the host puts MEMORY.md there before the model by itself."""
    store = make_store(tmp_path / "project" / "memory")
    place = tmp_path / "project"
    if is_linked:
        place = tmp_path / "linked"
        place.symlink_to(tmp_path / "project")
    told = {"source": "startup", "transcript_path": str(place / "s.jsonl")}
    text = hook(event(**told), "session-start", store=store).text
    assert "## MEMORY.md" not in text
    assert "- billing.md" not in text, "the host's list names it"
    assert "- notes/部署.md" in text
    other = hook(event(source="startup", transcript_path="/elsewhere/s.jsonl"), "session-start", store=store).text
    assert "## MEMORY.md" in other
