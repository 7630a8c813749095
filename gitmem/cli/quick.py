"""``remember`` without the command-line library: the one command that is timed against git.

``gitmem remember`` is a cold process, so imports are its cost: click alone is as much as the write.  What is not a
plain use (help, a wrong or missing option) is left to click and cli/remember.py, which calls ``keep`` just the same.
"""

from __future__ import annotations

import os

from gitmem.cli.door import Door, check_utf8, is_text, read_text
from gitmem.cli.tell import ready_streams, tell
from gitmem.errors import GitmemError, Refused, Stale, Usage
from gitmem.write.change import Actor
from gitmem.write.fields import TYPES, typed_labels
from gitmem.write.memory import Kept, keep_text, remember

WITH_VALUE = (
    "--store", "--body-file", "--name", "--type", "--description", "--tags", "--aliases", "--path", "--reason",
    "--if-revision", "--agent", "--session", "--scope",
)  # fmt: skip

FLAGS = ("--json", "--merge")
GUARDS = ("if_revision", "agent", "session")  # what decides whether, and as whom, something is written
SCOPES = ("user", "project", "team")


def run(words: list[str]) -> int | None:
    """Run ``gitmem remember WORDS``; the exit code, or None when click should look at it.

    words: what follows ``remember``
    """
    parsed = parse(words)
    if parsed is None:
        return None
    ready_streams()
    texts, options = parsed
    try:
        keep(Door(options.pop("store", None), options.pop("json", "") == "true"), texts, options)
    except (Exception, KeyboardInterrupt) as error:
        return tell(error, words)
    return 0


def parse(words: list[str]) -> tuple[list[str], dict[str, str]] | None:
    """The texts and the options of a plain use; None for anything else."""
    texts: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if word == "--":
            texts.extend(rest)
        elif word in FLAGS:
            options[word[2:]] = "true"
        elif word.startswith("-") and word != "-" and not is_text(word):
            name, equals, value = word.partition("=")
            given = value if equals else next(rest, None)
            if name not in WITH_VALUE or given is None:
                return None
            options[name[2:].replace("-", "_")] = given
        else:
            texts.append(word)
    is_plain = options.get("type", TYPES[0]) in TYPES and options.get("scope", SCOPES[0]) in SCOPES
    return (texts, options) if is_plain else None


def keep(door: Door, words: list[str], options: dict[str, str]) -> None:
    """Write the memory and answer; on a fresh machine the store is made first, and that is said."""
    check_utf8({f"--{name}": value for name, value in options.items() if name != "body_file"})
    text = read_text(words, options.get("body_file"), what="the text")
    try:
        kept = written(door, text, options)
    except Exception as error:
        keep_given(door, text, error)
        raise
    same = f"already remembered, nothing to change: {kept.path}"
    tell_kept(door, kept, f"remembered {kept.path}" if kept.commit else same)


def tell_kept(door: Door, kept: Kept, text: str) -> None:
    """Answer with how one memory stands now, after what there is to say beside it."""
    for sentence in kept.notes:
        door.say(sentence)
    shape = {"path": kept.path, "revision": kept.revision, "commit": kept.commit}
    door.answer(shape, text, saved=f"{kept.path} is saved")


def actor_of(agent: str, session: str) -> Actor:
    """Who asks: a model when an agent is named, else the person; raises Usage for a session of nobody."""
    if session and not agent:
        raise Usage("--session says whose session it is only beside --agent NAME", hint="--agent claude-code")
    return Actor("model", agent=agent, session=session) if agent else Actor("person")


def check_set(**given: str | None) -> None:
    """raises: Usage for an empty value, as a shell variable leaves that nobody set: its limit would be gone

    given: option, with _ for -, -> its value, None where it was not given
    """
    for name, value in given.items():
        if value is not None and not value.strip():
            said = f"--{name.replace('_', '-')} is empty; nothing was written"
            raise Usage(said, hint="leave it out, or give it a value: a shell variable may be unset")


def written(door: Door, text: bytes, options: dict[str, str]) -> Kept:
    check_set(**{name: options[name] for name in GUARDS if name in options})
    if options.get("merge") and not options.get("if_revision"):
        raise Usage("--merge needs --if-revision: what you read", hint="gitmem show NAME --json")
    if options.get("if_revision") and not (options.get("name") or options.get("path")):
        raise Usage("--if-revision needs --name or --path: the memory you read", hint="gitmem remember --help")
    actor = actor_of(options.get("agent", ""), options.get("session", ""))
    root, folder = door.place(), ""
    if options.get("scope", "user") != "user":
        root, folder = place_of_scope(door, options["scope"], actor)
    return remember(
        root,
        text,
        when=door.when,
        actor=actor,
        environ=door.environ,
        name=options.get("name", ""),
        type=options.get("type", ""),
        description=options.get("description", ""),
        tags=typed_labels(options.get("tags", "")),
        aliases=typed_labels(options.get("aliases", "")),
        path=options.get("path", ""),
        folder=folder,
        reason=options.get("reason", ""),
        if_revision=options.get("if_revision", ""),
        merge=bool(options.get("merge")),
        make_store=None if door.has_store() else lambda: make_store(door),
    )


def place_of_scope(door: Door, scope: str, actor: Actor) -> tuple[str, str]:
    """The store, and the folder in it, where memories of ``scope`` go; says what was found or made."""
    from gitmem.write.promote import place_for  # who writes for the user is spared it

    if not door.has_store():
        make_store(door)
    place = place_for(scope, door.place(), os.getcwd(), when=door.when, actor=actor, environ=door.environ)  # noqa: PTH109
    for sentence in place.notes:
        door.say(sentence)
    return place.root, place.folder


def make_store(door: Door) -> None:
    """Make the person's store, and say so."""
    from gitmem.setup.create import first_store  # once in a store's life

    made = first_store(door.place(), named=door.option is not None, environ=door.environ, when=door.when)
    door.say(f"made your store at {door.shown(made.root)}")
    for sentence in made.notes:
        door.say(sentence)


def keep_given(door: Door, text: bytes, error: Exception) -> None:
    """Keep the text of a write that failed, where there is a store, and say where: it may have come from a pipe."""
    if not text.strip() or isinstance(error, Stale) or (isinstance(error, Refused) and error.kept):
        return
    place = keep_text(door.place(), text, door.when)
    if not place:
        return
    if isinstance(error, Refused):
        error.kept = place
    elif isinstance(error, GitmemError):
        error.message += f"; your text is kept in {place}"
    else:
        door.say(f"your text is kept in {place}")
