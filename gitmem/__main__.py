"""The command ``gitmem``: the quick answers here, everything else in cli/main.py.

A hook runs before each prompt and ``--version`` and ``--help`` are what people try first, so none of
them pays for the command-line library (65 ms where bare Python is 20).
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the words of the command line; end the process with an exit code."""
    words = sys.argv[1:]
    if words[:1] == ["hook"] and not {"--help", "-h"} & set(words):
        _hook(words[1:])  # does not come back
    _speak_utf8()
    try:
        code = _run(words)
        if sys.stdout is not None:
            sys.stdout.flush()  # Python would do it at its end, with a traceback when it cannot
    except (Exception, KeyboardInterrupt) as error:
        from gitmem.cli.tell import tell

        code = tell(error, words)
    sys.exit(code)


def _speak_utf8() -> None:
    """Start again in Python's UTF-8 mode where it took another encoding from the locale: a store's names are UTF-8."""
    if sys.getfilesystemencoding() != "utf-8" and "utf8" not in sys._xoptions and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])  # noqa: S606 - no shell wanted


def _hook(words: list[str]) -> None:
    """Answer a host's event; a Python or an installation that lacks something must not stand before each prompt."""
    try:
        from gitmem.hook.run import main as run_hook

        run_hook(words)
    finally:
        os._exit(0)


def _run(words: list[str]) -> int:
    completing = "_GITMEM_COMPLETE" in os.environ
    if words == ["--version"]:
        from gitmem import __version__

        print(f"gitmem {__version__}")
        return 0
    if words in ([], ["--help"], ["-h"]) and not completing:
        from gitmem.cli.door import colourful
        from gitmem.cli.table import help_text

        print(help_text(colour=colourful(sys.stdout)), end="")
        return 0
    code = None if completing else _run_lightly(words)
    if code is not None:
        return code
    from gitmem.cli.main import run

    return run(words)


def _run_lightly(words: list[str]) -> int | None:
    """A command that is timed against git, without the command-line library; None when that should look at it."""
    if words[0] == "remember":
        from gitmem.cli.quick import run
    elif words[0] == "history":
        from gitmem.cli.past import run
    elif words[0] == "sync":
        from gitmem.cli.syncing import run
    elif words[:2] == ["hooks", "run"]:
        from gitmem.cli.githook import run

        words = words[1:]
    else:
        return None
    return run(words[1:])


if __name__ == "__main__":
    main()
