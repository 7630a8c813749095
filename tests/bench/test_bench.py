"""The measures behind ``gitmem bench`` (E3: the false-injection rate is measured and printed)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gitmem.bench import noise, recall
from gitmem.bench.sets import read_set
from gitmem.errors import Usage

SET = {
    "corpus": {
        "a": {"title": "zebra", "tags": "animals", "text": "The zebra sleeps in the northern stable."},
        "b": {"title": "quokka", "text": "The quokka sleeps under the ramp by the pond."},
        "c": {"title": "", "text": "Deploys to production happen on Tuesdays."},
    },
    "queries": {
        "1": "in which stable does the zebra sleep",
        "2": "the quokka under its ramp",
        "3": "who feeds the llama",
    },
    "qrels": {"1": {"a": 1}, "2": {"b": 1}, "3": {"c": 1}},
    "meta": {"unrelated": {"cmd": ["continue", "fix the tests"], "other": ["the zebra in the northern stable"]}},
}


def saved(tmp_path: Path, data: object) -> str:
    path = tmp_path / "own.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_recall_is_counted_by_rank(tmp_path: Path) -> None:
    """any@1, any@5 and frac@5 with the number of questions and the scope."""
    (figures,) = recall.measure(read_set(saved(tmp_path, SET)))
    assert (figures.questions, figures.scope) == (3, "all")
    assert figures.any1 == figures.any5 == figures.frac5 == pytest.approx(2 / 3)
    assert "any@5 66.7 %" in figures.line()


def test_turns_are_kept_in_two_ways_and_asked_within_their_conversation(tmp_path: Path) -> None:
    """Each turn a memory; a session a memory with a section per turn."""
    turn = {"title": "", "date": "8 May", "text": "The zebra sleeps in the northern stable."}
    data = {
        "corpus": {
            "1:a": {**turn, "conv": "1"},
            "1:b": {**turn, "conv": "1", "text": "The quokka is under the ramp."},
            "2:a": {**turn, "conv": "2"},
        },
        "queries": {"q": "zebra in the stable", "p": "zebra in the stable"},
        "qrels": {"q": {"1:a": 1}, "p": {"2:a": 1}},
    }
    figures = recall.measure(read_set(saved(tmp_path, data)))
    assert [(row.scope, row.any1) for row in figures] == [("one conversation", 1.0), ("one conversation", 1.0)]


def test_noise_is_counted(tmp_path: Path) -> None:
    """E3: unrelated prompts, questions whose memory was taken away, answers still given."""
    found = noise.measure(read_set(saved(tmp_path, SET)), [])
    assert (found.memories, found.unrelated, found.injected_unrelated) == (3, 3, 1)
    assert found.alarms == ("the zebra in the northern stable",)
    assert (found.removed, found.injected_removed) == (3, 0)
    assert (found.questions, found.found, found.injected) == (3, 2, 2)
    assert "unrelated prompts that inject: 1 of 3 (33.3 %)" in found.lines()


@pytest.mark.parametrize("data", [[], {"corpus": {}}, {"corpus": {"a": {}}, "queries": {}, "qrels": {}}])
def test_a_file_that_is_no_set_is_refused(tmp_path: Path, data: object) -> None:
    """One sentence: which file, what is wrong."""
    with pytest.raises(Usage, match=r"own\.json is no question set"):
        read_set(saved(tmp_path, data))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """One sentence: which file, what is wrong."""
    with pytest.raises(Usage, match=r"gone\.json cannot be read"):
        read_set(str(tmp_path / "gone.json"))
