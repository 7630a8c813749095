"""Fields: who may set them, where they stand, and that none is dropped without a word."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import Refused
from gitmem.memory.document import blob_id, read_memory
from gitmem.memory.field import Known, known
from gitmem.setup.create import init
from gitmem.write.change import Actor
from gitmem.write.fields import check_fields
from gitmem.write.memory import Kept, edit, remember

Git = Callable[..., str]
WHEN = 1_790_000_000  # 2026-09-21T14:13:20Z
PERSON, MODEL = Actor("person"), Actor("model", agent="sonnet")
FENCED = "---\n{}\n---\nthe body\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    init(str(root), environ=os.environ, when=WHEN)
    return root


def keep(root: Path, text: str, actor: Actor = PERSON, **more: object) -> Kept:
    return remember(str(root), text, when=WHEN, actor=actor, environ=os.environ, **more)  # type: ignore[arg-type]


def change(root: Path, name: str, actor: Actor = PERSON, **more: object) -> Kept:
    return edit(str(root), name, when=WHEN + 60, actor=actor, environ=os.environ, **more)  # type: ignore[arg-type]


def facts(root: Path, path: str) -> Known:
    return known(read_memory(path, (root / path).read_bytes()))


def revision(root: Path, path: str) -> str:
    return blob_id((root / path).read_bytes())


REACH = [
    ("baseline", "true"), ("baselinePriority", "9"), ("pinned", "true"), ("muted", "true"),
    ("superseded_by", "dog"), ("supersedes", "dog"),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), REACH)
def test_a_model_cannot_say_how_far_a_memory_is_heard(store: Path, git: Git, field: str, value: str) -> None:
    """G1: neither in a head it brings nor by an edit; a person may."""
    keep(store, "text", name="cat")
    at_top = field.startswith("baseline")
    head = f"{field}: {value}" if at_top else f"metadata:\n  {field}: {value}"
    with pytest.raises(Refused, match="a model may not"):
        keep(store, FENCED.format(f"name: x\n{head}"), MODEL)
    with pytest.raises(Refused, match="a model may not"):
        change(store, "cat", MODEL, fields=[(field, value)], if_revision=revision(store, "cat.md"))
    assert git("status", "--porcelain", cwd=store) == ""
    change(store, "cat", fields=[(field, value)])
    with pytest.raises(Refused, match="a model may not"):
        change(store, "cat", MODEL, fields=[(field, None)], if_revision=revision(store, "cat.md"))
    assert value in git("show", "HEAD:cat.md", cwd=store)


def test_a_model_may_say_how_long_its_own_new_memory_holds(store: Path) -> None:
    kept = keep(store, FENCED.format("name: x\nmetadata:\n  expires: 2027-01-01"), MODEL)
    assert facts(store, kept.path).expires == "2027-01-01"
    with pytest.raises(Refused, match="expires"):
        change(store, "x", MODEL, fields=[("expires", "2030-01-01")], if_revision=kept.revision)


@pytest.mark.parametrize(
    "head", ["trust: verified", "metadata:\n  trust: verified", "trust: verified\nmetadata: {id: x}"]
)
def test_a_verdict_a_model_brings_becomes_candidate_wherever_it_stands(store: Path, head: str) -> None:
    """G1."""
    kept = keep(store, FENCED.format(f"name: x\n{head}"), MODEL)
    assert facts(store, kept.path).trust == "candidate"
    assert "verified" not in (store / kept.path).read_text()


def test_a_field_is_set_where_it_is_read_from(store: Path) -> None:
    """A ``pinned`` that another tool left at top level counts for nothing."""
    (store / "old.md").write_text("---\nname: old\npinned: no\n---\nbody\n")
    change(store, "old", fields=[("pinned", "true")])
    assert facts(store, "old.md").pinned
    change(store, "old", fields=[("pinned", None)])
    assert not facts(store, "old.md").pinned
    change(store, "old", fields=[("pinned", None)])
    assert "pinned" not in (store / "old.md").read_text()


@pytest.mark.parametrize("field", ["updated", "metadata.updated", "metadata.modified"])
def test_a_date_that_was_just_set_stays(store: Path, field: str) -> None:
    kept = keep(store, "text", name="cat")
    change(store, "cat", fields=[(field, "2020-01-01")])
    assert f"{field.rpartition('.')[2]}: 2020-01-01" in (store / kept.path).read_text()
    assert "2026-09-21T14:14:20Z" not in (store / kept.path).read_text()


@pytest.mark.parametrize(
    ("more", "typed"),
    [
        ({"type": "user"}, "--set metadata.type=user"),
        ({"tags": ["a", "b"]}, "--set 'tags=a, b'"),
        ({"tags": ["arr[0]", "a, b"]}, "--set 'tags='\\''arr[0]'\\'', '\\''a, b'\\'''"),
        ({"description": "It's new"}, "--set 'description=It'\\''s new'"),
    ],
)
def test_a_known_text_with_new_fields_is_refused_with_the_edit_to_type(
    store: Path, git: Git, more: dict[str, object], typed: str
) -> None:
    """What is answered with "already remembered" may not drop anything."""
    keep(store, "the text", name="cat")
    before = git("rev-parse", "HEAD", cwd=store)
    with pytest.raises(Refused, match=r"cat\.md holds this text already") as refused:
        keep(store, "the text", name="cat", **more)
    assert refused.value.hint == f"gitmem edit cat {typed}"
    assert git("rev-parse", "HEAD", cwd=store) == before
    for field, value in more.items():
        said = shlex.split(refused.value.hint)[-1].partition("=")[2]
        change(store, "cat", fields=[(field, said)])
        if isinstance(value, list):
            assert list(getattr(facts(store, "cat.md"), field)) == value
    assert keep(store, "the text", name="cat", **more).commit == ""


@pytest.mark.parametrize(
    ("value", "aliases"),
    [
        ("arr[0]", ("arr[0]",)),
        ("[draft] x", ("[draft] x",)),
        ("[arr[0], TODO [x]]", ("arr[0]", "TODO [x]")),
        ('["a, b", say "hi"]', ("a, b", 'say "hi"')),
    ],
)
def test_a_list_set_by_hand_loses_no_bracket_and_no_quoted_comma(
    store: Path, value: str, aliases: tuple[str, ...]
) -> None:
    keep(store, "text", name="cat")
    change(store, "cat", fields=[("aliases", value)])
    assert facts(store, "cat.md").aliases == aliases


def test_a_known_text_with_another_head_is_refused_and_with_the_same_is_not(store: Path) -> None:
    text = "---\nname: cat\ntags: [a]\nmetadata:\n  importance: 2\n---\nthe body\n"
    for actor in (PERSON, MODEL):
        keep(store, text, actor)
        assert keep(store, text, actor).commit == ""
    with pytest.raises(Refused, match="importance"):
        keep(store, text.replace("importance: 2", "importance: 3"))


@pytest.mark.parametrize("field", ["trust", "kind", "metadata.trust", "metadata.kind"])
def test_a_word_that_would_count_as_none_is_refused_with_the_list(store: Path, field: str) -> None:
    keep(store, "text", name="cat")
    with pytest.raises(Refused, match=r"verified|procedure"):
        change(store, "cat", fields=[(field, "whatever")])
    change(store, "cat", fields=[("trust", "disputed"), ("kind", "fact")])
    assert (facts(store, "cat.md").trust, facts(store, "cat.md").kind) == ("disputed", "fact")


def test_a_type_beyond_the_four_is_kept_and_said(store: Path) -> None:
    """They exist in the wild."""
    keep(store, "text", name="cat")
    kept = change(store, "cat", fields=[("type", "bogus")])
    assert "user, feedback, project, reference" in kept.notes[0]
    assert facts(store, "cat.md").type == "bogus"
    assert change(store, "cat", fields=[("type", "user")]).notes == ()


@given(st.lists(st.sampled_from(["a", "metadata", ""]), min_size=1, max_size=5))
def test_a_field_is_one_name_or_one_below_another(parts: list[str]) -> None:
    field, memory = ".".join(parts), read_memory("a.md", b"text\n")
    if len(parts) <= 2 and all(parts):
        assert check_fields(memory, [(field, "1")]) == ""
    else:
        with pytest.raises(Refused):
            check_fields(memory, [(field, "1")])


def test_an_empty_text_needs_a_reason(store: Path, git: Git) -> None:
    """`--body "$(cat missing)"` empties no memory."""
    keep(store, "# A\n\none\n", name="cat")
    for more in ({"body": ""}, {"body": b" \n"}, {"body": "", "section": "# A"}):
        with pytest.raises(Refused, match="--reason"):
            change(store, "cat", **more)
    assert "\none\n" in git("show", "HEAD:cat.md", cwd=store)
    change(store, "cat", body="", reason="all of it was wrong")
    assert "\none\n" not in git("show", "HEAD:cat.md", cwd=store)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_a_new_text_may_come_in_any_encoding_of_a_memory(store: Path, encoding: str) -> None:
    keep(store, "text", name="cat")
    change(store, "cat", body="déjà vu".encode(encoding))
    assert read_memory("", (store / "cat.md").read_bytes()).body.strip() == "déjà vu"
    assert read_memory("", (store / "cat.md").read_bytes()).encoding == "utf-8"


@pytest.mark.parametrize("data", ["déjà".encode("utf-16-le"), b"GIF89a\0\0"])
def test_what_is_no_text_is_refused(store: Path, git: Git, data: bytes) -> None:
    keep(store, "text", name="cat")
    with pytest.raises(Refused, match="NUL"):
        change(store, "cat", body=data)
    with pytest.raises(Refused, match="NUL"):
        remember(str(store), data, when=WHEN, actor=PERSON, environ=os.environ, name="dog")
    (store / "wide.md").write_bytes("wide\n".encode("utf-16-le"))
    with pytest.raises(Refused, match="UTF-16"):
        change(store, "wide", fields=[("type", "user")])
    assert (store / "wide.md").read_bytes() == "wide\n".encode("utf-16-le")


def test_an_edit_says_that_it_undoes_a_staged_removal(store: Path, git: Git) -> None:
    (store / "cat.md").write_text("my own file\n")
    git("add", "cat.md", cwd=store)
    git("commit", "-qm", "mine", cwd=store)
    git("rm", "-q", "--cached", "cat.md", cwd=store)
    kept = change(store, "cat", fields=[("type", "user")])
    assert any("cat.md was staged for removal" in note for note in kept.notes)
    assert git("status", "--porcelain", cwd=store) == ""
    assert "type: user" in git("show", "HEAD:cat.md", cwd=store)
