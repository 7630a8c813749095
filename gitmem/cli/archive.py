"""``gitmem archive``: move a memory out of recall, or all that nobody used for long."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted
from gitmem.cli.quick import tell_kept
from gitmem.errors import Usage
from gitmem.memory.clean import one_line
from gitmem.store.paths import typed
from gitmem.write.archive import archive
from gitmem.write.archive_find import origin
from gitmem.write.archive_idle import Idle, archive_idle, broken_rules, idle_memories
from gitmem.write.change import Actor


@click.command("archive")
@click.argument("name", metavar="NAME", required=False)
@click.option("--reason", default="", help="Why it leaves recall; stands in the memory and in the commit.")
@click.option("--idle", is_flag=True, help="List what nobody used for as long as the settings allow.")
@click.option("--apply", "do", is_flag=True, help="With --idle: archive them, in one commit.")
@shared
def command(door: Door, name: str | None, reason: str, idle: bool, do: bool) -> None:
    """Move the memory NAME out of recall; the file, its history and its line in MEMORY.md can all come back.

    NAME is a path, a file's stem, a name or an alias. Undo with `gitmem restore NAME`. With --idle instead of NAME,
    list the memories that may go; `archive: idle_days:` in .gitmem/config.yaml says after how many days, by type.
    """
    if idle == (name is not None) or (do and not idle) or (idle and reason):
        raise Usage("archive takes a NAME, or --idle (with --apply to act on it)", hint="gitmem archive --help")
    if idle:
        clear(door, do=do)
        return
    assert name is not None
    kept = archive(
        door.store(), name, reason=reason, when=door.when, actor=Actor("person"), environ=door.environ
    )  # fmt: skip
    tell_kept(door, kept, f"archived {kept.path}")
    door.say(f"undo: gitmem restore {typed(origin(kept.path))}")


def clear(door: Door, *, do: bool) -> None:
    """List the idle memories, and archive them when told."""
    root = door.store()
    for sentence in broken_rules(root):
        door.say(sentence)
    if do:
        cleared = archive_idle(root, when=door.when, actor=Actor("person"), environ=door.environ)
        found, commit = cleared.archived, cleared.commit
        for sentence in cleared.notes:
            door.say(sentence)
    else:
        found, commit = idle_memories(root, door.when), ""
    shape = {"candidates": [row(each) for each in found], "applied": do, "commit": commit}
    saved = f"{counted(len(found))} archived" if commit else ""
    door.answer(shape, "\n".join(f"{one_line(each.path, 200)}  {each.reason}" for each in found), saved=saved)
    if commit:
        door.say(f"archived {counted(len(found))} in one commit; undo one with: gitmem restore NAME")
    elif found:
        door.say(f"{counted(len(found))} may be archived; do it with: gitmem archive --idle --apply")
    else:
        door.say("no memory is idle for as long as its type allows")


def row(idle: Idle) -> dict[str, object]:
    return {
        "path": idle.path,
        "name": idle.name,
        "type": idle.type,
        "idle_days": idle.days,
        "limit_days": idle.limit,
        "reason": idle.reason,
    }
