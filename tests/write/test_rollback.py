"""Return to a rollback point: nothing is deleted, nobody's later work is overwritten, and it can be taken back (B5)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import Refused
from gitmem.history.commit import FileChange
from gitmem.history.conflict import open_conflicts
from gitmem.history.repo import open_repo
from gitmem.memory.archived import without_marks
from gitmem.write.apply import Applied, apply
from gitmem.write.archive import archive
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.conflict import resolve
from gitmem.write.locks import lock
from gitmem.write.memory import edit, remember
from gitmem.write.rollback import make_point, roll_back
from gitmem.write.rollback_plan import Report
from gitmem.write.undo import redo, undo

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
PERSON, RUN = Actor("person"), Actor("run")
A = "---\nname: a\n---\n\n# One\n\nfirst\n"


def point(root: Path, reason: str = "", when: int = WHEN) -> str:
    return make_point(str(root), reason, when=when, actor=PERSON, environ=os.environ)


def return_to(root: Path, name: str, *, run: bool = False, when: int = WHEN + 90) -> Report:
    return roll_back(str(root), name, only_run=run, when=when, actor=PERSON, environ=os.environ)


def bulk(root: Path, files: dict[str, str | None], when: int = WHEN + 1) -> str:
    """A bulk operation of a run, with its point; the point's id."""

    def make(reader: Reader) -> list[FileChange]:
        return [FileChange(path, text.encode() if text is not None else None) for path, text in files.items()]

    change = Change("dream", "", "", PERSON, make)
    change.point = "before a dream"
    return apply(str(root), change, when, os.environ).point


def read(root: Path, path: str) -> str:
    return (root / path).read_text()


def tree(git: Git, root: Path) -> str:
    return git("rev-parse", "HEAD^{tree}", cwd=root).strip()


def check(git: Git, root: Path) -> None:
    assert git("status", "--porcelain", cwd=root) == ""
    git("fsck", "--strict", cwd=root)


@pytest.fixture
def memories(store: Path, save: Save) -> Path:
    save("MEMORY.md", "# Memory\n\n- [a](a.md) — first\n- [b](sub/b.md) — second\n")
    save("a.md", A)
    save("sub/b.md", A.replace("name: a", "name: b"))
    return store


def test_the_store_is_as_it_was_and_what_came_since_is_in_the_archive(memories: Path, git: Git) -> None:
    """B5; sage-mem.md 195, 202: edits are undone, a file made since is parked, each counted once, the list follows."""
    name = point(memories, "before trying")
    for text in ("second", "third"):
        edit(str(memories), "a", when=WHEN + 1, actor=PERSON, environ=os.environ, section="# One", body=text)
    remember(str(memories), "new\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path="sub/new.md", name="new")

    report = return_to(memories, name[:17])

    assert report.restored == ["a.md", "MEMORY.md"]
    assert report.parked == ["sub/new.md"]
    assert (report.skipped, report.conflicts, report.left, report.kept) == ([], [], [], [])
    assert read(memories, "a.md") == A
    assert "new" not in read(memories, "MEMORY.md")
    assert not (memories / "sub/new.md").exists()
    assert "archive_reason: rollback to " in read(memories, "archive/sub/new.md")
    assert (memories / "sub").is_dir()
    said = git("log", "-1", "--format=%B", cwd=memories)
    assert "restored a.md\nrestored MEMORY.md\nmoved to the archive: sub/new.md\n" in said
    assert f"Gitmem-Rollback: {name}" in said
    assert f"Gitmem-Point: {report.protection}" in said
    check(git, memories)


def test_a_rollback_is_taken_back_by_undo_and_by_its_protection_point(memories: Path, git: Git) -> None:
    """B5 "itself undoable", sage-mem.md 204."""
    name = point(memories)
    edit(str(memories), "a", when=WHEN + 1, actor=PERSON, environ=os.environ, section="# One", body="second")
    remember(str(memories), "new\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path="new.md")
    before = tree(git, memories)
    report = return_to(memories, name)
    undo(str(memories), when=WHEN + 91, actor=PERSON, environ=os.environ)
    assert tree(git, memories) == before

    report = return_to(memories, name, when=WHEN + 92)
    return_to(memories, report.protection, when=WHEN + 93)
    assert "second" in read(memories, "a.md")
    assert read(memories, "new.md") == without_marks((memories / "new.md").read_bytes()).decode()
    assert not (memories / "archive/new.md").exists()
    assert tree(git, memories) == before
    check(git, memories)


def test_what_a_person_edited_since_is_not_overwritten(memories: Path, git: Git) -> None:
    """B5, sage-mem.md 208 (a bug there): the point's text is a conflict, also where the edit began from it."""
    name = point(memories)
    edit(str(memories), "a", when=WHEN + 1, actor=PERSON, environ=os.environ, section="# One", body="by a tool")
    (memories / "a.md").write_text(read(memories, "a.md").replace("by a tool", "by hand"))
    (memories / "sub/b.md").write_text(read(memories, "sub/b.md") + "by hand too\n")

    report = return_to(memories, name)

    assert [path for path, _ in report.conflicts] == ["a.md", "sub/b.md"]
    assert report.left == []
    assert "by hand" in read(memories, "a.md")
    assert "by hand too" in read(memories, "sub/b.md")
    with open_repo(str(memories)) as repo:
        every = {each.path: each for each in open_conflicts(repo)}
    conflict, other = every["a.md"], every["sub/b.md"]
    assert git("cat-file", "blob", other.theirs, cwd=memories) == A.replace("name: a", "name: b")
    assert other.base == other.theirs
    assert git("cat-file", "blob", conflict.theirs, cwd=memories) == A
    assert "by a tool" in git("cat-file", "blob", conflict.base, cwd=memories)
    assert git("cat-file", "blob", conflict.ours, cwd=memories) == read(memories, "a.md")
    check(git, memories)  # the hand edits are committed, so that git keeps all three
    git("gc", "-q", "--prune=now", cwd=memories)
    git("cat-file", "-e", conflict.ours, cwd=memories)
    assert "left as it was changed since: a.md (what the point has is conflict " in report.text()
    resolve(str(memories), other.id, "theirs", when=WHEN + 95, actor=PERSON, environ=os.environ)
    assert "by hand" not in read(memories, "sub/b.md")
    check(git, memories)


@pytest.mark.parametrize("way", ["not committed", "committed", "removed", "removed in git"])
def test_every_way_of_editing_by_hand_ends_in_a_conflict(memories: Path, git: Git, way: str) -> None:
    """B5; the record is git's own: a commit that differs from its parent in that file."""
    name = point(memories)
    path = memories / "a.md"
    path.write_text(A + "by hand\n") if "removed" not in way else path.unlink()
    if way in ("committed", "removed in git"):
        git("commit", "-qam", "mine", cwd=memories)
    report = return_to(memories, name)
    ((where, record),) = report.conflicts
    assert where == "a.md"
    assert git("diff", "--name-only", f"refs/gitmem/conflicts/{record}^!", cwd=memories) == "a.md\n"
    assert path.exists() == ("removed" not in way)
    check(git, memories)
    resolve(str(memories), record, "theirs", when=WHEN + 95, actor=PERSON, environ=os.environ)
    assert read(memories, "a.md") == A
    check(git, memories)


def test_a_memory_made_by_hand_since_is_left_and_named(memories: Path, git: Git) -> None:
    """The point has nothing of it, so there is nothing to settle; git is not told of it either."""
    name = point(memories)
    (memories / "own.md").write_text("own\n")
    (memories / "kept.md").write_text("kept\n")
    git("add", "kept.md", cwd=memories)
    git("commit", "-qm", "mine", cwd=memories)
    report = return_to(memories, name)
    assert report.left == ["kept.md", "own.md"]
    assert (report.commit, report.conflicts, report.parked) == ("", [], [])
    assert "left, since you made it yourself: own.md" in report.text()
    assert git("status", "--porcelain", cwd=memories) == "?? own.md\n"


def test_a_memory_that_stays_keeps_its_present_line(memories: Path, git: Git) -> None:
    """The list says what the files say; a line that a person worded stays as they worded it."""
    name = point(memories)
    (memories / "a.md").write_text(A + "by hand\n")
    listed = read(memories, "MEMORY.md").replace("- [a](a.md) — first", "- [a](a.md) — new words")
    bulk(memories, {"MEMORY.md": listed, "sub/b.md": "rewritten\n"})
    report = return_to(memories, name)
    assert [path for path, _ in report.conflicts] == ["a.md"]
    assert report.restored == ["sub/b.md"]
    assert read(memories, "MEMORY.md") == listed
    check(git, memories)


def test_what_git_holds_already_comes_back_whatever_a_new_text_may_not_hold(memories: Path, git: Git) -> None:
    """A secret that you committed yourself, a size: neither is new."""
    token = "ghp_" + "aB3dE5gH7j" * 3 + "aB3dE5"
    texts = {"a.md": f"token {token}\n", "big.md": "x" * 600_000}
    for path, text in texts.items():
        (memories / path).write_text(text)
    git("add", ".", cwd=memories)
    git("commit", "-qm", "mine", cwd=memories)
    name = point(memories)
    bulk(memories, {"a.md": "clean\n", "big.md": None})
    report = return_to(memories, name)
    assert (report.restored, report.skipped) == (["a.md", "big.md"], [])
    assert {path: read(memories, path) for path in texts} == texts
    check(git, memories)


def test_conflicts_of_a_rollback_go_and_come_with_it(memories: Path, git: Git) -> None:
    """Undo closes what the rollback opened, redo opens it again; one that is settled meanwhile stays settled."""

    def still_open() -> list[str]:
        with open_repo(str(memories)) as repo:
            return sorted(each.path for each in open_conflicts(repo))

    name = point(memories)
    for path in ("a.md", "sub/b.md"):
        (memories / path).write_text(A + "by hand\n")
    report = return_to(memories, name)
    assert still_open() == ["a.md", "sub/b.md"]
    done = undo(str(memories), when=WHEN + 91, actor=PERSON, environ=os.environ)
    assert still_open() == []
    assert {f"conflict {record} is closed" for _, record in report.conflicts} <= set(done.notes)
    made = redo(str(memories), when=WHEN + 92, actor=PERSON, environ=os.environ)
    assert still_open() == ["a.md", "sub/b.md"]
    assert {f"conflict {record} is open again" for _, record in report.conflicts} <= set(made.notes)
    resolve(str(memories), "a.md", "ours", when=WHEN + 93, actor=PERSON, environ=os.environ)
    undo(str(memories), report.commit, when=WHEN + 94, actor=PERSON, environ=os.environ)
    assert still_open() == []
    redo(str(memories), report.commit, when=WHEN + 95, actor=PERSON, environ=os.environ)
    check(git, memories)


def test_a_hand_edit_below_a_later_operation_is_not_overwritten_either(memories: Path) -> None:
    """A tool's edit on top of a person's own does not make that worth less."""
    name = point(memories)
    (memories / "a.md").write_text(A + "\nby hand\n")
    edit(str(memories), "a", when=WHEN + 1, actor=PERSON, environ=os.environ, fields=[("description", "by a tool")])
    report = return_to(memories, name)
    assert [path for path, _ in report.conflicts] == ["a.md"]
    assert "by hand" in read(memories, "a.md")


def test_an_edit_that_the_point_holds_already_is_nobodys_later_work(memories: Path, git: Git) -> None:
    """The point has what was not committed when it was made; the next operation commits it as a hand edit."""
    (memories / "a.md").write_text(A + "\nby hand\n")
    name = bulk(memories, {"a.md": "rewritten\n"})
    assert git("log", "--format=%s", "-2", cwd=memories) == "dream\nhand edit: a.md\n"
    report = return_to(memories, name)
    assert report.restored == ["a.md"]
    assert read(memories, "a.md") == A + "\nby hand\n"
    check(git, memories)


def test_lines_a_person_wrote_into_the_list_stay(memories: Path, git: Git) -> None:
    """MEMORY.md is merged entry by entry, before and after operations, committed or not."""
    name = point(memories)
    (memories / "MEMORY.md").write_text(read(memories, "MEMORY.md").replace("— first", "— first of all"))
    remember(str(memories), "new\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path="new.md")
    (memories / "MEMORY.md").write_text(read(memories, "MEMORY.md") + "\nA note by hand.\n")

    return_to(memories, name)

    listed = read(memories, "MEMORY.md")
    assert "— first of all" in listed
    assert "A note by hand." in listed
    assert "new.md" not in listed
    assert "[b](sub/b.md)" in listed
    check(git, memories)


def test_a_memory_that_stays_keeps_its_line(memories: Path) -> None:
    """Locked or edited by hand since, it is not parked; a list without it would be wrong."""
    name = point(memories)
    for each in ("locked", "edited"):
        remember(str(memories), f"{each}\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path=f"{each}.md")
    lock(str(memories), "locked", when=WHEN + 3, actor=PERSON, environ=os.environ)
    (memories / "edited.md").write_text(read(memories, "edited.md") + "more\n")

    report = return_to(memories, name)

    assert report.skipped == [("locked.md", "it is locked")]
    assert [path for path, _ in report.conflicts] == ["edited.md"]
    assert "(locked.md)" in read(memories, "MEMORY.md")
    assert "(edited.md)" in read(memories, "MEMORY.md")


def test_a_name_that_is_taken_in_the_archive_is_skipped_and_counted(memories: Path, git: Git) -> None:
    """sage-mem.md 197: there a second copy gets a retired name; ours skips it and says so (issue: "a name clash is
    skipped and counted")."""
    name = point(memories)
    remember(str(memories), "new\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path="new.md")
    archive(str(memories), "new", reason="x", when=WHEN + 3, actor=PERSON, environ=os.environ)
    remember(str(memories), "again\n", when=WHEN + 4, actor=PERSON, environ=os.environ, path="new.md")
    kept = read(memories, "archive/new.md")

    report = return_to(memories, name)

    assert report.skipped == [("new.md", "archive/new.md is there already")]
    assert read(memories, "archive/new.md") == kept
    assert "again" in read(memories, "new.md")
    check(git, memories)


def test_archived_since_comes_back_and_made_and_archived_since_stays_away(memories: Path, git: Git) -> None:
    """sage-mem.md 196, 198 to 201: without marks and equal to before; another version in the archive is kept."""
    name = point(memories)
    remember(str(memories), "new\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path="new.md")
    for each in ("new", "a", "b"):
        archive(str(memories), each, reason="x", when=WHEN + 3, actor=PERSON, environ=os.environ)
    other = read(memories, "archive/sub/b.md") + "another version\n"
    (memories / "archive/sub/b.md").write_text(other)
    git("commit", "-qam", "by hand", cwd=memories)

    report = return_to(memories, name)

    assert report.restored == ["a.md", "sub/b.md", "MEMORY.md"]
    assert report.kept == ["archive/sub/b.md"]
    assert report.skipped == []
    assert read(memories, "a.md") == A
    assert not (memories / "archive/a.md").exists()
    assert read(memories, "archive/sub/b.md") == other
    assert (memories / "archive/new.md").exists()
    assert not (memories / "new.md").exists()
    check(git, memories)


def test_a_run_is_rolled_back_alone(memories: Path, git: Git) -> None:
    """B5: only the files the operation touched; what others did to them since becomes a conflict, all else stays."""
    name = bulk(memories, {"a.md": "rewritten\n", "sub/b.md": "rewritten\n", "made.md": "made\n"})
    remember(str(memories), "new\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path="new.md", name="new")
    (memories / "sub/b.md").write_text("by hand\n")

    report = return_to(memories, name, run=True)

    assert report.scope == "run"
    assert report.restored == ["a.md"]
    assert report.parked == ["made.md"]
    assert [path for path, _ in report.conflicts] == ["sub/b.md"]
    assert read(memories, "a.md") == A
    assert read(memories, "sub/b.md") == "by hand\n"
    assert (memories / "new.md").exists()
    check(git, memories)


def test_a_point_without_an_operation_has_no_run_to_roll_back(memories: Path) -> None:
    """The sentence names what can be done instead."""
    name = point(memories)
    with pytest.raises(Refused, match=f"no operation of this branch was made under rollback point {name}") as refused:
        return_to(memories, name, run=True)
    assert refused.value.hint == f"gitmem rollback apply {name}   (the whole store)"


def test_a_name_in_another_case_stays_at_the_top_once(memories: Path, git: Git, save: Save) -> None:
    """sage-mem.md 203: the text comes back under the present name; on many systems the two are one file."""
    name = point(memories)
    git("mv", "a.md", "A.md", cwd=memories)
    git("commit", "-qm", "renamed", cwd=memories)
    save("A.md", "rewritten\n")

    report = return_to(memories, name)

    assert sorted(path.name for path in memories.glob("[aA].md")) == ["A.md"]
    assert read(memories, "A.md") == A
    assert report.parked == []
    assert not (memories / "archive").exists()
    check(git, memories)


def test_odd_names_come_back(memories: Path, git: Git) -> None:
    """sage-mem.md 193; names that no new memory may have too: the history holds them already."""
    for path in ("笔记.md", "a..b.md", "co:lon.md", "new\nline.md"):
        (memories / path).write_text("odd\n")
    git("add", ".", cwd=memories)
    git("commit", "-qm", "adopted", cwd=memories)
    name = point(memories)
    bulk(memories, {"笔记.md": None, "a..b.md": "rewritten\n", "co:lon.md": None, "new\nline.md": None})

    report = return_to(memories, name)

    assert sorted(report.restored) == sorted(["a..b.md", "co:lon.md", "new\nline.md", "笔记.md"])
    assert report.skipped == []
    assert "\nrestored new line.md\n" in report.text()
    assert {read(memories, path) for path in report.restored} == {"odd\n"}
    check(git, memories)


def test_a_link_in_the_place_of_a_memory_is_skipped(memories: Path, git: Git) -> None:
    """Nothing is written through links."""
    name = point(memories)
    (memories / "a.md").unlink()
    (memories / "a.md").symlink_to("sub/b.md")
    git("commit", "-qam", "a link", cwd=memories)
    edit(str(memories), "b", when=WHEN + 3, actor=PERSON, environ=os.environ, section="# One", body="x\n")
    report = return_to(memories, name)
    assert report.skipped == [("a.md", "no plain file stands there now")]
    assert report.restored == ["sub/b.md"]
    assert (memories / "a.md").is_symlink()


def test_a_damaged_point_changes_nothing(memories: Path, git: Git) -> None:
    """sage-mem.md 190: refused whole, before anything is changed, and before a protection point is made."""
    name = point(memories)
    edit(str(memories), "a", when=WHEN + 1, actor=PERSON, environ=os.environ, section="# One", body="second")
    blob = git("rev-parse", f"refs/gitmem/rollback/{name}:a.md", cwd=memories).strip()
    (memories / ".git/objects" / blob[:2] / blob[2:]).unlink()
    before = git("for-each-ref", cwd=memories)
    with pytest.raises(Refused, match=r"is damaged: object .* nothing was changed"):
        return_to(memories, name)
    assert "second" in read(memories, "a.md")
    assert git("for-each-ref", cwd=memories) == before


def test_nothing_to_do_makes_no_commit_and_no_point(memories: Path, git: Git) -> None:
    """Else each look would push an older point out."""
    name = point(memories)
    before = git("for-each-ref", cwd=memories)
    report = return_to(memories, name)
    assert (report.commit, report.protection, report.text()) == ("", "", "")
    assert git("for-each-ref", cwd=memories) == before


@pytest.mark.parametrize("actor", [Actor("model", agent="x"), RUN, Actor("import")])
def test_only_a_person_rolls_back(memories: Path, actor: Actor) -> None:
    name = point(memories)
    with pytest.raises(Refused, match=f"a {actor.kind} may not roll a store back; a person does"):
        roll_back(str(memories), name, when=WHEN, actor=actor, environ=os.environ)


def test_the_archive_may_be_spelled_in_another_case(memories: Path, git: Git) -> None:
    """There is one archive, whatever its name on disk."""
    (memories / "Archive").mkdir()
    (memories / "Archive/old.md").write_text("old\n")
    git("add", ".", cwd=memories)
    git("commit", "-qm", "by hand", cwd=memories)
    name = point(memories)
    remember(str(memories), "new\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path="new.md")
    report = return_to(memories, name)
    assert report.parked == ["new.md"]
    assert (memories / "Archive/new.md").exists()
    assert not (memories / "archive/new.md").exists() or (memories / "Archive").samefile(memories / "archive")


@pytest.mark.parametrize("setting", ["true", "input"])
def test_line_ends_that_git_converts_stay_those_of_the_file(memories: Path, git: Git, setting: str) -> None:
    """core.autocrlf: a clean checkout with CRLF is no edit, and a file with CRLF comes back with it."""
    git("config", "core.autocrlf", setting, cwd=memories)
    for path in ("a.md", "sub/b.md", "MEMORY.md"):
        (memories / path).write_bytes((memories / path).read_bytes().replace(b"\n", b"\r\n"))
    git("add", ".", cwd=memories)  # git notes their size; there is nothing to commit
    name = point(memories)
    edit(str(memories), "a", when=WHEN + 1, actor=PERSON, environ=os.environ, section="# One", body="second")
    report = return_to(memories, name)
    assert report.restored == ["a.md"]
    assert (memories / "a.md").read_bytes() == A.replace("\n", "\r\n").encode()
    check(git, memories)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_other_encodings_come_back_byte_for_byte(store: Path, git: Git, save: Save, encoding: str) -> None:
    save("a.md", A.encode(encoding))
    name = point(store)
    save("a.md", A.replace("first", "second").encode(encoding))
    save("new.md", A.encode(encoding))
    return_to(store, name)
    assert (store / "a.md").read_bytes() == A.encode(encoding)
    assert without_marks((store / "archive/new.md").read_bytes()) == A.encode(encoding)
    check(git, store)


def test_a_folder_that_is_empty_afterwards_goes(memories: Path, git: Git) -> None:
    """git holds no empty folders."""
    name = point(memories)
    remember(str(memories), "new\n", when=WHEN + 2, actor=PERSON, environ=os.environ, path="deep/er/new.md")
    return_to(memories, name)
    assert not (memories / "deep").exists()
    assert (memories / "archive/deep/er/new.md").exists()
    check(git, memories)


NAMES = ["a.md", "b.md", "sub/c.md", "sub/d.md"]
EDITS = st.lists(
    st.tuples(st.sampled_from(["tool", "hand", "saved"]), st.sampled_from(NAMES), st.sampled_from(["", "1", "2", "3"])),
    max_size=6,
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=EDITS, after=EDITS)
def test_whatever_happened_a_rollback_can_be_taken_back_and_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory,
    git: Git,
    before: list[tuple[str, str, str]],
    after: list[tuple[str, str, str]],
) -> None:
    """B5: files nobody edited by hand since are the point's, all others as they were; undo is the identity."""
    root = tmp_path_factory.mktemp("roll")
    git("init", "-q", "-b", "main", str(root))
    texts: set[str] = set()
    by_hand: set[str] = set()
    by_tool: set[str] = set()

    def act(number: int, kind: str, path: str, word: str) -> None:
        text = f"text {number} {word}\n" if word else None
        texts.update({text} if text else set())
        if kind == "tool":
            by_tool.update({text} if text else set())
            change = Change("edit", "", "", PERSON, lambda _: [FileChange(path, text.encode() if text else None)])
            apply(str(root), change, WHEN + number, os.environ)
            return
        by_hand.add(path)
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text) if text else (root / path).unlink(missing_ok=True)
        if kind == "saved":
            git("add", "-A", cwd=root)
            git("commit", "-q", "--allow-empty", "-m", "by hand", cwd=root)

    def state() -> dict[str, str]:
        return {path: (root / path).read_text() for path in NAMES if (root / path).exists()}

    for number, step in enumerate(before):
        act(number, *step)
    then = state()
    name = point(root, when=WHEN + 20)
    by_hand.clear()
    for number, step in enumerate(after, 20):
        act(number, *step)
    now = state()

    report = return_to(root, name)

    assert {path: text for path, text in state().items() if path not in by_hand} == {
        path: text for path, text in then.items() if path not in by_hand
    }
    assert {path: text for path, text in state().items() if path in by_hand} == {
        path: text for path, text in now.items() if path in by_hand
    } or any(state().get(path) == then.get(path) for path in by_hand)
    git("fsck", "--strict", cwd=root)
    if report.commit:
        was = git("log", "-1", "--format=%T", f"{report.commit}^", cwd=root)
        undo(str(root), report.commit, when=WHEN + 95, actor=PERSON, environ=os.environ)
        assert git("log", "-1", "--format=%T", cwd=root) == was
        assert state() == now
    git("gc", "-q", "--prune=now", cwd=root)
    with open_repo(str(root)) as repo:
        for conflict in open_conflicts(repo):
            for side in filter(None, (conflict.base, conflict.ours, conflict.theirs)):
                git("cat-file", "-e", side, cwd=root)
    kept = git("log", "--all", "-p", "-m", "--format=", cwd=root)
    assert {text for text in texts if f"+{text}" not in kept} & {*then.values(), *by_tool} == set()
