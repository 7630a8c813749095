"""Return to a rollback point: the whole store, or only what one operation touched (B5).

Nothing is deleted: a file that should not exist moves to the archive, what a person wrote since stays and the point's
text becomes a conflict, and a protection point is made first, so that a rollback can be rolled back.
"""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.history.commit import FileChange
from gitmem.history.point import files_of, find_point
from gitmem.history.repo import open_repo
from gitmem.write.apply import POINT_ONLY, apply
from gitmem.write.change import Change, Reader
from gitmem.write.notes import notes_of
from gitmem.write.rollback_plan import Plan, Report

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.write.change import Actor


def make_point(root: str, reason: str, *, when: int, actor: Actor, environ: Mapping[str, str]) -> str:
    """Make a rollback point of the store as it is, uncommitted edits included; its id."""
    change = Change(POINT_ONLY, "", reason, actor, lambda reader: [])  # noqa: ARG005
    change.point = reason or "made by hand"
    return apply(root, change, when, environ).point


def roll_back(
    root: str, name: str, *, only_run: bool = False, when: int, actor: Actor, environ: Mapping[str, str]
) -> Report:
    """Bring the memories back to what they were at the rollback point ``name``.

    only_run: only the files that the operation touched which the point was made for
    raises:   NotFound; Refused for a damaged point before anything is changed, and for anyone but a person
    """
    if actor.kind != "person":
        raise Refused(f"a {actor.kind} may not roll a store back; a person does", hint="gitmem rollback list")
    with open_repo(root) as repo:
        point = find_point(repo, name)
        files_of(repo, point)
    report = Report(point.id, "run" if only_run else "all")

    def make(reader: Reader) -> list[FileChange]:
        plan = Plan(reader, point, when)
        files = plan.run() if only_run else plan.whole()
        for each in ("restored", "parked", "skipped", "conflicts", "kept", "left"):
            setattr(report, each, getattr(plan.report, each))
        change.reason, change.refs = plan.report.text(), plan.refs
        change.trailers = {"Rollback": point.id, "Opened": " ".join(plan.opened)}
        change.leaves, change.restores = [path for path, _ in report.conflicts], plan.restores
        change.always = bool(files or plan.refs)
        change.point = f"before rollback to {point.id}" if change.always else ""
        return files

    change = Change("rollback", point.id, "", actor, make)
    change.protects = True
    applied = apply(root, change, when, environ)
    report.commit, report.protection = applied.commit, applied.point
    report.notes = tuple(notes_of(root, applied, environ))
    return report
