"""The store as it was at a commit, laid out so that search, recall and why work on it unchanged.

    .git/gitmem/at/<commit>/store/        the memories, and a .git file that names the folder below
    .git/gitmem/at/<commit>/git/          HEAD (detached), commondir, and in gitmem/ a search index of its own

git lists it nowhere, and it may be removed at any time.  What a tree says is not trusted: links are left out, and
a name that leads elsewhere is never written.
"""

from __future__ import annotations

import atexit
import errno
import os
import shutil
import tempfile

from gitmem.errors import GitmemError, StoreUnwritable
from gitmem.history.tree import FILES, tree_files
from gitmem.limits import MAX_DEPTH, MAX_MEMORY_BYTES
from gitmem.memory.name import check_inside
from gitmem.store.paths import CONFIG_FILE, TOP_FOLDERS_LEFT_OUT, join, past_stores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.history.repo import Repo

KEPT = 2  # stores as they were; the least recently asked one gives way
UNFINISHED = "tmp-"
UNFINISHED_S = 3600  # a folder that a killed process left is removed after this
FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", -1), errno.EROFS)
READ_ONLY = (errno.EACCES, errno.EPERM, errno.EROFS)
NEW_FILE = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class PastStore:
    """A store as it was.

    root:     its folder, for the functions that take a store
    left_out: memories whose names cannot be written here
    """

    __slots__ = ("left_out", "root")

    def __init__(self, root: str, left_out: Sequence[str] = ()) -> None:
        self.root, self.left_out = root, tuple(left_out)


def past_store(repo: Repo, commit: str, when: int, progress: Callable[[int, int], None] | None = None) -> PastStore:
    """The store as ``commit`` has it; the next question about the same commit finds it ready.

    when:     now, UTC unix seconds: how long ago a killed process left its folder
    progress: called with (done, total) files
    raises:   StoreUnwritable when there is no place for it, RepositoryDamaged

    In a repository that may only be read it stands in the system's folder for such things until this process ends.
    """
    stores = past_stores(repo.git.common)
    final = os.path.join(stores, commit)
    root = os.path.join(final, "store")
    if os.path.isdir(root) and os.access(final, os.W_OK):
        os.utime(final)
        return PastStore(root)
    try:
        os.makedirs(stores, exist_ok=True)
        temp = tempfile.mkdtemp(prefix=UNFINISHED, dir=stores)
    except OSError as error:
        if error.errno in READ_ONLY:
            return _for_once(repo, commit, progress)
        raise
    try:
        left_out = _lay_out(repo, commit, temp, progress)
        os.rename(temp, final)
    except OSError:
        if not os.path.isdir(root):  # else another process was faster
            raise
        left_out = []
    finally:
        shutil.rmtree(temp, ignore_errors=True)
    _forget_old(stores, commit, when)
    return PastStore(root, left_out)


def _for_once(repo: Repo, commit: str, progress: Callable[[int, int], None] | None) -> PastStore:
    try:
        temp = tempfile.mkdtemp(prefix="gitmem-at-")
        atexit.register(shutil.rmtree, temp, ignore_errors=True)
        left_out = _lay_out(repo, commit, temp, progress)
    except OSError as error:
        raise StoreUnwritable(
            f"the store as it was cannot be laid out to be looked at: you may not write "
            f"{past_stores(repo.git.common)}, nor the folder for temporary files ({error.strerror})",
            hint="name a folder that can be written: TMPDIR=FOLDER gitmem ...",
        ) from error
    return PastStore(os.path.join(temp, "store"), left_out)


def _lay_out(repo: Repo, commit: str, folder: str, progress: Callable[[int, int], None] | None) -> list[str]:
    store, git = os.path.join(folder, "store"), os.path.join(folder, "git")
    os.mkdir(store)
    os.mkdir(git)
    _write(os.path.join(git, "HEAD"), f"{commit}\n".encode())
    within = os.path.dirname(folder) == past_stores(repo.git.common)
    _write(
        os.path.join(git, "commondir"),
        b"../../../..\n" if within else os.fsencode(os.path.abspath(repo.git.common)) + b"\n",
    )
    _write(os.path.join(store, ".git"), b"gitdir: ../git\n")
    files = [(path, blob) for path, (mode, blob) in tree_files(repo, commit).items() if _is_wanted(path, mode)]
    left_out, made = [], {store}
    for done, (path, blob) in enumerate(files, 1):
        if not _put(store, path, repo.objects.read(blob, "blob"), made):
            left_out.append(path)
        if progress is not None and (done % 64 == 0 or done == len(files)):
            progress(done, len(files))
    return left_out


def _is_wanted(path: str, mode: int) -> bool:
    """Whether a file is a memory, or the settings; what recall would pass over is not laid out."""
    if mode not in FILES:
        return False
    parts = path.split("/")
    if path == CONFIG_FILE:
        return True
    return (
        path[-3:].lower() == ".md"
        and parts[0].lower() not in TOP_FOLDERS_LEFT_OUT
        and len(parts) <= MAX_DEPTH + 1
        and not any(part.startswith(".") for part in parts)
    )


def _put(store: str, path: str, data: bytes, made: set[str]) -> bool:
    """Write one file into a folder that is ours alone; False when its name leads out, or this system cannot hold it."""
    if len(data) > MAX_MEMORY_BYTES:
        return True  # no memory by its size, now as then
    try:
        check_inside(path)
        full = join(store, path)
        folder = os.path.dirname(full)
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        _write(full, data)
    except (GitmemError, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in FULL:
            raise
        return False
    return True


def _write(path: str, data: bytes) -> None:
    with open(os.open(path, NEW_FILE, 0o600), "wb") as file:
        file.write(data)


def _forget_old(stores: str, newest: str, when: int) -> None:
    """Remove what was asked for before the last KEPT, and what killed processes left."""
    ages: list[tuple[float, str]] = []
    for name in os.listdir(stores):
        try:
            ages.append((os.stat(os.path.join(stores, name)).st_mtime, name))
        except OSError:
            continue
    ready = sorted(((age, name) for age, name in ages if not name.startswith(UNFINISHED)), reverse=True)
    old = [name for _, name in ready if name != newest][KEPT - 1 :]
    old += [name for age, name in ages if name.startswith(UNFINISHED) and age < when - UNFINISHED_S]
    for name in old:
        shutil.rmtree(os.path.join(stores, name), ignore_errors=True)
