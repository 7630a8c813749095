"""The git folder of a store and what HEAD is, read as text.

The hook cannot pay for dulwich (44 ms), so the two questions it has are answered
here: which folder, which commit.  Never writes.
Hot: the cheap set only.
"""

from __future__ import annotations

import os

from gitmem.errors import RepositoryDamaged
from gitmem.store.paths import git_in, typed

_MAX_SMALL = 4096  # bytes of HEAD, a loose ref, a .git file
_MAX_HOPS = 5  # symbolic refs followed, as git does
_HEX = frozenset("0123456789abcdef")
_REPAIR = "in the repository this worktree or submodule belongs to: git worktree repair"
_PER_WORKTREE = ("refs/bisect/", "refs/worktree/", "refs/rewritten/")


class GitDir:
    """A repository's folder, and the one its worktrees share.

    path:   holds HEAD and the index of this worktree, absolute
    common: holds objects, branches and gitmem's state, absolute; the same as ``path`` but for linked worktrees
    """

    __slots__ = ("common", "path")

    def __init__(self, path: str, common: str) -> None:
        self.path, self.common = path, common

    def __repr__(self) -> str:
        return f"GitDir({self.path!r}, {self.common!r})"


def find_git_dir(root: str) -> GitDir | None:
    """The repository whose worktree begins at ``root``; None when there is none.

    A ``.git`` file (linked worktree, submodule, ``--separate-git-dir``) is followed.
    raises: RepositoryDamaged when ``.git`` is there but leads nowhere
    """
    path = os.path.join(os.path.abspath(root), ".git")
    if not os.path.isdir(path):
        text = _read(path)
        if text is None:
            return None
        path = _linked(path, text)
    elif not os.path.exists(os.path.join(path, "HEAD")) and not os.path.isdir(os.path.join(path, "objects")):
        return None  # an empty folder is no repository; git says the same
    shared = _read(os.path.join(path, "commondir"))
    if shared is None:
        return GitDir(path, path)
    common = os.path.normpath(os.path.join(path, shared.strip()))
    if not shared.strip() or "\0" in shared or not os.path.isdir(common):
        raise RepositoryDamaged(f"{os.path.join(path, 'commondir')} does not name a folder", hint=_REPAIR)
    return GitDir(path, common)


def head(git: GitDir) -> tuple[str, str]:
    """What HEAD names: ``(ref, commit)``.

    ref:     full name such as ``refs/heads/main``, "" when HEAD is detached
    commit:  hex id, "" when the branch has no commit yet
    raises:  RepositoryDamaged naming the file that cannot be understood
    """
    path = os.path.join(git.path, "HEAD")
    text = _read(path)
    if text is None:
        raise RepositoryDamaged(f"{path} is missing", hint=_head_again(git))
    name = _symbolic(text)
    if not name:
        commit = _commit(text, path, git)
        name = _link(path)  # HEAD as a symbolic link, as git made it before 2006
        if not name:
            return "", commit
    _check_ref(name, path, git)
    return name, _resolve(git, name)


def is_ref_name(name: str) -> bool:
    """Whether ``name`` is a ref git would make; such a name never leads out of the git folder."""
    if not name.startswith("refs/") or name.endswith(("/", ".")) or ".." in name or "@{" in name:
        return False
    if any(mark < "!" or mark in '~^:?*[\\\x7f<>|"' for mark in name):
        return False
    return all(part and part[0] != "." and not part.endswith(".lock") for part in name.split("/"))


def _resolve(git: GitDir, name: str) -> str:
    for _ in range(_MAX_HOPS):
        base = git.path if name.startswith(_PER_WORKTREE) else git.common
        path = os.path.join(base, *name.split("/"))
        text = _read(path)
        if text is None:
            return _packed(git, name)
        target = _symbolic(text)
        if not target:
            return _commit(text, path, git)
        _check_ref(target, path, git)
        name = target
    raise RepositoryDamaged(
        f"{name} is one of a ring of symbolic refs", hint=git_in(git.path, "symbolic-ref HEAD refs/heads/main")
    )


def _packed(git: GitDir, name: str) -> str:
    """The commit of ``name`` in packed-refs, "" when it is not there."""
    path = os.path.join(git.common, "packed-refs")
    try:
        with open(path, "rb") as file:
            lines = b"\n" + file.read().replace(b"\r\n", b"\n") + b"\n"
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise RepositoryDamaged(f"{path} cannot be read: {error.strerror}", hint=f"ls -l {typed(path)}") from error
    end = lines.find(b" " + name.encode("utf-8", "surrogateescape") + b"\n")
    if end < 0:
        return ""
    start = lines.rfind(b"\n", 0, end) + 1
    return _commit(lines[start:end].decode("latin-1"), path, git)


def _linked(path: str, text: str) -> str:
    """The folder a ``.git`` file names; relative ones count from the file's folder."""
    mark, _, target = text.partition(":")
    target = target.strip()
    if mark.strip() != "gitdir" or not target or "\0" in target:
        raise RepositoryDamaged(f"{path} is a file but does not begin with 'gitdir: '", hint=_REPAIR)
    folder = os.path.normpath(os.path.join(os.path.dirname(path), target))
    if not os.path.isdir(folder):
        raise RepositoryDamaged(
            f"{path} names {_shown(target)}, which is not there; the repository was moved or removed",
            hint=_REPAIR,
        )
    return folder


def _symbolic(text: str) -> str:
    """The target of ``ref: refs/heads/main``, "" for anything else."""
    return text[4:].strip() if text.startswith("ref:") else ""


def _link(path: str) -> str:
    try:
        target = os.readlink(path)
    except (OSError, ValueError):
        return ""
    return target if target.startswith("refs/") else ""


def _commit(text: str, path: str, git: GitDir) -> str:
    commit = text.strip().lower()
    if len(commit) not in (40, 64) or not _HEX.issuperset(commit):
        is_head = path == os.path.join(git.path, "HEAD")
        hint = _head_again(git) if is_head else _last_known(path, git)
        raise RepositoryDamaged(f"{path} does not hold a commit id", hint=hint)
    return commit


def _head_again(git: GitDir) -> str:
    """The command that makes HEAD name a branch that is there; without HEAD git itself sees no repository."""
    try:
        names = sorted(os.listdir(os.path.join(git.common, "refs", "heads")))
    except OSError:
        names = []
    best = next((name for name in ("main", "master", *names) if name in names), "main")
    return f"echo {typed(f'ref: refs/heads/{best}')} > {typed(os.path.join(git.path, 'HEAD'))}"


def _last_known(path: str, git: GitDir) -> str:
    """The command that gives a ref back the last commit its reflog names; else the one that looks for commits."""
    log = os.path.join(git.common, "logs", os.path.relpath(path, git.common))
    try:
        with open(log, "rb") as file:
            commit = file.read().rstrip(b"\n").rpartition(b"\n")[2][41:81].decode("latin-1")
    except OSError:
        commit = ""
    if len(commit) == 40 and _HEX.issuperset(commit):
        return f"echo {commit} > {typed(path)}   (the last commit its reflog names)"
    return git_in(git.path, "fsck --lost-found") + f"   (names commits; {path} wants the newest one's id)"


def _check_ref(name: str, path: str, git: GitDir) -> None:
    if is_ref_name(name):
        return
    if os.path.isdir(os.path.join(git.common, "reftable")):
        raise RepositoryDamaged(
            f"{git.common} keeps its refs in the reftable format, which gitmem does not read",
            hint=git_in(git.common, "refs migrate --ref-format=files"),
        )
    raise RepositoryDamaged(
        f"{path} names {_shown(name)}, which is no ref", hint=git_in(git.path, "symbolic-ref HEAD refs/heads/main")
    )


def _read(path: str) -> str | None:
    """The start of a small text file; None when it is not there or is a folder."""
    try:
        with open(path, "rb") as file:
            return file.read(_MAX_SMALL).decode("utf-8", "surrogateescape")
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None
    except OSError as error:
        if os.path.isdir(path):  # Windows says "permission denied" for a folder
            return None
        raise RepositoryDamaged(f"{path} cannot be read: {error.strerror}") from error


def _shown(text: str) -> str:
    """Foreign text short and printable, for a sentence."""
    return ascii(text[:200]) if not text.isprintable() else f"'{text[:200]}'"
