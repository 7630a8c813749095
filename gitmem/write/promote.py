"""Where the memories of a scope go, and a memory copied from one scope to another, with its origin.

A copy, not a move: the memory stays where it was, and the copy says which store, revision and memory it is of.
"""

from __future__ import annotations

from gitmem.errors import Exists, NoStore, Refused
from gitmem.history.repo import open_repo
from gitmem.history.roots import root_commit
from gitmem.memory.document import read_memory
from gitmem.memory.field import as_items, known
from gitmem.recall.scope import project_of
from gitmem.store.paths import typed
from gitmem.store.place import gitmem_home, team_store
from gitmem.store.scope import PROJECT, TEAM, USER, find_place, git_of, is_recorded, scopes_of
from gitmem.store.trust import place_of
from gitmem.store.worktree import read_file
from gitmem.write.fields import with_fields
from gitmem.write.find import find_memory, find_older, is_file, stem
from gitmem.write.memory import Kept, remember
from gitmem.write.project import adopt_project, find_projects, folder_of, identify
from gitmem.write.project_branch import not_set_up, shared_branch
from gitmem.write.project_twins import ids_meant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.write.change import Actor

STORE_DIGITS = 12  # of a store's root commit, in the origin of a copy


class ScopePlace:
    """Where the memories of a scope go.

    root:   the store; folder: inside it, "" for its own
    label:  user, project or team
    notes:  sentences for the person
    """

    __slots__ = ("folder", "label", "notes", "root")

    def __init__(self, root: str, folder: str, label: str, notes: list[str]) -> None:
        self.root, self.folder, self.label, self.notes = root, folder, label, notes


def place_for(
    scope: str, store: str, folder: str, *, when: int, actor: Actor, environ: Mapping[str, str]
) -> ScopePlace:
    """Where memories of ``scope`` (user, project or team) go; a project that is not known yet gets its id.

    store:  the user's; folder: where the person or the host stands
    raises: NoStore when there is no team store, Refused when the project's own store is not trusted
    """
    if scope == TEAM:
        team = team_store(environ)
        if not team or git_of(team) is None:
            where = team or "GITMEM_TEAM"
            raise NoStore(
                f"there is no team store at {where}; GITMEM_TEAM may name another place",
                hint=f"gitmem init {typed(where)}",
            )
        return ScopePlace(team, "", TEAM, [f"in the team's store at {team}"])
    if scope != PROJECT:
        return ScopePlace(store, "", USER, [])
    found = scopes_of(store, folder, environ)
    if found.untrusted:
        raise Refused(
            f"the project's own store at {found.untrusted} is not trusted yet; nothing was written",
            hint=f"gitmem trust {typed(found.untrusted)}",
        )
    own = next((each.root for each in found.sources if each.label == PROJECT), "")
    if own:
        return ScopePlace(own, "", PROJECT, [f"in the project's own store at {own}"])
    home = gitmem_home(environ)
    place = find_place(folder)
    shared = shared_branch(place)
    notes = [not_set_up(shared, place.top)] if shared is not None else []
    here = find_projects(store, identify(folder), home)
    if here:
        return ScopePlace(store, folder_of(here[0]), PROJECT, notes)
    done = adopt_project(store, folder, when=when, actor=actor, environ=environ, home=home)
    notes = [f"{place.top} is now the project {done.project.id}", *notes]
    return ScopePlace(store, folder_of(done.project), PROJECT, notes)


def promote(store: str, name: str, target: ScopePlace, *, when: int, actor: Actor, environ: Mapping[str, str]) -> Kept:
    """Copy the memory called ``name`` of ``store`` to ``target``; the id stays, but for a copy in the same store.

    raises: NotFound, Exists when the target has the memory already, and what a write raises
    """
    path = find_memory(store, name)
    memory = read_memory(path, read_file(store, path))
    facts = known(memory)
    id = project_of(path)
    base = path.split("/", 2)[2] if id and is_recorded(store, id) else path
    wanted = f"{target.folder}/{base}" if target.folder else base
    is_same_store = place_of(target.root) == place_of(store)
    is_there = bool(id) and target.label == PROJECT and target.folder.rpartition("/")[2] in ids_meant(store, id)
    if is_same_store and (wanted == path or is_there):
        raise Exists(
            f"{path} stands there already: it is a memory of the {target.label}'s", hint=f"gitmem show {typed(path)}"
        )
    _check_absent(target, wanted, "" if is_same_store else facts.id, memory.body)
    with open_repo(store) as repo:
        origin = root_commit(repo)[:STORE_DIGITS]
    words = [f"store={origin or 'unknown'}", f"revision={memory.revision}", f"id={facts.id}" if facts.id else ""]
    source = " ".join([*filter(None, words), f"path={path}"])
    metadata = memory.fields.get("metadata")
    before = as_items(metadata.get("sources")) if isinstance(metadata, dict) else []
    fields: list[tuple[str, str | list[str] | None]] = [("metadata.sources", [*before, source])]
    if is_same_store and facts.id:
        fields.append(("metadata.id", None))
    return remember(
        target.root, with_fields(memory, fields), when=when, actor=actor, environ=environ, path=base,
        folder=target.folder, reason=f"promoted from {path}",
    )  # fmt: skip


def _check_absent(target: ScopePlace, path: str, id: str, body: str) -> None:
    """raises: Exists when the target holds the memory, or another one under its path"""
    option = f" --store {typed(target.root)}"
    if is_file(target.root, path):
        same = read_memory(path, read_file(target.root, path)).body.strip() == body.strip()
        said = "the same text" if same else "another text"
        raise Exists(
            f"the {target.label} has {path} already, with {said}; nothing was copied",
            hint=f"gitmem show {typed(path)}{option}",
        )
    there = find_older(target.root, id) if id else None
    if there:
        raise Exists(
            f"the {target.label} has this memory already, as {there}; nothing was copied",
            hint=f"gitmem show {typed(stem(there))}{option}",
        )
