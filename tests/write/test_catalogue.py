"""MEMORY.md in step with new memories; the person's words stay (A7, sage-mem 52-62)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.setup.create import init
from gitmem.write.change import Actor
from gitmem.write.memory import remember

Git = Callable[..., str]
WHEN = 1_790_000_000


@pytest.fixture
def store(tmp_path: Path) -> Path:
    init(str(tmp_path / "store"), environ=os.environ, when=WHEN)
    return tmp_path / "store"


def keep(root: Path, name: str, description: str = "") -> None:
    remember(
        str(root), f"text of {name}", when=WHEN, actor=Actor("person"), environ=os.environ, name=name,
        description=description,
    )  # fmt: skip


def test_the_old_bytes_are_a_prefix_of_the_new(store: Path) -> None:
    """sage-mem 52."""
    old = b"# Mine\r\n\r\n- [x](x.md) \xe2\x80\x94 my own words\r\nfree text"
    (store / "MEMORY.md").write_bytes(old)
    keep(store, "cat", "purrs")
    assert (store / "MEMORY.md").read_bytes() == old + "\r\n- [cat](cat.md) — purrs\r\n".encode()


def test_a_line_the_person_wrote_already_is_kept(store: Path) -> None:
    """sage-mem 53."""
    (store / "MEMORY.md").write_text("# Mine\n- [my cat](cat.md) — the best\n")
    keep(store, "cat")
    assert (store / "MEMORY.md").read_text() == "# Mine\n- [my cat](cat.md) — the best\n"


def test_a_store_without_the_file_gets_none(store: Path, git: Git) -> None:
    """sage-mem 55."""
    (store / "MEMORY.md").unlink()
    git("commit", "-qam", "no index", cwd=store)
    keep(store, "cat")
    assert not (store / "MEMORY.md").exists()


def test_a_long_description_is_cut(store: Path) -> None:
    """sage-mem 61."""
    keep(store, "cat", "word " * 60)
    line = (store / "MEMORY.md").read_text().splitlines()[-1]
    assert len(line) <= len("- [cat](cat.md) — ") + 120


def test_a_file_of_the_size_of_a_memory_gets_no_more_lines(store: Path) -> None:
    (store / "MEMORY.md").write_text("# Mine\n" + "- free text\n" * (MAX_MEMORY_BYTES // 12))
    before = (store / "MEMORY.md").read_bytes()
    keep(store, "cat")
    assert (store / "MEMORY.md").read_bytes() == before
