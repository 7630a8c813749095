"""Which file of a commit is another one under a new name.

In this order: the same bytes; ``x.md`` and ``archive/x.md``; the same ``metadata.id``; at least half of the text,
counted as git counts it.  Only a commit that removes one memory and adds another can have moved one.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from gitmem.history.trail_tree import is_plain, revision_of
from gitmem.history.tree import decode
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.document import read_memory
from gitmem.memory.field import known
from gitmem.store.paths import ARCHIVE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Protocol

    class Texts(Protocol):
        """What gives the bytes of a blob: a repository's objects, or what stands in for them."""

        def read(self, name: str, kind: str = "") -> bytes: ...


LEAST = 0.5  # share of the larger text that both must have, as git's -M
PIECE = 64  # bytes of a long line that count as one
FEW = 20  # memories added, and removed, by a commit up to which texts are compared; a bulk move keeps its bytes
ARCHIVED = ARCHIVE.encode() + b"/"


def moves(objects: Texts, changed: Mapping[bytes, tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """New path -> the path it had before, for every memory that one commit moved.

    changed: path -> state before and after, as ``TreeDiffs.between`` gives it
    """
    added = {path: now for path, (was, now) in changed.items() if not was and _may_move(path, now)}
    if not added:
        return {}
    gone = {path: was for path, (was, now) in changed.items() if not now and _may_move(path, was)}
    found: dict[bytes, bytes] = {}
    _same_bytes(added, gone, found)
    for path in [path for path in added if twin(path) in gone]:
        _pair(path, twin(path), added, gone, found)
    if added and gone and len(added) <= FEW and len(gone) <= FEW:
        _same_text(objects, added, gone, found)
    return found


def twin(path: bytes) -> bytes:
    """The archived path of a memory, or the path an archived one came from."""
    return path.removeprefix(ARCHIVED) if path.startswith(ARCHIVED) else ARCHIVED + path


def likeness(one: bytes, other: bytes) -> float:
    """Share of the larger text that stands in both, line by line wherever they are; 0.0 to 1.0."""
    larger, smaller = max(len(one), len(other)), min(len(one), len(other))
    if smaller < LEAST * larger or not larger:
        return 0.0
    shared = _pieces(one) & _pieces(other)
    return sum(len(piece) * count for piece, count in shared.items()) / larger


def _pieces(data: bytes) -> Counter[bytes]:
    lines = data.replace(b"\r\n", b"\n").splitlines(keepends=True)
    return Counter(line[at : at + PIECE] for line in lines for at in range(0, len(line), PIECE))


def _may_move(path: bytes, found: bytes) -> bool:
    return path[-3:].lower() == b".md" and is_plain(found)


def _pair(
    path: bytes, old: bytes, added: dict[bytes, bytes], gone: dict[bytes, bytes], found: dict[bytes, bytes]
) -> None:
    found[path] = old
    del added[path], gone[old]


def _same_bytes(added: dict[bytes, bytes], gone: dict[bytes, bytes], found: dict[bytes, bytes]) -> None:
    """Pair files of the same blob; of several the twin, then the one of the same file name, then the first."""
    by_blob: dict[bytes, list[bytes]] = defaultdict(list)
    for path in sorted(gone):
        by_blob[gone[path][:20]].append(path)
    choices: tuple[Callable[[bytes, bytes], bool], ...] = (
        lambda path, old: old == twin(path),
        lambda path, old: old.rpartition(b"/")[2] == path.rpartition(b"/")[2],
        lambda path, old: True,  # noqa: ARG005
    )
    for fits in choices:
        for path in sorted(added):
            there = by_blob.get(added[path][:20], [])
            old = next((each for each in there if fits(path, each)), None)
            if old is not None:
                there.remove(old)
                _pair(path, old, added, gone, found)


def _same_text(objects: Texts, added: dict[bytes, bytes], gone: dict[bytes, bytes], found: dict[bytes, bytes]) -> None:
    """Pair by ``metadata.id``, then by what the texts share, the most alike first."""
    texts = {path: objects.read(revision_of(now), "blob") for path, now in (*added.items(), *gone.items())}
    ids = {path: _id(path, data) for path, data in texts.items()}
    olds = {ids[path]: path for path in sorted(gone, reverse=True) if ids[path]}
    for path in sorted(added):
        old = olds.pop(ids[path], None)
        if old is not None:
            _pair(path, old, added, gone, found)
    scores = [
        (likeness(texts[old], texts[path]), path, old)
        for path in sorted(added)
        for old in sorted(gone)
        if not (ids[path] and ids[old])  # two ids are two memories
    ]
    for score, path, old in sorted(scores, key=lambda each: -each[0]):
        if score >= LEAST and path in added and old in gone:
            _pair(path, old, added, gone, found)


def _id(path: bytes, data: bytes) -> str:
    if len(data) > MAX_MEMORY_BYTES or b"id:" not in data:
        return ""
    return known(read_memory(decode(path), data)).id
