"""Locks: which memories nothing archives or removes; a list of paths in the store's settings, so that it travels (B7).

The memory itself is not touched.  The settings are the person's text: one item comes or goes, all else keeps its bytes.
"""

from __future__ import annotations

from gitmem.errors import Locked, Refused
from gitmem.history.commit import FileChange
from gitmem.history.settings import settings_of
from gitmem.memory.name import twin_key
from gitmem.memory.quote import write_scalar
from gitmem.memory.splice import set_field
from gitmem.store.paths import ARCHIVE, CONFIG_FILE, join, typed
from gitmem.store.settings import DEFAULT_CONFIG, Settings, read_settings
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.config import check_locks_known, settings_file, settings_seen
from gitmem.write.find import find_memory, stem, without_md
from gitmem.write.memory import Kept, carry_out
from gitmem.write.new_path import Same

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

FENCE = "---"


def is_locked(settings: Settings, path: str) -> bool:
    """Whether the memory at ``path`` is locked; case and Unicode form do not matter."""
    key = twin_key(path)
    return any(twin_key(each) == key for each in settings.locks)


def counts_as_locked(settings: Settings, path: str) -> bool:
    """Whether nothing may archive or remove the memory: it is locked, or nobody can read all that is."""
    return settings.broken is not None or is_locked(settings, path)


def check_not_locked(reader: Reader, path: str) -> None:
    """raises: Locked"""
    settings = settings_seen(reader)
    check_locks_known(settings, reader.root)
    if is_locked(settings, path):
        raise Locked(
            f"{path} is locked, so it is neither archived nor removed; nothing was changed",
            hint=f"gitmem unlock {typed(path)}",
        )


def lock(root: str, name: str, *, when: int, actor: Actor, environ: Mapping[str, str]) -> Kept:
    """Lock the memory called ``name``; ``commit`` of the answer is "" when it was so already.

    raises: NotFound; Refused for a model, an archived memory, or settings that cannot be edited without guessing
    """
    path = find_memory(root, name)
    if twin_key(path).startswith(f"{ARCHIVE}/"):
        hint = f"gitmem restore {typed(path)}"
        raise Refused(f"{path} is archived already, and a lock keeps a memory from that", hint=hint)

    def wanted(settings: Settings) -> tuple[str, ...]:
        return settings.locks if is_locked(settings, path) else (*settings.locks, path)

    return _set_locks(root, "lock", path, wanted, when, actor, environ)


def unlock(root: str, name: str, *, when: int, actor: Actor, environ: Mapping[str, str]) -> Kept:
    """Unlock the memory called ``name``, which may be gone by now; ``commit`` is "" when it was not locked."""
    path = _locked_as(settings_of(root), name) or find_memory(root, name)

    def wanted(settings: Settings) -> tuple[str, ...]:
        return tuple([each for each in settings.locks if twin_key(each) != twin_key(path)])

    return _set_locks(root, "unlock", path, wanted, when, actor, environ)


def _locked_as(settings: Settings, name: str) -> str:
    """The locked path that is spelled like ``name``, with or without ``.md``; "" for none."""
    key = twin_key(without_md(name.strip().removeprefix("./")))
    return next((path for path in settings.locks if twin_key(without_md(path)) == key), "")


def _set_locks(
    root: str,
    operation: str,
    path: str,
    wanted: Callable[[Settings], tuple[str, ...]],
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
        locks = wanted(settings)
        if locks == settings.locks:
            raise Same(path, data or b"")
        return [FileChange(CONFIG_FILE, with_locks(DEFAULT_CONFIG.encode() if data is None else data, locks, root))]

    kept = carry_out(root, Change(operation, stem(path), "", actor, make), when, environ)
    return Kept(path, kept.revision, kept.commit, kept.notes)


def with_locks(data: bytes, locks: tuple[str, ...], root: str) -> bytes:
    """The settings file ``data`` with these locks and no other byte changed.

    raises: Refused when that cannot be done without guessing
    """
    before = read_settings(data)
    try:
        new = _spliced(data, before, locks)
    except (Refused, ValueError):
        new = b""
    after = read_settings(new)
    old_findings = [finding.message for finding in before.findings if not finding.message.startswith("locks:")]
    new_findings = [finding.message for finding in after.findings if not finding.message.startswith("locks:")]
    if before.broken or after.locks != locks or new_findings != old_findings or _others(after) != _others(before):
        said = before.findings[0].sentence() + "; " if before.findings else f"{CONFIG_FILE}: "
        raise Refused(
            f"{said}the locks cannot be set without guessing; nothing was changed",
            hint=f"open {typed(join(root, CONFIG_FILE))} and write: locks: [{', '.join(map(write_scalar, locks))}]",
        )
    return new


def _spliced(data: bytes, before: Settings, locks: tuple[str, ...]) -> bytes:
    """The head editor's work: between two fences, settings are a head."""
    text = data.decode("utf-8-sig")
    bom = data[: len(data) - len(text.encode())]
    eol = "\r\n" if "\r\n" in text else "\n"
    start = FENCE + eol if text.startswith(FENCE + eol) else ""  # YAML's own mark of a document
    text = text[len(start) :]
    joint = "" if not text or text.endswith(("\n", "\r")) else eol
    if not before.locks:
        bare = _edited(text + joint, eol, None)
        return bom + (start + bare + _block(locks, eol)).encode()
    edited = _edited(text + joint, eol, list(locks) or None)
    return bom + (start + edited).encode()


def _edited(text: str, eol: str, locks: list[str] | None) -> str:
    """``text`` with the field ``locks`` set, or gone for None."""
    wrapped = f"{FENCE}{eol}{text}{FENCE}{eol}"
    made = set_field(wrapped.encode(), "locks", locks).decode()
    return made[len(FENCE + eol) : -len(FENCE + eol)]


def _block(locks: tuple[str, ...], eol: str) -> str:
    """A list with a line for each, so that two machines' locks merge."""
    return "".join([f"locks:{eol}", *(f"  - {write_scalar(path)}{eol}" for path in locks)]) if locks else ""


def _others(settings: Settings) -> tuple[object, ...]:
    return (
        settings.format,
        settings.ignore,
        settings.index_file,
        settings.candidates,
        settings.idle_days,
        settings.keep_points,
    )
