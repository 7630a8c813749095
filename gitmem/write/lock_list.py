"""The list of locks in a store's settings: one item comes, goes or changes, all else keeps its bytes."""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.memory.name import twin_key
from gitmem.memory.quote import write_scalar
from gitmem.memory.splice import set_field
from gitmem.store.paths import CONFIG_FILE, join, typed
from gitmem.store.settings import Settings, read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FENCE = "---"


def moved_locks(locks: Sequence[str], renamed: Mapping[str, str]) -> tuple[str, ...]:
    """The locks once memories are called otherwise (old path -> new path); a lock stays on the memory it was put on."""
    now = {twin_key(old): new for old, new in renamed.items()}
    return tuple(dict.fromkeys(now.get(twin_key(each), each) for each in locks))


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
