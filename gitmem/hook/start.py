"""Start the hook; the host's settings call it by the code of setup/host.py.

What leads here runs without gitmem too: where the package is gone it ends with 0, saying nothing.  So does a broken
installation, which must not stand between a person and the prompt.
"""

from __future__ import annotations

import gc
import sys


def start(argv: list[str]) -> None:
    """Answer one event and end the process with 0; ``argv`` as for ``run.main``."""
    gc.disable()  # the process ends before there is garbage to collect
    try:
        from gitmem.hook.load import quicken

        quicken(__file__.replace("\\", "/").rsplit("/", 3)[0])
        from gitmem.hook.run import main

        main(argv)
    except BaseException:
        import os

        os._exit(0)


if __name__ == "__main__":  # so called by settings that an earlier version wrote
    sys.path.append(__file__.replace("\\", "/").rsplit("/", 3)[0])
    start(sys.argv[1:])
