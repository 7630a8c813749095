"""Fetch and push over ssh, https and git:// in Python, where there is no git program (B11).

Measured and minded: dulwich says "successful" of refused refs, so each ref's status is looked at; its own fetch reads
refs anew after packing, so the refs are those the wants were chosen from.  Credentials stand in the URL or nowhere:
helpers are git's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from dulwich.client import GitClient
from dulwich.object_store import DiskObjectStore
from dulwich.objects import ZERO_SHA, Commit, ObjectID, ShaFile
from dulwich.pack import UnpackedObject, pack_objects_to_data

from gitmem.errors import GitmemError
from gitmem.history.ownrefs import own_refs
from gitmem.history.pack import NUMBERS
from gitmem.history.remote import Remote
from gitmem.history.repo import Repo
from gitmem.history.transport import (
    DECLINED,
    DONE,
    FETCHED,
    MOVED,
    Push,
    Result,
    Seen,
    check_forward,
    judged,
)
from gitmem.history.transport_client import ssh_command, with_client
from gitmem.history.transport_objects import missing_objects
from gitmem.history.transport_watch import without_progress

PATIENCE_S = 60.0  # without a byte from a web server


class DulwichTransport:
    """One remote, by dulwich's clients."""

    def __init__(self, repo: Repo, remote: Remote, environ: Mapping[str, str], *, asks: bool) -> None:
        self.repo, self.remote, self.ssh = repo, remote, ssh_command(environ, asks)
        self.patience = PATIENCE_S

    def look(self) -> Seen:
        def ask(client: GitClient, path: bytes) -> Seen:
            found = client.get_refs(path)
            symrefs = {bytes(key): bytes(value) for key, value in (found.symrefs or {}).items() if value}
            return Seen(_plain(found.refs), symrefs.get(b"HEAD", b"").decode("utf-8", "surrogateescape"))

        found: Seen = self._with_client(self.remote.url, ask)
        return found

    def fetch(self, branch: str) -> Seen:
        wanted: dict[str, str] = {}
        store = DiskObjectStore(self.repo.objects.folder)

        def wants(refs: Mapping[Any, Any], depth: int | None = None) -> list[Any]:  # noqa: ARG001 - as dulwich calls it
            for ref, name in _plain(refs).items():
                if ref == f"refs/heads/{branch}" or ref.startswith(FETCHED):
                    wanted[ref] = name
            return [each for name in dict.fromkeys(wanted.values()) if (each := ObjectID(name.encode())) not in store]

        def ask(client: GitClient, path: bytes) -> Seen:
            file, commit, abort = store.add_pack()
            try:
                client.fetch_pack(path, wants, _Walker(self.repo), file.write)
                if file.tell():
                    commit()
                else:
                    abort()
            except BaseException:
                abort()
                raise
            return Seen(dict(wanted))

        try:
            found: Seen = self._with_client(self.remote.url, ask)
            return found
        finally:
            store.close()
            self.repo.objects.close()

    def push(self, pushes: Sequence[Push]) -> dict[str, Result]:
        check_forward(self.repo, pushes)
        early: dict[str, Result] = {}
        heard: list[bytes] = []

        def changed(refs: Mapping[Any, Any]) -> dict[Any, Any]:
            there = _plain(refs)
            moves: dict[Any, Any] = {}
            for push in pushes:
                now = there.get(push.ref, "")
                if now == push.new:
                    early[push.ref] = Result(DONE)
                elif now != push.old:
                    early[push.ref] = Result(MOVED, "somebody else moved it")
                else:
                    moves[push.ref.encode()] = push.new.encode() if push.new else ZERO_SHA
            return moves

        def packed(have: Any, want: Any, **_: Any) -> tuple[int, Iterator[UnpackedObject]]:
            known = [name.decode() for name in have]
            made = missing_objects(self.repo, [name.decode() for name in want if name != ZERO_SHA], known)
            shas = [(ShaFile.from_raw_string(NUMBERS[kind], data), None) for _, kind, data in made]
            return pack_objects_to_data(shas, deltify=False)

        def ask(client: GitClient, path: bytes) -> Mapping[Any, Any]:
            return client.send_pack(path, changed, packed, heard.append).ref_status or {}

        said = self._with_client(self.remote.push_url, ask)
        found = dict(early)
        for push in pushes:
            if push.ref not in found:
                status = said.get(push.ref.encode(), "the remote did not say what became of it")
                found[push.ref] = Result(DONE) if status is None else _refusal(str(status), b"".join(heard))
        return self._looked_up(pushes, found)

    def _looked_up(self, pushes: Sequence[Push], found: dict[str, Result]) -> dict[str, Result]:
        """A server that reports nothing is asked what it has now."""
        if all(result.state != DECLINED or "did not say" not in result.said for result in found.values()):
            return found
        there = self.look().refs
        return {push.ref: Result(DONE) if there.get(push.ref, "") == push.new else found[push.ref] for push in pushes}

    def _with_client(self, url: str, ask: Callable[[GitClient, bytes], Any]) -> Any:
        return with_client(url, ask, ssh=self.ssh, patience_s=self.patience)


class _Walker:
    """What dulwich asks for the commits this repository has."""

    def __init__(self, repo: Repo) -> None:
        self.repo = repo
        self.waiting = sorted({name for name in own_refs(repo.git, "refs/").values() if self._is_commit(name)})
        self.given: set[str] = set()
        self.known: set[str] = set()
        self.shallow: set[bytes] = set()
        self.unshallow: set[bytes] = set()

    def _is_commit(self, name: str) -> bool:
        try:
            return self.repo.objects.read_any(name)[0] == Commit.type_name.decode()
        except GitmemError:
            return False

    def ack(self, sha: bytes) -> None:
        """The other side has this one, so what lies behind it need not be offered."""
        self.known.add(sha.decode())

    def __next__(self) -> ObjectID | None:
        while self.waiting:
            name = self.waiting.pop()
            if name in self.given:
                continue
            self.given.add(name)
            if name not in self.known:
                self.waiting[:0] = self.repo.commit(name).parents
            return ObjectID(name.encode())
        return None

    next = __next__

    def nak(self) -> None:
        """The other side has none of the last; the walk goes on."""


def _plain(refs: Mapping[Any, Any]) -> dict[str, str]:
    return {
        ref.decode("utf-8", "surrogateescape"): name.decode()
        for ref, name in refs.items()
        if name and name != ZERO_SHA and not ref.endswith(b"^{}")
    }


def _refusal(status: str, heard: bytes) -> Result:
    """Why a ref was not taken, with what the remote wrote beside."""
    result = judged(status)
    words = "; ".join(without_progress(heard.decode("utf-8", "replace")).splitlines())[:200]
    return Result(result.state, f"{status}: {words}" if words and result.state == DECLINED else status)
