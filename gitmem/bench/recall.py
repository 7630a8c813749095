"""How often the right memory is found: ``gitmem bench recall DATA``.

Every question goes through the real search over a real store and index.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable

from gitmem.bench.sets import QuestionSet, empty_store, write_documents, write_sessions
from gitmem.dataclass import dataclass
from gitmem.recall.choose import search
from gitmem.recall.hit import Hit
from gitmem.write.index import refresh

WHEN = 1_700_000_000  # nothing in a set has an age
ALL_PASSAGES = 1_000  # of one memory, where turns are what is looked for


@dataclass(frozen=True, slots=True)
class Figures:
    """One set, one way of keeping it.

    any1, any5: share of questions with a right document at rank 1, within the first 5
    frac5:      mean share of the right documents within the first 5
    scope:      "one conversation" or "all"; kept: what is one memory
    ms:         CPU milliseconds a question, in one warm process
    """

    name: str
    kept: str
    scope: str
    questions: int
    any1: float
    any5: float
    frac5: float
    ms: float

    def line(self) -> str:
        return (
            f"{self.name} ({self.kept}): any@1 {100 * self.any1:.1f} %, any@5 {100 * self.any5:.1f} %, "
            f"frac@5 {100 * self.frac5:.1f} %, {self.questions} questions, within {self.scope}, {self.ms:.1f} ms"
        )


def measure(data: QuestionSet) -> list[Figures]:
    """The figures of one set; two rows for turns of sessions, which can be kept in two ways."""
    with tempfile.TemporaryDirectory(prefix="gitmem-bench-") as root:
        empty_store(root)
        paths = write_documents(root, data.documents)
        refresh(root)
        rows = [_asked(data, root, "a document is a memory", lambda hit: paths[hit.path], 1)]
    if data.turns():
        with tempfile.TemporaryDirectory(prefix="gitmem-bench-") as root:
            empty_store(root)
            places = write_sessions(root, data.documents)
            refresh(root)
            kept = "a session is a memory, a turn a section"
            rows.append(_asked(data, root, kept, lambda hit: places.get((hit.path, hit.heading), ""), ALL_PASSAGES))
    return rows


def _asked(data: QuestionSet, root: str, kept: str, document_of: Callable[[Hit], str], each: int) -> Figures:
    """Ask every question; a question belongs to the conversation of its right documents."""
    homes = {document.id: document.conv for document in data.documents}
    any1 = any5 = frac5 = 0.0
    began = time.process_time()
    for key, text in data.questions.items():
        gold = data.gold[key]
        found = search(root, text, WHEN, limit=5, folder=homes.get(min(gold), ""), each=each)
        share_1, share_5 = _shares([document_of(hit) for hit in found.hits], gold)
        any1 += share_1 > 0
        any5 += share_5 > 0
        frac5 += share_5
    count = max(1, len(data.questions))
    spent = (time.process_time() - began) * 1000 / count
    scope = "one conversation" if data.conversations() else "all"
    return Figures(data.name, kept, scope, len(data.questions), any1 / count, any5 / count, frac5 / count, spent)


def _shares(ids: list[str], gold: Iterable[str]) -> tuple[float, float]:
    """Share of ``gold`` at rank 1 and within the first 5."""
    wanted = set(gold)
    return len(wanted & set(ids[:1])) / len(wanted), len(wanted & set(ids[:5])) / len(wanted)
