"""The format number of a store: a newer one is refused by name, unknown settings survive.

Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.errors import FormatTooNew
from gitmem.store.paths import CONFIG_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.store.settings import Settings

FORMAT = 1  # what this gitmem writes


def check_format(settings: Settings) -> None:
    """Raise FormatTooNew when a newer gitmem has made this store what it is."""
    if settings.format > FORMAT:
        raise FormatTooNew(
            f"{CONFIG_FILE}: the store has format {settings.format}, this gitmem knows format {FORMAT} and will not "
            "touch it",
            hint="pip install --upgrade gitmem-store",
        )
