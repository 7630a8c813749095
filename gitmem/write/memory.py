"""New memories and changed ones: what ``remember`` and ``edit`` mean, as one ``Change`` each.

A text is kept as it was given.  What gitmem adds is a head, or the fields a given head lacks; an edit
touches the lines of what changes and nothing else.

No dataclasses and no ``re``: a cold ``gitmem remember`` is timed against git, and imports are its cost.
"""

from __future__ import annotations

from gitmem.errors import BadName, GitmemError, NotFound, Refused, Stale, Usage
from gitmem.history.commit import FileChange
from gitmem.memory.clean import OPENING, is_blank, is_own_text, one_line, strip_own_blocks
from gitmem.memory.document import Memory, blob_id, decode, holds_nul, read_memory
from gitmem.memory.field import known
from gitmem.memory.items import typed_items
from gitmem.memory.name import check_path, slug
from gitmem.memory.splice import set_body, set_section
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import git_in, join, quoted, typed
from gitmem.store.worktree import read_file
from gitmem.write.apply import apply
from gitmem.write.catalogue import with_entry, with_renewed_entry
from gitmem.write.change import Actor, Change, NoFiles, Reader
from gitmem.write.config import settings_seen
from gitmem.write.fields import (
    as_candidate,
    check_fields,
    check_labels,
    completed,
    dated,
    given_fields,
    names_date,
    with_fields,
    with_head,
)  # fmt: skip
from gitmem.write.find import find_older, stem
from gitmem.write.guard import check_change, check_repository, check_second_name, keep_refused
from gitmem.write.new_path import Same, new_path, vacant
from gitmem.write.notes import notes_of
from gitmem.write.opening import beginning, opening
from gitmem.write.reading import checked_read, find_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gitmem.write.fields import Fields, Value

TITLE_CHARS = 60  # of a first sentence that becomes a name; longer file names are hard to type
DESCRIPTION_CHARS = 160  # of a first sentence that becomes a description


class Kept:
    """One memory as it now stands.

    commit: "" when there was nothing to change
    notes:  sentences for the person: hand edits committed first, writes put back
    """

    __slots__ = ("commit", "notes", "path", "revision")

    def __init__(self, path: str, revision: str, commit: str, notes: tuple[str, ...] = ()) -> None:
        self.path, self.revision, self.commit, self.notes = path, revision, commit, notes


def remember(
    root: str,
    text: str | bytes,
    *,
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    name: str = "",
    type: str = "",
    description: str = "",
    tags: Sequence[str] = (),
    aliases: Sequence[str] = (),
    path: str = "",
    folder: str = "",
    reason: str = "",
    if_revision: str = "",
    merge: bool = False,
    make_store: Callable[[], object] | None = None,
) -> Kept:
    """Write ``text`` as a new memory of the store at ``root``; an existing one is never overwritten unread.

    text:        a body, or a whole memory with its head, which is then kept byte for byte
    path:        the file inside the store; made from the name or the first words when empty
    folder:      the file's folder inside the store, where it is not to be the store's own
    if_revision: the revision that was read of the memory which ``path`` or ``name`` means: its text is replaced
    merge:       with ``if_revision``, as for ``edit``
    make_store:  makes the store, once nothing speaks against the memory as such: a refusal leaves none behind
    raises:      Usage for an empty text, BadName for a name that is taken or impossible, Refused by the guard, Stale
    """
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    given = read_memory("the text", data)
    if is_blank(given.text):
        raise Usage("there is no text to remember", hint='gitmem remember "what you want kept"')
    check_not_recalled(given.body)
    check_labels(tags, aliases)
    headline, sentence = opening(given.body)
    asked = name or known(given).name or headline
    called = asked or beginning(one_line(sentence, TITLE_CHARS))
    recalled = recalled_notes(given.body)
    free = not (path or asked)  # whether the file name is gitmem's own choice
    if path:
        check_path(path)
    where = f"{root}/{folder}" if folder else root
    wanted = f"{folder}/".lstrip("/") + (path or new_path(where, f"{slug(called)}.md", when))
    fields: dict[str, Value] = {
        "name": name, "description": description, "tags": list(tags), "aliases": list(aliases), "metadata.type": type,
    }  # fmt: skip
    if if_revision:
        there = find_read(root, f"{folder}/{path}" if folder and path else path or name, if_revision)
        read = checked_read(root, there, if_revision, actor)
        settings = {key: value for key, value in fields.items() if value and (key != "name" or path)}
        rewriting = lambda memory: rewritten(memory, given, settings, when, actor)  # noqa: E731
        return change_memory(root, "remember", there, rewriting, read, merge, when, actor, environ, reason)

    def whole(place: str) -> bytes:
        if given.body_line > 1:
            return completed(given, fields, when, actor)
        made = {
            "name": name or headline or stem(place),
            "description": description or one_line(sentence, DESCRIPTION_CHARS),
        }
        return with_head(given.text, fields | made, when, actor)

    def check_same(there: Memory) -> None:
        check_nothing_new(there, given_fields(given) | {key: value for key, value in fields.items() if value}, actor)

    def make(reader: Reader) -> list[FileChange]:
        check_repository(wanted, reader)
        if wanted == settings_seen(reader).index_file:
            raise BadName(f"{wanted} is the store's list of memories, and never one itself", hint="choose another name")
        place = vacant(reader, wanted, given.body, free, check_same)
        data = whole(place or wanted)
        if not place:
            check_second_name(wanted, reader)
            hint = f"gitmem edit {typed(stem(wanted))} --body-file FILE   (or another --name)"
            taken = BadName(f"{wanted} exists already, with another text", hint=hint)
            taken.kept = keep_text(root, data, when)
            raise taken
        entry, said = with_entry(reader, read_memory(place, data))
        told = successor_notes(root, known(read_memory(place, data)).supersedes, stem(place), actor)
        return noted(change, reader, [FileChange(place, data), *entry], [said, *recalled, *told])

    change = Change("remember", called, reason, actor, make)
    if make_store is not None:
        check_change(make(NoFiles()), NoFiles(), actor, "", when)
        make_store()
    return carry_out(root, change, when, environ)


def check_nothing_new(there: Memory, asked: Mapping[str, Value], actor: Actor) -> None:
    """raises: Refused when a text that is there already was given again with other fields, which would be lost"""
    fields = [
        (key, value) for key, value in asked.items() if key not in ("metadata.trust", "trust") or actor.kind != "model"
    ]
    new = [(key, value) for key, value in fields if with_fields(there, [(key, value)]) != there.data]
    if not new:
        return
    settings = [f"{key}={typed_items(value) if isinstance(value, list) else value}" for key, value in new]
    words = " ".join([f"gitmem edit {typed(stem(there.path))}", *(f"--set {typed(each)}" for each in settings)])
    others = " and ".join(key.removeprefix("metadata.") for key, _ in new)
    raise Refused(f"{there.path} holds this text already, with another {others}; nothing was changed", hint=words)


def check_not_recalled(text: str) -> None:
    """raises: Refused for a text that is nothing but what gitmem recalled: kept, it would come back twice"""
    if is_own_text(text):
        raise Refused(
            "the text is what gitmem itself recalled, and stands in the store already; nothing was written",
            hint='gitmem remember "what is new about it"',
        )


def recalled_notes(text: str) -> list[str]:
    """What to say of a text that holds, beside other words, a block of gitmem's."""
    if OPENING not in text or strip_own_blocks(text) == text:
        return []
    return ["the text holds a block that gitmem recalled; it is kept as given, and may be recalled a second time"]


def successor_notes(root: str, older: Sequence[str], name: str, actor: Actor) -> list[str]:
    """What is left to do by hand when a memory says which ones it supersedes: they are still recalled."""
    if actor.kind != "person":
        return []
    notes = []
    for each in older:
        try:
            old = find_older(root, each)
            settled = bool(old and known(read_memory(old, read_file(root, old))).superseded_by)
        except GitmemError:  # the note is not worth the write
            continue
        if not old:
            notes.append(f'it supersedes "{one_line(each, TITLE_CHARS)}", but no memory is called that')
        elif not settled:
            words = f"gitmem edit {typed(stem(old))} --set superseded_by={quoted(name)}"
            notes.append(f"{old} is still recalled; to put {name} in its place: {words}")
    return notes


def noted(change: Change, reader: Reader, files: list[FileChange], said: Iterable[str]) -> list[FileChange]:
    """``files``; what the person should know of them is left with ``change``."""
    change.notes[:] = [sentence for sentence in said if sentence]
    change.notes += [
        f"{file.path} was staged for removal; it is committed again as it is now, since its file is there"
        for file in files
        if reader.is_staged_for_removal(file.path)
    ]
    return files


def keep_text(root: str, data: bytes, when: int) -> str:
    """Keep a text that was refused, as the guard does; the file's path, "" when it cannot be kept."""
    try:
        git = find_git_dir(root)
    except GitmemError:
        return ""
    return keep_refused(git.common, data, when) if git else ""


def edit(
    root: str,
    name: str,
    *,
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    fields: Fields = (),
    section: str = "",
    body: str | bytes | None = None,
    reason: str = "",
    if_revision: str = "",
    merge: bool = False,
) -> Kept:
    """Change fields, one section or the whole body of the memory called ``name``.

    fields:      (field, value) in order; None removes the field; "a, b" is two values of a list field
    section:     address such as ``# Deploy > ## Order``; then ``body`` is that section's new text
    body:        bytes may be in any encoding that a memory may have
    if_revision: the revision that was read; a model must name it, and must have read it in its session
    merge:       when the memory is another one by now, and the change does not touch what moved, make it all the same
    raises:      NotFound, BrokenHead with the line, Refused by the guard, or for an empty text without a reason; Stale
    """
    path = find_read(root, name, if_revision)
    read = checked_read(root, path, if_revision, actor)
    text = decode(body, "the text")[0] if isinstance(body, bytes) else body
    check_not_recalled(text or "")
    if text is not None and is_blank(text) and not reason.strip():
        remove = git_in(root, f"rm -- {typed(path)}")
        what = f"section '{section}' of {path}" if section else path
        raise Refused(f"the new text is empty, and {what} would hold none; say why with --reason", hint=remove)
    names_older = any(field in ("supersedes", "metadata.supersedes") and value for field, value in fields)

    def edited(memory: Memory) -> tuple[bytes, list[str]]:
        said = check_fields(memory, fields)
        new = with_fields(memory, fields)
        if text is not None:
            new = set_section(new, section, text) if section else set_body(new, shaped(memory.body, text))
        if new == memory.data:
            raise Same(path, new)
        if not names_date(fields):
            new = dated(memory, new, when)
        told = successor_notes(root, known(read_memory(path, new)).supersedes, stem(path), actor) if names_older else []
        return new, [said, *recalled_notes(text or ""), *told]

    return change_memory(root, "edit", path, edited, read, merge, when, actor, environ, reason)


def nul_hint(root: str, path: str) -> str:
    """How a file of UTF-16 without its mark becomes UTF-8."""
    return f"iconv -f UTF-16LE -t UTF-8 {typed(join(root, path))} > utf8.md   (look at it, then put it in the place)"


def change_memory(
    root: str,
    operation: str,
    path: str,
    edited: Callable[[Memory], tuple[bytes, list[str]]],
    read: tuple[str, str] | None,
    merge: bool,
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    reason: str,
) -> Kept:
    """Change one memory that is there; gitmem's own line in the list follows.

    edited: gives the new bytes and sentences for the person; raises Same when there is nothing to change
    """

    def make(reader: Reader) -> list[FileChange]:
        old = reader.read(path)
        if old is None:
            raise NotFound(f"{path} is gone", hint="gitmem list")
        memory = read_memory(path, old)
        try:
            new, said = edited(memory)
        except Refused as refusal:
            if holds_nul(old):  # what cannot be edited has no name for the file
                raise Refused(f"{path}: {refusal.message}", hint=nul_hint(root, path)) from refusal
            raise
        if actor.kind == "model" and known(memory).trust in ("", "verified"):
            new = as_candidate(memory, new)
        files = [FileChange(path, new), *with_renewed_entry(reader, memory, read_memory(path, new))]
        return noted(change, reader, files, said)

    change = Change(operation, stem(path), reason, actor, make, read=read, merge=merge)
    return carry_out(root, change, when, environ)


def rewritten(
    memory: Memory, given: Memory, settings: Mapping[str, Value], when: int, actor: Actor
) -> tuple[bytes, list[str]]:
    """``memory`` with the text of ``given``, and with its head where it has one."""
    if given.body_line > 1:
        kept: dict[str, Value] = {"id": known(memory).id} if known(memory).id and not known(given).id else {}
        new = completed(given, {**kept, **settings}, when, actor)
    else:
        new = set_body(with_fields(memory, list(settings.items())), shaped(memory.body, given.text))
    if new == memory.data:
        raise Same(memory.path, new)
    return (new if given.body_line > 1 else dated(memory, new, when)), recalled_notes(given.body)


def shaped(old: str, new: str) -> str:
    """``new`` with the empty lines that ``old`` begins with, and a line ending at its end."""
    blank = old[: len(old) - len(old.lstrip("\r\n"))]
    new = new if new.startswith(("\n", "\r")) else blank + new
    return new if not new or new.endswith(("\n", "\r")) else new + "\n"


def carry_out(root: str, change: Change, when: int, environ: Mapping[str, str]) -> Kept:
    """Apply ``change`` and tell how its memory, the first of its files, stands now."""
    try:
        applied = apply(root, change, when, environ)
    except Same as same:
        now = blob_id(read_file(root, same.path))
        if change.read is not None and now != blob_id(same.data):
            said = f"{same.path} was changed since you read it ({change.read[1][:10]}, now {now[:10]})"
            raise Stale(
                f"{said}; nothing was written, since what you wanted is what you had read",
                path=same.path, ref="", is_clean=False, hint=f"gitmem show {typed(stem(same.path))} --json",
            ) from None  # fmt: skip
        return Kept(same.path, now, "")
    path, revision = next(iter(applied.paths.items()))
    return Kept(path, revision, applied.commit, (*change.notes, *notes_of(root, applied, environ)))
