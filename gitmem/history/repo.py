"""Open a store's repository, or make one; say what stands in the way of writing to it.

Nothing that a repository configures is run: no hook, no filter, no signing, no helper.
"""

from __future__ import annotations

import os
import time

from gitmem.errors import GitmemError, NoStore, RepositoryBusy, RepositoryDamaged
from gitmem.history.commit import Commit
from gitmem.history.config import Config, is_true, read_config
from gitmem.history.objects import Objects
from gitmem.history.refs import branches
from gitmem.store.gitdir import GitDir, find_git_dir, head
from gitmem.store.paths import git_in, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType

    from gitmem.history.sync import Beside

UNDER_WAY = (  # file or folder in the git folder, the operation, how to end it
    ("rebase-merge", "a rebase", "git rebase --continue   (or: git rebase --abort)"),
    ("rebase-apply/applying", "git am", "git am --continue   (or: git am --abort)"),
    ("rebase-apply", "a rebase", "git rebase --continue   (or: git rebase --abort)"),
    ("MERGE_HEAD", "a merge", "git merge --continue   (or: git merge --abort)"),
    ("CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --continue   (or: git cherry-pick --abort)"),
    ("REVERT_HEAD", "a revert", "git revert --continue   (or: git revert --abort)"),
    ("BISECT_LOG", "a bisect", "git bisect reset"),
    ("sequencer", "a cherry-pick or revert", "git cherry-pick --continue   (or: git cherry-pick --abort)"),
)
KNOWN_EXTENSIONS = (
    "noop",
    "objectformat",
    "refstorage",
    "preciousobjects",
    "partialclone",
    "worktreeconfig",
    "relativeworktrees",
)


class Repo:
    """An open repository with a working tree.  Close it, or use ``with``.

    The end of ``with`` is the acknowledgement: what was published there is on disk.
    What an error on its way out of ``with`` says to type in git is made to name this repository.

    root:   the working tree, absolute
    config: the repository's own configuration, as data
    """

    __slots__ = ("_commits", "_syncing", "config", "git", "objects", "root")

    def __init__(self, root: str, git: GitDir, config: Config) -> None:
        self.root, self.git, self.config = root, git, config
        self.objects = Objects(os.path.join(git.common, "objects"))
        self._commits: dict[str, Commit] = {}
        self._syncing: list[Beside] = []

    def __enter__(self) -> Repo:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, GitmemError):
            error.hint = located(error.hint, self.root)
        self.close()

    def close(self) -> None:
        """Wait until what was published is on disk, and let go of open files; raises OSError."""
        self.objects.close()
        self.settle()

    def acknowledge_after(self, syncing: Beside) -> None:
        """Something was published whose name is on its way to disk: ``close`` waits for it."""
        self._syncing.append(syncing)

    def settle(self) -> None:
        """Wait until what was published is on disk; raises OSError."""
        while self._syncing:
            self._syncing.pop().wait()

    def commit(self, name: str) -> Commit:
        """A commit by its id; raises RepositoryDamaged."""
        found = self._commits.get(name)
        if found is None:
            found = self._commits[name] = Commit(name, self.objects.read(name, "commit"))
        return found

    def head(self) -> tuple[str, str]:
        """Ref and commit id HEAD names now; see ``gitmem.store.gitdir.head``."""
        return head(self.git)


def located(hint: str, root: str) -> str:
    """``hint`` with every git command in it naming the repository at ``root``: it may be typed in any folder."""
    first, *rest = hint.split("git ")
    text = first
    for part in rest:
        is_command = (not text or text.endswith((": ", "&& "))) and not part.startswith("-C ")
        text += git_in(root, part) if is_command else f"git {part}"
    return text


def open_repo(root: str) -> Repo:
    """The repository whose working tree begins at ``root``.

    raises: NoStore, RepositoryDamaged for a format gitmem does not read
    """
    root = os.path.abspath(root)
    git = find_git_dir(root)
    if git is None:
        raise NoStore(f"{root} is not a store: it holds no git repository", hint=f"gitmem init {typed(root)}")
    config = read_config(os.path.join(git.common, "config"))
    _check_format(git, config)
    if git.path == git.common and is_true(config, "core.bare", False):
        raise RepositoryDamaged(
            f"{root} is a bare repository: there are no files in it", hint=f"git clone {typed(root)} FOLDER"
        )
    return Repo(root, git, config)


def _check_format(git: GitDir, config: Config) -> None:
    version = config.get("core.repositoryformatversion", ["0"])[-1]
    if version not in ("0", "1", ""):
        raise RepositoryDamaged(f"{git.common} has repository format {version}, which this gitmem does not know")
    extensions = {key[11:]: values[-1] for key, values in config.items() if key.startswith("extensions.")}
    if extensions.get("objectformat", "sha1").lower() != "sha1":
        raise RepositoryDamaged(
            f"{git.common} names its objects by {extensions['objectformat']}; gitmem reads SHA-1 repositories only",
            hint="git init --object-format=sha1 a new folder, copy the files there, gitmem init it",
        )
    if extensions.get("refstorage", "files").lower() != "files":
        raise RepositoryDamaged(
            f"{git.common} keeps its refs as {extensions['refstorage']}, which gitmem does not write",
            hint=git_in(git.common, "refs migrate --ref-format=files"),
        )
    unknown = sorted(set(extensions).difference(KNOWN_EXTENSIONS)) if version == "1" else []
    if unknown:
        raise RepositoryDamaged(f"{git.common} uses the extension {unknown[0]}, which this gitmem does not know")


def check_writable(repo: Repo) -> str:
    """The branch a commit would go to.

    raises: RepositoryBusy when an operation of git is under way or HEAD is detached; says how to end it
    """
    for mark, name, end in UNDER_WAY:
        if os.path.exists(os.path.join(repo.git.path, *mark.split("/"))):
            from gitmem.history.unmerged import under_way  # a write as a rule has nothing in its way

            raise under_way(repo.git.path, repo.root, name, end, "nothing was written")
    ref, commit = repo.head()
    if not ref:
        raise RepositoryBusy(
            f"{repo.root} is on no branch (HEAD is detached at {commit[:10]}); nothing was written",
            hint=_to_a_branch(repo.git),
        )
    return ref


def _to_a_branch(git: GitDir) -> str:
    """How to get to a branch: one that is there, main first; a new one where there is none."""
    names = branches(git)
    if not names:
        return "git switch -c main"
    best = next((name for name in ("main", "master") if name in names), names[0])
    others = "   (or the branch your memories are on)" if len(names) > 1 else ""
    return f"git switch {typed(best)}{others}"


def create_repo(root: str, branch: str = "main") -> Repo:
    """An empty repository at ``root``, as ``git init`` makes it without templates: no hooks, nothing configured.

    It is made aside and renamed into place, so that a kill leaves none and of two processes one wins.
    """
    root = os.path.abspath(root)
    os.makedirs(root, exist_ok=True)
    final = os.path.join(root, ".git")
    if find_git_dir(root) is None:
        temp = os.path.join(root, f".git-{os.getpid():x}{time.perf_counter_ns():x}")
        try:
            _skeleton(temp, branch)
            if os.path.isdir(final) and not os.listdir(final):
                os.rmdir(final)
            os.rename(temp, final)
        except FileExistsError:
            pass  # another process was first
        except OSError:
            if find_git_dir(root) is None:
                raise
        finally:
            _clear(temp)
    return open_repo(root)


def _skeleton(folder: str, branch: str) -> None:
    for name in ("objects/info", "objects/pack", "refs/heads", "refs/tags", "info"):
        os.makedirs(os.path.join(folder, *name.split("/")))
    _write(os.path.join(folder, "HEAD"), f"ref: refs/heads/{branch}\n")
    config = os.path.join(folder, "config")
    _write(config, "")
    lines = ["[core]", "\trepositoryformatversion = 0", f"\tfilemode = {_yes(_has_filemode(config))}"]
    lines += ["\tbare = false", "\tlogallrefupdates = true"]
    if not _has_links(folder):
        lines.append("\tsymlinks = false")
    if os.path.exists(os.path.join(folder, "CoNfIg")):
        lines.append("\tignorecase = true")
    if _composes(folder):
        lines.append("\tprecomposeunicode = true")
    lines += ["[index]", "\tversion = 2"]  # 4 compresses names against each other: every patch a rewrite
    _write(config, "\n".join(lines) + "\n")


def _clear(folder: str) -> None:
    """Remove a skeleton that was not needed; there is nothing in it but what was made a moment ago."""
    for place, folders, files in os.walk(folder, topdown=False):
        for name in files:
            os.unlink(os.path.join(place, name))
        for name in folders:
            os.rmdir(os.path.join(place, name))
    if os.path.isdir(folder):
        os.rmdir(folder)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


def _yes(value: bool) -> str:
    return "true" if value else "false"


def _has_filemode(path: str) -> bool:
    mode = os.stat(path).st_mode
    try:
        os.chmod(path, mode ^ 0o100)
        changed = os.stat(path).st_mode != mode
        os.chmod(path, mode)
    except OSError:
        return False
    return changed


def _has_links(folder: str) -> bool:
    link = os.path.join(folder, "link")
    try:
        os.symlink("config", link)
    except (OSError, NotImplementedError):
        return False
    os.unlink(link)
    return True


def _composes(folder: str) -> bool:
    """Whether the file system takes both Unicode spellings of a name for one (macOS)."""
    path = os.path.join(folder, "\u00e4")
    _write(path, "")
    same = os.path.exists(os.path.join(folder, "a\u0308"))
    os.unlink(path)
    return same
