"""Synthetic stores for the benchmarks: N memories in year-month folders, the same bytes for the same numbers.

python benchmarks/stores.py FOLDER COUNT [--passages N]

The words follow a Zipf law over a made vocabulary of 20,000, as in natural text; every memory has a
head as Claude Code writes it, one memory in eight is Chinese, and each names a thing of its own.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from pathlib import Path

SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ra so tu va we xi yo zu bra cle dri flo gru pla ste tro"
COMMON = "the of to and in for is on with that it as be by from are at this or was which not when we use"
CHINESE = "部署 数据 迁移 备份 端口 服务 配置 用户 接口 缓存 队列 日志 监控 测试 发布 回滚 版本 密钥 网络 超时 索引"
TYPES = ("project", "feedback", "reference", "user")


def vocabulary(count: int = 20_000) -> list[str]:
    """``count`` words that can be spoken and do not repeat, the most frequent first."""
    chance, syllables = random.Random(7), SYLLABLES.split()
    made = dict.fromkeys(COMMON.split())
    while len(made) < count:
        made["".join(chance.choices(syllables, k=chance.choice((2, 2, 3, 3, 4))))] = None
    return list(made)


def chinese_vocabulary(count: int = 6_000) -> list[str]:
    """``count`` words of two characters, the most frequent first."""
    chance = random.Random(11)
    made = dict.fromkeys(CHINESE.split())
    while len(made) < count:
        made[chr(chance.randrange(0x4E00, 0x5800)) + chr(chance.randrange(0x4E00, 0x5800))] = None
    return list(made)


class Maker:
    """Makes memory ``number``; deterministic."""

    def __init__(self) -> None:
        self.words, self.chinese = vocabulary(), chinese_vocabulary()
        total = 0.0
        self.weights = [total := total + 1 / (rank + 2.7) for rank in range(len(self.words))]

    def topic(self, number: int) -> str:
        """Two rare words that name memory ``number``: what a question about it would say."""
        rare = self.words[2_000:]
        return f"{rare[number * 7919 % len(rare)]} {rare[number * 104_729 % len(rare)]}"

    def chinese_topic(self, number: int) -> list[str]:
        """Two rare words that memory ``number``, if Chinese, begins with."""
        rare = self.chinese[500:]
        return [rare[number * 7919 % len(rare)], rare[number * 104_729 % len(rare)]]

    def path(self, number: int) -> str:
        month = number // 900
        return f"{2020 + month // 12}-{month % 12 + 1:02d}/{self.topic(number).replace(' ', '-')}-{number}.md"

    def memory(self, number: int, passages: int) -> str:
        """Frontmatter and ``passages`` sections of about 70 words."""
        chance = random.Random(number)
        chinese = number % 8 == 5
        name, day = self.topic(number), f"2026-{number % 11 + 1:02d}-{number % 28 + 1:02d}"
        parts = [
            f"---\nname: {name}\ndescription: how {name} works and what must hold for it\n"
            f"updated: {day}T09:30:00Z\nmetadata:\n  type: {TYPES[number % 4]}\n---\n"
        ]
        for section in range(passages):
            if passages > 1:
                parts.append(f"\n## {self.topic(number + section * 31)}\n")
            parts.append(f"\n{self._chinese(chance, number) if chinese else self._english(chance, name)}\n")
        return "".join(parts)

    def _english(self, chance: random.Random, name: str) -> str:
        words = chance.choices(self.words, cum_weights=self.weights, k=68)
        words[chance.randrange(68)] = name
        words[chance.randrange(68)] = f"port {chance.randrange(1024, 65535)}"
        return "\n".join(" ".join(words[at : at + 14]).capitalize() + "." for at in range(0, len(words), 14))

    def _chinese(self, chance: random.Random, number: int) -> str:
        words = chance.choices(self.chinese, cum_weights=self.weights[: len(self.chinese)], k=60)
        words[:2] = self.chinese_topic(number)
        return "\n".join("".join(words[at : at + 10]) + "。" for at in range(0, len(words), 10))


def make_store(folder: Path, count: int, passages: int = 1) -> Path:
    """A git repository with ``count`` memories in one commit and a built index; what is there is used again."""
    done = folder / ".git" / "made"
    wanted = f"{count} {passages}"
    if done.is_file() and done.read_text() == wanted:
        return folder
    maker, seen = Maker(), set()
    for number in range(count):
        path = folder / maker.path(number)
        if path.parent not in seen:
            path.parent.mkdir(parents=True, exist_ok=True)
            seen.add(path.parent)
        path.write_bytes(maker.memory(number, passages).encode())
    git = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org", "-c", "gc.auto=0", "-C", str(folder)]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "add", "-A"], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "synthetic memories"], check=True)
    refresh = [sys.executable, "-m", "gitmem", "refresh", "--store", str(folder)]
    subprocess.run(refresh, check=True, stdout=subprocess.DEVNULL)
    done.write_text(wanted)
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folder", type=Path)
    parser.add_argument("count", type=int)
    parser.add_argument("--passages", type=int, default=1)
    asked = parser.parse_args()
    print(make_store(asked.folder, asked.count, asked.passages))


if __name__ == "__main__":
    main()
