"""``gitmem undo``: take back an operation, or all that a session or an agent did."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted
from gitmem.cli.moment import moment
from gitmem.errors import Usage
from gitmem.memory.clean import one_line
from gitmem.write.change import Actor
from gitmem.write.undo import Undone, undo

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_SHOWN, MAX_PATH_CHARS = 20, 200  # paths in the answer, and characters of each


@click.command("undo")
@click.argument("operation", metavar="[OPERATION]", required=False)
@click.option("--session", metavar="ID", help="All that this session did.")
@click.option("--agent", metavar="NAME", help="All that this agent did.")
@click.option(
    "--since", metavar="TIME", help="All that gitmem did since then: 2026-11-30, 2026-11-30T10:00Z, 90m, 2h or 3d."
)
@click.option("--reason", default="", help="Why; stands in the commit.")
@shared
def command(
    door: Door, operation: str | None, session: str | None, agent: str | None, since: str | None, reason: str
) -> None:
    """Take back OPERATION, a commit of `gitmem history --operations`; when none is named, your last one here.

    A new commit does it, so an undo can be taken back too: gitmem redo. What was changed since is merged; where that
    is not possible nothing is written, and what stands in the way is said. An edit by hand, and what others did, are
    taken back when they are named. A purge never is.
    """
    given = {"OPERATION": operation, "--session": session, "--agent": agent, "--since": since}
    check_said(given, "gitmem undo --help")
    if operation and (session or agent or since):
        raise Usage("name one operation, or say --session, --agent or --since, not both", hint="gitmem undo --help")
    done = undo(
        door.store(),
        operation or "",
        session=session or "",
        agent=agent or "",
        since=moment(since, door.when) if since else None,
        when=door.when,
        actor=Actor("person"),
        environ=door.environ,
        reason=reason,
    )
    tell_undone(door, done, "took back")


def check_said(given: Mapping[str, str | None], hint: str) -> None:
    """raises: Usage for an empty word, as a shell variable leaves that nobody set: it would mean the last operation"""
    for what, word in given.items():
        if word is not None and not word.strip():
            raise Usage(f"{what} is empty; nothing was changed", hint=hint)


def tell_undone(door: Door, done: Undone, verb: str) -> None:
    """Answer with what was taken back, or made again."""
    for sentence in done.notes:
        door.say(sentence)
    names = [f"{verb} {name[:10]}  {subject}" for name, subject in zip(done.operations, done.subjects, strict=True)]
    shown = [one_line(path, MAX_PATH_CHARS) for path in done.paths[:MAX_SHOWN]]
    more = f" and {len(done.paths) - MAX_SHOWN} more" if done.paths[MAX_SHOWN:] else ""
    changed = f"{counted(len(done.paths), 'file')} changed: {', '.join(shown)}{more}" if shown else "no file changed"
    shape = {"operations": list(done.operations), "commit": done.commit, "paths": list(done.paths)}
    door.answer(shape, "\n".join([*names, changed]), saved=f"{counted(len(names), 'operation')}: {verb}")
