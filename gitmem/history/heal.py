"""Put right what a killed writer or another program's stale index left behind.

``recover`` comes first and needs the writer lock: whatever the journal names belongs to a dead process.  ``steps``
then gives the commits that complete an interrupted write, and those that put back acknowledged writes which a
foreign commit dropped because it was made from an index read before ours.
"""

from __future__ import annotations

import os

from gitmem.errors import GitmemError, RepositoryBusy, RepositoryDamaged
from gitmem.history.commit import Commit, FileChange, Step
from gitmem.history.gitindex import CannotPatch
from gitmem.history.hold import GcGuard, remove_own
from gitmem.history.identity import gitmem_identity
from gitmem.history.journal import Inflight, Write, forget_inflight, load_inflight
from gitmem.history.message import message
from gitmem.history.objects import abandoned, object_id, remove
from gitmem.history.refs import read_ref
from gitmem.history.repo import Repo
from gitmem.history.tree import FILES, encode, entry_of, is_folder, parse, tree_blob, tree_get
from gitmem.history.view import View
from gitmem.limits import RECENT_WRITES
from gitmem.store.gitdir import GitDir
from gitmem.store.paths import GC_PID, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gitmem.history.objects import Objects
    from gitmem.history.ownrefs import RefMove

SOME = 32  # files of one folder up to which its tree is not parsed
REPAIRED = 40  # newest writes whose index entries are looked at when another program wrote the index
NEAR = 8  # commits above our tip that are looked at before those below it
TEMP = "tmp-"


def recover(git: GitDir) -> Inflight | None:
    """Remove a dead writer's locks, by inode, and its temporary files; what it was about to publish, if anything."""
    folder = state(git.path)
    os.makedirs(folder, exist_ok=True)
    GcGuard(git.common, os.path.join(state(git.common), GC_PID)).recover()
    left = load_inflight(git.path)
    if left is not None:
        for inode, path in left.locks:
            remove_own(path, inode)
        temps, left.locks, left.temps = left.temps, [], []
        left.save(git.path)  # before the inodes are free: another program's lock may get one of them
        for path in temps:
            remove(path)
    half = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(TEMP)]
    half += abandoned(os.path.join(git.common, "objects"), loose=bool(left or half))
    for path in half:
        remove(path)
    return left


def settle(view: View, left: Inflight) -> None:
    """Forget a write that needs nothing more; one that was published but for its last step is noted as recent."""
    if view.head == left.commit and view.recent().tip != left.commit:
        view.recent().add(view.repo.git.path, left.commit, "", left.writes)
    is_published = bool(view.head) and (view.head == left.commit or _is_near_above(view, left.commit))
    if is_published and (drops := left_drops(view, left)):
        from gitmem.history.ownrefs import move_refs

        move_refs(view.repo, drops)
    forget_inflight(view.repo.git.path)


def can_advance(view: View, left: Inflight) -> bool:
    """Whether an interrupted move of the branch to a commit that is there can be made after all.

    Not when the branch went elsewhere, or a person saved one of its files since: what is on disk is theirs then.
    """
    return (
        left.advances
        and (left.ref, left.parent) == (view.ref, view.head)
        and all(_blob(view, write.path) in (write.old, write.new, None) for write in left.writes)
    )


def left_drops(view: View, left: Inflight) -> list[RefMove]:
    """The refs that an interrupted write was to delete and that are still there."""
    if not left.drops:
        return []
    from gitmem.history.ownrefs import RefMove

    return [RefMove(ref, old, "") for ref, old in left.drops if read_ref(view.repo.git, ref) == old]


def left_steps(view: View, left: Inflight) -> list[Step]:
    """The commits that complete an interrupted write; none when it had changed nothing a person can see.

    A write that had not reached any work file is dropped: it was never acknowledged.  One that had is completed,
    hand edits it was to commit first included, and what a person saved since is committed on top of it.
    """
    if left.ref != view.ref or view.head == left.commit or not left.writes or left.advances:
        return []
    try:
        chain = _chain(view.repo, left)
    except RepositoryDamaged:
        return []
    last: dict[str, Write] = {write.path: write for write in left.writes}
    if not any(write.new != write.old and _blob(view, write.path) == write.new for write in last.values()):
        return []
    first = {write.path: write.old for write in reversed(left.writes)}
    free = {path for path, old in first.items() if (tree_blob(view.repo, view.head, path) or "") == old}
    steps = [step for commit in chain if (step := _again(view.repo, commit, free)).changes]
    return [*steps, *_saved_since(view, last, free)] if steps else []


def _chain(repo: Repo, left: Inflight) -> list[Commit]:
    chain: list[Commit] = []
    name = left.commit
    while name and name != left.parent:
        chain.append(repo.commit(name))
        name = chain[-1].parents[0] if chain[-1].parents else ""
    return chain[::-1]


def _again(repo: Repo, commit: Commit, paths: set[str]) -> Step:
    before = commit.parents[0] if commit.parents else ""
    changes = []
    for path in sorted(paths):
        old, new = tree_blob(repo, before, path), tree_blob(repo, commit.id, path)
        if old != new:
            changes.append(FileChange(path, repo.objects.read(new, "blob") if new else None))
    return Step(changes, commit.message, commit.author, commit.parents[1:])


def _saved_since(view: View, last: dict[str, Write], free: set[str]) -> list[Step]:
    changes = []
    for path in sorted(free):
        if _blob(view, path) not in (last[path].old, last[path].new):
            changes.append(FileChange(path, view.read(path)))
    note = message(
        "hand edit", ", ".join(change.path for change in changes), "", {"Op": "hand-edit", "Actor": "person"}
    )
    return [Step(changes, note, view.people()[0])] if changes else []


def healing(view: View) -> tuple[list[Step], list[tuple[str, int, str]]]:
    """Acknowledged writes another program dropped: commits that put them back, index entries to put right.

    A write is put back when HEAD has an earlier version of the file and the work file still holds the later one: a
    person who really reverts or deletes changes the work file too.  A branch that was reset to an earlier commit is
    left as the person wanted it.
    """
    recent = view.recent()
    moved, rewritten = recent.tip != view.head, recent.index != str(view.index_key)
    if not recent or not view.head or not (moved or rewritten):
        return [], []
    writes = recent.writes()
    latest: dict[str, str] = {}
    earlier: dict[str, set[str]] = {}
    for write in writes:
        earlier.setdefault(write.path, set()).update((write.old, latest.get(write.path, write.old)))
        latest[write.path] = write.new
    steps: list[Step] = []
    dropped: dict[str, bytes | None] = {}
    if recent.tip and moved and not _was_reset(view, recent.tip):
        for path, now in _blobs_at_head(view, latest, _tree_of(view, recent.tip)).items():
            if now != latest[path] and now in earlier[path] and _blob(view, path) == latest[path]:
                dropped[path] = view.read(path)
    if dropped:
        names = ", ".join(sorted(dropped))
        reason = "Another program's commit was made from an index it had read before these were written."
        trailers = {"Op": "put-back", "Memory": names, "Actor": "gitmem"}
        changes = [FileChange(path, data) for path, data in sorted(dropped.items())]
        steps.append(Step(changes, message("put back", names, reason, trailers), gitmem_identity()))
    repairs = []
    if rewritten and not _agrees(view):
        newest = list(dict.fromkeys(write.path for write in reversed(writes)))[:REPAIRED]
        at_head = _blobs_at_head(view, newest)
        kept = [path for path in newest if path not in dropped and latest[path] and at_head.get(path) == latest[path]]
        repairs = [fix for path in kept if (fix := _repair(view, path, latest[path], earlier[path]))]
    return steps, repairs


def _repair(view: View, path: str, new: str, earlier: set[str]) -> tuple[str, int, str] | None:
    """The entry of a write that HEAD has and the index has not; None when all is well or a person staged something."""
    try:
        staged = view.index().staged(path.encode("utf-8", "surrogateescape"))
    except (CannotPatch, RepositoryBusy):
        return None
    blob = staged[1] if staged else ""
    if blob == new or blob not in earlier or _blob(view, path) != new:
        return None
    found = tree_get(view.repo.objects, view.tree, path)
    return (path, found[0], new) if found else None


def _agrees(view: View) -> bool:
    """Whether the index holds just HEAD's tree, by what git noted in it: then no entry can be behind."""
    try:
        trees = view.index().trees
    except (CannotPatch, RepositoryBusy):
        return False
    return trees is not None and trees.id == view.tree


def _was_reset(view: View, tip: str) -> bool:
    """Whether HEAD is one of the commits below our tip: somebody moved the branch back on purpose."""
    if _is_near_above(view, tip):  # what most commits of others come to: a few on top of ours
        return False
    name = tip
    try:
        for _ in range(RECENT_WRITES):
            parents = view.repo.commit(name).parents
            if not parents:
                return False
            name = parents[0]
            if name == view.head:
                return True
    except RepositoryDamaged:  # the old tip was pruned
        return False
    return False


def _is_near_above(view: View, tip: str) -> bool:
    """Whether HEAD is one of the next NEAR commits above ``tip``."""
    name = view.head
    for _ in range(NEAR):
        parents = view.repo.commit(name).parents
        if tip in parents:
            return True
        if not parents:
            return False
        name = parents[0]
    return False


def _folders(objects: Objects, tree: str) -> Callable[[str], str]:
    """A look-up of the folders under ``tree``: path -> tree id, "" for none; each is looked for once."""
    known: dict[str, str] = {"": tree}

    def look(folder: str) -> str:
        if folder not in known:
            above, _, name = folder.rpartition("/")
            place = look(above)
            found = entry_of(objects.read(place, "tree"), encode(name)) if place else None
            known[folder] = found[1].hex() if found and is_folder(found[0]) else ""
        return known[folder]

    return look


def _tree_of(view: View, commit: str) -> str:
    """The tree of a commit that may be gone; "" then."""
    try:
        return view.repo.commit(commit).tree
    except RepositoryDamaged:
        return ""


def _blobs_at_head(view: View, paths: Iterable[str], seen: str = "") -> dict[str, str]:
    """path -> its blob at HEAD, "" for none; a path at which something else than a file stands is absent.

    seen: a tree; folders that are the same in it are left out
    """
    folders: dict[str, list[str]] = {}
    for path in paths:
        folders.setdefault(path.rpartition("/")[0], []).append(path)
    objects, found = view.repo.objects, {}
    folder_at = {tree: _folders(objects, tree) for tree in (view.tree, seen) if tree}
    for folder, inside in folders.items():
        now = folder_at[view.tree](folder)
        if seen and now == folder_at[seen](folder):
            continue
        raw = objects.read(now, "tree") if now else b""
        entries = parse(raw) if len(inside) > SOME else None
        for path in inside:
            name = encode(path.rpartition("/")[2])
            mode, blob = (entries.get(name) if entries is not None else entry_of(raw, name)) or (b"", b"")
            if not mode or int(mode, 8) in FILES:
                found[path] = blob.hex()
    return found


def _blob(view: View, path: str) -> str | None:
    """Blob id of the work file, "" for none; None when something that is no file stands there."""
    try:
        data = view.read(path)
    except GitmemError:
        return None
    return object_id("blob", data) if data is not None else ""
