"""git's configuration of one repository, changed as git changes it: under ``config.lock``, every other line kept.

What gitmem puts there: remotes with the refspecs that bring gitmem's own refs, the branch's remote, the merge driver.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from gitmem.errors import RepositoryBusy
from gitmem.history.config import parse_config, read_config
from gitmem.history.hold import await_foreign_lock
from gitmem.history.objects import remove
from gitmem.store.gitdir import GitDir, find_git_dir
from gitmem.store.paths import OWN_REFS

SHARED = ("conflicts", "machines", "rejected", "rollback")  # gitmem's refs that travel, by the word behind OWN_REFS
DRIVER = "gitmem"
MERGE_ATTRIBUTE = "*.md merge=gitmem"  # the attribute that makes git use the driver
UNMERGED = 5  # the driver's exit code for "a person has to look"; git takes any up to 128 for that
DRIVER_COMMAND = (  # where gitmem is gone or fails git merges as it always did: else one side would stand without marks
    "if command -v gitmem >/dev/null 2>&1; then gitmem merge-driver %O %A %B %P; "
    "elif python3 -P -c 'import gitmem' >/dev/null 2>&1; then python3 -P -m gitmem merge-driver %O %A %B %P; "
    "else false; fi; code=$?; "
    f"case $code in 0|{UNMERGED}) exit $code;; esac; git merge-file -L ours -L base -L theirs %A %O %B"
)
TRIES = 3

Pairs = Sequence[tuple[str, str]]


def refspecs(name: str) -> list[str]:
    """What ``git fetch`` brings from the remote ``name``: its branches, and gitmem's own refs, those never by force."""
    own = [f"{OWN_REFS}{kind}/*:{OWN_REFS}remotes/{name}/{kind}/*" for kind in SHARED]
    return [f"+refs/heads/*:refs/remotes/{name}/*", *own]


def add_remote(git: GitDir, name: str, url: str) -> None:
    """Make ``name`` a remote, or give the one of that name gitmem's refspecs beside its own."""
    config = read_config(os.path.join(git.common, "config"))
    there = config.get(f"remote.{name}.fetch", [])
    missing = [("fetch", spec) for spec in refspecs(name) if spec not in there]
    pairs = missing if config.get(f"remote.{name}.url") else [("url", url), *missing]
    edit_config(git, lambda text: with_section(text, "remote", name, pairs))


def remove_remote(git: GitDir, name: str) -> None:
    """Take the remote out, and what the branches say about it."""

    def without(text: str) -> str:
        config = parse_config(text)
        branches = [key[7:-7] for key, said in config.items() if key.endswith(".remote") and said[-1] == name]
        for branch in branches:
            text = without_keys(text, "branch", branch, ("remote", "merge"))
        return without_section(text, "remote", name)

    edit_config(git, without)


def set_upstream(git: GitDir, branch: str, remote: str, ref: str) -> None:
    """Say which branch of which remote ``branch`` goes with, as ``git push -u`` does."""
    pairs = [("remote", remote), ("merge", ref)]
    edit_config(
        git,
        lambda text: with_section(without_keys(text, "branch", branch, ("remote", "merge")), "branch", branch, pairs),
    )


def configure_merge_driver(root: str, command: str = DRIVER_COMMAND) -> bool:
    """Make plain ``git merge`` in the store at ``root`` merge memories as ``sync`` does; whether anything changed.

    An attributes file has to hold MERGE_ATTRIBUTE as well.
    """
    git = find_git_dir(root)
    if git is None:
        return False
    wanted = [("name", "gitmem: memories by field, section and paragraph"), ("driver", command)]
    config = read_config(os.path.join(git.common, "config"))
    if all(config.get(f"merge.{DRIVER}.{key}") == [value] for key, value in wanted):
        return False
    edit_config(
        git, lambda text: with_section(without_keys(text, "merge", DRIVER, ("name", "driver")), "merge", DRIVER, wanted)
    )
    return True


# -- the text of the file


def with_section(text: str, section: str, sub: str, pairs: Pairs) -> str:
    """``text`` with ``pairs`` at the end of a section, which is made when it is not there.

    Here and below a text that ends without a line end still does so afterwards.
    """
    if not pairs:
        return text
    new = [f"\t{key} = {_quoted(value)}\n" for key, value in pairs]
    lines = text.splitlines(keepends=True)
    span = _last_span(lines, section, sub)
    if span is None:
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        return _ended(text, [*lines, _head(section, sub), *new])
    end = span[1]
    while end > span[0] + 1 and not lines[end - 1].strip():
        end -= 1
    if not lines[end - 1].endswith("\n"):
        lines[end - 1] += "\n"
    return _ended(text, [*lines[:end], *new, *lines[end:]])


def without_section(text: str, section: str, sub: str) -> str:
    """``text`` without any section of that name."""
    lines = text.splitlines(keepends=True)
    while (span := _last_span(lines, section, sub)) is not None:
        del lines[span[0] : span[1]]
    return _ended(text, lines)


def without_keys(text: str, section: str, sub: str, keys: Sequence[str]) -> str:
    """``text`` without these keys of a section; the section goes when nothing is left in it."""
    lines = text.splitlines(keepends=True)
    for start, end in reversed(_spans(lines, section, sub)):
        kept = [line for line in lines[start + 1 : end] if line.partition("=")[0].strip().lower() not in keys]
        lines[start:end] = [lines[start], *kept] if any(line.strip() for line in kept) else []
    return _ended(text, lines)


def _ended(before: str, lines: Sequence[str]) -> str:
    text = "".join(lines)
    return text if before.endswith("\n") or not before else text.removesuffix("\n")


def _spans(lines: Sequence[str], section: str, sub: str) -> list[tuple[int, int]]:
    """First line, and the one behind the last, of each section of that name."""
    wanted = f"{section}.{sub}.x"
    heads = [at for at, line in enumerate(lines) if line.lstrip().startswith("[")]
    ends = [*heads[1:], len(lines)]
    return [
        (at, end) for at, end in zip(heads, ends, strict=False) if wanted in parse_config(lines[at].strip() + "\nx = 1")
    ]


def _last_span(lines: Sequence[str], section: str, sub: str) -> tuple[int, int] | None:
    spans = _spans(lines, section, sub)
    return spans[-1] if spans else None


def _head(section: str, sub: str) -> str:
    escaped = sub.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{section} "{escaped}"]\n'


def _quoted(value: str) -> str:
    """A value as git reads it back."""
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    needs = escaped != value or value != value.strip() or any(mark in value for mark in "#;")
    return f'"{escaped}"' if needs else value


def edit_config(git: GitDir, edit: Callable[[str], str]) -> None:
    """Change the repository's configuration file; nothing is written when ``edit`` changes nothing.

    raises: RepositoryBusy when another program holds ``config.lock``; OSError
    """
    path = os.path.join(git.common, "config")
    lock = path + ".lock"
    for attempt in range(TRIES):
        await_foreign_lock(lock)
        try:
            fd = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o666)
            break
        except FileExistsError:
            if attempt + 1 == TRIES:
                raise RepositoryBusy(f"another program holds {lock}; nothing was changed", hint="try again") from None
            time.sleep(0.05)
    try:
        with open(fd, "wb") as out:
            try:
                with open(path, "rb") as file:
                    before = file.read()
                if hasattr(os, "fchmod"):
                    os.fchmod(out.fileno(), os.stat(path).st_mode & 0o777)
            except FileNotFoundError:
                before = b""
            after = edit(before.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")
            out.write(after)
            out.flush()
            os.fsync(out.fileno())
        if after != before:
            os.replace(lock, path)
    finally:
        remove(lock)
