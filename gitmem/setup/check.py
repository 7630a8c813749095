"""What the doctor says of one thing it looked at."""

from __future__ import annotations

import time
from pathlib import Path

from gitmem.dataclass import dataclass

OK, NOTE, TROUBLE = "ok", "note", "trouble"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    state:   OK, NOTE (nothing is wrong, but worth knowing) or TROUBLE
    hint:    what to type, "" for nothing
    mending: whether ``mend`` puts it right
    """

    name: str
    state: str
    message: str
    hint: str = ""
    mending: bool = False


def counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def age_of(path: Path) -> float | None:
    """Seconds since the file was written, by the system's own clock; None when it is gone."""
    try:
        return max(0.0, time.time() - path.stat().st_mtime)
    except OSError:
        return None


def spoken(seconds: float) -> str:
    for size, unit in ((86400, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} seconds"
