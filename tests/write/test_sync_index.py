"""After a sync the search index knows all that stands in the store, whoever committed it; and what a sync loads."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.index.fresh import changes
from gitmem.index.read import open_index
from gitmem.store.gitdir import find_git_dir
from gitmem.store.trust import withheld_paths
from gitmem.write.conflict import resolve
from gitmem.write.index import refresh
from gitmem.write.sync_publish import MANY
from tests.write.test_sync_pair import ME, Git, Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures
ROOT = Path(__file__).parents[2]
ARRIVALS = {"gitmem.merge", "gitmem.write.arrive", "gitmem.write.sync_edits", "gitmem.history.conflict", "difflib"}
FORBIDDEN = ARRIVALS | {"gitmem.index", "sqlite3", "_sqlite3", "dataclasses", "inspect", "typing", "urllib", "shutil"}


def is_behind(machine: Machine) -> bool:
    """As ``gitmem status`` and the hook see it."""
    git = find_git_dir(str(machine.root))
    assert git is not None
    index = open_index(git.path)
    assert index is not None
    try:
        return changes(index, str(machine.root), git, None).stale
    finally:
        index.close()


def write(machine: Machine, text: str, name: str = "deploy.md") -> None:
    path = machine.root / name
    path.write_text(f"# Deploy\n\n{text}\n")


def commit(machine: Machine) -> None:
    machine.git("add", "-A", cwd=machine.root)
    machine.git("commit", "-qm", "by git", cwd=machine.root)


def committed(ada: Machine, bo: Machine) -> Machine:
    write(ada, "by hand")
    write(ada, "a new one", "new.md")
    commit(ada)
    return ada


def removed(ada: Machine, bo: Machine) -> Machine:
    ada.remember("gone", "soon")
    ada.sync()
    (ada.root / "gone.md").unlink()
    commit(ada)
    return ada


def committed_and_edited(ada: Machine, bo: Machine) -> Machine:
    committed(ada, bo)
    write(ada, "not committed", "new.md")
    return ada


def pushed_by_git(ada: Machine, bo: Machine) -> Machine:
    committed(ada, bo)
    ada.git("push", "-q", "origin", "main", cwd=ada.root)
    return ada


def pulled_by_git(ada: Machine, bo: Machine) -> Machine:
    ada.remember("new", "By gitmem, on the other machine.")
    ada.sync()
    bo.git("pull", "-q", "origin", "main", cwd=bo.root)
    return bo


def met_on_the_way(ada: Machine, bo: Machine) -> Machine:
    bo.remember("extra", "Bo's")
    bo.sync()
    committed(ada, bo)
    return ada


def in_the_way(ada: Machine, bo: Machine) -> Machine:
    bo.remember("new", "Bo's own")
    bo.sync()
    ada.git("config", "core.excludesFile", str(ada.root.parent / "none"), cwd=ada.root)
    write(ada, "Ada's own, not committed", "new.md")
    return ada


def many(ada: Machine, bo: Machine) -> Machine:
    for number in range(MANY + 1):
        write(ada, f"fact {number}", f"fact-{number}.md")
    commit(ada)
    return ada


@pytest.mark.cgit
@pytest.mark.parametrize(
    "act", [committed, removed, committed_and_edited, pushed_by_git, pulled_by_git, met_on_the_way, in_the_way, many]
)
def test_the_index_takes_in_what_plain_git_did(ada: Machine, bo: Machine, act: Callable[..., Machine]) -> None:
    machine = act(ada, bo)
    machine.sync()
    assert not is_behind(machine)
    machine.sync()
    assert not is_behind(machine)
    report = refresh(str(machine.root))
    assert (report.changed, report.gone) == (0, 0)


@pytest.mark.cgit
def test_the_index_takes_it_in_without_a_network(ada: Machine, hub: Path) -> None:
    write(ada, "by hand")
    commit(ada)
    assert is_behind(ada)
    hub.rename(hub.with_name("away.git"))
    assert ada.sync().state == "offline"
    assert not is_behind(ada)


@pytest.mark.cgit
def test_a_commit_without_files_leaves_no_index_behind(ada: Machine, bo: Machine) -> None:
    """A conflict that is settled by what stands there already, on this machine and on the other one."""
    for machine in (ada, bo):
        machine.edit("deploy", f"# Deploy\n\n{machine.who} says so.\n")
    ada.sync()
    bo.sync()
    ada.sync()
    resolve(str(bo.root), "deploy", "ours", when=bo.now(), actor=ME, environ=bo.environ)
    assert not is_behind(bo)
    bo.sync()
    done = ada.sync()
    assert done.settled == ["deploy.md"]
    at_peace(ada, bo)
    assert not is_behind(ada)


@pytest.mark.cgit
def test_a_strangers_memory_that_git_pulled_waits_before_it_can_be_found(ada: Machine, bo: Machine, git: Git) -> None:
    write(bo, "A stranger's words.", "strange.md")
    git("add", "-A", cwd=bo.root)
    git("-c", "user.email=eve@example.org", "commit", "-qm", "hers", cwd=bo.root)
    git("push", "-q", "origin", "main", cwd=bo.root)
    git("pull", "-q", "origin", "main", cwd=ada.root)
    ada.sync()
    assert not is_behind(ada)
    found = find_git_dir(str(ada.root))
    assert found is not None
    assert withheld_paths(found.path) == {"strange.md": "eve@example.org"}


def loaded(machine: Machine) -> set[str]:
    """The modules of a process that syncs, and of those the packages."""
    code = (
        f"import sys, os; sys.path.insert(0, {str(ROOT)!r}); from gitmem.write.sync import sync; "
        f"done = sync({str(machine.root)!r}, '', when={machine.now()}, environ=os.environ); "
        "print(done.received + done.sent, *sys.modules)"
    )
    words = [sys.executable, "-I", "-S", "-c", code]
    done = subprocess.run(words, env=machine.environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    moved, *modules = done.stdout.split()
    parts = {".".join(name.split(".")[:at]) for name in modules for at in range(1, 4)}
    return parts | {f"moved {moved}"}


@pytest.mark.cgit
def test_a_sync_of_nothing_and_a_plain_push_load_nothing_of_the_merge(ada: Machine) -> None:
    """A cold sync is timed against git: what only an arrival or a conflict needs is loaded there."""
    found = loaded(ada)
    assert "moved 0" in found
    assert found & (FORBIDDEN | {"gitmem.write.apply"}) == set()
    ada.remember("new", "text")
    found = loaded(ada)
    assert "moved 1" in found
    assert found & FORBIDDEN == set()
