"""What a person moved into the archive, or out of it, with ``mv``: a move as any other, of which git learns both names.

The archive is not looked through for changes, so without this only one half would be committed: the memory would be
gone on every other machine.
"""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.history.renames import FEW
from gitmem.history.tree import FILES, tree_files
from gitmem.store.paths import join
from gitmem.write.archive_find import archive_folder, archived_paths, is_archived
from gitmem.write.hand import may_be_renamed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from gitmem.history.view import View

MANY = 1_000  # archived files that git does not know up to which they are read for what was moved there


def shelved(view: View, dirty: Mapping[str, bytes | None]) -> dict[str, bytes | None]:
    """Archived path -> its bytes, None for one that left the archive: what may be the other half of ``dirty``.

    dirty: memories whose work file is not what the last commit holds, None for one that is gone
    """
    left = [path for path, data in dirty.items() if data is None]
    if len(dirty) <= FEW:  # more are not taken for another memory under an old name either
        left += [path for path, data in dirty.items() if data is not None and may_be_renamed(view, path)]
    came = [path for path, data in dirty.items() if data is not None and view.committed(path) is None]
    if not left and not came:
        return {}
    root = view.repo.root
    committed = {path for path, (mode, _) in tree_files(view.repo, view.head).items() if mode in FILES}
    found: dict[str, bytes | None] = {}
    if came:
        there = (path for path in committed if path.endswith(".md") and is_archived(path))
        found |= dict.fromkeys(path for path in there if not os.path.lexists(join(root, path)))
    if left and os.path.isdir(join(root, archive_folder(root))):
        new = [path for path in archived_paths(root) if path not in committed]
        for path in new if len(new) <= MANY else ():
            try:
                found[path] = view.read(path)
            except (GitmemError, OSError):  # a link, a folder, or what may not be read
                continue
    return found
