"""The first index, one changed file, and the cold question, in CPU time.

python benchmarks/index.py [--memories 1000 10000 100000] [--passages 1] [--rounds 21] [--keep FOLDER]

Prints CPU and wall seconds of a first build with the size of the index, medians in ms of the update
after one file changed and of a refresh that finds nothing, and the medians of a cold process that asks one question
against ``python -I -S -c pass`` of the same run.  The whole hook, and its memory: benchmarks/hook.py.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import stores

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gitmem.store.paths import search_index  # noqa: E402 - the benchmark runs from a checkout
from gitmem.write.index import mark, refresh, update_index  # noqa: E402

COLD = "import sys; sys.path.insert(0, sys.argv[1]); from gitmem.recall.choose import recall; recall(*sys.argv[2:4], 0)"


def cpu(work: Callable[[], object]) -> tuple[float, float]:
    """CPU and wall seconds of ``work``."""
    began, wall = time.process_time(), time.perf_counter()
    work()
    return time.process_time() - began, time.perf_counter() - wall


def process(words: list[str]) -> float:
    """CPU ms of one child."""
    child = subprocess.Popen([sys.executable, "-I", "-S", *words])
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        raise SystemExit(f"{words} ended with {status}")
    return (used.ru_utime + used.ru_stime) * 1000


def measure(store: Path, count: int, passages: int, rounds: int) -> None:
    maker = stores.Maker()
    index = Path(search_index(str(store / ".git")))
    for end in ("", "-wal", "-shm"):
        Path(f"{index}{end}").unlink(missing_ok=True)
    spent, wall = cpu(lambda: refresh(str(store)))
    size = index.stat().st_size / 1e6
    print(f"{count:>9,} memories x {passages}: first build {spent:.2f} s CPU, {wall:.2f} s wall, index {size:.1f} MB")

    path = maker.path(count // 2)
    file, text = store / path, maker.memory(count // 2, passages)
    updates = []
    for turn in range(rounds):
        before = mark(str(store), [path])
        file.write_text(f"{text}\nround {turn}\n", encoding="utf-8")
        updates.append(cpu(lambda before=before: update_index(str(store), [path], before))[0] * 1000)
    file.write_text(text, encoding="utf-8")
    update_index(str(store), [path])
    idle = [cpu(lambda: refresh(str(store)))[0] * 1000 for _ in range(3)]
    print(f"{'':>9} one file changed {statistics.median(updates):.1f} ms CPU, nothing changed {min(idle):.0f} ms")

    questions = {
        "english": f"how does {maker.topic(7)} work and which port does it need",
        "chinese": "".join(maker.chinese_topic(5)) + "怎么配置",
        "long": " ".join(maker.words[40:60]) + " " + maker.topic(3),
        "silent": "please continue and run the tests again",
    }
    times: dict[str, list[float]] = {name: [] for name in ["bare", *questions]}
    for _ in range(rounds):
        times["bare"].append(process(["-c", "pass"]))
        for name, question in questions.items():
            times[name].append(process(["-c", COLD, str(ROOT), str(store), question]))
    bare = statistics.median(times["bare"])
    for name, values in times.items():
        middle = statistics.median(values)
        print(f"{'':>9} cold question, {name:<8} {middle:6.1f} ms CPU {middle / bare:5.2f} x bare")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--passages", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--keep", type=Path)
    asked = parser.parse_args()
    for count in asked.memories:
        with tempfile.TemporaryDirectory() as temp:
            folder = (asked.keep or Path(temp)) / f"store-{count}-{asked.passages}"
            measure(stores.make_store(folder, count, asked.passages), count, asked.passages, asked.rounds)


if __name__ == "__main__":
    main()
