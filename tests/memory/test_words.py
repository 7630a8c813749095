"""Terms of texts and questions (E2)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.stopwords import GENERIC, GENERIC_WEIGHT, STOP
from gitmem.memory.words import MAX_TERM_CHARS, question_words, stem, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("deploys", "deploy"), ("deployed", "deploying"), ("stories", "story"), ("quickly", "quick"), ("went", "go"),
        ("boxes", "box"), ("running", "run"), ("children", "child"), ("caches", "cache"), ("classes", "class"),
        ("Café", "cafe"), ("naïve", "naive"), ("ＧＩＴ", "git"), ("don't", "do"), ("Dana's", "Dana"), ("APIs", "API"),
    ],
)  # fmt: skip
def test_forms_of_one_word_are_one_term(one: str, other: str) -> None:
    """E2: English stemming; case, accents and width do not part words."""
    assert words(one)[0] == words(other)[0]


@pytest.mark.parametrize("word", ["class", "status", "analysis", "bus", "this", "news"])
def test_a_final_s_that_is_no_plural_stays_apart_from_other_words(word: str) -> None:
    """E2: light on purpose, "status" is not "statu"."""
    assert word[-2] == "w" or stem(word).startswith(word[:-1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("getUserName", {"get", "user", stem("name"), stem("getusername")}),
        ("snake_case_name", {"snake_case_name", stem("snake"), stem("case"), stem("name")}),
        ("kebab-case", {"kebab-case", "kebab", stem("case")}),
        ("v2.1.3", {"v2.1.3", "2.1.3", "2.1"}),
        ("src/app.py:42", {"src/app.py:42", "src/app.py", "app.py", "src", "app", "py", "42"}),
        ("E0502", {"e0502"}),
        ("HTTP500", {"http500"}),
        ("orders-v1", {"orders-v1", stem("orders"), "v1"}),
        ("ERR_MODULE_NOT_FOUND", {"err_module_not_found", "err", stem("module"), "not", "find"}),
        ("C++", {"c++", "c"}),
        ("C#", {"c#", "c"}),
        ("HTTPServer", {"http", "server", "httpserver"}),
    ],
)
def test_identifiers_are_kept_whole_and_in_parts(text: str, expected: set[str]) -> None:
    """E2: identifiers, paths, versions and error codes whole and in parts."""
    assert set(words(text)) == expected


def test_a_change_of_script_is_a_border() -> None:
    """E2: an identifier glued to Chinese is found by itself."""
    assert set(words("getUserName")) < set(words("调用getUserName失败"))
    assert "调用" in words("调用getUserName失败")


def test_scripts_without_blanks_are_read_in_pairs() -> None:
    """E2: the same characters in another order share pairs."""
    assert {"迁移", "数据", "据库"} <= set(words("数据库迁移前先备份")) & set(words("迁移数据库"))
    assert words("배포 승인") == ["배포", "승인"]
    assert "ワー" in words("ワークフロー")


def test_a_lone_ideogram_and_the_last_of_a_run_are_terms() -> None:
    """A question of one character still works."""
    assert words("猫") == ["猫"]
    assert words("我的猫") == ["我的", "的猫", "猫"]
    assert list(question_words("我的猫")) == ["我的", "的猫"]


def test_invisible_characters_do_not_part_words() -> None:
    """Zero-width characters are removed on both sides."""
    assert words("pay\u200bment") == words("payment")
    assert words("rock‑solid") == words("rock-solid")


def test_stop_words_are_dropped_from_questions_only() -> None:
    """The index keeps them, a question does not ask for them."""
    assert list(question_words("ok can you do that again")) == ["ok"]
    assert "that" in words("do that again")


def test_words_of_every_prompt_weigh_little() -> None:
    """A prompt like "fix the tests" says nothing about a memory."""
    assert set(question_words("please fix the tests").values()) == {GENERIC_WEIGHT}
    assert set(question_words("继续").values()) == {GENERIC_WEIGHT}
    assert question_words("fix the zebra")["zebra"] == 1.0


def test_the_lists_hold_terms_as_the_cutter_makes_them() -> None:
    """An entry that is no term would never match."""
    for entry in STOP | GENERIC:
        if entry.isascii() and len(entry) > 1:
            assert words(entry)[0] == entry or stem(entry) != "", entry
        elif len(entry) == 2:
            assert entry in words(entry), entry


@given(st.text(max_size=300))
def test_any_text_has_terms_that_the_index_can_hold(text: str) -> None:
    """E2: no text breaks the cutter; a term has no blank, quote or control character."""
    for term in words(text):
        assert term
        assert len(term) <= 4 * MAX_TERM_CHARS
        assert '"' not in term
        assert "\n" not in term
        assert " " not in term


@given(st.text(max_size=200))
def test_a_question_asks_for_what_the_index_holds(text: str) -> None:
    """E2: both sides cut alike."""
    assert set(question_words(text)) <= set(words(text))
