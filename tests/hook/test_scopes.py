"""What a prompt is given in a project: its own memories, its trusted store, never another project's."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.ledger.access import injected
from gitmem.setup.create import init
from gitmem.store.place import gitmem_home
from gitmem.write.change import Actor
from gitmem.write.memory import remember
from gitmem.write.project import note_place
from gitmem.write.promote import place_for
from gitmem.write.trust import trust

Git = Callable[..., str]
Hook = Callable[..., Any]
Event = Callable[..., bytes]
WHEN = 1_796_000_000
ADA = Actor("person")
SESSION = "4ff5a1b0-6d5e-4a53-9f0e-2b8d7c1f0a11"
QUESTION = "how is the billing gateway deployed with postgres backups"


@pytest.fixture
def user(home: Path) -> Path:
    root = home / ".gitmem" / "memory"
    init(str(root), environ=os.environ, when=WHEN)
    return root


def repository(root: Path, git: Git) -> Path:
    (root / "src").mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", f"begin {root.name}", cwd=root)
    return root


def told(user: Path, folder: Path, text: str) -> str:
    place = place_for("project", str(user), str(folder), when=WHEN, actor=ADA, environ=os.environ)
    kept = remember(place.root, text, name="deploy", folder=place.folder, when=WHEN, actor=ADA, environ=os.environ)
    return kept.path


def test_a_prompt_gets_the_memories_of_its_project_alone(
    user: Path, tmp_path: Path, git: Git, hook: Hook, event: Event
) -> None:
    """Promised as D3 (F77): two repositories, the same words."""
    one, two = repository(tmp_path / "one", git), repository(tmp_path / "zwei", git)
    first = told(user, one, "The billing gateway of one is deployed after postgres backups.")
    second = told(user, two, "The billing gateway of two is deployed before postgres backups.")
    said = {folder: hook(event(QUESTION, cwd=str(folder))).text for folder in (one / "src", two, tmp_path)}
    assert first in said[one / "src"]
    assert second not in said[one / "src"]
    assert second in said[two]
    assert first not in said[two]
    assert said[tmp_path] == ""
    start = hook(event(source="startup", cwd=str(two)), "session-start").text
    assert second in start
    assert first not in start


def test_what_is_kept_in_mind_of_a_folder_is_worked_out_beside_the_hook(
    user: Path, tmp_path: Path, git: Git, hook: Hook, event: Event, home: Path
) -> None:
    """Promised as J2: no history is walked before a prompt; nothing of the project is given until it is known."""
    one = repository(tmp_path / "one", git)
    path = told(user, one, "The billing gateway of one is deployed after postgres backups.")
    (home / ".gitmem" / "places").unlink()
    assert path not in hook(event(QUESTION, cwd=str(one))).text
    note_place(str(user), str(one), gitmem_home(os.environ))
    assert path in hook(event(QUESTION, cwd=str(one))).text


def test_a_projects_own_store_is_asked_once_it_is_trusted(
    user: Path, tmp_path: Path, git: Git, hook: Hook, event: Event, make_store: Callable[..., Path], home: Path
) -> None:
    """Promised as D1: one block, and each passage says whose it is."""
    one = repository(tmp_path / "one", git)
    remember(
        str(user),
        "Postgres backups run at night before the gateway is deployed.",
        when=WHEN,
        actor=ADA,
        environ=os.environ,
    )
    style = "---\nbaseline: true\n---\n\nAnswer in short sentences.\n"
    kept = {"deploy.md": "The billing gateway is deployed after postgres backups.\n", "style.md": style}
    store = make_store(one / ".gitmem", kept)
    for word, asked in (
        ("prompt", event(QUESTION, cwd=str(one))),
        ("session-start", event(source="startup", cwd=str(one))),
    ):
        assert "deploy.md" not in hook(asked, word).text
    trust(str(store), gitmem_home(os.environ))
    said = hook(event(QUESTION, cwd=str(one / "src"))).text
    assert "### deploy.md:1 (project store" in said
    assert "(user store" in said
    assert said.count("[gitmem ") == 1
    start = hook(event(source="startup", cwd=str(one)), "session-start").text
    assert "## Files (project store)" in start
    assert "### style.md:5 (project store)" in start
    assert list(injected(str(store / ".git"), SESSION)) == ["deploy.md"]
    assert list(injected(str(user / ".git"), SESSION)) != []


def test_a_projects_store_answers_where_the_user_has_none_yet(
    tmp_path: Path, git: Git, hook: Hook, event: Event, make_store: Callable[..., Path], home: Path
) -> None:
    one = repository(tmp_path / "one", git)
    store = make_store(one / ".gitmem", {"deploy.md": "The billing gateway is deployed after postgres backups.\n"})
    trust(str(store), gitmem_home(os.environ))
    assert "### deploy.md:1" in hook(event(QUESTION, cwd=str(one))).text


@pytest.mark.parametrize("cwd", ["", "relative", "/no/such/folder", 7, None])
def test_a_host_that_says_nothing_usable_of_its_folder_is_answered_all_the_same(
    store: Path, hook: Hook, event: Event, cwd: object
) -> None:
    said = hook(event("which port has the billing gateway", cwd=cwd), store=store)
    assert "billing.md" in said.text


def test_a_damaged_project_store_costs_itself(user: Path, tmp_path: Path, git: Git, hook: Hook, event: Event) -> None:
    one = repository(tmp_path / "one", git)
    remember(
        str(user), "The billing gateway is deployed after postgres backups.", when=WHEN, actor=ADA, environ=os.environ
    )
    (one / ".gitmem").mkdir()
    (one / ".gitmem" / ".git").write_text("gitdir: /nowhere\n")
    assert "postgres" in hook(event(QUESTION, cwd=str(one))).text
