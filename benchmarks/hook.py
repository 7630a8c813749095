"""The cold hook process against a bare interpreter, alternating in one run.

python benchmarks/hook.py [--memories 100 1000 10000 100000] [--passages 1] [--rounds 31] [--keep FOLDER]

Prints medians of wall and CPU time in ms, their ratio to ``python -I -S -c pass`` of the same run, and
the largest resident set.  ``--passages 10 --memories 100000`` is a million passages.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import stores

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gitmem.setup.host import START  # noqa: E402 - the benchmark runs from a checkout


def event(prompt: str) -> bytes:
    """What Claude Code sends at a prompt."""
    fields = {
        "session_id": "4ff5a1b0-6d5e-4a53-9f0e-2b8d7c1f0a11", "transcript_path": "/tmp/t.jsonl", "cwd": "/tmp",
        "prompt_id": "p", "permission_mode": "default", "hook_event_name": "UserPromptSubmit", "prompt": prompt,
    }  # fmt: skip
    return json.dumps(fields).encode()


def run(words: list[str], stdin: bytes) -> tuple[float, float, int]:
    """Wall ms, CPU ms, and bytes on stdout of one process."""
    read_in, write_in = os.pipe()
    read_out, write_out = os.pipe()
    os.write(write_in, stdin)
    os.close(write_in)
    moves = [(os.POSIX_SPAWN_DUP2, read_in, 0), (os.POSIX_SPAWN_DUP2, write_out, 1)]
    begun = time.perf_counter()
    process = os.posix_spawn(sys.executable, [sys.executable, *words], os.environ, file_actions=moves)
    os.close(write_out)
    os.close(read_in)
    said = 0
    while part := os.read(read_out, 65536):
        said += len(part)
    _, status, used = os.wait4(process, 0)
    wall = (time.perf_counter() - begun) * 1000
    os.close(read_out)
    if status:
        raise SystemExit(f"{words} ended with {status}")
    return wall, (used.ru_utime + used.ru_stime) * 1000, said


def resident(words: list[str], stdin: bytes) -> float:
    """MiB resident at most.  Started by a small process: a child counts its parent's memory until it has its own."""
    small = (
        "import os, sys\n"
        "process = os.posix_spawn(sys.executable, [sys.executable, *sys.argv[1:]], os.environ,"
        " file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])\n"
        "print(os.wait4(process, 0)[2].ru_maxrss)"
    )
    command = [sys.executable, "-I", "-S", "-c", small, *words]
    return int(subprocess.run(command, input=stdin, capture_output=True, check=True).stdout) / 1024


def questions(maker: stores.Maker, count: int) -> dict[str, tuple[str, bool]]:
    """Name -> prompt, and whether it must be answered."""
    chinese = next(number for number in range(count // 2, count) if number % 8 == 5)
    text = maker.memory(chinese, 1).rsplit("---\n\n", 1)[1]
    return {
        "english": (f"Which port does {maker.topic(count // 3)} listen on, and what must hold for it?", True),
        "chinese": (f"{text[:12]}，怎么处理？", True),
        "silent": ("thanks, please continue with the next step", False),
    }


def measure(store: Path, count: int, rounds: int) -> None:
    asked = questions(stores.Maker(), count)
    words = ["-I", "-S", "-c", START, str(ROOT), "prompt", "--host", "claude-code", "--store", str(store)]
    calls = {"bare": (["-I", "-S", "-c", "pass"], b"")}
    calls |= {name: (words, event(prompt)) for name, (prompt, _) in asked.items()}
    taken: dict[str, list[tuple[float, float, int]]] = {name: [] for name in calls}
    for turn in range(rounds + 2):
        for name, call in calls.items():
            once = run(*call)
            if turn >= 2:  # the first two fill the caches of the disk
                taken[name].append(once)
    bare_wall, bare_cpu = (statistics.median([once[column] for once in taken["bare"]]) for column in (0, 1))
    for name, all_rounds in taken.items():
        wall, cpu = (statistics.median([once[column] for once in all_rounds]) for column in (0, 1))
        said = all_rounds[-1][2]
        print(
            f"{count:>9,} {name:8} wall {wall:7.2f} ms {wall / bare_wall:5.2f} x"
            f"   cpu {cpu:7.2f} ms {cpu / bare_cpu:5.2f} x   {resident(*calls[name]):5.1f} MiB   {said:5d} bytes said",
            flush=True,
        )
        if name in asked and asked[name][1] != bool(said):
            print(f"{'':9} {name}: {'an answer' if asked[name][1] else 'silence'} was expected", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--memories", type=int, nargs="+", default=[100, 1_000, 10_000, 100_000])
    parser.add_argument("--passages", type=int, default=1, help="sections in each memory")
    parser.add_argument("--rounds", type=int, default=31)
    parser.add_argument("--keep", type=Path, help="make the stores here and use them again")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for count in asked.memories:
            folder = (asked.keep or Path(scratch)) / f"store-{count}-{asked.passages}"
            measure(stores.make_store(folder, count, asked.passages), count, asked.rounds)


if __name__ == "__main__":
    main()
