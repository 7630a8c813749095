"""Patterns of a store's ignore list: ``drafts/``, ``*.excalidraw.md``, ``templates/**``, ``/a/b.md``.

As in .gitignore, without negation and without ``[...]`` (a bracket in a name is
a bracket).  Matching takes linear steps back, so that no pattern can be slow.
Hot: imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class Pattern:
    """One line of the ignore list.

    ``*`` and ``?`` stay inside one name, ``**`` crosses folders, a final ``/`` or ``/**`` means a folder.
    A pattern with a ``/`` before its end counts from the store's folder, any other fits at any depth.
    """

    __slots__ = ("anchored", "folder", "parts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        text = text.strip().removeprefix("./")
        parts = [part for part in text.split("/") if part]
        self.folder = text.endswith("/")
        self.anchored = len(parts) > 1 or text.startswith("/")
        while len(parts) > 1 and parts[-1] == "**":
            parts.pop()
            self.folder = True
        self.parts = parts

    def fits(self, path: str, is_folder: bool) -> bool:
        """Whether ``path`` (posix, from the store's folder) is meant by this pattern itself, not by a folder above."""
        if self.folder and not is_folder:
            return False
        if not self.anchored:
            return fits_name(path.rpartition("/")[2], self.parts[0])
        return _fits(path.split("/"), self.parts, "**", fits_name)


def patterns(ignore: Sequence[str]) -> list[Pattern]:
    """The patterns of ``ignore``; blank ones name nothing."""
    return [Pattern(text) for text in ignore if text.strip(" ./")]


def fits_name(name: str, pattern: str) -> bool:
    """Whether one name fits ``pattern``, where ``*`` is any run of characters and ``?`` any one."""
    if "*" not in pattern and "?" not in pattern:
        return name == pattern
    if pattern[0] == "*" and "*" not in pattern[1:] and "?" not in pattern:  # *.excalidraw.md: the usual one, and fast
        return name.endswith(pattern[1:])
    return _fits(name, pattern, "*", _same)


def _same(mark: str, wanted: str) -> bool:
    return wanted == "?" or mark == wanted


def _fits(items: Sequence[str], wanted: Sequence[str], star: str, same: Callable[[str, str], bool]) -> bool:
    """Whether ``items`` fit ``wanted`` one by one, ``star`` standing for any run of them."""
    at = place = 0
    back, mark = -1, 0
    while at < len(items):
        if place < len(wanted) and wanted[place] == star:
            back, mark = place, at
            place += 1
        elif place < len(wanted) and same(items[at], wanted[place]):
            at, place = at + 1, place + 1
        elif back >= 0:  # let the last star take one more
            mark += 1
            at, place = mark, back + 1
        else:
            return False
    return all(part == star for part in wanted[place:])
