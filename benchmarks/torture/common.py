"""What the torture modes share: a store, marks to look for, and C git as the judge."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from gitmem.history.repo import create_repo
from gitmem.write.change import Actor
from gitmem.write.memory import remember

PERSON = Actor("person")
MARK = re.compile(r"\bmark-[a-z]+-\d+\b")
LOCKS = ("index.lock", "HEAD.lock", "refs/heads/main.lock", "gc.pid", "gc.pid.lock", "packed-refs.lock")


@dataclass
class Figures:
    """The row a mode prints.

    acknowledged: operations that said they were done; lost: of these, not in the store afterwards
    slowest_s:    the longest wait for one
    """

    mode: str
    kills: int = 0
    acknowledged: int = 0
    lost: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0
    slowest_s: float = 0.0

    def line(self) -> str:
        rate = f"{self.acknowledged / self.seconds:6.1f}/s" if self.seconds else ""
        slow = f"  slowest {self.slowest_s:.2f} s" if self.slowest_s else ""
        said = "; ".join(self.faults[:3]) or "fsck --strict clean, status clean, no lock left"
        return (
            f"{self.mode:<28} {self.kills:>5} kills  {self.acknowledged:>5} acknowledged  {len(self.lost)} lost"
            f"  {rate}{slow}  {said}"
        )


def environment() -> None:
    """An empty home folder, and nothing of the machine's own git settings."""
    for name in [name for name in os.environ if name.startswith(("GIT_", "GITMEM_", "XDG_"))]:
        del os.environ[name]
    os.environ["HOME"] = tempfile.mkdtemp(prefix="torture-home-")
    os.environ["GIT_CONFIG_NOSYSTEM"] = "1"


def new_store(folder: Path, name: str) -> Path:
    root = folder / name
    create_repo(str(root)).close()
    (root / "MEMORY.md").write_text("# Memory\n\n")
    keep(root, f"begin {name}", f"mark-begin-{0}")
    return root


def keep(root: Path, name: str, mark: str) -> str:
    """Remember a memory whose body holds ``mark``; its path."""
    text = f"A note of {name}.\n\n{mark}\n"
    return remember(str(root), text, when=now(), actor=PERSON, environ=os.environ, name=name).path


def now() -> int:
    return int(time.time())


def git(root: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words],
        cwd=root, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    return done.stdout + (done.stderr if done.returncode else "")


def marks_at_head(root: Path) -> set[str]:
    return set(MARK.findall(git(root, "grep", "-h", "mark-", "HEAD")))


def marks_ever(root: Path) -> set[str]:
    """Every mark that any commit of any ref ever held."""
    return set(MARK.findall(git(root, "log", "--all", "-m", "-p", "--no-renames", "--format=")))


def faults_of(root: Path) -> list[str]:
    """What C git and a look at the folder find wrong."""
    found = [git(root, "fsck", "--strict", "--no-dangling").strip(), git(root, "status", "--porcelain").strip()]
    found += [f"{name} left" for name in LOCKS if (root / ".git" / name).exists()]
    found += [f"{path} left" for path in (root / ".git" / "refs").rglob("*.lock")]
    return [each for each in found if each]
