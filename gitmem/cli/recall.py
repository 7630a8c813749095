"""``gitmem recall``: the block a prompt would get."""

from __future__ import annotations

import os

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, printable
from gitmem.cli.scopes import SCOPE_HELP, sources_of
from gitmem.limits import MAX_HITS
from gitmem.prompt.block import prompt_block
from gitmem.recall.choose import why
from gitmem.recall.several import recall_several
from gitmem.store.paths import typed
from gitmem.store.scope import USER, Source, git_of
from gitmem.store.trust import withheld_paths


@click.command("recall")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION")
@click.option("--at", "revision", metavar="REV", help="The store as it was: a commit, a branch or a date.")
@click.option("--scope", default="", metavar="SCOPE", help=SCOPE_HELP)
@shared
def command(door: Door, words: tuple[str, ...], revision: str | None, scope: str) -> None:
    """Print the block that a prompt saying QUESTION would get; nothing when nothing is relevant."""
    if revision is not None:
        from gitmem.cli.past import store_at  # what is there now needs no git

        root, when = store_at(door, revision)
        sources = [Source(root, USER, None if scope == "all" else ())]
    else:
        sources, when = sources_of(door, scope), door.when
    found = recall_several(sources, " ".join(words), when).recall
    block = prompt_block(found, os.urandom(4).hex(), when)
    shape = {
        "text": block.text,
        "bytes": len(block.text.encode("utf-8", "replace")),
        "injected": [
            {"path": hit.path, "lines": [hit.first, hit.last], "score": round(hit.score, 4)}
            | ({"store": hit.store} if hit.store else {})
            for hit in block.injected
        ],
        "omitted": block.omitted,
        "reason": found.reason,
        "notes": list(found.notes),
    }
    if not block.text:
        door.say(f"nothing is injected{': ' + found.reason if found.reason else ''}")
    for note in found.notes:
        door.say(note)
    if not block.text:
        for source in sources:
            tell_withheld(door, source, " ".join(words), when)
    door.answer(shape, printable(block.text))


def tell_withheld(door: Door, source: Source, question: str, when: int) -> None:
    """Say which memories would have answered, and whose word they wait for."""
    git = git_of(source.root)
    held = withheld_paths(git.path) if git is not None else {}
    found = why(source.root, question, when, projects=source.projects) if held else None
    candidates = found.candidates if found is not None else []
    floor = found.floor if found is not None else 0.0
    paths = dict.fromkeys(each.path for each in candidates if each.path in held and each.score >= floor)
    for path in list(paths)[:MAX_HITS]:
        option = "" if door.is_default(source.root) else f" --store {typed(source.root)}"
        door.say(
            f"{path} fits the question and waits: its author was never seen here: "
            f"gitmem trust --author {typed(held[path])}{option}"
        )
