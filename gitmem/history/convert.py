"""What git keeps of a work file where it converts: the blob then differs from the file, and that is no edit.

gitmem's own stores switch conversion off (``*.md -text``), and that outweighs ``core.autocrlf``.  A person's repository
may have it on, by that setting or a ``text`` or ``eol`` attribute: then a file with CRLF stands in git with LF, and
gitmem keeps it so.
Filters, ``ident`` and other encodings need a program or a table of git's; there gitmem says so and writes nothing.

source: gitattributes(5), "End-of-line conversion"
"""

from __future__ import annotations

import os

from gitmem.errors import RepositoryBusy
from gitmem.history.attributes import ALWAYS, AUTO, NEVER
from gitmem.history.gitindex import CannotPatch
from gitmem.history.objects import object_id
from gitmem.store.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.history.view import View


def stored(view: View, path: str, data: bytes) -> bytes:
    """The bytes git keeps when the work file holds ``data``.

    raises: RepositoryBusy when git converts the file in a way that is not about line endings
    """
    return _plain(data) if b"\r\n" in data and _is_converted(view, path, data) else data


def check_unconverted(view: View, path: str) -> None:
    """Raise RepositoryBusy when git calls a file clean that differs from its blob by more than line endings."""
    committed, data = view.committed(path), view.read(path)
    if committed is None or data is None or committed[1] in (object_id("blob", data), object_id("blob", _plain(data))):
        return
    if _is_clean(view, path, committed[1]):
        raise RepositoryBusy(
            f"git converts {path} between the repository and the folder (a filter, ident or encoding attribute), which "
            "gitmem does not; nothing was written",
            hint='add "*.md -text -filter -ident -working-tree-encoding" to .gitattributes, then: '
            "git add --renormalize . && git commit",
        )


def _is_converted(view: View, path: str, data: bytes) -> bool:
    """Whether git turns CRLF into LF when ``data`` goes from ``path`` into the repository."""
    said = view.attributes().line_ends(path)
    if said in (NEVER, ALWAYS):
        return said == ALWAYS
    if said == AUTO or view.autocrlf():
        there = view.staged(path)
        old = view.repo.objects.read(there[1], "blob") if there is not None else b""
        return not _is_binary(data) and (b"\r\n" not in old or _is_binary(old))  # what stands there with CRLF keeps it
    committed, now = view.committed(path), view.read(path)
    if committed is None or now is None or committed[1] != object_id("blob", _plain(now)):
        return False
    return committed[1] != object_id("blob", now) and _is_clean(view, path, committed[1])


def _is_binary(data: bytes) -> bool:
    """Whether git takes ``data`` for no text where it decides itself."""
    return b"\0" in data or b"\r" in data.replace(b"\r\n", b"")


def _is_clean(view: View, path: str, blob: str) -> bool:
    """Whether git's index holds ``blob`` for the work file as it lies there, by its stat."""
    try:
        found = os.lstat(join(view.repo.root, path))
        return view.index().describes(path.encode("utf-8", "surrogateescape"), found, blob)
    except (CannotPatch, OSError):
        return False


def _plain(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")
