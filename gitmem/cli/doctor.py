"""``gitmem doctor``: is everything in step, and what can be mended safely."""

from __future__ import annotations

from functools import partial

import click

from gitmem.audit.report import Report
from gitmem.audit.store import audit_store
from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted
from gitmem.dataclass import asdict
from gitmem.setup.check import OK, TROUBLE, Check
from gitmem.setup.doctor import Mend, examine, mend, mendable
from gitmem.write.renamed import names_now

FINDINGS = 5  # the exit code when something is left to mend


@click.command("doctor")
@click.option("--fix", is_flag=True, help="Mend what is safe; each mend of a memory is a commit.")
@shared
def command(door: Door, fix: bool) -> None:
    """Look at all that gitmem derives or leaves behind, then at the memories.

    With --fix, what can be mended without changing what a memory says is mended: undo it with `git revert`.
    Ends with 5 when something is left to mend.
    """
    root = door.store()
    done, refused = mend(root, door.environ, door.when) if fix else ([], [])
    checks = examine(root, door.environ, door.when)
    report = audit_store(root, partial(names_now, root))
    safe = mendable(root, report)
    lines = [mended_line(each) for each in done] + refused + [check_line(each) for each in checks]
    door.answer(
        {
            "checks": [asdict(each) | {"hint": door.named(each.hint)} for each in checks],
            "mended": [asdict(each) for each in done],
            "refused": refused,
            "mendable": [{"path": path, "rules": rules} for path, rules in safe.items()],
            "audit": report.shape(),
        },
        "\n".join([*lines, memories_line(report, len(safe))]),
        saved="what is safe is mended",
    )
    if report.problems or any(each.state == TROUBLE for each in checks):
        raise click.exceptions.Exit(FINDINGS)


def mended_line(done: Mend) -> str:
    return f"mended   {done.name}: {done.what}" + (f" (commit {done.commit[:10]})" if done.commit else "")


def check_line(check: Check) -> str:
    hint = f"; type: {check.hint}" if check.hint and check.state != OK else ""
    return f"{check.state:<8} {check.name}: {check.message}{hint}"


def memories_line(report: Report, safe: int) -> str:
    """The audit in one line, and what to type."""
    line = f"{'trouble' if report.problems else 'ok':<8} memories: {report.summary()}"
    if safe:
        line += f"; in {counted(safe, 'file')} some are mended by: gitmem doctor --fix"
    return line + ("; see them all: gitmem audit" if report.findings else "")
