"""One question to several stores: each answers from its own index, and the best of all is given.

Asked only where a folder has more than the user's store, or that store keeps memories of projects.
Hot: standard library only.
"""

from __future__ import annotations

from gitmem.limits import MAX_HITS
from gitmem.recall.choose import recall, search
from gitmem.recall.hit import Hit, Recall
from gitmem.store.scope import USER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.store.scope import Source


class Several:
    """What several stores gave together.

    recall: the hits of all; each says which store it is of when more than one was asked
    roots:  of the store of each hit, in their order
    stale:  roots of the stores whose index wants a refresh
    """

    __slots__ = ("recall", "roots", "stale")

    def __init__(self, recall: Recall, roots: list[str], stale: list[str]) -> None:
        self.recall, self.roots, self.stale = recall, roots, stale


def recall_several(
    sources: Sequence[Source], question: str, when: int, *, deadline: float | None = None, max_hits: int = MAX_HITS
) -> Several:
    """The best ``max_hits`` passages of all ``sources``, as ``recall`` gives them; of equal texts the nearer store's.

    sources: the nearest first
    """
    answers = [
        recall(each.root, question, when, deadline=deadline, max_hits=max_hits, projects=each.projects)
        for each in sources
    ]
    return _together(sources, answers, max_hits, True)


def search_several(sources: Sequence[Source], query: str, when: int, *, limit: int = 20) -> Several:
    """The memories of all ``sources`` that fit ``query``, as ``search`` gives them, those of other projects too."""
    answers = [search(each.root, query, when, limit=limit, projects=each.projects) for each in sources]
    return _together(sources, answers, limit, False)


def _together(sources: Sequence[Source], answers: Sequence[Recall], most: int, once: bool) -> Several:
    """The first ``most`` hits of all answers, by score; once: of equal texts only the nearest store's.

    Each store's own order is kept: it is chosen for variety.
    """
    taken: list[tuple[Hit, str]] = []
    texts: set[str] = set()
    waiting: list[list[Hit]] = []
    for answer in answers:
        waiting.append([hit for hit in answer.hits if not (once and hit.text in texts)])
        texts.update([hit.text for hit in answer.hits])
    while len(taken) < most and any(waiting):
        at = max(range(len(waiting)), key=lambda at: (waiting[at][0].score if waiting[at] else -1.0, -at))
        hit = waiting[at].pop(0)
        hit.store = sources[at].label if len(sources) > 1 else ""
        taken.append((hit, sources[at].root))
    result = Recall([hit for hit, _ in taken], floor=answers[0].floor if answers else 0.0)
    result.omitted = sum(answer.omitted for answer in answers) + sum(map(len, waiting))
    reasons = {source.label: answer.reason for source, answer in zip(sources, answers, strict=True)}
    result.reason = "" if taken else reasons.get(USER) or next(iter(reasons.values()), "")
    result.notes = list(dict.fromkeys(note for answer in answers for note in answer.notes))
    stale = [source.root for source, answer in zip(sources, answers, strict=True) if answer.needs_refresh]
    result.needs_refresh = bool(stale)
    return Several(result, [root for _, root in taken], stale)
