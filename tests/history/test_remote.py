"""Remotes as data: URLs that are no places, the configuration file, the small files a sync keeps."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import NotFound, Refused, RepositoryBusy
from gitmem.history.config import parse_config
from gitmem.history.remote import add, check_url, find_remote, kind_of, remotes, shown_url, take_out, upstream
from gitmem.history.remote_config import (
    DRIVER_COMMAND,
    configure_merge_driver,
    set_upstream,
    with_section,
    without_section,
)
from gitmem.history.remote_machine import machine_name
from gitmem.history.remote_state import Known, load_known, save_known
from gitmem.history.repo import create_repo
from gitmem.store.gitdir import GitDir
from gitmem.store.machine import (
    long_trouble,
    machine_id,
    new_machine_id,
    note_success,
    note_trouble,
    troubles,
)

Git = Callable[..., str]
DAY = 86_400


@pytest.fixture
def folder(tmp_path: Path) -> GitDir:
    with create_repo(str(tmp_path / "store")) as repo:
        return repo.git


@pytest.mark.parametrize(
    "url",
    [
        "ext::sh -c 'touch x'", "fd::3", "foo::bar", "-oProxyCommand=x", "--upload-pack=touch x",
        "ssh://-oProxyCommand=x/a",
        "host:-oProxyCommand=x", "-host:path", "ftp://host/x", "svn://host/x", "", "  ", "https://host/\x1b[2J", "a\nb",
    ],
)  # fmt: skip
def test_a_url_that_could_start_a_program_is_no_place(url: str) -> None:
    """Promised as L1: nothing a store configures is run."""
    with pytest.raises(Refused):
        check_url(url)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("/srv/hub.git", "path"), ("../hub.git", "path"), ("file:///srv/hub.git", "path"),
        ("ssh://me@host:22/x", "ssh"),
        ("host:x.git", "ssh"), ("git@host:me/x.git", "ssh"), ("https://host/x.git", "http"), ("http://host/x", "http"),
        ("git://host/x", "git"), ("./a:b", "path"),
    ],
)  # fmt: skip
def test_every_usual_form_of_a_url_is_known(url: str, kind: str) -> None:
    check_url(url)
    assert kind_of(url) == kind


def test_a_password_in_a_url_is_never_shown() -> None:
    assert shown_url("https://me:secret@host/x.git") == "https://me@host/x.git"
    assert shown_url("https://ghp_0123456789abcdefghijklmnop@host/x") == "https://...@host/x"
    assert shown_url("https://me@host/x") == "https://me@host/x"


def test_a_remote_gets_refspecs_without_force_for_gitmems_refs(folder: GitDir, git: Git) -> None:
    """Promised as C4: plain git fetch brings them too, and never by force."""
    add(folder, "origin", "/srv/hub.git")
    specs = git("config", "--get-all", "remote.origin.fetch", cwd=folder.path).split()
    assert specs[0] == "+refs/heads/*:refs/remotes/origin/*"
    assert specs[1:] == [
        f"refs/gitmem/{kind}/*:refs/gitmem/remotes/origin/{kind}/*"
        for kind in ("conflicts", "machines", "rejected", "rollback")
    ]
    assert [each.url for each in remotes(folder)] == ["/srv/hub.git"]


def test_adding_the_same_again_is_no_error_and_another_place_is(folder: GitDir, git: Git) -> None:
    git("remote", "add", "origin", "/srv/hub.git", cwd=folder.path)
    add(folder, "origin", "/srv/hub.git")
    add(folder, "origin", "/srv/hub.git")
    assert len(git("config", "--get-all", "remote.origin.fetch", cwd=folder.path).split()) == 5
    with pytest.raises(Refused, match=r"origin is /srv/hub\.git already"):
        add(folder, "origin", "/srv/other.git")


def test_removing_leaves_the_rest_of_the_configuration_as_it_was(folder: GitDir, git: Git) -> None:
    before = Path(folder.path, "config").read_text()
    add(folder, "origin", "/srv/hub.git")
    set_upstream(folder, "main", "origin", "refs/heads/main")
    assert upstream(folder, "main", "origin") == "main"
    take_out(folder, "origin")
    assert Path(folder.path, "config").read_text() == before
    with pytest.raises(NotFound, match='no remote called "origin"; there is none yet'):
        find_remote(folder, "origin", "main")


def test_which_remote_is_meant(folder: GitDir) -> None:
    with pytest.raises(NotFound, match="no remote to sync with"):
        find_remote(folder, "", "main")
    add(folder, "hub", "/srv/hub.git")
    assert find_remote(folder, "", "main").name == "hub"
    add(folder, "disk", "/srv/disk.git")
    with pytest.raises(Refused, match="several remotes: disk, hub; say which"):
        find_remote(folder, "", "main")
    set_upstream(folder, "main", "hub", "refs/heads/main")
    assert find_remote(folder, "", "main").name == "hub"


def test_a_locked_configuration_is_said_and_left(folder: GitDir, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = Path(folder.path, "config.lock")
    lock.write_text("")
    old = 1_000_000_000
    os.utime(lock, (old, old))
    with pytest.raises(RepositoryBusy, match=r"config\.lock was left behind"):
        add(folder, "origin", "/srv/hub.git")
    assert lock.exists()


NAMES = st.text(st.sampled_from('abc".#\\ '), min_size=1, max_size=6).filter(lambda name: name.strip() == name)
VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"]), max_size=30)


@given(NAMES, st.lists(VALUES, min_size=1, max_size=3))
def test_what_is_written_into_the_configuration_is_read_back(name: str, values: list[str]) -> None:
    text = "[core]\n\tbare = false\n"
    made = with_section(text, "remote", name, [("url", value) for value in values])
    assert parse_config(made)[f"remote.{name}.url"] == values
    assert without_section(made, "remote", name) == text


def test_the_merge_driver_is_configured_once(folder: GitDir, git: Git) -> None:
    root = os.path.dirname(folder.path)
    assert configure_merge_driver(root)
    assert not configure_merge_driver(root)
    assert git("config", "merge.gitmem.driver", cwd=root).strip() == DRIVER_COMMAND


@pytest.mark.cgit
def test_where_gitmem_is_gone_the_merge_driver_leaves_both_sides_with_marks(
    tmp_path: Path, git: Git, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fault F60, from cron or a window system, whose PATH is short: else one side would be gone without a word."""
    root = tmp_path / "store"
    git("init", "-q", "-b", "main", str(root))
    assert configure_merge_driver(str(root))
    (root / ".gitattributes").write_text("*.md merge=gitmem\n")
    for branch, text in (("main", "base\n"), ("theirs", "B1\n"), ("main", "A1\n")):
        git("checkout", "-q", "-B", branch, *(["theirs~1"] if text == "A1\n" else []), cwd=root)
        (root / "doc.md").write_text(text)
        git("add", "-A", cwd=root)
        git("commit", "-q", "-m", text.strip(), cwd=root)
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("git", "sh"):
        (tools / tool).symlink_to(str(shutil.which(tool)))
    monkeypatch.setenv("PATH", str(tools))
    git("merge", "-q", "theirs", cwd=root, check=False)
    assert (root / "doc.md").read_text() == "<<<<<<< ours\nA1\n=======\nB1\n>>>>>>> theirs\n"
    assert git("ls-files", "--unmerged", cwd=root).count("doc.md") == 3


def test_a_machine_keeps_its_id_and_its_name_can_be_chosen(folder: GitDir) -> None:
    """Promised as C7."""
    first = machine_id(folder.common)
    assert machine_id(folder.common) == first
    assert len(first) == 12
    assert new_machine_id(folder.common) != first
    assert machine_name({"gitmem.machine": ["laptop"]}) == "laptop"
    assert machine_name({}) != ""


def test_a_sync_that_failed_for_a_day_is_one_sentence(folder: GitDir) -> None:
    """Promised as C7: said at session start."""
    when = 1_796_000_000
    assert long_trouble(folder.common, when) == ""
    note_trouble(folder.common, "origin", when, "the host\nis down")
    note_trouble(folder.common, "origin", when + 100, "the host is down")
    assert long_trouble(folder.common, when + DAY - 1) == ""
    said = long_trouble(folder.common, when + DAY, "/my store")
    assert said == (
        "sync with origin has failed since 2026-11-30: the host is down; see: gitmem sync origin --store '/my store'"
    )
    assert troubles(folder.common)[0].since == when
    note_success(folder.common, "origin")
    assert long_trouble(folder.common, when + 9 * DAY) == ""


def test_a_remote_that_moved_is_another_remote(folder: GitDir) -> None:
    save_known(folder.common, "origin", Known("/a", "main", "1" * 40, {"refs/gitmem/rollback/x": "2" * 40}, 7))
    assert load_known(folder.common, "origin", "/a").tip == "1" * 40
    assert load_known(folder.common, "origin", "/b").tip == ""
    Path(folder.common, "gitmem", "synced.json").write_text("{ broken")
    assert load_known(folder.common, "origin", "/a") == Known("/a")
