"""What commands share that need the command-line library: their options, and a bar for long work."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

import click

from gitmem.cli.door import Door, check_utf8, colourful, shortened
from gitmem.cli.table import nearest
from gitmem.errors import GitmemError, Usage

Progress = Callable[[int, int], None]  # done, total


AS_BYTES = ("body", "body_file", "text", "folder", "data")  # a text may be in any encoding, a path of the system too
Action = Callable[..., None]
STORE = click.option("--store", "store_path", metavar="PATH", help="The store to use instead of your own.")
JSON = click.option("--json", "as_json", is_flag=True, help="Answer with JSON.")


class Subcommands(click.Group):
    """A command of several words, such as ``conflict list``; a word that is none of them gets the nearest as a hint."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            name = self.name or ""
            hint = f"gitmem {name} {nearest(args[0], self.commands) or '--help'}"
            raise Usage(f'there is no "{name} {shortened(args[0])}"', hint=hint)
        return super().resolve_command(ctx, args)


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
    """A bar on a terminal from the first step on, None elsewhere; rich is imported when there is something to see."""
    if not colourful(sys.stderr):
        yield None
        return
    with ExitStack() as until_end:
        begun: list[Progress] = []

        def step(done: int, total: int) -> None:
            if not begun:  # not before: git may ask for a password first
                begun.append(until_end.enter_context(_bar(label)))
            begun[0](done, total)

        yield step


@contextmanager
def _bar(label: str) -> Iterator[Progress]:
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def searchable(door: Door) -> str:
    """The store's path, its search index built when there was none; that it cannot be built is said and no more."""
    root = door.store()
    from gitmem.write.index import ready_index  # most commands need no index

    try:
        with progress_bar("indexing") as progress:
            ready_index(root, progress)
    except (GitmemError, OSError) as error:
        said = error.message if isinstance(error, GitmemError) else f"the search index cannot be built: {error}"
        door.say(f"{said}; what is found may not be all there is")
    return root
