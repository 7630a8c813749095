"""A change to a store as it is asked for: what, why, by whom, and how the files come out."""

from __future__ import annotations

import os

from gitmem.errors import Refused, RepositoryDamaged
from gitmem.history.commit import FileChange
from gitmem.history.convert import stored
from gitmem.history.tree import MODULE, tree_get
from gitmem.memory.name import twin_key
from gitmem.memory.secret import secret_spans
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from gitmem.history.commit import Identity
    from gitmem.history.ownrefs import RefMove
    from gitmem.history.repo import Repo
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

    __slots__ = ("_folded", "_names", "_renamed", "_sets", "_view", "root")

    def __init__(self, view: View) -> None:
        self._view, self.root = view, view.repo.root
        self._names: dict[str, list[str]] = {}  # a folder's names: a change of thousands of files reads it once
        self._sets: dict[str, frozenset[str]] = {}  # the same, to look one up
        self._folded: dict[str, str] = {}  # the same as one text in small letters
        self._renamed: dict[str, str] | None = None

    @property
    def repo(self) -> Repo:
        """The store's history, to be read."""
        return self._view.repo

    @property
    def person(self) -> Identity:
        """The person as committer."""
        return self._view.people()[1]

    def read(self, path: str) -> bytes | None:
        """The bytes of a file now, None when there is none; raises BadName for a link or a folder."""
        return self._view.read(path)

    def committed(self, path: str) -> bytes | None:
        """The bytes of a file in the last commit, None when it has none."""
        found = self._view.committed(path)
        return self._view.repo.objects.read(found[1], "blob") if found else None

    def kept(self, path: str) -> bytes | None:
        """What git keeps of a file as it is now: where it takes the CR out of line ends, without them."""
        data = self.read(path)
        return stored(self._view, path, data) if data is not None else None

    def as_file(self, path: str, data: bytes) -> bytes:
        """``data`` as git keeps it, with the line ends of the file at ``path`` where git converts those."""
        there = self.read(path)
        if there is None or stored(self._view, path, there) == there:
            return data
        return data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")

    def exists_twin(self, path: str) -> str:
        """A file or folder that differs from ``path`` only in case or Unicode form; "" when there is none.

        Case-blind file systems would make one file of the two.
        """
        parts = path.split("/")
        for depth, part in enumerate(parts):
            folder = "/".join(parts[:depth])
            key = twin_key(part)
            try:
                names = self.names(folder)
            except (FileNotFoundError, NotADirectoryError):
                return ""
            if part in self._sets[folder]:
                continue
            folded = self._folded.get(folder)
            if folded is None:
                folded = self._folded[folder] = f"/{'/'.join(names)}/".lower()
            if folded.isascii() and f"/{key}/" not in folded:
                continue
            for name in names:
                if twin_key(name) == key:
                    return f"{folder}/{name}" if folder else name
        return ""

    def has_one_name(self, path: str) -> bool:
        """Whether the file at ``path`` is known by this name alone: no hard link, and spelled as its folder has it."""
        folder, _, name = path.rpartition("/")
        try:
            return os.lstat(join(self.root, path)).st_nlink == 1 and name in self.names(folder)
        except OSError:
            return False

    def names(self, folder: str) -> list[str]:
        """What stands in a folder, "" for the store's own, as it was when this change began to look; raises OSError."""
        if folder not in self._names:
            self._names[folder] = os.listdir(join(self.root, folder) if folder else self.root)
            self._sets[folder] = frozenset(self._names[folder])
        return self._names[folder]

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

    def renamed(self) -> dict[str, str]:
        """Old path -> new path of what the person renamed in the folder since the last commit."""
        if self._renamed is None:
            from gitmem.write.renamed import renamed_on_disk  # few changes are about a memory that is not where it was

            self._renamed = renamed_on_disk(self._view)
        return self._renamed

    def is_staged_for_removal(self, path: str) -> bool:
        """Whether git was told to forget ``path`` while its file stays (``git rm --cached``)."""
        view = self._view
        return view.read(path) is not None and view.staged(path) is None and view.committed(path) is not None


class AsRead(Reader):
    """The store as now, but for one memory, which is as the writer read it."""

    __slots__ = ("_data", "_path")

    def __init__(self, view: View, path: str, data: bytes) -> None:
        super().__init__(view)
        self._path, self._data = path, data

    def read(self, path: str) -> bytes | None:
        return self._data if path == self._path else super().read(path)


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
    make:      gives the files; called again when the store moved meanwhile, so it must only read through its reader
    read:      (path, revision) the writer read; when the memory is another one by now, nothing is written
    merge:     write all the same when the change does not touch what moved
    merged:    commits that become further parents
    refs:      moves of gitmem's own refs that belong to it
    trailers:  further ones, such as ``Undoes``
    point:     what a rollback point made before it says, "" for none; a protection point when ``protects``
    always:    it becomes a commit even when no file changes
    leaves:    files it leaves as they are, and whose uncommitted edit is committed first all the same
    restores:  files that get back what the repository's own history holds: no rule on new texts and names applies
    notes:     sentences for the person that the last ``make`` left here
    raises:    Refused for a secret among the words that would stand in the commit
    """

    __slots__ = (
        "actor", "always", "leaves", "make", "memory", "merge", "merged", "notes", "operation", "point", "protects",
        "read", "reason", "refs", "restores", "trailers",
    )  # fmt: skip

    def __init__(
        self,
        operation: str,
        memory: str,
        reason: str,
        actor: Actor,
        make: Callable[[Reader], Sequence[FileChange]],
        *,
        read: tuple[str, str] | None = None,
        merge: bool = False,
    ) -> None:
        self.operation, self.memory, self.reason, self.actor, self.make = operation, memory, reason, actor, make
        self.read, self.merge = read, merge
        self.merged: Sequence[str] = ()
        self.refs: Sequence[RefMove] = ()
        self.trailers: Mapping[str, str] = {}
        self.point, self.protects, self.always = "", False, False
        self.leaves: Sequence[str] = ()
        self.restores: Collection[str] = ()
        self.notes: list[str] = []
        words = {"reason": reason, "agent's name": actor.agent, "session's name": actor.session}
        for what, text in words.items():
            for _, _, kind in secret_spans(text)[:1]:
                raise Refused(
                    f"the {what} looks like a secret ({kind}); git would keep it for ever",
                    hint="say where the secret is kept instead of what it is",
                )
