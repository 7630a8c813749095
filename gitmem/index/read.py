"""The search index, opened for reading.

Never writes and never builds: what is not there, of another version or damaged is None,
and the caller works without it or asks for a refresh.
Hot: standard library only.
"""

from __future__ import annotations

import os

from gitmem.index import sqlite
from gitmem.limits import INDEX_VERSION
from gitmem.store.paths import search_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    PassageRow = tuple[int, int, int, int, int, int, str, int, str]
    FileRow = tuple[str, int, int]

DamagedIndex = sqlite.DatabaseError
PassingTrouble = sqlite.OperationalError  # of these: a lock, the disk, a SQLite without FTS5
NO_ROOM = ("unable to open", "readonly", "disk I/O error", "is full")  # what SQLite says that cannot make a file
_BUSY_S = 0.2  # a reader waits for a checkpoint, never for a writer
_MAX_VARIABLES = 900  # of one statement; SQLite before 3.32 allowed 999
_DOCUMENT = (
    "id, path, revision, size, mtime_ns, ctime_ns, name, description, type, kind, trust, updated, committed, "
    "importance, pinned, muted, expires, superseded_by, first_passage, passages"
)

_PASSAGE = "id, document, first, last, start, chars, heading, words, bag"


class DocumentRow:
    """What ranking and quoting need of a memory; the columns of schema.py."""

    __slots__ = tuple(_DOCUMENT.split(", "))

    if TYPE_CHECKING:
        id: int
        path: str
        revision: str
        size: int
        mtime_ns: int
        ctime_ns: int
        name: str
        description: str
        type: str
        kind: str
        trust: str
        updated: str
        committed: int | None
        importance: float
        pinned: int
        muted: int
        expires: str
        superseded_by: str
        first_passage: int
        passages: int

    def __init__(self, row: tuple[object, ...]) -> None:
        for name, value in zip(self.__slots__, row, strict=True):
            setattr(self, name, value)


class Index:
    """An open index.

    passages, passage_words, documents, document_words: totals, for the averages of BM25
    complete: 0 while it is built for the first time
    head:    commit the worktree was at when the index was last brought up to date, "" unknown
    ignore:  patterns of store.settings.left_out(), as of ``config``
    config:  size and mtime_ns of the settings file, "" when there was none
    candidates: "label" or "off"; index_file: name of the list of memories; both as of ``config``
    background: passages of the background model behind ``terms.share``
    """

    __slots__ = (
        "background", "candidates", "complete", "config", "connection", "document_words", "documents", "head", "ignore",
        "index_file", "passage_words", "passages",
    )  # fmt: skip

    def __init__(self, connection: sqlite.Connection) -> None:
        self.connection = connection
        connection.execute("begin")  # all that is read of one question is of one moment
        meta = dict(connection.execute("select key, value from meta"))
        if meta.get("version") != INDEX_VERSION:
            raise DamagedIndex("another version")
        self.passages: int = meta["passages"]
        self.passage_words: int = meta["passage_words"]
        self.documents: int = meta["documents"]
        self.document_words: int = meta["document_words"]
        self.background: int = meta["background"]
        self.complete: int = meta["complete"]
        self.head: str = meta["head"]
        self.ignore: list[str] = meta["ignore"].split("\n") if meta["ignore"] else []
        self.config: str = meta["config"]
        self.candidates: str = meta["candidates"]
        self.index_file: str = meta["index_file"]

    def close(self) -> None:
        self.connection.close()

    def terms(self, terms: Collection[str]) -> dict[str, tuple[int, float]]:
        """term -> (passages that hold it, its share of passages in the background model); unknown ones are absent."""
        found: dict[str, tuple[int, float]] = {}
        wanted = list(terms)
        for at in range(0, len(wanted), _MAX_VARIABLES):
            part = wanted[at : at + _MAX_VARIABLES]
            query = f"select term, passages, share from terms where term in ({_marks(part)})"  # noqa: S608 - marks
            for term, count, share in self.connection.execute(query, part):
                found[term] = (count, share)
        return found

    def terms_from(self, prefix: str, limit: int) -> dict[str, tuple[int, float]]:
        """The terms that begin with ``prefix``, the most frequent first."""
        query = "select term, passages, share from terms where term >= ? and term < ? order by passages desc limit ?"
        rows = self.connection.execute(query, (prefix, prefix + "\U0010ffff", limit))
        return {term: (count, share) for term, count, share in rows}

    def candidates_of(
        self,
        terms: Sequence[tuple[str, float]],
        limit: int,
        folder: str = "",
        keep: Callable[[Index, list[int], int], list[int]] | None = None,
    ) -> list[int]:
        """Ids of the ``limit`` passages that hold the most of ``terms`` by their weights; 1 microsecond a posting.

        keep: chooses from all of them, the best first, where some must not count
        FTS5's own bm25() asks every term about every row, which is three times as dear and finds no better.
        """
        source = "select search.rowid, {} from search where search match ?"
        values: list[str] = [f'"{term}"' for term, _ in terms]
        if folder:
            source = (
                "select search.rowid, {} from search join passages on passages.id = search.rowid"
                " join documents on documents.id = passages.document"
                " where search match ? and documents.path >= ? and documents.path < ?"
            )
            values = [part for value in values for part in (value, folder + "/", folder + "0")]  # "0" follows "/"
        query = " union all ".join([source.format(at) for at in range(len(terms))])
        weights = [weight for _, weight in terms]
        sums: dict[int, float] = {}
        for passage, at in self.connection.execute(query, values):
            sums[passage] = sums.get(passage, 0.0) + weights[at]
        if keep is not None:
            return keep(self, sorted(sums, key=lambda passage: -sums[passage]), limit)
        if len(sums) <= limit:
            return list(sums)
        return sorted(sums, key=lambda passage: -sums[passage])[:limit]

    def passage_rows(self, ids: Iterable[int]) -> list[PassageRow]:
        """id, document, first, last, start, chars, heading, words, bag."""
        query = f"select {_PASSAGE} from passages where id in ({_numbers(ids)})"  # noqa: S608 - numbers
        return self.connection.execute(query).fetchall()

    def paths_of(self, ids: Iterable[int]) -> dict[int, str]:
        """passage id -> path of its memory."""
        source = "passages join documents on documents.id = passages.document"
        query = f"select passages.id, path from {source} where passages.id in ({_numbers(ids)})"  # noqa: S608 - numbers
        return dict(self.connection.execute(query))

    def head_rows(self, ids: Iterable[int]) -> dict[int, tuple[int, int, str]]:
        """document id -> its words, its passages, the bag of its head."""
        query = f"select id, words, passages, fields from documents where id in ({_numbers(ids)})"  # noqa: S608 - numbers
        return {row[0]: row[1:] for row in self.connection.execute(query)}

    def document_rows(self, ids: Iterable[int]) -> dict[int, DocumentRow]:
        """document id -> its row."""
        query = f"select {_DOCUMENT} from documents where id in ({_numbers(ids)})"  # noqa: S608 - numbers
        return {row[0]: DocumentRow(row) for row in self.connection.execute(query)}

    def wholes(self, ids: Iterable[int]) -> dict[int, str]:
        """document id -> bag of all its passages; only documents of more than one passage are here."""
        query = f"select document, bag from wholes where document in ({_numbers(ids)})"  # noqa: S608 - numbers
        return dict(self.connection.execute(query))

    def files_in(self, folder: str) -> dict[str, FileRow]:
        """path -> (path, size, mtime_ns) of the documents that stand in ``folder`` itself ("" is the store's own)."""
        if folder:
            query = "select path, size, mtime_ns from documents where path >= ? and path < ?"
            rows = self.connection.execute(query, (folder + "/", folder + "0"))
        else:
            rows = self.connection.execute("select path, size, mtime_ns from documents where instr(path, '/') = 0")
        skip = len(folder) + 1 if folder else 0
        return {row[0]: row for row in rows if "/" not in row[0][skip:]}

    def newest_files(self, limit: int) -> list[FileRow]:
        """(path, size, mtime_ns) of the files that were written last."""
        query = "select path, size, mtime_ns from documents order by mtime_ns desc limit ?"
        return self.connection.execute(query, (limit,)).fetchall()

    def folders(self) -> dict[str, int]:
        """folder -> its mtime_ns when it was last read."""
        return dict(self.connection.execute("select path, mtime_ns from folders"))

    def ids_of(self, paths: Collection[str]) -> dict[str, int]:
        """path -> document id; unknown ones are absent."""
        found: dict[str, int] = {}
        wanted = list(paths)
        for at in range(0, len(wanted), _MAX_VARIABLES):
            part = wanted[at : at + _MAX_VARIABLES]
            query = f"select path, id from documents where path in ({_marks(part)})"  # noqa: S608 - marks
            found.update(self.connection.execute(query, part))
        return found


def open_index(git_dir: str) -> Index | None:
    """The index in ``git_dir`` (of the worktree); None when there is none that can be used.

    Where SQLite cannot make its shared memory, on a full disk or a read-only one, the file is read as it lies.
    """
    path = search_index(git_dir)
    if not os.path.exists(path):
        return None
    for mode in ("mode=ro", "mode=ro&immutable=1"):
        try:
            connection = sqlite.connect(
                f"file:{_escaped(path)}?{mode}", uri=True, isolation_level=None, timeout=_BUSY_S
            )
        except (sqlite.Error, UnicodeError):
            continue
        try:
            return Index(connection)
        except DamagedIndex as error:
            connection.close()
            if not any(said in str(error) for said in NO_ROOM):
                return None
        except (LookupError, TypeError, AttributeError):
            connection.close()
            return None
    return None


def note_damage(git_dir: str) -> None:
    """Leave an empty file beside a damaged index: the one thing a reader writes, so that the next refresh rebuilds."""
    try:
        os.close(os.open(damage_mark(search_index(git_dir)), os.O_CREAT | os.O_WRONLY, 0o600))
    except OSError:
        pass


def damage_mark(path: str) -> str:
    """The file that says the index at ``path`` was found damaged."""
    return f"{path}-damaged"


def empty_index() -> Index:
    """An index of nothing, in memory: what there is is then read live.

    raises: DamagedIndex when this SQLite has no FTS5
    """
    connection = sqlite.connect(":memory:", isolation_level=None)
    create_tables(connection)
    return Index(connection)


def create_tables(connection: sqlite.Connection) -> None:
    """The tables of schema.py, empty."""
    from gitmem.index.schema import START, TABLES  # the hook is spared what only an index without a file needs

    for statement in TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.executemany("insert into meta values(?, ?)", START.items())


def _escaped(path: str) -> str:
    """A path inside a ``file:`` address."""
    path = os.path.abspath(path).replace("\\", "/")
    for sign in "%?#":
        path = path.replace(sign, f"%{ord(sign):02x}")
    return path if path.startswith("/") else "/" + path


def _marks(items: Sequence[str]) -> str:
    return ",".join("?" * len(items))


def _numbers(ids: Iterable[int]) -> str:
    return ",".join(map(str, ids))
