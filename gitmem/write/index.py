"""Keep the search index in step with the worktree: build it, refresh it, take in one write.

Derived: deleted or damaged it is built anew from the files.  Work is committed in batches, so
that a build killed half-way goes on where it stopped, and readers never wait (SQLite's WAL).
"""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from gitmem.errors import GitmemError, IndexUnusable, NoStore
from gitmem.index.background import load_shares
from gitmem.index.bag import pack, spelled_out, unpack
from gitmem.index.read import create_tables, open_index
from gitmem.index.fresh import config_mark, folder_of, is_memory
from gitmem.index.rows import Rows
from gitmem.index.schema import DOCUMENT_COLUMNS, INDEX_VERSION
from gitmem.memory.document import blob_id, read_memory
from gitmem.memory.finding import Finding
from gitmem.store.gitdir import find_git_dir, head
from gitmem.store.ignore import patterns
from gitmem.store.paths import join, search_index
from gitmem.store.settings import Settings, load_settings
from gitmem.store.worktree import list_memories, read_file

BUSY_S = 20.0  # a writer waits this long for another one
BATCH = 5_000  # memories in one transaction of a build
SMALL_STORE = 2_000  # a write builds a missing index of a store up to this size itself

Progress = Callable[[int, int], None]
Stat = tuple[int, int, int]  # size, mtime_ns, ctime_ns


@dataclass(frozen=True, slots=True)
class RefreshReport:
    """What a refresh found.

    memories: in the index now; changed: read anew; gone: no longer there
    skipped:  files that are no memories although they look like it, a finding each
    """

    memories: int
    changed: int
    gone: int
    skipped: list[Finding] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Mark:
    """How things stood before a write, so that the index knows it saw everything else.

    head:    commit id; folders: folder -> mtime_ns of the folders the write touches
    """

    head: str
    folders: dict[str, int]


def mark(root: str, paths: Iterable[str]) -> Mark:
    """Taken before ``paths`` are written, given to ``update_index`` afterwards."""
    git = find_git_dir(root)
    return Mark(head(git)[1] if git else "", {folder: _mtime(root, folder) for folder in map(folder_of, paths)})


def update_index(root: str, paths: Sequence[str], before: Mark | None = None) -> None:
    """Take ``paths`` into the index as they stand in the worktree; what is gone leaves it.

    before: how things stood before these paths were written.  Without it the index does not trust that
            nothing else changed in the meantime, and the next prompt looks through the folders again
    raises: IndexUnusable
    """
    git_dir = _git_dir(root)
    if not os.path.exists(search_index(git_dir)):
        if len(list_memories(root).entries) <= SMALL_STORE:
            refresh(root)
        return
    with _writer(git_dir) as writer:
        ignore = patterns(writer.meta["ignore"].split("\n") if writer.meta.get("ignore") else [])
        for path in paths:
            writer.remove(path)
            if is_memory(path, ignore):
                _take(writer, root, path, None)
        if before is not None:
            for folder, mtime_ns in before.folders.items():
                writer.trust_folder(folder, mtime_ns, _mtime(root, folder))
            git = find_git_dir(root)
            if git and before.head == writer.meta.get("head"):
                writer.meta["head"] = head(git)[1]
        writer.flush()


def refresh(root: str, progress: Progress | None = None) -> RefreshReport:
    """Bring the index up to date with every file of the worktree.

    progress: called with (done, total) memories looked at
    raises:   NoStore, IndexUnusable
    """
    git_dir = _git_dir(root)
    git = find_git_dir(root)
    settings = load_settings(root)
    config = config_mark(root)
    at_head = head(git)[1] if git else ""
    listing = list_memories(root, settings.left_out())
    changed = 0
    skipped = list(listing.skipped)
    with _writer(git_dir) as writer:
        old = writer.stats()
        gone = set(old) - {entry.path for entry in listing.entries}
        for path in sorted(gone):
            writer.remove(path)
        for done, entry in enumerate(listing.entries):
            before = old.get(entry.path)
            stat = (entry.size, entry.mtime_ns, _ctime(root, entry.path))
            if before is None or before[1] != stat:
                finding = _take(writer, root, entry.path, before, stat)
                skipped += [finding] if finding else []
                changed += 1
            if done % BATCH == BATCH - 1:
                writer.flush()
                writer.begin()
            if progress is not None and done % 64 == 0:
                progress(done, len(listing.entries))
        writer.folders(listing.folders)
        writer.settings(settings, config)
        writer.meta["head"] = at_head
        writer.meta["complete"] = 1
        writer.flush()
        memories = writer.meta["documents"]
    if progress is not None:
        progress(len(listing.entries), len(listing.entries))
    return RefreshReport(memories, changed, len(gone), skipped)


def ready_index(root: str, progress: Progress | None = None) -> None:
    """Build the index when it is missing, damaged or of another version; otherwise do nothing."""
    index = open_index(_git_dir(root))
    if index is None:
        refresh(root, progress)
    else:
        index.close()


def _take(
    writer: _Writer, root: str, path: str, before: tuple[int, Stat, str] | None, stat: Stat | None = None
) -> Finding | None:
    """Read one file and put it in place of what the index holds of it; a finding when it cannot be read."""
    try:
        if stat is None:
            state = os.stat(join(root, path), follow_symlinks=False)
            stat = (state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        data = read_file(root, path)
    except (OSError, GitmemError) as error:
        if before is not None:
            writer.remove(path)
        return Finding("unreadable", path, 0, str(error))
    if before is not None:
        if before[2] == blob_id(data):
            writer.touch(before[0], stat)
            return None
        writer.remove(path)
    writer.put(Rows(read_memory(path, data)), stat)
    return None


class _Writer:
    """One connection that changes the index, with the rows that wait to be written."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.shares: dict[str, float] | None = None
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
        (last,) = self.connection.execute(f"select max(id) from {table}").fetchone()
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
            terms = row.bag if at else _joined(row.bag, rows.fields)
            self.counts.update(terms.keys())
            self.texts.append((self.next_passage, spelled_out(terms)))
            self.next_passage += 1
        if len(rows.passages) > 1:
            self.wholes.append((document, pack(rows.whole)))
        self._total(1, len(rows.passages), rows.words)

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
            terms = unpack(bag) if at > first else _joined(unpack(bag), unpack(fields))
            self.counts.subtract(terms.keys())
            removed.append((at, spelled_out(terms)))
        self.connection.executemany("insert into search(search, rowid, terms) values('delete', ?, ?)", removed)
        run("delete from passages where id between ? and ?", (first, first + count - 1))
        run("delete from wholes where document = ?", (document,))
        run("delete from documents where id = ?", (document,))
        self._total(-1, -count, -words)

    def folders(self, folders: dict[str, int]) -> None:
        """What a full look found of the folders."""
        self.connection.execute("delete from folders")
        self.connection.executemany("insert into folders values(?, ?)", folders.items())

    def trust_folder(self, folder: str, before: int, now: int) -> None:
        """The folder changed from ``before`` to ``now`` by our own write alone."""
        query = "update folders set mtime_ns = ? where path = ? and mtime_ns = ?"
        self.connection.execute(query, (now, folder, before))

    def settings(self, settings: Settings, config: str) -> None:
        """What the hook needs of the settings, so that it reads no YAML."""
        self.meta["ignore"] = "\n".join(settings.left_out())
        self.meta["candidates"] = settings.candidates
        self.meta["config"] = config

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
        if self.shares is None and self.counts:
            self.shares = load_shares()
        shares = self.shares or {}
        query = (
            "insert into terms values(?, ?, ?) on conflict(term) do update set passages = passages + excluded.passages"
        )
        rows = [(term, count, shares.get(term, 0.0)) for term, count in sorted(self.counts.items()) if count]
        self.connection.executemany(query, rows)
        if any(count < 0 for _, count, _ in rows):
            dropped = [(term,) for term, count, _ in rows if count < 0]
            self.connection.executemany("delete from terms where term = ? and passages <= 0", dropped)

    def _total(self, documents: int, passages: int, words: int) -> None:
        meta = self.meta
        meta["documents"] += documents
        meta["document_words"] += words
        meta["passages"] += passages
        meta["passage_words"] += words


def _joined(bag: dict[str, int], fields: dict[str, int]) -> dict[str, int]:
    """A first passage also answers for its memory's head and name."""
    joined = dict(bag)
    for term, halves in fields.items():
        joined[term] = joined.get(term, 0) + halves
    return joined


@contextmanager
def _writer(git_dir: str) -> Iterator[_Writer]:
    """The index open for writing; made anew when it is missing, damaged or of another version."""
    path = search_index(git_dir)
    connection = _open(path)
    try:
        yield _Writer(connection)
    except sqlite3.Error as error:
        raise _unusable(error, path) from error
    finally:
        connection.close()


def _open(path: str) -> sqlite3.Connection:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    for attempt in (1, 2):
        connection = sqlite3.connect(path, isolation_level=None, timeout=BUSY_S)
        try:
            connection.execute("pragma synchronous=off")
            if _is_current(connection):
                return connection
            _create(connection)
        except sqlite3.DatabaseError as error:
            connection.close()
            if attempt == 2 or not _is_damage(error):
                raise _unusable(error, path) from error
            _drop(path)
        else:
            return connection
    raise AssertionError


def _is_current(connection: sqlite3.Connection) -> bool:
    """Whether the tables are there and ours; raises DatabaseError for those of another version."""
    tables = connection.execute("select count(*) from sqlite_master").fetchone()[0]
    if not tables:
        return False
    found = connection.execute("select value from meta where key = 'version'").fetchone()
    if found != (INDEX_VERSION,):
        raise sqlite3.DatabaseError("another version")
    return True


def _create(connection: sqlite3.Connection) -> None:
    connection.execute("pragma journal_mode=wal")
    connection.execute("begin immediate")
    if _is_current(connection):  # another process was quicker
        connection.execute("rollback")
        return
    create_tables(connection)
    connection.execute("commit")


def _drop(path: str) -> None:
    for end in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + end)
        except FileNotFoundError:
            pass


def _is_damage(error: sqlite3.Error) -> bool:
    text = str(error)
    return not isinstance(error, sqlite3.OperationalError) or "no such table" in text or "no such column" in text


def _unusable(error: sqlite3.Error, path: str) -> IndexUnusable:
    text = str(error)
    if "fts5" in text:
        return IndexUnusable(
            "this Python's SQLite has no full-text search (FTS5), so memories cannot be searched",
            hint="use a Python whose sqlite3 has FTS5, such as the one from python.org",
        )
    return IndexUnusable(f"the search index {path} cannot be written: {text}", hint="gitmem refresh")


def _git_dir(root: str) -> str:
    git = find_git_dir(root)
    if git is None:
        raise NoStore(f"{root} is no store", hint=f"gitmem init {root}")
    return git.path


def _mtime(root: str, folder: str) -> int:
    try:
        return os.stat(join(root, folder) if folder else root).st_mtime_ns
    except OSError:
        return -1


def _ctime(root: str, path: str) -> int:
    """0 for a file that is gone by now: reading it will say so."""
    try:
        return os.stat(join(root, path), follow_symlinks=False).st_ctime_ns
    except OSError:
        return 0


def _marks(count: int) -> str:
    return ",".join("?" * count)
