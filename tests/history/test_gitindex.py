"""The index is patched byte by byte; C git must read from it what was put in."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import RepositoryBusy, RepositoryDamaged
from gitmem.history.gitindex import CannotPatch, patched, read_index
from gitmem.history.indexentry import entry_bytes

Git = Callable[..., str]


@pytest.mark.parametrize("size", [0, 3, 60, 2500])
def test_random_patches_are_read_by_git_as_meant(tmp_path: Path, git: Git, size: int) -> None:
    """Found by halving, put in and taken out, at every size, with names of every length and script."""
    rng = random.Random(size)
    git("init", "-q")
    blob = git("hash-object", "-w", "--stdin", stdin="x").strip()
    index = tmp_path / ".git/index"

    def name(folder: str) -> str:
        return folder + rng.choice("ab中é -") * rng.randrange(1, 90) + f"{rng.randrange(10**6)}.md"

    folders = ["", "a/", "a/b/", "a-b/", "é/中/", "z" * 200 + "/"]
    paths = {name(rng.choice(folders)) for _ in range(size)}
    if paths:
        git("update-index", "-z", "--index-info", stdin="".join(f"100644 {blob}\t{path}\0" for path in paths))
        git("write-tree")
    for _ in range(4):
        entries: dict[bytes, bytes | None] = {}
        for _ in range(rng.choice([1, 5, 60])):
            gone = paths and rng.random() < 0.4
            path = rng.choice(sorted(paths)) if gone else name(rng.choice([*folders, "new/"]))
            entries[path.encode()] = None if gone else entry_bytes(path.encode(), None, 0o100644, blob)
            (paths.discard if gone else paths.add)(path)
        index.write_bytes(b"".join(patched(read_index(str(index)), entries, {}, lambda _: None)))
        assert git("ls-files", "-z").split("\0")[:-1] == sorted(paths, key=str.encode)
        tree = git("write-tree")
        git("read-tree", "--empty")
        git("update-index", "-z", "--index-info", stdin="".join(f"100644 {blob}\t{path}\0" for path in paths))
        assert git("write-tree") == tree
    assert read_index(str(index)).count == len(paths)


def test_what_only_git_can_change_is_told_from_damage(tmp_path: Path, git: Git) -> None:
    """Version 4, split and sparse indexes are no damage; a cut file is, and says what to type."""
    git("init", "-q")
    (tmp_path / "d").mkdir()
    (tmp_path / "d/a.md").write_text("x\n")
    (tmp_path / "b.md").write_text("x\n")
    git("add", ".")
    git("commit", "-qm", "one")
    index = tmp_path / ".git/index"
    whole = index.read_bytes()
    for words in ([["--index-version", "4"]], [["--index-version", "2"], ["--split-index"]]):
        for word in words:
            git("update-index", *word)
        with pytest.raises(CannotPatch):
            read_index(str(index))
    git("update-index", "--no-split-index")
    git("sparse-checkout", "set", "--cone", "--sparse-index", "e")
    with pytest.raises(CannotPatch):
        read_index(str(index))
    for bad in (whole[:100], whole[:-5], b"rubbish", b""):
        index.write_bytes(bad)
        with pytest.raises(RepositoryDamaged) as damaged:
            read_index(str(index))
        assert damaged.value.hint == f"rm {index} && git reset"


def test_a_staged_file_in_the_way_of_a_folder_is_named(tmp_path: Path, git: Git) -> None:
    """An index cannot hold `a` and `a/b.md`; nothing of the person's is thrown out."""
    git("init", "-q")
    (tmp_path / "a").write_text("x\n")
    git("add", "a")
    index = read_index(str(tmp_path / ".git/index"))
    new = {b"a/b.md": entry_bytes(b"a/b.md", None, 0o100644, "1" * 40)}
    with pytest.raises(RepositoryBusy, match=r"a is staged and stands in the way of a/b\.md"):
        patched(index, new, {}, lambda _: None)
