"""What may be written, by whom: every file of a change passes here before anything is touched.

A refused text is not lost: it is kept in the git folder, out of history, and the refusal names the file.
"""

from __future__ import annotations

import os
import time

from gitmem.errors import BadName, BrokenHead, Refused, TooBig
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.document import read_memory
from gitmem.memory.marker import WAY_OUT, added_marker
from gitmem.memory.name import check_inside, check_path, is_reserved, twin_key
from gitmem.memory.secret import WAY_OUT as SECRET_OUT
from gitmem.memory.secret import secret_spans
from gitmem.store.ignore import patterns
from gitmem.store.paths import (
    ARCHIVE,
    ATTRIBUTES_FILE,
    CONFIG_FILE,
    INDEX_FILE,
    git_in,
    is_project_record,
    join,
    refused,
    typed,
)
from gitmem.store.worktree import is_reserved_file
from gitmem.write.change import Actor, Reader
from gitmem.write.config import settings_seen
from gitmem.write.secrets import new_secrets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from gitmem.history.commit import FileChange
    from gitmem.memory.document import Memory

OWN_FILES = (INDEX_FILE, CONFIG_FILE, ATTRIBUTES_FILE)  # the only ones without the form of a memory's name
UNSETTLED = ("candidate", "disputed", "superseded")  # what a model may leave as it is, and never lift
PERSONS = {  # what decides how far a memory is heard is the person's: attribute of Known -> field
    "pinned": "metadata.pinned",
    "muted": "metadata.muted",
    "baseline": "baseline",
    "baseline_priority": "baselinePriority",
    "supersedes": "metadata.supersedes",
    "superseded_by": "metadata.superseded_by",
}


def check_change(
    changes: Sequence[FileChange],
    reader: Reader,
    actor: Actor,
    git_dir: str,
    when: int,
    restores: Collection[str] = (),
) -> None:
    """Raise Refused (BadName, TooBig, BrokenHead) when one of ``changes`` may not be made.

    git_dir:  the common git folder; refused texts are kept in its gitmem folder; "" when there is none yet
    restores: paths of which git holds already what they get: neither the place nor the text is new
    """
    moved = archive_moves(changes)
    for change in changes:
        try:
            is_held = change.path in restores
            _check_place(change, reader, moved, is_held=is_held)
            _check_content(change, reader, actor, moved, is_held=is_held)
        except Refused as refusal:
            if change.data is not None and git_dir and not refusal.kept:
                refusal.kept = keep_refused(git_dir, change.data, when)
            raise
    if gone := [each.path for each in changes if each.data is None and reader.read(each.path) is not None]:
        from gitmem.write.locks import check_not_locked  # a write that removes nothing is spared it

        check_not_locked(reader, gone)


def archive_moves(changes: Sequence[FileChange]) -> dict[str, str]:
    """New path -> old path of each memory that goes into the archive or comes back: a file that is known already."""
    gone = {change.path for change in changes if change.data is None}
    below = {rest: path for path in gone for folder, _, rest in [path.partition("/")] if twin_key(folder) == ARCHIVE}
    moved: dict[str, str] = {}
    for change in changes if gone else ():
        folder, _, rest = change.path.partition("/")
        if change.data is not None and twin_key(folder) == ARCHIVE and rest in gone:
            moved[change.path] = rest
        elif change.data is not None and change.path in below:
            moved[change.path] = below[change.path]
    return moved


def _check_place(change: FileChange, reader: Reader, moved: Mapping[str, str], *, is_held: bool) -> None:
    path = change.path
    check_inside(path)
    check_repository(path, reader)
    there = reader.read(path)
    if there is not None:
        check_second_name(path, reader)
    if there is not None or change.data is None:
        return
    if not is_held and path not in OWN_FILES and path not in moved and not is_project_record(path):
        _check_new(path, reader)
    twin = reader.exists_twin(path)
    if twin:
        raise BadName(
            f"{path} and {twin} differ only in case or in how their letters are composed; on many systems they are "
            "one file",
            hint=f"choose another name, or: gitmem edit {typed(twin)}",
        )


def check_second_name(path: str, reader: Reader) -> None:
    """Raise BadName for MEMORY.md under a second name: the write would part the two."""
    if path in OWN_FILES or path == settings_seen(reader).index_file:
        return
    if is_reserved(path) or (not reader.has_one_name(path) and is_reserved_file(reader.root, path)):
        raise BadName(
            f"{path} is MEMORY.md or session-log.md under a second name, and never a memory",
            hint=f"edit that file itself, or make a file of its own: cp {typed(path)} copy.md",
        )


def check_repository(path: str, reader: Reader) -> None:
    """Raise BadName for a path in a repository inside the store: its files have a history of their own."""
    folder, kind = reader.repository_above(path)
    if not folder:
        return
    full = join(reader.root, folder)
    if os.path.lexists(os.path.join(full, ".git")):
        hint = f"name that one: --store {typed(full)}"
    else:
        hint = git_in(reader.root, f"submodule update --init -- {typed(folder)}")
    said = "a submodule, a repository of its own" if kind == "submodule" else "a repository of its own"
    raise BadName(f"{path}: {folder} is {said}, and this store does not write into it", hint=hint)


def _check_new(path: str, reader: Reader) -> None:
    """A new memory has a name for every system, and a place where recall looks."""
    settings = settings_seen(reader)
    if path == settings.index_file:
        return  # gitmem's own list; no memory comes here, write/memory.py sees to that
    check_path(path)
    if any(True for _ in secret_spans(path)):
        raise BadName("the path looks like a secret; git would keep it for ever", hint="choose another --path")
    parts = path.split("/")
    for pattern in patterns(settings.ignore):
        if pattern.fits(path, False) or any(pattern.fits("/".join(parts[:at]), True) for at in range(1, len(parts))):
            raise BadName(
                f"{path} would never be recalled: {CONFIG_FILE} ignores {pattern.text}",
                hint="choose another --path, or take the pattern out of the settings",
            )


def _check_content(
    change: FileChange, reader: Reader, actor: Actor, moved: Mapping[str, str], *, is_held: bool
) -> None:
    data, path = change.data, change.path
    if data is None:
        if actor.kind == "model":
            raise Refused(f"a model may not delete {path}", hint=f"ask the person to run: git rm -- {typed(path)}")
        return
    if path == CONFIG_FILE and actor.kind == "model":
        raise Refused(f"a model may not change {path}: locks and settings are the person's")
    if is_held and actor.kind == "person":
        return
    if len(data) > MAX_MEMORY_BYTES and path not in moved and not is_held:
        raise TooBig(
            f"{path} would have {len(data):,} bytes; a memory has at most {MAX_MEMORY_BYTES:,}",
            hint="split it into several memories",
        )
    if path in (CONFIG_FILE, ATTRIBUTES_FILE) or is_project_record(path):
        return
    old = reader.read(moved.get(path, path))
    if path in moved and old is not None:
        from gitmem.memory.archived import without_marks

        old, data = without_marks(old), without_marks(data)  # the marks are gitmem's own
        if old == data:
            return
    before = read_memory(path, old) if old is not None else None
    after = read_memory(path, data)
    if not is_held:
        _check_text(before, after)
    if actor.kind in ("model", "run") and not is_reserved(path) and path != settings_seen(reader).index_file:
        _check_head(before, after)
        _check_rights(before, after)


def _check_text(before: Memory | None, after: Memory) -> None:
    """What the file held already is the person's own affair; what is new must be text, no secret and no open merge."""
    if "\0" in after.text and (before is None or "\0" not in before.text):
        said = f"{after.path} would hold NUL bytes, as no text does"
        raise Refused(said, hint="save the text as UTF-8, then try again")
    for found in new_secrets(before, after)[:1]:
        raise Refused(
            f"{found.sentence()}; git would keep it for ever",
            hint=SECRET_OUT,
        )
    marker = added_marker(after.path, after.text, [before.text] if before else [])
    if marker:
        raise Refused(f"{marker.sentence()}; it would stop every sync, and nothing was written", hint=WAY_OUT)


def _check_head(before: Memory | None, after: Memory) -> None:
    known = {(finding.rule, finding.message) for finding in before.findings} if before else set()
    for finding in after.findings:
        if finding.rule.startswith("head-") and (finding.rule, finding.message) not in known:
            raise BrokenHead(finding.sentence(), line=finding.line)


def _check_rights(before: Memory | None, after: Memory) -> None:
    from gitmem.memory.field import known

    old, new = known(before) if before else None, known(after)
    kept = old is not None and new.trust == old.trust and new.trust in UNSETTLED
    if new.trust != "candidate" and not kept:
        raise Refused(
            f"{after.path}: a model may not say how far a memory is trusted (metadata.trust would be "
            f"'{new.trust or 'verified'}')",
            hint="leave it at candidate; a person verifies it",
        )
    for attribute, field in PERSONS.items():
        if getattr(new, attribute) != (getattr(old, attribute) if old else type(getattr(new, attribute))()):
            raise Refused(
                f"{after.path}: a model may not set or remove {field}",
                hint="leave it as it is; the person may change it",
            )
    if old is not None and new.expires != old.expires:  # of its own new memory it may say how long it holds
        raise Refused(f"{after.path}: a model may not change when a memory expires (metadata.expires)")


def keep_refused(git_dir: str, data: bytes, when: int) -> str:
    """Keep a refused text for its writer; the file's path, "" when it cannot be kept."""
    from gitmem.memory.document import blob_id

    folder = refused(git_dir)
    name = f"{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime(when))}-{blob_id(data)[:10]}.md"
    path = os.path.join(folder, name)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        with open(os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as file:
            file.write(data)
    except OSError:
        return ""
    return path
