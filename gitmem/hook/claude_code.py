"""Claude Code's events and its form of an answer."""

from __future__ import annotations

from gitmem.hook.event import Event, json_object, json_string, whole

WITH_HISTORY = ("resume", "fork")
TASK_NOTICE = "<task-notification>"
OWN_MEMORY = "/memory"  # the folder of the host's own memory, beside a project's transcripts
NAMES = {"prompt": "UserPromptSubmit", "session-start": "SessionStart", "turn-end": "Stop"}


def read_event(kind: str, data: bytes) -> Event | None:
    """The event in ``data``, None when it needs no answer.

    A resumed session and a fork have the prefix in their history already; after a compaction it is gone.  The host
    tells of a background task's end as if it were a prompt, in a person's place but not in a person's words.

    raises: KeyError for an event gitmem does not know, ValueError for data that is not the event ``kind``
    """
    name, fields = NAMES[kind], json_object(data)
    if fields.get("hook_event_name", name) != name:
        raise ValueError("another event")
    if kind == "session-start" and fields.get("source") in WITH_HISTORY:
        return None
    prompt = whole(fields.get("prompt"))
    if prompt.startswith(TASK_NOTICE):
        return None
    said = whole(fields.get("last_assistant_message"))
    folder, transcript = whole(fields.get("cwd")), whole(fields.get("transcript_path"))
    known = transcript.replace("\\", "/").rpartition("/")[0] + OWN_MEMORY if transcript else ""
    return Event(kind, name, whole(fields.get("session_id")), prompt, said, folder, known)


def answer(event: Event, text: str) -> bytes:
    """``text`` as the host reads it: these keys and no others, or it is dropped."""
    said = f'{{"hookSpecificOutput":{{"hookEventName":"{event.name}","additionalContext":{json_string(text)}}}}}'
    return said.encode("ascii")
