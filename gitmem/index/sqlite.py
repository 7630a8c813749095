"""SQLite at the smallest price: its C half, without functools.

``_sqlite3`` imports functools, and with it collections and six more modules, for one thing: a cache of
compiled statements.  Measured in instructions, that is half a bare interpreter (14 of 28 million).  A hook
runs each statement once, so a stand-in without a cache serves while ``_sqlite3`` is
loaded; who imports functools afterwards gets the real one.
Hot: standard library only.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3 as sqlite
else:
    _stand_in = "functools" not in sys.modules and "_sqlite3" not in sys.modules

    def _no_cache(_size):
        """Instead of ``lru_cache(size)(connection)``: a connection that is called with a text makes a statement."""
        return lambda connection: connection

    if _stand_in:
        _module = type(sys)("functools")
        _module.lru_cache = _no_cache
        sys.modules["functools"] = _module
    try:
        import _sqlite3 as sqlite
    except ImportError:  # not CPython, or another wish of functools: the whole package then
        sys.modules.pop("functools", None)
        import sqlite3 as sqlite
    finally:
        if _stand_in and sys.modules.get("functools") is _module:
            del sys.modules["functools"]

Connection = sqlite.Connection
DatabaseError = sqlite.DatabaseError
Error = sqlite.Error
OperationalError = sqlite.OperationalError
connect = sqlite.connect
