"""Time of one write against ``git add`` + ``git commit`` of the same kind of file.

    python benchmarks/write.py [--rounds N] [--layouts flat,foldered] [SIZE ...]

Warm: ``apply()`` in this process, full fsync, search index included.  Cold: one process per write, once a bare
``apply()`` and once ``python -m gitmem remember``.  Every round does each kind once, in turn, in the same
repository, so that a busy machine slows all of them alike; medians in milliseconds, and the ratio to git.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from gitmem.history.adopt import snapshot
from gitmem.history.commit import FileChange
from gitmem.history.identity import gitmem_identity
from gitmem.history.repo import create_repo
from gitmem.history.view import View
from gitmem.write.apply import apply
from gitmem.write.change import Actor, Change
from gitmem.write.index import refresh
from gitmem.write.lock import writer_lock

WORDS = ["deploy", "backup", "migrate", "release", "branch", "index", "token", "cache", "queue", "retry", "schema"]
COLD = """
import sys, time, os
from gitmem.write.apply import apply
from gitmem.write.change import Actor, Change
from gitmem.history.commit import FileChange
path, text = sys.argv[2:4]
change = Change("remember", path, "", Actor("person"), lambda reader: [FileChange(path, text.encode())])
apply(sys.argv[1], change, int(time.time()), os.environ)
"""


def text(rng: random.Random, name: str) -> str:
    body = "\n\n".join(" ".join(rng.choices(WORDS, k=60)) + "." for _ in range(4))
    return f"---\nname: {name}\ndescription: {' '.join(rng.choices(WORDS, k=8))}\n---\n\n{body}\n"


def place(layout: str, number: int) -> str:
    """``note-17.md``, or the same in one of 24 months."""
    month = number % 24
    folder = "" if layout == "flat" else f"{2025 + month // 12}-{month % 12 + 1:02d}/"
    return f"{folder}note-{number}.md"


def make_store(root: Path, layout: str, size: int) -> None:
    rng = random.Random(size)
    paths = [place(layout, number) for number in range(size)]
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text(rng, path), encoding="utf-8")
    who = gitmem_identity()
    with create_repo(str(root)) as repo, writer_lock(repo.git.common):
        snapshot(View(repo, os.environ), paths, "the folder as it is\n", who, who, int(time.time()))
    git(root, "config", "gc.auto", "0")
    refresh(str(root))


def git(root: Path, *words: str) -> str:
    names = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    done = subprocess.run(["git", *names, *words], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout


def by_git(root: Path, path: str, data: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(data, encoding="utf-8")
    git(root, "add", "--", path)
    git(root, "commit", "-q", "-m", f"note {path}")


def warm(root: Path, path: str, data: str) -> None:
    change = Change("remember", path, "", Actor("person"), lambda _: [FileChange(path, data.encode())])
    apply(str(root), change, int(time.time()), os.environ)


def cold(root: Path, path: str, data: str) -> None:
    once([sys.executable, "-c", COLD, str(root), path, data])


def command(root: Path, path: str, data: str) -> None:
    once([sys.executable, "-m", "gitmem", "remember", "-", "--path", path, "--store", str(root)], data)


def once(words: list[str], given: str = "") -> None:
    """One process, with compiled modules as an installed program has them."""
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, input=given, text=True, env=environ)


KINDS: dict[str, Callable[[Path, str, str], None]] = {
    "git": by_git,
    "warm": warm,
    "cold apply": cold,
    "cold command": command,
}


def measure(layout: str, size: int, rounds: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="gitmem-bench-"))
    try:
        make_store(folder, layout, size)
        rng, number = random.Random(1), size
        times: dict[str, list[float]] = {kind: [] for kind in KINDS}
        for turn in range(rounds + 1):
            for kind, write in KINDS.items():
                path = place(layout, number)
                data = text(rng, path)
                number += 1
                os.sync()  # what git left unsynced, its index, is not the next one's to pay
                begun = time.perf_counter()
                write(folder, path, data)
                if turn:  # the first round warms the disk's caches
                    times[kind].append((time.perf_counter() - begun) * 1000)
        base = statistics.median(times["git"])
        clean = "clean" if not git(folder, "status", "--porcelain") else "NOT CLEAN"
        row = "  ".join(
            f"{kind} {statistics.median(found):7.1f} ms x{statistics.median(found) / base:.2f}"
            for kind, found in times.items()
        )
        print(f"{layout:9} {size:7,}  {row}  status {clean}", flush=True)
    finally:
        shutil.rmtree(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("sizes", nargs="*", type=int, default=[1_000, 10_000, 100_000])
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--layouts", default="flat,foldered")
    options = parser.parse_args()
    for size in options.sizes or [1_000, 10_000, 100_000]:
        for layout in options.layouts.split(","):
            measure(layout, size, options.rounds)


if __name__ == "__main__":
    main()
