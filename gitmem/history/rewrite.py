"""Rewrite commits as if a memory had never been: permanent removal from history (``gitmem purge``).

Every commit, tree and tag that did not hold it keeps its id.  A commit that did keeps its dates, people, message and
encoding; signatures go, since they would no longer fit, and of gitmem's own messages about the memory its words go
with it.  Commits that change nothing any more stay, so that every operation keeps its place.
"""

from __future__ import annotations

import re

from gitmem.history.message import MARK, parse_message
from gitmem.history.message import message as commit_message
from gitmem.history.rewrite_trees import ID_BYTES, place
from gitmem.history.tree import is_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.history.repo import Repo
    from gitmem.history.rewrite_past import Forget, Past

FLUSH_BYTES = 64 * 1024 * 1024  # of new objects held in memory before they become a pack
UNFIT = (b"gpgsig", b"gpgsig-sha256", b"mergetag")  # headers that vouch for what a commit was
TRAILER = re.compile(rb"^Gitmem-[A-Za-z-]+: .*$", re.MULTILINE)
WHOLE_ID = re.compile(rb"\b[0-9a-f]{40}\b")
SIGNATURE = re.compile(rb"^-----BEGIN (?:PGP|SSH) SIGNATURE-----|^-----BEGIN SIGNED MESSAGE-----", re.MULTILINE)
NO_PATHS: frozenset[str] = frozenset()


class Node:
    """One name on the way to what is forgotten: the blobs that go from there, and the names below it."""

    __slots__ = ("below", "blobs")

    def __init__(self) -> None:
        self.blobs: set[bytes] = set()
        self.below: dict[bytes, Node] = {}


class Rewrite:
    """New commits for old ones; objects are added to the repository's and packed as they become many.

    forget:  path -> blobs that go
    lists:   names of the list of memories, at the top of the store
    unlist:  gives a list's bytes without the entries of some paths
    commits: old id -> new id of every commit that changed
    """

    def __init__(
        self, repo: Repo, forget: Forget, lists: Sequence[str], unlist: Callable[[bytes, frozenset[str]], bytes]
    ) -> None:
        self.repo, self.objects, self._unlist = repo, repo.objects, unlist
        self.commits: dict[str, str] = {}
        self._lists = [name.encode("utf-8", "surrogateescape") for name in lists]
        self._paths = {path: path.decode("utf-8", "surrogateescape") for path in forget}
        self._top = Node()
        for path, blobs in forget.items():
            node = self._top
            for name in path.split(b"/"):
                node = node.below.setdefault(name, Node())
            node.blobs = blobs
        self._trees: dict[tuple[bytes, str], tuple[str, frozenset[str]]] = {}
        self._roots: dict[str, str] = {}
        self._texts: dict[tuple[str, frozenset[str]], str] = {}
        self._held = 0

    def run(self, past: Past, progress: Callable[[int, int], None] | None = None) -> None:
        """Rewrite every commit of ``past`` that holds what is forgotten, and every one after it.

        progress: called with the number of commits done, and of all
        """
        for number, name in enumerate(past.order, 1):
            tree = self.tree(past.trees[name])
            parents = [self.commits.get(parent, parent) for parent in past.parents[name]]
            if tree != past.trees[name] or tuple(parents) != past.parents[name]:
                self.commits[name] = self._add("commit", self._commit(name, tree, parents))
            if progress is not None and not number % 100:
                progress(number, len(past.order))

    def ref(self, name: str) -> str:
        """The id that a ref which named ``name`` names now: a commit's, or that of a tag rewritten with it."""
        kind, raw = self.objects.read_any(name)
        if kind == "commit":
            return self.commits.get(name, name)
        if kind == "tree":
            return self.tree(name)
        if kind != "tag":
            return name
        target = raw[7:47].decode("latin-1")
        new = self.ref(target)
        return name if new == target else self._add("tag", _retagged(raw, new))

    def tree(self, root: str) -> str:
        """The tree ``root`` without what is forgotten; the list of memories loses its lines."""
        if root not in self._roots:
            new, others = self._cut(root, b"", self._top)
            named = frozenset(self._paths.values()) - others  # another memory of that name keeps its line
            self._roots[root] = self._relisted(new or self._add("tree", b""), named)
        return self._roots[root]

    def _cut(self, tree: str, folder: bytes, node: Node) -> tuple[str, frozenset[str]]:
        """A folder's tree without what goes, "" when nothing is left; the paths at which something else stands."""
        key = (folder, tree)
        if key in self._trees:
            return self._trees[key]
        raw = before = self.objects.read(tree, "tree")
        others = NO_PATHS
        for name, below in node.below.items():
            found = place(raw, name)
            if found is None:
                continue
            start, end = found
            mode, blob = raw[start : raw.index(b" ", start)], raw[end - ID_BYTES : end]
            if is_folder(mode):
                new, its_others = self._cut(blob.hex(), folder + name + b"/", below)
                others |= its_others
                raw = raw[:start] + (raw[start : end - ID_BYTES] + bytes.fromhex(new) if new else b"") + raw[end:]
            elif blob in below.blobs:
                raw = raw[:start] + raw[end:]
            elif below.blobs:
                others |= {self._paths[folder + name]}
        new = tree if raw == before else self._add("tree", raw) if raw else ""
        self._trees[key] = new, others
        return self._trees[key]

    def _relisted(self, root: str, paths: frozenset[str]) -> str:
        raw = before = self.objects.read(root, "tree")
        for name in self._lists:
            found = place(raw, name)
            if found is None or not raw.startswith(b"100", found[0]):  # a link or a folder is no list
                continue
            end = found[1]
            new = bytes.fromhex(self._list(raw[end - ID_BYTES : end].hex(), paths))
            raw = raw[: end - ID_BYTES] + new + raw[end:]
        return root if raw == before else self._add("tree", raw)

    def _list(self, blob: str, paths: frozenset[str]) -> str:
        key = (blob, paths)
        if key not in self._texts:
            data = self.objects.read(blob, "blob")
            new = self._unlist(data, paths)
            self._texts[key] = blob if new == data else self._add("blob", new)
        return self._texts[key]

    def _commit(self, name: str, tree: str, parents: Sequence[str]) -> bytes:
        """The bytes of a commit with another tree and other parents; ids of rewritten commits in trailers follow."""
        head, _, message = self.objects.read(name, "commit").partition(b"\n\n")
        lines = [b"tree " + tree.encode(), *(b"parent " + parent.encode() for parent in parents)]
        is_kept = False
        for line in head.split(b"\n"):
            if not line.startswith(b" "):  # else it goes on with the header above
                is_kept = line.partition(b" ")[0] not in (b"tree", b"parent", *UNFIT)
            if is_kept:
                lines.append(line)
        return b"\n".join(lines) + b"\n\n" + TRAILER.sub(lambda found: self._renamed(found[0]), self._said(message))

    def _said(self, message: bytes) -> bytes:
        """What a commit says, without the words of the memory: gitmem puts its title and a reason there."""
        if b"Gitmem-Memory: " not in message:
            return message
        _, _, trailers = parse_message(message.decode("utf-8", "surrogateescape"))
        path, operation = trailers.get(f"{MARK}Memory", ""), trailers.get(f"{MARK}Op", "")
        if path not in self._paths.values() or operation in ("", "purge"):
            return message
        name = path.rpartition("/")[2].removesuffix(".md")
        kept = {key.removeprefix(MARK): value for key, value in trailers.items()}
        return commit_message(operation, name, "", kept).encode("utf-8", "surrogateescape")

    def _renamed(self, line: bytes) -> bytes:
        return WHOLE_ID.sub(lambda found: self.commits.get(found[0].decode(), found[0].decode()).encode(), line)

    def _add(self, kind: str, data: bytes) -> str:
        self._held += len(data)
        name = self.objects.add(kind, data)
        if self._held > FLUSH_BYTES:
            self.objects.pack()
            self._held = 0
        return name


def _retagged(raw: bytes, target: str) -> bytes:
    """An annotated tag that names ``target``; its signature would no longer fit and goes."""
    head, _, message = raw.partition(b"\n\n")
    lines = [line for line in head.split(b"\n")[1:] if not line.startswith((b" ", b"gpgsig"))]
    found = SIGNATURE.search(message)
    kept = message[: found.start()] if found else message
    return b"\n".join([b"object " + target.encode(), *lines]) + b"\n\n" + kept
