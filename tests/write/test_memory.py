"""`remember` and `edit`: what is written, where, and what stays as it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import BrokenHead, GitmemError, NotFound, Refused, Usage
from gitmem.limits import SHARD_FROM
from gitmem.memory.document import read_memory
from gitmem.memory.field import known
from gitmem.setup.create import init
from gitmem.write.change import Actor
from gitmem.write.fields import CROCKFORD, new_id
from gitmem.write.memory import Kept, edit, remember
from gitmem.write.opening import opening

Git = Callable[..., str]
WHEN = 1_790_000_000  # 2026-09-21T14:13:20Z
PERSON = Actor("person")
MODEL = Actor("model", agent="sonnet")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    init(str(root), environ=os.environ, when=WHEN)
    return root


def keep(root: Path, text: str | bytes, actor: Actor = PERSON, **more: object) -> Kept:
    return remember(str(root), text, when=WHEN, actor=actor, environ=os.environ, **more)  # type: ignore[arg-type]


def change(root: Path, name: str, actor: Actor = PERSON, when: int = WHEN + 60, **more: object) -> Kept:
    return edit(str(root), name, when=when, actor=actor, environ=os.environ, **more)  # type: ignore[arg-type]


def test_a_new_memory_reads_as_the_design_shows_it(store: Path) -> None:
    """Promised as A1."""
    kept = keep(store, "Never reorder the steps. Ever.", name="Deploy ritual", type="project", tags=["a", "b c"])
    assert kept.path == "deploy-ritual.md"
    lines = (store / kept.path).read_text().splitlines()
    ulid = known(read_memory(kept.path, (store / kept.path).read_bytes())).id
    assert lines == [
        "---",
        "name: Deploy ritual",
        "description: Never reorder the steps.",
        "tags: [a, b c]",
        "updated: 2026-09-21T14:13:20Z",
        "metadata:",
        f"  id: {ulid}",
        "  type: project",
        "---",
        "",
        "Never reorder the steps. Ever.",
    ]


def test_one_write_is_one_commit_with_reason_and_trailers(store: Path, git: Git) -> None:
    """B1."""
    kept = keep(store, "text", name="cat", reason="asked for by Ada")
    subject, _, rest = git("log", "-1", "--format=%B", cwd=store).partition("\n")
    assert subject == "remember: cat"
    assert "asked for by Ada" in rest
    assert git("rev-parse", "HEAD", cwd=store).strip() == kept.commit
    assert git("rev-parse", "HEAD:cat.md", cwd=store).strip() == kept.revision
    assert sorted(git("show", "--name-only", "--format=", cwd=store).split()) == ["MEMORY.md", "cat.md"]


def test_what_a_model_writes_is_a_candidate(store: Path, git: Git) -> None:
    """G1."""
    kept = keep(store, "text", MODEL, name="cat")
    assert known(read_memory(kept.path, (store / kept.path).read_bytes())).trust == "candidate"
    assert "Gitmem-Agent: sonnet" in git("log", "-1", "--format=%(trailers:only)", cwd=store)


def test_a_model_cannot_bring_its_own_verdict(store: Path) -> None:
    """G1."""
    text = "---\nname: cat\nmetadata:\n  trust: verified\n---\nbody\n"
    try:
        kept = keep(store, text, MODEL)
    except Refused:
        return
    assert known(read_memory(kept.path, (store / kept.path).read_bytes())).trust == "candidate"


def test_a_text_with_a_head_is_kept_and_completed(store: Path) -> None:
    """A9: unknown fields survive byte for byte."""
    head = "---\n# mine\nname:  'cat'\ncolour: [red,  green]\n"
    kept = keep(store, head + "---\n\nbody  \n")
    text = (store / kept.path).read_text()
    assert text.startswith(head)
    assert text.endswith("---\n\nbody  \n")
    facts = known(read_memory(kept.path, text.encode()))
    assert facts.id
    assert facts.updated == "2026-09-21T14:13:20Z"
    assert kept.path == "cat.md"


@pytest.mark.parametrize("text", ["", "   \n", "\n\n"])
def test_nothing_cannot_be_remembered(store: Path, text: str) -> None:
    with pytest.raises(Usage):
        keep(store, text)


def test_the_same_text_twice_is_one_memory_and_one_commit(store: Path, git: Git) -> None:
    first = keep(store, "the cat is called Zhima")
    head = git("rev-parse", "HEAD", cwd=store)
    again = keep(store, "the cat is called Zhima")
    assert (again.path, again.revision, again.commit) == (first.path, first.revision, "")
    assert git("rev-parse", "HEAD", cwd=store) == head


def test_two_notes_that_begin_alike_both_stay(store: Path) -> None:
    """A name gitmem chose never stands in the way of a text."""
    start = "The staging database of the notification service was moved to port "
    kept = [keep(store, start + end) for end in ("54330.", "54331.", "54331.")]
    assert [each.path for each in kept] == [
        "the-staging-database-of-the-notification-service-was.md",
        "the-staging-database-of-the-notification-service-was-2.md",
        "the-staging-database-of-the-notification-service-was-2.md",
    ]
    assert kept[1].commit
    assert not kept[2].commit  # the very text was there


def test_a_taken_name_is_refused_and_its_file_untouched(store: Path) -> None:
    keep(store, "one", name="cat")
    before = (store / "cat.md").read_bytes()
    with pytest.raises(GitmemError) as refused:
        keep(store, "two", name="Cat")
    assert "gitmem edit cat" in refused.value.hint
    assert (store / "cat.md").read_bytes() == before


def test_from_1000_memories_on_new_ones_go_into_a_month(store: Path) -> None:
    """Promised in docs/store.md."""
    for number in range(SHARD_FROM):
        (store / f"old-{number}.md").write_text(f"old {number}\n")
    assert keep(store, "new", name="cat").path == "2026-09/cat.md"
    with pytest.raises(GitmemError):
        keep(store, "other text", name="cat")
    with pytest.raises(GitmemError):
        keep(store, "other text", name="old-7")


def test_a_given_path_is_used(store: Path) -> None:
    assert keep(store, "text", path="projects/x/notes.md").path == "projects/x/notes.md"
    assert "](projects/x/notes.md)" in (store / "MEMORY.md").read_text()


def test_too_many_or_too_long_labels_are_refused(store: Path) -> None:
    """A2."""
    with pytest.raises(Refused):
        keep(store, "text", tags=[str(number) for number in range(21)])
    with pytest.raises(Refused):
        keep(store, "text", aliases=["x" * 61])


def test_an_edit_of_one_field_touches_its_lines_and_the_date(store: Path, git: Git) -> None:
    """A9."""
    kept = keep(store, "one\n\n\ntwo  ", name="cat")
    change(store, "cat", fields=[("type", "user")])
    diff = git("diff", "-U0", f"{kept.commit}..HEAD", cwd=store)
    changed = [line for line in diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    assert changed == ["-updated: 2026-09-21T14:13:20Z", "+updated: 2026-09-21T14:14:20Z", "+  type: user"]


def test_a_memory_without_a_date_gets_none_by_an_edit(store: Path, git: Git) -> None:
    """A person's own file: only what was asked for."""
    (store / "mine.md").write_text("---\nname: mine\ncolour: red\n---\nbody\n")
    change(store, "mine", fields=[("colour", "blue")])
    assert (store / "mine.md").read_text() == "---\nname: mine\ncolour: blue\n---\nbody\n"
    assert git("log", "--format=%s", cwd=store).splitlines()[0] == "edit: mine"


def test_a_hand_edit_is_committed_first_as_the_persons_own(store: Path, git: Git) -> None:
    """B10."""
    keep(store, "one", name="cat")
    path = store / "cat.md"
    path.write_text(path.read_text().replace("one", "two"))
    kept = change(store, "cat", fields=[("type", "user")])
    assert any("cat.md" in note for note in kept.notes)
    assert "two" in git("show", "HEAD~1:cat.md", cwd=store)
    assert "type: user" not in git("show", "HEAD~1:cat.md", cwd=store)


def test_an_edit_that_changes_nothing_is_no_commit(store: Path, git: Git) -> None:
    keep(store, "one", name="cat", type="user")
    head = git("rev-parse", "HEAD", cwd=store)
    assert change(store, "cat", fields=[("type", "user")]).commit == ""
    assert git("rev-parse", "HEAD", cwd=store) == head


def test_a_section_and_a_whole_body(store: Path) -> None:
    """A5."""
    keep(store, "# A\n\none\n\n## B\n\ntwo\n\n## C\n\nthree\n", name="cat")
    change(store, "cat", section="# A > ## B", body="new two")
    assert read_memory("", (store / "cat.md").read_bytes()).body.strip() == (
        "# A\n\none\n\n## B\n\nnew two\n\n## C\n\nthree"
    )
    change(store, "cat", body="all new")
    assert read_memory("", (store / "cat.md").read_bytes()).body.strip() == "all new"


def test_list_fields_take_commas_and_the_old_place_is_kept(store: Path) -> None:
    (store / "old.md").write_text("---\nname: old\ntype: user\n---\nbody\n")
    change(store, "old", fields=[("tags", "a, b，c"), ("type", "project"), ("name", None)])
    memory = read_memory("", (store / "old.md").read_bytes())
    assert memory.fields == {"tags": ["a", "b", "c"], "type": "project"}


@pytest.mark.parametrize(
    "name", ["deep/the-cat.md", "deep/the-cat", "the-cat", "THE-CAT", "The Cat", "the cat", "pet", "PET", "上线"]
)
def test_a_memory_is_found_by_path_stem_name_or_alias(store: Path, name: str) -> None:
    keep(store, "one", path="deep/the-cat.md", name="The Cat", aliases=["pet", "上线"])
    assert change(store, name, fields=[("type", "user")]).path == "deep/the-cat.md"


def test_a_name_that_fits_two_is_refused_with_both_paths(store: Path) -> None:
    keep(store, "one", path="a/cat.md")
    keep(store, "two", path="b/cat.md")
    with pytest.raises(GitmemError) as refused:
        change(store, "cat", body="x")
    assert "a/cat.md" in refused.value.message
    assert "b/cat.md" in refused.value.message


def test_an_unknown_name_gets_the_nearest(store: Path) -> None:
    keep(store, "one", name="deploy-ritual")
    with pytest.raises(NotFound) as refused:
        change(store, "deploy-ritaul", body="x")
    assert "deploy-ritual" in refused.value.hint


def test_a_head_that_would_need_guessing_is_left_alone(store: Path) -> None:
    text = "---\nname: x\nnever closed\n"
    (store / "broken.md").write_text(text)
    with pytest.raises(BrokenHead) as refused:
        change(store, "broken.md", fields=[("tags", "c")])
    assert refused.value.line == 1
    assert refused.value.message.startswith("broken.md, line 1: ")
    assert (store / "broken.md").read_text() == text


def test_ids_sort_by_time_and_differ() -> None:
    """A ULID as its specification says: 26 signs of Crockford's base 32."""
    ids = [new_id(WHEN), new_id(WHEN + 1), new_id(WHEN + 2)]
    assert ids == sorted(ids)
    assert len({new_id(WHEN) for _ in range(100)}) == 100
    assert all(len(one) == 26 and set(one) <= set(CROCKFORD) for one in ids)
    assert new_id(0).startswith("0000000000")


@pytest.mark.parametrize(
    ("body", "heading", "sentence"),
    [
        ("# Deploy\n\nFirst back up. Then go.", "Deploy", "First back up."),
        ("先备份。再迁移。", "", "先备份。"),
        ("- use v2.1.3 now", "", "use v2.1.3 now"),
        ("one line\nand another", "", "one line"),
        ("## Only a heading ##", "Only a heading", "Only a heading"),
    ],
)
def test_the_opening_of_a_text(body: str, heading: str, sentence: str) -> None:
    found = opening(body)
    assert found[0] == heading
    assert found[1].rstrip(" #") == sentence
