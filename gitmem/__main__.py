"""The command ``gitmem``: the quick answers here, everything else in cli/main.py.

A hook runs before each prompt and ``--version`` and ``--help`` are what people try first, so none of
them pays for the command-line library (65 ms where bare Python is 20).
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the words of the command line; end the process with the exit code of DESIGN 10."""
    words = sys.argv[1:]
    completing = "_GITMEM_COMPLETE" in os.environ
    if words[:1] == ["hook"] and not {"--help", "-h"} & set(words):
        from gitmem.hook.run import main as run_hook

        run_hook(words[1:])
        return
    if words == ["--version"]:
        from gitmem import __version__

        print(f"gitmem {__version__}")
        return
    if words in ([], ["--help"], ["-h"]) and not completing:
        from gitmem.cli.door import colourful
        from gitmem.cli.table import help_text

        print(help_text(colour=colourful(sys.stdout)), end="")
        return
    code = None
    if words[:1] == ["remember"] and not completing:
        from gitmem.cli.quick import run as run_quickly

        code = run_quickly(words[1:])
    if code is None:
        from gitmem.cli.main import run

        code = run(words)
    sys.exit(code)


if __name__ == "__main__":
    main()
