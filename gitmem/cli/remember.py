"""``gitmem remember``: write a new memory; its work stands in cli/quick.py."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door
from gitmem.cli.quick import SCOPES, keep
from gitmem.write.fields import TYPES


@click.command("remember")
@click.argument("text", nargs=-1, metavar="TEXT")
@click.option("--body-file", metavar="FILE", help="Read the text from FILE; - is standard input.")
@click.option("--name", help="What the memory is called; else its heading or first words.")
@click.option("--type", type=click.Choice(TYPES), help="What it is about.")
@click.option("--description", help="One sentence; else the first one of the text.")
@click.option("--tags", metavar="A,B", help="Tags, separated by commas.")
@click.option("--aliases", metavar="A,B", help="Other wordings it should be found by.")
@click.option("--path", help="The file inside the store, such as team/deploy.md.")
@click.option("--scope", type=click.Choice(SCOPES), help="Where it applies: everywhere, in this project, in the team.")
@click.option("--reason", help="Why it is kept; stands in the commit.")
@click.option("--if-revision", metavar="REV", help="Replace the text of the memory --name or --path, read at REV.")
@click.option(
    "--merge", is_flag=True, help="With --if-revision: write all the same where it does not touch what moved."
)
@click.option("--agent", metavar="NAME", help="The model that writes; its memory is a candidate.")
@click.option("--session", metavar="ID", help="The model's session.")
@shared
def command(door: Door, text: tuple[str, ...], merge: bool, **options: str | None) -> None:
    """Write TEXT as a new memory: one Markdown file, one commit.

    TEXT may be - for standard input. A text that begins with frontmatter is kept as it is.
    On a fresh machine this makes your store first.
    """
    given = {key: value for key, value in options.items() if value is not None}
    keep(door, list(text), given | ({"merge": "true"} if merge else {}))
