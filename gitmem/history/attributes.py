"""git's attributes about line endings, read as data: ``*.md -text``, ``* text=auto``, ``a.md eol=crlf``.

Read only for a file that has CRLF.  A macro of one's own (``[attr]``) and ``[...]`` in a pattern name nothing here.

source: gitattributes(5), "Description" and "End-of-line conversion"
"""

from __future__ import annotations

import os

from gitmem.history.identity import person_config
from gitmem.store.ignore import Pattern
from gitmem.store.paths import ATTRIBUTES_FILE, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.history.repo import Repo

UNSAID, NEVER, ALWAYS, AUTO = "", "never", "always", "auto"  # whether CRLF becomes LF on the way into git
MAX_BYTES = 1 << 20
SYSTEM = "/etc/gitattributes"
READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)

Row = tuple[Pattern, str, dict[str, str]]  # the pattern, the folder it fits as a whole ("" for none), what it says


class Attributes:
    """The attributes of one repository's files; each file of them is read once."""

    def __init__(self, repo: Repo, environ: Mapping[str, str]) -> None:
        self.repo, self.environ = repo, environ
        self._files: dict[str, list[Row]] = {}

    def line_ends(self, path: str) -> str:
        """What the attributes say of CRLF in ``path``: NEVER, ALWAYS, AUTO; UNSAID where a setting decides."""
        said: dict[str, str] = {}
        for file, inner in self._places(path):
            for pattern, whole, words in self._rows(file):
                if pattern.fits(inner, is_folder=False) or (whole and inner.startswith(f"{whole}/")):
                    said.update(words)
        text = said.get("text") or said.get("crlf", "")  # the second is what the first was called once
        if text in (NEVER, AUTO):
            return text
        return ALWAYS if text or said.get("eol") in ("lf", "crlf") else UNSAID

    def _places(self, path: str) -> Iterator[tuple[str, str]]:
        """Each file of attributes, the one that has the last word last, and ``path`` as it is seen from there."""
        home = self.environ.get("XDG_CONFIG_HOME") or os.path.join(self.environ.get("HOME", ""), ".config")
        own = person_config(self.repo.git, self.environ).get("core.attributesfile", [""])[-1]
        if own.startswith("~/"):
            own = os.path.join(self.environ.get("HOME", ""), own[2:])
        if not self.environ.get("GIT_ATTR_NOSYSTEM"):
            yield SYSTEM, path
        yield own or os.path.join(home, "git", "attributes"), path
        parts = path.split("/")
        for depth in range(len(parts)):
            folder = "/".join([*parts[:depth], ATTRIBUTES_FILE])
            yield join(self.repo.root, folder), "/".join(parts[depth:])
        yield os.path.join(self.repo.git.common, "info", "attributes"), path

    def _rows(self, file: str) -> list[Row]:
        if file not in self._files:
            is_own = file.startswith(self.repo.root) and os.path.basename(file) == ATTRIBUTES_FILE
            self._files[file] = list(_parsed(_text(file, NO_FOLLOW if is_own else 0)))
        return self._files[file]


def _text(file: str, flags: int) -> str:
    """The text of a file, "" when there is none; in the working tree git follows no link either."""
    try:
        handle = os.open(file, READ | flags)
    except OSError:
        return ""
    try:
        return os.read(handle, MAX_BYTES).decode("utf-8-sig", "surrogateescape")
    except OSError:  # a folder
        return ""
    finally:
        os.close(handle)


def _parsed(text: str) -> Iterator[Row]:
    for line in text.splitlines():
        pattern, words = _split(line.strip())
        said: dict[str, str] = {}
        for word in words:
            said.update(_said(word))
        if said and pattern and not pattern.startswith(("#", "[attr]", "!")):
            whole = pattern.removesuffix("/**").strip("/") if pattern.endswith("/**") else ""
            yield Pattern(pattern), whole, said


def _split(line: str) -> tuple[str, list[str]]:
    """The pattern of a line, which may be quoted, and the words behind it."""
    if line.startswith('"') and (end := line.find('"', 1)) > 0:
        return line[1:end], line[end + 1 :].split()
    pattern, *words = line.split() or [""]
    return pattern, words


def _said(word: str) -> dict[str, str]:
    """What one word of a line says of line endings: attribute -> NEVER, ALWAYS, AUTO, "" for unsaid, or a value."""
    name, _, value = word.lstrip("-!").partition("=")
    if name == "binary" and word == name:
        return {"text": NEVER}
    if name == "eol":
        return {"eol": value if word[0] not in "-!" else ""}
    if name not in ("text", "crlf"):
        return {}
    if word[0] == "!":
        return {name: UNSAID}
    if word[0] == "-":
        return {name: NEVER}
    return {name: {"": ALWAYS, "input": ALWAYS, "auto": AUTO}.get(value, UNSAID)}
