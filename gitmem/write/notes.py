"""What a write tells the person besides what it did: one sentence each."""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import purging, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.store.gitdir import GitDir
    from gitmem.write.apply import Applied


def notes_of(root: str, applied: Applied, environ: Mapping[str, str]) -> list[str]:
    """What else the write ``applied`` did in the store at ``root``, and what is odd about the store."""
    notes = [f"your own edit of {path} was committed first" for path in applied.hand_edits]
    notes += [
        f"{each.sentence()}; it stands in your own edit, which is not committed, so {each.path} was left alone"
        for each in applied.held
    ]
    notes += [
        f"{each.sentence()}, so it was taken out" + (f"; the text as it came is kept in {kept}" if kept else "")
        for each, kept in applied.masked
    ]
    if applied.healed:
        notes.append(f"{applied.healed} earlier writes had fallen out of the newest commit and were put back")
    try:
        git = find_git_dir(root)
    except GitmemError:
        return notes
    return notes + ([*purge_notes(git), *owner_notes(root, git, environ)] if git is not None else [])


def purge_notes(git: GitDir) -> list[str]:
    """A sentence when a purge was killed before it had said what still holds the text."""
    if not os.path.exists(purging(git.common)):
        return []
    from gitmem.history.rewrite_refs import load_purging  # hardly ever needed

    left = load_purging(git.common)
    if left is None:
        return []
    reached = "removed it from history, but" if left.is_rewritten else "may have left its text in history: it"
    again = f"gitmem purge {typed(left.path)}"
    return [f"the purge of {left.path} {reached} was cut off before it said what still holds the text; type: {again}"]


def owner_notes(root: str, git: GitDir, environ: Mapping[str, str]) -> list[str]:
    """A sentence when the repository belongs to another user, whose settings git itself would not trust."""
    if not hasattr(os, "geteuid"):
        return []
    ours = {os.geteuid()}
    if environ.get("SUDO_UID", "").isdigit() and 0 in ours:  # git trusts whoever typed sudo, too
        ours.add(int(environ["SUDO_UID"]))
    try:
        owner = os.stat(git.path).st_uid
    except OSError:
        return []
    if owner in ours:
        return []
    trust = f"git config --global --add safe.directory {typed(root)}"
    return [f"{git.path} belongs to another user (number {owner}); if you trust what is in it, tell git too: {trust}"]
