"""What a writer leaves for the next one: the write under way, and the last writes that were acknowledged.

Records of NUL-ended words, since a path may hold anything else and importing json costs a cold process 10 ms.
"""

from __future__ import annotations

import os

from gitmem.history.objects import remove, write_all
from gitmem.limits import RECENT_WRITES
from gitmem.store.paths import inflight, recent_writes

NONE = "-"
STOP = b"\0.\0"
NEW = ".new"
MAX_RECENT_BYTES = 64 * 1024  # of records; then the file is written anew


class Write:
    """One file of one write: blob id before and after, "" for no file."""

    __slots__ = ("new", "old", "path")

    def __init__(self, path: str, old: str, new: str) -> None:
        self.path, self.old, self.new = path, old, new


class Inflight:
    """A write that had begun to touch files.

    commit: the commit that was to be published last, ready on disk
    parent: the branch's commit at that time, "" for none
    locks:  (inode, path) of git's locks it meant to take
    temps:  files it made
    advances: the commit was there before: the branch was to move to it, as after a fetch
    drops:  (ref, id) of gitmem's own refs that go once the branch has moved
    """

    __slots__ = ("advances", "commit", "drops", "locks", "parent", "ref", "temps", "writes")

    def __init__(self, ref: str, parent: str, commit: str) -> None:
        self.ref, self.parent, self.commit = ref, parent, commit
        self.locks: list[tuple[int, str]] = []
        self.advances = False
        self.drops: list[tuple[str, str]] = []
        self.temps: list[str] = []
        self.writes: list[Write] = []

    def save(self, git_dir: str) -> None:
        """Write the journal, synced."""
        fd = self.write(git_dir)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
        self.finish(git_dir)

    def write(self, git_dir: str) -> int:
        """Write the journal aside; the open file is to be synced and closed, then ``finish``."""
        words = ["head", self.ref, self.parent or NONE, self.commit]
        for inode, path in self.locks:
            words += ["lock", str(inode), path]
        for path in self.temps:
            words += ["temp", path]
        if self.advances:
            words.append("advance")
        for ref, old in self.drops:
            words += ["drop", ref, old]
        for write in self.writes:
            words += ["file", write.old or NONE, write.new or NONE, write.path]
        return _open(inflight(git_dir) + NEW, words)

    def finish(self, git_dir: str) -> None:
        os.replace(inflight(git_dir) + NEW, inflight(git_dir))


def load_inflight(git_dir: str) -> Inflight | None:
    """The write a killed process left; None when there is none.  Call with the writer lock held."""
    words = _load(inflight(git_dir))
    if len(words) < 4 or words[0] != "head":
        return None
    found, at = Inflight(words[1], _word(words[2]), words[3]), 4
    try:
        while at < len(words):
            kind = words[at]
            if kind == "lock":
                found.locks.append((int(words[at + 1]), words[at + 2]))
            elif kind == "temp":
                found.temps.append(words[at + 1])
            elif kind == "advance":
                found.advances = True
            elif kind == "drop":
                found.drops.append((words[at + 1], words[at + 2]))
            elif kind == "file":
                found.writes.append(Write(words[at + 3], _word(words[at + 1]), _word(words[at + 2])))
            at += {"lock": 3, "temp": 2, "advance": 1, "drop": 3, "file": 4}[kind]
    except (KeyError, IndexError, ValueError):  # cut by a power failure: what was read is still ours
        pass
    return found


def forget_inflight(git_dir: str) -> None:
    remove(inflight(git_dir))


class Recent:
    """The last acknowledged writes, kept as records added to one file.

    A record ends with the tip and a full stop, so that the usual question is answered from the end of the file, and
    half a record that a kill left behind is seen.
    tip:   the branch's commit after the last of them, "" when unknown
    index: key of git's index after it, as text; another key means that somebody wrote the index since
    """

    __slots__ = ("_data", "index", "tip")

    def __init__(self, data: bytes) -> None:
        self._data = data[: data.rfind(STOP) + len(STOP)] if STOP in data else b""
        last = self._data[: -len(STOP)].rsplit(b"\0", 2)[-2:] if self._data else [b"", b""]
        self.tip, self.index = last[0].decode("latin-1"), last[1].decode("latin-1")

    def __bool__(self) -> bool:
        return bool(self._data)

    def writes(self) -> list[Write]:
        """The last RECENT_WRITES writes, oldest first."""
        found: list[Write] = []
        for record in self._data.split(STOP)[:-1]:
            words = record.decode("utf-8", "surrogateescape").split("\0")[:-2]
            rows = range(0, len(words) - 2, 3)
            found += [Write(words[row + 2], _word(words[row]), _word(words[row + 1])) for row in rows]
        return found[-RECENT_WRITES:]

    def add(self, git_dir: str, tip: str, index: str, writes: list[Write]) -> None:
        """Note ``writes``; appended, since replacing a file makes the file system flush it."""
        path = recent_writes(git_dir)
        if len(self._data) > MAX_RECENT_BYTES:
            self._data = _record(tip, index, self.writes() + writes)
            with open(path + NEW, "wb") as file:
                file.write(self._data)
            os.replace(path + NEW, path)
            return
        record = _record(tip, index, writes)
        fd = os.open(path, os.O_CREAT | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
        try:
            os.ftruncate(fd, len(self._data))
            os.lseek(fd, 0, os.SEEK_END)
            write_all(fd, record)
        finally:
            os.close(fd)
        self._data += record


def _record(tip: str, index: str, writes: list[Write]) -> bytes:
    words = []
    for write in writes[-RECENT_WRITES:]:
        words += [write.old or NONE, write.new or NONE, write.path]
    return "\0".join([*words, tip, index]).encode("utf-8", "surrogateescape") + STOP


def load_recent(git_dir: str) -> Recent:
    try:
        with open(recent_writes(git_dir), "rb") as file:
            return Recent(file.read())
    except FileNotFoundError:
        return Recent(b"")


def _word(text: str) -> str:
    return "" if text == NONE else text


def _load(path: str) -> list[str]:
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return []
    return text.split("\0")[:-1]


def _open(path: str, words: list[str]) -> int:
    fd = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_BINARY", 0), 0o600)
    try:
        write_all(fd, "".join([word + "\0" for word in words]).encode("utf-8", "surrogateescape"))
    except BaseException:
        os.close(fd)
        raise
    return fd
