"""One write: the commit, the branch, the index, the work file and both reflogs agree, judged by C git."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadName, FormatTooNew, NoStore, RepositoryBusy, RepositoryDamaged, StoreUnwritable
from gitmem.history.commit import FileChange
from gitmem.history.index_draft import FIND_BYTES
from gitmem.history.repo import create_repo
from gitmem.write.apply import Applied, apply
from gitmem.write.change import Actor, Change, Reader

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
ADA = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


def agrees(git: Git, root: Path) -> None:
    """Ordinary git finds nothing to complain about and nothing to commit."""
    assert git("status", "--porcelain", cwd=root) == ""
    assert git("fsck", "--strict", "--no-dangling", cwd=root) == ""
    assert git("write-tree", cwd=root) == git("rev-parse", "HEAD^{tree}", cwd=root)


def test_a_first_write_is_one_commit_that_git_agrees_with(store: Path, save: Save, git: Git) -> None:
    """B1: every write is one commit: subject, reason, trailers."""
    text = "---\nmetadata:\n  trust: candidate\n---\nmigrate first\n"
    applied = save("deploy.md", text, reason="said in review", actor=Actor("model", "claude-code", "s-1"))

    agrees(git, store)
    assert git("rev-parse", "HEAD", cwd=store).strip() == applied.commit
    assert git("rev-parse", "HEAD:deploy.md", cwd=store).strip() == applied.paths["deploy.md"]
    assert git("log", "-1", "--format=%B", cwd=store).strip() == (
        "remember: deploy.md\n\nsaid in review\n\nGitmem-Op: remember\nGitmem-Memory: deploy.md\n"
        "Gitmem-Actor: model\nGitmem-Agent: claude-code\nGitmem-Session: s-1"
    )
    assert git("log", "-1", "--format=%an <%ae> %cn %ct", cwd=store) == (
        f"claude-code <model@gitmem.invalid> gitmem {WHEN}\n"
    )


def test_branch_and_head_have_their_reflogs(store: Path, save: Save, git: Git) -> None:
    """Branch and HEAD reflogs are written, so that git's own undo works."""
    save("a.md", "one\n")
    save("a.md", "two\n")
    for ref in ("HEAD", "main"):
        assert git("reflog", "--format=%gs", ref, cwd=store) == "gitmem: remember: a.md\n" * 2
    assert git("show", "HEAD@{1}:a.md", cwd=store) == "one\n"


def test_a_change_names_the_revision_it_was_made_from(store: Path, save: Save, git: Git) -> None:
    """B1: the base version stands in the commit."""
    first = save("a.md", "one\n")
    save("a.md", "two\n")
    base = git("log", "-1", "--format=%(trailers:key=Gitmem-Base,valueonly)", cwd=store)
    assert base.strip() == first.paths["a.md"]


def test_a_write_that_changes_nothing_makes_no_commit(store: Path, save: Save, git: Git) -> None:
    """No empty commit."""
    save("a.md", "one\n")
    again = save("a.md", "one\n")
    assert again.commit == ""
    assert git("rev-list", "--count", "HEAD", cwd=store) == "1\n"


@pytest.mark.parametrize(
    "path",
    ["记忆/数据库.md", "with space.md", 'with "quotes" & more.md', "[x]/-rf#1.md", "é/ü.md", "deep/er/and/deeper/a.md"],
)
def test_any_name_a_person_likes_is_written_and_removed_again(store: Path, save: Save, git: Git, path: str) -> None:
    """No name is special."""
    save("a/first.md", "one\n")
    if path.startswith('with "'):
        (store / path).write_text("by hand\n")  # gitmem itself would not choose such a name
    save(path, "two\n")
    agrees(git, store)
    assert git("show", f"HEAD:{path}", cwd=store) == "two\n"
    save(path, None, operation="archive")
    agrees(git, store)
    assert not (store / path).exists()
    assert git("ls-files", "-z", cwd=store) == "a/first.md\0"


def test_many_folders_keep_the_cached_trees_right(store: Path, save: Save, git: Git) -> None:
    """`git write-tree` equals HEAD's tree after each kind of change."""
    for path in ("b.md", "b/one.md", "b-c/x.md", "b/two/y.md", "a.md", "b/one.md", "c/d/e/f.md"):
        save(path, f"{path} {os.urandom(4).hex()}\n")
        agrees(git, store)
    git("read-tree", "HEAD", cwd=store)
    git("update-index", "--refresh", cwd=store)
    for path in ("b/two/y.md", "c/d/e/f.md", "b.md"):
        save(path, None)
        agrees(git, store)


def test_staged_and_dirty_files_are_never_swept_in(store: Path, save: Save, git: Git) -> None:
    """B10: the person's staged and dirty work stays exactly as it was."""
    save("a.md", "one\n")
    save("dirty.md", "clean\n")
    (store / "dirty.md").write_text("half-done\n")
    (store / "staged.txt").write_text("mine\n")
    (store / "untracked.txt").write_text("mine too\n")
    git("add", "staged.txt", cwd=store)
    before = git("status", "--porcelain", cwd=store)

    save("a.md", "two\n")
    save("new/b.md", "three\n")

    assert git("status", "--porcelain", cwd=store) == before
    assert git("show", "--name-only", "--format=", "HEAD", cwd=store) == "new/b.md\n"
    assert (store / "dirty.md").read_text() == "half-done\n"
    git("commit", "-qm", "mine", cwd=store)
    assert git("show", "--name-only", "--format=", "HEAD", cwd=store) == "staged.txt\n"


def test_a_hand_edit_is_committed_first_as_the_persons_own(store: Path, save: Save, git: Git) -> None:
    """B10: nothing a person typed is overwritten."""
    git("config", "user.name", "Ada", cwd=store)
    git("config", "user.email", "ada@example.org", cwd=store)
    save("a.md", "one\n")
    (store / "a.md").write_text("by hand\n")

    applied = save("a.md", "by model\n", actor=Actor("person", "claude-code"))

    assert applied.hand_edits == ("a.md",)
    assert git("show", "HEAD~1:a.md", cwd=store) == "by hand\n"
    assert git("log", "-1", "--format=%an %s", "HEAD~1", cwd=store) == "Ada hand edit: a.md\n"
    agrees(git, store)


def test_what_was_staged_and_then_changed_again_is_in_history_too(store: Path, save: Save, git: Git) -> None:
    """B10: a staged version of the same file is the person's work as well."""
    save("a.md", "one\n")
    (store / "a.md").write_text("staged\n")
    git("add", "a.md", cwd=store)
    (store / "a.md").write_text("and more\n")

    save("a.md", "gitmem\n")

    texts = [git("show", f"HEAD~{back}:a.md", cwd=store) for back in (3, 2, 1, 0)]
    assert texts == ["one\n", "staged\n", "and more\n", "gitmem\n"]
    agrees(git, store)


def test_a_file_a_person_saves_while_gitmem_writes_is_not_lost(store: Path, save: Save, git: Git) -> None:
    """B10: what was read is checked again; the change is made anew from what the person saved."""
    save("a.md", "one\n")
    calls = []

    def make(reader: Reader) -> list[FileChange]:
        old = reader.read("a.md") or b""
        if not calls:
            (store / "a.md").write_text("saved meanwhile\n")
        calls.append(old)
        return [FileChange("a.md", old + b"added\n")]

    applied = apply(str(store), Change("edit", "a", "", Actor("person"), make), WHEN, os.environ)

    assert calls == [b"one\n", b"saved meanwhile\n"]
    assert applied.hand_edits == ("a.md",)
    assert git("show", "HEAD:a.md", cwd=store) == "saved meanwhile\nadded\n"
    agrees(git, store)


def test_an_editor_that_saves_in_place_at_the_last_moment_wins_its_text_back(store: Path, save: Save, git: Git) -> None:
    """The same, for a file written to with its inode kept and its size unchanged."""
    save("a.md", "one\n")
    first = True

    def make(reader: Reader) -> list[FileChange]:
        nonlocal first
        old = reader.read("a.md") or b""
        if first:
            first = False
            with open(store / "a.md", "r+b") as file:
                file.write(b"eno\n")
        return [FileChange("a.md", old + b"added\n")]

    apply(str(store), Change("edit", "a", "", Actor("person"), make), WHEN, os.environ)
    assert git("show", "HEAD:a.md", cwd=store) == "eno\nadded\n"
    assert git("show", "HEAD~1:a.md", cwd=store) == "eno\n"


def test_the_mode_of_a_file_is_kept(store: Path, save: Save, git: Git) -> None:
    """A person's executable or private file stays what it was."""
    save("a.md", "one\n")
    os.chmod(store / "a.md", 0o600)
    save("a.md", "two\n")
    assert stat.S_IMODE((store / "a.md").stat().st_mode) == 0o600
    agrees(git, store)


def test_objects_and_refs_that_git_packed_are_read(store: Path, save: Save, git: Git) -> None:
    """B11: an ordinary `git gc` changes nothing for gitmem."""
    for number in range(5):
        save(f"m/{number}.md", f"{number}\n")
    git("gc", "-q", "--prune=now", cwd=store)
    assert not (store / ".git/refs/heads/main").exists()
    save("m/2.md", "changed\n")
    save("m/9.md", "new\n")
    agrees(git, store)
    assert git("rev-list", "--count", "HEAD", cwd=store) == "7\n"


def test_a_branch_that_is_another_name_for_a_branch_stays_one(store: Path, save: Save, git: Git) -> None:
    """`git symbolic-ref` keeps an old branch name alive; the commit goes where it points."""
    save("a.md", "one\n")
    git("branch", "-m", "main", "trunk", cwd=store)
    git("symbolic-ref", "refs/heads/main", "refs/heads/trunk", cwd=store)
    git("symbolic-ref", "HEAD", "refs/heads/main", cwd=store)
    save("a.md", "two\n")
    agrees(git, store)
    assert git("symbolic-ref", "refs/heads/main", cwd=store) == "refs/heads/trunk\n"
    assert git("show", "trunk:a.md", cwd=store) == "two\n"


def test_a_submodule_is_a_store_like_any_other(store: Path, save: Save, git: Git, tmp_path: Path) -> None:
    save("a.md", "one\n")
    outer = tmp_path / "outer"
    git("init", "-q", str(outer))
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "-b", "main", str(store), "notes", cwd=outer)
    save("b.md", "two\n", root=outer / "notes")
    agrees(git, outer / "notes")
    assert git("log", "--format=%s", cwd=outer / "notes") == "remember: b.md\nremember: a.md\n"


def test_a_linked_worktree_writes_to_its_own_branch(store: Path, save: Save, git: Git, tmp_path: Path) -> None:
    """Worktrees share objects, each has its own index, HEAD and branch."""
    save("a.md", "one\n")
    review = tmp_path / "review"
    git("worktree", "add", "-q", str(review), "-b", "review", cwd=store)
    save("b.md", "two\n", root=review)
    agrees(git, review)
    agrees(git, store)
    assert git("rev-parse", "review^", cwd=store) == git("rev-parse", "main", cwd=store)


def test_a_separate_git_dir_works_also_on_another_disk(save: Save, git: Git, tmp_path: Path) -> None:
    """`--separate-git-dir`, here on a file system of its own where there is one."""
    other = Path("/dev/shm") / f"gitmem-test-{os.getpid()}"
    place = other if os.access("/dev/shm", os.W_OK) else tmp_path / "other"
    root = tmp_path / "work"
    try:
        git("init", "-q", "--separate-git-dir", str(place), str(root))
        save("n/a.md", "one\n", root=root)
        save("n/a.md", "two\n", root=root)
        agrees(git, root)
        assert sorted(name for name in os.listdir(root / "n")) == ["a.md"]
    finally:
        shutil.rmtree(place, ignore_errors=True)


@pytest.mark.parametrize("version", ["3", "4"])
def test_every_version_of_the_index_is_written(store: Path, save: Save, git: Git, version: str) -> None:
    """Version 4 is left to git's own program; a 3 has extended entries."""
    save("a.md", "one\n")
    if version == "3":
        (store / "later.txt").write_text("x\n")
        git("add", "-N", "later.txt", cwd=store)
    else:
        git("update-index", "--index-version", "4", cwd=store)
    save("b/c.md", "two\n")
    save("a.md", None)
    assert (store / ".git/index").read_bytes()[4:8] == bytes([0, 0, 0, int(version)])
    expected = " A later.txt\n" if version == "3" else ""
    assert git("status", "--porcelain", cwd=store) == expected
    git("fsck", "--strict", cwd=store)


def test_a_split_index_stays_readable(store: Path, save: Save, git: Git) -> None:
    save("a.md", "one\n")
    git("update-index", "--split-index", cwd=store)
    save("b.md", "two\n")
    assert git("status", "--porcelain", cwd=store) == ""


def test_without_a_git_program_everything_works(
    store: Path, save: Save, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """B11; only an index that needs git's own program is refused, with what to do."""
    path = os.environ["PATH"]
    monkeypatch.setenv("PATH", str(tmp_path))
    save("a.md", "one\n")
    save("b/c.md", "two\n")
    monkeypatch.setenv("PATH", path)
    agrees(git, store)
    git("update-index", "--index-version", "4", cwd=store)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RepositoryBusy, match="version 4") as refused:
        save("c.md", "three\n")
    assert "--index-version 2" in refused.value.hint
    assert not (store / "c.md").exists()


def test_a_missing_index_is_made_from_head(store: Path, save: Save, git: Git) -> None:
    """A branch must never move under an index that lacks its files: the next commit would delete them."""
    save("a.md", "one\n")
    save("b/c.md", "two\n")
    (store / ".git/index").unlink()
    save("d.md", "three\n")
    agrees(git, store)


def test_in_a_clone_without_a_checkout_a_write_leaves_the_other_memories_to_the_next_commit(
    store: Path, save: Save, git: Git, tmp_path: Path
) -> None:
    """Git has no index there yet, and the files are not on disk."""
    save("a.md", "one\n")
    save("b/c.md", "two\n")
    other = tmp_path / "other"
    git("clone", "-q", "--no-checkout", str(store), str(other))
    change = Change("remember", "d.md", "", Actor("person"), lambda _: [FileChange("d.md", b"three\n")])
    apply(str(other), change, WHEN, os.environ)
    git("commit", "-q", "--allow-empty", "-m", "mine", cwd=other)
    files = git("ls-tree", "-r", "--name-only", "HEAD", cwd=other).split()
    assert files == git("ls-files", cwd=other).split()
    assert {"a.md", "b/c.md", "d.md"} <= set(files)
    git("restore", ".", cwd=other)
    agrees(git, other)


def test_an_edit_in_the_second_of_the_last_write_stays_visible_to_git(store: Path, save: Save, git: Git) -> None:
    """racy-git: gitmem's younger index must not hide an edit of equal length."""
    save("a.md", "one\n")
    found = (store / "a.md").stat()
    (store / "a.md").write_text("two\n")
    os.utime(store / "a.md", ns=(found.st_atime_ns, found.st_mtime_ns + 1))
    index = store / ".git/index"
    os.utime(index, ns=(found.st_atime_ns, found.st_mtime_ns))
    save("b.md", "x\n")
    os.utime(index, ns=(found.st_atime_ns, found.st_mtime_ns + 5_000_000_000))
    assert git("status", "--porcelain", cwd=store) == " M a.md\n"


def test_an_edit_between_two_writes_of_one_process_stays_visible_to_git(store: Path, save: Save, git: Git) -> None:
    """The process remembers which entries are young in the large index it left, and looks at those again."""
    index, path = store / ".git/index", store / "a.md"
    blob = git("hash-object", "-w", "--stdin", cwd=store, stdin="x").strip()
    rows = "".join(f"100644 {blob}\tz/{number:0120}.md\n" for number in range(15_000))
    git("update-index", "--index-info", cwd=store, stdin=rows)
    assert index.stat().st_size > 4 * FIND_BYTES
    for number in range(10, 99):
        save("a.md", f"{number}\n")
        save("c.md", f"{number}\n")
        found = path.stat()
        if found.st_mtime_ns // 10**9 == index.stat().st_mtime_ns // 10**9:
            break
    path.write_text("xx\n")
    os.utime(path, ns=(found.st_atime_ns, found.st_mtime_ns + 1))
    save("b.md", "x\n")
    os.utime(index, ns=(found.st_atime_ns, found.st_mtime_ns + 5_000_000_000))
    assert git("status", "--porcelain", "--", "a.md", cwd=store) == " M a.md\n"


@pytest.mark.parametrize(
    ("begin", "name", "end"),
    [
        (("rebase", "other"), "a rebase", "git rebase --continue"),
        (("merge", "other"), "a merge", "git commit"),
        (("cherry-pick", "other"), "a cherry-pick", "git cherry-pick --continue"),
        (("revert", "HEAD~1"), "a revert", "git revert --continue"),
    ],
)
def test_an_operation_of_git_under_way_is_named_with_how_to_end_it(
    store: Path, save: Save, git: Git, begin: tuple[str, ...], name: str, end: str
) -> None:
    """Refused, nothing lost, nothing touched."""
    save("a.md", "one\n")
    save("a.md", "two\n")
    git("branch", "other", cwd=store)
    save("a.md", "three\n")
    git("switch", "-q", "other", cwd=store)
    (store / "a.md").write_text("four\n")
    git("commit", "-qam", "four", cwd=store)
    git("switch", "-q", "main", cwd=store)
    git(*begin, cwd=store, check=False)
    before = git("status", "--porcelain", cwd=store)
    assert before

    with pytest.raises(RepositoryBusy, match=f"{name} is under way") as refused:
        save("b.md", "new\n")

    assert "and a.md is unmerged; nothing was written" in refused.value.message
    here = f"git -C {store} "
    said = f"settle what is unmerged, then: {here}add -- a.md && {end.replace('git ', here)}"
    assert refused.value.hint.startswith(said)
    assert git("status", "--porcelain", cwd=store) == before
    assert not (store / "b.md").exists()

    (store / "a.md").write_text("settled\n")
    for command in refused.value.hint.partition("then: ")[2].partition("   (")[0].split(" && "):
        git("-c", "core.editor=true", *command.split()[1:], cwd=store)
    save("b.md", "new\n")


def test_of_many_unmerged_files_some_are_named_and_git_lists_the_others(store: Path, save: Save, git: Git) -> None:
    for number in range(7):
        save(f"{number}.md", "one\n")
    git("branch", "other", cwd=store)
    for number in range(7):
        save(f"{number}.md", "two\n")
    git("switch", "-q", "other", cwd=store)
    for number in range(7):
        (store / f"{number}.md").write_text("three\n")
    git("commit", "-qam", "three", cwd=store)
    git("switch", "-q", "main", cwd=store)
    git("merge", "other", cwd=store, check=False)
    with pytest.raises(RepositoryBusy) as refused:
        save("b.md", "new\n")
    assert "and 0.md, 1.md, 2.md, 3.md, 4.md and 2 more are unmerged; nothing was written" in refused.value.message
    assert refused.value.hint == (
        f"settle each of them (see them all: git -C {store} status), git add it, then: git -C {store} commit"
        f"   (or: git -C {store} merge --abort)"
    )


def test_a_bisect_and_a_detached_head_are_named(store: Path, save: Save, git: Git) -> None:
    save("a.md", "one\n")
    git("switch", "-q", "--detach", cwd=store)
    with pytest.raises(RepositoryBusy, match="HEAD is detached") as refused:
        save("a.md", "two\n")
    assert refused.value.hint == f"git -C {store} switch main"
    git("bisect", "start", cwd=store)
    with pytest.raises(RepositoryBusy, match="a bisect") as refused:
        save("a.md", "two\n")
    assert refused.value.hint == f"git -C {store} bisect reset"


def test_an_unmerged_file_is_named_and_others_are_written(store: Path, save: Save, git: Git) -> None:
    """A stash that did not apply leaves unmerged entries without any operation under way; they must survive."""
    save("a.md", "one\n")
    save("b.md", "b\n")
    (store / "a.md").write_text("stashed\n")
    git("stash", cwd=store)
    save("a.md", "two\n")
    git("stash", "pop", cwd=store, check=False)
    unmerged = git("ls-files", "-u", cwd=store)
    assert unmerged

    save("b.md", "b2\n")
    assert git("ls-files", "-u", cwd=store) == unmerged
    with pytest.raises(RepositoryBusy, match=r"a\.md has an unresolved merge") as refused:
        save("a.md", "three\n")
    assert f"git -C {store} add -- a.md" in refused.value.hint


def test_a_lock_left_behind_is_named_with_its_age_and_never_removed(store: Path, save: Save, git: Git) -> None:
    """An old index.lock is said at once, with what to type."""
    save("a.md", "one\n")
    lock = store / ".git/index.lock"
    lock.touch()
    os.utime(lock, (lock.stat().st_mtime - 7200,) * 2)
    with pytest.raises(RepositoryBusy, match="left behind 2 hours ago") as refused:
        save("a.md", "two\n")
    assert refused.value.hint.endswith(f": rm {lock}")
    assert lock.exists()
    assert (store / "a.md").read_text() == "one\n"
    lock.unlink()
    save("a.md", "two\n")
    agrees(git, store)


def test_a_young_foreign_lock_is_waited_for(store: Path, save: Save, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never delete a young lock; say who is waited for when the time is up."""
    save("a.md", "one\n")
    monkeypatch.setattr("gitmem.history.hold.GIT_LOCK_TIMEOUT_S", 0.05)
    lock = store / ".git/refs/heads/main.lock"
    lock.touch()
    with pytest.raises(RepositoryBusy, match=r"another git program holds .*main\.lock"):
        save("a.md", "two\n")
    assert lock.exists()
    assert git("status", "--porcelain", cwd=store) == ""


@pytest.mark.parametrize("version", ["2", "4"])
def test_no_program_of_the_repository_runs(store: Path, save: Save, git: Git, tmp_path: Path, version: str) -> None:
    """L1: hooks, filters, monitors and signing of a stranger's repository stay still."""
    trap = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{trap}'\nexit 1\n")
    program.chmod(0o755)
    save("a.md", "one\n")
    git("update-index", "--index-version", version, cwd=store)
    hooks = store / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "post-commit", "commit-msg", "reference-transaction", "post-index-change"):
        shutil.copy(program, hooks / name)
    config = store / ".git/config"
    clean = config.read_bytes()
    for key, value in {
        "core.fsmonitor": str(program), "filter.x.clean": str(program), "filter.x.required": "true",
        "commit.gpgsign": "true", "gpg.program": str(program), "core.editor": str(program),
        "core.sshCommand": str(program), "diff.external": str(program), "core.pager": str(program),
    }.items():  # fmt: skip
        git("config", key, value, cwd=store)
    (store / ".gitattributes").write_text("*.md filter=x\n")
    trap.unlink(missing_ok=True)
    save("a.md", "two\n")
    save("b.md", "three\n")
    save("a.md", "four\n")
    assert not trap.exists()
    config.write_bytes(clean)
    shutil.rmtree(hooks)
    git("fsck", "--strict", cwd=store)
    assert git("show", "HEAD:a.md", cwd=store) == "four\n"


def test_a_symbolic_link_is_refused_and_not_followed(store: Path, save: Save, tmp_path: Path) -> None:
    """A10: a memory that is a link, or lies behind one, is neither read nor written."""
    save("a.md", "one\n")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text("secret\n")
    (store / "link.md").symlink_to(outside / "secret.md")
    (store / "folder").symlink_to(outside)
    for path in ("link.md", "folder/secret.md"):
        with pytest.raises(BadName, match="symbolic link"):
            save(path, "changed\n")
    assert (outside / "secret.md").read_text() == "secret\n"


def test_a_foreign_format_is_refused_by_name(tmp_path: Path, save: Save, git: Git) -> None:
    """SHA-256 and reftable repositories, and a folder that is no repository."""
    root = tmp_path / "sha256"
    git("init", "-q", "--object-format=sha256", str(root))
    with pytest.raises(RepositoryDamaged, match="sha256"):
        save("a.md", "one\n", root=root)
    root = tmp_path / "reftable"
    create_repo(str(root)).close()
    for key, value in (("core.repositoryformatversion", "1"), ("extensions.refstorage", "reftable")):
        git("config", "-f", str(root / ".git/config"), key, value)
    with pytest.raises(RepositoryDamaged, match="reftable"):
        save("a.md", "one\n", root=root)
    with pytest.raises(NoStore) as refused:
        save("a.md", "one\n", root=tmp_path / "nothing")
    assert refused.value.hint == f"gitmem init {tmp_path / 'nothing'}"


def test_a_store_of_a_newer_gitmem_is_not_touched(store: Path, save: Save, git: Git) -> None:
    """A store carries a format number; newer is refused by name."""
    save("a.md", "one\n")
    (store / ".gitmem").mkdir()
    (store / ".gitmem/config.yaml").write_text("format: 99\n")
    with pytest.raises(FormatTooNew, match="format 99"):
        save("a.md", "two\n")
    (store / ".gitmem/config.yaml").write_text("# mine\nformat: 1\n")
    save("a.md", "two\n")


def test_a_failing_search_index_does_not_undo_the_write(store: Path, save: Save, git: Git) -> None:
    """Promised in docs/store.md: failure there is logged, the commit stands."""
    folder = store / ".git/gitmem/index.sqlite"
    folder.mkdir(parents=True)
    (folder / "in-the-way").touch()
    applied = save("a.md", "one\n")
    assert git("rev-parse", "HEAD", cwd=store).strip() == applied.commit
    assert '"event": "index"' in (store / ".git/gitmem/events.jsonl").read_text()


def test_an_unreadable_object_is_said_and_nothing_is_written(store: Path, save: Save, git: Git) -> None:
    """RepositoryDamaged names the object; what is on disk stays."""
    save("a.md", "one\n")
    tree = git("rev-parse", "HEAD^{tree}", cwd=store).strip()
    path = store / ".git/objects" / tree[:2] / tree[2:]
    path.chmod(0o600)
    path.write_bytes(b"rubbish")
    with pytest.raises(RepositoryDamaged, match=tree[2:]):
        save("b.md", "two\n")
    assert not (store / "b.md").exists()


def test_a_read_only_git_folder_is_said_with_its_path(store: Path, save: Save) -> None:
    save("a.md", "one\n")
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere; the read-only mount in test_faults.py covers it")
    os.chmod(store / ".git", 0o500)
    try:
        with pytest.raises(StoreUnwritable, match="may not write"):
            save("b.md", "two\n")
    finally:
        os.chmod(store / ".git", 0o700)


@pytest.mark.parametrize(("mark", "sign"), [("--skip-worktree", "S"), ("--assume-unchanged", "h")])
@pytest.mark.parametrize("version", ["2", "4"])
def test_a_persons_mark_in_the_index_survives_a_write(
    store: Path, save: Save, git: Git, mark: str, sign: str, version: str
) -> None:
    """docs/store.md: nothing else of the person's is touched."""
    save("a.md", "one\n")
    git("update-index", "--index-version", version, cwd=store)
    git("update-index", mark, "a.md", cwd=store)

    save("a.md", "two\n", operation="edit")

    assert git("ls-files", "-v", "a.md", cwd=store) == f"{sign} a.md\n"
    assert git("show", ":a.md", cwd=store) == "two\n"
    git("update-index", mark.replace("--", "--no-"), "a.md", cwd=store)
    assert git("status", "--porcelain", cwd=store) == ""
    git("fsck", "--strict", cwd=store)
