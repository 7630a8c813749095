"""Repositories: made as git makes them, read wherever they are, identities as git finds them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import NoStore, RepositoryDamaged
from gitmem.history.commit import Identity
from gitmem.history.config import parse_config
from gitmem.history.identity import gitmem_identity, model_identity, people, person
from gitmem.history.repo import create_repo, open_repo
from gitmem.history.tree import file_at
from gitmem.store.gitdir import find_git_dir

Git = Callable[..., str]


def test_a_new_repository_is_what_git_init_makes(tmp_path: Path, git: Git) -> None:
    """B11: made without git, and git finds nothing missing."""
    git("init", "-q", "-b", "main", "--template=", str(tmp_path / "theirs"))
    with create_repo(str(tmp_path / "ours")) as repo:
        assert repo.head() == ("refs/heads/main", "")
    theirs = (tmp_path / "theirs/.git/config").read_text()
    assert (tmp_path / "ours/.git/config").read_text() == theirs + "[index]\n\tversion = 2\n"
    assert git("status", "--porcelain", "--branch", cwd=tmp_path / "ours") == "## No commits yet on main\n"
    assert git("fsck", "--strict", cwd=tmp_path / "ours") == ""
    assert sorted(os.listdir(tmp_path / "ours")) == [".git"]


def test_making_a_repository_twice_keeps_the_first(tmp_path: Path, git: Git) -> None:
    """Whoever comes second finds the first one's work."""
    create_repo(str(tmp_path)).close()
    (tmp_path / "a.md").write_text("x\n")
    git("add", ".")
    git("commit", "-qm", "one")
    create_repo(str(tmp_path), "other").close()
    assert git("log", "--format=%s", "main") == "one\n"


def test_what_is_no_store_is_said(tmp_path: Path, git: Git) -> None:
    with pytest.raises(NoStore, match="holds no git repository"):
        open_repo(str(tmp_path))
    git("init", "-q", "--bare", str(tmp_path / "bare/.git"))
    with pytest.raises(RepositoryDamaged, match="bare repository"):
        open_repo(str(tmp_path / "bare"))


def test_no_identity_anywhere_is_gitmems_own_and_never_a_guess(tmp_path: Path) -> None:
    """Promised in docs/store.md: no root@host in a commit."""
    create_repo(str(tmp_path)).close()
    assert person(find_git_dir(str(tmp_path)), {}) is None
    assert people(find_git_dir(str(tmp_path)), {}) == (gitmem_identity(), gitmem_identity())
    assert "@localhost" in gitmem_identity().email


@pytest.mark.parametrize(
    ("user", "local", "environ"),
    [
        ("[user]\nname = Ada Lovelace\nemail = ada@example.org", "", {}),
        ('[user]\n\tname = "Ada \\"the first\\"" # note\n\temail=ada@example.org ; x\n', "", {}),
        ("[user]\nname = Ada\nemail = ada@example.org", "[user]\nemail = other@example.org", {}),
        ("[user]\nname = Ada\nemail = ada@example.org", "", {"GIT_AUTHOR_NAME": "Bob", "GIT_COMMITTER_EMAIL": "c@x"}),
        ("[USER] Name = Ada \\\n Lovelace\n[user]\nemail = a@x\n[author]\nname = Author", "", {}),
        ("[include]\n\tpath = more\n", "", {}),
        ('[includeIf "gitdir:~/notes/"]\n\tpath = more\n', "", {}),
        ('[includeIf "onbranch:main"]\n\tpath = more\n', "", {}),
        ("[user]\nname = Ada\n", "", {"EMAIL": "mail@example.org"}),
        ("", "", {"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "user.name", "GIT_CONFIG_VALUE_0": "Eve",
                  "GIT_CONFIG_KEY_1": "user.email", "GIT_CONFIG_VALUE_1": "eve@x"}),
        ("[user]\nname = \"中文 名字 <x>, \"\nemail = <zh@example.org>", "", {}),
    ],
)  # fmt: skip
def test_the_persons_identity_is_the_one_git_would_use(
    home: Path, user: str, local: str, environ: dict[str, str]
) -> None:
    """Promised in docs/store.md: author and committer as in the person's own commits."""
    root = home / "notes/store"
    create_repo(str(root)).close()
    (home / ".gitconfig").write_text(user, encoding="utf-8")
    (home / "more").write_text("[user]\nname = Included\nemail = inc@example.org\n")
    with open(root / ".git/config", "a") as file:
        file.write(local)
    both = {**os.environ, **environ}
    words = [
        subprocess.run(["git", "var", name], cwd=root, env=both, capture_output=True, text=True, check=True).stdout
        for name in ("GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT")
    ]
    ours = [f"{who.name} <{who.email}>" for who in people(find_git_dir(str(root)), both)]
    assert ours == [word.rsplit(" ", 2)[0] for word in words]


def test_a_models_name_cannot_break_a_commit(tmp_path: Path) -> None:
    """An agent's name is foreign text."""
    assert repr(model_identity("")) == "model <model@gitmem.invalid>"
    assert repr(model_identity("x\ncommitter Eve <e@x> 0 +0000\0")) == (
        "x committer Eve e@x 0 +0000 <model@gitmem.invalid>"
    )
    assert Identity("a\u202eb", "c@d").name == "ab"


def test_a_configuration_is_read_as_git_reads_it(tmp_path: Path, git: Git) -> None:
    text = (
        '\ufeff# c\n[core]\n\tbare = false ; no\n\tsymlinks\n[remote "ori]gin"]\n\turl = a\\\\b\\tc "# d" # e\n'
        '[a]x=1\n[A "b\\"c"]\n  Key = v \\\n w  \n[broken\nignored = 1\n'
    )
    config = parse_config(text.removeprefix("\ufeff"))
    path = tmp_path / "config"
    path.write_text(text[1:].split("[broken")[0])
    for key in ("core.bare", "core.symlinks", "remote.ori]gin.url", "a.x", 'a.b"c.key'):
        found = git("config", "-f", str(path), "--get", key, check=False).rstrip("\n")
        if key == "core.symlinks":
            found = "true"
        assert config[key] == [found], key


def test_what_a_partial_clone_left_at_the_remote_is_told_from_damage(tmp_path: Path, git: Git) -> None:
    """`git fsck` finds nothing wrong there; what is said to type brings the object."""
    git("init", "-q", "-b", "main", "hub")
    git("config", "uploadpack.allowFilter", "true", cwd=tmp_path / "hub")
    for text in ("one", "two"):
        (tmp_path / "hub/a.md").write_text(text)
        git("add", "-A", cwd=tmp_path / "hub")
        git("commit", "-qm", text, cwd=tmp_path / "hub")
    git("clone", "-q", "--filter=blob:none", (tmp_path / "hub").as_uri(), "c")
    with pytest.raises(RepositoryDamaged, match="partial clone") as damaged, open_repo(str(tmp_path / "c")) as repo:
        file_at(repo, git("rev-parse", "HEAD~1", cwd=tmp_path / "c").strip(), "a.md")
    subprocess.run(["sh", "-c", damaged.value.hint], check=True, capture_output=True, cwd=tmp_path)
    with open_repo(str(tmp_path / "c")) as repo:
        assert file_at(repo, git("rev-parse", "HEAD~1", cwd=tmp_path / "c").strip(), "a.md") == b"one"
