"""Question sets, and real stores made of them.

A set is a JSON file ``{"corpus": {id: {"title", "text", "tags"?, "conv"?, "date"?}}, "queries": {id: text},
"qrels": {id: {doc id: 1}}, "meta"?: {"unrelated": {group: [prompt]}}}``.
"""

from __future__ import annotations

import json
from pathlib import Path

from gitmem.dataclass import dataclass, field
from gitmem.errors import Usage
from gitmem.history.repo import create_repo
from gitmem.memory.splice import new_memory


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a set; ``conv`` and ``date`` are "" when it belongs to no conversation."""

    id: str
    title: str
    text: str
    tags: tuple[str, ...] = ()
    conv: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Documents, questions, and which documents answer them.

    unrelated: prompts that no document answers
    """

    name: str
    documents: list[Document]
    questions: dict[str, str]
    gold: dict[str, frozenset[str]]
    unrelated: list[str] = field(default_factory=list)

    def conversations(self) -> bool:
        """Whether questions are asked within one conversation."""
        return any(document.conv for document in self.documents)

    def turns(self) -> bool:
        """Whether the documents are turns of dated sessions."""
        return any(document.date for document in self.documents)


def read_set(path: str) -> QuestionSet:
    """The set in the file ``path``; raises Usage naming what is wrong with it."""
    try:
        raw = json.loads(Path(path).read_text(encoding="utf-8"))
        documents = [
            Document(
                key,
                each.get("title", ""),
                each["text"],
                tuple(each.get("tags", "").split()),
                each.get("conv", ""),
                each.get("date", ""),
            )
            for key, each in raw["corpus"].items()
        ]
        gold = {key: frozenset(raw["qrels"][key]) for key in raw["queries"]}
        unrelated = [prompt for group in raw.get("meta", {}).get("unrelated", {}).values() for prompt in group]
        return QuestionSet(Path(path).stem, documents, dict(raw["queries"]), gold, unrelated)
    except OSError as error:
        raise Usage(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise Usage(f"{path} is no question set: it needs corpus, queries and qrels ({error!r})") from error


def write_documents(root: str, documents: list[Document], top: str = "") -> dict[str, str]:
    """Each document as one memory, in a folder per conversation; gives path -> document id."""
    paths: dict[str, str] = {}
    for document in documents:
        folder = "/".join(part for part in (top, document.conv) if part)
        path = f"{folder}/{_stem(document.id)}.md" if folder else f"{_stem(document.id)}.md"
        _write(root, path, document.title, document.tags, document.text)
        paths[path] = document.id
    return paths


def write_sessions(root: str, documents: list[Document]) -> dict[tuple[str, str], str]:
    """Each session as one memory with a section per turn; gives (path, heading) -> document id."""
    sessions: dict[tuple[str, str], list[Document]] = {}
    for document in documents:
        sessions.setdefault((document.conv, document.date), []).append(document)
    places: dict[tuple[str, str], str] = {}
    for number, ((conv, date), turns) in enumerate(sessions.items()):
        path = f"{conv}/session-{number}.md"
        body = "\n\n".join(f"## {at}\n\n{turn.text}" for at, turn in enumerate(turns))
        _write(root, path, date, (), body)
        places.update({(path, str(at)): turn.id for at, turn in enumerate(turns)})
    return places


def empty_store(root: str) -> None:
    """A repository to put documents into; nothing is committed, recall reads the worktree."""
    create_repo(root).close()


def _write(root: str, path: str, title: str, tags: tuple[str, ...], text: str) -> None:
    fields: list[tuple[str, str | list[str]]] = [("name", title)] if title else []
    if tags:
        fields.append(("tags", list(tags)))
    full = Path(root, *path.split("/"))
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(new_memory(fields, text.strip() + "\n"))


def _stem(document_id: str) -> str:
    return "".join(char if char.isalnum() else "-" for char in document_id)
