"""Hypothesis strategies of three-way histories: a memory as people write it, and what two sides did to it."""

from __future__ import annotations

from hypothesis import strategies as st

PARAGRAPHS = [
    "Back up before the migration.",
    "Ask Ada about the port.\nShe moved it in May.",
    "上线前先备份数据库。",
    "> quoted words",
    "```sh\nmake deploy\n\n# not a heading\n```",
    "- first item\n- second item\n  with more\n- third item",
    "1. one\n2. two",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs",
    "---",
    "text  ",
    "a line\n```\ncode",
    "* star\n\n* loose star",
    "    indented code",
    "###### deep",
    "Setext\n======",
    "~~~\n```\n~~~",
]
HEADINGS = ["# Deploy", "## Order", "## Order", "### Detail", "## 记录", "# Other", "##", "# Deploy #"]
HEAD_LINES = [
    "name: deploy",
    "description: the steps",
    'description: "a: b"',
    "description: Deploy: use blue slot",
    "type: project",
    "tags: [a, b, c]",
    "tags:\n  - a\n  # why b\n  - b # here",
    "tags: a, b",
    "aliases: []",
    "aliases: [ship it, 上线]",
    "updated: 2026-11-30",
    "updated: 2026-11-30T10:04:00+08:00",
    "updated: yesterday",
    "access_count: 3",
    "access_count: 11",
    "unknown: {a: [1, 2]}",
    "custom: |\n  two\n\n  lines",
    "# a comment",
    "",
    "other: NO",
    "other: 1.10",
    "broken line",
    "metadata:\n  type: user\n  trust: candidate\n  hits: 4\n  triggers: [x, y]",
    "metadata: \n  node_type: memory\n  type: user # who\n  modified: 2026-01-01T00:00:00.000Z",
    "metadata:\n    type: user\n\n    # why\n    triggers:\n      - x\n      - y\n    deep:\n        a: 1",
    "metadata: {type: user, triggers: [x]}",
    "metadata:",
    "name: deploy",
    "tags: [b, d]",
    "tags:\n- a\n- c",
]


def pieces(pool: list[str]) -> st.SearchStrategy[list[str]]:
    return st.lists(st.sampled_from(pool), max_size=7)


def changed(old: list[str], pool: list[str]) -> st.SearchStrategy[list[str]]:
    """``old`` after up to three small edits."""
    edit = st.tuples(st.sampled_from("pdrwm"), st.integers(0, 8), st.sampled_from(pool))

    def apply(edits: list[tuple[str, int, str]]) -> list[str]:
        new = list(old)
        for what, at, piece in edits:
            at %= len(new) + 1
            if what == "p":
                new.insert(at, piece)
            elif what == "d":
                del new[at : at + 1]
            elif what == "r":
                new[at : at + 1] = [piece]
            elif what == "w" and at < len(new):
                new[at] += " more"
            elif what == "m" and at < len(new):
                new.append(new.pop(at))
        return new

    return st.lists(edit, max_size=3).map(apply)


def body(parts: list[str]) -> str:
    return "".join("\n" + part + "\n" for part in parts)


def memory(head: list[str] | None, parts: list[str]) -> str:
    fenced = "" if head is None else "".join(line + "\n" for line in ["---", *head, "---"])
    return fenced + body(parts)


def saved(text: str) -> st.SearchStrategy[bytes]:
    """``text`` as files are saved, mostly plainly."""
    ending = st.sampled_from(["\n"] * 6 + ["\r\n", "\r\n", "\r", "mixed"])
    encoding = st.sampled_from(["utf-8"] * 6 + ["utf-8-sig", "utf-16"])

    def save(ending: str, encoding: str, ended: bool) -> bytes:
        shown = text if ended else text.removesuffix("\n")
        if ending == "mixed":
            lines = shown.split("\n")
            shown = "".join(line + ("\r\n" if at % 3 else "\n") for at, line in enumerate(lines[:-1])) + lines[-1]
        else:
            shown = shown.replace("\n", ending)
        return shown.encode(encoding)

    return st.builds(save, ending, encoding, st.sampled_from([True, True, True, False]))


Trio = tuple[bytes | None, bytes, bytes]


@st.composite
def memories(draw: st.DrawFn, plain: bool = False) -> Trio:
    """Base, ours and theirs of one memory; base None now and then."""
    head = draw(st.one_of(st.none(), *[pieces(HEAD_LINES)] * 5))
    old = draw(pieces(PARAGRAPHS + HEADINGS))
    texts = [memory(head, old)]
    for _ in range(2):
        own = head
        if head is not None:
            own = draw(st.one_of(*[changed(head, HEAD_LINES)] * 8, st.none()))
        texts.append(memory(own, draw(changed(old, PARAGRAPHS + HEADINGS))))
    base, ours, theirs = (text.encode() if plain else draw(saved(text)) for text in texts)
    return draw(st.sampled_from([base] * 5 + [None])), ours, theirs
