"""The revisions of one memory, and how two texts differ."""

from __future__ import annotations

import os

from gitmem.history.message import parse_message
from gitmem.history.objects import NO_ID, object_id
from gitmem.history.repo import Repo
from gitmem.history.tree import decode
from gitmem.memory.document import decode_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.history.trail_walk import Touch

BINARY_LOOK = 8000  # bytes in which git looks for a NUL before it calls a file binary
CONTEXT = 3  # lines around a change, as git shows them
QUOTED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


class Revision:
    """One commit that changed a memory.

    revision: blob id after it, "" when the memory was removed
    when:     committer's time, UTC unix seconds
    path:     where the memory was after it; was: where before, "" when it was not moved
    move:     archive, restore or rename; "" when it was not moved
    trailers: ``Gitmem-Op`` and the like; empty for a person's own commit
    """

    __slots__ = (
        "author",
        "commit",
        "email",
        "move",
        "path",
        "reason",
        "revision",
        "subject",
        "trailers",
        "was",
        "when",
    )

    def __init__(self, touch: Touch) -> None:
        self.commit, self.revision, self.when = touch.commit, touch.revision, touch.when
        self.author, self.email, self.move = touch.author, touch.email, touch.move
        self.path, self.was = decode(touch.path), decode(touch.was)
        self.subject, self.reason, self.trailers = parse_message(touch.message)


def revisions(
    repo: Repo, path: str, max_count: int | None = None, *, progress: Callable[[int, int], None] | None = None
) -> list[Revision]:
    """Every commit that changed the memory at ``path``, newest first, across its renames.

    Those of every branch that was merged, one that lost too (as ``git log --full-history --simplify-merges -- PATH``):
    what stood in the memory once, or was kept as a conflict and settled, is never hidden by the merge that settled it.
    progress: called with (done, total) commits while the history index is filled
    """
    from gitmem.history.trail import history  # who compares two texts is spared SQLite

    return [Revision(touch) for touch in history(repo, path, max_count, progress=progress)]


def shallow(repo: Repo) -> frozenset[str]:
    """Commits whose parents a shallow clone left out."""
    try:
        with open(os.path.join(repo.git.common, "shallow"), encoding="ascii", errors="replace") as file:
            return frozenset(file.read().split())
    except FileNotFoundError:
        return frozenset()


def text_diff(old: bytes | None, new: bytes | None, path: str, old_path: str = "") -> str:
    """The difference of two versions of a file as git prints it; "" when there is none, None is no file.

    old_path: what the old version was called, where it is another name than ``path``
    """
    moved = bool(old_path) and old_path != path and old is not None and new is not None
    if old == new and not moved:
        return ""
    from difflib import unified_diff  # with re; who lists revisions is spared it

    before, after = _quoted("a/" + (old_path or path)), _quoted("b/" + path)
    lines = [f"diff --git {before} {after}\n"]
    if moved:
        lines += [f"rename from {_quoted(old_path)}\n", f"rename to {_quoted(path)}\n"]
    if old == new:
        return "".join(lines)
    if old is None:
        lines.append("new file mode 100644\n")
    elif new is None:
        lines.append("deleted file mode 100644\n")
    ids = [object_id("blob", data)[:7] if data is not None else NO_ID[:7] for data in (old, new)]
    lines.append(f"index {ids[0]}..{ids[1]}" + (" 100644\n" if old is not None and new is not None else "\n"))
    names = ("/dev/null" if old is None else before, "/dev/null" if new is None else after)
    if b"\0" in (old or b"")[:BINARY_LOOK] or b"\0" in (new or b"")[:BINARY_LOOK]:
        return "".join(lines) + f"Binary files {names[0]} and {names[1]} differ\n"
    for line in unified_diff(_lines(old), _lines(new), names[0], names[1], n=CONTEXT):
        lines.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(lines)


def _lines(data: bytes | None) -> list[str]:
    """Lines ended by LF only, as git counts them."""
    if not data:
        return []
    parts = [decode_line(part) for part in data.split(b"\n")]
    ended = [part + "\n" for part in parts[:-1]]
    return [*ended, parts[-1]] if parts[-1] else ended


def _quoted(path: str) -> str:
    """A name with a quote, backslash or control character in it is quoted, as git quotes it."""
    if all(mark.isprintable() and mark not in '"\\' for mark in path):
        return path
    out = "".join(QUOTED.get(mark, mark if mark.isprintable() else f"\\{ord(mark):03o}") for mark in path)
    return f'"{out}"'
