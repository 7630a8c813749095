"""What keeps commits from being sent: the one look at a push, for ``sync`` and for the hooks pre-push and pre-receive.

A secret counts in every version the other side lacks, since its history would keep it.  Markers of a merge count while
the newest version has them: an older one that was settled since does no harm.
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.audit.added import markers_added, secrets_added
from gitmem.audit.text import allowed
from gitmem.errors import RepositoryDamaged
from gitmem.history.pushed import Sent, peeled, sent
from gitmem.history.repo import Repo
from gitmem.history.tree import file_at, tree_files
from gitmem.memory.document import decode
from gitmem.memory.finding import Finding

Unfit = tuple[str, Finding]  # the commit that brought it


def unfit_sent(repo: Repo, new: str, known: Sequence[str]) -> list[Unfit]:
    """What looks like a secret in the memories of the commits sent, then each memory with new conflict markers.

    new: the commit, or tag, to be sent; known: ids the other side has
    """
    newest = peeled(repo, new)
    leaks: list[Unfit] = []
    harmless: dict[str, set[str]] = {}
    begun: dict[str, tuple[str, list[bytes]]] = {}  # path -> the commit its markers came with, and the texts before
    for each in sent(repo, new, known):
        path = each.path
        if not path.lower().endswith(".md"):
            continue
        data = repo.objects.read(each.blob, "blob")
        befores = [repo.objects.read(blob, "blob") for blob in each.before]
        if path in begun:
            if not markers_added(path, data, *begun[path][1]):
                del begun[path]
        elif markers_added(path, data, *befores) and not _was_moved(repo, each):
            begun[path] = each.commit, befores
        if not secrets_added(path, data, *befores) or _was_moved(repo, each):
            continue
        if path not in harmless:
            last = file_at(repo, newest, path)
            harmless[path] = allowed(decode(last, path)[0]) if last is not None else set()
        leaks += _since(each.commit, secrets_added(path, data, *befores, allowed=harmless[path]))
    for path, (commit, befores) in begun.items():
        last = file_at(repo, newest, path)
        leaks += _since(commit, markers_added(path, last, *befores) if last is not None else [])
    return leaks


def _since(commit: str, found: Sequence[Finding]) -> list[Unfit]:
    for finding in found:
        finding.message = f"{finding.message}, since commit {commit[:10]}"
    return [(commit, finding) for finding in found]


def _was_moved(repo: Repo, version: Sent) -> bool:
    """Whether a new path has a text that stood under another name before: the other side was sent that already."""
    parents = () if version.before else repo.commit(version.commit).parents
    try:
        return any(blob == version.blob for parent in parents for _, blob in tree_files(repo, parent).values())
    except RepositoryDamaged:  # beyond a shallow clone's end
        return False
