"""Load SQLite's C half without ``functools``: that alone spares the hook a quarter of its time.

``_sqlite3`` takes ``lru_cache`` from ``functools`` when it is loaded, for its cache of statements, and
with ``functools`` come ``collections`` and five more modules, 0.45 times a bare interpreter.  ``lru_cache`` itself
is C.  So ``functools`` stands in for a moment with nothing but that, and is the real one again for whoever asks next.
Import this before anything that imports ``_sqlite3``; where it cannot work, everything is as it would be without.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def _load() -> None:
    try:
        from _functools import _lru_cache_wrapper  # type: ignore[import-not-found]
    except ImportError:  # another Python than CPython
        return

    def lru_cache(size: int) -> Callable[[Callable[..., object]], object]:
        return lambda function: _lru_cache_wrapper(function, size, False, tuple)

    stand_in = type(sys)("functools")
    stand_in.lru_cache = lru_cache  # type: ignore[attr-defined]
    sys.modules["functools"] = stand_in
    try:
        import _sqlite3  # noqa: F401 - loaded, for index/read.py to find
    except (ImportError, AttributeError):
        pass
    finally:
        del sys.modules["functools"]


if "functools" not in sys.modules and "_sqlite3" not in sys.modules:
    _load()
