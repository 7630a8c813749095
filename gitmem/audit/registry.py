"""Every rule of the audit, in the order of a report."""

from __future__ import annotations

from gitmem.audit import file_rules, head_rules, link_rules, text_rules
from gitmem.audit.rule import PROBLEM, Rule

RULES: dict[str, Rule] = {
    rule.id: rule for rule in (*text_rules.RULES, *link_rules.RULES, *head_rules.RULES, *file_rules.RULES)
}


def severity(rule: str) -> str:
    """PROBLEM or HINT; what no rule explains is a problem."""
    found = RULES.get(rule)
    return found.severity if found else PROBLEM
