"""``conflict resolve --theirs`` after a merge: what could not merge is exchanged, what merged stays."""

from __future__ import annotations

import pytest

from gitmem.write.conflict import resolve
from gitmem.write.memory import Kept
from tests.write.test_sync_pair import ME, Machine, ada, at_peace, bo, hub

__all__ = ["ada", "bo", "hub"]  # fixtures


def body(one: str, two: str, three: str) -> str:
    return f"# Deploy\n\nBack up first.\n\n## One\n\n{one}\n\n## Two\n\n{two}\n\n## Three\n\n{three}\n"


def settle(machine: Machine, way: str) -> Kept:
    (name,) = machine.conflicts()
    return resolve(str(machine.root), name, way, when=machine.now(), actor=ME, environ=machine.environ)


def meet(ada: Machine, bo: Machine) -> None:
    ada.sync()
    bo.sync()
    ada.sync()


@pytest.fixture
def disputed(ada: Machine, bo: Machine) -> None:
    """Ada changed One and Two, bo Two and Three, and each gave a tag; bo's Two stands."""
    ada.edit("deploy", body("one", "two", "three"))
    meet(ada, bo)
    ada.edit("deploy", body("one by ada", "two by ada", "three"), tags="a,b,c,ada")
    bo.edit("deploy", body("one", "two by bo", "three by bo"), tags="a,b,c,bo")
    meet(ada, bo)


@pytest.mark.cgit
@pytest.mark.usefixtures("disputed")
@pytest.mark.parametrize("who", ["ada", "bo"])
def test_what_merged_cleanly_stays(ada: Machine, bo: Machine, who: str) -> None:
    """On either machine, and nothing is said to have been changed since."""
    kept = settle(ada if who == "ada" else bo, "theirs")
    assert kept.notes == ()
    meet(ada, bo)
    text = bo.text("deploy.md")
    assert body("one by ada", "two by ada", "three by bo") in text
    assert all(tag in text.partition("---\n\n")[0] for tag in ("ada", "bo"))
    at_peace(ada, bo)


@pytest.mark.cgit
@pytest.mark.usefixtures("disputed")
def test_what_was_written_since_elsewhere_in_the_file_stays_too(ada: Machine, bo: Machine) -> None:
    bo.edit("deploy", body("one by ada", "two by bo", "three, again by bo"))
    assert settle(bo, "theirs").notes == ()
    assert body("one by ada", "two by ada", "three, again by bo") in bo.text("deploy.md")


@pytest.mark.cgit
@pytest.mark.usefixtures("disputed")
def test_what_was_written_since_where_the_two_differ_is_said_to_go(ada: Machine, bo: Machine) -> None:
    bo.edit("deploy", body("one by ada", "two, again by bo", "three by bo"))
    (said,) = settle(bo, "theirs").notes
    assert said.startswith("deploy.md was changed after this conflict arose; that text stays in history: gitmem diff ")
    assert body("one by ada", "two by ada", "three by bo") in bo.text("deploy.md")


@pytest.mark.cgit
@pytest.mark.parametrize("who", ["ada", "bo"])
def test_lines_of_other_memories_stay_in_the_list(ada: Machine, bo: Machine, who: str) -> None:
    """An entry both reworded is exchanged; the lines that either added are nobody's to take."""
    for machine, word in ((ada, "by ada"), (bo, "by bo")):
        machine.remember(f"of-{machine.who}", f"{word} alone")
        path = machine.root / "MEMORY.md"
        line = next(each for each in path.read_text().splitlines() if "(deploy.md)" in each)
        path.write_text(path.read_text().replace(line, f"- [deploy](deploy.md) — reworded {word}"))
    meet(ada, bo)
    before = bo.text("MEMORY.md")
    stood = "by ada" if "reworded by ada" in before else "by bo"
    other = "by bo" if stood == "by ada" else "by ada"
    kept = settle(ada if who == "ada" else bo, "theirs")
    assert kept.notes == ()
    after = (ada if who == "ada" else bo).text("MEMORY.md")
    assert sorted(after.splitlines()) == sorted(before.replace(f"reworded {stood}", f"reworded {other}").splitlines())
