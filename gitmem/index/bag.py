"""A bag of terms as one string: how often each stands in a passage, a memory or its fields.

``"\\nterm=C\\nother=C\\n"`` where ``C`` is one character, ``chr(48 + weight)``, and
the weight counts in halves, so that 1.5 for a description fits.  Asking for a term is one
``str.find``, which runs at memory speed; nothing is parsed.
Hot: imports nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

ZERO = 48  # the character of weight 0
_MOST = 255  # halves; more says nothing, BM25 has saturated long before
_ENDS = [f"={chr(ZERO + halves)}\n" for halves in range(_MOST + 1)]


def add(bag: dict[str, int], terms: Iterable[str], halves: int) -> None:
    """Count ``terms`` into ``bag``, each with a weight of ``halves`` / 2."""
    for term in terms:
        bag[term] = bag.get(term, 0) + halves


def pack(bag: dict[str, int]) -> str:
    """The string form of ``bag``; "" for an empty one."""
    if not bag:
        return ""
    ends = _ENDS
    try:
        return "\n" + "".join([term + ends[halves] for term, halves in bag.items()])
    except IndexError:
        return "\n" + "".join([term + ends[min(halves, _MOST)] for term, halves in bag.items()])


def unpack(packed: str) -> dict[str, int]:
    """The bag that ``pack`` made a string of."""
    return {item[:-2]: ord(item[-1]) - ZERO for item in packed[1:-1].split("\n")} if packed else {}


def needle(term: str) -> str:
    """What ``weight`` looks for."""
    return f"\n{term}="


def weight(packed: str, needle: str) -> float:
    """The weight of a term, 0.0 when the bag does not hold it."""
    at = packed.find(needle)
    return (ord(packed[at + len(needle)]) - ZERO) / 2 if at >= 0 else 0.0
