"""What it takes for a store to be as if some operations had never been: worked out before anything is touched (B8).

A memory is followed to where it lies now, renamed or in the archive.  What cannot be taken back without guessing is
named, with the command that clears the way.
"""

from __future__ import annotations

from gitmem.errors import RepositoryDamaged
from gitmem.history.changed import changed_by
from gitmem.history.commit import FileChange
from gitmem.history.conflict import read_conflict
from gitmem.history.conflict_settled import settlers
from gitmem.history.message import parse_message
from gitmem.history.ownrefs import RefMove
from gitmem.history.refs import read_ref
from gitmem.history.settings import settings_of
from gitmem.history.trail import present_path
from gitmem.history.tree import FILES
from gitmem.memory.archived import without_marks
from gitmem.memory.clean import one_line
from gitmem.memory.document import decode
from gitmem.memory.link import has_entry
from gitmem.memory.own_id import is_another, own_id
from gitmem.store.paths import CONFLICTS
from gitmem.write.archive_entry import renamed_links
from gitmem.write.archive_find import is_archived, marked_as
from gitmem.write.operations import MADE_AGAIN, TAKEN_BACK, Step
from gitmem.write.renamed import present_place
from gitmem.write.undo_obstacle import MAX_PATH_CHARS, obstacle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gitmem.history.changed import Side
    from gitmem.history.commit import Commit
    from gitmem.history.repo import Repo
    from gitmem.write.change import Reader


class Plan:
    """The store without ``commits``, which come newest first.

    files:     as they would be; refs: moves of conflicts that open or close with it
    obstacles: what stands in the way, in words, each with the command that clears it
    done:      those of the commits of which there is anything left to take back
    closed, opened: ids of conflicts
    settled:   those of the opened that another commit settles too, so that the next sync closes them
    """

    def __init__(self, reader: Reader, commits: Sequence[Commit]) -> None:
        self.reader, self.repo = reader, reader.repo
        self.index_file = settings_of(reader.root).index_file
        self.own = {commit.id for commit in commits}
        self.obstacles: dict[str, str] = {}
        self.refs: list[RefMove] = []
        self.closed: list[str] = []
        self.opened: list[str] = []
        self.settled: dict[str, Commit] = {}
        self._texts: dict[str, bytes | None] = {}
        self.done = [commit for commit in commits if self._take(commit)]
        made = [
            FileChange(path, None if data is None else reader.as_file(path, data))
            for path, data in self._texts.items()
        ]  # fmt: skip
        self.files = [change for change in made if change.data != reader.read(change.path)]

    def _take(self, commit: Commit) -> bool:
        """Take one operation away; whether that changes anything."""
        sides = changed_by(self.repo, commit.id)
        changed = [self._take_file(commit, path, before, after, sides) for path, (before, after) in sides.items()]
        return any([*changed, self._take_refs(commit)])

    def _take_file(
        self, commit: Commit, path: str, before: Side, after: Side, sides: dict[str, tuple[Side, Side]]
    ) -> bool:
        if any(side is not None and side[0] not in FILES for side in (before, after)):
            said = f"{one_line(path, MAX_PATH_CHARS)} is a link or a submodule, which gitmem leaves to git"
            self.obstacles.setdefault(said, "")
            return False
        place, now = path, self._now(path)
        if after is not None and path not in self._texts and path != self.index_file:
            elsewhere = self._place(path, self._blob(after) or b"", now, commit.id)
            if elsewhere != path and elsewhere not in sides:
                now = self._now(elsewhere)
                place = elsewhere if now is not None else path  # else it is gone, and another memory has its path
        old, new = (self._as_called_now(path, self._blob(side), sides) for side in (before, after))
        done, data = self._without(place, old, new, now)
        if not done:
            self.obstacles.setdefault(*obstacle(self.reader, path, place, commit, now, self.own))
        elif data != now:
            self._texts[place] = data
            return True
        return False

    def _place(self, path: str, was: bytes, now: bytes | None, since: str) -> str:
        """Where the memory lies now that was ``was`` at ``path``; of one that is gone a path of no file."""
        if now is not None and not is_another(path, now, was):
            return path
        return present_place(self.reader, path, {own_id(path, was)} - {""}, since)

    def _as_called_now(self, path: str, data: bytes | None, sides: Iterable[str]) -> bytes | None:
        """The list as it would be, had the files of the operation been called then as the list calls them now."""
        listed = self._now(path) if path == self.index_file else None
        if listed is None or data is None:
            return data
        text = decode(listed, path)[0]
        for each in sides:
            if each != path and self.reader.kept(each) is None:
                now = present_path(self.repo, each)
                data = renamed_links(data, {each: now}) if now != each and has_entry(text, now) else data
        return data

    def _now(self, path: str) -> bytes | None:
        return self._texts[path] if path in self._texts else self.reader.kept(path)

    def _blob(self, side: Side) -> bytes | None:
        return self.repo.objects.read(side[1], "blob") if side else None

    def _without(
        self, place: str, old: bytes | None, new: bytes | None, now: bytes | None
    ) -> tuple[bool, bytes | None]:
        """Whether the file at ``place`` can be as if ``old`` had never become ``new``, and its bytes then."""
        if now == new:
            return True, old
        if now == old:
            return True, now
        if new is None or now is None:
            return False, now
        bare, was = now, new
        if is_archived(place):  # the marks of a memory that was archived since are no change of its text
            bare, was = without_marks(now), without_marks(new)
        if bare == was:
            return True, None if old is None else marked_as(place, now, old)
        if old is None:
            return False, now
        if bare == old:
            return True, now
        from gitmem.merge.file import merge_file

        merged = merge_file(place, was, bare, old, self.index_file)
        return not merged.conflicts, marked_as(place, now, merged.data)

    def _take_refs(self, commit: Commit) -> bool:
        """A resolution that is taken back opens its conflict again; a rollback closes those it opened."""
        moves: list[RefMove] = []
        for one, is_undone in _effects(self.repo, commit, True):
            trailers = parse_message(one.message)[2]
            name = trailers.get("Gitmem-Conflict", "")
            settled = [(name, parent) for parent in one.parents[1:] if name]
            opened = [(pair[0], pair[2]) for word in trailers.get("Gitmem-Opened", "").split()
                      if (pair := word.partition(":"))[1]]  # fmt: skip
            for opens, pairs in ((is_undone, settled), (not is_undone, opened)):
                moves += [move for pair in pairs if (move := self._ref(*pair, opens=opens))]
        self.refs += moves
        return bool(moves)

    def _ref(self, name: str, record: str, *, opens: bool) -> RefMove | None:
        """The move that opens or closes one conflict; None where it is so already, or became another one."""
        ref = CONFLICTS + name
        if any(move.ref == ref for move in self.refs):
            return None
        try:
            read_conflict(self.repo, name, record)
        except (ValueError, RepositoryDamaged):
            return None
        there = read_ref(self.repo.git, ref)
        if opens and not there:
            self.opened.append(name)
            if others := settlers(self.repo, record, self.repo.head()[1], self.own):
                self.settled[name] = others[-1]
            return RefMove(ref, "", record)
        if not opens and there == record:
            self.closed.append(name)
            return RefMove(ref, record, "")
        return None


def _effects(repo: Repo, commit: Commit, is_undone: bool) -> Iterator[tuple[Commit, bool]]:
    """The operations that ``commit`` is about, and whether taking it back takes them back or makes them again."""
    step = Step(commit)
    if step.op not in (TAKEN_BACK, MADE_AGAIN):
        yield commit, is_undone
        return
    for name in step.undoes:
        try:
            one = repo.commit(name)
        except RepositoryDamaged:  # no commit of this repository
            continue
        yield from _effects(repo, one, not is_undone)
