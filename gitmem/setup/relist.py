"""The list of memories and the locks after files were renamed by hand: what leads nowhere for that, and the mend."""

from __future__ import annotations

import os
from collections.abc import Mapping

from gitmem.errors import GitmemError
from gitmem.history.commit import FileChange
from gitmem.history.settings import settings_of
from gitmem.memory.document import decode
from gitmem.memory.link import link_names, link_spans
from gitmem.memory.name import twin_key
from gitmem.setup.check import counted
from gitmem.store.paths import CONFIG_FILE, join
from gitmem.store.worktree import list_memories, read_file
from gitmem.write.archive_entry import renamed_links
from gitmem.write.change import Reader
from gitmem.write.config import settings_seen
from gitmem.write.lock_list import moved_locks, with_locks
from gitmem.write.renamed import names_now

RULE, LOCK_RULE = "dangling", "lost-lock"


def renamed_in_list(root: str) -> dict[str, str]:
    """Old path -> new path of the memories that the list still links to under the old one."""
    file = settings_of(root).index_file
    try:
        text = decode(read_file(root, file), file)[0]
    except GitmemError:
        return {}
    targets = {target for spans in link_spans(text).values() for _, _, target in spans}
    lost = [
        target
        for target in sorted(targets)
        if not target.startswith(("../", "/")) and "\\" not in target and not os.path.lexists(join(root, target))
    ]
    if not lost:
        return {}
    there = {twin_key(entry.path): entry.path for entry in list_memories(root).entries}
    return {old: there[key] for old in lost if (key := twin_key(old)) in there} | names_now(root, lost)


def renamed_in_locks(root: str) -> dict[str, str]:
    """Old path -> new path of the memories that are still locked under the old one, but for its case alone."""
    lost = [path for path in settings_of(root).locks if not os.path.lexists(join(root, path))]
    return {old: now for old, now in names_now(root, lost).items() if twin_key(old) != twin_key(now)}


class Relisting:
    """Makes the list of one mend: its links lead where the files are now, all else stays to the byte."""

    reason = "The files were renamed; what links to them follows."

    def __init__(self, path: str, renamed: Mapping[str, str]) -> None:
        self.path, self.renamed = path, renamed
        self.what = f"{RULE}: {counted(len(renamed), 'link')} to what was renamed"
        self.leaves = tuple(renamed.values())  # one that is not committed under its new name is, first

    def __call__(self, reader: Reader) -> list[FileChange]:
        data = reader.read(self.path)
        if data is None:
            return []
        there = [each.path for each in list_memories(reader.root).entries] if b"[[" in data else []
        names = link_names((path, "", ()) for path in {*there, *self.renamed} if path.lower().endswith(".md"))
        # also where the new name has a line by now: what a person wrote stays
        new = renamed_links(data, self.renamed, names)
        return [FileChange(self.path, new)] if new != data else []


class Relocking:
    """Makes the settings of one mend: the locks name the files as they are called now, all else stays to the byte."""

    reason = Relisting.reason
    path = CONFIG_FILE

    def __init__(self, renamed: Mapping[str, str]) -> None:
        self.renamed = renamed
        self.what = f"{LOCK_RULE}: {counted(len(renamed), 'lock')} of what was renamed"
        self.leaves = tuple(renamed.values())

    def __call__(self, reader: Reader) -> list[FileChange]:
        data = reader.read(self.path)
        if data is None:
            return []
        new = with_locks(data, moved_locks(settings_seen(reader).locks, self.renamed), reader.root)
        return [FileChange(self.path, new)] if new != data else []
