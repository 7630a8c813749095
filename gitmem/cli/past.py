"""What the commands that look back share: a memory by its name, also one that is gone; the store as it was.

Without the command-line library, dataclasses and pathlib, since ``history`` is timed against git.
"""
# ruff: noqa: PTH113, PTH114

from __future__ import annotations

import os
import sys

from gitmem.cli.door import Door, check_utf8, colourful, counted, printable
from gitmem.cli.tell import ready_streams, tell
from gitmem.errors import BadName, NotFound
from gitmem.history.log import Revision, revisions
from gitmem.history.repo import Repo, open_repo
from gitmem.history.trail import present_path
from gitmem.memory.age import is_day, iso, unix_seconds
from gitmem.memory.name import check_inside, is_reserved, twin_key
from gitmem.store.paths import INDEX_FILE, join, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

DAY_S = 86_400
MANY = 2_000  # commits from which it is said that they are read


def run(words: list[str]) -> int | None:
    """Run ``gitmem history WORDS`` without the command-line library; None when it should look at them.

    words: what follows ``history``: one name, --limit, --json, --store
    """
    options: dict[str, str] = {}
    names: list[str] = []
    rest = iter(words)
    for word in rest:
        name, equals, value = word.partition("=")
        if word == "--json":
            options[name] = "true"
        elif name in ("--limit", "--store"):
            options[name] = value if equals else next(rest, "")
            if not options[name]:
                return None
        elif word.startswith("-") or names:
            return None
        else:
            names.append(word)
    limit = options.get("--limit", "1")
    if not names or not (limit.isascii() and limit.isdigit() and int(limit)):
        return None
    ready_streams()
    try:
        check_utf8({"NAME": names[0], "--store": options.get("--store", "")})
        door = Door(options.get("--store"), "--json" in options)
        tell_history(door, names[0], int(limit) if "--limit" in options else None)
    except (Exception, KeyboardInterrupt) as error:
        return tell(error, words)
    return 0


def find_past(repo: Repo, name: str) -> str:
    """The path that ``name`` means now, in the archive too, else the one it meant last.

    A memory that is gone has only path and stem.
    One that was moved is found by its old path too, under the new one.
    raises: NotFound as for a memory that is there, when no commit ever had one of that name
    """
    if name == INDEX_FILE:
        return INDEX_FILE
    if path := standing(repo.root, name):
        return path
    from gitmem.write.find import find_memory  # who gives a path is spared the search index

    try:
        return find_memory(repo.root, name)
    except NotFound:
        from gitmem.history.gone import gone_paths
        from gitmem.write.archive_find import find_archived

        try:
            return find_archived(repo.root, name)
        except NotFound:
            pass  # what was removed is older than what is in the archive
        wanted = twin_key(bare(name.strip().removeprefix("./")))
        found = gone_paths(repo, wanted.rpartition("/")[2], lambda path: wanted in keys(path))
        if not found:
            raise
    found = sorted({present_path(repo, path) for path in found})
    if len(found) > 1:
        raise NotFound(f'"{name}" is gone, and it fits {", ".join(found)}', hint="give the path")
    return found[0]


def standing(root: str, name: str) -> str:
    """The path that ``name`` is, with or without ``.md``, where a file stands there; "" for any other name."""
    wanted = name.strip().removeprefix("./")
    for path in (wanted, f"{wanted}.md"):
        if path[-3:].lower() == ".md" and not is_reserved(path):
            try:
                check_inside(path)
            except BadName:
                return ""
            if os.path.isfile(join(root, path)) and not os.path.islink(join(root, path)):
                return path
    return ""


def keys(path: str) -> tuple[str, ...]:
    """By what a memory that is gone is found: its path and its file's stem; () for what was never a memory."""
    if not path.lower().endswith(".md") or is_reserved(path):
        return ()
    named = bare(path)
    return twin_key(named), twin_key(named.rpartition("/")[2])


def bare(path: str) -> str:
    """``path`` without ``.md``, however that is written."""
    return path[:-3] if path[-3:].lower() == ".md" else path


def filling(door: Door) -> Callable[[int, int], None]:
    """Says once, before a long first look, that the history is being read."""
    said: list[int] = []

    def step(done: int, total: int) -> None:
        if total >= MANY and not said and done < total and colourful(sys.stderr):
            door.say(f"reading {counted(total, 'commit')}, once")
            said.append(total)

    return step


def tell_history(door: Door, name: str, limit: int | None) -> None:
    """Answer with the changes of the memory ``name``, newest first."""
    with open_repo(door.store()) as repo:
        path = find_past(repo, name)
        found = revisions(repo, path, limit, progress=filling(door))
    if not found:
        raise NotFound(f"{path} has no history yet: it is not committed", hint=f"gitmem diff {typed(path)}")
    lines: list[str] = []
    for one in found:
        said = printable(f"{iso(one.when)}  {one.author}  {one.subject}")
        lines.append(f"{door.paint(one.commit[:10], 'yellow')}  {said}")
        if one.was:
            lines.append(printable(f"            {one.move}: {one.was} -> {one.path}"))
        lines.extend(printable(f"            {line}") for line in one.reason.splitlines())
    door.answer({"path": path, "revisions": [shape(one) for one in found]}, "\n".join(lines))


def shape(one: Revision) -> dict[str, object]:
    """A revision as ``history --json`` gives it."""
    return {
        "commit": one.commit,
        "revision": one.revision,
        "when": iso(one.when),
        "author": one.author,
        "email": one.email,
        "subject": one.subject,
        "reason": one.reason,
        "trailers": one.trailers,
        "path": one.path,
        "was": one.was,
        "move": one.move,
    }


def store_at(door: Door, revision: str) -> tuple[str, int]:
    """The store as it was at ``revision``, ready to be searched, and the moment from which ages count.

    That moment is the date that was typed, or the time of the commit.
    """
    from gitmem.cli.common import progress_bar, searchable  # with the command-line library
    from gitmem.history.asof import past_store
    from gitmem.history.revision import resolve

    root = door.store()
    with open_repo(root) as repo, progress_bar("laying out") as progress:
        commit = resolve(repo, revision)
        when = min(typed_moment(revision) or repo.commit(commit).when, door.when)
        past = past_store(repo, commit, door.when, progress)
    door.say(f"the store as it was at {commit[:10]}, {iso(when)}")
    for path in past.left_out:
        door.say(printable(f"left out, this system cannot hold such a name: {path!a}"))
    return searchable(Door(past.root, door.as_json)), when


def typed_moment(text: str) -> int | None:
    """UTC unix seconds of a date as ``resolve`` takes it, the end of a day that is named alone; None for no date."""
    found = unix_seconds(text)
    return found + DAY_S - 1 if found is not None and is_day(text) else found
