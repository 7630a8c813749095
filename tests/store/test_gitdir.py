"""The git folder and HEAD, read as text; judged by C git."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import RepositoryDamaged
from gitmem.store.gitdir import GitDir, find_git_dir, head, is_ref_name

Git = Callable[..., str]
pytestmark = pytest.mark.cgit


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    """A repository with one commit on main."""
    root = tmp_path / "repo"
    root.mkdir()
    git("init", "-q", "-b", "main", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", "one", cwd=root)
    return root


def found(root: Path) -> GitDir:
    git_dir = find_git_dir(str(root))
    assert git_dir is not None
    return git_dir


def commit(git: Git, root: Path, name: str = "HEAD") -> str:
    return git("rev-parse", name, cwd=root).strip()


def test_head_is_the_branch_and_its_commit_loose_or_packed(repo: Path, git: Git) -> None:
    assert head(found(repo)) == ("refs/heads/main", commit(git, repo))
    git("branch", "mainly", cwd=repo)
    git("tag", "-a", "-m", "t", "v1", cwd=repo)
    git("pack-refs", "--all", cwd=repo)
    assert not (repo / ".git/refs/heads/main").exists()
    assert head(found(repo)) == ("refs/heads/main", commit(git, repo))
    git("commit", "-q", "--allow-empty", "-m", "two", cwd=repo)
    assert head(found(repo)) == ("refs/heads/main", commit(git, repo))


def test_any_branch_name_is_read_as_it_is(repo: Path, git: Git) -> None:
    """No branch name is assumed, in any language, with folders."""
    for name in ("trunk", "feature/a-b.c", "记忆", "x@y", "dream/2026-11-30"):
        git("switch", "-q", "-c", name, cwd=repo)
        assert head(found(repo)) == (f"refs/heads/{name}", commit(git, repo))
    git("pack-refs", "--all", cwd=repo)
    git("switch", "-q", "记忆", cwd=repo)
    assert head(found(repo)) == ("refs/heads/记忆", commit(git, repo))


def test_a_branch_without_a_commit_is_unborn(tmp_path: Path, git: Git) -> None:
    """An empty repository is a normal beginning."""
    git("init", "-q", "-b", "trunk")
    assert head(found(tmp_path)) == ("refs/heads/trunk", "")


def test_a_packed_folder_of_branches_does_not_hide_a_branch(repo: Path, git: Git) -> None:
    """A folder left at the place of a packed ref is no ref."""
    git("pack-refs", "--all", cwd=repo)
    (repo / ".git/refs/heads/main").mkdir(parents=True)
    assert head(found(repo)) == ("refs/heads/main", commit(git, repo))


def test_a_detached_head_has_no_ref(repo: Path, git: Git) -> None:
    """Said, never guessed."""
    git("switch", "-q", "--detach", cwd=repo)
    assert head(found(repo)) == ("", commit(git, repo))


def test_a_linked_worktree_has_its_own_head_and_the_common_folder(repo: Path, git: Git, tmp_path: Path) -> None:
    git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"), cwd=repo)
    linked = found(tmp_path / "linked")
    assert Path(linked.common).resolve() == (repo / ".git").resolve()
    assert Path(linked.path).resolve() == (repo / ".git/worktrees/linked").resolve()
    assert head(linked) == ("refs/heads/side", commit(git, tmp_path / "linked"))
    assert head(found(repo))[0] == "refs/heads/main"
    git("pack-refs", "--all", cwd=repo)
    assert head(linked) == ("refs/heads/side", commit(git, tmp_path / "linked"))


def test_a_relative_git_file_counts_from_its_folder(repo: Path, git: Git, tmp_path: Path) -> None:
    """Newer git writes relative ones."""
    git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"), cwd=repo)
    (tmp_path / "linked/.git").write_text("gitdir: ../repo/.git/worktrees/linked\n")
    assert head(found(tmp_path / "linked")) == ("refs/heads/side", commit(git, tmp_path / "linked"))


def test_a_submodule_and_a_separate_git_folder_are_followed(repo: Path, git: Git, tmp_path: Path) -> None:
    outer = tmp_path / "outer"
    outer.mkdir()
    git("init", "-q", cwd=outer)
    git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repo), "sub", cwd=outer)
    assert head(found(outer / "sub")) == ("refs/heads/main", commit(git, outer / "sub"))
    git("init", "-q", "--separate-git-dir", str(tmp_path / "apart"), str(tmp_path / "work"))
    assert Path(found(tmp_path / "work").path) == tmp_path / "apart"


def test_a_folder_without_a_repository_has_none(tmp_path: Path) -> None:
    """None, so that the caller says what to do; an empty .git is none either, as in git."""
    assert find_git_dir(str(tmp_path)) is None
    assert find_git_dir(str(tmp_path / "missing")) is None
    (tmp_path / ".git").mkdir()
    assert find_git_dir(str(tmp_path)) is None


@pytest.mark.parametrize(
    "text", ["", "junk", "gitdir:", "gitdir: \n", "gitdir: /none/here\n", "gitdir: a\0b\n", "\xff\xfe"]
)
def test_a_git_file_that_leads_nowhere_is_named(tmp_path: Path, text: str) -> None:
    """RepositoryDamaged with the path."""
    (tmp_path / ".git").write_text(text, encoding="latin-1")
    with pytest.raises(RepositoryDamaged, match=r"\.git"):
        find_git_dir(str(tmp_path))


@pytest.mark.parametrize(
    "text",
    ["", "junk\n", "ref: \n", "ref: refs/heads/../../../secret\n", "ref: /etc/passwd\n", "ref: ../secret\n",
     "ref: config\n", "ref: refs/heads/a.lock\n", "ref: refs//x\n", "ref: refs/heads/.x\n",
     "ref: refs/heads/a\\..\\b\n", "0" * 39, "z" * 40],
)  # fmt: skip
def test_a_head_that_is_no_head_is_refused_and_nothing_outside_is_read(repo: Path, text: str) -> None:
    """L1: no path out of the tree, also not by a ref's name."""
    (repo / "secret").write_text("f" * 40)
    (repo.parent / "secret").write_text("f" * 40)
    (repo / ".git/HEAD").write_text(text)
    with pytest.raises(RepositoryDamaged, match="HEAD"):
        head(found(repo))


def test_a_missing_head_and_a_broken_ref_are_named(repo: Path) -> None:
    (repo / ".git/refs/heads/main").write_text("nonsense")
    with pytest.raises(RepositoryDamaged, match="main"):
        head(found(repo))
    (repo / ".git/refs/heads/main").write_text("ref: refs/heads/main\n")
    with pytest.raises(RepositoryDamaged, match="ring"):
        head(found(repo))
    (repo / ".git/HEAD").unlink()
    with pytest.raises(RepositoryDamaged, match="HEAD"):
        head(GitDir(str(repo / ".git"), str(repo / ".git")))


def test_what_a_linked_ref_points_at_is_never_shown(repo: Path, tmp_path: Path) -> None:
    """L1: a ref that is a link to a private file gives no word of it away."""
    (tmp_path / "private").write_text("my private words")
    (repo / ".git/refs/heads/main").unlink()
    os.symlink(tmp_path / "private", repo / ".git/refs/heads/main")
    with pytest.raises(RepositoryDamaged) as damaged:
        head(found(repo))
    assert "private words" not in damaged.value.message


def test_a_symbolic_branch_is_followed_and_named_as_head_names_it(repo: Path, git: Git) -> None:
    """``git symbolic-ref HEAD`` says the same."""
    git("symbolic-ref", "refs/heads/now", "refs/heads/main", cwd=repo)
    git("symbolic-ref", "HEAD", "refs/heads/now", cwd=repo)
    assert head(found(repo)) == (git("symbolic-ref", "--no-recurse", "HEAD", cwd=repo, check=False).strip()
                                 or "refs/heads/now", commit(git, repo))  # fmt: skip


def test_the_reftable_format_is_named(repo: Path) -> None:
    """A newer git's format is said, not called damage."""
    (repo / ".git/reftable").mkdir()
    (repo / ".git/HEAD").write_text("ref: refs/heads/.invalid\n")
    with pytest.raises(RepositoryDamaged, match="reftable"):
        head(found(repo))


@given(st.text(alphabet="refs/heads.a@{~^: \\*?[\n\x7f记-", max_size=24))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_name_passes_that_git_would_not_make(git: Git, tmp_path: Path, name: str) -> None:
    """``git check-ref-format`` is the judge; ours may be stricter, never looser."""
    full = "refs/" + name
    if is_ref_name(full):
        git("check-ref-format", full, cwd=tmp_path)


@given(st.binary(max_size=80))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_bytes_in_head_end_in_a_traceback(tmp_path: Path, data: bytes) -> None:
    folder = tmp_path / ".git"
    (folder / "objects").mkdir(parents=True, exist_ok=True)
    (folder / "HEAD").write_bytes(data)
    try:
        name, commit_id = head(GitDir(str(folder), str(folder)))
    except RepositoryDamaged:
        return
    assert (is_ref_name(name) and commit_id == "") or len(commit_id) in (40, 64)


@pytest.mark.parametrize("broken", ["HEAD is missing", "HEAD is empty", "ref is junk", "ref is empty", "packed"])
def test_what_is_said_of_a_broken_name_mends_it_as_typed(repo: Path, git: Git, broken: str) -> None:
    """A hint is a command: typed in any folder, for a store whose name a shell would take apart, it does its work."""
    store = repo.parent / "o'neil's notes"
    repo.rename(store)
    before = git("rev-parse", "HEAD", cwd=store)
    where, _, how = broken.partition(" is ")
    if broken == "packed":
        git("pack-refs", "--all", cwd=store)
    path = store / ".git" / ("refs/heads/main" if where == "ref" else "HEAD")
    path.unlink(missing_ok=True)
    if how != "missing" and where != "packed":
        path.write_text("junk\n" if how == "junk" else "")
    place = GitDir(f"{store}/.git", f"{store}/.git")
    with pytest.raises(RepositoryDamaged) as damaged:
        head(place)
    command = damaged.value.hint.partition("   (")[0]
    subprocess.run(["sh", "-c", command], check=True, cwd=store.parent)
    assert head(place) == ("refs/heads/main", before.strip())
    assert git("rev-parse", "HEAD", cwd=store) == before
