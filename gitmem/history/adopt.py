"""Many files as one commit: a folder that becomes a store, or an import.

Blobs go into packs, never into 10,000 loose files; the index is written once.
"""

from __future__ import annotations

import os
import stat

from gitmem.history.commit import Commit, Identity, commit_bytes
from gitmem.history.hold import GcGuard
from gitmem.history.plan import Plan
from gitmem.history.publish import Publication
from gitmem.history.tree import FILE, LINK, PROGRAM, splice, tree_files
from gitmem.store.paths import GC_PID, join, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitmem.history.view import View

FLUSH_BYTES = 64 * 1024 * 1024  # of blobs held in memory before they become a pack


def snapshot(
    view: View,
    files: Iterable[str],
    message: str,
    author: Identity,
    committer: Identity,
    when: int,
    progress: Callable[[int], None] | None = None,
) -> str:
    """Commit the work files named in ``files`` as they are, on top of HEAD; the caller holds the writer lock.

    files:    posix paths; a symbolic link is stored as the link it is; other files of HEAD stay
    progress: called with the number of files read so far
    returns:  the commit's id, HEAD's when the files are there already
    raises:   Moved when the branch or the index changed meanwhile, OSError; then nothing is published
    """
    objects, plan = view.repo.objects, Plan(view.tree)
    there = tree_files(view.repo, view.head)
    with GcGuard(view.repo.git.common, os.path.join(state(view.repo.git.common), GC_PID)):
        try:
            held = 0
            for number, path in enumerate(files, 1):
                mode, data, found = _read(view, path)
                entry = (mode, objects.add("blob", data))
                if there.get(path) == entry:
                    objects.pending.pop(entry[1], None)
                else:
                    plan.finals[path], plan.stats[path] = entry, found
                    held += len(data)
                if held > FLUSH_BYTES:
                    objects.pack()
                    held = 0
                if progress is not None and not number % 100:
                    progress(number)
            tree, plan.moved = splice(objects, view.tree, plan.finals)
            if tree == view.tree:
                return view.head
            raw = commit_bytes(tree, [view.head] if view.head else [], author, committer, when, message)
            plan.tree = tree
            plan.commits = [Commit(objects.add("commit", raw), raw)]
            Publication(view, plan, {}).run(committer, when)
        finally:
            objects.forget()
    return plan.commits[0].id


def _read(view: View, path: str) -> tuple[int, bytes, os.stat_result]:
    full = join(view.repo.root, path)
    found = os.lstat(full)
    if stat.S_ISLNK(found.st_mode):
        return LINK, os.fsencode(os.readlink(full)), found
    with open(full, "rb") as file:
        data = file.read()
        found = os.fstat(file.fileno())
    program = found.st_mode & 0o100 and view.filemode
    return PROGRAM if program else FILE, data, found
