"""The first commits of a store: a folder as it is, and gitmem's own files.

Any step may be the last before a kill; the next call goes on from there.  The settings file is put on disk
first: a repository without a commit that has it is one that gitmem began.
"""

from __future__ import annotations

import os
import shutil
import stat
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from string import hexdigits

from gitmem.dataclass import dataclass
from gitmem.history.adopt import snapshot
from gitmem.history.commit import FileChange, Step
from gitmem.history.heal import recover
from gitmem.history.identity import gitmem_identity, person
from gitmem.history.journal import forget_inflight
from gitmem.history.message import message, parse_message
from gitmem.history.publish import publish
from gitmem.history.repo import Repo, create_repo, open_repo
from gitmem.history.tree import tree_blob
from gitmem.history.view import View
from gitmem.history.workfiles import work_files
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.document import decode, line_at
from gitmem.memory.finding import Finding
from gitmem.memory.secret import ALLOW, barred_spans, secret_finding
from gitmem.prompt.quote import may_hold_secret
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import ATTRIBUTES_FILE, CONFIG_FILE, GC_PID, INDEX_FILE, join, state
from gitmem.store.settings import DEFAULT_CONFIG
from gitmem.write.apply import until_settled
from gitmem.write.catalogue import EMPTY
from gitmem.write.lock import writer_lock
from gitmem.write.unwritable import unwritable

ATTRIBUTES = "*.md -text\n"  # no setting of git may rewrite a memory's line endings
TEMPORARY = ".git-"  # create_repo makes the repository aside, under a name that begins so
BEGUN = ".config-"  # and ``begin`` the settings
UTF16 = (BOM_UTF16_LE, BOM_UTF16_BE)
MAX_NAMED = 10  # files with a secret that are named; the others are counted
TRAILERS = {"Op": "init", "Actor": "person"}

Progress = Callable[[int, int], None]  # done, total


@dataclass(frozen=True, slots=True)
class Adopted:
    """What was done.

    kind:    "new", "adopted" (a folder), "repository" (used as it is), "already" (a store before)
    commits: ids, oldest first
    notes:   sentences for the person
    whole:   False when a file of the folder is not in the first commit although git is not to ignore it
    """

    kind: str
    commits: tuple[str, ...]
    notes: tuple[str, ...]
    whole: bool = True


def adopt(path: str, environ: Mapping[str, str], when: int, progress: Progress | None = None) -> Adopted:
    """Make the folder at ``path`` a store by the commits that are missing; nothing is moved or rewritten.

    A folder without a repository gets one, and its first commit holds every file as it is.  In a repository only
    the settings file is committed; staged and uncommitted work stays what it was.
    raises: RepositoryBusy, StoreUnwritable
    """
    root = Path(path)
    try:
        kind = kind_of(root)
        if kind == "already":
            sweep(root)
            _let_go(path)
            return Adopted(kind, (), ())
        if kind != "repository":
            begin(root)
            make_repo(path)
        with open_repo(path) as repo, writer_lock(repo.git.common):
            sweep(root)
            kind = kind_of(root)  # another process may have been quicker
            if kind == "already":
                return Adopted(kind, (), ())
            return _Adoption(repo, kind, environ, when, progress).run()
    except OSError as error:
        raise unwritable(error, path) from error


def _let_go(path: str) -> None:
    """Take away the locks of an ``init`` that was killed after its last commit; no write may come that would."""
    with open_repo(path) as repo:
        if os.path.lexists(join(state(repo.git.common), GC_PID)):
            with writer_lock(repo.git.common):
                recover(repo.git)


def kind_of(root: Path) -> str:
    """What there is to do, a word of ``Adopted.kind``."""
    bare, begun = is_bare(root), (root / CONFIG_FILE).is_file()
    if find_git_dir(str(root)) is not None:
        with open_repo(str(root)) as repo:
            commit = repo.head()[1]
            if commit and tree_blob(repo, commit, CONFIG_FILE):
                return "already"
            last = parse_message(repo.commit(commit).message)[2] if commit else {}
        if not begun or (commit and last.get("Gitmem-Op") != TRAILERS["Op"]):
            return "repository"
    return "new" if bare else "adopted"


def is_bare(root: Path) -> bool:
    """Whether nothing of a person's stands at ``root``; a repository that is being made there does not count."""
    if not root.exists():
        return True
    return root.is_dir() and all(name in (".git", ".gitmem") or name.startswith(TEMPORARY) for name in os.listdir(root))


def begin(root: Path) -> None:
    """Put the settings file on disk, in one step."""
    config = root / CONFIG_FILE
    config.parent.mkdir(parents=True, exist_ok=True)
    if not config.is_file():
        new = config.with_name(f"{BEGUN}{os.getpid()}")
        new.write_text(DEFAULT_CONFIG, encoding="utf-8", newline="\n")
        try:
            new.replace(config)
        except FileNotFoundError:  # another process was quicker, and swept ours away
            if not config.is_file():
                raise


def make_repo(path: str) -> None:
    """A repository at ``path``; that another process was quicker, and swept ours away, is no error."""
    try:
        create_repo(path).close()
    except OSError:
        if find_git_dir(path) is None:
            raise


def sweep(root: Path) -> None:
    """Remove the settings and repositories that were being made aside when their process was killed.

    A repository that is being made at this moment has lost the race already: there is a repository.
    """
    for folder in root.glob(f"{TEMPORARY}*"):
        if all(digit in hexdigits for digit in folder.name.removeprefix(TEMPORARY)) and folder.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
    for file in (root / CONFIG_FILE).parent.glob(f"{BEGUN}*"):
        if file.name.removeprefix(BEGUN).isdigit():
            file.unlink(missing_ok=True)


def secrets_in(root: str, paths: Sequence[str]) -> list[Finding]:
    """The first of what looks like a secret in each text file, as it is on disk, and no mark allows."""
    found: list[Finding] = []
    for path in paths:
        full = join(root, path)
        try:
            state = os.lstat(full)
            if not stat.S_ISREG(state.st_mode) or state.st_size > MAX_MEMORY_BYTES:
                continue
            with open(full, "rb") as file:
                data = file.read()
        except OSError:  # what reads it for the commit says so
            continue
        if b"\0" in data and not data.startswith(UTF16):
            continue
        text = decode(data, path)[0]
        if may_hold_secret(text):  # spares most files the closer look, 0.15 ms for 2 KB
            spans = barred_spans(text)[:1]
            found += [secret_finding(path, line_at(text, start), kind) for start, _, kind in spans]
    return found


def held_notes(found: Sequence[Finding]) -> list[str]:
    """Which files are not committed, and why; their neighbours are."""
    notes = [f"{each.sentence()}; the file is not committed, and git does not keep it" for each in found[:MAX_NAMED]]
    if found[MAX_NAMED:]:
        notes.append(f"and {len(found) - MAX_NAMED} more")
    if found:
        notes.append(
            f"say where a secret is kept instead of what it is, or put `{ALLOW}` on its line when it is harmless; "
            "then commit the file"
        )
    return notes


class _Adoption:
    """The commits of one ``adopt``, made under the writer lock."""

    def __init__(self, repo: Repo, kind: str, environ: Mapping[str, str], when: int, progress: Progress | None) -> None:
        self.repo, self.kind, self.environ, self.when, self.progress = repo, kind, environ, when, progress
        self.root = Path(repo.root)
        self.author = person(repo.git, environ) or gitmem_identity()
        self.committer = person(repo.git, environ, "COMMITTER") or gitmem_identity()
        self.notes: list[str] = []
        self.whole = True

    def run(self) -> Adopted:
        if self.author == gitmem_identity():
            said = "git knows no name of yours, so commits are made as gitmem"
            self.notes.append(f"{said}; tell it with: git config --global user.name NAME   (and user.email)")
        if recover(self.repo.git) is not None:
            forget_inflight(self.repo.git.path)  # the steps below do again what the killed one had begun
        commits = [self._folder()] if self.kind == "adopted" and not self.repo.head()[1] else []
        commits += until_settled(self.repo, self.environ, self._own_files)
        return Adopted(self.kind, tuple(commits), tuple(self.notes), self.whole)

    def _folder(self) -> str:
        """One commit of every file as it is."""
        files = work_files(self.repo, self.environ)
        self.notes += [f"{path}: {why}; it is not committed" for path, why in files.left_out]
        held = secrets_in(self.repo.root, files.paths)
        self.whole = not files.left_out and not held
        self.notes += held_notes(held)
        files.paths = sorted(set(files.paths) - {each.path for each in held})
        total = len(files.paths)

        def step(done: int) -> None:
            if self.progress is not None:
                self.progress(done, total)

        def attempt(view: View) -> str:
            text = self._message("the folder as it is")
            return snapshot(view, files.paths, text, self.author, self.committer, self.when, step)

        return until_settled(self.repo, self.environ, attempt)

    def _own_files(self, view: View) -> list[str]:
        """One commit of gitmem's own files, those that are not there already."""
        config = view.read(CONFIG_FILE)
        own = {CONFIG_FILE: DEFAULT_CONFIG.encode() if config is None else config}
        if self.kind != "repository" and view.read(ATTRIBUTES_FILE) in (None, ATTRIBUTES.encode()):
            own[ATTRIBUTES_FILE] = ATTRIBUTES.encode()
        if self.kind == "new":
            own[INDEX_FILE] = EMPTY.encode()
        changes = [FileChange(path, data) for path, data in own.items()]
        text = self._message("a new store" if self.kind == "new" else "gitmem's settings")
        return publish(view, [Step(changes, text, self.author)], self.committer, self.when)

    def _message(self, subject: str) -> str:
        return message("init", subject, "", TRAILERS)
