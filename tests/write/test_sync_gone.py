"""What is gone from the folder: a move is a move, and deletions that are held back stay so until the person decides."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.errors import RepositoryBusy
from gitmem.setup.doctor import examine
from gitmem.write.sync_status import held_back
from tests.cli.conftest import ROOT
from tests.write.test_sync_pair import Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures
NAMES = [f"note-{number}" for number in range(6)]
KEY = "the key is AKIA" + "QX7RT5WZ2PLM9KD4\n"


def filled(ada: Machine, bo: Machine) -> None:
    for name in NAMES:
        ada.remember(name, f"text of {name}")
    ada.sync()
    bo.sync()


def held(machine: Machine) -> str:
    """The sentence of what is held back; "" for none."""
    return "".join(note for note in machine.sync().notes if "gone from the folder" in note)


def typed(machine: Machine, command: str) -> None:
    subprocess.run(command, shell=True, check=True, capture_output=True, env=machine.environ, cwd="/")


@pytest.mark.cgit
@pytest.mark.parametrize("is_git", [False, True])
def test_memories_that_move_into_a_folder_are_no_deletions(ada: Machine, bo: Machine, is_git: bool) -> None:
    """Most of them at once, by ``mv`` or ``git mv``: the other machine has each once, and the list follows."""
    filled(ada, bo)
    (ada.root / "facts").mkdir()
    for name in [*NAMES, "deploy"]:
        if is_git:
            ada.git("mv", f"{name}.md", "facts/", cwd=ada.root)
        else:
            (ada.root / f"{name}.md").rename(ada.root / f"facts/{name}.md")
    bo.edit("note-2", "Bo's text meanwhile.\n")
    bo.sync()
    notes = ada.sync().notes
    assert "you renamed note-1.md to facts/note-1.md; that was committed" in notes
    assert not [note for note in notes if "gone" in note or "removed" in note]
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
    assert sorted(path.name for path in bo.root.glob("*.md")) == ["MEMORY.md"]
    assert "Bo's text meanwhile." in ada.text("facts/note-2.md")
    assert bo.text("MEMORY.md").count("(facts/") == 7
    assert bo.text("MEMORY.md").count(".md)") == 7


@pytest.mark.cgit
@pytest.mark.parametrize("is_git", [False, True])
def test_one_memory_moves_into_a_new_folder(ada: Machine, bo: Machine, is_git: bool) -> None:
    filled(ada, bo)
    (ada.root / "newfolder").mkdir()
    if is_git:
        ada.git("mv", "note-1.md", "newfolder/", cwd=ada.root)
    else:
        (ada.root / "note-1.md").rename(ada.root / "newfolder/note-1.md")
    assert ada.sync().notes == ["you renamed note-1.md to newfolder/note-1.md; that was committed"]
    bo.sync()
    at_peace(ada, bo)
    assert (bo.root / "newfolder/note-1.md").exists()
    assert not (bo.root / "note-1.md").exists()


@pytest.mark.cgit
def test_files_that_moved_do_not_count_as_gone(ada: Machine, bo: Machine) -> None:
    filled(ada, bo)
    for name in NAMES[:3]:
        (ada.root / f"{name}.md").rename(ada.root / f"new-{name}.md")
    (ada.root / "note-4.md").unlink()
    ada.sync()
    bo.sync()
    at_peace(ada, bo)
    assert not (bo.root / "note-4.md").exists()
    assert len(list(bo.root.glob("new-*.md"))) == 3


@pytest.mark.cgit
def test_a_move_of_what_is_held_back_is_held_back_whole(ada: Machine, bo: Machine) -> None:
    """The other machines would have the memory under neither name."""
    filled(ada, bo)
    (ada.root / "note-1.md").rename(ada.root / "other.md")
    with (ada.root / "other.md").open("a") as file:
        file.write(KEY)
    assert ada.sync().held == ["other.md"]
    bo.sync()
    assert (bo.root / "note-1.md").exists()


@pytest.mark.cgit
@pytest.mark.parametrize("is_git", [False, True])
def test_held_deletions_stay_held_whatever_is_written_or_arrives(ada: Machine, bo: Machine, is_git: bool) -> None:
    filled(ada, bo)
    for name in NAMES[:4]:
        ada.git(*(["rm", "-q", f"{name}.md"] if is_git else ["--version"]), cwd=ada.root)
        (ada.root / f"{name}.md").unlink(missing_ok=True)
    assert held(ada).startswith("4 memories are gone from the folder")
    for number in range(4):
        ada.remember(f"later-{number}", f"later {number}")
        bo.remember(f"there-{number}", f"there {number}")
    bo.edit("note-3", "Bo's text meanwhile.\n")
    bo.sync()
    assert held(ada), "four of seven"
    assert "Bo's text meanwhile." in ada.text("note-3.md"), "what the other side changed is back"
    assert held(ada).startswith("3 memories are gone from the folder"), "three of fifteen"
    bo.sync()
    assert all((bo.root / f"{name}.md").exists() for name in NAMES)
    (ada.root / "note-5.md").unlink()
    ada.sync()
    bo.sync()
    assert not (bo.root / "note-5.md").exists(), "one that was removed later is no part of it"
    assert (bo.root / "note-1.md").exists()


@pytest.mark.cgit
def test_what_the_other_side_removed_too_is_gone(ada: Machine, bo: Machine) -> None:
    filled(ada, bo)
    for name in NAMES[:4]:
        (ada.root / f"{name}.md").unlink()
    assert held(ada)
    (bo.root / "note-0.md").unlink()
    bo.sync()
    ada.sync()
    assert held(ada).startswith("3 memories")


@pytest.mark.cgit
@pytest.mark.parametrize("count", [4, 6])
def test_the_two_ways_out_do_what_they_say_and_nothing_else(ada: Machine, bo: Machine, count: int) -> None:
    """A file that the same sync holds back is not committed, and no edit is taken back."""
    filled(ada, bo)
    for name in NAMES[:count]:
        (ada.root / f"{name}.md").unlink()
    (ada.root / "key.md").write_text(KEY)
    with (ada.root / "deploy.md").open("a") as file:
        file.write(KEY)
    back, commit = held(ada).partition("Bring back: ")[2].split("   or, if you mean it: ")
    typed(ada, back)
    assert len(list(ada.root.glob("note-*.md"))) == 6
    assert KEY in ada.text("deploy.md")
    assert held(ada) == ""
    for name in NAMES[:count]:
        (ada.root / f"{name}.md").unlink()
    assert held(ada)
    typed(ada, commit)
    names = ada.git("show", "--name-status", "--format=", "HEAD", cwd=ada.root).split()
    assert names == [word for name in NAMES[:count] for word in ("D", f"{name}.md")]
    assert held(ada) == ""
    bo.sync()
    assert len(list(bo.root.glob("note-*.md"))) == 6 - count


@pytest.mark.cgit
def test_a_way_out_names_a_file_by_its_letters_alone(ada: Machine, bo: Machine) -> None:
    """git takes ``[ab].md`` for a pattern."""
    for name in ("[ab].md", "x.md"):
        (ada.root / name).write_text(f"text of {name}\n")
    ada.sync()
    (ada.root / "a.md").write_text("kept out\n")
    ada.git("add", "-N", "a.md", cwd=ada.root)
    for name in ("[ab].md", "x.md", "deploy.md"):
        (ada.root / name).unlink()
    (ada.root / "a.md").write_text(KEY)
    commit = held(ada).partition("if you mean it: ")[2]
    ada.git("reset", "-q", "--", "a.md", cwd=ada.root)
    typed(ada, commit)
    assert "a.md" not in ada.git("show", "--name-only", "--format=", "HEAD", cwd=ada.root).split()


@pytest.mark.cgit
def test_a_small_store_is_guarded_too(ada: Machine, bo: Machine) -> None:
    ada.remember("port", "8443")
    ada.sync()
    bo.sync()
    for name in ("port", "deploy"):
        (bo.root / f"{name}.md").unlink()
    assert held(bo).startswith("2 memories are gone from the folder")
    ada.sync()
    assert (ada.root / "port.md").exists()


@pytest.mark.cgit
def test_status_and_doctor_tell_of_what_is_held_back(ada: Machine, bo: Machine) -> None:
    filled(ada, bo)
    said = {each.name: each.message for each in examine(str(ada.root), ada.environ, ada.when)}
    assert said["own edits"] == "nothing is held back from a sync"
    for name in NAMES[:4]:
        (ada.root / f"{name}.md").unlink()
    (ada.root / "key.md").write_text(KEY)
    paths, told = held_back(str(ada.root), ada.environ)
    assert sorted(paths) == ["key.md", *(f"{name}.md" for name in NAMES[:4])]
    assert told[0].startswith("key.md:1: this looks like a secret")
    assert told[1].startswith("4 memories are gone from the folder")
    found = examine(str(ada.root), ada.environ, ada.when)
    assert [each.message for each in found if (each.name, each.state) == ("own edits", "trouble")] == told
    assert ada.sync().notes == told, "as a sync says it"


@pytest.mark.cgit
def test_what_is_typed_takes_back_the_removal_and_nothing_else(ada: Machine, bo: Machine) -> None:
    """Promised by the sentence of the sync: not the last operation, which may be somebody else's."""
    filled(ada, bo)
    bo.remember("boop", "Bo's newest")
    bo.sync()
    (ada.root / "note-2.md").unlink()
    with (ada.root / "note-3.md").open("a") as file:
        file.write("by hand\n")
    (note,) = [each for each in ada.sync().notes if "note-2.md" in each]
    words = note.partition("(not meant? gitmem ")[2].rstrip(")").split()
    gm(ada, *words, "--store", str(ada.root))
    ada.sync()
    bo.sync()
    at_peace(ada, bo)
    assert "text of note-2" in bo.text("note-2.md")
    assert "by hand" in bo.text("note-3.md")
    assert (ada.root / "boop.md").exists()


def gm(machine: Machine, *words: str) -> str:
    environ = {**machine.environ, "PYTHONPATH": str(ROOT), "HOME": str(machine.root.parent)}
    done = subprocess.run([sys.executable, "-m", "gitmem", *words], env=environ, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.cgit
def test_a_sync_that_comes_meanwhile_leaves_its_work_to_the_one_under_way(ada: Machine, bo: Machine, hub: Path) -> None:
    """Promised by its sentence: what was changed while the first one was sending is there when that one ends."""
    path = hub / "hooks/post-receive"
    path.parent.mkdir(exist_ok=True)
    path.write_text(
        "#!/bin/sh\nunset GIT_DIR GIT_QUARANTINE_PATH\n"
        f"rm -f {path}\necho 'written meanwhile' > {ada.root}/late.md\n"
        f"PYTHONPATH={ROOT} {sys.executable} -m gitmem sync --store {ada.root} > {hub}/said 2>&1\n"
    )
    path.chmod(0o755)
    ada.remember("one", "text")
    done = ada.sync()
    said = "another sync of this store is under way; it goes round once more and takes your changes along\n"
    assert Path(hub, "said").read_text() == said
    assert (done.sent, done.edits) == (2, ["late.md"])
    bo.sync()
    at_peace(ada, bo)
    assert bo.text("late.md") == "written meanwhile\n"


@pytest.mark.cgit
def test_a_memory_over_the_size_limit_is_said_to_stay(ada: Machine, bo: Machine) -> None:
    """A new one and one that grew; neither is read anywhere, so neither is sent."""
    filled(ada, bo)
    large = "word " * 120_000
    (ada.root / "big.md").write_text(large)
    (ada.root / "note-1.md").write_text(large)
    for _ in range(2):
        done = ada.sync()
        assert done.held == ["note-1.md"]
        grown, new = done.notes
        assert grown.startswith("note-1.md: has 600000 bytes and is not read, 524288 are the most; the file is held ba")
        assert new.startswith("big.md: has 600000 bytes and is not read")
        assert new.endswith("it is not sent either")
    bo.sync()
    assert "text of note-1" in bo.text("note-1.md")
    ada.git("commit", "-q", "-a", "-m", "large", cwd=ada.root)
    assert [note.rpartition("; ")[2] for note in ada.sync().notes] == ["it is not sent either", "no machine reads it"]


@pytest.mark.cgit
@pytest.mark.skipif(os.name == "nt", reason="names are text there")
def test_a_file_whose_name_is_no_text_is_said_to_stay(ada: Machine) -> None:
    with open(os.fsencode(ada.root) + b"/caf\xe9.md", "wb") as file:
        file.write(b"text\n")
    (note,) = ada.sync().notes
    assert note.endswith("the name is not UTF-8 and is not read; rename it; it is not sent either")


@pytest.mark.cgit
def test_a_held_file_stops_neither_what_comes_nor_what_goes(ada: Machine, bo: Machine, hub: Path) -> None:
    """Where both sides changed it nothing can be merged; what is here is on the remote all the same."""
    filled(ada, bo)
    with (ada.root / "note-1.md").open("a") as file:
        file.write(KEY)
    ada.remember("port", "8443")
    bo.edit("note-2", "Bo's text.\n")
    bo.sync()
    assert (ada.sync().received, ada.text("note-2.md").count("Bo's text.")) == (1, 1)
    bo.edit("note-1", "Bo's text.\n")
    bo.sync()
    ada.remember("late", "written here")
    with pytest.raises(RepositoryBusy) as refused:
        ada.sync()
    assert "nothing was merged; what is here is on origin too, as refs/gitmem/machines/" in refused.value.message
    own = next(ref for ref in ada.refs("refs/gitmem/machines/"))
    assert ada.git("merge-base", "--is-ancestor", ada.head(), own, cwd=hub) == ""
    (ada.root / "note-1.md").write_text(ada.text("note-1.md").replace(KEY, "in the safe\n"))
    ada.sync()
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
