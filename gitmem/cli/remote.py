"""``gitmem remote``: the places to sync with."""

from __future__ import annotations

import os

import click

from gitmem.cli.common import Subcommands, shared
from gitmem.cli.door import Door
from gitmem.errors import GitmemError, NoStore
from gitmem.history.remote import add, check_url, find_remote, kind_of, path_of, remotes, shown_url, take_out
from gitmem.history.remote_state import load_known, save_known
from gitmem.memory.age import iso
from gitmem.store.gitdir import GitDir, find_git_dir, head
from gitmem.store.machine import note_success
from gitmem.store.paths import typed


@click.group("remote", cls=Subcommands)
def command() -> None:
    """The places to sync with: any git host, by https or ssh, or a folder.

    They are git's own remotes; gitmem adds the lines that bring its conflicts, rollback points and heartbeats.
    """


@command.command("list")
@shared
def list_command(door: Door) -> None:
    """List the remotes, and when each was last reached."""
    git = git_of(door)
    rows = [(each, load_known(git.common, each.name, each.url).reached) for each in remotes(git)]
    shape = [
        {"name": each.name, "url": each.shown, "reached": iso(reached) if reached else ""} for each, reached in rows
    ]
    lines = [
        f"{each.name}  {each.shown}  {f'last synced {iso(reached)}' if reached else 'never synced'}"
        for each, reached in rows
    ]
    door.answer({"remotes": shape}, "\n".join(lines))
    if not rows:
        door.say("no remotes yet; add one: gitmem remote add origin URL   (a hub of your own: git init --bare FOLDER)")


@command.command("add")
@click.argument("name", metavar="NAME")
@click.argument("url", metavar="URL")
@shared
def add_command(door: Door, name: str, url: str) -> None:
    """Sync with URL from now on, and call it NAME, such as origin.

    URL is https://..., ssh://..., host:path, or a folder. Undo with `gitmem remote remove NAME`.
    """
    git = git_of(door)
    remote = add(git, name, whole_url(url))
    named = "" if is_meant(git, remote.name) else f" {typed(remote.name)}"
    door.answer(
        {"name": remote.name, "url": remote.shown},
        f"added {remote.name}, {remote.shown}\nnext: gitmem sync{named}{door.option_for(door.store())}",
        saved=f"{remote.name} is added",
    )


@command.command("remove")
@click.argument("name", metavar="NAME")
@shared
def remove_command(door: Door, name: str) -> None:
    """Sync with NAME no more. What came from there stays; nothing there changes."""
    git = git_of(door)
    remote = take_out(git, name)
    save_known(git.common, name, None)
    note_success(git.common, name)  # what failed there concerns nobody any more
    door.answer(
        {"name": name, "url": remote.shown},
        f"removed {name}\nback again: gitmem remote add {name} {typed(shown_url(remote.url))}",
        saved=f"{name} is removed",
    )


def is_meant(git: GitDir, name: str) -> bool:
    """Whether ``gitmem sync`` goes to ``name`` when no remote is named."""
    try:
        return find_remote(git, "", head(git)[0].removeprefix("refs/heads/")).name == name
    except GitmemError:  # there are several, and one has to be named
        return False


def git_of(door: Door) -> GitDir:
    root = door.store()
    git = find_git_dir(root)
    if git is None:
        raise NoStore(f"{root} is no store", hint="gitmem init")
    return git


def whole_url(url: str) -> str:
    """A folder's whole path, since the store is used from any folder; other URLs as they are.

    raises: Refused for what is no place
    """
    check_url(url)
    is_folder = kind_of(url) == "path" and "://" not in url
    return os.path.abspath(os.path.expanduser(path_of(url))) if is_folder else url  # noqa: PTH100,PTH111
