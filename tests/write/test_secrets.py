"""A secret is stopped before the object exists, and only the file that holds it is held back (L2, L5)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Refused
from gitmem.write.apply import Applied
from gitmem.write.change import Actor
from gitmem.write.memory import edit, remember
from gitmem.write.rollback import make_point

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
ALLOW = "gitmem: allow-secret"
PERSON, MODEL = Actor("person"), Actor("model", "claude-code")


def everything(git: Git, store: Path) -> str:
    """Every text that git holds for this repository, reachable or not."""
    ids = [line.split()[0] for line in git("cat-file", "--batch-all-objects", "--batch-check", cwd=store).splitlines()]
    return "".join(
        git("cat-file", "-p", each, cwd=store) for each in ids if "blob" in git("cat-file", "-t", each, cwd=store)
    )


@pytest.mark.parametrize("actor", [MODEL, Actor("import")], ids=lambda actor: actor.kind)
@pytest.mark.parametrize("mark", ["", f" {ALLOW}"], ids=["plain", "marked"])
def test_what_others_than_a_person_write_is_masked_and_kept_aside(
    store: Path, git: Git, actor: Actor, mark: str
) -> None:
    """L5: the write goes on; a mark that allows a secret is a person's to set."""
    text = f"# Deploy\n\nUse {TOKEN}{mark} for the push.\n"
    kept = remember(str(store), text, when=WHEN, actor=actor, environ=os.environ, name="deploy")
    assert kept.commit
    assert f"Use (secret removed){mark} for the push." in (store / "deploy.md").read_text()
    (said,) = [note for note in kept.notes if "secret" in note]
    place = Path(said.rpartition("kept in ")[2])
    assert TOKEN in place.read_text()
    assert TOKEN not in said + everything(git, store)
    assert place.is_relative_to(store / ".git")


def test_a_persons_own_edit_is_held_back_and_its_neighbours_are_not(store: Path, save: Save, git: Git) -> None:
    """L5: the file is never rewritten, its commit is held back and said with the line."""
    save("a.md", "one\n")
    (store / "a.md").write_text(f"one\n\n{TOKEN}\n")
    with pytest.raises(Refused, match=r"a\.md:3: this looks like a secret .* your own edit") as refused:
        edit(str(store), "a", when=WHEN, actor=PERSON, environ=os.environ, fields=[("description", "x")])
    assert ALLOW in refused.value.hint
    remember(str(store), "a neighbour", when=WHEN, actor=PERSON, environ=os.environ, name="b")
    assert (store / "a.md").read_text() == f"one\n\n{TOKEN}\n"
    assert TOKEN not in everything(git, store)
    assert git("status", "--porcelain", cwd=store) == " M a.md\n"

    (store / "a.md").write_text(f"one\n\n{TOKEN} {ALLOW}\n")
    kept = edit(str(store), "a", when=WHEN, actor=PERSON, environ=os.environ, fields=[("description", "x")])
    assert "your own edit of a.md was committed first" in kept.notes
    assert git("status", "--porcelain", cwd=store) == ""


def test_a_list_that_holds_a_secret_is_left_alone_and_the_memory_is_written(store: Path, save: Save, git: Git) -> None:
    """L5: MEMORY.md belongs to every write; that it is held back stops none."""
    save("MEMORY.md", "# Memory\n")
    (store / "MEMORY.md").write_text(f"# Memory\n\nmy token is {TOKEN}\n")
    kept = remember(str(store), "a fact", when=WHEN, actor=PERSON, environ=os.environ, name="fact")
    assert [note for note in kept.notes if note.startswith("MEMORY.md:3: this looks like a secret")]
    assert git("show", "--name-only", "--format=", "HEAD", cwd=store) == "fact.md\n"
    assert (store / "MEMORY.md").read_text() == f"# Memory\n\nmy token is {TOKEN}\n"
    assert TOKEN not in everything(git, store)


def test_a_rollback_point_holds_no_secret(store: Path, save: Save, git: Git) -> None:
    """A point takes uncommitted edits along, but none that git must not keep."""
    save("a.md", "one\n")
    (store / "a.md").write_text(f"{TOKEN}\n")
    (store / "b.md").write_text("two\n")
    name = make_point(str(store), "", when=WHEN, actor=PERSON, environ=os.environ)
    assert git("show", f"refs/gitmem/rollback/{name}:b.md", cwd=store) == "two\n"
    assert TOKEN not in everything(git, store)
