"""Archive and restore: one commit each, every byte comes back, nothing is overwritten (B6)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadName, Exists, GitmemError, Locked, NotFound, Refused, TooBig
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.archived import Marks
from gitmem.memory.document import read_memory
from gitmem.recall.choose import recall, search
from gitmem.setup.create import init
from gitmem.write.archive import archive, restore
from gitmem.write.archive_find import list_archived
from gitmem.write.change import Actor
from gitmem.write.find import heads
from gitmem.write.index import refresh
from gitmem.write.locks import lock
from gitmem.write.memory import Kept, edit, remember

Git = Callable[..., str]
WHEN = 1_796_000_000
PERSON = Actor("person")
TEXT = b"---\nname: alpha\ndescription: the first letter\n---\n\nalpha beats beta\n"
LIST = "# Mine\n\n- [x alpha](x_alpha.md) — another\n- [my alpha](alpha.md) — in my own words\n- [beta](beta.md) — b\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    init(str(root), environ=os.environ, when=WHEN)
    return root


def put(root: Path, path: str, data: bytes | str) -> None:
    """A file as the person saved it."""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(data.encode() if isinstance(data, str) else data)


def away(root: Path, name: str, reason: str = "no longer true", actor: Actor = PERSON) -> Kept:
    return archive(str(root), name, reason=reason, when=WHEN, actor=actor, environ=os.environ)


def back(root: Path, name: str, actor: Actor = PERSON) -> Kept:
    return restore(str(root), name, when=WHEN, actor=actor, environ=os.environ)


def files(root: Path) -> dict[str, bytes]:
    """Every file of the work tree."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(root).parts
    }


def commits(git: Git, root: Path) -> int:
    return int(git("rev-list", "--count", "HEAD", cwd=root))


@pytest.mark.parametrize("path", ["alpha.md", "notes/deep/alpha.md", "部署/alpha.md", "Ünï code.md"])
@pytest.mark.parametrize(
    "data",
    [TEXT, TEXT.replace(b"\n", b"\r\n"), b"no head at all", b"---\nname: 'broken\n---\nx\n", TEXT + b"w " * 300_000],
    ids=["lf", "crlf", "no head", "broken head", "600 KB"],
)
def test_a_restored_memory_is_byte_for_byte_what_was_archived(store: Path, git: Git, path: str, data: bytes) -> None:
    """B6: any folder, any line ending, any size."""
    put(store, path, data)
    git("-c", "core.autocrlf=false", "add", "-A", cwd=store)
    git("commit", "-qm", "mine", cwd=store)
    before = commits(git, store)
    kept = away(store, path)
    assert (kept.path, commits(git, store)) == (f"archive/{path}", before + 1)
    assert not (store / path).exists()
    marks = Marks(read_memory(path, (store / kept.path).read_bytes()).fields)
    assert marks.reason == "no longer true"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", marks.at)
    assert back(store, path).path == path
    assert (store / path).read_bytes() == data
    assert not (store / kept.path).exists()
    assert commits(git, store) == before + 2
    assert git("status", "--porcelain", cwd=store) == ""
    git("fsck", "--strict", cwd=store)


def test_archiving_is_one_commit_with_the_reason_and_git_sees_a_rename(store: Path, git: Git) -> None:
    """B1 and B6."""
    put(store, "alpha.md", TEXT + b"more lines of text\n" * 20)
    git("add", "-A", cwd=store)
    git("commit", "-qm", "mine", cwd=store)
    away(store, "alpha", "moved to another tool")
    said = git("log", "-1", "--format=%s%n%b", cwd=store)
    assert said.startswith("archive: alpha\nmoved to another tool\n")
    assert "Gitmem-Op: archive\nGitmem-Memory: alpha.md\nGitmem-Base: " in said
    assert "R" in git("diff", "-M", "--name-status", "HEAD~1", "HEAD", "--", "alpha.md", "archive", cwd=store)
    back(store, "alpha")
    assert git("log", "-1", "--format=%s", cwd=store) == "restore: alpha\n"


def test_a_hand_edit_is_committed_first_and_archived_with_the_rest(store: Path, git: Git) -> None:
    """B10."""
    put(store, "alpha.md", TEXT)
    kept = away(store, "alpha")
    assert "your own edit of alpha.md was committed first" in kept.notes
    assert git("log", "--format=%s", "-2", cwd=store) == "archive: alpha\nhand edit: alpha.md\n"
    assert git("show", "HEAD~1:alpha.md", cwd=store).encode() == TEXT


def test_no_reason_is_said_as_such(store: Path) -> None:
    """sage-mem case 70."""
    put(store, "alpha.md", TEXT)
    away(store, "alpha", "  ")
    assert b"archive_reason: archived by hand\n" in (store / "archive/alpha.md").read_bytes()


def test_the_time_is_the_persons_own(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """sage-mem case 71: local time, to the minute."""
    import time

    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        put(store, "alpha.md", TEXT)
        away(store, "alpha")
        wanted = time.strftime("%Y-%m-%d %H:%M", time.gmtime(WHEN + 8 * 3600))
        assert f"archived_at: '{wanted}'" in (store / "archive/alpha.md").read_text()
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize("by_hand", [False, True], ids=["index from writes", "index built anew"])
def test_an_archived_memory_is_neither_recalled_nor_listed(store: Path, by_hand: bool) -> None:
    """sage-mem cases 76 and 77; also when the settings changed and every folder is looked through again."""
    remember(str(store), "The ferry leaves from pier nine.", when=WHEN, actor=PERSON, environ=os.environ, name="ferry")
    remember(str(store), "The dog barks.", when=WHEN, actor=PERSON, environ=os.environ, name="dog")
    away(store, "ferry")
    lock(str(store), "dog", when=WHEN, actor=PERSON, environ=os.environ)
    if by_hand:
        refresh(str(store))
    question = "where does the ferry leave, which pier"
    assert recall(str(store), question, WHEN).hits == []
    assert [hit.path for hit in search(str(store), question, WHEN).hits if "ferry" in hit.path] == []
    assert [head.path for head in heads(str(store))] == ["dog.md"]
    back(store, "ferry")
    assert [hit.path for hit in recall(str(store), question, WHEN).hits] == ["ferry.md"]


def test_archived_memories_are_listed_with_time_reason_and_size(store: Path) -> None:
    put(store, "alpha.md", TEXT)
    put(store, "n/big.md", b"w " * 300_000)
    away(store, "alpha", "old")
    away(store, "n/big.md")
    found, skipped = list_archived(str(store))
    assert [(each.path, each.origin, each.marks.reason, each.head.description) for each in found] == [
        ("archive/alpha.md", "alpha.md", "old", "the first letter"),
        ("archive/n/big.md", "n/big.md", "no longer true", ""),
    ]
    assert found[1].size > MAX_MEMORY_BYTES
    assert skipped == []


@pytest.mark.parametrize("name", ["alpha", "ALPHA", "archive/alpha.md", "./alpha.md", "the letter", "a-1"])
def test_an_archived_memory_is_found_by_whatever_a_memory_is_found_by(store: Path, name: str) -> None:
    put(store, "alpha.md", "---\nname: the letter\naliases: [a-1]\n---\nx\n")
    away(store, "the letter")
    assert back(store, name).path == "alpha.md"


def refused(
    store: Path, git: Git, call: Callable[[], object], kind: type[GitmemError], sentence: str, hint: str
) -> None:
    """The call is refused with these words, and neither a file nor the history is another one."""
    before, at = files(store), git("rev-parse", "HEAD", cwd=store)
    with pytest.raises(kind) as caught:
        call()
    assert caught.value.exit_code == 1
    assert caught.value.message == sentence
    assert hint in caught.value.hint
    assert caught.value.hint
    assert files(store) == before
    assert git("rev-parse", "HEAD", cwd=store) == at


def test_nothing_in_the_archive_is_overwritten(store: Path, git: Git) -> None:
    """sage-mem case 73."""
    put(store, "alpha.md", TEXT)
    put(store, "MEMORY.md", LIST)
    put(store, "archive/alpha.md", "older")
    sentence = "archive/alpha.md exists already, and nothing is overwritten; nothing was changed"
    refused(store, git, lambda: away(store, "alpha.md"), Exists, sentence, "mv archive/alpha.md archive/alpha-2.md")
    assert Exists.code == "exists"


def test_nothing_in_the_store_is_overwritten(store: Path, git: Git) -> None:
    """sage-mem cases 54 and 74."""
    put(store, "alpha.md", TEXT)
    put(store, "MEMORY.md", LIST)
    away(store, "alpha")
    put(store, "alpha.md", "another")
    sentence = "alpha.md exists already, and nothing is overwritten; nothing was changed"
    refused(store, git, lambda: back(store, "alpha"), Exists, sentence, "mv alpha.md alpha-2.md")


def test_a_link_where_the_memory_goes_back_to_is_not_written_through(store: Path, git: Git, tmp_path: Path) -> None:
    put(store, "alpha.md", TEXT)
    away(store, "alpha")
    (tmp_path / "out.md").write_text("outside")
    (store / "alpha.md").symlink_to(tmp_path / "out.md")
    with pytest.raises(BadName, match="symbolic link"):
        back(store, "alpha")
    assert (tmp_path / "out.md").read_text() == "outside"
    assert (store / "archive/alpha.md").exists()


def test_an_archive_that_leads_out_is_neither_written_nor_read_through(store: Path, git: Git, tmp_path: Path) -> None:
    """sage-mem case 75."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "gone.md").write_text("x")
    put(store, "alpha.md", TEXT)
    (store / "archive").symlink_to(outside)
    sentence = "archive is a link, and nothing is moved through links; nothing was changed"
    hint = f"move {store / 'archive'} away and make a folder there"
    refused(store, git, lambda: away(store, "alpha"), Refused, sentence, hint)
    refused(store, git, lambda: back(store, "gone"), Refused, sentence, hint)
    found, skipped = list_archived(str(store))
    assert (found, [finding.message for finding in skipped]) == ([], [sentence])
    assert sorted(path.name for path in outside.iterdir()) == ["gone.md"]


def test_a_file_named_archive_is_said(store: Path, git: Git) -> None:
    put(store, "alpha.md", TEXT)
    put(store, "archive", "a file")
    sentence = "archive is a file, not a folder; nothing was changed"
    refused(store, git, lambda: away(store, "alpha"), Refused, sentence, "move ")


def test_a_link_in_the_archive_is_not_listed(store: Path, tmp_path: Path) -> None:
    (tmp_path / "out.md").write_text("x")
    put(store, "archive/plain.md", "x")
    (store / "archive/link.md").symlink_to(tmp_path / "out.md")
    assert [each.path for each in list_archived(str(store))[0]] == ["archive/plain.md"]


def test_an_archive_folder_of_another_case_is_used_as_it_is(store: Path) -> None:
    """Recall leaves it out in any case, and many systems have one folder for both."""
    put(store, "Archive/old.md", "x")
    put(store, "alpha.md", TEXT)
    assert away(store, "alpha").path == "Archive/alpha.md"
    assert back(store, "alpha").path == "alpha.md"
    assert back(store, "old").path == "old.md"


def test_what_is_not_there_is_said(store: Path, git: Git) -> None:
    """sage-mem case 72."""
    put(store, "alpha.md", TEXT)
    git("add", "-A", cwd=store)
    git("commit", "-qm", "mine", cwd=store)
    sentence = 'no memory is called "nothing"'
    refused(store, git, lambda: away(store, "nothing"), NotFound, sentence, "gitmem list")
    sentence = 'no archived memory is called "nothing"'
    refused(store, git, lambda: back(store, "nothing"), NotFound, sentence, "gitmem list --archived")
    sentence = "alpha.md is not archived; nothing was changed"
    refused(store, git, lambda: back(store, "alpha"), NotFound, sentence, "gitmem list --archived")
    away(store, "alpha")
    sentence = "archive/alpha.md is archived already; nothing was changed"
    refused(store, git, lambda: away(store, "alpha"), NotFound, sentence, "gitmem restore alpha.md")
    refused(store, git, lambda: away(store, "archive/alpha.md"), NotFound, sentence, "gitmem restore alpha.md")
    sentence = 'no archived memory is called "alpah"'
    refused(store, git, lambda: back(store, "alpah"), NotFound, sentence, "did you mean alpha?")


def test_a_name_that_fits_several_is_asked_about(store: Path, git: Git) -> None:
    for path in ("a/x.md", "b/x.md"):
        put(store, path, f"text of {path}")
    sentence = '"x" is ambiguous, it fits a/x.md, b/x.md'
    refused(store, git, lambda: away(store, "x"), NotFound, sentence, "give the path")
    away(store, "a/x.md")
    away(store, "b/x.md")
    sentence = '"x" is ambiguous, it fits archive/a/x.md, archive/b/x.md'
    refused(store, git, lambda: back(store, "x"), NotFound, sentence, "give the path")


@pytest.mark.parametrize("name", ["MEMORY.md", "memory", "session-log.md"])
def test_the_stores_own_files_are_not_archived(store: Path, git: Git, name: str) -> None:
    put(store, "session-log.md", "log")
    refused(
        store, git, lambda: away(store, name), BadName, f"{name} is the store's own, and never archived", "gitmem list"
    )


def test_a_name_no_memory_may_have_does_not_come_back(store: Path, git: Git) -> None:
    config = store / ".gitmem/config.yaml"
    put(store, "alpha.md", TEXT)
    away(store, "alpha")
    config.write_text(config.read_text().replace("index_file: MEMORY.md", "index_file: alpha.md"))
    sentence = "alpha.md is no name for a memory; nothing was changed"
    refused(store, git, lambda: back(store, "alpha"), BadName, sentence, "rename it in the archive")


@pytest.mark.parametrize("name", ["alpha.md", "ALPHA.md"])
def test_a_locked_memory_is_not_archived(store: Path, git: Git, name: str) -> None:
    """B7; sage-mem cases 64 and 83."""
    put(store, "alpha.md", TEXT)
    put(store, "MEMORY.md", LIST)
    lock(str(store), "alpha.md", when=WHEN, actor=PERSON, environ=os.environ)
    sentence = "alpha.md is locked, so it is neither archived nor removed; nothing was changed"
    refused(store, git, lambda: away(store, name), Locked, sentence, "gitmem unlock alpha.md")
    assert Locked.code == "locked"


@pytest.mark.parametrize("operation", ["archive", "restore"])
def test_a_model_neither_archives_nor_restores(store: Path, git: Git, operation: str) -> None:
    """G1: only a person does, for now."""
    put(store, "alpha.md", TEXT)
    if operation == "restore":
        away(store, "alpha")
    act = away if operation == "archive" else back
    sentence = f'a model may not {operation} "alpha"; nothing was changed'
    refused(
        store, git, lambda: act(store, "alpha", actor=Actor("model", agent="m")), Refused, sentence,
        f"ask the person to run: gitmem {operation} alpha",
    )  # fmt: skip


def test_a_run_may_archive_what_a_person_verified(store: Path) -> None:
    """It changes neither text nor trust; a lock is what keeps a run away."""
    put(store, "alpha.md", TEXT)
    assert away(store, "alpha", actor=Actor("run")).path == "archive/alpha.md"


def test_a_secret_as_the_reason_is_refused(store: Path, git: Git) -> None:
    put(store, "alpha.md", TEXT)
    with pytest.raises(Refused, match="looks like a secret"):
        away(store, "alpha", "key AKIA" + "IOSFODNN7EXAMPLQ")
    assert (store / "alpha.md").read_bytes() == TEXT


def test_a_memory_that_holds_a_secret_can_leave_recall(store: Path, git: Git) -> None:
    """It is in git already; keeping it where a prompt may get it would help nobody."""
    data = TEXT + b"AKIA" + b"IOSFODNN7EXAMPLQ\n"
    put(store, "alpha.md", data)
    git("add", "alpha.md", cwd=store)
    git("commit", "-q", "-m", "mine", cwd=store)
    away(store, "alpha")
    back(store, "alpha")
    assert (store / "alpha.md").read_bytes() == data


def test_wide_text_without_its_mark_is_refused_by_name(store: Path, git: Git) -> None:
    put(store, "wide.md", "---\nname: a\n---\n".encode("utf-16-le"))
    with pytest.raises(Refused) as caught:
        away(store, "wide.md")
    assert caught.value.message.startswith("wide.md: the file holds NUL bytes")
    assert (store / "wide.md").exists()


def test_an_archived_memory_is_edited_where_it_is_and_keeps_its_marks_once(store: Path) -> None:
    """sage-mem cases 79 and 80."""
    put(store, "alpha.md", TEXT)
    away(store, "alpha", "old")
    change = {"when": WHEN, "actor": PERSON, "environ": os.environ}
    edit(str(store), "archive/alpha.md", body="gamma", **change)  # type: ignore[arg-type]
    data = (store / "archive/alpha.md").read_bytes()
    assert data.count(b"archived_at:") == data.count(b"archive_reason:") == 1
    with pytest.raises(TooBig):
        edit(str(store), "archive/alpha.md", body="x" * MAX_MEMORY_BYTES, **change)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        edit(str(store), "archive/unknown.md", body="x", **change)  # type: ignore[arg-type]
    assert (store / "archive/alpha.md").read_bytes() == data
    back(store, "alpha")
    assert (store / "alpha.md").read_bytes() == TEXT.replace(b"alpha beats beta", b"gamma")


def test_marks_a_person_took_out_by_hand_do_not_hinder_the_way_back(store: Path) -> None:
    put(store, "alpha.md", TEXT)
    away(store, "alpha")
    put(store, "archive/alpha.md", TEXT)
    back(store, "alpha")
    assert (store / "alpha.md").read_bytes() == TEXT


def test_what_sage_mem_archived_comes_back(store: Path) -> None:
    put(
        store,
        "archive/user_x.md",
        "---\nname: x\ndescription: d\narchived_at: 2025-01-02 03:04\narchived_reason: 'old'\n---\nt\n",
    )
    assert list_archived(str(store))[0][0].marks.reason == "old"
    back(store, "user_x")
    assert (store / "user_x.md").read_text() == "---\nname: x\ndescription: d\n---\nt\n"
    assert "- [x](user_x.md) — d\n" in (store / "MEMORY.md").read_text()


def test_a_memory_in_a_repository_of_its_own_is_left_alone(store: Path, git: Git) -> None:
    put(store, "inner/alpha.md", TEXT)
    git("init", "-q", str(store / "inner"))
    with pytest.raises(BadName, match="a repository of its own"):
        away(store, "inner/alpha.md")
    assert (store / "inner/alpha.md").exists()
