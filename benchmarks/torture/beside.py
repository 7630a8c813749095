"""Writers beside other programs and on bad disks: gc without mercy, a person who commits, a full disk, 16 writers."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.torture.common import Figures, faults_of, git, keep, marks_at_head, new_store
from gitmem.errors import GitmemError

PROJECT = Path(__file__).parents[2]
WRITER = """
import os, sys, time
from benchmarks.torture.common import keep
from gitmem.errors import GitmemError
from pathlib import Path
root, who, saves = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("ready", flush=True)
sys.stdin.readline()
for number in range(saves):
    begun = time.monotonic()
    try:
        keep(root, f"{who} {number}", f"mark-{who}-{number}")
    except GitmemError as error:
        print("refused", error.message, flush=True)
        continue
    print("done", f"mark-{who}-{number}", time.monotonic() - begun, flush=True)
"""
GC = "while true; do git gc -q --prune=now 2>/dev/null; done"
PERSON = """n=0; while true; do n=$((n+1)); echo "line $n" > by-hand.md; git add by-hand.md 2>/dev/null &&
git -c user.name=Ada -c user.email=ada@example.org commit -q -m "by hand $n" 2>/dev/null; done"""


@dataclass(frozen=True)
class Mode:
    """Some writers, and a shell loop that runs in the store beside them; "" for none."""

    name: str
    writers: int
    beside: str

    def __str__(self) -> str:
        return self.name


SIXTEEN = Mode("16 writers", 16, "")
WITH_GC = Mode("4 writers, gc --prune=now", 4, GC)
WITH_PERSON = Mode("2 writers, a person commits", 2, PERSON)


def run(folder: Path, writes: int) -> Iterator[Figures]:
    """One row for each mode; ``writes`` in all of each."""
    for mode in (SIXTEEN, WITH_GC, WITH_PERSON):
        yield written(folder, mode, writes)
    yield _full_disk(folder, writes)
    yield _read_only(folder)


def written(folder: Path, mode: Mode, writes: int) -> Figures:
    """Processes that write at once; every one says what was acknowledged, and how long that took."""
    root = new_store(folder, mode.name.replace(" ", "-").replace(",", "").replace("=", ""))
    figures, wanted = Figures(mode.name), set()
    words = [sys.executable, "-c", WRITER, str(root)]
    everyone = [
        subprocess.Popen(
            [*words, f"w{'abcdefghijklmnop'[who]}", str(writes // mode.writers)], cwd=PROJECT, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(PROJECT)},
        )
        for who in range(mode.writers)
    ]  # fmt: skip
    with _program(mode.beside, root):
        for each in everyone:
            assert each.stdout is not None
            each.stdout.readline()  # it has loaded what it needs
        begun = time.monotonic()
        for each in everyone:
            assert each.stdin is not None
            each.stdin.write("\n")
            each.stdin.flush()
        for each in everyone:
            for line in each.communicate()[0].splitlines():
                kind, _, rest = line.partition(" ")
                if kind == "done":
                    mark, seconds = rest.split()
                    wanted.add(mark)
                    figures.slowest_s = max(figures.slowest_s, float(seconds))
                else:
                    figures.faults.append(rest)
        figures.seconds = time.monotonic() - begun
    keep(root, "after all", "mark-after-0")  # heals what a foreign commit dropped last
    figures.acknowledged = len(wanted)
    figures.lost = sorted(wanted - marks_at_head(root))
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", "what the person had not committed yet")
    figures.faults += faults_of(root)
    return figures


@contextmanager
def _program(words: str, root: Path) -> Iterator[None]:
    """A shell loop that runs in the store meanwhile; "" for none."""
    if not words:
        yield
        return
    child = subprocess.Popen(["sh", "-c", words], cwd=root, start_new_session=True, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        os.killpg(child.pid, 15)
        child.wait()
        for _ in range(100):  # a git that was in the middle ends by itself and takes its locks along
            if not (root / ".git/index.lock").exists() and not (root / ".git/gc.pid.lock").exists():
                break
            time.sleep(0.05)
        for name in ("index.lock", "HEAD.lock", "refs/heads/main.lock", "gc.pid", "gc.pid.lock"):
            if (root / ".git" / name).exists():  # git's own, killed with its shell
                (root / ".git" / name).unlink()


def _full_disk(folder: Path, writes: int) -> Figures:
    """A small disk that fills again and again; what was acknowledged before it was full is there."""
    figures = Figures("full disk")
    place = folder / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        figures.faults.append("not run: no right to mount a small disk")
        return figures
    try:
        for _ in range(min(20, max(1, writes // 100))):
            _fill(place, figures)
    finally:
        subprocess.run(["umount", "-l", str(place)], check=False)
    return figures


def _fill(place: Path, figures: Figures) -> None:
    root, ballast, refused, wanted = new_store(place, "store"), place / "ballast", 0, set()
    while refused < 3:
        mark = f"mark-disk-{figures.acknowledged}"
        try:
            keep(root, f"note {figures.acknowledged}", mark)
        except GitmemError:
            refused += 1
            figures.kills += 1
            continue
        wanted.add(mark)
        figures.acknowledged += 1
        size = ballast.stat().st_size if ballast.exists() else 0
        try:
            ballast.write_bytes(b"x" * min(size + 30_000, 2_800_000))
        except OSError:  # full at last
            continue
    ballast.unlink(missing_ok=True)
    keep(root, "after", "mark-after-0")
    figures.lost += sorted(wanted - marks_at_head(root))
    figures.faults += faults_of(root)
    shutil.rmtree(root)


def _read_only(folder: Path) -> Figures:
    """A folder that may not be written: every write refused, the store as before; then it goes on."""
    figures = Figures("read-only folder")
    root = new_store(folder, "read-only")
    done = subprocess.run(["mount", "--bind", str(root), str(root)], capture_output=True, check=False)
    if done.returncode or subprocess.run(["mount", "-o", "remount,ro,bind", str(root)], check=False).returncode:
        figures.faults.append("not run: no right to mount")
        return figures
    try:
        head = git(root, "rev-parse", "HEAD")
        for number in range(50):
            try:
                keep(root, f"no {number}", f"mark-no-{number}")
                figures.faults.append("a write was acknowledged on a read-only disk")
            except GitmemError:
                figures.kills += 1
        if git(root, "rev-parse", "HEAD") != head:
            figures.faults.append("HEAD moved")
    finally:
        subprocess.run(["umount", "-l", str(root)], check=False)
    for number in range(20):
        keep(root, f"yes {number}", f"mark-yes-{number}")
    figures.acknowledged = 20
    figures.lost = sorted({f"mark-yes-{number}" for number in range(20)} - marks_at_head(root))
    figures.faults += faults_of(root)
    return figures
