"""``gitmem diff``: what changed, as git prints it."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, printable
from gitmem.cli.past import filling, find_past
from gitmem.errors import GitmemError, NotFound
from gitmem.history.log import Revision, revisions, text_diff
from gitmem.history.repo import Repo, open_repo
from gitmem.history.settings import settings_of
from gitmem.history.trail_states import State, state_at
from gitmem.history.tree import file_at, tree_files
from gitmem.memory.document import blob_id
from gitmem.store.paths import typed
from gitmem.store.worktree import list_memories, read_file

COLOURS = {"+": "green", "-": "red", "@": "cyan"}


@click.command("diff")
@click.argument("name", metavar="[NAME]", required=False)
@click.argument("revision", metavar="[REV1]", required=False)
@click.argument("other", metavar="[REV2]", required=False)
@shared
def command(door: Door, name: str | None, revision: str | None, other: str | None) -> None:
    """Show what changed.

    Without NAME: every edit that is not committed yet. With NAME alone: its edit that is not committed yet, else
    its last commit. With REV1: from there to the file; with REV2: from REV1 to REV2, under whatever name it had.
    A REV is a commit, HEAD~3, a branch, a date, or a revision of this memory as `gitmem history NAME --json` gives it.
    """
    root = door.store()
    with open_repo(root) as repo:
        if name is None:
            texts, said = uncommitted(repo), "between the last commit and the files"
        else:
            texts, said = one_memory(door, repo, name, revision, other)
    if not texts:
        door.say(f"no difference {said}")
    elif name is not None and revision is None:
        door.say(f"the difference {said}")
    text = "".join(texts.values())
    shape = {"diffs": [{"path": path, "diff": diff} for path, diff in texts.items()], "compared": said}
    door.answer(shape, coloured(door, printable(text)))


def uncommitted(repo: Repo) -> dict[str, str]:
    """path -> diff of every memory whose file is not what the last commit holds."""
    commit = repo.head()[1]
    committed = tree_files(repo, commit) if commit else {}
    entries = list_memories(repo.root, settings_of(repo.root).left_out()).entries
    paths = {entry.path for entry in entries} | {path for path in committed if path.endswith(".md")}
    found = {}
    for path in sorted(paths):
        new = work_file(repo.root, path)
        if new is not None and path in committed and blob_id(new) == committed[path][1]:
            continue
        found[path] = text_diff(file_at(repo, commit, path) if path in committed else None, new, path)
    return {path: diff for path, diff in found.items() if diff}


def one_memory(
    door: Door, repo: Repo, name: str, revision: str | None, other: str | None
) -> tuple[dict[str, str], str]:
    """The diff of one memory by its path, and what was compared."""
    index_file = settings_of(repo.root).index_file
    path = index_file if name == index_file else find_past(repo, name)
    new = State(path, work_file(repo.root, path))
    if revision is not None:
        old = state_at(repo, path, revision, filling(door))
        if other is not None:
            new = state_at(repo, path, other)
        if old.data is None and new.data is None:
            when = f"{revision} nor at {other}" if other else f"{revision}, and there is no file now"
            raise NotFound(
                f"{path} was {'neither' if other else 'not'} there at {when}", hint=f"gitmem history {typed(path)}"
            )
        said = f"between {revision} and {other or 'the file'}"
    else:
        commit = repo.head()[1]
        old = State(path, file_at(repo, commit, path) if commit else None)
        said = "between the last commit and the file"
        if old.data == new.data and (last := last_change(door, repo, path, new)):
            old = before(repo, last)
            said = f"made by its last commit, {last.commit[:10]}"
    diff = text_diff(old.data, new.data, new.path, old.path)
    return ({new.path: diff} if diff else {}), said


def last_change(door: Door, repo: Repo, path: str, now: State) -> Revision | None:
    """The newest commit that made the memory what it is; one on a branch that lost did not."""
    revision = blob_id(now.data) if now.data is not None else ""
    for few in (1, None):
        for one in revisions(repo, path, few, progress=filling(door)):
            if one.revision == revision and (one.was or before(repo, one).data != now.data):
                return one
    return None


def before(repo: Repo, last: Revision) -> State:
    """The memory as it was before its revision ``last``."""
    parents = repo.commit(last.commit).parents
    path = last.was or last.path
    return State(path, file_at(repo, parents[0], path) if parents else None)


def work_file(root: str, path: str) -> bytes | None:
    """The file's bytes, None when there is none that can be read."""
    try:
        return read_file(root, path)
    except GitmemError:
        return None


def coloured(door: Door, text: str) -> str:
    """A diff in git's colours, on a terminal."""
    return "".join(
        door.paint(line, COLOURS[line[0]]) if line[:1] in COLOURS else line for line in text.splitlines(keepends=True)
    )
