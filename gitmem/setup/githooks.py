"""git's own hooks for a store: put in beside what is there, taken out so that every byte is as before.

The scripts are made here from one template, and stand as files in ``hooks/`` of the project, for people who copy them
by hand.  A script finds gitmem by itself and never stands in the way of a person who has none.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from gitmem.dataclass import dataclass
from gitmem.errors import NoStore, Refused, StoreUnwritable
from gitmem.history.config import person_files, read_config
from gitmem.history.repo import open_repo
from gitmem.history.staged import staged_paths
from gitmem.setup.earlier_hooks import BESIDE, OLD_END, clear_kept, keep_hook, kept_hook, link_rest
from gitmem.setup.merge_driver import put_in_driver, take_out_driver
from gitmem.store.gitdir import GitDir, find_git_dir
from gitmem.store.paths import CONFIG_FILE, git_in, typed

HOOK_ID = 3  # raised with every change of the scripts; an older one is brought up to date by ``install``
MARK = "# gitmem hook, ID "

HOOKS = {  # name -> what it does, and what is left undone without gitmem
    "pre-commit": ("refuses a commit that would add a problem to a memory", "the memories are not checked"),
    "pre-merge-commit": ("refuses a merge that would add a problem to a memory", "the memories are not checked"),
    "post-merge": ("lets the search index follow a merge", "no search index follows"),
    "post-checkout": ("lets the search index follow a checkout", "no search index follows"),
    "post-rewrite": ("lets the search index follow a rebase or an amended commit", "no search index follows"),
    "pre-push": ("keeps secrets and unfinished merges from being pushed", "what is pushed is not checked"),
    "pre-receive": ("keeps secrets and broken memories out of a server", "what is pushed is not checked"),
}
SERVER = ("pre-receive",)  # of a repository that others push to, put in only when it is bare
WITH_INPUT = ("post-rewrite", "pre-push", "pre-receive")  # git tells these on standard input what it is about
FOUND = 5  # the only exit code of ``gitmem hooks run`` that stops git: whatever else goes wrong stops nobody

_TEMPLATE = """\
#!/bin/sh
{mark}{number}
# {name}: {what}. `gitmem hooks remove` takes it out.
{keep}earlier="$(CDPATH='' cd -P -- "${{0%/*}}" && pwd){beside}/${{0##*/}}"
if [ -x "$earlier" ]; then {give}"$earlier" "$@" || exit; fi
if command -v gitmem >/dev/null 2>&1; then
  {give}gitmem hooks run {name} "$@"
elif python3 -P -c 'import gitmem' >/dev/null 2>&1; then
  {give}python3 -P -m gitmem hooks run {name} "$@"
else
  echo "gitmem is not installed here, so {undone} ({name} hook); nothing is held up." >&2
  exit 0
fi
code=$?
[ "$code" -eq {found} ] && exit 1
[ "$code" -eq 0 ] || echo "gitmem could not run (exit code $code), so {undone} ({name} hook)." >&2
exit 0
"""
_KEEP = "told=$(cat; echo .); told=${told%.}\n"


@dataclass(frozen=True, slots=True)
class Place:
    """Where git looks for the hooks of a repository.

    told:     the file whose ``core.hooksPath`` says so, "" for git's own place
    is_ours:  whether the folder belongs to this repository alone
    """

    folder: Path
    told: str
    is_ours: bool


@dataclass(frozen=True, slots=True)
class Hook:
    """One hook as it is.

    state:   "installed", "older" (of an earlier ID), "edited", "missing", or "other" (somebody else's)
    earlier: where the hook is kept that stood there before and is run first, "" when there was none
    """

    name: str
    path: str
    state: str
    earlier: str


def script(name: str) -> bytes:
    """The text of a hook, at most 20 lines of POSIX sh."""
    what, undone = HOOKS[name]
    with_input = name in WITH_INPUT
    text = _TEMPLATE.format(
        mark=MARK,
        number=HOOK_ID,
        name=name,
        what=what,
        undone=undone,
        beside=BESIDE,
        found=FOUND,
        keep=_KEEP if with_input else "",
        give='printf %s "$told" | ' if with_input else "",
    )
    return text.encode()


def hooks_place(root: str, environ: Mapping[str, str]) -> tuple[GitDir, Place]:
    """The folder of hooks of the repository at ``root``: a working tree or a bare repository.

    raises: NoStore when there is no repository; Refused when git was told to run no hooks
    """
    git = find_git_dir(root)
    if git is None and _is_bare(root):
        git = GitDir(str(Path(root).absolute()), str(Path(root).absolute()))
    if git is None:
        raise NoStore(f"{root} holds no git repository", hint=f"gitmem init {typed(root)}")
    own = Path(git.common, "config")
    files = [*person_files(environ), str(own), str(Path(git.path, "config.worktree"))]
    told, value = "", ""
    for file in files:
        for each in read_config(file).get("core.hookspath", []):
            told, value = file, each
    if not told:
        hooks = Path(git.common, "hooks")
        return git, Place(hooks, "", _is_inside(hooks, Path(git.common)))
    base = git.path if _is_bare(root) else root
    folder = Path(base, Path(value).expanduser()) if value else Path(os.devnull)
    if str(folder) == os.devnull or (folder.exists() and not folder.is_dir()):
        raise Refused(
            f"git runs no hooks here: core.hooksPath in {told} is {value or 'empty'}",
            hint=git_in(root, "config --unset core.hooksPath"),
        )
    inside = any(_is_inside(folder, Path(top)) for top in (base, git.common))
    return git, Place(folder, told, inside and told in (str(own), str(Path(git.path, "config.worktree"))))


def status(root: str, environ: Mapping[str, str]) -> tuple[Place, list[Hook]]:
    """How each hook stands that ``install`` would put in."""
    git, place = hooks_place(root, environ)
    return place, [_look(place.folder, name) for name in _names(root, git)]


def install(root: str, environ: Mapping[str, str], *, shared: bool = False) -> tuple[Place, list[Hook], list[str]]:
    """Put the hooks in, and the merge driver; what stands there is kept (setup/earlier_hooks.py) and run first.

    shared:  also into a folder that other repositories use, or one whose files git tracks
    returns: the place, how the hooks stand now, and the names of those that were written
    raises:  Refused, with nothing written, when the folder is not this repository's own or a name is taken
    """
    git, place = hooks_place(root, environ)
    if not _is_store(root, git):
        raise NoStore(f"{root} is a repository, but not a store yet", hint=f"gitmem init {typed(root)}")
    _check_shared(place, shared, "install")
    hooks = [_look(place.folder, name) for name in _names(root, git)]
    is_tracked = _is_tracked(root, git, place.folder)
    if is_tracked and not shared and any(hook.state in ("missing", "other") for hook in hooks):
        raise Refused(
            f"the hooks of this repository stand in {place.folder} (core.hooksPath in {place.told}), whose files git "
            "tracks: the next commit of all changes would give them to everybody; nothing was changed",
            hint="gitmem hooks install --shared   (they do nothing for who has no gitmem)",
        )
    _check_names(hooks)
    written = []
    with _changing(place.folder):
        place.folder.mkdir(parents=True, exist_ok=True)
        for hook in hooks:
            if hook.state in ("installed", "edited"):
                continue
            if hook.state == "other":
                keep_hook(place.folder, hook.name, hook.path)
            elif hook.earlier.endswith(OLD_END):
                keep_hook(place.folder, hook.name, hook.earlier)
            _write(Path(hook.path), script(hook.name))
            written.append(hook.name)
        link_rest(place.folder, list(HOOKS), hidden=bool(place.told) and not is_tracked)
        put_in_driver(root)
    return place, [_look(place.folder, hook.name) for hook in hooks], written


def remove(root: str, environ: Mapping[str, str], *, shared: bool = False) -> tuple[Place, list[str], list[str]]:
    """Take the hooks and the merge driver out, and put back what stood there.

    returns: the place, the names taken out, and sentences about those that were left
    """
    _, place = hooks_place(root, environ)
    found = [hook for hook in (_look(place.folder, name) for name in HOOKS) if hook.state != "missing" or hook.earlier]
    if any(hook.state in ("installed", "older") for hook in found):
        _check_shared(place, shared, "remove")
    taken: list[str] = []
    left: list[str] = []
    with _changing(place.folder):
        for hook in found:
            if hook.state == "edited":
                left.append(f"{hook.path} was edited since gitmem put it in, and stays: rm {typed(hook.path)}")
            elif hook.state == "other":
                if _came_back(hook):
                    Path(hook.earlier).unlink()
                elif hook.earlier:
                    left.append(f"{hook.path} is not gitmem's any more, and stays with {hook.earlier}")
            else:
                _take_out(hook)
                taken.append(hook.name)
        clear_kept(place.folder)
        if taken and not place.told and not any(place.folder.iterdir()):
            place.folder.rmdir()  # gitmem made it: git's own are full of samples
        left += take_out_driver(root)
    return place, taken, left


def _take_out(hook: Hook) -> None:
    if hook.earlier:
        os.replace(hook.earlier, hook.path)  # noqa: PTH105 - bytes, mode and time as they were, links too
    else:
        Path(hook.path).unlink(missing_ok=True)


def _names(root: str, git: GitDir) -> Sequence[str]:
    """A bare repository is pushed to, one with a working tree is worked in."""
    bare = git.path == git.common and _is_bare(root)
    return [name for name in HOOKS if (name in SERVER) == bare]


def _look(folder: Path, name: str) -> Hook:
    path = folder / name
    earlier = kept_hook(folder, name)
    if not os.path.lexists(path):
        return Hook(name, str(path), "missing", earlier)
    try:
        data = b"" if path.is_symlink() else path.read_bytes()
    except OSError:
        data = b""
    number = _number(data)
    if number is None:
        state = "other"
    elif number != HOOK_ID:
        state = "older"
    else:
        state = "installed" if data == script(name) and os.access(path, os.X_OK) else "edited"
    return Hook(name, str(path), state, earlier)


def _number(data: bytes) -> int | None:
    """The ID of a script of ours, None for anything else."""
    for line in data.splitlines()[:3]:
        if line.startswith(MARK.encode()) and line[len(MARK) :].isdigit():
            return int(line[len(MARK) :])
    return None


def _check_shared(place: Place, shared: bool, word: str) -> None:
    if place.is_ours or shared:
        return
    where = f"core.hooksPath in {place.told}" if place.told else "a link"
    raise Refused(
        f"the hooks of this repository stand in {place.folder} ({where}), which other repositories may use too; "
        "nothing was changed",
        hint=f"gitmem hooks {word} --shared   (the hooks do nothing in a repository that is no store)",
    )


def _came_back(hook: Hook) -> bool:
    """Whether the other program put its hook, which is kept, over gitmem's once more: husky does at each install."""
    if hook.state != "other" or not hook.earlier:
        return False
    files = (Path(hook.path), Path(hook.earlier))
    return all(file.is_file() and not file.is_symlink() for file in files) and (
        files[0].read_bytes() == files[1].read_bytes()
    )


def _check_names(hooks: Sequence[Hook]) -> None:
    """raises: Refused where two earlier hooks would have to be kept under one name"""
    for hook in hooks:
        old = hook.path + OLD_END
        if hook.state == "other" and hook.earlier and not _came_back(hook):
            said, other = f"{hook.path} is another program's", hook.earlier
        elif hook.earlier and hook.earlier != old and os.path.lexists(old):
            said, other = f"{hook.earlier} is run before {hook.path}", old
        else:
            continue
        raise Refused(
            f"{said}, and {other} is there already; nothing was written",
            hint=f"join the two by hand, or: rm {typed(other)}",
        )


def _is_tracked(root: str, git: GitDir, folder: Path) -> bool:
    """Whether git tracks a file in ``folder``, so that a change of it is one of the project."""
    if _is_bare(root) or _is_inside(folder, Path(git.common)) or not _is_inside(folder, Path(root)):
        return False
    inside = folder.resolve().relative_to(Path(root).resolve()).as_posix()
    with open_repo(root) as repo:
        return any(inside == "." or path.startswith(f"{inside}/") for path in staged_paths(repo, {}))


def _write(path: Path, data: bytes) -> None:
    """Temp and rename: git never runs half a script."""
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.gitmem-")
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o777 & ~umask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


@contextmanager
def _changing(folder: Path) -> Iterator[None]:
    """What the system refuses meanwhile, as a sentence."""
    try:
        yield
    except OSError as error:
        raise StoreUnwritable(
            f"{error.filename or folder} cannot be changed: {error.strerror}", hint=f"ls -ld {typed(str(folder))}"
        ) from error


def _is_store(root: str, git: GitDir) -> bool:
    return Path(root, CONFIG_FILE).is_file() or (git.path == git.common and _is_bare(root))


def _is_bare(root: str) -> bool:
    """Whether ``root`` is itself a git folder, as a server's repository is."""
    folder = Path(root)
    return (folder / "HEAD").is_file() and (folder / "objects").is_dir() and (folder / "refs").is_dir()


def _is_inside(folder: Path, top: Path) -> bool:
    return folder.resolve().is_relative_to(top.resolve())
