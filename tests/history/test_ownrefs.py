"""gitmem's own refs beside git's: listed, made, moved and deleted, and nothing left by a kill."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import RepositoryBusy, RepositoryDamaged
from gitmem.history.heal import recover
from gitmem.history.ownrefs import RefLocks, RefMove, move_refs, own_refs
from gitmem.history.repo import open_repo
from gitmem.history.view import Moved
from gitmem.store.paths import CONFLICTS, OWN_REFS, state

Git = Callable[..., str]
ONE, TWO = CONFLICTS + "one", CONFLICTS + "two"


@pytest.fixture
def ids(tmp_path: Path, git: Git) -> tuple[Path, str, str]:
    """A repository with two commits, and their ids."""
    root = tmp_path / "store"
    git("init", "-q", "-b", "main", str(root))
    for text in ("first", "second"):
        (root / "a.md").write_text(text)
        git("add", ".", cwd=root)
        git("commit", "-qm", text, cwd=root)
    first, second = git("rev-parse", "HEAD~1", "HEAD", cwd=root).split()
    return root, first, second


def refs_of(git: Git, root: Path) -> dict[str, str]:
    """What C git lists under refs/gitmem."""
    rows = git("for-each-ref", "--format=%(refname) %(objectname)", "refs/gitmem", cwd=root).splitlines()
    return dict(row.split() for row in rows)


def moved(root: Path, *moves: RefMove) -> None:
    with open_repo(str(root)) as repo:
        move_refs(repo, moves)


def locks_under(root: Path) -> list[str]:
    return [str(path) for path in (root / ".git").rglob("*.lock") if "gitmem" not in path.parts[-2:-1]]


def test_refs_are_listed_as_git_lists_them_loose_and_packed(ids: tuple[Path, str, str], git: Git) -> None:
    """Promised by DESIGN 5; a loose ref counts before the packed one of its name."""
    root, first, second = ids
    git("update-ref", ONE, first, cwd=root)
    git("update-ref", OWN_REFS + "rollback/deep/er", first, cwd=root)
    git("pack-refs", "--all", cwd=root)
    git("update-ref", ONE, second, cwd=root)
    git("update-ref", TWO, first, cwd=root)

    with open_repo(str(root)) as repo:
        assert own_refs(repo.git) == refs_of(git, root)
        assert own_refs(repo.git, CONFLICTS) == {ONE: second, TWO: first}


def test_refs_are_made_moved_and_deleted_in_one(ids: tuple[Path, str, str], git: Git) -> None:
    """Promised by B3: a conflict's ref comes and goes; C git agrees at each step."""
    root, first, second = ids

    moved(root, RefMove(ONE, "", first), RefMove(TWO, "", first))
    assert refs_of(git, root) == {ONE: first, TWO: first}

    moved(root, RefMove(ONE, first, second), RefMove(TWO, first, ""))
    assert refs_of(git, root) == {ONE: second}
    git("fsck", "--strict", cwd=root)
    assert locks_under(root) == []


def test_a_packed_ref_is_deleted_for_good_and_its_neighbours_stay(ids: tuple[Path, str, str], git: Git) -> None:
    """As git does: out of packed-refs first, a peeled tag beside it untouched."""
    root, first, second = ids
    git("tag", "-a", "v1", "-m", "one", cwd=root)
    git("update-ref", ONE, first, cwd=root)
    git("update-ref", TWO, first, cwd=root)
    git("pack-refs", "--all", "--prune", cwd=root)
    git("update-ref", ONE, second, cwd=root)  # loose above packed
    tag = git("rev-parse", "v1^{}", cwd=root)

    moved(root, RefMove(ONE, second, ""))

    assert refs_of(git, root) == {TWO: first}
    assert git("rev-parse", "v1^{}", cwd=root) == tag
    assert git("rev-parse", "main", cwd=root).strip() == second
    git("fsck", "--strict", cwd=root)


def test_a_ref_packed_after_the_locks_were_prepared_does_not_come_back(ids: tuple[Path, str, str], git: Git) -> None:
    """git pack-refs may run at any moment: a deletion holds packed-refs, whether the ref is in it yet or not."""
    root, first, _ = ids
    git("update-ref", ONE, first, cwd=root)
    with open_repo(str(root)) as repo:
        folder = state(repo.git.path)
        os.makedirs(folder, exist_ok=True)
        locks = RefLocks(repo.git, [RefMove(ONE, first, "")], folder)
        git("pack-refs", "--all", cwd=root)
        locks.take()
        packing = subprocess.run(["git", "pack-refs", "--all"], cwd=root, capture_output=True, check=False)
        locks.make()
        locks.drop()
        locks.let_go()
        locks.clean()

    assert packing.returncode != 0  # git found packed-refs locked, as it should be
    assert refs_of(git, root) == {}
    assert locks_under(root) == []


def test_a_ref_that_is_not_where_it_was_seen_moves_nothing(ids: tuple[Path, str, str], git: Git) -> None:
    """All of the moves or none: the caller looks anew."""
    root, first, second = ids
    git("update-ref", TWO, second, cwd=root)

    with pytest.raises(Moved):
        moved(root, RefMove(ONE, "", first), RefMove(TWO, first, ""))

    assert refs_of(git, root) == {TWO: second}
    assert locks_under(root) == []


def test_a_folder_of_empty_folders_gives_way_as_in_git(ids: tuple[Path, str, str], git: Git) -> None:
    """What deleted refs leave behind is no obstacle."""
    root, first, _ = ids
    (root / ".git" / "refs" / "gitmem" / "conflicts" / "one" / "x" / "y").mkdir(parents=True)

    moved(root, RefMove(ONE, "", first))

    assert refs_of(git, root) == {ONE: first}


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(("there", "wanted"), [(ONE, ONE + "/below"), (ONE + "/below", ONE)])
def test_a_ref_in_the_place_of_a_folder_is_named(
    ids: tuple[Path, str, str], git: Git, there: str, wanted: str, packed: bool
) -> None:
    """git cannot hold both either; the sentence says which ref stands in the way and what to type."""
    root, first, _ = ids
    git("update-ref", there, first, cwd=root)
    if packed:
        git("pack-refs", "--all", cwd=root)

    with pytest.raises(RepositoryDamaged, match="stands in the way") as refused:
        moved(root, RefMove(wanted, "", first))

    assert there in refused.value.message
    assert f"update-ref -d {there}" in refused.value.hint
    assert refs_of(git, root) == {there: first}
    assert locks_under(root) == []


def test_a_lock_that_git_left_behind_is_named_and_not_removed(ids: tuple[Path, str, str], git: Git) -> None:
    """DESIGN 4: another program's lock is never taken away."""
    root, first, _ = ids
    lock = root / ".git" / "refs" / "gitmem" / "conflicts" / "one.lock"
    lock.parent.mkdir(parents=True)
    lock.write_text("")
    os.utime(lock, (1, 1))

    with pytest.raises(RepositoryBusy, match=r"one\.lock was left behind"):
        moved(root, RefMove(ONE, "", first))

    assert lock.exists()
    assert refs_of(git, root) == {}


STEPS = ("open", "link", "replace", "rename", "unlink", "fsync", "mkdir", "write", "ftruncate")


def die_at(number: int, root: Path, *moves: RefMove) -> bool:
    """Make the moves in a process that is killed in place of its ``number``-th call of the system; whether it was."""
    child = os.fork()
    if child == 0:
        count = [0]

        def counted(real: Callable[..., object]) -> Callable[..., object]:
            def call(*words: object, **named: object) -> object:
                count[0] += 1
                if count[0] == number:
                    os.kill(os.getpid(), signal.SIGKILL)
                return real(*words, **named)

            return call

        for name in STEPS:
            setattr(os, name, counted(getattr(os, name)))
        moved(root, *moves)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a forked process")
def test_a_killed_move_leaves_no_lock_to_the_next_writer(ids: tuple[Path, str, str], git: Git) -> None:
    """DESIGN 4: own locks are removed by inode; git and gitmem go on with no repair by hand, wherever the kill fell."""
    root, first, second = ids
    for number in range(1, 200):
        for ref in refs_of(git, root):
            git("update-ref", "-d", ref, cwd=root)
        git("update-ref", TWO, first, cwd=root)
        git("pack-refs", "--all", cwd=root)
        was_killed = die_at(number, root, RefMove(ONE, "", second), RefMove(TWO, first, ""))

        with open_repo(str(root)) as repo:
            recover(repo.git)

        assert locks_under(root) == []
        found = refs_of(git, root)
        assert found.get(ONE, second) == second
        assert found.get(TWO, first) == first
        if not was_killed:
            assert found == {ONE: second}
            break
    assert number > 20
    git("pack-refs", "--all", cwd=root)
    git("fsck", "--strict", cwd=root)


def test_packed_refs_are_read_once_for_all_of_them(
    ids: tuple[Path, str, str], git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DESIGN 5 allows 500 refs; a list that reads the file for each of them would take half a second."""
    root, first, _ = ids
    lines = "".join(f"create {CONFLICTS}{number:04} {first}\n" for number in range(500))
    git("update-ref", "--stdin", cwd=root, stdin=lines)
    git("pack-refs", "--all", cwd=root)
    opened: list[str] = []
    plain = open

    def counting(path: str, *words: object, **named: object) -> object:
        opened.append(str(path))
        return plain(path, *words, **named)  # type: ignore[call-overload]

    monkeypatch.setattr("builtins.open", counting)
    with open_repo(str(root)) as repo:
        found = own_refs(repo.git)

    assert len(found) == 500
    assert sum(path.endswith("packed-refs") for path in opened) == 1
