"""The person's own uncommitted work before a sync: committed as theirs, but for what must not leave this machine.

Held back: a file with what looks like a new secret or with the markers of a merge that was not finished (its neighbours
are not), and deletions when most memories are gone from the folder, which is an accident more often than a wish.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gitmem.audit.text import CLOSING, OPENING, markers
from gitmem.history.dirty import dirty_memories
from gitmem.history.gitindex import CannotPatch
from gitmem.history.indexentry import EXTENDED, SKIP
from gitmem.history.publish import publish
from gitmem.history.pushed import sent
from gitmem.history.repo import Repo, open_repo
from gitmem.history.tree import FILES, encode, file_at, tree_blob, tree_files
from gitmem.history.view import Moved, View
from gitmem.memory.document import decode, line_at
from gitmem.memory.finding import Finding
from gitmem.memory.name import is_reserved
from gitmem.memory.secret import ALLOW, added_spans, barred_spans, secret_finding, secret_spans
from gitmem.prompt.quote import may_hold_secret
from gitmem.store.paths import git_in
from gitmem.write.apply import hand_edits
from gitmem.write.sync_publish import Named, publish_work

MARKER = "marker"  # the rule of a finding that tells of a merge that was not finished
SHOWN = 10  # edits that are named
MANY, HALF = 5, 0.5  # deletions from which on, and share of the memories above which, they are held back


@dataclass(slots=True)
class Edits:
    """What was committed, and what was not.

    paths:   committed as the person's own
    removed: those of them that are gone
    renamed: (old, new) of those that are the same file under another name
    held:    secrets, and markers of an unfinished merge, in files that are not committed
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
        for finding in self.held:
            what = (
                "Choose the text that stays and take the marker lines out"
                if finding.rule == MARKER
                else "Say where the secret is kept instead of what it is, or put "
                f"`{ALLOW}` on its line when it is harmless"
            )
            said.append(f"{finding.sentence()}; the file is held back: not committed and not sent. {what}")
        gone = sum(1 for path in self.gone if not is_reserved(path))
        if gone:
            commit = git_in(root, "add -A && ") + git_in(root, "commit -m 'removed'")
            said.append(
                f"{gone} memories are gone from the folder, more than half of them; that is not synced. "
                f"Bring them back: {git_in(root, 'checkout -- .')}   or, if you mean it: {commit}"
            )
        return said


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
            edits.held += found[:1]
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

    if _is_clean(root, environ):
        return Edits()
    return publish_work(root, when, environ, work)


def _is_clean(root: str, environ: Mapping[str, str]) -> bool:
    """Whether there is nothing to commit; looked at without the lock, since 100,000 files take a second or two."""
    with open_repo(root) as repo:
        try:
            return not dirty_memories(View(repo, environ))
        except Moved:
            return False


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


def markers_added(path: str, data: bytes, *befores: bytes | None) -> list[Finding]:
    """The first marker of a merge that was not finished, in a text that follows one without any."""
    if OPENING.encode() not in data and CLOSING.encode() not in data:
        return []
    found = markers(decode(data, path)[0])
    if not found or any(markers(decode(each, path)[0]) for each in befores if each is not None):
        return []
    line, shown = found[0]
    return [Finding(MARKER, path, line, f"a conflict marker, `{shown}`: a merge was not finished")]


def secrets_added(path: str, data: bytes, *befores: bytes | None, allowed: Iterable[str] = ()) -> list[Finding]:
    """What looks like a secret in ``data``, is in none of ``befores``, and no mark allows.

    allowed: texts that are marked as harmless elsewhere
    """
    if b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return []
    text = decode(data, path)[0]
    if not may_hold_secret(text):
        return []
    known = [decode(each, path)[0] for each in befores if each is not None]
    return [
        secret_finding(path, line_at(text, start), kind) for start, _, kind in added_spans(text, known, set(allowed))
    ]


def unfit_sent(repo: Repo, head: str, known: Sequence[str]) -> list[Finding]:
    """What looks like a secret in any version of a memory that the remote does not have yet.

    The last of them are conflict markers in what the memories say now; older versions may hold some.
    head: the commit to be sent; known: commits the remote has
    """
    found: list[Finding] = []
    unfinished: list[Finding] = []
    for each in sent(repo, head, known):
        if not each.path.lower().endswith(".md"):
            continue
        data = repo.objects.read(each.blob, "blob")
        befores = [repo.objects.read(blob, "blob") for blob in each.before]
        if (marked := markers_added(each.path, data, *befores)) and tree_blob(repo, head, each.path) == each.blob:
            unfinished += marked
        if not secrets_added(each.path, data, *befores):
            continue
        last = file_at(repo, head, each.path)
        for finding in secrets_added(each.path, data, *befores, allowed=_allowed(each.path, last)):
            finding.message = f"{finding.message}, since commit {each.commit[:10]}"
            found.append(finding)
    return found + unfinished


def _allowed(path: str, data: bytes | None) -> set[str]:
    """The texts that the newest version marks as harmless."""
    text = decode(data, path)[0] if data is not None else ""
    barred = {text[start:end] for start, end, _ in barred_spans(text)}
    return {text[start:end] for start, end, _ in secret_spans(text)} - barred if ALLOW in text else set()
