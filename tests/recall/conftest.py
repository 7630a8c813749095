"""A store as a person has it: a plain repository and files."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[..., Path]

WHEN = 1_760_000_000  # 2025-10-09


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """An empty store."""
    root = tmp_path / "store"
    subprocess.run(["git", "init", "-q", "-b", "main", str(root)], check=True)
    return root


@pytest.fixture
def write(store: Path) -> Write:
    """``write("deploy", "body", name="...")``: one memory file with a head of the given fields."""

    def make(path: str, body: str, **fields: str) -> Path:
        file = store / f"{path}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        head = "".join(f"{key}: {value}\n" for key, value in fields.items() if not key.startswith("metadata_"))
        nested = {key[9:]: value for key, value in fields.items() if key.startswith("metadata_")}
        if nested:
            head += "metadata:\n" + "".join(f"  {key}: {value}\n" for key, value in nested.items())
        file.write_text(f"---\n{head}---\n\n{body}\n" if head else f"{body}\n", encoding="utf-8")
        return file

    return make
