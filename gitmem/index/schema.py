"""The tables of the search index.

The index is derived: one of another INDEX_VERSION (limits.py), or a damaged one, is built anew,
never migrated.  Read by index/read.py, written by write/index.py alone.
Hot: constants only.
"""

from __future__ import annotations

from gitmem.limits import BACKGROUND_PASSAGES, INDEX_VERSION
from gitmem.store.paths import INDEX_FILE

# documents.first_passage .. first_passage + passages - 1 are the ids of a memory's passages.
# size, mtime_ns, ctime_ns: the file when it was read; revision: git blob id of its bytes.
# committed: unix seconds of the last commit that touched the file, null when nobody asked yet.
# search: which passages hold a term, each term once, and no more: counts are in the bags, ranking is ours.
# background: index/background.py; terms.share is its share.
# fields: bag of name, description, tags, aliases, file name (index/bag.py); words: of the body.
TABLES = """
create table documents(
  id integer primary key, path text not null unique, revision text not null,
  size integer not null, mtime_ns integer not null, ctime_ns integer not null,
  name text not null, description text not null, tags text not null, aliases text not null,
  updated text not null, committed integer, type text not null, kind text not null, trust text not null,
  importance real not null, pinned integer not null, muted integer not null, expires text not null,
  superseded_by text not null, memory_id text not null,
  baseline integer not null, baseline_priority real not null, seed integer not null, triggers text not null,
  first_passage integer not null, passages integer not null, words integer not null, fields text not null);
create index documents_touched on documents(mtime_ns, size, path);
create index documents_baseline on documents(baseline_priority) where baseline;
create table wholes(document integer primary key, bag text not null);
create table passages(
  id integer primary key, document integer not null, first integer not null, last integer not null,
  start integer not null, chars integer not null, heading text not null, words integer not null, bag text not null);
create virtual table search using fts5(
  terms, content='', detail=none, columnsize=0, tokenize="ascii tokenchars '_.-/:+#@'");
create table terms(term text primary key, passages integer not null, share real not null) without rowid;
create table background(term text primary key, share real not null) without rowid;
create table folders(path text primary key, mtime_ns integer not null) without rowid;
create table meta(key text primary key, value) without rowid;
"""

# What ``meta`` holds before the first memory; see read.Index.
# dated_at: the commit whose history was last asked for the dates of memories that have none.
START: dict[str, int | str] = {
    "version": INDEX_VERSION, "passages": 0, "passage_words": 0, "documents": 0, "document_words": 0,
    "background": BACKGROUND_PASSAGES, "head": "", "ignore": "", "config": "", "candidates": "label", "complete": 0,
    "dated_at": "", "index_file": INDEX_FILE,
}  # fmt: skip

DOCUMENT_COLUMNS = """
  path revision size mtime_ns ctime_ns name description tags aliases updated type kind trust importance pinned
  muted expires superseded_by memory_id baseline baseline_priority seed triggers first_passage passages words fields
""".split()  # noqa: SIM905 - the columns of ``documents`` in the order of rows.Rows.document
