"""``gitmem project``: which project a folder is, and what is kept of it."""

from __future__ import annotations

from pathlib import Path

import click

from gitmem.cli.common import Subcommands, shared
from gitmem.cli.door import Door, counted
from gitmem.errors import Usage
from gitmem.history.settings import settings_of
from gitmem.memory.clean import one_line
from gitmem.setup.create import init
from gitmem.store.paths import PROJECTS, typed
from gitmem.store.place import gitmem_home, team_store
from gitmem.store.project import Project
from gitmem.store.scope import find_place, git_of, project_store, scopes_of
from gitmem.store.worktree import list_memories
from gitmem.write.change import Actor
from gitmem.write.project import adopt_project, find_projects, identify, moved_projects, note_place
from gitmem.write.project_branch import not_set_up, shared_branch
from gitmem.write.project_store import make_branch_store, set_up_branch
from gitmem.write.trust import trust

MAX_MOVED = 3  # projects whose folder is gone that are offered
MAX_SHOWN_CHARS = 200  # of a name or path in a line


@click.group("project", cls=Subcommands)
def command() -> None:
    """See which project a folder is, or make it one with memories of its own.

    A project is known by its repository: the root commit, then the remotes. Both subcommands take --json and --store.
    """


@command.command("show")
@click.argument("folder", metavar="[PATH]", required=False, default=".")
@shared
def show_command(door: Door, folder: str) -> None:
    """Show which project PATH lies in, where its memories are, and what it is recognised by."""
    root, folder = door.store(), folder_meant(folder)
    home = gitmem_home(door.environ)
    try:
        found = note_place(root, folder, home)
    except OSError as error:  # it is told all the same; the hook will not know it
        door.say(f"which project this is cannot be kept in mind: {error.filename}: {error.strerror}")
        found = find_projects(root, identify(folder), home)
    place, team = find_place(folder), team_store(door.environ)
    own, shared = project_store(place), shared_branch(place)
    untrusted = scopes_of(root, folder, door.environ).untrusted
    counts = {each.id: memories_of(root, each) for each in found}
    lines = [line for each in found for line in said(each, counts[each.id])]
    if not found:
        lines.append(f"{door.shown(folder)} is no project yet; make it one: gitmem project adopt {typed(folder)}")
        for each in moved_projects(root, folder)[:MAX_MOVED]:
            was = ", ".join(one_line(one, MAX_SHOWN_CHARS) for one in each.folders)
            lines.append(
                f"is it {each.id}, moved from {was}? gitmem project adopt {typed(folder)} --id {typed(each.id)}"
            )
    if own:
        lines.append(
            f"own store: {door.shown(own)}" + (f", not read until: gitmem trust {typed(own)}" if untrusted else "")
        )
    lines += [not_set_up(shared, folder)] if shared is not None else []
    lines.append(f"team store: {door.shown(team) if git_of(team) is not None else 'none'}")
    shape = {
        "folder": folder,
        "projects": [project_shape(each) | {"memories": counts[each.id]} for each in found],
        "store": own,
        "trusted": bool(own) and not untrusted,
        "not_set_up": shared.label if shared is not None else "",
        "team": team if git_of(team) is not None else "",
    }
    door.answer(shape, "\n".join(lines))


@command.command("adopt")
@click.argument("folder", metavar="[PATH]", required=False, default=".")
@click.option("--part", "is_part", is_flag=True, help="PATH is a part of its repository, with memories of its own.")
@click.option("--id", "id", default="", metavar="ID", help="PATH is the project ID, though nothing tells so.")
@click.option("--branch", is_flag=True, help="Make the project's own store, on a branch gitmem of its repository.")
@shared
def adopt_command(door: Door, folder: str, is_part: bool, id: str, branch: bool) -> None:
    """Give the project in PATH an id, or add what is new about it: another remote, another root commit.

    Its memories then go into projects/ID/ of your store, with `gitmem remember --scope project`, and are recalled there
    alone. With --branch they go into a store of the project's own instead, which travels with its repository; where a
    remote has one already, that one is set up here.
    """
    folder = folder_meant(folder)
    if branch:
        if is_part or id:
            raise Usage("--branch makes a store for the whole repository; --part and --id are about your own store")
        adopt_branch(door, folder)
        return
    done = adopt_project(
        door.store(), folder, when=door.when, actor=Actor("person"), environ=door.environ,
        home=gitmem_home(door.environ), id=id, is_part=is_part,
    )  # fmt: skip
    project = done.project
    text = f"the project {project.id}" if done.is_new else f"the project {project.id}, known before"
    text += "" if done.commit or done.is_new else "; nothing new about it"
    shared = shared_branch(find_place(folder))
    if shared is not None:
        door.say(not_set_up(shared, folder))
    door.answer(
        project_shape(project) | {"new": done.is_new, "commit": done.commit}, text, saved=f"{project.id} is kept"
    )


def adopt_branch(door: Door, folder: str) -> None:
    """Make the project's own store on a branch, and trust it: it is the person's; or set up the one that there is.

    What others wrote on that branch is trusted when the person says so.
    """
    place = find_place(folder)
    shared = shared_branch(place)
    if shared is not None and shared.remote:
        root = set_up_branch(place, shared, when=door.when, environ=door.environ)
        count = len(list_memories(root, settings_of(root).left_out()).entries)
        text = f"set up the project's own store at {door.shown(root)}, from {shared.label}: {counted(count)}"
        door.answer({"store": root, "from": shared.label, "trusted": False}, text, saved=f"{root} is set up")
        door.say(f"others wrote it, so it is not read yet; look at it, then: gitmem trust {typed(root)}")
        return
    made = init(make_branch_store(place), environ=door.environ, when=door.when)
    trust(made.root, gitmem_home(door.environ))
    for note in made.notes:
        door.say(note)
    text = f"made the project's own store at {door.shown(made.root)}, on the branch gitmem of its repository"
    door.answer({"store": made.root, "commits": list(made.commits)}, text, saved=f"{made.root} is a store")
    door.say(f"share it: git -C {typed(made.root)} push -u origin gitmem")


def folder_meant(folder: str) -> str:
    """The absolute path; raises Usage when there is no such folder."""
    path = str(Path(folder).expanduser().absolute())
    if not Path(path).is_dir():
        raise Usage(f"{one_line(path, MAX_SHOWN_CHARS)} is no folder", hint="gitmem project show PATH")
    return path


def memories_of(root: str, project: Project) -> int:
    """How many memories the store keeps of ``project``."""
    before = tuple(f"{PROJECTS}/{id}/" for id in project.ids)
    return sum(each.path.startswith(before) for each in list_memories(root, settings_of(root).left_out()).entries)


def said(project: Project, count: int) -> list[str]:
    """A project for a person."""
    part = f", the part {one_line(project.part, MAX_SHOWN_CHARS)}" if project.part else ""
    name = one_line(project.name, MAX_SHOWN_CHARS)
    folders = " and ".join(f"{PROJECTS}/{id}/" for id in project.ids)
    lines = [f"project {project.id} ({name}{part}): {counted(count)} in {folders}"]
    lines += [
        f"  also called {id}: it got an id on each machine; new memories go to {PROJECTS}/{project.id}/"
        for id in project.aliases
    ]
    for key, values in (("root commit", project.roots), ("remote", project.remotes), ("folder", project.folders)):
        lines += [f"  {key}: {one_line(each, MAX_SHOWN_CHARS)}" for each in values]
    return lines


def project_shape(project: Project) -> dict[str, object]:
    return {
        "id": project.id, "aliases": project.aliases, "name": project.name, "part": project.part,
        "roots": project.roots, "remotes": project.remotes, "folders": project.folders,
    }  # fmt: skip
