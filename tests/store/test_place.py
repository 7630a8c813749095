"""Where the user's store is."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import NoStore
from gitmem.store.place import find_store


def test_the_option_wins_then_the_environment_then_the_home_folder(home: Path, tmp_path: Path) -> None:
    """K6: one precedence."""
    environ = {"HOME": str(home), "USERPROFILE": str(home)}
    assert find_store(None, environ) == str(home / ".gitmem" / "memory")
    environ["GITMEM_HOME"] = str(tmp_path / "g")
    assert find_store(None, environ) == str(tmp_path / "g" / "memory")
    environ["GITMEM_STORE"] = str(tmp_path / "s")
    assert find_store(None, environ) == str(tmp_path / "s")
    assert find_store(str(tmp_path / "o"), environ) == str(tmp_path / "o")


def test_a_blank_value_counts_as_absent(home: Path) -> None:
    """An environment value of blanks is no value."""
    environ = {"HOME": str(home), "USERPROFILE": str(home), "GITMEM_STORE": "  ", "GITMEM_HOME": ""}
    assert find_store("", environ) == str(home / ".gitmem" / "memory")


def test_a_tilde_is_the_home_folder_of_the_environment_given(home: Path) -> None:
    """``--store=~/x`` reaches gitmem as it is: shells do not expand it there."""
    environ = {"HOME": str(home), "USERPROFILE": str(home)}
    assert find_store("~/notes", environ) == str(home / "notes")
    assert find_store(None, environ | {"GITMEM_HOME": "~"}) == str(home / "memory")


def test_a_relative_path_counts_from_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path given on is absolute, so that a later change of folder moves nothing."""
    monkeypatch.chdir(tmp_path)
    assert find_store("a/../b", {}) == str(tmp_path / "b")


def test_the_store_need_not_exist(tmp_path: Path) -> None:
    assert find_store(str(tmp_path / "none"), {}) == str(tmp_path / "none")


def test_without_any_home_folder_the_person_is_told_what_to_type(monkeypatch: pytest.MonkeyPatch) -> None:
    """A service without HOME gets a sentence, not a folder called '~'."""
    monkeypatch.setattr("os.path.expanduser", lambda path: path)
    with pytest.raises(NoStore) as missing:
        find_store(None, {})
    assert "--store" in missing.value.hint


def test_an_empty_home_is_not_the_root_of_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "")
    with pytest.raises(NoStore):
        find_store(None, {"HOME": ""})
