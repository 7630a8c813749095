"""The tables of the history index, and how it is opened.

Derived: one that is damaged or of another version is removed and filled anew from git, never migrated.  Not in
SQLite's WAL: most questions only read, and a WAL's files would be made and removed around each.
"""

from __future__ import annotations

import os

from gitmem.history.objects import remove
from gitmem.index import sqlite
from gitmem.store.paths import history_index

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.index.sqlite import Connection
    from gitmem.store.gitdir import GitDir

VERSION = 3  # raised with every change of TABLES, or of what renames.py and trail_tree.py find
BUSY_S = 2.0  # a reader waits this long for another process that fills the index, then walks the commits itself

# commits.n: a commit's number, greater than those of all its parents
# commits.chain: number of the first commit of a run of first parents; n says where in it a commit stands, so that
#   "the last change of a path before this commit" is one look into ``changes``
# commits.parents: numbers, parted by blanks; "" for a root and where a shallow clone ends
# changes: files that differ from the first parent; before, after: trail_tree.state
# merged: what the other parents of a merge (place 1, 2 ...) have of the files in ``changes``
# moves: path had another name in the parent at that place; one that is there as ``old`` alone, and not gone, is new
# runs: the commit that a chain grew from, and its chain; 0 where it begins with a root
# joins: a further parent of a merge, at that place, and the chain of it
# undoes: a commit that takes back (or, as redo, gives back) the commit named
TABLES = """
create table commits(
  n integer primary key, name blob not null unique, chain integer not null, parents text not null,
  "when" integer not null, author text not null, email text not null, message text not null);
create index commits_chain on commits(chain, n);
create index commits_merges on commits(chain, n, parents) where instr(parents, ' ');
create table paths(id integer primary key, path blob not null unique, stem blob not null);
create index paths_stem on paths(stem);
create table changes(
  path integer not null, chain integer not null, n integer not null, before blob not null, after blob not null,
  primary key(path, chain, n)) without rowid;
create index changes_commit on changes(n, path);
create table merged(
  n integer not null, path integer not null, place integer not null, state blob not null,
  primary key(n, path, place)) without rowid;
create table moves(
  n integer not null, place integer not null, path integer not null, old integer not null,
  primary key(n, place, path)) without rowid;
create index moves_old on moves(old, n);
create index moves_path on moves(path, place, n);
create table runs(chain integer primary key, base integer not null, below integer not null);
create table joins(
  n integer not null, place integer not null, chain integer not null, parent integer not null, side integer not null,
  primary key(n, place)) without rowid;
create table undoes(n integer not null, name blob not null);
create table meta(key text primary key, value) without rowid
"""


def open_db(git: GitDir) -> Connection:
    """The history index of a repository, made empty where there is none that can be used.

    On a disk that cannot be written the file is read as it lies.
    raises: sqlite.Error, OSError when there is none and none can be made
    """
    path = history_index(git.common)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return _opened(path)
    except sqlite.OperationalError:
        if os.access(os.path.dirname(path), os.W_OK):
            raise
        return _lying(path)
    except (sqlite.DatabaseError, _OtherVersion):
        drop_db(git)
        return _opened(path)


def drop_db(git: GitDir) -> None:
    """Remove the history index, as after history was rewritten to lose a text; the next question fills it anew."""
    path = history_index(git.common)
    for end in ("", "-journal"):
        remove(path + end)


class _OtherVersion(Exception):
    """The file is of another VERSION, or holds something else."""


def _opened(path: str) -> Connection:
    connection = sqlite.connect(path, isolation_level=None, timeout=BUSY_S)
    try:
        if not _version(connection):
            connection.execute("begin immediate")
            if not _version(connection):  # nobody was faster
                for statement in TABLES.split(";\n"):
                    connection.execute(statement)
                connection.execute(f"pragma user_version = {VERSION}")
            connection.execute("commit")
    except BaseException:
        connection.close()
        raise
    return connection


def _version(connection: Connection) -> bool:
    """Whether the tables are there; False for an empty file."""
    (version,) = connection.execute("pragma user_version").fetchone()
    if version == VERSION:
        return True
    if version or connection.execute("select count(*) from sqlite_master").fetchone()[0]:
        raise _OtherVersion
    return False


def _lying(path: str) -> Connection:
    """The file read only; raises sqlite.Error, also when it is of another version."""
    safe = os.path.abspath(path).replace("\\", "/")
    for sign in "%?#":
        safe = safe.replace(sign, f"%{ord(sign):02x}")
    address = f"file:{safe if safe.startswith('/') else '/' + safe}?mode=ro&immutable=1"
    connection = sqlite.connect(address, uri=True, isolation_level=None)
    try:
        if _version(connection):
            return connection
    except _OtherVersion:
        pass
    except BaseException:
        connection.close()
        raise
    connection.close()
    raise sqlite.OperationalError("no history index that can be read")
