"""What opening the index costs in modules: the hook is a cold process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def loaded(code: str) -> set[str]:
    """The modules a bare interpreter has after ``code``."""
    line = f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", line], check=True, capture_output=True, text=True)
    return set(done.stdout.split())


def test_sqlite_comes_without_functools_and_its_followers() -> None:
    """functools alone is half a bare interpreter."""
    modules = loaded("import gitmem.recall.choose")
    assert "_sqlite3" in modules
    assert not modules & {"functools", "collections", "re", "typing", "json", "sqlite3", "yaml", "dulwich"}


def test_who_wants_functools_afterwards_gets_the_real_one() -> None:
    """The stand-in does not outlive the import of _sqlite3."""
    code = (
        "import gitmem.index.sqlite, functools; assert functools.lru_cache.__module__ == 'functools'; functools.partial"
    )
    assert "functools" in loaded(code)


def test_with_functools_loaded_the_cache_of_statements_is_the_real_one() -> None:
    """The command line keeps SQLite's own cache."""
    loaded(
        "import functools, gitmem.index.sqlite as s; c = s.connect(':memory:'); assert c.execute('select 1').fetchone()"
    )
