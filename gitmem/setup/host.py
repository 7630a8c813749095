"""What every host's settings need: the command that starts the hook, whole paths and no shell."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import gitmem
from gitmem.errors import Refused

EVENT = "EVENT"  # stands for the hook's event in a command

# Python would end with 2 where a script is gone, and a host takes that for a refused prompt.
START = """\
import sys
try:
 sys.path.append(sys.argv.pop(1))
 from gitmem.hook.start import start
 start(sys.argv[1:])
except BaseException:
 pass"""


def hook_command(host: str, python: str, store: str | None = None) -> list[str]:
    """The words that start the hook; EVENT among them is to be replaced.

    host:   "claude-code"
    python: the interpreter gitmem runs under
    store:  a store's path to be fixed in the command, None to find it at each prompt
    raises: Refused for a path that is not UTF-8

    ``-I -S`` spares the start what ``site`` and the person's environment would cost.
    """
    home = Path(gitmem.__file__).resolve().parent.parent
    words = [_interpreter(python), "-I", "-S", "-c", START, str(home), EVENT, "--host", host]
    yaml = importlib.util.find_spec("yaml")
    if yaml is not None and yaml.origin and Path(yaml.origin).parent.parent != home:
        words += ["--packages", str(Path(yaml.origin).parent.parent)]
    if store is not None:
        words += ["--store", str(Path(store).absolute())]
    for word in words:
        _check_text(word)
    return words


def _check_text(word: str) -> None:
    """raises: Refused for a path whose bytes are no UTF-8: a host's settings are JSON and cannot hold it"""
    try:
        word.encode("utf-8")
    except UnicodeEncodeError as error:
        shown = ascii(word)
        raise Refused(
            f"the path {shown} is not UTF-8, and a host's settings cannot hold it; nothing was changed",
            hint="give the folder a name in UTF-8, or name the store by a link that has one",
        ) from error


def _interpreter(python: str) -> str:
    """A virtual environment's own interpreter is kept, any other link (a version manager's shim) is followed."""
    given = Path(python).absolute()
    return str(given if (given.parent.parent / "pyvenv.cfg").is_file() else given.resolve())
