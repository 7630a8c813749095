"""The short way to gitmem's modules: never an old module, never a missing one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import gitmem
from gitmem.setup.host import START

RULES = "prompt/discipline.py"
QUESTION = "which port does the billing gateway listen on?"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package without compiled files, as a fresh installation has it."""
    copy = tmp_path / "site" / "gitmem"
    shutil.copytree(Path(gitmem.__file__).parent, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


@pytest.fixture
def ask(package: Path, store: Path, event: Callable[..., bytes]) -> Callable[[], bytes]:
    def run() -> bytes:
        command = [sys.executable, "-I", "-S", "-c", START, str(package.parent), "prompt", "--host", "claude-code"]
        command += ["--store", str(store)]
        return subprocess.run(command, input=event(QUESTION), capture_output=True, check=True).stdout

    return run


def test_with_and_without_compiled_files_the_answer_is_the_same(package: Path, ask: Callable[[], bytes]) -> None:
    """The first call after an installation compiles, the later ones do not; a host sees no difference."""
    first = ask()
    assert b"billing.md" in first
    assert list(package.rglob("*.pyc"))
    assert ask() == first


@pytest.mark.parametrize("keep_time", [True, False], ids=["another size", "another time"])
def test_a_changed_source_is_loaded_as_it_is_now(package: Path, ask: Callable[[], bytes], keep_time: bool) -> None:
    """An upgrade in place must not run yesterday's code."""
    ask()
    source = package / RULES
    state = source.stat()
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("may be outdated", "may be 0utdated" + "!" * keep_time), encoding="utf-8")
    if keep_time:
        os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns))
    else:
        os.utime(source, ns=(state.st_atime_ns, state.st_mtime_ns + 2_000_000_000))
    assert b"may be 0utdated" in ask()


@pytest.mark.parametrize("damage", [b"", b"garbage", bytes(16)])
def test_a_damaged_compiled_file_is_made_anew(package: Path, ask: Callable[[], bytes], damage: bytes) -> None:
    """As Python does it: what is not exactly as expected is left to Python."""
    first = ask()
    for compiled in (package / "prompt").rglob("*.pyc"):
        compiled.write_bytes(damage)
    assert ask() == first


def test_everything_is_loaded_the_short_way(package: Path, ask: Callable[[], bytes]) -> None:
    """Otherwise the hook's time budget is lost without anybody noticing."""
    ask()
    probe = (
        f"import sys; sys.path.append({str(package.parent)!r})\n"
        "from gitmem.hook.load import Near, quicken\n"
        f"quicken({str(package.parent)!r})\n"
        "import gitmem.hook.run, gitmem.prompt.block\n"
    )
    probe += (
        "slow = [name for name, module in sys.modules.items() if name.startswith('gitmem.')"
        " and not isinstance(module.__spec__.loader, Near)]\n"
        "print(*sorted(slow))"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["gitmem.hook", "gitmem.hook.load"]
