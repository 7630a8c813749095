"""``purge``: nothing of a memory is left in any history of this repository, and C git agrees with all the rest."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Locked, NotFound, Refused, RepositoryBusy, RepositoryDamaged, StoreUnwritable
from gitmem.write.apply import Applied
from gitmem.write.archive import archive
from gitmem.write.change import Actor
from gitmem.write.locks import lock
from gitmem.write.memory import edit, remember
from gitmem.write.purge import Plan, Purged, anywhere, purge
from gitmem.write.rollback import make_point

Git = Callable[..., str]
Save = Callable[..., Applied]
WHEN = 1_796_000_000
PERSON = Actor("person")
SECRET = "the vault code is tangerine-4711"
STEPS = ("link", "replace", "rename", "unlink", "truncate")


def wipe(root: Path, path: str, *, name: str | None = None, actor: Actor = PERSON, reason: str = "") -> Purged:
    """Purge ``path``, its name typed as asked, or ``name``."""
    given = path.rpartition("/")[2].removesuffix(".md") if name is None else name
    return purge(str(root), path, confirm=lambda plan: given, when=WHEN, actor=actor, environ=os.environ, reason=reason)


def new(root: Path, text: str, path: str) -> None:
    remember(str(root), text, when=WHEN, actor=PERSON, environ=os.environ, path=path)


def change(root: Path, name: str, text: str) -> None:
    edit(str(root), name, when=WHEN, actor=PERSON, environ=os.environ, body=text)


def held(git: Git, root: Path, word: str = "tangerine") -> list[str]:
    """Where git itself finds ``word``: objects that some ref, HEAD or the index leads to, commit messages included."""
    objects = {line.split()[0] for line in git("rev-list", "--all", "--objects", cwd=root).splitlines()}
    objects |= {line.split()[1] for line in git("ls-files", "-s", cwd=root).splitlines()}
    words = "".join(f"{each}\n" for each in sorted(objects)).encode()
    done = subprocess.run(["git", "cat-file", "--batch"], cwd=root, input=words, capture_output=True, check=True)
    return [line for line in done.stdout.decode("utf-8", "replace").splitlines() if word in line]


def check_sound(git: Git, root: Path) -> None:
    assert git("fsck", "--strict", "--no-dangling", cwd=root) == ""
    assert git("status", "--porcelain", cwd=root) == ""


@pytest.fixture
def full(store: Path, save: Save, git: Git) -> Path:
    """A store with a list, two memories and some history, the one to go among it."""
    save("MEMORY.md", "# Memory\n\n- [by hand](other.md) — mine\n")
    new(store, "bananas are yellow", "other.md")
    new(store, SECRET, "notes/vault.md")
    change(store, "vault", f"{SECRET}, since May")
    change(store, "other", "bananas are green at first")
    return store


def test_nothing_is_left_in_history_and_all_else_is_as_it_was(full: Path, git: Git) -> None:
    """L2: blobs, trees, the line in MEMORY.md and the words in gitmem's own messages; other memories keep theirs."""
    before = git("log", "--format=%an %ae %ad %cn %cd", cwd=full).splitlines()
    others = git("log", "-p", "--format=%an%ad", "--", "other.md", cwd=full)
    first = git("rev-list", "--max-parents=0", "HEAD", cwd=full)
    done = wipe(full, "notes/vault.md")
    assert held(git, full) == []
    assert "vault" not in git("log", "-p", "--all", "--format=", cwd=full)
    assert git("log", "-p", "--format=%an%ad", "--", "other.md", cwd=full) == others
    assert git("log", "--format=%an %ae %ad %cn %cd", cwd=full).splitlines()[1:] == before
    assert git("rev-list", "--max-parents=0", "HEAD", cwd=full) == first, "what did not hold it keeps its id"
    assert git("log", "--format=%s", cwd=full).splitlines() == [
        "purge: vault", "edit: other", "edit: vault", "remember: vault", "remember: bananas are yellow",
        "remember: MEMORY.md",
    ]  # fmt: skip
    assert (done.path, done.paths, done.commits) == ("notes/vault.md", ("notes/vault.md",), 4)
    assert not (full / "notes").exists()
    assert "- [by hand](other.md) — mine\n" in (full / "MEMORY.md").read_text()
    check_sound(git, full)


def test_an_edit_that_is_not_committed_is_named_before_it_is_gone(full: Path, git: Git) -> None:
    """Nobody else has those words, and the name that is asked for does not tell of them."""
    path = full / "notes/vault.md"
    before = path.read_text()
    path.write_text(f"{before}tangerine by hand\n")
    with pytest.raises(Refused, match=r"notes/vault\.md has an edit of yours that is not committed") as refused:
        wipe(full, "notes/vault.md")
    assert path.read_text() == f"{before}tangerine by hand\n"
    drop, again = (refused.value.hint or "").partition("then: ")[2].split(" && ")
    git(*drop.split()[1:], cwd=full)
    assert (path.read_text(), again) == (before, "gitmem purge notes/vault.md")
    wipe(full, "notes/vault.md")
    assert held(git, full) == []
    check_sound(git, full)


def test_what_a_person_has_staged_and_changed_elsewhere_stays(full: Path, git: Git) -> None:
    (full / "other.md").write_text("mine, not committed\n")
    (full / "staged.md").write_text("mine, staged\n")
    git("add", "staged.md", cwd=full)
    wipe(full, "notes/vault.md")
    assert git("status", "--porcelain", cwd=full) == " M other.md\nA  staged.md\n"
    assert held(git, full) == []


def test_a_memory_that_was_never_committed_goes_too(full: Path, git: Git) -> None:
    (full / "draft.md").write_text("tangerine draft\n")
    wipe(full, "draft.md")
    assert not (full / "draft.md").exists()
    assert held(git, full, "tangerine draft") == []


def test_all_paths_a_memory_ever_had_are_found(full: Path, git: Git, save: Save) -> None:
    """Across a rename by git, an archive and a restore by gitmem, and a rename with an edit in it by metadata.id."""
    git("mv", "notes/vault.md", "safe.md", cwd=full)
    git("commit", "-qm", "moved", cwd=full)
    archive(str(full), "safe", reason="old", when=WHEN, actor=PERSON, environ=os.environ)
    done = wipe(full, "archive/safe.md")
    assert done.paths == ("archive/safe.md", "notes/vault.md", "safe.md")
    assert held(git, full) == []
    check_sound(git, full)


def test_the_same_id_under_another_path_is_the_same_memory(store: Path, git: Git, save: Save) -> None:
    head = "---\nmetadata:\n  id: 01KB9V6Q3M4X1T0Z8H2N5R7C9D\n---\n"
    save("a.md", f"{head}tangerine one\n")
    save("c.md", "see 01KB9V6Q3M4X1T0Z8H2N5R7C9D\n")
    git("mv", "a.md", "b.md", cwd=store)
    (store / "b.md").write_text(f"{head}quite another tangerine text, and longer\n")
    git("commit", "-qam", "renamed and rewritten", cwd=store)
    assert wipe(store, "b.md").paths == ("a.md", "b.md")
    assert held(git, store) == []
    assert git("log", "--format=%s", "--", "c.md", cwd=store) == "remember: c.md\n"


def test_a_name_given_anew_is_told_from_the_memory_that_had_it(store: Path, git: Git, save: Save) -> None:
    save("a.md", "kept text\n")
    git("mv", "a.md", "b.md", cwd=store)
    git("commit", "-qm", "moved", cwd=store)
    save("a.md", "tangerine\n")
    plans: list[Plan] = []

    def ask(plan: Plan) -> str:
        plans.append(plan)
        return "a"

    purge(str(store), "a.md", confirm=ask, when=WHEN, actor=PERSON, environ=os.environ)
    assert plans == [Plan("a.md", ("a.md",), 1, ("b.md",))]
    assert held(git, store) == []
    assert git("log", "--follow", "--format=%s", "--", "b.md", cwd=store) == "moved\nremember: a.md\n"
    assert git("show", "HEAD:b.md", cwd=store) == "kept text\n"


@pytest.mark.parametrize("gone", ["moved.md", "a.md"])
def test_two_memories_that_had_one_path_are_purged_apart(store: Path, git: Git, save: Save, gone: str) -> None:
    """The path went to another memory in the very commit that renamed."""
    texts = {
        name: f"---\nname: {name}\nmetadata:\n  id: 01{name}\n---\n\n{name} is {name}\n" for name in ("plum", "fig")
    }
    save("a.md", texts["plum"])
    save("a.md", texts["plum"] + "and more\n")
    git("mv", "a.md", "moved.md", cwd=store)
    (store / "a.md").write_text(texts["fig"])
    git("add", "-A", cwd=store)
    git("commit", "-qm", "two at once", cwd=store)
    save("a.md", texts["fig"] + "and more\n")
    fruit, other, left = ("plum", "fig", "a.md") if gone == "moved.md" else ("fig", "plum", "moved.md")
    before = held(git, store, f"{other} is")
    wipe(store, gone)
    assert held(git, store, f"{fruit} is") == []
    assert held(git, store, f"{other} is") == before
    assert f"{other} is {other}" in (store / left).read_text()
    check_sound(git, store)


def test_a_memory_that_is_called_otherwise_now_is_purged_by_that_name(store: Path, git: Git, save: Save) -> None:
    save("a.md", "kept text\n")
    git("mv", "a.md", "b.md", cwd=store)
    git("commit", "-qm", "moved", cwd=store)
    with pytest.raises(Refused, match=r"a\.md is called b\.md now; nothing was changed") as refused:
        wipe(store, "a.md")
    assert refused.value.hint == "gitmem purge b.md"


def test_another_memory_at_an_earlier_path_stays_with_its_line(store: Path, git: Git, save: Save) -> None:
    save("MEMORY.md", "- [A](a.md) — tangerine\n")
    save("a.md", "tangerine\n")
    git("mv", "a.md", "b.md", cwd=store)
    git("commit", "-qm", "moved", cwd=store)
    save("MEMORY.md", "- [B](b.md) — tangerine\n")
    save("a.md", "kept text\n")
    save("MEMORY.md", "- [B](b.md) — tangerine\n- [A](a.md) — kept\n")
    assert wipe(store, "b.md").paths == ("a.md", "b.md")
    assert held(git, store) == []
    assert (store / "a.md").read_text() == git("show", "HEAD:a.md", cwd=store) == "kept text\n"
    assert (store / "MEMORY.md").read_text() == "- [A](a.md) — kept\n"
    assert git("show", "HEAD~3:MEMORY.md", cwd=store) == ""
    check_sound(git, store)


def test_a_folder_or_a_file_in_the_way_of_an_earlier_path_is_left_alone(store: Path, git: Git, save: Save) -> None:
    save("f/a.md", "tangerine\n")
    git("mv", "f/a.md", "b.md", cwd=store)
    git("commit", "-qm", "moved", cwd=store)
    git("mv", "b.md", "c.md", cwd=store)
    git("commit", "-qm", "moved", cwd=store)
    save("b.md/x.md", "x\n")
    shutil.rmtree(store / "f", ignore_errors=True)
    (store / "f").write_text("a file now\n")
    git("add", "f", cwd=store)
    git("commit", "-qm", "f", cwd=store)
    assert wipe(store, "c.md").paths == ("b.md", "c.md", "f/a.md")
    assert held(git, store) == []
    assert git("ls-files", cwd=store) == "b.md/x.md\nf\n"
    check_sound(git, store)


def test_a_memory_that_is_gone_from_head_goes_from_history(full: Path, git: Git) -> None:
    git("rm", "-q", "notes/vault.md", cwd=full)
    git("commit", "-qm", "gone", cwd=full)
    wipe(full, "notes/vault.md")
    assert held(git, full) == []
    check_sound(git, full)


def test_merges_tags_points_conflicts_and_other_branches_follow(full: Path, git: Git, save: Save) -> None:
    """Every ref of this repository's own: the shape of history stays, dates and messages too."""
    git("tag", "light", cwd=full)
    git("tag", "-a", "heavy", "-m", "said\n\n-----BEGIN PGP SIGNATURE-----\nx\n-----END PGP SIGNATURE-----", cwd=full)
    git("tag", "-a", "twice", "-m", "of a tag", "heavy", cwd=full)
    make_point(str(full), "by hand", when=WHEN, actor=PERSON, environ=os.environ)
    git("switch", "-qc", "side", cwd=full)
    change(full, "vault", "tangerine on the side")
    git("switch", "-q", "main", cwd=full)
    change(full, "other", "bananas again")
    git("merge", "-q", "--no-edit", "side", cwd=full)
    git("switch", "-qc", "open", "side", cwd=full)
    change(full, "vault", "tangerine never merged")
    git("switch", "-q", "main", cwd=full)
    git("pack-refs", "--all", cwd=full)
    git("gc", "-q", cwd=full)
    shape = git("log", "--all", "--graph", "--format=", cwd=full)
    refs = git("for-each-ref", "--format=%(refname) %(objecttype) %(subject)", cwd=full).splitlines()
    wipe(full, "notes/vault.md")
    assert held(git, full) == []
    now = git("for-each-ref", "--format=%(refname) %(objecttype) %(subject)", cwd=full).splitlines()
    assert [line for line in now if "heads/main" not in line] == [line for line in refs if "heads/main" not in line]
    assert "SIGNATURE" not in git("cat-file", "tag", "heavy", cwd=full)
    assert git("log", "--all", "--graph", "--format=", cwd=full).count("|\\") == shape.count("|\\")
    assert (
        git("rev-parse", "twice^{commit}", "heavy^{commit}", cwd=full).split()[0]
        == git("rev-parse", "light", cwd=full).strip()
    )
    check_sound(git, full)


def test_a_conflict_about_nothing_else_goes_and_another_stays(full: Path, git: Git) -> None:
    for path in ("notes/vault.md", "other.md"):
        tree = git("rev-parse", "HEAD^{tree}", cwd=full).strip()
        blob = git("hash-object", "-w", "--stdin", cwd=full, stdin="tangerine wanted\n" if "vault" in path else "x\n")
        git("update-index", "--cacheinfo", f"100644,{blob.strip()},{path}", cwd=full)
        tree = git("write-tree", cwd=full).strip()
        git("reset", "-q", cwd=full)
        commit = git("commit-tree", "-p", "HEAD", "-m", "conflict", tree, cwd=full).strip()
        git("update-ref", f"refs/gitmem/conflicts/{path.partition('.')[0].replace('/', '-')}", commit, cwd=full)
    wipe(full, "notes/vault.md")
    assert git("for-each-ref", "--format=%(refname)", "refs/gitmem/conflicts", cwd=full) == (
        "refs/gitmem/conflicts/other\n"
    )
    assert git("show", "refs/gitmem/conflicts/other:other.md", cwd=full) == "x\n"
    assert held(git, full) == []


def test_ids_that_a_trailer_names_follow(full: Path, git: Git, save: Save) -> None:
    """``undo`` and ``redo`` find what they take back by such an id."""
    taken = git("rev-parse", "HEAD", cwd=full).strip()
    git("commit", "-q", "--allow-empty", "-m", f"undo: other\n\nsee {taken}\n\nGitmem-Undoes: {taken}", cwd=full)
    wipe(full, "notes/vault.md")
    body = git("log", "-1", "--skip=1", "--format=%B", cwd=full)
    undone = git("rev-parse", "HEAD~2", cwd=full).strip()
    assert body.strip() == f"undo: other\n\nsee {taken}\n\nGitmem-Undoes: {undone}"


def test_signatures_go_where_the_commit_changes_and_the_encoding_stays(store: Path, git: Git, save: Save) -> None:
    save("other.md", "x\n")
    blob = git("hash-object", "-w", "--stdin", cwd=store, stdin="tangerine\n").strip()
    tree = git("mktree", cwd=store, stdin=f"100644 blob {blob}\tvault.md\n").strip()
    head = git("rev-parse", "HEAD", cwd=store).strip()
    raw = (
        f"tree {tree}\nparent {head}\nauthor Zoë <z@x> 1 +0200\ncommitter Zoë <z@x> 2 +0200\n"
        "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n"
        "encoding ISO-8859-1\n\nGr\xfc\xdfe\n"
    ).encode("latin-1")
    made = subprocess.run(
        ["git", "hash-object", "-w", "--stdin", "-t", "commit"], cwd=store, input=raw, capture_output=True, check=True
    )
    git("reset", "-q", "--hard", made.stdout.decode().strip(), cwd=store)
    wipe(store, "vault.md")
    done = subprocess.run(["git", "cat-file", "commit", "HEAD~1"], cwd=store, capture_output=True, check=True).stdout
    assert b"gpgsig" not in done
    assert done.endswith(
        b"author Zo\xeb <z@x> 1 +0200\ncommitter Zo\xeb <z@x> 2 +0200\nencoding ISO-8859-1\n\nGr\xfc\xdfe\n"
    )
    check_sound(git, store)


def test_a_line_with_two_links_loses_one_in_every_old_list(store: Path, git: Git, save: Save) -> None:
    save("b.md", "bananas\n")
    save("vault.md", "tangerine\n")
    save("MEMORY.md", "# Mine\r\n- [Tangerine](vault.md), [B](b.md)\r\n- [Tangerine](./vault.md) — tangerine\r\n")
    wipe(store, "vault.md")
    assert held(git, store) == held(git, store, "Tangerine") == []
    assert (store / "MEMORY.md").read_bytes() == b"# Mine\r\n- [B](b.md)\r\n"
    assert git("show", "HEAD~1:MEMORY.md", cwd=store) == git("show", "HEAD:MEMORY.md", cwd=store)


def test_a_list_that_is_a_link_is_left_alone(store: Path, git: Git, save: Save) -> None:
    save("vault.md", "tangerine\n")
    (store / "MEMORY.md").symlink_to("vault.md")
    git("add", "-A", cwd=store)
    git("commit", "-qm", "a link", cwd=store)
    wipe(store, "vault.md")
    assert held(git, store) == []
    assert git("cat-file", "blob", "HEAD:MEMORY.md", cwd=store) == "vault.md"


def test_a_damaged_list_is_left_as_it_is(store: Path, git: Git, save: Save) -> None:
    save("vault.md", "tangerine\n")
    (store / "MEMORY.md").write_bytes(b"\xff\xfe\x00\xd8a")
    git("add", "-A", cwd=store)
    git("commit", "-qm", "damaged", cwd=store)
    wipe(store, "vault.md")
    assert held(git, store) == []
    assert (store / "MEMORY.md").read_bytes() == b"\xff\xfe\x00\xd8a"


def test_of_derived_state_nothing_keeps_the_text(full: Path, git: Git) -> None:
    """The index, texts that were refused, what sessions were shown, stores as they were."""
    state = full / ".git/gitmem"
    for name in ("sessions/s.json", "at/abc/index.sqlite", "history.sqlite", "refused/1.md", "refused/2.md"):
        (state / name).parent.mkdir(parents=True, exist_ok=True)
        (state / name).write_text("tangerine")
    (state / "refused/1.md").write_text((full / "notes/vault.md").read_text())
    wipe(full, "notes/vault.md")
    left = [each for each in state.rglob("*") if each.is_file() and b"tangerine" in each.read_bytes()]
    assert [each.name for each in left] == ["2.md"], "a refused text of another kind is not this memory's"
    assert b"vault" not in (state / "recent").read_bytes()
    assert (state / "index.sqlite").exists()
    assert not (state / "purging").exists()


@pytest.mark.parametrize("path", ["日本/部署.md", "Ünï/straße.md", "מפתח.md", "a b 'c' \"d\".md", "-n.md"])
def test_names_in_any_language(store: Path, git: Git, save: Save, path: str) -> None:
    save("other.md", "x\n")
    (store / path).parent.mkdir(exist_ok=True)
    (store / path).write_text("tangerine\n")
    git("add", "-A", cwd=store)
    git("commit", "-qm", "by hand", cwd=store)
    assert wipe(store, path).paths == (path,)
    assert held(git, store) == []
    check_sound(git, store)


def test_a_reason_with_a_secret_is_refused_and_nothing_is_begun(full: Path, git: Git) -> None:
    with pytest.raises(Refused, match="the reason looks like a secret"):
        wipe(full, "notes/vault.md", reason="it had password = hunter2hunter2")
    assert not (full / ".git/gitmem/purging").exists()
    assert (full / "notes/vault.md").exists()


# -- what is refused, and that nothing changed then


def unchanged(git: Git, root: Path) -> tuple[str, str]:
    return git("for-each-ref", cwd=root), git("status", "--porcelain", cwd=root)


@pytest.mark.parametrize("kind", ["model", "run", "import"])
def test_only_a_person_may_purge(full: Path, git: Git, kind: str) -> None:
    before = unchanged(git, full)
    with pytest.raises(Refused, match=f"a {kind} may not purge notes/vault.md: only a person may remove") as refused:
        wipe(full, "notes/vault.md", actor=Actor(kind))
    assert refused.value.hint == "ask the person to run: gitmem purge notes/vault.md"
    assert unchanged(git, full) == before


@pytest.mark.parametrize("name", ["", "vaul", "Vault", "yes", "other"])
def test_another_name_changes_nothing(full: Path, git: Git, name: str) -> None:
    before = unchanged(git, full)
    with pytest.raises(Refused, match="the name given is not vault; nothing was changed") as refused:
        wipe(full, "notes/vault.md", name=name)
    assert refused.value.hint == "gitmem purge notes/vault.md --confirm vault"
    assert unchanged(git, full) == before
    assert not (full / ".git/gitmem/purging").exists()


@pytest.mark.parametrize("name", ["vault", "notes/vault.md", " vault\n"])
def test_the_name_or_the_path_will_do(full: Path, git: Git, name: str) -> None:
    assert wipe(full, "notes/vault.md", name=name).commits == 4


def test_a_locked_memory_is_refused(full: Path, git: Git) -> None:
    """B7."""
    lock(str(full), "vault", when=WHEN, actor=PERSON, environ=os.environ)
    before = unchanged(git, full)
    with pytest.raises(Locked, match=r"notes/vault\.md is locked, so it is not purged; nothing was changed") as refused:
        wipe(full, "notes/vault.md")
    assert refused.value.hint == "gitmem unlock notes/vault.md"
    assert unchanged(git, full) == before


@pytest.mark.parametrize("path", ["MEMORY.md", "session-log.md", ".gitmem/config.yaml"])
def test_what_is_no_memory_is_refused(full: Path, path: str) -> None:
    with pytest.raises(Refused, match="is no memory; purge removes memories only"):
        wipe(full, path)


def test_what_never_was_is_not_found(full: Path) -> None:
    with pytest.raises(NotFound, match=r"no commit of this store has nothing\.md"):
        wipe(full, "nothing.md")


def test_a_detached_head_is_refused(full: Path, git: Git) -> None:
    git("switch", "-q", "--detach", cwd=full)
    with pytest.raises(RepositoryBusy, match="HEAD is detached"):
        wipe(full, "notes/vault.md")


def test_a_rebase_here_or_in_another_working_tree_is_refused(full: Path, git: Git, tmp_path: Path) -> None:
    """Its end would bring the old history back."""
    (full / ".git/rebase-merge").mkdir()
    with pytest.raises(RepositoryBusy, match="a rebase is under way"):
        wipe(full, "notes/vault.md")
    (full / ".git/rebase-merge").rmdir()
    git("worktree", "add", "-q", str(tmp_path / "second"), "-b", "second", cwd=full)
    (full / ".git/worktrees/second/rebase-merge").mkdir()
    with pytest.raises(RepositoryBusy, match=f"a rebase is under way in {tmp_path / 'second'}; nothing was purged"):
        wipe(full, "notes/vault.md")


def test_a_shallow_clone_is_refused(full: Path, git: Git, tmp_path: Path) -> None:
    git("clone", "-q", "--depth", "1", f"file://{full}", str(tmp_path / "clone"))
    with pytest.raises(RepositoryDamaged, match="is a shallow clone: its older commits are not here") as refused:
        wipe(tmp_path / "clone", "notes/vault.md")
    assert refused.value.hint.endswith("fetch --unshallow")


def test_a_history_with_a_hole_is_refused(full: Path, git: Git) -> None:
    name = git("rev-parse", "HEAD~2", cwd=full).strip()
    (full / ".git/objects" / name[:2] / name[2:]).unlink()
    with pytest.raises(RepositoryDamaged, match=f"commit {name} is not here, so its history cannot be rewritten"):
        wipe(full, "notes/vault.md")


def test_a_memory_that_somebody_puts_back_all_the_time_is_said(full: Path, git: Git) -> None:
    def put_back(number: int, total: int) -> None:
        if (full / "notes/vault.md").exists():
            return
        (full / "notes").mkdir(exist_ok=True)
        (full / "notes/vault.md").write_text("tangerine again\n")
        git("add", "notes/vault.md", cwd=full)
        git("commit", "-qm", "back", cwd=full)

    with pytest.raises(RepositoryBusy, match=r"notes/vault\.md kept coming back while it was purged") as refused:
        purge(
            str(full), "notes/vault.md", confirm=lambda plan: "vault", when=WHEN, actor=PERSON, environ=os.environ,
            progress=put_back,
        )  # fmt: skip
    assert refused.value.hint == "gitmem purge notes/vault.md"
    wipe(full, "notes/vault.md")
    assert held(git, full) == []


def test_derived_state_that_cannot_be_removed_is_said_and_the_next_purge_removes_it(full: Path, git: Git) -> None:
    (full / ".git/gitmem/index.sqlite-journal").mkdir()
    (full / ".git/gitmem/index.sqlite-journal/x").touch()
    with pytest.raises(StoreUnwritable, match=r"index\.sqlite-journal"):
        wipe(full, "notes/vault.md")
    shutil.rmtree(full / ".git/gitmem/index.sqlite-journal")
    assert held(git, full) == []
    new(full, "a third", "third.md")
    done = wipe(full, "third.md")
    assert done.notes[0] == "the purge of notes/vault.md, which was interrupted, is complete now"
    assert not (full / ".git/gitmem/purging").exists()


# -- the repository of a project, whose other branches are none of the store's


def test_a_branch_that_began_on_its_own_is_left_alone(full: Path, git: Git) -> None:
    """A project's repository may hold the store as an orphan branch."""
    git("switch", "-q", "--orphan", "project", cwd=full)
    (full / "notes").mkdir(exist_ok=True)
    (full / "notes/vault.md").write_text("code\n")
    git("add", "-A", cwd=full)
    git("commit", "-qm", "project", cwd=full)
    project = git("rev-parse", "HEAD", cwd=full)
    git("switch", "-q", "main", cwd=full)
    wipe(full, "notes/vault.md")
    assert git("rev-parse", "project", cwd=full) == project
    assert held(git, full) == []


def test_a_memory_only_another_branch_has_is_found(full: Path, git: Git) -> None:
    from gitmem.history.repo import open_repo

    git("switch", "-qc", "side", cwd=full)
    new(full, "tangerine aside", "aside.md")
    git("switch", "-q", "main", cwd=full)
    with open_repo(str(full)) as repo:
        assert anywhere(repo, lambda path: path == "aside.md") == ["aside.md"]
    wipe(full, "aside.md")
    assert held(git, full, "tangerine aside") == []


# -- kills


def at_step(number: int) -> None:
    """Kill this process at its ``number``-th call of the system."""
    count = [0]

    def wrapped(real: Callable[..., object]) -> Callable[..., object]:
        def call(*words: object, **named: object) -> object:
            count[0] += 1
            if count[0] == number:
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*words, **named)

        return call

    for name in STEPS:
        setattr(os, name, wrapped(getattr(os, name)))


@pytest.fixture
def before(store: Path, save: Save, git: Git) -> Path:
    """A store to be copied for each kill: a memory that a tag and a rollback point hold too."""
    save("MEMORY.md", "- [vault](vault.md) — tangerine\n")
    save("other.md", "x\n")
    save("vault.md", "tangerine\n")
    git("tag", "v1", cwd=store)
    make_point(str(store), "by hand", when=WHEN, actor=PERSON, environ=os.environ)
    return store


def test_a_kill_at_any_step_leaves_a_history_that_the_next_purge_completes(
    before: Path, tmp_path: Path, save: Save, git: Git
) -> None:
    """L4: kill -9 at each call of the system; the next write needs no repair by hand, the next purge ends the first."""
    number, done, states = 0, False, set()
    while not done:
        number += 1
        root = tmp_path / str(number)
        shutil.copytree(before, root, symlinks=True)
        git("update-index", "-q", "--refresh", cwd=root)
        child = os.fork()
        if child == 0:
            try:
                at_step(number)
                wipe(root, "vault.md")
            finally:
                os._exit(0)
        done = os.waitpid(child, 0)[1] == 0

        save("third.md", "third\n", root=root)
        check_sound(git, root)
        began, rest = (root / ".git/gitmem/purging").exists(), held(git, root)
        if began:
            wipe(root, "third.md")  # any purge completes an earlier one
        elif rest:  # the kill came before the purge had said what it was about
            wipe(root, "vault.md")
        assert held(git, root) == [], f"step {number}"
        assert (root / "MEMORY.md").read_text() == ""
        assert not (root / "vault.md").exists()
        assert left_over(root) == []
        check_sound(git, root)
        states.add((began, bool(rest)))
        shutil.rmtree(root)
    assert number > 40
    assert states == {(False, True), (True, True), (True, False), (False, False)}


def killed(act: Callable[[], object]) -> None:
    """Do ``act`` in a process of its own, which it is to kill."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(1)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])


def kill(*_: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def untold(full: Path, git: Git, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store whose purge was killed when history was rewritten, and before it could list what holds the text."""
    git("init", "-q", "--bare", "-b", "main", str(tmp_path / "hub.git"))
    git("remote", "add", "origin", str(tmp_path / "hub.git"), cwd=full)
    git("push", "-q", "origin", "main", cwd=full)
    monkeypatch.setattr("gitmem.write.purge.holders", kill)
    killed(lambda: wipe(full, "notes/vault.md"))
    monkeypatch.undo()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert held(git, full, "tangerine") != [], "the remote's branch has it"
    return full


UNTOLD = (
    "the purge of notes/vault.md removed it from history, but was cut off before it said what still holds the text; "
    "type: gitmem purge notes/vault.md"
)


def test_a_purge_that_was_killed_before_its_list_is_said_by_every_write_until_it_was_listed(
    untold: Path, git: Git
) -> None:
    for text in ("one", "two"):
        kept = remember(str(untold), text, when=WHEN, actor=PERSON, environ=os.environ)
        assert UNTOLD in kept.notes
    asked: list[Plan] = []

    def ask(plan: Plan) -> str:
        asked.append(plan)
        return ""

    done = purge(str(untold), "notes/vault.md", confirm=ask, when=WHEN, actor=PERSON, environ=os.environ)
    assert asked == [], "nothing is removed any more, so nothing is asked"
    assert done.notes == ["the purge of notes/vault.md, which was interrupted, is complete now"]
    rows = {one.where.partition(" (")[0]: one.command for one in done.holders}
    assert rows["remote origin"] == f"git -C {untold} push --force-with-lease origin main"
    assert {"HEAD", "refs/heads/main", str(untold / ".git/objects")} <= set(rows)
    for one in done.holders:
        if one.command:
            subprocess.run(["sh", "-ec", one.command], capture_output=True, check=True)
    assert held(git, untold) == []
    assert remember(str(untold), "three", when=WHEN, actor=PERSON, environ=os.environ).notes == ()
    check_sound(git, untold)


def test_the_list_of_a_killed_purge_spares_a_memory_that_came_to_its_path_since(untold: Path, git: Git) -> None:
    new(untold, "another one", "notes/vault.md")
    done = wipe(untold, "notes/vault.md", name="")
    assert done.notes[1] == "notes/vault.md is another memory by now, and stays; to purge that one, repeat the command"
    assert done.holders != []
    assert "another one" in (untold / "notes/vault.md").read_text()
    wipe(untold, "notes/vault.md")
    assert not (untold / "notes/vault.md").exists()
    assert held(git, untold, "another one") == []


def test_another_purge_lists_what_the_killed_one_did_not(untold: Path) -> None:
    done = wipe(untold, "other.md")
    assert done.notes == ["the purge of notes/vault.md, which was interrupted, is complete now"]
    branch = [one for one in done.holders if one.what.startswith("branch main there")]
    assert [one.command for one in branch] == [f"git -C {untold} push --force-with-lease origin main"]
    assert not (untold / ".git/gitmem/purging").exists()


def test_a_purge_killed_before_history_was_rewritten_is_said_too(
    full: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even of a memory that was never committed, of which the journal knows no version."""
    (full / "draft.md").write_text("tangerine draft\n")
    monkeypatch.setattr("gitmem.write.purge._Purge._rewrite", kill)
    killed(lambda: wipe(full, "draft.md"))
    monkeypatch.undo()
    said = remember(str(full), "one", when=WHEN, actor=PERSON, environ=os.environ).notes
    assert said == (
        "the purge of draft.md may have left its text in history: it was cut off before it said what still holds the "
        "text; type: gitmem purge draft.md",
    )
    wipe(full, "draft.md")
    assert held(git, full, "tangerine draft") == []
    assert not (full / ".git/gitmem/purging").exists()


def left_over(root: Path) -> list[str]:
    """Locks, journals and temporary files in the repository."""
    names = [each.relative_to(root / ".git").as_posix() for each in (root / ".git").rglob("*")]
    own = [name for name in names if name.startswith("gitmem/tmp-") or name in ("gitmem/inflight", "gitmem/purging")]
    return own + [name for name in names if name == "gc.pid" or (name.endswith(".lock") and "gitmem/" not in name)]
