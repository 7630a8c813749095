"""What ``--theirs`` makes of a file that two sides were merged into: only what could not merge is exchanged.

What merged cleanly belongs to neither side alone, and stays.
"""

from __future__ import annotations

from functools import partial

from gitmem.dataclass import dataclass
from gitmem.history.conflict import undated
from gitmem.history.conflict_sides import is_merged
from gitmem.memory.archived import without_marks
from gitmem.memory.document import blob_id
from gitmem.memory.name import twin_key
from gitmem.merge.catalogue import merge_lists
from gitmem.merge.file import is_day
from gitmem.merge.journal import merge_days
from gitmem.merge.memory import WHOLE, in_order, merge_halves, merge_sides
from gitmem.merge.merged import Merged
from gitmem.merge.settings import merge_lines
from gitmem.store.paths import CONFIG_FILE, is_project_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.conflict import Conflict
    from gitmem.history.repo import Repo
    from gitmem.merge.memory import TextMerge


@dataclass(frozen=True, slots=True)
class Exchange:
    """A file with the other side's text.

    data:     its bytes
    merged:   what the merge of the two had put into the file
    is_whole: the other text takes the file's place, whatever else it holds
    is_lost:  where the two differ the file was changed since, and that goes too
    """

    data: bytes
    merged: bytes
    is_whole: bool = False
    is_lost: bool = False


def exchange(repo: Repo, conflict: Conflict, now: bytes | None, index_file: str, put_in: str = "") -> Exchange | None:
    """The file that holds ``now`` with the other side's text; None where that side, or the file, is gone.

    now:    as git keeps it, without the marks of the archive
    put_in: the blob that the merge is known to have put into the file, "" where that is not known
    """
    base, ours, theirs = (
        repo.objects.read(blob, "blob") if blob else None for blob in (conflict.base, conflict.ours, conflict.theirs)
    )
    if theirs is None or now is None:
        return None
    if ours is None or not is_merged(conflict) or (without_marks(theirs) != theirs and without_marks(ours) == ours):
        return _whole(conflict, theirs, ours or b"", now)
    merged, other = (_merge(conflict.path, base, *sides, index_file) for sides in ((ours, theirs), (theirs, ours)))
    is_other = bool(put_in) and merged is not None and blob_id(merged.data) != put_in
    if merged is None or other is None or is_other:  # merged over another base than the record tells
        return _whole(conflict, theirs, repo.objects.read(put_in, "blob") if put_in else ours, now)
    if undated(conflict.path, other.data) == undated(conflict.path, theirs):
        other = Merged(theirs)
    if now in (merged.data, other.data):
        return Exchange(other.data, merged.data)
    later = _merge(conflict.path, merged.data, other.data, now, index_file)
    if later is None:
        return Exchange(other.data, merged.data, is_lost=True)
    return Exchange(later.data, merged.data, is_lost=bool(later.conflicts))


def _whole(conflict: Conflict, theirs: bytes, merged: bytes, now: bytes) -> Exchange:
    is_known = blob_id(now) in (conflict.ours, conflict.theirs)
    return Exchange(theirs, merged, is_whole=True, is_lost=not is_known)


def _merge(path: str, base: bytes | None, first: bytes, second: bytes, index_file: str) -> Merged | None:
    """Both texts merged, with the version of ``first`` where they cannot; None where they cannot at all."""
    merge = _by_path(path, index_file)
    if merge is None:
        return None
    is_first = in_order(first, second)[0] == "ours"
    merged = merge_sides(base, first, second, merge if is_first else _turned(merge))
    return None if any(word.startswith(WHOLE) for word in merged.conflicts) else merged


def _turned(merge: TextMerge) -> TextMerge:
    return lambda base, first, second: merge(base, second, first)


def _by_path(path: str, index_file: str) -> TextMerge | None:
    """How the texts of the file at ``path`` merge; None for a file that is no text of gitmem's."""
    if path == CONFIG_FILE or is_project_record(path):
        return merge_lines
    if twin_key(path) == twin_key(index_file):
        return partial(merge_halves, bodies=merge_lists)
    if is_day(path):
        return partial(merge_halves, bodies=merge_days)
    return merge_halves if path.lower().endswith(".md") else None
