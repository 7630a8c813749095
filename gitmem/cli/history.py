"""``gitmem history``: every change of a memory."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.cli.past import find_past
from gitmem.errors import NotFound
from gitmem.history.log import revisions
from gitmem.history.repo import open_repo
from gitmem.memory.age import iso


@click.command("history")
@click.argument("name", metavar="NAME")
@click.option("--limit", default=None, type=click.IntRange(1), help="At most this many, newest first.")
@shared
def command(door: Door, name: str, limit: int | None) -> None:
    """List the changes of the memory NAME, newest first: commit, time, who, what, why.

    A memory that was deleted is found by its path or its file's name.
    See one with `gitmem show NAME --at COMMIT`, two compared with `gitmem diff NAME COMMIT COMMIT`.
    """
    root = door.store()
    with open_repo(root) as repo:
        path = find_past(repo, name)
        found = revisions(repo, path, limit)
    if not found:
        raise NotFound(f"{path} has no history yet: it is not committed", hint=f"gitmem diff {path}")
    shape = {
        "path": path,
        "revisions": [
            {
                "commit": one.commit,
                "revision": one.revision,
                "when": iso(one.when),
                "author": one.author,
                "email": one.email,
                "subject": one.subject,
                "reason": one.reason,
                "trailers": one.trailers,
            }
            for one in found
        ],
    }
    lines = []
    for one in found:
        lines.append(f"{door.paint(one.commit[:10], 'yellow')}  {iso(one.when)}  {one.author}  {one.subject}")
        lines.extend(f"            {line}" for line in one.reason.splitlines())
    door.answer(shape, "\n".join(lines))
