"""The merge of a sync for plain ``git merge`` and ``git pull``: put into one clone's git folder, and taken out again.

Two places: the driver in git's ``config``, and the line that names it in ``info/attributes``, which is no file of the
store.  Taken out, both are to the byte what they were.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from gitmem.history.config import parse_config
from gitmem.history.remote_config import (
    DRIVER,
    DRIVER_COMMAND,
    MERGE_ATTRIBUTE,
    configure_merge_driver,
    edit_config,
    without_keys,
)
from gitmem.store.gitdir import GitDir, find_git_dir
from gitmem.store.paths import git_in

INSTALLED, EDITED, MISSING = "installed", "edited", "missing"
BLOCK = f"# gitmem merges memories by meaning; `gitmem hooks remove` takes this out.\n{MERGE_ATTRIBUTE}\n"
KEYS = ("name", "driver")


def driver_state(root: str) -> str:
    """How the driver stands in the repository at ``root``: "installed", "edited" or "missing"; "" where none merges."""
    git = find_git_dir(root)
    if git is None:
        return ""
    command = parse_config(_read(_config(git))).get(f"merge.{DRIVER}.driver", [""])[-1]
    if not command or not _is_named(root, git):
        return MISSING
    return INSTALLED if command == DRIVER_COMMAND else EDITED


def put_in_driver(root: str) -> bool:
    """Let plain git merge memories as ``sync`` does; whether anything changed.  A driver of the person's own stays.

    raises: RepositoryBusy, OSError
    """
    git = find_git_dir(root)
    if git is None or driver_state(root) != MISSING:
        return False
    if not parse_config(_read(_config(git))).get(f"merge.{DRIVER}.driver"):
        configure_merge_driver(root)
    if not _is_named(root, git):
        _edit(_attributes(git), lambda text: with_block(text, BLOCK))
    return True


def take_out_driver(root: str) -> list[str]:
    """Take out what ``put_in_driver`` put in.

    returns: a sentence about a driver that was edited since and stays, else none
    raises:  RepositoryBusy, OSError
    """
    git = find_git_dir(root)
    if git is None:
        return []
    ours = BLOCK.removesuffix("\n") in _read(_attributes(git))
    command = parse_config(_read(_config(git))).get(f"merge.{DRIVER}.driver", [""])[-1]
    if command not in ("", DRIVER_COMMAND):
        said = f"merge.{DRIVER}.driver was edited since gitmem put it in, and stays: "
        return [said + git_in(root, f"config --remove-section merge.{DRIVER}")] if ours else []
    if command:
        edit_config(git, _without_driver)
    if ours:
        _edit(_attributes(git), lambda text: without_block(text, BLOCK))
    return []


def with_block(text: str, block: str) -> str:
    """``text`` with ``block`` at its end, which ends without a line end where ``text`` did."""
    return text + block if not text or text.endswith("\n") else f"{text}\n{block[:-1]}"


def without_block(text: str, block: str) -> str:
    """``text`` before ``with_block``, and with what was added below since."""
    if text.endswith("\n" + block[:-1]):
        return text[: -len(block)]
    at = 0 if text.startswith(block) else text.find("\n" + block) + 1
    return text[:at] + text[at + len(block) :] if text.startswith(block, at) else text


def _without_driver(text: str) -> str:
    return without_keys(text, "merge", DRIVER, KEYS)


def _is_named(root: str, git: GitDir) -> bool:
    """Whether an attribute says that memories are merged by the driver."""
    texts = (_read(_attributes(git)), _read(Path(root, ".gitattributes")))
    return any(line.strip() == MERGE_ATTRIBUTE for text in texts for line in text.splitlines())


def _config(git: GitDir) -> Path:
    return Path(git.common, "config")


def _attributes(git: GitDir) -> Path:
    return Path(git.common, "info", "attributes")


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return ""


def _edit(path: Path, edit: Callable[[str], str]) -> None:
    """Temp and rename; a file that is left with nothing goes, as gitmem made it."""
    path = path.resolve()  # a link stays one
    text = edit(_read(path))
    if not text:
        path.unlink(missing_ok=True)
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
        return
    path.parent.mkdir(exist_ok=True)
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.gitmem-")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
