"""The real command in a process of its own, as a person's shell would start it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.said import Said

ROOT = Path(__file__).parents[2]


Gm = Callable[..., Said]


@pytest.fixture
def gm(home: Path, tmp_path: Path) -> Gm:
    """Run ``gitmem``: ``gm("list", "--json").json``; never a traceback, whatever the words."""

    def run(*words: str, stdin: str | bytes = b"", cwd: Path = tmp_path, **environ: str) -> Said:
        done = subprocess.run(
            [sys.executable, "-m", "gitmem", *words],
            cwd=cwd, capture_output=True, check=False, timeout=120,
            input=stdin.encode() if isinstance(stdin, str) else stdin,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environ},
        )  # fmt: skip
        said = Said(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
        assert "Traceback" not in said.err + said.out, said.err
        return said

    return run


@pytest.fixture
def store(home: Path) -> Path:
    """Where the user's store is on this empty machine; nothing is there yet."""
    return home / ".gitmem" / "memory"
