"""``clone``: a store here from one elsewhere, made aside and renamed into place.

Nothing of it is run: no hook, no filter, no helper that it configures; its configuration is not even copied.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from gitmem.dataclass import dataclass
from gitmem.errors import BadName, Exists, GitmemError, IndexUnusable, StoreUnwritable
from gitmem.history.conflict import open_conflicts
from gitmem.history.ownrefs import RefMove
from gitmem.history.remote import Remote, check_url, shown_url
from gitmem.history.remote_config import add_remote, set_upstream
from gitmem.history.remote_refs import joined, plan_refs, tracking
from gitmem.history.remote_state import Known, save_known
from gitmem.history.repo import Repo, create_repo, open_repo
from gitmem.history.transport import RemoteRefused, Seen, Transport, Unreachable, open_transport
from gitmem.history.tree import tree_files
from gitmem.history.view import View
from gitmem.memory.name import check_path, is_reserved
from gitmem.setup.create import check_place, init
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import ARCHIVE, CONFIG_FILE, git_in, typed
from gitmem.write.adopt import Progress, is_bare
from gitmem.write.arrive import arrive
from gitmem.write.index import refresh
from gitmem.write.sync_check import check_whole, has_branches, other_branch
from gitmem.write.unwritable import unwritable

REMOTE = "origin"
MAX_NAMED = 5  # odd names that are said one by one
ASIDE = ".gitmem-clone-"
LASTING = ("git ls-remote", "git clone", "there: git ", "git config --global")  # what needs no folder of ours


@dataclass(frozen=True, slots=True)
class Cloned:
    """What ``clone`` did.

    branch:    as the remote calls it; kind: "cloned", or "empty" when there was nothing yet and a store was made
    conflicts: open ones that came along
    notes:     sentences for the person
    """

    root: str
    url: str
    branch: str
    commit: str
    memories: int
    conflicts: int
    kind: str = "cloned"
    notes: tuple[str, ...] = ()


def clone(
    url: str,
    path: str,
    *,
    environ: Mapping[str, str],
    when: int,
    asks: bool = False,
    progress: Progress | None = None,
) -> Cloned:
    """Make the store at ``url`` one at ``path`` too, and index it.

    asks:   whether a person is there to type a password
    raises: Exists when something stands at ``path``; Unreachable, RemoteRefused; then nothing is left behind
    """
    check_url(url)
    root = Path(path).expanduser().resolve()
    check_place(root)
    _check_free(root, url)
    aside = root.with_name(f"{ASIDE}{root.name}-{os.getpid():x}")
    try:
        branch, notes = _fetched(str(aside), url, environ, when, asks)
        if not branch:
            return _empty(root, url, environ, when, progress)
        if root.is_dir():
            root.rmdir()
        root.parent.mkdir(parents=True, exist_ok=True)
        aside.rename(root)
    except OSError as error:
        raise unwritable(error, str(root)) from error
    except GitmemError as error:
        error.hint = _lasting_hint(error, url, str(aside))
        raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return _ready(root, url, branch, notes, environ, when, progress)


def _lasting_hint(error: GitmemError, url: str, aside: str) -> str:
    """A hint that can be typed when the folder the clone was made in is gone, and where there is no store."""
    again = f"gitmem clone {typed(shown_url(url))}"
    if isinstance(error, Unreachable):
        return f"is the place right, and is there a network? then again: {again}"
    plain = error.hint.replace(git_in(aside, ""), "git ").replace("gitmem remote list", again)
    if aside not in error.hint or any(words in plain for words in LASTING):
        return plain
    return f"look at it with git: git clone {typed(shown_url(url))} ANOTHER-PATH"


def _check_free(root: Path, url: str) -> None:
    if find_git_dir(str(root)) is not None and not _is_unused(root):
        raise Exists(
            f"there is a store at {root} already; nothing was cloned",
            hint=f"gitmem remote add {REMOTE} {typed(url)} --store {typed(str(root))} && gitmem sync --store "
            f"{typed(str(root))}   (or clone to another place: gitmem clone {typed(url)} PATH)",
        )
    if root.exists() and any(root.iterdir()):
        raise Exists(f"{root} is not empty; nothing was cloned", hint=f"gitmem clone {typed(url)} ANOTHER-PATH")


def _is_unused(root: Path) -> bool:
    """Whether nothing but a repository without commits stands there."""
    with open_repo(str(root)) as repo:
        return is_bare(root) and not repo.head()[1]


def _fetched(aside: str, url: str, environ: Mapping[str, str], when: int, asks: bool) -> tuple[str, list[str]]:
    """A repository at ``aside`` with all the remote has, files checked out; its branch, "" when the remote is empty."""
    Path(aside).parent.mkdir(parents=True, exist_ok=True)
    remote = Remote(REMOTE, url, url)
    with create_repo(aside) as repo:
        transport = open_transport(repo, remote, environ, asks=asks)
        every = transport.look()
        branch = _branch(every, url)
        if not branch:
            return "", []
        _set_head(repo, branch)
        seen = _all_of(transport, branch)
        add_remote(repo.git, REMOTE, url)
        set_upstream(repo.git, branch, REMOTE, f"refs/heads/{branch}")
        check_whole(repo)
        _check_notes(repo, url, seen.refs[f"refs/heads/{branch}"])
    tip = seen.refs[f"refs/heads/{branch}"]

    def moves(view: View, target: str) -> list[RefMove]:
        return joined(tracking(view.repo, REMOTE, seen.refs, branch), plan_refs(view.repo, seen.refs, {}, target).here)

    arrive(aside, tip, f"{REMOTE}/{branch}", when, environ, moves)
    with open_repo(aside) as repo:
        own = {ref: name for ref, name in seen.refs.items() if not ref.startswith("refs/heads/")}
        save_known(repo.git.common, REMOTE, Known(url, branch, tip, own, when))
        return branch, _odd_names(repo, tip)


def _check_notes(repo: Repo, url: str, commit: str) -> None:
    """raises: RemoteRefused for what is no store and not mostly memories, such as a project's code

    A sync of the clone would send memories there.
    """
    paths = list(tree_files(repo, commit))
    if CONFIG_FILE in paths:
        return
    shown = [path for path in paths if not any(part.startswith(".") for part in path.split("/"))]
    notes = [path for path in shown if path.lower().endswith(".md") and not path.lower().startswith("readme")]
    if len(notes) * 2 <= len(shown):
        raise RemoteRefused(
            f"{shown_url(url)} is no store of memories: it has no {CONFIG_FILE}, and most of its files are no "
            "memories; nothing was cloned",
            hint=f"is it the right place? (to make it one: git clone {typed(url)} PATH && gitmem init PATH)",
        )


def _branch(every: Seen, url: str) -> str:
    """What the remote's HEAD names, else its only branch; "" for an empty one."""
    if not has_branches(every):
        return ""
    found = other_branch(every, "")
    if not found:
        raise RemoteRefused(
            f"{shown_url(url)} has several branches, and its HEAD names none of them; nothing was cloned",
            hint="there: git symbolic-ref HEAD refs/heads/BRANCH",
        )
    return found


def _all_of(transport: Transport, branch: str) -> Seen:
    seen = transport.fetch(branch)
    if f"refs/heads/{branch}" not in seen.refs:
        raise RemoteRefused(f"the branch {branch} went away while it was cloned", hint="try again")
    return seen


def _set_head(repo: Repo, branch: str) -> None:
    head = Path(repo.git.path, "HEAD")
    new = head.with_suffix(".new")
    new.write_text(f"ref: refs/heads/{branch}\n", encoding="utf-8", newline="\n")
    new.replace(head)


def _empty(root: Path, url: str, environ: Mapping[str, str], when: int, progress: Progress | None) -> Cloned:
    made = init(str(root), environ=environ, when=when, progress=progress)
    with open_repo(made.root) as repo:
        add_remote(repo.git, REMOTE, url)
        ref, commit = repo.head()
    note = f"{shown_url(url)} is empty: a new store was made, which `gitmem sync` sends there"
    branch = ref.removeprefix("refs/heads/")
    return Cloned(made.root, shown_url(url), branch, commit, made.memories, 0, "empty", (note, *made.notes))


def _ready(
    root: Path,
    url: str,
    branch: str,
    notes: list[str],
    environ: Mapping[str, str],
    when: int,
    progress: Progress | None,
) -> Cloned:
    """Settings where there are none, and the search index."""
    if not (root / CONFIG_FILE).is_file():
        init(str(root), environ=environ, when=when, progress=progress)
        notes.append(f"it was no store yet: {CONFIG_FILE} was committed here, and `gitmem sync` sends it there")
    try:
        report = refresh(str(root), progress)
        memories = report.memories
        notes += [each.sentence() for each in report.skipped]
    except (IndexUnusable, StoreUnwritable) as error:
        notes.append(f"{error.message}; when that is mended: gitmem refresh --store {typed(str(root))}")
        memories = 0
    with open_repo(str(root)) as repo:
        conflicts = len(open_conflicts(repo))
        return Cloned(str(root), shown_url(url), branch, repo.head()[1], memories, conflicts, "cloned", tuple(notes))


def _odd_names(repo: Repo, commit: str) -> list[str]:
    """What other systems could not hold, said; the files are here as they are there."""
    said: list[str] = []
    for path in tree_files(repo, commit):
        plain = path.removeprefix(f"{ARCHIVE}/")
        if not plain.lower().endswith(".md") or is_reserved(plain):
            continue
        try:
            check_path(plain)
        except BadName as error:
            said.append(error.message.replace("; type ", "; rename it to "))
        except GitmemError:
            continue
    more = [f"{len(said) - MAX_NAMED} more such names: gitmem audit"] if said[MAX_NAMED:] else []
    return said[:MAX_NAMED] + more
