"""Rewriting history: trees as bytes, where a memory stood, and new commits for old ones; C git is the judge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import RepositoryDamaged
from gitmem.history.objects import Objects
from gitmem.history.repo import Repo, create_repo, open_repo
from gitmem.history.rewrite import Rewrite
from gitmem.history.rewrite_past import Past, choose, commits_of
from gitmem.history.rewrite_trees import differences, place
from gitmem.history.tree import build, entry_of, parse, tree_files

Git = Callable[..., str]

names = st.sampled_from([b"a", b"a.md", b"a-b", b"ab", b"b.md", b"100644 a", b"z", "ü.md".encode(), b"40000"])
ids = st.binary(min_size=20, max_size=20) | st.sampled_from([b"100644 a.md\0 b.md\0xx"[:20].ljust(20, b"0"), b"0" * 20])
files = st.dictionaries(names, st.tuples(st.just(b"100644"), ids), max_size=9)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    create_repo(str(root)).close()
    return root


def commit(git: Git, root: Path, files: dict[str, str | None], message: str = "x") -> str:
    """A person's own commit of these files; None removes one."""
    for path, text in files.items():
        if text is None:
            git("rm", "-qf", path, cwd=root)
        else:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
            git("add", path, cwd=root)
    git("commit", "-qm", message, cwd=root)
    return git("rev-parse", "HEAD", cwd=root).strip()


def look(repo: Repo, path: str) -> list[str]:
    """The paths chosen for ``path``."""
    head = repo.head()[1]
    past = Past(repo)
    past.see([head])
    living = {name: blob for name, (_, blob) in tree_files(repo, head).items()}
    return choose(past, path, living, past.related([head])).paths


# -- trees


@given(files, names)
def test_an_entry_is_found_where_it_stands_whatever_ids_and_names_look_like(
    entries: dict[bytes, tuple[bytes, bytes]], name: bytes
) -> None:
    raw = build(entries)
    found = place(raw, name)
    assert (found is None) == (name not in entries)
    if found is not None:
        start, end = found
        assert parse(raw[start:end]) == {name: entries[name]}
        assert parse(raw[:start] + raw[end:]) == {each: entry for each, entry in entries.items() if each != name}
        assert entry_of(raw, name) == entries[name]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files, files)
def test_what_two_trees_do_not_share_is_just_that(
    tmp_path: Path, old: dict[bytes, tuple[bytes, bytes]], new: dict[bytes, tuple[bytes, bytes]]
) -> None:
    objects = Objects(str(tmp_path))
    trees = [objects.add("tree", build(entries)) for entries in (old, new)]
    wanted = {
        name: (old.get(name, (b"", None))[1], new.get(name, (b"", None))[1])
        for name in old.keys() | new.keys()
        if old.get(name) != new.get(name)
    }
    assert {path: (was, now) for path, was, now in differences(objects, *trees)} == wanted


def test_differences_agree_with_git_through_folders_and_submodules(store: Path, git: Git) -> None:
    commit(git, store, {"a.md": "1", "f/b.md": "1", "f/g/c.md": "1", "h": "file"})
    git("update-index", "--add", "--cacheinfo", f"160000,{'1' * 40},sub", cwd=store)
    commit(git, store, {"a.md": "2", "f/b.md": None, "f/g/d.md": "1", "h": None, "h/e.md": "1"})
    said = git("diff-tree", "-r", "-z", "--raw", "--no-renames", "HEAD~1", "HEAD", cwd=store).split("\0")[:-1]
    wanted = {}
    for row, path in zip(said[::2], said[1::2], strict=True):
        mode, _, old, new = row.split()[1], *row.split()[1:4]
        if mode != "160000":
            wanted[path] = tuple(None if set(each) == {"0"} else each for each in (old, new))
    with open_repo(str(store)) as repo:
        head = repo.commit(repo.head()[1])
        found = differences(repo.objects, repo.commit(head.parents[0]).tree, head.tree)
        assert {
            path.decode(): (old and old.hex(), new and new.hex()) for path, old, new in found
        } == wanted  # fmt: skip


def test_a_tree_that_is_cut_short_is_said(store: Path) -> None:
    with open_repo(str(store)) as repo:
        tree = repo.objects.add("tree", b"100644 a.md\0short")
        with pytest.raises(RepositoryDamaged, match="a tree object is cut short"):
            list(differences(repo.objects, "", tree))


# -- where a memory stood


def test_a_memory_is_followed_through_renames_and_the_archive(store: Path, git: Git) -> None:
    commit(git, store, {"a.md": "one"})
    commit(git, store, {"a.md": "two"})
    commit(git, store, {"a.md": None, "f/b.md": "two"})
    commit(git, store, {"f/b.md": "three"})
    commit(git, store, {"f/b.md": None, "archive/f/b.md": "marks\nthree"})
    with open_repo(str(store)) as repo:
        assert look(repo, "archive/f/b.md") == ["a.md", "archive/f/b.md", "f/b.md"]


def test_a_copy_and_a_namesake_are_other_memories(store: Path, git: Git) -> None:
    commit(git, store, {"a.md": "one"})
    commit(git, store, {"copy.md": "one"})
    commit(git, store, {"a.md": None, "b.md": "one"})
    commit(git, store, {"a.md": "another"})
    with open_repo(str(store)) as repo:
        assert look(repo, "copy.md") == ["copy.md"]
        past = Past(repo)
        past.see([repo.head()[1]])
        living = {name: blob for name, (_, blob) in tree_files(repo, repo.head()[1]).items()}
        choice = choose(past, "a.md", living, past.related([repo.head()[1]]))
        assert (choice.paths, len(choice.blobs), choice.lives) == (["a.md"], 1, ["b.md"])


def test_what_a_merge_brought_together_is_one_memory(store: Path, git: Git) -> None:
    commit(git, store, {"x.md": "x"})
    git("switch", "-qc", "side", cwd=store)
    commit(git, store, {"a.md": "theirs"})
    git("switch", "-q", "main", cwd=store)
    commit(git, store, {"a.md": "ours"})
    git("merge", "-q", "-X", "ours", "side", cwd=store)
    with open_repo(str(store)) as repo:
        past = Past(repo)
        past.see([repo.head()[1]])
        living = {name: blob for name, (_, blob) in tree_files(repo, repo.head()[1]).items()}
        assert len(choose(past, "a.md", living, past.related([repo.head()[1]])).blobs) == 2


def test_commits_behind_tags_are_seen_once_and_parents_first(store: Path, git: Git) -> None:
    made = [commit(git, store, {"a.md": str(number)}) for number in range(3)]
    git("tag", "-a", "v", "-m", "v", cwd=store)
    git("tag", "-a", "of-a-file", "-m", "v", "HEAD:a.md", cwd=store)
    with open_repo(str(store)) as repo:
        tags = git("rev-parse", "v", "of-a-file", "HEAD", cwd=store).split()
        assert commits_of(repo, tags) == [made[-1]]
        past = Past(repo)
        past.see([made[1]])
        past.see(commits_of(repo, tags))
        assert past.order == made
        assert past.reached_by([made[1]]) == set(made[1:])
        past.see(["1" * 40])
        assert past.missing == {"1" * 40}


def test_a_long_history_is_no_deep_recursion(store: Path, git: Git) -> None:
    stream = "".join(
        f"commit refs/heads/main\ncommitter A <a@x> {number} +0000\ndata 1\nx\n"
        f"M 644 inline f/{number % 7}.md\ndata {len(str(number))}\n{number}\n"
        for number in range(1, 3001)
    )
    git("fast-import", "--quiet", cwd=store, stdin=stream)
    with open_repo(str(store)) as repo:
        past = Past(repo)
        steps: list[tuple[int, int]] = []
        past.see([repo.head()[1]], lambda done, total: steps.append((done, total)))
        choice = choose(past, "f/3.md", {}, past.related([repo.head()[1]]))
        assert (len(past.order), steps[0], len(choice.blobs)) == (3000, (100, 3000), 429)
        rewrite = Rewrite(repo, choice.forget, [], lambda data, paths: data)
        rewrite.run(past)
        assert len(rewrite.commits) == 2998
        repo.objects.flush()
        new = rewrite.ref(repo.head()[1])
    assert git("log", "--format=%H", new, "--", "f/3.md", cwd=store) == ""
    git("update-ref", "refs/heads/main", new, cwd=store)
    assert git("log", "--oneline", "--", "f/4.md", cwd=store).count("\n") == 429
    assert git("fsck", "--strict", "--no-dangling", cwd=store) == ""


# -- new commits for old ones


def test_what_is_left_is_what_git_makes_without_the_file(store: Path, git: Git) -> None:
    """A folder that is empty then goes too; a root that is empty stays a commit; a program stays one."""
    first = commit(git, store, {"f/g/a.md": "1"})
    (store / "run.sh").write_text("x")
    (store / "run.sh").chmod(0o755)
    git("add", "run.sh", cwd=store)
    second = commit(git, store, {"f/b.md": "1", "f/g/a.md": "2"})
    with open_repo(str(store)) as repo:
        past = Past(repo)
        past.see([second])
        choice = choose(past, "f/g/a.md", {}, set(past.order))
        rewrite = Rewrite(repo, choice.forget, [], lambda data, paths: data)
        rewrite.run(past)
        repo.objects.flush()
    assert git("ls-tree", "-r", rewrite.commits[first], cwd=store) == ""
    assert git("rev-parse", f"{rewrite.commits[first]}^{{tree}}", cwd=store).startswith("4b825dc")
    git("rm", "-q", "--cached", "f/g/a.md", cwd=store)
    assert git("write-tree", cwd=store) == git("rev-parse", f"{rewrite.commits[second]}^{{tree}}", cwd=store)


def test_another_memory_of_that_name_keeps_its_versions_and_its_line(store: Path, git: Git) -> None:
    commit(git, store, {"a.md": "kept", "MEMORY.md": "- [A](a.md) — kept\n"})
    commit(git, store, {"a.md": None, "b.md": "kept", "MEMORY.md": "- [A](b.md) — kept\n"})
    commit(git, store, {"a.md": "goes", "MEMORY.md": "- [A](b.md) — kept\n- [A](a.md) — goes\n"})
    with open_repo(str(store)) as repo:
        past = Past(repo)
        past.see([repo.head()[1]])
        living = {name: blob for name, (_, blob) in tree_files(repo, repo.head()[1]).items()}
        choice = choose(past, "a.md", living, set(past.order))
        seen: list[frozenset[str]] = []

        def unlist(data: bytes, paths: frozenset[str]) -> bytes:
            seen.append(paths)
            return data.replace(b"- [A](a.md) \xe2\x80\x94 goes\n", b"") if paths else data

        rewrite = Rewrite(repo, choice.forget, ["MEMORY.md"], unlist)
        rewrite.run(past)
        repo.objects.flush()
        assert list(rewrite.commits) == [repo.head()[1]]
        assert seen == [frozenset(), frozenset({"a.md"}), frozenset({"a.md"})]
    new = rewrite.commits[past.order[-1]]
    assert git("show", f"{new}:MEMORY.md", cwd=store) == "- [A](b.md) — kept\n"
    assert git("show", f"{new}~2:a.md", cwd=store) == "kept"


def test_the_words_of_the_memory_leave_gitmems_own_messages_and_no_others(store: Path, git: Git) -> None:
    """Its title stands in the subject of ``remember``, a reason below; a person's own message is theirs."""
    trailers = "Gitmem-Op: remember\nGitmem-Memory: f/a.md\nGitmem-Actor: person"
    commit(git, store, {"f/a.md": "1"}, f"remember: my secret title\n\nmy secret reason\n\n{trailers}")
    commit(git, store, {"f/a.md": "2"}, "by hand: kept title")
    commit(git, store, {"b.md": "2"}, "remember: b\n\nkept\n\nGitmem-Op: remember\nGitmem-Memory: b.md")
    with open_repo(str(store)) as repo:
        past = Past(repo)
        past.see([repo.head()[1]])
        rewrite = Rewrite(repo, choose(past, "f/a.md", {}, set(past.order)).forget, [], lambda data, paths: data)
        rewrite.run(past)
        repo.objects.flush()
        new = rewrite.commits[repo.head()[1]]
    said = git("log", "--reverse", "--format=%B%x00", new, cwd=store).split("\0")
    assert said[0].strip() == f"remember: a\n\n{trailers}"
    assert said[1].strip() == "by hand: kept title"
    assert said[2].strip() == "remember: b\n\nkept\n\nGitmem-Op: remember\nGitmem-Memory: b.md"
