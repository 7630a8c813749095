"""Make files survive a power cut, several at the price of one."""

from __future__ import annotations

import os
from _thread import allocate_lock, start_new_thread

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def sync_all(files: Sequence[int]) -> None:
    """fsync open files side by side: on a busy disk they then wait for one flush of the journal instead of one each.

    Measured with seven small files: 24 ms one after the other, 2 to 5 ms together; on an idle disk no difference.
    raises: OSError, the first there was, after all are done
    """
    errors: list[OSError] = []
    gates = []
    for file in files[1:]:
        gate = allocate_lock()
        gate.acquire()
        start_new_thread(_sync, (file, errors, gate.release))
        gates.append(gate)
    if files:
        _sync(files[0], errors, lambda: None)
    for gate in gates:
        gate.acquire()
    if errors:
        raise errors[0]


def _sync(file: int, errors: list[OSError], done: Callable[[], None]) -> None:
    try:
        os.fsync(file)
    except OSError as error:
        errors.append(error)
    finally:
        done()


def sync_folder(path: str) -> None:
    """Make the names in a folder survive a power cut, where the system can."""
    if os.name == "nt":
        return
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
