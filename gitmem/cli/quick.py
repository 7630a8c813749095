"""``remember`` without the command-line library: the one command that is timed against git.

``gitmem remember`` is a cold process, so imports are its cost: click alone is as much as the write.  What is not a
plain use (help, a wrong or missing option) is left to click and cli/remember.py, which calls ``keep`` just the same.
"""

from __future__ import annotations

from gitmem.cli.door import Door, read_text
from gitmem.cli.tell import ready_streams, tell
from gitmem.write.change import Actor
from gitmem.write.memory import KINDS, remember

WITH_VALUE = (
    "--store", "--body-file", "--name", "--type", "--description", "--tags", "--aliases", "--path", "--reason",
    "--agent",
)  # fmt: skip


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
        elif word == "--json":
            options["json"] = "true"
        elif word.startswith("-") and word != "-":
            name, equals, value = word.partition("=")
            given = value if equals else next(rest, None)
            if name not in WITH_VALUE or given is None:
                return None
            options[name[2:].replace("-", "_")] = given
        else:
            texts.append(word)
    return (texts, options) if options.get("type", KINDS[0]) in KINDS else None


def keep(door: Door, words: list[str], options: dict[str, str]) -> None:
    """Write the memory and answer; on a fresh machine the store is made first, and that is said."""
    text = read_text(words, options.get("body_file"), what="the text")
    root = door.place()
    if not door.has_store():
        from gitmem.setup.create import first_store  # once in a store's life

        made = first_store(root, named=door.option is not None, environ=door.environ, when=door.when)
        door.say(f"made your store at {door.shown(made.root)}")
        for sentence in made.notes:
            door.say(sentence)
    agent = options.get("agent", "")
    kept = remember(
        root,
        text,
        when=door.when,
        actor=Actor("model", agent=agent) if agent else Actor("person"),
        environ=door.environ,
        name=options.get("name", ""),
        type=options.get("type", ""),
        description=options.get("description", ""),
        tags=comma(options.get("tags", "")),
        aliases=comma(options.get("aliases", "")),
        path=options.get("path", ""),
        reason=options.get("reason", ""),
    )
    for sentence in kept.notes:
        door.say(sentence)
    door.answer(
        {"path": kept.path, "revision": kept.revision, "commit": kept.commit},
        f"remembered {kept.path}" if kept.commit else f"already remembered, nothing to change: {kept.path}",
    )


def comma(text: str) -> list[str]:
    """The parts of ``a, b`` without blanks around them; Chinese commas count."""
    return [part.strip() for part in text.replace("，", ",").split(",") if part.strip()]
