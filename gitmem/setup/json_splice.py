"""Edit a person's JSON file in place: one member or item comes or goes, every other byte stays.

``json`` reads and writes values but forgets where they stood; this module remembers.
"""

from __future__ import annotations

import json

from gitmem.dataclass import dataclass, field

BLANKS = " \t\r\n"


class BadJson(ValueError):
    """The text is no JSON that can be edited without guessing.

    line, column: 1-based place of the fault
    """

    def __init__(self, message: str, text: str, at: int) -> None:
        super().__init__(message)
        self.message = message
        self.line = text.count("\n", 0, at) + 1
        self.column = at - text.rfind("\n", 0, at)


@dataclass(slots=True)
class Node:
    """One value and where it stands in the text.

    value:      as ``json`` gives it
    start, end: of the value; ``text[start:end]``
    from_:      of the member or item it is: the key's first character in an object
    children:   of an object by key (of a repeated key the last, as every reader has it), of a list by position
    order:      all children as they stand
    """

    value: object
    start: int
    end: int
    from_: int
    children: dict[str | int, Node] = field(default_factory=dict)
    order: list[Node] = field(default_factory=list)


def parse(text: str) -> Node:
    """The tree of ``text``; raises BadJson with the place."""
    try:
        json.loads(text, parse_constant=_no_constant)
        start = _skip(text, 0)
        return _node(text, start, start)
    except json.JSONDecodeError as error:
        is_comment = text[error.pos :].lstrip().startswith(("//", "/*"))
        said = "a comment stands here, and JSON has none; take it out" if is_comment else error.msg
        raise BadJson(said, text, error.pos) from error
    except (ValueError, RecursionError) as error:
        raise BadJson(str(error), text, 0) from error


def append(text: str, container: Node, key: str | None, value: object) -> str:
    """``text`` with ``value`` as the last member (``key``) or item (None) of ``container``, in the file's own style."""
    newline = "\r\n" if "\r\n" in text else "\n"
    if "\n" not in text.strip():
        shown = json.dumps(value, ensure_ascii=False)
        before, after = ", " if container.order else "", ""
    else:
        unit = _unit(text)
        outer = _indent(text, container.start)
        inner = outer + unit
        if container.order and (own := _indent_of_line_start(text, container.order[-1].from_)) is not None:
            inner = own
        shown = json.dumps(value, ensure_ascii=False, indent=unit).replace("\n", newline + inner)
        before = ("," if container.order else "") + newline + inner
        after = "" if container.order else newline + outer
    if key is not None:
        shown = f"{json.dumps(key, ensure_ascii=False)}: {shown}"
    if container.order:
        at = container.order[-1].end
        return text[:at] + before + shown + text[at:]
    return text[: container.start + 1] + before + shown + after + text[container.end - 1 :]


def remove(text: str, container: Node, child: Node) -> str:
    """``text`` without ``child`` and the comma it needed."""
    index = next(number for number, node in enumerate(container.order) if node is child)
    if index:
        return text[: container.order[index - 1].end] + text[child.end :]
    if len(container.order) > 1:
        return text[: child.from_] + text[container.order[1].from_ :]
    return text[: container.start + 1] + text[container.end - 1 :]


def _no_constant(word: str) -> object:
    raise ValueError(f"{word} is not JSON")


def _skip(text: str, at: int) -> int:
    while text[at] in BLANKS:
        at += 1
    return at


def _node(text: str, start: int, from_: int) -> Node:
    value, end = json.JSONDecoder().raw_decode(text, start)
    node = Node(value, start, end, from_)
    if text[start] not in "{[":
        return node
    at = _skip(text, start + 1)
    while text[at] not in "}]":
        begin, key = at, len(node.order)
        name: str | int = key
        if text[start] == "{":
            name, at = json.JSONDecoder().raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        child = _node(text, at, begin)
        node.children[name] = child
        node.order.append(child)
        at = _skip(text, child.end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return node


def _unit(text: str) -> str:
    """What one level is indented by: as the first indented line has it, else two spaces."""
    for line in text.splitlines():
        blank = line[: len(line) - len(line.lstrip(" \t"))]
        if blank and line.strip():
            return blank
    return "  "


def _indent(text: str, at: int) -> str:
    """The blanks at the beginning of the line on which ``at`` stands."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _indent_of_line_start(text: str, at: int) -> str | None:
    """The indent of what begins at ``at``; None when something stands before it on its line."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line if not line.strip(" \t") else None
