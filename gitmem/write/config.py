"""The store's settings as a write needs them.

YAML is loaded only for a settings file that is not the one gitmem wrote: a cold ``gitmem remember`` is timed.
"""

from __future__ import annotations

from gitmem.errors import BadName, GitmemError
from gitmem.limits import MAX_CONFIG_BYTES
from gitmem.store.paths import CONFIG_FILE
from gitmem.store.settings import DEFAULT_CONFIG, Settings, default_settings, parse_settings
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.write.change import Reader


def settings_seen(reader: Reader) -> Settings:
    """The settings under the writer lock; a change of them in the meantime makes the write look anew."""
    try:
        return _settings(reader.read(CONFIG_FILE))
    except BadName:  # a link or a folder: as load_settings, which gives the finding
        return default_settings()


def settings_at(root: str) -> Settings:
    """The settings of the store at ``root`` for a reader."""
    try:
        return _settings(read_file(root, CONFIG_FILE, MAX_CONFIG_BYTES))
    except GitmemError:
        return default_settings()


def _settings(data: bytes | None) -> Settings:
    if data is None or data == DEFAULT_CONFIG.encode():
        return default_settings()
    return parse_settings(data.decode("utf-8-sig", "replace"))
