"""What a person meets at `--if-revision`, `conflict`, `undo`, `redo`, `rollback`: sentences, JSON, exit codes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Git = Callable[..., str]
Gm = Callable[..., Any]
BODY = "# Deploy\n\nFirst.\n\n## Order\n\nBackup.\n"


def revision(gm: Gm, name: str = "deploy") -> str:
    return str(gm("show", name, "--json").json["revision"])


def open_ids(gm: Gm) -> list[str]:
    return [each["id"] for each in gm("conflict", "list", "--json").json["conflicts"]]


def late(gm: Gm, text: str, read: str, *more: str) -> Any:
    return gm("edit", "deploy", "--section", "# Deploy > ## Order", "--body", text, "--if-revision", read, *more)


@pytest.fixture
def read(gm: Gm) -> str:
    """A memory; the revision somebody read before its order was changed."""
    gm("remember", BODY, "--name", "deploy")
    first = revision(gm)
    gm("edit", "deploy", "--section", "# Deploy > ## Order", "--body", "Never on a Friday.")
    return first


def test_a_late_write_says_what_moved_and_what_to_type(gm: Gm, read: str) -> None:
    """DESIGN 10: exit 4, the ref's name in JSON; the next command can be copied."""
    said = late(gm, "Migrate.", read)
    (name,) = open_ids(gm)
    assert said.code == 4
    assert said.out == ""
    assert f"error: deploy.md was changed since you read it ({read[:10]}, now {revision(gm)[:10]}, by " in said.err
    assert f"nothing was written, and what you wanted is kept as conflict {name}\n" in said.err
    assert f"  hint: gitmem conflict show {name}\n" in said.err
    error = late(gm, "Migrate.", read[:9], "--json")
    assert error.code == 4
    assert error.json["error"]["code"] == "stale"
    assert error.json["error"]["conflict"] == f"refs/gitmem/conflicts/{name}"
    assert open_ids(gm) == [name]


def test_a_late_write_that_touches_nothing_that_moved_is_offered_as_a_merge(gm: Gm, read: str) -> None:
    """B3: offered, applied only with --merge."""
    words = ("edit", "deploy", "--set", "description=how to", "--if-revision", read)
    said = gm(*words)
    assert said.code == 4
    assert (
        "hint: your change does not touch what moved: repeat it with --merge   (or: gitmem conflict show " in said.err
    )
    done = gm(*words, "--merge", "--json")
    assert done.code == 0
    assert set(done.json) == {"path", "revision", "commit"}
    assert "Never on a Friday." in gm("show", "deploy").out
    assert open_ids(gm) == []


def test_remember_replaces_what_was_read(gm: Gm, read: str) -> None:
    """B2 for whole texts: --if-revision with --name or --path."""
    said = gm("remember", "# Deploy\n\nAll new.\n", "--name", "deploy", "--if-revision", read)
    assert said.code == 4
    done = gm("remember", "# Deploy\n\nAll new.\n", "--name", "deploy", "--if-revision", revision(gm))
    assert (done.code, done.out) == (0, "remembered deploy.md\n")


@pytest.mark.parametrize(
    ("words", "sentence", "hint"),
    [
        (("edit", "deploy", "--set", "type=user", "--merge"), "--merge needs --if-revision", "show deploy --json"),
        (("remember", "x", "--merge"), "--merge needs --if-revision", "gitmem show NAME --json"),
        (("remember", "x", "--if-revision", "abcd"), "--if-revision needs --name or --path", "gitmem remember --help"),
        (("edit", "deploy", "--set", "type=user", "--session", "s"), "--session says whose session", "claude-code"),
        (("undo", "HEAD", "--agent", "x"), "name one operation, or say --session, --agent", "gitmem undo --help"),
        (("undo", ""), "OPERATION is empty; nothing was changed", "gitmem undo --help"),
        (("undo", "--session", " "), "--session is empty; nothing was changed", "gitmem undo --help"),
        (("undo", "--agent="), "--agent is empty; nothing was changed", "gitmem undo --help"),
        (("undo", "--since", ""), "--since is empty; nothing was changed", "gitmem undo --help"),
        (("redo", ""), "OPERATION is empty; nothing was changed", "gitmem redo --help"),
        (("undo", "--since", "yesterday"), '"yesterday" is no time', "type it as 2026-11-30, 2026-11-30T10:00Z, 90m"),
        (("undo", "--since", "9" * 5000 + "d"), "is no time", "type it as"),
        (("conflict", "resolve", "x"), "say which text stays: --ours, --theirs, --both or", "conflict show x"),
        (("conflict", "resolve", "x y", "--ours", "--theirs"), "one of them", "gitmem conflict show 'x y'"),
        (("conflict", "resolve", "x", "--body-file", "-"), "- is empty, and the memory would hold no text", "show x"),
        (("conflict", "solve"), 'there is no "conflict solve"', "gitmem conflict resolve"),
        (("rollback", "lists"), 'there is no "rollback lists"', "gitmem rollback list"),
    ],
)  # fmt: skip
def test_wrong_usage_is_said_and_changes_nothing(
    gm: Gm, git: Git, store: Path, read: str, words: tuple[str, ...], sentence: str, hint: str
) -> None:
    """Exit 2 with the next command to type."""
    before = git("for-each-ref", cwd=store)
    said = gm(*words)
    assert said.code == 2, said.err
    assert sentence in said.err
    assert hint in said.err
    assert git("for-each-ref", cwd=store) == before


@pytest.mark.parametrize(
    ("words", "sentence", "hint"),
    [
        (("conflict", "show", "nope"), 'no open conflict is called "nope"', "gitmem conflict list"),
        (("conflict", "resolve", "nope", "--ours"), 'no open conflict is called "nope"', "gitmem conflict list"),
        (("undo", "feedface"), '"feedface" is no commit, branch or date of this store', "log --oneline"),
        (("undo", "--session", "s9"), "there is no operation of session s9 that is not taken back", "--operations"),
        (("undo", "--agent", "x"), "there is no operation of agent x that is not taken back", "--operations"),
        (("undo", "--since", "2999-01-01"), "there is no operation since then that is not taken back", "--operations"),
        (("redo",), "there is nothing to make again: the last operation is not an undo", "gitmem redo OPERATION"),
        (("redo", "HEAD"), "HEAD is no undo, and nothing that is taken back", "gitmem history --operations"),
        (("rollback", "apply", "nope"), 'there is no rollback point "nope"', "gitmem rollback list"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said_and_changes_nothing(
    gm: Gm, git: Git, store: Path, read: str, words: tuple[str, ...], sentence: str, hint: str
) -> None:
    """Exit 1, the sentence, and what to type next; the same in JSON."""
    before = git("for-each-ref", cwd=store)
    said, error = gm(*words), gm(*words, "--json")
    assert (said.code, error.code) == (1, 1), said.err
    assert sentence in said.err
    assert hint in said.err
    assert sentence in error.json["error"]["message"]
    assert hint in error.json["error"]["hint"]
    assert git("for-each-ref", cwd=store) == before


def test_conflicts_are_listed_shown_and_settled(gm: Gm, read: str) -> None:
    """B3: how many are left reads well for 0, 1 and many."""
    empty = gm("conflict", "list")
    assert (empty.out, empty.err) == ("", "no open conflicts\n")
    for text in ("Migrate.", "Wait.", "Ask."):
        late(gm, text, read, "--reason", "because")
    names = open_ids(gm)
    listed = gm("conflict", "list").out.splitlines()
    assert len(listed) == 3
    assert listed[0].startswith(f"{names[0]}  deploy.md  the file has ")
    assert " (--ours); " in listed[0]
    assert listed[0].endswith("  (because)")

    shown = gm("conflict", "show", names[0][:6])
    for words in ("conflict " + names[0], "\n--ours: ", "+Never on a Friday.", "\n--theirs: ", "\nbecause\n"):
        assert words in shown.out
    assert (
        f"gitmem conflict resolve {names[0]} --ours | --theirs | --both | --body-file FILE   (deploy.md)" in shown.out
    )
    shape = gm("conflict", "show", names[0], "--json").json
    assert set(shape) == {
        "id", "ref", "commit", "path", "place", "when", "who", "reason", "base", "ours", "theirs", "texts", "sides",
        "told",
    }  # fmt: skip
    assert set(shape["sides"]) == {"ours", "theirs", "changed_since_by"}
    assert set(shape["sides"]["ours"]) == {"who", "what", "when", "commit", "machine", "this_machine"}
    assert set(shape["texts"]) == {"base", "ours", "theirs", "file"}
    assert shape["base"] == read
    several = gm("conflict", "show", "deploy")
    assert several.code == 1
    assert '"deploy" fits 3 conflicts' in several.err

    said = gm("conflict", "resolve", names[0], "--ours")
    assert (said.code, said.out) == (0, "kept deploy.md as it is\n")
    assert said.err == "2 conflicts are left: gitmem conflict list\n"
    said = gm("conflict", "resolve", names[1], "--both")
    assert said.out == "kept both; the other text is deploy-2.md\n"
    assert said.err == "1 conflict is left: gitmem conflict list\n"
    said = gm("conflict", "resolve", "deploy", "--body-file", "-", stdin="# Deploy\n\nSettled.\n")
    assert said.out == "deploy.md has the text you chose\n"
    assert said.err.splitlines()[-1] == "no conflict is left"
    assert "Settled." in gm("show", "deploy").out
    assert gm("undo").code == 0
    assert len(open_ids(gm)) == 1
    done = gm("conflict", "resolve", "deploy", "--theirs", "--json")
    assert set(done.json) == {"path", "revision", "commit"}
    assert done.json["revision"] == revision(gm)


def test_operations_are_taken_back_and_made_again(gm: Gm, read: str) -> None:
    """B8: what was taken back, which files changed; JSON names the operations."""
    said = gm("undo")
    assert said.code == 0
    first, second = said.out.splitlines()
    assert first.startswith("took back ")
    assert first.endswith("  edit: deploy")
    assert second == "1 file changed: deploy.md"
    assert "Backup." in gm("show", "deploy").out
    made = gm("redo", "--reason", "after all", "--json").json
    assert set(made) == {"operations", "commit", "paths"}
    assert made["paths"] == ["deploy.md"]
    assert "Never on a Friday." in gm("show", "deploy").out


def test_what_stands_in_the_way_ends_with_4(gm: Gm, read: str) -> None:
    """B8: the later operation by its id, subject and time."""
    operation = gm("history", "deploy", "--json").json["revisions"][0]["commit"]
    gm("edit", "deploy", "--section", "# Deploy > ## Order", "--body", "Something else.")
    said = gm("undo", operation)
    assert said.code == 4
    assert "error: edit: deploy cannot be taken back: deploy.md was changed again, by " in said.err
    assert "; nothing was written\n" in said.err
    hint = said.err.partition("hint: take that one back first: gitmem ")[2].split()
    assert hint[0] == "undo"
    assert gm(*hint).code == 0
    assert gm("undo", operation).code == 0
    gm("redo")
    gm("edit", "deploy", "--section", "# Deploy > ## Order", "--body", "Something else.")
    assert gm("undo", operation, "--json").json["error"]["code"] == "in-the-way"


def test_many_files_are_counted_not_all_named(gm: Gm, store: Path, git: Git, read: str) -> None:
    """Twenty paths are enough for a screen."""
    for number in range(30):
        (store / f"n{number:02}.md").write_text("x\n")
    git("add", ".", cwd=store)
    git("commit", "-qm", "thirty", cwd=store)
    said = gm("undo", "HEAD").out
    assert "30 files changed: n00.md, " in said
    assert said.endswith(", n19.md and 10 more\n")


def test_points_are_made_listed_and_returned_to(gm: Gm, store: Path, git: Git, read: str) -> None:
    """B5 at the command line, from none to the way back."""
    none = gm("rollback", "list")
    assert (none.out, none.err) == ("", "no rollback points yet; make one: gitmem rollback create\n")
    assert gm("rollback", "list", "--json").json == {"points": [], "damaged": []}

    made = gm("rollback", "create", "--reason", "before trying")
    name = made.out.split()[3]
    assert made.out == f"made rollback point {name}\nreturn to it: gitmem rollback apply {name}\n"
    same = gm("rollback", "apply", name)
    assert (same.code, same.out) == (0, f"nothing to do: the memories are as at {name}\n")

    gm("edit", "deploy", "--section", "# Deploy > ## Order", "--body", "By a tool.")
    (store / "deploy.md").write_text((store / "deploy.md").read_text() + "\nBy hand.\n")
    gm("remember", "new", "--name", "new")
    listed = gm("rollback", "list").out
    assert listed.startswith(f"{name}  20")
    assert listed.endswith("  before trying\n")

    said = gm("rollback", "apply", name)
    assert said.code == 0
    lines = said.out.splitlines()
    assert "moved to the archive: new.md" in lines
    assert lines[-2].endswith(" 1 moved to the archive, 0 skipped, 1 conflict")
    assert lines[-1].startswith("back from here: gitmem rollback apply ")
    assert lines[-1].endswith("   (or: gitmem undo)")
    assert "the point's texts of what you edited since: gitmem conflict list\n" in said.err
    assert "(protection)" in gm("rollback", "list").out
    assert gm("undo").code == 0
    assert (store / "new.md").exists()
    shape = gm("rollback", "apply", name, "--json").json
    assert set(shape) == {
        "point", "scope", "commit", "protection", "restored", "parked", "skipped", "conflicts", "kept", "left"
    }  # fmt: skip
    run = gm("rollback", "apply", name, "--run")
    assert run.code == 1
    assert f"no operation of this branch was made under rollback point {name}" in run.err
    assert f"hint: gitmem rollback apply {name}   (the whole store)" in run.err
    assert git("status", "--porcelain", cwd=store) == ""
    git("fsck", "--strict", cwd=store)


def test_a_damaged_point_is_listed_as_such_and_refused(gm: Gm, store: Path, git: Git, read: str) -> None:
    """sage-mem.md 190, 206: it is named; nothing is silently left out of the list."""
    name = gm("rollback", "create", "--json").json["id"]
    commit = git("rev-parse", f"refs/gitmem/rollback/{name}", cwd=store).strip()
    (store / ".git/objects" / commit[:2] / commit[2:]).unlink()

    listed = gm("rollback", "list")
    assert listed.err.splitlines()[0] == f"rollback point {name} is damaged: its commit cannot be read"
    assert gm("rollback", "list", "--json").json["damaged"] == [name]
    said = gm("rollback", "apply", name)
    assert said.code == 1
    assert f"error: rollback point {name} is damaged: object {commit} is not in " in said.err
    assert "; nothing was changed\n" in said.err
    assert "fsck" in said.err


def test_a_model_reads_before_it_writes(gm: Gm, read: str) -> None:
    """B4: the sentence says how to read, in words that can be typed."""
    words = ("edit", "deploy", "--set", "description=x", "--agent", "claude-code")
    said = gm(*words)
    assert said.code == 1
    assert "error: a model must name the revision of deploy.md that it read; nothing was written" in said.err
    assert "hint: gitmem show deploy --json   (then: --if-revision REVISION)" in said.err
    now = revision(gm)
    said = gm(*words, "--session", "s1", "--if-revision", now)
    assert said.code == 1
    assert f"error: session s1 has not read deploy.md at {now[:10]}; nothing was written" in said.err
    hint = said.err.partition("hint: gitmem ")[2].split()
    assert gm(*hint).code == 0
    assert gm(*words, "--session", "s1", "--if-revision", now).code == 0


@pytest.mark.parametrize("option", ["--if-revision", "--agent", "--session"])
@pytest.mark.parametrize("value", ["", " "])
@pytest.mark.parametrize("command", ["edit", "remember"])
def test_a_variable_that_nobody_set_takes_no_guard_away(
    gm: Gm, read: str, command: str, option: str, value: str
) -> None:
    """An empty revision would be no check, an empty agent a person; the text is kept."""
    words = ("edit", "deploy", "--body", "mine") if command == "edit" else ("remember", "mine", "--name", "deploy")
    before = revision(gm)
    said = gm(*words, option, value)
    assert said.code == 2
    assert f"error: {option} is empty; nothing was written; your text is kept in " in said.err
    assert "hint: leave it out, or give it a value: a shell variable may be unset" in said.err
    assert revision(gm) == before


@pytest.mark.parametrize(
    "words", [("search", "deploy"), ("recall", "deploy"), ("why", "deploy"), ("show", "deploy"), ("blame", "deploy")]
)
def test_an_empty_moment_is_not_today(gm: Gm, read: str, words: tuple[str, ...]) -> None:
    """Today's store is no answer to a question about another time."""
    said = gm(*words, "--at", "")
    assert said.code == 1
    assert 'error: "" is no commit, branch or date of this store' in said.err
    assert said.out == ""


def test_merge_without_what_was_read_keeps_the_text(gm: Gm, read: str) -> None:
    """It may have come from a pipe."""
    for words in (("edit", "deploy", "--body", "mine"), ("remember", "mine", "--name", "deploy")):
        said = gm(*words, "--merge")
        assert said.code == 2
        assert "error: --merge needs --if-revision: what you read; your text is kept in " in said.err


def test_a_commit_is_told_from_what_was_read(gm: Gm, git: Git, store: Path, read: str) -> None:
    """It is in git, and the revision it holds can be typed."""
    commit = git("rev-parse", "HEAD", cwd=store).strip()
    for name in (commit, commit[:10], "HEAD"):
        said = late(gm, "Migrate.", name)
        assert said.code == 1
        there = revision(gm)[:10]
        sentence = f'"{name}" is a commit, not what was read of a memory; the revision of deploy.md in it is {there}'
        assert f"error: {sentence}" in said.err
        assert f"hint: --if-revision {there}" in said.err
    gm("remember", "other", "--name", "other")
    said = gm("edit", "other", "--body", "x", "--if-revision", commit)
    assert "is a commit, not what was read of a memory; it holds no other.md" in said.err
    assert "hint: gitmem history other.md --json" in said.err


def test_a_conflict_record_is_no_line_among_the_operations(gm: Gm, read: str) -> None:
    """It did nothing, and cannot be taken back; what settled it is listed."""
    late(gm, "Migrate.", read)
    gm("conflict", "resolve", open_ids(gm)[0], "--theirs")
    listed = gm("history", "--operations", "--json").json["operations"]
    assert [each["subject"] for each in listed][:3] == ["resolve: deploy", "edit: deploy", "remember: deploy"]
    assert "conflict: " not in gm("history", "--operations").out


def test_a_conflict_says_where_its_memory_lies_now(gm: Gm, git: Git, store: Path, read: str) -> None:
    """Renamed since: it is found by its new name, and what is shown is that file."""
    late(gm, "Migrate.", read)
    git("mv", "deploy.md", "ops.md", cwd=store)
    git("commit", "-qm", "mv", cwd=store)
    said = gm("conflict", "show", "ops")
    assert said.out.startswith("deploy.md (ops.md now), conflict ")
    assert ", in the file\n" in said.out
    (store / "ops.md").write_text("by hand\n")
    assert ", changed since by you (--ours)" in gm("conflict", "show", "ops").out, "what is not committed counts too"
    git("checkout", "-q", "ops.md", cwd=store)
    assert gm("conflict", "show", "ops", "--json").json["place"] == "ops.md"
    done = gm("conflict", "resolve", "ops", "--theirs")
    assert done.out == "ops.md has the text you chose\n"
    assert not (store / "deploy.md").exists()
    gm("undo")
    gm("archive", "ops")
    assert "deploy.md (archive/ops.md now), conflict " in gm("conflict", "show", "deploy").out
    assert gm("conflict", "resolve", "deploy", "--ours").out == "kept archive/ops.md as it is\n"


def test_a_conflict_of_an_odd_path_stays_on_its_line(gm: Gm, store: Path, git: Git, read: str) -> None:
    """A line break in a name can forge no line of the list."""
    path = store / "new\nline 'q'.md"
    path.write_text("base\n")
    git("add", ".", cwd=store)
    git("commit", "-qm", "odd", cwd=store)
    was = gm("show", path.name, "--json").json["revision"]
    path.write_text("ours\n")
    assert gm("edit", path.name, "--body", "theirs", "--if-revision", was).code == 4
    (line,) = gm("conflict", "list").out.splitlines()
    assert "  new line 'q'.md  the file has " in line
    (name,) = open_ids(gm)
    assert gm("conflict", "show", name).code == 0
    assert gm("conflict", "resolve", name, "--theirs").code == 0
    assert path.read_text() == "theirs\n"
