"""The parts of a commit: who, which files, what is said; and commits as bytes."""

from __future__ import annotations

from gitmem.errors import RepositoryDamaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

CRUD = " .,:;<>\"\\'"  # git strips these from both ends of a name


class Identity:
    """A name and an e-mail address, cleaned as git cleans them: neither can end a header line."""

    __slots__ = ("email", "name")

    def __init__(self, name: str, email: str) -> None:
        self.name, self.email = _clean(name), _clean(email)

    def __repr__(self) -> str:
        return f"{self.name} <{self.email}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and (self.name, self.email) == (other.name, other.email)

    def __hash__(self) -> int:
        return hash((self.name, self.email))


class FileChange:
    """One file of a step: its new bytes, or None to remove it.

    path: posix path inside the store
    mode: git's mode of the file; 0 leaves the one it has, and makes a new file a plain one
    """

    __slots__ = ("data", "mode", "path")

    def __init__(self, path: str, data: bytes | None, mode: int = 0) -> None:
        self.path, self.data, self.mode = path, data, mode

    def __repr__(self) -> str:
        return f"FileChange({self.path!r}, {'gone' if self.data is None else len(self.data)})"


class Step:
    """One commit to be: the files it changes against the commit before it.

    merged: ids of further parents
    always: makes a commit even when no file changes, as one with further parents does
    """

    __slots__ = ("always", "author", "changes", "merged", "message")

    def __init__(
        self,
        changes: Sequence[FileChange],
        message: str,
        author: Identity,
        merged: Sequence[str] = (),
        always: bool = False,
    ) -> None:
        self.changes, self.message, self.author, self.merged = tuple(changes), message, author, tuple(merged)
        self.always = always or bool(merged)


class Commit:
    """A commit as read: ids as hex, ``when`` the committer's time in UTC unix seconds."""

    __slots__ = ("author", "committer", "id", "message", "parents", "tree", "when")

    def __init__(self, name: str, raw: bytes) -> None:
        head, _, message = raw.partition(b"\n\n")
        self.id, self.message, self.tree = name, "", ""
        self.author, self.committer, self.when = Identity("", ""), Identity("", ""), 0
        encoding, parents = "utf-8", []
        for line in head.split(b"\n"):
            key, _, value = line.partition(b" ")
            if key == b"tree":
                self.tree = value.decode("latin-1")
            elif key == b"parent":
                parents.append(value.decode("latin-1"))
            elif key == b"author":
                self.author = _read_person(value)[0]
            elif key == b"committer":
                self.committer, self.when = _read_person(value)
            elif key == b"encoding":
                encoding = value.decode("latin-1")
        if len(self.tree) != 40:
            raise RepositoryDamaged(f"commit {name} names no tree", hint="git fsck")
        self.parents: tuple[str, ...] = tuple(parents)
        try:
            self.message = message.decode(encoding, "replace")
        except LookupError:
            self.message = message.decode("utf-8", "replace")


def commit_bytes(
    tree: str, parents: Sequence[str], author: Identity, committer: Identity, when: int, message: str
) -> bytes:
    """The bytes of a commit object; times in UTC."""
    lines = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
    lines.append(f"author {author.name} <{author.email}> {when} +0000")
    lines.append(f"committer {committer.name} <{committer.email}> {when} +0000")
    text = message if message.endswith("\n") else message + "\n"
    return ("\n".join(lines) + "\n\n" + text.replace("\0", "")).encode("utf-8", "replace")


def _clean(text: str) -> str:
    if text.isprintable() and "<" not in text and ">" not in text:
        return text.strip(CRUD)
    kept = "".join(" " if mark in "\r\n\t" else mark for mark in text if mark not in "<>\0")
    return "".join(mark for mark in kept.strip(CRUD) if mark.isprintable())


def _read_person(value: bytes) -> tuple[Identity, int]:
    text = value.decode("utf-8", "replace")
    name, _, rest = text.partition("<")
    email, _, time = rest.rpartition(">")
    digits = time.split()
    when = int(digits[0]) if digits and digits[0].lstrip("-").isdigit() else 0
    return Identity(name, email), when
