"""What is made elsewhere, such as commits that a sync brings, published as ``apply`` publishes a change.

The other half of write/apply.py: the same lock, the same putting right of what was left, the same search index after.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gitmem.history.heal import recover
from gitmem.history.repo import Repo, open_repo
from gitmem.history.view import Moved, View
from gitmem.write.apply import _Attempt, _check_format, _mark, _note, _update_index, until_settled, unwritable
from gitmem.write.change import Actor, Change
from gitmem.write.index import refresh
from gitmem.write.lock import writer_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.write.index import Progress

MANY = 500  # changed files from which on the search index looks at every file of the store

Named = Callable[[Sequence[str]], None]
Result = TypeVar("Result")


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
            _check_format(repo.root)
            attempt = _Attempt(Change("sync", "", "", Actor("person"), lambda _: ()), when, recover(repo.git))

            def named(paths: Sequence[str]) -> None:
                attempt.before = _mark(repo.root, paths)
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


def _refresh_index(repo: Repo, when: int, progress: Progress | None) -> None:
    """As ``_update_index``, for so many files that one look at all of them costs less than each by its path."""
    try:
        refresh(repo.root, progress)
    except Exception as error:
        _note(repo, when, error)
