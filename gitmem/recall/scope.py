"""Which memories of a store a question may be given: not those of another project, not those that wait for trust.

Asked only of a store that has such; the others are spared this module.
Hot: standard library only.
"""

from __future__ import annotations

from gitmem.store.paths import PROJECTS
from gitmem.store.scope import is_recorded
from gitmem.store.trust import withheld_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.index.read import Index
    from gitmem.store.gitdir import GitDir

ELSEWHERE = "another project's"
UNSEEN = "withheld: by an author never seen here"
STEP = 500  # passages whose memories are looked up at a time


class Scope:
    """What one question may be given.

    projects: ids whose memories count; None: those of every project
    withheld: path -> address, of the memories that wait
    """

    __slots__ = ("_recorded", "projects", "root", "withheld")

    def __init__(self, root: str, projects: Sequence[str] | None, withheld: dict[str, str]) -> None:
        self.root, self.projects, self.withheld = root, projects, withheld
        self._recorded: dict[str, bool] = {}

    def why_not(self, path: str) -> str:
        """ "" or why a prompt does not get the memory at ``path``."""
        if path in self.withheld:
            return UNSEEN
        return ELSEWHERE if self.is_elsewhere(path) else ""

    def is_elsewhere(self, path: str) -> bool:
        """Whether ``path`` is of a project that does not count; a person's own folder in ``projects/`` is of none."""
        id = project_of(path)
        if not id or self.projects is None or id in self.projects:
            return False
        if id not in self._recorded:
            self._recorded[id] = is_recorded(self.root, id)
        return self._recorded[id]

    def first(self, index: Index, passages: list[int], limit: int) -> list[int]:
        """The first ``limit`` of ``passages`` whose memories count."""
        kept: list[int] = []
        for at in range(0, len(passages), STEP):
            part = passages[at : at + STEP]
            paths = index.paths_of(part)
            kept += [each for each in part if each in paths and not self.why_not(paths[each])]
            if len(kept) >= limit:
                break
        return kept[:limit]


def scope_of(root: str, git: GitDir, projects: Sequence[str] | None) -> Scope:
    """The limits of the store at ``root`` for a question that is asked in ``projects``."""
    return Scope(root, projects, withheld_paths(git.path))


def project_of(path: str) -> str:
    """The project whose folder ``path`` lies in, "" for none; the folder may be a person's own."""
    parts = path.split("/", 2)
    return parts[1] if len(parts) == 3 and parts[0] == PROJECTS else ""
