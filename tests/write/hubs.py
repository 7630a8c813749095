"""Hubs as people have them, each real and on this machine alone: a folder, an ssh server, git's own http-backend.

Each can be stopped, as a network that is away, and started again at the same place.
"""

from __future__ import annotations

import base64
import getpass
import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

SBIN = "/usr/sbin:/usr/local/sbin:/opt/homebrew/sbin"  # where sshd is, and a person's PATH is not
PRIVSEP = Path("/run/sshd")  # root's sshd wants it; whatever starts an sshd for a machine makes it
USER, PASSWORD = "ada", "open-sesame"


def make_bare(folder: Path) -> Path:
    """An empty bare repository that also takes pushes of people who give no name."""
    for words in (
        ("init", "-q", "--bare", "--initial-branch=main", str(folder)),
        ("-C", str(folder), "config", "http.receivepack", "true"),
    ):
        subprocess.run(["git", *words], check=True)
    return folder


class FolderHub:
    """A bare repository in a folder, as on a disk that is mounted or is not.

    config:      what a person has in ~/.gitconfig for the hub
    login:       what a person has in ~/.git-credentials for it
    without_git: its URL for a person without a git program
    """

    config = login = ""

    def __init__(self, top: Path) -> None:
        self.repository = make_bare(top / "hub.git")
        self.url = self.without_git = str(self.repository)

    def start(self) -> None:
        if not self.repository.exists():
            self.repository.with_name("unmounted").rename(self.repository)

    def stop(self) -> None:
        if self.repository.exists():
            self.repository.rename(self.repository.with_name("unmounted"))


class SshHub:
    """An sshd on 127.0.0.1 with a host key and one user's key of its own.

    known, key: the files a client needs; stranger: a key that the server does not know
    """

    login = ""

    def __init__(self, top: Path) -> None:
        self.program = shutil.which("sshd", path=f"{os.environ['PATH']}:{SBIN}")
        if self.program is None or not shutil.which("ssh") or not shutil.which("ssh-keygen"):
            pytest.skip("sshd, ssh or ssh-keygen is not installed (openssh-server, openssh-client)")
        self.top, self.server = top, None
        self.key, self.stranger, self.known = top / "own", top / "stranger", top / "known_hosts"
        for file in (top / "host", self.key, self.stranger):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(file)], check=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.known.write_text(f"[127.0.0.1]:{self.port} {(top / 'host.pub').read_text()}")
        settings = {
            "Port": self.port, "ListenAddress": "127.0.0.1", "HostKey": top / "host", "PidFile": "none",
            "AuthorizedKeysFile": self.key.with_suffix(".pub"), "StrictModes": "no", "UsePAM": "no",
            "PasswordAuthentication": "no", "KbdInteractiveAuthentication": "no",
            "KexAlgorithms": "curve25519-sha256",  # the default costs every connection twice as long
        }  # fmt: skip
        (top / "sshd_config").write_text("".join(f"{key} {value}\n" for key, value in settings.items()))
        self.place = f"ssh://{getpass.getuser()}@127.0.0.1:{self.port}"
        self.repository = make_bare(top / "hub.git")
        self.url = self.without_git = f"{self.place}{self.repository}"
        self.config = f"[core]\n\tsshCommand = {self.command(self.key, self.known)}\n"

    def command(self, key: Path, known: Path) -> str:
        """The ssh of a person who has ``key`` and knows the hosts in ``known``; ssh itself takes no word of $HOME."""
        config = self.top / f"{key.name}-{known.name}.ssh"
        config.write_text(f"IdentityFile {key}\nIdentitiesOnly yes\nUserKnownHostsFile {known}\nIdentityAgent none\n")
        return f"ssh -F {config}"

    def start(self) -> None:
        if self.server is not None:
            return
        if os.geteuid() == 0 and PRIVSEP.parent.is_dir():
            PRIVSEP.mkdir(mode=0o755, exist_ok=True)
        words = [str(self.program), "-D", "-e", "-f", str(self.top / "sshd_config")]
        self.server = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = ""
        while "Server listening" not in said:
            line = self.server.stderr.readline()
            if not line:
                self.stop()
                pytest.skip(f"sshd does not start here: {said.strip()}")
            said += line
        self.reader = threading.Thread(target=self.server.stderr.read, daemon=True)  # a full pipe would stop it
        self.reader.start()

    def stop(self) -> None:
        if self.server is None:
            return
        self.server.terminate()
        self.server.wait()
        if hasattr(self, "reader"):
            self.reader.join()
        self.server.stderr.close()
        self.server = None


class HttpHub:
    """git's own http-backend behind Python's web server on 127.0.0.1, open to everybody or asking for a password."""

    config = login = ""

    def __init__(self, top: Path, *, asks: bool = False) -> None:
        self.asks, self.server, self.port = asks, None, 0
        self.repository = make_bare(top / "hub.git")
        self.start()
        place = f"127.0.0.1:{self.port}"
        self.url = self.without_git = f"http://{place}/{self.repository.name}"
        if asks:
            self.config = "[credential]\n\thelper = store\n"
            self.login = f"http://{USER}:{PASSWORD}@{place}\n"
            self.without_git = f"http://{USER}:{PASSWORD}@{place}/{self.repository.name}"

    def start(self) -> None:
        if self.server is None:
            self.server = serve(self.repository.parent, f"{USER}:{PASSWORD}" if self.asks else "", self.port)
            self.port = self.server.server_address[1]

    def stop(self) -> None:
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()
            self.server = None


Hub = FolderHub | SshHub | HttpHub


@contextmanager
def stopped_at_end(hub: Hub) -> Iterator[Hub]:
    """Whatever becomes of the test, no server outlives it."""
    try:
        yield hub
    finally:
        hub.stop()


def serve(folder: Path, login: str = "", port: int = 0) -> ThreadingHTTPServer:
    """A running web server that shows the repositories in ``folder`` to git.

    login: ``name:password`` that each request must bring, "" for none; port: 0 for any that is free
    """
    words = ["git", "--exec-path"]
    backend = Path(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip(), "git-http-backend")
    if not backend.is_file():
        pytest.skip("git http-backend is not installed")
    wanted = f"Basic {base64.b64encode(login.encode()).decode()}" if login else ""

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
            if wanted and self.headers.get("Authorization") != wanted:
                self.reply(401, [("WWW-Authenticate", 'Basic realm="memories"')], b"")
                return
            path, _, query = self.path.partition("?")
            environ = {
                **os.environ, "GIT_PROJECT_ROOT": str(folder), "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path,
                "REQUEST_METHOD": self.command, "QUERY_STRING": query, "REMOTE_USER": login.partition(":")[0],
                "CONTENT_TYPE": self.headers.get("Content-Type", ""), "CONTENT_LENGTH": str(len(body)),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""), "REMOTE_ADDR": "127.0.0.1",
            }  # fmt: skip
            done = subprocess.run([str(backend)], input=body, capture_output=True, env=environ, check=False)
            head, _, rest = done.stdout.partition(b"\r\n\r\n")
            lines = [(key, value) for key, _, value in (line.partition(": ") for line in head.decode().split("\r\n"))]
            status = dict(lines).get("Status", "200 OK")
            self.reply(int(status.split()[0]), [line for line in lines if line[0] not in ("", "Status")], rest)

        def reply(self, status: int, lines: list[tuple[str, str]], rest: bytes) -> None:
            self.send_response(status)
            for key, value in lines:
                self.send_header(key, value)
            self.send_header("Content-Length", str(len(rest)))
            self.end_headers()
            self.wfile.write(rest)

        def log_message(self, *words: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Backend)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server
