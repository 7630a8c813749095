"""A memory is found by what it is called, wherever it lies and whenever it was; hints can be typed as they stand."""

from __future__ import annotations

import os
import re
import shlex
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gitmem.errors import StoreUnwritable
from gitmem.history.asof import past_store
from gitmem.history.repo import open_repo
from gitmem.ledger.access import note
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import quoted, typed, with_option
from gitmem.write.archive_idle import archive_idle, idle_memories
from gitmem.write.change import Actor
from gitmem.write.index import update_index
from gitmem.write.reading import checked_read

Git = Callable[..., str]
Gm = Callable[..., Any]
WHEN = 1_796_000_000
OLD = "---\nname: {}\ntype: project\nupdated: 2020-01-01T00:00:00Z\n{}---\ntext of {}\n"


def subjects(gm: Gm, name: str) -> list[str]:
    return [each["subject"] for each in gm("history", name, "--json").json["revisions"]]


@pytest.mark.parametrize("side", ["--theirs", "--ours"])
def test_history_shows_the_text_that_lost_and_what_settled_it(gm: Gm, git: Git, store: Path, side: str) -> None:
    """`history --help`: every change of a memory; `conflict resolve`: the text stays in history."""
    gm("remember", "one", "--name", "x")
    read = gm("show", "x", "--json").json["revision"]
    gm("edit", "x", "--body", "IMPORTANT two", "--reason", "why")
    gm("edit", "x", "--body", "stale", "--if-revision", read)
    (name,) = [each["id"] for each in gm("conflict", "list", "--json").json["conflicts"]]
    assert gm("conflict", "resolve", name, side).code == 0
    assert set(subjects(gm, "x")) == {"resolve: x", "conflict: x.md", "edit: x", "remember: x"}
    theirs = git("log", "--full-history", "--simplify-merges", "--format=%s", "--", "x.md", cwd=store)
    assert sorted(subjects(gm, "x")) == sorted(theirs.splitlines())
    assert "+IMPORTANT two" in gm("diff", "x").out or side == "--theirs"


@pytest.mark.parametrize("name", ["deploy", "deploy.md", "上线", "ops"])
def test_show_at_follows_a_rename_and_takes_the_name_of_then(gm: Gm, git: Git, store: Path, name: str) -> None:
    """`history --help` promises `gitmem show NAME --at COMMIT` for each of its lines."""
    gm("remember", "first", "--name", "deploy", "--aliases", "上线")
    first = git("rev-parse", "HEAD", cwd=store).strip()
    git("mv", "deploy.md", "ops.md", cwd=store)
    git("commit", "-qm", "moved", cwd=store)
    said = gm("show", name, "--at", first)
    assert "first" in said.out, said.err
    for one in gm("history", "ops", "--json").json["revisions"]:
        assert gm("show", "ops", "--at", one["commit"]).code == 0
    (store / "ops.md").write_text("---\nname: other\n---\nsecond\n")
    git("commit", "-qam", "other words", cwd=store)
    assert "first" in gm("show", "上线", "--at", first).out, "an alias that it has no more"


@pytest.mark.parametrize("name", ["nm 1", "alias 1", "f1", "f1.md", "archive/f1.md"])
def test_an_archived_memory_is_looked_back_at_by_any_name(gm: Gm, store: Path, name: str) -> None:
    """Each help says: NAME is a path, a file's stem, a name or an alias."""
    gm("remember", "text", "--name", "f1")
    (store / "f1.md").write_text("---\nname: nm 1\naliases: [alias 1]\n---\ntext\n")
    gm("archive", "f1")
    for words in (("history", name), ("blame", name), ("diff", name), ("show", name, "--at", "HEAD"), ("show", name)):
        assert gm(*words).code == 0, words


@pytest.mark.parametrize("words", [("edit", "k", "--body", "x"), ("lock", "k")])
def test_what_is_archived_is_not_called_unknown(gm: Gm, words: tuple[str, ...]) -> None:
    gm("remember", "text", "--name", "k")
    gm("archive", "k")
    said = gm(*words)
    assert said.code == 1
    assert said.err.startswith('error: "k" is archived, as archive/k.md')
    assert said.err.endswith("\n  hint: gitmem restore k.md\n")


@pytest.mark.parametrize("path", ["-dash.md", "-d/ü b's.md", "a b.md", 'q"$x.md', "--help.md"])
def test_every_hint_and_undo_line_works_as_it_is_typed(gm: Gm, git: Git, store: Path, path: str) -> None:
    """DESIGN 10: what to type next can be copied."""
    gm("init")
    (store / path).parent.mkdir(exist_ok=True)
    (store / path).write_text("a text\n")
    git("add", "-A", cwd=store)
    git("commit", "-qm", "mine", cwd=store)

    def follow(said: Any) -> Any:
        found = re.search(r"(?:undo|hint): gitmem (.*)", said.err)
        assert found, said.err
        return gm(*shlex.split(found[1]))

    for command in ("lock", "archive"):
        said = gm(command, "--", path)
        assert said.code == 0, said.err
        assert follow(said).code == 0
    gm("lock", "--", path)
    assert follow(gm("archive", "--", path)).code == 0, "unlock"
    assert follow(gm("purge", "--", path)).code == 0
    assert not (store / path).exists()


def test_a_word_is_typed_as_a_path_an_option_or_as_it_is() -> None:
    assert [typed("a.md"), typed("-a b"), typed("~a"), typed("")] == ["a.md", "'./-a b'", "'~a'", "''"]
    assert [with_option("--session", "s"), with_option("--session", "-s 1")] == ["--session s", "--session='-s 1'"]
    assert quoted("-a") == "-a"


@pytest.mark.parametrize("name", ["up", "up.md", "UP.MD", "Up.MD", "./up.md"])
def test_the_ending_may_be_written_in_any_case(gm: Gm, store: Path, name: str) -> None:
    """sage-mem case 84."""
    gm("init")
    (store / "Up.MD").write_text("text\n")
    assert gm("lock", name).code == 0
    assert gm("unlock", name).code == 0
    assert gm("archive", name).code == 0
    assert gm("history", name).code == 0
    assert gm("restore", name).code == 0


@pytest.mark.parametrize("command", ["lock", "unlock"])
def test_a_lock_leaves_the_search_index_in_step(gm: Gm, store: Path, command: str) -> None:
    """Nothing that recall looks at has changed; but patterns that a person wrote meanwhile are still seen."""
    gm("remember", "grapes", "--name", "a")
    gm("lock", "a")
    gm(command, "a")
    assert "the search index is up to date" in gm("status").out
    config = store / ".gitmem" / "config.yaml"
    config.write_text("format: 1\nignore: ['a.md']\n")
    update_index(str(store), [".gitmem/config.yaml"])
    assert gm("search", "grapes", "--json").json["hits"] == []


@pytest.fixture
def idle(gm: Gm, store: Path, git: Git) -> Path:
    gm("init")
    (store / "p90.md").write_text(OLD.format("p90", "", "p90"))
    (store / "other.md").write_text(OLD.format("other", "", "other"))
    git("add", "-A", cwd=store)
    git("commit", "-qm", "mine", cwd=store)
    return store


@pytest.mark.parametrize("committed", [True, False])
def test_a_memory_that_was_read_and_then_renamed_is_not_idle(idle: Path, git: Git, committed: bool) -> None:
    """H9: the ledger follows a rename, and so does what a session has read (B4)."""
    place = find_git_dir(str(idle))
    assert place is not None
    revision = git("hash-object", "p90.md", cwd=idle).strip()
    note(place.common, "read", "Q", [("p90.md", revision)], WHEN)
    assert [each.path for each in idle_memories(str(idle), WHEN)] == ["other.md"]
    git("mv", "p90.md", "p90c.md", cwd=idle)
    if committed:
        git("commit", "-qm", "moved", cwd=idle)
    assert [each.path for each in idle_memories(str(idle), WHEN)] == ["other.md"]
    actor = Actor("model", agent="A", session="Q")
    assert checked_read(str(idle), "p90c.md", revision, actor) == ("p90c.md", revision)


@pytest.mark.parametrize("more", ["pinned: true\n", "baseline: true\n", "metadata:\n  pinned: true\n"])
def test_what_says_that_it_stays_stays_wherever_it_says_so(idle: Path, more: str) -> None:
    (idle / "other.md").write_text(OLD.format("other", more, "other"))
    assert [each.path for each in idle_memories(str(idle), WHEN)] == ["p90.md"]


@pytest.mark.parametrize("rule", ["user: -3", "reference: x"])
def test_idle_says_which_of_its_rules_are_broken(gm: Gm, idle: Path, rule: str) -> None:
    """Never silence: a rule that cannot be read archives nothing."""
    (idle / ".gitmem" / "config.yaml").write_text(f"format: 1\narchive:\n  idle_days:\n    {rule}\n")
    said = gm("archive", "--idle")
    assert (
        f".gitmem/config.yaml:4: archive.idle_days.{rule.partition(':')[0]}: a whole number of days is wanted"
        in said.err
    )


def test_many_leave_at_once_and_their_names_are_compared(idle: Path, git: Git) -> None:
    """One listing of a folder serves a whole change: what stands in the way is seen as before."""
    for number in range(40):
        (idle / f"m{number}.md").write_text(OLD.format(f"m{number}", "", str(number)))
    (idle / "archive").mkdir()
    (idle / "archive" / "M7.md").write_text("in the way\n")
    done = archive_idle(str(idle), when=WHEN, actor=Actor("person"), environ=os.environ)
    assert len(done.archived) == 41
    assert "archive/M7.md exists already, so m7.md stays" in done.notes


def test_a_store_in_crlf_is_not_told_what_git_does(gm: Gm, store: Path) -> None:
    """docs/store.md: gitmem's stores keep line ends as they are."""
    gm("init")
    (store / "a.md").write_bytes(b"one\r\ntwo\r\n")
    said = gm("show", "a")
    assert "lines end in CRLF; save the file with LF" in said.err
    assert "git stores" not in said.err


@pytest.mark.parametrize("place", [True, False])
def test_a_store_that_may_only_be_read_is_looked_back_at(
    gm: Gm, store: Path, monkeypatch: pytest.MonkeyPatch, place: bool, tmp_path: Path
) -> None:
    """B8: looking back is looking; with no room for it anywhere, that is what is said."""
    gm("remember", "grapes", "--name", "a")
    make = tempfile.mkdtemp

    def refusing(prefix: str = "", dir: str | None = None) -> str:
        if dir is not None or not place:
            raise PermissionError(13, "Permission denied", dir)
        return make(prefix=prefix, dir=tmp_path)

    monkeypatch.setattr(tempfile, "mkdtemp", refusing)
    with open_repo(str(store)) as repo:
        if not place:
            with pytest.raises(StoreUnwritable, match="cannot be laid out to be looked at"):
                past_store(repo, repo.head()[1], WHEN)
            return
        past = past_store(repo, repo.head()[1], WHEN)
    assert Path(past.root).is_relative_to(tmp_path)
    assert not Path(past.root).is_relative_to(store)
    found = find_git_dir(past.root)
    assert found is not None
    assert Path(found.common).samefile(store / ".git")
