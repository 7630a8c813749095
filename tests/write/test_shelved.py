"""A memory that a person moves into the archive, or out of it, with ``mv`` or ``git mv``."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.write.archive import archive, restore
from tests.write.test_sync_pair import ME, Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures


def move(machine: Machine, old: str, new: str, *, is_git: bool) -> None:
    (machine.root / new).parent.mkdir(parents=True, exist_ok=True)
    if is_git:
        machine.git("mv", old, new, cwd=machine.root)
    else:
        (machine.root / old).rename(machine.root / new)


@pytest.fixture
def filled(ada: Machine, bo: Machine) -> None:
    for name in ("one", "two"):
        ada.remember(name, f"text of {name}, which nobody else has")
    ada.sync()
    bo.sync()


@pytest.mark.cgit
@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("is_git", [False, True])
@pytest.mark.parametrize("place", ["archive/one.md", "archive/2024/uno.md"])
def test_what_is_moved_into_the_archive_is_archived_everywhere(
    ada: Machine, bo: Machine, is_git: bool, place: str
) -> None:
    """With its line of the list, which comes back where it stood."""
    before, text = ada.text("MEMORY.md"), ada.text("one.md")
    move(ada, "one.md", place, is_git=is_git)
    assert ada.sync().notes == [f"you renamed one.md to {place}; that was committed"]
    bo.sync()
    at_peace(ada, bo)
    assert not (bo.root / "one.md").exists()
    assert "one.md" not in bo.text("MEMORY.md")
    assert "archived by hand" in bo.text(place)
    restore(str(bo.root), place, when=bo.now(), actor=ME, environ=bo.environ)
    assert bo.text(place.partition("/")[2]) == text
    if place == "archive/one.md":
        assert bo.text("MEMORY.md") == before


@pytest.mark.cgit
@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("is_git", [False, True])
def test_what_is_moved_out_of_the_archive_is_back_everywhere(ada: Machine, bo: Machine, is_git: bool) -> None:
    archive(str(ada.root), "one", when=ada.now(), actor=ME, environ=ada.environ)
    ada.sync()
    bo.sync()
    move(ada, "archive/one.md", "facts/one.md", is_git=is_git)
    assert ada.sync().notes == ["you renamed archive/one.md to facts/one.md; that was committed"]
    bo.sync()
    at_peace(ada, bo)
    assert "text of one" in bo.text("facts/one.md")
    assert not (bo.root / "archive/one.md").exists()


@pytest.mark.cgit
@pytest.mark.usefixtures("filled")
def test_an_archived_file_of_its_own_is_no_half_of_a_removal(ada: Machine, bo: Machine) -> None:
    """What merely lies in the archive stays as git leaves any file it was not told of."""
    (ada.root / "archive").mkdir()
    (ada.root / "archive/other.md").write_text("Something else altogether.\n", encoding="utf-8")
    (ada.root / "one.md").unlink()
    assert "you removed one.md" in ada.sync().notes[0]
    bo.sync()
    assert not (bo.root / "one.md").exists()
    assert (ada.root / "archive/other.md").read_text(encoding="utf-8") == "Something else altogether.\n"
    assert ada.git("status", "--porcelain", cwd=ada.root).strip() == "?? archive/"


@pytest.mark.cgit
@pytest.mark.usefixtures("filled")
def test_a_secret_written_on_the_way_holds_both_halves_back(ada: Machine, bo: Machine) -> None:
    text = ada.text("one.md")
    move(ada, "one.md", "archive/one.md", is_git=False)
    path = Path(ada.root / "archive/one.md")
    path.write_text(text + "\nthe key is AKIA" + "QX7RT5WZ2PLM9KD4\n", encoding="utf-8")
    notes = "\n".join(ada.sync().notes)
    assert "archive/one.md" in notes
    assert "held back" in notes
    bo.sync()
    assert bo.text("one.md") == text
