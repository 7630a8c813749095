"""What is refused, to whom, and where the refused text goes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadName, BrokenHead, Refused, TooBig
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.write.apply import Applied
from gitmem.write.change import Actor

Git = Callable[..., str]
Save = Callable[..., Applied]
MODEL = Actor("model", "claude-code", "s-1")
CANDIDATE = "---\nname: a\nmetadata:\n  trust: candidate\n---\ntext\n"


def nothing_written(store: Path, git: Git) -> bool:
    return not any(store.glob("*.md")) and git("count-objects", cwd=store).startswith("0 objects")


def test_a_secret_is_refused_by_line_and_kind_and_never_echoed(store: Path, save: Save, git: Git) -> None:
    """L2: blocked before an object is written; the text is kept where git never looks."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    with pytest.raises(Refused, match=r"a\.md:3: this looks like a secret") as refused:
        save("a.md", f"one\ntwo\npush with {token}\n")
    assert token not in refused.value.message + refused.value.hint
    assert nothing_written(store, git)
    kept = Path(refused.value.kept)
    assert kept.parent == store / ".git/gitmem/refused"
    assert token in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_secret_the_person_already_has_in_the_file_blocks_no_other_edit(store: Path, save: Save, git: Git) -> None:
    """A person's own commit is the person's affair."""
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    (store / "a.md").write_text(f"{token}\n")
    git("add", "a.md", cwd=store)
    git("commit", "-q", "-m", "mine", cwd=store)
    save("a.md", f"{token}\nand more\n")
    assert git("status", "--porcelain", cwd=store) == ""


def test_the_size_limit_is_inclusive(store: Path, save: Save) -> None:
    """A10."""
    save("a.md", b"x" * MAX_MEMORY_BYTES)
    with pytest.raises(TooBig, match="at most 524,288") as refused:
        save("b.md", b"x" * (MAX_MEMORY_BYTES + 1))
    assert Path(refused.value.kept).stat().st_size == MAX_MEMORY_BYTES + 1


@pytest.mark.parametrize("path", ["../a.md", "/a.md", ".git/config", "a/../../b.md", "a.txt", "con.md", "x/.GIT/a.md"])
def test_a_path_out_of_the_store_is_refused(store: Path, save: Save, path: str) -> None:
    """L1."""
    with pytest.raises(BadName):
        save(path, "x\n")


@pytest.mark.parametrize(
    ("there", "new"),
    [("API.md", "api.md"), ("caf\u00e9.md", "cafe\u0301.md"), ("Notes/a.md", "notes/b.md")],
)
def test_twins_by_case_or_unicode_form_are_refused(store: Path, save: Save, there: str, new: str) -> None:
    """One file on many systems."""
    save(there, "one\n")
    with pytest.raises(BadName):
        save(new, "two\n")
    save(there, "three\n")


def test_a_model_cannot_lift_its_own_trust_nor_pin_nor_delete(store: Path, save: Save, git: Git) -> None:
    """G1: rights follow the actor."""
    save("a.md", CANDIDATE, actor=MODEL)
    for text in (
        CANDIDATE.replace("candidate", "verified"),
        CANDIDATE.replace("  trust: candidate\n", "  id: x\n"),
        CANDIDATE.replace("candidate\n", "candidate\n  pinned: true\n"),
    ):
        with pytest.raises(Refused, match="a model may not"):
            save("a.md", text, actor=MODEL)
    with pytest.raises(Refused, match=r"a model may not delete a\.md"):
        save("a.md", None, actor=MODEL)
    with pytest.raises(Refused, match="a model may not"):
        save("b.md", "no head\n", actor=MODEL)
    assert git("rev-list", "--count", "HEAD", cwd=store) == "1\n"
    save("a.md", CANDIDATE.replace("candidate", "verified"))
    assert "verified" in git("show", "HEAD:a.md", cwd=store)


def test_a_model_cannot_write_a_head_that_has_to_be_guessed(store: Path, save: Save) -> None:
    """The line is named; a person's file may be as it likes."""
    broken = CANDIDATE.replace("name: a", "name: 'a")
    with pytest.raises(BrokenHead) as refused:
        save("a.md", broken, actor=MODEL)
    assert refused.value.line == 2
    assert os.path.exists(refused.value.kept)
    save("a.md", broken)
