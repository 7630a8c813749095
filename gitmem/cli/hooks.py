"""``gitmem hooks``: git's own hooks for a store: install, remove, status; what they do stands in cli/githook.py."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gitmem.cli.common import Subcommands, shared
from gitmem.cli.door import Door
from gitmem.cli.githook import FOUND, RUN
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import git_in

if TYPE_CHECKING:
    from gitmem.setup.githooks import Hook, Place

STATES = {
    "installed": "installed",
    "older": "of an older gitmem; type: gitmem hooks install",
    "edited": "installed, and edited since",
    "missing": "not installed",
    "other": "another program's; `gitmem hooks install` keeps it and runs it first",
}


@click.group("hooks", cls=Subcommands)
def command() -> None:
    """Let git itself keep the store sound: hooks for commits, merges, checkouts and pushes.

    Each of the words below takes --store PATH and --json. Hooks that are there already are kept and run first.
    """


SHARED = click.option(
    "--shared", "anyway", is_flag=True, help="Also in a folder of hooks that others use, or git tracks."
)


@command.command("install")
@SHARED
@shared
def install_command(door: Door, anyway: bool) -> None:
    """Put git's hooks into the repository of the store, and its merge driver.

    A hook that is there is kept in a folder beside and run first, by its own name. Undo with `gitmem hooks remove`.
    """
    from gitmem.history.identity import person_config
    from gitmem.setup.githooks import install  # git waits for ``run``, which needs none of it
    from gitmem.setup.merge_driver import INSTALLED, driver_state

    before = driver_state(place_of(door))
    place, hooks, written = install(place_of(door), door.environ, shared=anyway)
    where = door.shown(str(place.folder))
    text = f"all hooks are installed in {where}"
    if written:
        text = f"installed {', '.join(written)} in {where}\nundo with: gitmem hooks remove"
    driver = driver_state(place_of(door))
    if driver == INSTALLED != before:
        text += "\nplain git merge and git pull merge memories as `gitmem sync` does"
        if not {"pull.rebase", "pull.ff"} & person_config(find_git_dir(place_of(door)), door.environ).keys():
            command = git_in(place_of(door), "config pull.rebase false")
            text += f"\ngit pull wants to know once how two histories are joined: {command}"
    earlier = [door.shown(each.earlier) for each in hooks if each.earlier]
    if earlier:
        text += f"\nrun first, as before: {', '.join(earlier)}"
    edited = [each.name for each in hooks if each.state == "edited"]
    if edited:
        text += f"\nleft as you edited them: {', '.join(edited)}"
    shape = shape_of(place, hooks) | {"merge_driver": driver, "written": written}
    door.answer(shape, text, saved="the hooks are installed")


@command.command("remove")
@SHARED
@shared
def remove_command(door: Door, anyway: bool) -> None:
    """Take git's hooks out again; what stood there before is as it was."""
    from gitmem.setup.githooks import remove
    from gitmem.setup.merge_driver import INSTALLED, driver_state

    before = driver_state(place_of(door))
    place, taken, left = remove(place_of(door), door.environ, shared=anyway)
    for said in left:
        door.say(said)
    text = f"removed {', '.join(taken)} from {door.shown(str(place.folder))}" if taken else "no hook of gitmem is there"
    if before == INSTALLED != driver_state(place_of(door)):
        text += "\nplain git merge and git pull merge memories line by line again"
    door.answer({"folder": str(place.folder), "removed": taken, "left": left}, text, saved="the hooks are removed")


@command.command("status")
@shared
def status_command(door: Door) -> None:
    """Say which hooks are installed, and what they run first."""
    from gitmem.setup.githooks import status
    from gitmem.setup.merge_driver import driver_state

    place, hooks = status(place_of(door), door.environ)
    lines = [f"hooks in {door.shown(str(place.folder))}" + (f" (core.hooksPath in {place.told})" if place.told else "")]
    for each in hooks:
        first = f", after {door.shown(each.earlier)}" if each.earlier and each.state != "missing" else ""
        lines.append(f"  {each.name:<17} {STATES[each.state]}{first}")
    driver = driver_state(place_of(door))
    if driver:
        lines.append(f"  {'merge driver':<17} {STATES[driver]}")
    door.answer(shape_of(place, hooks) | {"merge_driver": driver}, door.named("\n".join(lines)))


@command.command("run")
@click.argument("name", type=click.Choice(tuple(RUN)), metavar="HOOK")
@click.argument("words", nargs=-1, metavar="[WORD]...")
@shared
def run_command(door: Door, name: str, words: tuple[str, ...]) -> None:
    """Do what the git hook HOOK is for; the scripts call this in the repository's folder, not people."""
    if not RUN[name](door, door.option or str(Path.cwd()), words):
        raise click.exceptions.Exit(FOUND)


def place_of(door: Door) -> str:
    """The store; with --store also the bare repository of a server."""
    named = door.place() if door.option else ""
    return named if named and Path(named, "HEAD").is_file() else door.store()


def shape_of(place: Place, hooks: Sequence[Hook]) -> dict[str, object]:
    rows = [{"name": each.name, "state": each.state, "chained": bool(each.earlier)} for each in hooks]
    return {"folder": str(place.folder), "configured_in": place.told, "hooks": rows}
