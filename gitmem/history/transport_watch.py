"""Run a program that speaks to a remote, and end it when it stands still: a network may swallow what was asked."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import IO

PIECE = 65536
LOOK_S = 0.5  # between two looks at the time, while the program runs
PROGRESS = (  # lines that git draws again and again, and those that end them
    r"^(remote: )?(Enumerating|Counting|Compressing|Receiving|Resolving|Writing|Unpacking|Finding|Total|Checking"
    r"|Delta compression|Filtering|Updating)\b.*(\d|%|done\.)"
)


class _Reader(threading.Thread):
    """Takes what comes out of a pipe, and notes when."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(daemon=True)
        self.pipe, self.data, self.last = pipe, bytearray(), time.monotonic()
        self.start()

    def run(self) -> None:
        with suppress(OSError), self.pipe:
            while piece := os.read(self.pipe.fileno(), PIECE):
                self.data += piece
                self.last = time.monotonic()

    def text(self) -> str:
        return bytes(self.data).decode("utf-8", "replace")


def run_watched(
    words: Sequence[str], environ: Mapping[str, str], folder: str, limit_s: float, *, is_apart: bool
) -> tuple[subprocess.CompletedProcess[str] | None, float]:
    """What the program came to, None when it was ended; and the seconds since it last showed progress.

    limit_s:  seconds without a byte from it
    is_apart: nobody has to type anything, so it and what it starts may be ended together
    raises:   OSError when it cannot be started
    """
    begun = time.monotonic()
    is_group = is_apart and os.name == "posix"
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=dict(environ), cwd=folder,
        start_new_session=is_group,
    )  # fmt: skip
    readers = [_Reader(pipe) for pipe in (process.stdout, process.stderr) if pipe is not None]
    try:
        while process.poll() is None:
            _pause(process, readers)
            if time.monotonic() - max(begun, *(each.last for each in readers)) >= limit_s:
                return None, limit_s
    finally:
        if process.poll() is None:
            _end(process, is_group)
        for each in readers:
            each.join(LOOK_S * 4)  # what it started may still hold the pipe
    out, more = (each.text() for each in readers)
    idle = time.monotonic() - max([begun, *(each.last for each in readers if "\r" in each.text())])
    return subprocess.CompletedProcess(list(words), process.returncode, out, without_progress(more)), idle


def _pause(process: subprocess.Popen[bytes], readers: Sequence[_Reader]) -> None:
    """Wait until the program ends, for a moment at most; the end of a pipe is told sooner than that of a process."""
    open_pipes = [each for each in readers if each.is_alive()]
    if open_pipes:
        open_pipes[0].join(LOOK_S)
    else:
        with suppress(subprocess.TimeoutExpired):
            process.wait(LOOK_S)


def _end(process: subprocess.Popen[bytes], is_group: bool) -> None:
    with suppress(OSError):
        if is_group:
            os.killpg(process.pid, signal.SIGTERM)
        else:
            process.terminate()
    try:
        process.wait(LOOK_S * 4)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def without_progress(said: str) -> str:
    """What a program wrote, without the lines that tell how far it is."""
    if not said.strip():
        return ""
    import re  # a program that has nothing to bring says nothing

    lines = [line.strip() for line in re.split(r"[\r\n]", said)]
    return "".join(f"{line}\n" for line in lines if line and line != "remote:" and not re.match(PROGRESS, line))
