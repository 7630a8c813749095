"""A purge and the other machines: a sync neither brings purged text back nor sends it again, and says what follows."""

from __future__ import annotations

import time
from collections.abc import Sequence

from gitmem.history.purge_record import purged_there
from gitmem.history.remote import Remote
from gitmem.history.repo import Repo
from gitmem.history.transport import RemoteRefused
from gitmem.history.tree import tree_files
from gitmem.memory.clean import one_line
from gitmem.store.paths import git_in, typed

MAX_NAME_CHARS = 80


def check_not_purged_there(repo: Repo, remote: Remote, branch: str, tip: str, head: str) -> None:
    """raises: RemoteRefused when what is here would bring back what was purged on another machine"""
    if not tip or not head or tip == head:
        return
    found = purged_there(repo, tip, head)
    if not found:
        return
    living = tree_files(repo, head)
    paths = sorted(path for path in found if path in living) or sorted(found)
    purge = repo.commit(next(iter(found.values())))
    who, day = one_line(purge.author.name, MAX_NAME_CHARS), time.strftime("%Y-%m-%d", time.gmtime(purge.when))
    verb = "was" if len(paths) == 1 else "were"
    commands = [f"gitmem purge {typed(path)}" for path in paths] + [f"gitmem sync {typed(remote.name)}"]
    raise RemoteRefused(
        f"{remote.name}/{branch} was rewritten by a purge ({who}, {day}): {', '.join(paths)} {verb} removed there for "
        "good, out of every version, and the history here still has the text. Nothing was merged or sent",
        hint=f"to remove it here too, and then have both sides' other memories: {' && '.join(commands)}",
        kind="purged",
    )


def purged_note(root: str, remote: str, refs: Sequence[str]) -> str:
    """That refs of a remote lead to what was purged here, and were left alone; "" when none does."""
    if not refs:
        return ""
    command = git_in(root, f"push {typed(remote)} --delete {' '.join(map(typed, refs))}")
    what = "a ref of gitmem's that leads" if len(refs) == 1 else f"{len(refs)} refs of gitmem's that lead"
    return f"{remote} has {what} to what was purged here; nothing was taken from there. To take it out there: {command}"
