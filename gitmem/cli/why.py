"""``gitmem why``: explain what recall chose, and what it left out."""

from __future__ import annotations

import click

from gitmem.cli.common import searchable, shared
from gitmem.cli.door import Door, counted
from gitmem.cli.hits import place
from gitmem.cli.scopes import here
from gitmem.recall.choose import why
from gitmem.recall.hit import Candidate, Recall
from gitmem.recall.question import K1

SHOWN = 15  # candidates in the text; --json gives all of them
SEEN = 0.005  # a difference that shows with two digits
FLOOR_SAID = (
    "a prompt gets what has that much evidence, or half for a word that looks like a name in code.\n"
    "evidence is that of the words a memory holds, times the share of the question they cover; rank orders what is left"
)


@click.command("why")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION")
@click.option("--at", "revision", metavar="REV", help="The store as it was: a commit, a branch or a date.")
@shared
def command(door: Door, words: tuple[str, ...], revision: str | None) -> None:
    """Explain what a prompt saying QUESTION gets: every candidate, its scores, the floor, the verdict."""
    if revision is not None:
        from gitmem.cli.past import store_at  # what is there now needs no git

        root, when = store_at(door, revision)
    else:
        root, when = searchable(door), door.when
    found = why(root, " ".join(words), when, projects=here(door, root).projects)
    shape = {
        "floor": found.floor,
        "reason": found.reason,
        "terms": [
            {"term": term, "passages": count, "evidence": round(weight, 4)} for term, count, weight in found.terms
        ],
        "candidates": [
            {
                "path": one.path,
                "lines": [one.first, one.last],
                "score": round(one.score, 4),
                "verdict": one.verdict,
                "parts": one.parts,
            }
            for one in found.candidates
        ],
        "omitted": found.omitted,
        "notes": list(found.notes),
    }
    door.answer(shape, explained(door, found))


def explained(door: Door, found: Recall) -> str:
    """The answer for a person: the words, the floor, then one paragraph a candidate."""
    lines = []
    if found.terms:
        lines.append(
            f"words of the question that a memory holds; each counts up to {K1 + 1:.1f} times, as often as it is there:"
        )
        lines += [
            f"  {term}  in {counted(count, 'passage')}, evidence {weight:.2f}" for term, count, weight in found.terms
        ]
    lines.append(f"floor: {found.floor:.2f}; {FLOOR_SAID}")
    lines += found.notes
    if found.reason:
        lines.append(f"nothing is injected: {found.reason}")
    lines += [candidate_lines(door, one) for one in found.candidates[:SHOWN]]
    if len(found.candidates) > SHOWN:
        lines.append(f"and {counted(len(found.candidates) - SHOWN, 'candidate')} more; --json shows them all")
    return "\n".join(lines)


def candidate_lines(door: Door, one: Candidate) -> str:
    """One candidate: where, its evidence, the verdict, and what its rank is made of, so that it can be worked out."""
    where = door.paint(place(one.path, one.first, one.last), "bold")
    ties = {key: value for key, value in one.parts.items() if key not in ("passage", "rank")}
    factor = 1 + sum(ties.values())
    rank, passage = one.parts["rank"], one.parts["passage"]
    words = rank / factor
    said = f"{words:.2f} for its words"
    if abs(words - passage) >= SEEN:
        said += f" (the passage {passage:.2f}, evened out with the whole memory)"
    if ties:
        said += f" x {factor:.3f} (1{''.join(f' {value:+.3f} {key}' for key, value in ties.items())})"
    return f"{where}  evidence {one.score:.2f}: {one.verdict}\n    rank {rank:.2f} = {said}"
