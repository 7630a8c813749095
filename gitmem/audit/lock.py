"""Locks that keep no memory: the settings name a file that is not there, under its old name or no more at all."""

from __future__ import annotations

from gitmem.memory.document import split_lines
from gitmem.memory.finding import Finding
from gitmem.memory.name import twin_key
from gitmem.store.paths import ARCHIVE, CONFIG_FILE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gitmem.audit.link import Renamed


def lock_findings(
    locks: Sequence[str], text: str, paths: Sequence[str], exists: Callable[[str], bool], renamed: Renamed
) -> Iterator[Finding]:
    """The rule lost-lock.

    text:    of the settings; paths: of the memories
    exists:  whether a file is there that is no memory
    renamed: as for ``list_findings``
    """
    keys = {twin_key(path) for path in paths}
    lost = [
        each for each in locks if twin_key(each) not in keys and not exists(each) and not exists(f"{ARCHIVE}/{each}")
    ]
    now = renamed(lost) if lost else {}
    lines = split_lines(text)
    for each in lost:
        line = next((number for number, line in enumerate(lines, 1) if each in line), 0)
        also = f"which is called {now[each]} now" if each in now else "and there is no such file"
        yield Finding("lost-lock", CONFIG_FILE, line, f"locks {each}, {also}")
