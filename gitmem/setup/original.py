"""A person's settings file that gitmem edits: its bytes before us are kept, and given back.

Private to the person: settings may hold keys, so what is kept is readable by nobody else.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path

from gitmem.dataclass import dataclass
from gitmem.errors import Refused, StoreUnwritable


@dataclass(frozen=True, slots=True)
class Before:
    """A file as it was before us.

    original: the bytes, None when there was no file
    folder:   False when the folder was not there either
    written:  sha256 of what we wrote, to see whether the person edited it since
    """

    original: bytes | None
    folder: bool
    written: str


def digest(data: bytes | None) -> str:
    """sha256, 64 hex digits; no file counts as an empty one."""
    return hashlib.sha256(data or b"").hexdigest()


def read(settings: Path) -> tuple[Path, bytes | None]:
    """The file behind ``settings``, links followed, and its bytes, None when there is none."""
    target = Path(os.path.realpath(settings))
    try:
        return target, target.read_bytes()
    except FileNotFoundError:
        return target, None
    except OSError as error:
        raise Refused(f"{settings} cannot be read: {error.strerror}") from error


def _kept_at(state: Path, target: Path) -> Path:
    """Where the original of ``target`` is kept; each settings file has its own."""
    return state / f"{digest(os.fsencode(target))[:16]}.json"


def before(state: Path, target: Path) -> Before | None:
    """What ``keep`` kept of ``target``; None when gitmem does not know the file."""
    try:
        kept = json.loads(_kept_at(state, target).read_text(encoding="utf-8"))
        original = None if kept["original"] is None else base64.b64decode(kept["original"])
        return Before(original, bool(kept["folder"]), str(kept["written"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(state: Path, target: Path, before: Before) -> None:
    """Remember ``before`` until ``forget``; raises StoreUnwritable."""
    original = None if before.original is None else base64.b64encode(before.original).decode()
    kept = {"settings": str(target), "original": original, "folder": before.folder, "written": before.written}
    try:
        state.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(_kept_at(state, target), (json.dumps(kept, indent=1) + "\n").encode(), 0o600)
    except OSError as error:
        raise StoreUnwritable(f"{state} cannot be written: {error.strerror}; the settings are as before") from error


def forget(state: Path, target: Path) -> None:
    """Drop what was kept of ``target``."""
    _kept_at(state, target).unlink(missing_ok=True)
    with contextlib.suppress(OSError):
        state.rmdir()


def write(settings: Path, target: Path, seen: bytes | None, made: bytes) -> None:
    """Put ``made`` in place of ``seen``, unless the file changed meanwhile."""
    if read(settings)[1] != seen:
        raise Refused(f"{settings} changed while it was being edited; nothing was written", hint="try again")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace(target, made, target.stat().st_mode & 0o777 if seen is not None else 0o600)
    except OSError as error:
        raise StoreUnwritable(f"{settings} cannot be written: {error.strerror}; it is as before") from error


def _replace(path: Path, data: bytes, mode: int) -> None:
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.gitmem-")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def delete(settings: Path, target: Path, *, folder: bool) -> None:
    """Remove the file, and its ``folder`` when nothing else stands in it."""
    try:
        target.unlink()
        if folder:
            with contextlib.suppress(OSError):  # somebody else put files there meanwhile
                target.parent.rmdir()
    except OSError as error:
        raise StoreUnwritable(f"{settings} cannot be removed: {error.strerror}") from error
