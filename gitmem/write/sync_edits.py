"""The person's own uncommitted work before a sync: committed as theirs, but for what must not leave this machine.

Held back: a file with what looks like a new secret, with the markers of a merge that was not finished, or with more
bytes than are read (its neighbours are not), and deletions when most memories are gone from the folder (sync_gone.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.audit.added import markers_added, secrets_added
from gitmem.dataclass import dataclass, field
from gitmem.history.dirty import edited_memories
from gitmem.history.publish import publish
from gitmem.history.repo import Repo
from gitmem.history.view import Moved, View
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.finding import Finding
from gitmem.memory.marker import MARKER
from gitmem.memory.secret import ALLOW
from gitmem.write.hand import hand_edits
from gitmem.write.shelved import shelved
from gitmem.write.sync_check import HeldBack
from gitmem.write.sync_gone import gone_notes, held_gone, save_gone
from gitmem.write.sync_publish import Named, publish_work

SHOWN = 10  # edits, and places in files, that are named
MARKERS_OUT = "Choose the text that stays and take the marker lines out"
SECRET_OUT = f"Say where the secret is kept instead of what it is, or put `{ALLOW}` on its line when it is harmless"
TOO_BIG = "too-big"  # the rule, as in a listing
SPLIT = "Split it into several memories"
LOOKS = 3  # at a store that moves meanwhile
DIGITS = 10  # of a commit in a sentence


@dataclass(slots=True)
class Edits:
    """What was committed, and what was not.

    paths:   committed as the person's own
    removed: those of them that are gone
    renamed: (old, new) of those that are the same file under another name
    held:    what keeps files from being committed, each place of it
    gone:    files that are gone from the folder and whose deletion is not committed
    commit:  the commit that holds what was removed, and nothing else; "" for none
    """

    paths: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)
    held: list[Finding] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    commit: str = ""

    def notes(self, root: str, git_dir: str, option: str = "") -> list[str]:
        """One sentence each.

        git_dir: the working tree's own git folder
        option:  ``--store`` with a blank before, for a store that is not where gitmem looks
        """
        said = [f"you renamed {old} to {new}; that was committed" for old, new in self.renamed]
        told = {new for _, new in self.renamed} | ({old for old, _ in self.renamed} & {*self.removed})
        back = f"gitmem undo {self.commit[:DIGITS]}{option}"
        said += [
            f"you removed {path}; that was committed, and it goes on every machine   (not meant? {back})"
            if path in self.removed
            else f"your own edit of {path} was committed"
            for path in self.paths
            if path not in told
        ]
        if said[SHOWN:]:
            more = f"   (what was removed comes back with: {back})" if self.removed else ""
            said[SHOWN:] = [f"and {len(said) - SHOWN} more edits of yours{more}"]
        return said + self.held_notes(root, git_dir)

    def held_paths(self) -> list[str]:
        return list(dict.fromkeys([*(each.path for each in self.held), *self.gone]))

    def held_notes(self, root: str, git_dir: str) -> list[str]:
        """Of what is held back alone."""
        rules = {MARKER: MARKERS_OUT, TOO_BIG: SPLIT}
        said = []
        for rule, way_out in rules.items():
            said += held_notes([each for each in self.held if each.rule == rule], way_out)
        said += held_notes([each for each in self.held if each.rule not in rules], SECRET_OUT)
        return said + gone_notes(root, git_dir, self.gone)


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


def held_error(found: Sequence[Finding]) -> HeldBack:
    """The refusal of a merge that would touch files which are held back."""
    is_one = len(paths_of(found)) == 1
    parts = {MARKER: "the marker lines", TOO_BIG: "what is too much"}
    whats = (parts.get(each.rule, "what looks like a secret") for each in found)
    return HeldBack(
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
        edits = _planned(view)
        save_gone(view.repo.git.path, edits.gone)
        lost = [path for path in edits.removed if path not in {old for old, _ in edits.renamed}]
        others = [path for path in edits.paths if path not in lost]
        steps = [*hand_edits(view, others), *hand_edits(view, lost)]
        if steps:
            named(edits.paths)
            commits = publish(view, steps, view.people()[1], when)
            edits.commit = commits[-1] if lost else ""
        else:
            edits.paths = []
        return edits

    return publish_work(root, when, environ, work)


def held_now(repo: Repo, environ: Mapping[str, str]) -> Edits:
    """What a sync would commit and hold back at this moment; nothing is changed."""
    for _ in range(LOOKS):
        try:
            return _planned(View(repo, environ))
        except Moved:
            continue
    return Edits()


def _planned(view: View) -> Edits:
    edits = Edits()
    dirty = edited_memories(view)
    renamed, more = _renamed(view, dirty)
    dirty |= more
    older = {new: old for old, new in renamed.items()}
    for path, data in dirty.items():
        before = _committed(view, path)
        if before is None and path in older and _committed(view, older[path]) == data:
            before = data  # what moved as it was is not new
        edits.held += unfit(path, data, before) if data is not None else []
    kept_back = {each.path for each in edits.held}
    kept_back |= {old for old, new in renamed.items() if new in kept_back}  # else the memory would be nowhere
    edits.gone = held_gone(view, [path for path, data in dirty.items() if data is None and path not in renamed])
    kept_back |= set(edits.gone)
    edits.paths = [path for path in dirty if path not in kept_back]
    edits.removed = [path for path in edits.paths if dirty[path] is None]
    edits.renamed = [(old, new) for old, new in renamed.items() if old not in kept_back]
    return edits


def _renamed(view: View, dirty: Mapping[str, bytes | None]) -> tuple[dict[str, str], dict[str, bytes | None]]:
    """Old path -> new path of the files that only have another name now, or another folder; the archive's half of it.

    The second as ``shelved`` gives it, of those files alone.
    """
    shelf = shelved(view, dirty)
    if len(dirty) + len(shelf) < 2:
        return {}, {}
    from gitmem.write.renamed import renamed_among  # most edits are of one file

    renamed = renamed_among(view, [*dirty, *shelf])
    moved = {*renamed, *renamed.values()}
    return renamed, {path: data for path, data in shelf.items() if path in moved}


def _committed(view: View, path: str) -> bytes | None:
    found = view.committed(path)
    return view.repo.objects.read(found[1], "blob") if found else None


def unfit(path: str, data: bytes, before: bytes | None) -> list[Finding]:
    """What keeps ``data`` from being committed by a sync: a new secret, new conflict markers, or bytes nobody reads."""
    found = secrets_added(path, data, before) or markers_added(path, data, before)
    if not found and len(data) > MAX_MEMORY_BYTES >= len(before or b""):
        wrong = f"has {len(data)} bytes and is not read, {MAX_MEMORY_BYTES} are the most"
        found = [Finding(TOO_BIG, path, 0, wrong)]
    return found
