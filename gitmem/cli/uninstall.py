"""``gitmem uninstall``: take the wiring out of a host again."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.cli.hosts import check_host, machine_folder, tell_report
from gitmem.setup.claude_code import settings_path, uninstall


@click.command("uninstall")
@click.argument("host", metavar="HOST")
@shared
def command(door: Door, host: str) -> None:
    """Take gitmem out of HOST (claude-code); its settings get their old bytes back.

    Memories are not touched.
    """
    check_host(host)
    tell_report(door, host, uninstall(settings_path(door.environ), machine_folder(door)))
