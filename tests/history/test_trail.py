"""The history index: the same commits as git shows, across names, whatever happens to the repository or the index."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history import trail_tree
from gitmem.history.commit import FileChange
from gitmem.history.gone import gone_paths
from gitmem.history.log import revisions
from gitmem.history.repo import open_repo
from gitmem.history.trail import history, present_path
from gitmem.history.trail_operations import Operation, operations
from gitmem.history.trail_plain import PlainSource
from gitmem.history.trail_tree import TreeDiffs, revision_of
from gitmem.history.trail_walk import Touch, walk
from gitmem.history.tree import decode, encode, tree_files
from gitmem.write.apply import apply
from gitmem.write.change import Actor, Change

Git = Callable[..., str]
FULL = ("--full-history", "--simplify-merges", "--date-order")  # what a history promises, in git's words
NOON = 1_795_953_600  # 2026-11-29T12:00:00Z
ABOUT = "\n".join(f"line {number} of what is known about it" for number in range(12)) + "\n"


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    git("init", "-q", "-b", "main", str(tmp_path / "store"))
    return tmp_path / "store"


@pytest.fixture
def commit(root: Path, git: Git) -> Callable[..., str]:
    """``commit("a.md", "text")`` writes files (None removes one) and commits them a minute after the one before."""
    clock = iter(range(NOON, NOON + 600_000, 60))

    def make(*pairs: str | None, message: str = "x") -> str:
        for path, text in zip(pairs[::2], pairs[1::2], strict=True):
            full = root / str(path)
            if text is None:
                full.unlink()
            else:
                full.parent.mkdir(parents=True, exist_ok=True)
                full.write_text(text)
        git("add", "-A", cwd=root)
        os.environ["GIT_COMMITTER_DATE"] = f"{next(clock)} +0000"
        git("commit", "-q", "--allow-empty", "-m", message, cwd=root)
        return git("rev-parse", "HEAD", cwd=root).strip()

    yield make
    os.environ.pop("GIT_COMMITTER_DATE", None)


def index(root: Path) -> Path:
    return root / ".git" / "gitmem" / "history.sqlite"


def ids(root: Path, path: str) -> list[str]:
    with open_repo(str(root)) as repo:
        return [one.commit for one in revisions(repo, path)]


def plainly(root: Path, path: str) -> list[Touch]:
    """The same question without the index."""
    with open_repo(str(root)) as repo:
        return list(walk(PlainSource(repo), repo.head()[1], encode(path)))


def logged(git: Git, root: Path, path: str, *words: str) -> list[str]:
    return git("log", *FULL, "--format=%H", *words, "--", path, cwd=root).split()


def tangled(root: Path, seed: int) -> None:
    """A history of 60 commits on up to four branches with merges of all kinds, made by git fast-import's plumbing."""
    rng = random.Random(seed)
    out: list[str] = []
    tips: list[tuple[int, dict[str, str]]] = []
    for mark in range(1, 61):
        base = rng.choice(tips[-4:]) if tips else (0, {})
        files, parents = dict(base[1]), [base[0]] if base[0] else []
        if len(tips) > 3 and rng.random() < 0.3:
            other = rng.choice(tips[-6:])
            if other[0] not in parents:
                parents.append(other[0])
                files = {**files, **{path: text for path, text in other[1].items() if rng.random() < 0.7}}
        if len(parents) < 2 or rng.random() < 0.3:
            path = rng.choice(["a.md", "m/b.md", "m/c.md"])
            if path in files and rng.random() < 0.15:
                del files[path]
            else:
                files[path] = f"{path} {rng.randrange(6)}\n"
        out.append(f"commit refs/heads/main\nmark :{mark}\ncommitter Ada <a@example.org> {NOON + mark * 60} +0000")
        out.append(f"data {len(str(mark))}\n{mark}")
        out += [f"{'from' if not at else 'merge'} :{parent}" for at, parent in enumerate(parents)] or []
        out.append("deleteall")
        for path, text in files.items():
            out.append(f"M 100644 inline {path}\ndata {len(text)}\n{text}")
        out.append("")
        tips.append((mark, files))
    (root / "stream").write_text("\n".join(out))


@pytest.mark.parametrize("seed", range(12))
def test_a_tangled_history_reads_as_git_log_reads_it(root: Path, git: Git, seed: int) -> None:
    """B8: every change on every branch, and the merges that decided something, by the index and without it."""
    tangled(root, seed)
    git("fast-import", "--quiet", "--force", cwd=root, stdin=(root / "stream").read_text())
    for path in ("a.md", "m/b.md", "m/c.md"):
        theirs = logged(git, root, path)
        with open_repo(str(root)) as repo:
            ours = [touch for touch in history(repo, path) if touch.path == encode(path)]
        assert [touch.commit for touch in ours] == theirs, path
        assert [touch.commit for touch in plainly(root, path) if touch.path == encode(path)] == theirs
    with open_repo(str(root)) as repo:
        every = list(operations(repo))
    assert [one.commit for one in every] == git("log", "--format=%H", cwd=root).split()
    for one in every[:20]:
        if one.parents:
            changed = git("diff", "--no-renames", "--name-only", one.parents[0], one.commit, cwd=root)
            assert list(one.paths) == changed.split()


def test_a_memory_is_followed_across_renames_archive_and_restore(
    root: Path, git: Git, commit: Callable[..., str]
) -> None:
    """B8: ``git log --follow`` loses a name that was used again; a memory's own history does not."""
    made = [
        commit("a.md", ABOUT),
        commit("other.md", "else\n"),
        commit("a.md", None, "n/b.md", ABOUT.replace("line 3 ", "line three ")),
        commit("n/b.md", None, "archive/n/b.md", "short\n"),
        commit("archive/n/b.md", None, "n/b.md", "quite another text\n"),
        commit("a.md", "a new memory under the old name\n"),
        commit("n/b.md", "quite another text\nand more\n"),
    ]
    with open_repo(str(root)) as repo:
        found = revisions(repo, "n/b.md")
        assert [one.commit for one in found] == [made[6], made[4], made[3], made[2], made[0]]
        assert [(one.move, one.was, one.path) for one in found if one.was] == [
            ("restore", "archive/n/b.md", "n/b.md"), ("archive", "n/b.md", "archive/n/b.md"),
            ("rename", "a.md", "n/b.md"),
        ]  # fmt: skip
        assert [one.commit for one in revisions(repo, "a.md")] == [made[5], made[2], made[0]]
        assert present_path(repo, "a.md") == "a.md"
    assert [touch.commit for touch in plainly(root, "n/b.md")] == [made[6], made[4], made[3], made[2], made[0]]


def named(id: str, text: str) -> str:
    return f"---\nname: {id}\nmetadata:\n  id: 01{id}\n---\n\n{text}\n"


def test_two_memories_that_had_one_path_keep_their_own_histories(
    root: Path, git: Git, commit: Callable[..., str]
) -> None:
    """B8: also where the old name was used again in the commit that renamed, and on a branch that merged it."""
    first = commit("a.md", named("ONE", "first"))
    edited = commit("a.md", named("ONE", "second"))
    git("switch", "-qc", "side", cwd=root)
    side = commit("a.md", named("ONE", "second, by the side"))
    git("switch", "-q", "main", cwd=root)
    moved = commit("b.md", named("ONE", "second"), "a.md", named("TWO", "another"))
    later = commit("a.md", named("TWO", "another, later"))
    git("merge", "-q", "--no-commit", "-s", "ours", "side", cwd=root)
    merge = commit("b.md", named("ONE", "second, by the side"))
    last = commit("b.md", named("TWO", "another, later"), "a.md", named("ONE", "second, by the side"))
    for look in (ids, lambda root, path: [touch.commit for touch in plainly(root, path)]):
        assert set(look(root, "a.md")) == {last, merge, moved, side, edited, first}
        assert look(root, "b.md") == [last, later, moved]
    with open_repo(str(root)) as repo:
        assert next((one.move, one.was) for one in revisions(repo, "a.md") if one.was) == ("rename", "b.md")
        for since, now in ((first, "a.md"), (side, "a.md"), (moved, "b.md"), (merge, "b.md"), (last, "a.md")):
            assert present_path(repo, "a.md", since) == now
        assert present_path(repo, "b.md", merge) == "a.md"


@pytest.mark.parametrize("strategy", ["ours", "theirs"])
def test_what_lost_in_a_merge_stays_in_the_history(
    root: Path, git: Git, commit: Callable[..., str], strategy: str
) -> None:
    """B8, every change of a memory: also one that a merge threw away, and a memory's that was renamed on one side."""
    first = commit("a.md", ABOUT)
    git("switch", "-qc", "side", cwd=root)
    side = commit("a.md", ABOUT.replace("line 9 ", "line nine "))
    git("switch", "-q", "main", cwd=root)
    moved = commit("a.md", None, "b.md", ABOUT.replace("line 2 ", "line two "))
    tree = f"{moved if strategy == 'ours' else side}^{{tree}}"
    merge = git("commit-tree", "-p", moved, "-p", side, "-m", "merge", tree, cwd=root).strip()
    git("reset", "-q", "--hard", merge, cwd=root)
    path = "b.md" if strategy == "ours" else "a.md"
    assert set(ids(root, path)) == {merge, moved, side, first}
    assert {touch.commit for touch in plainly(root, path)} == {merge, moved, side, first}
    git("switch", "-q", "-c", "carrying", "HEAD~1", cwd=root)
    git("merge", "-q", "--no-ff", "-m", "carries", merge, cwd=root)
    carries = git("rev-parse", "HEAD", cwd=root).strip()
    commit("c.md", "c\n")
    assert set(ids(root, path)) == {merge, moved, side, first}, "a merge that only carries is no change"
    assert carries not in {touch.commit for touch in plainly(root, path)}


def test_a_merge_of_a_rename_and_an_edit_shows_both_sides(root: Path, git: Git, commit: Callable[..., str]) -> None:
    """B8: what sync merges stays explained."""
    first = commit("a.md", ABOUT)
    git("switch", "-qc", "side", cwd=root)
    moved = commit("a.md", None, "b.md", ABOUT.replace("line 2 ", "line two "))
    git("switch", "-q", "main", cwd=root)
    edited = commit("a.md", ABOUT.replace("line 9 ", "line nine "))
    git("merge", "-q", "--no-edit", "side", cwd=root)
    merge = git("rev-parse", "HEAD", cwd=root).strip()
    assert set(ids(root, "b.md")) == {merge, moved, edited, first}


def test_the_index_keeps_up_and_other_branches_are_right(root: Path, git: Git, commit: Callable[..., str]) -> None:
    """B8: keyed by commit, so that a switch, a reset and a rewrite are answered from what leads to HEAD."""
    commit("a.md", "1\n")
    commit("a.md", "2\n")
    assert ids(root, "a.md") == logged(git, root, "a.md")
    git("switch", "-qc", "side", "HEAD~1", cwd=root)
    commit("a.md", "3\n")
    assert ids(root, "a.md") == logged(git, root, "a.md")
    git("switch", "-q", "main", cwd=root)
    assert ids(root, "a.md") == logged(git, root, "a.md")
    git("commit", "-q", "--amend", "-m", "amended", cwd=root)
    commit("a.md", "4\n")
    assert ids(root, "a.md") == logged(git, root, "a.md")
    git("reset", "-q", "--hard", "HEAD~2", cwd=root)
    assert ids(root, "a.md") == logged(git, root, "a.md")
    git("switch", "-q", "--orphan", "new", cwd=root)
    commit("b.md", "b\n")
    assert ids(root, "a.md") == []
    assert ids(root, "b.md") == logged(git, root, "b.md")


def test_a_clone_that_is_deepened_is_read_anew(
    root: Path, git: Git, commit: Callable[..., str], tmp_path: Path
) -> None:
    """Where a shallow clone ended is no root once more of it is there."""
    for number in range(5):
        commit("a.md", f"{number}\n")
    clone = tmp_path / "clone"
    git("clone", "-q", "--depth", "2", f"file://{root}", str(clone))
    assert len(ids(clone, "a.md")) == 2
    git("fetch", "-q", "--unshallow", cwd=clone)
    assert ids(clone, "a.md") == logged(git, root, "a.md")


@pytest.mark.parametrize("damage", ["text", "empty", "version", "cut", "folder", "rows"])
def test_a_damaged_index_is_built_anew(root: Path, git: Git, commit: Callable[..., str], damage: str) -> None:
    """Derived: nothing that happens to the file changes an answer."""
    for number in range(5):
        commit("a.md", f"{number}\n")
    assert len(ids(root, "a.md")) == 5
    file = index(root)
    if damage == "version":
        with sqlite3.connect(file) as db:
            db.execute("pragma user_version = 77")
        db.close()
    elif damage == "rows":
        with sqlite3.connect(file) as db:
            db.execute("update commits set parents = 'no number'")
        db.close()
    for left in file.parent.glob("history.sqlite-*"):
        left.unlink()
    if damage == "text":
        file.write_text("this is no database\n" * 200)
    elif damage == "empty":
        file.write_bytes(b"")
    elif damage == "cut":
        file.write_bytes(file.read_bytes()[:3000])
    elif damage == "folder":
        file.unlink()
        file.mkdir()
    assert ids(root, "a.md") == logged(git, root, "a.md")


def test_while_another_process_fills_the_index_the_commits_are_walked(
    root: Path, git: Git, commit: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.history.trail_db.BUSY_S", 0.01)
    commit("a.md", "1\n")
    assert len(ids(root, "a.md")) == 1
    commit("a.md", "2\n")
    held = sqlite3.connect(index(root), isolation_level=None)
    held.execute("begin immediate")
    try:
        assert ids(root, "a.md") == logged(git, root, "a.md")
    finally:
        held.close()
    assert ids(root, "a.md") == logged(git, root, "a.md")


def test_several_fill_the_index_at_once(root: Path, git: Git, commit: Callable[..., str]) -> None:
    for number in range(30):
        commit("a.md", f"{number}\n")
    theirs, found = logged(git, root, "a.md"), []
    asking = [threading.Thread(target=lambda: found.append(ids(root, "a.md"))) for _ in range(4)]
    for each in asking:
        each.start()
    for each in asking:
        each.join()
    assert found == [theirs] * 4
    with sqlite3.connect(index(root)) as db:
        assert db.execute("select count(*) from commits").fetchone() == (30,)
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
    db.close()


def test_an_index_that_cannot_be_written_is_read_as_it_lies(root: Path, git: Git, commit: Callable[..., str]) -> None:
    """A store on a read-only disk."""
    commit("a.md", "1\n")
    assert len(ids(root, "a.md")) == 1
    folder = index(root).parent
    os.chmod(folder, 0o500)
    try:
        assert ids(root, "a.md") == logged(git, root, "a.md")
        index(root).chmod(0o400)
        git("commit", "-q", "--allow-empty", "-m", "later", cwd=root)
        assert ids(root, "a.md") == logged(git, root, "a.md")
    finally:
        os.chmod(folder, 0o700)


def test_a_warm_answer_opens_no_git_object(root: Path, git: Git, commit: Callable[..., str]) -> None:
    """B8: HEAD's id and SQLite, and nothing else: no pack, so no dulwich."""
    commit("a.md", "1\n", message="edit: a\n\nbecause\n\nGitmem-Op: edit\nGitmem-Actor: person")
    commit("a.md", "2\n")
    git("gc", "-q", cwd=root)
    theirs = ids(root, "a.md")
    with open_repo(str(root)) as repo:
        repo.objects.folder = str(root / "nowhere")
        found = revisions(repo, "a.md")
    assert [one.commit for one in found] == theirs
    assert (found[1].reason, found[1].trailers["Gitmem-Op"], found[1].author) == ("because", "edit", "Ada")


def test_what_is_gone_is_found_by_its_file_name(root: Path, git: Git, commit: Callable[..., str]) -> None:
    commit("n/Zebra.md", "z\n", "old/cat.md", ABOUT)
    commit("n/Zebra.md", None)
    commit("old/cat.md", None, "new/dog.md", ABOUT)
    for plain in (False, True):
        if plain:
            index(root).unlink()
            index(root).mkdir()
        with open_repo(str(root)) as repo:
            assert gone_paths(repo, "zebra", lambda path: path.startswith("n/")) == ["n/Zebra.md"]
            assert gone_paths(repo, "dog", lambda path: "dog" in path) == ["new/dog.md"]
            assert gone_paths(repo, "lion", lambda path: "lion" in path) == []
            assert present_path(repo, "old/cat.md") == "new/dog.md"
            assert present_path(repo, "n/Zebra.md") == "n/Zebra.md"


def test_operations_say_what_was_taken_back(root: Path, git: Git, commit: Callable[..., str]) -> None:
    """B8, B12: an undo counts until it is taken back itself."""

    def did(op: str, *undoes: str, path: str = "a.md") -> str:
        trailers = f"Gitmem-Op: {op}\nGitmem-Memory: {path}\nGitmem-Actor: model\nGitmem-Agent: x\nGitmem-Session: s1"
        trailers += f"\nGitmem-Undoes: {' '.join(undoes)}" if undoes else ""
        text = str(len(git("log", "--all", "--format=%H", cwd=root)) if index(root).exists() else op)
        return commit(path, f"{text} {op} {undoes}\n", message=f"{op}: a\n\nwhy\n\n{trailers}")

    def by(plain: bool) -> dict[str, Operation]:
        if plain:
            index(root).unlink(missing_ok=True)
            index(root).mkdir()
        with open_repo(str(root)) as repo:
            found = {one.commit: one for one in operations(repo)}
        if plain:
            index(root).rmdir()
        return found

    one, two, own = did("remember"), did("edit"), commit("b.md", "mine\n", message="my own")
    back = did("undo", one, two)
    assert {name: each.taken_by for name, each in by(False).items()} == {one: back, two: back, own: "", back: ""}
    again = did("redo", back)
    for plain in (False, True):
        assert {name: each.taken_by for name, each in by(plain).items()} == {
            one: "", two: "", own: "", back: again, again: "",
        }  # fmt: skip
    third = did("undo", again)
    found = by(True)
    assert [found[name].taken_by for name in (one, two, back, again)] == [back, back, "", third]
    assert (found[back].undoes, found[back].op, found[own].op) == ((one, two), "undo", "")
    assert (found[one].agent, found[one].session, found[one].memory, found[one].reason) == ("x", "s1", "a.md", "why")
    with open_repo(str(root)) as repo:
        assert [each.commit for each in operations(repo, 2)] == [third, again]
        assert [each.commit for each in operations(repo, 1, fits=lambda each: not each.op)] == [own]
    git("reset", "-q", "--hard", own, cwd=root)
    assert not any(each.taken_by for each in by(False).values()), "an undo that HEAD does not hold is none"


def test_a_change_by_gitmem_is_an_operation(root: Path) -> None:
    """B8: the trailers that apply writes are those that are read."""
    text = b"---\nmetadata:\n  trust: candidate\n---\n1\n"
    change = Change("edit", "a", "why", Actor("model", "x", "s9"), lambda _: [FileChange("a.md", text)])
    made = apply(str(root), change, NOON, os.environ)
    with open_repo(str(root)) as repo:
        (found,) = operations(repo)
    assert (found.commit, found.op, found.memory, found.paths) == (made.commit, "edit", "a.md", ("a.md",))
    assert (found.actor, found.agent, found.session, found.when) == ("model", "x", "s9", NOON)


def test_no_commit_no_history(root: Path) -> None:
    with open_repo(str(root)) as repo:
        assert revisions(repo, "a.md") == []
        assert list(operations(repo)) == []
        assert gone_paths(repo, "a", lambda path: True) == []
        assert present_path(repo, "a.md") == "a.md"


@pytest.mark.parametrize("small", [0, trail_tree.SMALL])
def test_two_trees_differ_where_git_says_so(root: Path, git: Git, monkeypatch: pytest.MonkeyPatch, small: int) -> None:
    """Large trees are compared without parsing them; names that look like the beginning of an entry do no harm."""
    monkeypatch.setattr(trail_tree, "SMALL", small)
    rng = random.Random(5)
    names = ["a", "zz100644 foo", "foo", "b/100644 x", "b/x", "b.d", "c", "40000 b", "d/e/f", "d/e/g", "d"]
    commits = []
    for number in range(25):
        files = {name: rng.randrange(3) for name in names if rng.random() < 0.7}
        if any(name.startswith("d/") for name in files):
            files.pop("d", None)
        out = [f"commit refs/heads/main\nmark :{number + 1}\ncommitter A <a@b> {NOON} +0000\ndata 0\ndeleteall"]
        out += [f'M 100644 inline "{name}"\ndata 2\n{value}\n' for name, value in files.items()]
        git("fast-import", "--quiet", "--force", cwd=root, stdin="\n".join(out) + "\n")
        commits.append(git("rev-parse", "main", cwd=root).strip())
    with open_repo(str(root)) as repo:
        diffs = TreeDiffs(repo.objects)
        for _ in range(120):
            old, new = rng.choice(commits), rng.choice(commits)
            before, after = tree_files(repo, old), tree_files(repo, new)
            found = diffs.between(repo.commit(old).tree, repo.commit(new).tree)
            assert {decode(path): tuple(map(revision_of, each)) for path, each in found.items()} == {
                path: (before.get(path, (0, ""))[1], after.get(path, (0, ""))[1])
                for path in before.keys() | after.keys()
                if before.get(path) != after.get(path)
            }
