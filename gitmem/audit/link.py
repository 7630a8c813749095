"""Links between memories: the list's entries, ``[[wikilinks]]``, and fields that name other memories."""

from __future__ import annotations

from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.document import split_lines
from gitmem.memory.field import as_items
from gitmem.memory.finding import Finding
from gitmem.memory.link import SUFFIX, index_targets, link_names, resolve, stem, wikilinks
from gitmem.memory.name import twin_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gitmem.audit.file import Facts
    from gitmem.memory.document import Memory

    Name = tuple[str, str, Sequence[str]]  # path, name, aliases
    Renamed = Callable[[Sequence[str]], Mapping[str, str]]

# What a wikilink to a picture or a paper ends in: no memory is meant.
_ATTACHMENTS = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".pdf", ".mp3", ".m4a", ".wav", ".ogg", ".mp4",
    ".mov", ".webm", ".canvas", ".base", ".csv", ".txt", ".html", ".zip", ".json", ".yaml", ".yml", ".py", ".js",
)  # fmt: skip
_SHELL = ("-", "$", '"', "'", "!", ":")  # `[[ -f file ]]` is a test, no link
_ROOM = 1024  # bytes below the size of a memory at which gitmem adds no more lines
_NAMING = ("supersedes", "superseded_by", "conflict_of")


class Links:
    """What the memories say of each other, gathered while they are read.

    names:  what each may be called
    links:  path, line and target of each wikilink
    ids:    metadata.id -> the first path that has it
    naming: path, line, field and value of each field that names a memory
    """

    __slots__ = ("ids", "links", "names", "naming")

    def __init__(self) -> None:
        self.names: list[Name] = []
        self.links: list[tuple[str, int, str]] = []
        self.ids: dict[str, str] = {}
        self.naming: list[tuple[str, int, str, str]] = []

    def take(self, memory: Memory, facts: Facts) -> Iterator[Finding]:
        """Note what ``memory`` says; the rule duplicate-id is told at once."""
        path = memory.path
        self.names.append((path, facts.name, facts.aliases))
        self.take_links(memory)
        if facts.id:
            first = self.ids.setdefault(facts.id, path)
            if first != path:
                yield Finding("duplicate-id", path, _line_of(memory, "id"), f"has the id {facts.id} of {first}")
        for key in _NAMING:
            if key in facts.metadata:
                line = _line_of(memory, key)
                self.naming += [(path, line, key, value) for value in as_items(facts.metadata[key])]

    def take_links(self, memory: Memory) -> None:
        """Note the wikilinks of ``memory``, of its head too."""
        if "[[" in memory.text:
            self.links += [(memory.path, line, target) for line, target in wikilinks(memory.text) if _is_link(target)]

    def findings(self, more: Sequence[Name], archive: Callable[[], Archive], renamed: Renamed) -> Iterator[Finding]:
        """The rules of wikilinks and of ids.

        more:    files that are no memories and may be linked to
        archive: asked only when a link or id leads to no memory
        renamed: asked only when a link leads to none, as for ``list_findings``
        """
        if not self.links and not self.naming:
            return
        names = link_names([*self.names, *more])
        lost = [each for each in self.links if resolve(each[2], names) is None]
        gone = [each for each in self.naming if each[3] not in self.ids and resolve(each[3], names) is None]
        if not lost and not gone:
            return
        archived = archive()
        now = renamed([stem(target) + SUFFIX for _, _, target in lost])
        for path, line, target in lost:
            if names.get(twin_key(target)) == "":
                yield Finding("ambiguous-link", path, line, f"[[{target}]] fits several memories")
            elif target.lower().endswith(_ATTACHMENTS):
                continue
            elif archived.holds(target):
                yield Finding("archived-link", path, line, f"[[{target}]] is in the archive")
            else:
                new = now.get(stem(target) + SUFFIX, "")
                also = f"; {stem(target)}{SUFFIX} is called {new} now" if new else ""
                yield Finding("broken-link", path, line, f"[[{target}]] leads to no memory{also}")
        for path, line, key, value in gone:
            if names.get(twin_key(value)) != "" and not archived.holds(value):
                yield Finding("dangling-id", path, line, f"`{key}` names {value}, and there is no such memory")


class Archive:
    """What archived memories are called."""

    __slots__ = ("ids", "names")

    def __init__(self, ids: frozenset[str], names: Mapping[str, str]) -> None:
        self.ids, self.names = ids, names

    def holds(self, target: str) -> bool:
        return target in self.ids or twin_key(target) in self.names or resolve(target, self.names) is not None


def archive_of(memories: Sequence[tuple[Memory, Facts]], unread: Sequence[str]) -> Archive:
    """The archive's names.

    memories: with their paths inside the archive; unread: those that only have a file name
    """
    named: list[Name] = [(memory.path, facts.name, facts.aliases) for memory, facts in memories]
    named += [(path, "", ()) for path in unread]
    return Archive(frozenset(facts.id for _, facts in memories if facts.id), link_names(named))


def nothing_renamed(paths: Sequence[str]) -> Mapping[str, str]:  # noqa: ARG001
    """Where nobody knows what files were called before."""
    return {}


def list_findings(
    index: Memory,
    paths: Mapping[str, bool],
    exists: Callable[[str], bool],
    renamed: Renamed = nothing_renamed,
    *,
    size: int,
) -> tuple[int, list[Finding]]:
    """How many memories the list names, and the rules dangling, unlisted and list-full.

    paths:   path of each memory -> whether the list should name it
    exists:  whether a file of that path is there that is no memory
    renamed: gives what files are called now that stood at paths where none is
    size:    bytes of the list
    """
    gone: list[tuple[int, str]] = []
    keys = {twin_key(path): path for path in paths}
    listed: set[str] = set()
    for line, target in index_targets(index.text):
        key = twin_key(target)
        if key in keys:
            listed.add(key)
            if target in paths or exists(target):
                continue
        if not target.startswith(("../", "/")) and "\\" not in target and not exists(target):
            gone.append((line, target))
    now = {target: keys[key] for _, target in gone if (key := twin_key(target)) in keys}  # spelled in another case
    now |= renamed([target for _, target in gone]) if gone else {}
    found = [
        Finding("dangling", index.path, line, f"links to {target}, which is called {now[target]} now")
        if target in now
        else Finding("dangling", index.path, line, f"links to {target}, and there is no such file")
        for line, target in gone
    ]
    missing = [path for path, wanted in paths.items() if wanted and twin_key(path) not in listed]
    if missing and size > MAX_MEMORY_BYTES - _ROOM:
        message = f"has {size:,} bytes and gets no more lines; it does not name {len(missing)} memories"
        found.append(Finding("list-full", index.path, 0, message))
    else:
        found += [Finding("unlisted", path, 0, f"no line of {index.path} names it") for path in missing]
    return len(listed), found


def _is_link(target: str) -> bool:
    """False for what only looks like a link: a test of a shell, a list in a list."""
    return not target.startswith(_SHELL) and not any(sign in target for sign in ("[", "]", " = ", " == ", "&&", "||"))


def _line_of(memory: Memory, key: str) -> int:
    """The line of the head on which a field below metadata stands, 0 when it is not found."""
    for number, line in enumerate(split_lines(memory.text), 1):
        if number >= memory.body_line:
            break
        if line.lstrip(" \t\"'").startswith(key) and line[:1] in (" ", "\t"):
            return number
    return 0
