"""The person's own uncommitted work before a sync: committed as theirs, but for what must not leave this machine.

Held back: a file with what looks like a new secret or with the markers of a merge that was not finished (its neighbours
are not), and deletions when most memories are gone from the folder, which is an accident more often than a wish.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.audit.added import MARKER, markers_added, secrets_added
from gitmem.dataclass import dataclass, field
from gitmem.errors import RepositoryBusy
from gitmem.history.dirty import dirty_memories
from gitmem.history.gitindex import CannotPatch
from gitmem.history.indexentry import EXTENDED, SKIP
from gitmem.history.publish import publish
from gitmem.history.tree import FILES, encode, tree_files
from gitmem.history.view import View
from gitmem.memory.finding import Finding
from gitmem.memory.name import is_reserved
from gitmem.memory.secret import ALLOW
from gitmem.store.paths import git_in
from gitmem.write.hand import hand_edits
from gitmem.write.sync_publish import Named, publish_work

SHOWN = 10  # edits, and places in files, that are named
MARKERS_OUT = "Choose the text that stays and take the marker lines out"
SECRET_OUT = f"Say where the secret is kept instead of what it is, or put `{ALLOW}` on its line when it is harmless"
MANY, HALF = 5, 0.5  # deletions from which on, and share of the memories above which, they are held back


@dataclass(slots=True)
class Edits:
    """What was committed, and what was not.

    paths:   committed as the person's own
    removed: those of them that are gone
    renamed: (old, new) of those that are the same file under another name
    held:    every secret, and markers of an unfinished merge, in files that are not committed
    gone:    files that are gone from the folder and whose deletion is not committed
    """

    paths: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    held: list[Finding] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)

    def notes(self, root: str) -> list[str]:
        """One sentence each."""
        said = [f"you renamed {old} to {new}; that was committed" for old, new in self.renamed]
        told = {path for pair in self.renamed for path in pair}
        said += [
            f"you removed {path}; that was committed, and it goes on every machine   (not meant? gitmem undo)"
            if path in self.removed
            else f"your own edit of {path} was committed"
            for path in self.paths
            if path not in told
        ]
        if said[SHOWN:]:
            said[SHOWN:] = [f"and {len(said) - SHOWN} more edits of yours"]
        said += held_notes([each for each in self.held if each.rule == MARKER], MARKERS_OUT)
        said += held_notes([each for each in self.held if each.rule != MARKER], SECRET_OUT)
        gone = sum(1 for path in self.gone if not is_reserved(path))
        if gone:
            commit = git_in(root, "add -A && ") + git_in(root, "commit -m 'removed'")
            said.append(
                f"{gone} memories are gone from the folder, more than half of them; that is not synced. "
                f"Bring them back: {git_in(root, 'checkout -- .')}   or, if you mean it: {commit}"
            )
        return said


def held_notes(found: Sequence[Finding], way_out: str) -> list[str]:
    """One sentence for each place, as many as are named, then what becomes of the files and what to do."""
    paths = paths_of(found)
    if not found:
        return []
    if len(found) == 1:
        return [f"{found[0].sentence()}; the file is held back: not committed and not sent. {way_out}"]
    said = [each.sentence() for each in found[:SHOWN]]
    if found[SHOWN:]:
        said.append(f"and {len(found) - SHOWN} more; see them all: gitmem audit")
    what = "the file is" if len(paths) == 1 else f"these {len(paths)} files are"
    return [*said, f"{what} held back: not committed and not sent. {way_out}"]


def held_error(found: Sequence[Finding]) -> RepositoryBusy:
    """The refusal of a merge that would touch files which are held back."""
    is_one = len(paths_of(found)) == 1
    whats = ("the marker lines" if each.rule == MARKER else "what looks like a secret" for each in found)
    return RepositoryBusy(
        f"{named_places(found)}; the same file{' was' if is_one else 's were'} changed on the other side too, so "
        "nothing was merged",
        hint=f"take {' and '.join(dict.fromkeys(whats))} out of the file{'' if is_one else 's'}, then: gitmem sync",
    )


def named_places(found: Sequence[Finding]) -> str:
    """Every place with its line, as one sentence; of very many how many more there are."""
    said = "; ".join(each.sentence() for each in found[:SHOWN])
    return f"{said}; and {len(found) - SHOWN} more" if found[SHOWN:] else said


def paths_of(found: Sequence[Finding]) -> list[str]:
    return list(dict.fromkeys(each.path for each in found))


def commit_edits(root: str, when: int, environ: Mapping[str, str]) -> Edits:
    """Commit what the person changed in memories and did not commit."""

    def work(view: View, named: Named) -> Edits:
        edits = Edits()
        dirty = {path: data for path, data in dirty_memories(view).items() if not is_left_out(view, path)}
        gone = [path for path, data in dirty.items() if data is None]
        count = sum(1 for path in gone if not is_reserved(path))
        if count >= MANY and count > HALF * _memories(view):
            edits.gone = gone
        for path, data in dirty.items():
            found = unfit(path, data, _committed(view, path)) if data is not None else []
            edits.held += found
        kept_back = {each.path for each in edits.held} | set(edits.gone)
        edits.paths = [path for path in dirty if path not in kept_back]
        steps = hand_edits(view, edits.paths) if edits.paths else []
        if steps:
            edits.removed = [path for path in edits.paths if dirty[path] is None]
            edits.renamed = _renamed(view, edits, dirty)
            named(edits.paths)
            publish(view, steps, view.people()[1], when)
        else:
            edits.paths = []
        return edits

    return publish_work(root, when, environ, work)


def _renamed(view: View, edits: Edits, dirty: Mapping[str, bytes | None]) -> list[tuple[str, str]]:
    """The removed files whose bytes stand under a new name."""
    new = {data: path for path in edits.paths if (data := dirty[path]) and _committed(view, path) is None}
    pairs = ((path, new.pop(_committed(view, path) or b"", "")) for path in edits.removed)
    return [(old, path) for old, path in pairs if path]


def _memories(view: View) -> int:
    files = tree_files(view.repo, view.head)
    memories = [path for path, (mode, _) in files.items() if mode in FILES and path.endswith(".md")]
    return sum(1 for path in memories if not is_reserved(path))


def _committed(view: View, path: str) -> bytes | None:
    found = view.committed(path)
    return view.repo.objects.read(found[1], "blob") if found else None


def is_left_out(view: View, path: str) -> bool:
    """Whether git was told to keep the file out of the folder (sparse checkout): that it is gone is no deletion."""
    try:
        index = view.index()
        entries = index.find(encode(path))[1]
    except CannotPatch:
        return False
    return any(
        entry.flags & EXTENDED and int.from_bytes(index.data[entry.start + 62 : entry.start + 64], "big") & SKIP
        for entry in entries
    )


def unfit(path: str, data: bytes, before: bytes | None) -> list[Finding]:
    """What keeps ``data`` from being committed by a sync: what looks like a new secret, and new conflict markers."""
    return secrets_added(path, data, before) or markers_added(path, data, before)
