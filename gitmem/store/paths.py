"""The only spelling of a path or a ref name.

Hot: the cheap set only.  Paths are ``str``; inside a store they are posix paths.
"""

from __future__ import annotations

import os

INDEX_FILE = "MEMORY.md"
CONFIG_FILE = ".gitmem/config.yaml"
ATTRIBUTES_FILE = ".gitattributes"
ARCHIVE = "archive"
JOURNAL = "journal"
PROJECTS = "projects"  # memories of one project each, in the user's store
PROJECT_FILE = "project.yaml"  # in a project's folder: what the project is recognised by
PROJECT_STORE = ".gitmem"  # in a project's root: the project's own store
TEAM_STORE = "team"  # in gitmem's own folder, beside the user's store

OWN_REFS = "refs/gitmem/"
CONFLICTS = "refs/gitmem/conflicts/"
MERGING = "refs/gitmem/merging/"  # conflicts of merges that git has not made yet
ROLLBACK = "refs/gitmem/rollback/"
MACHINES = "refs/gitmem/machines/"
REMOTES = "refs/gitmem/remotes/"  # what other machines have, by remote
MACHINE_BRANCHES = "refs/heads/machine/"  # instead of MACHINES where a host refuses other namespaces
GC_PID = "gc.pid.mine"  # where git's gc.pid is prepared, in the state folder

# Never walked at any depth: every folder whose name starts with a dot (.git, .trash); at the top: the archive.
TOP_FOLDERS_LEFT_OUT = (ARCHIVE,)

SHELL_MARKS = " '\"$&()*;<>?`|#!{}[]\\\t\n"  # a word that holds one of them is quoted where a person is to type it


def join(root: str, path: str) -> str:
    """The file-system path of ``path`` (posix, relative) in the store at ``root``."""
    return os.path.join(root, *path.split("/"))


def is_project_record(path: str) -> bool:
    """Whether ``path`` is what a project is recognised by: ``projects/<id>/project.yaml``."""
    parts = path.split("/")
    return len(parts) == 3 and (parts[0], parts[2]) == (PROJECTS, PROJECT_FILE)


def typed(name: str) -> str:
    """A path or a memory's name as a person types it behind a command: one word of the shell's, and no option."""
    return quoted(f"./{name}" if name.startswith("-") else name)


def with_option(option: str, value: str) -> str:
    """``--confirm NAME`` as a person types it, whatever the value begins with."""
    return f"{option}{'=' if value.startswith('-') else ' '}{quoted(value)}"


def quoted(word: str) -> str:
    """``word`` as a shell takes it for one word."""
    if word and word[0] != "~" and not any(mark in word for mark in SHELL_MARKS):
        return word
    return "'" + word.replace("'", "'\\''") + "'"


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


def history_index(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "history.sqlite")


def past_stores(git_dir: str) -> str:
    """The folder of stores as they were, one a commit."""
    return os.path.join(git_dir, "gitmem", "at")


def write_lock(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "write.lock")


def turn_lock(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "turn.lock")


def inflight(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "inflight")


def purging(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "purging")


def purged(git_dir: str) -> str:
    """What was purged on this machine."""
    return os.path.join(git_dir, "gitmem", "purged")


def held_deletions(git_dir: str) -> str:
    """The files whose deletion a sync holds back, each with a NUL behind it."""
    return os.path.join(git_dir, "gitmem", "gone")


def recent_writes(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "recent")


def refused(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "refused")


def events(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "events.jsonl")


def ledger(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "ledger")


def sessions(git_dir: str) -> str:
    """The folder of what each session was shown."""
    return os.path.join(git_dir, "gitmem", "sessions")


def refresh_stamp(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "refreshed")


def frame_secret(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "nonce")


def withheld(git_dir: str) -> str:
    """The memories whose last commit came from an author never seen; not there when there are none."""
    return os.path.join(git_dir, "gitmem", "withheld")


def authors(git_dir: str) -> str:
    """The authors that were seen, and up to which commit."""
    return os.path.join(git_dir, "gitmem", "authors")


def trust_mark(git_dir: str) -> str:
    """The word by which a trusted repository is known again."""
    return os.path.join(git_dir, "gitmem", "trust")


def trusted_stores(home: str) -> str:
    """The stores that the person trusts; ``home`` is gitmem's own folder on this machine."""
    return os.path.join(home, "trusted")


def known_places(home: str) -> str:
    """Which project each folder is, as it was last found."""
    return os.path.join(home, "places")


def machine(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "machine")


def sync_lock(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "sync.lock")


def sync_asked(git_dir: str) -> str:
    """The remotes of the syncs that came while another one was under way, a line each."""
    return os.path.join(git_dir, "gitmem", "sync.asked")


def sync_trouble(git_dir: str) -> str:
    return os.path.join(git_dir, "gitmem", "sync-trouble")


def synced(git_dir: str) -> str:
    """What this machine last saw on each remote."""
    return os.path.join(git_dir, "gitmem", "synced.json")


def transport(git_dir: str) -> str:
    """The folder of the repositories git's own program fetches through: it reads no store's configuration there."""
    return os.path.join(git_dir, "gitmem", "transport")
