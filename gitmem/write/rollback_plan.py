"""What a rollback would do, file by file: worked out before anything is touched (B5).

A file is somebody's later work when a person changed it since the point, or, where only one operation is rolled back,
when anything else did.  Such a file stays as it is.
"""

from __future__ import annotations

from gitmem.dataclass import dataclass, field
from gitmem.errors import Refused
from gitmem.history.changed import changed_by
from gitmem.history.commit import Commit, FileChange
from gitmem.history.conflict import record
from gitmem.history.log import shallow
from gitmem.history.message import parse_message
from gitmem.history.objects import object_id
from gitmem.history.ownrefs import RefMove
from gitmem.history.point import Point, files_of
from gitmem.history.refs import read_ref
from gitmem.history.settings import settings_of
from gitmem.history.tree import FILES, tree_files
from gitmem.memory.archived import with_marks, without_marks
from gitmem.memory.clean import one_line
from gitmem.memory.document import decode
from gitmem.memory.link import index_targets
from gitmem.memory.name import twin_key
from gitmem.merge.file import merge_file
from gitmem.store.paths import CONFLICTS
from gitmem.store.worktree import list_memories
from gitmem.write.archive_entry import PER_RECORD, put_entry, take_entries
from gitmem.write.archive_find import archive_folder, is_archived, local_time
from gitmem.write.change import Actor, Reader
from gitmem.write.guard import check_change
from gitmem.write.locks import Locks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from gitmem.history.repo import Repo

HAND = ("", "hand-edit")  # operations that are a person's own work: a commit without trailers, and an edit by hand
MAX_LISTED = 500  # lines of the report in the commit
MAX_PATH_CHARS = 300  # of a path in it


@dataclass(slots=True)
class Report:
    """What a rollback did, path by path.

    restored:  have the point's text again; parked: should not exist, and are in the archive now
    skipped:   (path, why); conflicts: (path, id): somebody's later work, the point's text is the conflict's
    kept:      copies in the archive that are another version than the point's
    left:      were made by the person since, and are left so
    protection: id of the point to return to from here; commit: "" when there was nothing to do
    """

    point: str
    scope: str
    restored: list[str] = field(default_factory=list)
    parked: list[str] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    conflicts: list[tuple[str, str]] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    protection: str = ""
    commit: str = ""
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """The report as it stands in the commit and on the screen."""
        lines = [f"restored {path}" for path in self.restored]
        lines += [f"moved to the archive: {path}" for path in self.parked]
        lines += [f"left as it was changed since: {path} (what the point has is conflict {id})"
                  for path, id in self.conflicts]  # fmt: skip
        lines += [f"left, since you made it yourself: {path}" for path in self.left]
        lines += [f"skipped {path}: {why}" for path, why in self.skipped]
        lines += [f"kept {path}: another version than the point's" for path in self.kept]
        more = len(lines) - MAX_LISTED
        shown = [one_line(line, MAX_PATH_CHARS) for line in lines[:MAX_LISTED]]
        return "\n".join(shown + ([f"and {more} more"] if more > 0 else []))


class Plan:
    """The changes that lead back to a point.

    then:    path -> blob of every memory at the point, under the name it has now where only case differs
    now:     path -> blob at HEAD
    persons: path -> blob that somebody's later work began from
    mixed:   paths that the operations to roll back changed
    deltas:  the list of memories before and after each change of it that is somebody's later work
    opened:  ``id:commit`` of each conflict that comes with it
    restores: paths that get what the point holds
    """

    def __init__(self, reader: Reader, point: Point, when: int) -> None:
        self.reader, self.point, self.when, self.repo = reader, point, when, reader.repo
        self.settings, self.folder = settings_of(reader.root), archive_folder(reader.root)
        self.locks = Locks(reader.root, self.settings)
        self.now = _texts(tree_files(self.repo, self.repo.head()[1]))
        self.then = self._as_spelled(_texts(files_of(self.repo, point)))
        self.report = Report(point.id, "")
        self.files: dict[str, bytes | None] = {}
        self.refs: list[RefMove] = []
        self.opened: list[str] = []
        self.restores: set[str] = set()
        self.persons: dict[str, str] = {}
        self.mixed: set[str] = set()
        self.deltas: list[tuple[bytes, bytes]] = []

    def whole(self) -> list[FileChange]:
        """Every memory as it was."""
        self._look_back(lambda trailers: trailers.get("Gitmem-Op", "") not in HAND)
        files = self._return(self.then.keys() | self.now.keys())
        self.report.left += self._never_kept()
        return files

    def run(self) -> list[FileChange]:
        """What the point's own operation touched, as it was."""
        self._look_back(lambda trailers: self.point.id in (trailers.get("Gitmem-Point"), trailers.get("Gitmem-Run")))
        if not self.mixed:
            raise Refused(
                f"no operation of this branch was made under rollback point {self.point.id}, or nothing is left of it",
                hint=f"gitmem rollback apply {self.point.id}   (the whole store)",
            )
        return self._return(self.mixed)

    def _never_kept(self) -> list[str]:
        """Memories that the person made by hand since, and that git was not told of yet."""
        there = [entry.path for entry in list_memories(self.reader.root, self.settings.left_out()).entries]
        return [path for path in there if path not in self.now and path not in self.then and path not in self.files]

    def _as_spelled(self, then: dict[str, str]) -> dict[str, str]:
        """``then`` with the names of today: on many systems ``A.md`` and ``a.md`` are one file."""
        today = {twin_key(path): path for path in self.now if path not in then}
        return {(path if path in self.now else today.get(twin_key(path), path)): blob for path, blob in then.items()}

    def _look_back(self, rolled_back: Callable[[dict[str, str]], bool]) -> None:
        """Tell apart what is to be rolled back and what is somebody's later work; the point's own text is neither."""
        for commit in list(_after(self.repo, self.point))[::-1]:
            ours = rolled_back(parse_message(commit.message)[2])
            for path, (before, after) in changed_by(self.repo, commit.id).items():
                if _is_text(path):
                    self._note(path, before[1] if before else "", after[1] if after else "", ours)
        for path in self.then.keys() | self.now.keys():
            committed, there = self.now.get(path, ""), self._blob(path)
            if there not in (committed, None):
                self._note(path, committed, there or "", False)

    def _note(self, path: str, before: str, after: str, ours: bool) -> None:
        is_list = path == self.settings.index_file
        if after == self.then.get(path, ""):
            self.persons.pop(path, None)
            self.mixed.discard(path)
            if is_list:
                self.deltas = []
        elif ours:
            self.mixed.add(path)
        else:
            self.persons.setdefault(path, before)
            if is_list and before and after:
                self.deltas.append((self._read(before) or b"", self._text(path, after)))

    def _return(self, paths: Iterable[str]) -> list[FileChange]:
        """The changes that bring ``paths`` back."""
        for path in sorted(path for path in paths if path != self.settings.index_file):
            self._one(path)
        if self.settings.index_file in paths:
            self._list(self.settings.index_file)
        return [FileChange(path, data) for path, data in self.files.items()]

    def _one(self, path: str) -> None:
        wanted = self.then.get(path, "")
        if is_archived(path) and not wanted:
            return  # the copy of a file that comes back goes with it, any other stays where it is
        there = self._blob(path)
        if there is None:
            self.report.skipped.append((path, "no plain file stands there now"))
        elif there == wanted:
            return
        elif path in self.persons:
            self._conflict(path)
        elif wanted:
            self._restore(path, wanted)
        else:
            self._park(path)

    def _conflict(self, path: str) -> None:
        """Somebody's later work stays; what the point has becomes a conflict, unless it has nothing of the file."""
        if path not in self.mixed and not self.then.get(path):
            self.report.left.append(path)
            return
        sides = self._read(self.persons[path]), self.reader.kept(path), self._read(self.then.get(path, ""))
        who = self.reader.person
        name, commit = record(
            self.repo, path, sides, who, who, self.when, parent=self.repo.head()[1],
            reason=f"rollback to {self.point.id}", trailers={"Actor": "person", "Point": self.point.id},
        )  # fmt: skip
        if not read_ref(self.repo.git, CONFLICTS + name):
            self.refs.append(RefMove(CONFLICTS + name, "", commit))
            self.opened.append(f"{name}:{commit}")
        self.report.conflicts.append((path, name))

    def _restore(self, path: str, wanted: str) -> None:
        """The point's text; the archived copy goes when it is that very text, another version stays."""
        kept = self._read(wanted) or b""
        data = self.reader.as_file(path, kept)
        place = f"{self.folder}/{path}"
        try:
            copy = self.reader.read(place) if place not in self.then else None
        except Refused:  # a link
            copy = None
        is_same = copy is not None and kept in (copy, without_marks(copy))
        changes = [FileChange(path, data), *([FileChange(place, None)] if is_same else [])]
        if self._are_allowed(path, changes, is_held=True):
            self.report.restored.append(path)
            if copy is not None and not is_same:
                self.report.kept.append(place)

    def _park(self, path: str) -> None:
        """A file that the point does not have moves to the archive."""
        now, place = self.reader.read(path) or b"", f"{self.folder}/{path}"
        if self.locks.bars(path):
            broken = self.settings.broken
            self.report.skipped.append((path, f"it may be locked: {broken.sentence()}" if broken else "it is locked"))
            return
        try:
            if self.reader.read(place) is not None or self.reader.exists_twin(place):
                self.report.skipped.append((path, f"{place} is there already"))
                return
            marked = with_marks(now, local_time(self.when), f"rollback to {self.point.id}")
        except Refused as refusal:
            self.report.skipped.append((path, refusal.message))
            return
        if self._are_allowed(path, [FileChange(path, None), FileChange(place, marked)]):
            self.report.parked.append(path)

    def _are_allowed(self, path: str, changes: list[FileChange], *, is_held: bool = False) -> bool:
        """Take up ``changes``; what the guard has against them is the reason why the file is skipped."""
        restores = {path} if is_held else set()
        try:
            check_change(changes, self.reader, Actor("person"), "", self.when, restores)
        except Refused as refusal:
            self.report.skipped.append((path, refusal.message))
            return False
        self.files.update({change.path: change.data for change in changes})
        self.restores |= restores
        return True

    def _list(self, path: str) -> None:
        """The list of memories as it was, with what people changed in it since, and a line for each that stays."""
        now, then = self.reader.kept(path), self._read(self.then.get(path, ""))
        if now is None or then is None or now == then:
            return
        for before, after in self.deltas:
            then = merge_file(path, before, then, after, path).data
        try:
            then = self._with_lines_of(now, then, path)
        except Refused as refusal:
            self.report.skipped.append((path, refusal.message))
            return
        if then != now and self._are_allowed(path, [FileChange(path, self.reader.as_file(path, then))], is_held=True):
            self.report.restored.append(path)

    def _with_lines_of(self, now: bytes, then: bytes, path: str) -> bytes:
        """``then``, where each memory that stays as it is today stands in the list as it does today."""
        listed, was = _listed(now, path), _listed(then, path)
        stay = {each for each in self.now if each not in self.then and self.files.get(each, b"") is not None}
        stay.update(each for each, _ in [*self.report.conflicts, *self.report.skipped])
        for each in sorted(stay):
            key = twin_key(each)
            if key not in listed and key not in was:
                continue
            today = take_entries(now, [each])[1].get(each, []) if key in listed else []
            if key not in was:
                then = put_entry(then, today) or then
                continue
            left, before = take_entries(then, [each])
            then = _renewed(then, left, before[each], today)
        return then

    def _blob(self, path: str) -> str | None:
        """The revision that stands at ``path``, "" for no file, None for a link or a folder."""
        try:
            data = self.reader.kept(path)
        except Refused:
            return None
        return object_id("blob", data) if data is not None else ""

    def _text(self, path: str, blob: str) -> bytes:
        """A blob that may be the work file's, which git does not hold yet."""
        now = self.reader.kept(path)
        return now if now is not None and object_id("blob", now) == blob else self._read(blob) or b""

    def _read(self, blob: str) -> bytes | None:
        return self.repo.objects.read(blob, "blob") if blob else None


def _after(repo: Repo, point: Point) -> Iterator[Commit]:
    """The commits of the branch since the point, newest first, along first parents."""
    borders, name = shallow(repo), repo.head()[1]
    while name and name != point.parent:
        commit = repo.commit(name)
        yield commit
        name = commit.parents[0] if commit.parents and name not in borders else ""


def _listed(data: bytes, path: str) -> set[str]:
    return {twin_key(target) for _, target in index_targets(decode(data, path)[0])}


def _renewed(then: bytes, left: bytes, before: list[str], today: list[str]) -> bytes:
    """The list ``then`` with one memory's line as it is today; a line it shares with others stays as it was.

    left: ``then`` without that memory; before, today: as ``take_entries`` gives them
    """
    if not today:
        return left
    if len(before) != PER_RECORD or len(today) != PER_RECORD or before[1] or today[1] or before[0] == today[0]:
        return then
    return put_entry(left, [today[0], *before[1:]]) or then


def _texts(files: dict[str, tuple[int, str]]) -> dict[str, str]:
    return {path: blob for path, (mode, blob) in files.items() if mode in FILES and _is_text(path)}


def _is_text(path: str) -> bool:
    return path.lower().endswith(".md")
