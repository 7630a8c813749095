"""The rules of what a look at the folder leaves out (store/worktree.py, store/settings.py), explained."""

from __future__ import annotations

from gitmem.audit.rule import HINT, PROBLEM, Rule

RULES = (
    Rule(
        "link",
        PROBLEM,
        "a symbolic link",
        "What it names lies outside the history, can be exchanged unseen, and is not there on another machine.",
        "s.md -> /etc/passwd",
        "Put the file or folder itself in place of the link.",
    ),
    Rule(
        "too-big",
        PROBLEM,
        "a memory above 512 KiB",
        "It is not read, so it is never recalled.",
        "log.md of 600 KiB",
        "Split it into several memories.",
    ),
    Rule(
        "reserved",
        PROBLEM,
        "the list or the log under another spelling or a second name",
        "Many systems take it for MEMORY.md or session-log.md; it is no memory and is not read.",
        "memory.md beside MEMORY.md",
        "Rename it.",
    ),
    Rule(
        "name-bytes",
        PROBLEM,
        "a name whose bytes are not UTF-8",
        "No commit message, index or other system can name it; it is not read.",
        "caf<E9>.md",
        "Rename it.",
    ),
    Rule(
        "not-a-file",
        PROBLEM,
        "a name that ends in .md and is no plain file",
        "It is not read.",
        "a pipe named a.md",
        "Remove it.",
    ),
    Rule(
        "too-deep",
        PROBLEM,
        "a folder that lies too deep",
        "What is in it is not read.",
        "25 folders inside each other",
        "Move it up.",
    ),
    Rule(
        "too-many",
        PROBLEM,
        "more memories than are read",
        "The last ones are never recalled.",
        "1,100,001 memories",
        "Part the store in two.",
    ),
    Rule(
        "repository",
        HINT,
        "a repository of its own inside the store",
        "It has its own history, so its files are no memories of this store.",
        "notes/.git",
        "Name it with --store, or leave it as it is.",
    ),
    Rule(
        "config",
        PROBLEM,
        "a setting that cannot be used",
        "Its default is used instead.",
        "recall:\n  candidates: maybe",
        "Correct the line of .gitmem/config.yaml.",
    ),
    Rule(
        "unreadable",
        PROBLEM,
        "a file or folder that cannot be read",
        "It is never recalled, and no other rule can look at it.",
        "chmod 000 a.md",
        "Allow yourself to read it: chmod u+r",
    ),
)
