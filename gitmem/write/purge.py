"""Permanent removal of a memory: out of the store, out of every commit, out of what was derived from it.

First an ordinary change takes the file and its line out of the newest commit, then history is rewritten
(``history/rewrite.py``) and the refs move together.  What is to be forgotten stands in a journal before anything
changes, and until what still holds the text was found, so that the next purge completes one that was killed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence

from gitmem.dataclass import dataclass, field
from gitmem.errors import BadName, GitmemError, Locked, NotFound, Refused, RepositoryBusy, RepositoryDamaged
from gitmem.history.commit import FileChange
from gitmem.history.heal import recover
from gitmem.history.hold import GcGuard
from gitmem.history.holders import Holder, holders, together
from gitmem.history.ownrefs import RefMove
from gitmem.history.publish import check_unlocked
from gitmem.history.purge_record import OPERATION, is_recorded, record
from gitmem.history.remote_state import follow_rewrite
from gitmem.history.repo import Repo, check_writable, open_repo
from gitmem.history.rewrite import Rewrite
from gitmem.history.rewrite_derived import forget_derived
from gitmem.history.rewrite_past import Choice, Past, bytes_of, choose, commits_of
from gitmem.history.rewrite_refs import (
    Purging,
    check_rewritable,
    end_purging,
    load_purging,
    note_purged,
    publish_moves,
    rewritable,
    worktrees,
)
from gitmem.history.settings import settings_of
from gitmem.history.tree import tree_blob, tree_files, tree_get
from gitmem.history.view import Moved, View
from gitmem.memory.name import is_reserved
from gitmem.store.paths import CONFLICTS, GC_PID, INDEX_FILE, OWN_REFS, join, state, typed
from gitmem.write.apply import apply
from gitmem.write.archive_entry import unlisted
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.config import check_locks_known
from gitmem.write.find import stem
from gitmem.write.lock import writer_lock
from gitmem.write.locks import Locks, check_not_locked
from gitmem.write.purge_check import check_actor, check_confirmed, check_saved, unsent
from gitmem.write.unwritable import unwritable

TRIES = 5  # times the newest commit is cleared again when somebody puts the memory back meanwhile

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What a purge is about to remove.

    paths:    every path the memory ever had; versions: how many texts of it git holds
    lives:    paths under which what was once called so lives on; left alone
    unsent:   how many of the texts no remote of this store has, as far as it is known here
    """

    path: str
    paths: tuple[str, ...]
    versions: int
    lives: tuple[str, ...] = ()
    unsent: int = 0


@dataclass(frozen=True, slots=True)
class Purged:
    """What a purge did.

    commits: how many were rewritten
    holders: what still holds the text, each with the command that settles it
    notes:   sentences for the person
    """

    path: str
    paths: tuple[str, ...]
    commits: int
    holders: list[Holder]
    notes: list[str] = field(default_factory=list)


def anywhere(repo: Repo, fits: Callable[[str], bool]) -> list[str]:
    """Paths that ``fits`` takes in the history of any local branch, tag or ref of gitmem's.

    A purge that was killed comes first: HEAD's history may have forgotten the memory already.
    """
    left = load_purging(repo.git.common)
    if left is not None and fits(left.path):
        return [left.path]
    past = Past(repo)
    past.see(commits_of(repo, rewritable(repo.git).values()))
    return [path for path in past.paths() if fits(path)]


def purge(
    root: str,
    path: str,
    *,
    confirm: Callable[[Plan], str],
    when: int,
    actor: Actor,
    environ: Mapping[str, str],
    reason: str = "",
    progress: Progress | None = None,
) -> Purged:
    """Remove the memory at ``path``, which may be archived or gone, from the whole history of the store at ``root``.

    confirm:  is asked once, with what is about to go; what it gives must be the memory's name
    progress: called with the number of commits looked at, and of all
    raises:   Refused for anybody but a person, a locked memory or another name; NotFound; RepositoryBusy while an
              operation of git is under way, RepositoryDamaged for a history that is not all here; StoreUnwritable
    """
    check_actor(actor, path)
    if not path.lower().endswith(".md") or is_reserved(path) or path in _lists(root):
        raise Refused(f"{path} is no memory; purge removes memories only", hint="gitmem list")
    try:
        with open_repo(root) as repo:
            left = load_purging(repo.git.common)
            if left is not None and left.is_rewritten and left.path == path:
                return _Purge(repo, path, actor, when, environ, progress).end(left)
            check_writable(repo)
            check_rewritable(repo)
            work = _Purge(repo, path, actor, when, environ, progress)
            work.look()
            check_confirmed(work.plan, confirm(work.plan))
            left = load_purging(repo.git.common)
            if left is None or left.path == path:
                return work.run(reason)
            earlier = _Purge(repo, left.path, actor, when, environ, progress).complete(left)
            work = _Purge(repo, path, actor, when, environ, progress)
            work.notes += earlier.notes
            work.look()
            done = work.run(reason)
            done.holders[:] = together(earlier.holders, done.holders)
            return done
    except OSError as error:
        raise unwritable(error, root) from error


def _lists(root: str) -> list[str]:
    """The names of the list of memories, as the settings have it and as it is by default."""
    return list(dict.fromkeys([settings_of(root).index_file, INDEX_FILE]))


class _Purge:
    """One memory on its way out.

    choice: what is to be forgotten, as far as it is known by now
    refs:   what the refs are now; before: what they were when history was not rewritten yet
    """

    def __init__(
        self, repo: Repo, path: str, actor: Actor, when: int, environ: Mapping[str, str], progress: Progress | None
    ) -> None:
        self.repo, self.path, self.actor, self.when, self.environ = repo, path, actor, when, environ
        self.progress = progress
        self.past = Past(repo)
        self.living: dict[str, str] = {}
        self.choice = Choice()
        self.commits: dict[str, str] = {}
        self.refs: dict[str, str] = {}
        self.before: dict[str, str] = {}
        self.notes: list[str] = []

    def look(self) -> None:
        """Find what there is of the memory; raises NotFound, and Refused when it is locked or called otherwise now."""
        head = self.repo.head()[1]
        self.living = {path: blob for path, (_, blob) in tree_files(self.repo, head).items()}
        self._choose()
        if not self.choice.forget and self.choice.lives:
            now = self.choice.lives[0]
            raise Refused(f"{self.path} is called {now} now; nothing was changed", hint=f"gitmem purge {typed(now)}")
        left = load_purging(self.repo.git.common)
        is_begun = left is not None and left.path == self.path
        if not self.choice.forget and not is_begun and not os.path.lexists(join(self.repo.root, self.path)):
            raise NotFound(f"no commit of this store has {self.path}", hint="gitmem list")
        settings = settings_of(self.repo.root)
        check_locks_known(settings, self.repo.root)
        locks = Locks(self.repo.root, settings)
        for path in self._paths():
            if locks.of(path):
                raise Locked(
                    f"{path} is locked, so it is not purged; nothing was changed", hint=f"gitmem unlock {typed(path)}"
                )
        if not is_begun:
            check_saved(View(self.repo, self.environ), self.choice, self._paths(), self.living)

    @property
    def plan(self) -> Plan:
        alone = unsent(self.repo, self.refs, self.choice)
        return Plan(self.path, tuple(self._paths()), len(self.choice.blobs), tuple(self.choice.lives), alone)

    def _paths(self) -> list[str]:
        return sorted({self.path, *self.choice.paths})

    def _choose(self) -> None:
        """Look at every commit there is by now, and choose anew."""
        refs = self.refs = rewritable(self.repo.git)
        self.past.see(commits_of(self.repo, refs.values()), self.progress)
        if self.past.missing:
            raise RepositoryDamaged(
                f"commit {min(self.past.missing)} is not here, so its history cannot be rewritten; nothing was purged",
                hint="git fsck",
            )
        own = [name for ref, name in refs.items() if ref.startswith(OWN_REFS)]
        near = self.past.related([self.repo.head()[1], *commits_of(self.repo, own)])
        choice = choose(self.past, self.path, self.living, near)
        left = load_purging(self.repo.git.common)
        for known in (self.choice.forget, left.forget if left is not None and left.path == self.path else {}):
            for path, blobs in known.items():
                choice.forget.setdefault(path, set()).update(blobs)
        self.choice = choice

    def run(self, reason: str) -> Purged:
        """Carry it out; safe to be killed, and to be run again."""
        git = self.repo.git
        done = load_purging(git.common) is not None  # an earlier one began; its journal stays until the end
        Purging(self.path, self.choice.forget).save(git.common)
        try:
            for _ in range(TRIES):
                self._take_away(reason)
                done = True
                try:
                    with writer_lock(git.common):
                        self._rewrite()
                    break
                except Moved:
                    continue
            else:
                raise RepositoryBusy(
                    f"{self.path} kept coming back while it was purged; history still has it",
                    hint=f"gitmem purge {typed(self.path)}",
                )
        except GitmemError:
            if not done:  # refused before anything changed
                end_purging(git.common)
            raise
        return self._told()

    def complete(self, left: Purging) -> Purged:
        """Bring an earlier purge, which a kill interrupted, to its end."""
        if left.is_rewritten:
            return self.end(left)
        self.look()
        done = self.run("")
        done.notes.append(f"the purge of {self.path}, which was interrupted, is complete now")
        return done

    def end(self, left: Purging) -> Purged:
        """What remains when a kill came after history was rewritten: derived state, and telling what holds the text.

        A memory that came to stand at the path since is another one, and stays.
        """
        git = self.repo.git
        self.choice.forget, self.before = left.forget, left.refs
        with writer_lock(git.common):
            self._forget_derived(self.repo.head()[1])
        self.refs = rewritable(git)
        self.past.see(commits_of(self.repo, self.refs.values()), self.progress)
        self.notes.append(f"the purge of {self.path}, which was interrupted, is complete now")
        if os.path.lexists(join(self.repo.root, self.path)):
            self.notes.append(f"{self.path} is another memory by now, and stays; to purge that one, repeat the command")
        return self._told()

    def _told(self) -> Purged:
        """The end of it: the search index, and what still holds the text; then nothing is left to be completed."""
        self._index_anew()
        found = holders(self.repo, self.past, self.choice, self.commits, self.before)
        with writer_lock(self.repo.git.common):
            left = load_purging(self.repo.git.common)
            if left is not None and left.path == self.path:
                end_purging(self.repo.git.common)
        return Purged(self.path, tuple(self._paths()), len(self.commits), found, self.notes)

    def _take_away(self, reason: str) -> None:
        """The ordinary change: no file, no archived copy, no line in the list."""
        paths = self._paths()
        change = Change(OPERATION, stem(self.path), reason, self.actor, lambda reader: self._files(reader, paths))
        change.trailers = record(self.path, self.choice.blobs)
        change.always = bool(self.choice.blobs) and not is_recorded(self.repo, self.path)
        applied = apply(self.repo.root, change, self.when, self.environ)
        for path in applied.hand_edits:
            self.notes.append(
                f"your own edit of {path} was committed first" + ("; it is purged with it" if path in paths else "")
            )

    def _files(self, reader: Reader, paths: Sequence[str]) -> list[FileChange]:
        check_not_locked(reader, paths)
        there = [path for path in paths if self._read(reader, path) is not None]
        gone = [path for path in there if self._is_its(reader, path)]
        files = [FileChange(path, None) for path in gone]
        here = {path for path in paths if path in gone or path not in there}
        for name in _lists(self.repo.root):
            data = self._read(reader, name)
            if data is not None and (new := unlisted(data, here)) != data:
                files.append(FileChange(name, new))
        return files

    def _read(self, reader: Reader, path: str) -> bytes | None:
        """The bytes of a file; a link or a folder is none, where the memory once stood or its list might."""
        try:
            return reader.read(path)
        except BadName:
            if path == self.path:
                raise
            return None

    def _is_its(self, reader: Reader, path: str) -> bool:
        """Whether the file at ``path`` is the memory, and not another one that has an earlier name of it."""
        blob = tree_blob(reader.repo, reader.repo.head()[1], path)
        own = self.choice.forget.get(path.encode("utf-8", "surrogateescape"), ())
        return path == self.path or (bool(blob) and bytes.fromhex(blob or "") in own)

    def _rewrite(self) -> None:
        """Rewrite and move the refs, under the writer lock; raises Moved when the newest commit holds it again."""
        repo, git = self.repo, self.repo.git
        if recover(git) is not None:  # a killed writer's change comes first: apply completes it
            raise Moved
        check_rewritable(repo)
        view = View(repo, self.environ)
        check_unlocked(view)
        self._choose()
        if any(self._is_at_head(view, path) for path in self.choice.forget):
            raise Moved
        with GcGuard(git.common, os.path.join(state(git.common), GC_PID)):
            try:
                rewrite = Rewrite(repo, self.choice.forget, _lists(self.repo.root), unlisted)
                rewrite.run(self.past, self.progress)
                moves = [
                    RefMove(ref, old, "" if self._is_empty_conflict(ref, old, rewrite) else new)
                    for ref, old in self.refs.items()
                    if (new := rewrite.ref(old)) != old
                ]
                if any(move.ref == view.ref for move in moves) and rewrite.tree(view.tree) != view.tree:
                    raise Moved
                moves.sort(key=lambda move: move.ref == view.ref)  # HEAD's branch last
                self._note(moves)
                text = f"gitmem: purge: {stem(self.path)}"
                publish_moves(view, moves, self.refs, view.people()[1], self.when, text)
            finally:
                repo.objects.forget()
        self.commits.update(rewrite.commits)
        note_purged(git.common, self.path, self.choice.forget)
        follow_rewrite(git.common, rewrite.commits)
        Purging(self.path, self.choice.forget, self.before, is_rewritten=True).save(git.common)
        self._forget_derived(rewrite.commits.get(view.head, view.head))

    def _note(self, moves: Sequence[RefMove]) -> None:
        """Write into the journal what is known now: what goes, and what the refs are that will move."""
        left = load_purging(self.repo.git.common)
        moved = left.refs if left is not None and left.path == self.path else {}  # by a run that was killed
        self.before = {**self.refs, **moved, **{move.ref: move.old for move in moves}}
        Purging(self.path, self.choice.forget, self.before).save(self.repo.git.common)

    def _is_at_head(self, view: View, path: bytes) -> bool:
        found = tree_get(self.repo.objects, view.tree, path.decode("utf-8", "surrogateescape")) if view.tree else None
        return found is not None and bytes.fromhex(found[1]) in self.choice.forget[path]

    def _is_empty_conflict(self, ref: str, old: str, rewrite: Rewrite) -> bool:
        """Whether ``ref`` is a conflict about nothing but the memory: there is nothing left to resolve."""
        parents = self.past.parents.get(old, ())
        if not ref.startswith(CONFLICTS) or not parents:
            return False
        trees = self.past.trees
        return rewrite.tree(trees[old]) == rewrite.tree(trees[parents[0]])

    def _forget_derived(self, head: str) -> None:
        texts = [data for blob in self.choice.blobs if (data := bytes_of(self.repo, blob))]
        for tree in worktrees(self.repo):
            is_ours = tree.git_dir == self.repo.git.path
            forget_derived(tree.git_dir, texts, self._paths(), head if is_ours else "")

    def _index_anew(self) -> None:
        """Build the search index; where that fails the next search does it, and the purge stands."""
        from gitmem.write.index import refresh

        try:
            refresh(self.repo.root)
        except (GitmemError, OSError):
            pass
