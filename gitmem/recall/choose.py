"""A question to the passages that answer it; the one recall of hook and command line.

Nothing relevant, nothing given: ``recall`` holds every passage against a floor of absolute evidence,
``search`` lists what there is and tells the floor.  What changed since the index was written is read
from its file, and nothing is quoted that is not so on disk at this moment.
Hot: standard library only.
"""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.index.fresh import changes, is_unchanged
from gitmem.index.read import DamagedIndex, Index, PassingTrouble, empty_index, note_damage, open_index
from gitmem.limits import MAX_HITS
from gitmem.memory.document import decode, split_lines
from gitmem.recall.gather import CANDIDATES, Found, Gather, ranked
from gitmem.recall.hit import Candidate, Hit, Recall
from gitmem.recall.question import FLOOR, MAX_POSTINGS, Question, asked, ends, says_something
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import PROJECTS, withheld
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.recall.live import Live
    from gitmem.recall.scope import Scope
    from gitmem.store.gitdir import GitDir

POOL = 3  # times the wanted hits are compared for likeness
SEARCHED = 3  # times the listed hits are scored by search, at least SEARCHED_LEAST
SEARCHED_LEAST = 200
BUILDING = "the search index is being built, so something may be missing; gitmem refresh completes it"
MISSING = "there is no search index yet, so only a part of the files was searched; build it with gitmem refresh"
UNFINISHED = "some changed files were not read in time; gitmem refresh takes them into the index"
NOTHING_SAID = "no word of the question tells what it is about"
UNREAD = "files that came from elsewhere are not read before their authors are known: gitmem refresh"
UNKNOWN = "no memory holds any of these words"
TOO_COMMON = "the words of the question are too common to tell which memory is meant"
TOO_LITTLE = "no memory gives enough evidence for this question"


def recall(
    root: str, question: str, when: int, *, max_hits: int = MAX_HITS, deadline: float | None = None, folder: str = "",
    projects: Sequence[str] | None = (),
) -> Recall:  # fmt: skip
    """What a prompt that says ``question`` is given: at most ``max_hits`` memories above the floor.

    when:     UTC unix seconds, for ages and expiry
    deadline: of ``time.monotonic()``; after it the answer is what there is by then
    folder:   only memories below this folder of the store
    projects: ids of the projects whose memories count beside those of no project; None: those of every project
    raises:   nothing for a store that is damaged or not there; the reason says it
    """

    def ask(text: str) -> Recall:
        answer = _Answer(root, when, deadline=deadline, folder=folder, projects=projects)
        weights = asked(text)
        if says_something(weights):
            return answer.to_prompt(weights, max_hits)
        answer.result.reason, answer.result.floor = NOTHING_SAID, FLOOR
        return answer.result

    return _whole_or_ends(question, ask)


def search(
    root: str, query: str, when: int, *, limit: int = 20, folder: str = "", each: int = 1,
    projects: Sequence[str] | None = (),
) -> Recall:  # fmt: skip
    """The memories that fit ``query``, best first, also those below the floor and those no prompt gets.

    each:     passages of one memory that may be listed
    projects: as in ``recall``; memories of another project are listed too, and say so in their state
    """
    most = max(SEARCHED * limit, SEARCHED_LEAST)
    answer = _Answer(root, when, folder=folder, each=each, candidates=most, projects=projects)
    return answer.to_search(asked(query), limit)


def why(
    root: str, question: str, when: int, *, max_hits: int = MAX_HITS, projects: Sequence[str] | None = ()
) -> Recall:
    """The same as ``recall``, with the terms, every candidate and the verdict on it."""

    def ask(text: str) -> Recall:
        answer = _Answer(root, when, explain=True, projects=projects)
        weights = asked(text)
        if says_something(weights):
            return answer.to_prompt(weights, max_hits)
        answer.to_prompt(weights, 0)
        answer.result.reason = NOTHING_SAID
        return answer.result

    return _whole_or_ends(question, ask)


def _whole_or_ends(question: str, ask: Callable[[str], Recall]) -> Recall:
    """The answer to the whole question; where that has no hits, to how it begins or ends, if that has."""
    whole = ask(question)
    others = () if whole.hits else map(ask, ends(question))
    return next((each for each in others if each.hits), whole)


class _Answer:
    """One question under way.

    each, candidates: as in Gather; explain: fill in what ``why`` shows
    scope: what the store limits, None when it limits nothing
    unread: the git folder, where what came from elsewhere is not read live: nobody knows yet who wrote it
    """

    __slots__ = (
        "candidates", "deadline", "each", "explain", "folder", "projects", "result", "root", "scope", "unread", "when",
    )  # fmt: skip

    def __init__(
        self, root: str, when: int, *, deadline: float | None = None, folder: str = "", each: int = 1,
        candidates: int = CANDIDATES, explain: bool = False, projects: Sequence[str] | None = (),
    ) -> None:  # fmt: skip
        self.root, self.when, self.deadline, self.folder = root, when, deadline, folder.strip("/")
        self.each, self.candidates, self.explain, self.projects = each, candidates, explain, projects
        self.scope: Scope | None = None
        self.unread: GitDir | None = None
        self.result = Recall()

    def to_prompt(self, weights: dict[str, float], max_hits: int) -> Recall:
        """Only what lies above the floor and whose state allows it."""
        return self._answer(weights, max_hits, True)

    def to_search(self, weights: dict[str, float], limit: int) -> Recall:
        return self._answer(weights, limit, False)

    def _answer(self, weights: dict[str, float], limit: int, gated: bool) -> Recall:
        """Open the index, or an empty one where there is none, and see to trouble with it."""
        result = self.result
        try:
            git = find_git_dir(self.root)
        except GitmemError as error:
            result.reason = error.message
            return result
        if git is None:
            result.reason = f"{self.root} is no store"
            return result
        if os.path.isdir(f"{self.root}/{PROJECTS}") or os.path.exists(withheld(git.path)):
            from gitmem.recall.scope import scope_of  # most stores limit nothing

            self.scope = scope_of(self.root, git, self.projects)
        index = open_index(git.path)
        result.needs_refresh = index is None
        try:
            index = index or empty_index()
            self._ask(index, git, weights, limit, gated)
        except DamagedIndex as error:
            result.hits, result.needs_refresh = [], True
            result.reason = f"the search index cannot be read ({error}); gitmem refresh builds it anew"
            if not isinstance(error, PassingTrouble):
                note_damage(git.path)
        finally:
            if index is not None:
                index.close()
        return result

    def _ask(self, index: Index, git: GitDir, weights: dict[str, float], limit: int, gated: bool) -> None:
        result = self.result
        live, without = self._live(index, git, gated)
        question = Question(weights, index, live.terms if live else {}, live.passages if live else 0)
        if not gated:
            question.postings = MAX_POSTINGS  # a person waits a little longer for the last passage
        result.floor = question.floor
        if self.explain:
            result.terms = [(term.text, term.passages, term.evidence) for term in question.terms]
        if not question.terms:
            result.reason = UNKNOWN
            return
        if gated and not self.explain and not question.can_pass():
            result.reason = TOO_COMMON
            return
        least = question.floor_of(True) if gated and not self.explain else 0.0
        gather = Gather(index, question, live, self.when, each=self.each, least=least, candidates=self.candidates)
        gather.scope = self.scope if gated and not self.explain else None
        found = ranked(self._found(gather, live, without))
        if gated:
            self._inject(gather, question, found, limit)
        else:
            self._list(gather, found, limit)

    def _found(self, gather: Gather, live: Live | None, without: set[int]) -> list[Found]:
        found = gather.from_index(without, self.folder)
        for path, rows in live.rows.items() if live else ():
            if not self.folder or path.startswith(self.folder + "/"):
                found += gather.from_file(rows)
        for each in found if self.scope is not None else ():
            each.state = self.scope.why_not(each.path) or each.state  # type: ignore[union-attr]
        return found

    def _inject(self, gather: Gather, question: Question, found: list[Found], max_hits: int) -> None:
        above = [each for each in found if not each.state and each.evidence >= question.floor_of(each.exact)]
        chosen = self._hits(gather, _varied(above, max_hits), max_hits, question)
        result = self.result
        result.omitted = max(0, len(above) - len(result.hits))
        if not result.hits:
            result.reason = TOO_LITTLE if question.can_pass() else TOO_COMMON
        if self.explain:
            result.candidates = [_explained(each, question, each in chosen) for each in found]

    def _list(self, gather: Gather, found: list[Found], limit: int) -> None:
        self._hits(gather, found, limit, None)
        result = self.result
        result.omitted = max(0, len(found) - len(result.hits))
        if not result.hits:
            result.reason = UNKNOWN

    def _live(self, index: Index, git: GitDir, gated: bool) -> tuple[Live | None, set[int]]:
        """Files to read beside the index, and the documents they or their absence replace."""
        changed = changes(index, self.root, git, self.deadline)
        result, complete, paths = self.result, changed.complete, changed.changed
        live: Live | None = None
        if gated and changed.stale:
            from gitmem.store.trust import came_from_elsewhere  # only where the files are not as they were indexed

            self.unread = git if came_from_elsewhere(git) else None
        if paths and self.unread is not None:
            paths = self._own(git, paths)
            result.notes += [UNREAD] if len(paths) < len(changed.changed) else []
        if paths:
            from gitmem.recall.live import Live  # reading a head may cost yaml; most prompts find nothing new

            live = Live(self.root, paths, self.deadline)
            complete = complete and live.complete
        if result.needs_refresh:
            result.notes += [] if complete else [MISSING]
        elif not index.complete:
            result.notes.append(BUILDING)
        elif not complete:
            result.notes.append(UNFINISHED)
        result.needs_refresh = result.needs_refresh or changed.stale
        replaced = [*changed.changed, *changed.gone]
        return live, set(index.ids_of(replaced).values()) if replaced and index.documents else set()

    def _own(self, git: GitDir, paths: Sequence[str]) -> list[str]:
        """Those of ``paths`` that did not come with what came from elsewhere."""
        from gitmem.store.trust import written_since

        return written_since(git, self.root, paths)

    def _hits(self, gather: Gather, found: list[Found], limit: int, question: Question | None) -> list[Found]:
        """Turn the first ``limit`` into hits, each checked against its file; ``question`` gates what was read anew."""
        chosen: list[Found] = []
        for each in found:
            if len(chosen) >= limit:
                break
            gather.best_passage(each)
            hit = self._quoted(each)
            if hit is None:
                self.result.needs_refresh = True
                hit = self._read_again(gather, each.path, question)
            if hit is not None:
                chosen.append(each)
                self.result.hits.append(hit)
        return chosen

    def _quoted(self, found: Found) -> Hit | None:
        """The hit, its text from the file; None when the file is not the one that was indexed."""
        row = found.row
        if row is None:
            return _live_hit(found)
        if not is_unchanged(self.root, row):
            return None
        try:
            data = read_file(self.root, row.path)
        except GitmemError:
            return None
        if len(data) != row.size:
            return None
        return _hit(found, row.name, row.revision, row.description, row.type, decode(data, row.path)[0])

    def _read_again(self, gather: Gather, path: str, question: Question | None) -> Hit | None:
        """The hit of a file that changed without our notice; None when it fits no longer."""
        if self.unread is not None and not self._own(self.unread, [path]):
            return None
        from gitmem.recall.live import read_rows

        rows = read_rows(self.root, path)
        again = gather.from_file(rows) if rows is not None else []
        if not again or (question and (again[0].state or again[0].evidence < question.floor_of(again[0].exact))):
            return None
        return _live_hit(again[0])


def _live_hit(found: Found) -> Hit | None:
    if found.rows is None:
        return None
    memory, own = found.rows.memory, found.rows.known
    return _hit(found, found.rows.title, memory.revision, own.description, own.type, memory.text)


def _hit(found: Found, name: str, revision: str, description: str, kind: str, text: str) -> Hit:
    lines = [line.rstrip("\r\n") for line in split_lines(text)[found.first - 1 : found.last]]
    quoted = "\n".join(lines)[found.start : found.start + found.chars]
    hit = Hit(found.path, name, revision, found.evidence, found.first, found.last, found.heading, quoted)
    hit.description, hit.type, hit.trust = description, kind, found.trust
    hit.updated, hit.state, hit.parts = found.updated, found.state, _parts(found)
    return hit


def _parts(found: Found) -> dict[str, float]:
    return {"passage": found.own, "rank": found.rank, **found.parts}


def _varied(found: list[Found], wanted: int) -> list[Found]:
    """The order of MMR among those that could be chosen; the rest behind."""
    pool = found[: wanted * POOL]
    if len(pool) < 2:
        return found
    from gitmem.recall.diverse import diverse  # most questions have one answer

    order = diverse([each.rank for each in pool], [each.bag for each in pool])
    return [*(pool[at] for at in order), *found[wanted * POOL :]]


def _explained(found: Found, question: Question, chosen: bool) -> Candidate:
    floor = question.floor_of(found.exact)
    if chosen:
        verdict = "injected"
    elif found.state:
        verdict = found.state
    elif found.evidence < floor:
        verdict = f"below the floor of {floor:.2f}"
    else:
        verdict = "left out: others fit better"
    return Candidate(found.path, found.first, found.last, found.evidence, verdict, _parts(found))
