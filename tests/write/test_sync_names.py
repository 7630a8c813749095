"""File names that some systems cannot hold, between machines: they stop nobody."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from gitmem.errors import BadName
from gitmem.setup.clone import clone
from gitmem.write import sync_twins
from tests.write.test_sync_pair import WHEN, Git, Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures
needs_odd_names = pytest.mark.skipif(os.name == "nt", reason="Windows has no such file")


@pytest.mark.cgit
@needs_odd_names
@pytest.mark.parametrize("name", ["B: plan.md", "a\\b.md", "10:30 meeting.md", "aux.md", "~x.md"])
def test_a_name_made_on_one_machine_stops_no_other_one(
    ada: Machine, bo: Machine, hub: Path, git: Git, tmp_path: Path, name: str
) -> None:
    bo.remember("tea", "Bo likes tea.")
    (ada.root / name).write_text("x\n")
    said = "\n".join(ada.sync().notes)
    assert ("Windows cannot hold" in said) == (name != "~x.md")
    assert bo.sync().sent == 2
    assert bo.text(name) == "x\n"
    ada.sync()
    at_peace(ada, bo)
    (bo.root / name).write_text("y\n")
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
    clone(str(hub), str(tmp_path / "third"), environ=ada.environ, when=WHEN + 2000)
    assert (tmp_path / "third" / name).read_text() == "y\n"
    assert git("status", "--porcelain", cwd=tmp_path / "third") == ""


@pytest.mark.cgit
@needs_odd_names
def test_windows_gives_such_a_file_another_name_on_arrival(
    ada: Machine, bo: Machine, hub: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (ada.root / "B: plan.md").write_text("x\n")
    (ada.root / "B- plan.md").write_text("another\n")
    ada.sync()
    monkeypatch.setattr(sync_twins, "ON_WINDOWS", True)
    clone(str(hub), str(tmp_path / "third"), environ=ada.environ, when=WHEN + 2000)
    assert (tmp_path / "third" / "B- plan-2.md").read_text() == "x\n"
    assert git("status", "--porcelain", cwd=tmp_path / "third") == ""
    notes = bo.sync().notes
    assert "B: plan.md is called B- plan-2.md now: Windows keeps no file of that name" in notes
    assert not (bo.root / "B: plan.md").exists()
    monkeypatch.undo()
    ada.sync()
    at_peace(ada, bo)
    assert (ada.text("B- plan.md"), ada.text("B- plan-2.md")) == ("another\n", "x\n")


@pytest.mark.cgit
def test_a_folder_in_place_of_a_memory_is_said_with_the_way_out(ada: Machine, git: Git) -> None:
    (ada.root / "deploy.md").unlink()
    (ada.root / "deploy.md").mkdir()
    (ada.root / "deploy.md/in.md").write_text("x\n")
    with pytest.raises(BadName, match=r"deploy\.md is a file in the last commit") as refused:
        ada.sync()
    move, back = (refused.value.hint or "").partition("folder: ")[2].split(" && ")
    subprocess.run(move.split(), cwd=ada.root, check=True)
    git(*back.split()[1:], cwd=ada.root)
    assert ada.sync().sent == 1
    assert git("ls-files", "*.md", cwd=ada.root).split() == ["MEMORY.md", "deploy-folder/in.md", "deploy.md"]
