"""Conflict records: a text that could not be written, kept as a commit under ``refs/gitmem/conflicts/<id>``.

The commit's parent is the one that held what the writer had read, its tree is what the writer wanted, and its trailers
name base, ours and theirs; ``git log --all --graph`` shows it as the side branch it is.
"""

from __future__ import annotations

from gitmem.errors import NotFound, Refused, RepositoryDamaged
from gitmem.history.changed import changed_by
from gitmem.history.commit import commit_bytes
from gitmem.history.conflict_pending import given_up
from gitmem.history.log import revisions
from gitmem.history.message import message, parse_message
from gitmem.history.objects import object_id
from gitmem.history.ownrefs import own_refs
from gitmem.history.trail import last_with, present_path
from gitmem.history.tree import splice, tree_blob, tree_get
from gitmem.memory.document import read_memory
from gitmem.memory.splice import set_field
from gitmem.store.paths import CONFLICTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.history.commit import Commit, Identity
    from gitmem.history.repo import Repo

ID_DIGITS = 12
NONE = "none"  # a trailer's word for "no file": an empty one would be left out


class Conflict:
    """One conflict record.

    id:     hash of path, base, ours and theirs: the same conflict has the same id everywhere
    path:   the memory; base, ours, theirs: blob ids, "" for no file
    commit: the record's own; agent, session: who wanted ``theirs``
    """

    __slots__ = ("base", "commit", "id", "ours", "path", "reason", "theirs", "trailers", "when", "who")

    def __init__(self, name: str, commit: Commit, path: str) -> None:
        _, self.reason, self.trailers = parse_message(commit.message)
        self.id, self.commit, self.when, self.who = name, commit.id, commit.when, commit.author.name
        self.path = path
        self.base, self.ours, self.theirs = (
            "" if (word := self.trailers.get(f"Gitmem-{side}", NONE)) == NONE else word
            for side in ("Base", "Ours", "Theirs")
        )

    @property
    def ref(self) -> str:
        return CONFLICTS + self.id


def conflict_id(path: str, base: bytes | None, ours: bytes | None, theirs: bytes | None) -> str:
    """The id of a conflict between these texts: the same for the same conflict, on every machine.

    Which of ``ours`` and ``theirs`` comes first does not matter, nor when they were written: the date a write puts into
    the head would make another conflict of each attempt.
    """
    keys = [object_id("blob", undated(path, side)) if side is not None else "" for side in (base, ours, theirs)]
    words = [path, keys[0], *sorted(keys[1:])]
    return object_id("blob", "\0".join(words).encode("utf-8", "surrogateescape"))[:ID_DIGITS]


def undated(path: str, data: bytes) -> bytes:
    """A memory without the date in its head; other files, and heads that cannot be edited, as they are."""
    try:
        if path.lower().endswith(".md") and "updated" in read_memory(path, data).fields:
            return set_field(data, "updated", None)
    except Refused:
        pass
    return data


def record(
    repo: Repo,
    path: str,
    sides: tuple[bytes | None, bytes | None, bytes | None],
    author: Identity,
    committer: Identity,
    when: int,
    *,
    parent: str = "",
    reason: str = "",
    trailers: Mapping[str, str] | None = None,
) -> tuple[str, str]:
    """Add a conflict's commit to the repository's objects; its id and the commit's.

    sides:  base, ours and theirs; None for no file
    parent: the commit that held base; found in the history of ``path`` when left out
    """
    name = conflict_id(path, *sides)
    base, ours, theirs = (repo.objects.add("blob", side) if side is not None else "" for side in sides)
    parent = parent or commit_with(repo, path, base) or repo.head()[1]
    if parent and (tree_blob(repo, parent, path) or "") == theirs:  # the record would change nothing
        parent = commit_with(repo, path, base)
    tree = repo.commit(parent).tree if parent else ""
    found = tree_get(repo.objects, tree, path) if tree else None
    entry = (found[0] if found else 0o100644, theirs) if theirs else None
    tree, _ = splice(repo.objects, tree, {path: entry})
    words = {
        "Op": "conflict", "Memory": path, "Base": base or NONE, "Ours": ours or NONE, "Theirs": theirs or NONE,
    } | dict(trailers or {})  # fmt: skip
    text = message("conflict", path, reason, words)
    raw = commit_bytes(tree, [parent] if parent else [], author, committer, when, text)
    return name, repo.objects.add("commit", raw)


def commit_with(repo: Repo, path: str, blob: str) -> str:
    """The newest commit of HEAD's history in which ``path`` is ``blob``; "" when there is none.

    Another memory may have the path by now.
    """
    found = next((one for one in revisions(repo, path) if one.revision == blob), None) if blob else None
    return found.commit if found else last_with(repo, path, blob) if blob else ""


def open_conflicts(repo: Repo) -> list[Conflict]:
    """The conflicts nobody has resolved, oldest first; a ref that does not lead to a record is passed over.

    So is what came up in a merge that was given up.
    """
    found, void = [], given_up(repo)
    for ref, name in own_refs(repo.git, CONFLICTS).items():
        if void.get(ref) == name:
            continue
        try:
            found.append(read_conflict(repo, ref.removeprefix(CONFLICTS), name))
        except (RepositoryDamaged, ValueError):
            continue
    return sorted(found, key=lambda each: (each.when, each.id))


def read_conflict(repo: Repo, name: str, commit: str) -> Conflict:
    """The record in ``commit``; raises ValueError for any other commit.

    Its path is the one file it changes: a trailer would shorten a long one.
    """
    found = repo.commit(commit)
    paths = list(changed_by(repo, commit))
    if len(paths) != 1 or parse_message(found.message)[2].get("Gitmem-Op") != "conflict":
        raise ValueError(f"{commit} is no conflict record")
    return Conflict(name, found, paths[0])


def find_conflict(repo: Repo, name: str) -> Conflict:
    """The open conflict whose id begins with ``name``, or the only one of the memory at that path, then or now.

    raises: NotFound with the ids there are
    """
    every = open_conflicts(repo)
    asked = name.removeprefix(CONFLICTS)
    fits = [each for each in every if asked and each.id.startswith(asked)]
    fits = fits or [each for each in every if asked in called(each.path)]
    fits = fits or [each for each in every if asked in called(present_path(repo, each.path, each.commit))]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise NotFound(
            f'"{name}" fits {len(fits)} conflicts: {", ".join(each.id for each in fits)}', hint="give more of the id"
        )
    raise NotFound(f'no open conflict is called "{name}"', hint="gitmem conflict list")


def called(path: str) -> tuple[str, str, str]:
    """By what a conflict's memory may be named."""
    return path, path.removesuffix(".md"), path.rpartition("/")[2][:-3]
