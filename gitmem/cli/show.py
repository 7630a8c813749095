"""``gitmem show``: print a memory, now or as it was."""

from __future__ import annotations

import click

from gitmem.cli.common import shared
from gitmem.cli.door import Door, printable
from gitmem.errors import NotFound
from gitmem.history.settings import settings_of
from gitmem.ledger.access import note
from gitmem.limits import MAX_ARCHIVED_BYTES, MAX_MEMORY_BYTES
from gitmem.memory.clean import one_line
from gitmem.memory.document import Memory, read_memory
from gitmem.memory.field import known, title
from gitmem.memory.name import twin_key
from gitmem.memory.section import find_section, sections
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import typed
from gitmem.store.worktree import read_file
from gitmem.write.archive import archived_note
from gitmem.write.archive_find import find_archived, is_archived
from gitmem.write.find import MAX_ASKED_CHARS, MAX_SHOWN, find_memory
from gitmem.write.locks import Locks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.repo import Repo


@click.command("show")
@click.argument("name", metavar="NAME")
@click.option("--section", default="", metavar="ADDRESS", help='Only this section, such as "# Deploy > ## Order".')
@click.option("--at", "revision", metavar="REV", help="As it was: a commit, HEAD~3, a branch or a date.")
@click.option("--agent", default="", metavar="NAME", help="The model that reads; that it did is noted on this machine.")
@click.option("--session", default="", metavar="ID", help="The model's session, which has then read this revision.")
@shared
def command(door: Door, name: str, section: str, revision: str | None, agent: str, session: str) -> None:
    """Print the memory NAME as it stands in its file, or in the archive.

    NAME is a path, a file's stem, a name or an alias.
    """
    root = door.store()
    memory = memory_at(root, name, revision) if revision is not None else memory_now(root, name)
    for finding in memory.findings:
        door.say(finding.sentence())
    if is_archived(memory.path) and revision is None:
        door.say(archived_note(root, memory.path))
    locked = bool(Locks(root, settings_of(root)).of(memory.path))
    if locked:
        door.say(f"{memory.path} is locked: nothing archives it; gitmem unlock {typed(memory.path)} changes that")
    text = section_text(memory, section) if section else memory.text
    shape: dict[str, object] = {
        "path": memory.path,
        "name": title(memory, known(memory)),
        "revision": memory.revision,
        "fields": memory.fields,
        "body": text if section else memory.body,
        **({"locked": True} if locked else {}),
    }
    door.answer(shape, printable(text))
    if agent or session:
        note_read(root, session or agent, memory, door.when)


def memory_now(root: str, name: str) -> Memory:
    """The memory as its file has it; an archived one when only that fits."""
    try:
        path = find_memory(root, name)
    except NotFound as missing:
        try:
            path = find_archived(root, name)
        except NotFound:
            raise missing from None
    return read_memory(path, read_file(root, path, MAX_ARCHIVED_BYTES if is_archived(path) else MAX_MEMORY_BYTES))


def note_read(root: str, session: str, memory: Memory, when: int) -> None:
    """Tell the ledger; once the memory was printed, so that nobody is said to have read what did not reach them."""
    git = find_git_dir(root)
    if git is not None:
        note(git.common, "read", session, [(memory.path, memory.revision)], when)


def memory_at(root: str, name: str, revision: str) -> Memory:
    """The memory ``name`` as it was at ``revision``: the one that is called so now, else the one that was then."""
    from gitmem.cli.past import find_past  # showing the file as it is now needs no git
    from gitmem.history.repo import open_repo
    from gitmem.history.revision import resolve
    from gitmem.history.trail_states import path_at
    from gitmem.history.tree import file_at

    with open_repo(root) as repo:
        commit = resolve(repo, revision)
        try:
            path = path_at(repo, find_past(repo, name), commit)
        except NotFound:
            path = None
        path = path or called_then(repo, name, commit, revision)
        return read_memory(path, file_at(repo, commit, path) or b"")


def called_then(repo: Repo, name: str, commit: str, revision: str) -> str:
    """The path of the memory that was called ``name`` at ``commit``: by path, then stem, name and alias."""
    from gitmem.cli.past import bare, keys
    from gitmem.history.repo import located
    from gitmem.history.tree import read_blob, tree_files

    asked = name.strip().removeprefix("./")
    key, stem_key = twin_key(asked), twin_key(bare(asked))
    files = {path: blob for path, (_, blob) in tree_files(repo, commit).items() if keys(path)}
    fits = [path for path in files if keys(path)[0] == stem_key]
    fits = fits or [path for path in files if keys(path)[1] == stem_key]
    if not fits:
        every = [read_memory(path, read_blob(repo, blob)) for path, blob in files.items()]
        facts = {memory.path: (title(memory, known(memory)), known(memory).aliases) for memory in every}
        fits = [path for path, (called, _) in facts.items() if twin_key(called) == key]
        fits = fits or [path for path, (_, aliases) in facts.items() if key in map(twin_key, aliases)]
    shown = one_line(name, MAX_ASKED_CHARS)
    if not fits:
        hint = located("git log --oneline --stat", repo.root)
        raise NotFound(f'there was no memory "{shown}" at {revision}', hint=hint)
    if len(fits) > 1:
        raise NotFound(f'"{shown}" at {revision} fits {", ".join(fits[:MAX_SHOWN])}', hint="give the path")
    return fits[0]


def section_text(memory: Memory, address: str) -> str:
    """The lines of one section; NotFound lists the addresses there are."""
    found = find_section(memory.body, address)
    if found is None:
        known_ones = ", ".join(f"'{one.address}'" for one in sections(memory.body)) or "none, it has no headings"
        raise NotFound(f"{memory.path} has no section '{address}'; the sections are: {known_ones}")
    return "".join(memory.body.splitlines(keepends=True)[found.first : found.last])
