"""What nobody used for as long as its type allows: listed by days, archived only when told (H9)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.ledger.access import note
from gitmem.memory.age import iso
from gitmem.setup.create import init
from gitmem.store.settings import load_settings, parse_settings
from gitmem.write.archive import restore
from gitmem.write.archive_idle import Cleared, archive_idle, idle_memories
from gitmem.write.change import Actor
from gitmem.write.locks import lock

Git = Callable[..., str]
WHEN = 1_796_000_000
DAY = 86_400


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    init(str(root), environ=os.environ, when=WHEN)
    return root


def put(root: Path, path: str, kind: str, days: int | None, more: str = "") -> None:
    """A memory of a type, dated so many days ago."""
    dated = f"updated: {iso(WHEN - days * DAY)}\n" if days is not None else ""
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(
        f"---\nname: {path[:-3]}\n{dated}{more}" + (f"type: {kind}\n" if kind else "") + "---\ntext\n"
    )


def rules(root: Path, text: str) -> None:
    file = root / ".gitmem/config.yaml"
    file.write_text(file.read_text() + text)


def used(root: Path, path: str, days: int, kind: str = "injected") -> None:
    note(str(root / ".git"), kind, "s", [(path, "a" * 40)], WHEN - days * DAY)


def listed(root: Path) -> list[tuple[str, str]]:
    return [(each.path, each.reason) for each in idle_memories(str(root), WHEN)]


def clear(root: Path) -> Cleared:
    return archive_idle(str(root), when=WHEN, actor=Actor("person"), environ=os.environ)


@pytest.mark.parametrize(("days", "is_candidate"), [(89, False), (90, True), (91, True)])
def test_the_limit_is_inclusive(store: Path, days: int, is_candidate: bool) -> None:
    """sage-mem case 157."""
    put(store, "p.md", "project", days)
    assert listed(store) == ([("p.md", f"idle {days} days, project allows 90")] if is_candidate else [])


@pytest.mark.parametrize("kind", ["injected", "read", "cited"])
def test_a_use_counts_as_the_date_does_whichever_is_later(store: Path, kind: str) -> None:
    """sage-mem case 156."""
    put(store, "p.md", "project", 300)
    used(store, "p.md", 1, kind)
    assert listed(store) == []
    put(store, "q.md", "project", 100)
    used(store, "q.md", 200, kind)
    assert listed(store) == [("q.md", "idle 100 days, project allows 90")]


def test_without_rules_feedback_and_unknown_types_never_leave(store: Path) -> None:
    """sage-mem cases 158 and 159: the defaults are project 90, reference 180, user 365."""
    for path, kind, days in [
        ("f.md", "feedback", 999), ("x.md", "", 999), ("y.md", "recipe", 999), ("r.md", "reference", 100),
        ("u.md", "user", 200), ("r2.md", "reference", 180), ("u2.md", "User", 365), ("p.md", "project", 90),
    ]:  # fmt: skip
        put(store, path, kind, days)
    assert listed(store) == [
        ("u2.md", "idle 365 days, user allows 365"),
        ("r2.md", "idle 180 days, reference allows 180"),
        ("p.md", "idle 90 days, project allows 90"),
    ]


def test_rules_in_the_settings_replace_the_defaults(store: Path) -> None:
    """The issue's own sentence; a type that is missing or 0 never leaves (sage-mem case 160)."""
    rules(store, "archive:\n  idle_days: {feedback: 90, user: 0}\n")
    for path, kind in [("f.md", "feedback"), ("p.md", "project"), ("u.md", "user")]:
        put(store, path, kind, 120)
    assert listed(store) == [("f.md", "idle 120 days, feedback allows 90")]


@pytest.mark.parametrize(
    ("text", "days", "word"),
    [
        ("project: 90", {"project": 90}, ""),
        ("Project: 1", {"project": 1}, ""),
        ("project: 99999", {"project": 3650}, ""),
        ("project: " + "9" * 40, {"project": 3650}, ""),
        ("project: 0", {}, ""),
        ("project: -5", {}, "project is never archived"),
        ("project: soon", {}, "project is never archived"),
        ("project: 1.5", {}, "project is never archived"),
        ("project: [90]", {}, "project is never archived"),
    ],
)
def test_a_number_of_days_is_read_within_bounds(text: str, days: dict[str, int], word: str) -> None:
    settings = parse_settings(f"archive:\n  idle_days:\n    {text}\n")
    assert settings.idle_days == days
    assert [word in finding.message and finding.line == 3 for finding in settings.findings] == ([True] if word else [])


@pytest.mark.parametrize("text", ["archive:\n  idle_days: 90\n", "archive:\n  idle_days: [project]\n"])
def test_rules_of_another_shape_archive_nothing_and_are_named(text: str) -> None:
    settings = parse_settings(text)
    assert settings.idle_days == {}
    assert "lines such as 'project: 90' are wanted" in settings.findings[0].message


def test_the_type_may_be_what_the_name_begins_with(store: Path) -> None:
    """sage-mem's habit: ``project_x.md``."""
    put(store, "n/project_x.md", "", 100)
    assert listed(store) == [("n/project_x.md", "idle 100 days, project allows 90")]


@pytest.mark.parametrize("why", ["locked", "pinned", "baseline", "archived"])
def test_what_a_person_holds_on_to_is_never_among_them(store: Path, why: str) -> None:
    """sage-mem cases 87 and 158."""
    more = {"pinned": "metadata:\n  pinned: true\n", "baseline": "baseline: true\n"}.get(why, "")
    put(store, "archive/p.md" if why == "archived" else "p.md", "project", 400, more)
    if why == "locked":
        lock(str(store), "p", when=WHEN, actor=Actor("person"), environ=os.environ)
    assert listed(store) == []
    if why == "locked":
        put(store, "q.md", "project", 400)
        assert [path for path, _ in listed(store)] == ["q.md"]


def test_a_memory_without_a_date_is_as_old_as_its_commit(store: Path, git: Git) -> None:
    put(store, "p.md", "project", None)
    put(store, "never-committed.md", "project", None)
    git("add", "p.md", cwd=store)
    date = f"{WHEN - 95 * DAY} +0000"
    git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "old", "--date", date, cwd=store)
    at = int(git("log", "-1", "--format=%ct", cwd=store))
    found = idle_memories(str(store), at + 95 * DAY)
    assert [(each.path, each.days) for each in found] == [("p.md", 95)]


def test_the_answer_is_the_same_each_time_longest_idle_first(store: Path) -> None:
    for name, days in [("b", 100), ("a", 100), ("c", 200)]:
        put(store, f"{name}.md", "project", days)
    assert [path for path, _ in listed(store)] == ["c.md", "a.md", "b.md"]
    assert listed(store) == listed(store)


def test_a_date_in_the_future_is_today(store: Path) -> None:
    put(store, "p.md", "project", -400)
    assert listed(store) == []


def test_listing_changes_nothing(store: Path, git: Git) -> None:
    put(store, "p.md", "project", 100)
    before = git("rev-parse", "HEAD", cwd=store), (store / "p.md").stat().st_mtime_ns
    listed(store)
    assert (git("rev-parse", "HEAD", cwd=store), (store / "p.md").stat().st_mtime_ns) == before


def test_when_told_all_leave_in_one_commit_each_with_its_reason(store: Path, git: Git) -> None:
    for name, days in [("a", 100), ("b", 120), ("fresh", 1)]:
        put(store, f"n/{name}.md", "project", days)
    text = "# Mine\n\n- [fresh](n/fresh.md)\n- [a](n/a.md) — mine\n- [b](n/b.md), [a again](n/a.md)\n"
    (store / "MEMORY.md").write_text(text)
    git("add", "-A", cwd=store)
    git("commit", "-qm", "mine", cwd=store)
    before = int(git("rev-list", "--count", "HEAD", cwd=store))
    cleared = clear(store)
    assert [each.path for each in cleared.archived] == ["n/b.md", "n/a.md"]
    assert int(git("rev-list", "--count", "HEAD", cwd=store)) == before + 1
    assert git("log", "-1", "--format=%B", cwd=store).startswith(
        "archive: 2 idle memories\n\n"
        "n/b.md: idle 120 days, project allows 90\nn/a.md: idle 100 days, project allows 90\n"
    )
    assert "archive_reason: idle 120 days, project allows 90\n" in (store / "archive/n/b.md").read_text()
    assert (store / "MEMORY.md").read_text() == "# Mine\n\n- [fresh](n/fresh.md)\n"
    for name in ("a", "b"):
        restore(str(store), name, when=WHEN, actor=Actor("person"), environ=os.environ)
    assert sorted((store / "MEMORY.md").read_text().split()) == sorted(text.split())
    assert git("status", "--porcelain", cwd=store) == ""


def test_what_cannot_leave_stays_and_is_said_and_the_others_go(store: Path) -> None:
    put(store, "a.md", "project", 100)
    put(store, "b.md", "project", 100)
    put(store, "archive/A.md", "project", 1)
    put(store, "archive/b.md", "project", 1)
    put(store, "c.md", "project", 100)
    cleared = clear(store)
    assert [each.path for each in cleared.archived] == ["c.md"]
    assert "archive/b.md exists already, so b.md stays" in cleared.notes
    assert "archive/A.md exists already, so a.md stays" in cleared.notes
    assert (store / "a.md").exists()


def test_nothing_idle_makes_no_commit(store: Path, git: Git) -> None:
    at = git("rev-parse", "HEAD", cwd=store)
    assert clear(store).commit == ""
    assert git("rev-parse", "HEAD", cwd=store) == at


def test_the_default_rules_are_those_of_the_settings(store: Path) -> None:
    assert load_settings(str(store)).idle_days == {"project": 90, "reference": 180, "user": 365}
