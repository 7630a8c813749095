"""Which stores the person trusts, and which memories wait for a word of theirs; read as text.

A store that is merely found inside a project is named in a file outside of it, by its path and by a random word
that stands in its git folder: neither another store at that path nor a copy elsewhere is taken for it.
Never writes.
Hot: the cheap set only.
"""

from __future__ import annotations

import os

from gitmem.store.gitdir import GitDir
from gitmem.store.paths import authors, join, trust_mark, trusted_stores, withheld

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

OURS = ("commit", "gitmem: ", "checkout: ")  # how a reflog says that a move was made on this machine
JOINS = ("gitmem: sync", "gitmem: purge")  # but these bring what others wrote, or make it anew
MAX_LOG_BYTES = 64 * 1024  # of a reflog's end that are read
MAX_LINES_BYTES = 4 * 1024 * 1024  # of a file of this module
HEX = frozenset("0123456789abcdef")
WORD_CHARS = 32


def is_trusted(root: str, git: GitDir, home: str) -> bool:
    """Whether the person said ``gitmem trust`` of the store at ``root``, and it is still that repository.

    home: gitmem's own folder on this machine
    """
    word = mark_of(git)
    return bool(word) and trusted(home).get(place_of(root)) == word


def trusted(home: str) -> dict[str, str]:
    """path -> word in its git folder, of every store the person trusts."""
    found: dict[str, str] = {}
    for line in read_lines(trusted_stores(home)):
        word, _, path = line.partition(" ")
        if is_word(word) and path:
            found[unescaped(path)] = word
    return found


def mark_of(git: GitDir) -> str:
    """The word by which the repository is known again, "" when it has none."""
    lines = read_lines(trust_mark(git.common))
    return lines[0] if lines and is_word(lines[0]) else ""


def place_of(path: str) -> str:
    """``path`` as it is compared: links resolved, and letters where the system does not tell them apart."""
    return os.path.normcase(os.path.realpath(path))


def withheld_paths(git_dir: str) -> dict[str, str]:
    """path -> address of the author, of the memories no prompt gets before ``gitmem trust --author``."""
    found: dict[str, str] = {}
    for line in read_lines(withheld(git_dir)):
        email, _, path = line.partition(" ")
        if path:
            found[unescaped(path)] = unescaped(email)
    return found


def came_from_elsewhere(git: GitDir) -> bool:
    """Whether HEAD moved, since authors were last looked at, by anything but a commit or a checkout on this machine.

    Then it is not known yet who wrote the files that changed.  Where authors are not looked at, it is never so.
    """
    since = (read_lines(authors(git.path)) or [""])[0].partition(" ")[2]
    if not since:
        return False
    for line in reversed(log_end(os.path.join(git.path, "logs", "HEAD"))):
        before, after, rest = line[:40], line[41:81], line.partition("\t")[2]
        if after == since:
            return False
        if before == after:  # a stash tells the log of a reset that moved nothing
            continue
        if not rest.startswith(OURS) or rest.startswith(JOINS):
            return True
        if before == since:
            return False
    return False


def written_since(git: GitDir, root: str, paths: Iterable[str]) -> list[str]:
    """Those of ``paths`` that were written after HEAD last moved: they did not come with that move.

    By the log's own time, which git writes after the files; what an archive unpacked keeps an older one and waits.
    """
    try:
        moved = os.stat(os.path.join(git.path, "logs", "HEAD")).st_mtime_ns
    except OSError:
        return []
    found = []
    for path in paths:
        try:
            if os.stat(join(root, path), follow_symlinks=False).st_mtime_ns > moved:
                found.append(path)
        except OSError:
            continue
    return found


def read_lines(path: str) -> list[str]:
    """The lines of a small text file of gitmem's own, [] when there is none."""
    try:
        source = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return []
    try:
        return os.read(source, MAX_LINES_BYTES).decode("utf-8", "surrogateescape").split("\n")
    except OSError:
        return []
    finally:
        os.close(source)


def log_end(path: str, max_bytes: int = MAX_LOG_BYTES) -> list[str]:
    """The last lines of a reflog, whole ones."""
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - max_bytes))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return []
    lines = text.split("\n")
    return [line for line in (lines[1:] if size > max_bytes else lines) if line]


def escaped(text: str) -> str:
    """``text`` as one word of a line: no blanks, no line breaks."""
    for sign in "%\n\r\t ":
        text = text.replace(sign, f"%{ord(sign):02x}")
    return text


def unescaped(text: str) -> str:
    for sign in " \t\r\n%":
        text = text.replace(f"%{ord(sign):02x}", sign)
    return text


def is_word(text: str) -> bool:
    """Whether ``text`` has the form of a repository's word."""
    return len(text) == WORD_CHARS and HEX.issuperset(text)
