"""Which stores a folder's prompts ask, and where a folder stands."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.store.place import has_scopes, team_store
from gitmem.store.scope import find_place, project_store, recorded_projects, scopes_of

Git = Callable[..., str]


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    """A project of one commit."""
    root = tmp_path / "项目 one"
    (root / "services" / "api").mkdir(parents=True)
    (root / "services" / "api" / "main.py").write_text("pass\n")
    git("init", "-q", "-b", "main", cwd=root)
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "one", cwd=root)
    return root


def nested_store(root: Path, git: Git) -> Path:
    store = root / ".gitmem"
    store.mkdir()
    git("init", "-q", "-b", "main", cwd=store)
    return store


def test_a_folder_stands_in_its_innermost_repository(repo: Path) -> None:
    """Promised as D2."""
    place = find_place(str(repo / "services" / "api"))
    assert (place.top, place.part) == (str(repo), "services/api")
    assert find_place(str(repo)).part == ""


def test_a_folder_of_no_repository_stands_for_itself(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    place = find_place(str(folder))
    assert (place.top, place.part, place.git) == (str(folder), "", None)


def test_a_damaged_repository_is_none(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / ".git").write_text("nonsense")
    assert find_place(str(folder)).git is None


def test_a_prompt_with_nothing_of_projects_pays_a_few_stats(repo: Path, tmp_path: Path) -> None:
    """Promised as J2: the budget of the hook holds where there is one store."""
    store = tmp_path / "store"
    store.mkdir()
    assert not has_scopes(str(store), str(repo / "services"), os.environ)
    (store / "projects").mkdir()
    assert has_scopes(str(store), str(repo), os.environ)


def test_a_nested_store_and_one_of_the_main_worktree_are_found(repo: Path, tmp_path: Path, git: Git) -> None:
    store = nested_store(repo, git)
    assert has_scopes(str(tmp_path / "none"), str(repo / "services" / "api"), os.environ)
    assert project_store(find_place(str(repo / "services"))) == str(store)
    git("worktree", "add", "-q", "../linked", cwd=repo)
    assert project_store(find_place(str(tmp_path / "linked"))) == str(store)


def test_a_link_is_no_store_of_a_project(repo: Path, tmp_path: Path, git: Git) -> None:
    """Promised as L1: it could lead to the memories of another project."""
    nested_store(tmp_path, git)
    try:
        (repo / ".gitmem").symlink_to(tmp_path / ".gitmem", target_is_directory=True)
    except OSError:
        pytest.skip("no symbolic links here")
    assert project_store(find_place(str(repo))) == ""


def test_a_found_store_is_not_asked_before_it_is_trusted(repo: Path, home: Path, git: Git) -> None:
    """Promised as D1: a store found inside a project is read by nothing until gitmem trust."""
    store = nested_store(repo, git)
    found = scopes_of(str(home / ".gitmem" / "memory"), str(repo), os.environ)
    assert [each.label for each in found.sources] == ["user"]
    assert found.untrusted == str(store)


def test_the_team_store_stands_beside_the_users_or_where_it_is_said(
    home: Path, repo: Path, tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert team_store(os.environ) == str(home / ".gitmem" / "team")
    team = tmp_path / "ours"
    team.mkdir()
    git("init", "-q", cwd=team)
    monkeypatch.setenv("GITMEM_TEAM", str(team))
    found = scopes_of(str(home / "memory"), str(repo), os.environ)
    assert [(each.label, each.root) for each in found.sources][1:] == [("team", str(team))]


def test_a_folder_of_a_persons_own_in_projects_is_no_project(tmp_path: Path) -> None:
    """A vault may have had a folder of that name before."""
    (tmp_path / "projects" / "garden").mkdir(parents=True)
    (tmp_path / "projects" / "billing-1").mkdir()
    (tmp_path / "projects" / "billing-1" / "project.yaml").write_text("name: billing\n")
    assert recorded_projects(str(tmp_path)) == ["billing-1"]
