"""Every rule finds what it is for, leaves alone what only looks like it, and explains itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gitmem.audit.auditor import audit
from gitmem.audit.registry import RULES, severity
from gitmem.audit.rule import HINT, PROBLEM

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "audit.md"


def memory(body: str = "text\n", *, name: str = "a", more: str = "") -> bytes:
    return f"---\nname: {name}\ndescription: what it says\n{more}---\n\n{body}".encode()


def head(*lines: str) -> bytes:
    return ("---\n" + "\n".join(lines) + "\n---\n\ntext\n").encode()


PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4"
AWS = "AKIA" + "ABCDEFGHIJKLMNOP"
Files = dict[str, bytes]
# rule -> files that have it: (files, path, line)
BAD: list[tuple[str, Files, str, int]] = [
    ("secret", {"a.md": memory(f"key {AWS}\n")}, "a.md", 6),
    ("secret", {"MEMORY.md": f"# Memory\n{AWS}\n".encode()}, "MEMORY.md", 2),
    ("secret", {"a.md": memory("token = a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6e7f8a9b0\n")}, "a.md", 6),
    ("secret", {"a.md": memory("see https://ada:hunter2horse@db.example.net/x\n")}, "a.md", 6),
    ("marker", {"a.md": memory("<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> main\n")}, "a.md", 6),
    ("marker", {"a.md": memory("one\n=======\ntwo\n>>>>>>> main\n")}, "a.md", 9),
    ("marker", {"a.md": memory("```\n<<<<<<< HEAD\nthe fence was never closed\n")}, "a.md", 7),
    ("marker", {"a.md": memory("<<<<<<< HEAD\r\nmine\r\n")}, "a.md", 6),
    ("bidi", {"a.md": memory("run \u202egpj.exe\n")}, "a.md", 6),
    ("bidi", {"a.md": memory("a \u2066b\u2069\n")}, "a.md", 6),
    ("hidden", {"a.md": memory("pass\u200bword\n")}, "a.md", 6),
    ("hidden", {"a.md": memory("x" + "".join(chr(0xE0000 + ord(mark)) for mark in "obey") + "\n")}, "a.md", 6),
    ("hidden", {"a.md": memory("a\x1b[31mred\n")}, "a.md", 6),
    ("hidden", {"a.md": memory("a\u200db\n")}, "a.md", 6),
    ("hidden", {"a.md": memory("soft\u00adhyphen\n")}, "a.md", 6),
    ("name", {"aux.md": memory()}, "aux.md", 0),
    ("name", {"COM7.MD": memory()}, "COM7.MD", 0),
    ("name", {"a:b.md": memory()}, "a:b.md", 0),
    ("name", {"what?.md": memory()}, "what?.md", 0),
    ("name", {"end /a.md": memory()}, "end /a.md", 0),
    ("name", {"dot./ordinary-name.md": memory()}, "dot./ordinary-name.md", 0),
    ("name", {"x" * 260 + ".md": memory()}, "x" * 260 + ".md", 0),
    ("name", {"cafe\u0301-notes.md": memory()}, "cafe\u0301-notes.md", 0),
    ("name", {"new\nline-in-name.md": memory()}, "new\nline-in-name.md", 0),
    ("twin", {"API.md": memory(), "api.md": memory()}, "api.md", 0),
    ("twin", {"caf\u00e9.md": memory(), "cafe\u0301.md": memory()}, "caf\u00e9.md", 0),
    ("twin", {"Docs/a.md": memory(), "docs/b.md": memory()}, "docs", 0),
    (
        "sync-copy",
        {"plan (Ada's conflicted copy 2026-11-30).md": memory()},
        "plan (Ada's conflicted copy 2026-11-30).md",
        0,
    ),
    (
        "sync-copy",
        {"plan.sync-conflict-20261130-101010-ABCDEFG.md": memory()},
        "plan.sync-conflict-20261130-101010-ABCDEFG.md",
        0,
    ),
    (
        "sync-copy",
        {"plan (SFConflict ada@x.org 2026-11-30).md": memory()},
        "plan (SFConflict ada@x.org 2026-11-30).md",
        0,
    ),
    ("sync-copy", {"plan_conflict-20261130-101010.md": memory()}, "plan_conflict-20261130-101010.md", 0),
    ("sync-copy", {"计划 (Ada 的冲突副本 2026-11-30).md": memory()}, "计划 (Ada 的冲突副本 2026-11-30).md", 0),
    ("sync-copy", {"plan.md": memory(), "plan 2.md": memory()}, "plan 2.md", 0),
    ("sync-copy", {"x/plan.md": memory(), "x/plan (1).md": memory()}, "x/plan (1).md", 0),
    ("sync-copy", {"plan.md": memory(), "plan-LAPTOP-1A2B3C4D.md": memory()}, "plan-LAPTOP-1A2B3C4D.md", 0),
    ("sync-copy", {"plan.md": memory(), "plan-Adas-MacBook-Pro.md": memory()}, "plan-Adas-MacBook-Pro.md", 0),
    ("dangling", {"a.md": memory(), "MEMORY.md": b"- [a](a.md)\n- [b](missing.md)\n"}, "MEMORY.md", 2),
    ("dangling", {"MEMORY.md": b"- [b](archive/gone.md)\n"}, "MEMORY.md", 1),
    ("unlisted", {"a.md": memory(), "MEMORY.md": b"# Memory\n"}, "a.md", 0),
    ("unlisted", {"x/a.md": memory(), "MEMORY.md": b"- [a](a.md)\n"}, "x/a.md", 0),
    ("list-full", {"a.md": memory(), "MEMORY.md": b"# Memory\n" + b"x" * 524_000}, "MEMORY.md", 0),
    ("broken-link", {"a.md": memory("see [[ghost]]\n")}, "a.md", 6),
    ("broken-link", {"a.md": memory(more='related: "[[ghost]]"\n')}, "a.md", 4),
    ("broken-link", {"a.md": memory("a lone ` and [[ghost]]\n")}, "a.md", 6),
    ("broken-link", {"MEMORY.md": b"see [[ghost]]\n"}, "MEMORY.md", 1),
    ("ambiguous-link", {"x/plan.md": memory(), "y/plan.md": memory(), "a.md": memory("[[plan]]\n")}, "a.md", 6),
    ("duplicate-id", {"a.md": head("metadata:", "  id: 01K"), "b.md": head("metadata:", "  id: 01K")}, "b.md", 3),
    ("dangling-id", {"a.md": head("name: a", "metadata:", "  supersedes: [gone]")}, "a.md", 4),
    ("dangling-id", {"a.md": head("name: a", "metadata:", "  conflict_of: gone")}, "a.md", 4),
    ("no-head", {"a.md": b"only text\n"}, "a.md", 0),
    ("type", {"feedback_a.md": head("name: a", "type: project")}, "feedback_a.md", 0),
    ("type", {"user_a.md": head("name: a")}, "user_a.md", 0),
    ("no-prefix", {"user_a.md": head("type: user"), "plain.md": head("type: user")}, "plain.md", 0),
    ("head-open", {"a.md": b"---\nname: a\n\ntext\n"}, "a.md", 1),
    ("head-shape", {"a.md": b"---\n- a list\n---\ntext\n"}, "a.md", 2),
    ("head-duplicate", {"a.md": head("type: user", "type: project")}, "a.md", 3),
    ("head-colon", {"a.md": head("description: Deploy: use blue")}, "a.md", 2),
    ("head-indicator", {"a.md": head("description: *bold* rule")}, "a.md", 2),
    ("head-quote", {"a.md": head('description: "half', "name: b")}, "a.md", 2),
    ("head-tab", {"a.md": b"---\nmetadata:\n\ttype: user\n---\n"}, "a.md", 3),
    ("head-indent", {"a.md": head("name: x", "  description: y")}, "a.md", 3),
    ("head-hash", {"a.md": head("description: fix for issue #42 # urgent")}, "a.md", 2),
    ("head-hash", {"a.md": head("description: #42 is done")}, "a.md", 2),
    ("head-line", {"a.md": head("name: x", "just a sentence")}, "a.md", 3),
    ("head-text", {"a.md": head("name: a\x07b")}, "a.md", 2),
    ("head-date", {"a.md": head("updated: 01.11.2026")}, "a.md", 2),
    (
        "head-size",
        {"a.md": head("name: x", *(f"key{number}: {'x' * 90}" for number in range(900)), "bad: : [")},
        "a.md",
        2,
    ),
    ("bom", {"a.md": b"\xef\xbb\xbf" + memory()}, "a.md", 1),
    ("encoding", {"a.md": memory().decode().encode("utf-16")}, "a.md", 0),
    ("encoding", {"a.md": memory("caf\xe9\n").decode().encode("latin-1")}, "a.md", 6),
    ("encoding", {"a.md": memory().decode().encode("utf-16-le")}, "a.md", 1),
    ("line-endings", {"a.md": memory("x\n").replace(b"\n", b"\r\n")}, "a.md", 0),
    ("line-endings", {"a.md": memory("one\r\ntwo\n")}, "a.md", 0),
    ("line-endings", {"a.md": memory("one\rtwo\n")}, "a.md", 0),
    ("line-endings", {"MEMORY.md": b"# Memory\r\n"}, "MEMORY.md", 0),
]
# rule -> files that only look like it
GOOD: list[tuple[str, Files]] = [
    ("secret", {"a.md": memory("commit 3f786850e387550fdab836ed7e6dc881de23001b\n")}),
    ("secret", {"a.md": memory("id 123e4567-e89b-12d3-a456-426614174000\n")}),
    ("secret", {"a.md": memory(f"![x](data:image/png;base64,{PICTURE})\n")}),
    ("secret", {"a.md": memory("password: see the vault\n")}),
    ("secret", {"a.md": memory(f"the manual's {AWS}   <!-- gitmem: allow-secret -->\n")}),
    ("marker", {"a.md": memory("```\n<<<<<<< HEAD\nmine\n=======\ntheirs\n>>>>>>> main\n```\n")}),
    ("marker", {"a.md": memory("~~~text\n<<<<<<< HEAD\n~~~\n")}),
    ("marker", {"a.md": memory("Title\n=======\n\ntext\n")}),
    ("marker", {"a.md": memory(">>>>>>> a quotation in a quotation\n")}),
    ("marker", {"a.md": memory("say `<<<<<<< HEAD` aloud\n  <<<<<<< indented\n")}),
    ("bidi", {"a.md": memory("שלום עולם\n")}),
    ("hidden", {"a.md": memory("می\u200cخواهم and \U0001f469\u200d\U0001f680\n")}),
    ("hidden", {"a.md": memory("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f\n")}),
    ("hidden", {"a.md": memory("\u200fשלום\u200e\n")}),
    ("hidden", {"a.md": memory("ภาษา\u200bไทย\n")}),
    ("hidden", {"a.md": memory("葛\U000e0100城\ta\ff\n")}),
    ("name", {"记忆.md": memory()}),
    ("name", {"my note, 2026 (draft).md": memory()}),
    ("name", {"2026-11/auxiliary-notes.md": memory()}),
    ("name", {"a..b.md": memory()}),
    ("twin", {"a/x.md": memory(), "b/x.md": memory()}),
    ("sync-copy", {"chapter.md": memory(name="one"), "chapter 2.md": memory(name="two")}),
    ("sync-copy", {"plan 2.md": memory()}),
    ("sync-copy", {"merge-conflict-policy.md": memory(), "conflict.md": memory()}),
    ("sync-copy", {"release-2026-11.md": memory(), "release.md": memory()}),
    ("dangling", {"MEMORY.md": b"- [a](https://x.org/a.md)\n- [b](../other/b.md)\n`[c](c.md)`\n"}),
    ("unlisted", {"a.md": memory(), "MEMORY.md": b'- [a](A.md "shown")\n'}),
    ("unlisted", {"a b.md": memory(), "MEMORY.md": b"- [a](a%20b.md#L12 )\n"}),
    ("unlisted", {"a.md": memory()}),
    ("unlisted", {"journal/2026-11-30.md": memory(), "MEMORY.md": b"# Memory\n"}),
    (
        "broken-link",
        {"a.md": memory("[[b]] [[b.md]] [[Name of B]] [[b#part|shown]]\n"), "b.md": memory(name="Name of B")},
    ),
    ("broken-link", {"a.md": memory("[[session-log]] [[MEMORY]]\n")}),
    ("broken-link", {"a.md": memory("`[[x]]` ``[[y]]`` \n```\n[[z]]\n```\n")}),
    ("broken-link", {"a.md": memory("if [[ -f x ]]; then\n![[photo.png]] [[]]\n")}),
    ("broken-link", {"a.md": head("tags: [[a], [b]]")}),
    ("duplicate-id", {"a.md": head("metadata:", "  id: 1"), "b.md": head("metadata:", "  id: 2")}),
    (
        "dangling-id",
        {"a.md": head("metadata:", "  supersedes: [b, 01K]"), "b.md": memory(), "c.md": head("metadata:", "  id: 01K")},
    ),
    ("no-head", {"MEMORY.md": b"# Memory\n"}),
    ("no-head", {"a.md": b"---\nname: never closed\n"}),
    ("type", {"reference_a.md": head("name: a"), "plain.md": head("type: user"), "MEMORY.md": head("name: list")}),
    ("type", {"User_A.md": head("metadata:", "  node_type: memory", "  type: user")}),
    ("no-prefix", {"plain.md": head("type: user"), "other.md": head("type: user")}),
    ("head-duplicate", {"a.md": head("type: user", "metadata:", "  type: user")}),
    ("head-colon", {"a.md": head("time: 12:30", "url: https://x.org", "description: 'a: b'")}),
    ("head-hash", {"a.md": head('description: "a #b"', "name: a#b", "metadata:", "  x: a #b")}),
    ("head-tab", {"a.md": head("description: a\tb")}),
    ("head-open", {"a.md": memory("above\n\n---\n\nbelow\n")}),
    ("line-endings", {"a.md": memory()}),
    ("encoding", {"a.md": memory("中文 ✓\n")}),
]
# What a look at the disk alone can find: tests/audit/test_store.py.
ON_DISK = {
    "lost-lock",
    "link",
    "too-big",
    "reserved",
    "name-bytes",
    "not-a-file",
    "too-deep",
    "too-many",
    "repository",
    "config",
    "unreadable",
    "leftover",
    "archived-link",
}


@pytest.mark.parametrize(("rule", "files", "path", "line"), BAD)
def test_a_rule_finds_what_it_is_for(rule: str, files: Files, path: str, line: int) -> None:
    """Promised as I1 and I2."""
    report = audit(files)
    assert (path, line) in [(each.path, each.line) for each in report.findings if each.rule == rule], report.text()
    assert bool(report.problems) == any(severity(each.rule) == PROBLEM for each in report.findings)


@pytest.mark.parametrize(("rule", "files"), GOOD)
def test_a_rule_leaves_alone_what_only_looks_like_it(rule: str, files: Files) -> None:
    """Few false alarms."""
    report = audit(files)
    assert [each for each in report.findings if each.rule == rule] == []


def test_every_rule_has_a_test_of_what_it_finds() -> None:
    assert {rule for rule, *_ in BAD} | ON_DISK == set(RULES)


def test_a_duplicate_key_names_both_lines() -> None:
    """Promised by the fault it mends: the most common origin is a merge that added a moved line again."""
    report = audit({"a.md": head("type: user", "name: a", "type: project")})
    assert [each.sentence() for each in report.findings if each.rule == "head-duplicate"] == [
        "a.md:4: `type` stands on line 2 and on line 4; line 2 counts, delete the other"
    ]


def test_a_secret_is_never_repeated() -> None:
    report = audit({"a.md": memory(f"key {AWS}\n")})
    assert AWS not in report.text()
    assert AWS not in str(report.shape())


def test_every_rule_that_any_room_names_is_explained() -> None:
    """A finding without a page would leave its reader alone."""
    named: set[str] = set()
    for room in ("memory", "store", "audit"):
        for file in (ROOT / "gitmem" / room).rglob("*.py"):
            text = file.read_text(encoding="utf-8")
            named |= set(re.findall(r"Finding\(\s*\"([a-z-]+)\"", text))
            named |= set(re.findall(r"(?:skip|\.say)\(\s*\"([a-z-]+)\",", text))
    assert named <= set(RULES), named - set(RULES)


def page() -> str:
    """docs/audit.md, as the rules tell it."""
    parts = [
        "# What the audit looks for\n",
        "`gitmem audit` reads every memory and tells what is wrong; it never writes. Problems end it with exit code\n"
        "5, hints do not. `gitmem audit --staged` judges what the next commit would change, and names only what that\n"
        "adds; the git hooks of `gitmem hooks install` ask just so. `gitmem doctor --fix` mends what can be mended\n"
        "without changing what a memory says.\n",
        "This page is made from the rules themselves: a test compares the two.\n",
    ]
    for rule in RULES.values():
        kind = "hint" if rule.severity == HINT else "problem"
        parts.append(
            f"## {rule.id}\n\n{rule.what[:1].upper()}{rule.what[1:]} ({kind}).\n\n- Why: {rule.why}\n"
            f"- Example:{code(rule.example)}\n- Mend: {rule.mend}\n"
        )
    return "\n".join(parts)


def code(text: str) -> str:
    if "\n" in text:
        return "\n\n" + "".join(f"      {line}\n" for line in text.split("\n"))
    return f" `` {text} ``" if "`" in text else f" `{text}`"


def test_the_page_says_what_the_rules_say() -> None:
    """Promised at the head of docs/audit.md."""
    assert PAGE.read_text(encoding="utf-8") == page()


def test_every_rule_explains_itself() -> None:
    for rule in RULES.values():
        assert rule.severity in (PROBLEM, HINT)
        assert all((rule.what, rule.why, rule.example, rule.mend))
        assert rule.why.endswith("."), rule.id


@pytest.mark.parametrize(
    "body",
    ["[[" * 60_000, "[[a]]\n" * 9_000, "```\n~~~\n" * 20_000, "\u200d" * 80_000, "\U000e0041" * 80_000,
     "\u200e" * 80_000, "<<<<<<< x\n" * 9_000, "`" * 100_000, "key = " * 40_000],
    ids=range(9),
)  # fmt: skip
def test_no_text_takes_longer_than_its_length(body: str) -> None:
    """Each of these took minutes where a step back was not bounded; here it only has to end."""
    assert audit({"a.md": ("---\nname: a\n---\n" + body).encode()}).memories == 1
