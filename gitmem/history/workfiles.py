"""The files of a folder that a first commit would hold, as ``git add --all`` would choose them."""

from __future__ import annotations

import os

from dulwich.ignore import IgnoreFilter, IgnoreFilterManager

from gitmem.dataclass import dataclass, field
from gitmem.history.config import person_files, read_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_FILE_BYTES = 50 * 1024 * 1024  # of one file that is no memory; git hosts warn from here on


@dataclass(slots=True)
class WorkFiles:
    """Paths to commit, and what is left out for a reason that should be said.

    left_out: (path, why); what .gitignore names is left out in silence, as git does
    """

    paths: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)


def work_files(root: str, environ: Mapping[str, str]) -> WorkFiles:
    """Every file below ``root`` but git's and gitmem's own folders: posix paths, sorted.

    Honours each .gitignore, .git/info/exclude and the person's own excludes file.  Nested repositories are left out,
    as are files over MAX_FILE_BYTES and what cannot be read.
    """
    found = WorkFiles()
    filters = [IgnoreFilter.from_path(path) for path in _excludes(root, environ) if os.path.isfile(path)]
    ignored = IgnoreFilterManager(root, filters, ignorecase=False)
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                for entry in entries:
                    path = f"{folder}/{entry.name}" if folder else entry.name
                    if entry.name.lower() == ".git" or path == ".gitmem" or path.startswith(".git-"):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        if os.path.lexists(os.path.join(entry.path, ".git")):
                            found.left_out.append((path, "is a git repository of its own"))
                        elif not ignored.may_prune_directory(path + "/"):
                            waiting.append(path)
                    elif not ignored.is_ignored(path):
                        _take(found, entry, path)
        except OSError as error:
            found.left_out.append((folder, f"cannot be read: {error.strerror}"))
    found.paths.sort()
    found.left_out.sort()
    return found


def _take(found: WorkFiles, entry: os.DirEntry[str], path: str) -> None:
    if entry.is_symlink():
        found.paths.append(path)
    elif not entry.is_file():
        found.left_out.append((path, "is a device or a pipe"))
    elif entry.stat().st_size > MAX_FILE_BYTES:
        found.left_out.append((path, f"has {entry.stat().st_size >> 20} MB, more than git hosts take"))
    elif not os.access(entry.path, os.R_OK):
        found.left_out.append((path, "may not be read"))
    else:
        found.paths.append(path)


def _excludes(root: str, environ: Mapping[str, str]) -> list[str]:
    """The excludes files of the repository and of the person, as git finds them."""
    home = environ.get("HOME") or os.path.expanduser("~")
    default = os.path.join(environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git", "ignore")
    named = [value for file in person_files(environ) for value in read_config(file).get("core.excludesfile", [])]
    own = os.path.join(root, ".git", "info", "exclude")
    return [own, os.path.expanduser(named[-1]) if named else default]
