"""Time of ``gitmem history`` and ``gitmem blame`` against ``git log -- FILE``, ``git log --follow`` and ``git blame``.

    python benchmarks/history.py [--commits N] [--memories N] [--rounds N] [--layouts flat,foldered]

The repository is made by ``git fast-import``.  Whole cold processes, every round each kind once in turn, so that a
busy machine slows all alike; medians in milliseconds, and the ratio to git.  The first build of the history
index is timed apart, in this process.
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
from pathlib import Path

from gitmem.history.log import revisions
from gitmem.history.repo import open_repo

WORDS = "deploy backup migrate release branch index token cache queue retry schema".split()  # noqa: SIM905
START = 1_700_000_000
EVERY = 300  # commits from one change of the file that is asked about to the next
ASKED = 7  # its number


def place(layout: str, number: int) -> str:
    """``note-7.md``, or the same in one of 24 months."""
    folder = "" if layout == "flat" else f"{2025 + number % 24 // 12}-{number % 12 + 1:02d}/"
    return f"{folder}note-{number}.md"


def text(rng: random.Random, number: int, version: int) -> bytes:
    body = "\n\n".join("\n".join(" ".join(rng.choices(WORDS, k=12)) for _ in range(5)) for _ in range(4))
    return f"---\nname: note {number}\ndescription: version {version}\n---\n\n{body}\n".encode()


def make(root: Path, layout: str, memories: int, commits: int) -> None:
    """A first commit of all memories, then one change a commit; then packed, as a fresh clone is."""
    rng = random.Random(commits)
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    writer = subprocess.Popen(["git", "-C", str(root), "fast-import", "--quiet"], stdin=subprocess.PIPE)
    assert writer.stdin is not None
    for version in range(commits):
        numbers = range(memories) if not version else [ASKED if version % EVERY == 0 else rng.randrange(memories)]
        message = f"edit: note\n\nbecause {version}\n\nGitmem-Op: edit\nGitmem-Actor: person\n".encode()
        writer.stdin.write(b"commit refs/heads/main\ncommitter Ada <ada@example.org> %d +0000\n" % (START + version))
        writer.stdin.write(b"data %d\n%s\n" % (len(message), message))
        for number in numbers:
            data = text(rng, number, version)
            writer.stdin.write(b"M 100644 inline %s\ndata %d\n" % (place(layout, number).encode(), len(data)) + data)
    writer.stdin.close()
    assert writer.wait() == 0
    git = ["git", "-C", str(root)]
    subprocess.run([*git, "repack", "-adq"], check=True)
    subprocess.run([*git, "reset", "-q", "--hard"], check=True)


def first_build(root: Path, path: str) -> tuple[float, float, int]:
    """Milliseconds of the first question and of the next, and the size of the index in bytes."""
    times = []
    for _ in range(2):
        begun = time.perf_counter()
        with open_repo(str(root)) as repo:
            revisions(repo, path)
        times.append((time.perf_counter() - begun) * 1000)
    return times[0], times[1], (root / ".git" / "gitmem" / "history.sqlite").stat().st_size


def measure(layout: str, memories: int, commits: int, rounds: int) -> None:
    root = Path(tempfile.mkdtemp(prefix="gitmem-bench-")) / "store"
    try:
        make(root, layout, memories, commits)
        path = place(layout, ASKED)
        gitmem, git = [sys.executable, "-m", "gitmem"], ["git", "-C", str(root)]
        subprocess.run([*gitmem, "refresh", "--store", str(root)], check=True, stdout=subprocess.DEVNULL)
        first, next_one, size = first_build(root, path)
        print(f"{layout}: {commits:,} commits, {memories:,} memories; first build {first / 1000:.1f} s, "
              f"then {next_one:.1f} ms in the process; {size / 1e6:.1f} MB", flush=True)  # fmt: skip
        kinds = {
            "git log -- FILE": [*git, "log", "--", path],
            "git log --follow": [*git, "log", "--follow", "--", path],
            "git blame": [*git, "blame", "--", path],
            "gitmem history PATH": [*gitmem, "history", path, "--store", str(root)],
            "gitmem history STEM": [*gitmem, "history", f"note-{ASKED}", "--store", str(root)],
            "gitmem blame PATH": [*gitmem, "blame", path, "--store", str(root)],
            "bare python": [sys.executable, "-c", "pass"],
        }
        tell(run_all(kinds, rounds))
    finally:
        shutil.rmtree(root.parent)


def run_all(kinds: dict[str, list[str]], rounds: int) -> dict[str, float]:
    """Median milliseconds of each kind; with compiled modules, as an installed program has them."""
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    times: dict[str, list[float]] = {kind: [] for kind in kinds}
    for turn in range(rounds + 1):
        for kind, words in kinds.items():
            begun = time.perf_counter()
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=environ)
            if turn:  # the first round compiles, and warms the disk's caches
                times[kind].append((time.perf_counter() - begun) * 1000)
    return {kind: statistics.median(found) for kind, found in times.items()}


def tell(medians: dict[str, float]) -> None:
    for kind, took in medians.items():
        base = "git blame" if kind == "gitmem blame PATH" else "git log -- FILE"
        follow = medians["git log --follow"]
        ratios = f"x{took / medians[base]:.2f} of {base}"
        ratios += f", x{took / follow:.2f} of --follow" if kind.startswith("gitmem history") else ""
        print(f"  {kind:20} {took:8.1f} ms  {ratios if kind.startswith('gitmem') else ''}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else "")
    parser.add_argument("--commits", type=int, default=10_000)
    parser.add_argument("--memories", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--layouts", default="flat,foldered")
    options = parser.parse_args()
    for layout in options.layouts.split(","):
        measure(layout, options.memories, options.commits, options.rounds)


if __name__ == "__main__":
    main()
