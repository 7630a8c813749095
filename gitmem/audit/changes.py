"""The audit of what a commit would change: only problems that it would add, so that an old one stops nobody."""

from __future__ import annotations

from gitmem.audit.file import Facts, kind_findings
from gitmem.audit.name import is_leftover, name_findings, twins_beside
from gitmem.audit.text import sight_findings
from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.document import line_at, read_memory
from gitmem.memory.finding import Finding
from gitmem.memory.secret import added_spans, secret_finding
from gitmem.store.settings import read_settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from gitmem.audit.report import Report
    from gitmem.memory.document import Memory

MEMORY, LIST, SETTINGS, OTHER = "memory", "list", "settings", "other"
TEXT = "text"  # archived memories, logs, what the settings leave out
_TEXT_RULE = "marker"  # the one that they are judged by, secrets apart


class Changed:
    """One file as a commit would have it.

    kind:    MEMORY, LIST, SETTINGS, TEXT or OTHER
    data:    None when it is taken out, or is a link
    before:  gives the bytes it replaces, None for none; asked only when something is wrong
    is_new:  whether the path is new
    is_link: whether it would be a symbolic link
    """

    __slots__ = ("before", "data", "is_link", "is_new", "kind", "path")

    def __init__(
        self,
        path: str,
        kind: str,
        data: bytes | None,
        before: Callable[[], bytes | None],
        *,
        is_new: bool = False,
        is_link: bool = False,
    ) -> None:
        self.path, self.kind, self.data, self.before = path, kind, data, before
        self.is_new, self.is_link = is_new, is_link


def audit_changes(
    changed: Sequence[Changed], names: Callable[[str], Iterable[str]], paths: Callable[[], Iterable[str]]
) -> Report:
    """Judge ``changed``, as ``findings_of`` does; a report of it."""
    from gitmem.audit.report import Report, ordered  # git's hook needs none as long as nothing is wrong

    looked = sum(each.kind == MEMORY and each.data is not None for each in changed)
    return Report(looked, -1, ordered(findings_of(changed, names, paths)))


def findings_of(
    changed: Sequence[Changed], names: Callable[[str], Iterable[str]], paths: Callable[[], Iterable[str]]
) -> list[Finding]:
    """What ``changed`` would add to what is wrong, in no order.

    names: gives what the commit would hold in a folder; asked only for new paths
    paths: gives every path the commit would hold; asked only when the list is changed
    """
    found: list[Finding] = []
    for each in changed:
        found += _of_one(each, paths)
        if each.is_new and each.kind == MEMORY:
            found += name_findings(each.path, {})
            found += twins_beside(each.path, names)
    return found


def _of_one(each: Changed, paths: Callable[[], Iterable[str]]) -> Iterator[Finding]:
    if each.is_link:
        yield Finding("link", each.path, 0, "would be committed as a symbolic link; put the file itself there")
    elif each.data is None:
        return
    elif each.kind == OTHER:
        if each.is_new and is_leftover(each.path.rpartition("/")[2]):
            yield Finding("leftover", each.path, 0, "a temporary file of a write that was not finished")
    elif each.kind == SETTINGS:
        found = read_settings(each.data).findings
        if found:
            old = each.before()
            yield from _added(found, read_settings(old).findings if old is not None else ())
    elif len(each.data) > MAX_MEMORY_BYTES and each.kind == MEMORY:
        message = f"has {len(each.data)} bytes, {MAX_MEMORY_BYTES} are the most; split it into several"
        yield Finding("too-big", each.path, 0, message)
    else:
        after = read_memory(each.path, each.data)
        found = list(_judged(after, each.kind, paths))
        leaks = list(new_secrets(after, []))
        old = each.before() if found or leaks else None
        before = read_memory(each.path, old) if old is not None else None
        yield from _added(found, _judged(before, each.kind, paths) if before else ())
        yield from new_secrets(after, [before]) if before else leaks


def _judged(memory: Memory, kind: str, paths: Callable[[], Iterable[str]]) -> Iterator[Finding]:
    """What is wrong with one file; secrets are compared as texts, not counted."""
    for finding in (*memory.findings, *sight_findings(memory)):
        if kind != TEXT or finding.rule == _TEXT_RULE:
            yield finding
    if kind == MEMORY:
        yield from kind_findings(memory, Facts(memory))
    elif kind == LIST:
        from gitmem.audit.link import list_findings  # most commits leave the list alone

        there = dict.fromkeys(paths(), False)
        yield from list_findings(memory, there, lambda _: False, size=len(memory.data))[1]


def _added(after: Iterable[Finding], before: Iterable[Finding]) -> Iterator[Finding]:
    """The findings of ``after`` that ``before`` has not; lines may have moved."""
    known: dict[tuple[str, str], int] = {}
    for finding in before:
        known[_form(finding)] = known.get(_form(finding), 0) + 1
    for finding in after:
        form = _form(finding)
        if known.get(form, 0) > 0:
            known[form] -= 1
        else:
            yield finding


def _form(finding: Finding) -> tuple[str, str]:
    return finding.rule, "".join("0" if mark.isdigit() else mark for mark in finding.message)


def new_secrets(after: Memory, before: Sequence[Memory], harmless: Iterable[str] = ()) -> Iterator[Finding]:
    """The rule secret for texts that none of ``before`` holds.

    harmless: texts that are marked as such in a later version
    """
    for start, _, kind in added_spans(after.text, (each.text for each in before), set(harmless)):
        yield secret_finding(after.path, line_at(after.text, start), kind)
