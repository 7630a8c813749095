"""``gitmem history``: every change of a memory, or every operation of the store."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted, printable
from gitmem.cli.moment import moment
from gitmem.cli.past import filling, tell_history
from gitmem.errors import Usage
from gitmem.history.repo import open_repo
from gitmem.history.trail_operations import Operation, operations
from gitmem.memory.age import iso


@click.command("history")
@click.argument("name", metavar="[NAME]", required=False)
@click.option("--limit", default=None, type=click.IntRange(1), help="At most this many, newest first.")
@click.option("--operations", "of_store", is_flag=True, help="The operations of the store instead.")
@click.option("--session", default="", metavar="ID", help="Operations of this session.")
@click.option("--agent", default="", metavar="NAME", help="Operations of this agent.")
@click.option(
    "--since", default="", metavar="TIME", help="Operations since then: 2026-11-30, 2026-11-30T10:00Z, 90m, 2h or 3d."
)
@shared
def command(
    door: Door, name: str | None, limit: int | None, of_store: bool, session: str, agent: str, since: str
) -> None:
    """List the changes of the memory NAME, newest first: commit, time, who, what, why.

    A memory is followed to the names it had before. One that was deleted or moved is found by its path or its
    file's name. See one state with `gitmem show NAME --at COMMIT`, two compared with `gitmem diff NAME COMMIT COMMIT`.

    With --operations: what was done to the store, newest first. Take one back with `gitmem undo COMMIT`.
    """
    if name is not None:
        if of_store or session or agent or since:
            raise Usage(
                "name a memory, or say --operations, --session, --agent or --since, not both",
                hint="gitmem history --help",
            )
        tell_history(door, name, limit)
    elif of_store or session or agent or since:
        first = moment(since, door.when) if since else None
        tell_operations(door, limit, session, agent, first)
    else:
        raise Usage("gitmem history needs NAME, or --operations", hint="gitmem history --operations")


def tell_operations(door: Door, limit: int | None, session: str, agent: str, first: int | None) -> None:
    """Answer with the operations that fit, newest first.

    first: UTC unix seconds, of the earliest that is wanted
    """

    def fits(one: Operation) -> bool:
        return (
            (not session or one.session == session)
            and (not agent or one.agent == agent)
            and (first is None or one.when >= first)
        )

    with open_repo(door.store()) as repo:
        found = list(operations(repo, limit, fits=fits, progress=filling(door)))
    if not found:
        door.say("no operation fits" if session or agent or first is not None else "nothing was done to the store yet")
    door.answer(
        {"operations": [operation_shape(one) for one in found]},
        "\n".join(operation_line(door, one) for one in found),
    )


def operation_shape(one: Operation) -> dict[str, object]:
    return {
        "commit": one.commit,
        "when": iso(one.when),
        "author": one.author,
        "actor": one.actor,
        "agent": one.agent,
        "session": one.session,
        "run": one.run,
        "operation": one.op or "git",
        "memory": one.memory,
        "files": len(one.paths),
        "subject": one.subject,
        "reason": one.reason,
        "undoes": list(one.undoes),
        "taken_back_by": one.taken_by,
    }


def operation_line(door: Door, one: Operation) -> str:
    """One operation for a person; a commit made with git is called so."""
    who = " ".join(part for part in (one.agent or one.author, f"({one.session})" if one.session else "") if part)
    what = one.subject if one.op else f"git: {one.subject}"
    back = f"  taken back by {one.taken_by[:10]}" if one.taken_by else ""
    files = counted(len(one.paths), "file")
    return f"{door.paint(one.commit[:10], 'yellow')}  {printable(f'{iso(one.when)}  {who}  {what}  {files}{back}')}"
