"""Where a memory may be written: not into another repository, not where recall never looks."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadName, Refused
from gitmem.setup.create import init
from gitmem.store.worktree import list_memories
from gitmem.write.change import Actor
from gitmem.write.memory import edit, remember

Git = Callable[..., str]
WHEN = 1_790_000_000
PERSON = Actor("person")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    init(str(tmp_path / "store"), environ=os.environ, when=WHEN)
    return tmp_path / "store"


def keep(root: Path, **more: str) -> None:
    remember(str(root), "text", when=WHEN, actor=PERSON, environ=os.environ, **more)  # type: ignore[arg-type]


def make_repository(root: Path, git: Git) -> Path:
    root.mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=root)
    (root / "y.md").write_text("inner\n")
    git("add", "-A", cwd=root)
    git("commit", "-qm", "inner", cwd=root)
    return root


@pytest.mark.parametrize("folder", ["inner", "deep/inner"])
def test_a_write_does_not_cross_into_a_repository_inside(store: Path, git: Git, folder: str) -> None:
    """Its files have a history of their own."""
    inner = make_repository(store / folder, git)
    for path in ("y.md", "new.md", "below/new.md"):
        with pytest.raises(BadName, match=f"{folder} is a repository of its own") as refused:
            keep(store, path=f"{folder}/{path}")
        assert str(inner) in refused.value.hint
    with pytest.raises(BadName, match="a repository of its own"):
        edit(str(store), f"{folder}/y.md", when=WHEN, actor=PERSON, environ=os.environ, body="x")
    assert (inner / "y.md").read_text() == "inner\n"
    assert git("status", "--porcelain", cwd=inner) == ""
    assert folder not in git("ls-tree", "-r", "--name-only", "HEAD", cwd=store)


def test_a_repository_inside_is_listed_as_left_out(store: Path, git: Git) -> None:
    make_repository(store / "inner", git)
    (store / "inner/below").mkdir()
    (store / "inner/below/z.md").write_text("z\n")
    (store / "plain/.git").mkdir(parents=True)  # git sees no repository in an empty one
    (store / "plain/p.md").write_text("p\n")
    listing = list_memories(str(store))
    assert [entry.path for entry in listing.entries] == ["plain/p.md"]
    assert [(finding.path, finding.rule) for finding in listing.skipped] == [("inner", "repository")]


@pytest.mark.parametrize("there", [True, False], ids=["checked out", "empty"])
def test_a_submodule_is_called_one(store: Path, git: Git, tmp_path: Path, there: bool) -> None:
    other = make_repository(tmp_path / "other", git)
    git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub", cwd=store)
    git("commit", "-qm", "sub", cwd=store)
    if not there:
        git("submodule", "-q", "deinit", "-f", "sub", cwd=store)
    with pytest.raises(BadName, match="sub is a submodule") as refused:
        keep(store, path="sub/new.md")
    assert ("submodule update" in refused.value.hint) is not there
    assert not list_memories(str(store)).entries
    assert git("status", "--porcelain", cwd=store) == ""


@pytest.mark.parametrize(
    ("pattern", "path"), [("drafts/", "drafts/x.md"), ("*.draft.md", "a/x.draft.md"), ("/team/**", "team/a/b.md")]
)
def test_a_place_the_settings_ignore_is_refused(store: Path, git: Git, pattern: str, path: str) -> None:
    """A memory there would never be listed or recalled."""
    config = store / ".gitmem/config.yaml"
    config.write_text(config.read_text().replace("ignore: []", f'ignore: ["{pattern}"]'))
    with pytest.raises(BadName, match="never be recalled"):
        keep(store, path=path)
    assert not (store / path).exists()
    keep(store, path="fine/x.md")
    assert [entry.path for entry in list_memories(str(store), (pattern,)).entries] == ["fine/x.md"]


TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize("where", ["reason", "agent", "session", "path"])
def test_a_secret_is_refused_wherever_it_would_be_committed(store: Path, git: Git, where: str) -> None:
    """L2: for ever is for ever in a message too."""
    actor = Actor("model", TOKEN if where == "agent" else "x", TOKEN if where == "session" else "")
    more = {"reason": f"told {TOKEN}"} if where == "reason" else {"path": f"{TOKEN}.md"} if where == "path" else {}
    with pytest.raises(Refused, match="looks like a secret") as refused:
        remember(str(store), "text", when=WHEN, actor=actor, environ=os.environ, **more)  # type: ignore[arg-type]
    assert TOKEN not in refused.value.message + refused.value.hint
    assert TOKEN not in git("log", "--all", "-p", "--format=%B%an%ae", cwd=store)
    assert git("status", "--porcelain", cwd=store) == ""


def test_a_secret_in_a_models_name_of_a_memory_is_masked_in_the_commit_too(store: Path, git: Git) -> None:
    """L5: the name stands in the head, in the list, in the file's name and in the commit's subject."""
    model = Actor("model", "x")
    kept = remember(str(store), "text", when=WHEN, actor=model, environ=os.environ, name=f"the {TOKEN}")
    assert kept.commit
    assert TOKEN not in git("log", "--all", "-p", "--format=%B%an%ae", cwd=store) + kept.path
    with pytest.raises(Refused, match="looks like a secret"):
        remember(str(store), "other", when=WHEN, actor=PERSON, environ=os.environ, name=f"my {TOKEN}")


def test_the_reason_of_an_edit_holds_no_secret_either(store: Path, git: Git) -> None:
    keep(store, name="cat")
    with pytest.raises(Refused, match="the reason looks like a secret"):
        edit(str(store), "cat", when=WHEN, actor=PERSON, environ=os.environ, body="x", reason=TOKEN)
    assert TOKEN not in git("log", "--format=%B", cwd=store)
