"""The commit a history began with: what a repository is known by wherever it stands."""

from __future__ import annotations

from gitmem.errors import GitmemError
from gitmem.history.log import shallow
from gitmem.history.repo import Repo


def root_commit(repo: Repo) -> str:
    """The id of the first commit, along first parents from HEAD; "" when there is none or it cannot be known.

    A shallow clone does not hold it.  One commit at a time: 100,000 commits take seconds, so the answer is kept.
    """
    try:
        name, borders = repo.head()[1], shallow(repo)
        while name:
            if name in borders:
                return ""
            parents = repo.commit(name).parents
            if not parents:
                return name
            name = parents[0]
    except GitmemError:
        return ""
    return ""


def holds_commit(repo: Repo, name: str) -> bool:
    """Whether the repository holds the commit ``name``."""
    try:
        repo.commit(name)
    except GitmemError:
        return False
    return True
