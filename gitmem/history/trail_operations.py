"""The operations of a store, newest first: what was done, by whom, to which files, and whether it was taken back."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import islice

from gitmem.dataclass import dataclass
from gitmem.history.message import MARK, REVERSING, parse_message, speaks_of, undone
from gitmem.history.trail import ask
from gitmem.history.trail_plain import PlainSource
from gitmem.history.trail_source import COMMIT, TrailSource
from gitmem.history.tree import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gitmem.history.repo import Repo
    from gitmem.history.trail_build import Progress

    Row = tuple[int, str, tuple[int, ...], int, str, str, str]  # as COMMIT

RECORD = "conflict"  # keeps a text that was not written: it did nothing, and nothing of it can be taken back
PAGES = ((0, 100), (100, 1_000), (1_000, None))  # operations read at once: who wants the last one is spared the rest


@dataclass(frozen=True, slots=True)
class Operation:
    """One commit, as an operation on the store.

    when:     committer's time, UTC unix seconds
    op:       remember, edit ...; "" for a commit that a person made with git
    memory:   path the operation was about, "" when it does not say
    paths:    files that differ from the first parent
    actor:    person, model, run or import; "" for a commit made with git
    undoes:   commits that this one takes back, or as ``redo`` the undo it takes back
    taken_by: commit that took this one back and was not taken back itself, "" for none
    """

    commit: str
    parents: tuple[str, ...]
    when: int
    author: str
    op: str
    memory: str
    paths: tuple[str, ...]
    agent: str
    session: str
    run: str
    undoes: tuple[str, ...]
    subject: str
    actor: str = ""
    reason: str = ""
    taken_by: str = ""


def operations(
    repo: Repo,
    limit: int | None = None,
    *,
    fits: Callable[[Operation], bool] | None = None,
    progress: Progress | None = None,
) -> Iterator[Operation]:
    """What was done to the store, from HEAD on, newest first, merged branches too: the order of ``git log``.

    limit:    at most this many
    fits:     takes the operations that are wanted
    progress: called with (done, total) commits while the history index is filled
    raises:   RepositoryDamaged when git's own objects cannot be read
    """
    commit = repo.head()[1]
    given = 0
    for first, last in PAGES if commit else ():

        def question(source: TrailSource | PlainSource, first: int = first, last: int | None = last) -> list[Operation]:
            return list(islice(_walked(source, commit), first, last))

        found = ask(repo, question, commit, progress)
        for operation in found:
            if limit is not None and given >= limit:
                return
            if operation.op != RECORD and (fits is None or fits(operation)):
                given += 1
                yield operation
        if last is None or len(found) < last - first:
            return


def _walked(source: TrailSource | PlainSource, commit: str) -> Iterator[Operation]:
    return _plain(source, commit) if isinstance(source, PlainSource) else _indexed(source, commit)


def _indexed(source: TrailSource, commit: str) -> Iterator[Operation]:
    """From the index: runs of first parents, merged by time."""
    start = source.place(commit)
    if start is None:
        return
    taken = _taken(source, int(start))
    waiting: list[tuple[int, int, Row, Iterator[Row]]] = []
    seen: set[int] = set()

    def push(rows: Iterator[Row], base: int) -> None:
        row = next(rows, None)
        if row is not None and row[0] not in seen:
            seen.add(row[0])
            heappush(waiting, (-row[3], -row[0], row, rows))
        elif row is None and base:
            push(_run(source, base), 0)

    push(_run(source, int(start)), 0)
    while waiting:
        _, _, row, rows = heappop(waiting)
        n, name, parents, when, author, _, message = row
        paths = source.connection.execute(
            "select paths.path from changes join paths on paths.id = changes.path where changes.n = ?", (n,)
        )
        yield _operation(
            name, tuple(source.name(parent) for parent in parents), when, author, message,
            sorted(decode(bytes(path)) for (path,) in paths), taken.get(name, ""),
        )  # fmt: skip
        push(rows, parents[0] if parents else 0)
        for parent in parents[1:]:
            push(_run(source, parent), 0)


def _run(source: TrailSource, n: int) -> Iterator[Row]:
    """Commit ``n`` and its first parents, as far as they are one run."""
    query = f"select {COMMIT} from commits where chain = ? and n <= ? order by n desc"  # noqa: S608 - names of columns
    for number, name, parents, when, author, email, message in source.connection.execute(query, (source.chain(n), n)):
        yield number, bytes(name).hex(), tuple(map(int, parents.split())), when, author, email, message


def _taken(source: TrailSource, start: int) -> dict[str, str]:
    """Commit -> the one that took it back, of all that lead to ``start``."""
    rows = source.connection.execute(
        "select undoes.n, commits.chain, commits.name, undoes.name from undoes"
        " join commits on commits.n = undoes.n where undoes.n <= ? order by undoes.n desc",
        (start,),
    ).fetchall()
    tops = source.reach(start) if rows else {}
    taken: dict[str, str] = {}
    for n, chain, by, name in rows:
        if n <= tops.get(chain, 0) and bytes(by).hex() not in taken:
            taken.setdefault(bytes(name).hex(), bytes(by).hex())
    return taken


def _plain(source: PlainSource, commit: str) -> Iterator[Operation]:
    """From the commits themselves."""
    repo, taken = source.repo, dict[str, str]()
    waiting, seen = [(-repo.commit(commit).when, 0, commit)], {commit}
    while waiting:
        _, _, name = heappop(waiting)
        one, parents = repo.commit(name), source.parents(name)
        changed = source.diffs.between(repo.commit(parents[0]).tree if parents else "", one.tree)
        operation = _operation(
            name, parents, one.when, one.author.name, one.message, sorted(map(decode, changed)), taken.get(name, "")
        )
        if not operation.taken_by:
            for gone in operation.undoes:
                taken.setdefault(gone, name)
        yield operation
        for parent in parents:
            if parent not in seen:
                seen.add(parent)
                heappush(waiting, (-repo.commit(parent).when, len(seen), parent))


def _operation(
    commit: str, parents: tuple[str, ...], when: int, author: str, message: str, paths: Iterable[str], taken_by: str
) -> Operation:
    subject, reason, trailers = parse_message(message)
    said = {key.removeprefix(MARK): value for key, value in trailers.items()}
    op = said.get("Op", "")
    if op in REVERSING and not speaks_of(subject, op):
        op = ""
    return Operation(
        commit, parents, when, author, op, said.get("Memory", ""), tuple(paths), said.get("Agent", ""),
        said.get("Session", ""), said.get("Run", ""), undone(subject, trailers),
        subject, said.get("Actor", ""), reason, taken_by,
    )  # fmt: skip
