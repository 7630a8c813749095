"""A memory as bytes: encodings, line endings, line numbers, revision."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory import document
from gitmem.memory.document import blob_id, count_lines, line_at, read_memory, split_lines
from gitmem.memory.field import known, title
from gitmem.memory.finding import Finding
from tests.strategies import CHECK, files, texts

HEAD = "---\nname: n\ndescription: café 記憶\n---\n\nbody é\n"
FIELDS = {"name": "n", "description": "café 記憶"}


def places(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(finding.rule, finding.line) for finding in findings]


def test_a_plain_file_reads_without_a_finding() -> None:
    memory = read_memory("a/b.md", HEAD.encode())
    assert (memory.path, memory.data, memory.text) == ("a/b.md", HEAD.encode(), HEAD)
    assert (memory.encoding, memory.fields, memory.body, memory.body_line) == ("utf-8", FIELDS, "\nbody é\n", 5)
    assert memory.findings == []


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("encoding", "bom", "label"),
    [
        ("utf-8", b"", "utf-8"),
        ("utf-8", b"\xef\xbb\xbf", "utf-8-sig"),
        ("utf-8", b"\xef\xbb\xbf" * 2, "utf-8-sig"),
        ("utf-16-le", b"\xff\xfe", "utf-16-le"),
        ("utf-16-be", b"\xfe\xff", "utf-16-be"),
    ],
)
def test_marks_encodings_and_line_endings_hide_no_head(ending: str, encoding: str, bom: bytes, label: str) -> None:
    """The tool sage-mem sees no head behind a byte order mark."""
    text = HEAD.replace("\n", ending)
    memory = read_memory("a.md", bom + text.encode(encoding))
    assert (memory.text, memory.encoding, memory.fields) == (text, label, FIELDS)
    assert (memory.body, memory.body_line) == (f"{ending}body é{ending}", 5)
    rules = [finding.rule for finding in memory.findings]
    mark = {"utf-8": [], "utf-8-sig": ["bom"]}.get(label, ["encoding"])
    assert rules == mark + (["line-endings"] if ending != "\n" else [])


def test_a_quoted_value_in_a_crlf_file_keeps_neither_cr_nor_quote() -> None:
    assert read_memory("a.md", b'---\r\ndescription: "x"\r\n---\r\n').fields == {"description": "x"}


@pytest.mark.parametrize(
    ("text", "said"),
    [("a\r\nb\nc\r\n", "CRLF and LF"), ("a\r\nb\r\n", "CRLF"), ("a\rb\r", "CR"), ("a\rb\r\nc\n", "CR and LF")],
)
def test_line_endings_are_named(text: str, said: str) -> None:
    findings = read_memory("a.md", text.encode()).findings
    assert places(findings) == [("line-endings", 0)]
    assert said in findings[0].message


def test_a_line_that_is_not_utf8_is_read_as_latin1_and_named() -> None:
    """The file is named with its line; the other lines, here Chinese ones, stay what they are."""
    memory = read_memory("a.md", "---\nname: 記憶\n".encode() + b"description: caf\xe9 \x93x\x94\n---\nbody\n")
    assert memory.fields == {"name": "記憶", "description": "café “x”"}
    assert memory.encoding == "latin-1"
    assert places(memory.findings) == [("encoding", 3)]


@pytest.mark.parametrize(
    "data",
    [b"\xff\xfe\x00", b"\xff\xfe\x00\xd8", b"\xfe\xff\xd8\x00\x00", b"\xef\xbb\xbf\xff", b"\xff", b"\x81\x8d", b""],
)
def test_damaged_bytes_are_read_as_well_as_they_can_be(data: bytes) -> None:
    assert read_memory("a.md", data).body_line == 1


def test_a_body_line_is_counted_as_an_editor_counts() -> None:
    """Promised as F3: passages carry file line numbers."""
    text = "---\nname: n\nown: 'a\u2028b\x0bc'\n---\nbody\n"
    assert read_memory("a.md", text.encode()).body_line == 5
    assert read_memory("a.md", b"body").body_line == 1
    assert read_memory("a.md", b"---\r\nname: n\r---\nbody").body_line == 4
    assert read_memory("a.md", b"---\nname: n\n---").body_line == 4


def test_the_revision_is_the_blob_id_of_git(git: Callable[..., str], tmp_path: Path) -> None:
    """What git calls a blob."""
    for data in (b"", HEAD.encode(), bytes(range(256)) * 5):
        (tmp_path / "file").write_bytes(data)
        expected = git("hash-object", "--no-filters", "file", cwd=tmp_path).strip()
        assert blob_id(data) == expected
        assert read_memory("a.md", data).revision == expected


@CHECK
@given(st.one_of(files(), st.binary(max_size=200)))
def test_no_file_stops_a_reader(data: bytes) -> None:
    """A9: whatever the bytes; every finding is one sentence with a place."""
    memory = read_memory("a/b.md", data)
    assert title(memory, known(memory))
    assert memory.text.endswith(memory.body)
    assert 1 <= memory.body_line <= count_lines(memory.text) + 1
    for finding in memory.findings:
        assert finding.path == "a/b.md"
        assert finding.rule
        assert 0 <= finding.line <= max(1, count_lines(memory.text))
        assert finding.message
        assert not {"\n", "\r"} & set(finding.message)


@CHECK
@given(texts(12))
def test_lines_joined_are_the_text(text: str) -> None:
    lines = split_lines(text)
    assert "".join(lines) == text
    assert len(lines) == count_lines(text)
    assert lines == [part.decode() for part in text.encode().splitlines(keepends=True)]


def test_reading_plain_memories_imports_nothing_heavy() -> None:
    """The hook parses changed files within its import budget."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); from gitmem.memory.document import read_memory; "
        "from gitmem.memory.field import known; "
        "memory = read_memory('a.md', b'---\\nname: n\\ntags: [a, b]\\nmetadata:\\n  type: user # x\\n---\\nbody\\n'); "
        "assert known(memory).type == 'user'; "
        "print([name for name in ('yaml', 'frontmatter', 're', 'typing', 'pathlib') if name in sys.modules])"
    )
    root = str(Path(document.__file__).parents[2])
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", program, root], capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert done.stdout == "[]\n"


@CHECK
@given(texts(12))
def test_every_character_has_the_line_an_editor_gives_it(text: str) -> None:
    """Also in files whose lines end in CR alone: refusals and labels name lines."""
    at = 0
    for number, line in enumerate(split_lines(text), 1):
        assert {line_at(text, at + each) for each in range(len(line))} == {number}
        at += len(line)


@pytest.mark.parametrize("said", ["01.11.2026", "next spring", "[2026, 11]", "20261101"])
@pytest.mark.parametrize("head", ["updated: {}", "name: n\nmetadata:\n  expires: {}", "metadata: {{modified: '{}'}}"])
def test_a_date_that_cannot_be_read_is_said_with_its_line(head: str, said: str) -> None:
    """An expiry that nobody can read would never come, in silence."""
    findings = read_memory("a.md", f"---\n{head.format(said)}\n---\nbody\n".encode()).findings
    assert [finding.rule for finding in findings] == ["head-date"]
    assert findings[0].line == (4 if "name" in head else 0 if "modified" in head else 2)
    assert "2026-11-30" in findings[0].message


def test_dates_that_can_be_read_and_none_at_all_are_no_finding() -> None:
    for said in ("2026-11-30", "2026/1/3", '"2026-1-3 10:00"', ""):
        assert read_memory("a.md", f"---\nupdated: {said}\nmetadata:\n  expires: {said}\n---\n".encode()).findings == []
