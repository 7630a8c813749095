"""The merge of a sync for one file, as git's merge driver: plain ``git merge`` and ``git pull`` come to the same (C6).

git holds its index while it merges, so nothing is published here but the conflict record's ref.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from gitmem.errors import RepositoryDamaged
from gitmem.history.conflict import conflict_id, record
from gitmem.history.conflict_pending import mark, unmarked
from gitmem.history.conflict_sides import has_text
from gitmem.history.identity import gitmem_identity
from gitmem.history.ownrefs import RefMove, move_refs, own_refs
from gitmem.history.refs import read_ref
from gitmem.history.repo import Repo, open_repo
from gitmem.history.settings import settings_of
from gitmem.history.tree import tree_blob
from gitmem.history.view import Moved
from gitmem.history.writer import writer_of
from gitmem.memory.document import blob_id
from gitmem.merge.file import merge_file
from gitmem.merge.merged import Merged
from gitmem.store.paths import CONFLICTS, MERGING
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
    merged = merge_file(path, old or None, one, two, settings_of(root).index_file)
    _write(os.path.join(root, ours), merged.data)
    if not merged.conflicts:
        return []
    name, is_rebase = _record(root, path, (old or None, one, two), merged, environ)
    end = "git rebase --continue" if is_rebase else "git commit"
    said = [
        f"{path}: {difference_told(merged.conflicts)}; both texts are kept as conflict {name}",
        f"look at the file, then: git add and {end}; later: gitmem conflict show {name}",
    ]
    if is_rebase and merged.data == one:
        said.append(
            f"{path} stays as it is below your commit, whose text is in the conflict alone; git drops a commit that "
            f"changes nothing else   (to take your text instead, afterwards: gitmem conflict resolve {name} --theirs)"
        )
    return said


def _record(
    root: str,
    path: str,
    sides: tuple[bytes | None, bytes, bytes],
    merged: Merged,
    environ: Mapping[str, str],
) -> tuple[str, bool]:
    """Keep the version that does not stand in the file as a conflict record; its id, and whether git rebases."""
    base, one, two = sides
    kept, other = (one, two) if merged.kept == "ours" else (two, one)
    name = conflict_id(path, base, kept, other)
    with open_repo(root) as repo, writer_lock(repo.git.common):
        head, theirs = repo.head()[1], _merging(repo, environ)
        picked = "" if theirs else _picked(repo, path, blob_id(two))
        if read_ref(repo.git, CONFLICTS + name):
            return name, bool(picked)
        here, there = (head, theirs or picked) if merged.kept == "ours" else (theirs or picked, head)
        blob = blob_id(other)
        parent = next((each for each in (here, there) if each and tree_blob(repo, each, path) != blob), head)
        author = writer_of(repo, there, path, blob, here).author if there else gitmem_identity()
        when = max(repo.commit(each).when for each in (here, there) if each)
        commit = record(
            repo, path, (base, kept, other), author, gitmem_identity(), when, parent=parent,
            reason=COULD_NOT + "; ".join(merged.conflicts), trailers={"Actor": "gitmem"},
        )[1]  # fmt: skip
        moves = [RefMove(CONFLICTS + name, "", commit)]
        if theirs:
            moves.append(mark(repo, name, commit, theirs, head))
        elif picked:
            moves.append(mark(repo, name, commit, head))
        try:
            move_refs(repo, moves)
        except Moved:  # another git merged the same two meanwhile
            pass
    return name, bool(picked)


def settle_given_up(root: str) -> list[str]:
    """Take away the conflicts of merges that were given up; a sentence about each."""
    with open_repo(root) as repo:
        if not own_refs(repo.git, MERGING):
            return []
        with writer_lock(repo.git.common):
            moves, gone = unmarked(repo)
            try:
                move_refs(repo, moves)
            except Moved:  # another gitmem does the same
                return []
    return [f"conflict {name} went with the merge it arose in, which was given up" for name in gone]


def _merging(repo: Repo, environ: Mapping[str, str]) -> str:
    """The commit git merges into HEAD, as far as it says so; else ""."""
    head = repo.head()[1]
    names = [key[len(MERGED_BY_GIT) :] for key in environ if key.startswith(MERGED_BY_GIT)]
    return next((name for name in names if name != head and len(name) == len(head)), "")


def _picked(repo: Repo, path: str, blob: str) -> str:
    """The commit a rebase is making anew on top of HEAD, "" when none is: that one is "theirs" to git.

    blob: what it holds at ``path``, under any name; a rebase's own stash would not
    """
    names = [line.split()[1:2] for line in _lines(repo, "rebase-merge/done")[-1:]]
    names += [line.split()[:1] for line in _lines(repo, "rebase-apply/original-commit")]
    for name in (each[0] for each in names if each):
        try:
            if has_text(repo, name, path, blob, repo.head()[1]):
                return name
        except RepositoryDamaged:  # no commit: the line of another command
            continue
    return ""


def _lines(repo: Repo, name: str) -> list[str]:
    try:
        return _read(os.path.join(repo.git.path, *name.split("/"))).decode("utf-8", "replace").splitlines()
    except OSError:
        return []


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)
