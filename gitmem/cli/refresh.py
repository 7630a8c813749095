"""``gitmem refresh``: bring the search index up to date."""

from __future__ import annotations

from pathlib import Path

import click

from gitmem.cli.common import progress_bar, shared
from gitmem.cli.door import Door, counted
from gitmem.errors import GitmemError, IndexUnusable
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import state, typed
from gitmem.store.place import gitmem_home, has_scopes
from gitmem.write.index import refresh
from gitmem.write.project import note_place


@click.command("refresh")
@shared
def command(door: Door) -> None:
    """Read what changed since the search index was built, and index it.

    The index is derived: nothing is lost when it is deleted, it is built anew.
    """
    root = door.store()
    try:
        with progress_bar("indexing") as progress:
            report = refresh(root, progress)
    except IndexUnusable as error:
        if error.hint == "gitmem refresh":  # this very command
            error.hint = f"see whether it may be written: ls -ld {typed(place_of_index(root))}"
        raise
    if has_scopes(root, str(Path.cwd()), door.environ):
        note_here(door, root)
    for finding in report.skipped:
        door.say(finding.sentence())
    shape = {
        "memories": report.memories,
        "changed": report.changed,
        "gone": report.gone,
        "skipped": [{"path": one.path, "line": one.line, "reason": one.message} for one in report.skipped],
    }
    door.answer(
        shape,
        f"{counted(report.memories)} indexed, {report.changed} read anew, {report.gone} gone",
        saved="the index is up to date",
    )


def note_here(door: Door, root: str) -> None:
    """Find out which project this folder is, for the hook; where that cannot be kept, the next refresh tries again."""
    try:
        note_place(root, str(Path.cwd()), gitmem_home(door.environ))
    except (OSError, GitmemError):
        return


def place_of_index(root: str) -> str:
    """The folder that would hold the index, or the git folder when that one cannot be made either."""
    git = find_git_dir(root)
    place = state(git.path) if git is not None else root
    return place if git is None or Path(place).is_dir() else git.path
