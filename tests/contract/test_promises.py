"""docs/contract.md and the tests name each other: a promise without a test that ran is no promise."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STATES = ("guaranteed", "best effort", "not yet")


def promises() -> list[tuple[str, str, list[str]]]:
    """Rows of the contract: feature number, state, test ids."""
    rows = []
    for line in (ROOT / "docs/contract.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[0][:1].isalpha() and cells[0][1:].isdigit():
            rows.append((cells[0], cells[1], [word.strip("`, ") for word in cells[3].split() if "::" in word]))
    return rows


def test_every_row_has_a_known_state_and_guarantees_name_a_test() -> None:
    """Promised at the head of docs/contract.md."""
    rows = promises()
    assert len({number for number, _, _ in rows}) == len(rows) > 90
    for number, state, tests in rows:
        assert state in STATES, f"{number}: {state!r}"
        assert bool(tests) == (state == "guaranteed"), f"{number} is {state} and names {tests}"


@pytest.mark.parametrize("test", sorted({test for _, _, tests in promises() for test in tests}))
def test_a_named_test_exists(test: str) -> None:
    """Promised at the head of docs/contract.md."""
    file, _, name = test.partition("::")
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def unkept(outcomes: dict[str, set[str]]) -> list[str]:
    """Promises whose test did not run and pass."""
    return [
        f"{number}: {test} {outcomes.get(test, 'did not run')}"
        for number, _, tests in promises()
        for test in tests
        if outcomes.get(test) != {"passed"}
    ]


@pytest.mark.last
def test_every_named_test_ran_and_passed(request: pytest.FixtureRequest) -> None:
    """Promised at the head of docs/contract.md; asked only when the whole suite runs."""
    if hasattr(request.config, "workerinput"):
        pytest.skip("one of several processes; the first one asks at the end (conftest.py)")
    outcomes: dict[str, set[str]] = request.config.stash[request.config.outcomes_key]  # type: ignore[attr-defined]
    collected = {item.nodeid.partition("[")[0] for item in request.session.items}
    if not collected >= {test for _, _, tests in promises() for test in tests}:
        pytest.skip("only a part of the suite was asked for")
    assert unkept(outcomes) == []
