"""``gitmem search``: find memories by words."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.cli.hits import hit_lines, hit_shape
from gitmem.cli.scopes import sources_of
from gitmem.recall.several import search_several
from gitmem.store.scope import USER, Source


@click.command("search")
@click.argument("words", nargs=-1, required=True, metavar="QUERY")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000), help="At most this many.")
@click.option("--at", "revision", metavar="REV", help="The store as it was: a commit, a branch or a date.")
@shared
def command(door: Door, words: tuple[str, ...], limit: int, revision: str | None) -> None:
    """Find memories by the words of QUERY, best first; one passage of each.

    A prompt gets only what lies above the floor: see `gitmem recall` and `gitmem why`.
    """
    if revision is not None:
        from gitmem.cli.past import store_at  # what is there now needs no git

        root, when = store_at(door, revision)
        sources = [Source(root, USER)]
    else:
        sources, when = sources_of(door), door.when
    found = search_several(sources, " ".join(words), when, limit=limit).recall
    for sentence in found.notes:
        door.say(sentence)
    if not found.hits:
        door.say(f"nothing found{': ' + found.reason if found.reason else ''}")
    elif found.omitted:
        door.say(f"{found.omitted} more; see them with --limit {limit + found.omitted}")
    shape = {"hits": [hit_shape(hit) for hit in found.hits], "floor": found.floor}
    door.answer(shape, "\n".join(hit_lines(door, hit, found.floor) for hit in found.hits))
