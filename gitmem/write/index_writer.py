"""The search index open for writing: the rows of memories in and out, batch by batch.

Used by write/index.py alone.
"""

from __future__ import annotations

import os
from collections import Counter

from gitmem.errors import IndexUnusable, StoreUnwritable
from gitmem.index import sqlite
from gitmem.index.background import load_shares
from gitmem.index.bag import pack, unpack
from gitmem.index.read import create_tables, damage_mark
from gitmem.index.rows import Rows
from gitmem.index.schema import DOCUMENT_COLUMNS
from gitmem.limits import INDEX_VERSION
from gitmem.store.paths import search_index, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from gitmem.store.settings import Settings

BUSY_S = 20.0  # a refresh waits this long for another writer

ROOM_BYTES = 64 * 1024  # less free space than SQLite's shared memory takes, and some

COUNT_ANEW_FROM = 1_000  # passages in one transaction

Stat = tuple[int, int, int]  # size, mtime_ns, ctime_ns


class Damaged(IndexUnusable):
    """The index was damaged and has been removed; it can be built anew at once."""


class Writer:
    """One connection that changes the index, with the rows that wait to be written."""

    def __init__(self, connection: sqlite.Connection) -> None:
        self.connection = connection
        self.begin()

    def begin(self) -> None:
        """Start a transaction and read where the totals stand."""
        self.connection.execute("begin immediate")
        self.meta = dict(self.connection.execute("select key, value from meta"))
        self.next_document = self._next("documents")
        self.next_passage = self._next("passages")
        self.rows: list[tuple[object, ...]] = []
        self.passage_rows: list[tuple[object, ...]] = []
        self.texts: list[tuple[int, str]] = []
        self.wholes: list[tuple[int, str]] = []
        self.counts: Counter[str] = Counter()

    def _next(self, table: str) -> int:
        (last,) = self.connection.execute(f"select max(id) from {table}").fetchone()  # noqa: S608 - our own name
        return (last or 0) + 1

    def stats(self) -> dict[str, tuple[int, Stat, str]]:
        """path -> document id, its file when it was read, revision."""
        query = "select path, id, size, mtime_ns, ctime_ns, revision from documents"
        return {row[0]: (row[1], row[2:5], row[5]) for row in self.connection.execute(query)}

    def touch(self, document: int, stat: Stat) -> None:
        """The file was written but says the same."""
        query = "update documents set size = ?, mtime_ns = ?, ctime_ns = ? where id = ?"
        self.connection.execute(query, (*stat, document))

    def put(self, rows: Rows, stat: Stat) -> None:
        """Add one memory."""
        document, self.next_document = self.next_document, self.next_document + 1
        memory = rows.memory
        self.rows.append(
            (document, memory.path, memory.revision, *stat, *rows.document(), self.next_passage, len(rows.passages),
             rows.words, pack(rows.fields))
        )  # fmt: skip
        for at, row in enumerate(rows.passages):
            self.passage_rows.append(
                (self.next_passage, document, row.first, row.last, row.start, row.chars, row.heading, row.words,
                 pack(row.bag))
            )  # fmt: skip
            terms = row.bag if at else {**row.bag, **rows.fields}  # also answers for its memory's head and name
            self.texts.append((self.next_passage, " ".join(terms)))
            self.next_passage += 1
        if len(rows.passages) > 1:
            self.wholes.append((document, pack(rows.whole)))
        self._grow(1, len(rows.passages), rows.words)

    def remove(self, path: str) -> None:
        """Take one memory out, when it is there."""
        run = self.connection.execute
        query = "select id, first_passage, passages, words, fields from documents where path = ?"
        found = run(query, (path,)).fetchone()
        if found is None:
            return
        document, first, count, words, fields = found
        removed: list[tuple[int, str]] = []
        query = "select id, bag from passages where id between ? and ?"
        for at, bag in run(query, (first, first + count - 1)):
            terms = unpack(bag) if at > first else {**unpack(bag), **unpack(fields)}
            self.counts.subtract(terms.keys())
            removed.append((at, " ".join(terms)))
        self.connection.executemany("insert into search(search, rowid, terms) values('delete', ?, ?)", removed)
        run("delete from passages where id between ? and ?", (first, first + count - 1))
        run("delete from wholes where document = ?", (document,))
        run("delete from documents where id = ?", (document,))
        self._grow(-1, -count, -words)

    def undated(self) -> list[str]:
        """Paths of memories that do not say when they were updated and whose commit nobody has looked up."""
        query = "select path from documents where updated = '' and committed is null"
        return [path for (path,) in self.connection.execute(query)]

    def date(self, times: dict[str, int]) -> None:
        """What the history says of memories that do not date themselves."""
        query = "update documents set committed = ? where path = ?"
        self.connection.executemany(query, [(when, path) for path, when in times.items()])

    def folders(self, folders: dict[str, int]) -> None:
        """What a full look found of the folders."""
        self.connection.execute("delete from folders")
        self.connection.executemany("insert into folders values(?, ?)", folders.items())

    def trust_folder(self, folder: str, before: int, now: int) -> None:
        """The folder changed from ``before`` to ``now`` by our own write alone."""
        if before == -1:
            self.connection.execute("insert or ignore into folders values(?, ?)", (folder, now))
        else:
            query = "update folders set mtime_ns = ? where path = ? and mtime_ns = ?"
            self.connection.execute(query, (now, folder, before))

    def settings(self, settings: Settings, config: str) -> None:
        """What the hook needs of the settings, so that it reads no YAML."""
        self.meta["ignore"] = "\n".join(settings.left_out())
        self.meta["candidates"] = settings.candidates
        self.meta["index_file"] = settings.index_file
        self.meta["config"] = config

    def keep_settings(self, settings: Settings, config: str) -> None:
        """The settings file was written; where it says the same to the hook, the index stays in step with it."""
        said = "\n".join(settings.left_out()), settings.candidates, settings.index_file
        if said == tuple(self.meta[key] for key in ("ignore", "candidates", "index_file")):
            self.settings(settings, config)

    def flush(self) -> None:
        """Write what waits and commit."""
        many = self.connection.executemany
        columns = "id, " + ", ".join(DOCUMENT_COLUMNS)
        many(f"insert into documents({columns}) values({_marks(len(DOCUMENT_COLUMNS) + 1)})", self.rows)
        many(f"insert into passages values({_marks(9)})", self.passage_rows)
        many("insert into search(rowid, terms) values(?, ?)", self.texts)
        many("insert into wholes values(?, ?)", self.wholes)
        self._flush_terms()
        many("insert or replace into meta values(?, ?)", self.meta.items())
        self.connection.execute("commit")

    def _flush_terms(self) -> None:
        """Passages by term: counted anew from the full-text table after much was added, else by what changed."""
        run = self.connection.execute
        if len(self.texts) >= COUNT_ANEW_FROM:
            run("create virtual table if not exists temp.vocabulary using fts5vocab(main, search, row)")
            run("delete from terms")
            run(
                "insert into terms select vocabulary.term, doc, coalesce(share, 0.0) from temp.vocabulary"
                " left join background on background.term = vocabulary.term"
            )
            return
        for _, text in self.texts:
            self.counts.update(text.split())
        changed = [(term, count, term) for term, count in self.counts.items() if count]
        self.connection.executemany(
            "insert into terms values(?, ?, coalesce((select share from background where term = ?), 0.0))"
            " on conflict(term) do update set passages = passages + excluded.passages",
            changed,
        )
        dropped = [(term,) for term, count, _ in changed if count < 0]
        self.connection.executemany("delete from terms where term = ? and passages <= 0", dropped)

    def _grow(self, documents: int, passages: int, words: int) -> None:
        meta = self.meta
        meta["documents"] += documents
        meta["document_words"] += words
        meta["passages"] += passages
        meta["passage_words"] += words


class OpenIndex:
    """The index open for writing, for ``with``; made anew when it is missing, damaged or of another version.

    raises: IndexUnusable, StoreUnwritable
    """

    __slots__ = ("_connection", "_path")

    def __init__(self, git_dir: str, wait_s: float = BUSY_S) -> None:
        self._path = search_index(git_dir)
        self._connection = _open(self._path, wait_s)

    def __enter__(self) -> Writer:
        try:
            return Writer(self._connection)
        except sqlite.Error as error:
            self._close(error)
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close(error)

    def _close(self, error: BaseException | None) -> None:
        self._connection.close()
        if not isinstance(error, sqlite.Error):
            return
        if is_damage(error):
            drop_index(self._path)
            raise Damaged(f"the search index {self._path} was damaged and is gone", hint="gitmem refresh") from error
        raise _unusable(error, self._path) from error


def _open(path: str, wait_s: float) -> sqlite.Connection:
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        raise StoreUnwritable(f"{os.path.dirname(path)} cannot be made: {error.strerror}") from error
    if os.path.exists(damage_mark(path)):
        drop_index(path)
    for attempt in (1, 2):
        try:
            connection = sqlite.connect(path, isolation_level=None, timeout=wait_s)
        except sqlite.Error as error:  # a folder stands there, or it may not be read
            raise _unusable(error, path) from error
        try:
            connection.execute("pragma synchronous=off")
            if _is_current(connection):
                return connection
            _create(connection)
        except sqlite.DatabaseError as error:
            connection.close()
            if attempt == 2 or not is_damage(error):
                raise _unusable(error, path) from error
            drop_index(path)
        else:
            return connection
    raise AssertionError


def _is_current(connection: sqlite.Connection) -> bool:
    """Whether the tables are there and ours; raises DatabaseError for those of another version."""
    tables = connection.execute("select count(*) from sqlite_master").fetchone()[0]
    if not tables:
        return False
    found = connection.execute("select value from meta where key = 'version'").fetchone()
    if found != (INDEX_VERSION,):
        raise sqlite.DatabaseError("another version")
    return True


def _create(connection: sqlite.Connection) -> None:
    connection.execute("pragma journal_mode=wal")
    connection.execute("begin immediate")
    if _is_current(connection):  # another process was quicker
        connection.execute("rollback")
        return
    create_tables(connection)
    connection.executemany("insert into background values(?, ?)", load_shares().items())
    connection.execute("commit")


def drop_index(path: str) -> None:
    """Remove the index file and what stands beside it; the next refresh builds it anew."""
    for name in (path, f"{path}-wal", f"{path}-shm", f"{path}-journal", damage_mark(path)):
        try:
            os.unlink(name)
        except FileNotFoundError:
            pass


def is_damage(error: sqlite.Error) -> bool:
    """Whether the file is at fault, and not the disk, a lock or the SQLite at hand."""
    text = str(error)
    return not isinstance(error, sqlite.OperationalError) or "no such table" in text or "no such column" in text


def _unusable(error: sqlite.Error, path: str) -> IndexUnusable:
    text = str(error)
    if "fts5" in text:
        return IndexUnusable(
            "this Python's SQLite has no full-text search (FTS5), so memories cannot be searched",
            hint="use a Python whose sqlite3 has FTS5, such as the one from python.org",
        )
    hint = "gitmem refresh"
    if "full" in text or _is_full(path):  # to SQLite's shared memory a full disk is an I/O error
        text, hint = "no space is left", "free some space, then: gitmem refresh"
    elif "readonly" in text or "unable to open" in text:
        hint = f"ls -ld {typed(os.path.dirname(path))}"
    return IndexUnusable(f"the search index {path} cannot be written: {text}", hint=hint)


def _is_full(path: str) -> bool:
    """Whether the disk has no room for one more file of SQLite's."""
    try:
        disk = os.statvfs(os.path.dirname(path))
    except (AttributeError, OSError):  # Windows has no such call
        return False
    return disk.f_bavail * disk.f_frsize < ROOM_BYTES


def _marks(count: int) -> str:
    return ",".join("?" * count)
