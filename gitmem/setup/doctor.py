"""Whether everything derived is in step, what is left over, and the mends that are safe.

``examine`` only looks.  ``mend`` changes nothing but what it can prove harmless: each mend of a memory is one commit
through the write path, and the memory reads afterwards as it did before.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from gitmem.audit.mend import MENDED, mended
from gitmem.audit.report import Report
from gitmem.audit.store import audit_store
from gitmem.dataclass import dataclass
from gitmem.errors import GitmemError, RepositoryBusy
from gitmem.history.commit import FileChange
from gitmem.history.journal import load_inflight
from gitmem.history.objects import abandoned, remove
from gitmem.history.pushed import tips
from gitmem.history.repo import Repo, check_writable, located, open_repo
from gitmem.history.settings import settings_of
from gitmem.history.staged import Coming, put_back, staged, stale
from gitmem.history.unmerged import unmerged_paths
from gitmem.index.fresh import changes
from gitmem.index.read import open_index
from gitmem.limits import MAX_ENTRY_CHARS, MAX_MEMORY_BYTES, MAX_REFS, YOUNG_LOCK_S
from gitmem.memory.clean import one_line
from gitmem.memory.document import decode, read_memory
from gitmem.memory.field import known, title
from gitmem.memory.link import index_line
from gitmem.setup.check import NOTE, OK, TROUBLE, Check, age_of, counted, spoken
from gitmem.setup.check_objects import objects_whole, purges, temps
from gitmem.setup.check_sync import conflicts, held, remotes
from gitmem.setup.githooks import install, status
from gitmem.setup.merge_driver import MISSING, driver_state
from gitmem.setup.relist import LOCK_RULE, RULE, Relisting, Relocking, renamed_in_list, renamed_in_locks
from gitmem.store.gitdir import GitDir
from gitmem.store.paths import CONFIG_FILE, git_in, state, typed
from gitmem.store.worktree import read_file
from gitmem.write.apply import apply, until_settled
from gitmem.write.change import Actor, Change, Reader
from gitmem.write.index import refresh
from gitmem.write.lock import writer_lock
from gitmem.write.sync_check import unfinished, unmerged_hint

LOST_LINKS = (RULE, "broken-link")
LOOK_S = 0.2  # a writer that holds the store longer than this is at work
GC_STALE_S = 12 * 3600  # as git: a gc.pid older than this is dead
ROOM = 1024  # bytes below the size of a memory at which the list gets no more lines
LOCKS = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock", "gc.pid")


@dataclass(frozen=True, slots=True)
class Mend:
    """One thing that was put right.

    name:   a memory's path, or the name of the check
    commit: "" for what is not in the history
    """

    name: str
    what: str
    commit: str


def examine(root: str, environ: Mapping[str, str], when: int) -> list[Check]:
    """Look at everything but the memories; nothing is changed, and no remote is asked.

    when:   UTC unix seconds
    raises: NoStore, RepositoryDamaged
    """
    with open_repo(root) as repo:
        return [
            _settings(root),
            _under_way(repo),
            _unfinished(repo),
            *_locks(repo.git),
            *temps(repo.git),
            *purges(repo.git),
            objects_whole(repo),
            _git_index(repo, environ),
            _search_index(repo),
            _hooks(root, environ),
            _refs(repo.git),
            *conflicts(repo),
            *remotes(repo, when),
            *held(repo, environ),
        ]


def mendable(root: str, report: Report) -> dict[str, list[str]]:
    """Path -> rules of the report that ``mend`` puts right there."""
    found: dict[str, list[str]] = {}
    for path in sorted({each.path for each in report.findings if each.rule in MENDED}):
        try:
            rules = mended(path, read_file(root, path))[1]
        except GitmemError:
            continue
        if rules:
            found[path] = rules
    renamed = renamed_in_list(root) if any(each.rule in LOST_LINKS for each in report.findings) else {}
    for path in sorted({each.path for each in report.findings if each.rule == "unlisted"} - {*renamed.values()}):
        found.setdefault(path, []).append("unlisted")
    if renamed:
        found.setdefault(settings_of(root).index_file, []).append(RULE)
    if any(each.rule == LOCK_RULE for each in report.findings) and renamed_in_locks(root):
        found[CONFIG_FILE] = [LOCK_RULE]
    return found


def mend(root: str, environ: Mapping[str, str], when: int) -> tuple[list[Mend], list[str]]:
    """Put right what is safe: derived state first, then the memories, one commit each.

    returns: what was done, and sentences about what could not be
    """
    mending = _Mending(root, environ, when)
    for check in examine(root, environ, when):
        if check.mending:
            mending.derived(check)
    if renamed := renamed_in_list(root):  # before a memory gets a second line under its new name
        mending.commit(Relisting(settings_of(root).index_file, renamed))
    if renamed := renamed_in_locks(root):
        mending.commit(Relocking(renamed))
    wanted = mendable(root, audit_store(root))
    for path, rules in wanted.items():
        if rules not in (["unlisted"], [LOCK_RULE]):
            mending.commit(_Rewrite(path))
    missing = [path for path, rules in wanted.items() if "unlisted" in rules]
    if missing:
        mending.commit(_Listing(settings_of(root).index_file, missing))
        _refresh(root, environ, when)  # new memories were committed on the way
    return mending.done, mending.refused


class _Rewrite:
    """Makes the file of one mend, and says what it mends: looked at again under the writer lock."""

    reason = "It reads as before; only how it is written has changed."
    leaves: tuple[str, ...] = ()

    def __init__(self, path: str) -> None:
        self.path, self.what = path, ""

    def __call__(self, reader: Reader) -> list[FileChange]:
        data = reader.read(self.path)
        new, rules = mended(self.path, data) if data is not None else (None, [])
        self.what = ", ".join(rules)
        return [FileChange(self.path, new)] if rules else []


class _Listing(_Rewrite):
    """Adds the lines that the list lacks; what stands there is kept to the byte."""

    reason = "Memories that the list did not name."

    def __init__(self, path: str, missing: Sequence[str]) -> None:
        super().__init__(path)
        self.missing = missing
        self.leaves = tuple(missing)  # a line must not reach another machine before its memory

    def __call__(self, reader: Reader) -> list[FileChange]:
        data = reader.read(self.path)
        if data is None:
            return []
        text, encoding, _ = decode(data, self.path)
        ending = "\r\n" if "\r\n" in text else "\n"
        lines: list[str] = []
        room = MAX_MEMORY_BYTES - ROOM - len(data)
        for path in self.missing:
            theirs = reader.read(path)
            if theirs is None:
                continue
            memory = read_memory(path, theirs)
            facts = known(memory)
            line = index_line(title(memory, facts), path, one_line(facts.description, MAX_ENTRY_CHARS)) + ending
            room -= len(line.encode("utf-8", "surrogateescape"))
            if room < 0:
                break
            lines.append(line)
        self.what = f"unlisted: {counted(len(lines), 'line')} added"
        joint = "" if text in ("", "\ufeff") or text.endswith(("\n", "\r")) else ending
        more = "".join([joint, *lines]).encode(
            encoding if encoding.startswith("utf-16") else "utf-8", "surrogateescape"
        )
        return [FileChange(self.path, data + more)] if lines else []


class _Mending:
    """One run of ``mend``: what was done, and what could not be."""

    def __init__(self, root: str, environ: Mapping[str, str], when: int) -> None:
        self.root, self.environ, self.when = root, environ, when
        self.done: list[Mend] = []
        self.refused: list[str] = []

    def derived(self, check: Check) -> None:
        try:
            _MENDS[check.name](self.root, self.environ, self.when)
        except GitmemError as error:
            self._refuse(check.name, error)
        else:
            self.done.append(Mend(check.name, check.message, ""))

    def commit(self, make: _Rewrite | Relisting | Relocking) -> None:
        change = Change("doctor", make.path, make.reason, Actor("person"), make)
        change.leaves = make.leaves
        try:
            applied = apply(self.root, change, self.when, self.environ)
        except GitmemError as error:
            self._refuse(make.path, error)
        else:
            if applied.commit or applied.hand_edits:
                self.done.append(Mend(make.path, make.what, applied.commit))

    def _refuse(self, name: str, error: GitmemError) -> None:
        self.refused.append(f"{name} was not mended: {error.message}" + (f"; {error.hint}" if error.hint else ""))


# -- the checks


def _settings(root: str) -> Check:
    findings = settings_of(root).findings
    if not findings:
        return Check("settings", OK, "all of them can be used")
    more = f" ({len(findings) - 1} more)" if len(findings) > 1 else ""
    return Check("settings", TROUBLE, findings[0].sentence() + more, "correct the line by hand")


def _stops(repo: Repo) -> RepositoryBusy | None:
    """What git has in the middle, None for nothing."""
    try:
        check_writable(repo)
    except RepositoryBusy as error:
        return error
    return None


def _under_way(repo: Repo) -> Check:
    if error := _stops(repo):
        message = error.message.replace("; nothing was written", ", so nothing is written")
        return Check("repository", TROUBLE, message, located(error.hint, repo.root))
    return Check("repository", OK, f"on branch {repo.head()[0].removeprefix('refs/heads/')}")


def _unfinished(repo: Repo) -> Check:
    name = "writes"
    for folder in dict.fromkeys((repo.root, repo.git.path, repo.git.common, state(repo.git.common))):
        if Path(folder).exists() and not os.access(folder, os.W_OK | os.X_OK):
            return Check(name, TROUBLE, f"you may not write {folder}: nothing can be saved", f"ls -ld {typed(folder)}")
    if load_inflight(repo.git.path) is None:
        return Check(name, OK, "none is unfinished")
    try:
        with writer_lock(repo.git.common, LOOK_S):
            left = load_inflight(repo.git.path)
    except RepositoryBusy:
        return Check(name, NOTE, "one is under way at this moment")
    if left is None:
        return Check(name, OK, "none is unfinished")
    message = "one was cut off when its process was killed; the next write completes it or drops it"
    return Check(name, TROUBLE, message, "gitmem doctor --fix", mending=True)


def _locks(git: GitDir) -> Iterator[Check]:
    """Lock files of git's; gitmem's own are named in its journal, and the next writer removes them."""
    left = load_inflight(git.path)
    own = {path for _, path in left.locks} if left is not None else set()
    found = [path for path in _lock_files(git) if str(path) not in own]
    if not found:
        yield Check("locks", OK, "none is left over")
    for path in found:
        age = age_of(path)
        if age is None:
            continue
        limit = GC_STALE_S if path.name == "gc.pid" else YOUNG_LOCK_S
        if age < limit:
            message = f"{path} is {spoken(age)} old: a git program may be at work, and it is not safe to remove"
            yield Check("locks", NOTE, message)
        else:
            message = f"{path} is {spoken(age)} old: left behind, and safe to remove when no git program runs here"
            yield Check("locks", TROUBLE, message, f"rm {typed(str(path))}")


def _lock_files(git: GitDir) -> Iterator[Path]:
    for folder in dict.fromkeys((git.path, git.common)):
        yield from (Path(folder, name) for name in LOCKS if Path(folder, name).exists())
    yield from sorted(Path(git.common, "refs").rglob("*.lock"))
    yield from sorted(Path(git.common, "objects").glob("??/*.lock"))  # such a one bars its content to some programs


def _git_index(repo: Repo, environ: Mapping[str, str]) -> Check:
    name = "git's index"
    if paths := unmerged_paths(repo.git.path):
        return Check(name, TROUBLE, unfinished(paths), "" if _stops(repo) else unmerged_hint(repo.root, paths))
    try:
        coming = staged(repo, environ)
    except GitmemError as error:
        return Check(name, TROUBLE, error.message, error.hint)
    late = _late(repo, coming)
    if late:
        named = late[0].path + (f" and {len(late) - 1} more" if len(late) > 1 else "")
        message = f"older than the files: a commit now would take back {named}"
        return Check(name, TROUBLE, message, "gitmem doctor --fix", mending=True)
    if coming:
        return Check(name, NOTE, f"{counted(len(coming), 'change')} of your own staged", git_in(repo.root, "status"))
    return Check(name, OK, "as the last commit")


def _late(repo: Repo, coming: Sequence[Coming]) -> list[Coming]:
    return [each for each in stale(repo, coming) if each.path.lower().endswith(".md")]


def _search_index(repo: Repo) -> Check:
    name, hint = "search index", "gitmem refresh"
    index = open_index(repo.git.path)
    if index is None:
        return Check(name, TROUBLE, "missing or damaged", hint, mending=True)
    try:
        if changes(index, repo.root, repo.git, None).stale:
            return Check(name, NOTE, "behind the files; prompts read what changed live", hint, mending=True)
        return Check(name, OK, f"up to date ({index.documents} indexed)")
    finally:
        index.close()


def _hooks(root: str, environ: Mapping[str, str]) -> Check:
    name = "git hooks"
    try:
        found = status(root, environ)[1]
    except GitmemError as error:
        return Check(name, NOTE, error.message, error.hint)
    states = {each.state for each in found}
    if "older" in states:
        return Check(name, TROUBLE, "of an older gitmem", "gitmem hooks install", mending=True)
    missing = [each.name for each in found if each.state in ("missing", "other")]
    if driver_state(root) == MISSING:
        missing.append("merge driver")
    if not missing:
        return Check(name, OK, "installed")
    said = "not installed" if len(missing) > len(found) else f"not installed: {', '.join(missing)}"
    return Check(name, NOTE, said, "gitmem hooks install")


def _refs(git: GitDir) -> Check:
    count = len(tips(git))
    if count <= MAX_REFS:
        return Check("refs", OK, f"{count} of at most {MAX_REFS}")
    message = f"{count}; above {MAX_REFS} every command is slower"
    return Check("refs", NOTE, message, "gitmem rollback list")


# -- mends of what is derived


def _recover(root: str, environ: Mapping[str, str], when: int) -> None:
    """A change of nothing: the write path puts right what a killed writer left before it begins."""
    apply(root, Change("doctor", "", "", Actor("person"), lambda _: []), when, environ)


def _sweep(root: str, environ: Mapping[str, str], when: int) -> None:
    _recover(root, environ, when)
    with open_repo(root) as repo, writer_lock(repo.git.common):
        for path in abandoned(repo.objects.folder, loose=True):
            remove(path)


def _put_back(root: str, environ: Mapping[str, str], when: int) -> None:
    with open_repo(root) as repo, writer_lock(repo.git.common):
        late = _late(repo, staged(repo, environ))
        until_settled(repo, environ, lambda view: put_back(view, late, when))


def _refresh(root: str, environ: Mapping[str, str], when: int) -> None:  # noqa: ARG001 - as the others
    refresh(root)


def _renew_hooks(root: str, environ: Mapping[str, str], when: int) -> None:  # noqa: ARG001
    install(root, environ)


_MENDS = {
    "writes": _recover,
    "temporary files": _sweep,
    "git's index": _put_back,
    "search index": _refresh,
    "git hooks": _renew_hooks,
}
