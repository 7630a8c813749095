"""``gitmem recall``: the block a prompt would get."""

from __future__ import annotations

import os

import click

from gitmem.cli.common import searchable, shared
from gitmem.cli.door import Door, printable
from gitmem.prompt.block import prompt_block
from gitmem.recall.choose import recall


@click.command("recall")
@click.argument("words", nargs=-1, required=True, metavar="QUESTION")
@shared
def command(door: Door, words: tuple[str, ...]) -> None:
    """Print the block that a prompt saying QUESTION would get; nothing when nothing is relevant."""
    found = recall(searchable(door), " ".join(words), door.when)
    block = prompt_block(found, os.urandom(4).hex(), door.when)
    shape = {
        "text": block.text,
        "bytes": len(block.text.encode("utf-8", "replace")),
        "injected": [
            {"path": hit.path, "lines": [hit.first, hit.last], "score": round(hit.score, 4)} for hit in block.injected
        ],
        "omitted": block.omitted,
        "reason": found.reason,
    }
    if not block.text:
        door.say(f"nothing is injected{': ' + found.reason if found.reason else ''}")
    door.answer(shape, printable(block.text))
