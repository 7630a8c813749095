"""What a writer says it has read: checked before a change is made from it (B2, B4)."""

from __future__ import annotations

from gitmem.errors import NoStore, NotFound, Refused
from gitmem.memory.clean import one_line
from gitmem.memory.document import blob_id
from gitmem.memory.name import is_reserved, twin_key
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import ARCHIVE, typed, with_option
from gitmem.store.worktree import read_file
from gitmem.write.find import find_memory, stem, without_md

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.write.change import Actor

WHOLE, SHORTEST = 40, 4  # digits of a revision


def find_read(root: str, name: str, revision: str) -> str:
    """The path of the memory called ``name``; of one that is gone, where it stood when ``revision`` was its text.

    A late write of a memory that was moved or removed meanwhile is told so, and what was wanted is kept.
    raises: NotFound as ``find_memory``
    """
    try:
        return find_memory(root, name)
    except NotFound:
        asked = revision.strip().lower()
        found = _gone(root, name, asked) if len(asked) >= SHORTEST else []
        if len(found) != 1:
            raise
    return found[0]


def _gone(root: str, name: str, asked: str) -> list[str]:
    """Paths of memories that are gone, were called ``name``, and had that revision."""
    from gitmem.history.gone import gone_paths
    from gitmem.history.log import revisions
    from gitmem.history.repo import open_repo

    wanted = twin_key(without_md(name.strip().removeprefix("./")))

    def fits(path: str) -> bool:
        key = twin_key(path)
        is_memory = key.endswith(".md") and not is_reserved(path) and not key.startswith(f"{ARCHIVE}/")
        return is_memory and wanted in (key[:-3], twin_key(stem(path)))

    with open_repo(root) as repo:
        paths = gone_paths(repo, wanted.rpartition("/")[2], fits)
        return [path for path in paths if any(one.revision.startswith(asked) for one in revisions(repo, path))]


def checked_read(root: str, path: str, revision: str, actor: Actor) -> tuple[str, str] | None:
    """What the writer says it read, as (path, whole revision); None when it does not say.

    raises: Refused for a model that names none, or one its session has not read; NotFound for no revision of the memory
    """
    if not revision:
        if actor.kind == "model":
            raise Refused(
                f"a model must name the revision of {path} that it read; nothing was written",
                hint=f"gitmem show {typed(stem(path))} --json   (then: --if-revision REVISION)",
            )
        return None
    read = (path, whole_revision(root, path, revision))
    if actor.kind == "model" and actor.session and not _has_read(root, actor.session, *read):
        raise Refused(
            f"session {actor.session} has not read {path} at {read[1][:10]}; nothing was written",
            hint=f"gitmem show {typed(stem(path))} --json {with_option('--session', actor.session)}",
        )
    return read


def _has_read(root: str, session: str, path: str, revision: str) -> bool:
    from gitmem.ledger.access import has_read, read_as  # no plain write pays for it

    git = find_git_dir(root)
    if git is None:
        raise NoStore(f"{root} is no store", hint=f"gitmem init {typed(root)}")
    if has_read(git.common, session, path, revision):
        return True
    known_as = read_as(git.common, session, revision)
    if not known_as:
        return False
    from gitmem.history.repo import open_repo
    from gitmem.history.trail_names import earlier_paths

    with open_repo(root) as repo:  # it was renamed since
        return not earlier_paths(repo, [path]).get(path, set()).isdisjoint(known_as)


def whole_revision(root: str, path: str, revision: str) -> str:
    """The 40 digits of a revision that may be shortened."""
    asked = revision.strip().lower()
    if len(asked) == WHOLE:
        return asked
    try:
        now = blob_id(read_file(root, path))
    except NotFound:
        now = ""
    if len(asked) >= SHORTEST and now.startswith(asked):
        return now
    from gitmem.history.log import revisions
    from gitmem.history.repo import open_repo
    from gitmem.write.stale import no_revision

    fits: set[str] = set()
    if len(asked) >= SHORTEST:
        with open_repo(root) as repo:
            fits = {one.revision for one in revisions(repo, path) if one.revision.startswith(asked)}
            mistaken = None if fits else no_revision(repo, path, revision.strip())
        if mistaken is not None:
            raise mistaken
    if len(fits) != 1:
        which = "short for several revisions" if fits else "no revision"
        hint = f"gitmem history {typed(stem(path))} --json"
        raise NotFound(f'"{one_line(revision, WHOLE)}" is {which} of {path}', hint=hint)
    return fits.pop()
