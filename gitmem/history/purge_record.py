"""What a purge leaves for other machines: its commit names the blobs that went, never their text.

A machine that has them still can tell that a remote was rewritten by a purge and what of, and a ref of a remote that
leads to them is not taken over again.
"""

from __future__ import annotations

from gitmem.errors import RepositoryDamaged
from gitmem.history.bases import only
from gitmem.history.message import MARK, parse_message, speaks_of
from gitmem.history.pushed import sent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from gitmem.history.repo import Repo

OPERATION, TRAILER = "purge", "Purged"
ID_CHARS = 40


def record(path: str, blobs: Collection[bytes]) -> dict[str, str]:
    """The trailers of a purge's commit."""
    return {"Memory": path, TRAILER: " ".join(sorted(blob.hex() for blob in blobs))}


def is_recorded(repo: Repo, path: str) -> bool:
    """Whether the newest commit is the one of a purge of ``path``: it was killed, or the memory came back meanwhile."""
    head = repo.head()[1]
    trailers = parse_message(repo.commit(head).message)[2] if head else {}
    return trailers.get(f"{MARK}Op") == OPERATION and trailers.get(f"{MARK}Memory") == path


def purges(repo: Repo, tip: str, head: str) -> dict[str, dict[str, str]]:
    """The commits of purges that ``tip`` has and ``head`` has not, with their trailers; oldest first."""
    found: dict[str, dict[str, str]] = {}
    for name in only(repo, [tip], [head]):
        subject, _, trailers = parse_message(repo.commit(name).message)
        if trailers.get(f"{MARK}Op") == OPERATION and speaks_of(subject, OPERATION):
            found[name] = trailers
    return found


def purged_there(repo: Repo, tip: str, head: str) -> dict[str, str]:
    """Path -> commit of the purge, for the memories in ``head`` that a purge in ``tip`` removed for good.

    A purge that ``head`` has as well says nothing: what stands in ``head`` came after it.
    """
    by_blob: dict[str, str] = {}
    by_path: dict[str, str] = {}
    for name, trailers in purges(repo, tip, head).items():
        blobs = [word for word in trailers.get(MARK + TRAILER, "").split() if len(word) == ID_CHARS]
        by_blob.update(dict.fromkeys(blobs, name))
        if not blobs and (path := trailers.get(f"{MARK}Memory", "")):  # of a gitmem that named none
            by_path[path] = name
    if not by_blob and not by_path:
        return {}
    found: dict[str, str] = {}
    for each in sent(repo, head, [tip]):
        purge = by_blob.get(each.blob) or by_path.get(each.path)
        if purge:
            found.setdefault(each.path, purge)
    return found


def leads_to(repo: Repo, name: str, blobs: Collection[str], head: str) -> bool:
    """Whether the history of the commit ``name``, as far as ``head`` has not got it, holds one of ``blobs``."""
    try:
        return any(each.blob in blobs for each in sent(repo, name, [head] if head else []))
    except RepositoryDamaged:
        return False
