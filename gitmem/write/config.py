"""The store's settings as a write needs them."""

from __future__ import annotations

from gitmem.errors import BadName
from gitmem.store.paths import CONFIG_FILE
from gitmem.store.settings import Settings, default_settings, read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.write.change import Reader


def settings_seen(reader: Reader) -> Settings:
    """The settings under the writer lock; a change of them in the meantime makes the write look anew."""
    try:
        data = reader.read(CONFIG_FILE)
    except BadName:  # a link or a folder: as load_settings, which gives the finding
        return default_settings()
    return default_settings() if data is None else read_settings(data)
