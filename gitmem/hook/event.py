"""What a host tells: one event, whatever the host's words for it; and the JSON on the way in and out.

The C halves of ``json`` are used where there are any: the package would also import ``re``.
"""

from __future__ import annotations

try:
    from _json import encode_basestring_ascii, make_scanner
except ImportError:  # another Python than CPython
    from json.encoder import encode_basestring_ascii
    from json.scanner import make_scanner


class Event:
    """One event of a host.

    kind:     "prompt", "session-start" or "turn-end"
    name:     the host's own word for it, as the answer must repeat it
    session:  the host's id of the session, "" when it gave none
    question: the prompt, "" for other events
    said:     at a turn's end, what the model said last
    folder:   where the host works, absolute; "" when it does not say
    known:    the folder of the host's own memory, whose list it tells the model by itself; "" for none
    """

    __slots__ = ("folder", "kind", "known", "name", "question", "said", "session")

    def __init__(
        self, kind: str, name: str, session: str, question: str, said: str = "", folder: str = "", known: str = ""
    ) -> None:
        self.kind, self.name, self.session, self.question, self.said = kind, name, session, question, said
        self.folder, self.known = folder, known


class _Scan:
    """What ``_json.make_scanner`` asks of a decoder."""

    strict = False
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def json_object(data: bytes) -> dict[str, object]:
    """``data`` as a JSON object; raises ValueError when it is none.

    Bytes that are no UTF-8 are replaced, not refused: the rest of a prompt still counts.
    """
    text = data.decode("utf-8", "replace").strip("\ufeff \t\r\n")
    if not text.startswith("{"):
        raise ValueError("no JSON object")
    try:
        value, end = make_scanner(_Scan())(text, 0)  # type: ignore[arg-type]
    except (StopIteration, SystemError) as error:  # the C half finds no error class to raise without the package
        raise ValueError("no JSON") from error
    if end != len(text):
        raise ValueError("more than one JSON value")
    return dict(value)


def whole(value: object) -> str:
    """A string of the event that can be encoded; half a surrogate pair becomes "?"; "" for anything else."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def json_string(text: str) -> str:
    """``text`` as JSON, quotes and all, in ASCII: it survives whatever encoding a console has."""
    return encode_basestring_ascii(text)
