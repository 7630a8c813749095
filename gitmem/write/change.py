"""A change to a store as it is asked for: what, why, by whom, and how the files come out."""

from __future__ import annotations

import os

from gitmem.history.commit import FileChange
from gitmem.memory.name import twin_key
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

        Case-blind file systems would make one file of the two (F20, F21).
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


class Change:
    """One operation, which becomes one commit.

    operation: its name: remember, edit, archive ...
    memory:    what people call the memory; stands in the subject of the commit
    reason:    why, in the person's or model's words; "" for none
    make:      gives the files; called again when the store moved meanwhile, so it must only read through its reader
    """

    __slots__ = ("actor", "make", "memory", "operation", "reason")

    def __init__(
        self,
        operation: str,
        memory: str,
        reason: str,
        actor: Actor,
        make: Callable[[Reader], Sequence[FileChange]],
    ) -> None:
        self.operation, self.memory, self.reason, self.actor, self.make = operation, memory, reason, actor, make
