"""``init``: a place is looked at, then made a store by write/adopt.py, then indexed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from gitmem.dataclass import dataclass
from gitmem.errors import IndexUnusable, NoStore, Refused, StoreUnwritable
from gitmem.history.repo import open_repo
from gitmem.history.settings import settings_of
from gitmem.history.tree import tree_files, tree_get
from gitmem.history.workfiles import ignored_among
from gitmem.memory.finding import Finding
from gitmem.store.format import check_format
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import CONFIG_FILE, typed
from gitmem.store.worktree import list_memories
from gitmem.write.adopt import MAX_NAMED, Progress, adopt, is_bare
from gitmem.write.index import RefreshReport, refresh
from gitmem.write.notes import owner_notes


@dataclass(frozen=True, slots=True)
class Made:
    """What ``init`` did.

    kind:     "new", "adopted" (a folder), "repository" (used as it is), "already" (a store before)
    commits:  ids, oldest first
    memories: how many the store holds
    skipped:  files that look like memories and are none, with the reason
    notes:    sentences for the person
    indexed:  whether the index is up to date
    whole:    False when the first commit lacks a file of the folder, which the notes name
    """

    root: str
    kind: str
    commits: tuple[str, ...]
    memories: int
    skipped: tuple[Finding, ...]
    notes: tuple[str, ...] = ()
    indexed: bool = True
    whole: bool = True


def init(path: str, *, environ: Mapping[str, str], when: int, progress: Progress | None = None) -> Made:
    """Make the folder at ``path`` a store, whatever stands there, and index it; may be repeated.

    raises: Refused for a place that cannot be a store, FormatTooNew, RepositoryBusy, StoreUnwritable
    """
    root = Path(path).expanduser().resolve()
    check_place(root)
    check_format(settings_of(str(root)))
    notes = outer_notes(root)
    done = adopt(str(root), environ, when, progress)
    indexed = True
    try:
        report = refresh(str(root), progress)
    except (IndexUnusable, StoreUnwritable) as error:  # a store without an index can be read and written all the same
        notes.append(f"{error.message}; when that is mended: gitmem refresh --store {typed(str(root))}")
        indexed = False
        listing = list_memories(str(root), settings_of(str(root)).left_out())
        report = RefreshReport(len(listing.entries), 0, 0, listing.skipped)
    notes.extend([*done.notes, *_unkept_notes(str(root), environ)])
    git = find_git_dir(str(root))
    notes.extend(owner_notes(str(root), git, environ) if git is not None else [])
    skipped = tuple(report.skipped)
    return Made(
        str(root), done.kind, done.commits, report.memories, skipped, tuple(notes), indexed=indexed, whole=done.whole
    )


def _unkept_notes(root: str, environ: Mapping[str, str]) -> list[str]:
    """Which memories git was told to ignore: they are recalled and counted, and get no history."""
    listing = list_memories(root, settings_of(root).left_out())
    with open_repo(root) as repo:
        known = tree_files(repo, repo.head()[1])
        paths = ignored_among(repo, environ, [each.path for each in listing.entries if each.path not in known])
    if not paths:
        return []
    named = ", ".join(paths[:MAX_NAMED]) + (f" and {len(paths) - MAX_NAMED} more" if paths[MAX_NAMED:] else "")
    one = len(paths) == 1
    return [
        f"git was told to ignore {named} (.gitignore): {'it is' if one else 'they are'} recalled, and "
        f"{'has' if one else 'have'} no history; to keep {'it' if one else 'them'} out of prompts too, name "
        f"{'it' if one else 'them'} under ignore: in {CONFIG_FILE}"
    ]


def first_store(path: str, *, named: bool, environ: Mapping[str, str], when: int) -> Made:
    """The person's store, made by the first write on a fresh machine, or completed after a kill.

    named:  the place was named on the command line; a slip of the pen must not make a store
    raises: NoStore with the command that makes one
    """
    root = Path(path)
    if named or not (is_bare(root) or (root / CONFIG_FILE).is_file()):
        state = "is not a store yet" if root.exists() else "is not there"
        raise NoStore(f"{path} {state}; nothing was written", hint=f"gitmem init {typed(path)}")
    return init(path, environ=environ, when=when)


def check_place(root: Path) -> None:
    """raises: Refused for a file, the home folder, the root of a disk, and the inside of a repository"""
    better = "gitmem init ~/notes"
    home = Path("~").expanduser().resolve()
    if root.exists() and not root.is_dir():
        unfit = root.parent in (home, root.parent.parent)
        raise Refused(
            f"{root} is a file; a store is a folder", hint=better if unfit else f"gitmem init {typed(str(root.parent))}"
        )
    if root == root.parent:
        raise Refused(f"{root} is the whole disk, which cannot be a store", hint=better)
    if root == home:
        raise Refused(f"{root} is your home folder; a store is a folder of its own", hint=better)
    for folder in (root, *root.parents):
        if (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir():
            raise Refused(f"{folder} is the inside of a git repository; there are no memories in it", hint=better)


def outer_notes(root: Path) -> list[str]:
    """What to say when ``root`` lies inside another repository: the store gets a repository of its own.

    raises: Refused when that repository tracks files of the folder; two repositories would fight over them
    """
    if find_git_dir(str(root)) is not None:
        return []
    outer = next((folder for folder in root.parents if find_git_dir(str(folder)) is not None), None)
    if outer is None:
        return []
    inside = root.relative_to(outer).as_posix()
    with open_repo(str(outer)) as repo:
        commit = repo.head()[1]
        if commit and tree_get(repo.objects, repo.commit(commit).tree, inside):
            raise Refused(
                f"the files in {root} belong to the repository at {outer}; a second one cannot hold them too",
                hint=f"gitmem init {typed(str(outer))}   (or move the folder out of it)",
            )
    return [f"{root} lies inside the repository at {outer}; keep it out of that one: add /{inside}/ to its .gitignore"]
