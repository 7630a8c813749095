"""The audit of a whole store: each file is taken once, then what they say of each other is judged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gitmem.audit.file import TYPES, Facts, file_findings, kind_findings, prefix_of
from gitmem.audit.link import Archive, Links, archive_of, list_findings, nothing_renamed
from gitmem.audit.name import copy_findings, name_findings, twin_findings
from gitmem.audit.report import Report, ordered
from gitmem.memory.document import Memory, read_memory
from gitmem.memory.finding import Finding
from gitmem.memory.name import RESERVED_FILES
from gitmem.store.paths import INDEX_FILE, PROJECT_FILE, PROJECTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.audit.link import Renamed

OWN_FOLDERS = ("journal/", "tasks/", "dreams/")  # written by gitmem itself: not in the list, without a type


def audit(
    files: Mapping[str, bytes],
    *,
    index_file: str = INDEX_FILE,
    archived: Mapping[str, bytes] | None = None,
    others: Iterable[str] = (),
) -> Report:
    """Judge ``files``: path -> bytes of every memory, and of the list when there is one.

    archived: path inside the archive -> bytes
    others:   files that are there and are no memories
    """
    auditor = Auditor(index_file)
    for path, data in files.items():
        auditor.take(path, data)
    there = set(others)
    kept = archived or {}
    return auditor.report(lambda: archive_from(kept.items()), lambda path: path in there)


class Auditor:
    """Takes files one by one, so that a large store never stands in memory."""

    def __init__(self, index_file: str = INDEX_FILE) -> None:
        self.index_file = index_file
        self.found: list[Finding] = []
        self.links = Links()
        self.paths: dict[str, bool] = {}
        self.index: Memory | None = None
        self._folders: dict[str, bool] = {}
        self._unprefixed: list[str] = []
        self._prefixed = 0

    def take(self, path: str, data: bytes) -> None:
        """Judge one file by itself, and note what it says of others."""
        memory = read_memory(path, data)
        if path == self.index_file:
            self.index = memory
            self.found += file_findings(memory)
            self.links.take_links(memory)
            return
        facts = Facts(memory)
        self.paths[path] = not path.startswith(OWN_FOLDERS)
        self.found += file_findings(memory)
        self.found += name_findings(path, self._folders)
        self.found += self.links.take(memory, facts)
        if self.paths[path]:
            self.found += kind_findings(memory, facts)
            self._note_prefix(path, facts)

    def take_unread(self, findings: Sequence[Finding]) -> None:
        """Note what could not be read as a memory; it takes part in no other rule."""
        self.found += findings

    def _note_prefix(self, path: str, facts: Facts) -> None:
        prefix = prefix_of(path)
        if prefix and prefix in (*TYPES, facts.type.lower()):
            self._prefixed += 1
        elif "/" not in path:
            self._unprefixed.append(path)

    def report(
        self, archive: Callable[[], Archive], exists: Callable[[str], bool], renamed: Renamed = nothing_renamed
    ) -> Report:
        """Everything that is wrong.

        archive: gives the archive's names; asked only when a link leads to no memory
        exists:  whether a file is there that is no memory
        renamed: gives what files are called now that links lead to and that are gone; asked only for those
        """
        entries = -1
        if self.index is not None:
            wanted = {path: wants and not _is_of_project(path, exists) for path, wants in self.paths.items()}
            entries, found = list_findings(self.index, wanted, exists, renamed, size=len(self.index.data))
            self.found += found
        others = [(name, "", ()) for name in (*RESERVED_FILES, self.index_file)]
        self.found += self.links.findings(others, archive, renamed)
        self.found += twin_findings(self.paths)
        self.found += copy_findings({path: name for path, name, _ in self.links.names})
        if self._prefixed and self._prefixed >= len(self._unprefixed):  # else such names are no habit here
            message = "its name does not begin with a type, as most names here do"
            self.found += [Finding("no-prefix", path, 0, message) for path in self._unprefixed]
        return Report(len(self.paths), entries, ordered(self.found))


def _is_of_project(path: str, exists: Callable[[str], bool]) -> bool:
    """Whether ``path`` is a project's, which gets no line: sessions in other projects read the list, too."""
    parts = path.split("/")
    return len(parts) > 2 and parts[0] == PROJECTS and exists("/".join([*parts[:2], PROJECT_FILE]))


def archive_from(files: Iterable[tuple[str, bytes | None]]) -> Archive:
    """The names of archived memories; None for a file that cannot be read, which still has its file name."""
    read: list[tuple[Memory, Facts]] = []
    unread: list[str] = []
    for path, data in files:
        if data is None:
            unread.append(path)
        else:
            memory = read_memory(path, data)
            read.append((memory, Facts(memory)))
    return archive_of(read, unread)
