"""A memory's place in the list, given back while its neighbours are in the archive themselves.

What archiving wrote down of a place names lines as they stood then.  Those of a neighbour that was archived since are
not in the list any more, so its own records are asked: where it stood, what its line was.  And what comes back is
told to the records of those that are still away, so that in whatever order memories are restored the list is in the
end what it was.
"""

from __future__ import annotations

from gitmem.memory.link import link_spans
from gitmem.memory.name import twin_key
from gitmem.memory.raw_lines import RawLines, bare, ending
from gitmem.write.archive_entry import PER_RECORD, digest, found_place, insert_lines, without_links
from gitmem.write.archive_find import origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_GAP_DIGITS = 5


class Record:
    """One place of one memory in the list, as archive_entry.py writes it down.

    path:  the memory, in the archive; left: digest of what remained of the line, "" when it went whole
    """

    __slots__ = ("above", "below", "first", "last", "left", "path", "text")

    def __init__(self, path: str, items: Sequence[str]) -> None:
        self.path = path
        text, self.left, self.above, self.below = items
        self.say(text)

    def say(self, text: str) -> None:
        """Give it another text; ``first`` and ``last`` are digests of its outer lines."""
        self.text = text
        self.first, self.last = digest(text.partition("\n")[0]), digest(text.rpartition("\n")[2])


class Shelf:
    """The records of all memories that are in the archive still.

    others: path in the archive -> items of its ``archive_entry``
    names:  what wikilinks may say, as ``link_names`` gives it
    """

    __slots__ = ("before", "names", "records")

    def __init__(self, others: Mapping[str, Sequence[str]], names: Mapping[str, str] | None = None) -> None:
        self.names = names
        self.before = {path: list(items) for path, items in others.items()}
        self.records = [record for path, items in others.items() for record in records_of(path, items)]

    def changed(self) -> dict[str, list[str]]:
        """path -> its items, for each memory whose records are others than they were."""
        now: dict[str, list[str]] = {}
        for each in self.records:
            now.setdefault(each.path, []).extend((each.text, each.left, each.above, each.below))
        return {path: items for path, items in now.items() if items != self.before.get(path, items)}

    def put_back(self, data: bytes, path: str, items: Sequence[str]) -> bytes | None:
        """The list with the memory's places in it; None for none of them.

        raises: Refused for a damaged list
        """
        file = RawLines(data)
        mine = records_of(path, items)
        self.records += mine  # two places of one memory may be neighbours
        done = False
        for record in mine:
            self.records.remove(record)
            done = (self._relink(file, record) if record.left else self._insert(file, record)) or done
        return file.data() if done else None

    def _insert(self, file: RawLines, record: Record) -> bool:
        """A line that went whole comes back between its neighbours; the nearest that are away are told."""
        if not record.text.strip():
            return False
        there = {digest(bare(line)) for line in file.lines}
        ways = _Ways(self.records, there)
        (above, over), (below, under) = ways.anchor(record, "above"), ways.anchor(record, "below")
        insert_lines(file, found_place(file.lines, above, below), record.text)
        if over is not None:
            over.below = f"{record.first}+{_parts(record.above)[1]}"
        if under is not None:
            under.above = f"{record.last}+{_parts(record.below)[1]}"
        return True

    def _relink(self, file: RawLines, record: Record) -> bool:
        """A line that lost a link gets it back; the links of others that it lost since stay out."""
        places = {digest(bare(line)): at for at, line in reversed(list(enumerate(file.lines)))}
        chain: list[Record] = []
        left = record.left
        while left and left not in places:
            later = next((each for each in self.records if each.first == left and each not in chain), None)
            if later is None:
                return False
            chain.append(later)
            left = later.left
        was = {record.left, *(each.first for each in chain), *([left] if left else [])}
        line, texts = record.text, list[str]()
        for each in chain:
            texts.append(line)
            line = self._without(line, each.path)
        gone = chain[-1] if not left else None  # the one with which the rest of the line went
        rest = gone.text.partition("\n")[2] if gone is not None else ""
        place = (gone.above, gone.below) if gone is not None else ("", "")
        for each, text, then in zip(chain, texts, [*texts, line][1:], strict=True):
            each.say(text)
            each.left, each.above, each.below = digest(then), "", ""
        for each in self.records:  # by whatever state of the line they know it
            each.above, each.below = (_renamed(anchor, was, digest(line)) for anchor in (each.above, each.below))
        if gone is not None:
            return self._insert(file, Record(record.path, (line + ("\n" + rest if rest else ""), "", *place)))
        at = places[left]
        file.replace(at, at + 1, [line + ending(file.lines[at])])
        return True

    def _without(self, line: str, path: str) -> str:
        key, every = twin_key(origin(path)), link_spans(line, self.names).get(1, [])
        return without_links(line, [span for span in every if twin_key(span[2]) == key], every)


class _Ways:
    """From a line that is away to the nearest one that is there, over the others that are away.

    there: digests of the lines in the list
    """

    __slots__ = ("ends", "later", "next", "there")

    def __init__(self, records: Sequence[Record], there: set[str]) -> None:
        self.there = there
        self.later = {each.first: each.left for each in records if each.left}  # a line that lost a link
        self.ends: dict[tuple[str, str], list[Record]] = {}
        self.next: dict[tuple[str, str], list[Record]] = {}
        for each in records:
            if not each.left:
                for side, end in (("above", each.last), ("below", each.first)):
                    self.ends.setdefault((side, end), []).append(each)
                for side, anchor in (("above", each.below), ("below", each.above)):
                    self.next.setdefault((side, self._now(_parts(anchor)[0])), []).append(each)

    def anchor(self, record: Record, side: str) -> tuple[str, Record | None]:
        """What stands on that side of the record's place in the list now, as an anchor; "" when nobody knows.

        With it the record that names that side's neighbour, where that is away and does not know of this one.
        """
        passed, told = {id(record)}, None
        gap = 0
        while True:
            mark, more = _parts(getattr(record, side))
            found = self._between(record, side, passed)
            if found is not None:  # it says itself that it lay between
                more = _parts(found.below if side == "above" else found.above)[1]
            elif (mark := self._now(mark)) in self.there:
                return f"{mark}+{gap + more}", told
            else:
                found = next(iter(self.ends.get((side, mark), ())), None)
                told = found if len(passed) == 1 else told
            if found is None or id(found) in passed:
                return "", told
            passed.add(id(found))
            gap += more
            record = found

    def _between(self, record: Record, side: str, passed: set[int]) -> Record | None:
        """The one that says of itself that it lay beside the record on that side, and of which no other says so."""
        for each in self.next.get((side, self._now(record.first if side == "above" else record.last)), ()):
            end, other = (each.last, "below") if side == "above" else (each.first, "above")
            nearer = [
                one for one in self.next.get((other, self._now(end)), ()) if one is not record and one is not each
            ]
            if id(each) not in passed and not nearer:
                return each
        return None

    def _now(self, mark: str) -> str:
        """What became of a line that lost links since."""
        passed: set[str] = set()
        while mark not in self.there and mark in self.later and mark not in passed:
            passed.add(mark)
            mark = self.later[mark]
        return mark


def records_of(path: str, items: Sequence[str]) -> list[Record]:
    return [Record(path, items[at : at + PER_RECORD]) for at in range(0, len(items) - PER_RECORD + 1, PER_RECORD)]


def _parts(anchor: str) -> tuple[str, int]:
    """Digest of a line, and how many empty lines lie between."""
    mark, plus, count = anchor.rpartition("+")
    fits = plus and count.isascii() and count.isdigit() and len(count) <= MAX_GAP_DIGITS
    return (mark, int(count)) if fits else ("", 0)


def _renamed(anchor: str, old: set[str], new: str) -> str:
    mark, plus, count = anchor.rpartition("+")
    return f"{new}{plus}{count}" if mark in old else anchor
