"""Who wrote what came from elsewhere: memories of an author never seen in this store wait for the person's word.

The people of the history that a store began with count as seen, and so does who commits on this machine.  An address
is what a commit says, and anybody can write one: this keeps a stranger's text from coming in unnoticed, it proves
nothing.  What recall needs of it stands in a small file of its own, read by store/trust.py.
"""

from __future__ import annotations

import os
from heapq import heappop, heappush

from gitmem.errors import GitmemError
from gitmem.history.changed import changed
from gitmem.history.identity import MODEL_EMAIL, gitmem_identity
from gitmem.history.tree import tree_get
from gitmem.store.paths import authors, state, withheld
from gitmem.store.trust import JOINS, MAX_LINES_BYTES, escaped, log_end, read_lines, unescaped, withheld_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gitmem.history.commit import Commit
    from gitmem.history.repo import Repo
    from gitmem.store.gitdir import GitDir

    Held = dict[str, str]  # path -> address of the author

MADE_HERE = ("commit", "gitmem: ")  # how a reflog says that a commit was made on this machine
PROGRAMS = (MODEL_EMAIL, gitmem_identity().email)  # such an author says nothing of the person behind it


class Seen:
    """What is kept from one look to the next.

    upto:   the commit up to which history was looked at, "" for none
    emails: of the authors that were seen, in lower case
    """

    __slots__ = ("emails", "upto")

    def __init__(self, upto: str, emails: set[str]) -> None:
        self.upto, self.emails = upto, emails


def see_authors(repo: Repo) -> Held:
    """Look at what came since the last time; the memories that wait, by path.

    The first time everybody in the history counts as seen.
    raises: RepositoryDamaged, OSError when the answer cannot be kept
    """
    head, seen = repo.head()[1], load_seen(repo.git)
    if seen is None:
        save(repo.git, Seen(head, {address(repo.commit(name)) for name in _every(repo, head)}), {})
        return {}
    held = withheld_paths(repo.git.path)
    if seen.upto == head:
        return held
    new = _since(repo, head, seen.upto)
    seen.emails |= {address(commit) for commit in _made_here(repo, new)}
    held = _held_at(repo, new, head, seen.emails, held)
    tree = repo.commit(head).tree if head else ""
    held = {path: email for path, email in held.items() if tree and tree_get(repo.objects, tree, path) is not None}
    seen.upto = head
    save(repo.git, seen, held)
    return held


def see(repo: Repo, email: str) -> list[str]:
    """Count the author ``email`` as seen; the memories that waited for it."""
    held, key = see_authors(repo), email.strip().lower()
    seen = load_seen(repo.git)
    assert seen is not None  # see_authors wrote it
    freed = sorted(path for path, each in held.items() if each == key)
    seen.emails.add(key)
    save(repo.git, seen, {path: each for path, each in held.items() if each != key})
    return freed


def address(commit: Commit) -> str:
    """Who answers for a commit: its author's address, its committer's where the author is a model or gitmem."""
    email = commit.author.email.strip().lower()
    return commit.committer.email.strip().lower() if email in PROGRAMS else email


def load_seen(git: GitDir) -> Seen | None:
    """What is kept, None when nobody looked yet."""
    lines = [line.partition(" ") for line in read_lines(authors(git.path))]
    uptos = [value for word, _, value in lines if word == "upto"]
    return Seen(uptos[0], {unescaped(value) for word, _, value in lines if word == "seen"}) if uptos else None


def save(git: GitDir, seen: Seen, held: Mapping[str, str]) -> None:
    """Keep both files, what recall reads first: a kill between the two lets a memory wait, never slip through."""
    os.makedirs(state(git.path), exist_ok=True)
    if held:
        _replace(withheld(git.path), [f"{escaped(email)} {escaped(path)}" for path, email in sorted(held.items())])
    elif os.path.lexists(withheld(git.path)):
        os.unlink(withheld(git.path))
    _replace(authors(git.path), [f"upto {seen.upto}", *(f"seen {escaped(email)}" for email in sorted(seen.emails))])


def _replace(path: str, lines: list[str]) -> None:
    new = f"{path}.{os.getpid():x}"
    with open(new, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
        file.write("\n".join(lines) + "\n")
    os.replace(new, path)


def _every(repo: Repo, head: str) -> Iterator[str]:
    """Every commit that leads to ``head``; those that a shallow clone left out are none."""
    waiting, found = [head] if head else [], {head}
    while waiting:
        name = waiting.pop()
        try:
            parents = repo.commit(name).parents
        except GitmemError:
            if name == head:
                raise
            continue
        yield name
        waiting += [parent for parent in parents if parent not in found]
        found.update(parents)


def _since(repo: Repo, head: str, upto: str) -> list[Commit]:
    """The commits that lead to ``head`` and not to ``upto``, parents before children."""
    queue: list[tuple[int, str]] = []
    old: dict[str, bool] = {}  # commit -> whether it leads to upto

    def add(name: str, is_old: bool) -> None:
        try:
            when = repo.commit(name).when
        except GitmemError:  # left out by a shallow clone, or gone with a rewritten history
            return
        if name not in old or (is_old and not old[name]):
            old[name] = is_old
            heappush(queue, (-when, name))

    add(head, False)
    if upto:
        add(upto, True)
    while any(not old[name] for _, name in queue):
        name = heappop(queue)[1]
        for parent in repo.commit(name).parents:
            add(parent, old[name])
    new = {name for name, is_old in old.items() if not is_old}
    return _parents_first(repo, head, new)


def _parents_first(repo: Repo, head: str, names: set[str]) -> list[Commit]:
    ordered: list[Commit] = []
    done: set[str] = set()
    waiting = [head] if head in names else []
    while waiting:
        commit = repo.commit(waiting[-1])
        ahead = [parent for parent in commit.parents if parent in names and parent not in done]
        if ahead:
            waiting += ahead
            continue
        waiting.pop()
        if commit.id not in done:
            done.add(commit.id)
            ordered.append(commit)
    return ordered


def _made_here(repo: Repo, commits: list[Commit]) -> list[Commit]:
    """Those of ``commits`` that were made on this machine, by the word of HEAD's log."""
    made = set()
    for line in log_end(os.path.join(repo.git.path, "logs", "HEAD"), MAX_LINES_BYTES):
        said = line.partition("\t")[2]
        if said.startswith(MADE_HERE) and not said.startswith(JOINS):
            made.add(line[41:81])
    return [commit for commit in commits if commit.id in made]


def _held_at(repo: Repo, new: list[Commit], head: str, seen: set[str], before: Held) -> Held:
    """What waits at ``head``: each commit takes over from its parents, and its own files are its author's.

    A merge frees a file only by taking it as a parent has it in which it does not wait.
    """
    held: dict[str, Held] = {}
    for commit in new:
        sides = [held.get(parent, before) for parent in commit.parents] or [{}]
        mine = sides[0] if len(sides) == 1 else {path: email for side in sides for path, email in side.items()}
        if len(sides) == 1:
            mine = _after(repo, commit, seen, mine)
        else:
            mine = {path: email for path, email in mine.items() if not _is_freed(repo, commit, sides, path)}
            who = address(commit)  # gitmem's own merges take nothing from elsewhere than from their sides
            mine |= dict.fromkeys(_made_by(repo, commit), who) if who not in seen and who not in PROGRAMS else {}
        held[commit.id] = mine
    return held.get(head, before)


def _after(repo: Repo, commit: Commit, seen: set[str], mine: Held) -> Held:
    """``mine`` after a commit with at most one parent."""
    who = address(commit)
    if who in seen and not mine:
        return mine
    out = dict(mine)
    parent = _tree(repo, commit.parents[0]) if commit.parents else ""
    if parent is None:  # left out by a shallow clone: nobody knows what it changed
        return mine
    for path, (_, now) in changed(repo.objects, parent, commit.tree).items():
        if who in seen or now is None:
            out.pop(path, None)
        elif path.lower().endswith(".md"):
            out[path] = who
    return out


def _is_freed(repo: Repo, commit: Commit, sides: list[Held], path: str) -> bool:
    now = tree_get(repo.objects, commit.tree, path)
    if now is None:
        return True
    for parent, side in zip(commit.parents, sides, strict=True):
        tree = _tree(repo, parent) if path not in side else None
        if tree is not None and tree_get(repo.objects, tree, path) == now:
            return True
    return False


def _made_by(repo: Repo, commit: Commit) -> list[str]:
    """The memories that a merge has as no parent has them."""
    trees = [tree for tree in (_tree(repo, parent) for parent in commit.parents) if tree is not None]
    differ = [set(changed(repo.objects, tree, commit.tree)) for tree in trees]
    paths = set.intersection(*differ) if differ else set()
    return [path for path in sorted(paths) if path.lower().endswith(".md")]


def _tree(repo: Repo, name: str) -> str | None:
    try:
        return repo.commit(name).tree
    except GitmemError:
        return None
