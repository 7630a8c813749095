"""``events.jsonl``: what went wrong in a hook, without the question and without any memory's text."""

from __future__ import annotations

import os

from gitmem.hook.event import json_string
from gitmem.limits import MAX_EVENTS_BYTES
from gitmem.store.gitdir import find_git_dir
from gitmem.store.paths import events, state

EARLIER = ".1"  # the last full file; the one before is dropped


def note(root: str, event: str, host: str, error: BaseException, when: int) -> None:
    """Add one line on ``error``: its class, its number and where it was raised; never raises.

    An exception's message may quote a prompt, so it is left out.
    """
    try:
        git = find_git_dir(root)
        if git is None:
            return
        path = events(git.path)
        number = getattr(error, "errno", None) or 0
        line = (
            f'{{"when": {when}, "door": "hook", "event": {json_string(event)}, "host": {json_string(host)}, '
            f'"error": "{type(error).__name__}", "errno": {number}, "at": {json_string(_place(error))}}}\n'
        )
        os.makedirs(state(git.path), exist_ok=True)
        target = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            size = os.fstat(target).st_size
            os.write(target, line.encode("utf-8", "replace"))
        finally:
            os.close(target)
        if size > MAX_EVENTS_BYTES:
            os.replace(path, path + EARLIER)
    except Exception:
        return


def _place(error: BaseException) -> str:
    """``gitmem/recall/choose.py:40`` of the innermost frame, "" when it was never raised."""
    step = error.__traceback__
    if step is None:
        return ""
    while step.tb_next is not None:
        step = step.tb_next
    file = step.tb_frame.f_code.co_filename.replace("\\", "/")
    return f"{'/'.join(file.split('/')[-3:])}:{step.tb_lineno}"
