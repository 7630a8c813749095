"""The hooks that stood where gitmem's stand now: kept under their own names in a folder beside, and run from there.

A hook may go by its own name and by what lies around it: husky's takes both from ``$0``.  So the kept ones have a
folder of their own next to the folder of hooks, at the same depth, and all else of that one is linked into it.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

BESIDE = "-before-gitmem"  # hooks-before-gitmem/pre-commit beside hooks/pre-commit
OLD_END = ".before-gitmem"  # up to hook ID 2: hooks/pre-commit.before-gitmem, which no longer had its name
_IGNORE = ".gitignore"


def kept_folder(folder: Path) -> Path:
    """Where the earlier hooks of ``folder`` are kept; there need not be any."""
    real = folder.resolve()
    return real.with_name(real.name + BESIDE)


def kept_hook(folder: Path, name: str) -> str:
    """The earlier hook ``name``, where it is kept now; "" when there is none."""
    for path in (kept_folder(folder) / name, folder / f"{name}{OLD_END}"):
        if os.path.lexists(path):
            return str(path)
    return ""


def keep_hook(folder: Path, name: str, path: str) -> None:
    """Move the hook ``name``, which stands at ``path``, to where the scripts run it first."""
    kept_folder(folder).mkdir(exist_ok=True)
    os.rename(path, kept_folder(folder) / name)  # noqa: PTH104 - a link is renamed, not what it names


def link_rest(folder: Path, hooks: Collection[str], *, hidden: bool) -> None:
    """Let the kept hooks find beside them what they found: everything in ``folder`` but ``hooks``.

    hidden: whether git is to overlook the kept hooks, as files of the working tree
    """
    kept = kept_folder(folder)
    if not kept.is_dir():
        return
    for path in folder.iterdir():
        if path.name in (*hooks, _IGNORE) or path.name.endswith((OLD_END, ".sample")):
            continue
        if not os.path.lexists(kept / path.name):
            _link(kept / path.name, path)
    if hidden and not os.path.lexists(kept / _IGNORE):
        (kept / _IGNORE).write_text("*\n", encoding="utf-8")


def clear_kept(folder: Path) -> None:
    """Take out what ``link_rest`` made, when no hook is kept any more."""
    kept = kept_folder(folder)
    if not kept.is_dir() or kept.is_symlink():
        return
    ours = [path for path in kept.iterdir() if _is_ours(path, folder)]
    if len(ours) == len(list(kept.iterdir())):
        for path in ours:
            path.unlink()
        kept.rmdir()


def _link(link: Path, path: Path) -> None:
    try:
        link.symlink_to(_beside(path), path.is_dir())
    except OSError:  # a system that lets nobody make links
        if path.is_file():
            with suppress(OSError):
                shutil.copy2(path, link)


def _beside(path: Path) -> str:
    return f"../{path.parent.resolve().name}/{path.name}"


def _is_ours(path: Path, folder: Path) -> bool:
    if path.is_symlink():
        return str(path.readlink()) == _beside(folder / path.name)
    if path.name == _IGNORE:
        return path.read_bytes() == b"*\n"
    other = folder / path.name
    return path.is_file() and other.is_file() and path.read_bytes() == other.read_bytes()
