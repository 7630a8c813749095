"""A moment as a person types it: a day, a day and an hour, or how long ago."""

from __future__ import annotations

import datetime

from gitmem.cli.door import shortened
from gitmem.errors import Usage

MAX_CHARS = 12  # of so many minutes, days or weeks
UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}


def moment(text: str, when: int) -> int:
    """UTC unix seconds of ``2026-11-30`` (its beginning), ``2026-11-30T10:00Z``, or ``90m 2h 3d 1w`` before ``when``.

    raises: Usage
    """
    word = text.strip()
    if len(word) <= MAX_CHARS and word[:-1].isdigit() and word[:-1].isascii() and word[-1:] in UNITS:
        return max(0, when - int(word[:-1]) * UNITS[word[-1]])
    try:
        found = datetime.datetime.fromisoformat(word)
    except ValueError:
        raise Usage(
            f'"{shortened(text)}" is no time', hint="type it as 2026-11-30, 2026-11-30T10:00Z, 90m, 2h or 3d"
        ) from None
    return int((found if found.tzinfo else found.replace(tzinfo=datetime.UTC)).timestamp())
