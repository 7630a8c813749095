"""What is made elsewhere, such as commits that a sync brings, published as ``apply`` publishes a change.

The other half of write/apply.py: the same lock, the same putting right of what was left, the same search index after.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from gitmem.errors import RepositoryDamaged
from gitmem.history.heal import recover
from gitmem.history.ownrefs import move_refs
from gitmem.history.repo import open_repo
from gitmem.history.view import Moved
from gitmem.store.trust import log_end
from gitmem.write.apply import _Attempt, _check_format, _note, _update_index, until_settled
from gitmem.write.change import Actor, Change
from gitmem.write.lock import writer_lock
from gitmem.write.unwritable import unwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypeVar

    from gitmem.history.ownrefs import RefMove
    from gitmem.history.repo import Repo
    from gitmem.history.view import View
    from gitmem.write.index import Progress

    Result = TypeVar("Result")

Named = Callable[[Sequence[str]], None]
OURS = "gitmem: "  # how HEAD's log says that gitmem moved it
MANY = 500  # changed files from which on the search index looks at every file of the store


def publish_work(
    root: str,
    when: int,
    environ: Mapping[str, str],
    work: Callable[[View, Named], Result],
    progress: Progress | None = None,
) -> Result:
    """Let ``work`` publish under the writer lock, the store put right before it, the search index updated after it.

    work:     given a view and a function to name the files it is about to change; called again when the store moved
    progress: called with (done, total) memories while the search index takes in more than MANY files
    raises:   as ``apply``
    """
    try:
        with open_repo(root) as repo, writer_lock(repo.git.common):
            _check_format(repo)
            attempt = _Attempt(Change("sync", "", "", Actor("person"), lambda _: ()), when, recover(repo.git))

            def named(paths: Sequence[str]) -> None:
                attempt.mark(repo.root, paths)
                attempt.touched.extend(paths)

            def tried(view: View) -> Result:
                if attempt.put_right(view):
                    raise Moved
                return work(view, named)

            result = until_settled(repo, environ, tried, lambda: attempt.left)
    except OSError as error:
        raise unwritable(error, root) from error
    if len(set(attempt.touched)) > MANY:
        _refresh_index(repo, when, progress)
    else:
        _update_index(repo, attempt, when)
    return result


def publish_refs(
    root: str, when: int, environ: Mapping[str, str], moves: Callable[[Repo, str], Sequence[RefMove]]
) -> None:
    """Move refs alone, none of them the branch.

    moves: given the commit the branch is at
    raises: as ``apply``
    """

    def work(view: View, named: Named) -> None:  # noqa: ARG001
        found = moves(view.repo, view.head)
        if found:
            move_refs(view.repo, found)

    publish_work(root, when, environ, work)


def catch_up(repo: Repo, base: str, when: int, progress: Progress | None, *, is_sure: bool) -> None:
    """Let the search index take in what plain git committed, or pulled, since the branch was at ``base``.

    Looked at only where there may be such a commit: every write of gitmem's own brings the index along.
    is_sure: this sync took something in, or committed it
    """
    head = repo.head()[1]
    try:
        if not is_sure and (head == base or not _is_foreign(repo, head, base)):
            return
        from gitmem.index.read import open_index  # with SQLite, which a plain push is spared

        index = open_index(repo.git.path)
        if index is None:
            return  # the next write or question builds it
        at = index.head
        index.close()
        if at != head:
            _take_in(repo, at, head, progress)
    except Exception as error:
        _note(repo, when, error)


def _is_foreign(repo: Repo, head: str, base: str) -> bool:
    """Whether HEAD was moved from ``base`` to ``head`` by anything but gitmem, by the word of its log."""
    at = head
    for line in reversed(log_end(os.path.join(repo.git.path, "logs", "HEAD"))):
        if at == base:
            return False
        if line[41:81] != at or not line.partition("\t")[2].startswith(OURS):
            return True
        at = line[:40]
    return at != base


def _take_in(repo: Repo, at: str, head: str, progress: Progress | None) -> None:
    from gitmem.history.changed import changed
    from gitmem.write.index import Mark, refresh, update_index
    from gitmem.write.trust import note_authors

    note_authors(repo.root)  # before what came from elsewhere can be found
    try:
        paths = list(changed(repo.objects, repo.commit(at).tree if at else "", repo.commit(head).tree))
    except RepositoryDamaged:  # the commit the index knows is gone with a rewritten history
        paths = [""] * (MANY + 1)
    if len(paths) > MANY:
        refresh(repo.root, progress)
    else:
        update_index(repo.root, paths, Mark(at, {}))


def _refresh_index(repo: Repo, when: int, progress: Progress | None) -> None:
    """As ``_update_index``, for so many files that one look at all of them costs less than each by its path."""
    try:
        from gitmem.write.index import refresh

        refresh(repo.root, progress)
    except Exception as error:
        _note(repo, when, error)
