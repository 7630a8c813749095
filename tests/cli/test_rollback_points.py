"""What ``gitmem rollback create`` says of the points that go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

Gm = Callable[..., object]


def test_points_that_go_are_said_with_the_setting_that_keeps_more(gm: Gm, store: Path) -> None:
    gm("remember", "bananas are yellow", "--name", "a")
    for number in range(3):
        gm("remember", f"text {number}", "--name", f"n{number}")
        assert gm("rollback", "create").err == ""
    with (store / ".gitmem/config.yaml").open("a") as file:
        file.write("rollback:\n  keep: 2\n")
    gm("remember", "another", "--name", "b")
    said = gm("rollback", "create")
    assert said.code == 0
    assert said.err == "2 older points went: the last 2 are kept (rollback.keep in .gitmem/config.yaml)\n"
    assert len(gm("rollback", "list", "--json").json["points"]) == 2
