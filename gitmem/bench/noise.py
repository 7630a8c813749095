"""How often something is injected that should not be: ``gitmem bench noise DATA``.

Three measures over one store: prompts that no memory answers, questions whose memory was taken away,
and questions whose memory is there, asked through the real recall.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from gitmem.bench.recall import WHEN
from gitmem.bench.sets import QuestionSet, empty_store, write_documents
from gitmem.dataclass import dataclass
from gitmem.recall.choose import recall, search
from gitmem.store.paths import join
from gitmem.write.index import refresh

FOUND_WITHIN = 5


@dataclass(frozen=True, slots=True)
class Noise:
    """Counts over one store.

    unrelated, injected_unrelated: prompts that nothing answers; those that injected something
    removed, injected_removed:     questions whose right memory was taken away; those that injected all the same
    questions, found, injected:    questions; those with a right memory within the first 5 of search; of
                                   these, those where recall injects a right memory
    all_questions, all_found, all_injected: the same of the sets that fill the store too
    alarms:  the unrelated prompts that injected something
    """

    name: str
    memories: int
    unrelated: int
    injected_unrelated: int
    removed: int
    injected_removed: int
    questions: int
    found: int
    injected: int
    all_questions: int
    all_found: int
    all_injected: int
    alarms: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        return [
            f"{self.name}: {self.memories} memories",
            f"unrelated prompts that inject: {_share(self.injected_unrelated, self.unrelated)}",
            f"questions whose memory was taken away that inject: {_share(self.injected_removed, self.removed)}",
            f"questions answered within the first {FOUND_WITHIN}: {_share(self.found, self.questions)}",
            f"of these, still injected: {_share(self.injected, self.found)}",
            f"with the questions of the other sets in the store: {_share(self.all_found, self.all_questions)}",
            f"of these, still injected: {_share(self.all_injected, self.all_found)}",
        ]


def measure(data: QuestionSet, filler: list[QuestionSet], foreign: list[QuestionSet] | None = None) -> Noise:
    """The counts for ``data``, in a store that also holds the documents of ``filler``.

    foreign: sets that are not in the store; their questions count as questions whose memory was taken away
    """
    with tempfile.TemporaryDirectory(prefix="gitmem-bench-") as root:
        empty_store(root)
        places = _places(write_documents(root, data.documents, "own"))
        others = [(other, _places(write_documents(root, other.documents, other.name))) for other in filler]
        memories = refresh(root).memories
        alarms = [prompt for prompt in data.unrelated if recall(root, prompt, WHEN).hits]
        own = _answered(root, data, places)
        every = [own, *(_answered(root, other, there) for other, there in others)]
        taken = [
            _injects_without(root, text, {places[document] for document in data.gold[key]})
            for key, text in data.questions.items()
        ]
        for other in foreign or ():
            taken += [bool(recall(root, text, WHEN).hits) for text in other.questions.values()]
    return Noise(
        data.name,
        memories,
        len(data.unrelated),
        len(alarms),
        len(taken),
        sum(taken),
        *own,
        sum(counts[0] for counts in every),
        sum(counts[1] for counts in every),
        sum(counts[2] for counts in every),
        tuple(alarms),
    )


def _places(paths: dict[str, str]) -> dict[str, str]:
    """document id -> path."""
    return {document: path for path, document in paths.items()}


def _answered(root: str, data: QuestionSet, places: dict[str, str]) -> tuple[int, int, int]:
    """Questions; those with a right memory within the first FOUND_WITHIN; of these, those that inject one."""
    found = injected = 0
    for key, text in data.questions.items():
        gold = {places[document] for document in data.gold[key]}
        if gold & {hit.path for hit in search(root, text, WHEN, limit=FOUND_WITHIN).hits}:
            found += 1
            injected += bool(gold & {hit.path for hit in recall(root, text, WHEN).hits})
    return len(data.questions), found, injected


def _injects_without(root: str, text: str, gold: set[str]) -> bool:
    """Whether the question injects anything while its memories are away."""
    moved = [(Path(join(root, path)), Path(root, ".git", path.replace("/", "-"))) for path in gold]
    for here, there in moved:
        here.rename(there)
    try:
        return bool(recall(root, text, WHEN).hits)
    finally:
        for here, there in moved:
            there.rename(here)


def _share(count: int, total: int) -> str:
    return f"{count} of {total} ({100 * count / total:.1f} %)" if total else "none asked"
