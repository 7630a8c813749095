"""CPU of ``gitmem audit``, and of the pre-commit hook for one staged file, in milliseconds and in bare interpreters.

    python benchmarks/audit.py [--memories N] [--rounds N] [--packed]

Every round runs each kind once, in turn, in processes of their own, so that a busy machine slows all of them alike.
CPU is user and system time of the process and its children: a bare ``python -I -S -c pass`` is the unit, since two
machines differ by less in it than in milliseconds.  --packed also measures the hook after ``git gc``.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from stores import make_store

from gitmem.setup.githooks import script
from gitmem.store.settings import DEFAULT_CONFIG

MEMORY = "---\nname: staged\ndescription: one more memory\nmetadata:\n  type: project\n---\n\nThe staged file.\n"


def cpu_ms(words: Sequence[str], folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(words, cwd=folder, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(
            f"{' '.join(words)} ended with {done.returncode}: {done.stderr.decode()}{done.stdout.decode()}"
        )
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def prepare(folder: Path, count: int) -> None:
    """A store of ``count`` memories with one staged file, and the hook as git would run it."""
    make_store(folder, count)
    config = folder / ".gitmem" / "config.yaml"
    config.parent.mkdir(exist_ok=True)
    config.write_text(DEFAULT_CONFIG)
    (folder / "2020-01" / "staged.md").write_text(MEMORY)
    subprocess.run(["git", "add", "2020-01/staged.md"], cwd=folder, check=True)
    program = folder / ".git" / "bin" / "gitmem"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!{sys.executable}\nfrom gitmem.__main__ import main\nmain()\n")
    program.chmod(0o755)
    hook = folder / ".git" / "hook"
    hook.write_bytes(script("pre-commit"))
    hook.chmod(0o755)
    os.environ["PATH"] = f"{program.parent}{os.pathsep}{os.environ['PATH']}"


def measure(folder: Path, rounds: int, kinds: dict[str, list[str]]) -> None:
    figures: dict[str, list[float]] = {name: [] for name in kinds}
    for _ in range(rounds):
        for name, words in kinds.items():
            figures[name].append(cpu_ms(words, folder))
    bare = min(figures["bare python"])
    for name, each in figures.items():
        least = min(each)
        print(f"{name:<28} {least:8.1f} ms CPU  median {statistics.median(each):8.1f}  {least / bare:7.1f} bare")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--packed", action="store_true")
    asked = parser.parse_args()
    gitmem = [sys.executable, "-m", "gitmem"]
    with tempfile.TemporaryDirectory() as place:
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # as installed: modules are compiled once
        os.environ["PYTHONPYCACHEPREFIX"] = str(Path(place) / "compiled")
        folder = Path(place) / "store"
        prepare(folder, asked.memories)
        print(f"{asked.memories} memories")
        kinds = {
            "bare python": [sys.executable, "-I", "-S", "-c", "pass"],
            "gitmem audit": [*gitmem, "audit", "--store", str(folder)],
            "gitmem audit --staged": [*gitmem, "audit", "--staged", "--store", str(folder)],
            "pre-commit hook, one file": [str(folder / ".git" / "hook")],
        }
        measure(folder, asked.rounds, kinds)
        if asked.packed:
            subprocess.run(["git", "gc", "-q"], cwd=folder, check=True)
            print("after git gc")
            measure(folder, asked.rounds, {name: kinds[name] for name in ("bare python", "pre-commit hook, one file")})


if __name__ == "__main__":
    main()
