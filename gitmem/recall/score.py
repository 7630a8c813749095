"""How well passages answer a question: exact BM25, the whole memory behind it, and what breaks ties.

Hot: standard library only.
"""

from __future__ import annotations

from gitmem.index.bag import ZERO, weight
from gitmem.memory.age import age_days, is_day, unix_seconds
from gitmem.recall.question import K1

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.recall.question import Term

B = 0.5  # length normalisation
WHOLE = 0.4  # weight of the whole memory's score beside its passage's

# What breaks ties, as shares of the lexical score; together within 10 % (E4).
RECENT, RECENT_HALF_DAYS = 0.04, 30
UNVERIFIED = -0.03
IMPORTANT = 0.02
PINNED = 0.01
LASTING_KINDS, LASTING = ("decision", "preference", "procedure"), 0.01
_DAY = 86_400


def bm25(
    terms: Sequence[Term], bag: str, fields: Sequence[float], words: int, average: float
) -> tuple[float, float, float, bool]:
    """Rank, evidence and matched mass of one passage or memory; whether it holds an exact term.

    fields: weight of each term in the memory's head
    words:  of the text; average: of all texts of its kind
    source: Robertson & Zaragoza (2009), section 3; fields add to the term's count before it saturates
    """
    norm = K1 * (1 - B + B * words / average)
    rank = evidence = matched = 0.0
    exact = False
    find = bag.find
    for term, count in zip(terms, fields, strict=True):
        at = find(term.needle)
        if at >= 0:
            count += (ord(bag[at + term.size]) - ZERO) / 2  # bag.weight, without the price of a call
        if count:
            part = count * (K1 + 1) / (count + norm)
            rank += term.rank * part
            evidence += term.evidence * part
            matched += term.evidence
            exact = exact or term.exact
    return rank, evidence, matched, exact


def field_weights(terms: Sequence[Term], fields: str) -> list[float]:
    """What a memory's head adds to the count of each term."""
    return [weight(fields, term.needle) if term.needle in fields else 0.0 for term in terms]


def tie_break(updated: str, when: int, *, trust: str, importance: float, pinned: bool, kind: str) -> dict[str, float]:
    """The parts by which equal scores are told apart, each a share of the lexical score."""
    parts: dict[str, float] = {}
    days = age_days(updated, when) if updated else None
    if days is not None:
        parts["recency"] = RECENT * 0.5 ** (days / RECENT_HALF_DAYS)
    if trust == "candidate":
        parts["trust"] = UNVERIFIED
    if importance > 0:
        parts["importance"] = IMPORTANT * min(importance, 1.0)
    if pinned:
        parts["pinned"] = PINNED
    if kind in LASTING_KINDS:
        parts["kind"] = LASTING
    return parts


def state_of(trust: str, muted: bool, expires: str, superseded_by: str, when: int, candidates: str) -> str:
    """ "" or why a prompt does not get the memory (E6)."""
    if muted:
        return "muted"
    if trust in ("disputed", "superseded"):
        return trust
    if superseded_by:
        return "superseded"
    if trust == "candidate" and candidates == "off":
        return "candidate"
    if expires:
        until = unix_seconds(expires)
        if until is not None and until + (_DAY if is_day(expires) else 0) <= when:
            return "expired"
    return ""
