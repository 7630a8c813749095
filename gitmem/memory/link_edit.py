"""A link as a person wrote it, leading to another memory."""

from __future__ import annotations

from gitmem.memory.link import SUFFIX, decoded, encoded, link_end, stem, unescaped, without_title
from gitmem.memory.name import twin_key

_UNSAYABLE = frozenset("[]|#^\\")  # what no wikilink can hold


def retargeted(link: str, new: str) -> str:
    """A link, as ``link_spans`` tells where it stands, leading to ``new``: only the path in it changes.

    A wikilink stays as it is when it means ``new`` already, or could not say it.
    """
    if link.startswith("[[") and link.endswith("]]"):
        said = link[2:-2].partition("|")[0].removesuffix("\\").partition("#")[0].partition("^")[0]
        name = said.strip()
        key, wanted = twin_key(stem(name.removeprefix("./"))), twin_key(stem(new))
        if f"/{wanted}".endswith(f"/{key}") or not _UNSAYABLE.isdisjoint(new):
            return link
        at = 2 + said.index(name)
        return link[:at] + (new if name.lower().endswith(SUFFIX) else stem(new)) + link[at + len(name) :]
    at = link.find("](")
    while link_end(link[at + 2 :]) != len(link) - at - 3:  # that of an image inside the link's text
        at = link.find("](", at + 2)
    start, old = _path_in(link[at + 2 : -1])
    start += at + 2
    return link[:start] + encoded(new) + link[start + len(old) :]


def _path_in(target: str) -> tuple[int, str]:
    """Where in a link's target the path begins, behind any ``./``, and how it is written there."""
    start = len(target) - len(target.lstrip())
    text = target.strip()
    if text.startswith("<") and ">" in text:
        start, text = start + 1, text[1 : text.index(">")]
    else:
        text = without_title(text)
    cut = text.partition("#")[0].partition("?")[0].rstrip()
    path = cut if decoded(unescaped(cut)).lower().endswith(SUFFIX) else text
    lead = len(path)
    while path.startswith("./"):
        path = path[2:].lstrip("/")
    return start + lead - len(path), path
