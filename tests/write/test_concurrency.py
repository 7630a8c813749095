"""Many writers at once, and a person who commits beside them (B9)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from gitmem.write.apply import Applied

Git = Callable[..., str]
Save = Callable[..., Applied]
WRITERS, SAVES = 16, 20

WRITER = """
import os, sys, time
from gitmem.history.commit import FileChange
from gitmem.write.apply import apply
from gitmem.write.change import Actor, Change
root, who, saves = sys.argv[1], sys.argv[2], int(sys.argv[3])
sys.stdin.readline()
slowest = 0.0
for number in range(saves):
    path = f"m{number % 3}/{who}-{number}.md"
    def make(reader):
        shared = reader.read("shared.md") or b""
        line = f"{who} {number}\\n".encode()
        return [FileChange(path, line), FileChange("shared.md", shared + line)]
    begun = time.monotonic()
    apply(root, Change("remember", path, "", Actor("person"), make), 1796000000, os.environ)
    slowest = max(slowest, time.monotonic() - begun)
print(slowest)
"""


def start(root: Path, who: str, saves: int) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", WRITER, str(root), who, str(saves)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_sixteen_processes_lose_nothing(store: Path, save: Save, git: Git) -> None:
    """B9: 16 processes, 20 saves each, every one also appends to one shared note: 320 of 320."""
    save("shared.md", "")
    writers = [start(store, f"w{number}", SAVES) for number in range(WRITERS)]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    slowest = [float(writer.communicate()[0]) for writer in writers]

    wanted = {f"w{who} {number}" for who in range(WRITERS) for number in range(SAVES)}
    assert len(slowest) == WRITERS
    assert sorted(git("show", "HEAD:shared.md", cwd=store).splitlines()) == sorted(wanted)
    files = {path for path in git("ls-files", cwd=store).split() if path != "shared.md"}
    assert files == {f"m{number % 3}/w{who}-{number}.md" for who in range(WRITERS) for number in range(SAVES)}
    assert git("rev-list", "--count", "HEAD", cwd=store) == f"{WRITERS * SAVES + 1}\n"
    assert git("status", "--porcelain", cwd=store) == ""
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""


def test_a_person_may_commit_in_the_same_folder_all_the_time(store: Path, save: Save, git: Git) -> None:
    """B9: neither the person's commits nor gitmem's are lost."""
    save("shared.md", "")
    writers = [start(store, f"w{number}", 8) for number in range(2)]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    hers, names = 0, ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    while any(writer.poll() is None for writer in writers):
        (store / f"hers-{hers}.txt").write_text("x\n")
        done = [
            subprocess.run(["git", *names, *words], cwd=store, capture_output=True, check=False).returncode
            for words in (("add", f"hers-{hers}.txt"), ("commit", "-qm", f"hers {hers}"))
        ]
        hers += done == [0, 0]
    for writer in writers:
        assert writer.communicate()[0]
        assert writer.returncode == 0
    save("last.md", "x\n")  # puts back what a commit from a stale index dropped at the very end

    files = git("ls-files", cwd=store).split()
    assert {f"m{number % 3}/w{who}-{number}.md" for who in range(2) for number in range(8)} <= set(files)
    committed = set(git("log", "--format=%s", "--author=Ada", cwd=store).splitlines())
    assert {f"hers {number}" for number in range(hers)} <= committed
    lines = sorted((store / "shared.md").read_text().splitlines())
    assert lines == sorted(f"w{who} {number}" for who in range(2) for number in range(8))
    assert git("show", "HEAD:shared.md", cwd=store) == (store / "shared.md").read_text()
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""
    assert not os.path.exists(store / ".git/index.lock")
