"""Which stores a command asks, and the memories of which project: as a prompt in this folder would, or as said."""

from __future__ import annotations

from pathlib import Path

from gitmem.cli.common import searchable
from gitmem.cli.door import Door, shortened
from gitmem.errors import NoStore, NotFound, Usage
from gitmem.store.paths import typed
from gitmem.store.place import gitmem_home, has_scopes, team_store
from gitmem.store.scope import TEAM, USER, Scopes, Source, git_of, is_recorded, recorded_projects, scopes_of
from gitmem.write.index import ready_index
from gitmem.write.project import note_place
from gitmem.write.project_twins import ids_meant

SCOPE_HELP = "Instead of what counts in this folder: all, user, team, project (this one) or project:ID."


def sources_of(door: Door, scope: str = "") -> list[Source]:
    """The stores to ask, each with its index ready; says where a project's own store is not read.

    scope:  as ``SCOPE_HELP`` says, "" for what counts in this folder
    raises: NoStore, Usage for a scope that is none, NotFound for a project that is not known
    """
    root = searchable(door)
    if scope == USER:
        return [Source(root, USER)]
    if scope == TEAM:
        team = team_store(door.environ)
        if git_of(team) is None:
            raise NoStore(f"there is no team store at {door.shown(team)}", hint=f"gitmem init {typed(team)}")
        return [Source(team, TEAM)]
    if scope.startswith("project:"):
        id = scope.partition(":")[2]
        if not is_recorded(root, id):
            known = ", ".join(recorded_projects(root)) or "none"
            raise NotFound(
                f"there is no project '{shortened(id)}' in {door.shown(root)}; known: {known}",
                hint="gitmem project show",
            )
        return [Source(root, USER, ids_meant(root, id))]
    if scope not in ("", "all", "project"):
        raise Usage(
            f"--scope takes all, user, team, project or project:ID, not '{shortened(scope)}'", hint="--scope all"
        )
    found = here(door, root)
    if found.untrusted:
        door.say(f"the project's own store is not read; if you trust it: gitmem trust {typed(found.untrusted)}")
    chosen = [each for each in found.sources if each.root == root] if door.option else found.sources
    for each in chosen:
        if scope == "all":
            each.projects = None
        if each.root != root:
            ready_index(each.root)
    return chosen


def here(door: Door, root: str) -> Scopes:
    """What counts in this folder; which project it is, is found out where that is not known yet."""
    folder = str(Path.cwd())
    if not has_scopes(root, folder, door.environ):
        found = Scopes()
        found.sources.append(Source(root, USER))
        return found
    found = scopes_of(root, folder, door.environ)
    if not found.is_known:
        try:
            note_place(root, folder, gitmem_home(door.environ))
        except OSError as error:
            door.say(f"which project this is cannot be kept in mind: {error.filename}: {error.strerror}")
        found = scopes_of(root, folder, door.environ)
    return found
