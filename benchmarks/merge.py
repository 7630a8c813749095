"""Random three-way histories of memories: what a merge loses, and how often it cannot merge where git cannot.

    python benchmarks/merge.py [--histories 1000] [--seed 1]

Wild histories: both sides edit, add, remove, move and rename paragraphs, sections and fields of one memory anywhere.
Counted: lines of either side that are neither in the result nor in a conflict record (must be 0), results that depend
on who merges (must be 0).

Apart histories: both sides edit one memory, each its own section or field, and both set ``updated`` as every edit
does.  Conflicts are counted beside those of ``git merge-file`` on the same three texts; also once without ``updated``.
Then the time of one merge, in CPU ms, and of a store of 10,000 memories of which 200 changed.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from gitmem.memory.document import blob_id, read_memory  # noqa: E402 - the benchmark runs from a checkout
from gitmem.merge.memory import merge_memory  # noqa: E402
from gitmem.merge.tree import merge_trees  # noqa: E402

ENGLISH = "deploy backup migrate release branch index token cache queue retry schema port gateway owner"
WORDS = [*ENGLISH.split(" "), "部署", "备份", "端口"]
FIELDS = ("name", "description", "tags", "aliases", "type", "kind", "trust", "owner")
Trio = tuple[bytes, bytes, bytes]


class Memory:
    """A memory as a list of sections, each a heading and paragraphs, and a head of lines by field."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.head = {
            "name": "deploy ritual",
            "description": self.sentence(),
            "tags": "[deploy, release, team]",
            "aliases": "[ship it]",
            "updated": "2026-11-01T10:00:00Z",
            "owner": "Ada",
        }
        self.metadata = {"type": "project", "kind": "procedure", "trust": "verified", "access_count": "3"}
        self.sections = [(f"## Part {number}", self.paragraphs()) for number in range(chance.randint(2, 6))]

    def sentence(self) -> str:
        return " ".join(self.chance.choices(WORDS, k=self.chance.randint(4, 14)))

    def paragraphs(self) -> list[str]:
        return [self.paragraph() for _ in range(self.chance.randint(1, 4))]

    def paragraph(self) -> str:
        kind = self.chance.random()
        if kind < 0.3:
            return "\n".join(f"- {self.sentence()}" for _ in range(self.chance.randint(1, 4)))
        if kind < 0.4:
            return f"```sh\n{self.sentence()}\n\n{self.sentence()}\n```"
        return "\n".join(self.sentence() + "." for _ in range(self.chance.randint(1, 3)))

    def copy(self) -> Memory:
        new = Memory.__new__(Memory)
        new.chance, new.head, new.metadata = self.chance, dict(self.head), dict(self.metadata)
        new.sections = [(heading, list(paragraphs)) for heading, paragraphs in self.sections]
        return new

    def data(self) -> bytes:
        head = "".join(f"{key}: {value}\n" for key, value in self.head.items())
        below = "".join(f"  {key}: {value}\n" for key, value in self.metadata.items())
        body = "".join(f"\n{heading}\n" + "".join(f"\n{text}\n" for text in texts) for heading, texts in self.sections)
        return f"---\n{head}metadata:\n{below}---\n{body}".encode()

    def touched(self, day: int) -> None:
        self.head["updated"] = f"2026-11-{day:02d}T10:00:00Z"

    def edit_section(self, at: int) -> None:
        """One to three edits of one section."""
        texts = self.sections[at][1]
        for _ in range(self.chance.randint(1, 3)):
            place = self.chance.randrange(len(texts) + 1)
            what = self.chance.random()
            if what < 0.4 and place < len(texts):
                lines = texts[place].split("\n")
                inside = [at for at, line in enumerate(lines) if "```" not in line]  # a fence stays a fence
                lines[self.chance.choice(inside)] += " " + self.chance.choice(WORDS)
                texts[place] = "\n".join(lines)
            elif what < 0.8 or len(texts) < 2:
                texts.insert(place, self.paragraph())
            elif place < len(texts):
                del texts[place]

    def edit_field(self, key: str) -> None:
        if key in ("tags", "aliases"):
            items = self.head.get(key, "[old]").strip("[]").split(", ")
            items = [item for item in items if self.chance.random() < 0.7] + [self.chance.choice(WORDS)]
            self.head[key] = f"[{', '.join(dict.fromkeys(items))}]"
        elif key in self.head:
            self.head[key] = self.sentence()
        else:
            self.metadata[key] = self.chance.choice(WORDS)

    def edit_anywhere(self) -> None:
        for _ in range(self.chance.randint(1, 4)):
            what = self.chance.random()
            at = self.chance.randrange(len(self.sections)) if self.sections else -1
            if what < 0.5 and at >= 0:
                self.edit_section(at)
            elif what < 0.65:
                self.edit_field(self.chance.choice(FIELDS))
            elif what < 0.75:
                self.sections.insert(at + 1, (f"## Part {self.chance.randint(4, 8)}", self.paragraphs()))
            elif what < 0.8 and at >= 0:
                del self.sections[at]
            elif what < 0.85 and at >= 0:
                self.sections.append(self.sections.pop(at))
            elif what < 0.9 and at >= 0:
                self.sections[at] = (self.sections[at][0] + " renamed", self.sections[at][1])
            elif what < 0.95:
                self.metadata["access_count"] = str(int(self.metadata["access_count"]) + self.chance.randint(1, 5))
            else:
                self.head.pop(self.chance.choice(sorted(self.head)))
                self.head.setdefault("updated", "2026-11-01T10:00:00Z")


def wild(chance: random.Random) -> Trio:
    base = Memory(chance)
    sides = [base.copy(), base.copy()]
    for day, side in enumerate(sides, 2):
        side.edit_anywhere()
        side.touched(day if chance.random() < 0.8 else 2)
    return base.data(), sides[0].data(), sides[1].data()


def apart(chance: random.Random, *, dated: bool) -> Trio:
    """Each side edits sections and fields that the other leaves alone."""
    base = Memory(chance)
    sides = [base.copy(), base.copy()]
    for at in range(len(base.sections)):
        if chance.random() < 0.7:
            sides[at % 2].edit_section(at)
    fields = [*FIELDS]
    chance.shuffle(fields)
    for number, key in enumerate(fields[:3]):
        sides[number % 2].edit_field(key)
    for day, side in enumerate(sides, 2):
        if dated:
            side.touched(day)
    return base.data(), sides[0].data(), sides[1].data()


def lost_lines(trio: Trio) -> tuple[int, bool, bool]:
    """Lines lost, whether the result depends on who merges, whether there is a conflict.

    In the head a list, a date and a count become one of both; every other line must be there.
    """
    base, ours, theirs = trio
    one, two = merge_memory(base, ours, theirs), merge_memory(base, theirs, ours)
    texts = {"": [one.data], "ours": [one.data, theirs], "theirs": [one.data, ours]}[one.kept]
    there = {line for text in texts for line in text.split(b"\n")} | set(base.split(b"\n"))
    special = (b"tags:", b"aliases:", b"updated:", b"  access_count:")
    lost = [
        line
        for side in (ours, theirs)
        for line in side.split(b"\n")
        if line not in there and not line.startswith(special)
    ]
    sound = not read_memory("", one.data).findings
    return len(lost) + (not sound), one.data != two.data, bool(one.conflicts)


def git_conflicts(trio: Trio, folder: Path) -> bool:
    for name, data in zip(("base", "ours", "theirs"), trio, strict=True):
        (folder / name).write_bytes(data)
    words = ["git", "merge-file", "-p", "ours", "base", "theirs"]
    return subprocess.run(words, cwd=folder, capture_output=True, check=False).returncode != 0


def compare(name: str, trios: Iterator[Trio]) -> None:
    ours = git = count = 0
    ours_s = git_s = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for trio in trios:
            count += 1
            began = time.perf_counter()
            ours += bool(merge_memory(*trio).conflicts)
            ended = time.perf_counter()
            git += git_conflicts(trio, Path(folder))
            ours_s, git_s = ours_s + ended - began, git_s + time.perf_counter() - ended
    ratio = f"{git / ours:.1f} times fewer" if ours else "none"
    speed = f"{git_s / count * 1000:.1f} ms against {ours_s / count * 1000:.2f}"
    print(f"{name:38} {count:6} merges, conflicts: git merge-file {git:5}, gitmem {ours:4} ({ratio}); {speed}")


def cpu_ms(work: Callable[[], object], rounds: int) -> float:
    began = time.process_time()
    for _ in range(rounds):
        work()
    return (time.process_time() - began) * 1000 / rounds


def store_ms(chance: random.Random, count: int, changed: int) -> float:
    """CPU ms of one merge of a store: ``changed`` memories edited on each side, a tenth of them on both."""
    texts: dict[str, bytes] = {}

    def kept(data: bytes) -> tuple[int, str]:
        blob = blob_id(data)
        texts[blob] = data
        return 0o100644, blob

    memories = {f"2026-11/{number}.md": Memory(chance) for number in range(count)}
    base = {path: kept(memory.data()) for path, memory in memories.items()}
    sides = [dict(base), dict(base)]
    paths = list(base)
    for which, side in enumerate(sides):
        for at in range(changed):
            path = paths[at if at < changed // 10 else at + which * changed]
            memory = memories[path].copy()
            memory.edit_anywhere()
            memory.touched(2 + which)
            side[path] = kept(memory.data())
    return cpu_ms(lambda: merge_trees(base, sides[0], sides[1], texts.__getitem__), 3)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chance = random.Random(args.seed)
    histories = [wild(chance) for _ in range(args.histories)]
    results = [lost_lines(trio) for trio in histories]
    lost, asymmetric, conflicts = (sum(result[column] for result in results) for column in range(3))
    print(f"{'wild':38} {len(results):6} merges, lost texts {lost}, asymmetric {asymmetric}, conflicts {conflicts}")
    compare("wild", iter(histories))
    compare("different sections and fields", (apart(chance, dated=True) for _ in range(args.histories)))
    compare("the same, `updated` left alone", (apart(chance, dated=False) for _ in range(args.histories)))
    took = cpu_ms(lambda: [merge_memory(*trio) for trio in histories], 1) / len(histories)
    print(f"{'one merge of a memory':38} {took:.2f} ms CPU")
    print(f"{'10,000 memories, 200 + 200 edited':38} {store_ms(chance, 10_000, 200):.0f} ms CPU")


if __name__ == "__main__":
    main()
