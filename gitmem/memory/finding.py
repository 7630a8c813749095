"""One thing that is wrong with a person's file: data, never an exception.

Hot: imports nothing.
"""

from __future__ import annotations


class Finding:
    """A rule, the path and line it speaks of, and one sentence for the person.

    rule:    short stable word, for example "head-colon"
    path:    posix path inside the store
    line:    1-based line of the file, 0 when the whole file is meant
    message: one sentence, without the path
    """

    __slots__ = ("line", "message", "path", "rule")

    def __init__(self, rule: str, path: str, line: int, message: str) -> None:
        self.rule, self.path, self.line, self.message = rule, path, line, message

    def __repr__(self) -> str:
        return f"Finding({self.rule!r}, {self.path!r}, {self.line}, {self.message!r})"

    def sentence(self) -> str:
        """``path:line: message``, as compilers print it."""
        where = f"{self.path}:{self.line}" if self.line else self.path
        return f"{where}: {self.message}"
