"""status and init tell the truth about the index and the format."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.limits import SCAN_ALL_FILES

Gm = Callable[..., Any]
Git = Callable[..., str]


def test_status_sees_an_edit_in_place_in_a_large_store(gm: Gm, store: Path) -> None:
    """Break test 19d: a prompt looks only at the newest files there, status at all."""
    gm("init")
    for number in range(SCAN_ALL_FILES + 50):
        path = store / f"{number:05}.md"
        path.write_text(f"note {number}\n")
        os.utime(path, ns=(10**18 + number, 10**18 + number))
    gm("refresh")
    assert gm("status", "--json").json["index"] == "ready"
    with (store / "00003.md").open("r+") as file:
        file.write("edit")
    os.utime(store / "00003.md", ns=(10**18 + 1, 10**18 + 4))
    assert gm("status", "--json").json["index"] == "behind"
    gm("refresh")
    assert gm("status", "--json").json["index"] == "ready"


def test_a_store_of_a_newer_gitmem_is_named(gm: Gm, store: Path) -> None:
    """Break test 19c."""
    gm("remember", "one", "--name", "one")
    config = store / ".gitmem" / "config.yaml"
    config.write_text(config.read_text().replace("format: 1", "format: 99"))
    for words in (["init"], ["remember", "two"]):
        said = gm(*words)
        assert (said.code, said.out) == (1, "")
        assert "format 99" in said.err
    said = gm("status")
    assert said.code == 0
    assert "the store has format 99" in said.out
    assert "nothing can be written" in said.out


@pytest.mark.skipif(os.name == "nt" or not os.geteuid(), reason="root writes everywhere")
def test_an_index_that_cannot_be_written_is_not_called_up_to_date(gm: Gm, store: Path) -> None:
    """Break test 19b."""
    gm("remember", "one")
    (store / "new.md").write_text("two\n")
    folder = store / ".git" / "gitmem"
    places = [folder, *folder.iterdir()]
    for place in places:
        place.chmod(place.stat().st_mode & ~0o222)
    try:
        made, refreshed = gm("init"), gm("refresh")
    finally:
        for place in places:
            place.chmod(place.stat().st_mode | 0o200)
    assert "up to date" not in made.out
    assert "cannot be written" in made.err
    assert refreshed.code == 1
    assert "hint: gitmem refresh\n" not in refreshed.err


BLOCKS: dict[str, Callable[[Path, Git], object]] = {
    "detached": lambda store, git: git("checkout", "-q", "--detach", cwd=store),
    "lock": lambda store, git: (store / ".git/index.lock").touch(),
    "old lock": lambda store, git: (store / ".git/HEAD.lock").touch() or os.utime(store / ".git/HEAD.lock", (1, 1)),
    "index": lambda store, git: (store / ".git/index").write_bytes(b"DIRC cut short"),
    "format": lambda store, git: (store / ".gitmem/config.yaml").write_text("format: 99\n"),
    "bisect": lambda store, git: git("bisect", "start", cwd=store),
}


@pytest.mark.parametrize("block", BLOCKS)
def test_where_nothing_can_be_written_status_and_list_say_so(gm: Gm, store: Path, git: Git, block: str) -> None:
    """Promised in docs/store.md: each is one sentence that names the way out, before a text is typed for nothing."""
    gm("remember", "one", "--name", "one")
    assert gm("status", "--json").json["blocked"] == ""
    BLOCKS[block](store, git)
    assert gm("status", "--json").json["blocked"]
    assert "nothing " in gm("status").out.replace("nothing committed", "")
    listed = gm("list")
    assert listed.out.startswith("one.md")
    assert "memories are read, and nothing can be written: " in listed.err


@pytest.mark.skipif(os.name == "nt", reason="no such name, and no such shell")
def test_what_is_said_of_a_lock_can_be_typed_in_a_store_of_any_name(gm: Gm, git: Git, tmp_path: Path) -> None:
    """A name that a shell would take apart."""
    store = tmp_path / "o'neil's notes"
    store.mkdir()
    gm("init", str(store))
    lock = store / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    refused = gm("remember", "one", "--store", str(store))
    assert refused.code == 1
    subprocess.run(["sh", "-c", refused.err.partition("then: ")[2]], check=True)
    assert gm("remember", "one", "--store", str(store)).code == 0


def test_a_type_that_no_memory_has_is_said_with_those_there_are(gm: Gm) -> None:
    gm("remember", "one", "--name", "one", "--type", "project")
    said = gm("list", "--type", "bogus")
    assert said.err == 'no memory has the type "bogus"; there are: project\n0 memories\n'


def test_a_full_path_inside_the_store_names_its_memory(gm: Gm, store: Path, tmp_path: Path) -> None:
    """As a shell completes it, also through a link to the store."""
    gm("remember", "one", "--name", "one", "--path", "sub/one.md")
    (tmp_path / "link").symlink_to(store)
    for path in (store / "sub/one.md", tmp_path / "link/sub/one.md"):
        assert "one" in gm("show", str(path)).out
    gm("archive", str(store / "sub/one.md"), "--reason", "old")
    assert gm("restore", str(store / "archive/sub/one.md")).code == 0
    assert gm("show", str(tmp_path / "sub/one.md")).code == 1


def test_what_cannot_be_edited_is_named_with_what_to_type(gm: Gm, store: Path) -> None:
    gm("remember", "one")
    (store / "wide.md").write_bytes("wide".encode("utf-16-le"))
    said = gm("edit", "wide", "--set", "tags=a")
    assert "error: wide.md: the file holds NUL bytes" in said.err
    assert f"iconv -f UTF-16LE -t UTF-8 {store}/wide.md" in said.err
