"""The settings of a store, ``.gitmem/config.yaml``: tracked, so that they travel with it.

The file may come from a stranger: it is read as plain strings, without aliases and
tags, within bounds (L1).  A bad value costs itself and gives a finding.
Hot to import; YAML is loaded only where a file is parsed.
"""

from __future__ import annotations

from gitmem.errors import BadName, NotFound, Refused
from gitmem.limits import (
    IDLE_DAYS,
    KEEP_POINTS,
    MAX_CONFIG_BYTES,
    MAX_HEAD_DEPTH,
    MAX_IDLE_DAYS,
    MAX_IGNORE_CHARS,
    MAX_IGNORES,
    MAX_POINTS,
)
from gitmem.memory.finding import Finding
from gitmem.memory.name import check_inside
from gitmem.store.format import FORMAT
from gitmem.store.paths import CONFIG_FILE, INDEX_FILE
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Value = str | list[str]

CANDIDATES = ("label", "off")
NESTED = "(a nested value)"  # stands for an item that is no text
MAX_DIGITS = 9  # of a number that are read
IDLE = "archive.idle_days"

DEFAULT_CONFIG = f"""\
# Settings of this gitmem store. They travel with it; what is left out has its default.
format: {FORMAT}

# Files and folders that are no memories. As in .gitignore: drafts/, "*.excalidraw.md", templates/**
ignore: []

# The list of all memories, at the top of the store.
index_file: {INDEX_FILE}

recall:
  # What a model wrote and no person has confirmed. label: recalled and called unverified; off: not recalled
  candidates: label
"""


class Settings:
    """What a store asks for.

    format:     number of the store's form, store/format.py
    ignore:     patterns of what is no memory, store/ignore.py
    index_file: name of the list of memories, at the top of the store
    candidates: "label" or "off": what recall does with unverified memories
    keep_points: number of rollback points that are kept
    locks:      paths of memories that nothing archives
    idle_days:  type -> days without use after which a memory may be archived; a type that is not there never is
    findings:   what the file says that could not be used
    """

    __slots__ = ("candidates", "findings", "format", "idle_days", "ignore", "index_file", "keep_points", "locks")

    def __init__(self) -> None:
        self.format = FORMAT
        self.ignore: tuple[str, ...] = ()
        self.index_file = INDEX_FILE
        self.candidates = CANDIDATES[0]
        self.keep_points = KEEP_POINTS
        self.locks: tuple[str, ...] = ()
        self.idle_days: dict[str, int] = dict(IDLE_DAYS)
        self.findings: list[Finding] = []

    def left_out(self) -> tuple[str, ...]:
        """The patterns ``list_memories`` wants: the ignore list, and an index file of another name."""
        return self.ignore if self.index_file == INDEX_FILE else (*self.ignore, "/" + self.index_file)


def default_settings() -> Settings:
    """The settings of a store that says nothing."""
    return Settings()


def load_settings(root: str) -> Settings:
    """The settings of the store at ``root``; the defaults where there is no file, with a finding where it is unfit."""
    try:
        data = read_file(root, CONFIG_FILE, MAX_CONFIG_BYTES)
    except NotFound:
        return Settings()
    except Refused as error:
        settings = Settings()
        settings.findings.append(Finding("config", CONFIG_FILE, 0, f"{error.message}; the defaults are used"))
        return settings
    return read_settings(data)


def read_settings(data: bytes) -> Settings:
    """The settings a file asks for; no YAML is loaded for the file that gitmem itself wrote."""
    if data == DEFAULT_CONFIG.encode():
        return Settings()
    return parse_settings(data.decode("utf-8-sig", "replace"))


def parse_settings(text: str) -> Settings:
    """The settings ``text`` asks for; a value that is not usable gives a finding and its default."""
    settings = Settings()
    try:
        fields = _fields(text)
    except _Unfit as unfit:
        _find(settings, unfit.line, f"{unfit}; the defaults are used")
        return settings
    seen: dict[str, int] = {}
    if any(key == IDLE or key.startswith(IDLE + ".") for key, _, _ in fields):
        settings.idle_days = {}  # what is said replaces the defaults as a whole
    for key, line, value in fields:
        reader = _READERS.get(key) or (_idle_days(key[len(IDLE) + 1 :]) if key.startswith(IDLE + ".") else None)
        if reader is None:
            _find(settings, line, f"'{key}' is no setting; remove it or correct its name")
        elif key in seen:
            _find(settings, line, f"'{key}' stands in line {seen[key]} already, and that one is used; remove one")
        elif complaint := reader(settings, value):
            _find(settings, line, f"{key}: {complaint}")
        seen.setdefault(key, line)
    return settings


class _Unfit(Exception):
    """The file cannot be read at all; ``line`` says where that was seen."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def _find(settings: Settings, line: int, message: str) -> None:
    settings.findings.append(Finding("config", CONFIG_FILE, line, message))


def _fields(text: str) -> list[tuple[str, int, Value]]:
    """Dotted key, line and value of every field, every scalar a string; raises _Unfit."""
    import yaml

    if len(text) > MAX_CONFIG_BYTES:
        raise _Unfit(f"the file is longer than {MAX_CONFIG_BYTES} characters", 0)
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        _check_plain(text, loader)
        root = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it holds a character no YAML may hold"
        raise _Unfit(f"this is no YAML: {problem}", mark.line + 1 if mark else 0) from error
    if root is None or (isinstance(root, yaml.ScalarNode) and not root.value):
        return []
    if not isinstance(root, yaml.MappingNode):
        raise _Unfit("settings are 'name: value' lines", root.start_mark.line + 1)
    fields: list[tuple[str, int, Value]] = []
    waiting = [("", root)]
    while waiting:
        prefix, mapping = waiting.pop()
        for key_node, node in mapping.value:
            key, line = f"{prefix}{key_node.value}", key_node.start_mark.line + 1
            if isinstance(node, yaml.MappingNode):
                waiting.append((key + ".", node))
            elif isinstance(node, yaml.SequenceNode):
                fields.append((key, line, [_shown(item.value) for item in node.value]))
            else:
                fields.append((key, line, node.value))
    return sorted(fields, key=lambda field: field[1])


def _check_plain(text: str, loader: type) -> None:
    """Raise _Unfit for aliases, tags and deep nesting, before anything is built of them."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=loader):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise _Unfit("aliases (& and *) are not read in settings; write the value out or quote it", line)
        if getattr(event, "tag", None):
            raise _Unfit("tags (!) are not read in settings; quote the value", line)
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1
        if depth > MAX_HEAD_DEPTH:
            raise _Unfit(f"settings nest at most {MAX_HEAD_DEPTH} deep", line)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else NESTED


def _format(settings: Settings, value: Value) -> str:
    if not isinstance(value, str) or not (value.isascii() and value.isdigit()) or len(value) > 9 or int(value) < 1:
        return f"a whole number from 1 on is wanted, not {value!r}; {FORMAT} is used"
    settings.format = int(value)
    return ""


def _ignore(settings: Settings, value: Value) -> str:
    wanted = [value] if isinstance(value, str) else value
    fit = [text for text in wanted if text.strip() and len(text) <= MAX_IGNORE_CHARS and text[0] != "!"]
    settings.ignore = tuple(fit[:MAX_IGNORES])
    if len(fit) > MAX_IGNORES:
        return f"{MAX_IGNORES} patterns are the most; the last {len(fit) - MAX_IGNORES} are not used"
    unfit = [text for text in wanted if text.strip() and text not in fit]
    if unfit:
        return f"the pattern {unfit[0][:40]!r} is not used: no '!', at most {MAX_IGNORE_CHARS} characters"
    return ""


def _index_file(settings: Settings, value: Value) -> str:
    wrong = f"a file name at the top of the store is wanted, such as {INDEX_FILE}, not {value!r}; {INDEX_FILE} is used"
    if not isinstance(value, str) or "/" in value or value[:1] == "." or not value.lower().endswith(".md"):
        return wrong
    try:
        check_inside(value)
    except BadName:
        return wrong
    settings.index_file = value
    return ""


def _candidates(settings: Settings, value: Value) -> str:
    if value not in CANDIDATES:
        return f"{' or '.join(CANDIDATES)} is wanted, not {value!r}; {CANDIDATES[0]} is used"
    settings.candidates = str(value)
    return ""


def _locks(settings: Settings, value: Value) -> str:
    if isinstance(value, str):
        return f"a list of paths is wanted, not {value!r}; nothing is locked" if value else ""
    settings.locks = tuple([path.removeprefix("./") for path in value if path.strip() and path != NESTED])
    return "" if len(settings.locks) == len(value) else "a list of paths is wanted; what is none of these is not used"


def _idle_days(kind: str) -> Callable[[Settings, Value], str]:
    """The reader of the days after which memories of one type may be archived."""

    def read(settings: Settings, value: Value) -> str:
        if not isinstance(value, str) or not (value.isascii() and value.isdigit()):
            return f"a whole number of days is wanted, or 0 for never, not {value!r}; {kind} is never archived"
        if int(value[:MAX_DIGITS]):
            settings.idle_days[kind.lower()] = min(int(value[:MAX_DIGITS]), MAX_IDLE_DAYS)
        return ""

    return read


def _no_idle_days(_: Settings, value: Value) -> str:
    wanted = "lines such as 'project: 90' are wanted below it"
    return "" if value in ("", "{}") else f"{wanted}, not {value!r}; nothing is archived for being idle"


def _keep_points(settings: Settings, value: Value) -> str:
    if not isinstance(value, str) or not (value.isascii() and value.isdigit()) or not 1 <= int(value) <= MAX_POINTS:
        return f"a whole number from 1 to {MAX_POINTS} is wanted, not {value!r}; {KEEP_POINTS} is used"
    settings.keep_points = int(value)
    return ""


_READERS: dict[str, Callable[[Settings, Value], str]] = {
    "format": _format,
    "ignore": _ignore,
    "index_file": _index_file,
    IDLE: _no_idle_days,
    "locks": _locks,
    "recall.candidates": _candidates,
    "rollback.keep": _keep_points,
}
