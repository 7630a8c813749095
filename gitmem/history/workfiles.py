"""The files of a folder that a first commit would hold, as ``git add --all`` would choose them; what it ignores."""

from __future__ import annotations

import os

from dulwich.ignore import IgnoreFilter, IgnoreFilterManager

from gitmem.dataclass import dataclass, field
from gitmem.history.config import is_true, person_files, read_config

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gitmem.history.repo import Repo

MAX_FILE_BYTES = 50 * 1024 * 1024  # of one file that is no memory; git hosts warn from here on
RULES = ".gitignore"


@dataclass(slots=True)
class WorkFiles:
    """Paths to commit, and what is left out for a reason that should be said.

    left_out: (path, why); what .gitignore names is left out in silence, as git does
    """

    paths: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)


def work_files(repo: Repo, environ: Mapping[str, str]) -> WorkFiles:
    """Every file of the work tree but git's and gitmem's own folders: posix paths, sorted.

    Honours each .gitignore, .git/info/exclude and the person's own excludes file.  Nested repositories are left out,
    as are files over MAX_FILE_BYTES and what cannot be read: that alone, and nothing beside it.
    """
    found = WorkFiles()
    ignored = _rules(repo, environ)
    waiting = [""] if _shows_rules(found, repo.root, "") else []
    while waiting:
        folder = waiting.pop()
        try:
            with os.scandir(os.path.join(repo.root, folder)) as there:
                entries = list(there)
        except OSError as error:
            found.left_out.append((folder or ".", f"cannot be read: {error.strerror}"))
            continue
        for entry in entries:
            path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                waiting += _look(found, ignored, entry, path)
            except FileNotFoundError:
                continue  # gone since the folder was read
            except OSError as error:
                found.left_out.append((path, f"cannot be read: {error.strerror}"))
    found.paths.sort()
    found.left_out.sort()
    return found


def ignored_among(repo: Repo, environ: Mapping[str, str], paths: Iterable[str]) -> list[str]:
    """Those of ``paths`` that git was told to leave alone, as ``git add`` would refuse them without ``--force``.

    A file below a .gitignore that cannot be read is among them: nobody knows what that one names.
    """
    ignored = _rules(repo, environ)
    return [path for path in paths if _is_ignored(ignored, path)]


def _is_ignored(ignored: IgnoreFilterManager, path: str) -> bool:
    try:
        return bool(ignored.is_ignored(path))
    except OSError:
        return True


def _shows_rules(found: WorkFiles, full: str, folder: str) -> bool:
    """False, and said, where a folder's .gitignore is kept from us: then nothing of the folder is taken."""
    rules = os.path.join(full, RULES)
    if not os.path.isfile(rules) or os.access(rules, os.R_OK):
        return True
    path = f"{folder}/{RULES}" if folder else RULES
    found.left_out.append((path, "may not be read, so nobody knows what git is to ignore beside it"))
    return False


def _look(found: WorkFiles, ignored: IgnoreFilterManager, entry: os.DirEntry[str], path: str) -> list[str]:
    """Take one file, or give the folder that is to be looked through.  raises: OSError"""
    if entry.name.lower() == ".git" or path == ".gitmem" or path.startswith(".git-"):
        return []
    if not entry.is_dir(follow_symlinks=False):
        if not ignored.is_ignored(path):
            _take(found, entry, path)
    elif os.path.lexists(os.path.join(entry.path, ".git")):
        found.left_out.append((path, "is a git repository of its own"))
    elif _shows_rules(found, entry.path, path) and not ignored.may_prune_directory(path + "/"):
        return [path]
    return []


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


def _rules(repo: Repo, environ: Mapping[str, str]) -> IgnoreFilterManager:
    filters = [IgnoreFilter.from_path(path) for path in _excludes(repo, environ) if os.access(path, os.R_OK)]
    return IgnoreFilterManager(repo.root, filters, ignorecase=is_true(repo.config, "core.ignorecase", False))


def _excludes(repo: Repo, environ: Mapping[str, str]) -> list[str]:
    """The excludes files of the repository and of the person, as git finds them; not each is there."""
    home = environ.get("HOME") or os.path.expanduser("~")
    default = os.path.join(environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), "git", "ignore")
    files = [read_config(file) for file in person_files(environ)]
    named = [value for config in (*files, repo.config) for value in config.get("core.excludesfile", [])]
    found = [os.path.join(repo.git.common, "info", "exclude"), os.path.expanduser(named[-1]) if named else default]
    return [path for path in found if os.path.isfile(path)]
