"""The fields of a settings file: as YAML, and where it is none line by line, as heads are read.

Plain strings, no aliases and tags, within bounds (L1).  Hot to import; YAML is loaded by the functions that parse.
"""

from __future__ import annotations

from gitmem.limits import MAX_CONFIG_BYTES, MAX_HEAD_DEPTH
from gitmem.store.paths import CONFIG_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from gitmem.memory.line_head import Value as Read

    Value = str | list[str]
    Field = tuple[str, int, Value]  # dotted key, line, value

NESTED = "(a nested value)"  # stands for an item that is no text
MAX_ALONE = 200  # entries of one broken file that YAML is asked about one by one
MARKERS = ("<<<<<<< ", "||||||| ", ">>>>>>> ")  # of a merge that git could not make


class Unfit(Exception):
    """The file is not what settings are; ``line`` says where that was seen."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def read_fields(text: str) -> list[Field]:
    """Every field, every scalar a string; raises Unfit."""
    import yaml

    if len(text) > MAX_CONFIG_BYTES:
        raise Unfit(f"the file is longer than {MAX_CONFIG_BYTES} characters", 0)
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        _check_plain(text, loader)
        root = yaml.compose(text, Loader=loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it holds a character no YAML may hold"
        raise Unfit(f"this is no YAML: {problem}", mark.line + 1 if mark else 0) from error
    if root is None or (isinstance(root, yaml.ScalarNode) and not root.value):
        return []
    if not isinstance(root, yaml.MappingNode):
        raise Unfit("settings are 'name: value' lines", root.start_mark.line + 1)
    fields: list[Field] = []
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


def read_lines(text: str, unfit: Unfit) -> tuple[list[Field], Unfit]:
    """What can be read of a file that is ``unfit``, and what is wrong with it, at the first line that is to blame.

    A broken line costs its own field; of git's conflict markers both sides are read.
    """
    from gitmem.memory.entry import entries, is_item
    from gitmem.memory.mend import Mender

    lines = text[:MAX_CONFIG_BYTES].replace("\r\n", "\n").replace("\r", "\n").split("\n")
    marked = [at for at, line in enumerate(lines, 1) if line.startswith(MARKERS)]
    if marked:
        unfit = Unfit("conflict markers of git stand in it", marked[0])
        lines = ["" if line.startswith(MARKERS) or line == "=======" else line for line in lines]
    fields: list[Field] = []
    broken = 0
    for asked, entry in enumerate(entries(lines)):
        part, at = lines[entry.first : entry.last], entry.first
        try:
            if asked >= MAX_ALONE:
                raise Unfit("", 0)
            fields += [(key, line + at, value) for key, line, value in read_fields("\n".join(part))]
        except Unfit:
            broken = broken or at + 1
            fields += _flat("", at + 1, Mender(CONFIG_FILE, None).fields(part, at + 1))
            if entry.value and any(is_item(line.strip()) for line in part[1:]):  # a list below a value that is none
                fields += _flat("", at + 1, Mender(CONFIG_FILE, None).fields([f"{entry.key}:", *part[1:]], at + 1))
    return fields, unfit if marked or not broken else Unfit(str(unfit), broken)


def _flat(prefix: str, line: int, found: dict[str, Read]) -> Iterator[Field]:
    for key, value in found.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{key}.", line, value)
        else:
            yield f"{prefix}{key}", line, value if isinstance(value, str) else [_shown(item) for item in value]


def _check_plain(text: str, loader: type) -> None:
    """Raise Unfit for aliases, tags and deep nesting, before anything is built of them."""
    import yaml

    depth = 0
    for event in yaml.parse(text, Loader=loader):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise Unfit("aliases (& and *) are not read in settings; write the value out or quote it", line)
        if getattr(event, "tag", None):
            raise Unfit("tags (!) are not read in settings; quote the value", line)
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            depth += 1
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            depth -= 1
        if depth > MAX_HEAD_DEPTH:
            raise Unfit(f"settings nest at most {MAX_HEAD_DEPTH} deep", line)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else NESTED
