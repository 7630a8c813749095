"""Every test runs with an empty HOME and no GIT_* variable; C git judges what gitmem wrote."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Git = Callable[..., str]
OUTCOMES = pytest.StashKey[dict[str, set[str]]]()
FAULTS = pytest.StashKey[list[str]]()


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


class Outcomes:
    """How each test ended; with several processes the first one, which runs none itself, is told of all."""

    def __init__(self) -> None:
        self.seen: dict[str, set[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.seen.setdefault(report.nodeid.partition("[")[0], set()).add(report.outcome)


def pytest_configure(config: pytest.Config) -> None:
    """Remember how each test ended, for the contract's own test, which runs last."""
    outcomes = Outcomes()
    config.pluginmanager.register(outcomes, "outcomes")
    config.stash[OUTCOMES] = outcomes.seen
    config.outcomes_key = OUTCOMES  # type: ignore[attr-defined]
    config.addinivalue_line("markers", "last: runs after all others")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("last") is not None)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With several processes no test sees what the others ran: the first process asks at the end."""
    config = session.config
    first = not hasattr(config, "workerinput") and getattr(config.option, "numprocesses", None)
    whole = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not config.option.keyword
    if not first or not whole or config.option.markexpr or session.shouldfail:
        return
    from tests.contract.test_promises import unkept

    if faults := unkept(config.stash[OUTCOMES]):
        config.stash[FAULTS] = faults
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for fault in config.stash.get(FAULTS, []):
        terminalreporter.write_line(f"docs/contract.md: {fault}", red=True)
