"""Repositories in which git converts files between the folder and the repository."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import RepositoryBusy
from gitmem.setup.create import init
from gitmem.write.change import Actor
from gitmem.write.memory import edit, remember
from gitmem.write.sync_edits import commit_edits

Git = Callable[..., str]
WHEN = 1_790_000_000
TEXT = "---\nname: cat\ntags: [a]\n---\nOne\nTwo\n"


def converting(tmp_path: Path, git: Git, attributes: str = "", config: tuple[str, str] | None = None) -> Path:
    """A clone whose work file c.md has CRLF where the repository has LF."""
    origin, root = tmp_path / "origin", tmp_path / "clone"
    git("init", "-q", "-b", "main", str(origin))
    (origin / "c.md").write_bytes(TEXT.encode())
    if attributes:
        (origin / ".gitattributes").write_text(attributes)
    git("add", "-A", cwd=origin)
    git("commit", "-qm", "start", cwd=origin)
    git("clone", "-q", *(("-c", "=".join(config)) if config else ()), str(origin), str(root))
    assert git("status", "--porcelain", cwd=root) == ""
    init(str(root), environ=os.environ, when=WHEN)
    return root


@pytest.mark.parametrize(("attributes", "config"), [("", ("core.autocrlf", "true")), ("*.md text eol=crlf\n", None)])
def test_a_file_that_git_converts_is_no_hand_edit_and_one_line_changes(
    tmp_path: Path, git: Git, attributes: str, config: tuple[str, str] | None
) -> None:
    """Promised as B10: what git calls clean is clean."""
    root = converting(tmp_path, git, attributes, config)
    assert b"\r\n" in (root / "c.md").read_bytes()
    edit(str(root), "c", when=WHEN, actor=Actor("person"), environ=os.environ, fields=[("tags", "x")])
    assert git("show", "--format=", "--numstat", "HEAD", cwd=root).split() == ["1", "1", "c.md"]
    assert git("status", "--porcelain", cwd=root) == ""
    assert (root / "c.md").read_bytes() == TEXT.replace("[a]", "[x]").replace("\n", "\r\n").encode()
    assert "hand edit" not in git("log", "--format=%s", cwd=root)


def test_a_hand_edit_under_autocrlf_is_kept_as_git_would_keep_it(tmp_path: Path, git: Git) -> None:
    """Promised as B10: the person's own lines and no others."""
    root = converting(tmp_path, git, config=("core.autocrlf", "true"))
    (root / "c.md").write_bytes(TEXT.replace("Two", "Three").replace("\n", "\r\n").encode())
    edit(str(root), "c", when=WHEN, actor=Actor("person"), environ=os.environ, fields=[("tags", "x")])
    assert git("show", "--format=%s", "--numstat", "HEAD~1", cwd=root).split("\n")[0] == "hand edit: c.md"
    assert git("show", "--format=", "--numstat", "HEAD~1", cwd=root).split() == ["1", "1", "c.md"]
    assert git("status", "--porcelain", cwd=root) == ""


def test_a_new_memory_under_autocrlf_is_clean(tmp_path: Path, git: Git) -> None:
    """Promised as B1."""
    root = converting(tmp_path, git, config=("core.autocrlf", "true"))
    remember(str(root), b"first\r\nsecond\r\n", when=WHEN, actor=Actor("person"), environ=os.environ, name="new")
    assert git("status", "--porcelain", cwd=root) == ""
    assert "\r" not in git("cat-file", "blob", "HEAD:new.md", cwd=root)


def test_a_conversion_that_is_more_than_line_endings_is_said(tmp_path: Path, git: Git) -> None:
    """Promised as L1: no filter is run, and nothing is rewritten without it."""
    root = converting(tmp_path, git, "*.md ident\n")
    path = root / "c.md"
    git("commit", "--allow-empty", "-qm", "x", cwd=root)
    path.write_bytes(b"---\nname: cat\n---\n$Id$\n")
    git("add", "c.md", cwd=root)
    git("commit", "-qm", "ident", cwd=root)
    path.unlink()
    git("checkout", "--", "c.md", cwd=root)
    assert b"$Id: " in path.read_bytes()
    with pytest.raises(RepositoryBusy, match=r"git converts c\.md"):
        edit(str(root), "c", when=WHEN, actor=Actor("person"), environ=os.environ, fields=[("tags", "x")])
    assert git("status", "--porcelain", cwd=root) == ""


@pytest.mark.cgit
@pytest.mark.parametrize("setting", ["true", "input", "false"])
@pytest.mark.parametrize(
    "attributes",
    [
        "", "*.md -text\n", "*.md text\n", "* text=auto\n", "* text=auto\n*.md -text\n", "*.md -text\nb.md !text\n",
        "*.md eol=crlf\n", "*.md binary\n", "*.md -crlf\n", "sub/** -text\n", '"b.md" -text\n', "/b.md text=input\n",
    ],
)  # fmt: skip
def test_what_is_kept_of_crlf_is_what_git_would_keep(tmp_path: Path, git: Git, attributes: str, setting: str) -> None:
    """Promised in docs/store.md: attributes outweigh core.autocrlf, and the tree stays clean in ``git status``."""
    root, twin = tmp_path / "store", tmp_path / "twin"
    for place in (root, twin):
        git("init", "-q", "-b", "main", str(place))
        git("config", "core.autocrlf", setting, cwd=place)
        (place / ".gitattributes").write_text(attributes)
        (place / "old.md").write_bytes(TEXT.encode())
        git("add", "-A", cwd=place)
        git("commit", "-qm", "start", cwd=place)
    init(str(root), environ=os.environ, when=WHEN)
    shutil.copy(root / ".gitattributes", twin / ".gitattributes")
    for place in (root, twin):
        (place / "sub").mkdir()
        for path in ("b.md", "sub/c.md", "old.md"):
            (place / path).write_bytes(TEXT.replace("\n", "\r\n").encode() + b"more\r\n")
    commit_edits(str(root), WHEN, os.environ)
    git("add", "-A", cwd=twin)
    os.utime(root / "b.md", (WHEN, WHEN))  # so that git looks at the bytes again
    os.utime(root / "sub/c.md", (WHEN, WHEN))
    assert [line for line in git("status", "--porcelain", cwd=root).splitlines() if ".md" in line] == []
    for path in ("b.md", "sub/c.md", "old.md"):
        assert git("rev-parse", f"HEAD:{path}", cwd=root) == git("rev-parse", f":{path}", cwd=twin), path
