"""The hosts that gitmem can be wired into, for ``install`` and ``uninstall``."""

from __future__ import annotations

from pathlib import Path

from gitmem.cli.door import Door
from gitmem.errors import Usage
from gitmem.setup.claude_code import Report
from gitmem.store.place import home_folder

HOSTS = ("claude-code",)


def check_host(host: str) -> None:
    """raises: Usage for a host that cannot be wired"""
    if host not in HOSTS:
        raise Usage(f'there is no wiring for "{host}", only for {", ".join(HOSTS)}', hint=f"gitmem install {HOSTS[0]}")


def machine_folder(door: Door) -> Path:
    """Where this machine's gitmem keeps what belongs to no store: GITMEM_HOME, else ~/.gitmem."""
    named = door.environ.get("GITMEM_HOME")
    return Path(named).expanduser().absolute() if named else Path(home_folder(door.environ)) / ".gitmem"


def tell_report(door: Door, host: str, report: Report) -> None:
    """Answer with what was done to the host's settings."""
    shape = {"host": host, "settings": str(report.path), "changed": report.changed, "notes": list(report.notes)}
    door.answer(shape, "\n".join(report.notes), saved=report.notes[0].rstrip("."))
