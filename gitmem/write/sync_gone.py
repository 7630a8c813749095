"""Deletions that a sync holds back, since most memories are gone from the folder: an accident more often than a wish.

They stay held, whatever is written or arrives meanwhile, until the person commits them or puts the files back.
"""

from __future__ import annotations

import os
from contextlib import suppress

from gitmem.history.tree import FILES, decode, encode, tree_files
from gitmem.memory.name import is_reserved
from gitmem.store.paths import git_in, held_deletions, state, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.history.view import View

MANY, HALF = 2, 0.5  # deletions from which on, and share of the memories above which, they are held back
NAMED = 5  # files that a command names; more of them stand in the file that remembers them
PATTERN = ":*?["  # a path with one of them may mean others to git


def load_gone(git_dir: str) -> set[str]:
    """The paths whose deletion an earlier sync held back.

    git_dir: the working tree's own git folder
    """
    try:
        with open(held_deletions(git_dir), "rb") as file:
            return {decode(path) for path in file.read().split(b"\0") if path}
    except FileNotFoundError:
        return set()


def save_gone(git_dir: str, paths: Sequence[str]) -> None:
    """Remember them, each with a NUL behind it as git takes a list of paths; none forgets what was held."""
    file = held_deletions(git_dir)
    if not paths:
        with suppress(FileNotFoundError):
            os.unlink(file)
        return
    os.makedirs(state(git_dir), exist_ok=True)
    temp = f"{file}.{os.getpid():x}"
    with open(temp, "wb") as out:
        out.write(b"".join(encode(path) + b"\0" for path in sorted(paths)))
    os.replace(temp, file)


def held_gone(view: View, gone: Sequence[str]) -> list[str]:
    """Those of the files that are ``gone``, none of them renamed, whose deletion is not for a sync to commit."""
    if not gone:
        return []
    count = sum(1 for path in gone if not is_reserved(path))
    files = tree_files(view.repo, view.head)
    every = sum(
        1 for path, (mode, _) in files.items() if mode in FILES and path.endswith(".md") and not is_reserved(path)
    )
    if count >= MANY and count > HALF * every:
        return list(gone)
    held = load_gone(view.repo.git.path)
    return [path for path in gone if path in held]


def gone_notes(root: str, git_dir: str, gone: Sequence[str]) -> list[str]:
    """What is held back, and the two ways out; the commands touch these files and no others."""
    if not gone:
        return []
    few = " ".join(map(typed, sorted(gone)))
    files = (
        f"-- {few}"
        if len(gone) <= NAMED
        else f"--pathspec-from-file={typed(held_deletions(git_dir))} --pathspec-file-nul"
    )
    literal = "--literal-pathspecs " if any(mark in path for path in gone for mark in PATTERN) else ""
    back, commit = (git_in(root, f"{literal}{words} {files}") for words in ("checkout HEAD", "commit -m removed"))
    count = sum(1 for path in gone if not is_reserved(path))
    what = f"{count} memories are" if count > 1 else f"{min(gone, key=is_reserved)} is"
    return [
        f"{what} gone from the folder; that is held back and goes to no machine until you decide. "
        f"Bring back: {back}   or, if you mean it: {commit}"
    ]
