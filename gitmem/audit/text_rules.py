"""The rules of texts and of names (audit/text.py, audit/name.py), explained."""

from __future__ import annotations

from gitmem.audit.rule import PROBLEM, Rule
from gitmem.memory.secret import ALLOW

RULES = (
    Rule(
        "secret",
        PROBLEM,
        "a text that looks like a secret",
        "git keeps what a commit holds for ever, and every clone has it.",
        "token = <40 random characters>",
        "Say where the secret is kept instead, and make it invalid if it was ever committed. "
        f"If it is harmless, put `{ALLOW}` on its line.",
    ),
    Rule(
        "marker",
        PROBLEM,
        "conflict markers of git",
        "A merge was not finished: both texts stand there, and neither can be trusted.",
        "<<<<<<< HEAD",
        "Choose the text that holds and delete the marker lines. Markers that are meant belong into a code fence.",
    ),
    Rule(
        "bidi",
        PROBLEM,
        "a character that changes the direction of writing",
        "A person sees another text than a model reads.",
        "abc<U+202E>txt",
        "Delete the character; an editor that shows invisible characters finds it.",
    ),
    Rule(
        "hidden",
        PROBLEM,
        "characters that are not seen",
        "They can carry orders to a model that no person sees, and a search does not find a word they stand in.",
        "pass<U+200B>word",
        "Delete them; the finding names the first.",
    ),
    Rule(
        "name",
        PROBLEM,
        "a name that other systems cannot hold",
        "The store cannot be checked out on Windows or macOS, or the file gets another name there.",
        "aux.md, a:b.md, a name of 300 bytes",
        "Rename it: git mv",
    ),
    Rule(
        "twin",
        PROBLEM,
        "two names that differ only in case or in how their letters are composed",
        "On macOS and Windows they are one file, and one text overwrites the other.",
        "API.md and api.md",
        "Join the two memories, or rename one.",
    ),
    Rule(
        "sync-copy",
        PROBLEM,
        "a conflict copy that a cloud drive made",
        "The two texts were never joined, and both are recalled.",
        "plan (Ada's conflicted copy 2026-11-30).md",
        "Bring what is new over into the memory, then delete the copy.",
    ),
    Rule(
        "leftover",
        PROBLEM,
        "a temporary file that a program left when it was killed",
        "It may hold a text that was never saved, and it is in the way of nothing but your eyes.",
        "a.md.4711.tmp",
        "Look whether it holds something the memory lacks, then delete it.",
    ),
)
