"""Secrets are stopped before the object exists (L2, L5).

In what a model, a run or an import writes a secret is masked, and the text as it came is kept aside, out of git.  A
person's own text is never rewritten: what they give to a command is refused, and their own edit of a file is held
back, that file alone, until the secret is gone or its line says that it is harmless.  Markers of a merge that was
not finished hold it back just so.
"""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.history.commit import FileChange
from gitmem.memory.document import line_at, read_memory
from gitmem.memory.marker import MARKER, added_marker
from gitmem.memory.marker import WAY_OUT as MARKERS_OUT
from gitmem.memory.secret import WAY_OUT as SECRET_OUT
from gitmem.memory.secret import added_spans, secret_finding, secret_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.history.commit import Step
    from gitmem.history.view import View
    from gitmem.memory.document import Memory
    from gitmem.memory.finding import Finding
    from gitmem.write.change import Actor, Reader

MASK = "(secret removed)"  # nothing that would mean something in a head
BOM = b"\xef\xbb\xbf"


def new_secrets(before: Memory | None, after: Memory) -> list[Finding]:
    """The secrets of ``after`` that ``before`` does not hold and no mark allows: where, of what kind, never what."""
    known = [before.text] if before else []
    return [
        secret_finding(after.path, line_at(after.text, start), kind)
        for start, _, kind in added_spans(after.text, known)
    ]


def masked_changes(
    changes: Sequence[FileChange], reader: Reader, actor: Actor
) -> tuple[tuple[FileChange, ...], list[tuple[Finding, bytes]]]:
    """What a model, a run or an import writes, without new secrets; and where there were any, with the text as it came.

    A mark that allows a secret is a person's to set: here it allows nothing.  A text that is not UTF-8 stays as it is,
    and the guard refuses it.
    """
    if actor.kind == "person":
        return tuple(changes), []
    kept: list[tuple[Finding, bytes]] = []
    made = []
    for change in changes:
        data, found = (change.data, None) if change.data is None else _masked(change, reader)
        if found is not None and change.data is not None:
            kept.append((found, change.data))
        made.append(FileChange(change.path, data, change.mode))
    return tuple(made), kept


def _masked(change: FileChange, reader: Reader) -> tuple[bytes, Finding | None]:
    data = change.data or b""
    after = read_memory(change.path, data)
    if after.encoding not in ("utf-8", "utf-8-sig"):
        return data, None
    old = reader.read(change.path)
    known = read_memory(change.path, old).text if old is not None else ""
    parts, at, first = [], 0, None
    for start, end, kind in secret_spans(after.text):
        if after.text[start:end] in known:
            continue
        first = first or secret_finding(change.path, line_at(after.text, start), kind)
        parts += [after.text[at:start], MASK + "\n" * after.text.count("\n", start, end)]
        at = end
    if first is None:
        return data, None
    text = "".join([*parts, after.text[at:]])
    return (BOM if data.startswith(BOM) else b"") + text.encode("utf-8", "surrogateescape"), first


def held_back(view: View, steps: Sequence[Step]) -> dict[str, Finding]:
    """Which of the person's own edits hold a new secret, or new conflict markers: path -> the first.

    They are not to be committed.
    """
    found: dict[str, Finding] = {}
    for change in (change for step in steps for change in step.changes if change.data is not None):
        committed = view.committed(change.path)
        old = view.repo.objects.read(committed[1], "blob") if committed else None
        before = read_memory(change.path, old) if old is not None else None
        after = read_memory(change.path, change.data or b"")
        marker = added_marker(change.path, after.text, [before.text] if before else [])
        for each in [*new_secrets(before, after)[:1], *([marker] if marker else [])]:
            found.setdefault(change.path, each)
    return found


def refuse_held(found: Finding) -> Refused:
    """The refusal of a write to a file whose uncommitted edit holds a secret, or conflict markers."""
    return Refused(
        f"{found.sentence()}; it stands in your own edit, which is not committed, and nothing was written to the file",
        hint=MARKERS_OUT if found.rule == MARKER else SECRET_OUT,
    )
