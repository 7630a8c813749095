"""Locks: a list in the settings, so that it travels; the memory itself is not touched (B7)."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import FormatTooNew, Locked, NotFound, Refused
from gitmem.history.commit import FileChange
from gitmem.history.settings import settings_of
from gitmem.setup.create import init
from gitmem.store.settings import DEFAULT_CONFIG, load_settings, parse_settings
from gitmem.write.apply import apply
from gitmem.write.archive import archive
from gitmem.write.archive_idle import broken_rules, idle_memories
from gitmem.write.change import Actor, Change
from gitmem.write.lock_list import with_locks
from gitmem.write.locks import Locks, lock, unlock
from gitmem.write.memory import edit
from gitmem.write.purge import purge

Git = Callable[..., str]
WHEN = 1_796_000_000
PERSON = Actor("person")
CONFIG = """\
# my settings
format: 1   # as it is

ignore: [drafts/]
recall:
  candidates: off  # none
"""


@pytest.fixture
def store(tmp_path: Path, git: Git) -> Path:
    root = tmp_path / "store"
    init(str(root), environ=os.environ, when=WHEN)
    for name in ("alpha", "beta"):
        (root / f"{name}.md").write_text(f"---\nname: {name}\n---\n{name}\n")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "mine", cwd=root)
    return root


def set_lock(root: Path, name: str, actor: Actor = PERSON, *, on: bool = True) -> str:
    """The commit, "" when it was so already."""
    return (lock if on else unlock)(str(root), name, when=WHEN, actor=actor, environ=os.environ).commit


def test_a_lock_is_one_line_in_the_settings_and_the_memory_stays(store: Path, git: Git) -> None:
    """sage-mem case 85; tracked, so that it travels with a clone."""
    before = (store / "alpha.md").read_bytes(), (store / "alpha.md").stat().st_mtime_ns
    assert set_lock(store, "alpha")
    assert git("show", "HEAD:.gitmem/config.yaml", cwd=store) == DEFAULT_CONFIG + "locks:\n  - alpha.md\n"
    assert git("log", "-1", "--format=%s", cwd=store) == "lock: alpha\n"
    assert ((store / "alpha.md").read_bytes(), (store / "alpha.md").stat().st_mtime_ns) == before
    set_lock(store, "beta")
    assert load_settings(str(store)).locks == ("alpha.md", "beta.md")
    assert set_lock(store, "alpha", on=False)
    assert set_lock(store, "beta", on=False)
    assert (store / ".gitmem/config.yaml").read_text() == DEFAULT_CONFIG
    assert git("status", "--porcelain", cwd=store) == ""


def test_what_is_so_already_makes_no_commit(store: Path, git: Git) -> None:
    set_lock(store, "alpha")
    at = git("rev-parse", "HEAD", cwd=store)
    assert set_lock(store, "ALPHA") == ""
    assert set_lock(store, "beta", on=False) == ""
    assert git("rev-parse", "HEAD", cwd=store) == at


@pytest.mark.parametrize(
    ("locked", "asked"),
    [
        ("User_Persona.MD", "user_persona.md"),
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("./a.md", "a.md"),
        ("n/A.md", "N/a.md"),
    ],
)
def test_a_lock_holds_in_any_case_and_unicode_form(locked: str, asked: str) -> None:
    """sage-mem case 84."""
    locks = Locks("/no/store", parse_settings(f"locks: ['{locked}']\n"))
    assert locks.of(asked)
    assert not locks.of("other.md")


@pytest.mark.parametrize(
    "value", ["yes", "true", "{a.md: true}", "5", "''", "", "[[a.md]]", "[{a: b}]", "\n  a.md: true"]
)
def test_a_bad_value_locks_nothing_and_is_no_error(store: Path, value: str) -> None:
    """sage-mem case 86; what could not be used is a finding that names its line."""
    (store / ".gitmem/config.yaml").write_text(f"format: 1\nlocks: {value}\n")
    settings = load_settings(str(store))
    assert settings.locks == ()
    assert all(
        "config.yaml:2: " in each.sentence() or "config.yaml:3: " in each.sentence() for each in settings.findings
    )
    archive(str(store), "alpha", when=WHEN, actor=PERSON, environ=os.environ)


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "text", [CONFIG, CONFIG.rstrip("\n"), "---\n" + CONFIG, "\ufeff" + CONFIG, "", "# nothing\n", DEFAULT_CONFIG]
)
def test_setting_and_taking_a_lock_keeps_every_other_byte(text: str, eol: str) -> None:
    data = text.replace("\n", eol).encode()
    one = with_locks(data, ("notes/a b.md",), "/store")
    assert one.startswith(data)
    both = with_locks(one, ("notes/a b.md", "部署.md"), "/store")
    assert parse_settings(both.decode("utf-8-sig")).locks == ("notes/a b.md", "部署.md")
    assert with_locks(both, ("notes/a b.md",), "/store") == one
    without = with_locks(one, (), "/store")
    assert without.removesuffix(eol.encode()) == data.removesuffix(eol.encode())


@given(st.lists(st.text(min_size=1, max_size=20).filter(str.strip), max_size=5, unique=True))
def test_any_name_is_locked_as_it_is(names: list[str]) -> None:
    paths = tuple(f"x/{name}.md" for name in names if not any("\ud800" <= sign <= "\udfff" for sign in name))
    data = with_locks(CONFIG.encode(), paths, "/store")
    assert parse_settings(data.decode()).locks == paths


@pytest.mark.parametrize("text", ["locks: {a: b}\n", "{format: 1}\n", "format: 1\n...\n", "&a x: 1\n", "[a\n"])
def test_settings_that_would_have_to_be_guessed_are_left_alone(store: Path, git: Git, text: str) -> None:
    """A person's text is not rewritten; the sentence says what to write by hand."""
    file = store / ".gitmem/config.yaml"
    file.write_text(text)
    at = git("rev-parse", "HEAD", cwd=store)
    with pytest.raises(Refused) as caught:
        set_lock(store, "alpha")
    assert caught.value.message.startswith(".gitmem/config.yaml")
    assert caught.value.message.endswith("the locks cannot be set without guessing; nothing was changed")
    assert caught.value.hint == f"open {file} and write: locks: [alpha.md]"
    assert file.read_text() == text
    assert git("rev-parse", "HEAD", cwd=store) == at


@pytest.mark.parametrize("text", ["locks: yes\n", "format: 1\nlocks: [a.md]\nlocks: [b.md]\n"])
def test_a_value_that_locked_nothing_gives_way(store: Path, text: str) -> None:
    (store / ".gitmem/config.yaml").write_text(text)
    set_lock(store, "alpha")
    assert Locks(str(store), load_settings(str(store))).of("alpha.md")


BROKEN = {
    "below": lambda text: text + 'recall: {candidates: "off"\n',
    "the list": lambda text: text.replace("locks:\n", "locks: [\n"),
    "conflict": lambda text: text.replace("locks:\n", "<<<<<<< HEAD\nlocks:\n") + "=======\n>>>>>>> theirs\n",
    "bytes": lambda text: "\0" + text,
    "long": lambda text: text + "#" * 70_000,
}


@pytest.mark.parametrize("how", BROKEN)
@pytest.mark.parametrize("committed", [True, False])
def test_a_broken_settings_file_lifts_no_lock(store: Path, git: Git, how: str, committed: bool) -> None:
    """B7: nothing is archived or removed before somebody can read what is locked; the sentence names the file."""
    set_lock(store, "alpha")
    file = store / ".gitmem/config.yaml"
    file.write_text(BROKEN[how](file.read_text()))
    if committed:
        git("commit", "-qam", "tweak", cwd=store)
    at = git("rev-parse", "HEAD", cwd=store)
    for name in ("alpha", "beta"):
        with pytest.raises(Locked) as caught:
            archive(str(store), name, when=WHEN, actor=PERSON, environ=os.environ)
        assert caught.value.message.startswith(".gitmem/config.yaml")
        assert caught.value.hint == f"mend {file}"
        with pytest.raises(Locked, match=r"config\.yaml"):
            purge(str(store), f"{name}.md", confirm=str, when=WHEN, actor=PERSON, environ=os.environ)
    assert idle_memories(str(store), WHEN * 2) == []
    assert broken_rules(str(store))
    with pytest.raises(Refused, match="cannot be set without guessing"):
        set_lock(store, "beta")
    assert git("rev-parse", "HEAD", cwd=store) == at


def gone(root: Path) -> None:
    shutil.rmtree(root / ".gitmem")


def emptied(root: Path) -> None:
    (root / ".gitmem/config.yaml").write_text("\n")


def a_file(root: Path) -> None:
    shutil.rmtree(root / ".gitmem")
    (root / ".gitmem").write_text("x")


def sparse(root: Path) -> None:
    subprocess.run(["git", "sparse-checkout", "set", "nothing"], cwd=root, check=True, capture_output=True)
    assert not (root / ".gitmem").exists()


@pytest.mark.parametrize("away", [gone, emptied, a_file, sparse])
def test_a_settings_file_that_is_not_on_disk_lifts_no_lock_until_a_commit_does(
    store: Path, git: Git, away: Callable[[Path], None]
) -> None:
    """B7: a lock travels with the store's commits, whatever a checkout leaves out."""
    set_lock(store, "alpha")
    away(store)
    assert Locks(str(store), settings_of(str(store))).of("alpha.md")
    with pytest.raises(Locked) as caught:
        archive(str(store), "alpha", when=WHEN, actor=PERSON, environ=os.environ)
    assert caught.value.hint == "gitmem unlock alpha.md"
    with pytest.raises(Locked):
        purge(str(store), "alpha.md", confirm=lambda _: "alpha", when=WHEN, actor=PERSON, environ=os.environ)
    archive(str(store), "beta", when=WHEN, actor=PERSON, environ=os.environ)
    if away is gone:
        git("rm", "-q", "--cached", ".gitmem/config.yaml", cwd=store)
        git("commit", "-qm", "no settings", cwd=store)
        archive(str(store), "alpha", when=WHEN, actor=PERSON, environ=os.environ)


def test_a_lock_is_taken_away_where_the_settings_are_not_checked_out(store: Path, git: Git) -> None:
    """What a sparse checkout leaves out keeps every other byte, and its absence is nobody's edit."""
    set_lock(store, "alpha")
    set_lock(store, "beta")
    sparse(store)
    assert set_lock(store, "alpha", on=False)
    assert git("show", "HEAD:.gitmem/config.yaml", cwd=store) == DEFAULT_CONFIG + "locks:\n  - beta.md\n"
    assert git("log", "-2", "--format=%s", cwd=store) == "unlock: alpha\nlock: beta\n"
    assert git("status", "--porcelain", cwd=store) == ""


def test_where_neither_disk_nor_git_has_the_settings_all_is_locked(store: Path, git: Git) -> None:
    """A partial clone that is sparse too has left the list of locks at the remote."""
    set_lock(store, "alpha")
    blob = git("rev-parse", "HEAD:.gitmem/config.yaml", cwd=store).strip()
    gone(store)
    (store / ".git/objects" / blob[:2] / blob[2:]).unlink()
    with pytest.raises(Locked, match="not on disk"):
        archive(str(store), "alpha", when=WHEN, actor=PERSON, environ=os.environ)


@pytest.mark.parametrize("hidden", [gone, lambda root: (root / ".gitmem/config.yaml").write_text("format: 2\nx: [\n")])
def test_a_newer_format_is_refused_where_the_settings_are_away_or_broken(
    store: Path, git: Git, hidden: Callable[[Path], object]
) -> None:
    """Promised in docs/store.md: newer is refused by name."""
    (store / ".gitmem/config.yaml").write_text("format: 2\n")
    git("commit", "-qam", "newer", cwd=store)
    hidden(store)
    with pytest.raises(FormatTooNew):
        edit(str(store), "beta", when=WHEN, actor=PERSON, environ=os.environ, body="new text")


def test_without_a_settings_file_one_is_made(store: Path) -> None:
    (store / ".gitmem/config.yaml").unlink()
    set_lock(store, "alpha")
    assert (store / ".gitmem/config.yaml").read_text() == DEFAULT_CONFIG + "locks:\n  - alpha.md\n"


@pytest.mark.parametrize("on", [True, False])
def test_a_model_may_neither_lock_nor_unlock(store: Path, on: bool) -> None:
    """G1."""
    word = "lock" if on else "unlock"
    with pytest.raises(Refused) as caught:
        set_lock(store, "alpha", Actor("model", agent="m"), on=on)
    assert caught.value.message == f"a model may not {word} alpha.md: locks are the person's"
    assert caught.value.hint == f"ask the person to run: gitmem {word} alpha.md"


def test_what_is_not_there_is_said(store: Path) -> None:
    with pytest.raises(NotFound) as caught:
        set_lock(store, "nothing")
    assert caught.value.message == 'no memory is called "nothing"'
    archive(str(store), "alpha", when=WHEN, actor=PERSON, environ=os.environ)
    with pytest.raises(Refused) as refused:
        set_lock(store, "archive/alpha.md")
    assert refused.value.message == "archive/alpha.md is archived already, and a lock keeps a memory from that"
    assert refused.value.hint == "gitmem restore archive/alpha.md"


def test_a_lock_of_a_memory_that_is_gone_can_be_taken_away(store: Path) -> None:
    set_lock(store, "alpha")
    (store / "alpha.md").unlink()
    assert set_lock(store, "alpha", on=False)
    assert load_settings(str(store)).locks == ()


def test_a_locked_memory_can_be_edited(store: Path) -> None:
    set_lock(store, "alpha")
    edit(str(store), "alpha", when=WHEN, actor=PERSON, environ=os.environ, body="new text")
    assert "new text" in (store / "alpha.md").read_text()


@pytest.mark.parametrize("kind", ["person", "run", "import"])
def test_the_guard_keeps_every_change_from_removing_a_locked_memory(store: Path, kind: str) -> None:
    """B7: archived by no rule, no run and no button, whatever builds the change."""
    set_lock(store, "alpha")
    change = Change("tidy", "alpha", "", Actor(kind), lambda _: [FileChange("alpha.md", None)])
    with pytest.raises(Locked) as caught:
        apply(str(store), change, WHEN, os.environ)
    assert caught.value.hint == "gitmem unlock alpha.md"
    assert (store / "alpha.md").exists()
