"""What an audit found, for people and for programs."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gitmem.audit.registry import RULES, severity
from gitmem.audit.rule import HINT, PROBLEM
from gitmem.dataclass import dataclass
from gitmem.memory.finding import Finding

MAX_ROWS = 12  # findings of one rule that a person is shown


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of one audit.

    memories: how many were looked at
    entries:  memories that the list names, -1 when no list was looked at
    findings: in the order of the registry, then by path and line
    """

    memories: int
    entries: int
    findings: tuple[Finding, ...]

    @property
    def problems(self) -> int:
        return sum(severity(each.rule) == PROBLEM for each in self.findings)

    @property
    def hints(self) -> int:
        return len(self.findings) - self.problems

    def about(self, paths: Collection[str]) -> Report:
        """The same for some memories only."""
        findings = tuple(each for each in self.findings if each.path in paths)
        return Report(len(paths), self.entries, findings)

    def shape(self) -> dict[str, object]:
        """For ``--json``: every finding, none left out."""
        return {
            "memories": self.memories,
            "entries": max(self.entries, 0),
            "problems": self.problems,
            "hints": self.hints,
            "findings": [
                {
                    "rule": each.rule,
                    "severity": severity(each.rule),
                    "path": each.path,
                    "line": each.line,
                    "message": each.message,
                    "mend": RULES[each.rule].mend if each.rule in RULES else "",
                }
                for each in self.findings
            ],
        }

    def text(self) -> str:
        """Totals, then a section for each rule that found something."""
        lines = [self.summary()]
        for rule in dict.fromkeys(each.rule for each in self.findings):
            lines += ["", *self._section(rule)]
        return "\n".join(lines)

    def summary(self) -> str:
        if not self.memories and not self.findings:
            return "there are no memories, so there is nothing to audit"
        looked = f"{_counted(self.memories, 'memory', 'memories')} looked at"
        if self.entries >= 0:
            looked += f", {self.entries} listed"
        hints = f", {_counted(self.hints, 'hint', 'hints')}" if self.hints else ""
        problems = _counted(self.problems, "problem", "problems") if self.problems else "no problems"
        return f"{looked}: {problems}{hints}"

    def _section(self, name: str) -> list[str]:
        rows = [each for each in self.findings if each.rule == name]
        rule = RULES.get(name)
        what = rule.what if rule else name
        kind = "a hint, not a problem" if severity(name) == HINT else _counted(len(rows), "problem", "problems")
        lines = [f"{name}: {what} ({kind})"]
        lines += [f"  {sentence(each)}" for each in rows[:MAX_ROWS]]
        if rows[MAX_ROWS:]:
            lines.append(f"  {len(rows) - MAX_ROWS} more")
        if rule:
            lines.append(f"  To mend it: {rule.mend}")
        return lines


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in the order of a report, none twice."""
    places = {name: place for place, name in enumerate(RULES)}
    once = {(each.rule, each.path, each.line, each.message): each for each in findings}
    return tuple(sorted(once.values(), key=lambda each: (places.get(each.rule, -1), each.path, each.line)))


def sentence(finding: Finding) -> str:
    """``path:line: message (rule)`` on one line, whatever the path holds."""
    path = finding.path if finding.path.isprintable() else ascii(finding.path)[1:-1]
    where = f"{path}:{finding.line}" if finding.line else path
    return f"{where}: {finding.message} ({finding.rule})"


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
