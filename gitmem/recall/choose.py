"""A question to the passages that answer it; the one recall of hook and command line.

Nothing relevant, nothing given: ``recall`` holds every passage against a floor of absolute evidence,
``search`` lists what there is and tells the floor.  What changed since the index was written is read
from its file, and nothing is quoted that is not so on disk at this moment.
Hot: standard library only.
"""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.index.fresh import changes, is_unchanged
from gitmem.index.read import DamagedIndex, Index, empty_index, open_index
from gitmem.limits import MAX_HITS
from gitmem.memory.document import decode, split_lines
from gitmem.recall.gather import Found, Gather, ranked
from gitmem.recall.hit import Candidate, Hit, Recall
from gitmem.recall.question import Question
from gitmem.store.gitdir import find_git_dir
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.recall.live import Live

POOL = 3  # times the wanted hits are compared for likeness
BUILDING = "the search index is being built, so something may be missing; see gitmem refresh"
MISSING = "there is no search index yet, so only a part of the files was searched; build it with gitmem refresh"
UNFINISHED = "some changed files were not read in time; gitmem refresh takes them into the index"


def recall(
    root: str, question: str, when: int, *, max_hits: int = MAX_HITS, deadline: float | None = None, folder: str = ""
) -> Recall:
    """What a prompt that says ``question`` is given: at most ``max_hits`` memories above the floor.

    when:     UTC unix seconds, for ages and expiry
    deadline: of ``time.monotonic()``; after it the answer is what there is by then
    folder:   only memories below this folder of the store
    raises:   nothing for a store that is damaged or not there; the reason says it
    """
    return _Answer(root, when, deadline, folder, 1).recall(question, max_hits, False)


def search(root: str, query: str, when: int, *, limit: int = 20, folder: str = "", each: int = 1) -> Recall:
    """The memories that fit ``query``, best first, also those below the floor and those no prompt gets.

    each: passages of one memory that may be listed
    """
    return _Answer(root, when, None, folder, each).search(query, limit)


def why(root: str, question: str, when: int, *, max_hits: int = MAX_HITS) -> Recall:
    """The same as ``recall``, with every candidate and the verdict on it."""
    return _Answer(root, when, None, "", 1).recall(question, max_hits, True)


class _Answer:
    """One question under way."""

    __slots__ = ("deadline", "each", "folder", "result", "root", "when")

    def __init__(self, root: str, when: int, deadline: float | None, folder: str, each: int) -> None:
        self.root, self.when, self.deadline, self.folder, self.each = root, when, deadline, folder.strip("/"), each
        self.result = Recall()

    def recall(self, question: str, max_hits: int, explain: bool) -> Recall:
        return self._with_index(lambda index: self._recall(index, question, max_hits, explain))

    def search(self, query: str, limit: int) -> Recall:
        return self._with_index(lambda index: self._search(index, query, limit))

    def _with_index(self, work: Callable[[Index], None]) -> Recall:
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
        index = open_index(git.path)
        if index is None:
            result.needs_refresh = True
        try:
            index = index or empty_index()
            work(index)
        except DamagedIndex as error:
            result.hits, result.needs_refresh = [], True
            result.reason = f"the search index cannot be read ({error}); gitmem refresh builds it anew"
        finally:
            if index is not None:
                index.close()
        return result

    def _recall(self, index: Index, text: str, max_hits: int, explain: bool) -> None:
        question, gather, found = self._candidates(index, text, True, explain)
        if gather is None:
            return
        result = self.result
        above = [each for each in found if not each.state and each.evidence >= question.floor_of(each.exact)]
        if explain:
            result.terms = [(term.text, term.passages, term.evidence) for term in question.terms]
        chosen = self._hits(gather, _varied(above, max_hits), max_hits, question)
        result.omitted = max(0, len(above) - len(result.hits))
        if not result.hits:
            result.reason = "no memory gives enough evidence for this question"
        if explain:
            result.candidates = [_explained(each, question, each in chosen) for each in found]

    def _search(self, index: Index, text: str, limit: int) -> None:
        _, gather, found = self._candidates(index, text, False, True)
        if gather is None:
            return
        self._hits(gather, found, limit, None)
        self.result.omitted = max(0, len(found) - len(self.result.hits))
        if not self.result.hits:
            self.result.reason = "no memory holds any of these words"

    def _candidates(
        self, index: Index, text: str, gate: bool, full: bool
    ) -> tuple[Question, Gather | None, list[Found]]:
        """The question, and the scored memories when there is anything to search for.

        full: also those are ranked to the last that lie below any floor
        """
        live, without = self._live(index)
        question = Question(text, index, live.terms if live else {}, live.passages if live else 0)
        self.result.floor = question.floor
        if not question.terms:
            self.result.reason = "no memory holds any of these words"
        elif gate and not question.can_pass():
            self.result.reason = "the words of the question are too common to tell which memory is meant"
        else:
            least = 0.0 if full else question.floor_of(True)
            gather = Gather(index, question, live, self.when, each=self.each, least=least)
            found = gather.from_index(without, self.folder)
            for path, rows in live.rows.items() if live else ():
                if not self.folder or path.startswith(self.folder + "/"):
                    found += gather.from_file(rows)
            return question, gather, ranked(found)
        return question, None, []

    def _live(self, index: Index) -> tuple[Live | None, set[int]]:
        """Files to read beside the index, and the documents they or their absence replace."""
        git = find_git_dir(self.root)
        assert git is not None
        changed = changes(index, self.root, git, self.deadline)
        result, complete = self.result, changed.complete
        live: Live | None = None
        if changed.changed:
            from gitmem.recall.live import Live  # reading a head may cost yaml; most prompts find nothing new

            live = Live(self.root, changed.changed, self.deadline)
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
    hit = Hit(
        found.path, name, revision, found.evidence, found.first, found.last, found.heading, quoted
    )
    hit.description, hit.type, hit.trust = description, kind, found.trust
    hit.updated, hit.state, hit.parts = found.updated, found.state, _parts(found)
    return hit


def _parts(found: Found) -> dict[str, float | str]:
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
