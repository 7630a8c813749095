"""The frame around gitmem's text: plain lines, because one host escapes XML.

The first word tells a host's echo of our own text apart from a person's; the nonce, which no
author of a memory can know, tells the real last line from one that a memory imitates.
"""

from __future__ import annotations

import os

from gitmem.memory.clean import one_line
from gitmem.memory.document import blob_id
from gitmem.store.paths import frame_secret

SECRET_BYTES = 16
NONCE_DIGITS = 8
LABEL_SIGNS = frozenset(':()"：（）＂﹕﹙﹚')  # of a label, and what looks like them
MAX_PATH_CHARS = 400  # of a path where it is shown


def framed(nonce: str, opening: str, parts: list[str]) -> str:
    """``parts`` between the frame's first and last line, a blank line between two parts."""
    return f"[gitmem {nonce}] {opening}\n" + "\n\n".join(parts) + f"\n[/gitmem {nonce}]"


def frame_bytes(nonce: str, opening: str) -> int:
    """What the frame itself costs, UTF-8."""
    return size(framed(nonce, opening, []))


def size(text: str) -> int:
    """Bytes of ``text`` in UTF-8."""
    return len(text.encode("utf-8", "replace"))


def shown_path(path: str) -> str:
    """A path as it may stand in a label or a list: one line, unable to forge either.

    In quotes where its own signs could be read as a label's lines or notes.
    """
    shown = one_line(path, MAX_PATH_CHARS)
    if LABEL_SIGNS.isdisjoint(shown):
        return shown
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'


def frame_nonce(git_dir: str, session: str) -> str:
    """8 hex digits, the same for one session and one store, unknown to whoever wrote a memory.

    The store's secret is made by the first caller that may write it.  Where nobody may (a read-only
    or full disk), the folder's inode stands in: the session's id alone is already a random number of the host.
    """
    return blob_id(_secret(git_dir) + session.encode("utf-8", "replace"))[:NONCE_DIGITS]


def _secret(git_dir: str) -> bytes:
    path = frame_secret(git_dir)
    secret = _read(path) or _made(path)
    return secret or b"%d" % os.stat(git_dir).st_ino


def _read(path: str) -> bytes:
    """The secret at ``path``; empty when there is none, or no whole one."""
    try:
        source = os.open(path, os.O_RDONLY)
        try:
            secret = os.read(source, SECRET_BYTES)
        finally:
            os.close(source)
    except OSError:
        return b""
    return secret if len(secret) == SECRET_BYTES else b""


def _made(path: str) -> bytes:
    """A new secret, put at ``path`` in one step; of two callers the first one's stays.  Empty where none is kept."""
    aside = f"{path}-{os.getpid()}"
    try:
        target = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            is_whole = os.write(target, os.urandom(SECRET_BYTES)) == SECRET_BYTES
        finally:
            os.close(target)
        if is_whole and os.path.exists(path):  # what a full disk left of an earlier one
            os.replace(aside, path)
        elif is_whole:
            os.link(aside, path)
    except OSError:
        pass
    try:
        os.unlink(aside)
    except OSError:
        pass
    return _read(path)
