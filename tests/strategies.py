"""Hypothesis strategies shared by the tests: texts, heads and files as people and tools leave them."""

from __future__ import annotations

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from gitmem.memory.document import line_at
from gitmem.memory.secret import secret_spans

# No deadline: the machine may be busy. No database: the tests leave no folder behind.
CHECK = settings(max_examples=150, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])

# What has broken readers and writers of frontmatter before, as pieces to build texts from.
PIECES = [
    *":#-?&>|*@`%!{}[],'\"\\~=<.xY0é記🐈",
    *[" ", "  ", "\t", "\n", "\r", "\r\n", "\n---\n", "---", "...", ": ", " #", "- ", "\\n", '\\"', "''"],
    *[
        "\x00",
        "\x07",
        "\x1b",
        "\x7f",
        "\x85",
        "\xa0",
        "\u3000",
        "\u2028",
        "\u2029",
        "\ufeff",
        "\ufffe",
        "\u200b",
        "\u202e",
    ],
    *["true", "null", "NO", "1.10", "2026-03-01", "0x1F", "key: value", "name", "tags", "metadata:"],
]


def texts(max_pieces: int = 8) -> st.SearchStrategy[str]:
    """Any text a file can hold (no lone surrogates), with the awkward pieces often."""
    pieces = st.lists(st.sampled_from(PIECES), max_size=max_pieces).map("".join)
    free = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
    return st.one_of(pieces, free, st.builds(str.__add__, pieces, free))


def items() -> st.SearchStrategy[list[str]]:
    """Lists of texts, at least one."""
    return st.lists(texts(4), min_size=1, max_size=5)


def head_lines() -> st.SearchStrategy[list[str]]:
    """Lines such as heads have, sound ones and broken ones in any order."""
    key = st.sampled_from(
        ["name", "description", "tags", "type", "a-b", "键", "a b", "metadata", "x.y", '"q"', "", "?"]
    )
    mark = st.sampled_from([": ", ":", ":  ", " : ", ":\t", "："])
    value = st.one_of(texts(4).filter(_fits_a_line), st.sampled_from(VALUES))
    indent = st.sampled_from(["", "", "", "  ", "  ", "    ", " ", "\t"])
    line = st.one_of(
        st.builds(lambda a, b, c, d: a + b + c + d, indent, key, mark, value),
        st.builds(lambda a, b: f"{a}- {b}", indent, value),
        st.builds(lambda a, b: a + b, indent, value),
        st.builds(lambda a, b: f"{a}{b}:", indent, key),
        st.sampled_from(["", "  ", "# comment", "  # comment", "metadata:", "tags:", "---", "..."]),
    )
    return st.lists(line, max_size=8)


VALUES = [
    "plain words", '"double"', "'single'", "'it''s'", '"a \\"b\\" c"', '"C:\\\\x"', "[a, b]", '["a", "b, c"]',
    "[a, 'b']", "[]", "[a,]", "[,]", "[-a]", "[a:b]", "[a: b]", "{a: b}", "x # note", "# note", '"x" # note',
    "a: b", "x:", "|", ">-", "*x", "&x y", "!x y", "@x", "`x`", "%x", "- x", "? x", '"open', "'open", "[open",
    "x:y", "12:30", "C#", "[C#]", "a,b",
]  # fmt: skip


def heads() -> st.SearchStrategy[str]:
    """The text between two fences, LF only: wild ones, and sound ones with one piece put in somewhere."""
    wild = head_lines().map("\n".join).map(lambda text: text + "\n" if text else "")
    piece = st.sampled_from(["", *PIECES]).filter(lambda text: "\r" not in text and "---" not in text)
    near = st.builds(
        lambda lines, piece, at: _put("".join(line + "\n" for line in lines), piece, at),
        near_lines(),
        piece,
        st.integers(0, 200),
    )
    return st.one_of(wild, near, near)


def near_lines() -> st.SearchStrategy[list[str]]:
    """Lines of a head with many styles of value, most of them sound."""
    value = st.one_of(st.sampled_from(VALUES[:20]), st.sampled_from(VALUES), texts(3).filter(_fits_a_line))
    item = st.builds(lambda indent, value: f"{indent}- {value}", st.sampled_from(["", "  ", "  "]), value)
    child = st.builds(lambda key, value: f"  {key}: {value}", st.sampled_from("abcd"), value)
    block = st.one_of(
        value.map(lambda value: [": " + value]),
        st.lists(item, max_size=3).map(lambda items: [":", *items]),
        st.lists(child, max_size=3).map(lambda children: [":", *children]),
    )
    return st.lists(block, max_size=5).map(
        lambda blocks: [line for n, block in enumerate(blocks) for line in (f"key{n}{block[0]}", *block[1:])]
    )


def _put(text: str, piece: str, at: int) -> str:
    at %= len(text) + 1
    return text[:at] + piece + text[at:]


def _fits_a_line(text: str) -> bool:
    return "\n" not in text and "\r" not in text


def files() -> st.SearchStrategy[bytes]:
    """Bytes of a memory file: any encoding, any line ending, with a head or without, or plain noise."""
    text = st.builds(
        lambda before, opening, head, closing, body: before + opening + head + closing + body,
        st.sampled_from(["", "", "", "\ufeff", "\n"]),
        st.sampled_from(["---\n", "---\n", "--- \n", "----\n", ""]),
        heads(),
        st.sampled_from(["---\n", "---\n", "---", "--- \n", ""]),
        texts(),
    )
    ending = st.sampled_from(["\n", "\n", "\r\n", "\r"])
    encoding = st.sampled_from(["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"])
    sound = st.builds(
        lambda text, ending, encoding: text.replace("\n", ending).encode(encoding, "replace"), text, ending, encoding
    )
    return st.one_of(sound, st.binary(max_size=40), st.builds(bytes.__add__, sound, st.binary(max_size=4)))


def sound_heads() -> st.SearchStrategy[list[str]]:
    """Lines of a head that every YAML reader reads, in the styles people write."""
    name = st.sampled_from(["name: deploy", 'name: "deploy"', "name:   'deploy'  ", "# a comment\nname: deploy # note"])
    description = st.sampled_from(
        [
            "description: plain text",
            'description: "a: b"',
            "description: >-\n  folded\n  # text\n\n  here",
            "description:",
        ]
    )
    tags = st.sampled_from(
        [
            "tags: [a,  b]",
            "tags:\n  - a\n  # why\n  - 'b' # note",
            "tags:\n- a\n- b",
            "tags: a, b",
            'tags: ["a", "b"] # c',
        ]
    )
    metadata = st.sampled_from(
        [
            "metadata: \n  node_type: memory\n  type: user # who\n  triggers: [x, y]",
            "metadata:\n    type: user\n\n    # why\n    triggers:\n      - x\n      - y",
            "metadata: {type: user, triggers: [x, y]} # flow",
        ]
    )
    other = st.sampled_from(
        ["unknown: {a: [1, 2]}", "custom: |\n  two\n\n  lines", "updated: 2026-11-30", "", "  ", "# end"]
    )
    blocks = st.tuples(name, description, tags, metadata, other).flatmap(st.permutations)
    return blocks.map(lambda parts: "\n".join(parts).split("\n"))


def sound_files() -> st.SearchStrategy[bytes]:
    """Memory files with a sound head, in every line ending and encoding gitmem keeps."""
    return st.builds(
        lambda head, body, ending, encoding: (
            ending.join(["---", *head, "---", ""]) + body.replace("\n", ending)
        ).encode(encoding),
        sound_heads(),
        st.sampled_from(["", "\nbody\n", "body without an end", "\n---\n\ntwo  \n# A\n", "é 記\n"]),
        st.sampled_from(["\n", "\r\n", "\r"]),
        st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    )


def find_secrets(text: str) -> list[tuple[int, str]]:
    """Line (1-based) and kind of every secret in ``text``, in order."""
    return [(line_at(text, start), kind) for start, _, kind in secret_spans(text)]
