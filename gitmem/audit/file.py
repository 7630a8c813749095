"""What is wrong with one file, whatever stands beside it; every commit waits for this, so it is cheap to import."""

from __future__ import annotations

from gitmem.audit.text import text_findings
from gitmem.memory.field import as_items, as_text
from gitmem.memory.finding import Finding

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.memory.document import Memory

TYPES = ("user", "feedback", "project", "reference")
DEFAULT_TYPE = "reference"  # of a memory that names none


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


def file_findings(memory: Memory) -> Iterator[Finding]:
    """What is wrong with one file, its type and its head's presence apart."""
    yield from memory.findings
    yield from text_findings(memory)


def kind_findings(memory: Memory, facts: Facts) -> Iterator[Finding]:
    """The rules no-head and type."""
    if memory.body_line == 1:
        if not any(each.rule in ("head-open", "head-shape") for each in memory.findings):
            yield Finding("no-head", memory.path, 0, "has no frontmatter")
        return
    prefix = prefix_of(memory.path)
    effective = facts.type or DEFAULT_TYPE
    if prefix in TYPES and effective.lower() != prefix:
        says = f"the head says {effective}" if facts.type else f"the head names no type, which counts as {DEFAULT_TYPE}"
        yield Finding("type", memory.path, 0, f"the file name says {prefix}, {says}")


def prefix_of(path: str) -> str:
    """The word before the first ``_`` of the file name, in lower case; "" without one."""
    word, line, _ = path.rpartition("/")[2].partition("_")
    return word.lower() if line else ""
