"""The doctor: what it sees, what it mends, and what it leaves to the person."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.audit.store import audit_store
from gitmem.history.journal import Inflight
from gitmem.history.rewrite_refs import Purging
from gitmem.limits import MAX_REFS
from gitmem.memory.document import blob_id
from gitmem.setup.check import Check
from gitmem.setup.create import init
from gitmem.setup.doctor import examine, mend, mendable
from gitmem.setup.githooks import HOOK_ID, install, script
from gitmem.write.change import Actor
from gitmem.write.lock import writer_lock
from gitmem.write.rollback import make_point

Git = Callable[..., str]
WHEN = 1_796_000_000
OLD = 1_700_000_000
SOUND = "---\nname: a\ndescription: what it says\n---\n\ntext\n"


@pytest.fixture
def store(tmp_path: Path, git: Git) -> Path:
    """A store of one memory as ``init`` makes it."""
    root = tmp_path / "store"
    root.mkdir()
    (root / "a.md").write_text(SOUND)
    (root / "MEMORY.md").write_text("- [a](a.md)\n")
    init(str(root), environ=os.environ, when=WHEN)
    git("config", "user.name", "Ada", cwd=root)
    git("config", "user.email", "ada@example.org", cwd=root)
    return root


def check(root: Path, name: str) -> Check:
    return next(each for each in examine(str(root), os.environ, WHEN) if each.name == name)


def mended(root: Path) -> tuple[list[str], list[str]]:
    done, refused = mend(str(root), os.environ, WHEN)
    return [f"{each.name}: {each.what}" for each in done], refused


def test_a_sound_store_has_no_trouble(store: Path) -> None:
    assert {each.state for each in examine(str(store), os.environ, WHEN) if each.name != "git hooks"} == {"ok"}
    assert mended(store) == ([], [])


def test_looking_changes_nothing(store: Path, git: Git) -> None:
    (store / "b.md").write_text("---\nname: b: c\n---\n")
    before = {path: path.read_bytes() for path in store.rglob("*") if path.is_file() and "gitmem/" not in str(path)}
    examine(str(store), os.environ, WHEN)
    mendable(str(store), audit_store(str(store)))
    after = {path: path.read_bytes() for path in store.rglob("*") if path.is_file() and "gitmem/" not in str(path)}
    assert after == before


def test_a_search_index_that_is_gone_or_behind_is_made_anew(store: Path) -> None:
    (store / "b.md").write_text(SOUND)
    assert (check(store, "search index").state, check(store, "search index").hint) == ("note", "gitmem refresh")
    for file in (store / ".git" / "gitmem").glob("index.sqlite*"):
        file.unlink()
    assert check(store, "search index").message == "missing or damaged"
    assert "search index: missing or damaged" in mended(store)[0]
    assert check(store, "search index") == Check("search index", "ok", "up to date (2 indexed)")


def test_an_index_of_gits_that_is_older_than_the_files_is_put_right(store: Path, git: Git) -> None:
    old = (store / ".git" / "index").read_bytes()
    (store / "late.md").write_text(SOUND)
    git("add", "late.md", cwd=store)
    git("commit", "-qm", "late", cwd=store)
    (store / ".git" / "index").write_bytes(old)
    found = check(store, "git's index")
    assert (found.state, found.mending) == ("trouble", True)
    assert found.message == "older than the files: a commit now would take back late.md"
    assert "git's index: older than the files: a commit now would take back late.md" in mended(store)[0]
    assert check(store, "git's index") == Check("git's index", "ok", "as the last commit")
    assert "D" not in git("status", "--porcelain", cwd=store)


def test_what_a_person_staged_is_theirs(store: Path, git: Git) -> None:
    (store / "b.md").write_text(SOUND)
    git("add", "b.md", cwd=store)
    found = check(store, "git's index")
    assert (found.state, found.message) == ("note", "1 change of your own staged")
    mended(store)
    assert "A" in git("status", "--porcelain", "b.md", cwd=store) or git("ls-files", "b.md", cwd=store)


def test_a_lock_that_was_left_behind_is_told_with_its_age_and_never_removed(store: Path) -> None:
    lock = store / ".git" / "index.lock"
    lock.write_bytes(b"")
    found = check(store, "locks")
    assert found.state == "note"
    assert "a git program may be at work, and it is not safe to remove" in found.message
    os.utime(lock, (OLD, OLD))
    ref = store / ".git" / "refs" / "heads" / "main.lock"
    ref.write_bytes(b"")
    os.utime(ref, (OLD, OLD))
    both = [each for each in examine(str(store), os.environ, WHEN) if each.name == "locks"]
    assert [each.state for each in both] == ["trouble", "trouble"]
    assert "days old: left behind, and safe to remove when no git program runs here" in both[0].message
    assert [each.hint for each in both] == [f"rm {lock}", f"rm {ref}"]
    mended(store)
    assert lock.exists()
    assert ref.exists()


def test_the_write_of_a_killed_process_is_completed_or_dropped(store: Path, git: Git) -> None:
    head = git("rev-parse", "HEAD", cwd=store).strip()
    temp = store / ".git" / "gitmem" / "tmp-file-0.new"
    temp.write_text("half")
    left = Inflight("refs/heads/main", head, "1" * 40)
    left.temps = [str(temp)]
    left.save(str(store / ".git"))
    found = check(store, "writes")
    assert (found.state, found.mending) == ("trouble", True)
    assert "one was cut off when its process was killed" in found.message
    with writer_lock(str(store / ".git")):
        assert check(store, "writes") == Check("writes", "note", "one is under way at this moment")
    assert any(each.startswith("writes: ") for each in mended(store)[0])
    assert check(store, "writes") == Check("writes", "ok", "none is unfinished")
    assert not temp.exists()


def test_temporary_files_that_no_writer_needs_are_removed(store: Path) -> None:
    temp = store / ".git" / "gitmem" / "tmp-lock-1"
    temp.write_bytes(b"")
    assert check(store, "temporary files").state == "ok", "a young one may be in use"
    os.utime(temp, (OLD, OLD))
    assert check(store, "temporary files").message == f"1 file of killed writers in {store / '.git' / 'gitmem'}"
    mended(store)
    assert not temp.exists()
    half = store / ".git" / "objects" / "00"
    half.mkdir(exist_ok=True)
    (half / "tmp_obj_x").write_bytes(b"")
    os.utime(half / "tmp_obj_x", (OLD, OLD))
    assert check(store, "temporary files").message == "1 half-written object; git gc removes such in time"


@pytest.mark.parametrize("name", ["pack/tmp_pack_ab12.idx", "pack/tmp_pack_gitmem-ab12-1", "00/tmp_obj_gitmem-ab12-1"])
def test_half_written_objects_and_packs_of_killed_writers_are_removed(store: Path, git: Git, name: str) -> None:
    """Of this version and of earlier ones, whose names git took for packs."""
    left = store / ".git" / "objects" / name
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"")
    os.utime(left, (OLD, OLD))
    found = check(store, "temporary files")
    assert (found.state, found.hint) == ("trouble", "gitmem doctor --fix")
    assert found.message == f"1 file of killed writers in {store / '.git' / 'objects'}"
    assert mended(store)[0] == [f"temporary files: {found.message}"]
    assert not left.exists()
    assert check(store, "temporary files") == Check("temporary files", "ok", "none is left over")
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""


def test_what_the_newest_commit_and_the_rollback_points_need_is_verified(store: Path, git: Git) -> None:
    """B5: a point that cannot be returned to is said before anybody needs it."""
    point = make_point(str(store), "", when=WHEN, actor=Actor("person"), environ=os.environ)
    assert check(store, "objects") == Check("objects", "ok", "whole in the newest commit and in 1 rollback point")
    blob = git("rev-parse", "HEAD:a.md", cwd=store).strip()
    (store / "a.md").write_text("another text\n")
    git("commit", "-qam", "mine", cwd=store)
    place = store / ".git" / "objects" / blob[:2] / blob[2:]
    kept = place.read_bytes()
    place.chmod(0o644)
    place.write_bytes(zlib.compress(b"blob 5\0wrong"))
    found = check(store, "objects")
    assert (found.state, found.hint) == ("trouble", f"git -C {store} fsck")
    assert found.message == f"rollback point {point} is damaged: object {blob} is not what it was"
    place.unlink()
    assert f"rollback point {point} is damaged: object {blob} is not in " in check(store, "objects").message
    git("reset", "-q", "--hard", "HEAD", cwd=store)
    now = git("rev-parse", "HEAD:a.md", cwd=store).strip()
    (store / ".git" / "objects" / now[:2] / now[2:]).unlink()
    assert f"the newest commit is damaged: object {now} is not in " in check(store, "objects").message
    assert check(store, "objects").message.endswith(" (1 more)")
    place.write_bytes(kept)
    assert check(store, "objects").message.startswith("the newest commit is damaged: ")


def test_a_purge_that_was_cut_off_is_told(store: Path) -> None:
    Purging("notes/it's.md", {}).save(str(store / ".git"))
    found = check(store, "purge")
    assert (found.state, found.hint) == ("trouble", r"gitmem purge 'notes/it'\''s.md'")
    assert found.message == (
        "the purge of notes/it's.md may have left its text in history: "
        "it was cut off before it said what still holds the text"
    )


def test_hooks_are_told_and_older_ones_renewed(store: Path, git: Git) -> None:
    assert check(store, "git hooks") == Check("git hooks", "note", "not installed", "gitmem hooks install")
    mended(store)
    assert check(store, "git hooks").message == "not installed", "nobody asked for them"
    install(str(store), os.environ)
    assert check(store, "git hooks") == Check("git hooks", "ok", "installed")
    hook = store / ".git" / "hooks" / "pre-commit"
    hook.write_bytes(script("pre-commit").replace(b"ID %d\n" % HOOK_ID, b"ID 0\n"))
    assert check(store, "git hooks").message == "of an older gitmem"
    assert mended(store)[0] == ["git hooks: of an older gitmem"]
    hook.unlink()
    assert check(store, "git hooks").message == "not installed: pre-commit"
    install(str(store), os.environ)
    git("config", "--remove-section", "merge.gitmem", cwd=store)
    assert check(store, "git hooks").message == "not installed: merge driver"


def test_hooks_that_git_would_not_run_are_told(store: Path, git: Git) -> None:
    git("config", "core.hooksPath", "/dev/null", cwd=store)
    found = check(store, "git hooks")
    assert (found.state, "git runs no hooks here" in found.message) == ("note", True)


def test_too_many_refs_are_told(store: Path, git: Git) -> None:
    head = git("rev-parse", "HEAD", cwd=store).strip()
    trees = [blob_id(str(number).encode()) for number in range(MAX_REFS)]
    packed = "".join(f"{name} refs/gitmem/x/{name}\n" for name in trees)
    (store / ".git" / "packed-refs").write_text(f"# pack-refs with: peeled\n{head} refs/heads/main\n{packed}")
    found = check(store, "refs")
    assert (found.state, found.message) == ("note", "501; above 500 every command is slower")


def test_an_operation_under_way_and_bad_settings_are_told(store: Path) -> None:
    (store / ".git" / "MERGE_HEAD").write_text("1" * 40 + "\n")
    (store / ".gitmem" / "config.yaml").write_text("recall:\n  candidates: maybe\nwrong: 1\n")
    found = check(store, "repository")
    assert found.message == f"a merge is under way in {store}, so nothing is written"
    assert f"git -C {store} merge --continue" in found.hint
    assert check(store, "settings").message.startswith(".gitmem/config.yaml:2: recall.candidates: ")
    assert check(store, "settings").message.endswith(" (1 more)")


def test_a_repository_on_no_branch_is_told(store: Path, git: Git) -> None:
    git("switch", "-q", "--detach", cwd=store)
    found = check(store, "repository")
    assert "is on no branch (HEAD is detached at " in found.message
    assert found.hint == f"git -C {store} switch main"


def test_each_mend_of_a_memory_is_a_commit_and_its_words_are_as_before(store: Path, git: Git) -> None:
    """Promised as I4."""
    (store / "b.md").write_bytes(b"\xef\xbb\xbf---\r\nname: b\r\ndescription: Deploy: use blue\r\n---\r\nbody\r\n")
    (store / "c.md").write_bytes(b"---\nname: c\ntype: user\ntype: user\n---\nbody\n")
    git("add", "-A", cwd=store)
    git("commit", "-qm", "mine", cwd=store)
    (store / "MEMORY.md").write_text("my own words\n- [a](a.md)")
    safe = mendable(str(store), audit_store(str(store)))
    assert safe == {
        "b.md": ["bom", "line-endings", "head-colon", "unlisted"],
        "c.md": ["head-duplicate", "unlisted"],
    }
    done, refused = mended(store)
    assert refused == []
    assert done[-3:] == [
        "b.md: bom, line-endings, head-colon",
        "c.md: head-duplicate",
        "MEMORY.md: unlisted: 2 lines added",
    ]
    assert (store / "b.md").read_bytes() == b"---\nname: b\ndescription: 'Deploy: use blue'\n---\nbody\n"
    assert (store / "c.md").read_bytes() == b"---\nname: c\ntype: user\n---\nbody\n"
    expected = "my own words\n- [a](a.md)\n- [b](b.md) — Deploy: use blue\n- [c](c.md)\n"
    assert (store / "MEMORY.md").read_text() == expected
    log = git("log", "--format=%s", "-5", cwd=store).split("\n")
    assert log[:4] == ["doctor: MEMORY.md", "hand edit: MEMORY.md", "doctor: c.md", "doctor: b.md"]
    assert "Gitmem-Op: doctor" in git("log", "-1", "--format=%b", cwd=store)
    assert git("status", "--porcelain", cwd=store) == ""
    assert mended(store) == ([], [])
    git("fsck", "--strict", cwd=store)


def test_what_a_person_must_decide_is_left(store: Path) -> None:
    (store / "b.md").write_text("---\nname: b\ntype: user\ntype: project\n---\n<<<<<<< HEAD\n")
    (store / "MEMORY.md").write_text("- [a](a.md)\n- [b](b.md)\n- [gone](gone.md)\n")
    before = {name: (store / name).read_bytes() for name in ("b.md", "MEMORY.md")}
    mended(store)
    assert {name: (store / name).read_bytes() for name in before} == before


def test_a_mend_that_is_refused_is_said_and_the_others_go_on(store: Path) -> None:
    (store / "b.md").write_bytes(b"\xef\xbb\xbf" + SOUND.encode())
    (store / ".git" / "BISECT_LOG").write_text("x\n")
    _, refused = mended(store)
    assert any(each.startswith("b.md was not mended: a bisect is under way in ") for each in refused)
    assert any("git -C" in each and "bisect reset" in each for each in refused)
    (store / ".git" / "BISECT_LOG").unlink()
    assert mended(store)[1] == []


def test_a_list_in_another_form_keeps_its_form(store: Path) -> None:
    (store / "b.md").write_text(SOUND)
    (store / "MEMORY.md").write_bytes("# 列表\r\n- [a](a.md)".encode("utf-16"))
    report = audit_store(str(store))
    assert "unlisted" in {each.rule for each in report.findings}
    mended(store)
    text = (store / "MEMORY.md").read_text(encoding="utf-8")
    assert text == "# 列表\n- [a](a.md)\n- [a](b.md) — what it says\n"


def test_a_line_is_committed_with_its_memory_and_never_before_it(store: Path, git: Git) -> None:
    (store / "b.md").write_text(SOUND)
    assert mended(store) == (
        ["search index: behind the files; prompts read what changed live", "MEMORY.md: unlisted: 1 line added"], [],
    )  # fmt: skip
    assert git("ls-files", cwd=store).split() == [".gitattributes", ".gitmem/config.yaml", "MEMORY.md", "a.md", "b.md"]
    assert git("status", "--porcelain", cwd=store) == ""
    assert check(store, "search index").state == "ok"


def test_memories_of_a_project_need_no_line_and_get_none(store: Path) -> None:
    """Promised in docs/scopes.md: a session in another project reads the list, too."""
    for folder in ("garden", "mine"):
        (store / "projects" / folder).mkdir(parents=True)
        (store / "projects" / folder / "b.md").write_text(SOUND)
    (store / "projects/garden/project.yaml").write_text("name: garden\n")
    found = [each.path for each in audit_store(str(store)).findings if each.rule == "unlisted"]
    assert found == ["projects/mine/b.md"]
    mended(store)
    assert "projects/mine/b.md" in (store / "MEMORY.md").read_text()
    assert "garden" not in (store / "MEMORY.md").read_text()
