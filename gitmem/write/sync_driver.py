"""The merge of a sync for one file, as git's merge driver: plain ``git merge`` and ``git pull`` come to the same (C6).

git holds its index while it merges, so nothing is published here but the conflict record's ref.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from gitmem.history.conflict import conflict_id, record
from gitmem.history.identity import gitmem_identity
from gitmem.history.ownrefs import RefMove, move_refs
from gitmem.history.refs import read_ref
from gitmem.history.repo import Repo, open_repo
from gitmem.history.tree import tree_blob
from gitmem.history.view import Moved
from gitmem.history.writer import writer_of
from gitmem.memory.document import blob_id
from gitmem.merge.file import merge_file
from gitmem.merge.merged import Merged
from gitmem.store.paths import CONFLICTS
from gitmem.store.settings import load_settings
from gitmem.write.arrive import COULD_NOT
from gitmem.write.conflict_told import difference_told
from gitmem.write.lock import writer_lock

MERGED_BY_GIT = "GITHEAD_"  # git names the commits it merges in its environment


def drive(root: str, base: str, ours: str, theirs: str, path: str, environ: Mapping[str, str]) -> list[str]:
    """Merge three files into the one at ``ours``; sentences about what could not merge, none when all did.

    base: an empty file when there is none
    path: the memory, as the store calls it
    """
    old, one, two = (_read(os.path.join(root, each)) for each in (base, ours, theirs))
    merged = merge_file(path, old or None, one, two, load_settings(root).index_file)
    _write(os.path.join(root, ours), merged.data)
    if not merged.conflicts:
        return []
    name = _record(root, path, (old or None, one, two), merged, environ)
    return [
        f"{path}: {difference_told(merged.conflicts)}; both texts are kept as conflict {name}",
        f"look at the file, then: git add and git commit; later: gitmem conflict show {name}",
    ]


def _record(
    root: str,
    path: str,
    sides: tuple[bytes | None, bytes, bytes],
    merged: Merged,
    environ: Mapping[str, str],
) -> str:
    """Keep the version that does not stand in the file as a conflict record; its id."""
    base, one, two = sides
    kept, other = (one, two) if merged.kept == "ours" else (two, one)
    name = conflict_id(path, base, kept, other)
    with open_repo(root) as repo, writer_lock(repo.git.common):
        if read_ref(repo.git, CONFLICTS + name):
            return name
        head, theirs = repo.head()[1], _merging(repo, environ)
        here, there = (head, theirs) if merged.kept == "ours" else (theirs, head)
        blob = blob_id(other)
        parent = next((each for each in (here, there) if tree_blob(repo, each, path) != blob), head)
        commit = record(
            repo, path, (base, kept, other), writer_of(repo, there, path, blob, here).author, gitmem_identity(),
            max(repo.commit(here).when, repo.commit(there).when), parent=parent,
            reason=COULD_NOT + "; ".join(merged.conflicts), trailers={"Actor": "gitmem"},
        )[1]  # fmt: skip
        try:
            move_refs(repo, [RefMove(CONFLICTS + name, "", commit)])
        except Moved:  # another git merged the same two meanwhile
            pass
    return name


def _merging(repo: Repo, environ: Mapping[str, str]) -> str:
    """The commit git merges into HEAD, as far as it says so; else HEAD."""
    head = repo.head()[1]
    names = [key[len(MERGED_BY_GIT) :] for key in environ if key.startswith(MERGED_BY_GIT)]
    return next((name for name in names if name != head and len(name) == len(head)), head)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
