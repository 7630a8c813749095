"""What is staged, and what a push would send: the same as git's own programs tell, read from its files."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.pushed import between, receiving, sent, tips
from gitmem.history.repo import Repo, open_repo
from gitmem.history.staged import Coming, put_back, staged, staged_names, staged_paths, stale, tree_names
from gitmem.history.view import View
from gitmem.write.lock import writer_lock

Git = Callable[..., str]
WHEN = 1_796_000_000


@pytest.fixture
def root(tmp_path: Path, git: Git) -> Path:
    """A repository of twenty files in folders, in one commit."""
    root = tmp_path / "store"
    root.mkdir()
    git("init", "-q", "-b", "main", cwd=root)
    for number in range(20):
        file = root / ("" if number % 3 else f"f{number % 2}") / f"n{number}.md"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"text {number}\n")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "one", cwd=root)
    return root


def told(root: Path, **environ: str) -> dict[str, tuple[str, str]]:
    """Path -> blob before and after, as ``staged`` tells it."""
    with open_repo(str(root)) as repo:
        return {each.path: (each.old, each.blob) for each in staged(repo, environ)}


def told_by_git(root: Path, git: Git) -> dict[str, tuple[str, str]]:
    rows = git("diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "HEAD", cwd=root).split("\0")
    found = {}
    for row, path in zip(rows[::2], rows[1::2], strict=False):
        old, new = (each if each.strip("0") else "" for each in row.split(" ")[2:4])
        found[path] = old, new
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("packed", [False, True])
def test_what_is_staged_is_what_git_says(root: Path, git: Git, seed: int, packed: bool) -> None:
    """Random edits, additions and removals; the work files afterwards do not matter."""
    chance = random.Random(seed)
    if packed:
        git("gc", "-q", cwd=root)
    for number in chance.sample(range(20), 8):
        file = next(root.rglob(f"n{number}.md"))
        kind = chance.randrange(3)
        if kind == 0:
            file.write_text(f"new text {number}\n")
        elif kind == 1:
            file.unlink()
        else:
            (file.parent / f"more{number}" / "x.md").parent.mkdir()
            (file.parent / f"more{number}" / "x.md").write_text("x\n")
    git("add", "-A", cwd=root)
    for file in root.rglob("*.md"):
        file.write_text("something else\n")
    expected = told_by_git(root, git)
    assert expected
    assert told(root) == expected
    with open_repo(str(root)) as repo:
        assert sorted(staged_paths(repo, {})) == sorted(git("ls-files", "-z", cwd=root).split("\0")[:-1])


@pytest.mark.parametrize("seed", range(4))
def test_folders_that_are_as_in_the_last_commit_are_passed_over_and_no_other(root: Path, git: Git, seed: int) -> None:
    """Names that hold the names of other folders, long ones, and folders beside files that sort between them."""
    chance = random.Random(seed)
    folders = ["a", "a/a", "a/b/a", "a.b", "a0", "b/a", "b-a/a", "aa/a", "z/" + "long" * 60]
    names = ["a.md", "x-a.md", "a a.md", "n" * 240 + ".md", "记忆.md"]
    for folder in chance.sample(folders, 7):
        (root / folder).mkdir(parents=True, exist_ok=True)
        for name in names:
            (root / folder / name).write_text(f"{folder} {name}\n")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "two", cwd=root)
    git("read-tree", "HEAD", cwd=root)
    places = sorted(file.parent for file in root.rglob("a.md"))
    for place in chance.sample(places, 2):
        (place / "new.md").write_text("new\n")
    git("add", "-A", cwd=root)
    assert told(root) == told_by_git(root, git)
    listed = git("ls-files", "-z", cwd=root).split("\0")[:-1]
    with open_repo(str(root)) as repo:
        names_in = staged_names(repo, {})
        for folder in ["", *sorted({path[:at] for path in listed for at, mark in enumerate(path) if mark == "/"})]:
            start = f"{folder}/" if folder else ""
            inside = {path[len(start) :].partition("/")[0] for path in listed if path.startswith(start)}
            assert sorted(names_in(folder)) == sorted(inside)


@pytest.mark.parametrize("name", ["记忆.md", "my note.md", 'a "b".md', "new\nline.md", "-rf.md", "[x]*.md", "tab\t.md"])
def test_no_name_is_too_odd(root: Path, git: Git, name: str) -> None:
    """Promised as I3: NUL-safe names; a bad file with an odd name must not slip through."""
    (root / "f0" / name).write_text("x\n")
    git("add", "-A", cwd=root)
    assert list(told(root)) == [f"f0/{name}"]
    with open_repo(str(root)) as repo:
        assert name in staged_names(repo, {})("f0")


def test_nothing_staged_is_nothing(root: Path, git: Git) -> None:
    (root / "n1.md").write_text("not staged\n")
    (root / "new.md").write_text("not staged\n")
    git("add", "-N", "new.md", cwd=root)
    assert told(root) == {}


def test_before_the_first_commit_everything_is_new(tmp_path: Path, git: Git) -> None:
    git("init", "-q", cwd=tmp_path)
    assert told(tmp_path) == {}
    (tmp_path / "a.md").write_text("a\n")
    git("add", "a.md", cwd=tmp_path)
    assert list(told(tmp_path)) == ["a.md"]


@pytest.mark.parametrize("words", [["--index-version", "4"], ["--split-index"]])
def test_an_index_of_a_rare_kind_is_read_by_gits_own_program(root: Path, git: Git, words: list[str]) -> None:
    (root / "n1.md").write_text("new\n")
    git("add", "n1.md", cwd=root)
    git("update-index", *words, cwd=root)
    assert told(root, **os.environ) == told_by_git(root, git)
    with open_repo(str(root)) as repo:
        assert "n1.md" in staged_paths(repo, os.environ)
        assert "f0" in staged_names(repo, os.environ)("")


def test_the_index_that_git_names_to_its_hooks_is_read(root: Path, git: Git) -> None:
    """``git commit -- path`` commits another index than the repository's own."""
    (root / "n1.md").write_text("new\n")
    git("add", "n1.md", cwd=root)
    os.rename(root / ".git" / "index", root / ".git" / "other")
    git("read-tree", "HEAD", cwd=root)
    assert told(root) == {}
    assert list(told(root, GIT_INDEX_FILE=".git/other")) == ["n1.md"]


def test_a_rename_keeps_what_it_was(root: Path, git: Git) -> None:
    git("mv", "n1.md", "f0/renamed.md", cwd=root)
    blob = git("rev-parse", "HEAD:n1.md", cwd=root).strip()
    assert told(root) == {"n1.md": (blob, ""), "f0/renamed.md": (blob, blob)}


def test_modes_are_told(root: Path, git: Git) -> None:
    (root / "s.md").symlink_to("n1.md")
    git("add", "s.md", cwd=root)
    with open_repo(str(root)) as repo:
        assert [(each.path, each.mode) for each in staged(repo, {})] == [("s.md", 0o120000)]


def test_in_a_merge_what_the_other_side_committed_is_left_out(root: Path, git: Git) -> None:
    git("switch", "-qc", "side", cwd=root)
    (root / "n1.md").write_text("theirs\n")
    (root / "n2.md").write_text("theirs\n")
    git("commit", "-qam", "two", cwd=root)
    git("switch", "-q", "main", cwd=root)
    (root / "n2.md").write_text("ours\n")
    git("commit", "-qam", "three", cwd=root)
    git("merge", "side", cwd=root, check=False)
    (root / "n2.md").write_text("both\n")
    git("add", "n2.md", cwd=root)
    assert list(told(root)) == ["n2.md"]
    side = git("rev-parse", "side", cwd=root).strip()
    (root / ".git" / "MERGE_HEAD").unlink()
    assert list(told(root)) == ["n1.md", "n2.md"]
    assert list(told(root, **{f"GITHEAD_{side}": "side"})) == ["n2.md"]


def test_names_in_a_folder_are_those_of_index_and_commit(root: Path, git: Git) -> None:
    with open_repo(str(root)) as repo:
        expected = sorted(git("ls-tree", "--name-only", "HEAD", cwd=root).split())
        assert sorted(staged_names(repo, {})("")) == expected
        assert sorted(tree_names(repo, repo.head()[1], "")) == expected
        inside = sorted(git("ls-tree", "--name-only", "HEAD:f0", cwd=root).split())
        assert sorted(staged_names(repo, {})("f0")) == inside
        assert sorted(tree_names(repo, repo.head()[1], "f0")) == inside
        assert staged_names(repo, {})("gone") == tree_names(repo, repo.head()[1], "gone") == []


def test_entries_that_a_stale_index_set_back_are_told_and_put_back(root: Path, git: Git) -> None:
    """The race of git itself: HEAD and the work file are newer than the index."""
    old_index = (root / ".git" / "index").read_bytes()
    (root / "n1.md").write_text("written meanwhile\n")
    (root / "f0" / "new.md").write_text("written meanwhile\n")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "two", cwd=root)
    (root / ".git" / "index").write_bytes(old_index)
    (root / "n2.md").write_text("my own\n")
    (root / "n4.md").unlink()
    git("add", "n2.md", "n4.md", cwd=root)
    with open_repo(str(root)) as repo:
        late = stale(repo, staged(repo, {}))
        assert [each.path for each in late] == ["f0/new.md", "n1.md"]
        with writer_lock(repo.git.common):
            put_back(View(repo, os.environ), late, WHEN)
        assert [each.path for each in staged(repo, {})] == ["n2.md", "n4.md"]
    assert git("status", "--porcelain", cwd=root) == "M  n2.md\nD  n4.md\n"
    assert git("fsck", "--strict", cwd=root) == ""


def sent_by_git(git: Git, root: Path, *words: str) -> list[str]:
    return git("rev-list", *words, cwd=root).split()


def test_the_commits_of_a_push_are_those_of_rev_list(root: Path, git: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    """Merges, several known tips, and clocks that go backwards."""
    chance = random.Random(3)
    for number in range(12):
        if number % 4 == 1:
            git("switch", "-qc", f"b{number}", chance.choice(["main", "main~0"]), cwd=root)
        (root / f"x{number}.md").write_text(f"{number}\n")
        git("add", "-A", cwd=root)
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{1_700_000_000 + chance.randrange(-500, 500)} +0000")
        git("commit", "-qm", str(number), cwd=root)
        if number % 4 == 3:
            git("switch", "-q", "main", cwd=root)
            git("merge", "-q", "--no-ff", "-m", "merge", f"b{number - 2}", cwd=root)
    with open_repo(str(root)) as repo:
        for new, known in (("main", []), ("main", ["main~2"]), ("main", ["b5", "b1"]), ("b9", ["main~1"])):
            ids = [git("rev-parse", each, cwd=root).strip() for each in known]
            new_id = git("rev-parse", new, cwd=root).strip()
            found = {each.commit for each in sent(repo, new_id, ids)}
            wanted = set(sent_by_git(git, root, "--no-merges", new, *(f"^{each}" for each in known)))
            assert found == wanted


def test_each_version_of_a_file_is_sent_once_with_what_it_replaces(root: Path, git: Git) -> None:
    first = git("rev-parse", "HEAD:n1.md", cwd=root).strip()
    (root / "n1.md").write_text("two\n")
    git("commit", "-qam", "two", cwd=root)
    (root / "n1.md").unlink()
    git("commit", "-qam", "three", cwd=root)
    git("tag", "-am", "a tag", "v1", cwd=root)
    with open_repo(str(root)) as repo:
        tag = git("rev-parse", "v1", cwd=root).strip()
        found = list(sent(repo, tag, [git("rev-parse", "HEAD~2", cwd=root).strip(), "1" * 40]))
        assert [(each.path, each.before) for each in found] == [("n1.md", (first,))]
        assert list(sent(repo, "1" * 40, [])) == []
        assert len(tips(repo.git)) == 2
        assert tips(repo.git, "refs/tags/") == [tag]


def test_between_two_commits_is_the_difference_of_their_files(root: Path, git: Git) -> None:
    (root / "n1.md").write_text("two\n")
    git("rm", "-q", "n2.md", cwd=root)
    git("commit", "-qam", "two", cwd=root)
    old, new = git("rev-parse", "HEAD~1", "HEAD", cwd=root).split()
    with open_repo(str(root)) as repo:
        assert [(each.path, bool(each.blob)) for each in between(repo, old, new)] == [("n1.md", True), ("n2.md", False)]
        assert len(between(repo, "", new)) == 19
        assert isinstance(between(repo, old, new)[0], Coming)


def test_a_server_reads_what_git_keeps_apart(root: Path, git: Git, tmp_path: Path) -> None:
    """As git's quarantine of a push: the new objects lie in a folder that the environment names."""
    hub = tmp_path / "hub.git"
    git("clone", "-q", "--bare", str(root), str(hub), cwd=tmp_path)
    old = git("rev-parse", "HEAD", cwd=root).strip()
    (root / "n1.md").write_text("two\n")
    git("commit", "-qam", "two", cwd=root)
    new = git("rev-parse", "HEAD", cwd=root).strip()
    environ = {
        "GIT_OBJECT_DIRECTORY": str(root / ".git" / "objects"),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(hub / "objects"),
    }
    repo: Repo
    with receiving(str(hub), environ) as repo:
        assert [each.path for each in sent(repo, new, tips(repo.git))] == ["n1.md"]
        assert [each.path for each in between(repo, old, new)] == ["n1.md"]
