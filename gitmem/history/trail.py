"""The history of one memory in milliseconds, across renames, archive and restore.

Asked of a side index, ``.git/gitmem/history.sqlite``, which is brought up to date from HEAD at each question and is
keyed by commit: another branch, a rewritten history and several worktrees are all answered rightly.  Where SQLite
cannot serve, the commits themselves are walked.
"""

from __future__ import annotations

from itertools import islice

from gitmem.errors import RepositoryDamaged
from gitmem.history.bases import is_ancestor
from gitmem.history.trail_db import drop_db, open_db
from gitmem.history.trail_source import TrailSource, is_current
from gitmem.history.trail_walk import walk
from gitmem.history.tree import decode, encode
from gitmem.index import sqlite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from gitmem.history.repo import Repo
    from gitmem.history.trail_build import Progress
    from gitmem.history.trail_plain import PlainSource
    from gitmem.history.trail_walk import Touch

    Answer = TypeVar("Answer")


def history(
    repo: Repo, path: str, limit: int | None = None, *, at: str = "", progress: Progress | None = None
) -> list[Touch]:
    """Every commit that changed the memory at ``path``, newest first, under each name it had.

    at:       the commit to look back from, else HEAD
    progress: called with (done, total) commits while the index is filled
    raises:   RepositoryDamaged when git's own objects cannot be read
    """
    commit = at or repo.head()[1]
    if not commit:
        return []

    def question(source: TrailSource | PlainSource) -> list[Touch]:
        place = source.place(commit)
        return list(islice(walk(source, place, encode(path)), limit)) if place is not None else []

    return ask(repo, question, commit, progress)


def present_path(repo: Repo, path: str, since: str = "") -> str:
    """What a memory that was at ``path`` is called at HEAD: followed through moves; ``path`` where none moved it.

    since: the commit in which it was there; "" for the last memory that had the path
    """
    commit = repo.head()[1]

    def question(source: TrailSource | PlainSource) -> bytes:
        here, seen, at = encode(path), {encode(path)}, since
        place = source.place(commit)
        while place is not None:
            touch = source.touch(place, here)
            if at:
                touch = _first_move(repo, source, touch, at)
            new = source.new_path(touch) if touch is not None and (at or not touch.after) else None
            if touch is None or new is None or (new in seen and not at):
                break
            here, at = new, touch.commit if at else ""
            seen.add(new)
        return here

    return decode(ask(repo, question, commit)) if commit else path


def _first_move(repo: Repo, source: TrailSource | PlainSource, touch: Touch | None, since: str) -> Touch | None:
    """Of ``touch`` and those before it the first that moved the file away and does not lead to ``since``."""
    found = None
    while touch is not None and touch.commit != since:
        if source.new_path(touch) is not None:
            if is_ancestor(repo, touch.commit, since):
                break
            found = touch
        touch = source.touch(touch.parents[0], touch.path) if touch.parents else None
    return found


def last_with(repo: Repo, path: str, blob: str) -> str:
    """The newest commit that left ``blob`` at ``path``, whichever memory that was; along first parents, "" for none."""
    commit = repo.head()[1]

    def question(source: TrailSource | PlainSource) -> str:
        place = source.place(commit)
        while place is not None and (touch := source.touch(place, encode(path))) is not None:
            if touch.revision == blob:
                return touch.commit
            place = touch.parents[0] if touch.parents else None
        return ""

    return ask(repo, question, commit) if commit else ""


def called(repo: Repo, stem: str) -> list[tuple[str, int]] | None:
    """Every path whose file is called ``stem`` that HEAD has, with 0, or had, with the order of its last commit.

    returns: None where the index cannot tell
    """
    commit = repo.head()[1]

    def question(source: TrailSource | PlainSource) -> list[tuple[str, int]] | None:
        if not isinstance(source, TrailSource):
            return None
        place = source.place(commit)
        touches = [source.touch(place, path) for path in source.called(stem)] if place is not None else []
        return [(decode(each.path), 0 if each.after else each.order) for each in touches if each is not None]

    return ask(repo, question, commit) if commit else []


def ask(
    repo: Repo,
    question: Callable[[TrailSource | PlainSource], Answer],
    commit: str,
    progress: Progress | None = None,
) -> Answer:
    """The answer of the history index that holds ``commit``; of the commits themselves where it cannot serve."""
    for _ in range(2):
        try:
            connection = open_db(repo.git)
        except (sqlite.Error, OSError):
            break
        try:
            if not is_current(connection, repo, commit):
                from gitmem.history.trail_build import fill  # most questions find the index ready

                fill(connection, repo, commit, progress)
            return question(TrailSource(connection))
        except sqlite.OperationalError:  # locked, a full disk: the index is right, only not to be had now
            break
        except (sqlite.Error, LookupError, TypeError, ValueError):  # damaged: once more, from nothing
            drop_db(repo.git)
        except (OSError, RepositoryDamaged):
            break
        finally:
            connection.close()
    from gitmem.history.trail_plain import PlainSource

    return question(PlainSource(repo))
