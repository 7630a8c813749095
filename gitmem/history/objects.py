"""Read and write git objects in a repository's own object folder.

Loose objects are read by zlib alone; dulwich is imported at the first packed one, since that costs a cold
process 45 ms or more.  New objects are collected, then written together as git writes them: a ``tmp_obj_``
file in the fan-out folder, fsync, rename.  dulwich's own writer goes through ``<object>.lock``, which a killed
process leaves behind and which then blocks that content for ever.
"""

from __future__ import annotations

import os
import sys
import time
import zlib

from gitmem.errors import RepositoryDamaged
from gitmem.history.sync import sync_all
from gitmem.limits import PACK_FROM, YOUNG_LOCK_S

try:
    from _sha1 import sha1  # type: ignore[import-not-found]  # hashlib costs a cold process 5 ms
except ImportError:
    from hashlib import sha1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from gitmem.history.pack import Packs

    class Sha1(Protocol):
        def update(self, data: bytes | bytearray | memoryview, /) -> None: ...
        def digest(self) -> bytes: ...
        def hexdigest(self) -> str: ...


NO_ID = "0" * 40
CACHE_BYTES = 32 * 1024 * 1024  # of raw objects kept in one process
SMALL, BIG = 2048, 128 * 1024  # bytes from which a faster hash pays for its call, and for its import
READ_TRIES = 3  # a repack moves objects from loose to packed between two looks
WRITE_TRIES = 20  # a running gc removes an empty fan-out folder under a writer
RETRY_S = 0.005
OWN = "gitmem-"  # in the names of our temporary files; neither git nor dulwich makes such
GITS = 6  # characters that git puts behind tmp_obj_
CHECKSUM = 20  # bytes; an index of a pack ends with the pack's and its own


def object_id(kind: str, data: bytes) -> str:
    """The git id, 40 hex digits, of an object with these bytes."""
    digest = new_sha1(len(data))
    digest.update(b"%s %d\0" % (kind.encode(), len(data)))
    digest.update(data)
    return digest.hexdigest()


def new_sha1(size: int) -> Sha1:
    """A SHA-1 for so many bytes."""
    if size < (SMALL if "hashlib" in sys.modules else BIG):
        return sha1()  # type: ignore[no-any-return]
    import hashlib  # OpenSSL's is ten times faster and costs a cold process 5 ms

    return hashlib.sha1()


class Objects:
    """The objects of one repository; new ones wait in memory until ``flush``.

    folder: the ``objects`` folder
    """

    __slots__ = ("_cache", "_cached_bytes", "_packs", "_written", "folder", "fresh", "pending")

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.pending: dict[str, tuple[str, bytes]] = {}
        self.fresh: dict[str, tuple[str, bytes]] = {}
        self._cache: dict[str, tuple[str, bytes]] = {}
        self._cached_bytes = 0
        self._packs: Packs | None = None
        self._written: list[Written] = []

    def close(self) -> None:
        """Let go of open packs; without this the interpreter complains at exit."""
        if self._packs is not None:
            self._packs.close()
            self._packs = None

    # -- reading

    def read(self, name: str, kind: str = "") -> bytes:
        """The bytes of object ``name``.

        kind:   "blob", "tree", "commit" or "tag"; "" for any
        raises: RepositoryDamaged when it is missing, unreadable or of another kind
        """
        found, data = self.read_any(name)
        if kind and found != kind:
            raise RepositoryDamaged(f"object {name} is a {found} where a {kind} was expected", hint="git fsck")
        return data

    def read_any(self, name: str) -> tuple[str, bytes]:
        """Kind and bytes of object ``name``; raises RepositoryDamaged."""
        found = self.pending.get(name) or self.fresh.get(name) or self._cache.get(name)
        if found is None:
            found = self._find(name)
            self._keep(name, found)
        return found

    def _find(self, name: str) -> tuple[str, bytes]:
        for attempt in range(READ_TRIES):
            found = self._loose(name) or self._packed(name)
            if found is not None:
                return found
            if attempt + 1 < READ_TRIES:
                self.close()
                time.sleep(RETRY_S)
        raise self.missing(name)

    def missing(self, name: str) -> RepositoryDamaged:
        """The error of an object that is not here: lost, or left at the remote by a partial clone."""
        try:
            is_partial = any(each.endswith(".promisor") for each in os.listdir(os.path.join(self.folder, "pack")))
        except OSError:
            is_partial = False
        if is_partial:
            return RepositoryDamaged(
                f"object {name} was left at the remote, since this is a partial clone, and gitmem reads what is here",
                hint="git fetch --refetch --no-filter",
            )
        return RepositoryDamaged(f"object {name} is not in {self.folder}", hint="git fsck")

    def _keep(self, name: str, found: tuple[str, bytes]) -> None:
        if self._cached_bytes > CACHE_BYTES:
            self._cache.clear()
            self._cached_bytes = 0
        self._cache[name] = found
        self._cached_bytes += len(found[1])

    def _loose(self, name: str) -> tuple[str, bytes] | None:
        path = self.loose_path(name)
        try:
            with open(path, "rb") as file:
                raw = zlib.decompress(file.read())
        except (FileNotFoundError, NotADirectoryError):
            return None
        except (OSError, zlib.error) as error:
            raise RepositoryDamaged(f"{path} cannot be read: {error}", hint="git fsck") from error
        head, _, data = raw.partition(b"\0")
        kind, _, size = head.decode("latin-1").partition(" ")
        if size != str(len(data)):
            raise RepositoryDamaged(f"{path} is cut short", hint="git fsck")
        return kind, data

    def _packed(self, name: str) -> tuple[str, bytes] | None:
        return self._open_packs().read(name)

    def packed_ids(self, digits: str) -> list[str]:
        """Ids of packed objects that begin with these hex digits."""
        return self._open_packs().ids(digits)

    def _open_packs(self) -> Packs:
        if self._packs is None:
            from gitmem.history.pack import Packs

            self._packs = Packs(self.folder)
        return self._packs

    def loose_path(self, name: str) -> str:
        return os.path.join(self.folder, name[:2], name[2:])

    # -- writing

    def add(self, kind: str, data: bytes) -> str:
        """The id of a new object; written by the next ``flush``."""
        name = object_id(kind, data)
        if name not in self.fresh:
            self.pending[name] = (kind, data)
        return name

    def forget(self) -> None:
        """Drop what was added and not flushed, and what was flushed and not verified."""
        self.pending.clear()
        self.fresh.clear()
        for written in self._written:
            written.drop()
        self._written = []

    def flush(self) -> None:
        """Write what was added, synced to disk; raises OSError with nothing half-written in sight of git."""
        sync_all(self.write())
        self.finish()

    def write(self) -> list[int]:
        """Write what was added under names git does not look at; the open files are to be synced, then ``finish``."""
        if len(self.pending) >= PACK_FROM:
            self.pack()
        for name, (kind, data) in self.pending.items():
            path = self.loose_path(name)
            if not _freshened(path):
                self._written.append(self._write_temp(path, kind, data))
        return [written.fd for written in self._written]

    def finish(self) -> None:
        """Give the synced files their names."""
        for written in self._written:
            written.close()
        for written in self._written:
            self._rename(written)
        self._written = []
        self.fresh.update(self.pending)
        self.pending = {}

    def pack(self) -> None:
        """Write what was added as one pack, synced."""
        from gitmem.history.pack import write_pack

        if self.pending:
            write_pack(self.folder, self.pending)
            self.close()
        for name, made in self.pending.items():
            if made[0] != "blob":
                self._keep(name, made)
        self.pending = {}

    def verify(self) -> None:
        """Write again what a ``git prune`` by hand removed since ``flush``; then forget it."""
        self.pending = {name: made for name, made in self.fresh.items() if not self._on_disk(name)}
        if self.pending:
            self.flush()
        for name, made in self.fresh.items():
            if made[0] != "blob":
                self._keep(name, made)
        self.fresh = {}

    def _on_disk(self, name: str) -> bool:
        return os.path.exists(self.loose_path(name)) or self._open_packs().holds(name)

    def _write_temp(self, path: str, kind: str, data: bytes) -> Written:
        folder = os.path.dirname(path)
        packed = zlib.compress(b"%s %d\0" % (kind.encode(), len(data)) + data, 1)
        for attempt in range(WRITE_TRIES):
            temp = os.path.join(folder, temp_name("obj"))
            try:
                fd = os.open(temp, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o444)
                break
            except FileNotFoundError:
                if attempt + 1 == WRITE_TRIES:
                    raise
                os.makedirs(folder, exist_ok=True)
        written = Written(fd, temp, path)
        try:
            write_all(fd, packed)
        except BaseException:
            written.drop()
            raise
        return written

    def _rename(self, written: Written) -> None:
        try:
            os.rename(written.temp, written.path)
        except FileNotFoundError:  # a gc took the temporary file, or the folder: write this one again
            name = os.path.basename(os.path.dirname(written.path)) + os.path.basename(written.path)
            again = self._write_temp(written.path, *self.pending[name])
            os.fsync(again.fd)
            again.close()
            os.rename(again.temp, again.path)
        except FileExistsError:  # Windows: another writer had the same content
            written.drop()


class Written:
    """A loose object under its temporary name."""

    __slots__ = ("fd", "path", "temp")

    def __init__(self, fd: int, temp: str, path: str) -> None:
        self.fd, self.temp, self.path = fd, temp, path

    def close(self) -> None:
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1

    def drop(self) -> None:
        self.close()
        remove(self.temp)


def _freshened(path: str) -> bool:
    """Whether the object is there; then made young, as git does, so that no prune takes it for old."""
    try:
        if os.stat(path).st_size == 0:  # what a power cut leaves of an object that was never synced
            return False
        os.utime(path)
    except FileNotFoundError:
        return False
    except PermissionError:  # another user's repository: there, and that is enough
        return True
    return True


def temp_name(kind: str) -> str:
    """A name for a file that is being written, which git removes in time and takes for nothing else.

    kind: "obj", "pack" or "idx"
    """
    return f"tmp_{kind}_{OWN}{os.getpid():x}-{time.perf_counter_ns():x}"


def abandoned(folder: str, *, loose: bool) -> list[str]:
    """What writers that are dead left half-written in an object folder, a pack that got no index included.

    Gitmem's own files only, those of earlier versions too.
    loose: look for half-written loose objects as well, which takes some milliseconds
    """
    place, found = os.path.join(folder, "pack"), []
    for path in [os.path.join(place, name) for name in _names(place) if name.startswith(("tmp_pack_", "tmp_idx_"))]:
        if _is_abandoned(path):
            found += [*_without_index(place, path), path]
    for fan in _names(folder) if loose else ():
        if len(fan) == 2:
            names = [name for name in _names(os.path.join(folder, fan)) if name.startswith("tmp_obj_")]
            found += [path for name in names if _is_abandoned(path := os.path.join(folder, fan, name))]
    return found


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []


def _is_abandoned(path: str) -> bool:
    """Whether a temporary file is ours, and its writer dead or silent for long."""
    kind, rest = os.path.basename(path).split("_", 2)[1:]
    name, _, end = rest.rpartition(".")
    if rest.startswith(OWN):
        writer = rest[len(OWN) :].partition("-")[0]
    elif end in ("pack", "idx"):  # an earlier version's; git takes such for a pack
        writer = name
    elif kind == "obj" and len(rest) > GITS:  # an earlier version's, which does not say whose
        writer = ""
    else:
        return False
    try:
        return time.time() - os.stat(path).st_mtime > YOUNG_LOCK_S or _is_dead(int(writer, 16))
    except (OSError, ValueError):
        return False


def _is_dead(process: int) -> bool:
    if os.name == "nt" or process <= 0:  # Windows has no harmless way to ask
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


def _without_index(place: str, path: str) -> list[str]:
    """The pack that the index at ``path`` was written for, when it has its name already and the index has not."""
    if not path.endswith(".idx") and not os.path.basename(path).startswith("tmp_idx_"):
        return []
    try:
        with open(path, "rb") as file:
            checksum = file.read()[-2 * CHECKSUM : -CHECKSUM]
    except OSError:
        return []
    final = os.path.join(place, f"pack-{checksum.hex()}")
    return [final + ".pack"] if os.path.exists(final + ".pack") and not os.path.exists(final + ".idx") else []


def write_all(fd: int, data: bytes | bytearray | memoryview) -> None:
    """Write every byte; a single ``os.write`` may write fewer."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def remove(path: str) -> None:
    """Remove a file that may be gone already."""
    try:
        os.unlink(path)
    except OSError:
        pass
