"""``gitmem edit``: change fields, a section or the body of a memory."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, read_text, shortened
from gitmem.cli.quick import actor_of, check_set, keep_given, tell_kept
from gitmem.errors import Usage
from gitmem.store.paths import typed
from gitmem.write.memory import edit


@click.command("edit")
@click.argument("name", metavar="NAME")
@click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE", help="Set a field; may be repeated.")
@click.option("--unset", "removed", multiple=True, metavar="FIELD", help="Remove a field; may be repeated.")
@click.option("--section", metavar="ADDRESS", help='The section to replace, such as "# Deploy > ## Order".')
@click.option("--body", default=None, metavar="TEXT", help="The new text of the section, or of the whole body.")
@click.option("--body-file", metavar="FILE", help="Read the new text from FILE; - is standard input.")
@click.option("--reason", default="", help="Why; stands in the commit.")
@click.option("--if-revision", metavar="REV", help="The revision you read; refused when it is another now.")
@click.option(
    "--merge", is_flag=True, help="With --if-revision: write all the same where it does not touch what moved."
)
@click.option("--agent", metavar="NAME", help="The model that writes; its change is a candidate.")
@click.option("--session", metavar="ID", help="The model's session; it must have read that revision.")
@shared
def command(
    door: Door,
    name: str,
    settings: tuple[str, ...],
    removed: tuple[str, ...],
    section: str | None,
    body: str | None,
    body_file: str | None,
    reason: str,
    if_revision: str | None,
    merge: bool,
    agent: str | None,
    session: str | None,
) -> None:
    """Change the memory NAME; only the lines that change are touched.

    NAME is a path, a file's stem, a name or an alias. See what changed with `gitmem diff NAME`.
    """
    text = None
    if body is not None or body_file is not None:
        text = read_text((body,) if body is not None else (), body_file, what="the text")
    if text is None and not settings and not removed:
        raise Usage(
            "there is nothing to change: give --set FIELD=VALUE, --unset FIELD or --body TEXT",
            hint="gitmem edit --help",
        )
    if section and text is None:
        raise Usage("--section needs the new text: --body TEXT or --body-file FILE", hint="gitmem edit --help")
    try:
        check_set(section=section, if_revision=if_revision, agent=agent, session=session)
        if merge and not if_revision:
            raise Usage("--merge needs --if-revision: what you read", hint=f"gitmem show {typed(name)} --json")
        kept = edit(
            door.store(),
            name,
            when=door.when,
            actor=actor_of(agent or "", session or ""),
            environ=door.environ,
            fields=[*(pair(setting) for setting in settings), *((field, None) for field in removed)],
            section=section or "",
            body=text,
            reason=reason,
            if_revision=if_revision or "",
            merge=merge,
        )
    except Exception as error:
        keep_given(door, text or b"", error)
        raise
    tell_kept(door, kept, f"edited {kept.path}" if kept.commit else f"nothing to change in {kept.path}")


def pair(setting: str) -> tuple[str, str]:
    """``field=value`` in its two parts."""
    field, sign, value = setting.partition("=")
    if not sign or not field.strip():
        raise Usage(f'--set takes FIELD=VALUE, not "{shortened(setting)}"', hint="gitmem edit NAME --set type=project")
    return field.strip(), value.strip()
