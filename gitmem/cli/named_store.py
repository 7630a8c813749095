"""Commands to type, in a sentence, that name the store they are meant for.

Loaded only where a sentence holds a command and the store in use is not the one that the bare command would take.
"""

from __future__ import annotations

from gitmem.cli.table import SHORT_HELP

PROGRAM = "gitmem "
GROUPS = ("conflict", "hooks", "project", "remote", "rollback")  # commands of two words
OF_NO_STORE = ("bench", "clone", "hook", "init", "uninstall")  # or with the place among their own words
BEFORE = " \n`'\"(:"  # what may stand before a command
ENDS = ("\n", "`", " && ", "; ", "   ", PROGRAM)


def with_store(sentence: str, option: str) -> str:
    """``sentence`` with ``option`` behind the name of each command in it that names no store yet.

    option: `` --store PATH``, with the blank before
    """
    head, *rest = sentence.split(PROGRAM)
    parts = [head]
    for part in rest:
        before = parts[-1][-1:]
        at = 0 if before and before not in BEFORE else _name_end(part)
        parts += [PROGRAM, part[:at], option if at else "", part[at:]]
    return "".join(parts)


def _name_end(part: str) -> int:
    """Where the name of the command ends with which ``part`` begins; 0 for none that wants a store."""
    command = part
    for end in ENDS:
        command = command.partition(end)[0]
    name, length = _word(command, 0)
    if name not in SHORT_HELP or name in OF_NO_STORE:
        return 0
    if name in GROUPS:
        second, length = _word(command, length + 1)
        if not second.isalpha():
            return 0
    after = command[length:].split()
    is_place = name == "trust" and after[:1] != ["--author"]  # its word is the store itself
    return 0 if is_place or after[:1] == ["--help"] or "--store" in after else length


def _word(text: str, begin: int) -> tuple[str, int]:
    """The word that begins at ``begin``, and where it ends; a sentence's signs are none of it."""
    end = begin
    while end < len(text) and (text[end].isalpha() or text[end] == "-"):
        end += 1
    return text[begin:end], end
