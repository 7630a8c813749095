"""The list of memories, ``MEMORY.md``, merged by entry: an entry is what its link says, not how it is worded.

The order of the lines and a person's words stay.  Free notes and headings merge as in a memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import partial

from gitmem.dataclass import replace
from gitmem.memory.link import index_targets
from gitmem.memory.name import twin_key
from gitmem.merge.body import Bodies, lost_line, retokened
from gitmem.merge.memory import merge_halves, merge_sides
from gitmem.merge.merged import Merged
from gitmem.merge.text import readable
from gitmem.merge.unit import ITEM, Body, Unit, flattened, read_bodies, write_body

Entries = Mapping[str, Unit]  # token -> the entry

MARK = "\0"  # begins an entry's token; no text that can merge holds it


def merge_catalogue(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """One list made of two; an entry that one side removed is gone unless the other reworded it."""
    return merge_sides(base, ours, theirs, partial(merge_halves, bodies=merge_lists))


def merge_lists(base: str, first: str, second: str) -> tuple[str, list[str]]:
    bodies = [_by_target(body) for body in read_bodies(base, first, second)]
    old, one, two = (_entries(body) for body in bodies)
    removed = {token for token in old if token not in one or token not in two}
    reworded = {
        token for token in removed for side in (one, two) if token in side and side[token].text != old[token].text
    }

    def token(unit: Unit) -> str:
        return unit.token + MARK if unit.token in reworded else unit.token

    merged = Bodies(bodies[0], retokened(bodies[1], token), retokened(bodies[2], token), changed_wins=True).merge()
    texts, conflicts = _texts(old, one, two)
    units: list[Unit] = []
    seen: set[str] = set()
    for unit in merged.units:
        key = unit.token.rstrip(MARK)
        if not key.startswith(MARK):
            units.append(unit)
        elif key not in seen and (key not in removed or key in reworded):
            seen.add(key)
            units.append(replace(unit, text=texts.get(key, unit.text)))
    conflicts = [*merged.conflicts, *conflicts]
    text = write_body(units, merged.tail, bodies[1:])
    if not conflicts and (lost := lost_line(_notes(bodies[0]), _notes(bodies[1]), _notes(bodies[2]), text)):
        conflicts.append(f"the line {readable(lost)!r}")
    return text, conflicts


def _texts(old: Entries, one: Entries, two: Entries) -> tuple[dict[str, str], list[str]]:
    """How each entry that both sides have is worded, and which were reworded on both."""
    texts: dict[str, str] = {}
    conflicts: list[str] = []
    for token in one.keys() & two.keys():
        before = old[token].text if token in old else None
        first, second = one[token].text, two[token].text
        texts[token] = second if first == before else first
        if first != second and before not in (first, second):
            conflicts.append(f'the entry "{token[1:].partition(MARK)[0]}"')
    return texts, sorted(conflicts)


def _by_target(body: Body) -> Body:
    """``body`` where an entry is known by what it links to; a second one for the same target by its number."""
    times: Counter[str] = Counter()

    def token(unit: Unit) -> str:
        if unit.kind != ITEM or "](" not in unit.text:
            return unit.text
        target = next((path for _, path in index_targets(unit.text)), "")
        if not target:
            return unit.text
        key = twin_key(target)
        times[key] += 1
        return f"{MARK}{key}" + (f"{MARK}{times[key]}" if times[key] > 1 else "")

    return retokened(body, token)


def _entries(body: Body) -> dict[str, Unit]:
    return {unit.token: unit for unit in flattened(body) if unit.token.startswith(MARK)}


def _notes(body: Body) -> str:
    """What is no entry."""
    return "\n".join(unit.text for unit in flattened(body) if not unit.token.startswith(MARK))
