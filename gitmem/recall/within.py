"""Which passage of a memory to quote: the one that says most of what was asked by its own words.

Between memories the head counts, and short passages; within one both would choose its last words ("## Links"), since
each passage has the head alike and the shortest gains most by it.
Hot: standard library only.
"""

from __future__ import annotations

from gitmem.limits import PASSAGE_MIN_WORDS
from gitmem.memory.words import words
from gitmem.recall.score import bm25

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.recall.question import Term

FEW_WORDS = 8  # a passage of fewer says little by itself


def best_within(terms: Sequence[Term], passages: Sequence[tuple[str, int, str]], average: float) -> int:
    """Number of the passage to quote; of equal ones the first that says something.

    passages: bag, words of its text, and "A > B", the headings above it, of each
    average:  words of the store's passages
    """
    scores = []
    for bag, count, heading in passages:
        above = words(heading.rpartition(" > ")[0])
        inherited = [-float(above.count(term.text)) for term in terms]
        scores.append(bm25(terms, bag, inherited, max(count, PASSAGE_MIN_WORDS), average)[0])
    best = max(scores)
    first = [at for at, score in enumerate(scores) if score == best]
    return next((at for at in first if passages[at][1] >= FEW_WORDS), first[0])
