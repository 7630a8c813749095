"""``gitmem refresh``: bring the search index up to date."""

from __future__ import annotations

import click

from gitmem.cli.common import progress_bar, shared
from gitmem.cli.door import Door
from gitmem.write.index import refresh


@click.command("refresh")
@shared
def command(door: Door) -> None:
    """Read what changed since the search index was built, and index it.

    The index is derived: nothing is lost when it is deleted, it is built anew.
    """
    root = door.store()
    with progress_bar("indexing") as progress:
        report = refresh(root, progress)
    for finding in report.skipped:
        door.say(finding.sentence())
    shape = {
        "memories": report.memories,
        "changed": report.changed,
        "gone": report.gone,
        "skipped": [{"path": one.path, "line": one.line, "reason": one.message} for one in report.skipped],
    }
    door.answer(shape, f"{report.memories} memories indexed, {report.changed} read anew, {report.gone} gone")
