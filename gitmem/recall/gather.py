"""From a question to scored memories: candidates from the index and from files read live.

Stage one is the engine's: the passages, and with a memory's first passage its head, that
hold the rarest words.  Stage two scores those again exactly, adds the whole
memory's score, and keeps the best passage of each.
Hot: standard library only.
"""

from __future__ import annotations

from gitmem.memory.age import iso
from gitmem.recall.score import WHOLE, bm25, field_weights, state_of, tie_break

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from gitmem.index.read import DocumentRow, Index, PassageRow
    from gitmem.index.rows import Rows
    from gitmem.recall.live import Live
    from gitmem.recall.question import Question
    from gitmem.recall.scope import Scope

CANDIDATES = 50  # passages scored exactly for a prompt; in 7,000 mixed memories 60 find what 200 do
WHOLES = 40  # memories whose whole text is scored


class Found:
    """One passage of one memory, scored.

    document:    id in the index, 0 for a memory that was read live
    rows:        the memory that was read live, else None
    row:         what the index says of its document, None for one that was read live
    first, last, start, chars, heading, bag: of the passage, as in the index
    fields:      weight of each term of the question in the memory's head
    rank:        orders the answer; evidence: against the floor; exact: it holds an exact term
    own:         rank of the passage alone
    matched:     mass of the question's terms it holds
    state:       "" or why a prompt does not get it
    updated:     by its own word or its last commit, "" unknown
    parts:       share of each tie breaker
    """

    __slots__ = (
        "bag", "chars", "document", "evidence", "exact", "fields", "first", "heading", "last", "matched", "own",
        "parts", "path", "rank", "row", "rows", "start", "state", "trust", "updated",
    )  # fmt: skip

    def __init__(self, path: str, document: int, fields: list[float], score: tuple[float, float, float, bool]) -> None:
        self.path, self.document, self.fields = path, document, fields
        self.rank, self.evidence, self.matched, self.exact = score
        self.own = self.rank
        self.rows: Rows | None = None
        self.row: DocumentRow | None = None
        self.first = self.last = self.start = self.chars = 0
        self.heading = self.bag = self.state = self.updated = self.trust = ""
        self.parts: dict[str, float] = {}

    def place(self, first: int, last: int, start: int, chars: int, heading: str, bag: str) -> None:
        self.first, self.last, self.start, self.chars = first, last, start, chars
        self.heading, self.bag = heading, bag


class Gather:
    """Scores memories against one question."""

    __slots__ = ("average", "average_whole", "candidates", "each", "index", "least", "question", "scope", "when")

    def __init__(
        self, index: Index, question: Question, live: Live | None, when: int, *,
        each: int = 1, least: float = 0.0, candidates: int = CANDIDATES,
    ) -> None:  # fmt: skip
        """each: passages of one memory that may be found; least: evidence below which none is wanted

        ``scope``: keeps those out of the candidates that must not count, lest they take the room of others
        """
        self.scope: Scope | None = None
        self.index, self.question, self.when = index, question, when
        self.each, self.least, self.candidates = each, least, candidates
        passages, words, documents = index.passages, index.passage_words, index.documents
        if not passages and live is not None:
            passages, documents = live.passages, len(live.rows)
            words = sum([rows.words for rows in live.rows.values()])
        self.average = max(words, 1) / max(passages, 1)
        self.average_whole = max(words, 1) / max(documents, 1)

    def from_index(self, without: Container[int], folder: str) -> list[Found]:
        """The best of the index, unsorted; documents in ``without`` are known better from their files."""
        index, terms = self.index, self.question.terms
        keep = self.scope.first if self.scope is not None else None
        rows = index.passage_rows(index.candidates_of(self.question.searched(), self.candidates, folder, keep))
        heads = index.head_rows({row[1] for row in rows})
        weights: dict[int, list[float]] = {}
        scored: dict[int, list[tuple[tuple[float, float, float, bool], PassageRow]]] = {}
        for row in rows:
            document = row[1]
            if document in without or document not in heads:
                continue
            if document not in weights:
                weights[document] = field_weights(terms, heads[document][2])
                scored[document] = []
            scored[document].append((bm25(terms, row[8], weights[document], row[7], self.average), row))
        wholes = self._wholes(scored, heads)
        out: list[Found] = []
        for document, several in scored.items():
            several.sort(key=_best_first)
            for score, row in several[: self.each]:
                found = Found("", document, weights[document], score)
                found.place(*row[2:7], row[8])
                self._judge(found, wholes.get(document, ""), heads[document][0])
                if found.evidence >= self.least:
                    out.append(found)
        self._describe(out)
        return out

    def from_file(self, rows: Rows) -> list[Found]:
        """The best passages of a memory that was read live."""
        from gitmem.recall.live import packed

        fields, whole, bags = packed(rows)
        weights = field_weights(self.question.terms, fields)
        out: list[Found] = []
        for passage, bag in zip(rows.passages, bags, strict=True):
            score = bm25(self.question.terms, bag, weights, passage.words, self.average)
            if score[0] > 0:
                found = Found(rows.memory.path, 0, weights, score)
                found.rows = rows
                found.place(passage.first, passage.last, passage.start, passage.chars, passage.heading, bag)
                self._judge(found, whole if len(bags) > 1 else "", rows.words)
                out.append(found)
        out.sort(key=lambda found: (-found.rank, found.first))
        if out and len(bags) > 1 and self.each == 1:
            from gitmem.recall.within import best_within

            told = [(bag, each.words, each.heading) for each, bag in zip(rows.passages, bags, strict=True)]
            at = best_within(self.question.terms, told, self.average)
            best = rows.passages[at]
            out[0].place(best.first, best.last, best.start, best.chars, best.heading, bags[at])
        own = rows.known
        for found in out[: self.each]:
            found.trust, found.updated = own.trust.lower(), own.updated
            self._weigh(found, own.kind, own.importance, own.pinned, own.muted, own.expires, own.superseded_by)
        return out[: self.each]

    def best_passage(self, found: Found) -> None:
        """Move ``found`` to the passage of its memory that is quoted, also to one that was no candidate by itself."""
        row = found.row
        if row is None or row.passages < 2 or self.each > 1:
            return
        from gitmem.recall.within import best_within  # most memories are one passage

        rows = self.index.passage_rows(range(row.first_passage, row.first_passage + row.passages))
        at = best_within(self.question.terms, [(each[8], each[7], each[6]) for each in rows], self.average)
        found.place(*rows[at][2:7], rows[at][8])

    def _wholes(
        self, scored: dict[int, list[tuple[tuple[float, float, float, bool], PassageRow]]],
        heads: dict[int, tuple[int, int, str]],
    ) -> dict[int, str]:  # fmt: skip
        """Bags of whole memories, where they differ from the passage, of the best ones."""
        ids = [document for document in scored if heads[document][1] > 1]
        if len(ids) > WHOLES:
            ids.sort(key=lambda document: -max([score[0] for score, _ in scored[document]]))
            del ids[WHOLES:]
        return self.index.wholes(ids) if ids else {}

    def _judge(self, found: Found, whole: str, words: int) -> None:
        """Add the whole memory's score, and count only the evidence that covers the question."""
        evidence = found.evidence
        if whole:
            rank, more, _, _ = bm25(self.question.terms, whole, found.fields, words, self.average_whole)
            found.rank = (found.rank + WHOLE * rank) / (1 + WHOLE)
            evidence = (evidence + WHOLE * more) / (1 + WHOLE)
        found.evidence = self.question.judged(evidence, found.matched)

    def _describe(self, several: list[Found]) -> None:
        """What the index says of the memories of ``several``."""
        rows = self.index.document_rows({found.document for found in several}) if several else {}
        for found in several:
            row = found.row = rows[found.document]
            found.path, found.trust = row.path, row.trust
            found.updated = row.updated or (iso(row.committed) if row.committed is not None else "")
            self._weigh(
                found, row.kind, row.importance, bool(row.pinned), bool(row.muted), row.expires, row.superseded_by
            )

    def _weigh(
        self, found: Found, kind: str, importance: float, pinned: bool, muted: bool, expires: str, superseded_by: str
    ) -> None:
        found.state = state_of(found.trust, muted, expires, superseded_by, self.when, self.index.candidates)
        found.parts = tie_break(
            found.updated, self.when, trust=found.trust, importance=importance, pinned=pinned, kind=kind
        )
        found.rank *= 1 + sum(found.parts.values())


def ranked(several: Iterable[Found]) -> list[Found]:
    """Best first; equal ones by path, so that the same question has the same answer."""
    return sorted(several, key=lambda found: (-found.rank, found.path, found.first))


def _best_first(item: tuple[tuple[float, float, float, bool], PassageRow]) -> tuple[float, int]:
    return -item[0][0], item[1][0]
