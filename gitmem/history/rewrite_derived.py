"""This machine's derived state without a memory that was purged: what was made from its text is removed."""

from __future__ import annotations

import os
import shutil

from gitmem.history.gitindex import index_key
from gitmem.history.journal import Recent, load_recent
from gitmem.history.objects import object_id, remove
from gitmem.memory.document import read_memory
from gitmem.store.paths import history_index, past_stores, recent_writes, refused, search_index, sessions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

SQLITE_FILES = ("", "-wal", "-shm", "-journal")  # SQLite keeps freed pages, so rows are not deleted: the files are


def forget_derived(git_dir: str, texts: Collection[bytes], paths: Collection[str], tip: str) -> None:
    """Remove indexes, stores as they were, what sessions were shown, and refused texts that are one of ``texts``.

    git_dir: the folder git keeps for a working tree
    paths:   the memory's, which leave the last writes: what was purged is never put back
    tip:     the commit of the working tree's branch now, "" when unknown
    raises:  OSError for a file that cannot be removed
    """
    for place in (search_index(git_dir), history_index(git_dir)):
        for end in SQLITE_FILES:
            _remove(place + end)
    for folder in (past_stores(git_dir), sessions(git_dir)):
        if os.path.isdir(folder):
            shutil.rmtree(folder)
    writes = [write for write in load_recent(git_dir).writes() if write.path not in paths]
    remove(recent_writes(git_dir))
    if writes:
        Recent(b"").add(git_dir, tip, str(index_key(os.path.join(git_dir, "index"))), writes)
    _forget_refused(refused(git_dir), texts)


def _forget_refused(folder: str, texts: Collection[bytes]) -> None:
    """A refused text is the memory's when its bytes, or the words below its head, are."""
    blobs = {object_id("blob", data) for data in texts}
    bodies = {body for data in texts if (body := _body(data))}
    for name in os.listdir(folder) if os.path.isdir(folder) else []:
        place = os.path.join(folder, name)
        with open(place, "rb") as file:
            data = file.read()
        if object_id("blob", data) in blobs or _body(data) in bodies:
            _remove(place)


def _body(data: bytes) -> str:
    return read_memory("", data).body.strip()


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
