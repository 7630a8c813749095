"""What still holds a purged text: every place is named, and the command beside it settles it, as C git judges."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.history.commit import FileChange
from gitmem.history.holders import Holder, holders
from gitmem.history.repo import create_repo, open_repo
from gitmem.history.rewrite import Rewrite
from gitmem.history.rewrite_past import Past, choose
from gitmem.write.apply import apply
from gitmem.write.change import Actor, Change
from gitmem.write.purge import Purged, purge

Git = Callable[..., str]
WHEN = 1_796_000_000
PERSON = Actor("person")


def save(root: Path, path: str, text: str) -> None:
    change = Change("remember", path, "", PERSON, lambda reader: [FileChange(path, text.encode())])
    apply(str(root), change, WHEN, os.environ)


def wipe(root: Path) -> Purged:
    return purge(str(root), "vault.md", confirm=lambda plan: "vault", when=WHEN, actor=PERSON, environ=os.environ)


def run(done: Purged) -> None:
    """Type every command in the order given, as the person would."""
    for one in done.holders:
        if one.command:
            subprocess.run(["sh", "-ec", one.command], capture_output=True, check=True, cwd="/")


def blobs(git: Git, root: Path) -> list[str]:
    """Blobs with the word, whatever names them or not."""
    rows = git("cat-file", "--batch-all-objects", "--batch-check", cwd=root).splitlines()
    names = [row.split()[0] for row in rows if " blob " in row]
    return [name for name in names if "tangerine" in git("cat-file", "blob", name, cwd=root)]


def found(done: Purged, where: str) -> list[Holder]:
    """Rows about ``where``, but for those of reflogs and of refs such as ORIG_HEAD."""
    rows = [one for one in done.holders if where in one.where]
    return [one for one in rows if "reflog" not in one.what and "names a commit" not in one.what]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Two memories, the second of which is to go."""
    root = tmp_path / "a store"
    create_repo(str(root)).close()
    save(root, "other.md", "bananas\n")
    save(root, "vault.md", "tangerine\n")
    save(root, "vault.md", "tangerine, more of it\n")
    return root


def test_reflogs_and_objects_are_listed_and_their_commands_end_it(store: Path, git: Git) -> None:
    done = wipe(store)
    assert [(one.where, one.what) for one in done.holders] == [
        ("HEAD", "4 lines of its reflog"),
        ("refs/heads/main", "4 lines of its reflog"),
        (str(store / ".git/objects"), "2 objects with its text, until git collects them"),
    ]
    assert [one.command for one in done.holders] == [
        f"git -C '{store}' reflog expire --expire=now HEAD",
        f"git -C '{store}' reflog expire --expire=now refs/heads/main",
        f"git -C '{store}' gc --prune=now",
    ]
    assert len(blobs(git, store)) == 2
    run(done)
    assert blobs(git, store) == []
    assert wipe_again(store) == []


def wipe_again(store: Path) -> list[Holder]:
    """What a purge of something else lists afterwards of the first memory: nothing."""
    save(store, "third.md", "third\n")
    done = purge(str(store), "third.md", confirm=lambda plan: "third", when=WHEN, actor=PERSON, environ=os.environ)
    return [one for one in done.holders if "vault" in one.where + one.what + one.command]


def test_what_a_remote_that_was_taken_away_left_here_is_listed(store: Path, git: Git) -> None:
    """``remote remove`` leaves gitmem's refs of it; nothing came meanwhile, and no second purge would help."""
    ref = "refs/gitmem/remotes/origin/machines/f5213a5368b8"
    git("update-ref", ref, "HEAD", cwd=store)
    done = wipe(store)
    assert [(one.what, one.command) for one in done.holders if one.where == ref] == [
        ("a ref that purge does not rewrite", f"git -C '{store}' update-ref -d {ref}")
    ]
    run(done)
    assert blobs(git, store) == []


def test_every_ref_that_purge_does_not_rewrite_is_listed(store: Path, git: Git) -> None:
    """Notes, replaced objects, what filter-branch kept, a tag of the very blob; not those that never held it."""
    old = git("rev-parse", "HEAD", cwd=store).strip()
    first = git("rev-parse", "HEAD~2", cwd=store).strip()
    blob = git("rev-parse", "HEAD:vault.md", cwd=store).strip()
    tree = git("rev-parse", "HEAD^{tree}", cwd=store).strip()
    for ref, name in (
        ("refs/original/refs/heads/main", old), ("refs/elsewhere/clean", first), ("refs/elsewhere/tree", tree),
        ("refs/tags/blob", blob), ("ORIG_HEAD", old),
    ):  # fmt: skip
        git("update-ref", ref, name, cwd=store)
    git("notes", "add", "-C", blob, first, cwd=store)
    git("replace", first, old, cwd=store)
    done = wipe(store)
    assert {one.where for one in done.holders if one.what.startswith("a ref")} == {
        "refs/original/refs/heads/main", "refs/elsewhere/tree", "refs/tags/blob", "refs/notes/commits",
        f"refs/replace/{first}",
    }  # fmt: skip
    assert [one.where for one in done.holders if one.what == "names a commit of the old history"] == [
        str(store / ".git/ORIG_HEAD")
    ]
    run(done)
    assert blobs(git, store) == []
    assert git("rev-parse", "refs/elsewhere/clean", cwd=store).strip() == first
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""


def test_a_stash_is_listed_and_never_dropped(store: Path, git: Git) -> None:
    for text in ("one\n", "two\n"):
        (store / "other.md").write_text(text)
        git("stash", cwd=store)
    done = wipe(store)
    assert [(one.where, one.command) for one in found(done, "stash@")] == [
        ("stash@{1}", f"git -C '{store}' stash drop 'stash@{{1}}'"),
        ("stash@{0}", f"git -C '{store}' stash drop 'stash@{{0}}'"),
    ]
    assert found(done, "stash@")[0].what == "work put aside on top of the old history; apply it first if you need it"
    assert len(git("stash", "list", cwd=store).splitlines()) == 2
    run(done)
    assert git("stash", "list", cwd=store) == ""
    assert blobs(git, store) == []


def test_other_working_trees_are_listed_with_their_files_index_and_head(store: Path, git: Git, tmp_path: Path) -> None:
    save(store, "MEMORY.md", "- [vault](vault.md) — tangerine\n- [other](other.md)\n")
    git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second", cwd=store)
    git("worktree", "add", "-q", "--detach", str(tmp_path / "third"), cwd=store)
    (tmp_path / "second/other.md").write_text("my work\n")
    done = wipe(store)
    second, third = found(done, "second"), found(done, "third")
    assert [one.what for one in second] == [
        "this working tree still has vault.md",
        "its MEMORY.md still has the memory's line",
    ]
    assert {one.what for one in third} == {
        "HEAD is detached at a commit of the old history",
        "this working tree still has vault.md",
    }
    run(done)
    assert blobs(git, store) == []
    assert git("status", "--porcelain", cwd=tmp_path / "second") == " M other.md\n"
    assert git("status", "--porcelain", cwd=tmp_path / "third") == ""
    assert not (tmp_path / "second/vault.md").exists()
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""


def test_from_a_linked_working_tree_the_main_one_is_listed(store: Path, git: Git, tmp_path: Path) -> None:
    git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second", cwd=store)
    done = wipe(tmp_path / "second")
    assert [one.what for one in found(done, "a store") if one.where == str(store)] == [
        "this working tree still has vault.md"
    ]
    assert git("status", "--porcelain", cwd=tmp_path / "second") == ""
    run(done)
    assert git("status", "--porcelain", cwd=store) == ""
    assert blobs(git, store) == []


def test_a_file_another_working_tree_has_without_git_is_listed(store: Path, git: Git, tmp_path: Path) -> None:
    git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second", "HEAD~2", cwd=store)
    (tmp_path / "second/vault.md").write_text("tangerine\n")
    done = wipe(store)
    assert [one.command for one in found(done, "second")] == [f"rm {tmp_path / 'second/vault.md'}"]


def test_remotes_are_listed_without_credentials_and_nothing_is_pushed(store: Path, git: Git, tmp_path: Path) -> None:
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "hub.git"))
    git("remote", "add", "origin", str(tmp_path / "hub.git"), cwd=store)
    git("tag", "v1", cwd=store)
    git("push", "-q", "origin", "main", "main:topic", "v1", cwd=store)
    git("config", "remote.never.url", "https://ada:hunter2@example.org/a.git?token=hunter2", cwd=store)
    before = git("for-each-ref", cwd=tmp_path / "hub.git")
    done = wipe(store)
    assert git("for-each-ref", cwd=tmp_path / "hub.git") == before
    hub = f"remote origin ({tmp_path / 'hub.git'})"
    assert [(one.where, one.what, one.command) for one in found(done, "remote ")] == [
        (
            "remote never (https://example.org/a.git)",
            "tag v1 there, if it was pushed",
            f"git -C '{store}' push --force never refs/tags/v1",
        ),
        (
            "remote never (https://example.org/a.git)",
            "nothing was fetched from it, so what it holds is not known here",
            f"git -C '{store}' fetch never && gitmem purge vault.md",
        ),
        (
            hub,
            "branch main there, and our copy refs/remotes/origin/main",
            f"git -C '{store}' push --force-with-lease origin main",
        ),
        (
            hub,
            "branch topic there, and our copy refs/remotes/origin/topic",
            f"git -C '{store}' push --force-with-lease origin main:topic",
        ),
        (hub, "tag v1 there, if it was pushed", f"git -C '{store}' push --force origin refs/tags/v1"),
    ]
    assert found(done, "other clones")[0] == Holder(
        "other clones, forks, backups and the hosting service's caches",
        "out of reach from here: the next sync of a machine tells it how to follow; every other owner has to "
        "remove it, and a service's support its caches",
        "",
    )
    for one in found(done, "hub.git"):
        subprocess.run(["sh", "-ec", one.command], capture_output=True, check=True)
    git("gc", "-q", "--prune=now", cwd=tmp_path / "hub.git")
    assert blobs(git, tmp_path / "hub.git") == []


def test_a_remote_branch_with_commits_that_are_not_here_is_not_overwritten(
    store: Path, git: Git, tmp_path: Path
) -> None:
    """Its own history is rewritten the same way first, so that nothing it has is lost."""
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "hub.git"))
    git("remote", "add", "origin", str(tmp_path / "hub.git"), cwd=store)
    git("push", "-q", "origin", "main", cwd=store)
    git("clone", "-q", str(tmp_path / "hub.git"), str(tmp_path / "clone"))
    save(tmp_path / "clone", "theirs.md", "theirs\n")
    git("push", "-q", "origin", "main", cwd=tmp_path / "clone")
    git("fetch", "-q", cwd=store)
    [row] = found(wipe(store), "remote origin")
    assert row.command == f"git -C '{store}' branch origin-main origin/main && gitmem purge vault.md"
    git("branch", "origin-main", "origin/main", cwd=store)
    [row] = found(wipe(store), "remote origin")
    assert row.command == f"git -C '{store}' push --force-with-lease origin origin-main:main"
    subprocess.run(["sh", "-ec", row.command], capture_output=True, check=True)
    assert git("show", "main:theirs.md", cwd=tmp_path / "hub.git") == "theirs\n"
    assert git("merge-base", "main", "origin-main", cwd=store) != "", "what both had is one history again"
    git("gc", "-q", "--prune=now", cwd=tmp_path / "hub.git")
    assert blobs(git, tmp_path / "hub.git") == []


def test_borrowed_objects_and_kept_packs_are_listed(store: Path, git: Git, tmp_path: Path) -> None:
    git("gc", "-q", cwd=store)
    pack = next((store / ".git/objects/pack").glob("*.pack"))
    pack.with_suffix(".keep").touch()
    git("clone", "-q", "--shared", str(store), str(tmp_path / "borrower"))
    done = wipe(tmp_path / "borrower")
    rows = [(one.where, one.what, one.command) for one in done.holders if str(store) in one.where]
    assert rows[-2:] == [
        (str(pack), "a pack that git was told to keep", f"rm '{pack.with_suffix('.keep')}'"),
        (
            str(store / ".git/objects"),
            "2 objects with its text, borrowed from there; purge it in that repository too",
            f"git -C '{store / '.git'}' gc --prune=now",
        ),
    ]


def test_a_copy_under_another_name_is_told(store: Path, git: Git) -> None:
    """The same text in another memory is not removed with this one, and not passed over in silence."""
    save(store, "copy.md", "tangerine\n")
    done = wipe(store)
    assert (store / "copy.md").read_text() == "tangerine\n"
    assert done.holders[0] == Holder("copy.md", "has, or once had, the same text to the letter", "gitmem purge copy.md")


def test_refused_texts_that_repeat_its_lines_or_words_are_listed(store: Path, git: Git) -> None:
    """A refused edit of the memory is kept as its writer gave it: more than the memory, or less."""
    body = "---\nid: 01KB9V6Q3M4X1T0Z8H2N5R7C9D\ncreated: 2026-01-01T00:00:00Z\n---\n"
    save(
        store,
        "vault.md",
        f"{body}- the vault opens with the blue key\nits code is `plum-48-quartz`\n保险库的密码在蓝色的盒子\n",
    )
    folder = store / ".git/gitmem/refused"
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "line": "# New\n\nI heard that the vault opens with the blue key.\n",
        "word": "use plum-48-quartz, then\n",
        "wide": "保险库的密码在蓝色的盒子里\n",
        "id": "metadata:\n  id: 01KB9V6Q3M4X1T0Z8H2N5R7C9D\n",
        "date": "created: 2026-01-01T00:00:00Z\n",
        "none": "the vault\n",
    }
    for name, text in texts.items():
        (folder / f"it's {name}.md").write_text(text)
    rows = [one for one in wipe(store).holders if "refused" in one.what]
    assert [Path(one.where).name for one in rows] == [f"it's {name}.md" for name in ("id", "line", "wide", "word")]
    assert {one.what for one in rows} == {"a text that was refused, and repeats words of it"}
    for one in rows:
        subprocess.run(["sh", "-ec", one.command], check=True)
    assert sorted(path.name for path in folder.iterdir()) == ["it's date.md", "it's none.md"]


def test_a_phrase_that_other_memories_have_too_tells_nothing(store: Path) -> None:
    phrase = "all memories of this store begin so\n"
    for name in ("vault", "one", "two"):
        save(store, f"{name}.md", f"{phrase}{name}\n")
    (store / ".git/gitmem/refused").mkdir(parents=True, exist_ok=True)
    (store / ".git/gitmem/refused/x.md").write_text(phrase)
    assert [one for one in wipe(store).holders if "refused" in one.what] == []


def test_messages_that_repeat_its_words_are_listed_with_what_gives_them_other_words(store: Path, git: Git) -> None:
    """Commits of the person, on this branch and another, and tags; their commands end it, as C git judges."""
    save(store, "vault.md", "the vault opens with plum-48-quartz\n")
    for number, message in enumerate(("note plum-48-quartz", "plain", "the vault opens with plum-48-quartz!")):
        (store / "other.md").write_text(f"{number}\n")
        git("commit", "-qam", message, cwd=store)
    git("branch", "side", cwd=store)
    git("tag", "-a", "v1", "-m", "plum-48-quartz", "HEAD~5", cwd=store)
    done = wipe(store)
    rows = [one for one in done.holders if "message" in one.what]
    middle, top = git("log", "--format=%H", "--grep=plum", "main", cwd=store).split()[::-1]
    parent = git("rev-parse", f"{middle}~1", cwd=store).strip()
    tag = git("rev-parse", "v1", cwd=store).strip()
    assert [(one.where, one.what, one.command) for one in rows] == [
        (
            f"commit {top[:10]} of refs/heads/main",
            f"its message repeats words of it; write `reword` instead of `pick` before {top[:7]}",
            f"git -C '{store}' rebase -i --rebase-merges {git('rev-parse', f'{top}~1', cwd=store)[:10]}",
        ),
        (
            f"commit {middle[:10]} of refs/heads/main",
            f"its message repeats words of it; write `reword` instead of `pick` before {middle[:7]}",
            f"git -C '{store}' rebase -i --rebase-merges {parent[:10]}",
        ),
        (
            f"tag {tag[:10]} of refs/tags/v1",
            "its message repeats words of it, and goes with the ref",
            f"git -C '{store}' update-ref -d refs/tags/v1",
        ),
    ]
    assert all("plum" not in one.what + one.where for one in done.holders), "the words themselves are not shown"
    environ = {
        **os.environ, "GIT_EDITOR": "sed -i -e s/^pick/reword/ -e s/plum-48-quartz/gone/",
        "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
    }  # fmt: skip
    for one in rows[1:]:
        subprocess.run(["sh", "-ec", one.command], capture_output=True, check=True, env=environ)
    assert "plum" not in git("log", "--format=%B", "main", cwd=store) + git("tag", "-n", cwd=store)


def test_a_branch_that_came_meanwhile_is_to_be_purged_again_never_deleted(store: Path, git: Git) -> None:
    with open_repo(str(store)) as repo:
        past = Past(repo)
        past.see([repo.head()[1]])
        choice = choose(past, "vault.md", {}, set(past.order))
        rewrite = Rewrite(repo, choice.forget, [], lambda data, paths: data)
        rewrite.run(past)
        found = holders(repo, past, choice, rewrite.commits, {})
        repo.objects.forget()
    assert found[0] == Holder("refs/heads/main", "came while history was rewritten", "gitmem purge vault.md")
