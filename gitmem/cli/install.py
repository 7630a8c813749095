"""``gitmem install``: wire gitmem into a host."""

from __future__ import annotations

import sys

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.cli.hosts import check_host, machine_folder, tell_report
from gitmem.setup.claude_code import install, settings_path
from gitmem.setup.host import hook_command
from gitmem.store.gitdir import find_git_dir


@click.command("install")
@click.argument("host", metavar="HOST")
@shared
def command(door: Door, host: str) -> None:
    """Let HOST (claude-code) ask gitmem before each prompt.

    Only gitmem's own lines are added to the host's settings; `gitmem uninstall HOST` restores the bytes.
    The store in use now (--store, GITMEM_STORE) is written into the call unless it is the default one: a host's
    processes need not have your environment.
    """
    check_host(host)
    call = hook_command(host, sys.executable, None if door.is_default() else door.place())
    report = install(settings_path(door.environ), machine_folder(door), call)
    if find_git_dir(door.place()) is None:
        door.say(f"there is no store at {door.shown(door.place())} yet; the first `gitmem remember` makes it")
    tell_report(door, host, report)
