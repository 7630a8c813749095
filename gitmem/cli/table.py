"""The table of commands, and the help that is printed from it.

Imports nothing: ``gitmem --help`` answers without loading a command.  Each command stands in the
module of its own name.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

GROUPS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    (
        "Store",
        (
            ("init", "Make a store, or adopt a folder or repository as it is."),
            ("trust", "Read a store found inside a project, or hear an author."),
            ("status", "Where the store is and whether all is well."),
            ("clone", "Make a store here from one elsewhere."),
            ("refresh", "Bring the search index up to date with the files."),
            ("audit", "What is wrong with the memories, or with what is staged."),
            ("doctor", "Whether all that is derived is in step; mend what is safe."),
            ("hooks", "git's own hooks for a store: install, remove, status."),
        ),
    ),
    (
        "Memories",
        (
            ("remember", "Write a new memory."),
            ("edit", "Change fields, a section or the body of a memory."),
            ("show", "Print a memory, now or as it was."),
            ("list", "List the memories, page by page."),
            ("search", "Find memories by words, best first."),
            ("archive", "Move a memory out of recall, or list those long unused."),
            ("restore", "Bring an archived memory back."),
            ("lock", "Keep a memory from being archived."),
            ("unlock", "Let a memory be archived again."),
            ("purge", "Remove a memory for ever, from history too."),
        ),
    ),
    (
        "History",
        (
            ("history", "Every change of a memory, or of the store: who, when, why."),
            ("diff", "What changed, as git prints it."),
            ("blame", "Who wrote each line of a memory, and when."),
            ("undo", "Take back an operation, or all of a session."),
            ("redo", "Make again what was taken back."),
            ("conflict", "Texts that could not be written: list, show, resolve."),
            ("rollback", "States the store can return to: list, create, apply."),
        ),
    ),
    (
        "Projects",
        (
            ("project", "Which project a folder is: show, adopt."),
            ("promote", "Copy a memory to the team, to you, or to the project."),
        ),
    ),
    (
        "Between machines",
        (
            ("sync", "Fetch, merge and send, so that every machine has the same."),
            ("remote", "The places to sync with: add, list, remove."),
        ),
    ),
    (
        "Prompts",
        (
            ("recall", "The block a prompt would get for a question."),
            ("context", "The text a session starts with."),
            ("why", "Explain what recall chose, and what it left out."),
        ),
    ),
    (
        "Hosts",
        (
            ("install", "Wire gitmem into a host such as claude-code."),
            ("uninstall", "Take the wiring out again."),
            ("hook", "Answer one event of a host; hosts call this, not people."),
        ),
    ),
    ("Benchmarks", (("bench", "Measure recall, or noise, on a set of questions."),)),
)

HIDDEN = ("merge-driver",)  # git calls these, not people

SHORT_HELP: dict[str, str] = {name: text for _, commands in GROUPS for name, text in commands}

HEAD = """\
Usage: gitmem COMMAND ...

An agent's long-term memory: plain Markdown files in a git repository that you own.
"""

FOOT = """
Every command takes --help; those about a store take --json and --store PATH.
Begin with:  gitmem remember "the release goes out on Tuesdays"
"""


def help_text(*, colour: bool = False) -> str:
    """The help of ``gitmem`` itself, commands by group."""
    bold, plain = ("\x1b[1m", "\x1b[0m") if colour else ("", "")
    parts = [HEAD]
    for title, commands in GROUPS:
        parts.append(f"\n{bold}{title}{plain}\n")
        parts.extend(f"  {name:<10} {text}\n" for name, text in commands)
    return "".join([*parts, FOOT])


def nearest(word: str, among: Iterable[str]) -> str:
    """The word a person may have meant, "" when none is near."""
    from difflib import get_close_matches  # only a slip of the pen pays for it

    return next(iter(get_close_matches(word, list(among), n=1)), "")
