"""The refusals of a sync: what is not sent, and what a remote did not take, each with what to type (C5, L5)."""

from __future__ import annotations

import os
from collections.abc import Sequence

from gitmem.history.remote import Remote, kind_of, path_of
from gitmem.history.transport import ONLY_GIT, RemoteRefused
from gitmem.memory.finding import Finding
from gitmem.memory.marker import MARKER
from gitmem.memory.secret import ALLOW
from gitmem.store.paths import git_in, typed
from gitmem.write.sync_edits import SHOWN, named_places, paths_of

CHECKED_OUT = "checked out"  # in what git, or the way through a folder, says of a branch that somebody works on there


def unfit_error(found: Sequence[Finding], remote: Remote) -> RemoteRefused:
    """What keeps commits from being sent: secrets, markers of a merge that was not finished, or both."""
    again = f"gitmem sync {typed(remote.name)}"
    marked = paths_of([each for each in found if each.rule == MARKER])
    secret = paths_of([each for each in found if each.rule != MARKER])
    hints = []
    if secret:
        purges = " && ".join(f"gitmem purge {typed(path)}" for path in secret[:SHOWN])
        what, its = ("the secret", "is it") if len(found) - len(marked) == 1 else ("each secret", "is one")
        hints.append(
            f"make {what} invalid where it is used, then: {purges}   ({its} harmless? put `{ALLOW}` on its line, and "
            "sync again)"
        )
    if marked:
        files = ", ".join(map(typed, marked[:SHOWN]))
        hints.append(f"choose the text that stays and take the marker lines out of {files}, then: {again}")
    return RemoteRefused(
        f"{named_places(found)}; nothing was sent to {remote.name}",
        hint="   and ".join(hints),
        kind="secret" if secret else MARKER,
    )


def declined_error(root: str, remote: Remote, branch: str, said: str, safe: str) -> RemoteRefused:
    """A branch that the remote did not take.

    said: in the remote's words; safe: where what is here is kept there all the same, "" for nowhere
    """
    if CHECKED_OUT in said:
        return _in_use(root, remote, branch, safe)
    hint = f"ask whoever keeps {remote.shown}, or sync with another place: gitmem remote add NAME URL"
    if ONLY_GIT in said:
        hint = f"install git, then: gitmem sync {typed(remote.name)}"
    return RemoteRefused(
        f"{remote.name}/{branch} was not taken: {said}{safe}",
        hint=hint,
        kind="declined",
    )


def _in_use(root: str, remote: Remote, branch: str, safe: str) -> RemoteRefused:
    """A hub that is somebody's working copy: git does not move a branch under the files of who works there."""
    name, is_path = typed(remote.name), kind_of(remote.push_url) == "path"
    place = os.path.abspath(os.path.join(root, path_of(remote.push_url))) if is_path else "FOLDER"
    bare = f"{place.removesuffix('/.git')}.git"
    copy = f"git clone --bare {typed(place)} {typed(bare)}"
    allow = git_in(place, "config receive.denyCurrentBranch updateInstead")
    if is_path:
        copy += f" && gitmem remote remove {name} && gitmem remote add {name} {typed(bare)} && gitmem sync {name}"
    return RemoteRefused(
        f"{remote.name}/{branch} was not taken: {remote.shown} is no bare repository, and its branch {branch} is "
        f"checked out there{safe}",
        hint=f"{'' if is_path else 'there: '}{copy}   (or let it take what is sent, its files with it: {allow})",
        kind="declined",
    )
