"""Branches and their logs: which commit a name stands for, and what a move of a branch leaves behind."""

from __future__ import annotations

import os

from gitmem.history.commit import Identity
from gitmem.history.objects import NO_ID, write_all
from gitmem.store.gitdir import GitDir, is_ref_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SEARCHED = ("", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/")  # in git's order
HEX = frozenset("0123456789abcdef")


def ref_path(git: GitDir, ref: str) -> str:
    """The file of a loose ref; HEAD belongs to the worktree, branches to all of them."""
    base = git.common if ref.startswith("refs/") else git.path
    return os.path.join(base, *ref.split("/"))


def read_ref(git: GitDir, ref: str, hops: int = 5) -> str:
    """The id ``ref`` stands for, symbolic ones followed; "" when there is none."""
    try:
        with open(ref_path(git, ref), encoding="utf-8", errors="surrogateescape") as file:
            text = file.read(4096).strip()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return packed_refs(git).get(ref, "")
    if text.startswith("ref:"):
        target = text[4:].strip()
        return read_ref(git, target, hops - 1) if hops and is_ref_name(target) else ""
    return text if len(text) == 40 and HEX.issuperset(text) else ""


def final_ref(git: GitDir, ref: str) -> str:
    """The ref that really holds the commit, where a branch is another name for a branch."""
    for _ in range(5):
        try:
            with open(ref_path(git, ref), encoding="utf-8", errors="surrogateescape") as file:
                text = file.read(4096)
        except OSError:
            break
        target = text[4:].strip() if text.startswith("ref:") else ""
        if not is_ref_name(target):
            break
        ref = target
    return ref


def packed_refs(git: GitDir) -> dict[str, str]:
    """Every ref in ``packed-refs``; an annotated tag's own id, not what it points to."""
    found: dict[str, str] = {}
    try:
        with open(os.path.join(git.common, "packed-refs"), encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return found
    for line in lines:
        if line and line[0] not in "#^":
            name, _, ref = line.partition(" ")
            found[ref] = name
    return found


def find_ref(git: GitDir, name: str) -> str:
    """The id a person's short name stands for (``main``, ``v1``, ``origin/main``); "" when none does."""
    for before in SEARCHED:
        full = before + name
        if (is_ref_name(full) if full.startswith("refs/") else full.isupper() and full.replace("_", "").isalpha()) and (
            found := read_ref(git, full)
        ):
            return found
    return ""


def branches(git: GitDir) -> list[str]:
    """The names of the branches there are, such as ``main``, sorted."""
    heads = os.path.join(git.common, "refs", "heads")
    names: set[str] = set()
    for folder, _, files in os.walk(heads):
        below = os.path.relpath(folder, heads).replace(os.sep, "/")
        names.update(file if below == "." else f"{below}/{file}" for file in files if not file.endswith(".lock"))
    names.update(ref.removeprefix("refs/heads/") for ref in packed_refs(git) if ref.startswith("refs/heads/"))
    return sorted(name for name in names if read_ref(git, f"refs/heads/{name}"))


def append_log(
    git: GitDir, ref: str, moves: Sequence[tuple[str, str, str]], who: Identity, when: int, *, create: bool
) -> tuple[str, int]:
    """Add moves to the reflog of ``ref``; a half-written line is taken back.

    moves:   (id before or "", id after, what happened)
    create:  False leaves a ref without a log as it is (core.logAllRefUpdates = false)
    returns: the log's file and its size before, for taking the lines back
    """
    base = git.common if ref.startswith("refs/") else git.path
    path = os.path.join(base, "logs", *ref.split("/"))
    lines = "".join(
        f"{old or NO_ID} {new} {who.name} <{who.email}> {when} +0000\t{' '.join(text.split())}\n"
        for old, new, text in moves
    )
    flags = os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)
    try:
        fd = os.open(path, flags)
    except FileNotFoundError:
        if not create:
            return path, 0
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fd = os.open(path, flags | os.O_CREAT, 0o666)
    try:
        size = os.fstat(fd).st_size
        try:
            write_all(fd, lines.encode("utf-8", "surrogateescape"))
        except OSError:
            os.ftruncate(fd, size)
            raise
    finally:
        os.close(fd)
    return path, size
