"""One memory as the index keeps it: the same for a file on its way into the index and for one read live.

Hot: the cheap set only.
"""

from __future__ import annotations

from collections import Counter

from gitmem.index.bag import add
from gitmem.memory.field import Known, known, title
from gitmem.memory.passage import passages
from gitmem.memory.words import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.memory.document import Memory

# Weights in halves: a title's word counts 2, one of description, tags and aliases 1.5, one of the body 1.
TITLE, SUMMARY, PLAIN = 4, 3, 2


class PassageRow:
    """One passage.

    first, last:  file lines, 1-based, inclusive
    start, chars: where its text lies in those lines joined by LF
    words:        of its text, the length in BM25
    bag:          its text and the headings above it
    """

    __slots__ = ("bag", "chars", "first", "heading", "last", "start", "words")

    def __init__(self, first: int, last: int, start: int, chars: int, heading: str) -> None:
        self.first, self.last, self.start, self.chars, self.heading = first, last, start, chars, heading
        self.words = 0
        self.bag: Counter[str] = Counter()


class Rows:
    """A memory's passages and its own row.

    fields:   bag of what its head and its name say
    whole:    bag of all passages together
    words:    of all passages
    """

    __slots__ = ("fields", "known", "memory", "passages", "title", "whole", "words")

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self.known: Known = known(memory)
        self.title = title(memory, self.known)
        self.fields = _fields(self.title, memory.path, self.known)
        self.passages: list[PassageRow] = []
        self.whole: dict[str, int] = {}
        self.words = 0
        for passage in passages(memory):
            row = PassageRow(passage.first, passage.last, passage.offset, len(passage.text), passage.heading)
            terms = words(passage.text)
            row.words = len(terms)
            if passage.heading:
                terms += words(passage.heading)
            row.bag.update(terms)
            row.bag.update(terms)  # each counts PLAIN = 2 halves
            self.words += row.words
            self.passages.append(row)
        if len(self.passages) == 1:
            self.whole = self.passages[0].bag
        else:
            for row in self.passages:
                for term, halves in row.bag.items():
                    self.whole[term] = self.whole.get(term, 0) + halves

    def document(self) -> tuple[str | float, ...]:
        """The values of schema.DOCUMENT_COLUMNS from ``name`` to ``triggers``, then those from ``passages`` on."""
        own = self.known
        return (
            self.title, own.description, "\n".join(own.tags), "\n".join(own.aliases), own.updated, own.type, own.kind,
            own.trust.lower(), own.importance, own.pinned, own.muted, own.expires, own.superseded_by, own.id,
            own.baseline, own.baseline_priority, own.seed, "\n".join(own.triggers),
        )  # fmt: skip


def _fields(name: str, path: str, own: Known) -> dict[str, int]:
    """Title words weigh 2, the rest of the head 1.5, words that only the file name holds 1."""
    bag: dict[str, int] = {}
    add(bag, words(name), TITLE)
    for text in (own.description, *own.tags, *own.aliases):
        if text:
            add(bag, words(text), SUMMARY)
    stem = path.rpartition("/")[2][:-3]
    if stem != name:
        for term in words(stem.replace("-", " ").replace("_", " ")):
            bag.setdefault(term, PLAIN)
    return bag
