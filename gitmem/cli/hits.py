"""One hit of a search, for people and for programs (the JSON shape others build on)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.memory.clean import one_line
from gitmem.prompt.frame import MAX_PATH_CHARS
from gitmem.recall.scope import ELSEWHERE, UNSEEN

if TYPE_CHECKING:
    from gitmem.cli.door import Door
    from gitmem.recall.hit import Hit

SNIPPET_CHARS = 240  # of a passage in a list; the whole of it stands in the file


def hit_shape(hit: Hit) -> dict[str, object]:
    """``hit`` as ``search --json`` gives it; ``store`` and ``state`` only where there is something to say."""
    more = {name: value for name, value in (("store", hit.store), ("state", hit.state)) if value}
    return {
        "path": hit.path,
        "name": hit.name,
        "revision": hit.revision,
        "score": round(hit.score, 4),
        "lines": [hit.first, hit.last],
        "heading": hit.heading,
        "text": hit.text,
        "trust": hit.trust,
        "updated": hit.updated,
    } | more


def hit_lines(door: Door, hit: Hit, floor: float) -> str:
    """``hit`` as two lines: where it stands and how well it fits, then the beginning of the passage."""
    mark = "" if hit.score >= floor else "  below the floor"
    trust = f"  {hit.store} store" if hit.store else ""
    trust += f"  {hit.state}" if hit.state in (ELSEWHERE, UNSEEN) else ""
    trust += f"  {hit.trust}" if hit.trust not in ("", "verified") else ""
    heading = f"  {one_line(hit.heading, 80)}" if hit.heading else ""
    where = door.paint(place(hit.path, hit.first, hit.last), "bold")
    return f"{where}  {hit.score:.2f}{mark}{trust}{heading}\n    {one_line(hit.text, SNIPPET_CHARS)}"


def place(path: str, first: int, last: int) -> str:
    """``file.md:40-52``, or ``file.md:40`` for one line."""
    shown = one_line(path, MAX_PATH_CHARS)
    return f"{shown}:{first}-{last}" if last > first else f"{shown}:{first}"
