"""MEMORY.md in step with new memories; the person's words stay (A7)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BadName, NotFound
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.setup.create import init
from gitmem.write.change import Actor
from gitmem.write.memory import edit, remember

Git = Callable[..., str]
WHEN = 1_790_000_000


@pytest.fixture
def store(tmp_path: Path) -> Path:
    init(str(tmp_path / "store"), environ=os.environ, when=WHEN)
    return tmp_path / "store"


def keep(root: Path, name: str, description: str = "") -> str:
    """What the person is told."""
    kept = remember(
        str(root), f"text of {name}", when=WHEN, actor=Actor("person"), environ=os.environ, name=name,
        description=description,
    )  # fmt: skip
    return " ".join(kept.notes)


def test_the_old_bytes_are_a_prefix_of_the_new(store: Path) -> None:
    """A7."""
    old = b"# Mine\r\n\r\n- [x](x.md) \xe2\x80\x94 my own words\r\nfree text"
    (store / "MEMORY.md").write_bytes(old)
    keep(store, "cat", "purrs")
    assert (store / "MEMORY.md").read_bytes() == old + "\r\n- [cat](cat.md) — purrs\r\n".encode()


def test_a_line_the_person_wrote_already_is_kept(store: Path) -> None:
    """A7."""
    (store / "MEMORY.md").write_text("# Mine\n- [my cat](cat.md) — the best\n")
    keep(store, "cat")
    assert (store / "MEMORY.md").read_text() == "# Mine\n- [my cat](cat.md) — the best\n"


def test_a_store_without_the_file_gets_none(store: Path, git: Git) -> None:
    (store / "MEMORY.md").unlink()
    git("commit", "-qam", "no index", cwd=store)
    keep(store, "cat")
    assert not (store / "MEMORY.md").exists()


def test_a_long_description_is_cut(store: Path) -> None:
    keep(store, "cat", "word " * 60)
    line = (store / "MEMORY.md").read_text().splitlines()[-1]
    assert len(line) <= len("- [cat](cat.md) — ") + 120


def test_a_file_of_the_size_of_a_memory_gets_no_more_lines(store: Path) -> None:
    (store / "MEMORY.md").write_text("# Mine\n" + "- free text\n" * (MAX_MEMORY_BYTES // 12))
    before = (store / "MEMORY.md").read_bytes()
    assert keep(store, "cat")
    assert (store / "MEMORY.md").read_bytes() == before


def rename(root: Path, memory: str, **fields: str) -> None:
    edit(str(root), memory, when=WHEN, actor=Actor("person"), environ=os.environ, fields=list(fields.items()))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-8-sig"])
def test_a_list_in_another_encoding_keeps_it(store: Path, git: Git, encoding: str) -> None:
    """Its old bytes are a prefix of the new, and the new line is readable."""
    bom = "\ufeff" if encoding == "utf-16-be" else ""
    old = (bom + "# Meine Liste: größer\n").encode(encoding)
    (store / "MEMORY.md").write_bytes(old)
    keep(store, "cat", "purrs")
    rename(store, "cat", description="schnurrt öfter")
    new = (store / "MEMORY.md").read_bytes()
    assert new.startswith(old)
    assert new.decode(encoding).lstrip("\ufeff") == "# Meine Liste: größer\n- [cat](cat.md) — schnurrt öfter\n"
    assert git("status", "--porcelain", cwd=store) == ""


@pytest.mark.parametrize("data", ["# Wide\n".encode("utf-16-le"), b"\xff\xfe#\0x"])
def test_a_list_whose_encoding_is_unclear_gets_no_line_and_that_is_said(store: Path, data: bytes) -> None:
    (store / "MEMORY.md").write_bytes(data)
    assert "so cat.md got no line in it" in keep(store, "cat")
    assert (store / "MEMORY.md").read_bytes() == data


@pytest.mark.parametrize("kind", ["link", "broken link", "folder", "too big"])
def test_a_list_that_cannot_take_a_line_hinders_no_memory(store: Path, git: Git, tmp_path: Path, kind: str) -> None:
    """The memory is what matters; that it got no line is said."""
    file = store / "MEMORY.md"
    file.unlink()
    if kind == "folder":
        file.mkdir()
        (file / "x.txt").write_text("x")
    elif kind == "too big":
        file.write_text("- free text\n" * (MAX_MEMORY_BYTES // 12))
    else:
        (tmp_path / "list.md").write_text("# Elsewhere\n")
        file.symlink_to(tmp_path / ("list.md" if kind == "link" else "gone.md"))
    said = keep(store, "cat")
    assert said.startswith("MEMORY.md ")
    assert said.endswith("so cat.md got no line in it")
    assert "text of cat" in git("show", "HEAD:cat.md", cwd=store)
    rename(store, "cat", name="the cat")


@pytest.mark.parametrize("field", ["name", "description"])
def test_gitmems_own_line_follows_the_fields(store: Path, git: Git, field: str) -> None:
    keep(store, "cat", "purrs")
    keep(store, "dog", "barks")
    rename(store, "cat", **{field: "a `new` [one]"})
    lines = (store / "MEMORY.md").read_text().splitlines()
    assert lines[-1] == "- [dog](dog.md) — barks"
    assert lines[-2] == (
        r"- [a \`new\` \[one\]](cat.md) — purrs" if field == "name" else "- [cat](cat.md) — a `new` [one]"
    )
    rename(store, "cat", **{field: "third"})
    assert "third" in (store / "MEMORY.md").read_text().splitlines()[-2]
    assert git("status", "--porcelain", cwd=store) == ""


@pytest.mark.parametrize("fields", [{"tags": "pet"}, {"description": "sleeps"}])
def test_gitmems_own_line_follows_what_a_person_wrote_into_the_head(
    store: Path, git: Git, fields: dict[str, str]
) -> None:
    """A7: with any editor; the next command commits it."""
    keep(store, "cat", "purrs")
    text = (store / "cat.md").read_text()
    (store / "cat.md").write_text(text.replace("description: purrs", "description: hand words"))
    rename(store, "cat", **fields)
    said = fields.get("description", "hand words")
    assert (store / "MEMORY.md").read_text().endswith(f"- [cat](cat.md) — {said}\n")
    assert git("status", "--porcelain", cwd=store) == ""


@pytest.mark.parametrize("line", ["- [my cat](cat.md) — purrs", "  - [cat](cat.md) — purrs", "- [cat](cat.md) — so"])
def test_a_line_a_person_worded_stays(store: Path, line: str) -> None:
    """A7."""
    keep(store, "cat", "purrs")
    text = (store / "MEMORY.md").read_text().replace("- [cat](cat.md) — purrs", line)
    (store / "MEMORY.md").write_text(text)
    rename(store, "cat", description="sleeps")
    assert (store / "MEMORY.md").read_text() == text


def test_the_list_may_have_another_name(store: Path, git: Git) -> None:
    """store/settings.py: index_file."""
    config = store / ".gitmem/config.yaml"
    config.write_text(config.read_text().replace("index_file: MEMORY.md", "index_file: Notes.md"))
    git("mv", "MEMORY.md", "Notes.md", cwd=store)
    git("commit", "-qam", "another name", cwd=store)
    keep(store, "cat", "purrs")
    rename(store, "cat", description="sleeps")
    assert git("show", "HEAD:Notes.md", cwd=store) == "# Memory\n\n- [cat](cat.md) — sleeps\n"
    assert not (store / "MEMORY.md").exists()
    with pytest.raises(BadName, match="list of memories"):
        remember(str(store), "x", when=WHEN, actor=Actor("person"), environ=os.environ, path="Notes.md")
    with pytest.raises(NotFound):
        rename(store, "Notes.md", description="x")
    model = Actor("model", agent="sonnet")
    remember(str(store), "a dog", when=WHEN, actor=model, environ=os.environ, name="dog")
    assert "](dog.md)" in git("show", "HEAD:Notes.md", cwd=store)
