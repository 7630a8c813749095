"""Which memories have not been used for as long as their type allows, and archiving them in one commit (H9).

Deterministic, and no model is asked: days since the later of the last use on this machine and the memory's own date,
held against the settings' ``archive.idle_days``.  Locked, pinned and baseline memories are never among them.
"""

from __future__ import annotations

from gitmem.errors import RepositoryDamaged
from gitmem.history.commit import FileChange
from gitmem.history.repo import open_repo
from gitmem.history.settings import settings_of
from gitmem.history.trail_names import earlier_paths
from gitmem.ledger.access import last_used
from gitmem.memory.age import unix_seconds
from gitmem.memory.document import blob_id, read_memory
from gitmem.memory.field import is_true, known
from gitmem.store.gitdir import find_git_dir
from gitmem.store.worktree import read_file
from gitmem.write.apply import apply
from gitmem.write.archive import leaving
from gitmem.write.archive_find import check_folder
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.config import settings_seen
from gitmem.write.find import Head, heads, stem
from gitmem.write.index_age import commit_times
from gitmem.write.locks import Locks
from gitmem.write.notes import notes_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.ledger.access import Use

DAY_S = 86_400


class Idle:
    """A memory nobody used for long.

    days:  whole days since it was used or dated; limit: what its type allows
    """

    __slots__ = ("days", "limit", "name", "path", "revision", "type")

    def __init__(self, head: Head, kind: str, days: int, limit: int) -> None:
        self.path, self.name, self.revision = head.path, head.name, head.revision
        self.type, self.days, self.limit = kind, days, limit

    @property
    def reason(self) -> str:
        """``idle 120 days, feedback allows 90``"""
        return f"idle {self.days} day{'' if self.days == 1 else 's'}, {self.type} allows {self.limit}"


class Cleared:
    """What archiving the idle memories came to.

    archived: the memories that moved; commit: of all of them, "" when there were none
    notes:    sentences for the person: which stayed and why
    """

    __slots__ = ("archived", "commit", "notes")

    def __init__(self, archived: list[Idle], commit: str, notes: tuple[str, ...]) -> None:
        self.archived, self.commit, self.notes = archived, commit, notes


def idle_memories(root: str, when: int) -> list[Idle]:
    """The memories that may be archived, longest idle first, then by path.

    when: UTC unix seconds
    """
    settings = settings_of(root)
    locks = Locks(root, settings)
    limited = [
        (head, kind, limit)
        for head in heads(root)
        if (limit := settings.idle_days.get(kind := type_of(head), 0))
        and not locks.bars(head.path)
        and head.path != settings.index_file
    ]
    if not limited:
        return []
    git = find_git_dir(root)
    uses = last_used(git.common) if git is not None else {}
    seen = _last_seen(root, [head for head, _, _ in limited], uses)
    found = _idle(limited, seen, when)
    if uses:  # those that were used under another name
        for path, names in _earlier(root, [idle.path for idle in found]).items():
            seen[path] = max([seen[path], *(uses[name].last for name in names if name in uses)])
        found = _idle(limited, seen, when)
    return sorted([idle for idle in found if not _is_kept(root, idle.path)], key=lambda idle: (-idle.days, idle.path))


def broken_rules(root: str) -> list[str]:
    """What is wrong with the rules of the settings, each as a sentence: a type they fail to name never is idle."""
    settings = settings_of(root)
    return [
        found.sentence()
        for found in settings.findings
        if found is settings.broken or found.message.startswith(("archive", "'archive"))
    ]


def _idle(limited: Sequence[tuple[Head, str, int]], seen: Mapping[str, int], when: int) -> list[Idle]:
    """Those not seen for their type's limit; one of which nothing is known is not among them."""
    days = {path: max(0, (when - last) // DAY_S) for path, last in seen.items()}
    return [
        Idle(head, kind, days[head.path], limit) for head, kind, limit in limited if days.get(head.path, -1) >= limit
    ]


def _earlier(root: str, paths: list[str]) -> dict[str, set[str]]:
    """path -> what the memory there was called before."""
    try:
        with open_repo(root) as repo:
            return earlier_paths(repo, paths)
    except RepositoryDamaged:
        return {}


def archive_idle(root: str, *, when: int, actor: Actor, environ: Mapping[str, str]) -> Cleared:
    """Archive all of ``idle_memories`` in one commit, each with its own reason.

    One that changed meanwhile, or whose place in the archive is taken, stays, and that is said.
    raises: as ``apply``; then nothing was changed
    """
    found = idle_memories(root, when)
    done: list[Idle] = []

    def make(reader: Reader) -> list[FileChange]:
        folder, locks, stays = check_folder(root), Locks(root, settings_seen(reader)), []
        done.clear()
        for idle in found:
            data, target = reader.read(idle.path), f"{folder}/{idle.path}"
            if data is None or blob_id(data) != idle.revision or locks.bars(idle.path):
                stays.append(f"{idle.path} was changed meanwhile, so it stays")
            elif taken := target if reader.read(target) is not None else reader.exists_twin(target):
                stays.append(f"{taken} exists already, so {idle.path} stays")
            else:
                done.append(idle)
        files = leaving(change, reader, [(idle.path, idle.reason) for idle in done], when) if done else []
        change.notes += stays
        return files

    called = stem(found[0].path) if len(found) == 1 else f"{len(found)} idle memories"
    change = Change("archive", called, "\n".join(f"{idle.path}: {idle.reason}" for idle in found), actor, make)
    if len(found) > 1:
        change.point = f"before {called} are archived"
    applied = apply(root, change, when, environ)
    return Cleared(done, applied.commit, (*change.notes, *notes_of(root, applied, environ)))


def type_of(head: Head) -> str:
    """The memory's type, else what its file name begins with (``project_x.md``); lower case."""
    name = stem(head.path)
    return (head.type or (name.partition("_")[0] if "_" in name else "")).strip().lower()


def _last_seen(root: str, found: list[Head], uses: Mapping[str, Use]) -> dict[str, int]:
    """path -> UTC unix seconds of its last use or date; a memory of which nothing is known is not there."""
    dated = {head.path: seconds for head in found if (seconds := unix_seconds(head.updated)) is not None}
    undated = [head.path for head in found if head.path not in dated]
    seen = dated | (commit_times(root, undated) if undated else {})
    for path, use in uses.items():
        if path in seen:
            seen[path] = max(seen[path], use.last)
    return seen


def _is_kept(root: str, path: str) -> bool:
    """Whether the memory says of itself that it stays: in the place of the word, or one level off."""
    memory = read_memory(path, read_file(root, path))
    facts, nested = known(memory), memory.fields.get("metadata")
    return (
        facts.pinned
        or facts.baseline
        or is_true(memory.fields.get("pinned"))
        or (isinstance(nested, dict) and is_true(nested.get("baseline")))
    )
