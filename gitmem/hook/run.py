"""The hook: a host's event on stdin, the block for the model on stdout, exit code 0 whatever happens.

Nothing else may reach the host: its file descriptors 1 and 2 are taken away before the work starts,
so that no warning, traceback or child can write there.  On any trouble the
answer is empty and one line goes to ``events.jsonl``.

Hot: the cheap set, and ``_thread`` (built in) for the guard.  Each module read costs 2 % of a bare
interpreter, so what a silent prompt does not need is imported where it is used.
"""

from __future__ import annotations

import _thread
import os
import sys
import time

from gitmem.hook import claude_code
from gitmem.hook.event import Event
from gitmem.limits import HOOK_DEADLINE_MS, HOOK_GUARD_MS, MAX_EVENT_BYTES
from gitmem.recall.choose import recall
from gitmem.store.gitdir import find_git_dir
from gitmem.store.place import find_store, has_scopes

TYPE_CHECKING = False
if TYPE_CHECKING:
    Seen = dict[str, list[tuple[str, str]]]  # store -> path and revision of each memory

HOSTS = {"claude-code": claude_code}
OPENING = "[gitmem "  # how a block of ours begins, should a host feed it back
NOTE_S = 0.05  # for the line in events.jsonl, when all else hangs


class Call:
    """What the installer wrote on the command line.

    event:    "prompt", "session-start" or "turn-end"
    host:     a key of HOSTS
    store:    path of the store, None to find it
    packages: folder that holds yaml when it is not the one that holds gitmem, "" otherwise
    """

    __slots__ = ("event", "host", "packages", "store")

    def __init__(self, argv: list[str]) -> None:
        self.event, rest = "", iter(argv)
        words: dict[str, str] = {}
        for word in rest:
            name, equals, value = word.partition("=")
            if not word.startswith("--"):
                self.event = self.event or word
            elif equals or (value := next(rest, "")):
                words[name] = value
        self.host = words.get("--host", "")
        self.store = words.get("--store")
        self.packages = words.get("--packages", "")


def main(argv: list[str]) -> None:
    """Answer one event and end the process with 0.

    argv: EVENT --host HOST [--store PATH] [--packages FOLDER], in any order
    """
    try:
        out = _take_stdout()
        _answer(Call(argv), out, time.monotonic())
    finally:
        os._exit(0)


def _take_stdout() -> int:
    """The host's stdout as a private descriptor; 1 and 2 lead nowhere from here on."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    while nowhere <= 2:  # the host closed one of them; no file of ours may come to stand there
        nowhere = os.dup(nowhere)
    out = os.dup(1)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return out


def _answer(call: Call, out: int, started: float) -> None:
    root = find_store(call.store, os.environ)
    speaking = _thread.allocate_lock()
    _thread.start_new_thread(_guard, (root, call, speaking))
    try:
        host = HOSTS[call.host]
        event = host.read_event(call.event, _read_stdin())
        if event is None:
            return
        if call.packages:
            sys.path.append(call.packages)
        if event.kind == "turn-end":
            from gitmem.hook.cite import note_cited

            for store in _stores(event, root):
                note_cited(store, event, int(time.time()))
            return
        text, seen, stale = _text(event, root, started + HOOK_DEADLINE_MS / 1000)
        if text and speaking.acquire(False):
            _write(out, host.answer(event, text))
            for store, memories in seen.items():
                _note_injected(store, call, event, memories)
        if stale:
            from gitmem.hook.refresh import start_refresh

            os.chdir(_folder(event))  # the refresh also finds out which project this is
            for store, key in stale.items():
                start_refresh(store, call.packages, int(time.time()), os.environ, key)
    except BaseException as error:
        _note(root, call, error)


def _guard(root: str, call: Call, speaking: _thread.LockType) -> None:
    """End the process in silence when something hangs: a stalled disk, a stdin that is never closed.

    A thread, not a signal: it also runs while SQLite or a read holds the main thread, and on Windows.
    """
    time.sleep(HOOK_GUARD_MS / 1000)
    if speaking.acquire(False):
        _thread.start_new_thread(_note, (root, call, TimeoutError()))  # it may hang on the same disk
    time.sleep(NOTE_S)
    os._exit(0)


def _note(root: str, call: Call, error: BaseException) -> None:
    from gitmem.hook.log import note

    note(root, call.event, call.host, error, int(time.time()))


def _note_injected(root: str, call: Call, event: Event, seen: list[tuple[str, str]]) -> None:
    """Tell the ledger, once the host has its answer; that it cannot be written is one line in ``events.jsonl``."""
    from gitmem.ledger.access import append

    git = find_git_dir(root)
    try:
        if git is not None:
            append(git.common, "injected", event.session, seen, int(time.time()))
    except OSError as error:
        _note(root, call, error)


def _folder(event: Event) -> str:
    """Where the host works, absolute."""
    return event.folder if os.path.isabs(event.folder) and os.path.isdir(event.folder) else os.getcwd()


def _stores(event: Event, root: str) -> list[str]:
    """The stores that prompts of this folder ask."""
    if not has_scopes(root, _folder(event), os.environ):
        return [root]
    from gitmem.store.scope import scopes_of

    return [source.root for source in scopes_of(root, _folder(event), os.environ).sources]


def _text(event: Event, root: str, deadline: float) -> tuple[str, Seen, dict[str, str]]:
    """The block for the model, "" for none; the memories in it, by store; the stores whose index is to be refreshed.

    A store has the folder beside it that no refresh has told the project of yet, else "".  A session's start names no
    memories, and the index is refreshed then.
    """
    folder = _folder(event)
    scopes = None
    if has_scopes(root, folder, os.environ):
        from gitmem.store.scope import scopes_of  # most prompts ask the user's store, whole

        scopes = scopes_of(root, folder, os.environ)
    git = find_git_dir(root)
    if git is None:
        if scopes is None or len(scopes.sources) < 2:
            return "", {}, {}
        scopes.sources = [each for each in scopes.sources if each.root != root]
        git = find_git_dir(scopes.sources[0].root)
        assert git is not None  # scopes_of looked
    unknown = {root: folder} if scopes is not None and not scopes.is_known else {}
    if event.kind == "session-start":
        from gitmem.prompt.frame import frame_nonce
        from gitmem.prompt.prefix import session_prefix

        nonce, stores = frame_nonce(git.path, event.session), scopes.sources if scopes is not None else None
        block = session_prefix(root, nonce, int(time.time()), sources=stores, known=event.known)
        return block.text, {}, {each.root: unknown.get(each.root, "") for each in stores} if stores else {root: ""}
    question = event.question
    if OPENING in question:
        from gitmem.memory.clean import strip_own_blocks

        question = strip_own_blocks(question)
    if not question or question.isspace():
        return "", {}, {}
    when = int(time.time())
    if scopes is None:
        found = recall(root, question, when, deadline=deadline)
        roots, stale = [root] * len(found.hits), {root: ""} if found.needs_refresh else {}
    else:
        from gitmem.recall.several import recall_several

        answer = recall_several(scopes.sources, question, when, deadline=deadline)
        found, roots, stale = answer.recall, answer.roots, dict.fromkeys(answer.stale, "") | unknown
    if not found.hits:
        return "", {}, stale
    from gitmem.prompt.block import prompt_block
    from gitmem.prompt.frame import frame_nonce

    block = prompt_block(found, frame_nonce(git.path, event.session), when)
    seen: Seen = {}
    for hit, store in zip(found.hits, roots, strict=True):
        if hit in block.injected:
            seen.setdefault(store, []).append((hit.path, hit.revision))
    return block.text, seen, stale


def _read_stdin() -> bytes:
    """The event; raises ValueError when it is larger than any host sends."""
    parts, size = [], 0
    while part := os.read(0, 1 << 16):
        size += len(part)
        if size <= MAX_EVENT_BYTES:
            parts.append(part)
    if size > MAX_EVENT_BYTES:  # read to its end all the same: a host may call a broken pipe an error
        raise ValueError("event too large")
    return b"".join(parts)


def _write(out: int, data: bytes) -> None:
    while data:
        data = data[os.write(out, data) :]
