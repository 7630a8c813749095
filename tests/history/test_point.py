"""Rollback points as git sees them: what they hold, how many stay, and damage that is found before it does harm."""

from __future__ import annotations

import hashlib
import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import NotFound, Refused
from gitmem.history.commit import FileChange
from gitmem.history.point import POINT, PROTECTION, every_point, files_of, find_point, points
from gitmem.history.repo import create_repo, open_repo
from gitmem.write.apply import apply
from gitmem.write.change import Actor, Change
from gitmem.write.rollback import make_point

Git = Callable[..., str]
WHEN = 1_796_000_000
PERSON = Actor("person")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    create_repo(str(tmp_path / "store")).close()
    write(tmp_path / "store", "a.md", "a\n")
    return tmp_path / "store"


def write(root: Path, path: str, text: str, when: int = WHEN) -> str:
    change = Change("remember", path, "", PERSON, lambda _: [FileChange(path, text.encode())])
    return apply(str(root), change, when, os.environ).commit


def point(root: Path, reason: str = "why", when: int = WHEN) -> str:
    return make_point(str(root), reason, when=when, actor=PERSON, environ=os.environ)


def protect(root: Path, when: int) -> str:
    change = Change("rollback", "x", "", PERSON, lambda _: [])
    change.point, change.protects, change.always = "before", True, True
    return apply(str(root), change, when, os.environ).point


def ids(git: Git, root: Path) -> list[str]:
    refs = git("for-each-ref", "--format=%(refname)", "refs/gitmem/rollback", cwd=root).split()
    return [ref.rpartition("/")[2] for ref in refs]


def test_a_point_holds_the_store_as_it_is_with_edits_that_are_not_committed(root: Path, git: Git) -> None:
    """B5: its parent is the branch, its tree the files; neither the branch nor the files move."""
    write(root, "sub/b.md", "b\n")
    (root / "a.md").write_text("a\nby hand\n")
    (root / "new.md").write_text("new\n")
    (root / "sub/b.md").unlink()
    (root / "picture.png").write_bytes(b"\x00")
    head, status = git("rev-parse", "HEAD", cwd=root), git("status", "--porcelain", cwd=root)

    name = point(root)

    ref = f"refs/gitmem/rollback/{name}"
    assert git("rev-parse", "HEAD", f"{ref}^", cwd=root) == head * 2
    assert git("status", "--porcelain", cwd=root) == status
    assert git("ls-tree", "-r", "--name-only", ref, cwd=root).split() == ["a.md", "new.md"]
    assert git("show", f"{ref}:a.md", cwd=root) == "a\nby hand\n"
    git("fsck", "--strict", cwd=root)


def test_a_point_of_a_store_without_commits_is_possible(tmp_path: Path, git: Git) -> None:
    """An empty store is a state too."""
    create_repo(str(tmp_path / "empty")).close()
    name = point(tmp_path / "empty")
    assert git("ls-tree", f"refs/gitmem/rollback/{name}", cwd=tmp_path / "empty") == ""


def test_two_points_of_one_second_are_both_there_or_are_one(root: Path, git: Git) -> None:
    """sage-mem.md 187: a point that exists is never replaced; ours gives the same state the same id, no error."""
    first, again, other = point(root), point(root), point(root, "another reason")

    assert first == again != other
    assert sorted(ids(git, root)) == sorted({first, other})


def test_the_newest_points_stay_and_protection_points_are_counted_apart(root: Path, git: Git) -> None:
    """sage-mem.md 205: keep 1, five points and five protection points: 1 and 3 are left."""
    write(root, ".gitmem/config.yaml", "format: 1\nrollback:\n  keep: 1\n")
    made = [point(root, f"p{number}", WHEN + number) for number in range(5)]
    kept = [protect(root, WHEN + number) for number in range(5)]

    assert sorted(ids(git, root)) == sorted([made[-1], *kept[-3:]])
    with open_repo(str(root)) as repo:
        assert [each.kind for each in points(repo)].count(PROTECTION) == 3
        assert [each.id for each in points(repo) if each.kind == POINT] == made[-1:]


def test_packed_points_go_too_when_their_time_has_come(root: Path, git: Git) -> None:
    """DESIGN 5: the last N are kept, wherever git holds their refs."""
    write(root, ".gitmem/config.yaml", "format: 1\nrollback:\n  keep: 2\n")
    for number in range(2):
        point(root, f"p{number}", WHEN + number)
    git("pack-refs", "--all", "--prune", cwd=root)
    made = [point(root, f"q{number}", WHEN + 10 + number) for number in range(2)]

    assert sorted(ids(git, root)) == sorted(made)
    assert "rollback" not in (root / ".git/packed-refs").read_text()


@pytest.mark.parametrize("asked", ["", ".", "..", "x", "refs/heads/main", "*"])
def test_what_is_no_point_is_not_found(root: Path, asked: str) -> None:
    """sage-mem.md 194: '.' is refused; so is all else that names no point."""
    point(root)
    with open_repo(str(root)) as repo, pytest.raises(NotFound, match="no rollback point") as refused:
        find_point(repo, asked)
    assert refused.value.hint == "gitmem rollback list"


def test_a_point_is_found_by_the_beginning_of_its_id_or_its_commit(root: Path, git: Git) -> None:
    """What fits several names them."""
    one, two = point(root, "one", WHEN), point(root, "two", WHEN + 1)
    commit = git("rev-parse", f"refs/gitmem/rollback/{one}", cwd=root).strip()
    with open_repo(str(root)) as repo:
        assert find_point(repo, one[:-2]).id == one
        assert find_point(repo, commit[:10]).id == one
        assert find_point(repo, f"refs/gitmem/rollback/{two}").id == two
        with pytest.raises(NotFound, match="fits several rollback points") as refused:
            find_point(repo, "20")
    assert one in refused.value.message
    assert two in refused.value.message


def spoil(root: Path, name: str, how: str) -> None:
    """Damage one loose object."""
    path = root / ".git/objects" / name[:2] / name[2:]
    raw = zlib.decompress(path.read_bytes())
    path.chmod(0o600)
    if how == "missing":
        path.unlink()
    elif how == "cut":
        path.write_bytes(path.read_bytes()[:-4])
    elif how == "empty":
        path.write_bytes(b"")
    else:
        path.write_bytes(zlib.compress(raw[:-1] + bytes([raw[-1] ^ 1])))  # a whole object, and another one


@pytest.mark.parametrize("how", ["missing", "cut", "empty", "changed"])
@pytest.mark.parametrize("what", ["", "^{tree}", ":sub", ":sub/b.md"])
def test_a_damaged_point_is_refused_whole(root: Path, git: Git, what: str, how: str) -> None:
    """sage-mem.md 190: edited, missing or cut short: the sentence says which, and nothing is changed."""
    write(root, "sub/b.md", "b\n")
    (root / "sub/b.md").write_text("only in the point\n")
    name = point(root)
    (root / "sub/b.md").write_text("b\n")
    before = git("rev-parse", "HEAD", cwd=root)
    spoil(root, git("rev-parse", f"refs/gitmem/rollback/{name}{what}", cwd=root).strip(), how)

    with open_repo(str(root)) as repo, pytest.raises(Refused, match=f"rollback point {name} is damaged") as refused:
        files_of(repo, find_point(repo, name))

    assert refused.value.message.endswith("; nothing was changed")
    assert "fsck" in refused.value.hint
    assert git("rev-parse", "HEAD", cwd=root) == before
    with open_repo(str(root)) as repo:
        listed, damaged = every_point(repo)
    assert [*[each.id for each in listed], *damaged] == [name]


@pytest.mark.parametrize("path", ["../decoy.md", ".git/hooks.md", "sub/../../decoy.md", "a//b.md"])
def test_a_point_whose_paths_lead_out_of_the_store_is_refused(root: Path, git: Git, path: str) -> None:
    """sage-mem.md 192: a forged point cannot write beside the store."""
    blob = git("hash-object", "-w", "--stdin", cwd=root, stdin="decoy").strip()
    tree = bytes.fromhex(blob)
    kind = "100644"
    for part in reversed(path.split("/")):
        raw = f"{kind} {part}\0".encode() + tree
        body = b"tree %d\0" % len(raw) + raw
        name = put(root, body)
        tree, kind = bytes.fromhex(name), "40000"
    commit = git("commit-tree", name, "-p", "HEAD", "-m", "rollback point", cwd=root).strip()
    git("update-ref", "refs/gitmem/rollback/forged", commit, cwd=root)

    with open_repo(str(root)) as repo, pytest.raises(Refused, match="leads out of the store"):
        files_of(repo, find_point(repo, "forged"))


def put(root: Path, body: bytes) -> str:
    """Write an object that git itself would not make."""
    name = hashlib.sha1(body).hexdigest()
    path = root / ".git/objects" / name[:2] / name[2:]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(zlib.compress(body))
    return name
