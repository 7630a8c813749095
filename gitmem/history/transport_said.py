"""What a program, a library or a host said when a remote could not be used: one sentence, and what to type next.

A person who never saw git's own words reads these: what is meant comes first, a host's own reason behind it, and no
word of a library.
"""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from gitmem.dataclass import dataclass
from gitmem.errors import GitmemError
from gitmem.history.remote import kind_of, path_of, shown_url
from gitmem.history.transport import RemoteRefused, Unreachable
from gitmem.store.paths import typed

HOST, ALL = "host", "all"  # whose reason stands in the sentence: the host's own words alone, or a program's too
MAX_CHARS = 200  # of a reason
PAGE = "gave a page"  # what GitTransport says of a server that speaks no git
WAITED = re.compile(r" after \d+ ms")


@dataclass(frozen=True, slots=True)
class Trouble:
    """One kind of failure.

    marks: words that tell it, in lower case
    kind:  as ``RemoteRefused`` has it, "" for a remote that does not answer
    text, hint: the sentence and what to type; without: what to type where there is no git program, "" for the same
    tells: HOST, ALL or ""
    """

    marks: tuple[str, ...]
    kind: str
    text: str
    hint: str = ""
    without: str = ""
    tells: str = ""


LOGIN = "type them once in a terminal, with git ls-remote {typed}   (to have them kept, see git help credentials)"
IN_URL = "without a git program both stand in the URL: {login}"
PLACE = "is the place right? gitmem remote list{hub}"
TROUBLES = (  # the first that fits
    Trouble(
        ("detected dubious ownership", "unsafe repository"), "dubious",
        "{url} belongs to another user, and git does not open it",
        "if you trust it: git config --global --add safe.directory {path}", tells=ALL,
    ),
    Trouble(
        (PAGE, "invalid info/refs format", "redirected from url", "update url base from redirection"), "other",
        "what answers at {url} is no git server: it gave a page of its own, as a network that wants a login does",
        "open it in a browser, or look: git ls-remote {typed}", "open it in a browser",
    ),
    Trouble(
        ("cannot run ", "ssh: not found", "ssh: command not found"), "program",
        "the program that goes to {url} cannot be started", "is ssh installed? ssh -V", tells=ALL,
    ),
    Trouble(
        ("-pack: command not found", "-pack: not found"), "program",
        "the host of {url} has no git program, which a hub needs", "install git on that host",
    ),
    Trouble(
        ("remote host identification has changed",), "auth",
        "the host of {url} has another key than this machine knows: it was set up anew, or somebody stands in between",
        "ask whoever keeps it; if it was set up anew: ssh-keygen -R {known} && {ssh}",
    ),
    Trouble(
        ("no matching host key",), "auth",
        "the host of {url} has no kind of key that ssh here takes", "see what it has: {ssh}", tells=ALL,
    ),
    Trouble(
        ("host key verification failed",), "auth",
        "the host of {url} is not known yet", "look at its key once, and say yes: {ssh}",
    ),
    Trouble(
        ("permission denied (", "too many authentication failures"), "auth",
        "{url} did not let you in: it takes none of the keys that ssh has here",
        "try it alone: {ssh}   (your public key has to be known there)",
    ),
    Trouble(
        ("certificate problem", "certificate verification failed"), "auth",
        "this machine does not trust the certificate of {url}",
        "ask whoever keeps it; for a certificate of your own, see http.sslCAInfo in git help config",
        "ask whoever keeps it", tells=ALL,
    ),
    Trouble(
        ("could not read username", "could not read password", "terminal prompts disabled",
         "unable to read askpass"), "auth",
        "{url} did not let you in: it wants a name and a password", LOGIN, IN_URL,
    ),
    Trouble(
        ("authentication failed", "access denied", "error: 401", "invalid username or password",
         "no valid credentials", "logon failed"), "auth",
        "{url} did not let you in: the name or the password is not right", LOGIN, IN_URL, tells=HOST,
    ),
    Trouble(
        ("error: 403", " denied to "), "auth",
        "{url} did not let you in", "ask whoever keeps it to let you read and write there", tells=ALL,
    ),
    Trouble(
        ("no space left", "disk quota", "quota exceeded", "disk full", "unpacker error", "unpack failed",
         "insufficient permission for adding an object", "read-only file system"), "full",
        "{url} cannot store what is sent", "make room there, or let yourself write there; then: gitmem sync", tells=ALL,
    ),
    Trouble(
        ("does not appear to be a git repository", "not a git repository", "no such file or directory",
         "does not exist"), "gone",
        "there is no git repository at {url}", PLACE,
    ),
    Trouble(  # hosts say the same of what is not there and of what one may not see
        ("project you were looking for could not be found", "error: 404", "not found"), "gone",
        "there is no git repository at {url}, or none that you may see", PLACE,
    ),
    Trouble(
        ("not allowed", "unable to find remote helper"), "protocol",
        "{url} is no place gitmem syncs with", "gitmem remote list", tells=ALL,
    ),
    Trouble(
        ("could not resolve host", "could not resolve hostname", "name or service not known", "nodename nor servname",
         "temporary failure in name", "connection refused", "connection timed out", "operation timed out", "timed out",
         "network is unreachable", "no route to host", "failed to connect", "couldn't connect", "could not connect",
         "connection reset", "connection closed", "kex_exchange_identification", "hung up unexpectedly", "early eof",
         "broken pipe", "error: 429", "curl 52", "curl 56", "empty reply from server", "error: 500", "error: 502",
         "error: 503", "error: 504", "unexpected disconnect"), "",
        "{url} cannot be reached", tells=ALL,
    ),
)  # fmt: skip


def failure(url: str, said: str, *, has_git: bool = True) -> GitmemError:
    """What was said when nothing could be done, as a sentence: Unreachable or RemoteRefused.

    has_git: whether there is a git program here, whose commands may be typed
    """
    words = _words(url)
    reason = WAITED.sub("", first_reason(said.replace(url, words["url"])))
    low = said.lower()
    for trouble in TROUBLES:
        if not any(mark in low for mark in trouble.marks):
            continue
        text = trouble.text.format(**words)
        told = {ALL: reason, HOST: _of_host(said)}.get(trouble.tells, "")
        text += f" ({told})" if told else ""
        if not trouble.kind:
            return Unreachable(text)
        hint = trouble.hint if has_git or not trouble.without else trouble.without
        return RemoteRefused(text, hint=hint.format(**words), kind=trouble.kind)
    look = f"git ls-remote {words['typed']}" if has_git else PLACE.format(**words)
    return RemoteRefused(f"{words['url']}: {reason or 'no reason was given'}", hint=look)


def first_reason(said: str) -> str:
    """The line that says why, without git's labels."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    marked = [line for line in lines if line.lower().startswith(("fatal:", "error:", "ssh:", "remote:"))] or lines
    for line in marked:
        text = _unlabelled(line)
        if text.startswith("unable to access '"):
            text = text.partition("': ")[2]
        if text and "could not read from remote repository" not in text.lower():
            return _plain(text)
    return ""


def _of_host(said: str) -> str:
    """The first line the host itself wrote, "" for none."""
    lines = (line.strip() for line in said.splitlines())
    return next((_plain(text) for line in lines if line.startswith("remote:") and (text := _unlabelled(line))), "")


def _unlabelled(line: str) -> str:
    while (label := line.partition(":")[0].lower()) in ("fatal", "error", "remote"):
        line = line[len(label) + 1 :].strip()
    return line


def _plain(text: str) -> str:
    return "".join(mark if mark.isprintable() else " " for mark in text)[:MAX_CHARS]


def _words(url: str) -> dict[str, str]:
    """What a sentence may name: the place, and the commands that look at it."""
    is_path = kind_of(url) == "path"
    path = typed(path_of(url) if is_path else shown_url(url))
    login, port = _login(url)
    host = login.rpartition("@")[2]
    return {
        "url": shown_url(url),
        "path": path,
        "typed": typed(shown_url(url)),
        "hub": f"   (to make a hub there, type git init --bare {path})" if is_path else "",
        "ssh": f"ssh -T {f'-p {port} ' if port else ''}{typed(login)}",
        "known": typed(f"[{host}]:{port}" if port else host),
        "login": _with_login(url),
    }


def _login(url: str) -> tuple[str, str]:
    """``person@host`` as ssh takes it, and the port, "" for the usual one."""
    if "://" not in url:
        return url.partition(":")[0], ""
    parts = urlsplit(url)
    at = parts.netloc.rpartition("@")[2]
    port = at.rpartition(":")[2] if not at.endswith("]") and ":" in at else ""
    host = at.removesuffix(f":{port}").strip("[]") if port else at.strip("[]")
    return (f"{parts.username}@{host}" if parts.username else host), port if port.isdigit() else ""


def _with_login(url: str) -> str:
    """The URL with the words NAME and PASSWORD where a person puts them."""
    if kind_of(url) != "http":
        return shown_url(url)
    parts: SplitResult = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"NAME:PASSWORD@{parts.netloc.rpartition('@')[2]}"))
