"""Locks: which memories nothing archives or removes; a list of paths in the store's settings, so that it travels (B7).

The memory itself is not touched.  A lock is on the memory, not on the path: one that was renamed since is locked still.
"""

from __future__ import annotations

import os

from gitmem.errors import Locked, Refused
from gitmem.history.commit import FileChange
from gitmem.history.settings import settings_of
from gitmem.history.trail import history, present_path
from gitmem.history.tree import decode, read_blob
from gitmem.memory.name import twin_key
from gitmem.store.paths import CONFIG_FILE, join, typed
from gitmem.store.settings import DEFAULT_CONFIG, Settings, read_settings
from gitmem.write.archive_find import is_archived
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.config import check_locks_known, settings_file, settings_seen
from gitmem.write.find import find_memory, stem, without_md
from gitmem.write.lock_list import moved_locks, with_locks
from gitmem.write.memory import Kept, carry_out
from gitmem.write.new_path import Same
from gitmem.write.renamed import names_now

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gitmem.history.repo import Repo


class Locks:
    """The locks of a store, each on its memory: at the path in the settings, or where that memory lies now.

    settings: those of the store at ``root``
    """

    __slots__ = ("_by_key", "settings")

    def __init__(self, root: str, settings: Settings) -> None:
        self.settings = settings
        self._by_key = {twin_key(each): each for each in settings.locks}
        gone = [each for each in settings.locks if not os.path.lexists(join(root, each))]
        if gone:
            self._by_key |= {twin_key(now): old for old, now in names_now(root, gone).items()}

    def of(self, path: str) -> str:
        """The lock of the memory at ``path`` as the settings have it, "" for none; in any case and Unicode form."""
        return self._by_key.get(twin_key(path), "")

    def bars(self, path: str) -> bool:
        """Whether nothing may archive or remove the memory: it is locked, or nobody can read all that is."""
        return self.settings.broken is not None or bool(self.of(path))


def lock_of(repo: Repo, locks: Locks, path: str) -> str:
    """The same, also where another memory has the path that was locked by now."""
    found = locks.of(path)
    if found or not locks.settings.locks or is_archived(path):
        return found
    names = {twin_key(decode(touch.path)) for touch in history(repo, path)}
    for each in locks.settings.locks:
        if twin_key(each) in names and present_path(repo, each, _locked_since(repo, each)) == path:
            return each
    return ""


def _locked_since(repo: Repo, path: str) -> str:
    """The commit that put the lock on ``path``."""
    since = ""
    for touch in history(repo, CONFIG_FILE):
        data = read_blob(repo, touch.revision) if touch.revision else b""
        if path not in read_settings(data).locks:
            break
        since = touch.commit
    return since


def check_not_locked(reader: Reader, paths: Sequence[str]) -> None:
    """raises: Locked"""
    locks = Locks(reader.root, settings_seen(reader))
    check_locks_known(locks.settings, reader.root)
    for path in paths:
        if lock_of(reader.repo, locks, path):
            raise Locked(
                f"{path} is locked, so it is neither archived nor removed; nothing was changed",
                hint=f"gitmem unlock {typed(path)}",
            )


def lock(root: str, name: str, *, when: int, actor: Actor, environ: Mapping[str, str]) -> Kept:
    """Lock the memory called ``name``; ``commit`` of the answer is "" when it was so already.

    raises: NotFound; Refused for a model, an archived memory, or settings that cannot be edited without guessing
    """
    path = find_memory(root, name)
    if is_archived(path):
        hint = f"gitmem restore {typed(path)}"
        raise Refused(f"{path} is archived already, and a lock keeps a memory from that", hint=hint)

    def wanted(reader: Reader, settings: Settings) -> tuple[str, ...]:
        old = lock_of(reader.repo, Locks(root, settings), path)
        return moved_locks(settings.locks, {old: path}) if old else (*settings.locks, path)

    return _set_locks(root, "lock", path, wanted, when, actor, environ)


def unlock(root: str, name: str, *, when: int, actor: Actor, environ: Mapping[str, str]) -> Kept:
    """Unlock the memory called ``name``, which may be gone by now; ``commit`` is "" when it was not locked."""
    path = _locked_as(settings_of(root), name) or find_memory(root, name)

    def wanted(reader: Reader, settings: Settings) -> tuple[str, ...]:
        old = twin_key(lock_of(reader.repo, Locks(root, settings), path))
        return tuple([each for each in settings.locks if twin_key(each) != old])

    return _set_locks(root, "unlock", path, wanted, when, actor, environ)


def _locked_as(settings: Settings, name: str) -> str:
    """The locked path that is spelled like ``name``, with or without ``.md``; "" for none."""
    key = twin_key(without_md(name.strip().removeprefix("./")))
    return next((path for path in settings.locks if twin_key(without_md(path)) == key), "")


def _set_locks(
    root: str,
    operation: str,
    path: str,
    wanted: Callable[[Reader, Settings], tuple[str, ...]],
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
) -> Kept:
    if actor.kind == "model":
        raise Refused(
            f"a model may not {operation} {path}: locks are the person's",
            hint=f"ask the person to run: gitmem {operation} {typed(path)}",
        )

    def make(reader: Reader) -> list[FileChange]:
        data = settings_file(reader)
        settings = settings_seen(reader)
        locks = wanted(reader, settings)
        if locks == settings.locks:
            raise Same(path, data or b"")
        return [FileChange(CONFIG_FILE, with_locks(DEFAULT_CONFIG.encode() if data is None else data, locks, root))]

    kept = carry_out(root, Change(operation, stem(path), "", actor, make), when, environ)
    return Kept(path, kept.revision, kept.commit, kept.notes)
