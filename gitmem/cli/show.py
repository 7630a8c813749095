"""``gitmem show``: print a memory, now or as it was."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, printable
from gitmem.errors import NotFound
from gitmem.memory.document import Memory, read_memory
from gitmem.memory.field import known, title
from gitmem.memory.name import twin_key
from gitmem.memory.section import find_section, sections
from gitmem.store.worktree import read_file
from gitmem.write.find import find_memory


@click.command("show")
@click.argument("name", metavar="NAME")
@click.option("--section", default="", metavar="ADDRESS", help='Only this section, such as "# Deploy > ## Order".')
@click.option("--at", "revision", default="", metavar="REV", help="As it was: a commit, HEAD~3, a branch or a date.")
@shared
def command(door: Door, name: str, section: str, revision: str) -> None:
    """Print the memory NAME as it stands in its file.

    NAME is a path, a file's stem, a name or an alias.
    """
    root = door.store()
    if revision:
        memory = memory_at(root, name, revision)
    else:
        path = find_memory(root, name)
        memory = read_memory(path, read_file(root, path))
    for finding in memory.findings:
        door.say(finding.sentence())
    text = section_text(memory, section) if section else memory.text
    shape: dict[str, object] = {
        "path": memory.path,
        "name": title(memory, known(memory)),
        "revision": memory.revision,
        "fields": memory.fields,
        "body": text if section else memory.body,
    }
    door.answer(shape, printable(text))


def memory_at(root: str, name: str, revision: str) -> Memory:
    """The memory ``name`` as it was at ``revision``; one that is gone by now is found by its path or stem."""
    from gitmem.cli.past import keys  # showing the file as it is now needs no git
    from gitmem.history.repo import located, open_repo
    from gitmem.history.revision import resolve
    from gitmem.history.tree import file_at, tree_files

    with open_repo(root) as repo:
        commit = resolve(repo, revision)
        try:
            paths = [find_memory(root, name)]
        except NotFound:
            wanted = twin_key(name.removesuffix(".md"))
            paths = [path for path in tree_files(repo, commit) if wanted in keys(path)]
        found = [(path, data) for path in paths if (data := file_at(repo, commit, path)) is not None]
    if not found:
        raise NotFound(f'there was no memory "{name}" at {revision}', hint=located("git log --oneline --stat", root))
    if len(found) > 1:
        raise NotFound(f'"{name}" at {revision} fits {", ".join(path for path, _ in found)}', hint="give the path")
    return read_memory(*found[0])


def section_text(memory: Memory, address: str) -> str:
    """The lines of one section; NotFound lists the addresses there are."""
    found = find_section(memory.body, address)
    if found is None:
        known_ones = ", ".join(f"'{one.address}'" for one in sections(memory.body)) or "none, it has no headings"
        raise NotFound(f"{memory.path} has no section '{address}'; the sections are: {known_ones}")
    return "".join(memory.body.splitlines(keepends=True)[found.first : found.last])
