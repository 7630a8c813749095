"""Which file of a commit is another one under a new name.

In this order: the same bytes; ``x.md`` and ``archive/x.md``; the same ``metadata.id``; at least half of the text,
counted as git counts it.  Only a commit that removes one memory and adds another can have moved one, or one that puts
another memory, of another id, under an old name.
"""

from __future__ import annotations

from collections import Counter, defaultdict

from gitmem.history.trail_tree import is_plain, revision_of
from gitmem.history.tree import decode
from gitmem.memory.name import is_reserved
from gitmem.memory.own_id import own_id
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
FEW = 20  # memories added, removed or changed by a commit up to which texts are compared; a bulk move keeps its bytes
ARCHIVED = ARCHIVE.encode() + b"/"


def moves(objects: Texts, changed: Mapping[bytes, tuple[bytes, bytes]]) -> dict[bytes, bytes]:
    """New path -> the path it had before, for every memory that one commit moved.

    changed: path -> state before and after, as ``TreeDiffs.between`` gives it
    """
    added = {path: now for path, (was, now) in changed.items() if not was and _may_move(path, now)}
    gone = {path: was for path, (was, now) in changed.items() if not now and _may_move(path, was)}
    found: dict[bytes, bytes] = {}
    if added and gone:
        _same_bytes(added, gone, found)
        for path in [path for path in added if twin(path) in gone]:
            _pair(path, twin(path), added, gone, found)
    others = _exchanged(objects, changed, is_alone=not added and not gone)
    if (added or others) and (gone or others) and len(added) <= FEW and len(gone) <= FEW:
        _same_text(objects, added, gone, others, found)
    return found


def _exchanged(
    objects: Texts, changed: Mapping[bytes, tuple[bytes, bytes]], *, is_alone: bool
) -> dict[bytes, tuple[bytes, bytes]]:
    """Of the memories that kept their path those of another id than before.

    is_alone: nothing was added or removed, so that only two of them can have changed places
    """
    same = {
        path: (was, now)
        for path, (was, now) in changed.items()
        if was and now and was[:20] != now[:20] and _may_move(path, was) and _may_move(path, now)
        and not is_reserved(decode(path))
    }  # fmt: skip
    if len(same) > FEW or len(same) <= is_alone:
        return {}
    return {path: pair for path, pair in same.items() if len({_read_id(objects, path, each) for each in pair}) > 1}


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


def _same_text(
    objects: Texts,
    added: dict[bytes, bytes],
    gone: dict[bytes, bytes],
    others: Mapping[bytes, tuple[bytes, bytes]],
    found: dict[bytes, bytes],
) -> None:
    """Pair by ``metadata.id``, then by what the texts share, the most alike first.

    others: path -> state before and after of those that have another id than before
    """
    was = gone | {path: pair[0] for path, pair in others.items()}
    now = added | {path: pair[1] for path, pair in others.items()}
    old_ids, new_ids = ({path: _read_id(objects, path, each[path]) for path in sorted(each)} for each in (was, now))
    olds = {name: path for path, name in reversed(old_ids.items()) if name}
    pairs = [(path, olds.pop(name)) for path, name in new_ids.items() if name in olds]
    left = {path for pair in pairs for path in pair} & others.keys()
    added |= {path: now[path] for path in left}
    gone |= {path: was[path] for path in left}
    for path, old in pairs:
        _pair(path, old, added, gone, found)
    texts = [{path: objects.read(revision_of(each[path]), "blob") for path in sorted(each)} for each in (gone, added)]
    scores = [
        (likeness(one, other), path, old)
        for path, other in texts[1].items()
        for old, one in texts[0].items()
        if not (new_ids[path] and old_ids[old])  # two ids are two memories
    ]
    for score, path, old in sorted(scores, key=lambda each: -each[0]):
        if score >= LEAST and path in added and old in gone:
            _pair(path, old, added, gone, found)


def _read_id(objects: Texts, path: bytes, found: bytes) -> str:
    return own_id(decode(path), objects.read(revision_of(found), "blob"))
