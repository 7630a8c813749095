"""What a person changed in the store's files and did not commit yet: it is committed as theirs, never overwritten."""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.history.commit import FileChange, Step
from gitmem.history.convert import check_unconverted, stored
from gitmem.history.message import message
from gitmem.history.objects import object_id
from gitmem.memory.name import is_reserved
from gitmem.memory.own_id import is_another
from gitmem.store.paths import git_in, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.history.view import View


def hand_edits(view: View, paths: Sequence[str]) -> list[Step]:
    """The person's own uncommitted work on ``paths``: what they staged, then what the file holds.

    Where some of it is a rename, the list of memories follows it in a step of its own.
    raises: Refused for a memory that git knows nothing of and was told to ignore
    """
    staged: list[FileChange] = []
    saved: list[FileChange] = []
    for path in paths:
        committed, entry, data = view.committed(path), view.staged(path), view.read(path)
        if data is None and committed is not None and view.keeps_out(path):
            continue
        check_unconverted(view, path)
        if data is not None and committed is None and entry is None:
            _check_wanted(view, path)
        last = committed[1] if committed else ""
        now = object_id("blob", stored(view, path, data)) if data is not None else ""
        if entry is not None and entry[1] not in (last, now):
            last = entry[1]
            staged.append(FileChange(path, view.repo.objects.read(last, "blob")))
        if now != last:
            saved.append(FileChange(path, data))
    author = view.people()[0]
    steps = [Step(changes, _hand_message(changes), author) for changes in (staged, saved) if changes]
    if len(saved) > 1:
        from gitmem.write.renamed import renamed_among  # most edits are of one file

        if renamed := renamed_among(view, [change.path for change in saved]):
            from gitmem.write.relisting import relisting

            steps += relisting(view, renamed, paths)
    return steps


def _check_wanted(view: View, path: str) -> None:
    """Refuse what ``git add`` would refuse: .gitignore names the file, and history would have it for ever."""
    if is_reserved(path) or not path.lower().endswith(".md") or not view.knows_staged:
        return
    from gitmem.history.workfiles import ignored_among  # most files are known to git already

    if ignored_among(view.repo, view.environ, [path]):
        raise Refused(
            f"git was told to ignore {path} (.gitignore), so it has no history, and a write would give it one; nothing "
            "was written",
            hint=f"edit the file itself, or let git keep it: {git_in(view.repo.root, f'add -f -- {typed(path)}')}",
        )


def may_be_renamed(view: View, path: str) -> bool:
    """Whether the memory at ``path`` may have come from elsewhere by hand since the last commit, or gone elsewhere."""
    data, committed = view.read(path), view.committed(path)
    if data is None or committed is None:
        return (data is None) != (committed is None)
    now = stored(view, path, data)
    return object_id("blob", now) != committed[1] and is_another(
        path, now, view.repo.objects.read(committed[1], "blob")
    )


def _hand_message(changes: Sequence[FileChange]) -> str:
    paths = ", ".join(change.path for change in changes)
    return message("hand edit", paths, "", {"Op": "hand-edit", "Memory": paths, "Actor": "person"})
