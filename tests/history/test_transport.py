"""The ways to a remote: git's program without the store's configuration, Python where there is none."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gitmem.history.remote import Remote
from gitmem.history.repo import create_repo, open_repo
from gitmem.history.transport import (
    DECLINED,
    DONE,
    MOVED,
    Push,
    RemoteRefused,
    Transport,
    Unreachable,
    judged,
    open_transport,
)
from gitmem.history.transport_dulwich import DulwichTransport
from gitmem.history.transport_git import GitTransport
from gitmem.history.transport_path import PathTransport
from gitmem.history.transport_watch import without_progress
from tests.write.hubs import SshHub, stopped_at_end
from tests.write.hubs import serve as http_server

Git = Callable[..., str]
MAIN = "refs/heads/main"


@dataclass
class Pair:
    """A store, a hub it pushes to, and C git."""

    store: Path
    hub: Path
    git: Git

    def commit(self, name: str) -> str:
        (self.store / f"{name}.md").write_text(f"text of {name}\n")
        self.git("add", "-A", cwd=self.store)
        self.git("commit", "-q", "-m", name, cwd=self.store)
        return self.git("rev-parse", "HEAD", cwd=self.store).strip()

    def at_hub(self, ref: str = MAIN) -> str:
        return self.git("rev-parse", "--verify", "-q", ref, cwd=self.hub, check=False).strip()


@pytest.fixture
def pair(tmp_path: Path, git: Git) -> Pair:
    create_repo(str(tmp_path / "store")).close()
    git("init", "-q", "--bare", "--initial-branch=main", str(tmp_path / "hub.git"))
    return Pair(tmp_path / "store", tmp_path / "hub.git", git)


@pytest.fixture
def serve() -> Iterator[Callable[[Path], str]]:
    """``serve(folder)`` gives the URL at which git's own http-backend shows the repositories in it."""
    running: list[ThreadingHTTPServer] = []

    def start(folder: Path) -> str:
        running.append(http_server(folder, "ada:open"))
        return f"http://ada:open@127.0.0.1:{running[-1].server_address[1]}"

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


def by_git(pair: Pair, url: str) -> Transport:
    return GitTransport(open_repo(str(pair.store)), Remote("origin", url, url), os.environ, asks=False)


def by_path(pair: Pair, url: str) -> Transport:
    return PathTransport(open_repo(str(pair.store)), Remote("origin", url, url))


def by_dulwich(pair: Pair, url: str) -> Transport:
    return DulwichTransport(open_repo(str(pair.store)), Remote("origin", url, url), os.environ, asks=False)


def through(pair: Pair, way: Transport) -> None:
    """Push, fetch in another clone, be refused when somebody was quicker, delete: the same by every way."""
    first = pair.commit("one")
    assert way.look().refs == {}
    pushes = [Push(MAIN, "", first), Push("refs/gitmem/rollback/a", "", first)]
    assert {ref: each.state for ref, each in way.push(pushes).items()} == {
        MAIN: DONE, "refs/gitmem/rollback/a": DONE,
    }  # fmt: skip
    second = pair.commit("two")
    assert way.push([Push(MAIN, "", second)])[MAIN].state == MOVED, "somebody else is there already"
    assert pair.at_hub() == first
    assert way.push([Push(MAIN, first, second)])[MAIN].state == DONE
    assert way.push([Push("refs/gitmem/rollback/a", first, "")])["refs/gitmem/rollback/a"].state == DONE
    assert (pair.at_hub(), pair.at_hub("refs/gitmem/rollback/a")) == (second, "")
    seen = way.look()
    assert (seen.refs[MAIN], seen.head) == (second, MAIN)
    other = pair.store.parent / "other"
    pair.git("clone", "-q", str(pair.hub), str(other))
    (other / "three.md").write_text("three\n")
    pair.git("add", "-A", cwd=other)
    pair.git("commit", "-q", "-m", "three", cwd=other)
    pair.git("push", "-q", "origin", "HEAD", "HEAD:refs/gitmem/conflicts/abc", "HEAD:refs/heads/else", cwd=other)
    third = pair.git("rev-parse", "HEAD", cwd=other).strip()
    assert way.fetch("main").refs == {MAIN: third, "refs/gitmem/conflicts/abc": third}
    assert pair.git("show", f"{third}:three.md", cwd=pair.store) == "three\n"
    assert way.fetch("missing").refs == {"refs/gitmem/conflicts/abc": third}
    for root in (pair.store, pair.hub):
        pair.git("fsck", "--strict", cwd=root)


@pytest.mark.cgit
def test_a_folder_by_gits_program(pair: Pair) -> None:
    """Promised as C1."""
    through(pair, by_git(pair, str(pair.hub)))


@pytest.mark.cgit
def test_a_folder_without_a_git_program(pair: Pair) -> None:
    """Promised as B11 and C1."""
    through(pair, by_path(pair, str(pair.hub)))


@pytest.mark.cgit
def test_http_by_gits_program(pair: Pair, serve: Callable[[Path], str]) -> None:
    """Promised as C1."""
    pair.git("config", "http.receivepack", "true", cwd=pair.hub)
    through(pair, by_git(pair, serve(pair.hub.parent) + "/hub.git"))


@pytest.mark.cgit
def test_http_without_a_git_program(pair: Pair, serve: Callable[[Path], str]) -> None:
    """Promised as B11 and C1."""
    pair.git("config", "http.receivepack", "true", cwd=pair.hub)
    through(pair, by_dulwich(pair, serve(pair.hub.parent) + "/hub.git"))


@pytest.mark.cgit
@pytest.mark.parametrize("way", [by_git, by_dulwich])
def test_ssh_hands_the_connection_to_the_persons_own_program(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: Callable[[Pair, str], Transport]
) -> None:
    """Promised as C1: git's credential helpers and ssh are the person's own.  No sshd is needed: it runs the words."""
    program = tmp_path / "ssh"
    program.write_text('#!/bin/sh\nwhile [ "$1" != host ]; do shift; done\nshift\nexec sh -c "$*"\n')
    program.chmod(0o755)
    monkeypatch.setenv("GIT_SSH_COMMAND", str(program))
    through(pair, way(pair, f"ssh://host{pair.hub}"))


@pytest.mark.cgit
def test_nothing_the_store_configures_is_run(pair: Pair, tmp_path: Path) -> None:
    """Promised as L1: programs named in the configuration of a store are never started."""
    mark = tmp_path / "ran"
    evil = tmp_path / "evil"
    evil.write_text(f"#!/bin/sh\ntouch {mark}\nexit 1\n")
    evil.chmod(0o755)
    commit = pair.commit("one")
    hooks = pair.store / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("reference-transaction", "pre-push", "post-merge", "pre-auto-gc", "post-checkout"):
        (hooks / name).write_text(evil.read_text())
        (hooks / name).chmod(0o755)
    settings = {
        "core.sshCommand": evil, "core.fsmonitor": evil, "core.gitProxy": evil, "core.askPass": evil,
        "credential.helper": f"!{evil}", "core.hooksPath": hooks, "remote.origin.uploadpack": evil,
        "remote.origin.receivepack": evil, "remote.origin.vcs": "evil", "gpg.program": evil, "push.gpgSign": "true",
        "core.alternateRefsCommand": evil, f"url.ext::{evil}.insteadOf": str(pair.hub), "protocol.ext.allow": "always",
        "filter.x.clean": evil, "diff.external": evil, "core.editor": evil, "core.pager": evil, "gc.auto": "1",
        "uploadpack.packObjectsHook": evil, "fetch.recurseSubmodules": "true", "include.path": str(evil),
    }  # fmt: skip
    with (pair.store / ".git/config").open("a") as file:
        for key, value in settings.items():
            section, _, name = key.rpartition(".")
            top, dot, sub = section.partition(".")
            file.write(f'[{top} "{sub}"]\n' if dot else f"[{top}]\n")
            file.write(f"\t{name} = {value}\n")
    way = by_git(pair, str(pair.hub))
    assert way.fetch("main").refs == {}
    assert way.push([Push(MAIN, "", commit)])[MAIN].state == DONE
    assert way.fetch("main").refs == {MAIN: commit}
    with pytest.raises(Unreachable):
        by_git(pair, "ssh://nowhere.invalid/x").fetch("main")
    assert not mark.exists()


@pytest.mark.cgit
def test_a_ref_the_remote_declines_is_told_in_its_own_words(pair: Pair) -> None:
    """Trust no word that a push succeeded: each ref's status is looked at."""
    hook = pair.hub / "hooks/update"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\n[ "$1" = refs/heads/main ] || exit 0\necho "GH006: protected branch" >&2\nexit 1\n')
    hook.chmod(0o755)
    commit = pair.commit("one")
    found = by_git(pair, str(pair.hub)).push([Push(MAIN, "", commit), Push("refs/gitmem/machines/a", "", commit)])
    assert found[MAIN].state == DECLINED
    assert found[MAIN].said == "hook declined: GH006: protected branch"
    assert found["refs/gitmem/machines/a"].state == DONE
    assert pair.at_hub() == ""
    said = by_path(pair, str(pair.hub)).push([Push(MAIN, "", commit)])[MAIN]
    assert (said.state, said.said) == (
        DECLINED, "its update hook has to be asked first, which only git's own program does, and there is none here",
    )  # fmt: skip


@pytest.mark.cgit
def test_a_push_that_would_go_back_is_never_sent(pair: Pair) -> None:
    """Never a forced push."""
    first, second = pair.commit("one"), pair.commit("two")
    way = by_git(pair, str(pair.hub))
    way.push([Push(MAIN, "", second)])
    with pytest.raises(ValueError, match="would not move forward"):
        way.push([Push(MAIN, second, first)])
    assert pair.at_hub() == second


@pytest.mark.cgit
@pytest.mark.parametrize("way", [by_git, by_path])
def test_a_remote_that_is_gone_is_said(pair: Pair, way: Callable[[Pair, str], Transport]) -> None:
    with pytest.raises(RemoteRefused, match=r"there is no git repository at .*none\.git") as refused:
        way(pair, str(pair.hub.with_name("none.git"))).fetch("main")
    assert refused.value.kind == "gone"
    assert "git init --bare" in refused.value.hint


@pytest.mark.cgit
def test_git_is_used_where_there_is_one(pair: Pair, tmp_path: Path) -> None:
    remote = Remote("origin", str(pair.hub), str(pair.hub))
    with open_repo(str(pair.store)) as repo:
        assert isinstance(open_transport(repo, remote, os.environ, asks=False), GitTransport)
        alone = {**os.environ, "PATH": str(tmp_path)}
        assert isinstance(open_transport(repo, remote, alone, asks=False), PathTransport)
        web = Remote("origin", "https://host/x", "https://host/x")
        assert isinstance(open_transport(repo, web, alone, asks=False), DulwichTransport)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("[rejected] (stale info)", MOVED), ("[rejected] (fetch first)", MOVED),
        ("[remote rejected] (cannot lock ref 'refs/heads/main': is at 1 but expected 2)", MOVED),
        ("[remote rejected] (failed to update ref)", MOVED),
        ("[remote rejected] (pre-receive hook declined)", DECLINED),
        ("[remote rejected] (deny updating a hidden ref)", DECLINED),
    ],
)  # fmt: skip
def test_being_late_is_told_from_being_refused(said: str, state: str) -> None:
    assert judged(said).state == state


@pytest.fixture
def loopback(tmp_path: Path) -> Iterator[SshHub]:
    (tmp_path / "sshd").mkdir()
    with stopped_at_end(SshHub(tmp_path / "sshd")) as hub:
        hub.start()
        yield hub


@pytest.mark.cgit
@pytest.mark.parametrize("way", [by_git, by_dulwich])
def test_ssh_to_a_server_on_loopback(
    pair: Pair, loopback: SshHub, home: Path, way: Callable[[Pair, str], Transport]
) -> None:
    """Promised as C1: with the ssh that the person's own configuration names."""
    (home / ".gitconfig").write_text(loopback.config)
    through(pair, way(pair, f"{loopback.place}{pair.hub}"))


@pytest.mark.cgit
@pytest.mark.parametrize("way", [by_git, by_dulwich])
def test_a_page_is_not_taken_for_an_empty_hub(pair: Pair, way: Callable[[Pair, str], Transport]) -> None:
    """A network that wants a login answers everything with a page of its own."""

    class Page(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<html>log in</html>")

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/hub.git"
    try:
        with pytest.raises(RemoteRefused, match="is no git server: it gave a page") as refused:
            way(pair, url).look()
        assert refused.value.hint.startswith("open it in a browser")
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.cgit
def test_an_empty_hub_over_http_is_empty(pair: Pair, serve: Callable[[Path], str]) -> None:
    url = f"{serve(pair.hub.parent)}/hub.git"
    with open_repo(str(pair.store)) as repo:
        assert GitTransport(repo, Remote("origin", url, url), os.environ, asks=False).look().refs == {}


@pytest.mark.cgit
def test_a_remote_that_never_answers_is_given_up_and_what_was_started_is_ended(pair: Pair, tmp_path: Path) -> None:
    """All tries together have one limit: two that each fail late do not add up."""
    mark = tmp_path / "pid"
    ssh = tmp_path / "ssh"
    ssh.write_text(f"#!/bin/sh\necho $$ > {mark}\nexec sleep 600\n")
    ssh.chmod(0o755)
    with open_repo(str(pair.store)) as repo:
        url = "ssh://nowhere.invalid/x"
        way = GitTransport(repo, Remote("origin", url, url), {**os.environ, "GIT_SSH": str(ssh)}, asks=False)
        way.patience = 1.0
        with pytest.raises(Unreachable, match=r"nowhere\.invalid/x did not answer for 1 seconds"):
            way.look()
        state = Path(f"/proc/{mark.read_text().strip()}/stat")
        assert not state.exists() or state.read_text().rpartition(")")[2].split()[0] == "Z", "ended with it"
        way.spent = 1.0
        with pytest.raises(Unreachable, match="did not answer"):
            way.fetch("main")


def test_a_web_server_that_never_answers_is_given_up_without_a_git_program(pair: Pair) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent, open_repo(str(pair.store)) as repo:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/hub.git"
        way = DulwichTransport(repo, Remote("origin", url, url), os.environ, asks=False)
        way.patience = 0.2
        with pytest.raises(Unreachable, match=r"cannot be reached \(Connection timed out\)"):
            way.look()


@pytest.mark.cgit
def test_what_a_hub_says_of_a_refusal_is_heard_without_a_git_program(pair: Pair, serve: Callable[[Path], str]) -> None:
    hook = pair.hub / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'no pushes on Sundays' >&2\nexit 1\n")
    hook.chmod(0o755)
    way = by_dulwich(pair, serve(pair.hub.parent) + "/hub.git")
    said = way.push([Push(MAIN, "", pair.commit("one"))])[MAIN]
    assert (said.state, said.said) == (DECLINED, "pre-receive hook declined: no pushes on Sundays")


def test_without_a_git_program_ssh_is_started_as_git_would_start_it(pair: Pair, home: Path) -> None:
    """The environment, then the person's own configuration, then ssh itself, which asks nobody who is not there."""
    (home / ".gitconfig").write_text("[core]\n\tsshCommand = ssh -i my-key\n")
    with open_repo(str(pair.store)) as repo:
        pair.git("config", "core.sshCommand", "evil", cwd=pair.store)
        remote = Remote("origin", "ssh://h/x", "ssh://h/x")
        own = {**os.environ, "GIT_SSH": "/opt/my ssh"}
        assert DulwichTransport(repo, remote, {**own, "GIT_SSH_COMMAND": "mine"}, asks=False).ssh == "mine"
        assert DulwichTransport(repo, remote, own, asks=False).ssh == "ssh -i my-key"
        (home / ".gitconfig").unlink()
        assert DulwichTransport(repo, remote, own, asks=False).ssh == "'/opt/my ssh'"
        assert "BatchMode=yes" in DulwichTransport(repo, remote, os.environ, asks=False).ssh
        assert "BatchMode" not in DulwichTransport(repo, remote, os.environ, asks=True).ssh


def test_progress_is_not_what_a_program_says() -> None:
    said = "remote: Counting objects:  50% (1/2)\rremote: Counting objects: 100% (2/2), done.\nfatal: no room\n"
    assert without_progress(said) == "fatal: no room\n"
    assert without_progress("remote: Total confusion in the hook\n") == "remote: Total confusion in the hook\n"
