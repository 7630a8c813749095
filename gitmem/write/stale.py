"""A write that came too late: its writer read another text than the one that stands there now (B2, B3).

Nothing is written.  What the writer wanted is made from what it had read, and kept as a conflict record; when it does
not touch what moved meanwhile, it can be merged, if the writer says so.
"""

from __future__ import annotations

import time

from gitmem.errors import GitmemError, NotFound, RepositoryDamaged
from gitmem.errors import Stale as StaleError
from gitmem.history.conflict import commit_with, conflict_id, record, undated
from gitmem.history.log import revisions
from gitmem.history.objects import object_id
from gitmem.history.ownrefs import RefMove, move_refs
from gitmem.history.refs import read_ref
from gitmem.history.revision import resolve
from gitmem.history.trail import present_path
from gitmem.history.tree import tree_blob
from gitmem.history.view import Moved
from gitmem.memory.clean import one_line
from gitmem.memory.name import is_reserved
from gitmem.memory.own_id import is_another
from gitmem.store.paths import CONFLICTS, typed
from gitmem.write.change import Reader

SHOWN = 40  # characters of what was given as a revision
MAX_LOOKED_AT = 200  # versions among which one with other line ends is looked for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.commit import Identity
    from gitmem.history.repo import Repo
    from gitmem.history.view import View
    from gitmem.write.change import Change


class Stale:
    """A late change of one memory.

    base:      what its writer had read; ours: what stands there now; theirs: what the writer wanted
    now:       the revision of ours, "" for no file
    merged:    the two together, None unless ``is_clean``
    is_same:   theirs is ours already, but for the date in its head
    is_other:  another memory has the path by now, of another id
    raises:    NotFound when git does not hold what the writer had read
    """

    def __init__(self, view: View, path: str, revision: str, author: Identity) -> None:
        self.path, self.revision, self.author, self.view = path, revision, author, view
        self.committer = view.people()[1]
        self.reader = Reader(view)
        self.ours = self.reader.kept(path)
        self.now = object_id("blob", self.ours) if self.ours is not None else ""
        self.base = _revision(view.repo, path, revision)
        self.theirs: bytes | None = None
        self.merged: bytes | None = None
        self.is_other = self.ours is not None and is_another(path, self.ours, self.base)
        self.is_clean = self.is_same = False

    def want(self, theirs: bytes | None) -> None:
        """Say what the writer wanted."""
        self.theirs = theirs
        if theirs is None or self.ours is None:
            self.is_same = theirs is self.ours
            return
        if self.is_other:
            return
        self.is_same = undated(self.path, theirs) == undated(self.path, self.ours)
        from gitmem.merge.file import merge_file

        merged = merge_file(self.path, self.base, self.ours, theirs)
        self.is_clean = not merged.conflicts
        self.merged = self.reader.as_file(self.path, merged.data) if self.is_clean else None

    def settle(self, change: Change, when: int) -> tuple[str, list[RefMove]]:
        """The record's commit to merge, and the ref that goes when this very change was refused before."""
        name = conflict_id(self.path, self.base, self.ours, self.theirs)
        there = read_ref(self.view.repo.git, CONFLICTS + name)
        return (there, [RefMove(CONFLICTS + name, there, "")]) if there else (self.add_record(change, when)[1], [])

    def add_record(self, change: Change, when: int) -> tuple[str, str]:
        """The conflict's id and its commit, added to the repository's objects."""
        actor = change.actor
        trailers = {"Actor": actor.kind, "Agent": actor.agent, "Session": actor.session}
        sides = (self.base, self.ours, self.theirs)
        return record(
            self.view.repo, self.path, sides, self.author, self.committer, when, reason=change.reason, trailers=trailers
        )


def keep(repo: Repo, stale: Stale, change: Change, when: int) -> StaleError:
    """Keep a late change as a conflict record, once; the refusal to raise.  The writer lock is held."""
    name, commit = stale.add_record(change, when)
    ref = CONFLICTS + name
    if read_ref(repo.git, ref):
        repo.objects.forget()
    else:
        try:
            move_refs(repo, [RefMove(ref, "", commit)])
        except Moved:  # by git itself, in this moment: the record is there
            pass
    place = present_path(repo, stale.path, commit)
    moved = f"is gone since you read it ({stale.revision[:10]}{f', it is {place} now' if place != stale.path else ''})"
    if stale.is_other and place != stale.path:
        moved = f"is another memory since you read it ({stale.revision[:10]}); that one is {place} now"
    elif stale.now:
        moved = f"was changed since you read it ({stale.revision[:10]}, now {stale.now[:10]}{_who(repo, stale)})"
    hint = f"gitmem conflict show {name}"
    if stale.is_clean:
        hint = f"your change does not touch what moved: repeat it with --merge   (or: {hint})"
    return StaleError(
        f"{stale.path} {moved}; nothing was written, and what you wanted is kept as conflict {name}",
        path=stale.path,
        ref=ref,
        is_clean=stale.is_clean,
        hint=hint,
    )


def _who(repo: Repo, stale: Stale) -> str:
    found = commit_with(repo, stale.path, stale.now)
    if not found:
        return ""
    commit = repo.commit(found)
    return f", by {commit.author.name}, {time.strftime('%Y-%m-%d %H:%M', time.gmtime(commit.when))}Z"


def _revision(repo: Repo, path: str, revision: str) -> bytes:
    try:
        return repo.objects.read(revision, "blob")
    except RepositoryDamaged:
        if (kept := _converted(repo, path, revision)) is not None:
            return kept
        if (mistaken := no_revision(repo, path, revision)) is not None:
            raise mistaken from None
        what = "was never in git" if len(revision) == 40 and not is_reserved(path) else "is no revision"
        raise NotFound(
            f"{path}: {revision[:40]} {what}, so what you wanted cannot be compared with what stands there now",
            hint=f"gitmem show {typed(path)} --json   (it says the revision)",
        ) from None


def no_revision(repo: Repo, path: str, named: str) -> NotFound | None:
    """What to say of a commit that was given as the revision that was read; None for what is no commit either."""
    try:
        commit = resolve(repo, named)
    except GitmemError:
        return None
    there = tree_blob(repo, commit, path)
    said = f"the revision of {path} in it is {there[:10]}" if there else f"it holds no {path}"
    hint = f"--if-revision {there[:10]}" if there else f"gitmem history {typed(path)} --json"
    return NotFound(f'"{one_line(named, SHOWN)}" is a commit, not what was read of a memory; {said}', hint=hint)


def _converted(repo: Repo, path: str, revision: str) -> bytes | None:
    """The version of ``path`` that a file of this revision became, where git takes the CR out of line ends."""
    for one in revisions(repo, path, MAX_LOOKED_AT):
        data = repo.objects.read(one.revision, "blob") if one.revision else b""
        if object_id("blob", data.replace(b"\n", b"\r\n")) == revision:
            return data
    return None
