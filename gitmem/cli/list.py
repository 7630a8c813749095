"""``gitmem list``: the memories, page by page."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted
from gitmem.errors import GitmemError
from gitmem.history.settings import settings_of
from gitmem.memory.clean import one_line
from gitmem.memory.document import read_memory
from gitmem.memory.finding import Finding
from gitmem.store.worktree import list_memories, read_file, unreadable
from gitmem.write.archive_find import Archived, list_archived
from gitmem.write.find import Head, heads
from gitmem.write.locks import Locks
from gitmem.write.obstacle import obstacle

QUIET = ("line-endings", "bom")  # how a file is written; it costs no field and no memory


@click.command("list")
@click.option("--type", "kind", default="", help="Only this type.")
@click.option("--tag", "tags", multiple=True, help="Only with this tag; of several, all must be there.")
@click.option("--archived", is_flag=True, help="Those in the archive, each with the reason.")
@click.option("--page", default=1, show_default=True, type=click.IntRange(1), help="Which page.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1000), help="Memories on a page.")
@shared
def command(door: Door, kind: str, tags: tuple[str, ...], archived: bool, page: int, limit: int) -> None:
    """List the memories by path; files that are broken or left out are named with the reason."""
    root = door.store()
    settings = settings_of(root)
    if archived:
        kept, skipped = list_archived(root)
        every = [each.head for each in kept]
    else:
        listing = list_memories(root, settings.left_out())
        kept, skipped = [], [*listing.skipped, *unreadable(root, listing.entries)]
        every = heads(root)
    away, locks = {each.path: each for each in kept}, Locks(root, settings)
    fits = [head for head in every if matches(head, kind, tags)]
    pages = max(1, -(-len(fits) // limit))
    shown = fits[(page - 1) * limit : page * limit]
    findings = [finding for head in shown if not archived for finding in findings_of(root, head.path)]
    findings += settings.findings
    for finding in [*findings, *skipped]:
        door.say(finding.sentence())
    shape = {
        "memories": [
            {
                "path": head.path,
                "name": head.name,
                "revision": head.revision,
                "description": head.description,
                "type": head.type,
                "tags": list(head.tags),
                "trust": head.trust,
                "updated": head.updated,
                **(marks_of(away[head.path]) if archived else {"locked": bool(locks.of(head.path))}),
            }
            for head in shown
        ],
        "total": len(fits),
        "page": page,
        "pages": pages,
        "skipped": [reason(finding) for finding in skipped],
        "findings": [reason(finding) for finding in findings],
    }
    said = [since(away[head.path]) if archived else "locked" * bool(locks.of(head.path)) for head in shown]
    door.answer(shape, "\n".join(line(door, head, state) for head, state in zip(shown, said, strict=True)))
    if blocked := obstacle(root, door.environ):
        door.say(blocked)
    if kind and not fits:
        kinds = sorted({head.type for head in every if head.type})
        door.say(f'no memory has the type "{one_line(kind, 40)}"; there are: {", ".join(kinds) or "none"}')
    if page > pages:
        door.say(f"there is no page {page}: {counted(len(fits))}, {counted(pages, 'page')}")
    elif page * limit < len(fits):
        door.say(f"{len(shown)} of {counted(len(fits))}; more: --page {page + 1}")
    else:
        door.say(counted(len(fits)))


def matches(head: Head, kind: str, tags: tuple[str, ...]) -> bool:
    """Whether the type and every tag are there, whatever their case."""
    has = [tag.casefold() for tag in head.tags]
    return (not kind or head.type.casefold() == kind.casefold()) and all(tag.casefold() in has for tag in tags)


def findings_of(root: str, path: str) -> list[Finding]:
    """What costs the memory at ``path`` a field, or its life."""
    try:
        found = read_memory(path, read_file(root, path)).findings
    except GitmemError as error:
        return [Finding("unreadable", path, 0, error.message)]
    return [finding for finding in found if finding.rule not in QUIET]


def reason(finding: Finding) -> dict[str, object]:
    return {"path": finding.path, "line": finding.line, "reason": finding.message}


def marks_of(archived: Archived) -> dict[str, object]:
    return {"archived_at": archived.marks.at, "archive_reason": archived.marks.reason, "size": archived.size}


def since(archived: Archived) -> str:
    """``archived 2026-11-30 10:04: no longer true``, as far as the memory says it."""
    marks = archived.marks
    return one_line(f"archived {marks.at}".rstrip() + (f": {marks.reason}" if marks.reason else ""), 120)


def line(door: Door, head: Head, state: str) -> str:
    """One memory on one line."""
    notes = [head.type, *(f"#{tag}" for tag in head.tags), head.trust if head.trust != "verified" else "", state]
    said = "  ".join([one_line(head.description or head.name, 100), *filter(None, notes)])
    return f"{door.paint(one_line(head.path, 200), 'bold')}  {said}"
