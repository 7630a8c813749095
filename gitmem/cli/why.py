"""``gitmem why``: explain what recall chose, and what it left out."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, counted
from gitmem.cli.hits import place
from gitmem.recall.choose import why
from gitmem.recall.hit import Candidate, Recall

SHOWN = 15  # candidates in the text; --json gives all of them


@click.command("why")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION")
@shared
def command(door: Door, words: tuple[str, ...]) -> None:
    """Explain what a prompt saying QUESTION gets: every candidate, its scores, the floor, the verdict."""
    found = why(door.store(), " ".join(words), door.when)
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
        lines.append("words of the question, the passages that hold each, and the evidence it can give:")
        lines += [f"  {term}  {count}  {weight:.2f}" for term, count, weight in found.terms]
    lines.append(f"floor: {found.floor:.2f} (a prompt gets nothing below it)")
    lines += found.notes
    if found.reason:
        lines.append(f"nothing is injected: {found.reason}")
    lines += [candidate_lines(door, one) for one in found.candidates[:SHOWN]]
    if len(found.candidates) > SHOWN:
        lines.append(f"{counted(len(found.candidates) - SHOWN)} more were looked at; --json shows them all")
    return "\n".join(lines)


def candidate_lines(door: Door, one: Candidate) -> str:
    """One candidate: where, how well, the verdict, and what its rank is made of."""
    parts = ", ".join(
        f"{key} {value:.2f}" if isinstance(value, float) else f"{key} {value}" for key, value in one.parts.items()
    )
    where = door.paint(place(one.path, one.first, one.last), "bold")
    return f"{where}  {one.score:.2f}  {one.verdict}\n    {parts}"
