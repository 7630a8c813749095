"""What a person reads of a conflict: what differs, whose the two texts are, and the command that settles it."""

from __future__ import annotations

from gitmem.history.conflict_sides import ARCHIVED, GONE
from gitmem.memory.age import iso
from gitmem.memory.name import is_reserved
from gitmem.write.arrive import COULD_NOT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gitmem.history.conflict import Conflict
    from gitmem.history.conflict_sides import Side, Sides

PARTS = ("section ", "the body", "the text before", "the line ", "the entry ", "the comment at ", "the whole ",
         "the frontmatter", "the settings")  # fmt: skip
FIELDS = ("field ", "setting ")
HALF = " (changed on one side, removed on the other)"
STANDS = "the change stands"  # ends a sentence of the merge that has the mark between two of them in it
COMMIT_DIGITS = 10
FROM, OF = " from ", " of "  # how a text's machine follows it, and its date


def difference_told(words: Sequence[str]) -> str:
    """What could not merge as a sentence, from the words of the merge: ``the description and the body differ``."""
    parts: list[str] = []
    said: list[str] = []
    for word in words:
        name, half = word.removesuffix(HALF), HALF.strip(" ()") if word.endswith(HALF) else ""
        if name.startswith(FIELDS):
            name = f"the {name.partition(' ')[2]}"
        elif name.startswith("section "):
            name = f"the {name}"
        elif not name.startswith(PARTS):
            said.append(word)
            continue
        whole, _, why = name.partition(" (") if name.startswith("the whole ") else (name, "", "")
        if half or why:
            said.append(f"{name} was {half}" if half else f"{whole} differs ({why}")
        else:
            parts.append(name)
    if parts:
        *most, last = parts
        is_many = bool(most) or (last.endswith("s") and not last.endswith(("ss", "us")) and " " not in last[4:])
        said.insert(0, f"{', '.join(most)}{' and ' if most else ''}{last} {'differ' if is_many else 'differs'}")
    return "; ".join(said)


def reason_told(reason: str) -> str:
    """Why there is a conflict, from its record: the merge's words as a sentence, a person's own as they are."""
    return difference_told(words_of(reason)) if reason.startswith(COULD_NOT) else reason


def words_of(reason: str) -> tuple[str, ...]:
    """The words of the merge in the reason of a conflict's record."""
    return tuple(_split(reason.removeprefix(COULD_NOT))) if reason else ()


def _split(reason: str) -> Iterator[str]:
    """Cut where one word of the merge ends: a heading or a file's name in quotes may hold the same mark."""
    word = ""
    for piece in reason.split("; "):
        if word and (word.count('"') % 2 or piece == STANDS):
            word += f"; {piece}"
            continue
        if word:
            yield word
        word = piece
    if word:
        yield word


def sides_told(sides: Sides) -> str:
    """``the file has Ada's text (--ours); Bo's is kept (--theirs)``."""
    marks = _marks(sides)
    theirs = _done(sides.theirs, marks[1]) or f"{_other(sides, marks[1])} is kept"
    return f"{_in_file(sides, marks[0])} (--ours); {theirs} (--theirs)"


def labels(sides: Sides, *, is_merged: bool = False, is_partial: bool = False) -> tuple[str, str]:
    """What stands above either text where both are shown: ``--ours: Ada's text, in the file``.

    is_merged:  the file has more than the one text: what merged cleanly
    is_partial: the other text takes the place of the first only where the two differ
    """
    marks = _marks(sides)
    ours = f"{_text(sides.ours, marks[0])}, in the file" if sides.ours.kind != GONE else _in_file(sides, marks[0])
    if sides.later:
        ours = f"the file as it is now, changed since by {sides.later}"
    elif is_merged:
        ours = f"the file, with {_text(sides.ours, marks[0])} where the two differ"
    theirs = _done(sides.theirs, marks[1])
    if not theirs:
        where = " where the two differ, as a change of the file as it is now" if is_partial else ", kept"
        theirs = f"{_other(sides, marks[1], 'text')}{where}"
    return f"--ours: {ours}", f"--theirs: {theirs}"


def ways(conflict: Conflict) -> str:
    """The options that settle it, where each can."""
    is_memory = conflict.path.lower().endswith(".md") and not is_reserved(conflict.path)
    both = " | --both" if is_memory and conflict.ours and conflict.theirs else ""
    return f"--ours | --theirs{both}"


def hint_of(conflict: Conflict, option: str = "", more: str = "") -> str:
    """The command that settles a conflict, as it is typed.

    option: ``--store`` with a blank before, for a store that is not where gitmem looks; more: what follows the ways
    """
    return f"gitmem conflict resolve {conflict.id}{option} {ways(conflict)}{more}"


def _in_file(sides: Sides, mark: str) -> str:
    if sides.ours.kind == GONE:
        return f"the file is gone{_by(sides.ours, mark)}"
    text = _text(sides.ours, mark)
    return f"the file had {text}, changed since by {sides.later}" if sides.later else f"the file has {text}"


def _text(side: Side, mark: str) -> str:
    """The first text that is named."""
    if side.who:
        return f"{side.who}'s text{mark}"
    return f"the text{mark}" if mark else "one text"


def _other(sides: Sides, mark: str, noun: str = "") -> str:
    """The text that is named after the first one."""
    side, noun = sides.theirs, f" {noun}" if noun or sides.ours.kind == GONE else ""
    if side.point:
        return f"that of rollback point {side.point}"
    if side.who:
        return f"{side.who}'s{noun}{mark}" if mark or not sides.is_one else f"another text of {side.who}'s"
    return f"the one{mark}" if mark else f"the other{noun}"


def _done(side: Side, mark: str) -> str:
    """What the side did to the memory, "" where it left a text."""
    verb = {GONE: "removed", ARCHIVED: "archived"}.get(side.kind, "")
    return f"{side.who or 'the other side'} {verb} it{_at(mark)}" if verb else ""


def _by(side: Side, mark: str) -> str:
    return f", removed by {side.who}{_at(mark)}" if side.who else ""


def _at(mark: str) -> str:
    """The mark of a text as that of a deed."""
    return mark.replace(FROM, " on ", 1).replace(OF, ", ", 1)


def _marks(sides: Sides) -> tuple[str, str]:
    """What tells two texts of one author apart: their machines, else when they were committed, else the commits."""
    if not sides.is_one:
        return "", ""
    both = sides.ours, sides.theirs
    machines = ["this machine" if side.is_here else side.machine for side in both]
    dates = [OF + iso(side.when) if side.when else "" for side in both]
    commits = [f"{OF}commit {side.commit[:COMMIT_DIGITS]}" if side.commit else "" for side in both]
    if machines[0] != machines[1]:
        dates = [FROM + machine if machine else date for machine, date in zip(machines, dates, strict=True)]
    for one, two in (dates, commits):
        if one and two and one != two:
            return one, two
    return "", ""
