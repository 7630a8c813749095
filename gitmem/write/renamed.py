"""Memories that a person renamed or archived by hand, and the list that follows: its links, in the person's words.

Which file is another one under a new name is what history/renames.py says, so that history and list agree.
"""

from __future__ import annotations

import os

from gitmem.errors import BadName, GitmemError, Refused
from gitmem.history.commit import FileChange, Step
from gitmem.history.convert import stored
from gitmem.history.message import message
from gitmem.history.objects import object_id
from gitmem.history.renames import moves
from gitmem.history.repo import open_repo
from gitmem.history.trail import present_path
from gitmem.history.tree import FILES, decode, encode, tree_files
from gitmem.memory.archived import BY_HAND, with_marks
from gitmem.memory.document import decode as text_of
from gitmem.memory.link import has_entry, link_names
from gitmem.memory.name import is_reserved
from gitmem.store.paths import join
from gitmem.store.settings import load_settings
from gitmem.store.worktree import list_memories, read_file
from gitmem.write.archive_entry import renamed_links, take_entries
from gitmem.write.archive_find import is_archived, local_time
from gitmem.write.hand import hand_edits
from gitmem.write.secrets import held_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gitmem.history.objects import Objects
    from gitmem.history.view import View

OPERATION = "relist"
SHOWN = 20  # renames that the commit's message names
MANY = 1_000  # files that git does not know yet up to which an audit reads them for what was renamed


class _Texts:
    """The repository's objects, and texts that are none yet: one that is held back must not become one."""

    def __init__(self, objects: Objects, new: Mapping[str, bytes]) -> None:
        self.objects, self.new = objects, new

    def read(self, name: str, kind: str = "") -> bytes:
        return self.new[name] if name in self.new else self.objects.read(name, kind)


def pairs(objects: Objects, gone: Mapping[str, str], new: Mapping[str, bytes]) -> dict[str, str]:
    """Old path -> new path of what was renamed, or moved into the archive or out of it.

    gone: path -> blob of memories whose file is gone; new: path -> bytes of files that no commit has
    """
    blobs = {path: object_id("blob", data) for path, data in new.items() if not is_reserved(path)}
    changed = {encode(path): (b"", bytes.fromhex(blob)) for path, blob in blobs.items()}
    changed |= {encode(path): (bytes.fromhex(blob), b"") for path, blob in gone.items() if not is_reserved(path)}
    found = moves(_Texts(objects, {blob: new[path] for path, blob in blobs.items()}), changed)
    return {decode(old): decode(now) for now, old in found.items()}


def renamed_among(view: View, paths: Iterable[str]) -> dict[str, str]:
    """Old path -> new path of those of ``paths`` that the person renamed since the last commit."""
    gone: dict[str, str] = {}
    new: dict[str, bytes] = {}
    for path in paths:
        committed, data = view.committed(path), view.read(path)
        if data is None and committed is not None:
            gone[path] = committed[1]
        elif data is not None and committed is None:
            new[path] = stored(view, path, data)
    return pairs(view.repo.objects, gone, new) if gone and new else {}


def rename_steps(view: View, new: Sequence[str]) -> tuple[list[Step], list[str]]:
    """The commits of the person's renames to ``new``, which no commit has, and of the list that follows; both names.

    None for a file that is no rename, and for one that holds a secret, which the writer who needs it refuses.
    """
    old = _earlier_names(view, new)
    if not old:
        return [], []
    listing = load_settings(view.repo.root).index_file
    steps = hand_edits(view, [*old, *new, listing])
    held = held_back(view, steps)
    if listing in held:
        steps = hand_edits(view, [*old, *new])
    return ([], []) if held.keys() - {listing} else (steps, [*old, *new])


def _earlier_names(view: View, new: Sequence[str]) -> list[str]:
    from gitmem.write.sync_edits import is_sparse  # 5 ms, which only a rename pays

    files = tree_files(view.repo, view.head)
    gone = [path for path, (mode, _) in files.items() if mode in FILES and path.lower().endswith(".md")]
    gone = [path for path in gone if not os.path.lexists(join(view.repo.root, path)) and not is_sparse(view, path)]
    return list(renamed_among(view, [*gone, *new]))


def relisting(view: View, renamed: Mapping[str, str], listed: Sequence[str]) -> list[Step]:
    """The commit that lets the list follow; none when there is nothing to change, or an edit of it stays uncommitted.

    listed: the files whose edits are committed first
    """
    file = load_settings(view.repo.root).index_file
    try:
        data, committed = view.read(file), view.committed(file)
    except BadName:
        return []
    if data is None or committed is None:
        return []
    if file not in listed and object_id("blob", stored(view, file, data)) != committed[1]:
        return []
    paths = tree_files(view.repo, view.head) if b"[[" in data else ()
    archived = {old: now for old, now in renamed.items() if is_archived(now)}
    new = followed(data, file, {old: now for old, now in renamed.items() if old not in archived}, paths)
    new, marked = _without(view, new, archived, paths)
    if new == data:
        return []
    said = "\n".join([f"{old} is called {now} now." for old, now in renamed.items()][:SHOWN])
    text = message(OPERATION, file, said, {"Op": OPERATION, "Memory": file, "Actor": "person"})
    return [Step([FileChange(file, new), *marked], text, view.people()[0])]


def _without(
    view: View, data: bytes, archived: Mapping[str, str], paths: Iterable[str]
) -> tuple[bytes, list[FileChange]]:
    """The list without its entries of what the person moved into the archive, and those files with the marks that
    bring the entries back; what is too damaged for either stays as it is.

    archived: old path -> path in the archive
    """
    if not archived:
        return data, []
    try:
        left, records = take_entries(data, archived, _names([*paths, *archived]))
        marked = []
        for old, entry in records.items():
            path = archived[old]
            at = local_time(int(os.lstat(join(view.repo.root, path)).st_ctime))  # a file that moves keeps its mtime
            marked.append(FileChange(path, with_marks(view.read(path) or b"", at, BY_HAND, entry)))
    except (Refused, OSError):
        return data, []
    return left, marked


def followed(data: bytes, file: str, renamed: Mapping[str, str], paths: Iterable[str]) -> bytes:
    """The list with its links to what was renamed; one that names the new path already keeps its lines.

    paths: what wikilinks may mean
    """
    names = _names([*paths, *renamed])
    for old, now in renamed.items():
        if not has_entry(text_of(data, file)[0], now):
            data = renamed_links(data, old, now, names)
    return data


def _names(paths: Iterable[str]) -> dict[str, str]:
    return link_names((path, "", ()) for path in dict.fromkeys(paths) if path.lower().endswith(".md"))


def names_now(root: str, paths: Iterable[str]) -> dict[str, str]:
    """What the memories are called whose files stood at ``paths`` and are gone: renamed by a commit, or only on disk.

    Without those that are archived, removed, or were never there; nothing for a folder without a history.
    """
    wanted = list(dict.fromkeys(paths))
    found: dict[str, str] = {}
    if not wanted:
        return found
    try:
        with open_repo(root) as repo:
            committed = {path: blob for path, (_, blob) in tree_files(repo, repo.head()[1]).items()}
            last = {path: present_path(repo, path) for path in wanted}
            gone = {now: committed[now] for now in last.values() if now in committed and not _is_there(root, now)}
            by_hand = pairs(repo.objects, gone, _unknown(root, committed)) if gone else {}
    except GitmemError:
        return found
    for path, now in last.items():
        now = by_hand.get(now, now)
        if now != path and _is_there(root, now) and not is_archived(now):
            found[path] = now
    return found


def _is_there(root: str, path: str) -> bool:
    return os.path.lexists(join(root, path))


def _unknown(root: str, committed: Mapping[str, str]) -> dict[str, bytes]:
    """path -> bytes of the memories that no commit has; of very many none."""
    there = [each.path for each in list_memories(root, load_settings(root).left_out()).entries]
    new = [path for path in there if path not in committed]
    found: dict[str, bytes] = {}
    for path in new if len(new) <= MANY else ():
        try:
            found[path] = read_file(root, path)
        except GitmemError:
            continue
    return found
