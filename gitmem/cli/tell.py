"""Every error as one sentence, what to type next, and an exit code; never a traceback on the screen.

Loaded by cli/quick.py, so without what a plain ``remember`` need not pay for.
"""
# ruff: noqa: PTH111, PTH112, PTH118, PTH123

from __future__ import annotations

import errno
import os
import sys

from gitmem.cli.door import colourful
from gitmem.errors import GitmemError, Refused, StoreUnwritable

UNWRITABLE = {
    errno.ENOSPC: "the disk is full",
    getattr(errno, "EDQUOT", -1): "the disk quota is used up",
    errno.EROFS: "the disk is read-only",
    errno.EACCES: "permission was denied",
    errno.EPERM: "permission was denied",
}
STOPPED = 130  # what a shell reports of a program ended by Ctrl-C


def ready_streams() -> None:
    """A memory may hold what this terminal's encoding cannot say; it is replaced, not an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def wants_json(words: list[str]) -> bool:
    """Whether ``--json`` is among the options."""
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def tell(error: BaseException, words: list[str]) -> int:
    """Say what went wrong, on stderr or as JSON on stdout; give the exit code."""
    if isinstance(error, BrokenPipeError):  # `gitmem list | head`: the reader has what it wanted
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    if isinstance(error, KeyboardInterrupt):
        print("stopped; what was acknowledged before is saved", file=sys.stderr)
        return STOPPED
    known = error if isinstance(error, GitmemError) else unwritable(error)
    if known is None:
        known = GitmemError(f"gitmem itself failed; what happened is written in {write_log(error)}")
        known.exit_code, known.code = 3, "bug"
    kept = known.kept if isinstance(known, Refused) else ""
    if wants_json(words):
        import json  # only this answer needs it

        shape = {"code": known.code, "message": known.message, "hint": known.hint}
        print(json.dumps({"error": shape | ({"kept": kept} if kept else {})}, ensure_ascii=False))
        return known.exit_code
    label = "\x1b[31merror:\x1b[0m" if colourful(sys.stderr) else "error:"
    print(f"{label} {known.message}", file=sys.stderr)
    if kept and kept not in known.message:
        print(f"  the refused text is kept in {kept}", file=sys.stderr)
    if known.hint:
        print(f"  hint: {known.hint}", file=sys.stderr)
    return known.exit_code


def unwritable(error: BaseException) -> StoreUnwritable | None:
    """An operating-system error that says something about the disk, as a sentence; else None."""
    if not isinstance(error, OSError) or error.errno not in UNWRITABLE:
        return None
    where = f" at {error.filename}" if error.filename else ""
    return StoreUnwritable(f"{UNWRITABLE[error.errno]}{where}; what was acknowledged before is safe")


def write_log(error: BaseException) -> str:
    """Keep the traceback where the person can find it: GITMEM_HOME, else ~/.gitmem, else the temp folder."""
    import tempfile  # a bug pays for these, nobody else
    import time
    import traceback

    from gitmem import __version__

    text = f"gitmem {__version__}, Python {sys.version}\n" + "".join(traceback.format_exception(error))
    name = f"gitmem-error-{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{os.getpid()}.log"
    home = os.environ.get("GITMEM_HOME") or os.path.expanduser("~/.gitmem")
    for folder in (home, tempfile.gettempdir()):
        path = os.path.join(folder, name)
        try:
            if os.path.isdir(folder):
                with open(path, "w", encoding="utf-8", errors="replace") as file:
                    file.write(text)
                return path
        except OSError:
            continue
    return os.devnull
