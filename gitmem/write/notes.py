"""What a write tells the person besides what it did: one sentence each."""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import git_in, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.memory.finding import Finding
    from gitmem.store.gitdir import GitDir
    from gitmem.write.apply import Applied

MAX_NAMED = 10  # files with a secret that are named; the others are counted


def notes_of(root: str, applied: Applied, environ: Mapping[str, str]) -> list[str]:
    """What else the write ``applied`` did in the store at ``root``, and what is odd about the store."""
    notes = [f"your own edit of {path} was committed first" for path in applied.hand_edits]
    notes += secret_notes(root, applied.secrets)
    if applied.healed:
        notes.append(f"{applied.healed} earlier writes had fallen out of the newest commit and were put back")
    try:
        git = find_git_dir(root)
    except GitmemError:
        return notes
    return notes + (owner_notes(root, git, environ) if git is not None else [])


def secret_notes(root: str, found: Sequence[Finding]) -> list[str]:
    """Where a commit holds what looks like a secret, and what to do; never the secret itself."""
    if not found:
        return []
    notes = [f"{each.sentence()}; it is committed now, and git keeps it" for each in found[:MAX_NAMED]]
    if found[MAX_NAMED:]:
        notes.append(f"and {len(found) - MAX_NAMED} more")
    named = " ".join(dict.fromkeys(typed(each.path) for each in found[:MAX_NAMED]))
    commit = git_in(root, f"commit -m 'secret taken out' -- {named}")
    return [*notes, f"a secret in git is no secret: make it invalid where it is used, take it out, then: {commit}"]


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
