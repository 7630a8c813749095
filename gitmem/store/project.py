"""What a project is recognised by: its record in the store, and which folder was found to be which project.

The record, ``projects/<id>/project.yaml``, travels with the store; it is lines of ``key: value`` and ``- item``, which
is YAML and is read without it.  The second, a file on this machine, is derived: it spares the hook a look at
a repository's history, and one that is gone or old is worked out anew by ``gitmem refresh``.
Hot: the cheap set only.
"""

from __future__ import annotations

import os

from gitmem.errors import GitmemError
from gitmem.store.paths import PROJECT_FILE, PROJECTS, known_places
from gitmem.store.trust import escaped, place_of, read_lines, unescaped
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from gitmem.store.gitdir import GitDir

HEAD = "# What this project is recognised by; written by gitmem, kept when a repository is renamed, moved or cloned.\n"
LISTS = ("roots", "remotes", "folders")
MAX_RECORD_BYTES = 64 * 1024
QUOTED = ("'", '"')
DEFAULT_PORTS = {"ssh": "22", "https": "443", "http": "80", "git": "9418"}


class Project:
    """One project as its record tells it.

    id:      the name of its folder below ``projects/``
    name:    what people call it
    part:    the folder inside its repository, posix; "" for the whole
    roots:   ids of root commits; remotes: addresses as ``normal_remote`` gives them
    folders: paths, of a project without a history and without a remote
    aliases: its other ids, where it got one on each of several machines (write/project_twins.py)
    """

    __slots__ = ("aliases", "folders", "id", "name", "part", "remotes", "roots")

    def __init__(self, id: str, name: str = "", part: str = "") -> None:
        self.id, self.name, self.part = id, name or id, part
        self.roots: list[str] = []
        self.remotes: list[str] = []
        self.folders: list[str] = []
        self.aliases: list[str] = []

    def __repr__(self) -> str:
        return f"Project({self.id!r}, {self.name!r}, {self.part!r})"

    @property
    def ids(self) -> list[str]:
        """Every id of it, the one that stands for it first: in each of their folders are memories of it."""
        return [self.id, *self.aliases]

    def text(self) -> str:
        """The record as it is written."""
        lines = [HEAD, f"name: {_quoted(self.name)}\n"]
        lines += [f"part: {_quoted(self.part)}\n"] if self.part else []
        for key in LISTS:
            values: list[str] = getattr(self, key)
            lines += [f"{key}:\n", *(f"  - {_quoted(each)}\n" for each in values)] if values else []
        return "".join(lines)


def record_path(id: str) -> str:
    """The record's path in the store."""
    return f"{PROJECTS}/{id}/{PROJECT_FILE}"


def read_project(root: str, id: str) -> Project | None:
    """The project ``id`` of the store at ``root``; None when its record cannot be read."""
    try:
        data = read_file(root, record_path(id), MAX_RECORD_BYTES)
    except GitmemError:
        return None
    return parse_project(id, data.decode("utf-8-sig", "replace"))


def parse_project(id: str, text: str) -> Project:
    """The project a record tells of; a line that is none of gitmem's costs itself."""
    project, under = Project(id), ""
    for line in text.splitlines():
        bare = line.strip()
        if not bare or bare.startswith("#"):
            continue
        if bare.startswith("- "):
            value = _plain(bare[2:])
            if under in LISTS and value and value not in getattr(project, under):
                getattr(project, under).append(value)
            continue
        key, _, value = bare.partition(":")
        under, value = key.strip(), _plain(value)
        if under == "name" and value:
            project.name = value
        elif under == "part":
            project.part = value.strip("/")
    return project


def normal_remote(url: str) -> str:
    """A remote's address without scheme, user, password, usual port and ``.git``: ``github.com/acme/billing``.

    https, ssh and ``git@host:path`` of one repository come to the same; a path stays a path; "" for nothing usable.
    """
    url = url.strip()
    scheme, mark, rest = url.partition("://")
    if mark and scheme.lower() != "file":
        host, _, path = rest.partition("/")
    elif mark:
        return _path_of(rest)
    else:
        host, colon, path = url.partition(":")
        if not colon or "/" in host or "\\" in host or len(host) < 2:  # a path, also C:\repo
            return _path_of(url)
        scheme = "ssh"
    host = host.rpartition("@")[2].lower()
    port = DEFAULT_PORTS.get(scheme.lower().removeprefix("git+"), "")
    host = host.removesuffix(f":{port}") if port else host
    path = path.partition("?")[0].partition("#")[0].strip("/").removesuffix(".git").rstrip("/")
    return f"{host}/{path}" if host and path else ""


def stands_in(part: str, below: str) -> bool:
    """Whether the folder ``below`` lies in ``part`` of the same repository, or is it."""
    return not part or below == part or below.startswith(part + "/")


class Known:
    """Which projects one place was found to be.

    store: as ``place_of`` gives it; key: the common git folder, or the folder itself where there is no repository
    mark:  of the repository's settings and of the store's records, when it was found
    parts: id -> folder inside the repository
    """

    __slots__ = ("is_git", "key", "mark", "parts", "store")

    def __init__(self, store: str, key: str, is_git: bool, mark: str, parts: dict[str, str]) -> None:
        self.store, self.key, self.is_git, self.mark, self.parts = store, key, is_git, mark, parts

    def line(self) -> str:
        words = ["git" if self.is_git else "folder", escaped(self.store), escaped(self.key), self.mark]
        return " ".join([*words, *(f"{escaped(id)}={escaped(part)}" for id, part in self.parts.items())])


def read_places(home: str) -> list[Known]:
    """Every place that was looked at, the latest last; ``home``: gitmem's own folder on this machine."""
    found = []
    for line in read_lines(known_places(home)):
        words = line.split(" ")
        if len(words) < 4 or words[0] not in ("git", "folder") or words[3].count("/") != 1:
            continue
        parts = {unescaped(id): unescaped(part) for id, _, part in (word.partition("=") for word in words[4:]) if id}
        found.append(Known(unescaped(words[1]), unescaped(words[2]), words[0] == "git", words[3], parts))
    return found


def known_projects(home: str, root: str, top: str, git: GitDir | None, below: str) -> tuple[str, ...] | None:
    """The projects that the folder ``below`` of ``top`` was found to be, the innermost first.

    root:    of the store that keeps their memories
    returns: None when nobody looked since the repository's settings changed, or since a project came that it may be
    """
    store = place_of(root)
    key, mark = (place_of(git.common), place_mark(root, git)) if git is not None else (place_of(top), "")
    found: dict[str, str] = {}
    for known in read_places(home):
        if known.store != store or known.is_git != (git is not None):
            continue
        if git is None:
            if (key + os.sep).startswith(known.key.rstrip(os.sep) + os.sep):
                found.update(dict.fromkeys(known.parts, known.key))
        elif known.key == key:
            (settings, records), (settings_then, records_then) = mark.split("/"), known.mark.split("/")
            if settings_then != settings or (not known.parts and records_then != records):
                return None
            return innermost_first({id: part for id, part in known.parts.items() if stands_in(part, below)})
    return innermost_first(found) if git is None else None


def innermost_first(parts: dict[str, str]) -> tuple[str, ...]:
    """The ids by the depth of their folders."""
    return tuple(sorted(parts, key=lambda id: (-len(parts[id]), id)))


def place_mark(root: str, git: GitDir) -> str:
    """Changes when the repository's settings do, or a project comes to the store at ``root``."""
    marks = []
    for path in (os.path.join(git.common, "config"), os.path.join(root, PROJECTS)):
        try:
            state = os.stat(path)
            marks.append(f"{state.st_mtime_ns:x}.{state.st_size:x}")
        except OSError:
            marks.append("-")
    return "/".join(marks)


def merged_values(old: Iterable[str], new: Iterable[str]) -> list[str]:
    """Both, each once, the old ones first."""
    return list(dict.fromkeys([*old, *new]))


def _path_of(text: str) -> str:
    path = text.replace("\\", "/").rstrip("/").removesuffix("/.git").removesuffix(".git").rstrip("/")
    return path if path.startswith("/") or path[1:3] == ":/" else ""


def _quoted(text: str) -> str:
    """``text`` as YAML in double quotes, on one line."""
    shown = "".join(mark if mark.isprintable() else " " for mark in text)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _plain(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in QUOTED:
        body = text[1:-1]
        return body.replace('\\"', '"').replace("\\\\", "\\") if text[0] == '"' else body.replace("''", "'")
    return text
