"""What a sync tells of what it brought: other names, what waits for trust, what was left behind."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.history.repo import Repo
from gitmem.history.tree import tree_blob
from gitmem.memory.clean import one_line
from gitmem.memory.name import is_reserved, windows_name
from gitmem.store.paths import git_in, typed
from gitmem.write.arrive import Arrival
from gitmem.write.trust import MAX_SHOWN_CHARS


def renamed_note(repo: Repo, arrival: Arrival, remote: str, old: str, new: str) -> str:
    """Why a file has another name now, and whose it was."""
    blob = tree_blob(repo, arrival.head, old)
    if windows_name(old) != old:
        return f"{old} is called {new} now: Windows keeps no file of that name"
    if blob is None:
        return f"{old} is called {new} now: on many systems its name was another file's"
    is_own = arrival.before and tree_blob(repo, arrival.before, old) != blob
    whose, other = ("yours", f"{remote}'s") if is_own else (f"{remote}'s", "yours")
    return f"both sides have a file {old} of their own: {whose} is called {new} now, {other} keeps the name"


def odd_name_note(root: str, path: str) -> str:
    """That a file the person made has a name that other systems cannot hold, and how it gets another one."""
    move = git_in(root, f"mv -- {typed(path)} {typed(windows_name(path))}")
    return f"{path} has a name that Windows cannot hold: there it comes under another one. To rename it here: {move}"


def unheard_notes(unheard: Mapping[str, str], option: str) -> list[str]:
    """For each author that is new here: how much of what came is not recalled yet, and what to type.

    unheard: path -> author; option: ``--store`` with a blank before, for a store that is not where gitmem looks
    """
    by: dict[str, list[str]] = {}
    for path, email in sorted(unheard.items()):
        by.setdefault(email, []).append(path)
    notes = []
    for email, paths in sorted(by.items()):
        count = sum(1 for path in paths if not is_reserved(path))
        what = [f"{count} {'memory' if count == 1 else 'memories'}"] if count else []
        what += [path for path in paths if is_reserved(path)]
        who = one_line(email, MAX_SHOWN_CHARS) or "nobody"
        verb = "waits" if len(paths) == 1 else "wait"
        notes.append(
            f"{who} is new here: {' and '.join(what)} {verb}, not recalled; look: gitmem status{option}   "
            f"then: gitmem trust --author {typed(who)}{option}"
        )
    return notes


def left_note(left: list[str]) -> str:
    """That refs were not taken over; "" when all were."""
    if not left:
        return ""
    return f"{len(left)} rollback points of other machines were left there: there are too many refs already"
