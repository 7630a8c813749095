"""Where a repository keeps ids and objects besides its refs: reflogs, ORIG_HEAD and the like, packs, remotes."""

from __future__ import annotations

import os

from dulwich.object_format import SHA1
from dulwich.objects import RawObjectID
from dulwich.pack import Pack

from gitmem.history.objects import object_id
from gitmem.history.pack import pack_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.history.config import Config

HEX = frozenset("0123456789abcdef")
PSEUDO_REFS = ("ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE", "BISECT_HEAD")
IDS_CHARS = 81  # of a reflog's line: the id before, a blank, the id after


def reflogs(git_dir: str) -> dict[str, list[tuple[str, str]]]:
    """ref -> ids before and after of each line of its reflog, oldest first.

    git_dir: the folder git keeps for a working tree
    """
    top = os.path.join(git_dir, "logs")
    found: dict[str, list[tuple[str, str]]] = {}
    for folder, _, files in os.walk(top):
        for file in files:
            path = os.path.join(folder, file)
            try:
                with open(path, encoding="utf-8", errors="replace") as log:
                    lines = log.read().split("\n")
            except OSError:
                continue
            ref = os.path.relpath(path, top).replace(os.sep, "/")
            found[ref] = [(line[:40], line[41:81]) for line in lines if len(line) >= IDS_CHARS]
    return dict(sorted(found.items()))


def pseudo_refs(git_dir: str) -> list[tuple[str, list[str]]]:
    """HEAD where it is detached, ORIG_HEAD and the like: name -> ids."""
    found = []
    for name in ("HEAD", *PSEUDO_REFS):
        try:
            with open(os.path.join(git_dir, name), encoding="utf-8", errors="replace") as file:
                lines = file.read().splitlines()
        except OSError:
            continue
        ids = [line[:40] for line in lines if len(line) >= 40 and HEX.issuperset(line[:40])]
        if ids:
            found.append((name, ids))
    return found


def blob_of(path: str) -> bytes:
    """The blob id of a plain file's bytes, b"" for none."""
    if os.path.islink(path) or not os.path.isfile(path):
        return b""
    try:
        with open(path, "rb") as file:
            return bytes.fromhex(object_id("blob", file.read()))
    except OSError:
        return b""


def stored(folder: str, blobs: Iterable[bytes]) -> tuple[int, list[str]]:
    """How many of ``blobs`` stand in one object folder, and its packs with some that git was told to keep."""
    wanted = set(blobs)
    found = {blob for blob in wanted if os.path.exists(os.path.join(folder, blob.hex()[:2], blob.hex()[2:]))}
    kept = []
    for name in pack_names(folder):
        pack = Pack(name, object_format=SHA1)
        try:
            here = {blob for blob in wanted if RawObjectID(blob) in pack}
        finally:
            pack.close()
        found |= here
        if here and os.path.exists(name + ".keep"):
            kept.append(name)
    return len(found), kept


def remote_urls(config: Config) -> list[tuple[str, str]]:
    """Name and address of every remote; an address never with what stands before its ``@`` or behind its ``?``."""
    found = []
    for key, values in sorted(config.items()):
        if key.startswith("remote.") and key.endswith(".url"):
            found.append((key[len("remote.") : -len(".url")], _plain(values[-1])))
    return found


def _plain(url: str) -> str:
    scheme, mark, rest = url.partition("://")
    if not mark:
        return url
    place, slash, path = rest.partition("/")
    return scheme + mark + place.rpartition("@")[2] + slash + path.partition("?")[0].partition("#")[0]
