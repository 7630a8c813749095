"""git's own hooks, put in by gitmem and run by C git: what they stop, what they let pass, what they leave behind."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from gitmem.errors import NoStore, Refused
from gitmem.setup.earlier_hooks import BESIDE, OLD_END
from gitmem.setup.githooks import HOOK_ID, HOOKS, MARK, SERVER, install, remove, script, status
from gitmem.setup.merge_driver import driver_state
from gitmem.store.settings import DEFAULT_CONFIG

ROOT = Path(__file__).parents[2]
Git = Callable[..., str]
SOUND = "---\nname: a\ndescription: what it says\n---\n\ntext\n"
BROKEN = "---\nname: a\ntype: user\ntype: project\n---\n\ntext\n"
AWS = "AKIA" + "ABCDEFGHIJKLMNOP"
ODD_NAMES = ["记忆.md", "my note.md", "it's.md", "a;b&c.md", "-rf.md"]


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """``gitmem`` on the PATH, as pip installs it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    file = folder / "gitmem"
    file.write_text(f"#!{sys.executable}\nfrom gitmem.__main__ import main\nmain()\n")
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return file


@pytest.fixture
def store(tmp_path: Path, git: Git) -> Path:
    """A store of one memory, its hooks not in yet."""
    root = tmp_path / "store"
    root.mkdir()
    git("init", "-q", "-b", "main", "--template=", cwd=root)
    git("config", "user.name", "Ada", cwd=root)
    git("config", "user.email", "ada@example.org", cwd=root)
    (root / ".gitmem").mkdir()
    (root / ".gitmem" / "config.yaml").write_text(DEFAULT_CONFIG)
    (root / "first.md").write_text(SOUND)
    git("add", "-A", cwd=root)
    git("commit", "-qm", "one", cwd=root)
    return root


def run(root: Path, *words: str) -> Said:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, encoding="utf-8", check=False)
    assert "Traceback" not in done.stderr
    return Said(done.returncode, done.stdout, done.stderr)


def put(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text, encoding="utf-8")


def put_in(store: Path) -> None:
    install(str(store), os.environ)


# -- the scripts


@pytest.mark.parametrize("name", HOOKS)
def test_the_files_in_hooks_are_what_is_installed(name: str) -> None:
    file = ROOT / "hooks" / name
    assert file.read_bytes() == script(name)
    assert os.access(file, os.X_OK)
    lines = script(name).decode().splitlines()
    assert lines[0] == "#!/bin/sh"
    assert lines[1] == f"{MARK}{HOOK_ID}"
    assert len(lines) <= 20


@pytest.mark.parametrize("name", HOOKS)
def test_the_scripts_are_sound_sh(name: str) -> None:
    assert subprocess.run(["sh", "-n"], input=script(name), check=False).returncode == 0


def test_without_gitmem_a_hook_says_so_and_holds_nothing_up(
    store: Path, git: Git, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Promised as I3: for a person who never installed gitmem."""
    put_in(store)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("git", "sh", "cat"):
        found = subprocess.run(["sh", "-c", f"command -v {tool}"], capture_output=True, text=True, check=True)
        (tools / tool).symlink_to(found.stdout.strip())
    monkeypatch.setenv("PATH", str(tools))
    hub = tmp_path / "hub.git"
    run(tmp_path, "init", "-q", "--bare", str(hub))
    put(store, "a.md", BROKEN)
    run(store, "add", "-A")
    said = run(store, "commit", "-m", "two")
    assert said.code == 0
    assert "gitmem is not installed here, so the memories are not checked (pre-commit hook)" in said.err
    said = run(store, "push", str(hub), "main")
    assert said.code == 0
    assert "so what is pushed is not checked (pre-push hook)" in said.err


@pytest.mark.parametrize("body", ["import nowhere\n", "raise SystemExit(2)\n", "import os; os.kill(os.getpid(), 9)\n"])
def test_a_gitmem_that_cannot_run_holds_nothing_up(store: Path, program: Path, body: str) -> None:
    put_in(store)
    program.write_text(f"#!{sys.executable}\n{body}")
    put(store, "a.md", BROKEN)
    run(store, "add", "-A")
    done = subprocess.run(["git", "commit", "-m", "two"], cwd=store, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert "gitmem could not run (exit code" in done.stderr
    assert "so the memories are not checked (pre-commit hook)" in done.stderr


def test_an_interpreter_that_is_gone_holds_nothing_up(store: Path, program: Path) -> None:
    put_in(store)
    program.write_text("#!/nowhere/python\n")
    put(store, "a.md", BROKEN)
    run(store, "add", "-A")
    assert run(store, "commit", "-m", "two").code == 0


def test_a_folder_named_gitmem_in_the_store_is_not_run(
    store: Path, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Promised as L1: a stranger's store runs nothing."""
    put_in(store)
    program.unlink()
    put(store, "gitmem/__init__.py", "")
    put(store, "gitmem/__main__.py", "open('ran', 'w')\n")
    put(store, "a.md", SOUND)
    run(store, "add", "-A")
    run(store, "commit", "-m", "two")
    assert not (store / "ran").exists()


# -- what they do


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_broken_memory_is_refused_whatever_its_name(store: Path, program: Path, name: str) -> None:
    """Promised as I3."""
    put_in(store)
    put(store, f"x/{name}", BROKEN)
    run(store, "add", "-A")
    said = run(store, "commit", "-m", "two")
    assert said.code == 1
    assert (
        f"x/{name}:4: `type` stands on line 3 and on line 4; line 3 counts, delete the other (head-duplicate)"
        in said.err
    )
    assert "gitmem: this commit would add 1 problem:" in said.err
    assert "Mend it and commit again, or pass it by with: git commit --no-verify" in said.err
    assert run(store, "commit", "--no-verify", "-m", "two").code == 0


@pytest.mark.parametrize("name", ["new\nline.md", 'a "b".md', "tab\t.md"])
def test_a_name_that_other_systems_cannot_hold_is_refused(store: Path, program: Path, name: str) -> None:
    put_in(store)
    put(store, name, SOUND)
    run(store, "add", "-A")
    said = run(store, "commit", "-m", "two")
    assert said.code == 1
    assert "(name)" in said.err


def test_the_staged_text_is_judged_and_not_the_file(store: Path, program: Path) -> None:
    put_in(store)
    put(store, "a.md", BROKEN)
    run(store, "add", "-A")
    put(store, "a.md", SOUND)
    assert run(store, "commit", "-m", "two").code == 1
    run(store, "add", "-A")
    put(store, "a.md", BROKEN)
    assert run(store, "commit", "-m", "two").code == 0
    assert run(store, "commit", "-am", "three").code == 1
    assert run(store, "commit", "-m", "three", "--", "a.md").code == 1


def test_a_link_and_a_removal(store: Path, program: Path) -> None:
    put_in(store)
    (store / "s.md").symlink_to("/etc/passwd")
    run(store, "add", "-A")
    said = run(store, "commit", "-m", "two")
    assert (said.code, "s.md: would be committed as a symbolic link" in said.err) == (1, True)
    run(store, "rm", "-qf", "s.md", "first.md")
    assert run(store, "commit", "-m", "two").code == 0


def test_a_commit_that_a_stale_index_would_undo_is_turned_back(store: Path, program: Path) -> None:
    """git reads its index before it locks it: what was written in between must not fall out of the next commit."""
    put_in(store)
    old = (store / ".git" / "index").read_bytes()
    put(store, "late.md", SOUND)
    put(store, "first.md", SOUND + "more\n")
    run(store, "add", "-A")
    run(store, "commit", "-qm", "two")
    (store / ".git" / "index").write_bytes(old)
    put(store, "mine.md", SOUND)
    run(store, "add", "mine.md")
    said = run(store, "commit", "-m", "three")
    assert said.code == 1
    assert "gitmem: this commit would take back what was written meanwhile: first.md late.md" in said.err
    assert "git's index was older than the files; it is put right. Commit again;" in said.err
    assert run(store, "commit", "-m", "three").code == 0
    assert run(store, "ls-tree", "--name-only", "HEAD").out.split() == [".gitmem", "first.md", "late.md", "mine.md"]
    assert run(store, "status", "--porcelain").out == ""
    assert run(store, "fsck", "--strict").code == 0


def test_where_the_index_cannot_be_put_right_the_command_is_told(store: Path, program: Path) -> None:
    put_in(store)
    run(store, "rm", "-q", "--cached", "first.md")
    said = run(store, "commit", "-a", "-m", "two")
    assert said.code == 1
    assert f"Type: git -C {store} add -- first.md" in said.err
    assert run(store, "rm", "-q", "--cached", "--ignore-unmatch", "first.md").code == 0
    assert run(store, "commit", "--no-verify", "-m", "two").code == 0


def test_what_the_other_side_has_committed_is_no_new_problem_of_a_merge(store: Path, program: Path) -> None:
    put_in(store)
    run(store, "switch", "-qc", "side")
    put(store, "a.md", BROKEN)
    run(store, "add", "-A")
    run(store, "commit", "--no-verify", "-qm", "two")
    run(store, "switch", "-q", "main")
    put(store, "b.md", SOUND)
    run(store, "add", "-A")
    run(store, "commit", "-qm", "three")
    assert run(store, "merge", "--no-ff", "-m", "merge", "side").code == 0


def test_a_text_merge_that_doubles_a_field_is_refused(store: Path, program: Path) -> None:
    """The most common origin of a duplicate key: both sides add the same field in another place."""
    put_in(store)
    run(store, "config", "--remove-section", "merge.gitmem")  # with the driver there is no such merge
    lines = ["---", "name: a", "description: x", "# one", "# two", "# three", "# four", "---", "", "text", ""]
    put(store, "first.md", "\n".join(lines))
    run(store, "commit", "-qam", "two")
    run(store, "switch", "-qc", "side")
    put(store, "first.md", "\n".join([lines[0], "type: user", *lines[1:]]))
    assert run(store, "commit", "-qam", "three").code == 0
    run(store, "switch", "-q", "main")
    put(store, "first.md", "\n".join([*lines[:7], "type: project", *lines[7:]]))
    assert run(store, "commit", "-qam", "four").code == 0
    said = run(store, "merge", "-m", "merge", "side")
    assert said.code != 0
    assert "gitmem: this merge would add 1 problem:" in said.err
    assert "(head-duplicate)" in said.err
    assert run(store, "merge", "--abort").code == 0


def test_merges_checkouts_and_rebases_let_the_search_index_follow(store: Path, program: Path) -> None:
    """A refresh begins in a process of its own; its stamp tells."""
    put_in(store)
    stamp = store / ".git" / "gitmem" / "refreshed"

    def moved(*words: str) -> bool:
        stamp.unlink(missing_ok=True)
        assert run(store, *words).code == 0
        return stamp.exists()

    assert moved("switch", "-qc", "side")
    put(store, "a.md", SOUND)
    run(store, "add", "-A")
    run(store, "commit", "-qm", "two")
    assert moved("commit", "-q", "--amend", "-m", "two again")
    assert moved("switch", "-q", "main")
    assert moved("merge", "-q", "side")


def test_a_push_of_a_secret_is_refused_and_the_commit_named(store: Path, program: Path, tmp_path: Path) -> None:
    """Promised as I3: in any commit of the push, also one that a later commit takes back."""
    put_in(store)
    hub = tmp_path / "hub.git"
    run(tmp_path, "init", "-q", "--bare", str(hub))
    run(store, "remote", "add", "origin", str(hub))
    assert run(store, "push", "-q", "origin", "main").code == 0
    put(store, "x/记忆.md", SOUND + f"key {AWS}\n")
    run(store, "add", "-A")
    assert run(store, "commit", "-m", "two").code == 1
    run(store, "commit", "--no-verify", "-qm", "two")
    commit = run(store, "rev-parse", "HEAD").out.strip()
    put(store, "x/记忆.md", SOUND)
    run(store, "commit", "-qam", "three")
    said = run(store, "push", "origin", "main")
    assert said.code == 1
    assert f"x/记忆.md:7: this looks like a secret (AWS access key), since commit {commit[:10]} (secret)" in said.err
    assert f"git -C {store} rebase -i {commit[:10]}^" in said.err
    assert "Put `gitmem: allow-secret` on its line, commit, and push again; or: git push --no-verify" in said.err
    assert AWS not in said.err
    assert run(store, "push", "-q", "--no-verify", "origin", "main").code == 0
    put(store, "b.md", SOUND)
    run(store, "add", "-A")
    run(store, "commit", "-qm", "four")
    assert run(store, "push", "-q", "origin", "main").code == 0, "what the remote has is not looked at again"
    assert run(store, "push", "-q", "origin", ":main", "HEAD:refs/heads/other").code == 0


def test_a_secret_that_a_later_commit_marks_as_harmless_may_be_pushed(
    store: Path, program: Path, tmp_path: Path
) -> None:
    put_in(store)
    hub = tmp_path / "hub.git"
    run(tmp_path, "init", "-q", "--bare", str(hub))
    put(store, "a.md", SOUND + f"key {AWS}\n")
    run(store, "add", "-A")
    run(store, "commit", "--no-verify", "-qm", "two")
    assert run(store, "push", str(hub), "main").code == 1
    put(store, "a.md", SOUND + f"key {AWS}  <!-- gitmem: allow-secret -->\n")
    assert run(store, "commit", "-qam", "three").code == 0
    assert run(store, "push", "-q", str(hub), "main").code == 0


def test_a_server_takes_in_neither_secrets_nor_new_problems(store: Path, program: Path, tmp_path: Path) -> None:
    """pre-receive; what is refused leaves nothing behind."""
    hub = tmp_path / "hub.git"
    run(tmp_path, "clone", "-q", "--bare", str(store), str(hub))
    assert install(str(hub), os.environ)[2] == list(SERVER)
    run(store, "remote", "add", "origin", str(hub))
    put(store, "a.md", SOUND + f"key {AWS}\n")
    put(store, "b.md", BROKEN)
    run(store, "add", "-A")
    run(store, "commit", "-qm", "two")
    said = run(store, "push", "origin", "main")
    assert said.code == 1
    assert "a.md:7: this looks like a secret" in said.err
    assert "b.md:4: `type` stands on line 3 and on line 4" in said.err
    assert "Nothing was taken in." in said.err
    put(store, "a.md", SOUND)
    put(store, "b.md", SOUND)
    run(store, "commit", "-q", "--amend", "-am", "two")
    assert run(store, "push", "-q", "origin", "main").code == 0
    assert run(store, "push", "-q", "origin", ":main").code != 2
    assert run(hub, "fsck", "--strict").code == 0


MARKED = SOUND + "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side\n"
FENCED = SOUND + "```\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> side\n```\n"


def commit(store: Path, path: str, text: str) -> str:
    """Commit one file past all hooks; the commit's id."""
    put(store, path, text)
    run(store, "add", "-A")
    assert run(store, "commit", "--no-verify", "-qm", path).code == 0
    return run(store, "rev-parse", "HEAD").out.strip()


@pytest.mark.parametrize("side", ["pre-push", "pre-receive"])
def test_a_push_of_a_merge_that_was_not_finished_is_refused(
    store: Path, program: Path, tmp_path: Path, side: str
) -> None:
    """On either side: commit, path, line and what to type; what was settled meanwhile goes through."""
    hub = tmp_path / "hub.git"
    run(tmp_path, "clone", "-q", "--bare", str(store), str(hub))
    install(str(hub if side == "pre-receive" else store), os.environ)
    run(store, "remote", "add", "origin", str(hub))
    begun = commit(store, "x/a b.md", MARKED)
    commit(store, "x/a b.md", MARKED.replace("text\n", "text\nmore\n"))
    commit(store, "git.md", FENCED)
    said = run(store, "push", "origin", "main")
    assert said.code == 1
    found = f"x/a b.md:8: a conflict marker, `<<<<<<< HEAD`: a merge was not finished, since commit {begun[:10]}"
    assert found in said.err
    assert said.err.count("(marker)") == 1
    assert "Choose the text that holds and delete the marker lines" in said.err
    if side == "pre-push":
        put(store, "x/a b.md", SOUND)
        [line] = [line for line in said.err.splitlines() if "then: git -C" in line]
        typed = line.partition("then: ")[2].partition(", and push again")[0]
        subprocess.run(typed, shell=True, check=True, capture_output=True)
    else:
        assert "Nothing was taken in." in said.err
        commit(store, "x/a b.md", SOUND)
    assert run(store, "push", "-q", "origin", "main").code == 0, "an older version may have them"


def test_markers_that_the_other_side_has_already_stop_no_push(store: Path, program: Path, tmp_path: Path) -> None:
    """Only what is new for the remote is judged; a file that is moved is nothing new."""
    hub = tmp_path / "hub.git"
    commit(store, "a.md", MARKED + f"key {AWS}\n")
    run(tmp_path, "clone", "-q", "--bare", str(store), str(hub))
    run(store, "remote", "add", "origin", str(hub))
    run(store, "fetch", "-q", "origin")
    put_in(store)
    install(str(hub), os.environ)
    commit(store, "a.md", MARKED.replace("text\n", "text\nmore\n") + f"key {AWS}\n")
    assert run(store, "push", "-q", "origin", "main").code == 0
    run(store, "mv", "a.md", "b.md")
    run(store, "commit", "--no-verify", "-qm", "moved")
    assert run(store, "push", "-q", "origin", "main").code == 0
    commit(store, "b.md", MARKED + MARKED)
    said = run(store, "push", "origin", "main")
    assert said.code == 1
    assert "b.md:7: a conflict marker" in said.err


def test_a_commit_of_a_new_memory_waits_for_no_library(store: Path) -> None:
    """Every commit a person makes pays for what the hook imports."""
    put(store, "new.md", SOUND)
    run(store, "add", "-A")
    probe = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}]; from gitmem.cli.githook import run; "
        "code = run(['pre-commit']); print(code, *sys.modules)"
    )
    words = [sys.executable, "-I", "-S", "-c", probe]
    code, *loaded = subprocess.run(words, cwd=store, capture_output=True, text=True, check=True).stdout.split()
    heavy = {"click", "dataclasses", "dulwich", "enum", "json", "pathlib", "re", "subprocess", "typing", "yaml"}
    assert (code, heavy & {each.partition(".")[0] for each in loaded}) == ("0", set())


def test_in_a_repository_that_is_no_store_the_hooks_do_nothing(store: Path, program: Path, git: Git) -> None:
    put_in(store)
    run(store, "rm", "-rqf", ".gitmem")
    put(store, "README.md", BROKEN + AWS)
    run(store, "add", "-A")
    said = run(store, "commit", "-m", "two")
    assert (said.code, said.err) == (0, "")


def test_a_linked_worktree_has_the_same_hooks(store: Path, program: Path, tmp_path: Path) -> None:
    put_in(store)
    run(store, "worktree", "add", "-q", str(tmp_path / "tree"))
    tree = tmp_path / "tree"
    put(tree, "a.md", BROKEN)
    run(tree, "add", "-A")
    assert run(tree, "commit", "-m", "two").code == 1
    assert {each.state for each in status(str(tree), os.environ)[1]} == {"installed"}


# -- putting in and taking out


def states(root: Path) -> dict[str, str]:
    return {each.name: each.state for each in status(str(root), os.environ)[1]}


def test_an_earlier_hook_is_kept_and_run_first_with_its_words_and_its_input(
    store: Path, program: Path, tmp_path: Path
) -> None:
    """Promised as I3: its exit code is honoured, its standard input passed on."""
    hooks = store / ".git" / "hooks"
    hooks.mkdir()
    seen = tmp_path / "seen"
    for name in ("pre-commit", "pre-push"):
        (hooks / name).write_text(
            f'#!/bin/sh\nprintf "%s|" "$0" "$@" >> "{seen}"\n' + (f'cat >> "{seen}"\n' if name == "pre-push" else "")
        )
        (hooks / name).chmod(0o750)
    before = {name: ((hooks / name).read_bytes(), (hooks / name).stat().st_mode) for name in ("pre-commit", "pre-push")}
    put_in(store)
    put(store, "a.md", SOUND)
    run(store, "add", "-A")
    assert run(store, "commit", "-qm", "two").code == 0
    kept = store / ".git" / f"hooks{BESIDE}"
    assert seen.read_text().startswith(f"{kept}/pre-commit|")
    hub = tmp_path / "hub.git"
    run(tmp_path, "init", "-q", "--bare", str(hub))
    assert run(store, "push", "-q", str(hub), "main").code == 0
    assert f"|{hub}|{hub}|refs/heads/main " in seen.read_text()
    assert seen.read_text().endswith("\n")
    (kept / "pre-commit").write_text("#!/bin/sh\nexit 3\n")
    put(store, "b.md", SOUND)
    run(store, "add", "-A")
    assert run(store, "commit", "-qm", "three").code == 1
    (kept / "pre-commit").write_bytes(before["pre-commit"][0])
    assert {each.name for each in status(str(store), os.environ)[1] if each.earlier} == {"pre-commit", "pre-push"}
    remove(str(store), os.environ)
    assert {path.name for path in hooks.iterdir()} == set(before)
    assert not kept.exists()
    assert {name: ((hooks / name).read_bytes(), (hooks / name).stat().st_mode) for name in before} == before


HUSKY = """#!/usr/bin/env sh
n=$(basename "$0")
s=$(dirname "$(dirname "$0")")/$n
[ ! -f "$s" ] && exit 0
sh -e "$s" "$@"
"""


@pytest.fixture
def husky(store: Path) -> Path:
    """Hooks as husky 9 sets them up: each is run by a dispatcher that goes by its own name and folder."""
    folder = store / ".husky" / "_"
    put(store, ".husky/_/h", HUSKY)
    put(store, ".husky/_/.gitignore", "*\n")
    for name in ("pre-commit", "commit-msg", "pre-push"):
        put(folder, name, '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n')
        (folder / name).chmod(0o755)
    put(store, ".husky/pre-commit", "echo TESTS RAN >&2\nexit 1\n")
    run(store, "config", "core.hooksPath", ".husky/_")
    run(store, "add", "-A")
    run(store, "commit", "--no-verify", "-qm", "husky")
    return folder


def folder_bytes(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_an_earlier_hook_that_goes_by_its_own_name_and_folder_still_runs(
    store: Path, program: Path, husky: Path
) -> None:
    """Husky's hooks ask ``$0`` who they are; the tests of a project never fall silent."""
    before = folder_bytes(husky)
    put(store, "a.md", SOUND)
    run(store, "add", "-A")
    put_in(store)
    said = run(store, "commit", "-m", "two")
    assert (said.code, said.err) == (1, "TESTS RAN\n")
    put(store, ".husky/pre-commit", "echo TESTS RAN >&2\n")
    said = run(store, "commit", "-qm", "two")
    assert (said.code, said.err) == (0, "TESTS RAN\n")
    put(store, "a.md", BROKEN)
    assert "this commit would add 1 problem" in run(store, "commit", "-am", "three").err
    assert run(store, "status", "--porcelain").out.split() == ["M", ".husky/pre-commit", "M", "a.md"]
    put(husky, "pre-commit", before["pre-commit"].decode())  # as husky does at each installation of the project
    assert install(str(store), os.environ)[2] == ["pre-commit"]
    remove(str(store), os.environ)
    assert folder_bytes(husky) == before
    assert [path.name for path in (store / ".husky").iterdir() if path.name.startswith("_")] == ["_"]


def test_a_hook_kept_by_an_earlier_gitmem_gets_its_name_back(store: Path, program: Path, husky: Path) -> None:
    before = folder_bytes(husky)
    put_in(store)
    for name in ("pre-commit", "pre-push"):  # as ID 2 left it
        (husky.parent / f"_{BESIDE}" / name).rename(husky / f"{name}{OLD_END}")
        put(husky, name, f"#!/bin/sh\n{MARK}2\n")
    assert states(store)["pre-commit"] == "older"
    remaining = {name: data for name, data in folder_bytes(husky).items() if name.endswith(OLD_END)}
    assert set(remaining) == {f"pre-commit{OLD_END}", f"pre-push{OLD_END}"}
    assert install(str(store), os.environ)[2] == ["pre-commit", "pre-push"]
    put(store, "a.md", SOUND)
    run(store, "add", "-A")
    assert (run(store, "commit", "-m", "two").err) == "TESTS RAN\n"
    remove(str(store), os.environ)
    assert folder_bytes(husky) == before


def test_a_hook_kept_by_an_earlier_gitmem_is_put_back_without_an_update(
    store: Path, program: Path, husky: Path
) -> None:
    before = folder_bytes(husky)
    put_in(store)
    (husky.parent / f"_{BESIDE}" / "pre-commit").rename(husky / f"pre-commit{OLD_END}")
    put(husky, "pre-commit", f"#!/bin/sh\n{MARK}2\n")
    remove(str(store), os.environ)
    assert folder_bytes(husky) == before
    assert not (husky.parent / f"_{BESIDE}").exists()


def test_tracked_hooks_are_changed_only_when_that_is_told(store: Path, program: Path) -> None:
    """Everybody who works on the project would get them with the next ``git add -A``."""
    put(store, ".husky/pre-commit", "#!/bin/sh\nexit 0\n")
    (store / ".husky" / "pre-commit").chmod(0o755)
    run(store, "config", "core.hooksPath", ".husky")
    run(store, "add", "-A")
    run(store, "commit", "--no-verify", "-qm", "hooks")
    with pytest.raises(Refused) as refused:
        install(str(store), os.environ)
    assert "whose files git tracks" in refused.value.message
    assert "nothing was changed" in refused.value.message
    assert refused.value.hint.startswith("gitmem hooks install --shared")
    assert run(store, "status", "--porcelain").out == ""
    install(str(store), os.environ, shared=True)
    assert install(str(store), os.environ)[2] == [], "what is there needs no word"
    remove(str(store), os.environ)
    assert run(store, "status", "--porcelain").out == ""


def test_a_folder_of_hooks_that_is_a_link_elsewhere_is_shared(store: Path, program: Path, tmp_path: Path) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    put(folder, "pre-commit", "#!/bin/sh\necho FIRST >&2\nexit 1\n")
    (folder / "pre-commit").chmod(0o755)
    (store / ".git" / "hooks").symlink_to(folder)
    with pytest.raises(Refused) as refused:
        install(str(store), os.environ)
    assert "(a link), which other repositories may use too" in refused.value.message
    install(str(store), os.environ, shared=True)
    put(store, "a.md", SOUND)
    run(store, "add", "-A")
    assert run(store, "commit", "-m", "two").err == "FIRST\n"
    remove(str(store), os.environ, shared=True)
    assert [path.name for path in folder.iterdir()] == ["pre-commit"]


def test_an_earlier_hook_that_git_would_not_run_is_not_run(store: Path, program: Path) -> None:
    hooks = store / ".git" / "hooks"
    hooks.mkdir()
    (hooks / "pre-commit").write_text("#!/bin/sh\nexit 1\n")
    put_in(store)
    put(store, "a.md", SOUND)
    run(store, "add", "-A")
    assert run(store, "commit", "-qm", "two").code == 0


def test_an_earlier_hook_may_be_a_link(store: Path, tmp_path: Path) -> None:
    hooks = store / ".git" / "hooks"
    hooks.mkdir()
    (hooks / "pre-commit").symlink_to("../../tools/check")
    put_in(store)
    assert not (hooks / "pre-commit").is_symlink()
    remove(str(store), os.environ)
    assert os.readlink(hooks / "pre-commit") == "../../tools/check"


def test_install_twice_is_install_once_and_remove_leaves_nothing(store: Path) -> None:
    assert set(states(store).values()) == {"missing"}
    first = install(str(store), os.environ)
    assert first[2] == [name for name in HOOKS if name not in SERVER]
    assert set(states(store).values()) == {"installed"}
    before = {path.name: path.read_bytes() for path in (store / ".git" / "hooks").iterdir()}
    assert install(str(store), os.environ)[2] == []
    assert {path.name: path.read_bytes() for path in (store / ".git" / "hooks").iterdir()} == before
    assert remove(str(store), os.environ)[1:] == (first[2], [])
    assert not (store / ".git" / "hooks").exists()
    assert remove(str(store), os.environ)[1:] == ([], [])


def test_an_older_hook_is_brought_up_to_date_and_an_edited_one_is_left(store: Path) -> None:
    put_in(store)
    hooks = store / ".git" / "hooks"
    (hooks / "pre-commit").write_bytes(script("pre-commit").replace(b"ID %d\n" % HOOK_ID, b"ID 0\n"))
    (hooks / "pre-push").write_bytes(script("pre-push") + b"echo mine\n")
    assert (states(store)["pre-commit"], states(store)["pre-push"]) == ("older", "edited")
    assert install(str(store), os.environ)[2] == ["pre-commit"]
    assert (hooks / "pre-push").read_bytes().endswith(b"echo mine\n")
    left = remove(str(store), os.environ)[2]
    assert left == [f"{hooks / 'pre-push'} was edited since gitmem put it in, and stays: rm {hooks / 'pre-push'}"]
    assert [path.name for path in hooks.iterdir()] == ["pre-push"]


def test_a_hook_that_took_the_place_of_ours_is_never_lost(store: Path) -> None:
    hooks = store / ".git" / "hooks"
    hooks.mkdir()
    (hooks / "pre-commit").write_text("#!/bin/sh\n# first\n")
    put_in(store)
    (hooks / "pre-commit").write_text("#!/bin/sh\n# second\n")
    with pytest.raises(Refused) as refused:
        install(str(store), os.environ)
    assert "is another program's, and" in refused.value.message
    assert "join the two by hand" in refused.value.hint
    left = remove(str(store), os.environ)[2]
    assert "is not gitmem's any more, and stays with" in left[0]
    assert (hooks / "pre-commit").read_text() == "#!/bin/sh\n# second\n"
    assert (store / ".git" / f"hooks{BESIDE}" / "pre-commit").read_text() == "#!/bin/sh\n# first\n"


def test_a_hooks_path_inside_the_repository_is_honoured(store: Path, program: Path) -> None:
    run(store, "config", "core.hooksPath", ".githooks")
    place = install(str(store), os.environ)[0]
    assert place.folder == store / ".githooks"
    assert not (store / ".git" / "hooks").exists()
    put(store, "a.md", BROKEN)
    run(store, "add", "-A")
    assert run(store, "commit", "-m", "two").code == 1
    remove(str(store), os.environ)
    assert list((store / ".githooks").iterdir()) == []


@pytest.mark.parametrize("where", ["outside", "global"])
def test_a_hooks_path_that_others_share_wants_to_be_told(
    store: Path, program: Path, home: Path, tmp_path: Path, where: str
) -> None:
    folder = tmp_path / "all hooks" if where == "outside" else home / "hooks"
    value = str(folder) if where == "outside" else "~/hooks"
    run(store, "config", *(["--global"] if where == "global" else []), "core.hooksPath", value)
    with pytest.raises(Refused) as refused:
        install(str(store), os.environ)
    assert str(folder) in refused.value.message
    assert "which other repositories may use too; nothing was changed" in refused.value.message
    assert refused.value.hint.startswith("gitmem hooks install --shared")
    assert not folder.exists()
    place = install(str(store), os.environ, shared=True)[0]
    assert place.folder == folder
    put(store, "a.md", BROKEN)
    run(store, "add", "-A")
    assert run(store, "commit", "-m", "two").code == 1
    with pytest.raises(Refused):
        remove(str(store), os.environ)
    assert remove(str(store), os.environ, shared=True)[1]


@pytest.mark.parametrize("value", ["/dev/null", ""])
def test_where_git_runs_no_hooks_that_is_said(store: Path, value: str) -> None:
    run(store, "config", "core.hooksPath", value)
    with pytest.raises(Refused) as refused:
        install(str(store), os.environ)
    assert "git runs no hooks here: core.hooksPath in" in refused.value.message
    assert refused.value.hint == f"git -C {store} config --unset core.hooksPath"


def test_with_the_hooks_plain_git_merges_by_meaning(store: Path, program: Path) -> None:
    """Promised as C6: the store's own files stay as they are."""
    put_in(store)
    assert (run(store, "status", "--porcelain").out, driver_state(str(store))) == ("", "installed")
    run(store, "switch", "-qc", "side")
    put(store, "first.md", SOUND.replace("what it says", "said\ntags: [a]"))
    run(store, "commit", "-qam", "two")
    run(store, "switch", "-q", "main")
    put(store, "first.md", SOUND.replace("name: a", "name: b"))
    run(store, "commit", "-qam", "three")
    assert run(store, "merge", "-m", "merge", "side").code == 0, "lines next to each other, but two fields"
    text = (store / "first.md").read_text()
    assert ("name: b" in text, "description: said" in text) == (True, True)


@pytest.mark.parametrize("body", ["exit 1", "exit 3"])
def test_where_gitmem_cannot_run_git_merges_as_it_always_did(store: Path, program: Path, body: str) -> None:
    """Fault: a driver that fails leaves one side in the file, without a mark."""
    put_in(store)
    program.write_text(f"#!/bin/sh\n{body}\n")
    run(store, "switch", "-qc", "side")
    put(store, "first.md", SOUND.replace("text", "theirs"))
    run(store, "commit", "--no-verify", "-qam", "two")
    run(store, "switch", "-q", "main")
    put(store, "first.md", SOUND.replace("text", "ours"))
    run(store, "commit", "--no-verify", "-qam", "three")
    assert run(store, "-c", "core.hooksPath=/dev/null", "merge", "-m", "merge", "side").code == 1
    assert run(store, "ls-files", "-u").out
    text = (store / "first.md").read_text()
    assert ("<<<<<<<" in text, "ours" in text, "theirs" in text) == (True, True, True)


@pytest.mark.parametrize("attributes", [None, "", "*.bin binary", "*.bin binary\n"])
@pytest.mark.parametrize("end", ["", "\n"])
def test_the_merge_driver_is_taken_out_byte_for_byte(store: Path, attributes: str | None, end: str) -> None:
    """Promised as I3: neither git's configuration nor the attributes keep a trace."""
    config, named = store / ".git/config", store / ".git/info/attributes"
    config.write_text(config.read_text().rstrip("\n") + end)
    if attributes is not None:
        named.parent.mkdir()
        named.write_text(attributes)
    before = config.read_bytes()
    put_in(store)
    assert driver_state(str(store)) == "installed"
    assert run(store, "check-attr", "merge", "any.md").out == "any.md: merge: gitmem\n"
    put_in(store)
    assert remove(str(store), os.environ)[2] == []
    assert (config.read_bytes(), driver_state(str(store))) == (before, "missing")
    assert (named.read_text() if named.exists() else None) == (attributes or None)
    assert named.parent.exists() == bool(attributes)


def test_a_merge_driver_that_was_edited_stays_and_is_told(store: Path) -> None:
    put_in(store)
    run(store, "config", "merge.gitmem.driver", "mine %O %A %B")
    put_in(store)
    assert driver_state(str(store)) == "edited"
    left = remove(str(store), os.environ)[2]
    assert left == [
        "merge.gitmem.driver was edited since gitmem put it in, and stays: "
        f"git -C {store} config --remove-section merge.gitmem"
    ]
    assert run(store, "config", "merge.gitmem.driver").out == "mine %O %A %B\n"


def test_only_a_store_gets_hooks(tmp_path: Path, git: Git) -> None:
    with pytest.raises(NoStore):
        install(str(tmp_path), os.environ)
    git("init", "-q", cwd=tmp_path)
    with pytest.raises(NoStore) as refused:
        install(str(tmp_path), os.environ)
    assert refused.value.message.endswith("is a repository, but not a store yet")
    assert refused.value.hint == f"gitmem init {tmp_path}"
