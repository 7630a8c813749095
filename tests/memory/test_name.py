"""File names gitmem makes, and the paths it takes."""

from __future__ import annotations

import contextlib
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import BadName
from gitmem.limits import MAX_NAME_BYTES
from gitmem.memory.name import check_arriving, check_inside, check_path, is_reserved, slug, twin_key, windows_name
from tests.strategies import find_secrets

OUTSIDE = [
    "../../x",
    "../evil.md",
    "a/../../x",
    "a/../x.md",
    "/etc/passwd",
    "//host/x.md",
    "C:\\x",
    "c:/x.md",
    "C:x.md",
    "~",
    "~/x.md",
    "~ada/x.md",
    "a\0b.md",
    ".git/config",
    ".GIT/hooks/x.md",
    "a/.Git/x.md",
    "git~1/x.md",
    "GIT~1",
    ".git /x.md",
    ".git./x.md",
    ".git::$INDEX_ALLOCATION/x.md",
    ".g\u200cit/config",
    ".ｇｉｔ/config",
    "a\\..\\x.md",
    "..\\decoy.md",
    "a//b.md",
    "./x.md",
    "a/./x.md",
    "a/b/",
    "",
    "  ",
]
NOT_NEW = [
    "%2e%2e/x.md",
    "a%2Fb.md",
    "%252e%252e/x.md",
    "MEMORY.md:evil.md",
    "ok.md:secret.md",
    "memory.md",
    "MEMORY.MD",
    "sub/Session-Log.md",
    "notes.txt",
    "notes",
    "con.md",
    "a/NUL.md",
    "aux.tar.md",
    "com1.md",
    "LPT³.md",
    "con/x.md",
    "a /b.md",
    " a.md",
    "a./b.md",
    "x.md ",
    "x.md.",
    'a"b.md',
    "a<b.md",
    "a|b.md",
    "a?.md",
    "a*.md",
    "a\nb.md",
    "a\tb.md",
    "a\x7fb.md",
    "a\u202eb.md",
    "a\u200bb.md",
    "a\u2028b.md",
    ".hidden.md",
    ".obsidian/x.md",
    ".md",
    "..md",
    "archive/x.md",
    "Archive/x.md",
    "ARCHIVE/a/x.md",
    "\udce9.md",
    "cafe\u0301.md",
    "记" * 90 + ".md",
    "/".join(["d"] * 25) + "/x.md",
    "/".join(["d" * 100] * 11) + "/x.md",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leads_out_of_the_store_or_into_git_is_refused_with_a_sentence(path: str) -> None:
    """Refused, not cut to its last part."""
    for check in (check_inside, check_path):
        with pytest.raises(BadName) as refused:
            check(path)
        assert "type" in refused.value.message or "choose" in refused.value.message
        assert refused.value.message.isprintable()


@pytest.mark.parametrize("path", NOT_NEW)
def test_a_new_name_that_another_system_cannot_hold_or_that_is_never_recalled_is_refused(path: str) -> None:
    """A10."""
    with pytest.raises(BadName) as refused:
        check_path(path)
    assert refused.value.message.isprintable()
    assert "; " in refused.value.message


@pytest.mark.parametrize("path", [path for path in NOT_NEW if path.endswith(".md")])
def test_what_is_there_already_is_read_under_such_a_name(path: str) -> None:
    """An adopted folder is read as it is; only new names are held to other systems' rules."""
    check_inside(path)


def test_each_fault_has_a_sentence_of_its_own() -> None:
    """A sentence says what is wrong."""
    faults = ["../x.md", "/x.md", "C:/x.md", "~/x.md", "%2e%2e/x.md", "x\0.md", ".git/x.md", "a\\x.md", "a//x.md", ""]
    said = set()
    for path in faults:
        with pytest.raises(BadName) as refused:
            check_path(path)
        said.add(refused.value.message.partition("' ")[2].partition(";")[0] or refused.value.message)
    assert len(said) == len(faults)


def test_what_the_sentence_offers_can_be_typed() -> None:
    """The name after "type" passes, so a person is not sent in circles."""
    for path in ["../x.md", "/etc/x.md", "C:\\a\\x.md", "~/x.md", "a\\b.md", "x?.md", "con.md", "a /b.md",
                 ".x.md", "n.txt", "a//b.md", "archive/x.md", "a\nb.md", "cafe\u0301.md", "a:b/c:d.md",
                 "%2e%2e/x.md"]:  # fmt: skip
        for _ in range(4):
            try:
                check_path(path)
                break
            except BadName as refused:
                path = refused.message.rpartition("type ")[2]
        check_path(path)


@pytest.mark.parametrize(
    "path",
    ["a..b.md", "笔记.md", "记忆/数据库.md", "-rf.md", "a#b.md", "[x].md", "a&b.md", "my note.md", "main.md", "A.MD",
     "user_persona.md", "100% sure.md", "console.md", "می‌خواهم.md", "tasks/7/WORKING.md", "x.git.md", "gitignore.md"],
)  # fmt: skip
def test_inner_dots_blanks_marks_and_any_language_are_good_names(path: str) -> None:
    check_path(path)


@pytest.mark.parametrize("path", ["memory.md", "MEMORY.MD", "Session-Log.md", "projects/x/Memory.md"])
def test_reserved_names_are_told_in_any_case_and_folder(path: str) -> None:
    """A10."""
    assert is_reserved(path)
    assert not is_reserved(path + "x")


def test_two_paths_that_one_file_system_may_hold_as_one_file_have_one_key() -> None:
    assert twin_key("CAFÉ.md") == twin_key("cafe\u0301.md")
    assert twin_key("API.md") == twin_key("api.md")
    assert twin_key("a.md") != twin_key("b.md")


@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("Deploy ritual!", "deploy-ritual"),
        ("It's v2.1.3: a/b", "its-v2-1-3-a-b"),
        ("数据库迁移前先备份", "数据库迁移前先备份"),
        ("user_persona", "user_persona"),
        ("-rf ../../etc", "rf-etc"),
        ("Cafe\u0301", "café"),
        ("हिन्दी नोट", "हिन्दी-नोट"),
        ("CON", "con-note"),
        ("Memory", "memory-note"),
        ("~/.git", "git"),
    ],
)
def test_a_title_in_any_language_becomes_a_readable_stem(title: str, stem: str) -> None:
    assert slug(title) == stem


def test_a_long_title_is_cut_at_a_character_and_stays_distinct() -> None:
    one, two = slug("记" * 100 + "甲"), slug("记" * 100 + "乙")
    assert one != two
    assert len((one + ".md").encode()) <= MAX_NAME_BYTES
    assert one.startswith("记" * 20)


@pytest.mark.parametrize("title", ["45", "  7 ", "😀", "", "!!!", "١٢", "-"])
def test_a_lone_number_or_no_word_at_all_is_named_by_a_hash(title: str) -> None:
    assert slug(title).startswith("note-")


def test_a_secret_never_stands_in_a_file_name() -> None:
    """L2."""
    key = "AKIA" + "IOSFODNN7" + "ABCDEFG"
    token = "ghp_" + "a1B2c3D4e5F6" * 3
    assert slug(f"the key {key} of staging") == "the-key-of-staging"
    assert slug(token).startswith("note-")
    assert "hunter2" not in slug("postgres://ada:hunter2x@db/prod")


@given(st.text(max_size=200))
def test_every_slug_is_a_name_a_store_may_hold(title: str) -> None:
    """What gitmem makes passes its own check, on every system."""
    stem = slug(title)
    check_path(stem + ".md")
    assert len((stem + ".md").encode()) <= MAX_NAME_BYTES
    assert unicodedata.normalize("NFC", stem) == stem
    assert not stem.startswith("-")
    assert find_secrets(stem) == []
    assert slug(title) == stem


@given(st.text(max_size=60))
def test_no_path_breaks_the_check(path: str) -> None:
    """A wrong name is a sentence, never a traceback."""
    for check in (check_inside, check_path):
        with contextlib.suppress(BadName):
            check(path)


@pytest.mark.parametrize("path", ["ghp_" + "a1B2c3D4e5F6" * 3 + ".txt", "../AKIA" + "IOSFODNN7" + "ABCDEFG.md"])
def test_a_refusal_does_not_repeat_a_secret(path: str) -> None:
    """What is refused must not land in a log either."""
    with pytest.raises(BadName) as refused:
        check_path(path)
    assert "secret" in refused.value.message
    assert path[3:12] not in refused.value.message


@given(st.integers(20, 60))
def test_a_secret_that_a_cut_has_left_in_half_is_in_no_name(length: int) -> None:
    """A title is the beginning of a text, and may end inside a token."""
    token = "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NTY3ODkwIn0" + ".a1B2c3D4e5F6g7H8i9J0"
    assert slug(token[:length] + "…").startswith("note-")
    assert slug("the key " + ("ghp_" + "a1B2c3D4e5F6" * 3)[: length - 5]) == "the-key"


@pytest.mark.parametrize(
    "path",
    ["../x.md", "a/../x.md", "/x.md", ".GIT/hooks", "a/.git/x", ".git\\hooks", "..\\x", "a//b.md", "git~1/x", ""],
)
def test_a_tree_of_gits_does_not_lead_out(path: str) -> None:
    with pytest.raises(BadName):
        check_arriving(path)


@pytest.mark.parametrize(
    ("path", "there"),
    [
        ("B: plan.md", "B- plan.md"),
        ("a\\b.md", "a-b.md"),
        ("aux.md", "note-aux.md"),
        ("x./what?.md ", "x/what-.md"),
        ("~x.md", "~x.md"),
        (".gitattributes", ".gitattributes"),
        ("Ünïcode/ok.md", "Ünïcode/ok.md"),
    ],
)
def test_a_name_that_windows_cannot_hold_arrives_and_has_another_one_there(path: str, there: str) -> None:
    check_arriving(path)
    assert windows_name(path) == there == windows_name(there)
