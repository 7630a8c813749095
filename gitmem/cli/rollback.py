"""``gitmem rollback``: the states a store can return to."""

from __future__ import annotations

import click

from gitmem.cli.common import Subcommands, shared
from gitmem.cli.door import Door, counted, printable
from gitmem.history.point import PROTECTION, every_point
from gitmem.history.repo import open_repo
from gitmem.history.settings import settings_of
from gitmem.memory.age import iso
from gitmem.store.paths import CONFIG_FILE
from gitmem.write.change import Actor
from gitmem.write.rollback import make_point, roll_back


@click.group("rollback", cls=Subcommands)
def command() -> None:
    """States the store can return to.

    One is made before every operation on many files, and a protection point before each rollback.
    """


@command.command("list")
@shared
def list_command(door: Door) -> None:
    """List the rollback points, oldest first."""
    with open_repo(door.store()) as repo:
        found, damaged = every_point(repo)
    lines = [
        f"{door.paint(each.id, 'yellow')}  {iso(each.when)}  {printable(each.reason)}"
        + ("  (protection)" if each.kind == PROTECTION else "")
        for each in found
    ]
    shape = [
        {"id": each.id, "ref": each.ref, "commit": each.commit, "kind": each.kind, "when": iso(each.when),
         "reason": each.reason}
        for each in found
    ]  # fmt: skip
    door.answer({"points": shape, "damaged": damaged}, "\n".join(lines))
    for name in damaged:
        door.say(f"rollback point {name} is damaged: its commit cannot be read")
    if not found:
        door.say("no rollback points yet; make one: gitmem rollback create")


@command.command("create")
@click.option("--reason", default="", help="What it is for; shown in the list.")
@shared
def create_command(door: Door, reason: str) -> None:
    """Make a rollback point of the store as it is, edits that are not committed included."""
    root = door.store()
    before = _ids(root)
    name = make_point(root, reason, when=door.when, actor=Actor("person"), environ=door.environ)
    if gone := before - _ids(root):
        kept = settings_of(root).keep_points
        door.say(f"{counted(len(gone), 'older point')} went: the last {kept} are kept (rollback.keep in {CONFIG_FILE})")
    door.answer({"id": name}, f"made rollback point {name}\nreturn to it: gitmem rollback apply {name}", saved=name)


def _ids(root: str) -> set[str]:
    with open_repo(root) as repo:
        return {each.id for each in every_point(repo)[0]}


@command.command("apply")
@click.argument("name", metavar="ID")
@click.option("--run", "only_run", is_flag=True, help="Only the files of the operation the point was made for.")
@shared
def apply_command(door: Door, name: str, only_run: bool) -> None:
    """Bring the memories back to what they were at the point ID.

    Nothing is deleted: what should not exist moves to archive/, what you edited by hand since stays as it is and the
    point's text becomes a conflict. The rollback itself can be taken back: gitmem undo.
    """
    report = roll_back(
        door.store(), name, only_run=only_run, when=door.when, actor=Actor("person"), environ=door.environ
    )
    for sentence in report.notes:
        door.say(sentence)
    shape = {
        "point": report.point,
        "scope": report.scope,
        "commit": report.commit,
        "protection": report.protection,
        "restored": report.restored,
        "parked": report.parked,
        "skipped": [{"path": path, "why": why} for path, why in report.skipped],
        "conflicts": [{"path": path, "id": name} for path, name in report.conflicts],
        "kept": report.kept,
        "left": report.left,
    }
    counts = [f"{len(report.restored)} restored", f"{len(report.parked)} moved to the archive"]
    counts += [f"{len(report.skipped)} skipped", counted(len(report.conflicts), "conflict")]
    lines = [report.text(), ", ".join(counts)]
    if not report.commit:
        lines = [report.text() or f"nothing to do: the memories are as at {report.point}"]
    if report.conflicts:
        door.say("the point's texts of what you edited since: gitmem conflict list")
    if report.protection:
        lines.append(f"back from here: gitmem rollback apply {report.protection}   (or: gitmem undo)")
    door.answer(shape, "\n".join(line for line in lines if line), saved=f"the rollback to {report.point}")
