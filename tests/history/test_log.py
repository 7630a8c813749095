"""Messages, revisions, dates and differences, compared with what git says."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import NotFound
from gitmem.history.commit import FileChange
from gitmem.history.log import revisions, text_diff
from gitmem.history.message import message, parse_message
from gitmem.history.repo import create_repo, open_repo
from gitmem.history.revision import resolve
from gitmem.history.tree import file_at, tree_blob, tree_files
from gitmem.write.apply import apply
from gitmem.write.change import Actor, Change

Git = Callable[..., str]
DAY = 86_400
FULL = ("--full-history", "--simplify-merges", "--date-order")  # what a history promises, in git's words
NOON = 1_795_953_600  # 2026-11-29T12:00:00Z


def write(root: Path, path: str, text: str, when: int = NOON) -> str:
    change = Change("remember", path, "why", Actor("person"), lambda _: [FileChange(path, text.encode())])
    return apply(str(root), change, when, os.environ).commit


@pytest.fixture
def root(tmp_path: Path) -> Path:
    create_repo(str(tmp_path / "store")).close()
    return tmp_path / "store"


def test_neither_a_name_nor_a_reason_can_forge_a_trailer() -> None:
    """B1: what the trailers say is what gitmem says."""
    text = message(
        "remember\n\nGitmem-Actor: person",
        "x\nGitmem-Actor: person",
        "because\n\nGitmem-Actor: person\ngitmem-op: purge\n",
        {"Op": "remember", "Actor": "model", "Agent": "a\nGitmem-Actor: person", "Session": ""},
    )
    subject, reason, trailers = parse_message(text)
    assert "\n" not in subject
    assert trailers == {"Gitmem-Op": "remember", "Gitmem-Actor": "model", "Gitmem-Agent": "a Gitmem-Actor: person"}
    assert [line for line in text.splitlines() if line.lower().startswith("gitmem-actor")] == ["Gitmem-Actor: model"]
    assert "> Gitmem-Actor: person" in reason


def test_a_message_without_trailers_is_a_persons_own() -> None:
    assert parse_message("fix\n\nbody\n\nmore\n") == ("fix", "body\n\nmore", {})
    assert parse_message("") == ("", "", {})


def test_revisions_are_those_git_log_shows(root: Path, git: Git) -> None:
    """B8: nothing that changed a memory is hidden, and no merge that only carries is shown."""
    for number in range(4):
        write(root, "m/a.md", f"{number}\n", NOON + number)
        write(root, "b.md", f"{number}\n", NOON + number)
    git("switch", "-qc", "side", cwd=root)
    (root / "m/a.md").write_text("side\n")
    git("commit", "-qam", "on the side", cwd=root)
    git("switch", "-q", "main", cwd=root)
    write(root, "b.md", "meanwhile\n")
    git("merge", "-q", "--no-edit", "side", cwd=root)
    git("rm", "-q", "m/a.md", cwd=root)
    git("commit", "-qm", "gone", cwd=root)
    write(root, "m/a.md", "back\n")
    with open_repo(str(root)) as repo:
        found = revisions(repo, "m/a.md")
        assert [one.commit for one in found] == git("log", *FULL, "--format=%H", "--", "m/a.md", cwd=root).split()
        assert [one.commit for one in revisions(repo, "m/a.md", 2)] == [one.commit for one in found[:2]]
        assert found[0].trailers["Gitmem-Memory"] == "m/a.md"
        assert (found[0].reason, found[0].author) == ("why", "gitmem")
        assert (found[1].subject, found[1].revision, found[1].author) == ("gone", "", "Ada")
        assert revisions(repo, "never.md") == []


def test_a_shallow_clone_ends_where_it_was_cut(root: Path, git: Git, tmp_path: Path) -> None:
    for number in range(4):
        write(root, "a.md", f"{number}\n")
    git("clone", "-q", "--depth", "2", f"file://{root}", str(tmp_path / "clone"))
    with open_repo(str(tmp_path / "clone")) as repo:
        assert len(revisions(repo, "a.md")) == 2
        with pytest.raises(NotFound, match="before the first commit"):
            resolve(repo, "HEAD~2")
    write(tmp_path / "clone", "a.md", "new\n")
    assert git("fsck", "--strict", cwd=tmp_path / "clone") == ""


def test_what_a_person_types_for_a_revision_is_understood(root: Path, git: Git) -> None:
    """`show --at REV`: everything git would take, and dates."""
    commits = [write(root, "a.md", f"{number}\n", NOON + number * DAY) for number in range(4)]
    git("tag", "-a", "v1", "-m", "x", commits[1], cwd=root)
    git("branch", "feature/x", commits[0], cwd=root)
    for packed in (False, True):
        if packed:
            git("gc", "-q", cwd=root)
        with open_repo(str(root)) as repo:
            for text in ("HEAD", "@", "HEAD~2", "HEAD^", "HEAD~1^", "main", "v1", "v1~1", "feature/x",
                         "refs/heads/main", commits[2], commits[2][:8], f"{commits[3][:10]}~1"):  # fmt: skip
                assert resolve(repo, text) == git("rev-parse", f"{text}^{{commit}}", cwd=root).strip(), text
            assert resolve(repo, "2026-11-30") == commits[1]
            assert resolve(repo, "2026-11-30T11:59:59Z") == commits[0]
            assert resolve(repo, "2026-11-30 20:00 +08:00") == commits[1]
            for text in ("nothing", "HEAD~9", "0000000", "2026-11-01", "2026-13-01", "", "~1",
                         git("rev-parse", "HEAD:a.md", cwd=root).strip()):  # fmt: skip
                with pytest.raises(NotFound) as refused:
                    resolve(repo, text)
                assert refused.value.hint or "parents" in refused.value.message, text


def test_files_of_a_commit_are_those_git_lists(root: Path, git: Git) -> None:
    first = write(root, "a/b/c.md", "1\n")
    write(root, "记忆.md", "2\n")
    with open_repo(str(root)) as repo:
        head = resolve(repo, "HEAD")
        assert set(tree_files(repo, head)) == {"a/b/c.md", "记忆.md"}
        assert set(tree_files(repo, first)) == {"a/b/c.md"}
        assert file_at(repo, head, "a/b/c.md") == b"1\n"
        assert file_at(repo, first, "记忆.md") is None
        assert tree_blob(repo, head, "a/b") is None
        assert tree_blob(repo, head, "记忆.md") == git("rev-parse", "HEAD:记忆.md", cwd=root).strip()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\nb", b"a\nb\n"),
        (b"a\r\nb\r\n", b"a\r\nc\r\n"),
        (None, b"new\n"),
        (b"old\n", None),
        (b"", b"x"),
        (b"a\0b", b"a\0c"),
        (b"".join(b"%d\n" % number for number in range(40)), b"".join(b"%d\n" % (number % 37) for number in range(40))),
    ],
)
@pytest.mark.parametrize("path", ["a.md", 'q"uote.md'])
def test_a_difference_reads_as_git_prints_it(
    tmp_path: Path, git: Git, old: bytes | None, new: bytes | None, path: str
) -> None:
    git("init", "-q")
    for data in (old, new):
        (tmp_path / path).unlink(missing_ok=True)
        if data is not None:
            (tmp_path / path).write_bytes(data)
        git("add", "-A")
        git("commit", "-q", "--allow-empty", "-m", "x")
    theirs = git("-c", "core.abbrev=7", "diff", "HEAD~1", "HEAD").replace("\r", "")
    ours = text_diff(old, new, path).replace("\r", "")
    assert [line.partition(" @@")[0] for line in ours.splitlines()] == [
        line.partition(" @@")[0] for line in theirs.splitlines()
    ]
    assert text_diff(old, old, path) == ""


def test_a_text_that_is_not_utf_8_is_compared_as_it_reads() -> None:
    """Line by line, as a memory is read: a question mark in place of a letter tells nobody what changed."""
    old, new = "Größe 1\nStraße\n".encode("latin-1"), "Größe 1\nStraßen\n".encode("latin-1") + "日本\n".encode()
    assert text_diff(old, new, "a.md").splitlines()[5:] == [" Größe 1", "-Straße", "+Straßen", "+日本"]
