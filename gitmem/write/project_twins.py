"""One project that got an id on two machines before they met: its records are read as one.

No file is moved: a machine that has not synced yet may still write into either folder.  Which id stands for the project
is told by the records alone, so every machine comes to the same, and the others stay names of it.
"""

from __future__ import annotations

from gitmem.store.paths import PROJECTS
from gitmem.store.project import LISTS, Project, merged_values, read_project
from gitmem.store.scope import recorded_projects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence


def projects_of(store: str) -> list[Project]:
    """Every project that the store at ``store`` keeps a record of, each once, by id."""
    found = (read_project(store, id) for id in recorded_projects(store))
    return joined([each for each in found if each is not None])


def joined(records: Iterable[Project]) -> list[Project]:
    """The projects behind the records: those of one part with a root commit in common are one.

    A record without root commits, of a shallow clone, is that of its remote; one with neither that of its folder.  Two
    that have root commits and none in common are two, whatever their remotes: a template's, say.
    """
    groups: list[list[Project]] = []
    every = sorted(records, key=lambda each: each.id)
    for key in LISTS:
        for record in every:
            if _known_by(record) != key:
                continue
            fits = [group for group in groups if _fits(record, group, key)]
            if len(fits) > 1 and key != "roots":
                fits = []  # nobody can tell which
            groups = [group for group in groups if group not in fits]
            groups.append([record, *(each for group in fits for each in group)])
    return sorted((_one(group) for group in groups), key=lambda each: each.id)


def ids_meant(store: str, id: str) -> list[str]:
    """Every id of the project that is called ``id``, the one that stands for it first; ``id`` alone for an unknown."""
    return next((each.ids for each in projects_of(store) if id in each.ids), [id])


def joined_notes(store: str, before: Collection[str]) -> list[str]:
    """One sentence for each project that has come to have several ids.

    before: ids that were recorded earlier
    """
    return [
        f"{' and '.join(each.ids)} are one project, which got an id on each machine: the memories of all count in it, "
        f"new ones go to {PROJECTS}/{each.id}/"
        for each in projects_of(store)
        if each.aliases and not set(each.ids) <= set(before)
    ]


def _known_by(record: Project) -> str:
    return "roots" if record.roots else "remotes" if record.remotes else "folders"


def _fits(record: Project, group: Sequence[Project], key: str) -> bool:
    if record.part != group[0].part:
        return False
    if key == "folders" and any(_known_by(each) != "folders" for each in group):
        return False
    return any(set(getattr(record, key)) & set(getattr(each, key)) for each in group)


def _one(group: Sequence[Project]) -> Project:
    first, *others = sorted(group, key=lambda each: each.id)
    project = Project(first.id, first.name, first.part)
    project.aliases = [each.id for each in others]
    for key in LISTS:
        values: list[str] = []
        for each in (first, *others):
            values = merged_values(values, getattr(each, key))
        setattr(project, key, values)
    return project
