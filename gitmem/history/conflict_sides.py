"""Whose the two texts of a conflict are: the one in the file, and the one that its record keeps.

Told from the commits that wrote them.  Where one person wrote both, also by the machine each comes from, as far as
the heartbeats leave no doubt.
"""

from __future__ import annotations

from itertools import chain

from gitmem.dataclass import dataclass, replace
from gitmem.errors import GitmemError
from gitmem.history.bases import is_ancestor, only
from gitmem.history.changed import changed
from gitmem.history.conflict import commit_with
from gitmem.history.identity import gitmem_identity
from gitmem.history.message import MARK
from gitmem.history.refs import read_ref
from gitmem.history.remote_machine import beats, past_beats
from gitmem.history.trail import present_path
from gitmem.history.tree import read_blob, tree_blob
from gitmem.history.writer import writer_of
from gitmem.memory.archived import without_marks
from gitmem.memory.clean import one_line
from gitmem.memory.document import blob_id
from gitmem.store.machine import known_machine
from gitmem.store.paths import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.history.commit import Identity
    from gitmem.history.conflict import Conflict
    from gitmem.history.repo import Repo

    Placed = tuple[tuple[str, bool], tuple[str, bool]]

TEXT, GONE, ARCHIVED = "text", "gone", "archived"
BOTH, UNKNOWN = "both", "unknown"
MAX_NAME_CHARS = 80
MAX_BEATS = 100  # of one machine that are looked at: one each hour, and a conflict is settled within days


@dataclass(frozen=True, slots=True)
class Side:
    """One text of a conflict.

    kind:    TEXT; GONE: the side removed the memory; ARCHIVED: it moved it to the archive
    who:     the author's name, "" where git was told none, or it cannot be told
    when:    UTC unix seconds of the commit that wrote it, or of the write that came too late; 0 where that is unknown
    commit:  the commit that wrote it, "" for none, or where it cannot be told
    machine: where it comes from, when both are of one author and it can only be that one; is_here: it is this machine
    point:   the rollback point that a rollback wanted it back from, "" for none
    """

    kind: str
    who: str = ""
    when: int = 0
    commit: str = ""
    machine: str = ""
    is_here: bool = False
    point: str = ""


@dataclass(frozen=True, slots=True)
class Sides:
    """Both texts.

    ours:   what the file got, which ``--ours`` leaves there; theirs: what the record keeps
    is_one: one author wrote both
    later:  who changed the file since, "" for nobody
    """

    ours: Side
    theirs: Side
    is_one: bool
    later: str = ""


class SideFinder:
    """Tells the sides of the conflicts of one repository; what a merge of many conflicts shares is read once."""

    __slots__ = ("_merges", "_placed", "head", "repo")

    def __init__(self, repo: Repo) -> None:
        self.repo, self.head = repo, repo.head()[1]
        self._merges: dict[str, list[tuple[str, str]]] = {}
        self._placed: dict[tuple[str, str], Placed] = {}

    def sides(self, conflict: Conflict) -> Sides:
        """The sides of ``conflict``; what history cannot tell is left open, never guessed."""
        try:
            return self._sides(conflict)
        except GitmemError:  # history that a shallow clone or a purge left out
            theirs = Side(TEXT if conflict.theirs else GONE, one_line(conflict.who, MAX_NAME_CHARS))
            return Sides(Side(TEXT if conflict.ours else GONE), theirs, is_one=False)

    def put_in(self, conflict: Conflict) -> str:
        """The blob that the merge of the two put into the file; "" where no merge is known."""
        try:
            parents = self.repo.commit(conflict.commit).parents
            merge = self._merge(conflict, parents[0])[0] if parents else ""
            return (tree_blob(self.repo, merge, conflict.path) or "") if merge else ""
        except GitmemError:  # as above
            return ""

    def _sides(self, conflict: Conflict) -> Sides:
        repo, theirs = self.repo, self._wanted(conflict)
        parents = repo.commit(conflict.commit).parents
        kept = parents[0] if parents else ""
        merge, other = self._merge(conflict, kept)
        ours = self._ours(conflict, kept, other)
        if other:
            wrote = writer_of(repo, other, conflict.path, conflict.theirs, kept)
            theirs = replace(theirs, when=wrote.when, commit=wrote.id)
        is_one = bool(ours.commit) and ours.who == theirs.who and not theirs.point
        if is_one and theirs.commit:
            ours, theirs = self._with_machines((ours, theirs), (kept, other))
        return Sides(ours, theirs, is_one, self._later(conflict, merge, kept))

    def _with_machines(self, sides: tuple[Side, Side], tips: tuple[str, str]) -> tuple[Side, Side]:
        """The sides with the machine of each; a text from before the two parted was on both, and is of neither.

        tips: the last commit of each side before the merge
        """
        one, two = (side.commit for side in sides)
        is_common = is_ancestor(self.repo, one, two), is_ancestor(self.repo, two, one)
        first, second = (
            tip if common else side.commit for side, tip, common in zip(sides, tips, is_common, strict=True)
        )
        if (first, second) not in self._placed:
            self._placed[first, second] = _machines(self.repo, self.head, (first, second))
        placed = self._placed[first, second]
        ours, theirs = (
            side if common else replace(side, machine=name, is_here=is_here)
            for side, common, (name, is_here) in zip(sides, is_common, placed, strict=True)
        )
        return ours, theirs

    def _wanted(self, conflict: Conflict) -> Side:
        """The kept text by what the record itself says."""
        point = conflict.trailers.get(f"{MARK}Point", "")
        when = 0 if is_merged(conflict) else conflict.when
        author = self.repo.commit(conflict.commit).author
        return Side(_kind(self.repo, conflict.theirs, conflict.ours), _name(author), when, point=point)

    def _ours(self, conflict: Conflict, kept: str, other: str) -> Side:
        """The text in the file, by the commit that wrote it."""
        repo, path, blob = self.repo, conflict.path, conflict.ours
        found = next((each for each in (kept, self.head) if each and (tree_blob(repo, each, path) or "") == blob), "")
        if not found and blob:
            found = kept if other and has_text(repo, kept, path, blob, other) else commit_with(repo, path, blob)
        side = Side(_kind(repo, blob, conflict.theirs))
        if not found:
            return side
        wrote = writer_of(repo, found, path, blob, other)
        return replace(side, who=_name(wrote.author), when=wrote.when, commit=wrote.id)

    def _merge(self, conflict: Conflict, kept: str) -> tuple[str, str]:
        """The merge in which the texts met ("" while git has not made it yet), and the commit that came with theirs.

        "" and "" for a write that came too late, and where the merge is not in the history here.
        """
        if not is_merged(conflict) or not kept or not self.head:
            return "", ""
        for merge, other in self._merges_of(kept):
            if has_text(self.repo, other, conflict.path, conflict.theirs, kept):
                return merge, other
        return "", ""

    def _merges_of(self, kept: str) -> list[tuple[str, str]]:
        if kept not in self._merges:
            found = []
            for name in only(self.repo, [self.head], [kept]):
                parents = self.repo.commit(name).parents
                found += [(name, other) for other in parents if kept in parents and other != kept]
            coming = read_ref(self.repo.git, "MERGE_HEAD")
            if coming and kept in (self.head, coming):
                found.append(("", coming if kept == self.head else self.head))
            self._merges[kept] = found
        return self._merges[kept]

    def _later(self, conflict: Conflict, merge: str, kept: str) -> str:
        """Who changed the file after the conflict arose, by the newest commit; "" for nobody."""
        repo, path = self.repo, conflict.path
        if is_merged(conflict) and not merge:
            return ""
        then = {conflict.ours, (tree_blob(repo, merge, conflict.path) or "") if merge else conflict.ours}
        blob = tree_blob(repo, self.head, path) or ""
        if blob not in then:
            path = present_path(repo, path, conflict.commit)
            blob = tree_blob(repo, self.head, path) or ""
        bare = blob
        if blob and path.startswith(ARCHIVE + "/"):
            bare = blob_id(without_marks(read_blob(repo, blob)))
        if not then.isdisjoint((blob, bare)):
            return ""
        return _name(writer_of(repo, self.head, path, blob, kept).author) or "somebody"


def is_merged(conflict: Conflict) -> bool:
    """Whether the record was made by a merge; else by a write that came too late, or by a rollback."""
    return conflict.trailers.get(f"{MARK}Actor", "") == "gitmem"


def _name(author: Identity) -> str:
    """The author's name; "" for gitmem's own, which stands for a person whose name git was never told."""
    return one_line(author.name, MAX_NAME_CHARS) if author != gitmem_identity() else ""


def _kind(repo: Repo, blob: str, other: str) -> str:
    """What a side did; ``other`` is the other one's text."""
    if not blob:
        return GONE
    marked, bare = (_is_marked(repo, each) for each in (blob, other))
    return ARCHIVED if marked and not bare else TEXT


def _is_marked(repo: Repo, blob: str) -> bool:
    data = read_blob(repo, blob) if blob else b""
    return without_marks(data) != data


def has_text(repo: Repo, commit: str, path: str, blob: str, beside: str) -> bool:
    """Whether ``commit`` holds that text of the memory, under any name that ``beside`` does not hold just so."""
    if (tree_blob(repo, commit, path) or "") == blob:
        return True
    differing = changed(repo.objects, repo.commit(beside).tree, repo.commit(commit).tree)
    return bool(blob) and any(now is not None and now[1] == blob for _, now in differing.values())


def _machines(repo: Repo, head: str, pair: tuple[str, str]) -> Placed:
    """The machine that each commit comes from, by name and whether it is this one; "" where it may be several."""
    own, past = known_machine(repo.git.common), past_beats(repo)
    names = {beat.id: beat.name for beat in beats(repo)}
    by_first: dict[str, list[str]] = {}
    for machine in dict.fromkeys((own, *past)):
        heads = chain([head] if machine == own else [], (beat.head for beat in past.get(machine, ())))
        by_first.setdefault(_held_first(repo, heads, pair), []).append(machine)

    def placed(commit: str, other: str) -> tuple[str, bool]:
        found = by_first.get(commit, [])
        if not found and by_first.get(other):  # who merged the two sent both at once
            found = by_first.get(BOTH, [])
        is_sure = len(found) == 1 and UNKNOWN not in by_first
        return (names.get(found[0], ""), found[0] == own) if is_sure else ("", False)

    return placed(*pair), placed(pair[1], pair[0])


def _held_first(repo: Repo, heads: Iterable[str], pair: tuple[str, str]) -> str:
    """Which commit of ``pair`` a machine's branch had while it lacked the other one.

    heads:   the commits the branch had, the newest first
    returns: BOTH where it had neither and then both, "" where it has neither yet, UNKNOWN beyond MAX_BEATS
    """
    state = ""
    for number, head in enumerate(heads):
        if number == MAX_BEATS:
            return UNKNOWN
        held = [each for each in pair if is_ancestor(repo, each, head)]
        if len(held) < len(pair):
            return held[0] if held else state
        state = BOTH
    return state
