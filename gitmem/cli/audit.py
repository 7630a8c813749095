"""``gitmem audit``: what is wrong with the memories, or with what the next commit would change."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import click

from gitmem.audit.changes import audit_changes
from gitmem.audit.report import Report
from gitmem.audit.store import audit_store
from gitmem.cli.coming import changes_of
from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.history.repo import open_repo
from gitmem.history.settings import settings_of
from gitmem.history.staged import staged, staged_names, staged_paths
from gitmem.write.find import find_memory
from gitmem.write.renamed import names_now

FINDINGS = 5  # the exit code when there are problems


@click.command("audit")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--staged", "of_index", is_flag=True, help="Judge what is staged for the next commit, not the files.")
@shared
def command(door: Door, names: tuple[str, ...], of_index: bool) -> None:
    """Look for what is wrong: in the whole store, or in the memories called NAME.

    Nothing is changed. Ends with 5 when there are problems; hints are none. What each rule means stands in
    docs/audit.md; `gitmem doctor --fix` mends what can be mended safely.
    """
    root = door.store()
    paths = [find_memory(root, name) for name in names]
    report = staged_report(root, door.environ) if of_index else audit_store(root, partial(names_now, root))
    if paths:
        report = report.about(paths)
    text = report.text()
    if of_index and not report.memories and not report.findings:
        text = "no memory is staged, so there is nothing to audit"
    door.answer(report.shape(), text)
    if report.problems:
        raise click.exceptions.Exit(FINDINGS)


def staged_report(root: str, environ: Mapping[str, str]) -> Report:
    """What the next commit would add to what is wrong."""
    with open_repo(root) as repo:
        coming = staged(repo, environ)
        changed = changes_of(repo, coming, settings_of(root))
        return audit_changes(changed, staged_names(repo, environ), lambda: staged_paths(repo, environ))
