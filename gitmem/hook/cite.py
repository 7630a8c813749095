"""Which of the memories a session was given its model cites: ``deploy.md:40-52`` in what it said.

Only what was injected in that session counts, so nothing else that looks like a citation does.
"""

from __future__ import annotations

from gitmem.ledger.access import append, injected
from gitmem.prompt.frame import shown_path
from gitmem.store.gitdir import find_git_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.hook.event import Event

DIGITS = tuple("0123456789")
PART_OF_A_PATH = "-_./"  # beside letters and digits: before them a longer path is meant


def note_cited(root: str, event: Event, when: int) -> None:
    """Tell the ledger what the model cited in its last message; raises OSError when it cannot be written."""
    git = find_git_dir(root) if event.said and event.session else None
    if git is None:
        return
    seen = injected(git.common, event.session)
    append(git.common, "cited", event.session, [(path, seen[path]) for path in cited(event.said, seen)], when)


def cited(text: str, paths: Iterable[str]) -> list[str]:
    """Those of ``paths`` that ``text`` cites with a line, in the order of their names; each once."""
    found = []
    for path in sorted(paths, key=len, reverse=True):  # the longer one first: its end may be another's whole path
        parts = text.split(shown_path(path) + ":")
        if any(_ends_path(parts[at]) and parts[at + 1][:1] in DIGITS for at in range(len(parts) - 1)):
            found.append(path)
        text = " ".join(parts)
    return sorted(found)


def _ends_path(before: str) -> bool:
    """Whether a path can begin after ``before``; words of scripts without blanks may stand right before it."""
    last = before[-1:]
    return not last or (last not in PART_OF_A_PATH and not (last.isascii() and last.isalnum()))
