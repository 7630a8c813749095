"""The message of a commit: subject, reason, trailers; and back.

A trailer counts only in the last paragraph, where gitmem alone writes, so no name and no reason can forge one.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MARK = "Gitmem-"
REVERSING = ("undo", "redo")
HEX = frozenset("0123456789abcdef")
MAX_SUBJECT_CHARS = 120
MAX_TRAILER_CHARS = 400
LISTS_OF_IDS = ("Undoes", "Opened", "Purged")
MAX_IDS_CHARS = 1 << 20  # a list cut short would leave operations as not taken back, and purged text unknown


def message(operation: str, memory: str, reason: str, trailers: Mapping[str, str]) -> str:
    """``remember: deploy-ritual``, the reason, and ``trailers`` (``Op`` -> ``Gitmem-Op: ...``; empty ones left out)."""
    subject = one_line(f"{operation}: {memory}" if memory else operation, MAX_SUBJECT_CHARS)
    kept = [
        f"{MARK}{key}: {line}"
        for key, value in trailers.items()
        if (line := one_line(value, MAX_IDS_CHARS if key in LISTS_OF_IDS else MAX_TRAILER_CHARS))
    ]
    return "\n\n".join(part for part in (subject, _paragraphs(reason), "\n".join(kept)) if part) + "\n"


def parse_message(text: str) -> tuple[str, str, dict[str, str]]:
    """Subject, reason and trailers of any commit message; a person's own commit has none of the last."""
    subject, _, rest = text.strip("\n").partition("\n")
    paragraphs = rest.strip("\n").split("\n\n")
    last = paragraphs[-1].splitlines()
    trailers: dict[str, str] = {}
    if last and all(line.startswith(MARK) and ": " in line for line in last):
        for line in last:
            key, _, value = line.partition(": ")
            trailers.setdefault(key, value)
        paragraphs.pop()
    return subject, "\n\n".join(paragraphs).strip("\n"), trailers


def speaks_of(subject: str, operation: str) -> bool:
    """Whether a commit of that subject is gitmem's ``operation``: a person may copy its trailers below any words."""
    return subject == operation or subject.startswith(f"{operation}: ")


def undone(subject: str, trailers: Mapping[str, str]) -> tuple[str, ...]:
    """The commits that an undo takes back, or a redo: the undo; () for any other commit, whatever its trailers say."""
    operation = trailers.get(f"{MARK}Op", "")
    if operation not in REVERSING or not speaks_of(subject, operation):
        return ()
    names = trailers.get(f"{MARK}Undoes", "").split()
    return tuple([name for name in names if len(name) == 40 and HEX.issuperset(name)])


def one_line(text: str, limit: int) -> str:
    """``text`` without line breaks and control characters, at most ``limit`` characters."""
    line = " ".join("".join(mark if mark.isprintable() else " " for mark in text).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def _paragraphs(reason: str) -> str:
    lines = []
    for line in reason.splitlines():
        shown = "".join(mark if mark.isprintable() else " " for mark in line).rstrip()
        lines.append("> " + shown if shown.lower().startswith(MARK.lower()) else shown)
    return "\n".join(lines).strip("\n")
