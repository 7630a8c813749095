"""Sync against the git program, in the same run.

    python benchmarks/sync.py [--clones 8] [--writes 8] [--memories 10000] [--rounds 5]

Crowd: some clones of one bare hub, each writes and syncs as often as asked, all at once.  For git: write the file, add,
commit, then pull and push until the push is taken.  For gitmem: one process a clone, as an agent's host has it, and
once more with a cold process for every write and every sync, as a person's shell starts them.
Counted: writes that are not on the hub afterwards (must be 0), the time at which the slowest clone was done.

One: one commit pushed from a store of many memories, gitmem's sender against ``git push`` in the same repository; both
to a bare hub in a folder, each in turn.  The whole of ``gitmem sync`` as a process is printed beside it.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.stores import make_store  # noqa: E402 - the benchmark runs from a checkout
from gitmem.errors import RepositoryBusy  # noqa: E402
from gitmem.history.remote import find_remote  # noqa: E402
from gitmem.history.repo import open_repo  # noqa: E402
from gitmem.history.transport import Push, open_transport  # noqa: E402
from gitmem.write.change import Actor  # noqa: E402
from gitmem.write.memory import remember  # noqa: E402
from gitmem.write.sync import sync  # noqa: E402

WHO = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org")


def environment(home: Path) -> dict[str, str]:
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "GITMEM_"))}
    return {**clean, "HOME": str(home), "GIT_CONFIG_NOSYSTEM": "1", "PYTHONPATH": str(ROOT)}


def run(*words: str, cwd: Path, home: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(words, cwd=cwd, env=environment(home), capture_output=True, text=True, check=False)
    if check and done.returncode not in (0, 4):
        raise SystemExit(f"{' '.join(words)}: {done.stdout}{done.stderr}")
    return done


def git(*words: str, cwd: Path, home: Path, check: bool = True) -> subprocess.CompletedProcess[str]:
    return run("git", *WHO, *words, cwd=cwd, home=home, check=check)


def gitmem(*words: str, cwd: Path, home: Path) -> subprocess.CompletedProcess[str]:
    return run(sys.executable, "-m", "gitmem", *words, cwd=cwd, home=home)


def hub_with_clones(top: Path, count: int) -> tuple[Path, list[Path]]:
    """A bare hub that holds a new store, and clones of it."""
    home = top / "home"
    home.mkdir(parents=True)
    (home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    hub = top / "hub.git"
    git("init", "-q", "--bare", "--initial-branch=main", str(hub), cwd=top, home=home)
    first = top / "first"
    gitmem("init", str(first), cwd=top, home=home)
    gitmem("remote", "add", "origin", str(hub), "--store", str(first), cwd=top, home=home)
    gitmem("sync", "--store", str(first), cwd=top, home=home)
    clones = [top / f"clone-{number}" for number in range(count)]
    for clone in clones:
        gitmem("clone", str(hub), str(clone), cwd=top, home=home)
    return hub, clones


def work_on(clone: Path, number: int, writes: int) -> None:
    """What one gitmem process does to its clone."""
    for write in range(writes):
        text = f"clone {number} wrote {write}".encode()
        actor, name = Actor("person"), f"note-{number}-{write}"
        remember(str(clone), text, when=int(time.time()), actor=actor, environ=os.environ, name=name)
        while True:
            try:
                if sync(str(clone), "origin", when=int(time.time()), environ=os.environ).state == "synced":
                    break
            except RepositoryBusy:
                continue


def by_gitmem(home: Path, clone: Path, number: int, writes: int) -> None:
    run(sys.executable, __file__, "--worker", str(clone), str(number), str(writes), cwd=clone, home=home)


def by_shell(home: Path, clone: Path, number: int, writes: int) -> None:
    for write in range(writes):
        name = f"note-{number}-{write}"
        gitmem("remember", f"clone {number} wrote {write}", "--name", name, "--store", str(clone), cwd=clone, home=home)
        while True:
            done = run(sys.executable, "-m", "gitmem", "sync", "--store", str(clone), cwd=clone, home=home, check=False)
            if done.returncode == 0:
                break


def by_git(home: Path, clone: Path, number: int, writes: int) -> None:
    for write in range(writes):
        name = f"note-{number}-{write}.md"
        (clone / name).write_text(f"---\nname: {name}\n---\n\nclone {number} wrote {write}\n")
        git("add", name, cwd=clone, home=home)
        git("commit", "-q", "-m", name, cwd=clone, home=home)
        while True:
            git("pull", "-q", "--no-rebase", "--no-edit", cwd=clone, home=home, check=False)
            if not git("push", "-q", "origin", "HEAD:main", cwd=clone, home=home, check=False).returncode:
                break


def crowd(kind: str, act: Callable[[Path, Path, int, int], None], clones: int, writes: int) -> float:
    """Let all clones write at once; seconds until the slowest was done."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder) / kind
        hub, every = hub_with_clones(top, clones)
        ends: list[float] = []

        def work(number: int) -> None:
            act(top / "home", every[number], number, writes)
            ends.append(time.monotonic() - start)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(clones)]
        start = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        there = git("ls-tree", "-r", "--name-only", "main", cwd=hub, home=top / "home").stdout
        wanted = [f"note-{number}-{write}.md" for number in range(clones) for write in range(writes)]
        lost = [name for name in wanted if name not in there.split()]
        git("fsck", "--strict", "--connectivity-only", cwd=hub, home=top / "home")
        said = f"first done after {min(ends):.1f} s, slowest {max(ends):.1f} s"
        print(f"{kind:>7}: {len(wanted)} writes, lost {len(lost)}, {said}", flush=True)
        return max(ends)


def one_commit(memories: int, rounds: int) -> None:
    """Push one commit at a time from a large store, both ways in turn."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        home, store = top / "home", top / "store"
        home.mkdir()
        make_store(store, memories)
        gitmem("init", str(store), cwd=top, home=home)
        hubs = {kind: top / f"{kind}.git" for kind in ("git", "gitmem", "sync")}
        for kind, hub in hubs.items():
            git("clone", "-q", "--bare", str(store), str(hub), cwd=top, home=home)
            git("remote", "add", kind, str(hub), cwd=store, home=home)
        git("repack", "-adq", cwd=store, home=home)
        gitmem("sync", "sync", "--store", str(store), cwd=top, home=home)
        branch = git("symbolic-ref", "--short", "HEAD", cwd=store, home=home).stdout.strip()
        ref = f"refs/heads/{branch}"
        times: dict[str, list[float]] = {kind: [] for kind in hubs}
        with open_repo(str(store)) as repo:
            ways = open_transport(repo, find_remote(repo.git, "gitmem", branch), environment(home), asks=False)
            for number in range(rounds):
                old = repo.head()[1]
                said = f"push {number} of a large store"
                gitmem("remember", said, "--name", f"pushed-{number}", "--store", str(store), cwd=top, home=home)
                new = repo.head()[1]
                begun = time.perf_counter()
                git("push", "-q", "git", branch, cwd=store, home=home)
                between = time.perf_counter()
                results = ways.push([Push(ref, old, new)])
                ended = time.perf_counter()
                assert results[ref].state == "done", results
                gitmem("sync", "sync", "--store", str(store), cwd=top, home=home)
                times["git"].append(between - begun)
                times["gitmem"].append(ended - between)
                times["sync"].append(time.perf_counter() - ended)
        middle = {kind: statistics.median(found) for kind, found in times.items()}
        print(f"one commit at {memories} memories, medians of {rounds} rounds:")
        print(f"  git push                 {middle['git'] * 1000:6.0f} ms")
        print(
            f"  gitmem's push            {middle['gitmem'] * 1000:6.0f} ms   {middle['gitmem'] / middle['git']:.2f} x"
        )
        print(f"  gitmem sync, a process   {middle['sync'] * 1000:6.0f} ms   {middle['sync'] / middle['git']:.2f} x")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=int, default=8)
    parser.add_argument("--writes", type=int, default=8)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", choices=("crowd", "one"))
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.worker:
        work_on(Path(chosen.worker[0]), int(chosen.worker[1]), int(chosen.worker[2]))
        return
    if chosen.only != "one":
        plain = crowd("git", by_git, chosen.clones, chosen.writes)
        ours = crowd("gitmem", by_gitmem, chosen.clones, chosen.writes)
        print(f"  slowest against git: {ours / plain:.2f} x, one process a clone")
        shell = crowd("shell", by_shell, chosen.clones, chosen.writes)
        print(f"  slowest against git: {shell / plain:.2f} x, cold processes")
    if chosen.only != "crowd":
        one_commit(chosen.memories, chosen.rounds)


if __name__ == "__main__":
    main()
