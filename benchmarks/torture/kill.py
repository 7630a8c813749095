"""kill -9 at random moments of every command that changes a store."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.torture.common import (
    PERSON,
    Figures,
    faults_of,
    git,
    keep,
    marks_at_head,
    marks_ever,
    new_store,
    now,
)  # fmt: skip
from gitmem.errors import GitmemError
from gitmem.history.conflict import open_conflicts
from gitmem.history.repo import open_repo
from gitmem.setup.create import init
from gitmem.write.archive import archive, restore
from gitmem.write.archive_idle import archive_idle, idle_memories
from gitmem.write.conflict import resolve
from gitmem.write.locks import lock, unlock
from gitmem.write.memory import edit
from gitmem.write.purge import purge
from gitmem.write.rollback import make_point, roll_back
from gitmem.write.undo import undo

CHECK_EVERY = 100  # kills between two looks of C git at the store
IDLE = 120  # memories archived at once: more than PACK_FROM new objects
BEYOND = 1.15  # a kill comes at most this far after the usual end of the command
Act = Callable[[], object]
Kind = Callable[[Path, int], tuple[Act, str]]


def common() -> dict[str, object]:
    return {"when": now(), "actor": PERSON, "environ": os.environ}


def remembering(root: Path, number: int) -> tuple[Act, str]:
    return (lambda: keep(root, f"note {number}", f"mark-remember-{number}")), f"mark-remember-{number}"


def editing(root: Path, number: int) -> tuple[Act, str]:
    if number == 0:
        keep(root, "edited", "mark-edit-0")
    mark = f"mark-edit-{number}"
    return (lambda: edit(str(root), "edited", body=f"{mark}\n", **common())), mark


def archiving(root: Path, number: int) -> tuple[Act, str]:
    keep(root, f"old {number}", f"mark-archive-{number}")
    return (lambda: archive(str(root), f"old-{number}", reason="too old", **common())), f"mark-archive-{number}"


def restoring(root: Path, number: int) -> tuple[Act, str]:
    keep(root, f"back {number}", f"mark-restore-{number}")
    archive(str(root), f"back-{number}", reason="too early", **common())
    return (lambda: restore(str(root), f"back-{number}", **common())), f"mark-restore-{number}"


def locking(root: Path, number: int) -> tuple[Act, str]:
    if number == 0:
        keep(root, "locked", "mark-lock-0")
    act = lock if number % 2 == 0 else unlock
    return (lambda: act(str(root), "locked", **common())), "mark-lock-0"


def undoing(root: Path, number: int) -> tuple[Act, str]:
    keep(root, f"undone {number}", f"mark-undo-{number}")
    edit(str(root), f"undone-{number}", fields=[("description", f"changed {number}")], **common())
    return (lambda: undo(str(root), **common())), f"mark-undo-{number}"


def resolving(root: Path, number: int) -> tuple[Act, str]:
    """A late write of a memory that was edited meanwhile leaves a conflict, which is then resolved."""
    keep(root, f"both {number}", f"mark-resolve-{number}")
    path = f"both-{number}"
    read = git(root, "rev-parse", f"HEAD:{path}.md").strip()
    edit(str(root), path, body=f"mark-resolve-{number} ours\n", **common())
    try:
        edit(str(root), path, body=f"mark-resolve-{number} theirs\n", if_revision=read, **common())
    except GitmemError:
        pass
    with open_repo(str(root)) as repo:
        name = open_conflicts(repo)[-1].id
    way = ("ours", "theirs", "both")[number % 3]
    return (lambda: resolve(str(root), name, way, **common())), f"mark-resolve-{number}"


def rolling_back(root: Path, number: int) -> tuple[Act, str]:
    keep(root, f"kept {number}", f"mark-rollback-{number}")
    point = make_point(str(root), "torture", **common())
    edit(str(root), f"kept-{number}", fields=[("description", f"changed {number}")], **common())
    keep(root, f"parked {number}", f"mark-parked-{number}")
    return (lambda: roll_back(str(root), point, **common())), f"mark-rollback-{number}"


def purging(root: Path, number: int) -> tuple[Act, str]:
    if number == 0:
        keep(root, "stays", "mark-purge-0")
    keep(root, f"secret {number}", f"gone-{number}")
    act = lambda: purge(str(root), f"secret-{number}.md", confirm=lambda plan: f"secret-{number}", **common())  # noqa: E731
    return act, "mark-purge-0"


def clearing(root: Path, number: int) -> tuple[Act, str]:
    """Bulk work: many idle memories that are archived in one commit, which needs a pack; undone when it was done."""
    if number == 0:
        for note in range(IDLE):
            text = f"---\ntype: project\nupdated: 2020-01-01\n---\nNote {note}\n\nmark-idle-0\n"
            (root / f"idle-{note}.md").write_text(text)
        git(root, "add", "-A")
        git(root, "commit", "-qm", "idle")
    elif not idle_memories(str(root), now()):
        done = git(root, "log", "-1", "--format=%H", "--grep=Gitmem-Op: archive").strip()
        undo(str(root), done, **common())
    return (lambda: archive_idle(str(root), **common())), "mark-idle-0"


def adopting(root: Path, number: int) -> tuple[Act, str]:
    """Bulk work: a folder of notes that becomes a store, one pack and one commit."""
    folder = root.with_name(f"folder-{number}")
    folder.mkdir()
    for note in range(120):
        (folder / f"{note}.md").write_text(f"# Note {note}\n\nmark-adopt-{note}\n")
    return (lambda: init(str(folder), environ=os.environ, when=now())), ""


KINDS: dict[str, Kind] = {
    "remember": remembering,
    "edit": editing,
    "archive": archiving,
    "restore": restoring,
    "lock, unlock": locking,
    "undo": undoing,
    "conflict resolve": resolving,
    "rollback apply": rolling_back,
    "purge": purging,
    "bulk archive --idle": clearing,
    "init (adopt a folder)": adopting,
}


def run(folder: Path, kills: int, seed: int) -> Iterator[Figures]:
    """One row for each command."""
    for name, kind in KINDS.items():
        yield torment(folder, name, kind, kills, random.Random(seed))


def torment(folder: Path, name: str, kind: Kind, kills: int, rng: random.Random) -> Figures:
    """Run one command again and again, ``kills`` times killed before it ends, and look for what is missing."""
    root = new_store(folder, "kill-" + name.split()[0].strip(","))
    figures, wanted, usual = Figures(f"kill: {name}"), {"mark-begin-0"}, []
    number = 0
    while figures.kills < kills:
        act, mark = kind(root, number)
        begun = time.monotonic()
        delay = rng.uniform(0, BEYOND * sum(usual) / len(usual)) if len(usual) >= 5 else None
        acknowledged = _in_child(act, delay)
        if delay is None:
            usual.append(time.monotonic() - begun)
        figures.kills += delay is not None
        if mark and (acknowledged or not mark.startswith(("mark-remember", "mark-edit"))):
            wanted.add(mark)  # of the other commands the text was there before they began
        figures.acknowledged += acknowledged
        if kind is adopting:
            figures.faults += _check_adopted(root.with_name(f"folder-{number}"))
        else:
            keep(root, f"after {number}", f"mark-after-{number}")  # the next command works, with no repair by hand
            wanted.add(f"mark-after-{number}")
            figures.acknowledged += 1
        number += 1
        if figures.kills % CHECK_EVERY == 0 and kind is not adopting:
            figures.faults += faults_of(root)
    figures.faults += faults_of(root)
    there = marks_ever(root) if kind is editing else marks_at_head(root)
    figures.lost = sorted(wanted - there)
    return figures


def _in_child(act: Act, delay: float | None) -> bool:
    """Run ``act`` in a process of its own, killed after ``delay`` seconds; whether it said that it was done."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            act()
            os.write(writing, b"done")
        except GitmemError as error:
            os.write(2, f"{error.message}\n".encode())
        finally:
            os._exit(0)
    os.close(writing)
    if delay is not None:
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    said = os.read(reading, 4) == b"done"
    os.close(reading)
    return said


def _check_adopted(folder: Path) -> list[str]:
    init(str(folder), environ=os.environ, when=now())
    marks = {f"mark-adopt-{note}" for note in range(120)} - marks_at_head(folder)
    faults = faults_of(folder) + [f"{len(marks)} of a folder's notes missing"] * bool(marks)
    shutil.rmtree(folder)
    return faults
