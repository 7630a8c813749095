"""The index is patched byte by byte; C git must read from it what was put in."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import RepositoryBusy, RepositoryDamaged
from gitmem.history.gitindex import CannotPatch, GitIndex, read_index
from gitmem.history.index_draft import Draft

Git = Callable[..., str]


def written(index: GitIndex, entries: dict[bytes, tuple[int, str] | None], path: Path) -> Path:
    """The index with these entries, written to ``path``; git compares the content of all that are new."""
    draft = Draft(index, entries, {}, lambda _: None)
    with open(path, "wb", buffering=0) as file:
        draft.write(file.fileno())
        draft.finish(file.fileno(), lambda _: None, lambda _: None)
    return path


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
        entries: dict[bytes, tuple[int, str] | None] = {}
        for _ in range(rng.choice([1, 5, 60])):
            gone = paths and rng.random() < 0.4
            path = rng.choice(sorted(paths)) if gone else name(rng.choice([*folders, "new/"]))
            entries[path.encode()] = None if gone else (0o100644, blob)
            (paths.discard if gone else paths.add)(path)
        written(read_index(str(index)), entries, tmp_path / "next").replace(index)
        assert git("ls-files", "-z").split("\0")[:-1] == sorted(paths, key=str.encode)
        tree = git("write-tree")
        git("read-tree", "--empty")
        git("update-index", "-z", "--index-info", stdin="".join(f"100644 {blob}\t{path}\0" for path in paths))
        assert git("write-tree") == tree
    assert read_index(str(index)).count == len(paths)


@pytest.mark.parametrize("second", [0x65000000, 0x6500FF9D, 0x65002D2D, 0x65000031])
def test_every_file_of_the_indexs_own_second_is_seen(tmp_path: Path, git: Git, second: int) -> None:
    """git's racy entries: none is missed, whatever the bytes of the second, whatever else looks like them."""
    rng = random.Random(second)
    git("init", "-q")
    mark = second.to_bytes(4, "big").replace(b"\0", b"1").decode("latin-1")
    young = set()
    for number in range(400):
        path = f"{rng.choice(['note', '-----', '11111111', mark])}-{number}.md"
        (tmp_path / path).write_text("x\n")
        at = second + rng.choice([0, 1, -1, 256, -256, 1000, 2000, -70000, 3000, 4000])
        os.utime(tmp_path / path, ns=(at * 10**9, at * 10**9 + rng.randrange(10**9)))
        if at == second:
            young.add(path.encode())
    git("add", ".")
    index = tmp_path / ".git/index"
    os.utime(index, ns=(second * 10**9, second * 10**9 + 5))
    assert {entry.path for entry in read_index(str(index)).young()} == young
    assert 20 < len(young) < 64


def test_a_large_index_keeps_its_hash_and_is_held_until_it_is_replaced(tmp_path: Path, git: Git) -> None:
    """Hashed in a second thread while it is written; the old file is freed by whoever looks away from it last."""
    git("init", "-q")
    blob = git("hash-object", "-w", "--stdin", stdin="x").strip()
    git("update-index", "-z", "--index-info", stdin="".join(f"100644 {blob}\t{at:060}.md\0" for at in range(9000)))
    index = tmp_path / ".git/index"
    before = read_index(str(index))
    assert (before.file is not None) == (os.name != "nt")
    new = written(before, {b"new.md": (0o100644, blob)}, tmp_path / "next")
    data = new.read_bytes()
    assert data[-20:] == hashlib.sha1(data[:-20]).digest()
    new.replace(index)
    del before
    assert len(git("ls-files").split()) == 9001
    assert git("fsck", "--strict", "--no-dangling") == ""


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
    with pytest.raises(RepositoryBusy, match=r"a is staged and stands in the way of a/b\.md"):
        Draft(index, {b"a/b.md": (0o100644, "1" * 40)}, {}, lambda _: None)
