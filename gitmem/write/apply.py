"""The one way to change a store: look, guard, commit, index.

Under the writer lock: what a killed writer left is completed or dropped, what another program's commit dropped is
put back, a person's own edit of the same files is committed first as theirs, then the change itself.  Whatever is
acknowledged is in the branch, in the index and in the work files, and synced to disk.
"""

from __future__ import annotations

import errno
import os
import time

from gitmem.errors import GitmemError, RepositoryBusy, StoreUnwritable
from gitmem.history.commit import FileChange, Identity, Step
from gitmem.history.convert import check_unconverted, stored
from gitmem.history.heal import healing, left_steps, recover, settle
from gitmem.history.identity import gitmem_identity, model_identity
from gitmem.history.message import message
from gitmem.history.objects import object_id
from gitmem.history.publish import check_unlocked, publish
from gitmem.history.repo import Repo, open_repo
from gitmem.history.view import Moved, View
from gitmem.limits import LOCK_TIMEOUT_S, MAX_CONFIG_BYTES
from gitmem.memory.document import read_memory
from gitmem.store.format import FORMAT, check_format
from gitmem.store.paths import CONFIG_FILE, events, git_in, join, state, typed
from gitmem.store.settings import load_settings
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.guard import check_change, new_secrets
from gitmem.write.lock import writer_lock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeVar

    from gitmem.history.journal import Inflight
    from gitmem.memory.finding import Finding
    from gitmem.write.index import Mark

    Result = TypeVar("Result")

RETRY_S = 0.002
OPEN_TRIES = 3  # attempts without a lock of git's; then index.lock is held while the change is worked out


class Applied:
    """What a change came to.

    commit:     id of its commit, "" when the files were so already
    paths:      path -> revision now, "" for a removed file
    hand_edits: paths whose uncommitted edit was committed first, as the person's own
    secrets:    what looks like a secret in those edits
    healed:     number of earlier writes that were put back or completed
    """

    __slots__ = ("commit", "hand_edits", "healed", "paths", "secrets")

    def __init__(
        self, commit: str, paths: dict[str, str], hand_edits: tuple[str, ...], secrets: tuple[Finding, ...] = ()
    ) -> None:
        self.commit, self.paths, self.hand_edits, self.secrets = commit, paths, hand_edits, secrets
        self.healed = 0


def apply(root: str, change: Change, when: int, environ: Mapping[str, str]) -> Applied:
    """Make ``change`` in the store at ``root``: one commit, seen by git, the work files and the search index alike.

    when:    UTC unix seconds, of the commit
    environ: for the person's identity (GIT_AUTHOR_NAME ...); nothing else is read from it
    raises:  Refused and its kind, RepositoryBusy, RepositoryDamaged, StoreUnwritable, NoStore, and what
             ``change.make`` raises; then the store is as before
    """
    try:
        with open_repo(root) as repo, writer_lock(repo.git.common):
            _check_format(repo.root)
            attempt = _Attempt(change, when, recover(repo.git))
            applied = until_settled(repo, environ, attempt, lambda: attempt.left)
    except OSError as error:
        raise unwritable(error, root) from error
    applied.healed = attempt.healed
    _update_index(repo, attempt, when)
    return applied


def _check_format(root: str) -> None:
    """raises: FormatTooNew; parses the settings only when they do not plainly name our own format"""
    try:
        with open(join(root, CONFIG_FILE), "rb") as file:
            data = file.read(MAX_CONFIG_BYTES)
    except OSError:
        return
    if b"\nformat: %d\n" % FORMAT not in b"\n" + data:
        check_format(load_settings(root))


def until_settled(
    repo: Repo,
    environ: Mapping[str, str],
    attempt: Callable[[View], Result],
    left: Callable[[], Inflight | None] = lambda: None,
) -> Result:
    """Look and try, again when a person or another program changed what was looked at; the writer lock is held.

    left: the interrupted write ``attempt`` still has to complete
    """
    end = time.monotonic() + LOCK_TIMEOUT_S
    tries = 0
    while True:
        view = View(repo, environ)
        check_unlocked(view)
        try:
            if tries >= OPEN_TRIES:
                view.hold(left())
            return attempt(view)
        except Moved:
            tries += 1
            if time.monotonic() > end:
                raise RepositoryBusy(
                    f"{repo.root} kept changing for {LOCK_TIMEOUT_S:.0f} seconds; nothing was written",
                    hint="try again when the program that commits there is done",
                ) from None
            time.sleep(RETRY_S)
        finally:
            view.release()


class _Attempt:
    """A change on its way; called again with a new view when the store moved.

    left:    what a killed writer left unfinished
    healed:  number of files put right
    touched: paths the search index has to look at
    before:  how things stood before they were written, None when the index cannot say
    """

    def __init__(self, change: Change, when: int, left: Inflight | None) -> None:
        self.change, self.when, self.left = change, when, left
        self.healed = 0
        self.touched: list[str] = []
        self.before: Mark | None = None

    def __call__(self, view: View) -> Applied:
        if self.put_right(view):
            raise Moved  # by ourselves: the change is made from what stands there now
        reader = Reader(view)
        changes = tuple(self.change.make(reader))
        check_change(changes, reader, self.change.actor, view.repo.git.common, self.when)
        wanted = [each for each in changes if each.data != view.read(each.path)]
        paths = {each.path: object_id("blob", each.data) if each.data is not None else "" for each in changes}
        if not wanted:
            return Applied("", paths, ())
        steps = _hand_edits(view, [each.path for each in wanted])
        edited = tuple(dict.fromkeys(each.path for step in steps for each in step.changes))
        secrets = _secrets(view, steps)
        text = _message(view, self.change, wanted[0].path)
        steps.append(Step(wanted, text, _author(view, self.change.actor)))
        self.before = _mark(view.repo.root, list(paths))
        commits = publish(view, steps, view.people()[1], self.when)
        self.touched.extend(dict.fromkeys([*edited, *paths]))
        return Applied(commits[-1], paths, edited, secrets)

    def put_right(self, view: View) -> bool:
        """Complete what a killed writer began, put back what another program dropped; whether there was anything."""
        steps = left_steps(view, self.left) if self.left is not None else []
        repairs: list[tuple[str, int, str]] = []
        if not steps:
            if self.left is not None:
                settle(view, self.left)
                self.left = None
            steps, repairs = healing(view)
        if not steps and not repairs:
            return False
        try:
            publish(view, steps, view.people()[1], self.when, repairs)
        except BaseException:
            if self.left is not None:  # not done yet: the next writer needs to know
                self.left.locks = []
                self.left.save(view.repo.git.path)
            raise
        self.left = None
        paths = sorted({change.path for step in steps for change in step.changes})
        self.touched.extend(paths)
        self.healed += len(paths)
        return True


def _hand_edits(view: View, paths: Sequence[str]) -> list[Step]:
    """The person's own uncommitted work on ``paths``: what they staged, then what the file holds."""
    staged: list[FileChange] = []
    saved: list[FileChange] = []
    for path in paths:
        committed, entry, data = view.committed(path), view.staged(path), view.read(path)
        check_unconverted(view, path)
        last = committed[1] if committed else ""
        now = object_id("blob", stored(view, path, data)) if data is not None else ""
        if entry is not None and entry[1] not in (last, now):
            last = entry[1]
            staged.append(FileChange(path, view.repo.objects.read(last, "blob")))
        if now != last:
            saved.append(FileChange(path, data))
    author = view.people()[0]
    return [Step(changes, _hand_message(changes), author) for changes in (staged, saved) if changes]


def _secrets(view: View, steps: Sequence[Step]) -> tuple[Finding, ...]:
    """What looks like a secret in the person's own edits and is not in git yet; they are committed all the same."""
    found: dict[str, Finding] = {}
    for change in (change for step in steps for change in step.changes if change.data is not None):
        committed = view.committed(change.path)
        old = view.repo.objects.read(committed[1], "blob") if committed else None
        before = read_memory(change.path, old) if old is not None else None
        for each in new_secrets(before, read_memory(change.path, change.data or b"")):
            found.setdefault(each.sentence(), each)
    return tuple(found.values())


def _hand_message(changes: Sequence[FileChange]) -> str:
    paths = ", ".join(change.path for change in changes)
    return message("hand edit", paths, "", {"Op": "hand-edit", "Memory": paths, "Actor": "person"})


def _message(view: View, change: Change, path: str) -> str:
    data, actor = view.read(path), change.actor
    trailers = {
        "Op": change.operation,
        "Memory": path,
        "Base": object_id("blob", data) if data is not None else "",
        "Actor": actor.kind,
        "Agent": actor.agent,
        "Session": actor.session,
    }
    return message(change.operation, change.memory, change.reason, trailers)


def _author(view: View, actor: Actor) -> Identity:
    if actor.kind == "model":
        return model_identity(actor.agent)
    if actor.kind == "run":
        return gitmem_identity()
    return view.people()[0]


def unwritable(error: OSError, root: str) -> GitmemError:
    """What the system said, as a sentence: which file, what is wrong, what to do."""
    path = os.fsdecode(error.filename) if error.filename else root
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", -1), errno.EFBIG):
        return StoreUnwritable(
            f"no space is left for {path}; what was saved before is safe, this was not written",
            hint="free some space (or raise the quota), then try again",
        )
    if error.errno == errno.EROFS:
        return StoreUnwritable(f"{path} is on a read-only disk; nothing was written", hint="mount it writable")
    if error.errno in (errno.EACCES, errno.EPERM):
        return StoreUnwritable(f"you may not write {path}; nothing was written", hint=f"ls -ld {typed(path)}")
    return StoreUnwritable(
        f"{path}: {error.strerror or error}; the write was not acknowledged", hint=git_in(root, "fsck")
    )


def _mark(root: str, paths: Sequence[str]) -> Mark | None:
    try:
        from gitmem.write.index import mark

        return mark(root, paths)
    except Exception:  # then the next prompt looks through the folders
        return None


def _update_index(repo: Repo, attempt: _Attempt, when: int) -> None:
    """Bring the search index up to date; the commit stands whatever happens here, and recall mends it later."""
    if not attempt.touched:
        return
    try:
        from gitmem.write.index import update_index

        update_index(repo.root, attempt.touched, attempt.before)
    except Exception as error:
        _note(repo, when, error)


def _note(repo: Repo, when: int, error: Exception) -> None:
    import json

    line = json.dumps({"when": when, "door": "write", "event": "index", "error": type(error).__name__})
    try:
        os.makedirs(state(repo.git.common), exist_ok=True)
        with open(events(repo.git.common), "a", encoding="utf-8") as file:
            file.write(line + "\n")
    except OSError:
        pass
