"""What a writer saw before it decided: HEAD, the index, and the work files it read.

Everything seen is checked again under git's locks; if a person or another program changed any of it meanwhile,
``Moved`` is raised and the writer looks anew.
"""

from __future__ import annotations

import os
import stat

from gitmem.errors import BadName
from gitmem.history.commit import Identity
from gitmem.history.config import is_true
from gitmem.history.gitindex import CannotPatch, GitIndex, index_key, read_index
from gitmem.history.hold import LockFile
from gitmem.history.identity import people, person_config
from gitmem.history.journal import Inflight, Recent, forget_inflight, load_recent
from gitmem.history.objects import remove
from gitmem.history.refs import final_ref, ref_path
from gitmem.history.repo import Repo, check_writable
from gitmem.history.tree import FILES, FOLDER, LINK, encode, tree_get
from gitmem.store.paths import join, state, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.history.attributes import Attributes

READ_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Moved(Exception):
    """Somebody changed the branch, the index or a work file since it was looked at; nothing was published."""


class Seen:
    """A work file as read: its bytes, its mode bits and what tells that it was replaced or written to."""

    __slots__ = ("data", "key", "mode")

    def __init__(self, data: bytes, found: os.stat_result) -> None:
        self.data, self.mode, self.key = data, stat.S_IMODE(found.st_mode), file_key(found)


def file_key(found: os.stat_result) -> tuple[int, int, int]:
    """What changes when a file is replaced or written to; a new hard link leaves it as it is."""
    return found.st_ino, found.st_mtime_ns, found.st_size


class View:
    """The state one attempt to write starts from.

    ref, head: the branch, and its commit ("" before the first)
    tree:      the commit's tree, "" before the first
    environ:   handed to git's own program where that has to change the index
    filemode:  whether this file system tells programs from other files
    """

    def __init__(self, repo: Repo, environ: Mapping[str, str]) -> None:
        self.repo, self.environ = repo, environ
        self.filemode = is_true(repo.config, "core.filemode", True)
        self.index_path = os.path.join(repo.git.path, "index")
        self.look()
        self.seen: dict[str, Seen | None] = {}
        self._index: GitIndex | None = None
        self._people: tuple[Identity, Identity] | None = None
        self._autocrlf: bool | None = None
        self._attributes: Attributes | None = None
        self._recent: Recent | None = None
        self.held: LockFile | None = None
        self._left: Inflight | None = None

    def hold(self, left: Inflight | None) -> None:
        """Take git's index lock before anything is worked out, so that nobody can commit in between.

        For the attempts after the first few: a person or a program that commits without a pause would otherwise
        always be faster.  Call ``release`` at the end.
        left: an interrupted write that is being completed; its journal then names the lock too
        """
        folder = state(self.repo.git.path)
        os.makedirs(folder, exist_ok=True)
        lock = LockFile(self.index_path, os.path.join(folder, "tmp-lock-0"))
        try:
            journal = left or Inflight(self.ref, self.head, self.head)
            journal.locks = [(lock.inode, lock.lock)]
            journal.save(self.repo.git.path)
            lock.take()
            self.held, self._left = lock, left
        finally:
            if self.held is None:
                self._let_go(lock, left)
        self.look()

    def release(self) -> None:
        """Let go of the lock ``hold`` took, unless a publication has used it up."""
        if self.held is not None:
            self._let_go(self.held, self._left)
            self.held = None

    def _let_go(self, lock: LockFile, left: Inflight | None) -> None:
        """The journal stops naming the lock while its inode is still taken: it must never name another program's."""
        lock.release()
        if left is None:
            forget_inflight(self.repo.git.path)
        else:
            left.locks = []
            left.save(self.repo.git.path)
        remove(lock.temp)

    def recent(self) -> Recent:
        """The last acknowledged writes."""
        if self._recent is None:
            self._recent = load_recent(self.repo.git.path)
        return self._recent

    def look(self) -> None:
        """See where the branch and the index are now; raises RepositoryBusy."""
        self.ref = check_writable(self.repo)
        self.head = self.repo.head()[1]
        self.tree = self.repo.commit(self.head).tree if self.head else ""
        self.index_key = index_key(self.index_path)

    def people(self) -> tuple[Identity, Identity]:
        """The person as author and as committer; gitmem's own identity where git was told none."""
        if self._people is None:
            self._people = people(self.repo.git, self.environ)
        return self._people

    def autocrlf(self) -> bool:
        """Whether the person's git turns CRLF into LF (core.autocrlf is true or input)."""
        if self._autocrlf is None:
            value = person_config(self.repo.git, self.environ).get("core.autocrlf", ["false"])[-1].lower()
            self._autocrlf = value in ("true", "yes", "on", "1", "input", "")
        return self._autocrlf

    def attributes(self) -> Attributes:
        """What .gitattributes and the like say."""
        if self._attributes is None:
            from gitmem.history.attributes import Attributes  # few files have CRLF

            self._attributes = Attributes(self.repo, self.environ)
        return self._attributes

    def index(self) -> GitIndex:
        """git's index; raises CannotPatch, and Moved when it was written since the view began."""
        if self._index is None:
            self._index = read_index(self.index_path)
            if self._index.key != self.index_key:
                raise Moved
        return self._index

    def read(self, path: str) -> bytes | None:
        """The bytes of a work file, None when there is none; raises BadName for anything but a plain file."""
        if path not in self.seen:
            self.seen[path] = look(self.repo.root, path)
        found = self.seen[path]
        return found.data if found else None

    def committed(self, path: str) -> tuple[int, str] | None:
        """Mode and blob id of ``path`` at HEAD.

        raises: BadName when the last commit has a folder, link or submodule there
        """
        found = tree_get(self.repo.objects, self.tree, path) if self.tree else None
        if found is not None and found[0] not in FILES:
            kind = {FOLDER: "folder", LINK: "symbolic link"}.get(found[0], "submodule")
            raise BadName(f"{path} is a {kind} in the last commit, so it cannot be a memory")
        return found

    def staged(self, path: str) -> tuple[int, str] | None:
        """Mode and blob id staged for ``path``, None when nothing is; HEAD's when only git can read this index."""
        try:
            return self.index().staged(encode(path))
        except CannotPatch:
            return self.committed(path)

    def keeps_out(self, path: str) -> bool:
        """Whether git was told to keep the file out of the folder (sparse checkout)."""
        try:
            return self.index().keeps_out(encode(path))
        except CannotPatch:
            return False

    @property
    def knows_staged(self) -> bool:
        """Whether ``staged`` can say what is staged, and not only git's own program."""
        try:
            self.index()
        except CannotPatch:
            return False
        return True

    def check(self) -> None:
        """Raise Moved unless HEAD, the index and every file that was read are as they were seen."""
        if self.repo.head() != (self.ref, self.head) or index_key(self.index_path) != self.index_key:
            raise Moved
        for path, seen in self.seen.items():
            try:
                now = file_key(os.lstat(join(self.repo.root, path)))
            except (FileNotFoundError, NotADirectoryError):
                now = None
            if now != (seen.key if seen else None):
                raise Moved

    @property
    def ref_path(self) -> str:
        return ref_path(self.repo.git, final_ref(self.repo.git, self.ref))


def look(root: str, path: str) -> Seen | None:
    """Read a work file without following a link anywhere on its way.

    raises: BadName for a link, a folder, or anything else that is no plain file
    """
    above = path.split("/")[:-1]
    for depth in range(1, len(above) + 1):
        part = "/".join(above[:depth])
        try:
            mode = os.lstat(join(root, part)).st_mode
        except FileNotFoundError:
            return None
        if stat.S_ISLNK(mode):
            raise BadName(f"{part} is a symbolic link; gitmem neither reads nor writes through links")
        if not stat.S_ISDIR(mode):
            raise BadName(f"{part} is a file, so nothing can be put inside it")
    full = join(root, path)
    try:
        mode = os.lstat(full).st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISLNK(mode):
        hint = f"replace the link {typed(full)} by a file"
        raise BadName(f"{path} is a symbolic link; a memory is a plain file", hint=hint)
    if not stat.S_ISREG(mode):
        raise BadName(f"{path} is a folder or a device; a memory is a plain file")
    fd = os.open(full, READ_FLAGS)
    try:
        found = os.fstat(fd)
        pieces = []
        while piece := os.read(fd, 1 << 20):
            pieces.append(piece)
    finally:
        os.close(fd)
    return Seen(b"".join(pieces), found)
