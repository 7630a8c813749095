"""A purge and the other machines: what was purged on one is gone on all, and what each wrote since is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import Refused
from gitmem.history.remote_machine import beats, machine_name
from gitmem.history.repo import open_repo
from gitmem.history.transport import RemoteRefused
from gitmem.store.machine import known_machine
from gitmem.write.purge import Plan, Purged, purge
from gitmem.write.rollback import make_point
from tests.write.test_sync_pair import ME, Git, Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures
SECRET = "the tangerine plan of 1987"


def forget(machine: Machine, path: str) -> Purged:
    return purge(
        str(machine.root), path, confirm=lambda plan: plan.path, when=machine.now(), actor=ME, environ=machine.environ
    )


def refused(machine: Machine, *, rejoins: bool = False) -> RemoteRefused:
    with pytest.raises(RemoteRefused) as no:
        machine.sync(rejoins=rejoins)
    assert no.value.kind == "purged"
    return no.value


def typed(machine: Machine, hint: str) -> None:
    """What the hint says to make the remote as it is here."""
    command = hint.partition("as it is here: ")[2].partition(" && ")[0]
    machine.git(*command.split()[1:], cwd=machine.root)


def purged_and_pushed(machine: Machine, path: str = "secret.md") -> None:
    forget(machine, path)
    typed(machine, refused(machine).hint or "")
    machine.sync()


def holds(git: Git, repository: Path, *refs: str) -> bool:
    """Whether any version that ``refs`` lead to, all of them by default, holds the text."""
    return SECRET in git("log", "-p", "--format=%H %B", *(refs or ("--all",)), cwd=repository)


@pytest.fixture
def pair(ada: Machine, bo: Machine) -> tuple[Machine, Machine]:
    """Both have the memory that will be purged, in two versions, and one of Bo's own is on neither other side."""
    ada.remember("secret", SECRET)
    ada.edit("secret", f"{SECRET}, second version\n")
    ada.sync()
    bo.sync()
    bo.remember("tea", "Bo likes tea.")
    return ada, bo


@pytest.mark.cgit
@pytest.mark.parametrize("has_newer", [False, True])
def test_the_other_machine_is_told_of_the_purge_and_follows_it(
    pair: tuple[Machine, Machine], hub: Path, git: Git, has_newer: bool
) -> None:
    """Promised as L2: the text is never sent again, unsent memories arrive, and both come to the same commit."""
    ada, bo = pair
    if has_newer:
        bo.edit("secret", f"{SECRET}, as Bo has it\n")
    purged_and_pushed(ada)
    ada.remember("later", "Written after the purge.")
    ada.sync()
    before = git("for-each-ref", cwd=hub)
    for rejoins in (False, True):
        no = refused(bo, rejoins=rejoins)
        assert no.message.startswith("origin/main was rewritten by a purge (ada, 20")
        assert "): secret.md was removed there for good, out of every version" in no.message
        assert (no.hint or "").endswith("other memories: gitmem purge secret.md && gitmem sync origin")
    assert git("for-each-ref", cwd=hub) == before, "nothing was sent"
    forget(bo, "secret.md")
    done = bo.sync()
    assert (done.conflicts, done.received > 0) == ([], True)
    ada.sync()
    at_peace(ada, bo)
    for machine in pair:
        assert (machine.root / "tea.md").exists()
        assert (machine.root / "later.md").exists()
        assert not (machine.root / "secret.md").exists()
        assert not holds(git, machine.root, "refs/heads/main")
    assert not holds(git, hub, "refs/heads/main")
    assert "secret" not in bo.text("MEMORY.md")


@pytest.mark.cgit
def test_a_memory_that_has_another_name_on_the_other_machine_is_known_by_its_blobs(
    pair: tuple[Machine, Machine], git: Git
) -> None:
    """Bo renamed it and did not send that; Ada's purge knows only the old name."""
    ada, bo = pair
    git("mv", "secret.md", "plan.md", cwd=bo.root)
    git("commit", "-qam", "renamed", cwd=bo.root)
    purged_and_pushed(ada)
    no = refused(bo)
    assert "): plan.md was removed there for good" in no.message
    forget(bo, "plan.md")
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
    assert not holds(git, bo.root, "refs/heads/main")


@pytest.mark.cgit
def test_a_memory_that_was_gone_before_is_purged_on_the_other_machine_too(
    pair: tuple[Machine, Machine], git: Git
) -> None:
    """The purge changes no file then, and is on record all the same."""
    ada, bo = pair
    git("rm", "-q", "secret.md", cwd=ada.root)
    git("commit", "-qm", "gone", cwd=ada.root)
    ada.sync()
    bo.sync()
    purged_and_pushed(ada)
    assert "gitmem purge secret.md && gitmem sync origin" in (refused(bo).hint or "")
    forget(bo, "secret.md")
    bo.sync()
    ada.sync()
    at_peace(ada, bo)


@pytest.mark.cgit
def test_two_purges_are_followed_at_once(pair: tuple[Machine, Machine]) -> None:
    ada, bo = pair
    ada.remember("other", "Another one that has to go.")
    ada.sync()
    bo.sync()
    forget(ada, "other.md")
    purged_and_pushed(ada)
    no = refused(bo)
    assert "other.md, secret.md were removed there for good" in no.message
    assert "gitmem purge other.md && gitmem purge secret.md && gitmem sync origin" in (no.hint or "")
    forget(bo, "other.md")
    forget(bo, "secret.md")
    assert bo.sync().conflicts == []
    ada.sync()
    at_peace(ada, bo)


@pytest.mark.cgit
def test_rollback_points_on_the_hub_do_not_bring_it_back(pair: tuple[Machine, Machine], hub: Path, git: Git) -> None:
    """Neither side takes them over, and what is told takes them out; then the rewritten ones are sent."""
    ada, bo = pair
    make_point(str(ada.root), "", when=ada.now(), actor=ME, environ=ada.environ)
    ada.sync()
    forget(ada, "secret.md")
    clean = ada.refs("refs/gitmem/rollback/")
    typed(ada, refused(ada).hint or "")
    [note] = [note for note in ada.sync().notes if "to what was purged here" in note]
    assert ada.refs("refs/gitmem/rollback/") == clean
    [ref] = clean
    bos = f"refs/gitmem/machines/{known_machine(str(bo.root / '.git'))}"
    assert note.startswith("origin has 2 refs of gitmem's that lead to what was purged here; nothing was taken")
    assert note.endswith(f"git -C {ada.root} push origin --delete {bos} {ref}")
    git(*note.partition("take it out there: ")[2].split()[1:], cwd=ada.root)
    assert not any("purged" in note for note in ada.sync().notes)
    assert git("rev-parse", ref, cwd=hub).strip() == clean[ref]
    refused(bo)
    forget(bo, "secret.md")
    bo.sync()
    assert bo.refs("refs/gitmem/rollback/") == clean
    assert not holds(git, hub, *git("for-each-ref", "--format=%(refname)", "refs/gitmem/rollback", cwd=hub).split())


@pytest.mark.cgit
def test_when_all_that_the_two_lists_name_is_typed_the_hub_has_the_text_no_more(
    pair: tuple[Machine, Machine], hub: Path, git: Git
) -> None:
    """Heartbeats hold what a machine's branch held: the lists say how to take them out, on whichever machine."""
    ada, bo = pair
    make_point(str(ada.root), "", when=ada.now(), actor=ME, environ=ada.environ)
    bo.sync()
    ada.sync()
    done = forget(ada, "secret.md")
    typed(ada, refused(ada).hint or "")
    for command in [each.command for each in done.holders if " --delete " in each.command]:
        for one in command.split(" && "):
            git(*one.split()[1:], cwd=ada.root)
    ada.sync()
    refused(bo)
    forget(bo, "secret.md")
    bo.sync()
    ada.sync()
    git("reflog", "expire", "--expire=now", "--all", cwd=hub)
    git("gc", "-q", "--prune=now", cwd=hub)
    assert not holds(git, hub)
    at_peace(ada, bo)


@pytest.mark.cgit
def test_the_very_text_written_anew_is_sent_and_asked_about_where_it_was_purged(
    pair: tuple[Machine, Machine],
) -> None:
    """A person may want it back on one machine; the one that purged it does not take it unasked."""
    ada, bo = pair
    purged_and_pushed(ada)
    refused(bo)
    old = bo.text("secret.md")
    forget(bo, "secret.md")
    bo.sync()
    (bo.root / "secret.md").write_text(old)
    assert bo.sync().sent > 0
    assert "still has what was purged here: secret.md" in refused(ada).message


@pytest.mark.cgit
def test_how_many_texts_stand_on_this_machine_alone_is_known_before_they_go(pair: tuple[Machine, Machine]) -> None:
    ada, bo = pair
    bo.edit("secret", f"{SECRET}, as Bo alone has it\n")
    purged_and_pushed(ada)
    refused(bo)
    plans: list[Plan] = []

    def asked(plan: Plan) -> str:
        plans.append(plan)
        return ""

    with pytest.raises(Refused, match="the name given is not secret"):
        purge(str(bo.root), "secret.md", confirm=asked, when=bo.now(), actor=ME, environ=bo.environ)
    assert [(plan.versions, plan.unsent) for plan in plans] == [(3, 1)]


@pytest.mark.cgit
def test_heartbeats_that_lead_to_it_are_named_until_their_own_machine_replaces_them(
    pair: tuple[Machine, Machine], hub: Path, git: Git
) -> None:
    """Promised in docs/sync.md: nothing on the remote keeps the text without a word."""
    ada, bo = pair
    adas, bos = (known_machine(str(machine.root / ".git")) for machine in pair)
    purged_and_pushed(ada)
    for _ in range(2):
        note = next(note for note in ada.sync().notes if "leads to what was purged here" in note)
        assert note.endswith(f"push origin --delete refs/gitmem/machines/{bos}")
    refs = git("for-each-ref", "--format=%(refname)", cwd=hub)
    assert (adas in refs, bos in refs) == (False, True)
    refused(bo)
    forget(bo, "secret.md")
    assert not bo.sync().notes
    assert not ada.sync().notes
    assert not holds(git, hub)
    for machine in pair:
        with open_repo(str(machine.root)) as repo:
            assert [beat.name for beat in beats(repo)] == [machine_name({})] * 2


@pytest.mark.cgit
def test_a_heartbeat_is_taken_out_as_the_note_says(pair: tuple[Machine, Machine], hub: Path, git: Git) -> None:
    ada, bo = pair
    purged_and_pushed(ada)
    note = next(note for note in ada.sync().notes if "leads to what was purged here" in note)
    git(*note.partition("there: ")[2].split()[1:], cwd=ada.root)
    assert not ada.sync().notes
    assert not holds(git, hub)
    refused(bo)
    forget(bo, "secret.md")
    bo.sync()
    ada.sync()
    at_peace(ada, bo)
    assert not holds(git, hub)
