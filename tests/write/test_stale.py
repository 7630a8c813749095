"""Late writes: refused, kept as conflict records, merged only when that is asked (B2, B3, B4)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import NotFound, Refused, Stale
from gitmem.history.conflict import open_conflicts
from gitmem.history.repo import open_repo
from gitmem.ledger.access import note
from gitmem.memory.document import blob_id
from gitmem.write.apply import Applied
from gitmem.write.archive import archive
from gitmem.write.change import Actor
from gitmem.write.memory import Kept, edit, remember

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
PERSON = Actor("person")
TEXT = b"---\nname: deploy\ndescription: how\n---\n\n# Deploy\n\nFirst.\n\n## Order\n\nBackup.\n"


def change(root: Path, revision: str = "", name: str = "deploy", when: int = WHEN + 9, **more: object) -> Kept:
    given: dict[str, object] = {"section": "# Deploy > ## Order", "body": "Backup, then migrate.\n"} | more
    actor = given.pop("actor", PERSON)
    return edit(str(root), name, when=when, environ=os.environ, if_revision=revision, actor=actor, **given)  # type: ignore[arg-type]


def revision_of(root: Path, path: str = "deploy.md") -> str:
    return blob_id((root / path).read_bytes())


def conflict_refs(git: Git, root: Path) -> list[str]:
    return git("for-each-ref", "--format=%(refname)", "refs/gitmem/conflicts", cwd=root).split()


@pytest.fixture
def read(store: Path, save: Save) -> str:
    """A memory, and the revision a writer read; then somebody changed the order."""
    save("deploy.md", TEXT)
    revision = revision_of(store)
    save("deploy.md", TEXT.replace(b"Backup.", b"Never on a Friday."), when=WHEN + 1)
    return revision


def test_a_late_write_is_refused_and_kept_as_a_side_branch(store: Path, git: Git, read: str) -> None:
    """F46, sage-mem.md 209: nothing is written; the record's parent held what was read, its tree what was wanted."""
    before = git("rev-parse", "HEAD", cwd=store)

    with pytest.raises(Stale) as refused:
        change(store, read)

    (ref,) = conflict_refs(git, store)
    assert refused.value.ref == ref
    assert refused.value.path == "deploy.md"
    assert refused.value.exit_code == 4
    assert not refused.value.is_clean
    assert (
        f"deploy.md was changed since you read it ({read[:10]}, now {revision_of(store)[:10]}" in refused.value.message
    )
    assert "nothing was written, and what you wanted is kept as conflict" in refused.value.message
    assert git("rev-parse", "HEAD", cwd=store) == before
    assert git("rev-parse", f"{ref}^:deploy.md", cwd=store).strip() == read
    assert "Backup, then migrate." in git("show", f"{ref}:deploy.md", cwd=store)
    assert git("log", "--all", "--format=%s", "-1", ref, cwd=store) == "conflict: deploy.md\n"
    assert git("status", "--porcelain", cwd=store) == ""
    git("fsck", "--strict", cwd=store)


def test_the_same_late_write_is_one_conflict(store: Path, git: Git, read: str) -> None:
    """sage-mem.md 210, F56: the id is made of the texts, not of who wrote first or when."""
    refs = []
    for attempt in range(2):
        with pytest.raises(Stale) as refused:
            change(store, read, when=WHEN + 100 * attempt)
        refs.append(refused.value.ref)
    assert refs[0] == refs[1]
    assert conflict_refs(git, store) == refs[:1]
    with pytest.raises(Stale):
        change(store, read, body="Something else.\n")
    assert len(conflict_refs(git, store)) == 2


def test_a_change_that_touches_nothing_that_moved_is_offered_and_merged_when_asked(
    store: Path, git: Git, read: str
) -> None:
    """B3: never merged in silence; with merge both are there, and the record is a parent."""
    wanted: dict[str, Any] = {"section": "", "body": None, "fields": [("description", "how to")]}
    with pytest.raises(Stale, match="nothing was written") as refused:
        change(store, read, **wanted)
    assert refused.value.is_clean
    assert "repeat it with --merge" in refused.value.hint
    record = git("rev-parse", refused.value.ref, cwd=store).strip()

    kept = change(store, read, merge=True, **wanted)

    text = (store / "deploy.md").read_text()
    assert "description: how to\n" in text
    assert "Never on a Friday." in text
    assert kept.revision == revision_of(store)
    assert git("rev-parse", "HEAD^2", cwd=store).strip() == record
    assert conflict_refs(git, store) == []
    assert git("status", "--porcelain", cwd=store) == ""
    assert "dangling" not in git("fsck", "--strict", cwd=store)


def test_merge_of_what_cannot_merge_is_refused_all_the_same(store: Path, git: Git, read: str) -> None:
    """B2: --merge is no force."""
    with pytest.raises(Stale):
        change(store, read, merge=True)
    assert "Never on a Friday." in (store / "deploy.md").read_text()
    assert len(conflict_refs(git, store)) == 1


def test_a_write_that_brings_what_is_there_by_now_is_no_conflict(store: Path, git: Git, read: str) -> None:
    """Two writers wanted the same text: nothing is lost, so nothing is refused."""
    late = revision_of(store)
    change(store, late)
    kept = change(store, late, when=WHEN + 99)
    assert kept.commit == ""
    assert kept.revision == revision_of(store)
    assert conflict_refs(git, store) == []


def test_a_late_write_of_what_was_read_is_not_called_done(store: Path, git: Git, read: str) -> None:
    """B2: "nothing to change" would be untrue, since the memory says something else by now."""
    with pytest.raises(Stale, match="what you wanted is what you had read") as refused:
        change(store, read, body="Backup.\n")
    assert refused.value.hint == "gitmem show deploy --json"
    assert conflict_refs(git, store) == []


def test_an_edit_by_hand_that_is_not_committed_counts_and_is_kept(store: Path, git: Git, save: Save) -> None:
    """DESIGN 4: it is committed as the person's own before the texts are compared."""
    save("deploy.md", TEXT)
    read = revision_of(store)
    (store / "deploy.md").write_bytes(TEXT.replace(b"Backup.", b"By hand."))

    with pytest.raises(Stale):
        change(store, read)

    assert "By hand." in git("show", "HEAD:deploy.md", cwd=store)
    assert git("log", "-1", "--format=%s", cwd=store) == "hand edit: deploy.md\n"
    assert git("status", "--porcelain", cwd=store) == ""


def gone(store: Path, git: Git, how: str) -> str:
    """Take the memory away; what the sentence says of it."""
    if how == "archived":
        archive(str(store), "deploy", reason="old", when=WHEN + 5, actor=PERSON, environ=os.environ)
        return ", it is archive/deploy.md now"
    if how == "renamed":
        git("mv", "deploy.md", "ritual.md", cwd=store)
        (store / "ritual.md").write_bytes((store / "ritual.md").read_bytes().replace(b"name: deploy", b"name: ritual"))
        git("commit", "-qam", "renamed", cwd=store)
        return ", it is ritual.md now"
    if how == "deleted":
        git("rm", "-q", "deploy.md", cwd=store)
        git("commit", "-qm", "gone", cwd=store)
    else:
        (store / "deploy.md").unlink()
    return ""


@pytest.mark.parametrize("how", ["archived", "renamed", "deleted", "deleted and not committed"])
@pytest.mark.parametrize("name", ["deploy", "deploy.md"])
def test_a_late_write_of_a_memory_that_is_gone_is_kept(store: Path, git: Git, save: Save, how: str, name: str) -> None:
    """F56: edit against archive, rename or delete: the text is reachable from a conflict ref, never dropped."""
    save("deploy.md", TEXT)
    read = revision_of(store)
    where = gone(store, git, how)

    with pytest.raises(Stale) as refused:
        change(store, read, name)

    assert f"deploy.md is gone since you read it ({read[:10]}{where}); nothing was written" in refused.value.message
    assert "Backup, then migrate." in git("show", f"{refused.value.ref}:deploy.md", cwd=store)
    assert not (store / "deploy.md").exists()
    with open_repo(str(store)) as repo:
        (conflict,) = open_conflicts(repo)
    assert (conflict.base, conflict.ours) == (read, "")
    git("fsck", "--strict", cwd=store)


def test_a_memory_that_never_was_there_is_not_found(store: Path, save: Save, read: str) -> None:
    """A revision does not make a name valid."""
    with pytest.raises(NotFound, match='no memory is called "other"'):
        change(store, read, "other")


def test_a_revision_git_never_held_is_not_found_with_what_to_type(store: Path, save: Save, read: str) -> None:
    """What cannot be compared is not guessed at."""
    with pytest.raises(NotFound, match="was never in git") as refused:
        change(store, "0" * 40)
    assert "gitmem show" in refused.value.hint
    for short in ("abc", "zzzz", read[:3]):
        with pytest.raises(NotFound, match=f'"{short}" is no revision of deploy.md'):
            change(store, short)


def test_a_shortened_revision_is_enough(store: Path, read: str) -> None:
    """As in git; of what is there now, and of what was."""
    with pytest.raises(Stale):
        change(store, read[:8].upper())
    kept = change(store, revision_of(store)[:8])
    assert kept.commit


@pytest.mark.parametrize("setting", ["true", "input"])
def test_line_ends_that_git_converts_are_no_conflict(store: Path, git: Git, setting: str) -> None:
    """core.autocrlf: the file has CRLF, git has LF; the writer may name the revision of either."""
    git("config", "core.autocrlf", setting, cwd=store)
    (store / "deploy.md").write_bytes(TEXT.replace(b"\n", b"\r\n"))
    git("add", ".", cwd=store)
    git("commit", "-qm", "crlf", cwd=store)
    of_file, of_git = revision_of(store), git("rev-parse", "HEAD:deploy.md", cwd=store).strip()
    assert of_file != of_git
    change(store, of_file, section="# Deploy", body="First of all.\n\n## Order\n\nBackup.\n")

    for revision in (of_file, of_git):
        with pytest.raises(Stale) as refused:
            change(store, revision, section="", body=None, fields=[("description", f"by {revision[:4]}")])
        assert refused.value.is_clean
    kept = change(store, of_file, section="", body=None, fields=[("description", "both")], merge=True)

    data = (store / "deploy.md").read_bytes()
    assert kept.commit
    assert data.count(b"\r\n") == data.count(b"\n")
    assert b"First of all." in data
    assert b"description: both" in data
    assert (
        b"\r"
        not in subprocess.run(["git", "show", "HEAD:deploy.md"], cwd=store, capture_output=True, check=True).stdout
    )
    assert git("status", "--porcelain", cwd=store) == ""


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "crlf"])
def test_other_encodings_are_merged_and_kept_as_they_are(store: Path, git: Git, save: Save, encoding: str) -> None:
    """A memory keeps its encoding and its line ends whatever is merged into it."""
    text = TEXT.decode()

    def written(words: str) -> bytes:
        return words.replace("\n", "\r\n").encode() if encoding == "crlf" else words.encode(encoding)

    save("deploy.md", written(text))
    read = revision_of(store)
    save("deploy.md", written(text.replace("First.", "First of all.")), when=WHEN + 1)

    with pytest.raises(Stale):
        change(store, read)
    change(store, read, merge=True)

    data = (store / "deploy.md").read_bytes()
    shown = data.decode("utf-8" if encoding == "crlf" else encoding)
    assert "First of all." in shown
    assert "Backup, then migrate." in shown
    assert data[:2] == written("x")[:2] or encoding == "crlf"
    if encoding == "crlf":
        assert data.count(b"\r\n") == data.count(b"\n")


def test_a_model_must_name_what_it_read_in_its_session(store: Path, save: Save) -> None:
    """B4: read before write, at that very revision."""
    save("deploy.md", TEXT)
    read = revision_of(store)
    model = Actor("model", agent="claude-code", session="s1")

    with pytest.raises(Refused, match=r"a model must name the revision of deploy\.md that it read") as refused:
        change(store, actor=model)
    assert "gitmem show deploy --json" in refused.value.hint
    with pytest.raises(Refused, match=r"session s1 has not read deploy\.md at") as refused:
        change(store, read, actor=model)
    assert refused.value.hint == "gitmem show deploy --json --session s1"
    note(str(store / ".git"), "read", "s1", [("deploy.md", read)], WHEN)
    assert change(store, read, actor=model).commit
    with pytest.raises(Stale):
        change(store, read, actor=model, body="Again.\n")


def test_a_models_late_write_is_recorded_under_its_name(store: Path, git: Git, read: str) -> None:
    """B1: who wanted it, with agent and session."""
    note(str(store / ".git"), "read", "s1", [("deploy.md", read)], WHEN)
    with pytest.raises(Stale) as refused:
        change(store, read, actor=Actor("model", agent="claude-code", session="s1"), reason="because")
    said = git("log", "-1", "--format=%an%n%B", refused.value.ref, cwd=store)
    assert "claude-code" in said.splitlines()[0]
    for line in ("Gitmem-Agent: claude-code", "Gitmem-Session: s1", "Gitmem-Actor: model", "because"):
        assert line in said


NAMES = ["a b.md", 'q\'uote "d".md', "笔记.md", "x" * 200 + ".md", "$(rm -rf).md"]


@pytest.mark.parametrize("path", [*NAMES, "new\nline.md"])
def test_a_conflict_of_any_path_is_found_again(store: Path, git: Git, path: str) -> None:
    """The path is taken from the record's tree, not from a line that would shorten or break it."""
    (store / path).write_bytes(TEXT)
    git("add", ".", cwd=store)
    git("commit", "-qm", "adopted", cwd=store)
    read = revision_of(store, path)
    (store / path).write_bytes(TEXT.replace(b"Backup.", b"Moved."))

    with pytest.raises(Stale):
        change(store, read, path)

    with open_repo(str(store)) as repo:
        (conflict,) = open_conflicts(repo)
    assert conflict.path == path
    assert conflict.base == read


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    writers=st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(["A", "B", "C", "D", "E"]), st.booleans()), min_size=2, max_size=5
    )
)
def test_whatever_late_writers_want_stays_reachable(
    tmp_path_factory: pytest.TempPathFactory, git: Git, writers: list[tuple[int, str, bool]]
) -> None:
    """B2, F46: of any number of writers that read any revisions, each text stands in a branch or in a conflict ref."""
    root = tmp_path_factory.mktemp("late")
    git("init", "-q", "-b", "main", str(root))
    body = "".join(f"# {name}\n\nbase\n\n" for name in "ABCDE")
    remember(str(root), body, when=WHEN, actor=PERSON, environ=os.environ, path="m.md")
    seen = [revision_of(root, "m.md")]
    wanted = []
    for number, (back, section, merge) in enumerate(writers):
        text = f"text {number} of {section}"
        wanted.append(text)
        try:
            edit(
                str(root), "m", when=WHEN + number, actor=PERSON, environ=os.environ, section=f"# {section}",
                body=text, if_revision=seen[max(0, len(seen) - 1 - back)], merge=merge,
            )  # fmt: skip
        except Stale as refused:
            git("rev-parse", "--verify", refused.ref, cwd=root)
        seen.append(revision_of(root, "m.md"))
    texts = git("log", "--all", "-p", "-m", "--format=", cwd=root)
    assert [text for text in wanted if f"+{text}" not in texts] == []
    git("fsck", "--strict", cwd=root)
    assert git("status", "--porcelain", cwd=root) == ""
