"""The history index as a Source of trail_walk.py, and which commits lead to another."""

from __future__ import annotations

from bisect import bisect_right

from gitmem.history.log import shallow
from gitmem.history.trail_chains import ChainMap
from gitmem.history.trail_walk import Touch
from gitmem.history.tree import decode, encode
from gitmem.memory.name import twin_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.history.repo import Repo
    from gitmem.history.trail_walk import Place
    from gitmem.index.sqlite import Connection

    ChangeRow = tuple[int, bytes, str, int, str, str, str, bytes, bytes]
    Spot = tuple[int, int]  # a commit, and the place of one of its parents

COMMIT = 'commits.n, commits.name, commits.parents, commits."when", commits.author, commits.email, commits.message'


class TrailSource:
    """Commits and changes as the index holds them; a place is a commit's number."""

    __slots__ = ("_bases", "_chainmap", "_chains", "_ids", "_joins", "_moved", "_places", "_runs", "connection")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._bases: dict[int, int] = {}
        self._chains: dict[int, int] = {}
        self._ids: dict[bytes, int] = {}
        self._runs: dict[tuple[int, int], tuple[int, Iterator[ChangeRow]]] = {}
        self._chainmap: ChainMap | None = None
        self._joins: dict[int, dict[int, list[int]]] = {}
        self._moved: dict[int, tuple[dict[Spot, bytes], dict[Spot, bytes]]] = {}
        self._places: dict[int, dict[int, list[int]]] = {}

    def place(self, commit: str) -> Place | None:
        row = self.connection.execute("select n from commits where name = ?", (bytes.fromhex(commit),)).fetchone()
        return int(row[0]) if row else None

    def name(self, n: int) -> str:
        """The id of commit ``n``."""
        return bytes(self.connection.execute("select name from commits where n = ?", (n,)).fetchone()[0]).hex()

    def touch(self, place: Place, path: bytes) -> Touch | None:
        number, n = self._id(path), int(place)
        while number and n:
            chain = self.chain(n)
            row = self._change(number, chain, n)
            if row is not None:
                touch = self._touched(row, path, number)
                if touch.parents and touch.order != chain:
                    self._chains[int(touch.parents[0])] = chain
                return touch
            n = self.base(chain)
        return None

    def _change(self, number: int, chain: int, n: int) -> ChangeRow | None:
        """The last change of a path in a run, at ``n`` or before; who asks again further back goes on reading."""
        last, rows = self._runs.get((number, chain), (0, iter(())))
        if n >= last:
            query = (
                f"select {COMMIT}, before, after from changes join commits on commits.n = changes.n"  # noqa: S608
                " where path = ? and changes.chain = ? and changes.n <= ? order by changes.n desc"
            )
            rows = iter(self.connection.execute(query, (number, chain, n)))
        row = next((row for row in rows if row[0] <= n), None)
        self._runs[number, chain] = (row[0] if row is not None else 0, rows)
        return row

    def step(self, place: Place, path: bytes) -> Touch | None:
        number, n = self._id(path), int(place)
        if not number:
            return None
        if self._chainmap is None:
            self._chainmap = ChainMap(self.connection)
        if number not in self._joins:
            self._joins[number] = self._kept_joins(self._chainmap, number)
        chain = self.chain(n)
        while n:
            changed = _last(self._changed(number).get(chain, []), n)
            joined = _last(self._joins[number].get(chain, []), n)
            if changed and changed >= joined:
                row = self._change(number, chain, changed)
                return self._touched(row, path, number) if row is not None else None
            if joined:
                return self._join(joined, chain, path)
            n, chain = self._chainmap.bases[chain]
        return None

    def complete(self, touch: Touch) -> None:
        query = f"select {COMMIT} from commits where n = ?"  # noqa: S608 - names of columns
        _, name, _, when, author, email, message = self.connection.execute(query, (touch.order,)).fetchone()
        touch.commit, touch.when, touch.author, touch.email = bytes(name).hex(), when, author, email
        touch.message = message

    def is_straight(self, place: Place, path: bytes) -> bool:
        number, n = self._id(path), int(place)
        query = "select chain from changes where path = ? order by chain {} limit 1"
        ends = [self.connection.execute(query.format(way), (number,)).fetchone() for way in ("", "desc")]
        if ends[0] is None:
            return True
        if ends[0] != ends[1] or self._late_moves(number):
            return False
        (only,) = ends[0]
        while n and self.chain(n) != only:
            n = self.base(self.chain(n))
        query = "select 1 from changes where path = ? and chain = ? and n > ? limit 1"
        return bool(n) and self.connection.execute(query, (number, only, n)).fetchone() is None

    def _join(self, n: int, chain: int, path: bytes) -> Touch:
        """A merge that has ``path`` as its first parent has it."""
        touch = Touch("", path, 0, "", "", "")
        (parents,) = self.connection.execute("select parents from commits where n = ?", (n,)).fetchone()
        touch.order, touch.parents = n, tuple(map(int, parents.split()))
        if n != chain:
            self._chains[int(touch.parents[0])] = chain
        return touch

    def _kept_joins(self, chains: ChainMap, number: int) -> dict[int, list[int]]:
        """Run -> the merges in it that may matter to a path."""
        moved = self.connection.execute("select n from moves where path = ? and place = 0", (number,))
        return chains.joins(self._changed(number), {n for (n,) in moved}, self._late_moves(number))

    def _changed(self, number: int) -> dict[int, list[int]]:
        """Run -> the commits in it that changed a path, the oldest first."""
        if number not in self._places:
            found = self._places[number] = {}
            for chain, n in self.connection.execute(
                "select chain, n from changes where path = ? order by chain, n", (number,)
            ):
                found.setdefault(chain, []).append(n)
        return self._places[number]

    def _moves(self, number: int) -> tuple[dict[Spot, bytes], dict[Spot, bytes]]:
        """Commit and place of a parent -> what a path is called in that parent, and what its file there is called since
        that commit.
        """
        if number not in self._moved:
            found: list[dict[Spot, bytes]] = []
            for own, other in (("path", "old"), ("old", "path")):
                query = (
                    f"select moves.n, moves.place, paths.path from moves join paths on paths.id = moves.{other}"  # noqa: S608
                    f" where moves.{own} = ?"
                )
                rows = self.connection.execute(query, (number,))
                found.append({(n, place): bytes(name) for n, place, name in rows})
            self._moved[number] = found[0], found[1]
        return self._moved[number]

    def _late_moves(self, number: int) -> set[int]:
        """The merges that give a path to another file than the one a further parent has there."""
        return {n for moves in self._moves(number) for n, place in moves if place}

    def old_path(self, touch: Touch, at: int) -> bytes | None:
        came, left = self._moves(self._id(touch.path))
        old = came.get((touch.order, at))
        return b"" if old is None and (touch.order, at) in left else old

    def new_path(self, touch: Touch) -> bytes | None:
        return self._moves(self._id(touch.path))[1].get((touch.order, 0))

    def was_moved(self, path: bytes) -> bool:
        """Whether any commit gave ``path`` to a file that had another name."""
        row = self.connection.execute("select 1 from moves where path = ? limit 1", (self._id(path),)).fetchone()
        return row is not None

    def called(self, stem: str) -> list[bytes]:
        """Every path that was ever there whose file is called ``stem``."""
        rows = self.connection.execute("select path from paths where stem = ? order by path", (stem_key(encode(stem)),))
        return [bytes(row[0]) for row in rows]

    def chain(self, n: int) -> int:
        """The run of first parents in which commit ``n`` stands."""
        if n not in self._chains:
            self._chains[n] = int(self.connection.execute("select chain from commits where n = ?", (n,)).fetchone()[0])
        return self._chains[n]

    def base(self, chain: int) -> int:
        """The commit a run of first parents grew from, 0 for one that begins with a root."""
        if chain not in self._bases:
            (parents,) = self.connection.execute("select parents from commits where n = ?", (chain,)).fetchone()
            self._bases[chain] = int(parents.partition(" ")[0] or 0)
        return self._bases[chain]

    def reach(self, n: int) -> dict[int, int]:
        """Every commit that leads to ``n``, as run -> the last number of it that does."""
        tops: dict[int, int] = {}
        waiting = [n]
        while waiting:
            n = waiting.pop()
            chain = self.chain(n)
            before = tops.get(chain, 0)
            if n <= before:
                continue
            tops[chain] = n
            merges = self.connection.execute(
                "select parents from commits where instr(parents, ' ') and chain = ? and n > ? and n <= ?",
                (chain, before, n),
            )
            waiting.extend(int(parent) for (parents,) in merges for parent in parents.split(" ")[1:])
            if not before and (base := self.base(chain)):
                waiting.append(base)
        return tops

    def _id(self, path: bytes) -> int:
        if path not in self._ids:
            row = self.connection.execute("select id from paths where path = ?", (path,)).fetchone()
            self._ids[path] = int(row[0]) if row else 0
        return self._ids[path]

    def _touched(self, row: ChangeRow, path: bytes, number: int) -> Touch:
        n, name, parents, when, author, email, message, before, after = row
        touch = Touch(name.hex(), path, when, author, email, message)
        touch.order, touch.after = n, after
        touch.parents = tuple(map(int, parents.split()))
        if touch.parents:
            query = "select state from merged where n = ? and path = ? order by place"
            others = self.connection.execute(query, (n, number)) if len(touch.parents) > 1 else ()
            touch.before = (before, *(state for (state,) in others))
        return touch


def _last(numbers: list[int], most: int) -> int:
    """The last of sorted ``numbers`` that is at most ``most``; 0 for none."""
    at = bisect_right(numbers, most)
    return numbers[at - 1] if at else 0


def is_current(connection: Connection, repo: Repo, commit: str) -> bool:
    """Whether the index can be asked about ``commit`` as it is."""
    return holds(connection, commit) and borders_of(connection) == spelled(shallow(repo))


def holds(connection: Connection, name: str) -> bool:
    """Whether a commit was taken in."""
    return number_of(connection, name) is not None


def number_of(connection: Connection, name: str) -> int | None:
    row = connection.execute("select n from commits where name = ?", (bytes.fromhex(name),)).fetchone()
    return row[0] if row else None


def borders_of(connection: Connection) -> str:
    row = connection.execute("select value from meta where key = 'borders'").fetchone()
    return str(row[0]) if row else ""


def spelled(borders: frozenset[str]) -> str:
    return " ".join(sorted(borders))


def stem_key(path: bytes) -> bytes:
    """What a memory's file is called, without folders and ``.md``, as names are compared."""
    name = twin_key(decode(path).rpartition("/")[2])
    return (name[:-3] if name.endswith(".md") else name).encode("utf-8", "surrogateescape")
