"""What ``gitmem sync`` does and says, without the command-line library: agents and cron run it after each write."""

from __future__ import annotations

import sys

from gitmem.cli.door import Door, check_utf8, colourful, counted
from gitmem.cli.tell import ready_streams, tell
from gitmem.memory.age import iso
from gitmem.memory.clean import one_line
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import CONFLICTS
from gitmem.write.notes import owner_notes
from gitmem.write.sync import sync
from gitmem.write.sync_result import BUSY, OFFLINE, Synced

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.write.arrive import Recorded

SHOWN = 5  # conflicts that are named one by one, and paths
MAX_PATH_CHARS = 200  # of a path in a line
CONFLICTS_OPEN = 4  # the exit code as long as there is something for a person to decide


def run(words: list[str]) -> int | None:
    """Run ``gitmem sync WORDS``; the exit code, or None when the command-line library should look at them.

    words: what follows ``sync``: one remote, --rejoin, --json, --store.  On a terminal a bar may have to be shown,
           and that library draws it
    """
    options: dict[str, str] = {}
    names: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word in ("--json", "--rejoin"):
            options[word] = "true"
        elif name == "--store":
            options[name] = value if equals else next(rest, "")
        elif word.startswith("-") or not word or names:
            return None
        else:
            names.append(word)
    if options.get("--store") == "" or colourful(sys.stderr):
        return None
    ready_streams()
    try:
        remote = names[0] if names else ""
        check_utf8({"REMOTE": remote, "--store": options.get("--store", "")})
        return answer_sync(Door(options.get("--store"), "--json" in options), remote, "--rejoin" in options)
    except (Exception, KeyboardInterrupt) as error:
        return tell(error, words)


def answer_sync(door: Door, remote: str, rejoins: bool, progress: Callable[[int, int], None] | None = None) -> int:
    """Sync, say what happened; the exit code."""
    root = door.store()
    asks = sys.stdin is not None and sys.stdin.isatty()
    git, option = find_git_dir(root), door.option_for(root)
    done = sync(
        root, remote, when=door.when, environ=door.environ, asks=asks, rejoins=rejoins, progress=progress, option=option
    )
    if done.unheard:
        from gitmem.write.sync_notes import unheard_notes  # hardly ever needed

        done.notes += unheard_notes(done.unheard, option)
    for note in [*done.notes, *(owner_notes(root, git, door.environ) if git is not None else [])]:
        door.say(note)
    named = named_conflicts(root, done.conflicts[:SHOWN], option) if done.conflicts else []
    door.answer(shape_of(done), told(done, named, option), saved=f"{done.remote} is synced")
    return CONFLICTS_OPEN if done.undecided else 0


def shape_of(done: Synced) -> dict[str, object]:
    return {
        "remote": done.remote,
        "url": done.url,
        "branch": done.branch,
        "state": done.state,
        "reason": done.reason,
        "commit": done.commit,
        "received": done.received,
        "sent": done.sent,
        "waiting": done.waiting,
        "conflicts": [{"id": each.id, "path": each.path, "what": list(each.words)} for each in done.conflicts],
        "settled": done.settled,
        "open_conflicts": done.undecided,
        "hand_edits": done.edits,
        "held_back": done.held,
        "reached": iso(done.reached) if done.reached else "",
        "failing_since": iso(done.since) if done.since else "",
        "notes": done.notes,
    }


def told(done: Synced, named: list[str], option: str = "") -> str:
    """What happened, in a line for each thing a person has to know.

    named:  the lines of the conflicts that are named one by one
    option: of every command in it, with a blank before, for a store that is not where gitmem looks
    """
    if done.state == BUSY:
        lines = [f"{done.reason}; it goes round once more and takes your changes along"]
    elif done.state == OFFLINE:
        waits = f"{counted(done.waiting, 'commit')} wait" if done.waiting != 1 else "1 commit waits"
        lines = [f"{done.reason}", f"saved here; {waits}. Not reached since {iso(done.reached)}"]
    elif done.received or done.sent:
        moved = [f"{counted(done.received, 'commit')} received" if done.received else ""]
        moved.append(f"{counted(done.sent, 'commit')} sent" if done.sent else "")
        lines = [f"synced with {done.remote} ({done.url}): {', '.join(each for each in moved if each)}"]
    else:
        lines = [f"up to date with {done.remote} ({done.url})"]
    if done.settled:
        were = "conflict was" if len(done.settled) == 1 else "conflicts were"
        lines.append(f"{len(done.settled)} {were} settled there: {first_of(done.settled)}")
    lines += named
    if done.conflicts[SHOWN:]:
        lines.append(f"and {len(done.conflicts) - SHOWN} more")
    if done.undecided:
        are = "conflicts are" if done.undecided != 1 else "conflict is"
        lines.append(f"{done.undecided} {are} open, both texts kept; see them: gitmem conflict list{option}")
    return "\n".join(lines)


def first_of(paths: list[str]) -> str:
    """As many as are named, and how many more there are."""
    more = f" and {len(paths) - SHOWN} more" if paths[SHOWN:] else ""
    return ", ".join(one_line(path, MAX_PATH_CHARS) for path in paths[:SHOWN]) + more


def named_conflicts(root: str, found: list[Recorded], option: str) -> list[str]:
    """Two lines for each conflict: what differs and whose either text is, and what to type."""
    from gitmem.history.conflict import read_conflict  # what only a conflict needs, most syncs are spared
    from gitmem.history.conflict_sides import SideFinder
    from gitmem.history.refs import read_ref
    from gitmem.history.repo import open_repo
    from gitmem.write.conflict_told import difference_told, hint_of, sides_told

    lines = []
    with open_repo(root) as repo:
        finder = SideFinder(repo)
        for each in found:
            commit = read_ref(repo.git, CONFLICTS + each.id)
            if not commit:  # settled in this moment, by another command
                continue
            conflict = read_conflict(repo, each.id, commit)
            what = "; ".join(part for part in (difference_told(each.words), sides_told(finder.sides(conflict))) if part)
            lines.append(f"conflict {each.id}: {one_line(each.path, MAX_PATH_CHARS)}: {what}")
            lines.append(f"  look: gitmem conflict show {each.id}{option}   settle: {hint_of(conflict, option)}")
    return lines
