"""Another project's memories are never recalled unless asked; several stores answer as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.recall.choose import recall, search, why
from gitmem.recall.several import recall_several
from gitmem.store.scope import Source
from gitmem.write.index import refresh

WHEN = 1_760_000_000
QUESTION = "how is the billing gateway deployed with postgres backups"
RECORD = "name: x\n"


@pytest.fixture
def projects(store: Path, write: object) -> Path:
    """A memory of no project and one each of two projects, and of a person's own folder."""
    for id, body in (("alpha-1", "of alpha"), ("beta-2", "of beta"), ("garden", "of the garden")):
        write(f"projects/{id}/deploy", f"The billing gateway is deployed after postgres backups, {body}.")  # type: ignore[operator]
        if id != "garden":
            (store / "projects" / id / "project.yaml").write_text(RECORD)
    write("deploy", "The billing gateway is deployed on Tuesdays.")  # type: ignore[operator]
    return store


def paths(root: Path, *ids: str, every: bool = False) -> set[str]:
    return {hit.path for hit in recall(str(root), QUESTION, WHEN, projects=None if every else ids).hits}


@pytest.mark.parametrize("indexed", [True, False])
def test_a_project_gets_its_own_memories_and_no_others(projects: Path, indexed: bool) -> None:
    """Promised as D3, also for what the index does not know yet."""
    if indexed:
        refresh(str(projects))
    outside = {"deploy.md", "projects/garden/deploy.md"}
    assert paths(projects) == outside
    assert paths(projects, "alpha-1") == outside | {"projects/alpha-1/deploy.md"}
    assert paths(projects, every=True) >= outside | {"projects/alpha-1/deploy.md", "projects/beta-2/deploy.md"}


def test_many_memories_of_other_projects_do_not_crowd_out_the_own_one(store: Path, write: object) -> None:
    """The limit on candidates counts what may be given, not what may not."""
    for at in range(120):
        write(f"projects/other-1/deploy{at}", f"The billing gateway deployed with postgres backups, number {at}.")  # type: ignore[operator]
    (store / "projects" / "other-1" / "project.yaml").write_text(RECORD)
    write("own", "Postgres backups are taken at night.")  # type: ignore[operator]
    refresh(str(store))
    assert [hit.path for hit in recall(str(store), "when are postgres backups taken at night", WHEN).hits] == ["own.md"]


def test_search_and_why_see_everything_and_say_so(projects: Path) -> None:
    refresh(str(projects))
    found = {hit.path: hit.state for hit in search(str(projects), QUESTION, WHEN).hits}
    assert found["projects/alpha-1/deploy.md"] == "another project's"
    assert found["deploy.md"] == ""
    verdicts = {
        each.path: each.verdict for each in why(str(projects), QUESTION, WHEN, projects=("alpha-1",)).candidates
    }
    assert verdicts["projects/alpha-1/deploy.md"] == "injected"
    assert verdicts["projects/beta-2/deploy.md"] == "another project's"


def test_a_withheld_memory_is_found_and_not_injected(projects: Path) -> None:
    """Promised as D1: an author never seen here waits for gitmem trust --author."""
    refresh(str(projects))
    state = projects / ".git" / "gitmem"
    (state / "withheld").write_text("eve@example.org deploy.md\n")
    assert paths(projects) == {"projects/garden/deploy.md"}
    states = {hit.path: hit.state for hit in search(str(projects), QUESTION, WHEN).hits}
    assert states["deploy.md"] == "withheld: by an author never seen here"


def two_stores(tmp_path: Path) -> list[Source]:
    bodies = {
        "near": {"deploy.md": "The billing gateway is deployed after postgres backups.\n"},
        "far": {
            "deploy.md": "The billing gateway is deployed after postgres backups.\n",
            "night.md": "Postgres backups of the billing gateway run at night when it is deployed.\n",
        },
    }
    for name, files in bodies.items():
        root = tmp_path / name
        (root / ".git" / "objects").mkdir(parents=True)
        (root / ".git" / "refs").mkdir()
        (root / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        for path, text in files.items():
            (root / path).write_text(text)
        refresh(str(root))
    return [Source(str(tmp_path / "near"), "project"), Source(str(tmp_path / "far"), "user")]


def test_several_stores_answer_as_one_and_each_hit_says_whose_it_is(tmp_path: Path) -> None:
    """Promised as D1: one block, best first, equal texts once."""
    sources = two_stores(tmp_path)
    found = recall_several(sources, QUESTION, WHEN)
    assert {(hit.store, hit.path) for hit in found.recall.hits} == {("project", "deploy.md"), ("user", "night.md")}
    assert [hit.score for hit in found.recall.hits] == sorted([hit.score for hit in found.recall.hits], reverse=True)
    assert {root.rpartition("/")[2] for root in found.roots} == {"near", "far"}


def test_one_store_alone_is_not_named(tmp_path: Path) -> None:
    sources = two_stores(tmp_path)[1:]
    assert {hit.store for hit in recall_several(sources, QUESTION, WHEN).recall.hits} == {""}
