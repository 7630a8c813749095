"""History read from the commits themselves, where there is no history index: right, and slow."""

from __future__ import annotations

from gitmem.history.log import shallow
from gitmem.history.renames import moves
from gitmem.history.trail_tree import TreeDiffs, state
from gitmem.history.trail_walk import Touch
from gitmem.history.tree import entry_of, is_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.objects import Objects
    from gitmem.history.repo import Repo
    from gitmem.history.trail_walk import Place


class PlainSource:
    """A Source of trail_walk.py; a place is a commit id."""

    __slots__ = ("_borders", "_looks", "_moves", "diffs", "repo")

    def __init__(self, repo: Repo) -> None:
        self.repo, self.diffs = repo, TreeDiffs(repo.objects)
        self._borders = shallow(repo)
        self._looks: dict[bytes, Looks] = {}
        self._moves: dict[tuple[str, int], dict[bytes, bytes]] = {}

    def parents(self, name: str) -> tuple[str, ...]:
        return () if name in self._borders else tuple(dict.fromkeys(self.repo.commit(name).parents))

    def place(self, commit: str) -> Place | None:
        return commit

    def touch(self, place: Place, path: bytes) -> Touch | None:
        return self._walked(place, path, joins=False)

    def step(self, place: Place, path: bytes) -> Touch | None:
        return self._walked(place, path, joins=True)

    def complete(self, touch: Touch) -> None:
        """Nothing is left open here."""

    def is_straight(self, place: Place, path: bytes) -> bool:  # noqa: ARG002 - nobody knows before all was looked at
        return False

    def _walked(self, place: Place, path: bytes, *, joins: bool) -> Touch | None:
        looks = self._looks.setdefault(path, Looks(self.repo.objects, path))
        name = str(place) if path else ""
        while name:
            parents = self.parents(name)
            after = looks.state(self.repo.commit(name).tree)
            first = looks.state(self.repo.commit(parents[0]).tree) if parents else b""
            if after != first or (joins and len(parents) > 1):
                before = (first, *(looks.state(self.repo.commit(other).tree) for other in parents[1:]))
                return self._touched(name, path, parents, before[: len(parents)], after)
            name = parents[0] if parents else ""
        return None

    def old_path(self, touch: Touch, at: int) -> bytes | None:
        moved = self._moved(touch, at)
        return moved.get(touch.path, b"" if touch.path in moved.values() else None)

    def new_path(self, touch: Touch) -> bytes | None:
        return next((new for new, old in self._moved(touch, 0).items() if old == touch.path), None)

    def _moved(self, touch: Touch, at: int) -> dict[bytes, bytes]:
        key = (touch.commit, at)
        if key not in self._moves and touch.parents:
            trees = self.repo.commit(str(touch.parents[at])).tree, self.repo.commit(touch.commit).tree
            self._moves[key] = moves(self.repo.objects, self.diffs.between(*trees))
        return self._moves.get(key, {})

    def _touched(
        self, name: str, path: bytes, parents: tuple[str, ...], before: tuple[bytes, ...], after: bytes
    ) -> Touch:
        commit = self.repo.commit(name)
        touch = Touch(name, path, commit.when, commit.author.name, commit.author.email, commit.message)
        touch.before, touch.after, touch.parents, touch.order = before, after, parents, commit.when
        return touch


class Looks:
    """State of one path (trail_tree.state) under many trees; a folder's tree seen before is not read again."""

    __slots__ = ("known", "objects", "parts")

    def __init__(self, objects: Objects, path: bytes) -> None:
        self.objects, self.parts = objects, path.split(b"/")
        self.known: dict[tuple[int, str], bytes] = {}

    def state(self, tree: str, depth: int = 0) -> bytes:
        key = (depth, tree)
        if key not in self.known:
            entry = entry_of(self.objects.read(tree, "tree"), self.parts[depth])
            folder = entry is not None and is_folder(entry[0])
            if entry is None or folder == (depth + 1 == len(self.parts)):
                self.known[key] = b""
            elif folder:
                self.known[key] = self.state(entry[1].hex(), depth + 1)
            else:
                self.known[key] = state(*entry)
        return self.known[key]
