"""One project that got an id on two machines before they met is one project on both, and nothing of it is lost (D2)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest

from gitmem.store.place import gitmem_home
from gitmem.store.project import Project, read_project
from gitmem.store.scope import scopes_of
from gitmem.write.change import Actor
from gitmem.write.memory import remember
from gitmem.write.project import adopt_project, note_place
from gitmem.write.project_twins import ids_meant, joined
from gitmem.write.promote import place_for
from gitmem.write.sync import sync
from gitmem.write.sync_result import Synced
from tests.write.test_sync_pair import Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures
Git = Callable[..., str]
ME = Actor("person")


def record(id: str, roots: str = "", remotes: str = "", folders: str = "", part: str = "") -> Project:
    project = Project(id, id, part)
    project.roots, project.remotes, project.folders = roots.split(), remotes.split(), folders.split()
    return project


def ids(*records: Project) -> list[list[str]]:
    """The ids of each project behind the records, whatever their order."""
    every = [[each.ids for each in joined(some)] for some in permutations(records)]
    found = {str(each): each for each in every}
    assert len(found) == 1, "every machine comes to the same"
    return next(iter(found.values()))


def test_records_with_a_root_commit_in_common_are_one_project_and_the_first_id_stands_for_it() -> None:
    assert ids(record("b", "r1"), record("a", "r1"), record("c", "r2")) == [["a", "b"], ["c"]]
    assert ids(record("a", "r1"), record("b", "r1 r2"), record("c", "r2")) == [["a", "b", "c"]]
    (project,) = joined([record("b", "r1", "x"), record("a", "r1", "y", "~/z")])
    assert (project.id, project.remotes, project.folders) == ("a", ["y", "x"], ["~/z"])


def test_parts_are_projects_of_their_own() -> None:
    assert ids(record("a", "r1"), record("b", "r1", part="api"), record("c", "r1", part="api")) == [["a"], ["b", "c"]]


def test_a_record_without_a_root_commit_is_that_of_its_remote() -> None:
    assert ids(record("a", "r1", "x"), record("b", "", "x"), record("c", "", "x")) == [["a", "b", "c"]]


def test_two_histories_that_name_one_remote_stay_two() -> None:
    """Promised as D3: a template's remote, or a vendored library's, makes no two projects one."""
    assert ids(record("a", "r1", "x"), record("b", "r2", "x")) == [["a"], ["b"]]
    assert ids(record("a", "r1", "x"), record("b", "r2", "x"), record("c", "", "x")) == [["a"], ["b"], ["c"]]


def test_folders_without_a_repository_are_one_by_their_path() -> None:
    assert ids(record("a", folders="~/notes"), record("b", folders="~/notes")) == [["a", "b"]]
    assert ids(record("a", "r1", folders="~/notes"), record("b", folders="~/notes")) == [["a"], ["b"]]
    assert ids(record("a"), record("b")) == [["a"], ["b"]]


def working_copy(machine: Machine, source: Path, name: str, *words: str) -> Path:
    """A clone of the project on a machine, with a memory in the machine's store; its environment is the machine's."""
    folder = machine.root.parent / f"{machine.who}-work" / name
    machine.git("clone", "-q", *words, f"file://{source}", str(folder))
    machine.git("remote", "set-url", "origin", "https://example.org/acme/billing", cwd=folder)
    where = place_for("project", str(machine.root), str(folder), when=machine.now(), actor=ME, environ=of(machine))
    remember(
        where.root, f"{machine.who} wrote this".encode(), when=machine.now(), actor=ME, environ=machine.environ,
        name=f"by-{machine.who}", folder=where.folder,
    )  # fmt: skip
    note_place(str(machine.root), str(folder), gitmem_home(of(machine)))
    return folder


def of(machine: Machine) -> dict[str, str]:
    """The environment of the machine, with a home of its own."""
    home = machine.root.parent / f"{machine.who}-home"
    home.mkdir(exist_ok=True)
    return {**machine.environ, "HOME": str(home), "USERPROFILE": str(home)}


def synced(machine: Machine) -> Synced:
    return sync(str(machine.root), "", when=machine.now(), environ=of(machine))


def counting(machine: Machine, folder: Path) -> list[str]:
    """The memories that a prompt in ``folder`` may be given, as the hook looks it up."""
    found = scopes_of(str(machine.root), str(folder), of(machine))
    assert found.is_known
    return sorted(path.name for id in found.projects for path in (machine.root / "projects" / id).glob("*.md"))


@pytest.mark.cgit
@pytest.mark.parametrize("words", [(), ("--depth=1",)])
def test_a_repository_that_was_adopted_on_two_machines_is_one_project_after_they_met(
    ada: Machine, bo: Machine, tmp_path: Path, git: Git, words: tuple[str, ...]
) -> None:
    """Under two names, and on the second machine perhaps as a shallow clone; nothing is moved."""
    source = tmp_path / "billing"
    git("init", "-q", "-b", "main", str(source))
    for name in ("one", "two"):
        git("commit", "-q", "--allow-empty", "-m", name, cwd=source)
    copies = {"ada": working_copy(ada, source, "billing"), "bo": working_copy(bo, source, "acme-billing", *words)}
    before = sorted(path.name for machine in (ada, bo) for path in (machine.root / "projects").iterdir())
    assert len(set(before)) == 2
    synced(ada)
    notes = [note for machine in (bo, ada) for note in synced(machine).notes if "one project" in note]
    said = (
        f"{before[0]} and {before[1]} are one project, which got an id on each machine: the memories of all count in "
        f"it, new ones go to projects/{before[0]}/"
    )
    assert notes == [said, said]
    at_peace(ada, bo)
    for machine in (ada, bo):
        folder = copies[machine.who]
        assert counting(machine, folder) == ["by-ada.md", "by-bo.md"]
        (project,) = note_place(str(machine.root), str(folder), gitmem_home(of(machine)))
        assert project.ids == before
        assert counting(machine, folder) == ["by-ada.md", "by-bo.md"]
        assert ids_meant(str(machine.root), before[1]) == before
        done = adopt_project(
            str(machine.root), str(folder), when=machine.now(), actor=ME, environ=of(machine),
            home=gitmem_home(of(machine)), id=before[1],
        )  # fmt: skip
        assert done.project.id == before[0]
    assert not any(note for machine in (ada, bo, ada) for note in synced(machine).notes if "one project" in note)
    at_peace(ada, bo)
    assert sorted(path.name for path in (ada.root / "projects").iterdir()) == before


@pytest.mark.cgit
def test_a_project_that_got_the_same_id_twice_is_recognised_by_what_either_machine_knew(
    ada: Machine, bo: Machine, tmp_path: Path, git: Git
) -> None:
    """Each machine wrote the record: what it is recognised by is a set, and no conflict."""
    for machine, url in ((ada, "https://example.org/acme/billing"), (bo, "git@example.org:bo/billing.git")):
        folder = tmp_path / f"{machine.who}-work" / ("billing" if machine is ada else "Billing")
        git("init", "-q", "-b", "main", str(folder))
        git("-c", "user.name=Eve", "commit", "-q", "--allow-empty", "-m", "one", "--date", "@1", cwd=folder)
        git("remote", "add", "origin", url, cwd=folder)
        if machine is bo:
            git("fetch", "-q", str(tmp_path / "ada-work" / "billing"), "main", cwd=folder)
            git("reset", "-q", "--hard", "FETCH_HEAD", cwd=folder)
        adopt_project(
            str(machine.root), str(folder), when=machine.now(), actor=ME, environ=of(machine),
            home=gitmem_home(of(machine)),
        )  # fmt: skip
    ada.sync()
    assert bo.sync().conflicts == []
    ada.sync()
    at_peace(ada, bo)
    (id,) = [path.name for path in (ada.root / "projects").iterdir()]
    project = read_project(str(ada.root), id)
    assert project is not None
    assert sorted(project.remotes) == ["example.org/acme/billing", "example.org/bo/billing"]
