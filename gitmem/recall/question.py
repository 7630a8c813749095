"""A question as the index is asked: terms, their weights, and whether asking is worth it at all.

A passage's evidence is absolute (BM25 against the rarest word there could be), times the share of
the question it covers: one rare word of ten says less than one of two.  What orders the answer is
measured against the store alone, what must pass the floor against a background model of the world's
words too; what no memory can answer is known from the terms alone, before a posting is read.
Hot: standard library only.
"""

from __future__ import annotations

from math import log
from unicodedata import category

from gitmem.index.bag import needle
from gitmem.limits import MAX_QUESTION_CHARS, MAX_QUESTION_TERMS
from gitmem.memory.words import CLUSTERED, WORD, question_words, scripts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.index.read import Index

K1 = 1.2  # saturation of BM25
FLOOR = 0.42  # evidence a prompt wants; gitmem bench noise measures what it lets through
FIRST_MEMORIES, FIRST_DISCOUNT = 30, 0.4  # among a handful there is little to confuse: up to so much less is enough
UNSEEN_FROM = 300  # passages from which a word the store has never seen begins to speak against a match
MAX_MASS = 5.0  # of a question that must be matched; of a pasted page nobody expects all words again
MIN_POSTINGS, MAX_POSTINGS = 1_000, 5_000  # read for one question, the rarest terms first: a share of the
POSTINGS_SHARE = 30  # passages within these bounds; in 7,000 mixed memories 10,000 postings find what 1,000 do
LONG_CHARS, END_CHARS = 1_000, 400  # a prompt longer than the first is also asked by its ends
SENTENCE = 0.85  # share of letters, their marks and blanks
EXACT_PASSAGES = 3  # an identifier in so few passages is meant when it is named
PAIR = 0.75  # evidence of two ideograms: a word of three is two pairs, of four three
REPAIRED = 0.6  # weight of a word that was repaired
MAX_REPAIRS = 3  # words of a question
MIN_REPAIR_CHARS = 5
MAX_EXPANSIONS = 16  # pairs a lone ideogram stands for
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Term:
    """One term of a question that some passage holds.

    passages: how many hold it
    rank:     weight in ranking
    evidence: weight against the floor; a word found nowhere else, as often as counts, comes to 1.0
    needle, size: how a bag is asked for it (index/bag.py)
    exact:    an identifier, path, version or code in hardly any passage
    """

    __slots__ = ("evidence", "exact", "needle", "passages", "rank", "size", "text")

    def __init__(self, text: str, passages: int, rank: float, evidence: float) -> None:
        self.text, self.passages, self.rank, self.evidence = text, passages, rank, evidence
        self.needle = needle(text)
        self.size = len(self.needle)
        self.exact = passages <= EXACT_PASSAGES and _is_identifier(text)


class Question:
    """What is asked of the index.

    terms:  the rarest first, at most MAX_QUESTION_TERMS
    floor:  evidence below which a prompt gets nothing
    mass:   evidence of all that is asked, also of words the store does not hold; what a passage covers
            of it is the share of its evidence that counts
    bound:  the most evidence any passage could show
    postings: how many are read for it
    """

    __slots__ = ("bound", "floor", "mass", "postings", "terms")

    def __init__(self, weights: dict[str, float], index: Index, live: dict[str, int], live_passages: int) -> None:
        """Weigh the terms of ``asked``.

        live: term -> passages that hold it, among the ``live_passages`` that are read beside the index
        """
        passages = index.passages + live_passages
        self.postings = max(MIN_POSTINGS, min(passages // POSTINGS_SHARE, MAX_POSTINGS))
        total = passages + index.background
        scale = 1.0 / ((K1 + 1) * log(1 + total))
        terms: list[Term] = []
        for term, weight, count, share in _known(weights, index, live):
            rank = log(1 + (passages - count + 0.5) / (count + 0.5))
            smooth = count + share * index.background
            evidence = log(1 + (total - smooth + 0.5) / (smooth + 0.5)) * weight * scale
            if weight == REPAIRED or not term.isascii():  # a generic English word may still tell two memories apart
                rank *= weight
            terms.append(Term(term, count, rank, evidence * _share(term)))
        terms.sort(key=lambda term: (term.passages, term.text))
        self.terms = terms[:MAX_QUESTION_TERMS]
        self.floor = FLOOR * (1 - FIRST_DISCOUNT * FIRST_MEMORIES / (passages + FIRST_MEMORIES))
        known = {term.text for term in terms}
        unseen = sum([weight * _share(term) for term, weight in weights.items() if term not in known]) / (K1 + 1)
        matched = sum([term.evidence for term in self.terms])
        self.mass = max(min(matched + unseen * passages / (passages + UNSEEN_FROM), MAX_MASS), 1e-9)
        self.bound = self.judged(matched * (K1 + 1), matched)

    def judged(self, evidence: float, matched: float) -> float:
        """The evidence that counts of a passage that matches ``matched`` of the question's mass."""
        return evidence * min(1.0, matched / self.mass)

    def floor_of(self, exact: bool) -> float:
        """The floor of a passage; half of it for one that holds an exact term."""
        return self.floor / 2 if exact else self.floor

    def can_pass(self) -> bool:
        """Whether any passage could lie above the floor."""
        return self.bound >= self.floor_of(any(term.exact for term in self.terms))

    def searched(self) -> list[tuple[str, float]]:
        """The terms whose postings are read and their weights: the rarest, within the bounds above; at least one."""
        chosen: list[tuple[str, float]] = []
        left = self.postings
        for term in self.terms:
            left -= term.passages
            if chosen and left < 0:
                break
            chosen.append((term.text, term.rank))
        return chosen


def asked(text: str) -> dict[str, float]:
    """The terms of a question and their weights, of as much of it as is read."""
    return question_words(text[:MAX_QUESTION_CHARS])


def ends(text: str) -> list[str]:
    """How a long prompt begins and ends, where that is a sentence: beside a pasted log it is what the person says.

    [] for a short prompt
    """
    if len(text) <= LONG_CHARS:
        return []
    text = text.strip()
    first, last = text[:END_CHARS].partition("\n\n")[0], text[-END_CHARS:].rpartition("\n\n")[2]
    if len(first) == END_CHARS:
        first = first.partition("\n")[0]
    if len(last) == END_CHARS:
        last = last.rpartition("\n")[2]
    return [each for each in (first, last) if _is_sentence(each)]


def _is_sentence(text: str) -> bool:
    """Whether hardly anything but letters, their marks and blanks stands there, as in no line of a log and no code."""
    return sum([category(char)[0] in "LMZ" or char.isspace() for char in text]) >= SENTENCE * len(text)


def says_something(weights: dict[str, float]) -> bool:
    """Whether any word tells what the question is about; "continue" and "fix the tests" have none."""
    return max(weights.values(), default=0.0) >= 1.0


def _known(weights: dict[str, float], index: Index, live: dict[str, int]) -> list[tuple[str, float, int, float]]:
    """(term, weight, passages, share) of the terms that are known, unseen ones repaired or expanded."""
    found = index.terms(weights)
    out: list[tuple[str, float, int, float]] = []
    unseen: list[str] = []
    for term, weight in weights.items():
        count, share = found.get(term, (0, 0.0))
        count += live.get(term, 0)
        if count:
            out.append((term, weight, count, share))
        elif len(term) >= MIN_REPAIR_CHARS and term.isascii() and term.isalpha() and weight == 1.0:
            unseen.append(term)
        if len(weights) <= 2 and _is_lone(term):
            expanded = index.terms_from(term, MAX_EXPANSIONS)
            expanded.pop(term, None)
            out += [(pair, weight, count, share) for pair, (count, share) in expanded.items()]
    for term in unseen[:MAX_REPAIRS]:
        repaired = _repair(term, index)
        if repaired is not None and repaired[0] not in weights:
            out.append((repaired[0], REPAIRED, *repaired[1]))
    return out


def _repair(word: str, index: Index) -> tuple[str, tuple[int, float]] | None:
    """The most frequent known word one edit away that begins with the same letter."""
    near = {word[:at] + word[at + 1 :] for at in range(1, len(word))}
    for at in range(1, len(word) + 1):
        head, tail, rest = word[:at], word[at:], word[at + 1 :]
        near.update([head + letter + tail for letter in _LETTERS])
        if tail:
            near.update([head + letter + rest for letter in _LETTERS])
        if rest:
            near.add(head + rest[0] + tail[0] + rest[1:])
    found = index.terms(near)
    return max(found.items(), key=lambda item: (item[1][0], item[0]), default=None)


def _share(term: str) -> float:
    """How much of a word a term is."""
    if term.isascii():
        return 1.0
    return PAIR if len(term) == 2 or scripts[term[0]] == CLUSTERED else 1.0


def _is_lone(term: str) -> bool:
    """Whether a term is one character of a script whose words are pairs of them."""
    script = scripts[term[0]]
    if script == CLUSTERED:
        from gitmem.memory.letters import clusters  # most questions have none of these scripts

        return len(clusters(term)) == 1
    return script > WORD and len(term) == 1


def _is_identifier(term: str) -> bool:
    if not term.isascii() or len(term) < 4:
        return False
    return any(sign in term for sign in "_/.:#@") or (not term.isalpha() and not term.replace("-", "").isdigit())
