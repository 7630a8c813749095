"""Stores for the tests of the write path."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.commit import FileChange
from gitmem.history.repo import create_repo
from gitmem.write.apply import Applied, apply
from gitmem.write.change import Actor, Change, Reader

WHEN = 1_796_000_000
Save = Callable[..., Applied]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    create_repo(str(root)).close()
    return root


@pytest.fixture
def save(store: Path) -> Save:
    """``save("a.md", "text")`` writes one memory through ``apply``; None removes it."""

    def write(
        path: str,
        text: str | bytes | None,
        *,
        root: Path | None = None,
        operation: str = "remember",
        reason: str = "",
        actor: Actor | None = None,
        when: int = WHEN,
    ) -> Applied:
        data = text.encode() if isinstance(text, str) else text

        def make(reader: Reader) -> list[FileChange]:
            return [FileChange(path, data)]

        change = Change(operation, path, reason, actor or Actor("person"), make)
        return apply(str(root or store), change, when, os.environ)

    return write
