"""Extensions of git's index: the tree ids it caches there (TREE), kept valid through a patch."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    Places = dict[bytes, tuple[str, str]]  # folder -> tree id before and after, "" for none


class CachedTree:
    """One folder of the TREE extension: ``count`` entries that make up tree ``name``; -1 when git must look."""

    __slots__ = ("below", "count", "id")

    def __init__(self, count: int, name: str) -> None:
        self.count, self.id = count, name
        self.below: dict[bytes, CachedTree] = {}


def read_trees(raw: bytes) -> CachedTree:
    at = 0

    def one() -> tuple[bytes, CachedTree]:
        nonlocal at
        nul = raw.index(b"\0", at)
        line = raw.index(b"\n", nul)
        name, (count, below) = raw[at:nul], raw[nul + 1 : line].split(b" ")
        at = line + 1
        node = CachedTree(int(count), "")
        if node.count >= 0:
            node.id, at = raw[at : at + 20].hex(), at + 20
        for _ in range(int(below)):
            child, tree = one()
            node.below[child] = tree
        return name, node

    return one()[1]


def tree_pieces(name: bytes, node: CachedTree) -> Iterable[bytes]:
    known = node.count >= 0 and node.id != ""
    yield b"%s\0%d %d\n" % (name, node.count if known else -1, len(node.below))
    if known:
        yield bytes.fromhex(node.id)
    for child in sorted(node.below, key=lambda each: (len(each), each)):
        yield from tree_pieces(child, node.below[child])


def trees_after(root: CachedTree | None, places: Places, grown: Mapping[bytes, int]) -> CachedTree | None:
    """The cached trees after the edit; a folder that was not just as in the last commit stays for git to look at."""
    if root is None:
        return None
    for folder in sorted(set(places) | set(grown)):  # a folder comes before what is below it
        chain = _chain(root, folder)
        before, after = places.get(folder, ("", ""))
        node = chain[-1]
        if node is None:
            above = chain[-2] if len(chain) > 1 else None
            if above is not None and above.count >= 0 and after:
                if before:
                    _unknown(chain)
                else:
                    above.below[folder.rpartition(b"/")[2]] = CachedTree(grown.get(folder, 0), after)
        elif folder not in places or node.count < 0 or node.id != before:
            _unknown(chain)
        elif after:
            node.count, node.id = node.count + grown.get(folder, 0), after
        elif len(chain) > 1 and chain[-2] is not None:
            del chain[-2].below[folder.rpartition(b"/")[2]]
    return root


def is_known(root: CachedTree | None, folder: bytes) -> bool:
    """Whether the index holds just one tree, in which ``folder`` is a folder; then no file has its name."""
    return root is not None and root.count >= 0 and root.id != "" and _chain(root, folder)[-1] is not None


def _chain(root: CachedTree, folder: bytes) -> list[CachedTree | None]:
    chain: list[CachedTree | None] = [root]
    for part in folder.split(b"/") if folder else ():
        above = chain[-1]
        chain.append(above.below.get(part) if above is not None else None)
    return chain


def _unknown(chain: list[CachedTree | None]) -> None:
    for node in chain:
        if node is not None:
            node.count, node.id = -1, ""


def chain_ends(data: bytes, at: int, stop: int) -> bool:
    """Whether extensions that begin at ``at`` lead just to the hash."""
    while at < stop:
        if not data[at : at + 4].isalpha():
            return False
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "big")
    return at == stop


def folders_of(path: bytes) -> list[bytes]:
    """Every folder above ``path``, the root (b"") first."""
    folders = [b""]
    at = path.find(b"/")
    while at >= 0:
        folders.append(path[:at])
        at = path.find(b"/", at + 1)
    return folders
