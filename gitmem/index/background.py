"""How common a word is in the world, for stores too small to know.

In a store of 40 notes "time" may stand once and look as rare as a name.  The table beside this
file (background.txt) gives the share of ordinary passages that hold a word; the index mixes it in
as if ``BACKGROUND_PASSAGES`` more passages had been counted.  Read when an index is written,
never by the hook.  The table was compiled by hand from general knowledge of the languages.
"""

from __future__ import annotations

import os

from gitmem.memory.words import words

TABLE = os.path.join(os.path.dirname(__file__), "background.txt")


def load_shares() -> dict[str, float]:
    """term -> share of passages, 0..1.

    The table's lines are ``SHARE word word ...``; ``#`` begins a comment.  A word of several terms
    gives its share to each; the largest counts.
    """
    shares: dict[str, float] = {}
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            first, _, rest = line.partition(" ")
            if not rest or first == "#":
                continue
            share = float(first)
            for term in words(rest):
                if share > shares.get(term, 0.0):
                    shares[term] = share
    return shares
