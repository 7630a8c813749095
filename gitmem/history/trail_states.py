"""One memory at a commit, a date or a revision, whatever it was called then."""

from __future__ import annotations

from gitmem.dataclass import dataclass
from gitmem.errors import NotFound
from gitmem.history.bases import is_ancestor
from gitmem.history.revision import HEX, resolve
from gitmem.history.trail import ask, history
from gitmem.history.trail_source import TrailSource
from gitmem.history.tree import decode, file_at, read_blob, tree_blob
from gitmem.store.paths import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.repo import Repo
    from gitmem.history.trail_build import Progress
    from gitmem.history.trail_plain import PlainSource
    from gitmem.history.trail_walk import Touch


@dataclass(frozen=True, slots=True)
class State:
    """A memory as it was.

    path: what it was called then; data: None when it was not there
    """

    path: str
    data: bytes | None


def state_at(repo: Repo, path: str, text: str, progress: Progress | None = None) -> State:
    """The memory that is at ``path`` now as ``text`` has it.

    text:   a commit, branch or date as ``resolve`` takes them, or a revision of this memory, also shortened
    raises: NotFound, saying what to type
    """
    try:
        commit = resolve(repo, text)
    except NotFound:
        digits = text.strip().lower()
        if not HEX.fullmatch(digits):
            raise
        found = _revision(history(repo, path, progress=progress), digits, path)
        return State(decode(found.path), read_blob(repo, found.revision))
    there = path_at(repo, path, commit, progress)
    return State(there or path, file_at(repo, commit, there) if there is not None else None)


def path_at(repo: Repo, path: str, commit: str, progress: Progress | None = None) -> str | None:
    """What the memory that is at ``path`` now was called at ``commit``; None when it was not there."""
    touches = history(repo, path, progress=progress)

    def question(source: TrailSource | PlainSource) -> list[Touch]:
        place = source.place(commit)
        if not isinstance(source, TrailSource) or place is None:
            return touches
        tops = source.reach(int(place))
        numbers = [(touch, source.place(touch.commit)) for touch in touches]
        led = [touch for touch, n in numbers if n is not None and int(n) <= tops.get(source.chain(int(n)), 0)]
        if led or is_ancestor(repo, commit, repo.head()[1]):
            return led  # none: it was not there yet, whatever else had its path
        return touches  # of another branch, where none of its commits is: by its names

    names = [decode(touch.path) for touch in ask(repo, question, commit, progress)] if touches else [path]
    return next((name for name in dict.fromkeys(names) if tree_blob(repo, commit, name) is not None), None)


def _revision(touches: list[Touch], digits: str, path: str) -> Touch:
    found = {touch.revision: touch for touch in touches if touch.revision.startswith(digits)}
    if len(found) == 1:
        return found.popitem()[1]
    hint = f"gitmem history {typed(path)}"
    if found:
        names = ", ".join(sorted(name[:12] for name in found))
        raise NotFound(f'"{digits}" is short for several revisions of {path}: {names}', hint=hint)
    raise NotFound(f'"{digits}" is no commit of this store and no revision of {path}', hint=hint)
