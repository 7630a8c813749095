"""What a commit would change, with its texts, as the audit takes it; git's hooks wait for this, so without click."""

from __future__ import annotations

from gitmem.audit.changes import LIST, MEMORY, OTHER, SETTINGS, TEXT, Changed
from gitmem.history.tree import FILES, LINK
from gitmem.index.fresh import is_memory
from gitmem.store.ignore import patterns
from gitmem.store.paths import CONFIG_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.history.repo import Repo
    from gitmem.history.staged import Coming
    from gitmem.store.settings import Settings


def changes_of(repo: Repo, coming: Sequence[Coming], settings: Settings) -> list[Changed]:
    """``coming`` with its texts; of files that are no texts of gitmem's nothing is read."""
    ignore = patterns(settings.left_out())

    def kind_of(path: str) -> str:
        if path in (settings.index_file, CONFIG_FILE):
            return LIST if path == settings.index_file else SETTINGS
        if is_memory(path, ignore):
            return MEMORY
        return TEXT if path.lower().endswith(".md") else OTHER

    return [change_of(repo, each, kind_of(each.path)) for each in coming]


def change_of(repo: Repo, coming: Coming, kind: str) -> Changed:
    def read(blob: str) -> bytes | None:
        return (repo.objects.read(blob, "blob") if kind != OTHER else b"") if blob else None

    is_file = coming.mode in FILES
    data = read(coming.blob) if is_file else None
    return Changed(
        coming.path, kind, data, lambda: read(coming.old), is_new=not coming.old, is_link=coming.mode == LINK
    )
