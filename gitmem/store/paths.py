"""The only spelling of a path or a ref name.

Hot: the cheap set only.  Paths are ``str``; inside a store they are posix paths.
"""

from __future__ import annotations

import os

INDEX_FILE = "MEMORY.md"
CONFIG_FILE = ".gitmem/config.yaml"
ATTRIBUTES_FILE = ".gitattributes"
ARCHIVE = "archive"

# Never walked at any depth: every folder whose name starts with a dot (.git, .trash); at the top: the archive.
TOP_FOLDERS_LEFT_OUT = (ARCHIVE,)

SHELL_MARKS = " '\"$&()*;<>?`|#!{}[]\\\t\n"  # a word that holds one of them is quoted where a person is to type it


def join(root: str, path: str) -> str:
    """The file-system path of ``path`` (posix, relative) in the store at ``root``."""
    return os.path.join(root, *path.split("/"))


def typed(path: str) -> str:
    """``path`` as a shell takes it for one word."""
    if path and not any(mark in path for mark in SHELL_MARKS):
        return path
    return "'" + path.replace("'", "'\\''") + "'"


def git_in(root: str, words: str) -> str:
    """The git command ``words`` for the repository at ``root``, whatever folder it is typed in.

    root: the working tree, or the git folder
    """
    return f"git -C {typed(root)} {words}"


def state(git_dir: str) -> str:
    """This machine's derived state; never committed."""
    return os.path.join(git_dir, "gitmem")


def search_index(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "index.sqlite")


def write_lock(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "write.lock")


def turn_lock(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "turn.lock")


def inflight(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "inflight")


def recent_writes(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "recent")


def refused(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "refused")


def events(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "events.jsonl")


def refresh_stamp(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "refreshed")


def frame_secret(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "nonce")
