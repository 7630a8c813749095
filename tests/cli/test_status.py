"""status and init tell the truth about the index and the format."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.limits import SCAN_ALL_FILES

Gm = Callable[..., Any]


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
    assert "nothing is written" in said.out


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
