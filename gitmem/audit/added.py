"""What one text adds to those it follows that must not leave a machine: new secrets, and markers of a new conflict."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.memory.document import decode, line_at
from gitmem.memory.finding import Finding
from gitmem.memory.marker import CLOSING, OPENING, added_marker
from gitmem.memory.secret import added_spans, secret_finding
from gitmem.prompt.quote import may_hold_secret

UTF16 = (b"\xff\xfe", b"\xfe\xff")


def secrets_added(path: str, data: bytes, *befores: bytes | None, allowed: Iterable[str] = ()) -> list[Finding]:
    """What looks like a secret in ``data``, is in none of ``befores``, and no mark allows.

    allowed: texts that are marked as harmless elsewhere
    """
    if b"\0" in data and not data.startswith(UTF16):
        return []
    text = decode(data, path)[0]
    if not may_hold_secret(text):
        return []
    known = [decode(each, path)[0] for each in befores if each is not None]
    return [
        secret_finding(path, line_at(text, start), kind) for start, _, kind in added_spans(text, known, set(allowed))
    ]


def markers_added(path: str, data: bytes, *befores: bytes | None) -> list[Finding]:
    """The first marker of a merge that was not finished, in a text that has more of them than any it follows."""
    if OPENING.encode() not in data and CLOSING.encode() not in data and not data.startswith(UTF16):
        return []
    known = (decode(each, path)[0] for each in befores if each is not None)
    found = added_marker(path, decode(data, path)[0], known)
    return [found] if found else []
