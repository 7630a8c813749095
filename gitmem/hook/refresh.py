"""Start ``gitmem refresh`` beside the hook and do not wait for it.

``os.posix_spawn``, because the subprocess module alone costs 6 ms.
"""

from __future__ import annotations

import os
import sys

from gitmem.limits import REFRESH_EVERY_S
from gitmem.memory.document import blob_id
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import refresh_stamp, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def start_refresh(root: str, packages: str, when: int, environ: Mapping[str, str], key: str = "") -> bool:
    """Bring the index of ``root`` up to date in a process of its own; False when it was not started.

    At most one a minute, and one more each time HEAD moved since, by a stamp file; a store where no stamp can be
    written could not keep an index either.

    key:    what the refresh is for beside the index, which has a turn of its own; "" for nothing
    raises: OSError when the process cannot be started
    """
    git = find_git_dir(root)
    if git is None or not _our_turn(git.path, when, key):
        return False
    here = __file__.replace("\\", "/").rsplit("/", 3)[0]
    # -P and our own PYTHONPATH: a folder named gitmem where the host stands must not be run
    child = {**environ, "PYTHONPATH": os.pathsep.join(folder for folder in (here, packages) if folder)}
    command = [sys.executable, "-P", "-m", "gitmem", "refresh", "--store", root]
    if sys.platform == "win32":
        os.spawnve(os.P_DETACH, sys.executable, command, child)  # noqa: S606
        return True
    streams = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
    try:
        os.posix_spawn(sys.executable, command, child, file_actions=streams, setsid=True)
    except NotImplementedError:  # macOS builds without POSIX_SPAWN_SETSID
        os.posix_spawn(sys.executable, command, child, file_actions=streams, setpgroup=0)
    return True


def _our_turn(git_dir: str, when: int, key: str) -> bool:
    """Take the minute's one turn: of several processes exactly one gets True."""
    stamp = refresh_stamp(git_dir) + (f"-{blob_id(os.fsencode(key))[:8]}" if key else "")
    try:
        try:
            last = os.stat(stamp).st_mtime
            if abs(when - last) < REFRESH_EVERY_S and _moved(git_dir) < last:
                return False
            os.unlink(stamp)
        except FileNotFoundError:
            os.makedirs(state(git_dir), exist_ok=True)
        os.close(os.open(stamp, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError:
        return False
    return True


def _moved(git_dir: str) -> float:
    """When HEAD last moved, by its log; 0.0 without one."""
    try:
        return os.stat(os.path.join(git_dir, "logs", "HEAD")).st_mtime
    except OSError:
        return 0.0
