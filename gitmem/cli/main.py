"""From words to a command to an exit code; every error becomes a sentence.

Commands are loaded one at a time through the table: a command pays only for what it imports itself.
"""

from __future__ import annotations

import importlib
import sys
from itertools import islice

import click

from gitmem import __version__
from gitmem.cli.door import colourful, is_text, shortened
from gitmem.cli.table import HIDDEN, SHORT_HELP, help_text, nearest
from gitmem.cli.tell import ready_streams, tell
from gitmem.errors import Usage
from gitmem.store.paths import quoted


class Commands(click.Group):
    """The group of all commands; a word that is none of them gets the nearest one as a hint."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(SHORT_HELP)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in SHORT_HELP and cmd_name not in HIDDEN:
            return None
        command: click.Command = importlib.import_module(f"gitmem.cli.{cmd_name.replace('-', '_')}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in (*SHORT_HELP, *HIDDEN) and not args[0].startswith("-"):
            hint = f"gitmem {nearest(args[0], SHORT_HELP) or '--help'}"
            raise Usage(f'there is no command "{shortened(args[0])}"', hint=hint)
        name, command, rest = super().resolve_command(ctx, args)
        return name, command, texts_last(rest, command) if command is not None else rest

    def get_help(self, ctx: click.Context) -> str:  # noqa: ARG002
        return help_text(colour=colourful(sys.stdout)).rstrip("\n")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--store", metavar="PATH")
@click.option("--json", "as_json", is_flag=True)
@click.version_option(__version__, message="gitmem %(version)s")
@click.pass_context
def gitmem(context: click.Context, store: str | None, as_json: bool) -> None:
    """Collect what was asked before the command's name."""
    context.obj = {"store": store, "as_json": as_json}


def run(words: list[str]) -> int:
    """Run one command line and give its exit code; nothing is raised.

    words: the command line without the program's name
    """
    ready_streams()
    try:
        ended = gitmem.main(args=list(words), prog_name="gitmem", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        return tell(KeyboardInterrupt(), words)
    except click.UsageError as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # `gitmem bench`: its help is the answer
            print(error.format_message())
            return 0
        return tell(usage_of(error, words), words)
    except (Exception, KeyboardInterrupt) as error:
        return tell(error, words)
    return ended if isinstance(ended, int) else 0


def texts_last(words: list[str], command: click.Command) -> list[str]:
    """``words`` with every text behind ``--``, where one of them begins like an option: "- buy milk"."""
    if not any(each.nargs == -1 for each in command.params) or not any(map(is_text, words)):
        return words
    with_value = {
        name for each in command.params if isinstance(each, click.Option) and not each.is_flag for name in each.opts
    }
    options: list[str] = []
    texts: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            texts.extend(rest)
        elif word.startswith("-") and word != "-" and not is_text(word):
            options.append(word)
            options.extend(islice(rest, word in with_value))  # its value
        else:
            texts.append(word)
    return [*options, "--", *texts]


def usage_of(error: click.UsageError, words: list[str]) -> Usage:
    """The command-line library's complaint in our words."""
    named = [word for word in words if word in SHORT_HELP][:1]
    path = error.ctx.command_path if error.ctx else " ".join(["gitmem", *named])
    hint = f"{path} --help"
    if isinstance(error, click.NoSuchOption):
        return no_such_option(error, path, words)
    if isinstance(error, click.MissingParameter) and error.param is not None:
        name = error.param.opts[0] if isinstance(error.param, click.Option) else error.param.human_readable_name
        return Usage(f"{path} needs {name}", hint=hint)
    if isinstance(error, click.BadOptionUsage):
        return Usage(f"{error.option_name} needs a value", hint=hint)
    sentence = error.format_message()
    if isinstance(error, click.BadParameter) and error.param is not None:
        sentence = f"{error.param.opts[0]}: {bad_value(error)}"
    elif "extra argument" in sentence and error.ctx is not None:
        sentence = too_many(error.ctx, path)
    return Usage(sentence.rstrip("."), hint=hint)


def no_such_option(error: click.NoSuchOption, path: str, words: list[str]) -> Usage:
    """An unknown option: the nearest one there is, or how to say that it is a text."""
    known = error.ctx.command.params if error.ctx else []
    takes_text = any(each.nargs == -1 for each in known)
    word = next((word for word in words if word.startswith(error.option_name)), error.option_name)
    if not word.startswith("--"):  # of -dash only -d is looked at
        word = next((word for word in words if word[:1] == "-" != word[1:2] and error.option_name[1:] in word), word)
    word = word.partition("=")[0] if word.startswith("--") else word
    # with one dash: two would make every option look like every other
    options = {name[1:]: name for each in known for name in each.opts if name.startswith("--")}
    near = options.get(nearest(word[1:], options) if word.startswith("--") else word, "")
    shown = shortened(word)
    if takes_text and not near:
        text = "TEXT" if shown != word else f'"{word}"' if quoted(word) == word else quoted(word)
        return Usage(
            f'{path} has no option {shown}; a text that begins with "-" goes behind --', hint=f"{path} -- {text}"
        )
    return Usage(f"{path} has no option {shown}", hint=f"{path} {near or '--help'}")


def bad_value(error: click.BadParameter) -> str:
    """What is wrong with an option's value."""
    kind = error.param.type if error.param is not None else None
    if isinstance(kind, click.IntRange):
        return f"it takes a whole number from {kind.min} {'on' if kind.max is None else f'to {kind.max}'}"
    return error.message


def too_many(context: click.Context, path: str) -> str:
    """The sentence for words that are left over."""
    takes = [each.human_readable_name for each in context.command.params if isinstance(each, click.Argument)]
    if not takes:
        return f"{path} takes no words"
    quotes = "; put quotes around what has spaces" if len(takes) == 1 else ""
    return f"{path} takes {' '.join(takes)} and no more{quotes}"
