"""The ways to a remote: git's program without the store's configuration, Python where there is none."""

from __future__ import annotations

import getpass
import os
import shutil
import socket
import subprocess
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
    failure,
    first_reason,
    judged,
    open_transport,
)
from gitmem.history.transport_dulwich import DulwichTransport
from gitmem.history.transport_git import GitTransport
from gitmem.history.transport_path import PathTransport
from gitmem.history.transport_watch import without_progress

Git = Callable[..., str]
BACKEND = Path("/usr/lib/git-core/git-http-backend")
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
def serve(tmp_path: Path) -> Iterator[Callable[[Path], str]]:
    """``serve(folder)`` gives the URL at which git's own http-backend shows the repositories in it."""
    if not BACKEND.is_file():
        pytest.skip("git http-backend is not installed")
    running: list[ThreadingHTTPServer] = []

    def start(folder: Path) -> str:
        class Backend(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.answer(b"")

            def do_POST(self) -> None:
                if self.headers.get("Transfer-Encoding") == "chunked":
                    body = b""
                    while size := int(self.rfile.readline(), 16):
                        body += self.rfile.read(size)
                        self.rfile.readline()
                    self.rfile.readline()
                else:
                    body = self.rfile.read(int(self.headers["Content-Length"]))
                self.answer(body)

            def answer(self, body: bytes) -> None:
                path, _, query = self.path.partition("?")
                environ = {
                    **os.environ, "GIT_PROJECT_ROOT": str(folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                    "REQUEST_METHOD": self.command, "QUERY_STRING": query, "REMOTE_USER": "ada",
                    "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                    "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                    "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "REMOTE_ADDR": "127.0.0.1",
                }  # fmt: skip
                done = subprocess.run([str(BACKEND)], input=body, capture_output=True, env=environ, check=False)
                head, _, rest = done.stdout.partition(b"\r\n\r\n")
                lines = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
                status = next((value for key, value in lines if key == "Status"), "200 OK")
                self.send_response(int(status.split()[0]))
                for key, value in lines:
                    if key != "Status":
                        self.send_header(key, value)
                self.send_header("Content-Length", str(len(rest)))
                self.end_headers()
                self.wfile.write(rest)

            def log_message(self, *words: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Backend)
        running.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in running:
        server.shutdown()
        server.server_close()


def by_git(pair: Pair, url: str) -> Transport:
    return GitTransport(open_repo(str(pair.store)), Remote("origin", url, url), os.environ, asks=False)


def by_path(pair: Pair, url: str) -> Transport:
    return PathTransport(open_repo(str(pair.store)), Remote("origin", url, url))


def by_dulwich(pair: Pair, url: str) -> Transport:
    return DulwichTransport(open_repo(str(pair.store)), Remote("origin", url, url), os.environ)


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
        DECLINED, "it has a update hook, which only git's own program asks, and there is none here",
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


SAID = [
    ("fatal: unable to access 'https://h/x/': Could not resolve host: h", Unreachable, "cannot be reached (Could not"),
    ("ssh: connect to host h port 22: Connection refused\nfatal: Could not read from remote repository.", Unreachable,
     "cannot be reached (ssh: connect to host h port 22: Connection refused)"),
    ("fatal: the remote end hung up unexpectedly", Unreachable, "cannot be reached"),
    ("fatal: unable to access 'u': The requested URL returned error: 429", Unreachable, "cannot be reached"),
    ("error: RPC failed; curl 52 Empty reply from server", Unreachable, "cannot be reached"),
    ("remote: HTTP Basic: Access denied\nfatal: Authentication failed for 'https://h/x/'", RemoteRefused, "let you in"),
    ("fatal: could not read Username for 'https://h': terminal prompts disabled", RemoteRefused, "let you in"),
    ("git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.", RemoteRefused,
     "did not let you in"),
    ("Host key verification failed.\nfatal: Could not read from remote repository.", RemoteRefused, "is not known yet"),
    ("fatal: detected dubious ownership in repository at '/srv/x'", RemoteRefused, "belongs to another user"),
    ("error: remote unpack failed: no temporary directory\nNo space left on device", RemoteRefused,
     "cannot store what is sent"),
    ("remote: Repository not found.\nfatal: repository 'x' not found", RemoteRefused, "no git repository at"),
    ("fatal: transport 'ext' not allowed", RemoteRefused, "no place gitmem syncs with"),
    ("fatal: repository 'https://me:secret@h/x/' not found", RemoteRefused, "no git repository at https://me@h/x"),
    ("something nobody has seen", RemoteRefused, "something nobody has seen"),
]  # fmt: skip


@pytest.mark.parametrize(("said", "kind", "words"), SAID)
def test_what_a_program_says_becomes_a_sentence_with_a_next_step(said: str, kind: type, words: str) -> None:
    error = failure("https://me:secret@h/x", said)
    assert type(error) is kind
    assert words in error.message
    assert "secret" not in error.message + error.hint
    assert "\n" not in error.message
    assert kind is Unreachable or error.hint


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


def test_a_reason_has_no_labels_and_no_control_characters() -> None:
    assert first_reason("remote: error: \x1b[31mno") == " [31mno"
    assert first_reason("remote: error: no") == "no"
    assert first_reason("") == ""


@pytest.fixture
def loopback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An ssh server of this test's own, and keys for both ends; gives ``user@127.0.0.1:port``."""
    program = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin:/usr/local/sbin")
    if program is None or shutil.which("ssh-keygen") is None:
        pytest.skip("there is no sshd here")
    for name in ("host", "own"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / name)], check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {
        "Port": port, "ListenAddress": "127.0.0.1", "HostKey": tmp_path / "host", "PidFile": "none", "UsePAM": "no",
        "AuthorizedKeysFile": tmp_path / "own.pub", "StrictModes": "no", "PasswordAuthentication": "no",
    }  # fmt: skip
    (tmp_path / "sshd_config").write_text("".join(f"{key} {value}\n" for key, value in settings.items()))
    server = subprocess.Popen(
        [program, "-D", "-e", "-f", str(tmp_path / "sshd_config")], stderr=subprocess.PIPE, text=True
    )
    assert server.stderr is not None
    said = ""
    while "Server listening" not in said:
        line = server.stderr.readline()
        if not line:
            server.wait()
            server.stderr.close()
            pytest.skip(f"sshd does not start here: {said.strip()}")
        said += line
    options = f"-i {tmp_path / 'own'} -o StrictHostKeyChecking=no -o UserKnownHostsFile={os.devnull} -o LogLevel=ERROR"
    monkeypatch.setenv("GIT_SSH_COMMAND", f"ssh -F {os.devnull} {options}")
    yield f"{getpass.getuser()}@127.0.0.1:{port}"
    server.terminate()
    server.wait()
    server.stderr.close()


@pytest.mark.cgit
@pytest.mark.parametrize("way", [by_git, by_dulwich])
def test_ssh_to_a_server_on_loopback(pair: Pair, loopback: str, way: Callable[[Pair, str], Transport]) -> None:
    """Promised as C1."""
    through(pair, way(pair, f"ssh://{loopback}{pair.hub}"))


@pytest.mark.cgit
def test_a_page_is_not_taken_for_an_empty_hub(pair: Pair) -> None:
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
        with open_repo(str(pair.store)) as repo, pytest.raises(RemoteRefused, match="is no git server: it gave a page"):
            GitTransport(repo, Remote("origin", url, url), os.environ, asks=False).look()
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


def test_progress_is_not_what_a_program_says() -> None:
    said = "remote: Counting objects:  50% (1/2)\rremote: Counting objects: 100% (2/2), done.\nfatal: no room\n"
    assert without_progress(said) == "fatal: no room\n"
    assert without_progress("remote: Total confusion in the hook\n") == "remote: Total confusion in the hook\n"
