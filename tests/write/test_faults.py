"""kill -9, full disks, gc and other programs beside gitmem: no acknowledged write is lost, no repair by hand needed."""

from __future__ import annotations

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gitmem.errors import StoreUnwritable
from gitmem.history import pack
from gitmem.history.commit import FileChange
from gitmem.limits import PACK_FROM
from gitmem.write.apply import Applied, apply
from gitmem.write.change import Actor, Change, Reader

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
STEPS = ("open", "link", "replace", "rename", "unlink", "fsync", "mkdir", "write", "ftruncate")
LOCKS = ("index.lock", "HEAD.lock", "refs/heads/main.lock", "gc.pid", "gc.pid.lock")


@contextmanager
def at_step(number: int, act: Callable[[], None], names: tuple[str, ...] = STEPS) -> Iterator[list[int]]:
    """Do ``act`` in place of the ``number``-th call this process makes of the system, counting those in ``names``."""
    count, kept = [0], {name: getattr(os, name) for name in names}

    def wrapped(real: Callable[..., object]) -> Callable[..., object]:
        def call(*words: object, **named: object) -> object:
            count[0] += 1
            if count[0] == number:
                act()
            return real(*words, **named)

        return call

    for name, real in kept.items():
        setattr(os, name, wrapped(real))
    try:
        yield count
    finally:
        for name, real in kept.items():
            setattr(os, name, real)


def two_files(root: Path, number: int) -> Applied:
    """One operation on two files, the first of which the person has just edited."""

    def make(reader: Reader) -> list[FileChange]:
        old = reader.read("a.md") or b""
        return [FileChange("a.md", old + b"ours %d\n" % number), FileChange(f"n/{number}.md", b"new %d\n" % number)]

    return apply(str(root), Change("edit", "a", "", Actor("person"), make), WHEN + number, os.environ)


def left_over(root: Path) -> list[str]:
    """Lock files and temporary files in the repository."""
    found = [name for name in LOCKS if (root / ".git" / name).exists()]
    found += [name for name in os.listdir(root / ".git/gitmem") if name.startswith("tmp-") or name == "inflight"]
    return found + [path.name for path in (root / ".git/objects").rglob("tmp_*")]


def killed(act: Callable[[], object]) -> bool:
    """Do ``act`` in a process of its own; whether it was killed."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            act()
            code = 0
        finally:
            os._exit(code)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def many_files(root: Path, number: int) -> Applied:
    """One operation of so many files that their objects become a pack."""
    files = [FileChange(f"bulk/{each}.md", b"%d of %d\n" % (each, number)) for each in range(PACK_FROM)]
    return apply(str(root), Change("import", "bulk", "", Actor("person"), lambda _: files), WHEN + number, os.environ)


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def check_whole(git: Git, root: Path) -> None:
    """C git has nothing to complain about, and collects what there is."""
    assert git("fsck", "--strict", "--no-dangling", cwd=root) == ""
    done = subprocess.run(["git", "gc", "-q"], cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_kill_at_any_step_loses_nothing_and_needs_no_repair(store: Path, save: Save, git: Git) -> None:
    """L4: kill -9 at each call of the system that one write makes, one after the other."""
    names = ("link", "replace", "rename", "unlink", "fsync", "ftruncate")
    save("a.md", "one\n")
    number, done = 0, False
    while not done:
        number += 1
        hand = f"by hand {number}\n"
        (store / "a.md").write_text(hand)
        child = os.fork()
        if child == 0:
            try:
                with at_step(number, lambda: os.kill(os.getpid(), signal.SIGKILL), names):
                    two_files(store, number)
            finally:
                os._exit(0)
        done = os.waitpid(child, 0)[1] == 0

        save("other.md", f"{number}\n")

        status = git("status", "--porcelain", cwd=store)
        ours = git("show", "HEAD:a.md", cwd=store) == f"{hand}ours {number}\n"
        both = git("ls-tree", "HEAD", f"n/{number}.md", cwd=store) != ""
        assert ours == both, f"half of the operation at step {number}"
        assert status == ("" if ours else " M a.md\n"), f"step {number}: {status}"
        assert (store / "a.md").read_text() == (f"{hand}ours {number}\n" if ours else hand)
        if ours:
            assert git("show", "HEAD:other.md", cwd=store) == f"{number}\n"
            versions = git("log", "-3", "--format=%H", "--", "a.md", cwd=store).split()
            assert hand in [git("show", f"{version}:a.md", cwd=store) for version in versions]
        assert left_over(store) == []
    assert number > 30
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""


def test_a_kill_at_any_step_of_a_bulk_write_leaves_a_pack_that_git_reads_or_none(
    store: Path, save: Save, git: Git
) -> None:
    """L4: git stumbles over nothing right after the kill, and the next write leaves nothing of it behind."""
    names = ("link", "replace", "rename", "unlink", "fsync", "chmod")
    save("a.md", "one\n")
    number, states = 0, [""]
    while states.count("pack-.idx pack-.pack") < 2:  # from there on it is as every write
        number += 1
        root = store.with_name(f"killed-{number}")
        shutil.copytree(store, root)

        def write(number: int = number, root: Path = root) -> None:
            with at_step(number, kill, names):
                many_files(root, number)

        assert killed(write)
        found = sorted(path for path in (root / ".git/objects/pack").glob("*"))
        states.append(" ".join(path.name.partition("-")[0] + "-" + path.suffix for path in found))
        assert git("fsck", "--strict", "--no-dangling", cwd=root) == "", f"step {number}"
        save("other.md", f"{number}\n", root=root)
        assert left_over(root) == [], f"step {number}"
        assert "garbage: 0\n" in git("count-objects", "-v", cwd=root), f"step {number}"
        check_whole(git, root)
    assert list(dict.fromkeys(states)) == [
        "", "tmp_pack_gitmem-", "tmp_idx_gitmem- tmp_pack_gitmem-", "pack-.pack tmp_idx_gitmem-",
        "pack-.idx pack-.pack",
    ]  # fmt: skip


def test_an_index_of_a_pack_that_is_half_written_is_none_to_git(
    store: Path, save: Save, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill when the file is there and empty: git took such for a broken pack, and its gc died of it."""
    save("a.md", "one\n")
    monkeypatch.setattr(pack, "write_pack_index_v2", lambda *_: kill())
    assert killed(lambda: many_files(store, 1))
    monkeypatch.undo()
    assert len(list((store / ".git/objects/pack").glob("tmp_*"))) == 2
    check_whole(git, store)
    save("b.md", "two\n")
    assert left_over(store) == []


@pytest.mark.parametrize("is_renamed", [False, True], ids=["before", "after the pack's rename"])
def test_what_an_earlier_version_left_half_written_is_removed_by_the_next_write(
    store: Path, save: Save, git: Git, is_renamed: bool
) -> None:
    """Its temporary files had the endings of real ones."""
    save("a.md", "one\n")
    folder, dead = store / ".git/objects/pack", os.fork()
    if dead == 0:
        os._exit(0)
    os.waitpid(dead, 0)
    many_files(store, 1)
    [whole] = folder.glob("*.pack")
    left, index = whole.read_bytes(), whole.with_suffix(".idx").read_bytes()
    (folder / f"tmp_pack_{dead:x}.idx").write_bytes(b"")
    if is_renamed:
        other = left[:-20] + bytes(20)  # of another checksum: another pack
        (folder / f"pack-{'00' * 20}.pack").write_bytes(other)
        (folder / f"tmp_pack_{dead:x}.idx").write_bytes(index[:-40] + bytes(20) + index[-20:])
    else:
        (folder / f"tmp_pack_{dead:x}.pack").write_bytes(left[:100])
    (store / ".git/objects/00").mkdir(exist_ok=True)
    save("b.md", "two\n")
    assert sorted(path.name for path in folder.iterdir()) == sorted([whole.name, whole.with_suffix(".idx").name])
    check_whole(git, store)


def test_half_written_files_of_others_and_of_the_living_are_left_alone(store: Path, save: Save) -> None:
    """git, dulwich, and a gitmem that is at work at this moment, as a sync is without the writer's lock."""
    save("a.md", "one\n")
    folder = store / ".git/objects/pack"
    folder.mkdir(exist_ok=True)
    names = ["tmp_pack_aB3xYz", "tmp_idx_aB3xYz", "tmp_pack_ab_d12ef", f"tmp_pack_gitmem-{os.getpid():x}-1"]
    for name in names:
        (folder / name).write_bytes(b"PACK")
    save("b.md", "two\n")
    assert sorted(path.name for path in folder.iterdir()) == sorted(names)


def test_a_full_disk_at_any_step_leaves_the_store_as_it_was(store: Path, save: Save, git: Git) -> None:
    """One clear sentence, nothing lost; the write is either whole or not there."""

    def full() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a file")

    names = ("open", "link", "replace", "rename", "fsync", "mkdir", "write", "ftruncate")
    save("a.md", "one\n")
    number, reached, said = 0, True, set()
    while reached:
        number += 1
        head, text = git("rev-parse", "HEAD", cwd=store), (store / "a.md").read_text()
        with at_step(number, full, names) as count:
            try:
                two_files(store, number)
            except StoreUnwritable as refused:
                said.add(refused.message.partition(" for ")[0])
                moved = git("rev-parse", "HEAD", cwd=store) != head
            else:
                moved = True
        reached = count[0] >= number
        if "inflight" in left_over(store):  # between index and branch: the next write completes it
            save("other.md", f"{number}\n")
            moved = True
        if not moved:
            assert (store / "a.md").read_text() == text
        assert (store / f"n/{number}.md").exists() == moved
        assert git("status", "--porcelain", cwd=store) == ""
        assert left_over(store) == []
    assert number > 40
    assert said == {"no space is left"}
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""


def test_random_kills_of_a_process_that_writes_lose_no_acknowledged_write(store: Path, save: Save, git: Git) -> None:
    """L4, from outside: the writer is killed at any moment, by the clock."""
    program = (
        "import os, sys\nfrom gitmem.write.apply import apply\nfrom gitmem.write.change import Actor, Change\n"
        "from gitmem.history.commit import FileChange\n"
        "for n in range(10**6):\n"
        "    name = f'{sys.argv[2]}-{n}.md'\n"
        "    change = Change('remember', name, '', Actor('person'), lambda r: [FileChange(name, name.encode())])\n"
        "    apply(sys.argv[1], change, 1796000000, os.environ)\n"
        "    print(name, flush=True)\n"
    )
    rng, acknowledged = random.Random(7), []
    for turn in range(6):
        words = [sys.executable, "-c", program, str(store), f"t{turn}"]
        child = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        acknowledged.append(child.stdout.readline().strip())
        time.sleep(rng.uniform(0, 0.06))  # the moment of the kill; nothing is waited for
        child.kill()
        acknowledged += [line for line in child.stdout.read().split("\n")[:-1] if line]
        child.wait()
        child.stdout.close()
        save("after.md", f"{turn}\n")
        assert git("status", "--porcelain", cwd=store) == ""
    names = set(git("ls-files", cwd=store).split())
    assert [name for name in acknowledged if name not in names] == []
    assert len(acknowledged) >= 6
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("no right to mount a small disk; the injected faults above cover its errors")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_real_full_disk_is_said_and_space_makes_it_work_again(small_disk: Path, save: Save, git: Git) -> None:
    """On a real file system."""
    from gitmem.history.repo import create_repo

    root = small_disk / "store"
    create_repo(str(root)).close()
    save("a.md", "one\n", root=root)

    def fill() -> None:
        for number in range(100):
            save(f"{number}.md", os.urandom(30_000).hex(), root=root)

    with pytest.raises(StoreUnwritable, match="no space is left"):
        fill()
    assert git("status", "--porcelain", cwd=root) == ""
    assert git("fsck", "--strict", "--no-dangling", cwd=root) == ""
    assert git("show", "HEAD:a.md", cwd=root) == "one\n"
    subprocess.run(["mount", "-o", "remount,size=8m", str(small_disk)], check=True)
    save("a.md", "two\n", root=root)
    assert git("status", "--porcelain", cwd=root) == ""


def test_a_read_only_disk_is_said(small_disk: Path, save: Save, git: Git) -> None:
    from gitmem.history.repo import create_repo

    root = small_disk / "store"
    create_repo(str(root)).close()
    save("a.md", "one\n", root=root)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StoreUnwritable, match="read-only disk"):
        save("a.md", "two\n", root=root)
    assert git("show", "HEAD:a.md", cwd=root) == "one\n"
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    save("a.md", "two\n", root=root)


def test_gc_that_prunes_at_once_takes_nothing_away(store: Path, save: Save, git: Git) -> None:
    """B9: `git gc --prune=now` beside a writer breaks a repository unless git's own gc.pid is held."""
    save("a.md", "one\n")
    loop = "while :; do git gc -q --prune=now 2>/dev/null; done"
    gc = subprocess.Popen(["sh", "-c", f"exec 2>/dev/null; {loop}"], cwd=store, start_new_session=True)
    try:
        for number in range(7):
            save(f"m/{number % 4}.md", f"{number}\n")
    finally:
        os.killpg(gc.pid, signal.SIGTERM)
        gc.wait()
    (store / ".git/gc.pid").unlink(missing_ok=True)
    save("last.md", "x\n")
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""
    assert git("status", "--porcelain", cwd=store) == ""
    assert git("rev-list", "--count", "HEAD", cwd=store) == "9\n"


def test_a_commit_from_a_stale_index_does_not_lose_a_memory(store: Path, save: Save, git: Git) -> None:
    """B9: `git commit` reads the index before it locks it, and may write an old one back."""
    save("a.md", "one\n")
    save("b.md", "one\n")
    stale = (store / ".git/index").read_bytes()
    save("a.md", "two\n")
    save("new.md", "new\n")
    (store / ".git/index").write_bytes(stale)
    (store / "hers.txt").write_text("hers\n")
    git("add", "hers.txt", cwd=store)
    git("commit", "-qm", "hers", cwd=store)
    assert git("show", "HEAD:a.md", cwd=store) == "one\n"

    applied = save("b.md", "two\n")

    assert applied.healed == 2
    assert git("show", "HEAD:a.md", cwd=store) == "two\n"
    assert git("show", "HEAD:new.md", cwd=store) == "new\n"
    assert git("show", "HEAD:hers.txt", cwd=store) == "hers\n"
    assert git("log", "-1", "--format=%s", "HEAD~1", cwd=store) == "put back: a.md, new.md\n"
    assert git("status", "--porcelain", cwd=store) == ""


def test_a_stale_index_alone_is_put_right_before_it_does_harm(store: Path, save: Save, git: Git) -> None:
    """The entries are patched again, so that the person's next commit reverts nothing."""
    save("a.md", "one\n")
    stale = (store / ".git/index").read_bytes()
    save("a.md", "two\n")
    (store / ".git/index").write_bytes(stale)
    assert git("status", "--porcelain", cwd=store) == "MM a.md\n"
    save("b.md", "x\n")
    assert git("status", "--porcelain", cwd=store) == ""


@pytest.mark.parametrize("way", ["revert", "checkout", "rm", "reset --hard", "reset --soft"])
def test_what_a_person_takes_back_stays_taken_back(store: Path, save: Save, git: Git, way: str) -> None:
    """A true delete or revert also changes the work file, a reset moves the branch back."""
    save("a.md", "one\n")
    save("a.md", "two\n")
    if way == "revert":
        git("revert", "--no-edit", "HEAD", cwd=store)
    elif way == "checkout":
        git("checkout", "-q", "HEAD~1", "--", "a.md", cwd=store)
        git("commit", "-qm", "back", cwd=store)
    elif way == "rm":
        git("rm", "-q", "a.md", cwd=store)
        git("commit", "-qm", "gone", cwd=store)
    else:
        git(*way.split(), "HEAD~1", cwd=store)
    before = git("status", "--porcelain", cwd=store)
    tree = git("ls-tree", "HEAD", cwd=store)
    applied = save("b.md", "x\n")
    assert applied.healed == 0
    assert git("status", "--porcelain", cwd=store) == before
    assert git("ls-tree", "HEAD~1", cwd=store) == tree
