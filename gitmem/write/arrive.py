"""Take a remote's commit into the branch: forward where that is enough, else by one merge commit.

What stands in the way is never overwritten: an uncommitted memory is committed as the person's own and merged, any
other file is moved aside and named.  What could not merge becomes a conflict record, moved into place with the branch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from gitmem.dataclass import dataclass, field
from gitmem.errors import BadName, RepositoryBusy
from gitmem.history.bases import meeting
from gitmem.history.changed import changed
from gitmem.history.commit import Commit, commit_bytes
from gitmem.history.config import is_true
from gitmem.history.conflict import conflict_id, record
from gitmem.history.convert import stored
from gitmem.history.identity import gitmem_identity
from gitmem.history.message import message
from gitmem.history.objects import object_id, write_all
from gitmem.history.ownrefs import RefMove, move_refs
from gitmem.history.publish import advance, publish
from gitmem.history.refs import read_ref
from gitmem.history.remote_refs import joined
from gitmem.history.repo import Repo
from gitmem.history.settings import settings_of
from gitmem.history.tree import FILES, LINK, MODULE, file_at, tree_get
from gitmem.history.view import Moved, View, look
from gitmem.history.writer import writer_of
from gitmem.index.fresh import is_memory
from gitmem.memory.finding import Finding
from gitmem.memory.name import check_arriving, windows_name
from gitmem.store.format import check_format
from gitmem.store.ignore import patterns
from gitmem.store.paths import CONFIG_FILE, CONFLICTS, git_in, join, state, typed
from gitmem.store.settings import read_settings
from gitmem.write.hand import hand_edits
from gitmem.write.sync_edits import held_error, unfit
from gitmem.write.sync_gone import load_gone
from gitmem.write.sync_publish import Named, publish_work
from gitmem.write.sync_twins import MergedTree, without_twins
from gitmem.write.trust import note_authors

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.write.index import Progress

MANY = 200  # new files from which on they are written beforehand: a publication holds each of its own open to its end
ASIDE = "local"
COULD_NOT = "could not merge: "  # how the reason of a conflict record begins

Side = tuple[int, str] | None
Changes = Mapping[str, tuple[Side, Side]]
RefMoves = Callable[[View, str], Sequence[RefMove]]


@dataclass(frozen=True, slots=True)
class Recorded:
    """A conflict this merge recorded: its id, the memory, what could not merge."""

    id: str
    path: str
    words: tuple[str, ...]


@dataclass(slots=True)
class Arrival:
    """What taking a commit in came to.

    head:      the branch now; before: as it was
    kind:      "nothing", "forward" or "merge"
    received:  number of commits the branch did not have
    changed:   number of files that changed
    conflicts: recorded by this merge
    aside:     (name, new name) of files that stood in the way
    renamed:   (name, new name) of files whose name was taken
    waiting:   path -> author of what arrived and is not recalled until the person trusts the author
    edits:     uncommitted work of the person that was committed on the way
    is_joined: two histories that had never met
    """

    head: str = ""
    before: str = ""
    kind: str = "nothing"
    received: int = 0
    changed: int = 0
    conflicts: list[Recorded] = field(default_factory=list)
    aside: list[tuple[str, str]] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    waiting: dict[str, str] = field(default_factory=dict)
    edits: list[str] = field(default_factory=list)
    is_joined: bool = False


def arrive(
    root: str,
    theirs: str,
    label: str,
    when: int,
    environ: Mapping[str, str],
    ref_moves: RefMoves,
    progress: Progress | None = None,
) -> Arrival:
    """Take the commit ``theirs`` into the branch of the store at ``root``, work files and search index with it.

    theirs:    its objects are here; "" when there is none and only refs move
    label:     where it came from, such as ``origin/main``
    ref_moves: what else moves with the branch, given the commit the branch comes to
    progress:  of the search index after a large arrival
    raises:    RepositoryBusy and its kind; BadName for a path that leads out of the store; FormatTooNew
    """
    return publish_work(root, when, environ, _Arriving(theirs, label, when, ref_moves), progress)


class _Arriving:
    """One commit on its way into the branch; called again with a new view when the store moved."""

    def __init__(self, theirs: str, label: str, when: int, ref_moves: RefMoves) -> None:
        self.theirs, self.label, self.when, self.ref_moves = theirs, label, when, ref_moves
        self.done = Arrival()
        self.merged: MergedTree | None = None

    def __call__(self, view: View, named: Named) -> Arrival:
        repo, done = view.repo, self.done
        target = self._target(view)
        changes = changed(repo.objects, view.tree, repo.commit(target).tree) if target else {}
        _check_paths(changes, self.label)
        _check_settings(view, target)
        _make_room(view, changes, named, done, self.when)
        _write_many(view, changes)
        records = self._records(view, target)
        moves = joined(records, self.ref_moves(view, target))
        done.head, done.before, done.changed = target, view.head, len(changes)
        if target != view.head:
            named(list(changes))
            advance(view, target, view.people()[1], self.when, moves)
            waits = note_authors(repo.root)  # before what came from elsewhere can be found
            done.waiting = {path: who for path, who in waits.items() if path in changes}
        elif moves:
            move_refs(repo, moves)
        return done

    def _target(self, view: View) -> str:
        """The commit the branch comes to; made when neither side has the other."""
        repo, ours, theirs, done = view.repo, view.head, self.theirs, self.done
        self.merged, done.kind, done.renamed, done.is_joined, done.received = None, "nothing", [], False, 0
        if not theirs or theirs == ours:
            return ours
        met = meeting(repo, ours, theirs)
        if met.bases == [theirs]:
            return ours
        done.received = met.behind
        if not ours or met.bases == [ours]:
            done.kind = "forward"
            tree, apart = without_twins(repo.objects, repo.commit(theirs).tree, view.tree)
            if not apart:
                return theirs
            if not ours:
                _check_apart(repo, apart, self.label)
                if all(windows_name(path) == path for path in apart):
                    return theirs
            self.merged = MergedTree(tree, (), tuple(apart.items()), False)
        else:
            from gitmem.write.sync_trees import merged_tree  # 60 ms, of which most syncs are spared

            self.merged = merged_tree(repo, ours, theirs, met.bases, settings_of(repo.root).index_file)
        done.kind, done.renamed, done.is_joined = "merge", list(self.merged.renamed), self.merged.is_joined
        sides = [repo.commit(name) for name in (ours, theirs) if name]
        raw = merge_bytes(sides, self.merged.tree, self.label)
        return repo.objects.add("commit", raw)

    def _records(self, view: View, target: str) -> list[RefMove]:
        """The refs of the merge's conflict records, which are added to the repository's objects.

        Whoever merges these two sides makes the same records: each stands on the side whose version is in the file.
        """
        repo, theirs = view.repo, self.theirs
        moves: list[RefMove] = []
        self.done.conflicts = []
        for each in self.merged.conflicts if self.merged is not None else ():
            kept, other = (view.head, theirs) if each.kept == "ours" else (theirs, view.head)
            here, there = (each.ours, each.theirs) if each.kept == "ours" else (each.theirs, each.ours)
            parent = next((name for name in (kept, target) if _differs(view, name, each.path, there)), "")
            if not parent:  # the two sides differ in the name alone
                self.done.conflicts.append(Recorded("", each.path, each.words))
                continue
            base, one, two = (repo.objects.read(blob, "blob") if blob else None for blob in (each.base, here, there))
            name = conflict_id(each.path, base, one, two)
            self.done.conflicts.append(Recorded(name, each.path, each.words))
            if read_ref(repo.git, CONFLICTS + name):
                continue
            author = writer_of(repo, other, each.path, there, kept).author
            later = max(repo.commit(kept).when, repo.commit(other).when)
            commit = record(
                repo, each.path, (base, one, two), author, gitmem_identity(), later,
                parent=parent, reason=COULD_NOT + "; ".join(each.words), trailers={"Actor": "gitmem"},
            )[1]  # fmt: skip
            moves.append(RefMove(CONFLICTS + name, "", commit))
        return moves


def _check_apart(repo: Repo, twins: Mapping[str, str], label: str) -> None:
    """raises: BadName where this file system would make one file of two, and nothing is here yet to merge with"""
    path = next((path for path in twins if windows_name(path) == path), "")
    if path and is_true(repo.config, "core.ignorecase", False):
        raise BadName(
            f"{label} holds {path} and another file whose name differs only in case, which cannot stand side by side "
            "here; nothing was merged",
            hint=f"on a machine that holds both: git mv -- {typed(path)} ANOTHER-NAME",
        )


def merge_bytes(sides: Sequence[Commit], tree: str, label: str) -> bytes:
    """The merge commit: dated by the younger side, so that the clock of the machine that merges decides nothing."""
    me = gitmem_identity()
    text = message("merge", label, "", {"Op": "merge", "Actor": "gitmem"})
    return commit_bytes(tree, [side.id for side in sides], me, me, max(side.when for side in sides), text)


def _differs(view: View, commit: str, path: str, blob: str) -> bool:
    """Whether a record on top of ``commit`` would change just that file."""
    found = tree_get(view.repo.objects, view.repo.commit(commit).tree, path)
    if found is not None and found[0] not in FILES:
        return False
    return (found[1] if found else "") != blob


def _check_paths(changes: Changes, label: str) -> None:
    """raises: BadName for a path that would lead out of the store, or into git's own folder"""
    for path, (_, after) in changes.items():
        if after is None:
            continue
        try:
            check_arriving(path)
        except BadName as error:
            raise BadName(
                f"{label} holds a file that no store may hold: {error.message.partition(';')[0]}; nothing was merged",
                hint=f"take {path!a} out on a machine that has it, with git rm, and sync there",
            ) from error


def _check_settings(view: View, target: str) -> None:
    """raises: FormatTooNew when a newer gitmem made what arrives"""
    data = file_at(view.repo, target, CONFIG_FILE) if target else None
    if data is not None:
        check_format(read_settings(data))


# -- what stands in the way


def _make_room(view: View, changes: Changes, named: Named, done: Arrival, when: int) -> None:
    """See to it that each work file that is about to change is as HEAD has it.

    raises: Moved once something was committed or moved aside, so that all is looked at anew
    """
    own: list[str] = []
    is_moved = False
    ignore, held = patterns(settings_of(view.repo.root).left_out()), load_gone(view.repo.git.path)
    for path, (before, after) in changes.items():
        modes = {side[0] for side in (before, after) if side}
        if LINK in modes or MODULE in modes:
            is_moved |= before is None and _set_aside(view, path, done)
            continue
        try:
            data = view.read(path)
        except BadName:
            if before is not None or not _set_aside(view, path, done):
                raise
            is_moved = True
            continue
        now = object_id("blob", stored(view, path, data)) if data is not None else ""
        if now == (before[1] if before else "") or (before is None and after and now == after[1]):
            if before is not None and (entry := view.staged(path)) is not None and entry[1] != before[1]:
                own.append(path)
        elif before is None and not is_memory(path, ignore) and not path.lower().endswith(".md"):
            is_moved |= _set_aside(view, path, done)
        elif data is not None or not (path in held or view.keeps_out(path)):
            own.append(path)
    if own:
        _commit_own(view, own, named, done, when)
    if own or is_moved:
        raise Moved


def _commit_own(view: View, paths: Sequence[str], named: Named, done: Arrival, when: int) -> None:
    """raises: RepositoryBusy for a file that is held back: it seems to hold a secret, or an unfinished merge"""
    found: list[Finding] = []
    for path in paths:
        data, committed = view.read(path), view.committed(path)
        old = view.repo.objects.read(committed[1], "blob") if committed else None
        found += unfit(path, data, old) if data is not None else []
    if found:
        raise held_error(found)
    steps = hand_edits(view, paths)
    if not steps:
        raise RepositoryBusy(
            f"{paths[0]} is not what the last commit holds, and git sees no change in it; nothing was merged",
            hint=git_in(view.repo.root, "status"),
        )
    named(paths)
    publish(view, steps, view.people()[1], when)
    done.edits += [path for path in paths if path not in done.edits]


def _set_aside(view: View, path: str, done: Arrival) -> bool:
    """Give what stands at ``path``, or where one of its folders has to be, another name; whether anything did.

    Only what git does not track is moved.
    """
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        part = "/".join(parts[:depth])
        full = join(view.repo.root, part)
        is_whole = depth == len(parts)
        if not os.path.lexists(full) or (not is_whole and os.path.isdir(full) and not os.path.islink(full)):
            continue
        if view.tree and tree_get(view.repo.objects, view.tree, part) is not None:
            return False
        new = _free_name(view.repo.root, part)
        os.rename(full, join(view.repo.root, new))
        done.aside.append((part, new))
        return True
    return False


def _free_name(root: str, path: str) -> str:
    """``notes.txt`` as ``notes.local-1.txt``, or with the next number that nothing has."""
    folder, slash, name = path.rpartition("/")
    stem, dot, end = name.rpartition(".") if "." in name[1:] else (name, "", "")
    number = 1
    while os.path.lexists(join(root, new := f"{folder}{slash}{stem}.{ASIDE}-{number}{dot}{end}")):
        number += 1
    return new


# -- many files


def _write_many(view: View, changes: Changes) -> None:
    """Write the new files of a large arrival, synced together; a publication would hold each open until its end."""
    new = [
        (path, after)
        for path, (before, after) in changes.items()
        if before is None and after is not None and after[0] in FILES and view.read(path) is None
    ]
    _allow_files(len(changes) - len(new) if len(new) > MANY else len(changes))
    if len(new) <= MANY:
        return
    temp = os.path.join(state(view.repo.git.path), "tmp-arrival")
    for path, (mode, blob) in new:
        full = join(view.repo.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        look(view.repo.root, path)  # raises for a link on the way
        with suppress(FileNotFoundError):
            os.unlink(temp)
        fd = os.open(temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), mode & 0o777 | 0o022)
        try:
            write_all(fd, view.repo.objects.read(blob, "blob"))
        finally:
            os.close(fd)
        if os.path.lexists(full):
            raise Moved
        os.rename(temp, full)
        view.seen.pop(path, None)
    if hasattr(os, "sync"):
        os.sync()


def _allow_files(count: int) -> None:
    """Let this process hold ``count`` files open, where the system lets it choose."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = count * 2 + 200
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(ValueError, OSError):
            top = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (top, hard))
