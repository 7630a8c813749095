"""``clone``: a store here from one elsewhere; nothing of it is run, nothing here is overwritten."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Exists
from gitmem.history.remote import add
from gitmem.history.repo import open_repo
from gitmem.history.transport import RemoteRefused
from gitmem.index.read import open_index
from gitmem.setup.clone import clone
from gitmem.setup.create import init
from gitmem.write.sync import sync

WHEN = 1_796_000_000
Git = Callable[..., str]


@pytest.fixture
def hub(tmp_path: Path, git: Git) -> Path:
    """A hub with a store of two memories on a branch called notes."""
    hub, first = tmp_path / "hub.git", tmp_path / "first"
    git("init", "-q", "--bare", "--initial-branch=notes", str(hub))
    init(str(first), environ=os.environ, when=WHEN)
    git("branch", "-m", "notes", cwd=first)
    (first / "deploy.md").write_text("back up first\n")
    (first / "a b?.md").write_text("an odd name\n")
    git("add", "-A", cwd=first)
    git("commit", "-q", "-m", "two", cwd=first)
    with open_repo(str(first)) as repo:
        add(repo.git, "origin", str(hub))
    sync(str(first), "", when=WHEN + 1, environ=os.environ)
    return hub


@pytest.mark.cgit
def test_a_clone_is_a_whole_store_that_ordinary_git_agrees_with(hub: Path, tmp_path: Path, git: Git) -> None:
    """Promised as C1 and C4."""
    seen: list[tuple[int, int]] = []
    made = clone(
        str(hub), str(tmp_path / "here"), environ=os.environ, when=WHEN + 9, progress=lambda *step: seen.append(step)
    )
    root = tmp_path / "here"
    assert (made.kind, made.branch, made.memories, made.conflicts) == ("cloned", "notes", 2, 0)
    assert (root / "deploy.md").read_text() == "back up first\n"
    assert any("'a b?.md' holds ?, which Windows keeps in no name; rename it to a b-.md" in note for note in made.notes)
    assert seen[-1] == (2, 2), "indexed, with progress"
    assert git("status", "--porcelain", "--branch", cwd=root) == "## notes...origin/notes\n"
    assert "refs/gitmem/conflicts/*" in git("config", "--get-all", "remote.origin.fetch", cwd=root)
    git("fsck", "--strict", cwd=root)
    index = open_index(str(root / ".git"))
    assert index is not None
    index.close()
    assert not list(tmp_path.glob(".gitmem-clone*"))
    assert sync(str(root), "", when=WHEN + 10, environ=os.environ).received == 0


@pytest.mark.cgit
def test_nothing_that_stands_there_is_overwritten(hub: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    with pytest.raises(Exists, match="is not empty; nothing was cloned"):
        clone(str(hub), str(tmp_path / "full"), environ=os.environ, when=WHEN)
    init(str(tmp_path / "store"), environ=os.environ, when=WHEN)
    with pytest.raises(Exists, match="there is a store at") as refused:
        clone(str(hub), str(tmp_path / "store"), environ=os.environ, when=WHEN)
    option = f"--store {tmp_path / 'store'}"
    assert refused.value.hint.startswith(f"gitmem remote add origin {hub} {option} && gitmem sync {option} ")


@pytest.mark.cgit
def test_a_clone_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(RemoteRefused, match="there is no git repository at"):
        clone(str(tmp_path / "none.git"), str(tmp_path / "here"), environ=os.environ, when=WHEN)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.cgit
def test_hooks_filters_and_drivers_that_come_along_are_never_run(hub: Path, tmp_path: Path, git: Git) -> None:
    """Promised as L1; fault F99."""
    mark = tmp_path / "ran"
    home = Path(os.environ["HOME"])
    (home / ".gitconfig").write_text(
        f'[filter "evil"]\n\tsmudge = touch {mark}\n\trequired = true\n[merge "evil"]\n\tdriver = touch {mark}\n'
    )
    work = tmp_path / "work"
    git("clone", "-q", str(hub), str(work))
    (work / ".gitattributes").write_text("*.md filter=evil merge=evil\n")
    git("-c", "filter.evil.smudge=cat", "-c", "filter.evil.clean=cat", "commit", "-qam", "evil", cwd=work)
    git("push", "-q", "origin", "HEAD:notes", cwd=work)
    mark.unlink(missing_ok=True)
    clone(str(hub), str(tmp_path / "here"), environ=os.environ, when=WHEN + 20)
    assert (tmp_path / "here/deploy.md").read_text() == "back up first\n"
    assert not mark.exists()


@pytest.mark.cgit
def test_what_was_no_store_becomes_one(tmp_path: Path, git: Git) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("a note\n")
    git("init", "-q", "-b", "main", cwd=notes)
    git("add", "-A", cwd=notes)
    git("commit", "-q", "-m", "notes", cwd=notes)
    made = clone(str(notes), str(tmp_path / "here"), environ=os.environ, when=WHEN)
    assert made.memories == 1
    assert any(note.startswith("it was no store yet: .gitmem/config.yaml was committed here") for note in made.notes)
    assert (tmp_path / "here/.gitmem/config.yaml").is_file()


@pytest.mark.cgit
def test_a_projects_code_is_not_made_a_store(tmp_path: Path, git: Git) -> None:
    code = tmp_path / "code"
    git("init", "-q", "-b", "main", str(code))
    for name in ("README.md", "a.py", ".gitignore"):
        (code / name).write_text("x\n")
    git("add", "-A", cwd=code)
    git("commit", "-q", "-m", "code", cwd=code)
    with pytest.raises(
        RemoteRefused, match=r"is no store of memories: it has no \.gitmem/config\.yaml, and"
    ) as refused:
        clone(str(code), str(tmp_path / "here"), environ=os.environ, when=WHEN)
    assert f"(to make it one: git clone {code} PATH && gitmem init PATH)" in refused.value.hint
    assert not (tmp_path / "here").exists()


@pytest.mark.cgit
def test_a_shallow_hub_is_said_and_no_hint_names_a_folder_that_is_gone(hub: Path, tmp_path: Path, git: Git) -> None:
    git("clone", "-q", "--bare", "--depth", "1", f"file://{hub}", str(tmp_path / "part.git"))
    with pytest.raises(RemoteRefused, match=r"part\.git is a shallow repository: older commits of notes") as refused:
        clone(str(tmp_path / "part.git"), str(tmp_path / "here"), environ=os.environ, when=WHEN)
    assert refused.value.hint == "there: git fetch --unshallow"
    with pytest.raises(RemoteRefused, match="there is no git repository at") as refused:
        clone(str(tmp_path / "none.git"), str(tmp_path / "here"), environ=os.environ, when=WHEN)
    assert f"is the place right? gitmem clone {tmp_path / 'none.git'}" in refused.value.hint
    assert "-clone-" not in refused.value.hint
