"""A change to a store as it is asked for: what, why, by whom, and how the files come out."""

from __future__ import annotations

import os

from gitmem.errors import Refused, RepositoryDamaged
from gitmem.history.commit import FileChange
from gitmem.history.tree import MODULE, tree_get
from gitmem.memory.name import twin_key
from gitmem.memory.secret import secret_spans
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gitmem.history.view import View

ACTORS = ("person", "model", "run", "import")


class Actor:
    """Who asks; rights follow from ``kind``.

    kind:    person, model, run or import
    agent:   the program that speaks for a model, such as claude-code; "" when unknown
    session: that program's session id, "" when there is none
    """

    __slots__ = ("agent", "kind", "session")

    def __init__(self, kind: str, agent: str = "", session: str = "") -> None:
        if kind not in ACTORS:
            raise ValueError(f"kind must be one of {', '.join(ACTORS)}, got {kind}")
        self.kind, self.agent, self.session = kind, agent, session


class Reader:
    """The store as a change finds it, under the writer lock.

    What is read is checked again when the change is published: if a person saved the file meanwhile, the change is
    made anew from what they saved.
    """

    __slots__ = ("_view", "root")

    def __init__(self, view: View) -> None:
        self._view, self.root = view, view.repo.root

    def read(self, path: str) -> bytes | None:
        """The bytes of a file now, None when there is none; raises BadName for a link or a folder."""
        return self._view.read(path)

    def exists_twin(self, path: str) -> str:
        """A file or folder that differs from ``path`` only in case or Unicode form; "" when there is none.

        Case-blind file systems would make one file of the two.
        """
        parts = path.split("/")
        for depth, part in enumerate(parts):
            folder = "/".join(parts[:depth])
            key = twin_key(part)
            try:
                names = os.listdir(join(self.root, folder) if folder else self.root)
            except (FileNotFoundError, NotADirectoryError):
                return ""
            if part in names:
                continue
            lowered = [name.lower() for name in names]
            for at, name in enumerate(names) if key in lowered or not "".join(names).isascii() else ():
                if (lowered[at] if name.isascii() else twin_key(name)) == key:
                    return f"{folder}/{name}" if folder else name
        return ""

    def repository_above(self, path: str) -> tuple[str, str]:
        """The folder on the way to ``path`` that is a repository of its own, and "repository" or "submodule"."""
        parts = path.split("/")[:-1]
        for depth in range(1, len(parts) + 1):
            folder = "/".join(parts[:depth])
            full = join(self.root, folder)
            found = tree_get(self._view.repo.objects, self._view.tree, folder) if self._view.tree else None
            if found is not None and found[0] == MODULE:
                return folder, "submodule"
            if os.path.lexists(os.path.join(full, ".git")) and (kind := _kind(full)):
                return folder, kind
        return "", ""

    def is_staged_for_removal(self, path: str) -> bool:
        """Whether git was told to forget ``path`` while its file stays (``git rm --cached``)."""
        view = self._view
        return view.read(path) is not None and view.staged(path) is None and view.committed(path) is not None


class NoFiles(Reader):
    """A store that is not there yet: what is refused of it is refused of every new one."""

    __slots__ = ()

    def __init__(self) -> None:
        self.root = ""

    def read(self, path: str) -> bytes | None:  # noqa: ARG002 - as Reader
        return None

    def exists_twin(self, path: str) -> str:  # noqa: ARG002
        return ""

    def repository_above(self, path: str) -> tuple[str, str]:  # noqa: ARG002
        return "", ""

    def is_staged_for_removal(self, path: str) -> bool:  # noqa: ARG002
        return False


def _kind(full: str) -> str:
    """What the folder at ``full``, which holds a ``.git``, is; "" when git would not see a repository either."""
    try:
        git = find_git_dir(full)
    except RepositoryDamaged:
        return "repository"
    if git is None:
        return ""
    return "submodule" if f"{os.sep}modules{os.sep}" in git.path else "repository"


class Change:
    """One operation, which becomes one commit.

    operation: its name: remember, edit, archive ...
    memory:    what people call the memory; stands in the subject of the commit
    reason:    why, in the person's or model's words; "" for none
    notes:     sentences for the person that the last ``make`` left here
    raises:    Refused for a secret among the words that would stand in the commit
    make:      gives the files; called again when the store moved meanwhile, so it must only read through its reader
    """

    __slots__ = ("actor", "make", "memory", "notes", "operation", "reason")

    def __init__(
        self,
        operation: str,
        memory: str,
        reason: str,
        actor: Actor,
        make: Callable[[Reader], Sequence[FileChange]],
    ) -> None:
        self.operation, self.memory, self.reason, self.actor, self.make = operation, memory, reason, actor, make
        self.notes: list[str] = []
        words = {"reason": reason, "agent's name": actor.agent, "session's name": actor.session}
        for what, text in words.items():
            for _, _, kind in secret_spans(text)[:1]:
                raise Refused(
                    f"the {what} looks like a secret ({kind}); git would keep it for ever",
                    hint="say where the secret is kept instead of what it is",
                )
