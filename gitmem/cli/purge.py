"""``gitmem purge``: remove a memory for ever, from history too."""

from __future__ import annotations

import sys
from contextlib import ExitStack

import click

from gitmem.cli.common import Progress, progress_bar, shared
from gitmem.cli.door import Door, counted
from gitmem.cli.past import find_past, keys
from gitmem.errors import NotFound, Refused
from gitmem.history.repo import open_repo
from gitmem.memory.name import twin_key
from gitmem.store.paths import typed, with_option
from gitmem.write.change import Actor
from gitmem.write.find import stem, without_md
from gitmem.write.purge import Plan, Purged, anywhere, purge

OUT_OF_REACH = (
    "what was pushed, cloned, forked or backed up is out of reach; a password or token that stood in it must be made "
    "invalid where it is used, in any case"
)


@click.command("purge")
@click.argument("name", metavar="NAME")
@click.option("--confirm", default=None, metavar="NAME", help="The memory's name again, for scripts; else it is asked.")
@click.option("--reason", default="", help="Why; stands in the commit, which stays.")
@click.option("--agent", default="", metavar="NAME", help="The model that asks; it is refused.")
@shared
def command(door: Door, name: str, confirm: str | None, reason: str, agent: str) -> None:
    """Remove the memory NAME for ever: the file, and every version of it in every branch, tag and rollback point.

    It cannot be undone, and asks for the memory's name. NAME may be archived, or gone from the store already.
    What still holds the text afterwards is listed, each with the command that settles it: nothing is pushed, and
    no stash and no reflog is dropped. To put a memory aside instead: gitmem archive NAME.
    """
    root = door.store()
    path = meant(root, name)
    bars: list[Progress] = []
    with ExitStack() as stack:

        def ask(plan: Plan) -> str:
            answer = confirmed(door, plan, confirm)
            bar = stack.enter_context(progress_bar("rewriting history"))  # not before: it would draw over the question
            bars.extend([bar] if bar is not None else [])
            return answer

        def step(number: int, total: int) -> None:
            for bar in bars:
                bar(number, total)

        done = purge(
            root,
            path,
            confirm=ask,
            when=door.when,
            actor=Actor("model", agent=agent) if agent else Actor("person"),
            environ=door.environ,
            reason=reason,
            progress=step,
        )
    for sentence in [*done.notes, OUT_OF_REACH]:
        door.say(sentence)
    shape = {
        "path": done.path,
        "paths": list(done.paths),
        "commits": done.commits,
        "holders": [{"where": one.where, "what": one.what, "command": one.command} for one in done.holders],
    }
    door.answer(shape, told(done), saved=f"{path} is purged")


def meant(root: str, name: str) -> str:
    """The path that ``name`` means: there, archived, gone, or only in another branch's history."""
    with open_repo(root) as repo:
        try:
            return find_past(repo, name)
        except NotFound:
            wanted = twin_key(without_md(name.strip().removeprefix("./")))
            found = anywhere(repo, lambda path: wanted in keys(path))
            if not found:
                raise
    if len(found) > 1:
        raise NotFound(f'"{name}" is gone, and it fits {", ".join(found)}', hint="give the path")
    return found[0]


def confirmed(door: Door, plan: Plan, given: str | None) -> str:
    """Say what goes, and give the name as the person typed it."""
    name = stem(plan.path)
    texts = f"{counted(plan.versions, 'text')} of {', '.join(plan.paths)}"
    door.say(f"purge would remove {texts}, from every branch, tag and rollback point, for ever")
    if plan.unsent:
        whose = "1 of them is" if plan.unsent == 1 else f"{plan.unsent} of them are"
        door.say(f"{whose} on this machine alone, and on no remote; look: gitmem history {typed(plan.path)}")
    for path in plan.lives:
        door.say(f"{path} had that name once, and stays as it is")
    if given is not None:
        return given
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise Refused(
            "purge asks for the memory's name, and there is no terminal to ask on; nothing was changed",
            hint=f"gitmem purge {typed(plan.path)} {with_option('--confirm', name)}",
        )
    print(f"type its name, {name}, to remove it: ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline()


def told(done: Purged) -> str:
    """What was done, and what is left to do."""
    lines = [f"purged {', '.join(done.paths)} from {counted(done.commits, 'commit')}"]
    if done.holders:
        lines.append("the text is still held here, in the order to settle it:")
    for one in done.holders:
        lines += [f"  {one.where}: {one.what}", *([f"      {one.command}"] if one.command else [])]
    return "\n".join(lines)
