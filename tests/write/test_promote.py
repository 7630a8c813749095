"""A project stays the same wherever it stands; memories go to a scope and are copied to another with their origin."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Exists, NoStore, NotFound, Refused
from gitmem.memory.document import read_memory
from gitmem.memory.field import as_items, known
from gitmem.setup.create import init
from gitmem.store.place import gitmem_home
from gitmem.store.project import parse_project, read_project
from gitmem.store.scope import scopes_of
from gitmem.write.change import Actor
from gitmem.write.index import refresh
from gitmem.write.memory import remember
from gitmem.write.project import Adopted, adopt_project, note_place
from gitmem.write.promote import place_for, promote

Git = Callable[..., str]
WHEN = 1_796_000_000
ADA = Actor("person")


@pytest.fixture
def user(home: Path) -> Path:
    root = home / ".gitmem" / "memory"
    init(str(root), environ=os.environ, when=WHEN)
    return root


@pytest.fixture
def repo(tmp_path: Path, git: Git) -> Path:
    """A project with a remote, a folder for a part, and one commit."""
    root = tmp_path / "bílling"
    (root / "services" / "api" / "src").mkdir(parents=True)
    (root / "services" / "api" / "main.py").write_text("pass\n")
    git("init", "-q", "-b", "main", cwd=root)
    git("remote", "add", "origin", "https://ada:pw@github.com/acme/billing.git", cwd=root)
    git("add", "-A", cwd=root)
    git("commit", "-q", "-m", "one", cwd=root)
    return root


def adopt(user: Path, folder: Path, **more: object) -> Adopted:
    return adopt_project(
        str(user),
        str(folder),
        when=WHEN,
        actor=ADA,
        environ=os.environ,
        home=gitmem_home(os.environ),
        **more,  # type: ignore[arg-type]
    )


def ids(user: Path, folder: Path) -> list[str]:
    """As a command finds it, and then as the hook looks it up."""
    found = [each.id for each in note_place(str(user), str(folder), gitmem_home(os.environ))]
    known_now = scopes_of(str(user), str(folder), os.environ)
    assert known_now.is_known
    assert list(known_now.projects) == found
    return found


def test_an_id_is_minted_once_and_kept_in_the_store(user: Path, repo: Path, git: Git) -> None:
    """Promised as D2: what it is recognised by travels with the store, and holds no password."""
    first = adopt(user, repo)
    again = adopt(user, repo / "services")
    assert first.is_new
    assert not again.is_new
    assert again.commit == ""
    assert again.project.id == first.project.id
    text = git("show", f"HEAD:projects/{first.project.id}/project.yaml", cwd=user)
    assert parse_project("x", text).remotes == ["github.com/acme/billing"]
    assert "pw" not in text
    assert str(repo) not in text
    git("fsck", "--strict", cwd=user)


def test_a_moved_renamed_cloned_or_linked_repository_is_the_same_project(
    user: Path, repo: Path, tmp_path: Path, git: Git
) -> None:
    """Promised as D2."""
    id = adopt(user, repo).project.id
    git("worktree", "add", "-q", str(tmp_path / "linked"), cwd=repo)
    assert ids(user, tmp_path / "linked") == [id]
    git("clone", "-q", str(repo), str(tmp_path / "clone"))
    assert ids(user, tmp_path / "clone") == [id], "another remote, the same root commit"
    git("remote", "set-url", "origin", "git@example.org:else/where.git", cwd=repo)
    assert ids(user, repo) == [id]
    moved = tmp_path / "renamed" / "deep"
    moved.parent.mkdir()
    shutil.move(str(repo), moved)
    assert ids(user, moved / "services") == [id]


def test_a_submodule_is_the_project_it_is_cloned_from(user: Path, repo: Path, tmp_path: Path, git: Git) -> None:
    """Promised as D2."""
    id = adopt(user, repo).project.id
    outer = tmp_path / "outer"
    outer.mkdir()
    git("init", "-q", "-b", "main", cwd=outer)
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(repo), "lib", cwd=outer)
    git("commit", "-q", "-m", "with a submodule", cwd=outer)
    assert ids(user, outer / "lib") == [id]
    assert ids(user, outer) == []


def test_a_rewritten_history_is_found_by_its_remote_and_then_by_its_place(user: Path, repo: Path, git: Git) -> None:
    """Promised as D2: the root commit first, then the remote, then where it stood."""
    id = adopt(user, repo).project.id
    git("commit", "-q", "--amend", "-m", "another beginning", cwd=repo)
    git("reflog", "expire", "--expire=now", "--all", cwd=repo)
    git("gc", "-q", "--prune=now", cwd=repo)
    assert ids(user, repo) == [id]
    git("remote", "remove", "origin", cwd=repo)
    assert ids(user, repo) == [id]
    done = adopt(user, repo)
    assert len(done.project.roots) == 2


def test_a_shallow_clone_is_found_by_its_remote(user: Path, repo: Path, tmp_path: Path, git: Git) -> None:
    id = adopt(user, repo).project.id
    (repo / "b").write_text("b")
    git("add", "-A", cwd=repo)
    git("commit", "-q", "-m", "two", cwd=repo)
    git("clone", "-q", "--depth=1", f"file://{repo}", str(tmp_path / "shallow"))
    assert ids(user, tmp_path / "shallow") == []
    git("remote", "set-url", "origin", "ssh://git@github.com/acme/billing", cwd=tmp_path / "shallow")
    assert ids(user, tmp_path / "shallow") == [id]


def test_a_part_of_a_repository_has_memories_of_its_own(user: Path, repo: Path, tmp_path: Path, git: Git) -> None:
    """Promised as D2: monorepo parts; those of the whole count in each part, too."""
    whole = adopt(user, repo).project.id
    part = adopt(user, repo / "services" / "api", is_part=True).project
    assert part.part == "services/api"
    assert ids(user, repo / "services" / "api" / "src") == [part.id, whole]
    assert ids(user, repo / "services") == [whole]
    git("clone", "-q", str(repo), str(tmp_path / "clone"))
    assert ids(user, tmp_path / "clone" / "services" / "api") == [part.id, whole]
    with pytest.raises(Refused, match="is the whole of its repository, not a part of it"):
        adopt(user, repo, is_part=True)


def test_another_repository_at_the_same_place_is_not_taken_for_it(user: Path, repo: Path, git: Git) -> None:
    """Promised as D3: what is kept in mind of a folder counts for the repository that was looked at."""
    id = adopt(user, repo).project.id
    assert ids(user, repo) == [id]
    shutil.rmtree(repo)
    repo.mkdir()
    git("init", "-q", "-b", "main", cwd=repo)
    git("commit", "-q", "--allow-empty", "-m", "something else", cwd=repo)
    found = scopes_of(str(user), str(repo), os.environ)
    assert (found.projects, found.is_known) == ((), False)


def test_a_folder_without_a_repository_is_known_by_its_path(user: Path, home: Path) -> None:
    folder = home / "letters"
    (folder / "drafts").mkdir(parents=True)
    done = adopt(user, folder)
    assert done.project.folders == ["~/letters"]
    assert ids(user, folder / "drafts") == [done.project.id]
    assert ids(user, home) == []


def test_a_folder_can_be_named_as_a_project_by_hand(user: Path, repo: Path, tmp_path: Path, git: Git) -> None:
    """F79: what was kept under the old name is linked."""
    id = adopt(user, repo).project.id
    other = tmp_path / "other"
    other.mkdir()
    git("init", "-q", "-b", "main", cwd=other)
    git("commit", "-q", "--allow-empty", "-m", "from nothing", cwd=other)
    assert ids(user, other) == []
    adopt(user, other, id=id)
    assert ids(user, other) == [id]
    with pytest.raises(NotFound, match="there is no project 'nope'; known: "):
        adopt(user, other, id="nope")


def test_a_record_keeps_its_name_when_it_learns_more(user: Path, repo: Path, git: Git) -> None:
    done = adopt(user, repo)
    git("remote", "add", "fork", "https://example.org/fork.git", cwd=repo)
    adopt(user, repo)
    project = read_project(str(user), done.project.id)
    assert project is not None
    assert (project.name, project.remotes) == ("bílling", ["github.com/acme/billing", "example.org/fork"])


def place(scope: str, user: Path, folder: Path) -> object:
    return place_for(scope, str(user), str(folder), when=WHEN, actor=ADA, environ=os.environ)


def test_memories_of_a_project_go_to_its_folder_and_get_no_line_in_the_list(user: Path, repo: Path) -> None:
    """Promised as D3: a session in another project reads the list, too."""
    where = place("project", user, repo)
    kept = remember(
        where.root,
        "Back up first.",
        name="deploy",
        folder=where.folder,
        when=WHEN,
        actor=ADA,
        environ=os.environ,  # type: ignore[attr-defined]
    )
    assert kept.path == f"{where.folder}/deploy.md"  # type: ignore[attr-defined]
    assert "deploy" not in (user / "MEMORY.md").read_text()
    assert where.notes == [f"{repo} is now the project {where.folder.removeprefix('projects/')}"]  # type: ignore[attr-defined]


def test_a_promoted_memory_says_where_it_comes_from(user: Path, repo: Path, home: Path, git: Git) -> None:
    """Promised as D1: promote copies with provenance; the id stays."""
    init(str(home / ".gitmem" / "team"), environ=os.environ, when=WHEN)
    kept = remember(str(user), "Back up first.", name="deploy", when=WHEN, actor=ADA, environ=os.environ)
    done = promote(str(user), "deploy", place("team", user, repo), when=WHEN, actor=ADA, environ=os.environ)  # type: ignore[arg-type]
    team = home / ".gitmem" / "team"
    copy = read_memory(done.path, (team / done.path).read_bytes())
    old = read_memory(kept.path, (user / kept.path).read_bytes())
    root = git("rev-list", "--max-parents=0", "HEAD", cwd=user).strip()
    (source,) = as_items(copy.fields["metadata"]["sources"])  # type: ignore[index,call-overload]
    assert source == f"store={root[:12]} revision={kept.revision} id={known(old).id} path=deploy.md"
    assert known(copy).id == known(old).id
    assert copy.body == old.body
    assert (user / kept.path).exists()
    assert git("status", "--porcelain", cwd=team) == ""


def test_a_copy_in_the_same_store_has_an_id_of_its_own(user: Path, repo: Path) -> None:
    kept = remember(str(user), "Back up first.", name="deploy", when=WHEN, actor=ADA, environ=os.environ)
    done = promote(str(user), "deploy", place("project", user, repo), when=WHEN, actor=ADA, environ=os.environ)  # type: ignore[arg-type]
    first, second = (known(read_memory(path, (user / path).read_bytes())).id for path in (kept.path, done.path))
    assert first
    assert second
    assert first != second


def test_what_the_target_has_already_is_refused_and_said(user: Path, repo: Path, home: Path) -> None:
    team = home / ".gitmem" / "team"
    init(str(team), environ=os.environ, when=WHEN)
    remember(str(user), "Back up first.", name="deploy", when=WHEN, actor=ADA, environ=os.environ)
    where = place("team", user, repo)

    def again() -> None:
        promote(str(user), "deploy", where, when=WHEN, actor=ADA, environ=os.environ)  # type: ignore[arg-type]

    again()
    with pytest.raises(Exists, match=r"the team has deploy\.md already, with the same text; nothing was copied"):
        again()
    (team / "deploy.md").write_text("Other words.\n")
    with pytest.raises(Exists, match=r"the team has deploy\.md already, with another text; nothing was copied"):
        again()
    (team / "deploy.md").unlink()
    (team / "renamed.md").write_bytes((user / "deploy.md").read_bytes())
    refresh(str(team))
    with pytest.raises(Exists, match=r"the team has this memory already, as renamed\.md; nothing was copied"):
        again()
    with pytest.raises(Exists, match=r"deploy\.md stands there already: it is a memory of the user's"):
        promote(str(user), "deploy", place("user", user, repo), when=WHEN, actor=ADA, environ=os.environ)  # type: ignore[arg-type]


def test_without_a_team_store_it_is_said_how_to_make_one(user: Path, repo: Path, home: Path) -> None:
    with pytest.raises(
        NoStore, match=r"there is no team store at .*team; GITMEM_TEAM may name another place"
    ) as refused:
        place("team", user, repo)
    assert refused.value.hint == f"gitmem init {home / '.gitmem' / 'team'}"


def test_nothing_is_written_into_a_store_that_is_not_trusted(user: Path, repo: Path, git: Git) -> None:
    (repo / ".gitmem").mkdir()
    git("init", "-q", cwd=repo / ".gitmem")
    with pytest.raises(Refused, match=r"the project's own store at .* is not trusted yet; nothing was written"):
        place("project", user, repo)
