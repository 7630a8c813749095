"""In whatever order memories leave and come back, the list of memories is in the end what it was (B6)."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.setup.create import init
from gitmem.write.archive import archive, restore
from gitmem.write.archive_entry import take_entries
from gitmem.write.archive_shelf import Shelf
from gitmem.write.change import Actor

Git = Callable[..., str]
WHEN = 1_796_000_000
NAMES = "abcdefgh"
PARTS = (", ", " and ", "; see ", " | ")


def listing(rng: random.Random, names: str) -> str:
    """A list in which some lines name several memories, with further lines, empty lines and headings."""
    lines, left = ["# Memory", ""], list(names)
    while left:
        few = rng.choice([1, 1, 1, 2, 3])
        group, left = left[:few], left[few:]
        wiki = rng.random() < 0.2
        links = [f"[[{name}]] of mine" if wiki else f"[{name.upper()}]({name}.md) my {name}" for name in group]
        lines.append(f"- {rng.choice(PARTS).join(links)}")
        lines += [f"  more on {group[0]}"] * (rng.random() < 0.2) + [""] * (rng.random() < 0.3)
        lines += [f"## {len(lines)}"] * (rng.random() < 0.2)
    return "\n".join([*lines, *["the end"] * (rng.random() < 0.5)]) + "\n"


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 10**9), st.integers(2, len(NAMES)))
def test_the_list_is_whole_again_whatever_the_order(seed: int, count: int) -> None:
    """B6: wording, place and empty lines; by ones, in bulk, and with some that come back in between."""
    rng = random.Random(seed)
    names = NAMES[:count]
    text = listing(rng, names)
    data, away = text.encode(), dict[str, list[str]]()

    def back(name: str) -> bytes:
        items = away.pop(name)
        shelf = Shelf(away)
        found = shelf.put_back(data, name, items)
        away.update(shelf.changed())
        return found or data

    going = rng.sample(names, count)
    while going:
        few = rng.choice([1, 1, 3])
        paths = [f"{name}.md" for name in going[:few]]
        del going[:few]
        data, records = take_entries(data, paths)
        away.update({f"archive/{path}": records.get(path, []) for path in paths})
        if rng.random() < 0.3:
            data = back(rng.choice(sorted(away)))
    for name in rng.sample(sorted(away), len(away)):
        data = back(name)
    assert data.decode() == text


def put(root: Path, *lines: str) -> str:
    for name in "abcd":
        (root / f"{name}.md").write_text(f"---\nname: {name}\n---\ntext {name}\n")
    (root / "MEMORY.md").write_text("\n".join(["# Memory", "", *lines, ""]))
    return (root / "MEMORY.md").read_text()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    init(str(root), environ=os.environ, when=WHEN)
    return root


@pytest.mark.parametrize("back", ["abcd", "dcba", "cadb"])
def test_a_shared_line_and_neighbours_come_back_as_they_were(store: Path, git: Git, back: str) -> None:
    """B6; what is told to those still in the archive leaves their own text as it was."""
    before = put(store, "- [A](a.md) my a, [B](b.md) my b", "- [c](c.md)", "- [d](d.md) words")
    texts = {name: (store / f"{name}.md").read_bytes() for name in "abcd"}
    for name in "abcd":
        archive(str(store), name, when=WHEN, actor=Actor("person"), environ=os.environ)
    for name in back:
        restore(str(store), name, when=WHEN, actor=Actor("person"), environ=os.environ)
    assert (store / "MEMORY.md").read_text() == before
    assert {name: (store / f"{name}.md").read_bytes() for name in "abcd"} == texts
    assert git("status", "--porcelain", cwd=store) == ""
    git("fsck", "--strict", cwd=store)


def test_restoring_one_of_many_tells_its_neighbours_and_no_others(store: Path, git: Git) -> None:
    before = put(store, *[f"- [{name}]({name}.md)" for name in "abcd"])
    for name in "abcd":
        archive(str(store), name, when=WHEN, actor=Actor("person"), environ=os.environ)
    restore(str(store), "b", when=WHEN, actor=Actor("person"), environ=os.environ)
    names = git("show", "--name-only", "--no-renames", "--format=", "HEAD", cwd=store).split()
    assert set(names) <= {"MEMORY.md", "b.md", "archive/b.md", "archive/a.md", "archive/c.md"}
    for name in "dac":
        restore(str(store), name, when=WHEN, actor=Actor("person"), environ=os.environ)
    assert (store / "MEMORY.md").read_text() == before


@pytest.mark.parametrize("line", ["- [[bar]] mine", "- [[bar|the bar]] mine", "- [[The Bar]] mine", "- [[n/bar.md]]"])
def test_a_wikilink_in_the_list_is_the_memorys_line(store: Path, line: str) -> None:
    """sage-mem case 53: it leaves with the memory and comes back, and no second line is made beside it."""
    path = "n/bar.md" if "n/" in line else "bar.md"
    (store / "n").mkdir()
    (store / path).write_text("---\nname: The Bar\n---\ntext\n")
    before = put(store, "- [a](a.md)", line)
    archive(str(store), path, when=WHEN, actor=Actor("person"), environ=os.environ)
    assert "bar" not in (store / "MEMORY.md").read_text().lower()
    restore(str(store), path, when=WHEN, actor=Actor("person"), environ=os.environ)
    assert (store / "MEMORY.md").read_text() == before


def test_a_wikilink_to_another_memory_of_that_name_stays(store: Path) -> None:
    (store / "n").mkdir()
    (store / "n" / "bar.md").write_text("the other\n")
    (store / "bar.md").write_text("this one\n")
    before = put(store, "- [[bar]] mine")
    archive(str(store), "n/bar.md", when=WHEN, actor=Actor("person"), environ=os.environ)
    assert (store / "MEMORY.md").read_text() == before
