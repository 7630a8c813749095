"""What a commit adds is judged; what was wrong before stops nobody."""

from __future__ import annotations

from gitmem.audit.changes import LIST, MEMORY, OTHER, SETTINGS, TEXT, Changed, audit_changes

SOUND = b"---\nname: a\ndescription: what it says\n---\n\ntext\n"
AWS = b"AKIA" + b"ABCDEFGHIJKLMNOP"


def judge(*changed: Changed, there: tuple[str, ...] = ()) -> list[tuple[str, str, int]]:
    paths = [*(each.path for each in changed), *there]

    def names(folder: str) -> list[str]:
        before = folder + "/" if folder else ""
        return sorted({path[len(before) :].partition("/")[0] for path in paths if path.startswith(before)})

    report = audit_changes(changed, names, lambda: paths)
    return [(each.rule, each.path, each.line) for each in report.findings]


def new(path: str, data: bytes, kind: str = MEMORY) -> Changed:
    return Changed(path, kind, data, lambda: None, is_new=True)


def edited(path: str, data: bytes, before: bytes, kind: str = MEMORY) -> Changed:
    return Changed(path, kind, data, lambda: before)


def test_a_new_memory_is_judged_whole() -> None:
    assert judge(new("a.md", b"---\ntype: x\ntype: y\n---\n")) == [("head-duplicate", "a.md", 3)]
    assert judge(new("a.md", SOUND)) == []


def test_an_old_problem_does_not_stop_an_edit() -> None:
    old = b"---\ntype: x\ntype: y\n---\nbody\n"
    moved = b"---\nname: above\ntype: x\ntype: y\n---\nbody, longer\n"
    assert judge(edited("a.md", moved, old)) == []
    assert judge(edited("a.md", moved.replace(b"name: above", b"name: a: b"), old)) == [("head-colon", "a.md", 2)]


def test_a_second_problem_of_one_kind_is_new() -> None:
    old = SOUND + b"<<<<<<< HEAD\n"
    assert judge(edited("a.md", old + b"<<<<<<< HEAD\n", old)) == [("marker", "a.md", 8)]


def test_a_secret_is_new_when_its_text_is() -> None:
    old = SOUND + AWS + b"\n"
    assert judge(edited("a.md", old + b"more\n", old)) == []
    assert judge(edited("a.md", SOUND + AWS[:-1] + b"Q\n", old)) == [("secret", "a.md", 7)]


def test_texts_that_are_no_memories_are_looked_through_for_secrets_and_markers_only() -> None:
    assert judge(new("archive/a.md", b"no head " + AWS + b"\r\n", TEXT)) == [("secret", "archive/a.md", 1)]
    assert judge(new("session-log.md", b"<<<<<<< HEAD\n", TEXT)) == [("marker", "session-log.md", 1)]


def test_the_list_is_judged_by_what_the_commit_holds() -> None:
    index = b"- [a](a.md)\n- [b](b.md)\n"
    assert judge(new("MEMORY.md", index, LIST), there=("a.md",)) == [("dangling", "MEMORY.md", 2)]


def test_settings_other_files_links_and_removals() -> None:
    assert judge(new(".gitmem/config.yaml", b"wrong: 1\n", SETTINGS)) == [("config", ".gitmem/config.yaml", 1)]
    assert judge(edited(".gitmem/config.yaml", b"# x\nwrong: 1\n", b"wrong: 1\n", SETTINGS)) == []
    assert judge(new("a.md.tmp", b"", OTHER), new("a.png", b"", OTHER)) == [("leftover", "a.md.tmp", 0)]
    assert judge(Changed("s.md", MEMORY, None, lambda: None, is_link=True)) == [("link", "s.md", 0)]
    assert judge(Changed("a.md", MEMORY, None, lambda: SOUND)) == []
    assert judge(new("a.md", b"x" * (512 * 1024 + 1))) == [("too-big", "a.md", 0)]


def test_a_new_name_is_compared_with_what_stands_beside_it_at_each_level() -> None:
    assert judge(new("api.md", SOUND), there=("API.md",)) == [("twin", "api.md", 0)]
    assert judge(new("docs/x/a.md", SOUND), there=("Docs/b.md",)) == [("twin", "docs", 0)]
    assert judge(new("caf\u00e9-notes.md", SOUND), there=("cafe\u0301-notes.md",)) == [
        ("twin", "caf\u00e9-notes.md", 0)
    ]
    assert judge(edited("api.md", SOUND, SOUND + b"x\n"), there=("API.md",)) == []
    assert judge(new("aux.md", SOUND)) == [("name", "aux.md", 0)]
