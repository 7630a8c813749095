"""``gitmem conflict``: the texts that could not be written or merged, and how each is settled."""

from __future__ import annotations

import click

from gitmem.cli.common import Subcommands, shared
from gitmem.cli.diff import coloured
from gitmem.cli.door import Door, counted, printable, read_text, shortened
from gitmem.errors import NotFound, Usage
from gitmem.history.conflict import Conflict, find_conflict, open_conflicts
from gitmem.history.log import text_diff
from gitmem.history.repo import Repo, open_repo
from gitmem.memory.age import iso
from gitmem.memory.archived import without_marks
from gitmem.memory.clean import one_line
from gitmem.memory.document import blob_id, decode
from gitmem.store.paths import typed
from gitmem.store.worktree import read_file
from gitmem.write.archive_find import is_archived
from gitmem.write.change import Actor
from gitmem.write.conflict import hint_of, present_place, resolve

NOT_UTF8 = "not all of it is UTF-8: what is not is shown as Latin-1, and kept byte for byte"
MAX_PATH_CHARS = 200  # of a path in a line


@click.group("conflict", cls=Subcommands)
def command() -> None:
    """Texts that could not be written or merged: see them, and settle each.

    A conflict keeps three texts: base, which both sides started from; ours, the memory; theirs, what was wanted.
    """


@command.command("list")
@shared
def list_command(door: Door) -> None:
    """List the open conflicts, oldest first."""
    with open_repo(door.store()) as repo:
        found = open_conflicts(repo)
    lines = [
        f"{door.paint(each.id, 'yellow')}  {shown(each.path)}  wanted by {each.who}, {iso(each.when)}"
        + (f"  ({printable(each.reason.splitlines()[0])})" if each.reason else "")
        for each in found
    ]
    door.answer({"conflicts": [shape(each) for each in found]}, "\n".join(lines))
    if not found:
        door.say("no open conflicts")


@command.command("show")
@click.argument("name", metavar="ID")
@shared
def show_command(door: Door, name: str) -> None:
    """Show what the memory became, and what was wanted, each against what both started from.

    ID is a conflict's id, the beginning of it, or its memory.
    """
    with open_repo(door.store()) as repo:
        conflict = find_conflict(repo, name)
        base, ours, theirs = (text_of(repo, blob) for blob in (conflict.base, conflict.ours, conflict.theirs))
        place = present_place(repo, conflict.path)
        now = work_file(repo, place)
    moved = f" ({shown(place)} now)" if place != conflict.path else ""
    bare = marks_off(place, now)
    said = [
        f"{shown(conflict.path)}{moved}, conflict {conflict.id}: wanted by {conflict.who}, {iso(conflict.when)}",
        *conflict.reason.splitlines(),
        *([NOT_UTF8] if any(encoding_of(data) == "latin-1" for data in (base, ours, theirs)) else []),
        "",
        "ours, the memory"
        + ("" if (blob_id(bare) if bare is not None else "") == conflict.ours else " as it was then"),
        difference(door, base, ours, conflict.path),
        "theirs, what was wanted",
        difference(door, base, theirs, conflict.path),
        hint_of(conflict),
    ]
    texts = {"base": base, "ours": ours, "theirs": theirs}
    whole = shape(conflict) | {
        "place": place,
        "texts": {side: decode(data, conflict.path)[0] if data is not None else None for side, data in texts.items()},
    }
    door.answer(whole, "\n".join(said))


@command.command("resolve")
@click.argument("name", metavar="ID")
@click.option("--ours", is_flag=True, help="Keep the memory as it is.")
@click.option("--theirs", is_flag=True, help="Put the text that was wanted in its place.")
@click.option("--both", is_flag=True, help="Keep the memory, and the other text as a memory beside it.")
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
            "say which text stays: --ours, --theirs, --both or --body-file FILE, one of them",
            hint=f"gitmem conflict show {typed(name)}",
        )
    text = read_text((), body_file, what="the text") if body_file is not None else None
    if text is not None and not text.strip():
        raise Usage(
            f"{shortened(body_file or '')} is empty, and the memory would hold no text",
            hint=f"gitmem conflict show {typed(name)}",
        )
    kept = resolve(
        door.store(), name, chosen[0], when=door.when, actor=Actor("person"), environ=door.environ, text=text,
        reason=reason,
    )  # fmt: skip
    for sentence in kept.notes:
        door.say(sentence)
    path = shown(kept.path)
    done = {"ours": f"kept {path} as it is", "both": f"kept both; the other text is {path}"}
    gone = f"{path} stays gone" if ours else f"{path} is gone now, as was wanted"
    said = done.get(chosen[0], f"{path} has the text you chose") if kept.revision else gone
    answer = {"path": kept.path, "revision": kept.revision, "commit": kept.commit}
    door.answer(answer, said, saved=f"{path} is saved")
    with open_repo(door.store()) as repo:
        left = len(open_conflicts(repo))
    door.say(left_open(left))


def left_open(number: int) -> str:
    """How many conflicts are left, as a sentence."""
    if not number:
        return "no conflict is left"
    return f"{counted(number, 'conflict')} {'is' if number == 1 else 'are'} left: gitmem conflict list"


def shape(conflict: Conflict) -> dict[str, object]:
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


def marks_off(place: str, data: bytes | None) -> bytes | None:
    """An archived memory as it was before."""
    return without_marks(data) if data is not None and is_archived(place) else data


def work_file(repo: Repo, path: str) -> bytes | None:
    try:
        return read_file(repo.root, path)
    except NotFound:
        return None
