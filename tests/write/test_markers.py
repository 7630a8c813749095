"""Conflict markers stop at the door, where every sync would stop later; what is kept, and what may be written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.audit.auditor import audit
from gitmem.errors import Refused, Stale
from gitmem.history.conflict import open_conflicts
from gitmem.history.repo import open_repo
from gitmem.memory.document import blob_id
from gitmem.write.apply import Applied
from gitmem.write.change import Actor
from gitmem.write.conflict import resolve
from gitmem.write.memory import Kept, edit, remember

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
PERSON, MODEL = Actor("person"), Actor("model", "claude-code")
UNFINISHED = "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> topic\n"
TOLD = [  # texts that speak of markers, and texts that only look a little like it
    f"Git writes:\n\n```\n{UNFINISHED}```\n",
    f"~~~text\n{UNFINISHED}~~~\n",
    "Git writes:\n\n" + "".join(f"    {line}\n" for line in UNFINISHED.splitlines()),
    "Look for <<<<<<< HEAD in the files.\n",
    "<<<<<<<< eight\n",
    ">>>>>>> a quotation seven deep\n",
    "A heading\n=======\n\ntext\n",
]


def keep(root: Path, text: str, actor: Actor = PERSON) -> Kept:
    return remember(str(root), text, when=WHEN, actor=actor, environ=os.environ, name="mark")


def change(root: Path, **more: object) -> Kept:
    return edit(str(root), "a", when=WHEN + 9, actor=PERSON, environ=os.environ, **more)  # type: ignore[arg-type]


def check_refused(refused: Refused, store: Path) -> None:
    """A sentence with the line, the way out, and the text where refused texts are."""
    assert "a conflict marker, `<<<<<<< HEAD`: a merge was not finished; it would stop every sync" in refused.message
    assert "code fence" in refused.hint
    kept = Path(refused.kept)
    assert kept.parent == store / ".git/gitmem/refused"
    assert UNFINISHED in kept.read_text()
    line = int(refused.message.split(":")[1])
    assert kept.read_text().splitlines()[line - 1] == "<<<<<<< HEAD"


@pytest.mark.parametrize("actor", [PERSON, MODEL], ids=lambda actor: actor.kind)
def test_a_memory_with_conflict_markers_is_refused_and_kept(store: Path, save: Save, git: Git, actor: Actor) -> None:
    """F60: markers never enter the memory tree."""
    save("a.md", "one\n")
    with pytest.raises(Refused) as refused:
        keep(store, f"first\n\n{UNFINISHED}", actor)
    check_refused(refused.value, store)
    assert not (store / "mark.md").exists()
    assert git("status", "--porcelain", cwd=store) == ""


def test_an_edit_that_brings_conflict_markers_is_refused_and_kept(store: Path, save: Save, git: Git) -> None:
    save("a.md", "one\n\n# Two\n\ntext\n")
    for more in ({"body": UNFINISHED}, {"section": "# Two", "body": UNFINISHED}):
        with pytest.raises(Refused) as refused:
            change(store, **more)
        check_refused(refused.value, store)
    assert (store / "a.md").read_text() == "one\n\n# Two\n\ntext\n"
    assert git("status", "--porcelain", cwd=store) == ""


def test_a_conflict_is_not_settled_with_a_merge_that_was_not_finished(store: Path, save: Save, git: Git) -> None:
    """F60: just where a person gives such a text by mistake; the conflict stays open."""
    save("a.md", "one\n")
    save("a.md", "two\n")
    with pytest.raises(Stale):
        change(store, body="three\n", if_revision=blob_id(b"one\n"))
    with open_repo(str(store)) as repo:
        (record,) = open_conflicts(repo)
    before = git("rev-parse", "HEAD", cwd=store)
    with pytest.raises(Refused) as refused:
        resolve(str(store), record.id, "edited", when=WHEN, actor=PERSON, environ=os.environ, text=UNFINISHED.encode())
    check_refused(refused.value, store)
    assert git("rev-parse", "HEAD", cwd=store) == before
    with open_repo(str(store)) as repo:
        assert [each.id for each in open_conflicts(repo)] == [record.id]


@pytest.mark.parametrize("text", TOLD)
def test_a_memory_that_speaks_of_markers_is_written(store: Path, text: str) -> None:
    """What the audit allows the door allows."""
    kept = keep(store, text)
    data = (store / kept.path).read_bytes()
    assert text in data.decode()
    assert [each for each in audit({kept.path: data}).findings if each.rule == "marker"] == []


def test_markers_that_a_commit_of_the_persons_holds_block_no_other_edit(store: Path, save: Save, git: Git) -> None:
    """What the file held already is the person's own affair; a second merge in it is not."""
    (store / "a.md").write_text(UNFINISHED)
    git("add", "a.md", cwd=store)
    git("commit", "-q", "-m", "mine", cwd=store)
    change(store, fields=[("description", "x")])
    assert UNFINISHED in git("show", "HEAD:a.md", cwd=store)
    with pytest.raises(Refused, match="conflict marker"):
        change(store, body=UNFINISHED * 2)
    change(store, body="done\n")
    assert "<<<" not in git("show", "HEAD:a.md", cwd=store)


def test_a_hand_edit_with_markers_is_not_committed_by_a_write_to_its_file(store: Path, save: Save, git: Git) -> None:
    """As a sync holds it back; a neighbour is written, and the file stays as the person left it."""
    save("a.md", "one\n")
    (store / "a.md").write_text(f"one\n{UNFINISHED}")
    with pytest.raises(Refused, match=r"a\.md:2: a conflict marker.* in your own edit, which is not committed") as no:
        change(store, fields=[("description", "x")])
    assert "code fence" in no.value.hint
    keep(store, "a neighbour")
    assert (store / "a.md").read_text() == f"one\n{UNFINISHED}"
    assert git("status", "--porcelain", cwd=store) == " M a.md\n"
    (store / "a.md").write_text("one\ntheirs\n")
    change(store, fields=[("description", "x")])
    assert git("status", "--porcelain", cwd=store) == ""
