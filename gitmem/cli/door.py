"""What every command shares: the store it means, the form of its answer, the clock.

Without the command-line library, dataclasses and pathlib, since ``remember`` is timed against git (cli/quick.py).
"""
# ruff: noqa: PTH111, PTH112, PTH113, PTH123

from __future__ import annotations

import os
import sys
import time

from gitmem.errors import NoStore, Refused, Unprinted, Usage
from gitmem.store.gitdir import find_git_dir, head
from gitmem.store.paths import CONFIG_FILE, join, typed
from gitmem.store.place import find_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_REPEATED = 60  # characters of what was typed, in a sentence about it
COLOURS = {"bold": "1", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class NobodyReads(Exception):
    """Whoever read the answer has what it wanted and went, as in ``gitmem list | head``: no error.

    Not the system's own exception, out of which click makes exit code 1.
    """


class Door:
    """The environment of one command: read once, here, and passed on as values.

    option: --store, or None
    when:   UTC unix seconds at which the command began
    """

    __slots__ = ("as_json", "environ", "option", "when")

    def __init__(self, option: str | None, as_json: bool) -> None:
        self.option, self.as_json = option, as_json
        self.when, self.environ = int(time.time()), os.environ

    def place(self) -> str:
        """The store's absolute path; there need not be anything yet."""
        return find_store(self.option, self.environ)

    def is_default(self, root: str = "") -> bool:
        """Whether ``root``, or the store in use, is where gitmem looks when nothing names a store."""
        named = ("GITMEM_STORE", "GITMEM_HOME")
        try:
            plain = find_store(None, {name: value for name, value in self.environ.items() if name not in named})
        except NoStore:
            return False
        return os.path.realpath(root or self.place()) == os.path.realpath(plain)

    def option_for(self, root: str) -> str:
        """`` --store PATH``, for a command that has to name the store at ``root``; "" where it need not."""
        return "" if self.is_default(root) else f" --store {typed(root)}"

    def named(self, sentence: str) -> str:
        """``sentence`` with `` --store PATH`` in each command to type, where the bare one would take another store."""
        if "gitmem " not in sentence:
            return sentence
        try:
            option = self.option_for(self.place())
        except (NoStore, OSError):  # no home, or a working folder that is gone
            return sentence
        if not option:
            return sentence
        from gitmem.cli.named_store import with_store  # most stores are where gitmem looks

        return with_store(sentence, option)

    def store(self) -> str:
        """The path of a store that exists; NoStore tells how to make one."""
        root = self.place()
        if find_git_dir(root) is not None:
            return root
        shown = short_path(root, self.environ)
        if not os.path.isdir(root):
            hint = f"gitmem init {shown}" if self.option else 'gitmem remember "what you want kept"'
            raise NoStore(f"there is no store at {shown}", hint=hint)
        raise NoStore(f"{shown} is a folder, but not a store yet", hint=f"gitmem init {shown}")

    def has_store(self) -> bool:
        """Whether there is a store to write to; one that a killed ``init`` left half-made is none."""
        git = find_git_dir(self.place())
        return git is not None and (bool(head(git)[1]) or not os.path.isfile(join(self.place(), CONFIG_FILE)))

    def shown(self, path: str) -> str:
        return short_path(path, self.environ)

    def answer(self, shape: Mapping[str, object], text: str, *, saved: str = "") -> None:
        """Print the result: ``shape`` as JSON when asked, else ``text``.

        saved:  what was changed, for a command that changes something; then ``text`` is gitmem's own words, and what
                it tells to type names the store
        raises: NobodyReads; Unprinted, with that sentence when the change is made and only this answer cannot leave
        """
        try:
            if self.as_json:
                import json  # 10 ms, which the plain answer does not pay

                print(json.dumps(shape, ensure_ascii=False))
            elif text:
                text = self.named(text) if saved else text
                print(text, end="" if text.endswith("\n") else "\n")
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise NobodyReads from error
        except OSError as error:
            what = f"{saved}; only this answer" if saved else "the answer"
            raise Unprinted(f"{what} could not be printed ({error.strerror})") from error

    def say(self, sentence: str) -> None:
        """Talk to the person, beside the result."""
        print(self.named(sentence), file=sys.stderr)

    def paint(self, text: str, colour: str) -> str:
        """``text`` in a colour of COLOURS on a terminal, else as it is."""
        return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if colourful(sys.stdout) else text


def colourful(stream: object) -> bool:
    """True on a terminal whose owner has not asked for plain text (NO_COLOR, TERM=dumb)."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty()) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def short_path(path: str, environ: Mapping[str, str]) -> str:
    """``path`` as it can be typed: the home folder as ``~``, quotes where a shell needs them."""
    quoted = typed(path)
    if quoted != path:
        return quoted
    home = environ.get("HOME", "")
    return "~" + path[len(home) :] if home and path.startswith(home.rstrip(os.sep) + os.sep) else path


def counted(number: int, noun: str = "memory") -> str:
    """``1 memory``, ``2 memories``, ``3 files``."""
    if number != 1:
        noun = noun[:-1] + "ies" if noun.endswith("y") else noun + "s"
    return f"{number} {noun}"


def read_text(words: Sequence[str], body_file: str | None, *, what: str) -> bytes:
    """The text a command was given, as bytes: words joined by blanks, a file, or stdin for ``-``.

    raises: Usage when it was given twice or cannot be read
    """
    if body_file is not None and words:
        raise Usage(f"{what} was given both as words and as --body-file; which one is meant?")
    if body_file == "-" or list(words) == ["-"]:
        if sys.stdin is None:
            raise Usage("standard input is closed, so there is no text to read from it")
        return sys.stdin.buffer.read()
    if body_file is None:
        return " ".join(words).encode("utf-8", "surrogateescape")
    try:
        with open(os.path.expanduser(body_file), "rb") as file:
            return file.read()
    except IsADirectoryError:
        raise Usage(f"{body_file} is a folder, not a file") from None
    except OSError as error:
        raise Usage(f"{body_file} cannot be read: {error.strerror}") from error


def is_text(word: str) -> bool:
    """Whether a word that begins like an option is a text: no option holds a blank, or begins with three dashes."""
    name = word.partition("=")[0] if word.startswith("--") else word
    return word.startswith("---") or (word.startswith("-") and any(mark.isspace() for mark in name))


def shortened(word: str) -> str:
    """What was typed, as a sentence may repeat it: one short line."""
    line = " ".join(word.split())
    return line if len(line) <= MAX_REPEATED else line[: MAX_REPEATED - 1] + "…"


def check_utf8(words: Mapping[str, object]) -> None:
    """raises: Refused for an option or word of that name whose bytes are not UTF-8; git and the index take no other"""
    for name, value in words.items():
        for each in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(each, str) and not each.isascii() and any("\ud800" <= mark <= "\udfff" for mark in each):
                raise Refused(
                    f"{name} holds bytes that are not UTF-8", hint="type it on a terminal that is set to UTF-8"
                )


def printable(text: str) -> str:
    """``text`` for the screen: on a terminal, control characters of a memory cannot steer it."""
    if not sys.stdout.isatty():
        return text
    return "".join(sign if sign in "\n\t" or sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
