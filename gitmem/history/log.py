"""The revisions of one memory, and how two texts differ."""

from __future__ import annotations

import os
from difflib import unified_diff

from gitmem.history.commit import Commit
from gitmem.history.message import parse_message
from gitmem.history.objects import NO_ID, object_id
from gitmem.history.repo import Repo
from gitmem.history.tree import encode, entry_of, is_folder

BINARY_LOOK = 8000  # bytes in which git looks for a NUL before it calls a file binary
CONTEXT = 3  # lines around a change, as git shows them
QUOTED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


class Revision:
    """One commit that changed a memory.

    revision: blob id after it, "" when the memory was removed
    when:     committer's time, UTC unix seconds
    trailers: ``Gitmem-Op`` and the like; empty for a person's own commit
    """

    __slots__ = ("author", "commit", "email", "reason", "revision", "subject", "trailers", "when")

    def __init__(self, commit: Commit, revision: str) -> None:
        self.commit, self.revision, self.when = commit.id, revision, commit.when
        self.author, self.email = commit.author.name, commit.author.email
        self.subject, self.reason, self.trailers = parse_message(commit.message)


def revisions(repo: Repo, path: str, max_count: int | None = None) -> list[Revision]:
    """Every commit that changed ``path``, newest first.

    Walks first parents and compares blob ids.  Where a merge brought the memory's present text from another branch,
    the walk follows that branch, as ``git log -- PATH`` does.
    """
    found: list[Revision] = []
    name, looks = repo.head()[1], _Looks(repo, path)
    borders = shallow(repo)
    while name and (max_count is None or len(found) < max_count):
        commit = repo.commit(name)
        blob = looks.blob(commit.tree)
        parents: tuple[str, ...] = () if name in borders else commit.parents
        blobs = [looks.blob(repo.commit(parent).tree) for parent in parents]
        if blob not in (blobs or [""]):
            found.append(Revision(commit, blob))
        name = parents[blobs.index(blob) if blob in blobs else 0] if parents else ""
    return found


def shallow(repo: Repo) -> frozenset[str]:
    """Commits whose parents a shallow clone left out."""
    try:
        with open(os.path.join(repo.git.common, "shallow"), encoding="ascii", errors="replace") as file:
            return frozenset(file.read().split())
    except FileNotFoundError:
        return frozenset()


class _Looks:
    """Blob of one path under many trees; a folder's tree seen before is not read again."""

    def __init__(self, repo: Repo, path: str) -> None:
        self.objects, self.parts = repo.objects, encode(path).split(b"/")
        self.known: dict[tuple[int, str], str] = {}

    def blob(self, tree: str, depth: int = 0) -> str:
        key = (depth, tree)
        if key not in self.known:
            entry = entry_of(self.objects.read(tree, "tree"), self.parts[depth])
            if entry is None:
                self.known[key] = ""
            elif depth + 1 == len(self.parts):
                self.known[key] = "" if is_folder(entry[0]) else entry[1].hex()
            else:
                self.known[key] = self.blob(entry[1].hex(), depth + 1) if is_folder(entry[0]) else ""
        return self.known[key]


def text_diff(old: bytes | None, new: bytes | None, path: str) -> str:
    """The difference of two versions of ``path`` as git prints it; "" when there is none, None is no file."""
    if old == new:
        return ""
    before, after = _quoted("a/" + path), _quoted("b/" + path)
    lines = [f"diff --git {before} {after}\n"]
    if old is None:
        lines.append("new file mode 100644\n")
    elif new is None:
        lines.append("deleted file mode 100644\n")
    ids = [object_id("blob", data)[:7] if data is not None else NO_ID[:7] for data in (old, new)]
    lines.append(f"index {ids[0]}..{ids[1]}" + (" 100644\n" if old is not None and new is not None else "\n"))
    names = ("/dev/null" if old is None else before, "/dev/null" if new is None else after)
    if b"\0" in (old or b"")[:BINARY_LOOK] or b"\0" in (new or b"")[:BINARY_LOOK]:
        return "".join(lines) + f"Binary files {names[0]} and {names[1]} differ\n"
    for line in unified_diff(_lines(old), _lines(new), names[0], names[1], n=CONTEXT):
        lines.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(lines)


def _lines(data: bytes | None) -> list[str]:
    """Lines ended by LF only, as git counts them."""
    if not data:
        return []
    parts = data.decode("utf-8", "replace").split("\n")
    ended = [part + "\n" for part in parts[:-1]]
    return [*ended, parts[-1]] if parts[-1] else ended


def _quoted(path: str) -> str:
    """A name with a quote, backslash or control character in it is quoted, as git quotes it."""
    if all(mark.isprintable() and mark not in '"\\' for mark in path):
        return path
    out = "".join(QUOTED.get(mark, mark if mark.isprintable() else f"\\{ord(mark):03o}") for mark in path)
    return f'"{out}"'
