"""Names: what other systems cannot hold, twins, copies that cloud drives made, what killed programs left."""

from __future__ import annotations

from gitmem.errors import BadName
from gitmem.memory.finding import Finding
from gitmem.memory.name import check_path, twin_key, unread_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./")
_LONG_STEM, _LONG = 8, 100  # between them no device's name and nothing near a limit

# What drives write into the name of the second text, in the languages they are used in.
_COPY_WORDS = (
    "conflicted copy", "case conflict", "sfconflict", "sync-conflict", "in konflikt stehende kopie", "copie en conflit",
    "copia en conflicto", "copia in conflitto", "conflicterend exemplaar", "冲突副本", "衝突複本", "競合コピー",
    "конфликтующая копия",
)  # fmt: skip
# Patterns are compiled, and `re` is imported, when a name first asks for one: most never do, and a commit waits for it.
_COPIES = r"(?i)[ (_.\-]conflict[-_ ]?\d{4}|\.conflict\.md$|\(conflict(?: \d+)?\)\.md$|\.sync-conflict-\d{8}"
_NUMBERED = r"(?i)(?P<stem>.+?)(?: (?:[2-9]|1\d)|\s?\(\d{1,2}\))(?P<end>\.md)"
_MACHINE = (
    r"(?i)(?P<stem>.+?)-(?:(?:desktop|laptop)-[0-9a-z]{5,8}|win-[0-9a-z]{8,12}|[\w-]*macbook[\w-]*|[\w-]+-pc)"
    r"(?P<end>\.md)"
)
_LEFTOVERS = (
    r"(?i)\.md\.(?:[\w-]+\.)*tmp$|\.md\.tmp[\w-]*$|\.md\.(?:orig|rej)$|^\..*\.gitmem-[0-9a-z_]+(?:\.(?:new|old))?$"
)


def name_findings(path: str, folders: dict[str, bool]) -> Iterator[Finding]:
    """The rules name and sync-copy (the copies that are told by their own name) for one path.

    folders: folders looked at already, and whether their names are plain
    """
    if not _is_plain(path, folders):
        try:
            check_path(path)
        except BadName as error:
            yield Finding("name", path, 0, unread_name(path) or error.message.replace("; type ", "; rename it to "))
    name = path.rpartition("/")[2]
    low = name.lower()
    if ("conflict" in low or not low.isascii() or "copi" in low or "kopie" in low) and _is_copy(name):
        yield Finding("sync-copy", path, 0, "a cloud drive or sync program made this copy, since two texts met")


def _is_copy(name: str) -> bool:
    import re

    return any(word in name.lower() for word in _COPY_WORDS) or bool(re.search(_COPIES, name))


def _is_plain(path: str, folders: dict[str, bool]) -> bool:
    """A cheap look before ``check_path``, for the many names that hold nothing unusual."""
    folder, _, name = path.rpartition("/")
    if not _PLAIN.issuperset(name) or not _LONG_STEM < name.find(".") < _LONG or len(folder) > _LONG:
        return False
    plain = folders.get(folder)
    if plain is None:
        try:
            check_path(f"{folder}/ordinary.md" if folder else "ordinary.md")
            plain = True
        except BadName:
            plain = False
        folders[folder] = plain
    return plain


def copy_findings(names: Mapping[str, str]) -> Iterator[Finding]:
    """The rule sync-copy for what is told by the file beside it: ``plan 2.md``, ``plan-LAPTOP-X1Y2Z3W.md``.

    names: path -> the head's name; a copy has the same one as the original, another memory does not
    """
    import re

    for path in names:
        if path[-4:-3].isalpha() and "-" not in path:
            continue
        folder, slash, name = path.rpartition("/")
        for pattern in (_NUMBERED, _MACHINE):
            found = re.fullmatch(pattern, name, re.DOTALL)
            original = f"{folder}{slash}{found['stem']}{found['end']}" if found else ""
            if original and names.get(original) == names[path]:
                yield Finding("sync-copy", path, 0, f"looks like a copy of {original} that a cloud drive made")
                break


def twin_findings(paths: Iterable[str]) -> Iterator[Finding]:
    """The rule twin: files and folders that one file system may hold as one."""
    seen: dict[str, str] = {}
    known: set[str] = set()
    for path in sorted(paths):
        for part in _parts(path):
            if part in known:
                continue
            known.add(part)
            first = seen.setdefault(twin_key(part), part)
            if first != part and first.rpartition("/")[0] == part.rpartition("/")[0]:  # else their folders are twins
                yield _twin(part, first)


def twins_beside(path: str, names: Callable[[str], Iterable[str]]) -> Iterator[Finding]:
    """The rule twin for one new path.

    names: gives the names of the files and folders in a folder
    """
    for part in _parts(path):
        folder, slash, name = part.rpartition("/")
        key = twin_key(name)
        for other in names(folder):
            if other != name and (other.lower() if other.isascii() else twin_key(other)) == key:
                yield _twin(part, folder + slash + other)


def _twin(path: str, first: str) -> Finding:
    return Finding("twin", path, 0, f"differs from {first} only in case or in how its letters are composed")


def _parts(path: str) -> Iterator[str]:
    """``a/b/c.md`` as ``a``, ``a/b``, ``a/b/c.md``."""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
    yield path


def is_leftover(name: str) -> bool:
    """Whether a program that writes memories left this file when it was killed."""
    if not (".tmp" in name or ".gitmem-" in name or name.endswith((".orig", ".rej"))):
        return False
    import re

    return bool(re.search(_LEFTOVERS, name, re.DOTALL))
