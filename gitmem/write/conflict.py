"""Settle a conflict record: each resolution is a merge commit, which keeps the record and removes its ref (B3)."""

from __future__ import annotations

from gitmem.errors import Exists, NotFound, Refused, Usage
from gitmem.history.commit import FileChange
from gitmem.history.conflict import Conflict, find_conflict
from gitmem.history.conflict_sides import SideFinder
from gitmem.history.ownrefs import RefMove
from gitmem.history.refs import read_ref
from gitmem.history.repo import open_repo
from gitmem.history.settings import settings_of
from gitmem.history.tree import tree_blob
from gitmem.memory.archived import Marks, with_marks, without_marks
from gitmem.memory.clean import one_line
from gitmem.memory.document import blob_id, decode, read_memory
from gitmem.memory.field import known
from gitmem.memory.name import is_reserved
from gitmem.memory.own_id import own_id
from gitmem.memory.splice import set_body
from gitmem.store.paths import typed
from gitmem.store.worktree import read_file
from gitmem.write.apply import apply
from gitmem.write.archive import leaving
from gitmem.write.archive_entry import take_entries
from gitmem.write.archive_find import check_folder, is_archived, marked_as, origin
from gitmem.write.catalogue import list_seen, with_entry, with_renewed_entry
from gitmem.write.change import Change
from gitmem.write.conflict_exchange import exchange
from gitmem.write.fields import new_id, with_fields
from gitmem.write.find import stem
from gitmem.write.memory import Kept, shaped
from gitmem.write.new_path import beside
from gitmem.write.notes import notes_of
from gitmem.write.renamed import present_place

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.write.change import Actor, Reader
    from gitmem.write.conflict_exchange import Exchange

MAX_WHO_CHARS = 80


def resolve(
    root: str,
    name: str,
    way: str,
    *,
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    text: bytes | None = None,
    reason: str = "",
) -> Kept:
    """Settle the open conflict called ``name`` (its id, the beginning of it, or its memory).

    way:    ours keeps the file as it is; theirs puts the other text in its place, after a merge only where the two
            differ; both keeps the other text as a memory of its own beside it; edited takes ``text``, a body or a
            whole memory
    raises: NotFound; Usage where a side has no file; Refused for anyone but a person, and by the guard
    """
    if actor.kind != "person":
        raise Refused(f"a {actor.kind} may not resolve a conflict; a person decides", hint="gitmem conflict list")
    with open_repo(root) as repo:
        conflict = find_conflict(repo, name)
        theirs = repo.objects.read(conflict.theirs, "blob") if conflict.theirs else None
    if way == "both" and (is_reserved(conflict.path) or not conflict.path.lower().endswith(".md")):
        raise Usage(
            f"{conflict.path} is no memory, so its other text cannot stand beside it",
            hint=f"gitmem conflict show {conflict.id}   (then --ours, --theirs or --body-file FILE)",
        )
    if way == "both" and theirs is None:
        raise Usage(
            f"conflict {conflict.id}: {_whoever(conflict)} removed {conflict.path}, so there is no second text to keep",
            hint=f"gitmem conflict resolve {conflict.id} --ours   (it stays; or --theirs: it goes)",
        )

    def make(reader: Reader) -> list[FileChange]:
        if read_ref(reader.repo.git, conflict.ref) != conflict.commit:
            said = f"conflict {conflict.id} is settled already; nothing was changed"
            raise NotFound(said, hint="gitmem conflict list")
        place = place_of(reader, conflict)
        if way == "ours" and reader.read(place) is None:
            place = conflict.path
        change.memory, change.trailers = stem(place), {"Memory": place, "Conflict": conflict.id, "Kept": way}
        change.notes[:] = []
        is_uncommitted = reader.read(place) is not None and tree_blob(reader.repo, reader.repo.head()[1], place) is None
        change.leaves = [place] if is_uncommitted else []  # it was renamed by hand, and that is committed first
        if way == "ours":
            return []
        if way == "both":
            files = _beside(reader, conflict, place, theirs or b"", when)
            change.restores = [files[0].path]
            return files
        change.restores = [place] if way == "theirs" else []
        ours = reader.read(place)
        done = _exchange(reader, conflict, place)
        change.notes += _lost(reader, conflict, place, done, way)
        new = _edited(place, ours, theirs, text or b"") if way == "edited" else done.data if done else theirs
        if new is None:
            return [FileChange(place, None), *_unlisted(reader, place)]
        if way == "theirs":
            new = reader.as_file(place, new)
            if not is_archived(place) and without_marks(new) != new:
                change.restores = []
                return _archiving(change, reader, conflict, place, new, when)
        if is_archived(place):  # it stays there, and a list names no archived memory
            return [FileChange(place, marked_as(place, ours or b"", new))]
        new = without_marks(new)
        after = read_memory(place, new)
        if ours is None:
            entries, said = with_entry(reader, after)
            change.notes += [said] if said else []
        else:
            entries = with_renewed_entry(reader, read_memory(place, ours), after)
        return [FileChange(place, new), *entries]

    change = Change("resolve", stem(conflict.path), reason, actor, make)
    change.merged = (conflict.commit,)
    change.refs = [RefMove(conflict.ref, conflict.commit, "")]
    applied = apply(root, change, when, environ)
    path = next(iter(applied.paths), change.trailers["Memory"])
    revision = applied.paths[path] if applied.paths else _revision(_work_file(root, path))
    return Kept(path, revision, applied.commit, (*change.notes, *notes_of(root, applied, environ)))


def place_of(reader: Reader, conflict: Conflict) -> str:
    """Where the memory of a conflict lies now, as ``present_place`` says: renamed or archived since, it is followed."""
    base, *sides = (
        own_id(conflict.path, reader.repo.objects.read(blob, "blob")) if blob else ""
        for blob in (conflict.base, conflict.ours, conflict.theirs)
    )
    ids = {base} if base else {*sides} - {""}  # of a late write the file may hold another memory by then
    return present_place(reader, conflict.path, ids, conflict.commit)


def _whoever(conflict: Conflict) -> str:
    return one_line(conflict.who, MAX_WHO_CHARS) or "the other side"


def _revision(data: bytes | None) -> str:
    return blob_id(data) if data is not None else ""


def _work_file(root: str, path: str) -> bytes | None:
    try:
        return read_file(root, path)
    except NotFound:
        return None


def _exchange(reader: Reader, conflict: Conflict, place: str) -> Exchange | None:
    """What the file at ``place`` is with the other side's text; None where that side, or the file, is gone."""
    now = reader.kept(place)
    bare = without_marks(now) if now is not None and is_archived(place) else now
    put_in = SideFinder(reader.repo).put_in(conflict)
    return exchange(reader.repo, conflict, bare, settings_of(reader.root).index_file, put_in)


def _lost(reader: Reader, conflict: Conflict, place: str, done: Exchange | None, way: str) -> list[str]:
    """What to say of a text that is replaced and is neither of the conflict's own."""
    now = reader.kept(place)
    if now is None:
        if place != conflict.path:
            return [f"{conflict.path} is another memory by now, and it stays; the text you chose is {place}"]
        is_known = not conflict.ours
        return [] if is_known else [f"{place} was removed after this conflict arose; it is there again"]
    bare = without_marks(now) if is_archived(place) else now
    is_later = blob_id(bare) not in (conflict.ours, conflict.theirs) and (done is None or bare != done.merged)
    if not (done.is_lost if done and way == "theirs" else is_later):
        return []
    was = "was changed after this conflict arose" if is_later else "held more than the text that takes its place"
    stays = f"that text stays in history: gitmem diff {typed(place)} {blob_id(now)[:10]}   (back to it: gitmem undo)"
    return [f"{place} {was}; {stays}"]


def _unlisted(reader: Reader, path: str) -> list[FileChange]:
    """The list of memories without the line of a memory that goes."""
    file, listing, _ = list_seen(reader)
    if listing is None or file == path:
        return []
    try:
        left = take_entries(listing, [path])[0]
    except Refused:  # a damaged list keeps its line
        return []
    return [FileChange(file, left)] if left != listing else []


def _archiving(
    change: Change, reader: Reader, conflict: Conflict, path: str, new: bytes, when: int
) -> list[FileChange]:
    """The files once the memory at ``path`` is archived, as the other side did.

    new: the other side's text, with its marks; where it did nothing but archive, the text there is now is archived
    """
    target = f"{check_folder(reader.root)}/{path}"
    if reader.read(target) is not None:
        raise Exists(
            f"{target} exists already, and nothing is overwritten; nothing was changed",
            hint=f"gitmem conflict resolve {conflict.id} --ours   (or move it away: gitmem restore {typed(path)})",
        )
    if reader.read(path) is None:
        return [FileChange(target, new)]
    marks, text = Marks(read_memory(path, new).fields), without_marks(new)
    gone, there, *listed = leaving(change, reader, [(path, marks.reason)], when)
    base = reader.repo.objects.read(conflict.base, "blob") if conflict.base else None
    if text != base:
        entry = Marks(read_memory(target, there.data or b"").fields).entry
        there = FileChange(target, with_marks(text, marks.at, marks.reason, entry))
    return [there, gone, *listed]  # the answer names the first


def _edited(path: str, ours: bytes | None, theirs: bytes | None, text: bytes) -> bytes:
    """What a person made of the two: a whole memory as it is, a body with the head of the memory there is."""
    given = read_memory(path, text)
    there = ours if ours is not None else theirs
    if given.body_line > 1 or there is None:
        return text
    memory = read_memory(path, there)
    return set_body(there, shaped(memory.body, decode(text, "the text")[0]))


def _beside(reader: Reader, conflict: Conflict, place: str, theirs: bytes, when: int) -> list[FileChange]:
    """The other text as a memory of its own, which names the one it is in conflict with.

    place: where that one lies now; what stands beside an archived one is not archived itself
    """
    if reader.read(place) is None:
        raise Usage(
            f"{conflict.path} is gone, so there is only one text to keep",
            hint=f"gitmem conflict resolve {conflict.id} --theirs   (that of {_whoever(conflict)}; or --ours: it stays "
            "gone)",
        )
    path = beside(reader, origin(place) if is_archived(place) else place)
    memory = read_memory(path, without_marks(theirs))
    fields = [("id", new_id(when)), ("conflict_of", known(memory).id or place)]
    data = with_fields(memory, fields)
    entries, _ = with_entry(reader, read_memory(path, data))
    return [FileChange(path, data), *entries]
