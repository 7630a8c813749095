"""Heartbeats: what each machine last said of itself, a small commit on a ref of its own.

Its parents are the machine's heartbeat before it and the branch as the machine had it: so the ref only ever moves
forward, and what the machine wrote is on the remote even when the branch itself could not be pushed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from gitmem.dataclass import asdict, dataclass
from gitmem.errors import GitmemError
from gitmem.history.commit import Identity, commit_bytes
from gitmem.history.identity import gitmem_identity
from gitmem.history.message import message, one_line
from gitmem.history.ownrefs import own_refs
from gitmem.history.repo import Repo
from gitmem.history.tree import FILE, splice, tree_get
from gitmem.store.paths import MACHINES, REMOTES

FILE_NAME = "heartbeat.json"
MAX_BYTES = 16 * 1024
MAX_CHARS = 200  # of a word another machine wrote
WORDS, NUMBERS = ("id", "name", "version", "branch", "head", "trouble"), ("when", "ahead", "behind", "conflicts")


@dataclass(frozen=True, slots=True)
class Beat:
    """One machine as it last said.

    when:          UTC unix seconds of the sync
    head:          the commit its branch had
    ahead, behind: commits it had beyond the remote's branch after that sync, and lacked
    conflicts:     open ones
    trouble:       what went wrong, "" for nothing
    """

    id: str
    name: str
    version: str
    when: int
    branch: str
    head: str
    ahead: int = 0
    behind: int = 0
    conflicts: int = 0
    trouble: str = ""


def machine_name(config: Mapping[str, list[str]]) -> str:
    """What people call this machine: ``gitmem.machine`` in git's configuration, else the host's name."""
    named = config.get("gitmem.machine", [""])[-1].strip()
    if named:
        return named
    if hasattr(os, "uname"):
        host = os.uname().nodename
    else:
        import socket  # Windows alone has no uname

        host = socket.gethostname()
    return host.partition(".")[0] or "unnamed"


def add_beat(repo: Repo, beat: Beat, before: str) -> str:
    """The id of the heartbeat's commit, added to the repository's objects.

    before: the machine's last one, "" for none
    """
    me: Identity = gitmem_identity()
    data = (json.dumps(asdict(beat), ensure_ascii=False, indent=1) + "\n").encode()
    tree, _ = splice(repo.objects, "", {FILE_NAME: (FILE, repo.objects.add("blob", data))})
    text = message("heartbeat", one_line(beat.name, MAX_CHARS), "", {"Op": "heartbeat", "Actor": "gitmem"})
    parents = list(dict.fromkeys(name for name in (before, beat.head) if name))
    return repo.objects.add("commit", commit_bytes(tree, parents, me, me, beat.when, text))


def read_beat(repo: Repo, commit: str) -> Beat | None:
    """The heartbeat in a commit; None when it holds none."""
    try:
        found = tree_get(repo.objects, repo.commit(commit).tree, FILE_NAME)
        data = repo.objects.read(found[1], "blob") if found else b""
        said = json.loads(data[:MAX_BYTES])
    except (GitmemError, ValueError):
        return None
    if not isinstance(said, dict):
        return None
    words = {key: one_line(each, MAX_CHARS) if isinstance(each := said.get(key), str) else "" for key in WORDS}
    numbers = {key: each if isinstance(each := said.get(key), int) else 0 for key in NUMBERS}
    if not words["id"] or not numbers["when"]:
        return None
    return Beat(
        words["id"], words["name"], words["version"], numbers["when"], words["branch"], words["head"],
        numbers["ahead"], numbers["behind"], numbers["conflicts"], words["trouble"],
    )  # fmt: skip


def beats(repo: Repo) -> list[Beat]:
    """The newest heartbeat of every machine this one knows of, its own included, by name."""
    return sorted((beat for beat, _ in _newest(repo).values()), key=lambda each: (each.name, each.id))


def past_beats(repo: Repo) -> dict[str, Iterator[Beat]]:
    """The heartbeats of every machine this one knows of, by its id, the newest first; each is read when it is asked."""
    return {name: _behind(repo, beat, commit) for name, (beat, commit) in _newest(repo).items()}


def _newest(repo: Repo) -> dict[str, tuple[Beat, str]]:
    """The newest heartbeat of every machine, and its commit."""
    refs = own_refs(repo.git, MACHINES) | {
        ref: name for ref, name in own_refs(repo.git, REMOTES).items() if "/machines/" in ref
    }
    newest: dict[str, tuple[Beat, str]] = {}
    for ref, commit in refs.items():
        beat = read_beat(repo, commit)
        if beat is not None and beat.id == ref.rpartition("/")[2]:
            last = newest.get(beat.id)
            newest[beat.id] = (beat, commit) if last is None or beat.when >= last[0].when else last
    return newest


def _behind(repo: Repo, newest: Beat, commit: str) -> Iterator[Beat]:
    """``newest`` and those before it: the first parent of a heartbeat is the one before, where there was one."""
    beat: Beat | None = newest
    while beat is not None and beat.id == newest.id:
        yield beat
        parents = repo.commit(commit).parents
        commit = parents[0] if parents else ""
        beat = read_beat(repo, commit) if commit else None
