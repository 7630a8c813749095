"""A store's settings, ``.gitmem/config.yaml``, merged by key; lists such as locks and ignored files are sets.

A project's record, ``projects/<id>/project.yaml``, is the same kind of file: what it is recognised by on either side.
"""

from __future__ import annotations

from gitmem.merge.head import merge_heads, read_lines
from gitmem.merge.memory import merge_sides
from gitmem.merge.merged import Merged

NAME = "setting name"  # how the merge calls it when both sides have another one


def merge_settings(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """One file of settings made of two; comments stay with the setting they stand above."""
    return merge_sides(base, ours, theirs, merge_lines)


def merge_record(base: bytes | None, ours: bytes, theirs: bytes) -> Merged:
    """One project's record made of two; what it is called, a folder's name on each side, is nobody's to decide."""
    merged = merge_settings(base, ours, theirs)
    return Merged(merged.data) if merged.conflicts == (NAME,) else merged


def merge_lines(base: str, first: str, second: str) -> tuple[str, list[str]]:
    old, one, two = (read_lines(tuple(text.split("\n")[:-1])) for text in (base, first, second))
    lines, conflicts = merge_heads(old, one, two, all_sets=True)
    said = [text.replace("the frontmatter", "the settings").replace("field ", "setting ", 1) for text in conflicts]
    return "".join(line + "\n" for line in lines), said
