"""dulwich's clients for one remote: the person's ssh, a limit to waiting, and errors in words a person can read."""

from __future__ import annotations

import re
import shlex
import ssl
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from dulwich.client import GitClient, HTTPUnauthorized, default_urllib3_manager, get_transport_and_path
from dulwich.errors import GitProtocolError, HangupException, NotGitRepository, SendPackError

from gitmem.errors import GitmemError
from gitmem.history.config import person_files, read_config
from gitmem.history.remote import kind_of
from gitmem.history.transport_said import failure

SSH = "ssh -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4"  # where the person chose nothing
STATUS = re.compile(r"unexpected http resp (\d+)")
TROUBLE = (OSError, GitProtocolError, HangupException, NotGitRepository, SendPackError, HTTPUnauthorized, ValueError)


def with_client(url: str, ask: Callable[[GitClient, bytes], Any], *, ssh: str, patience_s: float) -> Any:
    """What ``ask`` gives, asked with a client for ``url`` and the path there.

    ssh:        the command that goes to a host; see ``ssh_command``
    patience_s: without a byte from a web server, after which it is given up
    raises:     Unreachable, RemoteRefused
    """
    pool = _patient_pool(url, patience_s) if kind_of(url) == "http" else None
    try:
        client, path = get_transport_and_path(url, thin_packs=False, quiet=True, ssh_command=ssh, pool_manager=pool)
        return ask(client, path.encode("utf-8", "surrogateescape"))
    except GitmemError:
        raise
    except TROUBLE as error:
        raise failure(url, _said(error, url), has_git=False) from error
    except Exception as error:
        if type(error).__module__.partition(".")[0] not in ("urllib3", "dulwich"):
            raise
        raise failure(url, _said(error, url), has_git=False) from error


def ssh_command(environ: Mapping[str, str], asks: bool) -> str:
    """What git would start: of the environment, else of the person's own configuration, else ssh itself."""
    if environ.get("GIT_SSH_COMMAND"):
        return environ["GIT_SSH_COMMAND"]
    for file in reversed(person_files(environ)):
        if chosen := read_config(file).get("core.sshcommand", [""])[-1]:
            return chosen
    if environ.get("GIT_SSH"):
        return shlex.quote(environ["GIT_SSH"])
    return SSH if asks else f"{SSH} -o BatchMode=yes"


def _patient_pool(url: str, limit_s: float) -> Any:
    """Connections that are given up when nothing comes for so long, and are not tried again and again."""
    from urllib3.util import Retry  # a folder and ssh need none of it

    pool: Any = default_urllib3_manager(None, base_url=url, timeout=limit_s)
    pool.connection_pool_kw["retries"] = Retry(connect=0, read=0, redirect=5, other=0)
    return pool


def _said(error: BaseException, url: str) -> str:
    """What went wrong, in the words git has for it: a library's own are no sentence for a person."""
    lines = getattr(error, "stderr_lines", None) or []
    if lines:
        return b"\n".join(lines).decode("utf-8", "replace")
    if isinstance(error, HTTPUnauthorized):
        return "Authentication failed" if urlsplit(url).password else "could not read Password"
    if isinstance(error, NotGitRepository):
        return "not found"
    if status := STATUS.search(str(error)):
        return f"The requested URL returned error: {status[1]}"
    for each in _causes(error):
        if isinstance(each, FileNotFoundError) and each.filename and kind_of(url) == "ssh":
            return f"cannot run {each.filename}: {each.strerror}"
        if isinstance(each, TimeoutError) or "timed out" in str(each):
            return "Connection timed out"
        if isinstance(each, ssl.SSLCertVerificationError):
            return f"SSL certificate problem: {each.verify_message}"
        if isinstance(each, OSError) and each.strerror:
            return each.strerror
    return f"fatal: {error}"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and those it came from, the first one last."""
    seen: list[BaseException] = []
    each: object = error
    while isinstance(each, BaseException) and each not in seen:
        seen.append(each)
        each = getattr(each, "reason", None) or each.__cause__ or each.__context__
    return reversed(seen)
