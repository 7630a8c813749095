"""The memories on disk."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from gitmem import limits
from gitmem.errors import BadName, NotFound, TooBig
from gitmem.store.nofollow import OpenFolder
from gitmem.store.worktree import is_reserved_file, list_memories, read_file

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and rights as POSIX has them")


def write(root: Path, path: str, text: str = "x\n") -> Path:
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_text(text, encoding="utf-8")
    return full


def paths(root: Path, ignore: tuple[str, ...] = ()) -> list[str]:
    return [entry.path for entry in list_memories(str(root), ignore).entries]


def said(root: Path) -> dict[str, str]:
    return {finding.path: finding.rule for finding in list_memories(str(root)).skipped}


def test_memories_are_md_files_of_any_case_and_depth_sorted_by_path(tmp_path: Path) -> None:
    """A6."""
    for path in ["b.md", "a.MD", "记忆.md", "x/y/z.md", "projects/id/n.md", "journal/2026-11-30.md", "-rf.md", "[x].md",
                 "a..b.md", "x.md/inner.md", "sub/archive/in.md"]:  # fmt: skip
        write(tmp_path, path)
    assert paths(tmp_path) == sorted(
        ["b.md", "a.MD", "记忆.md", "x/y/z.md", "projects/id/n.md", "journal/2026-11-30.md", "-rf.md", "[x].md",
         "a..b.md", "x.md/inner.md", "sub/archive/in.md"]
    )  # fmt: skip
    assert said(tmp_path) == {}


def test_what_is_no_memory_is_left_out_in_silence(tmp_path: Path) -> None:
    for path in [".git/x.md", ".obsidian/x.md", "sub/.trash/x.md", "archive/x.md", "MEMORY.md", "sub/MEMORY.md",
                 "session-log.md", "notes.txt", "md", ".hidden.md", "a.md.tmp", "._a.md"]:  # fmt: skip
        write(tmp_path, path)
    listing = list_memories(str(tmp_path))
    assert listing.entries == []
    assert listing.skipped == []


def test_a_list_in_another_spelling_is_left_out_with_its_reason(tmp_path: Path) -> None:
    """It is a memory on no system, and the list only where case counts for nothing; either way nobody loses it."""
    for path in ["sub/memory.MD", "Session-Log.md"]:
        write(tmp_path, path)
    if (tmp_path / "session-log.md").exists():
        pytest.skip("this file system does not tell the two apart")
    assert paths(tmp_path) == []
    assert said(tmp_path) == {"sub/memory.MD": "reserved", "Session-Log.md": "reserved"}


def test_an_entry_has_size_and_time_and_a_folder_its_time(tmp_path: Path) -> None:
    """Freshness is told by these."""
    file = write(tmp_path, "sub/a.md", "记\n")
    os.utime(file, ns=(1, 1_700_000_000_123_456_700))
    listing = list_memories(str(tmp_path))
    assert [(entry.path, entry.size, entry.mtime_ns) for entry in listing.entries] == [
        ("sub/a.md", 4, file.stat().st_mtime_ns)
    ]
    assert listing.folders == {"": tmp_path.stat().st_mtime_ns, "sub": (tmp_path / "sub").stat().st_mtime_ns}


def test_a_store_that_is_not_there_has_no_memories(tmp_path: Path) -> None:
    listing = list_memories(str(tmp_path / "none"))
    assert (listing.entries, listing.skipped) == ([], [])


@posix
def test_links_are_never_followed_and_are_said(tmp_path: Path) -> None:
    """A10."""
    outside = write(tmp_path, "outside/secret.md", "private\n").parent
    store = tmp_path / "store"
    write(store, "a.md")
    os.symlink(outside / "secret.md", store / "s.md")
    os.symlink(outside, store / "folder")
    os.symlink(outside, store / "linkdir.md")
    os.symlink(store, store / "ring")
    os.symlink(outside / "gone", store / "dangling.md")
    os.symlink(outside / "gone", store / "other")
    os.symlink(outside, store / "archive")
    assert paths(store) == ["a.md"]
    assert said(store) == dict.fromkeys(["s.md", "folder", "linkdir.md", "ring", "dangling.md"], "link")


@posix
def test_the_store_itself_may_be_a_link(tmp_path: Path) -> None:
    write(tmp_path, "real/a.md", "text")
    os.symlink(tmp_path / "real", tmp_path / "store")
    assert paths(tmp_path / "store") == ["a.md"]
    assert read_file(str(tmp_path / "store"), "a.md") == b"text"


def test_an_oversize_file_is_named_with_its_size_and_never_read(tmp_path: Path) -> None:
    """A10."""
    write(tmp_path, "at.md", "x" * limits.MAX_MEMORY_BYTES)
    write(tmp_path, "over.md", "x" * (limits.MAX_MEMORY_BYTES + 1))
    listing = list_memories(str(tmp_path))
    assert [entry.path for entry in listing.entries] == ["at.md"]
    assert [(finding.rule, finding.path) for finding in listing.skipped] == [("too-big", "over.md")]
    assert str(limits.MAX_MEMORY_BYTES + 1) in listing.skipped[0].message
    assert len(read_file(str(tmp_path), "at.md")) == limits.MAX_MEMORY_BYTES
    with pytest.raises(TooBig, match=str(limits.MAX_MEMORY_BYTES + 1)):
        read_file(str(tmp_path), "over.md")


def test_a_folder_too_deep_is_said_once(tmp_path: Path) -> None:
    """A6: caps are said, never silent."""
    deepest = "/".join(["d"] * limits.MAX_DEPTH)
    write(tmp_path, f"{deepest}/in.md")
    write(tmp_path, f"{deepest}/e/out.md")
    write(tmp_path, f"{deepest}/e/f/out.md")
    assert paths(tmp_path) == [f"{deepest}/in.md"]
    assert said(tmp_path) == {f"{deepest}/e": "too-deep"}


def test_more_files_than_the_cap_are_counted_and_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A6."""
    monkeypatch.setattr("gitmem.store.worktree.MAX_FILES", 3)
    for name in "edcba":
        write(tmp_path, f"{name}.md")
    listing = list_memories(str(tmp_path))
    assert [entry.path for entry in listing.entries] == ["a.md", "b.md", "c.md"]
    assert [finding.rule for finding in listing.skipped] == ["too-many"]
    assert "2" in listing.skipped[0].message


@posix
def test_files_read_in_a_row_are_those_of_their_own_folders(tmp_path: Path) -> None:
    """L1: the folder that stays open is no way around the check for links, and is let go."""
    write(tmp_path, "outside/a.md", "private")
    store = tmp_path / "store"
    write(store, "a.md", "top")
    write(store, "sub/a.md", "text")
    write(store, "sub/deep/a.md", "deep")
    os.symlink(tmp_path / "outside", store / "folder")
    os.symlink(tmp_path / "outside/a.md", store / "sub/link.md")
    last = OpenFolder()
    for path, text in [("a.md", "top"), ("sub/a.md", "text"), ("sub/deep/a.md", "deep"), ("sub/a.md", "text")] * 2:
        assert read_file(str(store), path, last=last) == text.encode()
        for link in ("folder/a.md", "sub/link.md"):
            with pytest.raises(BadName, match="link"):
                read_file(str(store), link, last=last)
        with pytest.raises(NotFound):
            read_file(str(store), "none/a.md", last=last)
    read_file(str(store), "sub/a.md", last=last)
    held = last.handle
    last.close()
    with pytest.raises(OSError, match="file descriptor"):
        os.fstat(held)


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads every folder")
def test_a_folder_that_cannot_be_read_is_said_and_the_rest_is_listed(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    write(tmp_path, "closed/b.md")
    (tmp_path / "closed").chmod(0)
    try:
        assert paths(tmp_path) == ["a.md"]
        assert said(tmp_path) == {"closed": "unreadable"}
    finally:
        (tmp_path / "closed").chmod(0o700)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_names_that_are_not_utf_8_are_said_in_printable_form(tmp_path: Path) -> None:
    """What no index and no message can name is not taken."""
    write(tmp_path, "a.md")
    (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    folder = tmp_path / os.fsdecode(b"d\xff")
    folder.mkdir()
    (folder / "in.md").write_text("x")
    assert paths(tmp_path) == ["a.md"]
    assert set(said(tmp_path).values()) == {"name-bytes"}
    assert all(path.isascii() for path in said(tmp_path))


@posix
def test_a_pipe_is_neither_listed_nor_waited_for(tmp_path: Path) -> None:
    """J2: nothing blocks a prompt."""
    os.mkfifo(tmp_path / "pipe.md")
    assert paths(tmp_path) == []
    assert said(tmp_path) == {"pipe.md": "not-a-file"}
    with pytest.raises(BadName, match="plain file"):
        read_file(str(tmp_path), "pipe.md")


def test_a_second_name_of_the_index_file_is_no_memory(tmp_path: Path) -> None:
    """A10."""
    write(tmp_path, "MEMORY.md", "index\n")
    write(tmp_path, "a.md", "index\n")
    write(tmp_path, "sub/own.md")
    for name in ("MEMORY~1.MD", "sub/copy.md"):
        os.link(tmp_path / "MEMORY.md", tmp_path / name)
    os.link(tmp_path / "a.md", tmp_path / "b.md")
    assert paths(tmp_path) == ["a.md", "b.md", "sub/own.md"]
    assert said(tmp_path) == {"MEMORY~1.MD": "reserved", "sub/copy.md": "reserved"}
    root = str(tmp_path)
    for path in ("MEMORY.md", "memory.MD", "MEMORY~1.MD", "sub/copy.md"):
        assert is_reserved_file(root, path)
    for path in ("a.md", "b.md", "none.md", "none/x.md"):
        assert not is_reserved_file(root, path)


def test_the_ignore_list_leaves_out_folders_and_files(tmp_path: Path) -> None:
    """A6: an Obsidian vault mounts as it is."""
    for path in ["a.md", "draw.excalidraw.md", "sub/b.excalidraw.md", "drafts/x.md", "sub/drafts/y.md",
                 "templates/t.md", "sub/templates/keep.md", "only/this.md", "only/that.md", "deep/one/two/x.md",
                 "drafts.md"]:  # fmt: skip
        write(tmp_path, path)
    ignore = ("drafts/", "*.excalidraw.md", "templates/**", "/only/this.md", "deep/**/x.md", "", "  ", "/")
    assert paths(tmp_path, ignore) == ["a.md", "drafts.md", "only/that.md", "sub/templates/keep.md"]


def test_a_file_is_read_with_its_exact_bytes(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbfa\r\nb\r\xff\x00"
    write(tmp_path, "sub/a.md").write_bytes(data)
    write(tmp_path, "empty.md", "")
    assert read_file(str(tmp_path), "sub/a.md") == data
    assert read_file(str(tmp_path), "empty.md") == b""
    with pytest.raises(TooBig):
        read_file(str(tmp_path), "sub/a.md", 3)


def test_a_file_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    write(tmp_path, "a.md")
    for path in ("b.md", "sub/b.md", "a.md/b.md", "\udce9.md"):
        with pytest.raises(NotFound, match=r"there is no file|cannot be read"):
            read_file(str(tmp_path), path)
    with pytest.raises(NotFound):
        read_file(str(tmp_path / "none"), "a.md")


@pytest.mark.parametrize(
    "path", ["../a.md", "/etc/passwd", "sub/../../a.md", "C:\\a.md", "~/a.md", ".git/config", "a\0.md"]
)
def test_a_path_out_of_the_store_is_never_opened(tmp_path: Path, path: str) -> None:
    """L1."""
    write(tmp_path, "a.md")
    store = tmp_path / "store"
    write(store, ".git/config", "private")
    with pytest.raises(BadName):
        read_file(str(store), path)


@pytest.mark.parametrize("by_folder", [True, False])
@posix
def test_no_link_on_the_way_is_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_folder: bool) -> None:
    """L1; the second way is for systems without folder handles."""
    monkeypatch.setattr("gitmem.store.nofollow._BY_FOLDER", by_folder)
    write(tmp_path, "outside/secret.md", "private")
    store = tmp_path / "store"
    write(store, "sub/a.md", "text")
    os.symlink(tmp_path / "outside/secret.md", store / "s.md")
    os.symlink(tmp_path / "outside", store / "folder")
    os.symlink("sub", store / "inner")
    os.symlink("none", store / "dangling.md")
    for path in ("s.md", "folder/secret.md", "inner/a.md", "dangling.md"):
        with pytest.raises(BadName, match="link"):
            read_file(str(store), path)
    assert read_file(str(store), "sub/a.md") == b"text"
    with pytest.raises(BadName, match="plain file"):
        read_file(str(store), "sub")


@posix
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_rights_is_a_sentence(tmp_path: Path) -> None:
    write(tmp_path, "a.md").chmod(0)
    with pytest.raises(NotFound, match="cannot be read"):
        read_file(str(tmp_path), "a.md")


def test_no_handle_is_left_open(tmp_path: Path) -> None:
    """A long-lived server reads for days."""
    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc")
    write(tmp_path, "sub/a.md")
    os.symlink("sub", tmp_path / "link")

    def count() -> int:
        return len(os.listdir("/proc/self/fd"))

    before = count()
    for _ in range(3):
        list_memories(str(tmp_path))
        read_file(str(tmp_path), "sub/a.md")
        for path in ("none.md", "link/a.md", "sub"):
            with pytest.raises((NotFound, BadName)):
                read_file(str(tmp_path), path)
    assert count() == before


@posix
def test_a_name_that_leads_out_elsewhere_is_left_out_and_said(tmp_path: Path) -> None:
    """A6: the file is told of where it lies, also in a folder of such a name; all else is read."""
    odd = {
        "B: plan.md": "B- plan.md", "a\\b.md": "a-b.md", "sub/a\\..\\b.md": "sub/a-..-b.md", "~x.md": "x.md",
        "C:/x.md": "C-/x.md", "git~1/x.md": "", " /x.md": "x.md", "\uff0egit/x.md": "", "数\\据.md": "数-据.md",
    }  # fmt: skip
    read = ["10:30 plan.md", "BB: plan.md", "sub/~x.md", "数：据.md", "a b.md", "x~.md"]
    for path in (*odd, *read):
        write(tmp_path, path)
    listing = list_memories(str(tmp_path))
    assert [entry.path for entry in listing.entries] == sorted(read)
    ends = {each.path: each.message.partition("not read as a memory; ")[2] for each in listing.skipped}
    assert ends == {path: f"rename it to {better}" if better else "rename it" for path, better in odd.items()}
    assert {each.rule for each in listing.skipped} == {"name"}
    for path in read:
        assert read_file(str(tmp_path), path)
