"""Trees are spliced as bytes; C git must come to the same tree from the same files."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadName, RepositoryDamaged
from gitmem.history.objects import Objects
from gitmem.history.tree import build, entry_of, parse, splice

Git = Callable[..., str]


@pytest.mark.parametrize("seed", range(4))
def test_random_changes_give_the_tree_git_builds(tmp_path: Path, git: Git, seed: int) -> None:
    """git's order of names, folders sorted as `name/`, empty folders pruned, few and many changes alike."""
    rng = random.Random(seed)
    git("init", "-q")
    blobs = [git("hash-object", "-w", "--stdin", stdin=f"{number}").strip() for number in range(3)]
    parts = ["a", "a-b", "a.b", "a0", "a b", "b", "中", "x 100644 a.md", "A"]
    names = ["a.md", "a-b.md", "a", "b.md", "x 100644 a.md", "é.md", "0"]
    objects, tree, files = Objects(str(tmp_path / ".git/objects")), "", dict[str, str]()
    for _ in range(25):
        changes: dict[str, tuple[int, str] | None] = {}
        for _ in range(rng.choice([1, 2, 3, 30])):
            path = "".join(rng.choice(parts) + "/" for _ in range(rng.randrange(4))) + rng.choice(names)
            if files and rng.random() < 0.4:
                path = rng.choice(sorted(files))
            taken = {*files, *changes}
            if any(other.startswith(path + "/") or path.startswith(other + "/") for other in taken):
                continue
            changes[path] = None if path in files and rng.random() < 0.6 else (0o100644, rng.choice(blobs))
        tree, moved = splice(objects, tree, changes)
        objects.flush()
        for path, change in changes.items():
            if change is None:
                files.pop(path, None)
            else:
                files[path] = change[1]
        rows = "".join(f"100644 {blob}\t{path}\0" for path, blob in files.items())
        git("read-tree", "--empty")
        git("update-index", "-z", "--index-info", stdin=rows)
        assert git("write-tree").strip() == tree
        assert moved[b""][1] == tree
    assert git("fsck", "--strict", "--no-dangling") == ""


def test_a_file_and_a_folder_of_one_name_are_told_apart(tmp_path: Path, git: Git) -> None:
    git("init", "-q")
    objects = Objects(str(tmp_path / ".git/objects"))
    blob = (0o100644, objects.add("blob", b"x"))
    tree, _ = splice(objects, "", {"a": blob, "b/c.md": blob})
    with pytest.raises(BadName, match="a is a file"):
        splice(objects, tree, {"a/b.md": blob})
    with pytest.raises(BadName, match="b is a folder"):
        splice(objects, tree, {"b": blob})
    assert splice(objects, tree, {"b": None, "nothing/here.md": None})[0] == tree


@pytest.mark.parametrize("seed", range(3))
def test_places_found_by_halving_are_those_of_a_tree_built_anew(tmp_path: Path, seed: int) -> None:
    """Names that look like the beginning of an entry and ids full of NULs lead nobody astray."""
    rng, objects = random.Random(seed), Objects(str(tmp_path))
    letters = [b"\0", b"1", b"0", b"6", b"4", b" ", b"a"]

    def blob() -> bytes:
        return b"".join(rng.choice(letters) for _ in range(20))

    def name() -> bytes:
        parts = (b"100644 ", b"40000 ", b"a", b"b", b"-", b"x.md")
        return b"".join(rng.choice(parts) for _ in range(rng.randrange(1, 6)))

    modes = (b"100644", b"100644", b"100644", b"100755", b"40000", b"120000")
    entries = {name(): (rng.choice(modes), blob()) for _ in range(700)}
    raw = build(entries)
    assert parse(raw) == entries
    for wanted in [*rng.sample(sorted(entries), 200), *(name() for _ in range(200))]:
        assert entry_of(raw, wanted) == entries.get(wanted)
    tree = objects.add("tree", raw)
    for _ in range(60):
        changed, new = name(), blob()
        if entries.get(changed, (b"",))[0] == b"40000":
            continue
        if changed in entries and rng.random() < 0.5:
            del entries[changed]
            tree, _ = splice(objects, tree, {changed.decode(): None})
        else:
            entries[changed] = (b"100644", new)
            tree, _ = splice(objects, tree, {changed.decode(): (0o100644, new.hex())})
        assert objects.read(tree) == build(entries)


@pytest.mark.parametrize("count", [3, 400])
def test_a_tree_that_is_cut_short_is_named(tmp_path: Path, count: int) -> None:
    """A damaged object is a sentence, wherever in it somebody looks."""
    whole = build({b"note-%04d.md" % at: (b"100644", b"i" * 20) for at in range(count)})
    damaged = whole[: len(whole) - 24]  # within the last name
    with pytest.raises(RepositoryDamaged, match="cut short"):
        parse(damaged)
    objects = Objects(str(tmp_path))
    with pytest.raises(RepositoryDamaged, match="cut short"):
        splice(objects, objects.add("tree", damaged), {"zebra.md": (0o100644, "1" * 40)})
