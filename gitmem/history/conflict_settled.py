"""Which commits settled a conflict: those that merged its record, as far as nobody took that back."""

from __future__ import annotations

from gitmem.errors import RepositoryDamaged
from gitmem.history.bases import is_ancestor, only
from gitmem.history.message import parse_message, undone

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from gitmem.history.commit import Commit
    from gitmem.history.repo import Repo


def settlers(repo: Repo, record: str, head: str, without: Collection[str] = ()) -> list[Commit]:
    """The commits before ``head`` that settle the conflict ``record`` and stand, oldest first.

    without: commits that are about to be taken back
    """
    try:
        if not head or not is_ancestor(repo, record, head) or record == head:
            return []
        commits = [repo.commit(name) for name in only(repo, [head], [record])]
    except RepositoryDamaged:
        return []
    undoes: dict[str, tuple[str, ...]] = {}
    for commit in commits:
        subject, _, trailers = parse_message(commit.message)
        undoes[commit.id] = undone(subject, trailers)

    def stands(name: str) -> bool:
        if name in without:
            return False
        return not any(name in taken and stands(undo) for undo, taken in undoes.items() if undo != name)

    return [commit for commit in commits if record in commit.parents and stands(commit.id)]
