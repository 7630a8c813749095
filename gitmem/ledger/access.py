"""What was injected, read and cited here, kept apart: one line an event, appended and never rewritten.

A line says when, what, in which session, which revision, which memory; never a question, never a text.  Each month has
a file of its own; whatever merges two machines' files may take the union of their lines.  Ranking does not look here:
what is recalled often would be recalled ever more.

Hot: the cheap set only, and of it as little as there is; the hook writes here after each answer.
"""

from __future__ import annotations

import os
import time

from gitmem.store.paths import ledger

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = ("injected", "read", "cited")
SUFFIX = ".log"
NOBODY = "-"  # stands for a session without an id
MAX_SESSION_CHARS = 200
MAX_DIGITS = 12  # of a time
RECENT_MONTHS = 2  # files in which a session that lives is looked for
_ESCAPED = (("%", "%25"), ("\n", "%0A"), ("\r", "%0D"))  # of a path; in this order


class Use:
    """How often a memory was used on this machine: counts by kind, and the last time (UTC unix seconds)."""

    __slots__ = ("cited", "injected", "last", "read")

    def __init__(self) -> None:
        self.injected = self.read = self.cited = self.last = 0

    def __repr__(self) -> str:
        return f"Use(injected={self.injected}, read={self.read}, cited={self.cited}, last={self.last})"


def note(git_dir: str, kind: str, session: str, seen: Sequence[tuple[str, str]], when: int) -> None:
    """Add an event for each of ``seen``; a ledger that cannot be written disturbs nobody.

    git_dir: the common git folder
    kind:    injected, read or cited
    session: the host's id of it, "" for none
    seen:    path and revision of each memory
    """
    try:
        append(git_dir, kind, session, seen, when)
    except OSError:
        pass


def append(git_dir: str, kind: str, session: str, seen: Sequence[tuple[str, str]], when: int) -> None:
    """As ``note``; raises OSError."""
    lines = "".join([f"{when} {kind} {_word(session)} {revision} {_escaped(path)}\n" for path, revision in seen])
    if not lines:
        return
    folder = ledger(git_dir)
    file = os.path.join(folder, "%04d-%02d" % time.gmtime(when)[:2] + SUFFIX)  # noqa: UP031 - a slice into two places
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
    try:
        target = os.open(file, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(folder, 0o700, exist_ok=True)
        target = os.open(file, flags, 0o600)
    try:
        if os.fstat(target).st_size and os.lseek(target, -1, os.SEEK_END) >= 0 and os.read(target, 1) != b"\n":
            lines = "\n" + lines  # a line that a full disk cut short costs itself and not the next one
        os.write(target, lines.encode("utf-8", "surrogateescape"))
    finally:
        os.close(target)


def has_read(git_dir: str, session: str, path: str, revision: str) -> bool:
    """Whether ``session`` was shown ``path`` at ``revision`` this month or the last; False for a session without id."""
    wanted = f" read {_word(session)} {revision} {_escaped(path)}\n".encode("utf-8", "surrogateescape")
    return bool(session) and any(wanted in _bytes(file) for file in _files(git_dir)[-RECENT_MONTHS:])


def read_as(git_dir: str, session: str, revision: str) -> list[str]:
    """Paths under which ``session`` was shown a text of that revision, this month or the last."""
    mark, found = f" read {_word(session)} {revision} ".encode(), list[str]()
    for data in map(_bytes, _files(git_dir)[-RECENT_MONTHS:] if session else ()):
        if mark in data:
            wanted = ["read", _word(session), revision]
            found.extend(event[4] for event in _events(data) if event[1:4] == wanted)
    return list(dict.fromkeys(found))


def injected(git_dir: str, session: str) -> dict[str, str]:
    """path -> revision last injected in ``session``, this month or the last; {} for a session without id."""
    if not session:
        return {}
    mark, found = f" injected {_word(session)} ".encode(), {}
    for file in _files(git_dir)[-RECENT_MONTHS:]:
        data = _bytes(file)
        if mark in data:
            found.update({event[4]: event[3] for event in _events(data) if event[1:3] == ["injected", _word(session)]})
    return found


def last_used(git_dir: str) -> dict[str, Use]:
    """path -> how it was used on this machine; {} where nothing is recorded or can be read."""
    uses: dict[str, Use] = {}
    for file in _files(git_dir):
        for when, kind, _, _, path in _events(_bytes(file)):
            use = uses.get(path)
            if use is None:
                use = uses[path] = Use()
            setattr(use, kind, getattr(use, kind) + 1)
            use.last = max(use.last, int(when))
    return uses


def _events(data: bytes) -> list[list[str]]:
    """Time, kind, session, revision and path of each whole line; a damaged one costs itself."""
    found = []
    for line in data.split(b"\n")[:-1]:
        parts = line.decode("utf-8", "surrogateescape").split(" ", 4)
        if len(parts) == 5 and parts[1] in KINDS and len(parts[3]) == 40 and _is_number(parts[0]):
            parts[4] = _unescaped(parts[4])
            if parts[4].lower().endswith(".md"):  # else it was cut short
                found.append(parts)
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS


def _files(git_dir: str) -> list[str]:
    """The months' files, oldest first."""
    folder = ledger(git_dir)
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(SUFFIX)]
    except OSError:
        return []


def _bytes(file: str) -> bytes:
    try:
        with open(file, "rb") as source:
            return source.read()
    except OSError:
        return b""


def _word(session: str) -> str:
    """A session's id as one word."""
    if not session.isprintable() or " " in session:
        session = "".join([mark if mark.isprintable() and mark != " " else "_" for mark in session])
    return session[:MAX_SESSION_CHARS] or NOBODY


def _escaped(path: str) -> str:
    if "%" in path or "\n" in path or "\r" in path:
        for mark, code in _ESCAPED:
            path = path.replace(mark, code)
    return path


def _unescaped(path: str) -> str:
    for mark, code in reversed(_ESCAPED) if "%" in path else ():
        path = path.replace(code, mark)
    return path
