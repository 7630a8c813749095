"""The audit of a folder: what only the disk can tell, and that nothing on it changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.audit.auditor import audit
from gitmem.audit.report import Report
from gitmem.audit.store import audit_store

MEMORY = b"---\nname: a\ndescription: what it says\n---\n\ntext\n"


def put(root: Path, path: str, data: bytes = MEMORY) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return file


def of(report: Report, rule: str) -> list[str]:
    return [each.path for each in report.findings if each.rule == rule]


def test_a_list_that_is_a_link_or_too_long_is_told(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    (tmp_path / "MEMORY.md").symlink_to("a.md")
    assert "MEMORY.md" in of(audit_store(str(tmp_path)), "link")
    (tmp_path / "MEMORY.md").unlink()
    put(tmp_path, "MEMORY.md", b"x" * (512 * 1024 + 1))
    assert of(audit_store(str(tmp_path)), "too-big") == ["MEMORY.md"]
    (tmp_path / "MEMORY.md").unlink()
    (tmp_path / "MEMORY.md").mkdir()
    assert audit_store(str(tmp_path)).problems == 1


def test_an_empty_store_says_so(tmp_path: Path) -> None:
    assert audit_store(str(tmp_path)).text() == "there are no memories, so there is nothing to audit"


def test_a_sound_store_says_so(tmp_path: Path) -> None:
    put(tmp_path, "a.md")
    put(tmp_path, "x/记忆.md")
    put(tmp_path, "MEMORY.md", "- [a](a.md)\n- [b](x/记忆.md)\n".encode())
    assert audit_store(str(tmp_path)).text() == "2 memories looked at, 2 listed: no problems"


def test_a_lock_of_nothing_is_told_with_its_line(tmp_path: Path) -> None:
    """Not one that waits for its memory to come back from the archive, nor one in another case."""
    put(tmp_path, "a.md")
    put(tmp_path, "archive/b.md")
    put(tmp_path, ".gitmem/config.yaml", b"format: 1\nlocks: [./A.md, b.md]\n")
    assert of(audit_store(str(tmp_path)), "lost-lock") == []
    put(tmp_path, ".gitmem/config.yaml", b"format: 1\nlocks:\n  - a.md\n  - gone.md\n")
    told = [each.sentence() for each in audit_store(str(tmp_path)).findings if each.rule == "lost-lock"]
    assert told == [".gitmem/config.yaml:4: locks gone.md, and there is no such file"]


def test_an_audit_changes_nothing(tmp_path: Path) -> None:
    """Case 88: content, time and size of every file are as before, twice."""
    put(tmp_path, "a.md", b"\xef\xbb\xbf---\r\ntype: x\r\ntype: y\r\n")
    put(tmp_path, "MEMORY.md", b"- [gone](gone.md)\r\n")
    put(tmp_path, "archive/old.md")

    def state() -> list[tuple[str, bytes, int]]:
        files = sorted(path for path in tmp_path.rglob("*") if path.is_file())
        return [(str(path), path.read_bytes(), path.stat().st_mtime_ns) for path in files]

    before, first = state(), audit_store(str(tmp_path)).text()
    assert audit_store(str(tmp_path)).text() == first
    assert state() == before


def test_links_and_what_they_name_are_told_and_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "outside.md"
    secret.write_bytes(b"AKIA" + b"ABCDEFGHIJKLMNOP")
    root = tmp_path / "store"
    put(root, "a.md")
    (root / "s.md").symlink_to(secret)
    (root / "folder").symlink_to(tmp_path)
    report = audit_store(str(root))
    assert of(report, "link") == ["folder", "s.md"]
    assert of(report, "secret") == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_memory_is_told_and_joins_no_other_rule(tmp_path: Path) -> None:
    """Case 106."""
    put(tmp_path, "a.md", b"no head").chmod(0)
    report = audit_store(str(tmp_path))
    assert [(each.rule, each.path) for each in report.findings] == [("unreadable", "a.md")]
    assert report.problems == 1


def test_an_oversize_memory_is_told_and_still_counts_as_there(tmp_path: Path) -> None:
    put(tmp_path, "big.md", b"x" * (512 * 1024 + 1))
    put(tmp_path, "MEMORY.md", b"- [big](big.md)\n")
    report = audit_store(str(tmp_path))
    assert of(report, "too-big") == ["big.md"]
    assert of(report, "dangling") == []


def test_the_log_is_there_and_is_no_memory(tmp_path: Path) -> None:
    """Case 90."""
    put(tmp_path, "session-log.md", b"no head")
    put(tmp_path, "MEMORY.md", b"- [log](session-log.md)\n")
    assert audit_store(str(tmp_path)).findings == ()


def test_a_link_into_the_archive_is_a_hint(tmp_path: Path) -> None:
    """Case 102: restored, it is neither a hint nor a problem."""
    put(tmp_path, "a.md", MEMORY + b"see [[old]], [[Other Name]] and [[deep]]\n")
    put(tmp_path, "archive/old.md", b"---\nname: Other Name\ndescription: x\n---\n")
    put(tmp_path, "archive/x/deep.md")
    report = audit_store(str(tmp_path))
    assert of(report, "archived-link") == ["a.md", "a.md", "a.md"]
    assert report.problems == 0
    assert "a hint, not a problem" in report.text()
    for path in ("old.md", "x/deep.md"):
        put(tmp_path, path, (tmp_path / "archive" / path).read_bytes())
        (tmp_path / "archive" / path).unlink()
    assert audit_store(str(tmp_path)).findings == ()


def test_what_supersedes_an_archived_memory_is_sound(tmp_path: Path) -> None:
    put(tmp_path, "a.md", b"---\nname: a\nmetadata:\n  supersedes: [old, 01KOLD]\n---\n")
    put(tmp_path, "archive/old.md")
    put(tmp_path, "archive/other.md", b"---\nmetadata:\n  id: 01KOLD\n---\n")
    assert of(audit_store(str(tmp_path)), "dangling-id") == []


def test_an_archive_that_cannot_be_read_costs_a_name_and_nothing_else(tmp_path: Path) -> None:
    """Case 107, and an archive that is a link: it is not followed."""
    put(tmp_path, "a.md", MEMORY + b"see [[old]] and [[big]]\n")
    put(tmp_path, "archive/big.md", b"x" * (512 * 1024 + 1))
    (tmp_path / "archive" / "old.md").symlink_to(tmp_path / "a.md")
    report = audit_store(str(tmp_path))
    assert of(report, "archived-link") == ["a.md"]
    assert of(report, "broken-link") == ["a.md"]
    other = tmp_path / "other"
    put(other, "a.md", MEMORY + b"see [[old]]\n")
    (other / "archive").symlink_to(tmp_path / "archive")
    assert of(audit_store(str(other)), "broken-link") == ["a.md"]


@pytest.mark.parametrize(
    "name", ["a.md.4711.tmp", "a.md.tmp", "a.md.1a2b.x9.tmp", "a.md.orig", "a.md.rej", ".a.md.gitmem-0.new"]
)
def test_what_a_killed_program_left_is_told(tmp_path: Path, name: str) -> None:
    """Case 108, also in the archive."""
    put(tmp_path, "a.md")
    put(tmp_path, f"x/{name}")
    put(tmp_path, f"archive/{name}")
    assert of(audit_store(str(tmp_path)), "leftover") == [f"archive/{name}", f"x/{name}"]


@pytest.mark.parametrize("name", ["notes.txt", "a.tmpl.md", "tmp.txt", ".DS_Store", "a.md~"])
def test_other_files_are_nobodys_business(tmp_path: Path, name: str) -> None:
    put(tmp_path, name)
    assert of(audit_store(str(tmp_path)), "leftover") == []


def test_settings_that_cannot_be_used_are_told(tmp_path: Path) -> None:
    put(tmp_path, ".gitmem/config.yaml", b"recall:\n  candidates: maybe\n")
    found = audit_store(str(tmp_path)).findings
    assert [(each.rule, each.path, each.line) for each in found] == [("config", ".gitmem/config.yaml", 2)]


def test_the_list_may_have_another_name_and_what_is_ignored_is_not_looked_at(tmp_path: Path) -> None:
    put(tmp_path, ".gitmem/config.yaml", b"index_file: INDEX.md\nignore: [drafts/]\n")
    put(tmp_path, "INDEX.md", b"- [a](a.md)\n- [gone](gone.md)\n- [draft](drafts/d.md)\n")
    put(tmp_path, "a.md")
    put(tmp_path, "drafts/d.md", b"no head")
    report = audit_store(str(tmp_path))
    assert [(each.rule, each.path, each.line) for each in report.findings] == [("dangling", "INDEX.md", 2)]


def test_nested_repositories_and_second_names_are_told(tmp_path: Path) -> None:
    put(tmp_path, "MEMORY.md", b"# Memory\n")
    os.link(tmp_path / "MEMORY.md", tmp_path / "second.md")
    put(tmp_path, "sub/.git/HEAD", b"ref: refs/heads/main\n")
    (tmp_path / "sub/.git/objects").mkdir()
    put(tmp_path, "sub/a.md")
    report = audit_store(str(tmp_path))
    assert (of(report, "reserved"), of(report, "repository")) == (["second.md"], ["sub"])
    assert report.problems == 1


def test_thirteen_findings_are_twelve_rows_and_a_count() -> None:
    """Case 109; a program gets all of them."""
    report = audit({f"note-{number:02d}.md": b"no head" for number in range(13)})
    text = report.text()
    assert text.splitlines()[0] == "13 memories looked at: 13 problems"
    assert "no-head: a memory without frontmatter (13 problems)" in text
    assert text.count("(no-head)") == 12
    assert "\n  1 more\n" in text
    assert "  To mend it: Give it one: gitmem edit NAME --set description='one sentence'" in text
    assert len(report.shape()["findings"]) == 13  # type: ignore[arg-type]


def test_a_path_that_would_break_the_line_is_shown_escaped() -> None:
    text = audit({"new\nline.md": b"no head"}).text()
    assert "  new\\nline.md: has no frontmatter (no-head)" in text


def test_a_report_can_be_about_some_memories_only() -> None:
    report = audit({"a.md": b"no head", "b.md": b"no head"}).about(["b.md"])
    assert [each.path for each in report.findings] == ["b.md"]
    assert report.summary() == "1 memory looked at: 1 problem"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such file")
@pytest.mark.parametrize(
    ("name", "what", "better"),
    [("B: plan.md", "begins with a drive's letter", "B- plan.md"), ("a\\b.md", "holds a backslash", "a-b.md")],
)
def test_a_name_that_windows_takes_for_a_path_is_called_a_name_and_no_link(
    tmp_path: Path, name: str, what: str, better: str
) -> None:
    put(tmp_path, name)
    report = audit_store(str(tmp_path))
    assert of(report, "link") == []
    [found] = [each for each in report.findings if each.rule == "name"]
    assert found.path == name
    assert what in found.message
    assert found.message.endswith(f"rename it to {better}")
