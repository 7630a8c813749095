"""``gitmem status``: where the store is and whether all is well."""

from __future__ import annotations

from pathlib import Path

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted
from gitmem.history.repo import UNDER_WAY
from gitmem.history.settings import settings_of
from gitmem.history.unmerged import under_way, unmerged_paths
from gitmem.index.fresh import changes
from gitmem.index.read import open_index
from gitmem.limits import MAX_FILES
from gitmem.memory.age import iso
from gitmem.store.gitdir import GitDir, find_git_dir, head
from gitmem.store.paths import typed
from gitmem.store.worktree import Listing, list_memories, unreadable
from gitmem.write.notes import owner_notes, purge_notes
from gitmem.write.obstacle import obstacle
from gitmem.write.sync_check import unfinished, unmerged_hint, unmerged_words
from gitmem.write.sync_status import Machine, Place, Standing, held_back, standing
from gitmem.write.trust import withheld_notes

INDEX_SAID = {
    "ready": "the search index is up to date",
    "behind": "the search index is behind the files; prompts read what changed, `gitmem refresh` catches up",
    "missing": "there is no search index; type: gitmem refresh",
}


@click.command("status")
@shared
def command(door: Door) -> None:
    """Say where the store is, what is in it, and what is in the way."""
    root = door.store()
    git = find_git_dir(root)
    assert git is not None  # door.store() looked
    settings = settings_of(root)
    listing = list_memories(root, settings.left_out())
    unread = unreadable(root, listing.entries)
    skipped, memories = [*listing.skipped, *unread], len(listing.entries) - len(unread)
    ref, commit = head(git)
    operation, stop = in_the_middle(root, git)
    blocked = stop or obstacle(root, door.environ)
    index = index_state(root, git, listing)
    found = standing(root, door.when)
    shape = {
        "store": root,
        "branch": ref.removeprefix("refs/heads/"),
        "head": commit,
        "memories": memories,
        "index": index,
        "skipped": [{"path": one.path, "line": one.line, "reason": one.message} for one in skipped],
        "operation": operation,
        "blocked": blocked,
        "unmerged": unmerged_paths(git.path),
    } | shape_of(found)
    where = f"branch {ref.removeprefix('refs/heads/')}" if ref else f"on no branch, at {commit[:10]}"
    lines = [f"store {door.shown(root)}, {where}{'' if commit else ', nothing committed yet'}"]
    lines += [counted(memories), INDEX_SAID[index]]
    lines += [blocked] if blocked else []
    option = door.option_for(root)
    lines += told(found, option)
    held = held_back(root, door.environ) if found.places and not stop else ([], [])
    shape["held_back"] = held[0]
    lines += held[1]
    lines += [*purge_notes(git), *withheld_notes(root, option), *owner_notes(root, git, door.environ)]
    lines += [f"left out: {one.sentence()}" for one in skipped]
    lines += [one.sentence() for one in settings.findings]
    door.answer(shape, "\n".join(lines))


def shape_of(found: Standing) -> dict[str, object]:
    """Remotes, machines and conflicts, as JSON has them."""
    return {
        "conflicts": found.conflicts,
        "remotes": [
            {
                "name": each.name,
                "url": each.url,
                "ahead": each.ahead,
                "behind": each.behind,
                "reached": iso(each.reached) if each.reached else "",
                "failing_since": iso(each.trouble.since) if each.trouble else "",
                "trouble": each.trouble.said if each.trouble else "",
            }
            for each in found.places
        ],
        "machines": [
            {
                "id": each.beat.id,
                "name": each.beat.name,
                "this": each.is_this,
                "version": each.beat.version,
                "last_sync": iso(each.last),
                "days": each.days,
                "ahead": each.ahead,
                "behind": each.behind,
                "conflicts": each.beat.conflicts,
                "trouble": each.beat.trouble,
            }
            for each in found.machines
        ],
    }


def told(found: Standing, option: str) -> list[str]:
    """The same as lines; none for a store that is alone and has no conflicts."""
    lines = [of_place(each, option) for each in found.places]
    if found.conflicts:
        settle = f"gitmem conflict list{option}"
        lines.append(f"{counted(found.conflicts, 'conflict')} open, both texts kept; settle them: {settle}")
    return lines + [of_machine(each) for each in found.machines]


def of_place(place: Place, option: str) -> str:
    """One remote: when it was reached, what waits on either side, what fails."""
    trouble = place.trouble if not place.stray else None
    is_named = trouble is not None and place.url in trouble.said
    line = f"remote {place.name}{'' if is_named else f' ({place.url})'}: "
    line += f"last synced {iso(place.reached)}" if place.reached else "never synced"
    line += f", {place.ahead} ahead, {place.behind} behind" if place.ahead >= 0 else ""
    if place.stray:
        return f"{line}; {place.stray}; type: {place.stray_hint}"
    again = "" if place.reached else f"; type: gitmem sync {typed(place.name)}{option}"
    if trouble is None:
        return line + again
    return f"{line}; failing since {iso(trouble.since)}: {trouble.said}{again}"


def of_machine(machine: Machine) -> str:
    """One machine: its last sync, and how far it is from here."""
    beat = machine.beat
    ago = "today" if not machine.days else counted(machine.days, "day") + " ago"
    line = (
        f"machine {beat.name}{' (this one)' if machine.is_this else f' ({beat.id})'}: last sync {iso(machine.last)}, "
    )
    line += f"{ago}, {machine.ahead} ahead, {machine.behind} behind"
    line += f", {counted(beat.conflicts, 'conflict')} open" if beat.conflicts else ""
    return f"{line}; trouble: {beat.trouble}" if beat.trouble else line


def in_the_middle(root: str, git: GitDir) -> tuple[str, str]:
    """The operation of git that is in the middle, such as "a rebase", and a sentence of it with how to end it.

    "" for none; the sentence also tells of files that are still unmerged although the operation is over.
    """
    paths = unmerged_paths(git.path)
    for mark, name, end in UNDER_WAY:
        if (Path(git.path) / mark).exists():
            hint = under_way(git.path, root, name, end, "").hint
            also = f", and {unmerged_words(paths)}" if paths else ""
            return name, f"{name} is under way{also}, so nothing is written; {'' if paths else 'end it with: '}{hint}"
    if paths:
        return "", f"{unfinished(paths)}, so nothing is synced; {unmerged_hint(root, paths)}"
    return "", ""


def index_state(root: str, git: GitDir, listing: Listing) -> str:
    """A key of INDEX_SAID; every file is looked at, which a prompt in a large store cannot afford."""
    index = open_index(git.path)
    if index is None:
        return "missing"
    try:
        if changes(index, root, git, None).stale:
            return "behind"
        there = {entry.path: (entry.size, entry.mtime_ns) for entry in listing.entries}
        every = index.newest_files(MAX_FILES)
        return "ready" if all(there.get(path) == (size, mtime) for path, size, mtime in every) else "behind"
    finally:
        index.close()
