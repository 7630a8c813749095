"""A small real store, and the hook as a host starts it: a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gitmem.setup.host import hook_command
from gitmem.write.index import refresh

COMMAND = hook_command("claude-code", sys.executable)[:6]  # what stands before the event
SESSION = "4ff5a1b0-6d5e-4a53-9f0e-2b8d7c1f0a11"
MEMORIES = {
    "MEMORY.md": "# Index\n\n- [billing gateway](billing.md) - which ports it listens on\n",
    "billing.md": "---\nname: billing gateway\ndescription: ports of the billing gateway\nupdated: 2020-05-01\n---\n\n"
    "The billing gateway listens on port 8443.\nIts admin page is on port 8444.\n",
    "notes/cat.md": "---\nname: Zhima\nmetadata:\n  trust: candidate\n---\n\nThe cat is called Zhima.\n",
    "notes/部署.md": "---\nname: 部署流程\n---\n\n部署之前必须先备份数据库，然后再运行迁移脚本。\n",
    "user_style.md": "---\nname: style\nbaseline: true\n---\n\nAnswer in short sentences.\n",
}


@dataclass(frozen=True)
class Said:
    """What one hook process did."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """The text for the model; "" when the hook was silent."""
        if not self.out:
            return ""
        answer = json.loads(self.out)["hookSpecificOutput"]["additionalContext"]
        assert isinstance(answer, str)
        return answer

    @property
    def silent(self) -> bool:
        """Nothing at all, and no error: what a host takes for "go on"."""
        return (self.code, self.out, self.err) == (0, b"", b"")


@pytest.fixture
def make_store(git: Callable[..., str]) -> Callable[..., Path]:
    """Make a repository that holds ``memories`` in one commit: ``make_store(root, memories, indexed=False)``."""

    def make(root: Path, memories: dict[str, str] = MEMORIES, *, indexed: bool = True) -> Path:
        for name, text in memories.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        git("init", "-q", "-b", "main", cwd=root)
        git("add", "-A", cwd=root)
        git("commit", "-q", "-m", "as it was", cwd=root)
        if indexed:
            refresh(str(root))
        return root

    return make


@pytest.fixture
def store(tmp_path: Path, make_store: Callable[..., Path]) -> Path:
    return make_store(tmp_path / "store")


@pytest.fixture
def event() -> Callable[..., bytes]:
    """What Claude Code writes to a hook's stdin: ``event("the prompt")``, ``event(source="startup")``."""

    def make(prompt: str | None = None, **more: Any) -> bytes:
        fields: dict[str, Any] = {"session_id": SESSION, "transcript_path": "/t.jsonl", "cwd": "/"}
        if prompt is None:
            fields |= {"hook_event_name": "SessionStart"}
        else:
            fields |= {"hook_event_name": "UserPromptSubmit", "prompt_id": "p1", "permission_mode": "default"}
            fields |= {"prompt": prompt}
        return json.dumps(fields | more).encode()

    return make


@pytest.fixture
def hook(tmp_path: Path) -> Callable[..., Said]:
    """Run the hook: ``hook(stdin, "prompt", store=root)``."""

    def run(
        stdin: bytes,
        word: str = "prompt",
        *,
        store: Path | None = None,
        words: list[str] | None = None,
        before: tuple[str, ...] = (),
        env: dict[str, str] | None = None,
    ) -> Said:
        asked = [word, "--host", "claude-code"] if words is None else words
        command = [*before, *COMMAND, *asked, *(["--store", str(store)] if store else [])]
        environ = dict(os.environ) if env is None else env
        done = subprocess.run(command, input=stdin, capture_output=True, cwd=tmp_path, env=environ, check=False)
        return Said(done.returncode, done.stdout, done.stderr)

    return run
