"""``gitmem sync``: fetch, merge and send, so that every machine has the same."""

from __future__ import annotations

import sys

import click

from gitmem.cli.common import progress_bar, shared
from gitmem.cli.door import Door, counted
from gitmem.memory.age import iso
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import typed
from gitmem.write.notes import owner_notes
from gitmem.write.sync import sync
from gitmem.write.sync_result import BUSY, OFFLINE, Synced

WAYS = ("--ours", "--theirs", "--both")
CONFLICTS_OPEN = 4  # the exit code as long as there is something for a person to decide


@click.command("sync")
@click.argument("remote", metavar="[REMOTE]", default="")
@click.option("--rejoin", is_flag=True, help="Merge although the history there, or here, was rewritten.")
@shared
def command(door: Door, remote: str, rejoin: bool) -> None:
    """Make this store and REMOTE the same: fetch, merge by meaning, send.

    Your uncommitted edits of memories are committed first, as yours. Safe to repeat, from cron and from two shells at
    once. Without a network what is here is put in order and the rest waits. Ends with 4 as long as a conflict is open,
    one of earlier too: both texts are kept, and `gitmem conflict list` shows them.
    """
    root = door.store()
    asks = sys.stdin is not None and sys.stdin.isatty()
    with progress_bar("indexing") as progress:
        done = sync(root, remote, when=door.when, environ=door.environ, asks=asks, rejoins=rejoin, progress=progress)
    git = find_git_dir(root)
    for note in [*done.notes, *(owner_notes(root, git, door.environ) if git is not None else [])]:
        door.say(note)
    option = "" if door.is_default(root) else f" --store {typed(root)}"
    door.answer(shape_of(done), told(done, option), saved=f"{done.remote} is synced")
    if done.undecided:
        raise click.exceptions.Exit(CONFLICTS_OPEN)


def shape_of(done: Synced) -> dict[str, object]:
    return {
        "remote": done.remote,
        "url": done.url,
        "branch": done.branch,
        "state": done.state,
        "commit": done.commit,
        "received": done.received,
        "sent": done.sent,
        "waiting": done.waiting,
        "conflicts": [{"id": each.id, "path": each.path, "what": list(each.words)} for each in done.conflicts],
        "open_conflicts": done.undecided,
        "hand_edits": done.edits,
        "held_back": done.held,
        "reached": iso(done.reached) if done.reached else "",
        "failing_since": iso(done.since) if done.since else "",
        "notes": done.notes,
    }


def told(done: Synced, option: str = "") -> str:
    """What happened, in a line for each thing a person has to know.

    option: of every command in it, with a blank before, for a store that is not where gitmem looks
    """
    if done.state == BUSY:
        lines = ["another sync of this store is under way; it takes your changes along"]
    elif done.state == OFFLINE:
        waits = f"{counted(done.waiting, 'commit')} wait" if done.waiting != 1 else "1 commit waits"
        lines = [f"{done.reason}", f"saved here; {waits}. Not reached since {iso(done.reached)}"]
    elif done.received or done.sent:
        moved = [f"{counted(done.received, 'commit')} received" if done.received else ""]
        moved.append(f"{counted(done.sent, 'commit')} sent" if done.sent else "")
        lines = [f"synced with {done.remote} ({done.url}): {', '.join(each for each in moved if each)}"]
    else:
        lines = [f"up to date with {done.remote} ({done.url})"]
    for each in done.conflicts:
        lines.append(f"conflict {each.id}: {each.path}{': ' if each.words else ''}{'; '.join(each.words)}")
        ways = "   or ".join(f"gitmem conflict resolve {each.id} {way}{option}" for way in WAYS)
        lines.append(f"  both texts are kept; look: gitmem conflict show {each.id}{option}   then: {ways}")
    if done.undecided:
        are = "conflicts are" if done.undecided != 1 else "conflict is"
        lines.append(f"{done.undecided} {are} open, both texts kept; see them: gitmem conflict list{option}")
    return "\n".join(lines)
