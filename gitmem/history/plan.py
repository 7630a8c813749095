"""What is to be published, worked out before any lock of git's is taken: trees, commits, files, refs."""

from __future__ import annotations

from gitmem.history.commit import Commit, commit_bytes
from gitmem.history.convert import stored
from gitmem.history.journal import Write
from gitmem.history.tree import FILE, PROGRAM, splice

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from gitmem.history.commit import FileChange, Identity, Step
    from gitmem.history.ownrefs import RefMove
    from gitmem.history.view import View


class Plan:
    """Everything that is to be published.

    tree:     the tree the branch will have
    commits:  made in this order; none when the index alone is put right
    moved:    folder -> its tree before and after, "" for none
    finals:   path -> mode and blob in the end, None when it goes
    writes:   each file of each commit, for the journal
    repairs:  entries of the index that another program set back
    refs:     gitmem's own refs that move with the branch
    advances: the last commit is there already
    links:    path -> where a symbolic link points before and after
    programs: files that become programs, or stop to be
    stats:    of work files that are committed as they are
    """

    __slots__ = (
        "advances",
        "commits",
        "finals",
        "links",
        "moved",
        "programs",
        "refs",
        "repairs",
        "stats",
        "tree",
        "writes",
    )

    def __init__(self, tree: str) -> None:
        self.tree = tree
        self.commits: list[Commit] = []
        self.moved: dict[bytes, tuple[str, str]] = {}
        self.finals: dict[str, tuple[int, str] | None] = {}
        self.writes: list[Write] = []
        self.repairs: dict[str, tuple[int, str]] = {}
        self.refs: Sequence[RefMove] = ()
        self.advances = False
        self.links: dict[str, tuple[bytes | None, bytes | None]] = {}
        self.programs: dict[str, bool] = {}
        self.stats: dict[str, os.stat_result] = {}


def plan_of(view: View, steps: Sequence[Step], committer: Identity, when: int) -> Plan:
    """The steps as commits on the branch; one that changes nothing makes none."""
    objects, plan, parent = view.repo.objects, Plan(view.tree), view.head
    for step in steps:
        changes: dict[str, tuple[int, str] | None] = {}
        for change in step.changes:
            changes[change.path] = _entry(view, change)
        tree, moved = splice(objects, plan.tree, changes)
        if tree == plan.tree and not step.always:
            continue
        for path, entry in changes.items():
            old = plan.finals[path] if path in plan.finals else view.committed(path)
            plan.writes.append(Write(path, old[1] if old else "", entry[1] if entry else ""))
        for folder, (before, after) in moved.items():
            plan.moved[folder] = (plan.moved.get(folder, (before, after))[0], after)
        plan.finals.update(changes)
        parents = [*([parent] if parent else []), *step.merged]
        raw = commit_bytes(tree, parents, step.author, committer, when, step.message)
        parent, plan.tree = objects.add("commit", raw), tree
        plan.commits.append(Commit(parent, raw))
    return plan


def _entry(view: View, change: FileChange) -> tuple[int, str] | None:
    """Mode and blob of a changed file: HEAD's mode, else what the work file says."""
    committed = view.committed(change.path)
    if change.data is None:
        return None
    if change.mode:
        return change.mode, view.repo.objects.add("blob", change.data)
    mode = PROGRAM if committed and committed[0] == PROGRAM else FILE
    seen = view.seen.get(change.path)
    if committed is None and seen and seen.mode & 0o100 and view.filemode:
        mode = PROGRAM
    return mode, view.repo.objects.add("blob", stored(view, change.path, change.data))
