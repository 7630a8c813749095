"""``gitmem conflict``: the texts that could not be written or merged, and how each is settled."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress

import click

from gitmem.cli.common import Subcommands, shared
from gitmem.cli.diff import coloured
from gitmem.cli.door import Door, counted, printable, read_text, shortened
from gitmem.dataclass import replace
from gitmem.errors import NotFound, RepositoryBusy, StoreUnwritable, Usage
from gitmem.history.conflict import Conflict, find_conflict, open_conflicts
from gitmem.history.conflict_sides import ARCHIVED, Side, SideFinder, Sides
from gitmem.history.log import text_diff
from gitmem.history.repo import Repo, open_repo
from gitmem.history.settings import settings_of
from gitmem.history.trail import present_path
from gitmem.history.tree import tree_blob
from gitmem.history.view import Moved, View
from gitmem.memory.age import iso
from gitmem.memory.archived import Marks, without_marks
from gitmem.memory.clean import one_line
from gitmem.memory.document import blob_id, decode, read_memory
from gitmem.store.paths import join, typed
from gitmem.store.worktree import read_file
from gitmem.write.archive_find import is_archived
from gitmem.write.change import Actor, Reader
from gitmem.write.conflict import place_of, resolve
from gitmem.write.conflict_exchange import exchange
from gitmem.write.conflict_told import hint_of, labels, reason_told, sides_told
from gitmem.write.sync_driver import settle_given_up

NOT_UTF8 = "not all of it is UTF-8: what is not is shown as Latin-1, and kept byte for byte"
MAX_PATH_CHARS = 200  # of a path in a line
MAX_REASON_CHARS = 200


@click.group("conflict", cls=Subcommands)
def command() -> None:
    """Texts that could not be written or merged: see them, and settle each.

    A conflict keeps three texts: base, which both sides started from; ours, what the file has; theirs, what is kept.
    Whose each of them is, is said with it.
    """


@command.command("list")
@shared
def list_command(door: Door) -> None:
    """List the open conflicts, oldest first."""
    root = told_given_up(door)
    with open_repo(root) as repo:
        found, finder = open_conflicts(repo), SideFinder(repo)
        sides = [finder.sides(each) for each in found]
    lines = [
        f"{door.paint(each.id, 'yellow')}  {shown(each.path)}  {sides_told(both)}, {iso(each.when)}"
        + (f"  ({printable(reason_told(each.reason).splitlines()[0])})" if each.reason else "")
        for each, both in zip(found, sides, strict=True)
    ]
    shapes = [shape(each, both) for each, both in zip(found, sides, strict=True)]
    door.answer({"conflicts": shapes}, "\n".join(lines))
    if not found:
        door.say("no open conflicts")


@command.command("show")
@click.argument("name", metavar="ID")
@shared
def show_command(door: Door, name: str) -> None:
    """Show what the memory became, and what was wanted, each against what both started from.

    ID is a conflict's id, the beginning of it, or its memory.
    """
    root = told_given_up(door)
    with open_repo(root) as repo:
        conflict = find_conflict(repo, name)
        sides = SideFinder(repo).sides(conflict)
        base, ours, theirs = (text_of(repo, blob) for blob in (conflict.base, conflict.ours, conflict.theirs))
        place = place_in(repo, conflict, door.environ)
        now = in_file(repo, place)
        bare = without_marks(now) if now is not None and is_archived(place) else now
        then = exchange(repo, conflict, bare, settings_of(root).index_file, SideFinder(repo).put_in(conflict))
        is_as_then = then is not None and bare == then.merged
        sides = replace(sides, later="you") if not is_as_then and is_edited(repo, place) else sides
    moved = f" ({shown(place)} now)" if place != conflict.path else ""
    is_merged = is_as_then and bare != ours
    is_partial = then is not None and not then.is_whole and (is_merged or then.data != theirs)
    label_ours, label_theirs = labels(sides, is_merged=is_merged, is_partial=is_partial)
    wanted = without_marks(theirs) if theirs and sides.theirs.kind == ARCHIVED else theirs
    said = [
        f"{shown(conflict.path)}{moved}, conflict {conflict.id}, {iso(conflict.when)}",
        *reason_told(conflict.reason).splitlines(),
        sides_told(sides),
        *([NOT_UTF8] if any(encoding_of(data) == "latin-1" for data in (base, ours, theirs)) else []),
        "",
        label_ours,
        difference(door, base, bare, conflict.path),
        label_theirs + archived_because(sides, theirs, conflict.path),
        difference(door, *((bare, then.data) if then and is_partial else (base, wanted)), conflict.path),
        hint_of(conflict, door.option_for(root), f" | --body-file FILE   ({typed(conflict.path)})"),
    ]
    texts = {"base": base, "ours": ours, "theirs": theirs, "file": now}
    whole = shape(conflict, sides) | {
        "place": place,
        "texts": {side: decode(data, conflict.path)[0] if data is not None else None for side, data in texts.items()},
    }
    door.answer(whole, "\n".join(said))


@command.command("resolve")
@click.argument("name", metavar="ID")
@click.option("--ours", is_flag=True, help="Keep the file as it is.")
@click.option("--theirs", is_flag=True, help="Put the text that the record keeps in its place.")
@click.option("--both", is_flag=True, help="Keep the file, and the other text as a memory beside it.")
@click.option("--body-file", metavar="FILE", help="Take the text in FILE instead; - is standard input.")
@click.option("--reason", default="", help="Why; stands in the commit.")
@shared
def resolve_command(
    door: Door, name: str, ours: bool, theirs: bool, both: bool, body_file: str | None, reason: str
) -> None:
    """Settle the conflict ID by a merge commit, which keeps both texts in history.

    It can be taken back with `gitmem undo`.
    """
    ways = {"ours": ours, "theirs": theirs, "both": both, "edited": body_file is not None}
    chosen = [way for way, wanted in ways.items() if wanted]
    if len(chosen) != 1:
        raise Usage(
            f"say which text stays: --ours, --theirs, --both or --body-file FILE, one of them{offered(door, name)}",
            hint=f"gitmem conflict show {typed(name)}",
        )
    text = read_text((), body_file, what="the text") if body_file is not None else None
    if text is not None and not text.strip():
        raise Usage(
            f"{shortened(body_file or '')} is empty, and the memory would hold no text",
            hint=f"gitmem conflict show {typed(name)}",
        )
    kept = resolve(
        told_given_up(door), name, chosen[0], when=door.when, actor=Actor("person"), environ=door.environ, text=text,
        reason=reason,
    )  # fmt: skip
    for sentence in kept.notes:
        door.say(sentence)
    path = shown(kept.path)
    done = {"ours": f"kept {path} as it is", "both": f"kept both; the other text is {path}"}
    gone = f"{path} stays gone" if ours else f"{path} is gone now, as was wanted"
    chose = (
        f"{path}: archived, as was wanted" if theirs and is_archived(kept.path) else f"{path} has the text you chose"
    )
    said = done.get(chosen[0], chose) if kept.revision else gone
    answer = {"path": kept.path, "revision": kept.revision, "commit": kept.commit}
    door.answer(answer, said, saved=f"{path} is saved")
    with open_repo(door.store()) as repo:
        left = len(open_conflicts(repo))
    door.say(left_open(left))


def told_given_up(door: Door) -> str:
    """The store's root, once what git gave up since the last look is out of the way, and said."""
    root = door.store()
    with suppress(RepositoryBusy, StoreUnwritable, OSError):  # who may only read is shown what is open all the same
        for sentence in settle_given_up(root):
            door.say(sentence)
    return root


def offered(door: Door, name: str) -> str:
    """Whose the texts are, behind a sentence that asks for one; "" for a conflict that is not there."""
    with open_repo(door.store()) as repo:
        try:
            return f"; {sides_told(SideFinder(repo).sides(find_conflict(repo, name)))}"
        except NotFound:
            return ""


def left_open(number: int) -> str:
    """How many conflicts are left, as a sentence."""
    if not number:
        return "no conflict is left"
    return f"{counted(number, 'conflict')} {'is' if number == 1 else 'are'} left: gitmem conflict list"


def shape(conflict: Conflict, sides: Sides) -> dict[str, object]:
    """A conflict as JSON has it; what was never known is ""."""
    return {
        "id": conflict.id,
        "ref": conflict.ref,
        "commit": conflict.commit,
        "path": conflict.path,
        "when": iso(conflict.when),
        "who": conflict.who,
        "reason": conflict.reason,
        "base": conflict.base,
        "ours": conflict.ours,
        "theirs": conflict.theirs,
        "sides": {"ours": shape_of(sides.ours), "theirs": shape_of(sides.theirs), "changed_since_by": sides.later},
        "told": sides_told(sides),
    }


def shape_of(side: Side) -> dict[str, object]:
    return {
        "who": side.who,
        "what": side.kind,
        "when": iso(side.when) if side.when else "",
        "commit": side.commit,
        "machine": side.machine,
        "this_machine": side.is_here,
    }


def text_of(repo: Repo, blob: str) -> bytes | None:
    return repo.objects.read(blob, "blob") if blob else None


def shown(path: str) -> str:
    return one_line(path, MAX_PATH_CHARS)


def difference(door: Door, base: bytes | None, side: bytes | None, path: str) -> str:
    """What one side did to base, for the screen."""
    text = text_diff(in_utf8(base), in_utf8(side), path)
    return coloured(door, printable(text)) or "  as both started from\n"


def encoding_of(data: bytes | None) -> str:
    return decode(data, "the text")[1] if data is not None else ""


def in_utf8(data: bytes | None) -> bytes | None:
    """A text in any encoding, so that it can be compared line by line and shown."""
    return decode(data, "the text")[0].encode("utf-8", "surrogateescape") if data is not None else None


def archived_because(sides: Sides, theirs: bytes | None, path: str) -> str:
    """When and why the other side archived the memory; "" when it did not."""
    if theirs is None or sides.theirs.kind != ARCHIVED:
        return ""
    marks = Marks(read_memory(path, theirs).fields)
    return f", {marks.at}: {one_line(marks.reason, MAX_REASON_CHARS)}"


def in_file(repo: Repo, path: str) -> bytes | None:
    """What the file at ``path`` holds now, as git keeps it; None where it is gone."""
    try:
        data = read_file(repo.root, path)
    except NotFound:
        return None
    committed, bare = tree_blob(repo, repo.head()[1], path) if repo.head()[1] else None, data.replace(b"\r\n", b"\n")
    return bare if committed == blob_id(bare) else data


def place_in(repo: Repo, conflict: Conflict, environ: Mapping[str, str]) -> str:
    """Where the memory of the conflict lies now."""
    try:
        return place_of(Reader(View(repo, environ)), conflict)
    except (Moved, RepositoryBusy):  # git is in the middle of something: what is committed is told
        is_there = os.path.lexists(join(repo.root, conflict.path))
        return conflict.path if is_there else present_path(repo, conflict.path, conflict.commit)


def is_edited(repo: Repo, path: str) -> bool:
    """Whether the file at ``path`` is not what was committed last; line ends that git takes out are no edit."""
    committed = tree_blob(repo, repo.head()[1], path) if repo.head()[1] else None
    try:
        data = read_file(repo.root, path)
    except NotFound:
        return committed is not None
    return committed not in (blob_id(data), blob_id(data.replace(b"\r\n", b"\n")))
