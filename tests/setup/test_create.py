"""`init`: an empty folder, a folder of notes, a repository; killed and repeated."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import GitmemError
from gitmem.setup.create import Made, first_store, init
from gitmem.store.paths import GC_PID

Git = Callable[..., str]
WHEN = 1_790_000_000


def make(path: Path) -> Made:
    return init(str(path), environ=os.environ, when=WHEN)


def bytes_of(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and ".git" not in path.relative_to(root).parts
        and ".gitmem" not in path.relative_to(root).parts
    }


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A folder as people have them: CRLF, odd names, an Obsidian folder, a picture, something ignored."""
    root = tmp_path / "vault"
    (root / "projects" / "deep").mkdir(parents=True)
    (root / ".obsidian").mkdir()
    (root / "a note.md").write_bytes(b"---\r\nname: a note\r\n---\r\nCRLF body\r\n")
    (root / "记忆.md").write_text("数据库迁移前先备份\n", encoding="utf-8")
    (root / "projects" / "deep" / "plan.md").write_text("# Plan\n\nship it\n")
    (root / ".obsidian" / "app.json").write_text("{}")
    (root / "picture.png").write_bytes(bytes(range(256)))
    (root / ".gitignore").write_text("*.log\n")
    (root / "noise.log").write_text("noise")
    return root


def test_a_missing_folder_becomes_an_empty_store(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "new" / "store"
    made = make(root)
    assert (made.kind, made.memories) == ("new", 0)
    assert git("branch", "--show-current", cwd=root) == "main\n"
    assert git("ls-files", cwd=root).split() == [".gitattributes", ".gitmem/config.yaml", "MEMORY.md"]
    assert git("status", "--porcelain", cwd=root) == ""
    assert git("fsck", "--strict", cwd=root) == ""
    assert git("show", "HEAD:.gitattributes", cwd=root) == "*.md -text\n"


def test_an_adopted_folder_keeps_every_byte(vault: Path, git: Git) -> None:
    """A6: nothing is moved or rewritten, the first commit holds it as it is."""
    before = bytes_of(vault)
    made = make(vault)
    assert made.kind == "adopted"
    after = bytes_of(vault)
    assert {path: after[path] for path in before} == before
    assert set(after) - set(before) == {".gitattributes"}
    first, second = git("log", "--reverse", "--format=%H", cwd=vault).split()
    held = git("-c", "core.quotepath=off", "ls-tree", "-r", "--name-only", first, cwd=vault).splitlines()
    assert set(held) == set(before) - {"noise.log"}
    assert git("show", f"{first}:a note.md", cwd=vault) == "---\r\nname: a note\r\n---\r\nCRLF body\r\n".replace(
        "\r", ""
    )
    assert git("show", "--name-only", "--format=", second, cwd=vault).split() == [
        ".gitattributes",
        ".gitmem/config.yaml",
    ]
    assert git("status", "--porcelain", cwd=vault) == ""
    assert git("fsck", "--strict", cwd=vault) == ""
    assert made.memories == 3


def test_an_adopted_folder_gets_no_index_file(vault: Path) -> None:
    make(vault)
    assert not (vault / "MEMORY.md").exists()


def test_a_repository_is_used_as_it_is(tmp_path: Path, git: Git) -> None:
    """B10: uncommitted and staged work stays what it was."""
    root = tmp_path / "repo"
    git("init", "-q", "-b", "trunk", str(root))
    (root / "a.md").write_text("one\n")
    (root / "code.py").write_text("x = 1\n")
    git("add", ".", cwd=root)
    git("commit", "-qm", "mine", cwd=root)
    (root / "a.md").write_text("two\n")
    (root / "staged.txt").write_text("staged\n")
    (root / "new.md").write_text("new\n")
    git("add", "staged.txt", cwd=root)
    before = git("status", "--porcelain", cwd=root)
    made = make(root)
    assert made.kind == "repository"
    assert git("status", "--porcelain", cwd=root) == before
    assert git("show", "--name-only", "--format=", "HEAD", cwd=root).split() == [".gitmem/config.yaml"]
    assert git("branch", "--show-current", cwd=root) == "trunk\n"
    assert made.memories == 2


def test_a_repository_without_a_commit_is_used_as_it_is(tmp_path: Path, git: Git) -> None:
    root = tmp_path / "repo"
    git("init", "-q", "-b", "trunk", str(root))
    (root / "a.md").write_text("one\n")
    made = make(root)
    assert made.kind == "repository"
    assert git("ls-tree", "-r", "--name-only", "HEAD", cwd=root).split() == [".gitmem/config.yaml"]
    assert git("status", "--porcelain", cwd=root) == "?? a.md\n"
    assert git("branch", "--show-current", cwd=root) == "trunk\n"


def test_init_twice_changes_nothing(vault: Path, git: Git) -> None:
    make(vault)
    head = git("rev-parse", "HEAD", cwd=vault)
    made = make(vault)
    assert (made.kind, made.commits) == ("already", ())
    assert git("rev-parse", "HEAD", cwd=vault) == head


@pytest.mark.parametrize("step", ["config", "repository", "snapshot"])
def test_a_killed_init_is_repeated_to_the_end(vault: Path, git: Git, step: str) -> None:
    """Setup fails half-way; the retry goes to the end."""
    (vault / ".gitmem").mkdir()
    (vault / ".gitmem" / "config.yaml").write_text("format: 1\n")
    if step != "config":
        git("init", "-q", "-b", "main", str(vault))
    if step == "snapshot":
        git("add", ":!.gitmem", cwd=vault)
        git("commit", "-qm", "init: the folder as it is\n\nGitmem-Op: init", cwd=vault)
    make(vault)
    assert git("status", "--porcelain", cwd=vault) == ""
    held = git("-c", "core.quotepath=off", "ls-files", cwd=vault).splitlines()
    assert {"记忆.md", ".gitmem/config.yaml", ".gitattributes"} <= set(held)
    assert git("log", "--format=%s", cwd=vault).count("\n") == 2
    assert make(vault).kind == "already"


def test_a_folder_inside_a_repository_gets_a_repository_of_its_own(tmp_path: Path, git: Git) -> None:
    """A project's own store is a nested repository; the project's is not touched."""
    project = tmp_path / "project"
    git("init", "-q", str(project))
    (project / "code.py").write_text("x = 1\n")
    git("add", ".", cwd=project)
    git("commit", "-qm", "code", cwd=project)
    notes = project / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("one\n")
    made = make(notes)
    assert made.kind == "adopted"
    assert any(str(project) in note for note in made.notes)
    assert git("rev-parse", "--show-toplevel", cwd=notes).strip() == str(notes.resolve())
    assert git("log", "--format=%s", cwd=project) == "code\n"


def test_files_another_repository_tracks_are_left_to_it(tmp_path: Path, git: Git) -> None:
    project = tmp_path / "project"
    (project / "docs").mkdir(parents=True)
    git("init", "-q", str(project))
    (project / "docs" / "a.md").write_text("one\n")
    git("add", ".", cwd=project)
    git("commit", "-qm", "docs", cwd=project)
    with pytest.raises(GitmemError) as refused:
        make(project / "docs")
    assert str(project) in refused.value.message
    assert "gitmem init" in refused.value.hint
    assert not (project / "docs" / ".git").exists()


def test_a_nested_repository_is_left_alone_and_named(vault: Path, git: Git) -> None:
    git("init", "-q", str(vault / "other"))
    (vault / "other" / "x.md").write_text("x\n")
    made = make(vault)
    assert any("other" in note for note in made.notes)
    assert "other" not in git("ls-tree", "-r", "--name-only", "HEAD", cwd=vault)


@pytest.mark.parametrize("what", ["file", "home", "root", "bare", "inside"])
def test_a_place_that_cannot_be_a_store_is_refused(tmp_path: Path, home: Path, git: Git, what: str) -> None:
    path = tmp_path / "x"
    if what == "file":
        path.write_text("x")
    elif what == "home":
        path = home
    elif what == "root":
        path = Path(path.anchor)
    else:
        git("init", "-q", *(["--bare"] if what == "bare" else []), str(path))
        path = path if what == "bare" else path / ".git"
    with pytest.raises(GitmemError) as refused:
        make(path)
    assert refused.value.exit_code in (1, 2)
    assert refused.value.hint.startswith("gitmem init")
    assert not (home / ".git").exists()


def test_the_first_store_is_made_once_by_many(home: Path, git: Git) -> None:
    """Eight processes start on a fresh machine."""
    import subprocess
    import sys

    root = home / ".gitmem" / "memory"
    code = (
        "import os, sys\nfrom gitmem.setup.create import first_store\n"
        f"first_store({str(root)!r}, named=False, environ=os.environ, when={WHEN})\n"
    )
    here = Path(__file__).parents[2]
    running = [
        subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": str(here)}) for _ in range(8)
    ]
    assert [process.wait() for process in running] == [0] * 8
    assert git("log", "--format=%s", cwd=root).count("\n") == 1
    assert git("status", "--porcelain", cwd=root) == ""
    assert git("fsck", "--strict", cwd=root) == ""


def test_the_first_store_is_not_made_over_a_folder_with_files(home: Path) -> None:
    root = home / ".gitmem" / "memory"
    root.mkdir(parents=True)
    (root / "a.md").write_text("mine\n")
    with pytest.raises(GitmemError) as refused:
        first_store(str(root), named=False, environ=os.environ, when=WHEN)
    assert refused.value.hint.startswith("gitmem init ")


def test_settings_that_a_killed_init_left_half_made_are_swept(tmp_path: Path, git: Git) -> None:
    """R20: any step may be the last before a kill, and the next call leaves nothing of it behind."""
    for kind in ("new", "adopted", "already"):
        root = tmp_path / kind
        (root / ".gitmem").mkdir(parents=True)
        (root / ".gitmem" / "notes").write_text("mine\n")
        if kind == "adopted":
            (root / "a.md").write_text("a\n")
        if kind == "already":
            init(str(root), environ=os.environ, when=WHEN)
        (root / ".gitmem" / ".config-4711").write_text("format: 1\n")

        init(str(root), environ=os.environ, when=WHEN)

        assert sorted(os.listdir(root / ".gitmem")) == ["config.yaml", "notes"]
        assert git("status", "--porcelain", cwd=root) == "?? .gitmem/notes\n"


def test_a_lock_that_a_killed_init_left_goes_with_the_next_one(vault: Path) -> None:
    """Killed after its last commit: the store is whole, and git's lock on collecting garbage still stands there."""
    make(vault)
    mine = vault / ".git" / "gitmem" / GC_PID
    mine.write_text(f"{os.getpid()} gone\n")
    os.link(mine, vault / ".git" / "gc.pid")

    assert make(vault).kind == "already"
    assert not mine.exists()
    assert not (vault / ".git" / "gc.pid").exists()
