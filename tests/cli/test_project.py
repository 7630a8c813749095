"""``gitmem project``, ``gitmem promote`` and ``--scope`` as a person types them."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]
QUESTION = "how is the billing gateway deployed with postgres backups"


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    root = tmp_path / "billing 账单"
    (root / "api").mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", "one", cwd=root)
    return root


@pytest.fixture
def other(tmp_path: Path, git: Git) -> Path:
    root = tmp_path / "other"
    root.mkdir()
    git("init", "-q", "-b", "main", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", "another one", cwd=root)
    return root


def told(gm: Gm, repo: Path) -> str:
    """Write a memory of the project; its path."""
    said = gm(
        "remember", "--scope", "project", "--name", "deploy", "--json",
        "The billing gateway is deployed after postgres backups.", cwd=repo,
    )  # fmt: skip
    assert said.code == 0
    return str(said.json["path"])


def test_show_says_that_a_folder_is_no_project_and_how_it_becomes_one(gm: Gm, repo: Path) -> None:
    """Promised as D2."""
    gm("remember", "anything at all")
    said = gm("project", "show", cwd=repo)
    assert said.out == (
        f"{repo!s} is no project yet; make it one: gitmem project adopt '{repo}'\nteam store: none\n".replace(
            f"{repo!s} is", f"'{repo}' is"
        )
    )


def test_adopt_and_show(gm: Gm, repo: Path, store: Path, git: Git) -> None:
    gm("remember", "anything at all")
    done = gm("project", "adopt", "--json", cwd=repo)
    id, root = done.json["id"], git("rev-parse", "HEAD", cwd=repo).strip()
    assert (done.json["new"], done.json["roots"]) == (True, [root])
    assert gm("project", "adopt", cwd=repo).out == f"the project {id}, known before; nothing new about it\n"
    told(gm, repo)
    shown = gm("project", "show", cwd=repo / "api")
    assert f"project {id} (billing 账单): 1 memory in projects/{id}/\n  root commit: {root}\n" in shown.out
    assert gm("project", "show", "--json", cwd=repo).json["projects"][0]["memories"] == 1
    assert git("status", "--porcelain", cwd=store) == ""


def test_a_part_and_its_refusals(gm: Gm, repo: Path) -> None:
    gm("remember", "anything at all")
    gm("project", "adopt", cwd=repo)
    part = gm("project", "adopt", "--part", "api", "--json", cwd=repo)
    assert part.json["part"] == "api"
    assert ", the part api): 0 memories" in gm("project", "show", "api", cwd=repo).out
    refused = gm("project", "adopt", "--part", cwd=repo)
    assert refused.code == 1
    assert "is the whole of its repository, not a part of it" in refused.err
    wrong = gm("project", "show", "nowhere", cwd=repo)
    assert wrong.code == 2
    assert "nowhere is no folder" in wrong.err
    both = gm("project", "adopt", "--branch", "--part", "api", cwd=repo)
    assert both.code == 2
    assert "--branch makes a store for the whole repository" in both.err


def test_a_project_is_recalled_in_its_folder_and_nowhere_else_unless_asked(gm: Gm, repo: Path, other: Path) -> None:
    """Promised as D3."""
    path = told(gm, repo)
    assert path in gm("recall", QUESTION, cwd=repo / "api").out
    for words in (["recall", QUESTION], ["context"]):
        assert "deploy" not in gm(*words, cwd=other).out.replace(QUESTION, "")
    assert path in gm("recall", "--scope", "all", QUESTION, cwd=other).out
    id = path.split("/")[1]
    assert path in gm("recall", "--scope", f"project:{id}", QUESTION, cwd=other).out
    assert path not in gm("recall", "--scope", "user", QUESTION, cwd=repo).out
    found = gm("search", QUESTION, cwd=other)
    assert f"{path}:9" in found.out
    assert "another project's" in found.out
    assert "another project's" in gm("why", QUESTION, cwd=other).out


def test_a_project_with_two_ids_is_one_and_show_says_so(gm: Gm, repo: Path, store: Path, git: Git) -> None:
    """Promised as D2: as a sync leaves it that brought the other machine's."""
    id = told(gm, repo).split("/")[1]
    twin = store / "projects" / f"z-{id}"
    twin.mkdir()
    (twin / "project.yaml").write_bytes((store / "projects" / id / "project.yaml").read_bytes())
    (twin / "order.md").write_text("The billing gateway restarts after its postgres backups.\n")
    git("add", "-A", cwd=store)
    git("commit", "-q", "-m", "merged", cwd=store)
    lines = gm("project", "show", cwd=repo).out.splitlines()
    assert lines[:2] == [
        f"project {id} (billing 账单): 2 memories in projects/{id}/ and projects/z-{id}/",
        f"  also called z-{id}: it got an id on each machine; new memories go to projects/{id}/",
    ]
    (shape,) = gm("project", "show", "--json", cwd=repo).json["projects"]
    assert (shape["id"], shape["aliases"], shape["memories"]) == (id, [f"z-{id}"], 2)
    for words in ([], ["--scope", f"project:{id}"], ["--scope", f"project:z-{id}"]):
        found = gm("recall", *words, QUESTION, cwd=repo).out
        assert f"projects/{id}/deploy.md" in found
        assert f"projects/z-{id}/order.md" in found
    said = gm("remember", "--scope", "project", "--name", "new", "text", cwd=repo)
    assert said.out == f"remembered projects/{id}/new.md\n"
    again = gm("promote", f"projects/z-{id}/order.md", "--to", "project", cwd=repo)
    assert again.code == 1
    assert "stands there already: it is a memory of the project's" in again.err


def test_a_scope_that_is_none_is_said(gm: Gm, repo: Path) -> None:
    told(gm, repo)
    wrong = gm("recall", "--scope", "galaxy", QUESTION, cwd=repo)
    assert wrong.code == 2
    assert "--scope takes all, user, team, project or project:ID, not 'galaxy'" in wrong.err
    unknown = gm("recall", "--scope", "project:nope", QUESTION, cwd=repo)
    assert unknown.code == 1
    assert "there is no project 'nope' in ~/.gitmem/memory; known: billing" in unknown.err
    team = gm("recall", "--scope", "team", QUESTION, cwd=repo)
    assert team.code == 1
    assert "there is no team store at ~/.gitmem/team" in team.err
    assert "hint: gitmem init" in team.err


def test_a_store_of_the_projects_own_on_a_branch(gm: Gm, repo: Path, git: Git, tmp_path: Path) -> None:
    """Promised as D1: an orphan branch with its own worktree; git sees it as one, the project stays clean."""
    gm("remember", "anything at all")
    done = gm("project", "adopt", "--branch", cwd=repo)
    assert done.code == 0, done.err
    assert "on the branch gitmem of its repository" in done.out
    assert "share it: git -C" in done.err
    path = told(gm, repo)
    assert path == "deploy.md"
    assert git("show", "gitmem:deploy.md", cwd=repo).endswith("after postgres backups.\n")
    assert git("merge-base", "main", "gitmem", cwd=repo, check=False) == ""
    assert git("status", "--porcelain", cwd=repo) == ""
    assert git("status", "--porcelain", cwd=repo / ".gitmem") == ""
    git("fsck", "--strict", cwd=repo)
    assert str(repo / ".gitmem") in git("worktree", "list", cwd=repo)
    assert "### deploy.md:9 (project store" in gm("recall", QUESTION, cwd=repo / "api").out
    again = gm("project", "adopt", "--branch", cwd=repo)
    assert again.code == 1
    assert "the project has a store of its own already" in again.err


def test_a_clone_is_told_of_the_projects_store_and_sets_it_up_with_one_command(
    gm: Gm, repo: Path, git: Git, tmp_path: Path
) -> None:
    """Promised as D1: what others wrote is read once it is trusted, and is none of the project's own files."""
    gm("project", "adopt", "--branch", cwd=repo)
    told(gm, repo)
    clone = tmp_path / "clone"
    git("clone", "-q", str(repo), str(clone))
    command = f"gitmem project adopt {clone} --branch"
    line = f"the branch origin/gitmem holds a store of this project that is not set up here; set it up: {command}"
    assert line in gm("project", "show", cwd=clone).out.splitlines()
    assert gm("project", "show", "--json", cwd=clone).json["not_set_up"] == "origin/gitmem"
    assert line in gm("remember", "--scope", "project", "in my own store, then", cwd=clone).err.splitlines()
    assert line in gm("project", "adopt", cwd=clone).err.splitlines()
    done = gm(*shlex.split(command)[1:])
    assert done.code == 0, done.err
    assert done.out == f"set up the project's own store at {clone}/.gitmem, from origin/gitmem: 1 memory\n"
    assert f"look at it, then: gitmem trust {clone}/.gitmem" in done.err
    assert git("status", "--porcelain", cwd=clone) == ""
    assert git("status", "--porcelain", "--branch", cwd=clone / ".gitmem") == "## gitmem...origin/gitmem\n"
    assert git("rev-parse", "gitmem", cwd=clone) == git("rev-parse", "gitmem", cwd=repo)
    assert str(clone / ".gitmem") in git("worktree", "list", cwd=clone)
    git("fsck", "--strict", cwd=clone)
    assert line not in gm("project", "show", cwd=clone).out
    assert "not read until: gitmem trust" in gm("project", "show", cwd=clone).out
    assert "deploy.md" not in gm("recall", QUESTION, cwd=clone).out
    gm("trust", ".gitmem", cwd=clone)
    assert "### deploy.md:9 (project store" in gm("recall", QUESTION, cwd=clone).out


def test_a_worktree_that_git_made_is_kept_out_of_the_status_by_trust(
    gm: Gm, repo: Path, git: Git, tmp_path: Path
) -> None:
    gm("project", "adopt", "--branch", cwd=repo)
    clone = tmp_path / "clone"
    git("clone", "-q", str(repo), str(clone))
    git("branch", "-q", "gitmem", "origin/gitmem", cwd=clone)
    gm("remember", "anything at all")
    assert "the branch gitmem holds a store of this project" in gm("project", "show", cwd=clone).out
    refused = gm("project", "adopt", "--branch", cwd=clone)
    assert refused.code == 1
    assert "has a branch gitmem already; check it out, look at it, then trust it" in refused.err
    first, second = refused.err.partition("hint: ")[2].strip().split(" && ")
    git(*shlex.split(first)[1:])
    assert gm(*shlex.split(second)[1:]).code == 0
    assert git("status", "--porcelain", cwd=clone) == ""


def test_a_branch_that_is_no_store_is_not_set_up(gm: Gm, repo: Path, git: Git, tmp_path: Path) -> None:
    """Code that somebody calls gitmem, and a file that would lead out: nothing is left behind."""
    git("branch", "gitmem", cwd=repo)
    clone = tmp_path / "clone"
    git("clone", "-q", str(repo), str(clone))
    refused = gm("project", "adopt", "--branch", cwd=clone)
    assert refused.code == 1
    assert "origin/gitmem is no store of memories: it has no .gitmem/config.yaml; nothing was made" in refused.err
    assert not (clone / ".gitmem").exists()
    blob = git("hash-object", "-w", "--stdin", cwd=repo, stdin="format: 1\n").strip()
    config = git("mktree", cwd=repo, stdin=f"100644 blob {blob}\tconfig.yaml\n").strip()
    hooks = git("mktree", cwd=repo, stdin=f"100755 blob {blob}\tpost-checkout\n").strip()
    bad = git("mktree", cwd=repo, stdin=f"040000 tree {config}\t.gitmem\n040000 tree {hooks}\t.GIT\n").strip()
    evil = git("commit-tree", "-m", "evil", bad, cwd=repo).strip()
    git("branch", "-f", "gitmem", evil, cwd=repo)
    git("fetch", "-q", cwd=clone)
    refused = gm("project", "adopt", "--branch", cwd=clone)
    assert refused.code == 1, refused.out
    assert "origin/gitmem holds a file that no store may hold" in refused.err
    assert not (clone / ".gitmem").exists()
    assert git("worktree", "list", cwd=clone).count("\n") == 1
    assert git("branch", "--list", "gitmem", cwd=clone) == ""


def test_a_branch_store_is_refused_where_it_cannot_be(gm: Gm, repo: Path, tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    refused = gm("project", "adopt", "--branch", cwd=plain)
    assert refused.code == 1
    assert "is no git repository, so it can have no branch" in refused.err
    (repo / ".gitmem").mkdir()
    refused = gm("project", "adopt", "--branch", cwd=repo)
    assert "is there already, and is no store" in refused.err
    (repo / ".gitmem").rmdir()
    (repo / ".git" / "worktrees" / "gitmem").mkdir(parents=True)
    refused = gm("project", "adopt", "--branch", cwd=repo)
    assert "git remembers a worktree gitmem that is gone" in refused.err


def test_a_nested_store_that_a_person_makes_is_theirs(gm: Gm, repo: Path, git: Git) -> None:
    """Promised as D1: what was made with gitmem counts as trusted."""
    gm("remember", "anything at all")
    assert gm("init", ".gitmem", cwd=repo).code == 0
    told(gm, repo)
    assert "### deploy.md:9 (project store" in gm("recall", QUESTION, cwd=repo).out
    assert git("status", "--porcelain", cwd=repo) == ""


def test_promote_copies_to_the_team_and_says_how_to_undo(gm: Gm, repo: Path, home: Path) -> None:
    """Promised as D1."""
    path = told(gm, repo)
    missing = gm("promote", "deploy", "--to", "team", cwd=repo)
    assert missing.code == 1
    assert "there is no team store at" in missing.err
    gm("init", str(home / ".gitmem" / "team"))
    done = gm("promote", path, "--to", "team", cwd=repo)
    assert done.out == "copied to the team: deploy.md\n"
    assert "in the team's store at" in done.err
    assert "undo: gitmem archive deploy --store" in done.err
    assert (home / ".gitmem" / "team" / "deploy.md").exists()
    again = gm("promote", path, "--to", "team", "--json", cwd=repo)
    assert again.code == 1
    assert again.json["error"]["code"] == "exists"
    assert "the team has deploy.md already, with the same text; nothing was copied" in again.json["error"]["message"]
    back = gm("promote", path, "--to", "user", cwd=repo)
    assert back.out == "copied to the user: deploy.md\n"


def test_the_first_memory_of_a_project_makes_the_store_first(gm: Gm, repo: Path, store: Path) -> None:
    said = gm("remember", "--scope", "project", "Back up first.", cwd=repo)
    assert said.code == 0
    assert "made your store at ~/.gitmem/memory" in said.err
    assert f"{repo} is now the project " in said.err
    assert list(store.glob("projects/*/back-up-first.md"))


def test_what_cannot_be_kept_in_mind_is_said_and_told_all_the_same(gm: Gm, repo: Path, store: Path, home: Path) -> None:
    gm("remember", "anything at all")
    gm("project", "adopt", cwd=repo)
    (home / ".gitmem" / "places").unlink()
    (home / ".gitmem" / "places").mkdir()
    said = gm("project", "show", cwd=repo)
    assert "project billing" in said.out
    assert "which project this is cannot be kept in mind" in said.err


def test_the_undo_of_a_copy_in_the_same_store_names_the_copy(gm: Gm, repo: Path, store: Path) -> None:
    """Promised as K3: the bare name is the original's."""
    gm("remember", "Back up before you deploy.", "--name", "alpha")
    done = gm("promote", "alpha", "--to", "project", "--json", cwd=repo)
    line = next(each for each in done.err.splitlines() if each.startswith("undo: gitmem "))
    words = shlex.split(line.removeprefix("undo: gitmem "))
    assert words[:2] == ["archive", done.json["path"]]
    assert gm(*words).code == 0
    assert (store / "alpha.md").exists()
    assert not (store / done.json["path"]).exists()


def test_a_home_folder_and_the_root_are_no_project(gm: Gm, home: Path, store: Path) -> None:
    """Every folder below would silently belong to it."""
    for folder in (home, Path("/")):
        said = gm("remember", "--scope", "project", "at the top", cwd=folder)
        assert said.code == 1
        assert f"{folder} is no project: every folder below it would belong to it; nothing was written" in said.err
        assert "cd to the project's own folder first" in said.err
        assert gm("project", "adopt", str(folder)).code == 1
    assert not (store / "projects").exists()


def test_a_folder_that_may_be_a_project_that_moved_is_told(gm: Gm, tmp_path: Path) -> None:
    old, new = tmp_path / "plain", tmp_path / "plain2"
    old.mkdir()
    gm("remember", "anything at all")
    id = gm("project", "adopt", str(old), "--json").json["id"]
    old.rename(new)
    said = gm("project", "show", str(new)).out
    assert f"is it {id}, moved from {old}? gitmem project adopt {new} --id {id}\n" in said
    assert gm("project", "adopt", str(new), "--id", id).code == 0
    assert f"project {id} " in gm("project", "show", str(new)).out
