"""J5: the same operations as a library."""

from __future__ import annotations

from pathlib import Path

from gitmem import api


def test_the_library_does_what_the_command_does(tmp_path: Path) -> None:
    root = str(tmp_path / "notes")
    assert api.init(root).kind == "new"
    kept = api.remember(root, "The release goes out on Tuesdays", name="release day", tags=["release"])
    assert kept.path == "release-day.md"
    assert api.show(root, "release day").fields["tags"] == ["release"]
    assert [hit.path for hit in api.search(root, "release").hits] == ["release-day.md"]
    assert [hit.path for hit in api.recall(root, "when does the release go out").hits] == ["release-day.md"]
    edited = api.edit(root, "release day", fields=[("tags", ["release", "ops"])], reason="more")
    assert [one.commit for one in api.history(root, "release day")] == [edited.commit, kept.commit]
    assert api.recall(root, "continue").hits == []


def test_every_name_it_promises_is_there() -> None:
    assert all(hasattr(api, name) for name in api.__all__)
