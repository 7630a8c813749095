"""What commands share that need the command-line library: their options, and a bar for long work."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from gitmem.cli.door import Door, colourful

Progress = Callable[[int, int], None]  # done, total


Action = Callable[..., None]
STORE = click.option("--store", "store_path", metavar="PATH", help="The store to use instead of your own.")
JSON = click.option("--json", "as_json", is_flag=True, help="Answer with JSON.")


def shared(action: Action) -> Action:
    """Give a command ``--store`` and ``--json``; its function gets a Door as the first argument.

    Both may also stand before the command's name: then they are in the context's ``obj``.
    """
    return STORE(JSON(opened(action)))


def opened(action: Action) -> Action:
    """Open the Door for ``action``; for a command that takes only one of the shared options, or none."""

    @click.pass_context
    @functools.wraps(action)
    def run(context: click.Context, /, store_path: str | None = None, as_json: bool = False, **words: object) -> None:
        before = context.find_root().obj or {}
        action(Door(store_path or before.get("store"), as_json or bool(before.get("as_json"))), **words)

    return run


@contextmanager
def progress_bar(label: str) -> Iterator[Progress | None]:
    """A bar on a terminal, None elsewhere; rich is imported only when there is something to see."""
    if not colourful(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)

        def step(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield step
