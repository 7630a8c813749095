"""gitmem as a library: the operations of the command line as functions.

Semantic versioning covers the names here and nothing else of the package.  Every function takes the store's path
and raises the classes of ``gitmem.errors``; nothing is printed, and the clock is read only where ``when`` is left out.

    from gitmem import api
    api.init("notes")
    api.remember("notes", "The release goes out on Tuesdays", name="release day")
    for hit in api.search("notes", "release").hits: print(hit.path, hit.text)
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence

from gitmem.history import log
from gitmem.history.log import Revision
from gitmem.history.repo import open_repo
from gitmem.memory.document import Memory, read_memory
from gitmem.recall import choose
from gitmem.recall.hit import Hit, Recall
from gitmem.setup import create
from gitmem.setup.create import Made
from gitmem.store.worktree import read_file
from gitmem.write import memory
from gitmem.write.change import Actor
from gitmem.write.find import find_memory
from gitmem.write.memory import Kept

__all__ = [
    "Actor", "Hit", "Kept", "Made", "Memory", "Recall", "Revision",
    "edit", "history", "init", "recall", "remember", "search", "show",
]  # fmt: skip

PERSON = Actor("person")


def init(store: str, *, when: int | None = None) -> Made:
    """Make the folder ``store`` a store, or adopt what is there; nothing is moved or rewritten.

    when: UTC unix seconds of the commits; now when left out, here and below
    """
    return create.init(store, environ=os.environ, when=_now(when))


def remember(
    store: str,
    text: str | bytes,
    *,
    name: str = "",
    type: str = "",
    description: str = "",
    tags: Sequence[str] = (),
    aliases: Sequence[str] = (),
    path: str = "",
    reason: str = "",
    actor: Actor = PERSON,
    when: int | None = None,
) -> Kept:
    """Write a new memory as one commit; an existing one is never overwritten.

    actor: what a model writes (``Actor("model", agent="...")``) is a candidate
    """
    return memory.remember(
        store, text, when=_now(when), actor=actor, environ=os.environ, name=name, type=type, description=description,
        tags=tags, aliases=aliases, path=path, reason=reason,
    )  # fmt: skip


def edit(
    store: str,
    name: str,
    *,
    fields: Sequence[tuple[str, str | Sequence[str] | None]] = (),
    section: str = "",
    body: str | bytes | None = None,
    reason: str = "",
    actor: Actor = PERSON,
    when: int | None = None,
) -> Kept:
    """Change fields, a section or the body of one memory; every other byte stays.

    name:   path, file stem, name or alias
    fields: (field, value); None removes the field
    """
    return memory.edit(
        store, name, when=_now(when), actor=actor, environ=os.environ, fields=fields, section=section, body=body,
        reason=reason,
    )  # fmt: skip


def show(store: str, name: str) -> Memory:
    """The memory called ``name`` as its file holds it now."""
    path = find_memory(store, name)
    return read_memory(path, read_file(store, path))


def history(store: str, name: str, *, limit: int | None = None) -> list[Revision]:
    """The commits that changed the memory called ``name``, newest first."""
    path = find_memory(store, name)
    with open_repo(store) as repo:
        return log.revisions(repo, path, limit)


def search(store: str, query: str, *, limit: int = 20, when: int | None = None) -> Recall:
    """The memories that fit the words of ``query``, best first, those below the floor included."""
    return choose.search(store, query, _now(when), limit=limit)


def recall(store: str, question: str, *, when: int | None = None) -> Recall:
    """What a prompt that says ``question`` would be given; no hits when nothing is relevant."""
    return choose.recall(store, question, _now(when))


def _now(when: int | None) -> int:
    return int(time.time()) if when is None else when
