"""The audit of a store on disk: every file is read once, none through a link, none written."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from gitmem.audit.auditor import Auditor, archive_from
from gitmem.audit.link import Archive, nothing_renamed
from gitmem.audit.lock import lock_findings
from gitmem.audit.name import is_leftover
from gitmem.audit.report import Report
from gitmem.errors import BadName, GitmemError, TooBig
from gitmem.memory.document import decode
from gitmem.memory.finding import Finding
from gitmem.store.nofollow import OpenFolder
from gitmem.store.paths import ARCHIVE, CONFIG_FILE, join
from gitmem.store.settings import load_settings
from gitmem.store.worktree import list_memories, read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.audit.link import Renamed


def audit_store(root: str, renamed: Renamed = nothing_renamed) -> Report:
    """Judge every memory of the store at ``root``; a store that is not there has none.

    renamed: gives what files are called now that links lead to, or locks name, and that are gone
    """
    settings = load_settings(root)
    listing = list_memories(root, settings.left_out())
    auditor = Auditor(settings.index_file)
    auditor.take_unread([*settings.findings, *listing.skipped])
    paths = [entry.path for entry in listing.entries]
    if os.path.lexists(join(root, settings.index_file)):
        paths.append(settings.index_file)
    last = OpenFolder()
    try:
        for path in paths:
            try:
                data = read_file(root, path, last=last)
            except GitmemError as error:
                auditor.take_unread([Finding(_rule_of(error), path, 0, error.message)])
            else:
                auditor.take(path, data)
    finally:
        last.close()
    auditor.take_unread(list(_leftovers(root, list(listing.folders))))

    def exists(path: str) -> bool:
        return os.path.lexists(join(root, path))

    if settings.locks:
        text = decode(read_file(root, CONFIG_FILE), CONFIG_FILE)[0]
        auditor.take_unread(list(lock_findings(settings.locks, text, paths, exists, renamed)))
    return auditor.report(lambda: _archive(root), exists, renamed)


def _rule_of(error: GitmemError) -> str:
    """The rule that speaks of a file that was refused: the list may be a link or too long, as a memory may."""
    return "too-big" if isinstance(error, TooBig) else "link" if isinstance(error, BadName) else "unreadable"


def _archive(root: str) -> Archive:
    """What the archived memories are called; one that cannot be read still has its file name."""
    folder = join(root, ARCHIVE)
    return archive_from(() if Path(folder).is_symlink() else _archived(folder))


def _archived(folder: str) -> Iterator[tuple[str, bytes | None]]:
    listing = list_memories(folder)
    for path in (entry.path for entry in listing.entries):
        try:
            yield path, read_file(folder, path)
        except GitmemError:
            yield path, None
    yield from ((each.path, None) for each in listing.skipped if each.rule == "too-big")


def _leftovers(root: str, folders: list[str]) -> Iterator[Finding]:
    """Temporary files beside memories and at the top of the archive."""
    for folder in folders if Path(root, ARCHIVE).is_symlink() else [*folders, ARCHIVE]:
        try:
            names = sorted(entry.name for entry in os.scandir(join(root, folder) if folder else root))
        except OSError:  # no archive, or a folder gone since; what cannot be read is told already
            continue
        for name in names:
            if is_leftover(name):
                path = f"{folder}/{name}" if folder else name
                yield Finding("leftover", path, 0, "a temporary file of a write that was not finished")
