"""Write a value so that every YAML reader gives back exactly that text, on one line.

Plain where that is safe, else single quotes, else double quotes with escapes.  A value never
spans lines, so no line of one can be taken for a fence.
"""

from __future__ import annotations

from gitmem.memory.line_head import INDICATORS, ODD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.memory.line_head import Value

ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
TYPED_WORDS = frozenset(
    ["true", "false", "yes", "no", "on", "off", "y", "n", "null", "~", "=", "<<", ".inf", "-.inf", "+.inf", ".nan"]
)
NUMBER_START = frozenset("0123456789+-.")
NUMBER_CHARS = frozenset("0123456789+-._:, abcdefABCDEFxXoOtTzZ")


def write_scalar(text: str, style: str = "", *, flow: bool = False, keep_text: bool = False) -> str:
    """``text`` as YAML.

    style:     the quote the old value had, ``'`` or ``"``; "" for none
    flow:      the value stands in ``[ ]`` or ``{ }``
    keep_text: quote what other tools would turn into a number, a date or a boolean
    """
    if style == "" and _is_plain(text, flow) and not (keep_text and _is_typed(text)):
        return text
    if style != '"' and not any(is_special(char) for char in text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(_escape(char) for char in text) + '"'


def write_items(items: Sequence[str], style: str = "", *, keep_text: bool = False) -> str:
    """``items`` as a flow list on one line."""
    return "[" + ", ".join(write_scalar(item, style, flow=True, keep_text=keep_text) for item in items) + "]"


def write_flow(value: Value) -> str:
    """Any value in flow style on one line."""
    if isinstance(value, str):
        return write_scalar(value, flow=True)
    if isinstance(value, list):
        return "[" + ", ".join(write_flow(item) for item in value) + "]"
    return write_mapping(value)


def write_mapping(fields: Mapping[str, Value]) -> str:
    """``fields`` as a flow mapping on one line."""
    return (
        "{" + ", ".join(f"{write_scalar(key, flow=True)}: {write_flow(value)}" for key, value in fields.items()) + "}"
    )


def write_key(key: str) -> str:
    """``key`` as it stands before its colon."""
    return key if key.replace("-", "_").isidentifier() and key[0] != "-" else write_scalar(key, flow=True)


def _is_plain(text: str, flow: bool) -> bool:
    if not text or text != text.strip() or text[0] in INDICATORS or text[0] in "=~<":
        return False
    if ": " in text or text[-1] == ":" or " #" in text or any(is_special(char) for char in text):
        return False
    return not flow or not any(char in "[]{},:?#'\"" for char in text)


def _is_typed(text: str) -> bool:
    """Would a YAML reader with types make something else than a string of it?"""
    return text.lower() in TYPED_WORDS or (text[0] in NUMBER_START and NUMBER_CHARS.issuperset(text))


def is_special(char: str) -> bool:
    return char < " " or "~" < char < "\xa0" or char in ODD


def _escape(char: str) -> str:
    if char in ESCAPES:
        return ESCAPES[char]
    if not is_special(char):
        return char
    return f"\\x{ord(char):02x}" if char < "\u0100" else f"\\u{ord(char):04x}"
