"""Fill the history index: every commit HEAD can reach and the index does not hold yet, oldest first, in batches.

A fill that is killed goes on where it stopped.  Two that run at once do no harm: what one has taken in, the
other leaves out.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from gitmem.history.log import shallow
from gitmem.history.message import parse_message, undone
from gitmem.history.renames import moves
from gitmem.history.trail_source import borders_of, holds, number_of, spelled, stem_key
from gitmem.history.trail_tree import TreeDiffs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.history.commit import Commit
    from gitmem.history.repo import Repo
    from gitmem.index.sqlite import Connection

    Progress = Callable[[int, int], None]

BATCH = 500  # commits in one transaction


def fill(connection: Connection, repo: Repo, head: str, progress: Progress | None = None) -> None:
    """Take in ``head`` and all that leads to it.

    progress: called with (done, total) commits
    raises:   sqlite.Error, RepositoryDamaged; what was taken in by then is right and stays
    """
    borders = shallow(repo)
    _set_borders(connection, borders)
    todo = _in_order(_unknown(connection, repo, head, borders))
    diffs = TreeDiffs(repo.objects)
    for at in range(0, len(todo), BATCH):
        connection.execute("begin immediate")
        try:
            batch = _Batch(connection, repo, diffs)
            for commit, parents in todo[at : at + BATCH]:
                batch.take(commit, parents)
            connection.execute("commit")
        except BaseException:
            connection.execute("rollback")
            raise
        if progress is not None:
            progress(min(at + BATCH, len(todo)), len(todo))


def _set_borders(connection: Connection, borders: frozenset[str]) -> None:
    """Where a shallow clone was cut elsewhere (deepened, made whole), what was taken in for a root is none: anew."""
    if borders_of(connection) == spelled(borders):
        return
    connection.execute("begin immediate")
    for table in ("commits", "changes", "merged", "moves", "runs", "joins", "undoes", "paths"):
        connection.execute(f"delete from {table}")  # noqa: S608 - our own names
    connection.execute("insert or replace into meta values('borders', ?)", (spelled(borders),))
    connection.execute("commit")


def _unknown(
    connection: Connection, repo: Repo, head: str, borders: frozenset[str]
) -> dict[str, tuple[Commit, tuple[str, ...]]]:
    """Commits the index lacks, each with the parents that are there."""
    found: dict[str, tuple[Commit, tuple[str, ...]]] = {}
    waiting = [head]
    while waiting:
        name = waiting.pop()
        if name in found or holds(connection, name):
            continue
        commit = repo.commit(name)
        parents = () if name in borders else tuple(dict.fromkeys(commit.parents))
        found[name] = (commit, parents)
        waiting.extend(parents)
    return found


def _in_order(
    unknown: dict[str, tuple[Commit, tuple[str, ...]]],
) -> Sequence[tuple[Commit, tuple[str, ...]]]:
    """Parents before children, the older of two first."""
    children: dict[str, list[str]] = {}
    missing: dict[str, int] = {}
    for name, (_, parents) in unknown.items():
        missing[name] = sum(parent in unknown for parent in parents)
        for parent in parents:
            children.setdefault(parent, []).append(name)
    ready = [(unknown[name][0].when, name) for name, count in missing.items() if not count]
    heapify(ready)
    order = []
    while ready:
        _, name = heappop(ready)
        order.append(unknown[name])
        for child in children.get(name, ()):
            missing[child] -= 1
            if not missing[child]:
                heappush(ready, (unknown[child][0].when, child))
    return order


class _Batch:
    """Commits on their way into the index, inside one transaction."""

    __slots__ = ("chains", "connection", "diffs", "next", "paths", "repo", "tips")

    def __init__(self, connection: Connection, repo: Repo, diffs: TreeDiffs) -> None:
        self.connection, self.repo, self.diffs = connection, repo, diffs
        self.next: int = connection.execute("select coalesce(max(n), 0) + 1 from commits").fetchone()[0]
        self.paths: dict[bytes, int] = {}
        self.chains: dict[int, int] = {}
        self.tips: dict[int, int] = {}

    def take(self, commit: Commit, parents: tuple[str, ...]) -> None:
        if holds(self.connection, commit.id):
            return
        numbers = [number_of(self.connection, parent) or 0 for parent in parents]
        n, self.next = self.next, self.next + 1
        chain = self._chain(n, numbers)
        self.connection.execute(
            "insert into commits values(?, ?, ?, ?, ?, ?, ?, ?)",
            (
                n, bytes.fromhex(commit.id), chain, " ".join(map(str, numbers)), commit.when,
                _storable(commit.author.name), _storable(commit.author.email), _storable(commit.message),
            ),
        )  # fmt: skip
        self._placed(n, chain, numbers)
        trees = [self.repo.commit(parent).tree for parent in parents] or [""]
        changed = [self.diffs.between(tree, commit.tree) for tree in trees]
        self.connection.executemany(
            "insert into changes values(?, ?, ?, ?, ?)",
            [(self._path(path), chain, n, was, now) for path, (was, now) in changed[0].items()],
        )
        for place, differs in enumerate(changed):
            self._moved(n, place, differs)
            if place:
                self._merged(n, place, changed[0], differs)
        subject, _, trailers = parse_message(commit.message)
        rows = [(n, bytes.fromhex(name)) for name in undone(subject, trailers)]
        self.connection.executemany("insert into undoes values(?, ?)", rows)

    def _chain(self, n: int, parents: Sequence[int]) -> int:
        """The run of first parents commit ``n`` belongs to: its first parent's, where that one is still the last."""
        chain = n
        if parents:
            first = parents[0]
            before = self._chain_of(first)
            if before not in self.tips:
                row = self.connection.execute("select max(n) from commits where chain = ?", (before,)).fetchone()
                self.tips[before] = row[0]
            if self.tips[before] == first:
                chain = before
        self.chains[n], self.tips[chain] = chain, n
        return chain

    def _chain_of(self, n: int) -> int:
        if n not in self.chains:
            row = self.connection.execute("select chain from commits where n = ?", (n,)).fetchone()
            self.chains[n] = row[0] if row else 0
        return self.chains[n]

    def _placed(self, n: int, chain: int, parents: Sequence[int]) -> None:
        """How the chains hang together."""
        if chain == n:
            base = parents[0] if parents else 0
            self.connection.execute("insert into runs values(?, ?, ?)", (n, base, self._chain_of(base) if base else 0))
        rows = [(n, at, chain, parent, self._chain_of(parent)) for at, parent in enumerate(parents) if at]
        self.connection.executemany("insert into joins values(?, ?, ?, ?, ?)", rows)

    def _merged(
        self, n: int, place: int, first: dict[bytes, tuple[bytes, bytes]], other: dict[bytes, tuple[bytes, bytes]]
    ) -> None:
        """What the parent at ``place`` has of the files in which a merge differs from its first parent."""
        rows = [
            (n, self._path(path), place, other[path][0] if path in other else now) for path, (_, now) in first.items()
        ]
        self.connection.executemany("insert into merged values(?, ?, ?, ?)", rows)

    def _moved(self, n: int, place: int, changed: dict[bytes, tuple[bytes, bytes]]) -> None:
        rows = [(n, place, self._path(new), self._path(old)) for new, old in moves(self.repo.objects, changed).items()]
        self.connection.executemany("insert into moves values(?, ?, ?, ?)", rows)

    def _path(self, path: bytes) -> int:
        number = self.paths.get(path)
        if number is None:
            row = self.connection.execute("select id from paths where path = ?", (path,)).fetchone()
            if row is None:
                cursor = self.connection.execute("insert into paths(path, stem) values(?, ?)", (path, stem_key(path)))
                row = (cursor.lastrowid,)
            number = self.paths[path] = int(row[0])
        return number


def _storable(text: str) -> str:
    """Text SQLite takes: no half of a pair of surrogates."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()
