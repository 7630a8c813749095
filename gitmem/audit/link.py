"""Links between memories: the list's entries, ``[[wikilinks]]``, and fields that name other memories."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.document import Memory, split_lines
from gitmem.memory.field import as_items, as_text
from gitmem.memory.finding import Finding
from gitmem.memory.link import index_targets, link_names, resolve, wikilinks
from gitmem.memory.name import twin_key

# What a wikilink to a picture or a paper ends in: no memory is meant.
_ATTACHMENTS = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".bmp", ".avif", ".pdf", ".mp3", ".m4a", ".wav", ".ogg", ".mp4",
    ".mov", ".webm", ".canvas", ".base", ".csv", ".txt", ".html", ".zip", ".json", ".yaml", ".yml", ".py", ".js",
)  # fmt: skip
_SHELL = ("-", "$", '"', "'", "!", ":")  # `[[ -f file ]]` is a test, no link
_ROOM = 1024  # bytes below the size of a memory at which gitmem adds no more lines
_NAMING = ("supersedes", "superseded_by", "conflict_of")

Name = tuple[str, str, Sequence[str]]  # path, name, aliases


class Facts:
    """The few fields the audit asks for; all of ``known`` would cost half as much again as reading the head."""

    __slots__ = ("aliases", "id", "metadata", "name", "type")

    def __init__(self, memory: Memory) -> None:
        fields = memory.fields
        nested = fields.get("metadata")
        self.metadata = nested if isinstance(nested, dict) else {}
        self.name = as_text(fields.get("name"))
        self.aliases = as_items(fields.get("aliases")) if "aliases" in fields else ()
        self.type = as_text(fields.get("type")) or as_text(self.metadata.get("type"))
        self.id = as_text(self.metadata.get("id"))


@dataclass(slots=True)
class Links:
    """What the memories say of each other, gathered while they are read.

    names:  what each may be called
    links:  path, line and target of each wikilink
    ids:    metadata.id -> the first path that has it
    naming: path, line, field and value of each field that names a memory
    """

    names: list[Name] = field(default_factory=list)
    links: list[tuple[str, int, str]] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    naming: list[tuple[str, int, str, str]] = field(default_factory=list)

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

    def findings(self, more: Sequence[Name], archive: Callable[[], Archive]) -> Iterator[Finding]:
        """The rules of wikilinks and of ids.

        more:    files that are no memories and may be linked to
        archive: asked only when a link or id leads to no memory
        """
        if not self.links and not self.naming:
            return
        names = link_names([*self.names, *more])
        lost = [each for each in self.links if resolve(each[2], names) is None]
        gone = [each for each in self.naming if each[3] not in self.ids and resolve(each[3], names) is None]
        if not lost and not gone:
            return
        archived = archive()
        for path, line, target in lost:
            if names.get(twin_key(target)) == "":
                yield Finding("ambiguous-link", path, line, f"[[{target}]] fits several memories")
            elif target.lower().endswith(_ATTACHMENTS):
                continue
            elif archived.holds(target):
                yield Finding("archived-link", path, line, f"[[{target}]] is in the archive")
            else:
                yield Finding("broken-link", path, line, f"[[{target}]] leads to no memory")
        for path, line, key, value in gone:
            if names.get(twin_key(value)) != "" and not archived.holds(value):
                yield Finding("dangling-id", path, line, f"`{key}` names {value}, and there is no such memory")


@dataclass(frozen=True, slots=True)
class Archive:
    """What archived memories are called."""

    ids: frozenset[str]
    names: Mapping[str, str]

    def holds(self, target: str) -> bool:
        return target in self.ids or twin_key(target) in self.names or resolve(target, self.names) is not None


def archive_of(memories: Sequence[tuple[Memory, Facts]], unread: Sequence[str]) -> Archive:
    """The archive's names.

    memories: with their paths inside the archive; unread: those that only have a file name
    """
    named: list[Name] = [(memory.path, facts.name, facts.aliases) for memory, facts in memories]
    named += [(path, "", ()) for path in unread]
    return Archive(frozenset(facts.id for _, facts in memories if facts.id), link_names(named))


def list_findings(
    index: Memory, paths: Mapping[str, bool], exists: Callable[[str], bool], *, size: int
) -> tuple[int, list[Finding]]:
    """How many memories the list names, and the rules dangling, unlisted and list-full.

    paths:  path of each memory -> whether the list should name it
    exists: whether a file of that path is there that is no memory
    size:   bytes of the list
    """
    found: list[Finding] = []
    keys = {twin_key(path) for path in paths}
    listed: set[str] = set()
    for line, target in index_targets(index.text):
        key = twin_key(target)
        if key in keys:
            listed.add(key)
        elif not target.startswith(("../", "/")) and "\\" not in target and not exists(target):
            found.append(Finding("dangling", index.path, line, f"links to {target}, and there is no such file"))
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
