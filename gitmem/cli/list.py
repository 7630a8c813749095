"""``gitmem list``: the memories, page by page."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted
from gitmem.errors import GitmemError
from gitmem.memory.clean import one_line
from gitmem.memory.document import read_memory
from gitmem.memory.finding import Finding
from gitmem.store.settings import load_settings
from gitmem.store.worktree import list_memories, read_file
from gitmem.write.find import Head, heads

QUIET = ("line-endings", "bom")  # how a file is written; it costs no field and no memory


@click.command("list")
@click.option("--type", "kind", default="", help="Only this type.")
@click.option("--tag", "tags", multiple=True, help="Only with this tag; of several, all must be there.")
@click.option("--page", default=1, show_default=True, type=click.IntRange(1), help="Which page.")
@click.option("--limit", default=50, show_default=True, type=click.IntRange(1, 1000), help="Memories on a page.")
@shared
def command(door: Door, kind: str, tags: tuple[str, ...], page: int, limit: int) -> None:
    """List the memories by path; files that are broken or left out are named with the reason."""
    root = door.store()
    fits = [head for head in heads(root) if matches(head, kind, tags)]
    pages = max(1, -(-len(fits) // limit))
    shown = fits[(page - 1) * limit : page * limit]
    skipped = list_memories(root, load_settings(root).left_out()).skipped
    findings = [finding for head in shown for finding in findings_of(root, head.path)]
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
            }
            for head in shown
        ],
        "total": len(fits),
        "page": page,
        "pages": pages,
        "skipped": [reason(finding) for finding in skipped],
        "findings": [reason(finding) for finding in findings],
    }
    door.answer(shape, "\n".join(line(door, head) for head in shown))
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


def line(door: Door, head: Head) -> str:
    """One memory on one line."""
    notes = [head.type, *(f"#{tag}" for tag in head.tags), head.trust if head.trust != "verified" else ""]
    said = "  ".join([one_line(head.description or head.name, 100), *filter(None, notes)])
    return f"{door.paint(one_line(head.path, 200), 'bold')}  {said}"
