"""Packs: read through dulwich, and one new pack for bulk work.

Imported only when an object is packed or many are written at once.
"""

from __future__ import annotations

import os
import struct
import zlib
from hashlib import sha1
from typing import TYPE_CHECKING

from dulwich.errors import ApplyDeltaError, ChecksumMismatch
from dulwich.object_format import SHA1
from dulwich.objects import RawObjectID
from dulwich.pack import Pack, PackFileDisappeared, pack_object_header, write_pack_index_v2

from gitmem.errors import RepositoryDamaged
from gitmem.history.objects import remove, temp_name
from gitmem.history.sync import sync_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS = {1: "commit", 2: "tree", 3: "blob", 4: "tag"}
NUMBERS = {kind: number for number, kind in KINDS.items()}
MAX_ALTERNATES = 5  # as git: how far one borrowed object folder may point to the next


class Packs:
    """The packs of an object folder and of those it borrows from, in the order git looks.

    Borrowed loose objects are found here too: they are as rare as packs.
    """

    def __init__(self, folder: str) -> None:
        self.folders = with_alternates(folder)
        self.packs: list[Pack] = []
        for each in self.folders:
            self.packs.extend(Pack(name, object_format=SHA1) for name in pack_names(each))

    def close(self) -> None:
        for pack in self.packs:
            pack.close()
        self.packs = []

    def holds(self, name: str) -> bool:
        return self._pack(RawObjectID(bytes.fromhex(name))) is not None

    def ids(self, digits: str) -> list[str]:
        """Ids that begin with these hex digits, at least two of them."""
        prefix = bytes.fromhex(digits[: len(digits) & ~1])
        found = (raw.hex() for pack in self.packs for raw in pack.index.iter_prefix(prefix))
        return [name for name in found if name.startswith(digits)]

    def read(self, name: str) -> tuple[str, bytes] | None:
        """Kind and bytes, None when no pack has it; raises RepositoryDamaged for a broken pack."""
        raw = RawObjectID(bytes.fromhex(name))
        pack = self._pack(raw)
        if pack is None:
            return self._borrowed(name)
        try:
            number, data = pack.get_raw(raw)
        except (PackFileDisappeared, FileNotFoundError):
            return None  # repacked meanwhile; the caller looks again
        except (ChecksumMismatch, ApplyDeltaError, AssertionError, ValueError, KeyError, zlib.error, OSError) as error:
            raise RepositoryDamaged(f"pack {pack._basename} cannot be read: {error}", hint="git fsck") from error
        if pack is not self.packs[0]:  # the next object is most likely in the same pack
            self.packs.remove(pack)
            self.packs.insert(0, pack)
        return KINDS[number], data

    def _pack(self, raw: RawObjectID) -> Pack | None:
        for pack in self.packs:
            try:
                if raw in pack:
                    return pack
            except (PackFileDisappeared, FileNotFoundError):
                continue
            except (ChecksumMismatch, AssertionError, ValueError) as error:
                raise RepositoryDamaged(f"{pack._basename}.idx cannot be read: {error}", hint="git fsck") from error
        return None

    def _borrowed(self, name: str) -> tuple[str, bytes] | None:
        for folder in self.folders[1:]:
            try:
                with open(os.path.join(folder, name[:2], name[2:]), "rb") as file:
                    head, _, data = zlib.decompress(file.read()).partition(b"\0")
            except (FileNotFoundError, NotADirectoryError):
                continue
            except (OSError, zlib.error) as error:
                raise RepositoryDamaged(f"object {name} in {folder} cannot be read", hint="git fsck") from error
            return head.decode("latin-1").partition(" ")[0], data
        return None


def pack_names(folder: str) -> list[str]:
    """Packs of one object folder without their ending, newest first."""
    place = os.path.join(folder, "pack")
    try:
        found = [entry for entry in os.scandir(place) if entry.name.startswith("pack-") and entry.name.endswith(".idx")]
    except (FileNotFoundError, NotADirectoryError):
        return []
    times: list[tuple[int, str]] = []
    for entry in found:
        try:
            times.append((entry.stat().st_mtime_ns, entry.path[:-4]))
        except FileNotFoundError:
            continue
    return [name for _, name in sorted(times, reverse=True) if os.path.exists(name + ".pack")]


def with_alternates(folder: str) -> list[str]:
    """``folder`` and the object folders it borrows from (``objects/info/alternates``)."""
    folders, todo = [], [(folder, 0)]
    while todo:
        here, depth = todo.pop(0)
        if here in folders or depth > MAX_ALTERNATES:
            continue
        folders.append(here)
        try:
            with open(os.path.join(here, "info", "alternates"), encoding="utf-8", errors="surrogateescape") as file:
                lines = file.read().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            continue
        for line in lines:
            if line and not line.startswith("#"):
                todo.append((os.path.normpath(os.path.join(here, line)), depth + 1))
    return folders


def write_pack(folder: str, made: Mapping[str, tuple[str, bytes]]) -> None:
    """Store all of ``made`` (id -> kind and bytes) as one pack, synced, its index last, as git does.

    Until then its files have names that git takes for no pack: a kill leaves nothing that git would stumble over.
    No deltas: new memories share little, and the next ``git gc`` finds what they do share.
    """
    place = os.path.join(folder, "pack")
    os.makedirs(place, exist_ok=True)
    temp, index = (os.path.join(place, temp_name(kind)) for kind in ("pack", "idx"))
    final = ""
    try:
        entries, checksum = _write_objects(temp, made)
        with open(index, "wb") as file:
            write_pack_index_v2(file, entries, checksum)
            file.flush()
            os.fsync(file.fileno())
        final = os.path.join(place, f"pack-{checksum.hex()}")
        for each in (temp, index):
            os.chmod(each, 0o444)
        os.replace(temp, final + ".pack")
        os.replace(index, final + ".idx")
        sync_folder(place)
    finally:
        for each in (temp, index):
            remove(each)
        if final and not os.path.exists(final + ".idx"):
            remove(final + ".pack")


def _write_objects(path: str, made: Mapping[str, tuple[str, bytes]]) -> tuple[list[tuple[bytes, int, int]], bytes]:
    """Write the pack's own file, synced; its entries (id, offset, checksum) in order, and the checksum of all."""
    entries: list[tuple[bytes, int, int]] = []
    with open(path, "wb") as file:
        head = b"PACK" + struct.pack(">LL", 2, len(made))
        total, offset = sha1(head), len(head)
        file.write(head)
        for name, (kind, data) in made.items():
            record = bytes(pack_object_header(NUMBERS[kind], None, len(data), SHA1)) + zlib.compress(data, 1)
            entries.append((bytes.fromhex(name), offset, zlib.crc32(record)))
            total.update(record)
            file.write(record)
            offset += len(record)
        file.write(total.digest())
        file.flush()
        os.fsync(file.fileno())
    return sorted(entries), total.digest()
