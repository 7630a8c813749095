"""What recall gives: hits, and how it came to them.

Hot: records only.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Parts = dict[str, float]


class Hit:
    """One passage of one memory.

    path, name:   of the memory; name is its title
    revision:     git blob id of the file the text was taken from
    score:        evidence, comparable with ``Recall.floor``
    first, last:  file lines, 1-based, inclusive
    heading:      "A > B" above the passage, or ""
    text:         the lines, joined by LF
    description, trust, type: of the head, "" when it says nothing
    updated:      when it was last changed by its own word, else by its last commit (ISO), else ""
    state:        "" or why a prompt does not get it: muted, expired, disputed, superseded, candidate, another
                  project's, withheld
    store:        user, project or team, where several stores were asked, else ""
    parts:        what made up its rank, for ``gitmem why``
    """

    __slots__ = (
        "description", "first", "heading", "last", "name", "parts", "path", "revision", "score", "state", "store",
        "text", "trust", "type", "updated",
    )  # fmt: skip

    def __init__(
        self, path: str, name: str, revision: str, score: float, first: int, last: int, heading: str, text: str
    ) -> None:
        self.path, self.name, self.revision, self.score = path, name, revision, score
        self.first, self.last, self.heading, self.text = first, last, heading, text
        self.description = self.trust = self.updated = self.type = self.state = self.store = ""
        self.parts: Parts = {}

    def __repr__(self) -> str:
        return f"Hit({self.path!r}, {self.first}-{self.last}, {self.score:.2f})"


class Candidate:
    """One memory that was considered, for ``gitmem why``.

    score:   evidence; verdict: "injected" or why not
    parts:   what made up its rank
    """

    __slots__ = ("first", "last", "parts", "path", "score", "verdict")

    def __init__(self, path: str, first: int, last: int, score: float, verdict: str, parts: Parts) -> None:
        self.path, self.first, self.last, self.score = path, first, last, score
        self.verdict, self.parts = verdict, parts

    def __repr__(self) -> str:
        return f"Candidate({self.path!r}, {self.score:.2f}, {self.verdict!r})"


class Recall:
    """The answer to one question.

    hits:          best first
    omitted:       how many more memories lay above the floor
    reason:        why there are no hits, or ""
    floor:         evidence below which a prompt gets nothing
    candidates:    filled by ``why`` alone
    terms:         (term, passages that hold it, evidence it can give), filled by ``why`` alone
    needs_refresh: the index does not know all of the worktree
    notes:         sentences for a person: what may be missing from the answer
    """

    __slots__ = ("candidates", "floor", "hits", "needs_refresh", "notes", "omitted", "reason", "terms")

    def __init__(self, hits: Sequence[Hit] = (), *, floor: float = 0.0, reason: str = "") -> None:
        self.hits: list[Hit] = list(hits)
        self.omitted = 0
        self.reason = reason
        self.floor = floor
        self.candidates: list[Candidate] = []
        self.terms: list[tuple[str, int, float]] = []
        self.needs_refresh = False
        self.notes: list[str] = []
