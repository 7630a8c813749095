"""The fields gitmem knows, typed and within their limits; the rest stays in ``Memory.fields``.

Lenient on purpose: a value of the wrong shape is read as well as it can be, never refused
(A2, A4).  Differences from sage-mem: a comment behind ``baseline: true`` does not make
it false, list items need no indentation, ``，`` and ``、`` part a list written as text.
Hot: the cheap set only.
"""

from __future__ import annotations

from gitmem.limits import MAX_ALIAS_CHARS, MAX_ALIASES, MAX_TAG_CHARS, MAX_TAGS
from gitmem.memory.age import unix_seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.memory.document import Memory
    from gitmem.memory.line_head import Value

NESTED_DATES = ("updated", "modified", "expires")  # below metadata
TRUE_WORDS = ("true", "yes", "1")


class Known:
    """What a head says, as gitmem understands it; "" , () , False or 0.0 when it says nothing.

    tags:              at most 20 of 40 characters; aliases: at most 24 of 60
    type, updated:     at top level, else under metadata; ``updated`` else ``metadata.modified`` (Claude Code)
    baseline:          top level only, as baseline_priority (any finite number, higher first)
    id kind trust pinned muted expires importance triggers seed supersedes superseded_by: under metadata only
    updated, expires:  as written; memory/age.py reads them
    """

    __slots__ = (
        "aliases",
        "baseline",
        "baseline_priority",
        "description",
        "expires",
        "id",
        "importance",
        "kind",
        "muted",
        "name",
        "pinned",
        "seed",
        "superseded_by",
        "supersedes",
        "tags",
        "triggers",
        "trust",
        "type",
        "updated",
    )

    def __init__(self, fields: dict[str, Value]) -> None:
        nested = fields.get("metadata")
        metadata: dict[str, Value] = nested if isinstance(nested, dict) else {}
        self.name: str = as_text(fields.get("name"))
        self.description: str = as_text(fields.get("description"))
        self.tags = _limited(fields.get("tags"), MAX_TAGS, MAX_TAG_CHARS)
        self.aliases = _limited(fields.get("aliases"), MAX_ALIASES, MAX_ALIAS_CHARS)
        self.type: str = as_text(fields.get("type")) or as_text(metadata.get("type"))
        self.updated: str = (
            as_text(fields.get("updated")) or as_text(metadata.get("updated")) or as_text(metadata.get("modified"))
        )
        self.baseline: bool = is_true(fields.get("baseline"))
        self.baseline_priority: float = as_number(fields.get("baselinePriority"))
        self.id: str = as_text(metadata.get("id"))
        self.kind: str = as_text(metadata.get("kind"))
        self.trust: str = as_text(metadata.get("trust"))
        self.pinned: bool = is_true(metadata.get("pinned"))
        self.muted: bool = is_true(metadata.get("muted"))
        self.expires: str = as_text(metadata.get("expires"))
        self.importance: float = as_number(metadata.get("importance"))
        self.triggers: tuple[str, ...] = tuple(map(_on_one_line, as_items(metadata.get("triggers"))))
        self.seed: bool = is_true(metadata.get("seed"))
        self.supersedes: tuple[str, ...] = tuple(map(_on_one_line, as_items(metadata.get("supersedes"))))
        self.superseded_by: str = as_text(metadata.get("superseded_by"))


def known(memory: Memory) -> Known:
    """The known fields of ``memory``; never raises."""
    return Known(memory.fields)


def unread_dates(fields: dict[str, Value]) -> list[tuple[str, str]]:
    """Key and text of each date that age.py cannot read: it would count as none, and nobody would know."""
    metadata = fields.get("metadata")
    nested = metadata if isinstance(metadata, dict) else {}
    given = [("updated", fields.get("updated"))] if "updated" in fields else []
    given += [(key, nested[key]) for key in NESTED_DATES if key in nested]
    dates = [(key, as_text(value)) for key, value in given]
    return [(key, text) for key, text in dates if text and unix_seconds(text) is None]


def title(memory: Memory, known: Known) -> str:
    """What to call the memory: its name, else its first ``# `` heading, else its file's stem; one line."""
    name = " ".join(known.name.split())
    if name:
        return name
    if memory.body.startswith("# ") or "\n# " in memory.body or "\r# " in memory.body:
        fence = ""
        for line in memory.body.splitlines():
            mark = line.lstrip(" ")[:3]
            if mark in ("```", "~~~") and (not fence or mark == fence):
                fence = "" if fence else mark
            elif not fence and line.startswith("# ") and line[2:].strip():
                return line[2:].strip().rstrip("#").rstrip()
    stem = memory.path.rpartition("/")[2]
    return stem[:-3] if stem.lower().endswith(".md") else stem


def as_text(value: Value | None) -> str:
    """One string of any shape: items joined by commas, pairs as ``key: value``; outer blanks gone."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return ", ".join(text for text in map(as_text, value) if text)
    return ", ".join(_pair(key, each) for key, each in value.items())


def as_items(value: Value | None) -> list[str]:
    """The items of a list, or of a text with commas (also ``，`` and ``、``); empty ones dropped."""
    if value is None:
        return []
    if isinstance(value, str):
        parts = [_unquoted(part.strip()) for part in value.replace("，", ",").replace("、", ",").split(",")]
    elif isinstance(value, list):
        parts = [as_text(item) for item in value]
    else:
        parts = [_pair(key, each) for key, each in value.items()]
    return [part for part in parts if part]


def as_number(value: Value | None) -> float:
    """A finite number, else 0.0."""
    try:
        number = float(as_text(value))
    except ValueError:
        return 0.0
    return number if number - number == 0.0 else 0.0


def is_true(value: Value | None) -> bool:
    return as_text(value).lower() in TRUE_WORDS


def _pair(key: str, value: Value) -> str:
    text = as_text(value)
    return f"{key}: {text}" if text else key.strip()


def _limited(value: Value | None, max_items: int, max_chars: int) -> tuple[str, ...]:
    return tuple([_on_one_line(item)[:max_chars] for item in as_items(value)[:max_items]])


def _on_one_line(item: str) -> str:
    """``item`` with its line breaks as blanks: the index keeps a list as lines."""
    return item if item.isprintable() else " ".join(item.split())


def _unquoted(text: str) -> str:
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
