"""Terms of texts and questions (E2)."""

from __future__ import annotations

from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory import stopwords_other
from gitmem.memory.stopwords import FOREIGN, GENERIC, GENERIC_WEIGHT, STOP
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


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("αντίγραφο Ασφαλείας", "ΑΝΤΙΓΡΑΦΟ ΑΣΦΑΛΕΙΑΣ"), ("προϊόν", "προιον"), ("τῷ", "τω"),
        ("قَاعِدَةُ البَيَانَاتِ", "قاعدة البيانات"), ("البيـــانات", "البيانات"), ("أحمد إلى آخر", "احمد الي اخر"),
        ("مدرسة", "مدرسه"), ("ایک کتاب", "ايك كتاب"), ("שָׁלוֹם", "שלום"), ("ещё отчёт", "еще отчет"), ("за́мок", "замок"),
        ("ışıkları", "IŞIKLARI"), ("İSTANBUL", "istanbul"), ("ışıkları", "isiklari"), ("Łódź", "lodz"),
        ("Đà Nẵng", "da nang"), ("Ærø", "aero"), ("Straße", "STRASSE"), ("œuvre", "oeuvre"), ("फ़ाइल", "फाइल"),
        ("हाँ", "हां"), ("Île-de-France", "ile-de-france"), ("٨٠٨٠", "8080"), ("८०८०", "8080"), ("๘๐๘๐", "8080"),
    ],
)  # fmt: skip
def test_marks_that_are_written_or_left_out_do_not_part_words(one: str, other: str) -> None:
    """E2: whatever keyboard a question is typed on, it finds what the memory says."""
    assert words(one) == words(other)


@pytest.mark.parametrize(("one", "other"), [("мой", "мои"), ("їх", "іх"), ("की", "का"), ("ສົ້ມ", "ສມ"), ("แก้", "แก")])
def test_marks_that_make_another_letter_part_words(one: str, other: str) -> None:
    """E2: a vowel sign is no ornament, and й is a letter."""
    assert words(one) != words(other)


@given(
    st.text("αβγεηιοσςτυωάέήίόύώϊΐабвгдеёжийклмноаліїєاأإآبتثةكىيهשלומתéàüñçşığłđø", min_size=1, max_size=12),
    st.data(),
)
def test_points_and_accents_anywhere_change_no_term(text: str, data: st.DataObject) -> None:
    """E2: composed or not, with every vowel written or none, a word is one word."""
    plain = normalize("NFC", text)
    marks = data.draw(st.lists(st.sampled_from(["", "\u0591", "\u05b8", "\u064b", "\u0650", "\u0651"]), min_size=12))
    pointed = "".join(char + mark for char, mark in zip(plain, marks, strict=False))
    assert words(pointed) == words(plain) == words(normalize("NFD", plain))


@pytest.mark.parametrize("text", ["ดำเนินการต่อ", "ສືບຕໍ່ຂອບໃຈ", "បន្តទៀតត្រឹមត្រូវ", "ကျေးဇူးတင်ပါတယ်"])
def test_no_term_is_a_mark_or_a_letter_torn_from_its_marks(text: str) -> None:
    """E2: Thai, Lao, Khmer and Burmese in pairs of consonants, each with its vowels and tones."""
    plain = normalize("NFKC", text)
    for term in words(text):
        behind = plain[plain.index(term) + len(term) :][:1]
        assert not category(term[0]).startswith("M")
        assert not behind or not category(behind).startswith("M")


def test_a_lone_cluster_is_a_term_and_so_is_the_last_of_a_run() -> None:
    """A question of one short word still works."""
    assert words("ชา") == ["ชา"]
    assert words("ชอบชา") == ["ชอ", "อบ", "บชา", "ชา"]


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


def test_a_list_of_another_language_holds_terms_as_the_cutter_makes_them() -> None:
    """An entry that is no term would never match; the others are told as they are typed."""
    spelt = stopwords_other.STOP + stopwords_other.GENERIC + stopwords_other.LATIN_STOP + stopwords_other.LATIN_GENERIC
    for entry in spelt.split():
        assert not entry.isascii() or entry in stopwords_other.LATIN_STOP + stopwords_other.LATIN_GENERIC
        assert entry.isascii() or words(entry) == [entry], entry


def test_what_tells_another_language_is_one_of_its_everyday_words() -> None:
    """Else a question would be weighed by lists that say nothing of it."""
    known = (stopwords_other.LATIN_STOP + stopwords_other.LATIN_GENERIC).split()
    assert set(known) >= FOREIGN
    assert not FOREIGN & (STOP | GENERIC)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("why did my car fail the court test", {"car", "court"}),
        ("pourquoi le test de la sauvegarde", {"sauvegard"}),
        ("con cam", {"con", "cam"}),
        ("con mèo tên Cam, cảm ơn bạn", {"con", "meo", "cam"}),
        ("cảm ơn bạn", set()),
        ("как найти кошку", {"кошку"}),
        ("น้ำ", {"น้ํา"}),
        ("ช่วยแก้ฐานข้อมูลให้หน่อย", {"ฐาน", "นข้", "ข้อ", "อมู", "มูล"}),
    ],
)
def test_the_everyday_words_of_a_language_say_little_in_that_language_only(text: str, said: set[str]) -> None:
    """E3: a French "car" is no English one, a Vietnamese "cảm" (to feel) no "cam" (an orange)."""
    assert {term for term, weight in question_words(text).items() if weight == 1.0} == said


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
