"""What runs inside one process, by pytest-benchmark: ``pytest benchmarks/test_in_process.py``.

Run from the checkout; the figures are printed, nothing is asserted about time.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

sys.path.insert(0, str(Path(__file__).resolve().parent))

import stores

from gitmem.memory.document import read_memory
from gitmem.memory.passage import passages
from gitmem.memory.words import question_words, words
from gitmem.recall.choose import recall, search
from gitmem.write.index import mark, update_index

COUNT = 1_000


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A thousand memories with an index."""
    return stores.make_store(tmp_path_factory.mktemp("bench") / "store", COUNT)


@pytest.fixture(scope="module")
def maker() -> stores.Maker:
    return stores.Maker()


def test_words_of_a_megabyte(benchmark: BenchmarkFixture, maker: stores.Maker) -> None:
    text = "\n".join(maker.memory(at, 1) for at in range(2_000))[:1_000_000]
    assert benchmark(words, text)


def test_words_of_a_question(benchmark: BenchmarkFixture, maker: stores.Maker) -> None:
    assert benchmark(question_words, f"how does {maker.topic(7)} work and which port does it need")


def test_passages_of_a_memory_of_a_hundred_sections(benchmark: BenchmarkFixture, maker: stores.Maker) -> None:
    memory = read_memory("a.md", maker.memory(3, 100).encode())
    assert len(benchmark(passages, memory)) >= 100


def test_recall(benchmark: BenchmarkFixture, store: Path, maker: stores.Maker) -> None:
    assert benchmark(recall, str(store), f"how does {maker.topic(7)} work", 0).hits


def test_recall_of_nothing(benchmark: BenchmarkFixture, store: Path) -> None:
    assert not benchmark(recall, str(store), "please continue and run the tests again", 0).hits


def test_search(benchmark: BenchmarkFixture, store: Path, maker: stores.Maker) -> None:
    assert benchmark(search, str(store), maker.topic(7), 0).hits


def test_update_of_one_file(benchmark: BenchmarkFixture, store: Path, maker: stores.Maker) -> None:
    path = maker.path(500)

    def change() -> None:
        before = mark(str(store), [path])
        with (store / path).open("a", encoding="utf-8") as file:
            file.write("one more line\n")
        update_index(str(store), [path], before)

    benchmark(change)
