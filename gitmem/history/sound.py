"""Whether everything that a commit needs is in the repository, and is what its id says."""

from __future__ import annotations

from gitmem.errors import RepositoryDamaged
from gitmem.history.objects import object_id
from gitmem.history.tree import FOLDER, MODULE, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.repo import Repo


class Sound:
    """Looks at commits with all they hold; what several of them share is looked at once."""

    def __init__(self, repo: Repo) -> None:
        self.objects = repo.objects
        self._trouble: dict[str, str] = {}

    def trouble(self, commit: str) -> str:
        """What is wrong with the commit, its folders or its files; "" for nothing.  Its parents are not looked at."""
        wrong = self._wrong(commit, "commit")
        return wrong or self._under(self.objects.read(commit, "commit")[5:45].decode("latin-1"))

    def _under(self, tree: str) -> str:
        """What is wrong with a folder or anything in it."""
        if tree in self._trouble:
            return self._trouble[tree]
        wrong = self._wrong(tree, "tree")
        if not wrong:
            for mode, raw in parse(self.objects.read(tree, "tree")).values():
                kind, name = int(mode, 8), raw.hex()
                if kind != MODULE:
                    wrong = self._under(name) if kind == FOLDER else self._wrong(name, "blob")
                if wrong:
                    break
        self._trouble[tree] = wrong
        return wrong

    def _wrong(self, name: str, kind: str) -> str:
        if kind == "tree" or name not in self._trouble:
            try:
                is_right = object_id(kind, self.objects.read(name, kind)) == name
                self._trouble[name] = "" if is_right else f"object {name} is not what it was"
            except RepositoryDamaged as error:
                self._trouble[name] = error.message
        return self._trouble[name]
