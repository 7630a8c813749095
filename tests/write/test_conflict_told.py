"""Whose the texts of a conflict are, as a person reads it on either machine; every side is really written there."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import Stale, Usage
from gitmem.history.conflict import find_conflict
from gitmem.history.conflict_sides import SideFinder, Sides
from gitmem.history.repo import open_repo
from gitmem.memory.document import blob_id
from gitmem.setup.clone import clone
from gitmem.write.archive import archive
from gitmem.write.change import Actor
from gitmem.write.conflict import resolve
from gitmem.write.conflict_told import difference_told, labels, reason_told, sides_told, ways, words_of
from gitmem.write.memory import edit
from gitmem.write.rollback import make_point, roll_back
from tests.write.test_sync_pair import ME, WHEN, Git, Machine, ada, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures


def sides(machine: Machine, name: str = "deploy") -> Sides:
    with open_repo(str(machine.root)) as repo:
        return SideFinder(repo).sides(find_conflict(repo, name))


def told(machine: Machine, name: str = "deploy") -> str:
    return sides_told(sides(machine, name))


def call(machine: Machine, name: str) -> None:
    """Give the machine a name of its own."""
    machine.git("config", "gitmem.machine", name, cwd=machine.root)


def disagree(ada: Machine, bo: Machine, *, younger: str = "bo") -> None:
    """Both change one sentence, ada syncs first; the younger text stands in the file."""
    first, second = (ada, bo) if younger == "bo" else (bo, ada)
    second.when = max(ada.when, bo.when) + 1000
    for machine in (first, second):
        machine.edit("deploy", f"# Deploy\n\nBack up first, says the one on {machine.root.name}.\n")
    ada.sync()
    bo.sync()
    ada.sync()


@pytest.mark.cgit
@pytest.mark.parametrize("younger", ["ada", "bo"])
def test_both_machines_say_whose_text_stands_and_whose_is_kept(ada: Machine, bo: Machine, younger: str) -> None:
    """``--ours`` is what the file has, on whichever machine one looks, and whoever merged."""
    disagree(ada, bo, younger=younger)
    other = "bo" if younger == "ada" else "ada"
    for machine in (ada, bo):
        assert f"says the one on {younger}" in machine.text("deploy.md")
        assert told(machine) == f"the file has {younger}'s text (--ours); {other}'s is kept (--theirs)"
    assert labels(sides(ada)) == (f"--ours: {younger}'s text, in the file", f"--theirs: {other}'s text, kept")
    resolve(str(ada.root), "deploy", "theirs", when=ada.now(), actor=ME, environ=ada.environ)
    assert f"says the one on {other}" in ada.text("deploy.md")


@pytest.mark.cgit
@pytest.mark.parametrize("younger", ["ada", "bo"])
def test_one_person_on_two_machines_is_told_which_machine(ada: Machine, bo: Machine, younger: str) -> None:
    bo.who = "ada"
    call(ada, "laptop")
    call(bo, "desktop")
    ada.remember("first", "so that the hub knows the laptop's name")
    ada.sync()
    disagree(ada, bo, younger=younger)
    on = {"ada": ("this machine", "laptop"), "bo": ("desktop", "this machine")}  # as ada and bo see them
    other = "bo" if younger == "ada" else "ada"
    for at, machine in enumerate((ada, bo)):
        assert told(machine) == (
            f"the file has ada's text from {on[younger][at]} (--ours); ada's from {on[other][at]} is kept (--theirs)"
        )
    for machine in (ada, bo):  # what came later changes nothing of it
        machine.remember(f"more-{machine.root.name}", "text")
        machine.sync()
    assert f"from {on[younger][0]} (--ours)" in told(ada)


@pytest.mark.cgit
def test_a_machine_is_named_only_where_it_can_be_no_other(ada: Machine, bo: Machine, tmp_path: Path) -> None:
    """A third machine that was silent meanwhile may be it too: then the texts are told apart by their dates."""
    cy = Machine(tmp_path / "cy", ada.git, "ada", WHEN + 2000)
    clone(str(tmp_path / "hub.git"), str(cy.root), environ=cy.environ, when=cy.when)
    bo.who = "ada"
    for machine, name in ((ada, "laptop"), (bo, "desktop"), (cy, "tablet")):
        call(machine, name)
        machine.sync()
    disagree(ada, bo)
    assert "text from desktop (--ours)" in told(ada), "the tablet has not synced since, and so sent nothing"
    cy.sync()
    ada.sync()
    assert told(ada) == (
        "the file has ada's text of 2026-11-30T01:26:42Z (--ours); ada's from this machine is kept (--theirs)"
    )
    assert "of 2026-11-30T01:26:42Z (--ours); ada's from laptop is kept" in told(cy)


@pytest.mark.cgit
def test_a_text_that_both_machines_had_is_of_neither_and_the_deed_is_of_the_one_that_did_it(
    ada: Machine, bo: Machine
) -> None:
    """One archived what the other renamed: nobody wrote a new text."""
    bo.who = "ada"
    call(ada, "laptop")
    call(bo, "desktop")
    ada.remember("first", "so that the hub knows the laptop's name")
    ada.sync()
    bo.sync()
    archive(str(ada.root), "deploy", when=ada.now(), actor=ME, environ=ada.environ)
    ada.sync()
    (bo.root / "deploy.md").rename(bo.root / "ops.md")
    bo.sync()
    ada.sync()
    text = "the file has ada's text of 2026-11-30T00:53:21Z (--ours)"
    assert told(ada, "ops") == f"{text}; ada archived it on this machine (--theirs)"
    assert told(bo, "ops") == f"{text}; ada archived it on laptop (--theirs)"


@pytest.mark.cgit
def test_a_side_that_took_the_memory_away_is_told_as_that(ada: Machine, bo: Machine) -> None:
    for name in ("one", "two"):
        ada.remember(name, f"text {name}")
    ada.sync()
    bo.sync()
    archive(str(ada.root), "one", reason="old", when=ada.now(), actor=ME, environ=ada.environ)
    (ada.root / "two.md").unlink()
    for name in ("one", "two"):
        bo.edit(name, "Still needed.\n")
    ada.sync()
    bo.sync()
    assert told(bo, "one") == "the file has bo's text (--ours); ada archived it (--theirs)"
    assert told(bo, "two") == "the file has bo's text (--ours); ada removed it (--theirs)"
    with open_repo(str(bo.root)) as repo:
        assert ways(find_conflict(repo, "one")) == "--ours | --theirs | --both"
        assert ways(find_conflict(repo, "two")) == "--ours | --theirs", "there is no second text"
    with pytest.raises(Usage, match=r"ada removed two\.md, so there is no second text to keep"):
        resolve(str(bo.root), "two", "both", when=bo.now(), actor=ME, environ=bo.environ)
    bo.who = "ada"
    call(ada, "laptop")
    ada.remember("more", "text")
    ada.sync()
    bo.sync()
    ada.who = bo.who = "both"
    disagree(ada, bo)
    assert " (--ours)" in told(bo, "one"), "what is of the past stays told"


@pytest.mark.cgit
def test_a_file_that_was_changed_since_is_not_said_to_hold_the_text(ada: Machine, bo: Machine, git: Git) -> None:
    disagree(ada, bo)
    ada.remember("other", "a change of another memory")
    assert told(ada) == "the file has bo's text (--ours); ada's is kept (--theirs)"
    bo.edit("deploy", "# Deploy\n\nNeither of the two.\n")
    assert told(bo) == "the file had bo's text, changed since by bo (--ours); ada's is kept (--theirs)"
    assert labels(sides(bo))[0] == "--ours: the file as it is now, changed since by bo"
    git("mv", "deploy.md", "ops.md", cwd=ada.root)
    git("commit", "-qm", "mv", cwd=ada.root)
    assert told(ada) == "the file has bo's text (--ours); ada's is kept (--theirs)", "under its new name"
    archive(str(ada.root), "ops", reason="old", when=ada.now(), actor=ME, environ=ada.environ)
    assert told(ada) == "the file has bo's text (--ours); ada's is kept (--theirs)", "the marks are no change of it"


@pytest.mark.cgit
def test_where_only_some_sections_differ_the_merged_file_counts_as_the_text(ada: Machine, bo: Machine) -> None:
    bo.when = ada.when + 1000
    ada.edit("deploy", "# Deploy\n\nAda first.\n\n## Order\n\nRestart.\n")
    bo.edit("deploy", "# Deploy\n\nBo first.\n\n## Order\n\nMigrate, then restart.\n")
    ada.sync()
    bo.sync()
    text = bo.text("deploy.md")
    assert "Bo first." in text
    assert "Restart." in text
    assert told(bo) == "the file has bo's text (--ours); ada's is kept (--theirs)"


@pytest.mark.cgit
def test_a_write_that_came_too_late_names_both(ada: Machine) -> None:
    """By a model, and by the person who wrote the other text as well."""
    read = blob_id((ada.root / "deploy.md").read_bytes())
    ada.edit("deploy", "# Deploy\n\nNever on a Friday.\n")
    names = []
    for actor, text in ((Actor("model", agent="claude"), b"Migrate."), (ME, b"Wait.")):
        with pytest.raises(Stale) as refused:
            edit(
                str(ada.root), "deploy", when=ada.now(), actor=actor, environ=ada.environ, body=text, if_revision=read
            )  # fmt: skip
        names.append(refused.value.ref.rpartition("/")[2])
    assert told(ada, names[0]) == "the file has ada's text (--ours); claude's is kept (--theirs)"
    assert told(ada, names[1]) == (
        "the file has ada's text of 2026-11-30T00:53:23Z (--ours); ada's of 2026-11-30T00:53:25Z is kept (--theirs)"
    )


@pytest.mark.cgit
def test_a_rollback_names_the_point(ada: Machine, git: Git) -> None:
    point = make_point(str(ada.root), "", when=ada.now(), actor=ME, environ=ada.environ)
    (ada.root / "deploy.md").write_text("By hand.\n")
    git("commit", "-qam", "mine", cwd=ada.root)
    roll_back(str(ada.root), point, when=ada.now(), actor=ME, environ=ada.environ)
    assert told(ada) == f"the file has Ada's text (--ours); that of rollback point {point} is kept (--theirs)"


@pytest.mark.cgit
def test_people_whose_name_git_was_never_told_are_no_gitmem(ada: Machine, bo: Machine) -> None:
    for machine in (ada, bo):
        machine.who = ""
        call(machine, machine.root.name)
    disagree(ada, bo)
    assert told(ada) == "the file has the text from bo (--ours); the one from this machine is kept (--theirs)"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("field description", "the body"), "the description and the body differ"),
        (("field tags",), "the tags differ"),
        (("field status",), "the status differs"),
        (("setting index_file",), "the index_file differs"),
        (('section "# A > ## B; the C"',), 'the section "# A > ## B; the C" differs'),
        (("the whole text",), "the whole text differs"),
        (("the whole text (both are above 64 KiB)",), "the whole text differs (both are above 64 KiB)"),
        (("field a", "field b", "the body"), "the a, the b and the body differ"),
        (
            ("field x (changed on one side, removed on the other)", "the body"),
            "the body differs; the x was changed on one side, removed on the other",
        ),
        (
            ("removed on one side, changed on the other; the change stands",),
            "removed on one side, changed on the other; the change stands",
        ),
        (("the conflict was settled on both sides, differently", "the body"),
         "the body differs; the conflict was settled on both sides, differently"),
        (('both sides renamed it: "a.md" stands, "b; c.md" is gone',),
         'both sides renamed it: "a.md" stands, "b; c.md" is gone'),
    ],
)  # fmt: skip
def test_what_differs_is_a_sentence_also_from_the_record(words: tuple[str, ...], said: str) -> None:
    assert difference_told(words) == said
    reason = "could not merge: " + "; ".join(words)
    assert words_of(reason) == words
    assert reason_told(reason) == said


def test_a_persons_own_reason_stays_as_it_is() -> None:
    assert reason_told("the body; and more") == "the body; and more"
    assert difference_told(()) == ""
