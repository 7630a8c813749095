"""What commands share that need the command-line library: their options, and a bar for long work."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

from gitmem.cli.door import Door, check_utf8, colourful
from gitmem.errors import GitmemError
from gitmem.write.index import ready_index

Progress = Callable[[int, int], None]  # done, total


AS_BYTES = ("body", "body_file", "text", "folder", "data")  # a text may be in any encoding, a path of the system too
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
        check_utf8(
            {said(each): words.get(each.name or "") for each in context.command.params if each.name not in AS_BYTES}
        )
        before = context.find_root().obj or {}
        action(Door(store_path or before.get("store"), as_json or bool(before.get("as_json"))), **words)

    return run


def said(parameter: click.Parameter) -> str:
    """What a person calls a parameter: ``--name``, ``QUERY``."""
    return parameter.opts[0] if isinstance(parameter, click.Option) else parameter.human_readable_name


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


def searchable(door: Door) -> str:
    """The store's path, its search index built when there was none; that it cannot be built is said and no more."""
    root = door.store()
    try:
        with progress_bar("indexing") as progress:
            ready_index(root, progress)
    except (GitmemError, OSError) as error:
        said = error.message if isinstance(error, GitmemError) else f"the search index cannot be built: {error}"
        door.say(f"{said}; what is found may not be all there is")
    return root
