"""``gitmem blame``: who wrote each line of a memory."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, printable
from gitmem.cli.past import filling, find_past
from gitmem.errors import NotFound
from gitmem.history.blame import Blamed, blame
from gitmem.history.repo import open_repo
from gitmem.history.revision import resolve
from gitmem.history.trail_states import path_at
from gitmem.memory.age import iso
from gitmem.store.paths import typed

MAX_AUTHOR_CHARS = 20  # of an author beside a line


@click.command("blame")
@click.argument("name", metavar="NAME")
@click.option("--at", "revision", metavar="REV", help="As it was: a commit, HEAD~3, a branch or a date.")
@shared
def command(door: Door, name: str, revision: str | None) -> None:
    """Print the memory NAME, each line with the commit that wrote it, when and who.

    Lines are followed to the names the memory had before. An edit that is not committed yet is not looked at.
    """
    with open_repo(door.store()) as repo:
        path = find_past(repo, name)
        commit = resolve(repo, "HEAD" if revision is None else revision)
        there = path_at(repo, path, commit)
        if there is None:
            hint = f"gitmem history {typed(path)}"
            if revision is not None:
                raise NotFound(f"{path} was not there at {revision}", hint=hint)
            raise NotFound(f"{path} is not in the last commit", hint=hint)
        lines = blame(repo, there, commit, filling(door))
    if not lines:
        door.say(f"{there} is empty")
    shape = {
        "path": there,
        "commit": commit,
        "lines": [
            {
                "line": one.number, "commit": one.commit, "when": iso(one.when), "author": one.author,
                "path": one.path, "subject": one.subject, "text": one.text,
            }
            for one in lines
        ],
    }  # fmt: skip
    door.answer(shape, "\n".join(blamed_line(door, one, len(str(len(lines)))) for one in lines))


def blamed_line(door: Door, one: Blamed, width: int) -> str:
    """One line as people read it: commit, day, who, number, text."""
    who = one.author if len(one.author) <= MAX_AUTHOR_CHARS else one.author[: MAX_AUTHOR_CHARS - 1] + "…"
    said = printable(f"{iso(one.when)}  {who:{MAX_AUTHOR_CHARS}}  {one.number:{width}}  {one.text}")
    return f"{door.paint(one.commit[:10], 'yellow')}  {said}"
