"""One way through history for every question about one file, whatever the commits are read from.

As ``git log --full-history --simplify-merges -- PATH`` goes, and on across renames: every commit that changed the file
is there, on whatever branch; of the merges those that decided something, and none that only carries what one branch
did.  So a text that lost, as when a conflict was resolved, is not lost from sight.
"""

from __future__ import annotations

from heapq import heappop, heappush

from gitmem.history.trail_tree import revision_of
from gitmem.history.tree import decode
from gitmem.store.paths import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    class Source(Protocol):
        """What holds the commits.  A place is a commit, named as the source likes."""

        def place(self, commit: str) -> Place | None:
            """Where a commit stands, None when the source does not hold it."""

        def touch(self, place: Place, path: bytes) -> Touch | None:
            """The last commit, from ``place`` on along first parents, that changed ``path``."""

        def step(self, place: Place, path: bytes) -> Touch | None:
            """The last one that changed ``path``, or joined branches; of a join ``before`` may be left open."""

        def complete(self, touch: Touch) -> None:
            """Say who made a join, and when."""

        def is_straight(self, place: Place, path: bytes) -> bool:
            """Whether all that happened to ``path`` lies on first parents from ``place`` on."""

        def old_path(self, touch: Touch, at: int) -> bytes | None:
            """What the file of ``touch`` was called in the parent at that place, when the commit moved it.

            b"" when it is new, and the commit moved away another one that had its path; None when it did neither.
            """

        def new_path(self, touch: Touch) -> bytes | None:
            """What the file that ``touch`` removed, or put another one in place of, is called since then, when the
            commit moved it.
            """


Place = int | str


class Touch:
    """A commit that changed a file.

    before:  state in each parent, trail_tree.state; () for a root
    after:   state in this commit
    parents: places of the parents; a parent that a shallow clone left out is none
    order:   a child's is greater than its parents' (from the plain commits: than most of them)
    was:     path in the first parent that had it under another name, b"" when nothing moved
    """

    __slots__ = ("after", "author", "before", "commit", "email", "message", "order", "parents", "path", "was", "when")

    def __init__(self, commit: str, path: bytes, when: int, author: str, email: str, message: str) -> None:
        self.commit, self.path, self.when = commit, path, when
        self.author, self.email, self.message = author, email, message
        self.order = 0
        self.after = self.was = b""
        self.before: tuple[bytes, ...] = ()
        self.parents: tuple[Place, ...] = ()

    @property
    def revision(self) -> str:
        """Blob id after the commit, "" when it removed the file."""
        return revision_of(self.after)

    @property
    def move(self) -> str:
        """archive, restore or rename; "" when the file stayed where it was."""
        return kind_of(decode(self.was), decode(self.path)) if self.was else ""


class Node:
    """A commit that is shown, and those that are shown next below it.

    number: greater than those of all its parents
    """

    __slots__ = ("number", "parents", "touch")

    def __init__(self, touch: Touch, parents: Sequence[Node], number: int) -> None:
        self.touch, self.parents, self.number = touch, parents, number

    def leads_to(self, later: Node) -> bool:
        """Whether this is ``later``, or among what came before it."""
        waiting, seen = [later], {later.number}
        while waiting:
            node = waiting.pop()
            if node is self:
                return True
            for parent in node.parents:
                if parent.number >= self.number and parent.number not in seen:
                    seen.add(parent.number)
                    waiting.append(parent)
        return False


def walk(source: Source, place: Place, path: bytes) -> Iterator[Touch]:
    """Every commit that changed the memory at ``path``, the newest first, under each name it had."""
    while source.is_straight(place, path):  # the usual case costs as much as is asked for
        touch = source.touch(place, path)
        if touch is None:
            return
        routes = names_before(source, touch)
        yield touch
        if not routes:
            return
        place, path = routes[0]
    top = _Graph(source).top(place, path)
    yield from _newest_first(top) if top is not None else ()


def _newest_first(top: Node) -> Iterator[Touch]:
    """``top`` and all that came before it, none before what came after it: as ``git log --date-order``."""
    later = {top.number: 0}
    found = [top]
    for node in found:
        for parent in node.parents:
            if parent.number not in later:
                later[parent.number] = 0
                found.append(parent)
            later[parent.number] += 1
    ready = [(-top.touch.when, -top.number, top)]
    while ready:
        _, _, node = heappop(ready)
        yield node.touch
        for parent in node.parents:
            later[parent.number] -= 1
            if not later[parent.number]:
                heappush(ready, (-parent.touch.when, -parent.number, parent))


class _Graph:
    """The commits that are shown, from the oldest to the one that is asked for."""

    __slots__ = ("nodes", "source", "tops")

    def __init__(self, source: Source) -> None:
        self.source = source
        self.nodes: dict[tuple[str | int, bytes], Node | None] = {}
        self.tops: dict[tuple[Place, bytes], Node | None] = {}

    def top(self, place: Place, path: bytes) -> Node | None:
        """The newest shown commit from ``place`` on; its file is what ``place`` has at ``path``."""
        waiting = [(place, path)]
        while waiting:
            here = waiting[-1]
            touch = self.source.step(*here)
            key = (touch.commit or touch.order, here[1]) if touch is not None else ("", b"")
            if touch is not None and key not in self.nodes:
                routes = names_before(self.source, touch)
                if missing := [route for route in routes if route not in self.tops]:
                    waiting.extend(missing)
                    continue
                self.nodes[key] = self._settled(touch, routes)
            self.tops[here] = self.nodes[key] if touch is not None else None
            waiting.pop()
        return self.tops[place, path]

    def _settled(self, touch: Touch, routes: Sequence[tuple[Place, bytes]]) -> Node | None:
        """The commit itself; of a merge that only carries what one parent has, what that parent shows."""
        tops = [self.tops[route] for route in routes]
        every = [node for node in dict.fromkeys(tops) if node is not None]
        left = [node for node in every if not any(node is not other and node.leads_to(other) for other in every)]
        if len(touch.parents) > 1:
            if not touch.before:
                states = [node.touch.after if node is not None else b"" for node in tops]
                touch.after = states[0]
                same = [name == touch.path for _, name in routes]
                touch.before = tuple(state if here else b"" for state, here in zip(states, same, strict=True))
            carried = [node for node, was in zip(tops, touch.before, strict=True) if was == touch.after]
            only = left[0] if left else None
            if len(left) < 2 and only in carried:
                return only
        if not touch.commit:
            self.source.complete(touch)
        return Node(touch, left, len(self.nodes) + 1)


def routes_of(source: Source, touch: Touch) -> list[tuple[Place, bytes]]:
    """Where the file's lines come from, as ``git blame`` goes: at a merge that has what one parent has, there only."""
    if is_taken_over(touch):
        at = touch.before.index(touch.after)
        return [(touch.parents[at], touch.path)]
    return names_before(source, touch)


def names_before(source: Source, touch: Touch) -> list[tuple[Place, bytes]]:
    """Every parent, and the file's name there; sets ``touch.was``."""
    routes = []
    for at, parent in enumerate(touch.parents):
        came = touch.after and touch.before[at] != touch.after if touch.before else at > 0
        old = source.old_path(touch, at) if came else None
        touch.was = touch.was or old or b""
        routes.append((parent, touch.path if old is None else old))
    return routes


def is_taken_over(touch: Touch) -> bool:
    """Whether a merge has the file exactly as one of its parents."""
    return touch.after in touch.before


def kind_of(old: str, new: str) -> str:
    """What a move is to people: archive, restore or rename."""
    before, after = old.startswith(f"{ARCHIVE}/"), new.startswith(f"{ARCHIVE}/")
    return "rename" if before == after else "archive" if after else "restore"
