"""The rules of links and of the list of memories (audit/link.py), and of locks (audit/lock.py), explained."""

from __future__ import annotations

from gitmem.audit.rule import HINT, PROBLEM, Rule

RULES = (
    Rule(
        "dangling",
        PROBLEM,
        "a line of the list that links to no file",
        "A model or person who follows it finds nothing.",
        "- [Old](old.md) with no old.md",
        "Delete the line, or correct the file's name in it. Where the file was renamed: gitmem doctor --fix",
    ),
    Rule(
        "unlisted",
        PROBLEM,
        "a memory that the list does not name",
        "Whoever reads the list does not know it is there.",
        "a.md, and no line with (a.md) in MEMORY.md",
        "Add the line: gitmem doctor --fix",
    ),
    Rule(
        "list-full",
        HINT,
        "a list as long as a memory may be",
        "New memories get no line any more; recall does not need one.",
        "MEMORY.md of 512 KiB",
        "Shorten the list, or leave it.",
    ),
    Rule(
        "broken-link",
        PROBLEM,
        "a `[[link]]` to no memory",
        "The knowledge it pointed to was renamed, never written, or mistyped.",
        "see [[ghost]]",
        "Correct the name, write the memory, or put the link into `code`.",
    ),
    Rule(
        "ambiguous-link",
        HINT,
        "a `[[link]]` that several memories answer to",
        "Nobody can know which one is meant.",
        "see [[plan]] with a/plan.md and b/plan.md",
        "Write the path: [[a/plan]]",
    ),
    Rule(
        "archived-link",
        HINT,
        "a `[[link]]` to a memory in the archive",
        "What it says may be out of date; it is still there to be read.",
        "see [[old]] with archive/old.md",
        "Take the link out, or restore the memory.",
    ),
    Rule(
        "duplicate-id",
        PROBLEM,
        "two memories with one id",
        "A merge or a rename takes one for the other; the usual origin is a copied file.",
        "metadata:\n  id: 01KB9V6Q in two files",
        "Remove the id from the copy: gitmem edit NAME --unset metadata.id",
    ),
    Rule(
        "dangling-id",
        PROBLEM,
        "a field that names a memory which is not there",
        "What it supersedes or contradicts cannot be found, so the older one may still be recalled.",
        "metadata:\n  supersedes: [gone]",
        "Correct the field or remove it: gitmem edit NAME --unset metadata.supersedes",
    ),
    Rule(
        "lost-lock",
        PROBLEM,
        "a lock on a memory that is not there",
        "Nothing is kept from being archived by it, or only until the path belongs to another memory.",
        "locks: [a.md] in .gitmem/config.yaml, and no a.md",
        "Take it away: gitmem unlock a.md   (where the file was renamed: gitmem doctor --fix)",
    ),
    Rule(
        "no-head",
        PROBLEM,
        "a memory without frontmatter",
        "It has no description, so it is found by its body alone, and its type is unknown.",
        "a file that begins with its text",
        "Give it one: gitmem edit NAME --set description='one sentence'",
    ),
    Rule(
        "type",
        PROBLEM,
        "a type that differs from the file name's prefix",
        "Readers that go by the name and readers that go by the field see two kinds of memory.",
        "feedback_a.md with type: project",
        "Correct the type: gitmem edit NAME --set type=feedback   (or rename the file)",
    ),
    Rule(
        "no-prefix",
        HINT,
        "a name without a type's prefix, in a folder where most names have one",
        "Readers that go by the prefix do not know its type.",
        "plain.md beside user_a.md and project_b.md",
        "Rename it, or leave it: gitmem goes by the type field.",
    ),
)
