"""Say that a store found inside a project may be read, or take that back; and that an author is known.

Kept outside the store, by its path and by a word in its git folder: what a store says of itself counts for nothing.
"""

from __future__ import annotations

import os

from gitmem.errors import GitmemError, NoStore, NotFound
from gitmem.history.authors import see, see_authors
from gitmem.history.repo import open_repo
from gitmem.memory.clean import one_line
from gitmem.store.gitdir import GitDir, find_git_dir
from gitmem.store.paths import state, trust_mark, trusted_stores, typed
from gitmem.store.scope import find_place, git_of, project_store
from gitmem.store.trust import escaped, is_trusted, mark_of, place_of, trusted, withheld_paths
from gitmem.write.unwritable import unwritable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_NAMED = 8  # memories in a sentence
MAX_SHOWN_CHARS = 120  # of an address or path in a sentence


def store_meant(path: str) -> str:
    """The store that ``path`` means: a project's own one where ``path`` lies in a project, else ``path`` itself.

    raises: NoStore when there is none
    """
    path = os.path.abspath(os.path.expanduser(path))
    if os.path.isdir(path) and os.path.basename(path) == ".gitmem" and git_of(path) is not None:
        return path
    own = project_store(find_place(path)) if os.path.isdir(path) else ""
    found = own or path
    if git_of(found) is None:
        raise NoStore(f"there is no store in {path}, so there is nothing to trust", hint="gitmem project show")
    return found


def trust(root: str, home: str) -> bool:
    """Trust the store at ``root``; False when it was trusted already.

    home:   gitmem's own folder on this machine
    raises: NoStore, StoreUnwritable
    """
    git = find_git_dir(root)
    if git is None:
        raise NoStore(f"{root} is no store", hint=f"gitmem init {typed(root)}")
    if is_trusted(root, git, home):
        return False
    try:
        word = _word(git)
        _keep(home, {**trusted(home), place_of(root): word})
    except OSError as error:
        raise unwritable(error, root) from error
    with open_repo(root) as repo:
        see_authors(repo)  # who wrote what stands there now is part of what is trusted
    return True


def revoke(path: str, home: str) -> bool:
    """Trust the store at ``path`` no longer, also one that is gone; False when it was not trusted."""
    every, place = trusted(home), place_of(path)
    if place not in every:
        return False
    del every[place]
    try:
        _keep(home, every)
    except OSError as error:
        raise unwritable(error, home) from error
    return True


def trust_author(roots: Sequence[str], email: str) -> dict[str, list[str]]:
    """Count the author ``email`` as seen in each store where memories wait for it; those memories, by store.

    raises: NotFound when none waits
    """
    freed: dict[str, list[str]] = {}
    for root in roots:
        with open_repo(root) as repo:
            if email.strip().lower() in see_authors(repo).values():
                freed[root] = see(repo, email)
    if not freed:
        raise NotFound(f'no memory waits for the author "{one_line(email, MAX_SHOWN_CHARS)}"', hint="gitmem status")
    return freed


def note_authors(root: str) -> dict[str, str]:
    """Look at who wrote what came since the last look; the memories that wait, path -> address.

    Called whenever the index is refreshed, and by whatever brings commits from elsewhere, before it reads them.
    What cannot be looked at waits as it did.
    """
    try:
        with open_repo(root) as repo:
            return see_authors(repo)
    except (GitmemError, OSError):
        git = git_of(root)
        return withheld_paths(git.path) if git is not None else {}


def withheld_notes(root: str, option: str) -> list[str]:
    """One sentence for each author whose memories wait in the store at ``root``, for ``gitmem status``.

    option: ``--store`` with a blank before, for a store that is not where gitmem looks
    """
    by: dict[str, list[str]] = {}
    for path, email in sorted(note_authors(root).items()):
        by.setdefault(email, []).append(path)
    notes = []
    for email, paths in sorted(by.items()):
        named = ", ".join(one_line(path, MAX_SHOWN_CHARS) for path in paths[:MAX_NAMED])
        more = f" and {len(paths) - MAX_NAMED} more" if paths[MAX_NAMED:] else ""
        who = one_line(email, MAX_SHOWN_CHARS) or "nobody"
        notes.append(
            f"not recalled, since {who} is new here: {named}{more}; read them, then: "
            f"gitmem trust --author {typed(who)}{option}"
        )
    return notes


def _word(git: GitDir) -> str:
    """The random word of the repository, made where it has none."""
    word = mark_of(git)
    if word:
        return word
    word, path = os.urandom(16).hex(), trust_mark(git.common)
    os.makedirs(state(git.common), exist_ok=True)
    if os.path.lexists(path):
        os.unlink(path)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(word + "\n")
    return word


def _keep(home: str, every: Mapping[str, str]) -> None:
    """Write the list of trusted stores, in one step."""
    os.makedirs(home, mode=0o700, exist_ok=True)
    path = trusted_stores(home)
    new = f"{path}.{os.getpid():x}"
    with open(new, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.writelines(f"{word} {escaped(place)}\n" for place, word in sorted(every.items()))
    os.replace(new, path)
