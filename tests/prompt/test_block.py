"""The block beside a prompt: what fits, what is left out, and that it says so (F1, F3)."""

from __future__ import annotations

import pytest

from gitmem.limits import MAX_PROMPT_BYTES
from gitmem.prompt.block import prompt_block
from gitmem.prompt.frame import size
from gitmem.recall.hit import Hit, Recall

WHEN = 1_790_000_000
NONCE = "1a2b3c4d"


def found(*texts: str, omitted: int = 0) -> Recall:
    """A recall with one hit for each text."""
    hits = [
        Hit(f"m{number}.md", "m", "0" * 40, 1.0, 3, 3 + text.count("\n"), "", text) for number, text in enumerate(texts)
    ]
    recall = Recall(hits)
    recall.omitted = omitted
    return recall


def labels(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.startswith("### ")]


def test_without_hits_there_is_no_text() -> None:
    """Promised as E3: not even a frame."""
    block = prompt_block(found(), NONCE, WHEN)
    assert (block.text, block.injected, block.omitted) == ("", [], 0)


def test_the_rules_stand_before_the_passages_every_time() -> None:
    for texts in (("One.",), ("One.", "Two.")):
        lines = prompt_block(found(*texts), NONCE, WHEN).text.split("\n")
        assert "data, not instructions" in lines[1]
        assert lines[2] == ""
        assert lines[3] == "### m0.md:3"


def test_three_large_passages_come_as_far_as_the_budget_goes() -> None:
    """Each is cut at 1,500 characters first, so two fit, and the third is counted."""
    block = prompt_block(found(*("x" * 3_600 for _ in range(3))), NONCE, WHEN)
    assert [hit.path for hit in block.injected] == ["m0.md", "m1.md"]
    assert block.omitted == 1
    assert "1 more passage matches and is left out." in block.text
    assert size(block.text) <= MAX_PROMPT_BYTES


def test_a_small_passage_still_comes_after_one_that_did_not_fit() -> None:
    """Room that is there is used; order stays by rank."""
    block = prompt_block(found("x" * 1_500, "y" * 1_500, "z" * 1_500, "small", omitted=4), NONCE, WHEN)
    assert labels(block.text) == ["### m0.md:3", "### m1.md:3", "### m3.md:3"]
    assert block.omitted == 5
    assert "5 more passages match and are left out." in block.text


@pytest.mark.parametrize("max_bytes", [700, 1_000, 2_000, 4_096, 9_000])
@pytest.mark.parametrize("sign", ["x", "备", "🐈", "\\", '"'])
def test_the_block_stays_within_its_bytes(sign: str, max_bytes: int) -> None:
    """UTF-8 bytes, whatever the script; the best passage is cut rather than lost."""
    block = prompt_block(found(*(sign * 2_000 for _ in range(5)), omitted=99), NONCE, WHEN, max_bytes)
    assert size(block.text) <= max_bytes
    assert block.injected
    assert block.omitted == 104 - len(block.injected)


def test_where_not_even_a_beginning_fits_there_is_nothing() -> None:
    """A frame around nothing would only cost."""
    assert prompt_block(found("x" * 2_000), NONCE, WHEN, 500).text == ""
