"""Fetch and push by git's own program: its credential helpers, ssh and https are the person's, and fast at any size.

It never reads the store's configuration, which may be a stranger's: it works in a small repository of its own, with
nothing in it but the refs it is told and the store's objects.  So no ``core.sshCommand``, ``credential.helper``,
``insteadOf``, ``uploadpack``, hook or monitor of a store is ever run; those of the person's own configuration are.
"""

from __future__ import annotations

import os
import subprocess

from gitmem.errors import StoreUnwritable
from gitmem.history.config import person_files, read_config
from gitmem.history.objects import remove
from gitmem.history.ownrefs import own_refs
from gitmem.history.remote import kind_of, shown_url
from gitmem.history.remote_config import SHARED
from gitmem.history.transport import (
    DECLINED,
    DONE,
    Push,
    RemoteRefused,
    Result,
    Seen,
    Unreachable,
    check_forward,
    judged,
)
from gitmem.history.transport_watch import run_watched
from gitmem.memory.document import blob_id
from gitmem.store.gitdir import GitDir
from gitmem.store.paths import MACHINE_BRANCHES, OWN_REFS, transport, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.errors import GitmemError
    from gitmem.history.remote import Remote
    from gitmem.history.repo import Repo

HARMLESS = (
    f"core.hooksPath={os.devnull}", "core.fsmonitor=false", "protocol.ext.allow=never", "gc.auto=0",
    "maintenance.auto=false", "push.gpgSign=false", "push.followTags=false", "push.recurseSubmodules=no",
    "fetch.recurseSubmodules=no", "fetch.writeCommitGraph=false", "submodule.recurse=false", "advice.all=false",
    "http.lowSpeedLimit=100", "http.lowSpeedTime=60",
)  # fmt: skip
ALLOWED = "file:git:http:https:ssh"
PLACES = (  # what names another repository, as in a hook that git runs
    "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_QUARANTINE_PATH", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE",
    "GIT_REPLACE_REF_BASE", "GIT_CONFIG", "GIT_REFLOG_ACTION", "GIT_IMPLICIT_WORK_TREE", "GIT_INTERNAL_SUPER_PREFIX",
)  # fmt: skip
SSH = "ssh -o BatchMode=yes -o ConnectTimeout=20"  # where nobody can answer, and the person chose nothing else
SEEN, HAVE = "refs/seen/", "refs/have/"
PATIENCE_S = 60.0  # without any progress, all tries together: a program that hangs would keep every later sync out
PATIENCE_ASKED_S = 300.0  # where a person may be looking for a password
MAX_REFS_A_CALL = 100  # of a push: a command line holds 32 KB on some systems


class GitTransport:
    """One remote, by git's program."""

    def __init__(self, repo: Repo, remote: Remote, environ: Mapping[str, str], *, asks: bool) -> None:
        self.repo, self.remote, self.is_ready, self.asks = repo, remote, False, asks
        self.patience, self.spent = PATIENCE_ASKED_S if asks else PATIENCE_S, 0.0
        self.place = os.path.join(transport(repo.git.common), blob_id(remote.name.encode())[:12])
        self.environ = _environment(environ, asks) | {
            "GIT_DIR": self.place,
            "GIT_OBJECT_DIRECTORY": os.path.join(repo.git.common, "objects"),
        }

    def look(self) -> Seen:
        self._prepare()
        done = self._git("ls-remote", "--symref", "--", self.remote.url)
        if done.returncode:
            raise _failure(self.remote.url, done.stderr)
        if not done.stdout and kind_of(self.remote.url) == "http":
            self._check_speaks_git()
        refs: dict[str, str] = {}
        head = ""
        for line in done.stdout.splitlines():
            name, _, ref = line.partition("\t")
            if name.startswith("ref: ") and ref == "HEAD":
                head = name[5:]
            elif not ref.endswith("^{}"):
                refs[ref] = name
        return Seen(refs, head)

    def _check_speaks_git(self) -> None:
        """raises: RemoteRefused when the server gives a page, as a network that asks for a login does

        git takes the page for the list of refs of an empty repository; only its trace tells the two apart.
        """
        done = self._git("ls-remote", "--", self.remote.url, trace="1")
        if not done.returncode and "packet:" not in done.stderr:
            from gitmem.history.transport_said import PAGE

            raise _failure(self.remote.url, PAGE)

    def fetch(self, branch: str) -> Seen:
        self._prepare()
        kinds = [f"+{OWN_REFS}{kind}/*:{SEEN}gitmem/{kind}/*" for kind in SHARED]
        specs = [*kinds, f"+{MACHINE_BRANCHES}*:{SEEN}heads/machine/*"]
        own = f"+refs/heads/{branch}:{SEEN}heads/{branch}"
        done = self._fetch([own, *specs])
        is_there = not (done.returncode and "couldn't find remote ref" in done.stderr.lower())
        if not is_there:
            done = self._fetch(specs)
        found = own_refs(GitDir(self.place, self.place), SEEN)
        if is_there and f"{SEEN}heads/{branch}" not in found and (not done.returncode or "shallow" in done.stderr):
            raise RemoteRefused(  # git leaves such a ref out, and says nothing where it is told to be quiet
                f"{shown_url(self.remote.url)} is a shallow repository: older commits of {branch} are not there, so it "
                "cannot be brought here",
                hint="there: git fetch --unshallow",
            )
        if done.returncode:
            raise _failure(self.remote.url, done.stderr)
        self.repo.objects.close()  # there are new packs
        return Seen({f"refs/{ref.removeprefix(SEEN)}": name for ref, name in found.items()})

    def _fetch(self, specs: Sequence[str]) -> subprocess.CompletedProcess[str]:
        words = ("--quiet", "--progress", "--no-tags", "--no-recurse-submodules")
        return self._git("fetch", *words, "--", self.remote.url, *specs)

    def push(self, pushes: Sequence[Push]) -> dict[str, Result]:
        check_forward(self.repo, pushes)
        if not self.is_ready:
            self._prepare()
        found: dict[str, Result] = {}
        for at in range(0, len(pushes), MAX_REFS_A_CALL):
            found |= self._push(pushes[at : at + MAX_REFS_A_CALL])
        return found

    def _push(self, pushes: Sequence[Push]) -> dict[str, Result]:
        leases = [f"--force-with-lease={push.ref}:{push.old}" for push in pushes]  # exact, and checked to be forward
        specs = [f"{push.new}:{push.ref}" for push in pushes]
        words = ("--porcelain", "--progress", "--no-verify")
        done = self._git("push", *words, *leases, "--", self.remote.push_url, *specs)
        found = _results(done.stdout, done.stderr)
        if not found and done.returncode:
            raise _failure(self.remote.push_url, done.stderr)
        if any(push.ref not in found for push in pushes):
            from gitmem.history.transport_said import first_reason

            unsaid = Result(DECLINED, first_reason(done.stderr) or "the remote did not say what became of it")
            return {push.ref: found.get(push.ref, unsaid) for push in pushes}
        return {push.ref: found[push.ref] for push in pushes}

    def _prepare(self) -> None:
        """The small repository, its refs those of the store whose objects are surely there."""
        try:
            if not self.is_ready:
                os.makedirs(os.path.join(self.place, "refs"), exist_ok=True)
                _write(os.path.join(self.place, "HEAD"), "ref: refs/heads/none\n")
                _write(os.path.join(self.place, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = true\n")
            self.is_ready = True
            for folder, _, files in os.walk(os.path.join(self.place, "refs"), topdown=False):
                for file in files:
                    remove(os.path.join(folder, file))
            have = set(own_refs(self.repo.git, "refs/").values())
            rows = [f"{name} {HAVE}{name}\n" for name in sorted(have)]
            _write(os.path.join(self.place, "packed-refs"), "".join(["# pack-refs with: \n", *rows]))
        except OSError as error:
            raise StoreUnwritable(
                f"{error.filename or self.place} cannot be written: {error.strerror}; nothing was synced",
                hint=f"ls -ld {typed(self.repo.git.common)}",
            ) from error

    def _git(self, *words: str, trace: str = "0") -> subprocess.CompletedProcess[str]:
        """Run git; the tries of one transport share the time it may stand still.

        raises: Unreachable when that is over
        """
        settings = [part for each in HARMLESS for part in ("-c", each)]
        limit = self.patience - self.spent
        try:
            done, idle = run_watched(
                ["git", *settings, *words], self.environ | {"GIT_TRACE_PACKET": trace}, self.repo.root, limit,
                is_apart=not self.asks,
            )  # fmt: skip
        except OSError as error:
            raise RemoteRefused(f"git cannot be started: {error.strerror}", hint="git --version") from error
        if done is None:
            raise Unreachable(f"{shown_url(self.remote.url)} did not answer for {self.patience:.0f} seconds")
        self.spent = self.spent + idle if done.returncode else 0.0
        return done


def _failure(url: str, said: str) -> GitmemError:
    from gitmem.history.transport_said import failure  # with re and urllib, which most syncs are spared

    return failure(url, said)


def _environment(environ: Mapping[str, str], asks: bool) -> dict[str, str]:
    """The person's own, without what names another repository."""
    clean = {key: value for key, value in environ.items() if key not in PLACES}
    clean |= {"LC_ALL": "C", "LANGUAGE": "C"}
    clean.setdefault("GIT_ALLOW_PROTOCOL", ALLOWED)
    if not asks:
        clean.setdefault("GIT_TERMINAL_PROMPT", "0")
        chosen = any("core.sshcommand" in read_config(file) for file in person_files(environ))
        if not chosen and not any(key in environ for key in ("GIT_SSH", "GIT_SSH_COMMAND")):
            clean["GIT_SSH_COMMAND"] = SSH
    return clean


def _results(said: str, more: str) -> dict[str, Result]:
    """What ``git push --porcelain`` tells of each ref; a remote's own words stand beside a refusal."""
    found: dict[str, Result] = {}
    remote = [line.partition(":")[2].strip() for line in more.splitlines() if line.startswith("remote:")]
    remote = [line for line in remote if line and not line.startswith("error: hook declined")]
    for line in said.splitlines():
        parts = line.split("\t")
        if len(parts) < 3 or len(parts[0]) != 1:
            continue
        ref = parts[1].rpartition(":")[2]
        if parts[0] != "!":
            found[ref] = Result(DONE)
            continue
        result = judged(parts[2])
        reason = parts[2].removeprefix("[remote rejected] ").strip("()")
        words = "; ".join(remote)[:200]
        found[ref] = Result(result.state, f"{reason}: {words}" if words and result.state == DECLINED else reason)
    return found


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
