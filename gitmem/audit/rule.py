"""A rule of the audit, and how grave what it finds is."""

from __future__ import annotations

PROBLEM = "problem"  # text is lost, misread or leaked: the command ends with 5, a commit that adds one is refused
HINT = "hint"  # worth a look, never a reason to stop


class Rule:
    """One thing the audit looks for.

    id:       short stable word, as in ``Finding.rule``
    severity: PROBLEM or HINT
    what:     what is found, half a sentence
    why:      what goes wrong when it stays
    example:  the smallest text, name or line that has it
    mend:     what to do, in the imperative
    """

    __slots__ = ("example", "id", "mend", "severity", "what", "why")

    def __init__(self, id: str, severity: str, what: str, why: str, example: str, mend: str) -> None:
        self.id, self.severity, self.what, self.why, self.example, self.mend = id, severity, what, why, example, mend
