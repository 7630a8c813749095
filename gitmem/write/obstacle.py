"""What stands in the way of a write, seen without one: for those who ask whether all is well."""

from __future__ import annotations

import os

from gitmem.errors import GitmemError, StoreUnwritable
from gitmem.history.gitindex import CannotPatch
from gitmem.history.hold import check_foreign_lock
from gitmem.history.publish import guarded
from gitmem.history.repo import open_repo
from gitmem.history.settings import settings_of
from gitmem.history.view import Moved, View
from gitmem.store.format import check_format
from gitmem.store.paths import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DONE = "; nothing was written"  # how a refusal ends; here nobody tried


def obstacle(root: str, environ: Mapping[str, str]) -> str:
    """Why nothing can be written to the store at ``root`` now and what to type, as a sentence; "" when nothing is."""
    try:
        check_format(settings_of(root))
        with open_repo(root) as repo:
            view = View(repo, environ)
            for folder in dict.fromkeys([root, repo.git.path, repo.git.common]):
                if not os.access(folder, os.W_OK):
                    raise StoreUnwritable(f"you may not write {folder}", hint=f"ls -ld {typed(folder)}")
            for path in guarded(view):
                check_foreign_lock(path)
            view.index()
    except (CannotPatch, Moved):  # git's own program can write it; somebody is writing it
        return ""
    except GitmemError as error:
        hint = f"; {error.hint}" if error.hint else ""
        return f"memories are read, and nothing can be written: {error.message.removesuffix(DONE)}{hint}"
    return ""
