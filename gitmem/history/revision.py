"""What a person types for a state of the store, as a commit id."""

from __future__ import annotations

import datetime
import os
import re

from gitmem.errors import NotFound, RepositoryDamaged
from gitmem.history.commit import Commit
from gitmem.history.log import shallow
from gitmem.history.refs import find_ref
from gitmem.history.repo import Repo

SUFFIX = re.compile(r"(~\d*|\^\d*)$")
HEX = re.compile(r"[0-9a-f]{4,40}")
DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?(\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?)?")
DAY_S = 86_400


def resolve(repo: Repo, text: str) -> str:
    """The commit ``text`` means.

    text:   HEAD, HEAD~3, HEAD^2, a branch or tag, a full or shortened id, or a date: ``2026-11-01`` (the end of that
            day, UTC) or ``2026-11-01T10:00+08:00``, meaning the newest commit that was there by then
    raises: NotFound, saying what to type
    """
    text = text.strip()
    steps: list[str] = []
    base = text
    while found := SUFFIX.search(base):
        steps.insert(0, found[1])
        base = base[: found.start()]
    commit = _base(repo, base, text)
    for step in steps:
        commit = _step(repo, commit, step, text)
    return commit


def _base(repo: Repo, base: str, text: str) -> str:
    if base in ("@", "HEAD"):
        name = repo.head()[1]
        if not name:
            raise NotFound("there is no commit yet", hint='gitmem remember "..."')
        return name
    if DATE.fullmatch(base):
        return _by_date(repo, base)
    name = find_ref(repo.git, base)
    if not name and HEX.fullmatch(base.lower()):
        name = _by_id(repo, base.lower())
    if not name:
        raise NotFound(f'"{text}" is no commit, branch or date of this store', hint="git log --oneline")
    return _peeled(repo, name, text)


def _peeled(repo: Repo, name: str, text: str) -> str:
    """The commit behind an annotated tag."""
    for _ in range(10):
        try:
            kind, data = repo.objects.read_any(name)
        except RepositoryDamaged:
            raise NotFound(f'there is no commit "{text}" in this store', hint="git log --oneline") from None
        if kind == "commit":
            return name
        if kind != "tag":
            break
        name = data[7:47].decode("latin-1")
    raise NotFound(f'"{text}" is not a commit, it is the id of a file or folder', hint="git log --oneline")


def _step(repo: Repo, commit: str, step: str, text: str) -> str:
    count = int(step[1:] or 1)
    if step[0] == "^":
        parents = _parents(repo, commit)
        if count == 0:
            return commit
        if count > len(parents):
            said = "no parent" if not parents else "one parent" if len(parents) == 1 else f"{len(parents)} parents"
            raise NotFound(f'"{text}": {commit[:10]} has {said}', hint="git log --oneline --graph")
        return parents[count - 1]
    for _ in range(count):
        parents = _parents(repo, commit)
        if not parents:
            raise NotFound(f'"{text}" lies before the first commit', hint="git log --oneline")
        commit = parents[0]
    return commit


def _parents(repo: Repo, commit: str) -> tuple[str, ...]:
    return () if commit in shallow(repo) else repo.commit(commit).parents


def _by_id(repo: Repo, digits: str) -> str:
    if len(digits) == 40:
        return digits
    names = set(_loose(repo, digits)) | set(repo.objects.packed_ids(digits))
    if len(names) > 1:
        commits = [name for name in names if repo.objects.read_any(name)[0] in ("commit", "tag")]
        names = set(commits) or names
    if len(names) > 1:
        raise NotFound(f'"{digits}" is short for several: {", ".join(sorted(name[:12] for name in names))}')
    return names.pop() if names else ""


def _loose(repo: Repo, digits: str) -> list[str]:
    try:
        names = os.listdir(os.path.join(repo.objects.folder, digits[:2]))
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [digits[:2] + name for name in names if len(name) == 38 and name.startswith(digits[2:])]


def _by_date(repo: Repo, text: str) -> str:
    try:
        moment = datetime.datetime.fromisoformat(text.replace(" ", "T", 1).replace(" ", ""))
    except ValueError:
        raise NotFound(f'"{text}" is no date', hint="type it as 2026-11-01 or 2026-11-01T10:00Z") from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    last = int(moment.timestamp()) + (DAY_S - 1 if DAY.fullmatch(text) else 0)
    name, commit = repo.head()[1], None
    while name:
        commit = repo.commit(name)
        if commit.when <= last:
            return name
        parents = _parents(repo, name)
        name = parents[0] if parents else ""
    raise NotFound(f"the store had nothing by {text}" + _began(commit), hint="git log --oneline")


def _began(commit: Commit | None) -> str:
    if commit is None:
        return ""
    first = datetime.datetime.fromtimestamp(commit.when, datetime.UTC)
    return f"; its first commit is of {first:%Y-%m-%d}"
