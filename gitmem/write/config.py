"""The store's settings as a write needs them."""

from __future__ import annotations

from gitmem.errors import BadName, Locked
from gitmem.history.settings import with_committed
from gitmem.history.tree import file_at
from gitmem.store.paths import CONFIG_FILE, git_in, join, typed
from gitmem.store.settings import Settings, default_settings, load_settings, read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.write.change import Reader


def settings_seen(reader: Reader) -> Settings:
    """The settings under the writer lock; a change of them in the meantime makes the write look anew."""
    try:
        data = reader.read(CONFIG_FILE)
        settings = read_settings(data or b"")
    except BadName:  # a link or a folder
        settings = load_settings(reader.root)
    if not reader.root:
        return default_settings()
    return with_committed(settings, reader.repo)


def settings_file(reader: Reader) -> bytes | None:
    """The settings file's bytes, the last commit's where it is not on disk, None where there never was one."""
    data = reader.read(CONFIG_FILE)
    return file_at(reader.repo, reader.repo.head()[1], CONFIG_FILE) if data is None else data


def check_locks_known(settings: Settings, root: str) -> None:
    """Raise Locked where nobody knows all that the settings lock: then they lock everything."""
    if settings.broken is not None:
        back = git_in(root, f"checkout --ignore-skip-worktree-bits HEAD -- {CONFIG_FILE}")
        hint = f"mend {typed(join(root, CONFIG_FILE))}" if settings.is_there else back
        raise Locked(settings.broken.sentence(), hint=hint)
