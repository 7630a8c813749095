"""Operations taken back and made again, by new commits only: exactly, or not at all (B8, B12)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import GitmemError, InTheWay, Locked, NotFound, Refused, Stale
from gitmem.history.commit import FileChange
from gitmem.history.point import points
from gitmem.history.repo import create_repo, open_repo
from gitmem.ledger.access import note
from gitmem.memory.document import blob_id
from gitmem.write.apply import Applied, apply
from gitmem.write.archive import archive, restore
from gitmem.write.change import Actor, Change
from gitmem.write.conflict import resolve
from gitmem.write.locks import lock
from gitmem.write.memory import edit, remember
from gitmem.write.operations import find_operation, standing
from gitmem.write.purge import purge
from gitmem.write.undo import Undone, redo, undo
from tests.write.test_sync_pair import Machine, ada, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
PERSON = Actor("person")
SECTIONS = "# A\n\na\n\n# B\n\nb\n\n# C\n\nc\n"


def back(root: Path, operation: str = "", when: int = WHEN + 50, **more: object) -> Undone:
    return undo(str(root), operation, when=when, actor=PERSON, environ=os.environ, **more)  # type: ignore[arg-type]


def again(root: Path, operation: str = "", when: int = WHEN + 60) -> Undone:
    return redo(str(root), operation, when=when, actor=PERSON, environ=os.environ)


def put(root: Path, section: str, text: str, when: int = WHEN, actor: Actor = PERSON, name: str = "m") -> str:
    words = {"when": when, "actor": actor, "environ": os.environ, "section": f"# {section}", "body": text}
    if actor.kind == "model":
        read = blob_id((root / f"{name}.md").read_bytes())
        note(str(root / ".git"), "read", actor.session, [(f"{name}.md", read)], when)
        words["if_revision"] = read
    return edit(str(root), name, **words).commit  # type: ignore[arg-type]


def new(root: Path, name: str, text: str = "text\n", actor: Actor = PERSON, when: int = WHEN) -> str:
    return remember(str(root), text, when=when, actor=actor, environ=os.environ, name=name).commit


def tree(git: Git, root: Path, ref: str = "HEAD") -> str:
    return git("rev-parse", f"{ref}^{{tree}}", cwd=root).strip()


def files_of(root: Path) -> dict[str, bytes]:
    """The memories as they stand in the folder."""
    paths = [path for path in root.rglob("*.md") if ".git" not in path.parts]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths}


def check(git: Git, root: Path) -> None:
    assert git("status", "--porcelain", cwd=root) == ""
    git("fsck", "--strict", cwd=root)


@pytest.fixture
def memory(store: Path) -> Path:
    """A store with a list and one memory of three sections."""
    (store / "MEMORY.md").write_text("# Memory\n\n")
    remember(str(store), SECTIONS, when=WHEN, actor=PERSON, environ=os.environ, path="m.md")
    return store


def test_the_last_operation_is_taken_back_and_made_again(memory: Path, git: Git) -> None:
    """B8: undo then redo is the identity on the tree; each is a commit of its own."""
    before = tree(git, memory)
    commit = new(memory, "other")
    after = tree(git, memory)

    done = back(memory)
    assert done.operations == (commit,)
    assert done.subjects == ("remember: other",)
    assert sorted(done.paths) == ["MEMORY.md", "other.md"]
    assert tree(git, memory) == before
    assert f"Gitmem-Undoes: {commit}" in git("log", "-1", "--format=%B", cwd=memory)

    made = again(memory)
    assert made.subjects == ("remember: other",)
    assert tree(git, memory) == after
    assert git("rev-list", "--count", "HEAD", cwd=memory).strip() == "5"  # the list by hand first
    check(git, memory)


def test_undo_goes_further_back_each_time_and_redo_forward_again(memory: Path, git: Git) -> None:
    """Operations of one second too: what is taken back is told by commits, not by times."""
    trees = [tree(git, memory)]
    for name in "xyz":
        new(memory, name)
        trees.append(tree(git, memory))
    for expected in trees[-2::-1]:
        back(memory, when=WHEN)
        assert tree(git, memory) == expected
    for expected in trees[1:]:
        again(memory, when=WHEN)
        assert tree(git, memory) == expected
    with pytest.raises(Refused, match="there is nothing to make again") as refused:
        again(memory)
    assert refused.value.hint == "gitmem redo OPERATION"
    check(git, memory)


def test_an_old_operation_is_taken_back_out_of_later_ones(memory: Path, git: Git) -> None:
    """B8: any one operation; the section that was changed since stays."""
    first = put(memory, "A", "a2\n")
    put(memory, "C", "c2\n", WHEN + 1)
    back(memory, first[:8])
    text = (memory / "m.md").read_text()
    assert "# A\n\na\n" in text
    assert "# C\n\nc2\n" in text
    check(git, memory)


def test_what_stands_in_the_way_is_named_and_nothing_is_written(memory: Path, git: Git) -> None:
    """B8: "or says exactly what stands in the way": the file, the later commit, its subject and time."""
    first = put(memory, "A", "a2\n")
    later = put(memory, "A", "a3\n", WHEN + 1)
    head = git("rev-parse", "HEAD", cwd=memory)

    with pytest.raises(InTheWay) as refused:
        back(memory, first)

    assert refused.value.exit_code == 4
    assert "edit: m cannot be taken back: m.md was changed again, by " in refused.value.message
    assert f"{later[:10]} (edit: m, 2026-11-30 00:53Z)" in refused.value.message
    assert refused.value.message.endswith("; nothing was written")
    assert refused.value.hint == f"take that one back first: gitmem undo {later[:10]}"
    assert git("rev-parse", "HEAD", cwd=memory) == head
    check(git, memory)


def test_a_hand_edit_in_the_way_is_never_lost(memory: Path, git: Git) -> None:
    """It is merged and committed first as the person's own, or named as what stands in the way."""
    put(memory, "A", "a2\n")
    text = (memory / "m.md").read_text()
    (memory / "m.md").write_text(text.replace("\nc\n", "\nby hand\n"))
    done = back(memory)
    assert any("your own edit of m.md was committed first" in note for note in done.notes)
    assert "by hand" in git("show", "HEAD^:m.md", cwd=memory)
    assert "by hand" in (memory / "m.md").read_text()
    assert "a2" not in (memory / "m.md").read_text()
    check(git, memory)

    put(memory, "B", "b2\n")
    kept = (memory / "m.md").read_text().replace("b2", "by hand too")
    (memory / "m.md").write_text(kept)
    with pytest.raises(InTheWay, match=r"m\.md was changed again, by hand, and that is not committed yet"):
        back(memory)
    assert (memory / "m.md").read_text() == kept


def test_a_new_memory_that_was_edited_since_is_not_removed(memory: Path) -> None:
    """Taking it back would take the later text with it."""
    first = new(memory, "other", "# A\n\ntext\n")
    put(memory, "A", "later\n", WHEN + 1, name="other")
    with pytest.raises(InTheWay, match=r"other\.md was changed again, by "):
        back(memory, first)
    (memory / "other.md").unlink()
    with pytest.raises(InTheWay, match=r"other\.md is gone, by hand, and that is not committed yet"):
        back(memory)


def test_archive_and_restore_are_taken_back_like_any_other(memory: Path, git: Git) -> None:
    """B6, B8: the line in the list and every byte of the file come back."""
    new(memory, "other")
    before = tree(git, memory)
    archive(str(memory), "other", reason="old", when=WHEN, actor=PERSON, environ=os.environ)
    archived = tree(git, memory)
    restore(str(memory), "other", when=WHEN, actor=PERSON, environ=os.environ)
    assert tree(git, memory) == before
    back(memory)
    assert tree(git, memory) == archived
    back(memory)
    assert tree(git, memory) == before
    again(memory)
    assert tree(git, memory) == archived
    check(git, memory)


def test_settings_are_taken_back_too(memory: Path, git: Git) -> None:
    """A lock stands in the settings; a memory locked since is not removed by an undo (B7)."""
    first = new(memory, "other")
    before = tree(git, memory)
    lock(str(memory), "other", when=WHEN, actor=PERSON, environ=os.environ)
    with pytest.raises(Locked):
        back(memory, first)
    back(memory)
    assert tree(git, memory) == before
    back(memory, first)
    assert not (memory / "other.md").exists()
    check(git, memory)


def test_commits_made_by_hand_and_merges_are_taken_back_when_named(memory: Path, git: Git) -> None:
    """Any one operation, also a person's own; unnamed, only what gitmem did is the last operation."""
    last = put(memory, "A", "a2\n")
    git("checkout", "-q", "-b", "side", cwd=memory)
    (memory / "side.md").write_text("side\n")
    git("add", ".", cwd=memory)
    git("commit", "-qm", "by hand", cwd=memory)
    git("checkout", "-q", "main", cwd=memory)
    before = tree(git, memory)
    git("merge", "-q", "--no-ff", "-m", "merge of side", "side", cwd=memory)
    with open_repo(str(memory)) as repo:
        assert next(standing(repo)).commit.id == last

    done = back(memory, "HEAD")
    assert done.subjects == ("merge of side",)
    assert tree(git, memory) == before
    again(memory)
    assert (memory / "side.md").exists()
    back(memory, "side")
    assert not (memory / "side.md").exists()
    check(git, memory)


def test_links_and_submodules_are_left_to_git(memory: Path, git: Git) -> None:
    """gitmem neither reads nor writes through links."""
    (memory / "link.md").symlink_to("m.md")
    git("add", ".", cwd=memory)
    git("commit", "-qm", "a link", cwd=memory)
    with pytest.raises(InTheWay, match=r"link\.md is a link or a submodule, which gitmem leaves to git"):
        back(memory, "HEAD")


def test_what_cannot_be_taken_back_says_why(memory: Path, git: Git) -> None:
    """Twice; an undo itself; the beginning; what is no operation."""
    first = git("rev-list", "--max-parents=0", "HEAD", cwd=memory).strip()
    other = new(memory, "other")
    back(memory)
    undone = git("rev-parse", "HEAD", cwd=memory).strip()
    with pytest.raises(Refused, match=f"{other[:8]} is taken back already") as refused:
        back(memory, other[:8])
    assert refused.value.hint == "gitmem redo"
    with pytest.raises(Refused, match=f"{undone} is itself an undo") as refused:
        back(memory, undone)
    assert refused.value.hint == f"gitmem redo {undone}"
    with pytest.raises(Refused, match="began this store; nothing lies before it"):
        back(memory, first)
    with pytest.raises(NotFound, match='"nonsense" is no commit'):
        back(memory, "nonsense")
    git("checkout", "-q", "--orphan", "elsewhere", cwd=memory)
    git("commit", "-qm", "elsewhere", cwd=memory)
    git("checkout", "-q", "main", cwd=memory)
    with pytest.raises(NotFound, match="elsewhere is no operation of this store's present history"):
        back(memory, "elsewhere")
    with pytest.raises(Refused, match="main~2 is no undo, and nothing that is taken back"):
        again(memory, "main~2")


def test_an_empty_store_has_nothing_to_take_back(tmp_path: Path) -> None:
    create_repo(str(tmp_path / "empty")).close()
    with pytest.raises(Refused, match="there is no operation to take back"):
        back(tmp_path / "empty")
    with pytest.raises(Refused, match="there is nothing to make again"):
        again(tmp_path / "empty")


def test_an_operation_whose_files_are_as_before_has_nothing_left(memory: Path) -> None:
    """Somebody took it back by hand; an empty commit would say nothing."""
    first = new(memory, "other")
    (memory / "other.md").unlink()
    (memory / "MEMORY.md").write_text((memory / "MEMORY.md").read_text().replace("- [other](other.md) — text\n", ""))
    with pytest.raises(Refused, match="nothing of remember: other is left to be taken back: the files are so already"):
        back(memory, first)


def test_what_git_holds_already_comes_back_whatever_a_new_text_may_not_hold(memory: Path, git: Git) -> None:
    """A size, a secret, a head, a name: an undo writes nothing that the history does not hold."""
    token = "ghp_" + "aB3dE5gH7j" * 3 + "aB3dE5"
    odd = {"big.md": "x" * 600_000, "a.md": f"token {token}\n", "note.txt": "no memory\n", "archive/old.md": "old\n"}
    for path, text in odd.items():
        (memory / path).parent.mkdir(exist_ok=True)
        (memory / path).write_text(text)
    git("add", ".", cwd=memory)
    git("commit", "-qm", "odd", cwd=memory)
    git("rm", "-q", *odd, cwd=memory)
    git("commit", "-qm", "gone", cwd=memory)
    assert sorted(back(memory, "HEAD").paths) == sorted(odd)
    assert {path: (memory / path).read_text() for path in odd} == odd
    edit(str(memory), "a", when=WHEN, actor=PERSON, environ=os.environ, body="clean\n")
    back(memory)
    assert token in (memory / "a.md").read_text()
    check(git, memory)


def test_what_lay_in_the_archive_is_made_again_there(memory: Path, git: Git) -> None:
    """An undo is no one-way street: remember and archive, both taken back, both made again."""
    new(memory, "a", when=WHEN + 10)
    archive(str(memory), "a", when=WHEN + 11, actor=PERSON, environ=os.environ)
    before = tree(git, memory)
    back(memory, since=WHEN + 10)
    assert not (memory / "archive").exists()
    again(memory)
    assert tree(git, memory) == before
    check(git, memory)


@pytest.mark.parametrize("way", ["renamed", "archived"])
def test_a_memory_is_taken_back_where_it_lies_now(memory: Path, git: Git, way: str) -> None:
    """Else the words would stay, and the answer would say that they are gone."""
    session = Actor("model", agent="bot", session="s1")
    new(memory, "x", "# One\n\none\n\n# Two\n\ntwo\n", session)
    changed = put(memory, "One", "changed\n", WHEN + 1, session, name="x")
    if way == "renamed":
        git("mv", "x.md", "y.md", cwd=memory)
        git("commit", "-qm", "mv", cwd=memory)
        place = memory / "y.md"
    else:
        archive(str(memory), "x", when=WHEN + 2, actor=PERSON, environ=os.environ)
        place = memory / "archive/x.md"
    before = tree(git, memory)
    back(memory, changed)
    assert "# One\n\none\n" in place.read_text()
    assert ("archived_at" in place.read_text()) == (way == "archived")
    again(memory)
    assert tree(git, memory) == before
    assert len(back(memory, session="s1").operations) == 2
    assert not place.exists()
    assert not (memory / "x.md").exists()
    again(memory)
    assert tree(git, memory) == before
    check(git, memory)


def test_a_memory_changed_where_it_lies_now_stands_in_the_way(memory: Path, git: Git) -> None:
    """The sentence names both places, the commit, and a command that leads out."""
    first = new(memory, "x", "# One\n\none\n")
    git("mv", "x.md", "y.md", cwd=memory)
    git("commit", "-qm", "mv", cwd=memory)
    later = put(memory, "One", "two\n", WHEN + 2, name="y")
    with pytest.raises(InTheWay, match=rf"x\.md \(y\.md now\) was changed again, by {later[:10]}") as refused:
        back(memory, first)
    assert refused.value.hint == f"take that one back first: gitmem undo {later[:10]}"
    back(memory, later)
    back(memory, first)
    assert not (memory / "y.md").exists()
    check(git, memory)


def test_a_memory_moved_by_hand_and_not_committed_is_taken_back_where_it_lies(memory: Path, git: Git) -> None:
    """The move is the person's own, and is committed first."""
    first = new(memory, "x")
    (memory / "x.md").rename(memory / "y.md")
    back(memory, first)
    assert not (memory / "y.md").exists()
    assert git("show", "--format=", "--name-status", "-M", "HEAD~2", cwd=memory).split() == ["R100", "x.md", "y.md"]
    check(git, memory)


def test_a_restored_memory_is_not_taken_for_the_archived_one(memory: Path, git: Git) -> None:
    """To take back the archiving of what is back already changes nothing."""
    new(memory, "x")
    first = archive(str(memory), "x", when=WHEN + 1, actor=PERSON, environ=os.environ).commit
    restore(str(memory), "x", when=WHEN + 2, actor=PERSON, environ=os.environ)
    before = tree(git, memory)
    with pytest.raises(Refused, match="nothing of archive: x is left to be taken back"):
        back(memory, first)
    assert tree(git, memory) == before


def test_a_purge_is_no_operation_to_take_back(memory: Path, git: Git) -> None:
    """It is for good; the commits it emptied are passed over, and nothing is said to be back."""
    new(memory, "q")
    new(memory, "r")
    put(memory, "A", "a2\n")
    edit(str(memory), "r", when=WHEN, actor=PERSON, environ=os.environ, body="r2\n")
    purge(str(memory), "r.md", confirm=lambda _: "r", when=WHEN + 1, actor=PERSON, environ=os.environ)
    purged = git("log", "--grep=^Gitmem-Op: purge", "-1", "--format=%H", cwd=memory).strip()
    with pytest.raises(Refused, match=f"{purged} is a purge, which is for good: what it removed is nowhere") as refused:
        back(memory, purged)
    assert refused.value.hint == "gitmem history --operations"
    emptied = git("log", "--grep=^Gitmem-Op: edit", "-1", "--format=%H", cwd=memory).strip()
    with pytest.raises(Refused, match="is left to be taken back: the files are so already"):
        back(memory, emptied)
    done = back(memory)
    assert done.subjects == ("edit: m",)
    assert any(note.startswith(f"passed over {emptied[:10]} (") for note in done.notes)
    assert "a2" not in (memory / "m.md").read_text()
    check(git, memory)


def test_what_was_taken_back_by_hand_is_passed_over(memory: Path, git: Git) -> None:
    """`git revert` is an undo too; the operation before it is the last one then, and that is said."""
    put(memory, "A", "a2\n")
    other = new(memory, "other")
    git("revert", "--no-edit", "HEAD", cwd=memory)
    done = back(memory)
    assert done.subjects == ("edit: m",)
    assert f"passed over {other[:10]} (remember: other): the files are as before it already" in done.notes
    back(memory)
    with pytest.raises(Refused, match="nothing of remember: other is left to be taken back"):
        back(memory)
    check(git, memory)


def test_the_work_that_stands_in_the_way_is_named_until_nothing_does(memory: Path, git: Git) -> None:
    """Each hint leads on: the hand edit below an undo and its redo is found, and can be taken back."""
    new(memory, "t", "# A\n\na\n\n# B\n\nb\n", when=WHEN + 10)
    put(memory, "A", "a2\n", WHEN + 11, name="t")
    (memory / "t.md").write_text((memory / "t.md").read_text() + "hand\n")
    put(memory, "A", "a3\n", WHEN + 12, name="t")
    hand = git("rev-parse", "HEAD^", cwd=memory).strip()
    back(memory, when=WHEN + 13)
    again(memory, when=WHEN + 14)
    with pytest.raises(InTheWay, match=rf"t\.md was changed again, by {hand[:10]} \(hand edit: t\.md, ") as refused:
        back(memory, since=WHEN + 10)
    assert refused.value.hint == f"take that one back first: gitmem undo {hand[:10]}"
    back(memory, hand)
    done = back(memory, since=WHEN + 10)
    assert not (memory / "t.md").exists()
    assert len(done.operations) == 3
    check(git, memory)


def test_an_undo_in_the_way_is_to_be_made_again(memory: Path, git: Git) -> None:
    """What it took back is older than the operation, so the undo itself is what changed the file."""
    first = put(memory, "A", "a2\n")
    second = put(memory, "A", "a2\na3\n", WHEN + 1)
    (memory / "m.md").write_text((memory / "m.md").read_text().replace("a3", "by hand"))
    git("commit", "-qam", "mine", cwd=memory)
    own = git("rev-parse", "HEAD", cwd=memory).strip()
    back(memory, own)
    back(memory, second)
    undone = back(memory, first).commit
    with pytest.raises(InTheWay) as refused:
        again(memory, second)
    assert refused.value.hint == f"make that one again first: gitmem redo {undone[:10]}"
    again(memory, undone)
    again(memory, second)
    check(git, memory)


def test_an_edit_that_is_not_committed_is_told_how_to_be_settled(memory: Path, git: Git) -> None:
    """The commands are typed as they stand; then the undo is repeated."""
    put(memory, "A", "a2\n")
    (memory / "m.md").write_text((memory / "m.md").read_text().replace("a2", "by hand"))
    with pytest.raises(InTheWay) as refused:
        back(memory)
    where = f"git -C {memory}"
    assert refused.value.hint == (
        f"commit it: {where} commit -m mine -- m.md; or drop it: {where} checkout -- m.md; then repeat"
    )
    git("checkout", "--", "m.md", cwd=memory)
    back(memory)
    check(git, memory)


def test_what_the_person_did_since_then_is_said_to_stay(memory: Path, git: Git) -> None:
    new(memory, "x", when=WHEN + 10)
    (memory / "own.md").write_text("own\n")
    git("add", ".", cwd=memory)
    stamp = f"{WHEN + 11} +0000"
    git("-c", f"user.name=A{WHEN}", "commit", "-qm", "mine", f"--date={stamp}", cwd=memory)
    own = git("rev-parse", "HEAD", cwd=memory).strip()
    done = back(memory, since=WHEN + 5)
    assert f"what you did yourself since then stays: {own[:10]} (mine)" in done.notes
    assert (memory / "own.md").exists()


def test_a_point_is_made_before_many_files_are_taken_back(store: Path, git: Git) -> None:
    """B5: before every operation on many files, an undo and a redo included."""
    files = [FileChange(f"m{number}.md", b"text\n") for number in range(30)]
    apply(str(store), Change("remember", "one", "", PERSON, lambda _: [FileChange("a.md", b"a\n")]), WHEN, os.environ)
    apply(str(store), Change("import", "many", "", PERSON, lambda _: files), WHEN, os.environ)
    back(store)
    again(store)
    with open_repo(str(store)) as repo:
        assert [each.reason for each in points(repo)] == ["before undo of import: many", "before redo of import: many"]
    check(git, store)


def test_trailers_under_a_persons_own_subject_take_nothing_back(memory: Path, git: Git) -> None:
    """Whoever copies a message locks nobody in: an undo's trailers count below an undo's subject."""
    first = put(memory, "A", "a2\n")
    said = f"notes of today\n\nGitmem-Op: undo\nGitmem-Undoes: {first}"
    git("commit", "-q", "--allow-empty", "-m", said, cwd=memory)
    own = git("rev-parse", "HEAD", cwd=memory).strip()
    with pytest.raises(Refused, match="is no undo"):
        again(memory, own)
    assert back(memory, first).operations == (first,)
    check(git, memory)


def test_redo_after_other_operations_needs_a_name(memory: Path, git: Git) -> None:
    """The last undo is not the last operation any more; by name, its own or the operation's, it is made again."""
    first = put(memory, "A", "a2\n")
    back(memory)
    new(memory, "other")
    with pytest.raises(Refused, match="the last operation is not an undo"):
        again(memory)
    again(memory, first[:10])
    assert "a2" in (memory / "m.md").read_text()
    assert (memory / "other.md").exists()
    check(git, memory)


def test_redo_that_is_in_the_way_says_so_in_its_own_words(memory: Path) -> None:
    first = put(memory, "A", "a2\n")
    back(memory)
    put(memory, "A", "a3\n", WHEN + 70)
    with pytest.raises(InTheWay, match=r"edit: m cannot be made again: m\.md was changed again, by "):
        again(memory, first)


def test_a_session_is_taken_back_out_of_the_others(memory: Path, git: Git) -> None:
    """B12: all that one session did, interleaved with other sessions; one commit, a rollback point before it."""
    one, two = Actor("model", agent="claude-code", session="s1"), Actor("model", agent="codex", session="s2")
    put(memory, "A", "by s1\n", WHEN + 1, one)
    put(memory, "B", "by s2\n", WHEN + 2, two)
    new(memory, "n1", "by s1\n", one, WHEN + 3)
    new(memory, "n2", "by s2\n", two, WHEN + 4)
    put(memory, "A", "by s1 again\n", WHEN + 5, one)

    done = back(memory, session="s1")

    assert len(done.operations) == 3
    text = (memory / "m.md").read_text()
    assert "# A\n\na\n" in text
    assert "# B\n\nby s2\n" in text
    assert not (memory / "n1.md").exists()
    assert (memory / "n2.md").exists()
    assert "n1.md" not in (memory / "MEMORY.md").read_text()
    assert "n2.md" in (memory / "MEMORY.md").read_text()
    with open_repo(str(memory)) as repo:
        (point,) = points(repo)
    assert point.reason == "before undo of 3 operations"
    check(git, memory)
    with pytest.raises(Refused, match="there is no operation of session s1 that is not taken back already"):
        back(memory, session="s1")
    assert back(memory, agent="codex").operations
    again(memory)
    assert "by s2" in (memory / "m.md").read_text()
    with pytest.raises(Refused, match="of session s9 of agent x since then that is not taken back"):
        back(memory, session="s9", agent="x", since=WHEN)


def test_what_others_built_on_a_session_stands_in_the_way_under_their_name(memory: Path) -> None:
    """Never the session's own later commit, which goes too."""
    one, two = Actor("model", agent="a", session="s1"), Actor("model", agent="b", session="s2")
    put(memory, "A", "by s1\n", WHEN + 1, one)
    theirs = put(memory, "A", "by s2\n", WHEN + 2, two)
    put(memory, "C", "by s1 too\n", WHEN + 3, one)
    with pytest.raises(InTheWay) as refused:
        back(memory, session="s1")
    assert "2 operations cannot be taken back" in refused.value.message
    assert theirs[:10] in refused.value.message
    assert refused.value.message.count("m.md was changed") == 1
    assert "by s1 too" in (memory / "m.md").read_text()


def test_all_since_a_time_is_taken_back(memory: Path, git: Git) -> None:
    """B12: until just before it, hand edits that were in between excepted."""
    before = tree(git, memory)
    for number, name in enumerate("xyz"):
        new(memory, name, when=WHEN + 10 + number)
    assert len(back(memory, since=WHEN + 10).operations) == 3
    assert tree(git, memory) == before
    check(git, memory)


@pytest.mark.parametrize("actor", [Actor("model", agent="x"), Actor("run"), Actor("import")])
def test_only_a_person_takes_back(memory: Path, actor: Actor) -> None:
    with pytest.raises(Refused, match=f"a {actor.kind} may not take back operations; a person does"):
        undo(str(memory), when=WHEN, actor=actor, environ=os.environ)
    with pytest.raises(Refused, match=f"a {actor.kind} may not make operations again; a person does"):
        redo(str(memory), when=WHEN, actor=actor, environ=os.environ)


def test_a_conflict_record_is_no_operation(memory: Path, git: Git) -> None:
    """It changed nothing; the merge that settled it did."""
    read = blob_id((memory / "m.md").read_bytes())
    put(memory, "A", "a2\n")
    with pytest.raises(Stale):
        edit(str(memory), "m", when=WHEN, actor=PERSON, environ=os.environ, section="# B", body="x\n", if_revision=read)
    edit(
        str(memory),
        "m",
        when=WHEN,
        actor=PERSON,
        environ=os.environ,
        section="# B",
        body="x\n",
        if_revision=read,
        merge=True,
    )
    record = git("rev-parse", "HEAD^2", cwd=memory).strip()
    with pytest.raises(Refused, match=f"{record[:9]} is a conflict record, which changed nothing"):
        back(memory, record[:9])


@pytest.mark.parametrize("setting", ["true", "input"])
def test_line_ends_that_git_converts_stay_those_of_the_file(memory: Path, git: Git, setting: str) -> None:
    """core.autocrlf: an operation is taken back as it was, and a file with CRLF keeps it."""
    git("config", "core.autocrlf", setting, cwd=memory)
    (memory / "m.md").write_bytes((memory / "m.md").read_bytes().replace(b"\n", b"\r\n"))
    first = put(memory, "A", "a2\n")
    put(memory, "C", "c2\n", WHEN + 1)
    back(memory)
    back(memory, first)
    data = (memory / "m.md").read_bytes()
    assert b"# A\r\n\r\na\r\n" in data
    assert b"c2" not in data
    assert data.count(b"\r\n") == data.count(b"\n")
    check(git, memory)


def test_a_journal_entry_is_taken_back_out_of_its_day(store: Path, git: Git, save: Save) -> None:
    """Entries of others stay; what the merge of a day would keep is not silently kept."""
    day = "journal/2026-11-30.md"
    save(day, "## 09:00\n\none\n")
    two = save(day, "## 09:00\n\none\n\n## 10:00\n\ntwo\n").commit
    save(day, "## 09:00\n\none\n\n## 10:00\n\ntwo\n\n## 11:00\n\nthree\n")
    back(store, two)
    text = (store / day).read_text()
    assert "two" not in text
    assert "one" in text
    assert "three" in text


def test_the_last_operation_of_a_long_history_is_found_without_walking_it(
    store: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Undo without a name, and of a recent commit, read a handful of 3,000 commits."""
    body = "".join(
        f"commit refs/heads/main\ncommitter A <a@b> {WHEN + number} +0000\ndata 2\nm\n"
        f"M 100644 inline a.md\ndata 5\n{number:04}\n\n"
        for number in range(3000)
    )
    git("fast-import", "--quiet", cwd=store, stdin=body)
    git("reset", "-q", "--hard", cwd=store)
    new(store, "last", when=WHEN + 4000)
    read: list[str] = []
    with open_repo(str(store)) as repo:
        plain = type(repo.objects).read_any

        def counting(objects: object, name: str) -> tuple[str, bytes]:
            read.append(name)
            return plain(objects, name)  # type: ignore[arg-type]

        monkeypatch.setattr(type(repo.objects), "read_any", counting)
        last = next(standing(repo)).commit
        assert find_operation(repo, last.id[:12]).id == last.id
    assert len(set(read)) < 10


NAMES = ["x", "y", "z"]
ACTIONS = st.one_of(
    st.tuples(st.just("new"), st.sampled_from(NAMES), st.sampled_from(["one\n", "two\n"])),
    st.tuples(st.just("edit"), st.sampled_from([*NAMES, "m"]), st.sampled_from(["A", "B", "C"])),
    st.tuples(st.just("archive"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("restore"), st.sampled_from(NAMES), st.just("")),
    st.tuples(st.just("hand"), st.just("m"), st.sampled_from(["A", "B", "C"])),
    st.tuples(st.just("undo"), st.just(""), st.integers(0, 9).map(str)),
    st.tuples(st.just("redo"), st.just(""), st.just("")),
)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, min_size=3, max_size=9))
def test_any_operations_are_taken_back_exactly_or_not_at_all(
    tmp_path_factory: pytest.TempPathFactory, git: Git, actions: list[tuple[str, str, str]]
) -> None:
    """B8: a refusal writes nothing; undo then redo is the identity; every text stays reachable; git finds no fault."""
    root = tmp_path_factory.mktemp("any")
    git("init", "-q", "-b", "main", str(root))
    (root / "MEMORY.md").write_text("# Memory\n\n")
    remember(str(root), SECTIONS, when=WHEN, actor=PERSON, environ=os.environ, path="m.md")
    said = []
    for number, (kind, name, word) in enumerate(actions, 1):
        when, text = WHEN + number // 2, f"text {number}"
        head = git("rev-parse", "HEAD", cwd=root).strip()
        files = files_of(root)
        common = {"when": when, "actor": PERSON, "environ": os.environ}
        try:
            if kind == "new":
                remember(str(root), f"# {word[:-1].upper()}\n\n{text}\n", name=name, **common)  # type: ignore[arg-type]
                said.append(text)
            elif kind == "edit":
                edit(str(root), name, section=f"# {word}", body=text, **common)  # type: ignore[arg-type]
                said.append(text)
            elif kind == "hand" and (path := root / "m.md").exists():
                path.write_text(path.read_text().replace(f"# {word}\n", f"# {word}\n\n{text}\n"))
            elif kind == "archive":
                archive(str(root), name, reason="old", **common)  # type: ignore[arg-type]
            elif kind == "restore":
                restore(str(root), name, **common)  # type: ignore[arg-type]
            elif kind in ("redo", "hand"):
                redo(str(root), **common)  # type: ignore[arg-type]
            else:
                commits = git("rev-list", "HEAD", cwd=root).split()
                undone = undo(str(root), commits[int(word) % len(commits)], **common)  # type: ignore[arg-type]
                before = git("log", "-1", "--format=%T", undone.commit + "^", cwd=root)
                redo(str(root), undone.commit, **common)  # type: ignore[arg-type]
                assert git("log", "-1", "--format=%T", cwd=root) == before
                undo(str(root), undone.operations[0], **common)  # type: ignore[arg-type]
        except GitmemError:
            assert git("rev-parse", "HEAD", cwd=root).strip() == head
            assert files_of(root) == files
        git("fsck", "--strict", cwd=root)
    texts = git("log", "--all", "-p", "-m", "--format=", cwd=root)
    assert [text for text in said if f"+{text}\n" not in texts] == []


def last_of(machine: Machine, **more: object) -> Undone:
    return undo(str(machine.root), when=machine.now(), actor=PERSON, environ=machine.environ, **more)  # type: ignore[arg-type]


@pytest.mark.cgit
def test_undo_without_a_name_takes_back_ones_own_and_names_what_is_newer(ada: Machine, bo: Machine) -> None:
    """What another person did, and what the same person did on another machine, is never taken back unasked."""
    ada.remember("port", "Billing listens on 8443.")
    ada.sync()
    bo.sync()
    bo.remember("other", "by the other machine")
    theirs = bo.head()[:10]
    bo.sync()
    ada.sync()
    done = last_of(ada)
    assert done.subjects == ("remember: port",)
    said = f"the last operation, {theirs} (remember: other), is bo's; it stays, to take it back: gitmem undo {theirs}"
    assert said in done.notes
    assert (ada.root / "other.md").exists()
    (ada.root / "mine.md").write_text("by hand\n")
    ada.git("add", "mine.md", cwd=ada.root)
    ada.git("commit", "-qm", "mine", cwd=ada.root)
    mine = ada.head()[:10]
    (said,) = (note for note in last_of(ada).notes if "last change" in note)
    assert said.startswith(f"the last change, {mine} (mine), is your own edit (and 1 more before it); it stays")
    ada.remember("later", "by ada")
    ada.sync()
    bo.sync()
    assert last_of(bo).subjects == ("remember: other",)
    with pytest.raises(Refused, match=r"no operation made on this machine is left .*, is ada's") as refused:
        last_of(bo)
    assert refused.value.hint.startswith("gitmem undo ")


@pytest.mark.cgit
def test_the_same_person_on_another_machine_is_told_by_where_it_was_made(ada: Machine, bo: Machine) -> None:
    bo.who = "ada"
    bo.remember("other", "by the other machine")
    bo.sync()
    ada.sync()
    done = last_of(ada)
    assert done.subjects == ("remember: deploy",)
    assert "(remember: other), came by sync; it stays" in "".join(done.notes)
    ada.sync()
    bo.sync()
    with pytest.raises(Refused, match="came by sync"):
        redo(str(bo.root), when=bo.now(), actor=PERSON, environ=bo.environ)


@pytest.mark.cgit
def test_a_conflict_that_both_settled_opens_when_both_take_that_back(ada: Machine, bo: Machine) -> None:
    """And whoever takes back one of the two is told of the other."""
    for machine in (ada, bo):
        machine.edit("deploy", f"# Deploy\n\nBack up first, says {machine.who}.\n")
    for machine in (ada, bo, ada):
        machine.sync()
    (name,) = ada.conflicts()
    for machine, way in ((ada, "theirs"), (bo, "both")):
        resolve(str(machine.root), name, way, when=machine.now(), actor=PERSON, environ=machine.environ)
    for machine in (ada, bo, ada):
        machine.sync()
    for machine, other in ((ada, "bo"), (bo, "ada")):
        said = "".join(last_of(machine).notes)
        assert f"conflict {name} is open again, until the next sync: {other}'s " in said
        assert "take that back as well: gitmem undo " in said
    for machine in (ada, bo, ada):
        machine.sync()
    assert all(name in machine.conflicts() for machine in (ada, bo))
