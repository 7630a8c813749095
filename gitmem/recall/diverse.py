"""Maximal marginal relevance: a second wording of the same fact steps back for a new one.

Hot: imports nothing outside the package.
"""

from __future__ import annotations

from gitmem.index.bag import unpack

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

RELEVANCE = 0.7  # against likeness to what is chosen already (E4)
SAME_FROM = 0.5  # share of common terms up to which two passages are different things


def diverse(scores: Sequence[float], bags: Sequence[str]) -> list[int]:
    """The order in which to take items: ``scores`` (best first) with near repetitions later.

    source: Carbonell & Goldstein (1998); likeness is the Jaccard index of the terms above SAME_FROM
    """
    terms = [set(unpack(bag)) for bag in bags]
    left = list(range(len(scores)))
    order: list[int] = []
    best = max(scores, default=0.0) or 1.0
    nearest = [0.0] * len(scores)
    while left:
        chosen = max(left, key=lambda at: RELEVANCE * scores[at] / best - (1 - RELEVANCE) * nearest[at])
        left.remove(chosen)
        order.append(chosen)
        for at in left:
            common = len(terms[at] & terms[chosen])
            either = len(terms[at]) + len(terms[chosen]) - common
            like = common / either if either else 0.0
            if like > SAME_FROM and like > nearest[at]:
                nearest[at] = like
    return order
