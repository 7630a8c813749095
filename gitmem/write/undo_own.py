"""Which operations are this person's own, made on this machine: those that a bare ``undo`` takes back."""

from __future__ import annotations

import os

from gitmem.history.identity import MODEL_EMAIL, gitmem_identity, people
from gitmem.memory.clean import one_line
from gitmem.store.trust import JOINS, MAX_LINES_BYTES, log_end
from gitmem.write.undo_obstacle import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.history.commit import Commit
    from gitmem.history.repo import Repo
    from gitmem.write.operations import Step

MAX_NAME_CHARS = 80
MADE_HERE = ("commit", "gitmem: ", "cherry-pick")  # how a reflog says that a commit was made on this machine
PICKED = "(pick)"  # and that a rebase made it anew
NO_ID = "0" * 40


class Own:
    """Tells the own operations of one store from those that came from elsewhere.

    By HEAD's log, which has every commit that was made here.  Where the log was cut short, or is not kept, by who
    committed.
    """

    __slots__ = ("_emails", "_made", "_since")

    def __init__(self, repo: Repo, environ: Mapping[str, str]) -> None:
        self._emails = {each.email.lower() for each in people(repo.git, environ)}
        self._made: set[str] = set()
        lines = log_end(os.path.join(repo.git.path, "logs", "HEAD"), MAX_LINES_BYTES)
        for line in lines:
            said = line.partition("\t")[2]
            is_made = said.startswith(MADE_HERE) and not said.startswith(JOINS)
            if is_made or PICKED in said.partition(":")[0]:
                self._made.add(line[41:81])
        whole = bool(lines) and lines[0].startswith(NO_ID)
        purge = next((line for line in reversed(lines) if line.partition("\t")[2].startswith(JOINS[1])), "")
        first = purge or (lines[0] if lines and not whole else "")  # a purge makes every commit before it anew
        self._since = _time(first) if first else 0 if whole else None

    def is_own(self, commit: Commit) -> bool:
        if commit.id in self._made:
            return True
        if self._since is not None and commit.when >= self._since:
            return False
        return commit.committer.email.lower() in self._emails

    def told(self, steps: Sequence[Step]) -> str:
        """Whose the first of ``steps``, newest first, is, and that it is the newest there is."""
        step = steps[0]
        more = f" (and {len(steps) - 1} more before it)" if steps[1:] else ""
        if step.is_persons and self.is_own(step.commit):
            return f"the last change, {named(step)}, is your own edit{more}"
        name = whose(step.commit).removesuffix(" ")
        is_other = name and step.commit.author.email.lower() not in self._emails
        kind, where = "change" if step.is_persons else "operation", f"is {name}" if is_other else "came by sync"
        return f"the last {kind}, {named(step)}, {where}{more}"


def whose(commit: Commit) -> str:
    """``Bo's`` and a blank; "" for a program's and gitmem's own, which say nothing of the person behind it."""
    if commit.author.email in (MODEL_EMAIL, gitmem_identity().email):
        return ""
    name = one_line(commit.author.name, MAX_NAME_CHARS)
    return f"{name}'s " if name else ""


def _time(line: str) -> int | None:
    """The seconds of a line of a reflog; None where it says none."""
    words = line.partition("\t")[0].rpartition("> ")[2].split()
    return int(words[0]) if words and words[0].isdigit() else None
