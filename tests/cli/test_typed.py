"""Words as people type them: texts that look like options, bytes that are not UTF-8."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Gm = Callable[..., Any]
Git = Callable[..., str]
KEY = "MIIEpAIBAAKCAQEA7bq"


@pytest.mark.parametrize(
    "text", ["- buy milk", "- [ ] buy milk\n- [x] pay", "-5 degrees today", "---\nname: x\n---\nhello", "--- a rule"]
)
@pytest.mark.parametrize("before", [["remember"], ["--json", "remember"]], ids=["quick", "click"])
def test_a_text_that_begins_with_a_dash_is_a_text(gm: Gm, store: Path, before: list[str], text: str) -> None:
    """Promised by the help of remember: TEXT, also one that begins with frontmatter."""
    said = gm(*before, text, "--reason", "- because")
    assert said.code == 0, said
    written = [path.read_text() for path in store.glob("*.md") if path.name != "MEMORY.md"]
    assert len(written) == 1
    assert written[0].rstrip("\n").endswith(text.rpartition("---\n")[2])


@pytest.mark.parametrize("command", ["search", "recall", "why"])
def test_a_question_that_begins_with_a_dash_is_a_question(gm: Gm, command: str) -> None:
    gm("remember", "- buy milk on Tuesday")
    said = gm(command, "- buy milk", "--json")
    assert said.code == 0
    assert "buy-milk" in said.out


@pytest.mark.parametrize("before", [["remember"], ["--json", "remember"]], ids=["quick", "click"])
def test_a_private_key_as_text_is_refused_and_not_repeated(gm: Gm, before: list[str]) -> None:
    said = gm(*before, f"-----BEGIN RSA PRIVATE KEY-----\n{KEY}\n-----END RSA PRIVATE KEY-----")
    assert said.code == 1
    assert "private key" in said.err + said.out
    assert KEY not in said.err + said.out


@pytest.mark.parametrize(
    "words",
    [["remember", "--token" + KEY * 9], ["remember", "-" + KEY * 9], [KEY * 9], ["list", "-" + KEY * 9],
     ["edit", "a", "--set", KEY * 9], ["show", KEY * 20], ["history", KEY * 20]],
    ids=lambda words: words[0][:8],
)  # fmt: skip
def test_what_was_typed_is_repeated_on_one_short_line_at_most(gm: Gm, words: list[str]) -> None:
    """Nobody's screen and log fill with what was pasted by mistake."""
    gm("init")
    said = gm(*words)
    assert said.code in (1, 2)
    assert KEY * 8 not in said.err
    assert max(map(len, said.err.splitlines())) < 240


@pytest.mark.skipif(os.name == "nt", reason="words are text there, not bytes")
@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["remember", "ok", "--name", "n\udce9"], "--name"), (["remember", "ok", "--description", "\udce9"], "--descr"),
        (["remember", "ok", "--tags", "a,\udce9"], "--tags"),
        (["--json", "remember", "ok", "--path", "\udce9"], "--path"),
        (["edit", "ok", "--set", "tags=\udce9"], "--set"), (["search", "caf\udce9"], "QUERY"),
        (["show", "\udce9"], "NAME"),
    ],
)  # fmt: skip
def test_bytes_that_are_not_utf8_are_one_sentence(gm: Gm, store: Path, words: list[str], what: str) -> None:
    """Exit code 1 is "refused", 3 is our bug; and a refusal makes no store."""
    said = gm(*words)
    assert said.code == 1, said
    assert what in said.err + said.out
    assert "not UTF-8" in said.err + said.out
    assert not store.exists()


@pytest.mark.skipif(os.name == "nt", reason="words are text there, not bytes")
def test_a_text_of_another_encoding_is_kept(gm: Gm, store: Path) -> None:
    """A10: a file in Latin-1 is a memory; so is a text."""
    assert gm("remember", "the caf\udce9 opens at nine", "--name", "cafe").code == 0
    assert "café opens" in gm("show", "cafe").out


@pytest.mark.skipif(os.name == "nt", reason="Python takes UTF-8 there")
def test_a_chinese_text_in_a_locale_without_utf8(gm: Gm, git: Git, store: Path) -> None:
    """A store's names are UTF-8 whatever the locale says."""
    old = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    assert gm("remember", "周二发布", **old).code == 0
    assert gm("remember", "日本語", "--name", "東京", "--tags", "都市", **old).code == 0
    assert sorted(path.name for path in store.glob("*.md")) == ["MEMORY.md", "周二发布.md", "東京.md"]
    assert "周二发布" in gm("search", "周二发布", **old).out
    assert git("status", "--porcelain", cwd=store) == ""
