"""Every test runs with an empty HOME and no GIT_* variable; C git judges what gitmem wrote."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

Git = Callable[..., str]
OUTCOMES = pytest.StashKey[dict[str, set[str]]]()


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder; nothing of the machine's own git or gitmem settings is seen."""
    folder = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("GIT_", "GITMEM_", "CLAUDE", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    return folder


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Run C git: ``git("log", "--oneline", cwd=store)`` gives its output; a failure fails the test."""

    def run(*words: str, cwd: Path | str = tmp_path, check: bool = True, stdin: str | None = None) -> str:
        done = subprocess.run(
            ["git", "-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words],
            cwd=cwd,
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(words)}: {done.stderr}")
        return done.stdout

    return run


def pytest_configure(config: pytest.Config) -> None:
    """Remember how each test ended, for the contract's own test, which runs last."""
    config.stash[OUTCOMES] = {}
    config.outcomes_key = OUTCOMES  # type: ignore[attr-defined]
    config.addinivalue_line("markers", "last: runs after all others")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call" or report.outcome != "passed":
        item.config.stash[OUTCOMES].setdefault(item.nodeid.partition("[")[0], set()).add(report.outcome)
    return report
