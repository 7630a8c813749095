"""The settings of a store, ``.gitmem/config.yaml``: tracked, so that they travel with it.

A bad value costs itself and gives a finding.  A file that is broken or not there lifts no lock and lets nothing in
that was left out: what can be read of it counts, and beside it what was known before (``Settings.beside``).
Hot to import; YAML is loaded only where a file is parsed.
"""

from __future__ import annotations

import os

from gitmem.errors import BadName, GitmemError, NotFound
from gitmem.limits import (
    IDLE_DAYS,
    KEEP_POINTS,
    MAX_CONFIG_BYTES,
    MAX_IDLE_DAYS,
    MAX_IGNORE_CHARS,
    MAX_IGNORES,
    MAX_POINTS,
)
from gitmem.memory.finding import Finding
from gitmem.memory.name import check_inside
from gitmem.store.format import FORMAT
from gitmem.store.paths import CONFIG_FILE, INDEX_FILE, join
from gitmem.store.settings_fields import NESTED, Unfit, read_fields, read_lines
from gitmem.store.worktree import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from gitmem.store.settings_fields import Value

CANDIDATES = ("label", "off")
MAX_DIGITS = 9  # of a number that are read
IDLE = "archive.idle_days"
TOGETHER = ("format", "ignore", "locks")  # of two in one file both count: no lock or pattern is lost, the newer format

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
    said:       the keys that the file names
    is_there:   False where there is no file, or an empty one
    broken:     the finding of a file that cannot be read to its end, None for a sound one; nobody knows all that such
                a file locks, so nothing is archived or removed until it is mended
    """

    __slots__ = (
        "broken", "candidates", "findings", "format", "idle_days", "ignore", "index_file", "is_there", "keep_points",
        "locks", "said",
    )  # fmt: skip

    def __init__(self) -> None:
        self.format = FORMAT
        self.ignore: tuple[str, ...] = ()
        self.index_file = INDEX_FILE
        self.candidates = CANDIDATES[0]
        self.keep_points = KEEP_POINTS
        self.locks: tuple[str, ...] = ()
        self.idle_days: dict[str, int] = dict(IDLE_DAYS)
        self.findings: list[Finding] = []
        self.said: set[str] = set()
        self.is_there = True
        self.broken: Finding | None = None

    @property
    def is_whole(self) -> bool:
        """Whether the file says all there is to say."""
        return self.is_there and self.broken is None

    def beside(self, earlier: Settings) -> Settings:
        """These of a file that is not whole, completed by what was known ``earlier``.

        Where there is no file all is as it was.  What a broken one says counts, and beside it every earlier lock and
        pattern, the newer format and the earlier value of all it does not name.
        """
        if not self.is_there:
            earlier.is_there = False
            return earlier
        self.ignore = tuple(dict.fromkeys([*self.ignore, *earlier.ignore]))
        self.locks = tuple(dict.fromkeys([*self.locks, *earlier.locks]))
        self.format = max(self.format, earlier.format)
        if "index_file" not in self.said:
            self.index_file = earlier.index_file
        if "recall.candidates" not in self.said:
            self.candidates = earlier.candidates
        if "rollback.keep" not in self.said:
            self.keep_points = earlier.keep_points
        return self

    def left_out(self) -> tuple[str, ...]:
        """The patterns ``list_memories`` wants: the ignore list, and an index file of another name."""
        return self.ignore if self.index_file == INDEX_FILE else (*self.ignore, "/" + self.index_file)


def default_settings() -> Settings:
    """The settings of a store that says nothing."""
    return Settings()


def load_settings(root: str) -> Settings:
    """What the settings file of the store at ``root`` says; the defaults where there is none.

    Where it is not whole, the last commit has more to say: ``history/settings.py``, for all but the hot rooms.
    """
    settings = Settings()
    try:
        return read_settings(read_file(root, CONFIG_FILE, MAX_CONFIG_BYTES))
    except GitmemError as error:
        settings.is_there = not isinstance(error, NotFound) or os.path.lexists(join(root, CONFIG_FILE))
        if settings.is_there:
            _break(settings, 0, error.message)
    return settings


def read_settings(data: bytes) -> Settings:
    """The settings a file asks for; no YAML is loaded for the file that gitmem itself wrote."""
    if data == DEFAULT_CONFIG.encode():
        return Settings()
    return parse_settings(data.decode("utf-8-sig", "replace"))


def parse_settings(text: str) -> Settings:
    """The settings ``text`` asks for; a value that is not usable gives a finding and its default."""
    settings = Settings()
    settings.is_there = bool(text.strip("\ufeff \t\r\n"))
    if not settings.is_there:  # nor is YAML loaded
        return settings
    try:
        fields = read_fields(text)
    except Unfit as caught:
        fields, unfit = read_lines(text, caught)
        _break(settings, unfit.line, str(unfit))
    seen: dict[str, int] = {}
    if any(key == IDLE or key.startswith(IDLE + ".") for key, _, _ in fields):
        settings.idle_days = {}  # what is said replaces the defaults as a whole
    for key, line, value in fields:
        reader = _READERS.get(key) or (_idle_days(key[len(IDLE) + 1 :]) if key.startswith(IDLE + ".") else None)
        if reader is None:
            _find(settings, line, f"'{key}' is no setting; remove it or correct its name")
            continue
        complaint = reader(settings, value) if key not in seen or key in TOGETHER else ""
        if key in seen:
            used = "both are used" if key in TOGETHER else "that one is used"
            _find(settings, line, f"'{key}' stands in line {seen[key]} already, and {used}; remove one")
        elif complaint:
            _find(settings, line, f"{key}: {complaint}")
        seen.setdefault(key, line)
    settings.said = set(seen)
    return settings


def _break(settings: Settings, line: int, message: str) -> None:
    """Say that the file is broken; what more could be said of its lines would be guesses."""
    said = f"{message}; until it is mended only what can be read of it is used, and nothing is archived or purged"
    _find(settings, line, said)
    settings.broken = settings.findings[0]


def _find(settings: Settings, line: int, message: str) -> None:
    if settings.broken is None:
        settings.findings.append(Finding("config", CONFIG_FILE, line, message))


def _format(settings: Settings, value: Value) -> str:
    if not isinstance(value, str) or not (value.isascii() and value.isdigit()) or len(value) > 9 or int(value) < 1:
        return f"a whole number from 1 on is wanted, not {value!r}; {FORMAT} is used"
    settings.format = max(settings.format, int(value))
    return ""


def _ignore(settings: Settings, value: Value) -> str:
    wanted = [value] if isinstance(value, str) else value
    fit = [text for text in wanted if text.strip() and len(text) <= MAX_IGNORE_CHARS and text[0] != "!"]
    settings.ignore = tuple(dict.fromkeys([*settings.ignore, *fit[:MAX_IGNORES]]))
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
    if isinstance(value, str) and not value.endswith(".md"):
        return f"a list of paths is wanted, not {value!r}; nothing is locked" if value else ""
    wanted = [value] if isinstance(value, str) else value
    paths = [path.removeprefix("./") for path in wanted if path.strip() and path != NESTED]
    settings.locks = tuple(dict.fromkeys([*settings.locks, *paths]))
    return "" if len(paths) == len(wanted) else "a list of paths is wanted; what is none of these is not used"


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
