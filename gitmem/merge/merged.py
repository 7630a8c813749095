"""What a merge of three texts gives."""

from __future__ import annotations

from gitmem.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Merged:
    """One text made of two.

    data:      the result; a well-formed file, never with a conflict marker that neither side wrote
    conflicts: what could not merge, in words: ``field description``, ``section "# A > ## B"``; empty when all did
    kept:      "ours" or "theirs": the side whose version stands in ``data`` wherever something could not merge;
               "" when all merged.  The other side's whole text is then the caller's to keep
    """

    data: bytes
    conflicts: tuple[str, ...] = ()
    kept: str = ""
