"""Every error as one sentence, what to type next, and an exit code; never a traceback on the screen.

Loaded by cli/quick.py, so without what a plain ``remember`` need not pay for.
"""
# ruff: noqa: PTH110, PTH111, PTH112, PTH118, PTH123

from __future__ import annotations

import errno
import os
import sys

from gitmem.cli.door import Door, NobodyReads, colourful
from gitmem.errors import GitmemError, IndexUnusable, Refused, Stale, StoreUnwritable, Unprinted
from gitmem.store.paths import typed

FORBIDDEN = (errno.EACCES, errno.EPERM)
UNWRITABLE = {  # what it says of a disk, and what to do
    errno.ENOSPC: ("the disk is full", "free some space, then try again"),
    getattr(errno, "EDQUOT", -1): ("the disk quota is used up", "free some space or raise the quota, then try again"),
    errno.EROFS: ("the disk is read-only", "mount it writable"),
    **dict.fromkeys(FORBIDDEN, ("permission was denied", "")),
}
MAX_LINE_CHARS = 200  # of a hint
STOPPED = 130  # what a shell reports of a program ended by Ctrl-C


def ready_streams() -> None:
    """What a caller may have done to the streams is no error.

    A memory may hold what a terminal's encoding cannot say: it is replaced there.  A stream that was closed leads
    nowhere, and no file of a store may come to stand at its number.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - open as long as the process
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            is_file = stream is sys.stdout and not stream.isatty()  # or a pipe: what is kept there is kept whole
            reconfigure(encoding="utf-8" if is_file else None, errors="replace")


def wants_json(words: list[str]) -> bool:
    """Whether ``--json`` is among the options."""
    return "--json" in (words[: words.index("--")] if "--" in words else words)


def store_named(words: list[str]) -> str | None:
    """The value of ``--store`` among the options."""
    rest = iter(words[: words.index("--")] if "--" in words else words)
    for word in rest:
        name, equals, value = word.partition("=")
        if name == "--store":
            return value if equals else next(rest, None)
    return None


def tell(error: BaseException, words: list[str]) -> int:
    """Say what went wrong, on stderr or as JSON on stdout; give the exit code."""
    if sys.stdout is None or sys.stderr is None:
        ready_streams()
    lost = not flushed()
    if isinstance(error, (BrokenPipeError, NobodyReads)):
        return 0
    if isinstance(error, KeyboardInterrupt):
        print("stopped; what was acknowledged before is saved", file=sys.stderr)
        return STOPPED
    if isinstance(error, OSError) and (lost or (error.filename is None and error.errno in UNWRITABLE)):
        error = Unprinted(f"the answer could not be printed ({error.strerror})")
    known = error if isinstance(error, GitmemError) else lacking(error) or unwritable(error)
    if known is None:
        known = GitmemError(f"gitmem itself failed; what happened is written in {write_log(error)}")
        known.exit_code, known.code = 3, "bug"
    kept = known.kept if isinstance(known, Refused) else ""
    door = Door(store_named(words), False)
    hint = door.named(known.hint)
    if wants_json(words) and not isinstance(known, Unprinted):
        import json  # only this answer needs it

        shape = {"code": known.code, "message": known.message, "hint": hint}
        if isinstance(known, Stale):
            shape["conflict"] = known.ref
        if printed(json.dumps({"error": shape | ({"kept": kept} if kept else {})}, ensure_ascii=False)):
            return known.exit_code
    label = "\x1b[31merror:\x1b[0m" if colourful(sys.stderr) else "error:"
    print(f"{label} {door.named(known.message)}", file=sys.stderr)
    if kept and kept not in known.message:
        print(f"  the refused text is kept in {kept}", file=sys.stderr)
    if hint:
        print(f"  hint: {broken(hint)}", file=sys.stderr)
    return known.exit_code


def broken(hint: str) -> str:
    """A long hint with its other ways on lines of their own: each stands behind three blanks, in brackets."""
    return hint.replace("   (", "\n        (") if len(hint) > MAX_LINE_CHARS else hint


def printed(text: str) -> bool:
    """Print a line; whether it left."""
    try:
        print(text)
    except OSError:
        return False
    return flushed()


def flushed() -> bool:
    """Whether all that was printed left; what cannot leave is dropped, so that Python does not try again at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def lacking(error: BaseException) -> GitmemError | None:
    """A module this Python does not have, as a sentence; None for any other error."""
    if isinstance(error, ImportError) and error.name in ("sqlite3", "_sqlite3"):
        return IndexUnusable(
            f"this Python has no sqlite3; memories cannot be searched without it ({sys.executable})",
            hint="install Python's sqlite3 module, or use a Python that has it, such as the one from python.org",
        )
    if not isinstance(error, ModuleNotFoundError) or not error.name or error.name.partition(".")[0] == "gitmem":
        return None
    return GitmemError(
        f"this Python has no module {error.name}, which gitmem needs ({sys.executable})",
        hint="pip install --force-reinstall gitmem-store",
    )


def unwritable(error: BaseException) -> StoreUnwritable | None:
    """An operating-system error that says something about the disk, as a sentence; else None."""
    if not isinstance(error, OSError) or error.errno not in UNWRITABLE:
        return None
    said, hint = UNWRITABLE[error.errno]
    path = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
    if path and error.errno in FORBIDDEN:
        is_read = os.path.exists(path) and not os.access(path, os.R_OK)
        said, hint = f"you may not {'read' if is_read else 'write'} {path}", f"ls -ld {typed(path)}"
    elif path:
        said += f" at {path}"
    return StoreUnwritable(f"{said}; what was acknowledged before is safe", hint=hint)


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
