"""Every bad input of a new user: one clear sentence, what to type, nothing lost."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
Git = Callable[..., str]
Gm = Callable[..., Any]

READING = [["list"], ["search", "x"], ["recall", "x"], ["why", "x"], ["context"], ["show", "x"], ["history", "x"],
           ["diff"], ["status"], ["refresh"], ["edit", "x", "--set", "type=user"]]  # fmt: skip


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_a_reading_command_without_a_store_says_how_to_make_one(gm: Gm, words: list[str]) -> None:
    """No store for a reading command: it says what to type."""
    said = gm(*words)
    assert said.code == 1
    assert said.out == ""
    assert "there is no store at ~/.gitmem/memory" in said.err
    assert "gitmem remember" in said.err


def test_a_folder_that_is_no_store_is_named(gm: Gm, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    said = gm("list", "--store", str(tmp_path / "notes"))
    assert said.code == 1
    assert "not a store yet" in said.err
    assert f"gitmem init {tmp_path / 'notes'}" in said.err


def test_a_store_that_was_named_is_not_made_by_a_slip_of_the_pen(gm: Gm, tmp_path: Path) -> None:
    said = gm("remember", "x", "--store", str(tmp_path / "typo"))
    assert said.code == 1
    assert not (tmp_path / "typo").exists()
    assert "gitmem init" in said.err


@pytest.mark.parametrize(
    ("words", "sentence", "hint"),
    [
        (["remeber", "x"], 'there is no command "remeber"', "gitmem remember"),
        (["list", "--tgas", "x"], "gitmem list has no option --tgas", "gitmem list --tag"),
        (["recall"], "gitmem recall needs QUESTION", "gitmem recall --help"),
        (["show", "a", "b"], "put quotes around", "gitmem show --help"),
        (["remember", "x", "--type", "wishes"], "--type:", "gitmem remember --help"),
        (["search", "x", "--limit", "many"], "--limit:", "gitmem search --help"),
        (["remember", "x", "--name"], "--name needs a value", "gitmem remember --help"),
        (["remember"], "there is no text to remember", "gitmem remember"),
        (["remember", "x", "--body-file", "y"], "which one is meant", ""),
        (["remember", "--body-file", "nothing-here"], "nothing-here cannot be read", ""),
        (["--frobnicate"], "gitmem has no option --frobnicate", "gitmem --help"),
    ],
)
def test_wrong_words_end_with_2_and_the_nearest_right_ones(gm: Gm, words: list[str], sentence: str, hint: str) -> None:
    """Exit code 2 for wrong usage."""
    said = gm(*words)
    assert said.code == 2, said
    assert sentence in said.err
    assert hint in said.err
    assert said.out == ""


def test_wrong_words_as_json(gm: Gm) -> None:
    said = gm("remeber", "--json")
    assert said.code == 2
    assert said.json["error"] == {
        "code": "usage", "message": 'there is no command "remeber"', "hint": "gitmem remember",
    }  # fmt: skip


def test_600_kb_are_refused_and_kept(gm: Gm, git: Git, store: Path, tmp_path: Path) -> None:
    """A10, and "nothing lost"."""
    gm("init")
    text = "long line\n" * 60_000
    (tmp_path / "big.md").write_text(text)
    said = gm("remember", "--body-file", "big.md", "--name", "big", "--json")
    assert said.code == 1
    error = said.json["error"]
    assert error["code"] == "too-big"
    assert text.strip() in Path(error["kept"]).read_text()
    assert git("status", "--porcelain", cwd=store) == ""
    assert not (store / "big.md").exists()


def test_a_600_kb_file_somebody_put_there_is_listed_with_its_reason(gm: Gm, store: Path) -> None:
    gm("remember", "the cat", "--name", "cat")
    (store / "big.md").write_text("long line\n" * 60_000)
    listed = gm("list", "--json")
    assert listed.code == 0
    assert [one["path"] for one in listed.json["memories"]] == ["cat.md"]
    assert listed.json["skipped"][0]["path"] == "big.md"
    assert "524288" in listed.json["skipped"][0]["reason"]
    assert "big.md" in gm("list").err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such file")
def test_a_file_whose_name_leads_elsewhere_is_left_out_alike_by_every_command(gm: Gm, store: Path) -> None:
    """A6: what is left out is counted, and the list says why."""
    gm("remember", "the cat", "--name", "cat")
    for name in ("B: plan.md", "~x.md", "a\\b.md"):
        (store / name).write_text("zebra\n")
    listed, status = gm("list"), gm("status", "--json").json
    assert listed.out.startswith("cat.md")
    assert "1 memory" in listed.err
    assert status["memories"] == 1
    skipped = gm("list", "--json").json["skipped"]
    assert (
        [one["path"] for one in skipped]
        == ["B: plan.md", "a\\b.md", "~x.md"]
        == [one["path"] for one in status["skipped"]]
    )
    for one, better in zip(skipped, ["B- plan.md", "a-b.md", "x.md"], strict=True):
        assert one["reason"].endswith(f"so it is not read as a memory; rename it to {better}")
        assert one["reason"] in listed.err
        assert one["reason"] in gm("audit").out
    assert gm("search", "zebra", "--json").json["hits"] == []


def test_a_name_with_a_blank_at_its_end_is_found_as_the_hint_says(gm: Gm, store: Path) -> None:
    gm("init")
    (store / "trail .md").write_text("text\n")
    (store / "other.md").write_text("text\n")
    assert gm("show", "trail ").out == "text\n"
    hint = gm("show", "trial ").err.partition("did you mean ")[2].partition("?")[0]
    assert hint == "'trail '"
    (store / "trail.md").write_text("another\n")
    assert gm("show", "trail ").out == "text\n"
    assert gm("show", "trail").out == "another\n"
    assert gm("show", " other ").out == "text\n"


@pytest.mark.parametrize("text", ["\u200b", "\u2060\n\u00ad", "\u200d \ufe0f", "\u3164", "\x1b"])
def test_a_text_in_which_nothing_is_seen_is_no_memory(gm: Gm, store: Path, text: str) -> None:
    gm("init")
    said = gm("remember", "-", stdin=text)
    assert said.code == 2
    assert "there is no text to remember" in said.err
    assert not list(store.glob("note-*.md"))


def test_a_field_of_two_lines_is_refused_on_one(gm: Gm) -> None:
    gm("remember", "the cat", "--name", "cat")
    said = gm("edit", "cat", "--set", "k\nj=1")
    assert said.code == 1
    assert said.err.splitlines() == [
        "error: 'k j' is no field: a name, or one name below another such as metadata.type"
    ]


def test_a_broken_head_costs_a_field_and_is_named_with_its_line(gm: Gm, store: Path) -> None:
    """A9."""
    gm("remember", "the cat", "--name", "cat")
    (store / "broken.md").write_text("---\nname: Deploy: blue\ntags: [a\n---\nuse the blue slot\n")
    listed = gm("list", "--json")
    assert listed.code == 0
    assert [one["path"] for one in listed.json["memories"]] == ["broken.md", "cat.md"]
    assert any(one["path"] == "broken.md" and one["line"] for one in listed.json["findings"])
    assert "broken.md:" in gm("list").err
    assert gm("search", "blue slot", "--json").json["hits"][0]["path"] == "broken.md"


@pytest.mark.parametrize(
    "path", ["../evil.md", "a/../../evil.md", "/etc/evil.md", "MEMORY.md", ".git/hooks/x.md", "x.txt"]
)
def test_a_path_out_of_the_store_is_refused(gm: Gm, store: Path, path: str) -> None:
    """L1."""
    gm("init")
    said = gm("remember", "evil", "--path", path)
    assert said.code == 1
    assert said.err.startswith("error: ")
    assert not (store.parent / "evil.md").exists()


@pytest.mark.parametrize("name", ["../evil", "a/../../evil.md"])
def test_a_name_with_dots_finds_nothing(gm: Gm, name: str) -> None:
    gm("init")
    for words in (["show", name], ["edit", name, "--set", "type=user"], ["history", name]):
        assert gm(*words).code == 1


@pytest.mark.skipif(os.name == "nt", reason="a symbolic link needs a right there")
def test_a_memory_that_is_a_symlink_is_named_and_not_read(gm: Gm, store: Path, tmp_path: Path) -> None:
    """A10."""
    gm("remember", "the cat", "--name", "cat")
    (tmp_path / "secret").write_text("the secret of the house\n")
    (store / "link.md").symlink_to(tmp_path / "secret")
    listed = gm("list", "--json").json
    assert [one["path"] for one in listed["memories"]] == ["cat.md"]
    assert listed["skipped"][0]["path"] == "link.md"
    for words in (["show", "link.md"], ["edit", "link.md", "--body", "x"], ["edit", "link", "--body", "x"]):
        said = gm(*words)
        assert said.code == 1
        assert "secret of the house" not in said.out
    assert (tmp_path / "secret").read_text() == "the secret of the house\n"


def test_an_index_lock_left_behind_is_said(gm: Gm, git: Git, store: Path) -> None:
    """A failed write is not a silent one."""
    gm("remember", "the cat", "--name", "cat")
    (store / ".git" / "index.lock").touch()
    said = gm("remember", "the dog", "--name", "dog")
    assert said.code == 1
    assert "index.lock" in said.err
    (store / ".git" / "index.lock").unlink()
    assert gm("remember", "the dog", "--name", "dog").code == 0
    assert git("status", "--porcelain", cwd=store) == ""


def test_a_rebase_under_way_is_said_with_its_end(gm: Gm, git: Git, store: Path) -> None:
    """Promised in docs/store.md: refused, with the way out."""
    gm("remember", "one", "--name", "cat")
    git("checkout", "-q", "-b", "side", cwd=store)
    gm("edit", "cat", "--body", "two")
    git("checkout", "-q", "main", cwd=store)
    gm("edit", "cat", "--body", "three")
    git("rebase", "side", cwd=store, check=False)
    said = gm("remember", "the dog", "--name", "dog")
    assert said.code == 1
    assert "rebase" in said.err
    assert gm("status", "--json").json["operation"] == "a rebase"
    assert gm("list").code == 0


@pytest.mark.skipif(os.name == "nt" or not os.geteuid(), reason="root writes everywhere")
def test_a_read_only_store_is_said_and_read(gm: Gm, store: Path) -> None:
    gm("remember", "the cat is called Zhima", "--name", "cat")
    folders = [store, *(path for path in store.rglob("*") if path.is_dir())]
    for folder in folders:
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        said = gm("remember", "the dog", "--name", "dog")
        assert said.code == 1
        assert "you may not write" in said.err or "read-only" in said.err
        assert "Zhima" in gm("recall", "what is the cat called").out
    finally:
        for folder in folders:
            folder.chmod(0o755)


@pytest.mark.skipif(shutil.which("setpriv") is None, reason="root writes everywhere")
def test_in_a_read_only_store_every_command_says_so_alike(gm: Gm, store: Path, tmp_path: Path) -> None:
    """Also those that stumble over a lock, or a note, and not over a memory; and the doctor does not call it well."""
    gm("remember", "the cat is called Zhima", "--name", "cat")
    gm("remote", "add", "origin", str(tmp_path / "hub.git"))
    paths = [store, *store.rglob("*")]
    for path in paths:
        path.chmod(path.stat().st_mode & ~0o222)
    bare = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", sys.executable, "-m", "gitmem"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}

    def said(*words: str) -> tuple[int, str, str]:
        done = subprocess.run([*bare, *words], capture_output=True, text=True, check=False, env=environ, cwd=tmp_path)
        return done.returncode, done.stdout, done.stderr

    try:
        for words in (("remember", "the dog"), ("sync",), ("hooks", "install"), ("rollback", "create")):
            code, _, told = said(*words)
            assert code == 1, words
            assert f"you may not write {store}/" in told or "cannot be changed" in told, told
            assert "\n  hint: ls -ld " in told, told
        code, out, _ = said("doctor")
        assert code == 5
        assert f"trouble  writes: you may not write {store}: nothing can be saved; type: ls -ld {store}\n" in out
    finally:
        for path in paths:
            path.chmod(path.stat().st_mode | 0o700)


def test_no_identity_is_no_hindrance_and_the_persons_own_is_used(gm: Gm, git: Git, store: Path, home: Path) -> None:
    """Promised in docs/store.md: never a guess made of user and host name."""
    gm("remember", "one", "--name", "one")
    assert "root" not in git("log", "-1", "--format=%an %ae %cn %ce", cwd=store)
    (home / ".gitconfig").write_text("[user]\n\tname = Grace\n\temail = grace@example.org\n")
    gm("remember", "two", "--name", "two")
    assert git("log", "-1", "--format=%an <%ae>", cwd=store) == "Grace <grace@example.org>\n"


def test_a_taken_name_is_never_overwritten(gm: Gm, store: Path) -> None:
    gm("remember", "the cat", "--name", "cat")
    said = gm("remember", "the other cat", "--name", "cat")
    assert said.code == 1
    assert "cat.md exists already" in said.err
    assert "gitmem edit cat" in said.err
    assert "the cat\n" in (store / "cat.md").read_text()
    again = gm("remember", "the cat", "--name", "cat", "--json")
    assert (again.code, again.json["commit"]) == (0, "")


def test_an_ambiguous_name_lists_the_paths(gm: Gm) -> None:
    gm("remember", "one", "--path", "a/cat.md")
    gm("remember", "two", "--path", "b/cat.md")
    said = gm("show", "cat")
    assert said.code == 1
    assert "a/cat.md" in said.err
    assert "b/cat.md" in said.err
    assert gm("show", "b/cat.md").out.endswith("two\n")


def test_our_own_bug_is_one_sentence_and_a_log(gm: Gm, home: Path, tmp_path: Path) -> None:
    """Exit code 3, the traceback in a file."""
    broken = tmp_path / "broken" / "gitmem_broken.py"
    broken.parent.mkdir()
    (broken.parent / "sitecustomize.py").write_text(
        "import gitmem.recall.choose\n"
        "def search(*words, **more):\n    raise ZeroDivisionError('a bug')\n"
        "gitmem.recall.choose.search = search\n"
    )
    gm("remember", "one")
    path = os.pathsep.join([str(broken.parent), str(Path(__file__).parents[2])])
    said = gm("search", "one", PYTHONPATH=path)
    assert said.code == 3
    assert said.err.startswith("error: gitmem itself failed")
    log = next((home / ".gitmem").glob("gitmem-error-*.log"))
    assert str(log) in said.err
    assert "ZeroDivisionError: a bug" in log.read_text()


def test_a_python_without_fts5_is_named(gm: Gm, store: Path, tmp_path: Path) -> None:
    gm("remember", "one")
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import _sqlite3, sqlite3\n"
        "class Poor(_sqlite3.Connection):\n"
        "    def execute(self, sql, *more):\n"
        "        if 'fts5' in sql.lower() and 'create' in sql.lower():\n"
        "            raise _sqlite3.OperationalError('no such module: fts5')\n"
        "        return super().execute(sql, *more)\n"
        "    def executescript(self, sql):\n"
        "        if 'fts5' in sql.lower():\n"
        "            raise _sqlite3.OperationalError('no such module: fts5')\n"
        "        return super().executescript(sql)\n"
        "real = _sqlite3.connect\n"
        "def connect(*words, **more):\n    return real(*words, **(more | {'factory': Poor}))\n"
        "_sqlite3.connect = sqlite3.connect = connect\n"
    )
    path = os.pathsep.join([str(tmp_path / "site"), str(Path(__file__).parents[2])])
    for index in (store / ".git" / "gitmem").glob("index.sqlite*"):
        index.unlink()
    said = gm("refresh", PYTHONPATH=path)
    assert said.code == 1
    assert "FTS5" in said.err
    kept = gm("remember", "two", PYTHONPATH=path)
    assert kept.code == 0


def test_an_empty_word_for_a_section_or_a_place_changes_nothing(gm: Gm) -> None:
    """As a shell variable leaves that nobody set: the whole body, or the person's own store, would be meant."""
    gm("remember", "# A\n\none\n\n# B\n\ntwo\n", "--name", "sec")
    before = gm("show", "sec").out
    said = gm("edit", "sec", "--section", "", "--body", "x")
    assert said.code == 2
    assert "--section is empty; nothing was written" in said.err
    assert gm("show", "sec").out == before
    said = gm("init", "")
    assert said.code == 2
    assert "PATH is empty; nothing was made" in said.err
