"""Start the hook: `python -I -S start.py prompt --host claude-code`.

A script is compiled at each start, so this one only leads to cached modules.  A broken
installation must not stand between a person and the prompt: then it ends with 0, saying nothing.
"""

import gc
import sys

gc.disable()  # the process ends before there is garbage to collect
try:
    home = __file__.replace("\\", "/").rsplit("/", 3)[0]
    sys.path.append(home)
    from gitmem.hook.load import quicken

    quicken(home)
    from gitmem.hook.run import main

    main(sys.argv[1:])
except BaseException:
    import os

    os._exit(0)
