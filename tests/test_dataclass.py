"""The light dataclasses behave as the standard library's wherever the package uses them."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import Any

import pytest

from gitmem import dataclass as light

SHAPES = [{"frozen": True}, {}]


def shapes(given: Any, *, frozen: bool = False) -> type[Any]:
    """One class, made by ``given``: the standard library or ours."""

    @given.dataclass(frozen=frozen, slots=True)
    class Note:
        """A note."""

        path: str
        size: int = 0
        tags: list[str] = given.field(default_factory=list)

        def shown(self) -> str:
            return f"{self.path}: {self.size}"

    return Note  # type: ignore[no-any-return]


@pytest.mark.parametrize("shape", SHAPES)
def test_records_are_made_compared_and_shown_alike(shape: dict[str, bool]) -> None:
    """By place and by name, with and without the values that may be left out."""
    ours, theirs = shapes(light, **shape), shapes(dataclasses, **shape)
    for some, named in [(("a",), {}), (("a", 1), {}), ((), {"path": "a"}), (("a",), {"tags": ["x"], "size": 2})]:
        one, other = ours(*some, **named), theirs(*some, **named)
        assert repr(one) == repr(other).replace("shapes.<locals>.", "")
        assert one.shown() == other.shown()
        assert one == ours(*some, **named) != ours("b")
        assert light.asdict(one) == dataclasses.asdict(other)
        assert repr(light.replace(one, size=9)) == repr(dataclasses.replace(other, size=9)).replace(
            "shapes.<locals>.", ""
        )
    assert ours("a").tags is not ours("a").tags
    assert (ours.__hash__ is None) == (theirs.__hash__ is None)


@pytest.mark.parametrize(
    ("some", "named"), [((), {}), (("a", 1, [], 2), {}), (("a",), {"path": "b"}), (("a",), {"other": 1})]
)
def test_what_does_not_fit_is_refused_alike(some: tuple[Any, ...], named: dict[str, Any]) -> None:
    """Too few, too many, twice, unknown."""
    for given in (light, dataclasses):
        with pytest.raises(TypeError):
            shapes(given)(*some, **named)


def test_an_unknown_attribute_is_refused() -> None:
    """A misspelled name is an error, not a new field."""
    with pytest.raises(AttributeError):
        shapes(light)("a").sise = 1


def test_a_cold_sync_loads_neither_the_standard_librarys_dataclasses_nor_inspect() -> None:
    """They are most of what a command would wait for."""
    names = "gitmem.write.sync, gitmem.write.arrive, gitmem.merge.tree, gitmem.history.transport_git"
    code = f"import sys, {names}; print(sorted({{'dataclasses', 'inspect'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
